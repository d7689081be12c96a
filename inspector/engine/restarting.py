"""The clean half of a measurement again, in other processes: starts differ."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from inspector.engine.values import Progress
from inspector.errors import Cancelled, InspectorError
from inspector.report import PerformanceReport, RunSpec, Surroundings

Tell = Callable[[Progress], None]
Once = Callable[[RunSpec, str], PerformanceReport]


def in_starts(once: Once, spec: RunSpec) -> PerformanceReport:
    """Measure in `spec.starts` processes, the first as the spec asks, the others clean alone.

    once: measures in a process of its own, with words for all its steps if there are any. A
    later one that fails costs its samples, and a note says so. Raises what the first raises,
    and Cancelled.
    """
    report = once(spec, "")
    clean = replace(spec, profiled_runs=0, phases=False, loads=1, concurrency=())
    others: list[PerformanceReport] = []
    failed: tuple[str, ...] = ()
    for number in range(2, spec.starts + 1):
        try:
            others.append(once(clean, f"start {number} of {spec.starts}"))
        except Cancelled:
            raise
        except InspectorError as error:
            failed = (f"Start {number} of {spec.starts} failed: {error.why}.",)
            break
    if not others and not failed:
        return report
    merged = together(report, others)
    return replace(merged, notes=(*merged.notes, *failed))


def together(
    first: PerformanceReport, others: Sequence[PerformanceReport]
) -> PerformanceReport:
    """The first report with the samples of all; notes of the others that it has not."""
    every = (first, *others)
    notes = dict.fromkeys(note for each in every for note in each.notes)
    return replace(
        first,
        prediction_ns=tuple(ns for each in every for ns in each.prediction_ns),
        prediction_cpu_ns=tuple(ns for each in every for ns in each.prediction_cpu_ns),
        start_lengths=tuple(len(each.prediction_ns) for each in every),
        loads_ns=tuple(ns for each in every for ns in each.loads_ns),
        first_predictions_ns=tuple(ns for each in every for ns in each.first_predictions_ns),
        compilations_ns=tuple(ns for each in every for ns in each.compilations_ns),
        surroundings=Surroundings(
            _mean(each.surroundings.stolen for each in every),
            _mean(each.surroundings.others for each in every),
        ),
        notes=tuple(notes),
    )


def _mean(shares: Iterable[float | None]) -> float | None:
    known = [share for share in shares if share is not None]
    return sum(known) / len(known) if known else None


def told_as(step: str, tell: Tell) -> Tell:
    """Tell of one step, whatever there is inside it; of each where it has no name."""
    return (lambda progress: tell(replace(progress, step=step))) if step else tell
