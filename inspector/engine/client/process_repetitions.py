"""A measurement again, in other processes: starts differ."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from inspector.backends.values import Progress
from inspector.benchmarking.pooled_starts import StartSamples, pool_starts
from inspector.errors import Cancelled, InspectorError
from inspector.report import report as report_module
from inspector.report.environment import SystemLoad
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import RunSpec
from inspector.statistics.cpu_speed import join_cpu_speeds

_NUMBERS = re.compile(r"\d[\d.,]*( [µmn]?s\b)?")
ReportProgress = Callable[[Progress], None]
MeasureOnce = Callable[[RunSpec, str, int], PerformanceReport]


def measure_in_processes(
    once: MeasureOnce,
    spec: RunSpec,
    known_ns: int = 0,
    keep: Callable[[PerformanceReport], None] = lambda report: None,
) -> PerformanceReport:
    """Measure in `spec.starts` processes, the first as the spec asks, the others without what
    is asked about loading and load, and without a trace.

    Starts that had too few predictions at the processor's full pace are made up for by as many
    others, if the spec waits for it at all.

    once: measures in a process of its own, with words for all its steps if there are any, and
    what a probe of the pace takes at full pace. A later one that fails costs its samples, and
    a note says so; the report is then marked incomplete. keep: gets the starts before the one
    that is stopped. Raises what the first raises, and Cancelled.
    """
    reports = [_with_interned_times(once(spec, "", known_ns))]
    starts, again, failed = [StartSamples(reports[0])], later_spec(spec), tuple[str, ...]()
    most = 2 * spec.starts if spec.starts > 1 and spec.steady else spec.starts
    for number in range(2, most + 1):
        so_far = pool_starts(starts)
        if number > spec.starts and so_far.at_full_pace >= spec.starts:
            break
        step = f"start {number} of {max(number, spec.starts)}"
        try:
            report = once(again, step, so_far.reference_ns or known_ns)
        except (Cancelled, KeyboardInterrupt):
            keep(merge_reports(reports))
            raise
        except InspectorError as error:
            failed = (f"Process {number} of {spec.starts} failed: {error.why}.",)
            break
        reports.append(_with_interned_times(report))
        starts.append(StartSamples(report))
    done = merge_reports(reports)
    return replace(done, complete=not failed, notes=(*done.notes, *failed))


def later_spec(spec: RunSpec) -> RunSpec:
    """Return what a start after the first is asked for: no loads or load, nothing about the
    answer."""
    rest = replace(spec, phases=False, loads=1, concurrency=())
    return replace(rest, predict=(), check=False, roofline=False)


def merge_reports(reports: Sequence[PerformanceReport]) -> PerformanceReport:
    """Reports of one start each as one; a single one as it is."""
    return pool_reports(reports[0], reports[1:]) if len(reports) > 1 else reports[0]


def pool_reports(
    first: PerformanceReport, others: Sequence[PerformanceReport]
) -> PerformanceReport:
    """Return the first report with the samples of all, and times of layers that are the same.

    Of the others' notes it has those that it had not, whatever their numbers.
    """
    every = (first, *others)
    first_notes, more = {_NUMBERS.sub("", note) for note in first.notes}, dict[str, str]()
    for note in chain.from_iterable(each.notes for each in others):
        if _NUMBERS.sub("", note) not in first_notes:
            more.setdefault(_NUMBERS.sub("", note), note)
    return replace(
        first,
        prediction_ns=tuple(chain.from_iterable(each.prediction_ns for each in every)),
        prediction_cpu_ns=tuple(chain.from_iterable(each.prediction_cpu_ns for each in every)),
        start_lengths=tuple(len(each.prediction_ns) for each in every),
        start_layers_ns=_layers_ns(every),
        pace=join_cpu_speeds([(each.pace, len(each.prediction_ns)) for each in every]),
        loads_ns=tuple(ns for each in every for ns in each.loads_ns),
        first_predictions_ns=tuple(ns for each in every for ns in each.first_predictions_ns),
        compilations_ns=tuple(ns for each in every for ns in each.compilations_ns),
        turns=report_module.join_turns([each.turns for each in every]),
        surroundings=SystemLoad(
            _mean(each.surroundings.stolen for each in every),
            _mean(each.surroundings.others for each in every),
        ),
        notes=(*first.notes, *more.values()),
    )


def _with_interned_times(report: PerformanceReport) -> PerformanceReport:
    """Return the same with one object for times that are equal: a fifth of the memory.

    A clock counts in steps of nanoseconds, and 100,000 predictions take few different times.
    """
    wall, cpu = dict[int, int](), dict[int, int]()
    return replace(
        report,
        prediction_ns=tuple(wall.setdefault(ns, ns) for ns in report.prediction_ns),
        prediction_cpu_ns=tuple(cpu.setdefault(ns, ns) for ns in report.prediction_cpu_ns),
    )


def _layers_ns(every: Sequence[PerformanceReport]) -> tuple[tuple[int | None, ...], ...]:
    """Times of the layers in each start in which the same ones were timed; empty for one."""
    timed = [[layer.time_ns is None for layer in each.layers] for each in every]
    same = [each for each, which in zip(every, timed, strict=True) if which == timed[0]]
    return tuple(map(_layer_medians_ns, same)) if len(same) > 1 and not all(timed[0]) else ()


def _layer_medians_ns(report: PerformanceReport) -> tuple[int | None, ...]:
    """Own time of each layer in its middle profiled prediction: a hiccup is in one of them."""
    trace, count = report.trace, 1 + max(layer.index for layer in report.layers)
    of_layers = (trace.run >= 0) & (trace.layer >= 0) & (trace.layer < count)
    runs = max(report.profiled_runs, 1 + int(trace.run.max(initial=0)))
    places = trace.layer[of_layers].astype(np.int64) * runs + trace.run[of_layers]
    times = np.bincount(places, trace.self_ns()[of_layers], minlength=count * runs)
    middles = np.median(times.reshape(count, runs), axis=1)
    return tuple(
        None if layer.time_ns is None else round(float(middles[layer.index]))
        for layer in report.layers
    )


def _mean(shares: Iterable[float | None]) -> float | None:
    measured = [share for share in shares if share is not None]
    return sum(measured) / len(measured) if measured else None


def with_part(part: str, tell: ReportProgress) -> ReportProgress:
    """Return what tells of each step that it is of this part of a job; empty: of all of it."""
    return (lambda progress: tell(replace(progress, part=part))) if part else tell
