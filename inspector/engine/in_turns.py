"""Two measurements in turns, start by start: what drifts meanwhile does so for both."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from inspector.engine.restarting import at_full_pace, later, together
from inspector.errors import Cancelled, InspectorError
from inspector.report import PerformanceReport, RunSpec

Measure = Callable[[RunSpec, str], PerformanceReport]
Pair = tuple[PerformanceReport, PerformanceReport]


def in_turns(measures: tuple[Measure, Measure], specs: tuple[RunSpec, RunSpec]) -> Pair:
    """Measure both in `starts` processes each: A B, B A, A B, ...

    Starts that had too few predictions at the processor's full pace are made up for by as many
    others on both sides, if the specs wait for it at all.

    measures: each measures in one process, with words for all its steps if there are any. A
    later turn that fails costs its samples, and a note says so. Raises what the first turn
    raises, and Cancelled.
    """
    starts = min(spec.starts for spec in specs)
    first = tuple(replace(spec, starts=1) for spec in specs)
    after = tuple(replace(later(spec), starts=1) for spec in specs)
    most = 2 * starts if starts > 1 and all(spec.steady for spec in specs) else starts
    done: list[list[PerformanceReport]] = [[], []]
    failed: tuple[str, ...] = ()
    for number in range(1, most + 1):
        if number > starts and all(at_full_pace(_merged(own)) >= starts for own in done):
            break
        step = f"turn {number} of {max(number, starts)}" if number > 1 else ""
        asked = first if number == 1 else after
        try:
            found = {side: measures[side](asked[side], step) for side in _order(number)}
        except Cancelled:
            raise
        except InspectorError as error:
            if number == 1:
                raise
            failed = (f"Turn {number} of {starts} failed: {error.why}.",)
            break
        for side, report in found.items():
            done[side].append(report)
    one, other = (
        replace(merged, spec=spec, notes=(*merged.notes, *failed))
        for merged, spec in zip(map(_merged, done), specs, strict=True)
    )
    return one, other


def _order(number: int) -> tuple[int, int]:
    """Who goes first takes turns, too: what one leaves behind falls on both."""
    return (0, 1) if number % 2 else (1, 0)


def _merged(own: Sequence[PerformanceReport]) -> PerformanceReport:
    return together(own[0], own[1:]) if len(own) > 1 else own[0]
