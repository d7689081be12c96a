"""The one verdict on the latencies of two reports, which every surface shows.

The ratio comes from the runs that can be compared best: neighboring turns of interleaved runs;
on cores that other programs use too, or where they left too few turns, the undisturbed runs of
each process; else runs at equal CPU speed. Other estimates of the ratio are its witnesses:
where one contradicts it, there is no verdict, and the reason says what contradicts what.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import Enum
from typing import Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector.analysis.verdicts.interleaved import (
    PrecisionGoal,
    StartRatios,
    all_run_ratios,
    had_core,
    had_core_times,
    start_ratios,
    verdict_for_start_ratios,
)
from inspector.analysis.verdicts.matched_cpu_speed import at_matched_speed, machine_identity
from inspector.report.report import PerformanceReport, core_use
from inspector.statistics.cpu_speed import CoreUse, CountedPredictions
from inspector.statistics.intervals import MIN_SAMPLES, Samples
from inspector.statistics.process_starts import MIN_STARTS, split_starts
from inspector.statistics.significance import (
    RatioVerdict,
    Verdict,
    compare_counted,
    compare_start_logs,
    verdict_for_interval,
)
from inspector.wording.values import Count, Sentence

# Times over the third fastest, up to which a run counts as undisturbed. Of 23 pairs of models
# on two cores beside other programs (load 4 to 8), ratios were 0.3% too large on average with
# 1.15 and 4% at most, 0.7% and 6% with 1.25, and one more pair had too few runs with 1.1.
_UNDISTURBED = 1.15
# How much better one model may use its threads than the other where the cores are crowded. If
# it were more, only one of them ever had all cores: of a pair of convolutions on two cores
# (load 18), one was called 2.2 times as fast, where 1.1 was true.
_CROWDED_LEEWAY = 1.25
# If the third fastest run lies far above the fastest, few or none were undisturbed, mostly of
# the model that takes longer: at a load of 17, one of 40 layers was called 2.19 times as slow
# as one of 20, with gaps of 7% and 1%. So the interval allows for so many times the gap.
_GAPS = 3.0
# Gap between an interval and that of the CPU time of one thread, up to which the verdict covers
# both: selected runs are a little too long at heavy load, CPU times contain cold caches. Of a
# pair of 2.02 times (load 18), turns said 2.05 to 2.15 and CPU time 1.98 to 2.04.
_COVERED_GAP = 1.1
_FASTEST = 3  # the run from which undisturbed ones are counted: no single one decides
_CPU_TIME = "CPU time"
_CROWDED = "too few runs had the CPU cores to themselves"


class Basis(Enum):
    """The runs that a verdict compares."""

    TURNS = "neighboring turns"
    UNDISTURBED = "uninterrupted runs"
    ALL_RUNS = "all runs and their CPU time"
    SEPARATE = "separate runs"


_DISTURBED_TEXTS = {
    Basis.ALL_RUNS: (
        "The models ran interleaved. Other programs used the cores, too, so the change of the "
        "median is that of the CPU time of all runs."
    ),
    Basis.UNDISTURBED: (
        "The models ran interleaved. Other programs used the cores, too, so the change of the "
        "median is that of uninterrupted runs."
    ),
}


class StartTimes(Protocol):
    """Times of the runs of one process in nanoseconds, int64 (N,); cpu is empty if unknown."""

    @property
    def wall(self) -> NDArray[np.int64]:
        """Wall times."""

    @property
    def cpu(self) -> NDArray[np.int64]:
        """CPU times of all threads."""


Starts = Sequence[StartTimes]


class _Times(Struct, frozen=True, eq=False):
    """The times of one process of a report."""

    wall: NDArray[np.int64]
    cpu: NDArray[np.int64]


class _Witness(Struct, frozen=True):
    """Another estimate of the ratio. name: what it is from. leeway: factor by which it may
    differ from the latency's for good reasons. covered: gap up to which both are covered."""

    name: str
    verdict: RatioVerdict
    leeway: float = 1.0
    covered: float = 1.0


def compare_medians(first: PerformanceReport, other: PerformanceReport) -> RatioVerdict:
    """Return the verdict on the other report's latency relative to the first's."""
    estimate, basis = _estimate(first, other)
    for witness in _witnesses(first, other):
        estimate = _checked(estimate, basis, witness)
    return estimate


def is_crowded(report: PerformanceReport) -> bool:
    """Return whether several threads of a report shared their cores with other programs."""
    return core_use(report.spec, report.surroundings.others) is CoreUse.SHARED


def interleaving_text(reports: Sequence[PerformanceReport]) -> str:
    """Return a sentence about interleaved reports; empty where one was not interleaved."""
    first, *others = reports
    if not min(len(all_run_ratios(first, other)) for other in others):
        return ""
    compared = {_estimate(first, other)[1] for other in others}
    texts = [text for basis, text in _DISTURBED_TEXTS.items() if basis in compared]
    if texts:
        return texts[0]
    pairs = min(len(start_ratios(first, other)) for other in others)
    if not pairs:
        return ""
    return Sentence(
        "The models ran interleaved, so changes in CPU speed affect both alike. The change "
        "of the median is the change between neighboring turns, in {pairs} "
        "{value} of processes.",
        pairs,
        "pairs" if pairs > 1 else "pair",
    )


def precision_text(
    first: PerformanceReport, other: PerformanceReport, goal: PrecisionGoal
) -> str:
    """Return a sentence about the number of starts and the width of the interval."""
    starts, verdict = len(first.start_lengths) or 1, compare_medians(first, other)
    prefix, half = (
        Sentence("Interleaved measurement, {processs} per model", Count(starts, "process")),
        verdict.half_width,
    )
    if verdict.verdict is Verdict.CONTRADICTED:
        return f"{prefix}: {verdict.reason}."
    if half is None:
        crowded = is_crowded(first) or is_crowded(other)
        runs = "uninterrupted runs" if crowded else "runs at full CPU speed"
        return Sentence("{prefix}: too few {runs} for a confidence interval.", prefix, runs)
    if half <= goal.half_width:
        return f"{prefix}: the ratio is known to ±{100 * half:.1f}%."
    return (
        f"{prefix}: the ratio is known to ±{100 * half:.2f}%, which is wider than the target "
        f"of ±{100 * goal.half_width:g}%. Measure longer with --processes {2 * starts}."
    )


def compared_runs(
    first: PerformanceReport, other: PerformanceReport
) -> tuple[Sequence[int], Sequence[int]]:
    """Return the times of the runs of both that their medians are best compared by.

    Undisturbed ones, if both have enough of them; else all, so that the best runs of one are
    not compared with all of the other.
    """
    _, basis = _estimate(first, other)
    if basis is Basis.UNDISTURBED:
        alone = _are_alone(first, other)
        sides = (_undisturbed(_starts(report), alone) for report in (first, other))
        one, two = (np.concatenate(side).tolist() for side in sides)
        return one, two
    if basis is Basis.ALL_RUNS:
        return first.prediction_ns, other.prediction_ns
    counted = at_matched_speed(first, other)
    if all(each.at_full_speed for each in counted):
        return counted[0].samples_ns, counted[1].samples_ns
    return first.prediction_ns, other.prediction_ns


def undisturbed_medians(reports: Sequence[PerformanceReport]) -> tuple[int, ...]:
    """Return the median of the uninterrupted runs of each report in nanoseconds.

    Empty unless these are what the verdict on each report and the first compares.
    """
    first, *others = reports
    if any(_estimate(first, other)[1] is not Basis.UNDISTURBED for other in others):
        return ()
    pairs = [compared_runs(first, other) for other in others]
    return tuple(
        round(float(np.median(runs))) for runs in (pairs[0][0], *(p[1] for p in pairs))
    )


def are_turns_disturbed(usable: int, pairs: int, alone: bool) -> bool:
    """Return whether other programs left too few turns of interleaved processes to compare.

    usable: pairs of processes with enough turns that had a core or full CPU speed. pairs: with
    enough turns. alone: one thread did all the work, so that CPU time shows its waiting.
    """
    return alone and usable < MIN_STARTS <= pairs


def undisturbed_logs(starts: Starts, alone: bool) -> Samples:
    """Return the log median of the uninterrupted runs of each process that had some.

    A run of several threads on cores that other programs use takes as long as one thread alone
    would, or far longer; CPU times do not show it. Undisturbed are runs near the third fastest
    of all processes: float64 (processes with some,). alone: one thread did all the work, so
    that runs that had no core all the time are known, and left out.
    """
    return np.log([max(1.0, float(np.median(part))) for part in _undisturbed(starts, alone)])


def compare_undisturbed(first: Starts, other: Starts, alone: bool) -> RatioVerdict | None:
    """Return the verdict on the uninterrupted runs; None if fewer than MIN_STARTS had some.

    Where their CPU times contradict it, only one side ever had all cores.
    """
    logs = undisturbed_logs(first, alone), undisturbed_logs(other, alone)
    if min(map(len, logs)) < MIN_STARTS:
        return None
    gaps = _fastest_gap(first, alone), _fastest_gap(other, alone)
    verdict = _widened_by_gaps(compare_start_logs(*logs), *gaps)
    means = _mean_cpu_ratios(first, other)
    if len(means) < MIN_STARTS:
        return verdict
    witness = _Witness(_CPU_TIME, verdict_for_start_ratios(means), _CROWDED_LEEWAY)
    return _checked(verdict, Basis.UNDISTURBED, witness)


def _widened_by_gaps(verdict: RatioVerdict, first_gap: float, other_gap: float) -> RatioVerdict:
    """Return a verdict with an interval widened by the gaps of both sides (see `_GAPS`).

    first_gap, other_gap: how far the third fastest run lies above the fastest, as a logarithm.
    The ratio is the other's time by the first's: it is too large where the other's runs were
    disturbed, so the other's gap lowers the low end, and the first's gap raises the high end.
    """
    if verdict.low is None or verdict.high is None:
        return verdict
    below = math.hypot(math.log(verdict.ratio / verdict.low), _GAPS * other_gap)
    above = math.hypot(math.log(verdict.high / verdict.ratio), _GAPS * first_gap)
    ratio = verdict.ratio
    return verdict_for_interval(ratio, ratio * math.exp(-below), ratio * math.exp(above))


def _fastest_gap(starts: Starts, alone: bool) -> float:
    """Return how far the third fastest run lies above the fastest, as a logarithm."""
    every = np.concatenate(_candidates(starts, alone))
    return math.log(max(1, _third_fastest(every)) / max(1, every.min()))


def _undisturbed(starts: Starts, alone: bool) -> list[NDArray[np.int64]]:
    """Return the uninterrupted runs of each process that had some (see `undisturbed_logs`)."""
    candidates = _candidates(starts, alone)
    every = np.concatenate(candidates)
    slowest_ns = _UNDISTURBED * _third_fastest(every) if len(every) else 0.0
    chosen = (wall[wall <= slowest_ns] for wall in candidates)
    return [part for part in chosen if len(part)]


def _third_fastest(wall: NDArray[np.int64]) -> int:
    place = min(len(wall), _FASTEST) - 1
    return int(np.partition(wall, place)[place])


def _candidates(starts: Starts, alone: bool) -> list[NDArray[np.int64]]:
    """Return the wall times of each process that may be undisturbed."""
    if not alone:
        return [start.wall for start in starts]
    return [start.wall[had_core_times(start.wall, start.cpu, alone)] for start in starts]


def _estimate(first: PerformanceReport, other: PerformanceReport) -> tuple[RatioVerdict, Basis]:
    """Return the verdict from the runs that can be compared best, and which those are."""
    crowded = is_crowded(first) or is_crowded(other)
    ratios = start_ratios(first, other)
    disturbed = crowded or _turns_disturbed_in(first, other, ratios)
    verdict = _of_undisturbed(first, other) if disturbed else None
    if verdict is not None:
        estimate = verdict, Basis.UNDISTURBED
    elif crowded:
        return _of_all_runs(first, other), Basis.ALL_RUNS
    elif len(ratios):
        estimate = verdict_for_start_ratios(ratios), Basis.TURNS
    else:
        estimate = _of_separate(first, other), Basis.SEPARATE
    if disturbed and estimate[0].verdict in (Verdict.NOISY, Verdict.PACE) and not crowded:
        whole = _of_all_runs(first, other)
        return (whole, Basis.ALL_RUNS) if whole.decided else estimate
    return estimate


def _turns_disturbed_in(
    first: PerformanceReport, other: PerformanceReport, ratios: StartRatios
) -> bool:
    """Return whether other programs left too few turns of one thread to compare.

    ratios: those of the pairs of processes with enough usable turns.
    """
    pairs = len(all_run_ratios(first, other))
    return are_turns_disturbed(len(ratios), pairs, _are_alone(first, other))


def _of_undisturbed(first: PerformanceReport, other: PerformanceReport) -> RatioVerdict | None:
    return compare_undisturbed(_starts(first), _starts(other), _are_alone(first, other))


def _are_alone(first: PerformanceReport, other: PerformanceReport) -> bool:
    """Return whether one thread did all the work on both sides."""
    return first.spec.alone and other.spec.alone


def _of_all_runs(first: PerformanceReport, other: PerformanceReport) -> RatioVerdict:
    """Return the verdict where other programs left too few uninterrupted runs.

    All runs of interleaved processes and their CPU time must agree on the direction. Then the
    interval covers those of both.
    """
    walls, means = (
        all_run_ratios(first, other),
        _mean_cpu_ratios(_starts(first), _starts(other)),
    )
    if min(len(walls), len(means)) < MIN_STARTS:
        ratio = float(np.median(other.prediction_ns) / max(1.0, np.median(first.prediction_ns)))
        return RatioVerdict(Verdict.NOISY, ratio, None, None, _CROWDED)
    verdict, cpu = verdict_for_start_ratios(walls), verdict_for_start_ratios(means)
    directed = verdict.verdict in (Verdict.FASTER, Verdict.SLOWER)
    if not directed or verdict.verdict is not cpu.verdict:
        return replace(verdict, verdict=Verdict.NOISY, reason=_CROWDED)
    low = min(verdict.low or 0.0, cpu.low or 0.0)
    high = max(verdict.high or 0.0, cpu.high or 0.0)
    return RatioVerdict(verdict.verdict, cpu.ratio, low, high)


def _of_separate(first: PerformanceReport, other: PerformanceReport) -> RatioVerdict:
    """Return the verdict of two measurements that did not run interleaved.

    Where one of them had too few runs at full CPU speed, runs of one thread count that had a
    core. What the CPU speeds next to the runs differ by may be in the times or not: a run that
    waits for memory does not follow it. So the interval covers the ratio with and without it.
    """
    sides = at_matched_speed(first, other)
    verdict = _at_any_speed((first, other), sides)
    if verdict.verdict is not Verdict.PACE or not _are_alone(first, other):
        return verdict
    with_core = _at_any_speed((first, other), (_with_core(first), _with_core(other)))
    return with_core if with_core.decided else verdict


def _at_any_speed(
    reports: tuple[PerformanceReport, PerformanceReport],
    sides: tuple[CountedPredictions, CountedPredictions],
) -> RatioVerdict:
    """Return the verdict on some runs of two reports, whatever the CPU speed next to them.

    The interval is widened by the ratio of these speeds: a run follows it fully or not at all.
    """
    verdict = compare_counted(sides)
    if verdict.low is None or verdict.high is None:
        return verdict
    slower = _speed_ratio(reports, sides)
    low, high = verdict.low * min(1.0, 1 / slower), verdict.high * max(1.0, 1 / slower)
    return verdict_for_interval(verdict.ratio, low, high)


def _with_core(report: PerformanceReport) -> CountedPredictions:
    """Return the runs of one thread that had a core all the time, at any CPU speed."""
    mask = had_core(report)
    wall, cpu = np.asarray(report.prediction_ns), np.asarray(report.prediction_cpu_ns)
    ends = np.cumsum(report.start_lengths or (len(wall),))
    lengths = [int(part.sum()) for part in np.split(mask, ends[:-1])]
    return CountedPredictions(
        None,
        int(mask.sum()) >= MIN_SAMPLES,
        np.flatnonzero(mask),
        tuple(wall[mask].tolist()),
        tuple(cpu[mask].tolist()) if len(cpu) == len(wall) else (),
        tuple(lengths) if len(lengths) > 1 else (),
        len(lengths),
    )


def _speed_ratio(
    reports: tuple[PerformanceReport, PerformanceReport],
    sides: tuple[CountedPredictions, CountedPredictions],
) -> float:
    """Return how many times as long CPU-speed probes took next to the counted runs of the
    second report; 1 where nobody knows."""
    if machine_identity(reports[0]) != machine_identity(reports[1]):
        return 1.0
    typical = [_probe_ns(*pair) for pair in zip(reports, sides, strict=True)]
    return typical[1] / typical[0] if all(typical) else 1.0


def _probe_ns(report: PerformanceReport, side: CountedPredictions) -> float:
    """Return the median CPU-speed probe before the counted runs of a report; 0 of none."""
    before, probes = np.asarray(report.pace.before), np.asarray(report.pace.probes_ns)
    if not len(probes) or len(before) != len(probes) or not len(side.places):
        return 0.0
    nearest = np.searchsorted(before, side.places, "right") - 1
    return float(np.median(probes[np.clip(nearest, 0, len(probes) - 1)]))


def _witnesses(first: PerformanceReport, other: PerformanceReport) -> Iterator[_Witness]:
    cpu = all_run_ratios(first, other, processor=True)
    cores = max(_threads(first), _threads(other))
    if cores == 1 and len(cpu):
        yield _Witness(_CPU_TIME, verdict_for_start_ratios(cpu), covered=_COVERED_GAP)
    elif cores > 1 and not is_crowded(first) and not is_crowded(other):
        means = _mean_cpu_ratios(_starts(first), _starts(other))
        if len(means) >= MIN_STARTS:
            # The threads of a run share its CPU time: one model may use them better.
            yield _Witness(_CPU_TIME, verdict_for_start_ratios(means), leeway=cores)
    walls = all_run_ratios(first, other)
    if len(walls):
        yield _Witness("all runs", verdict_for_start_ratios(walls), leeway=np.inf)


def _checked(estimate: RatioVerdict, basis: Basis, witness: _Witness) -> RatioVerdict:
    """Return the estimate, without a verdict if a witness contradicts it.

    An interval that a small gap separates from that of the witness covers both. basis: the runs
    that the estimate is from, which the reason names.
    """
    own = witness.verdict
    if not estimate.decided or own.low is None or own.high is None:
        return estimate
    if estimate.low is None or estimate.high is None:
        return estimate
    apart = max(own.low / estimate.high, estimate.low / own.high)
    if 1 < apart <= witness.covered:
        low, high = min(own.low, estimate.low), max(own.high, estimate.high)
        return verdict_for_interval(estimate.ratio, low, high)
    directions = {Verdict.FASTER, Verdict.SLOWER}
    if {own.verdict, estimate.verdict} != directions and apart <= witness.leeway:
        return estimate
    reason = Sentence(
        "{basis} say {text}, {name} {text2}",
        basis.value,
        estimate.text(explained=False),
        witness.name,
        own.text(),
    )
    return replace(estimate, verdict=Verdict.CONTRADICTED, reason=reason)


def _threads(report: PerformanceReport) -> int:
    """Return how many threads a run may use at the same time."""
    return 1 if report.spec.alone else max(1, report.spec.threads or report.environment.cores)


def _mean_cpu_ratios(first: Starts, other: Starts) -> StartRatios:
    """Return the ratios of the mean CPU time of a run, for each pair of processes.

    A mean, since the clock of other threads moves in steps that may be longer than a run.
    """
    means = [
        [float(np.mean(start.cpu)) if len(start.cpu) else 0.0 for start in side]
        for side in (first, other)
    ]
    pairs = [(one, two) for one, two in zip(*means, strict=False) if one and two]
    logs = np.log([two / one for one, two in pairs])
    return StartRatios(logs, np.zeros(len(logs)))


def _starts(report: PerformanceReport) -> Starts:
    lengths, cpu = report.start_lengths, report.prediction_cpu_ns
    walls = split_starts(report.prediction_ns, lengths)
    known = len(cpu) == len(report.prediction_ns)
    cpus = split_starts(cpu, lengths) if known else [()] * len(walls)
    return [
        _Times(np.asarray(wall, np.int64), np.asarray(own, np.int64))
        for wall, own in zip(walls, cpus, strict=True)
    ]
