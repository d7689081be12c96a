"""Repeat a measurement in other processes, alone or interleaved with a second one."""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, count

import numpy as np
from msgspec import Struct, field, structs

from inspector.analysis.verdicts.interleaved import (
    PrecisionGoal,
    StartRatios,
    all_run_ratios,
    join_ratios,
    start_ratios,
    verdict_for_start_ratios,
)
from inspector.analysis.verdicts.pooled_starts import StartSamples, compare_pooled, pool_starts
from inspector.analysis.verdicts.speed import (
    are_turns_disturbed,
    compare_undisturbed,
    is_crowded,
    undisturbed_logs,
)
from inspector.backends.interleaving import Pair, Specs, Turn
from inspector.backends.values import Progress
from inspector.errors import Cancelled, InspectorError
from inspector.report import report as report_module
from inspector.report.environment import SystemLoad, join_energy
from inspector.report.language.speed import pool_speeds
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import RunSpec, without_questions
from inspector.statistics.cpu_speed import join_cpu_speeds
from inspector.statistics.significance import Verdict
from inspector.wording.values import Sentence

_NUMBERS = re.compile(r"\d[\d.,]*( [µmn]?s\b)?")
ReportProgress = Callable[[Progress], None]
MeasureOnce = Callable[[RunSpec, str, int], PerformanceReport]


def measure_in_processes(
    measure_once: MeasureOnce,
    spec: RunSpec,
    known_ns: int = 0,
    keep: Callable[[PerformanceReport], None] = lambda report: None,
) -> PerformanceReport:
    """Measure in `spec.starts` processes: the first with all of the spec, the others without
    the loading and concurrency measurements and without a trace.

    Starts that had too few runs at the processor's full pace are made up for by as many
    others, if the spec waits for it at all.

    measure_once: measures in its own process, given a spec, a label for its steps, and the
    duration of a CPU-speed probe at full speed. A later one that fails costs its samples, and
    a note says so; the report is then marked incomplete. keep: gets the starts before the one
    that is stopped. Raises what the first raises, and Cancelled.
    """
    reports = [_with_interned_times(measure_once(spec, "", known_ns))]
    starts, again, failed = [StartSamples(reports[0])], later_spec(spec), ""
    most = 2 * spec.starts if spec.starts > 1 and spec.steady else spec.starts
    for number in range(2, most + 1):
        so_far = pool_starts(starts)
        if number > spec.starts and so_far.starts_at_full_speed >= spec.starts:
            break
        step = Sentence("process {number} of {max}", number, max(number, spec.starts))
        try:
            report = measure_once(again, step, so_far.reference_ns or known_ns)
        except (Cancelled, KeyboardInterrupt):
            keep(merge_reports(reports))
            raise
        except InspectorError as error:
            failed = f"Process {number} of {spec.starts} failed: {error.why}."
            break
        reports.append(_with_interned_times(report))
        starts.append(StartSamples(report))
    merged = merge_reports(reports)
    return _with_failure(merged, failed)


def _with_failure(report: PerformanceReport, failed: str) -> PerformanceReport:
    """Return the report; as an incomplete one if something failed: a sentence."""
    if not failed:
        return report
    notes = (*report.notes, failed)
    return replace(report, complete=False, early_end_reason=failed, notes=notes)


def later_spec(spec: RunSpec) -> RunSpec:
    """Return the spec of later processes: without what the first one measures for all."""
    return without_questions(spec, "synchronize")


def merge_reports(reports: Sequence[PerformanceReport]) -> PerformanceReport:
    """Reports of one start each as one; a single one as it is."""
    return pool_reports(reports[0], reports[1:]) if len(reports) > 1 else reports[0]


def pool_reports(
    first: PerformanceReport, others: Sequence[PerformanceReport]
) -> PerformanceReport:
    """Return the first report with the samples of all, and the times of identical layers.

    Of the others' notes it has those that it had not, whatever their numbers.
    """
    every = (first, *others)
    first_notes, more = {_NUMBERS.sub("", note) for note in first.notes}, dict[str, str]()
    for note in chain.from_iterable(each.notes for each in others):
        if _NUMBERS.sub("", note) not in first_notes:
            more.setdefault(_NUMBERS.sub("", note), note)
    timed = [[layer.time_ns is None for layer in each.layers] for each in every]
    comparable = [each for each, which in zip(every, timed, strict=True) if which == timed[0]]
    speeds = [each.generation for each in every if each.generation is not None]
    return replace(
        first,
        prediction_ns=tuple(chain.from_iterable(each.prediction_ns for each in every)),
        prediction_cpu_ns=tuple(chain.from_iterable(each.prediction_cpu_ns for each in every)),
        start_lengths=tuple(len(each.prediction_ns) for each in every),
        start_layers_ns=(
            tuple(map(_layer_medians_ns, comparable))
            if len(comparable) > 1 and not all(timed[0])
            else ()
        ),
        pace=join_cpu_speeds([(each.pace, len(each.prediction_ns)) for each in every]),
        loads_ns=tuple(ns for each in every for ns in each.loads_ns),
        first_predictions_ns=tuple(ns for each in every for ns in each.first_predictions_ns),
        compilations_ns=tuple(ns for each in every for ns in each.compilations_ns),
        turns=report_module.join_turns([each.turns for each in every]),
        surroundings=SystemLoad(
            _mean(each.surroundings.stolen for each in every),
            _mean(each.surroundings.others for each in every),
            join_energy([each.surroundings.energy for each in every]),
            any(each.surroundings.on_battery for each in every),
        ),
        notes=(*first.notes, *more.values()),
        generation=pool_speeds(speeds[0], speeds[1:]) if speeds else None,
    )


def _with_interned_times(report: PerformanceReport) -> PerformanceReport:
    """Return the report with one object for equal times: a fifth of the memory.

    A clock counts in steps of nanoseconds, and 100,000 predictions take few different times.
    """
    wall, cpu = dict[int, int](), dict[int, int]()
    return replace(
        report,
        prediction_ns=tuple(wall.setdefault(ns, ns) for ns in report.prediction_ns),
        prediction_cpu_ns=tuple(cpu.setdefault(ns, ns) for ns in report.prediction_cpu_ns),
    )


def _layer_medians_ns(report: PerformanceReport) -> tuple[int | None, ...]:
    """Own time of each layer in its middle profiled prediction: a hiccup is in one of them.

    Where times are means over runs, single runs are not known as precisely, or not at all.
    """
    if report.profiling.means:
        return tuple(layer.time_ns for layer in report.layers)
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


def with_part(part: str, report_progress: ReportProgress) -> ReportProgress:
    """Return a callback that labels progress with a part of the job; empty: all of it."""
    return (
        (lambda progress: report_progress(structs.replace(progress, part=part)))
        if part
        else report_progress
    )


def measure_interleaved(
    measured: Turn,
    specs: Specs,
    goal: PrecisionGoal | None = None,
    clock: Callable[[], float] = time.monotonic,
    ends: list[BaseException] | None = None,
) -> Pair:
    """Measure both in `starts` processes each: A B, B A, A B, ...

    Where predictions took turns as well, each turn tells their ratio. Where they did not,
    starts that had too few at the processor's full pace are made up for by as many others on
    both sides, if the specs wait for it at all. With a goal it then goes on until that is
    reached, or to be given up.

    measured: measures both once. A later turn that fails costs its samples, and a note says
    so. clock: in seconds. ends: takes what stopped a later turn, and the turns before it are
    returned, marked as incomplete; without it, that is raised. Raises what the first turn
    raises, and Cancelled.
    """
    after = (later_spec(specs[0]), later_spec(specs[1]))
    measured_reports: tuple[list[PerformanceReport], list[PerformanceReport]] = ([], [])
    statistics = _PairStatistics()
    failed = ""
    for number, step in _turns(specs, statistics, goal, clock):
        one, other = specs if number == 1 else after
        single_starts = replace(one, starts=1), replace(other, starts=1)
        try:  # who goes first takes turns, too: what one leaves behind falls on both
            pair_of_reports = measured(single_starts, step, (number + 1) % 2)
        except (Cancelled, KeyboardInterrupt) as error:
            if number == 1 or ends is None:
                raise
            ends.append(error)
            failed = Sentence(
                "The measurement ended early: it was canceled in process pair {number}.", number
            )
            break
        except InspectorError as error:
            if number == 1:
                raise
            most = max(number, _starts(specs))
            failed = Sentence(
                "Process pair {number} of {most} failed: {why}.", number, most, error.why
            )
            break
        for reports, report in zip(measured_reports, pair_of_reports, strict=True):
            reports.append(report)
        statistics.add(pair_of_reports)
    first, second = (
        replace(_with_failure(report, failed), spec=spec)
        for report, spec in zip(map(merge_reports, measured_reports), specs, strict=True)
    )
    return first, second


class _PairStatistics(Struct, eq=False):
    """Results of all turns so far: starts of both sides, ratios of interleaved runs.

    turned: pairs of processes with enough turns, usable or not. alone: whether one thread did
    all the work. crowded: whether several shared their cores with other programs in some turn.
    """

    starts_of: tuple[list[StartSamples], list[StartSamples]] = field(
        default_factory=lambda: ([], [])
    )
    ratios: list[StartRatios] = field(default_factory=list)
    turned: int = 0
    alone: bool = True
    crowded: bool = False

    def add(self, pair: Pair) -> None:
        """Take one more turn in."""
        for starts, report in zip(self.starts_of, pair, strict=True):
            starts.append(StartSamples(report))
            self.crowded = self.crowded or is_crowded(report)
            self.alone = self.alone and report.spec.alone
        self.turned += len(all_run_ratios(*pair))
        if len(ratios := start_ratios(*pair)):
            self.ratios.append(ratios)

    @property
    def count(self) -> int:
        """Return how many processes contributed: undisturbed, at full CPU speed, or to a
        ratio."""
        if self._disturbed:
            logs = (undisturbed_logs(starts, self.alone) for starts in self.starts_of)
            return min(map(len, logs))
        if self.ratios:
            return len(self.ratios)
        return min(pool_starts(starts).starts_at_full_speed for starts in self.starts_of)

    @property
    def half_width(self) -> float | None:
        """Return half of the ratio's interval, as a comparison finds it; None without one."""
        if self._disturbed:
            verdict = compare_undisturbed(*self.starts_of, self.alone)
            if verdict is None or verdict.verdict is Verdict.CONTRADICTED:
                return None
            return verdict.half_width
        if self.ratios:
            return verdict_for_start_ratios(join_ratios(self.ratios)).half_width
        return compare_pooled(*map(pool_starts, self.starts_of)).half_width

    @property
    def _disturbed(self) -> bool:
        """Whether uninterrupted runs are compared, since other programs used the cores."""
        usable = len(self.ratios)
        return self.crowded or are_turns_disturbed(usable, self.turned, self.alone)


def _turns(
    specs: Specs,
    statistics: _PairStatistics,
    goal: PrecisionGoal | None,
    clock: Callable[[], float],
) -> Iterator[tuple[int, str]]:
    """Yield number and name of each process pair until `statistics` are precise enough.

    The time of a goal runs from the last of the starts that were asked for.
    """
    starts = _starts(specs)
    most = 2 * starts if starts > 1 and all(spec.steady for spec in specs) else starts
    begun = clock()
    for number in count(1):
        step = _step(number, (starts, most), statistics, goal, clock() - begun)
        if step is None:
            return
        yield number, step
        begun = clock() if number <= starts else begun


def _starts(specs: Specs) -> int:
    return min(spec.starts for spec in specs)


def _step(
    number: int,
    starts: tuple[int, int],
    statistics: _PairStatistics,
    goal: PrecisionGoal | None,
    seconds: float,
) -> str | None:
    """Return what a turn is called; "" for the first, None where there is to be none.

    starts: asked for, and with those that make up for others. seconds: since the former.
    """
    if number <= starts[0]:
        return f"process pair {number} of {starts[0]}" if number > 1 else ""
    at_full = statistics.count
    if number <= starts[1] and at_full < starts[0]:
        return Sentence("process pair {number} of {number2}", number, number)
    if goal is None or seconds >= goal.seconds or goal.out_of_tries(number - 1, at_full):
        return None
    width = statistics.half_width
    if width is not None and width <= goal.half_width:
        return None
    precision = f", known to ±{100 * width:.1f}%" if width is not None else ""
    return Sentence(
        "process pair {number} of at most {max}{precision}",
        number,
        max(number, goal.starts),
        precision,
    )
