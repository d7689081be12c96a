"""The one verdict on the latencies of two reports, which every surface shows.

The ratio comes from the runs that can be compared best: neighboring turns of interleaved runs;
on cores that other programs use too, the undisturbed runs of each process; else runs at equal
CPU speed. Other estimates of the ratio are its witnesses: where one contradicts it, there is no
verdict, and the reason says what contradicts what.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from inspector import units
from inspector.analysis.verdicts.interleaved import (
    PrecisionGoal,
    StartRatios,
    all_run_ratios,
    start_ratios,
    verdict_for_start_ratios,
)
from inspector.analysis.verdicts.matched_cpu_speed import at_matched_speed, machine_identity
from inspector.report.report import PerformanceReport, core_use
from inspector.statistics.cpu_speed import CoreUse, CountedPredictions, fastest_ns
from inspector.statistics.intervals import Samples
from inspector.statistics.process_starts import MIN_STARTS, split_starts
from inspector.statistics.significance import (
    RatioVerdict,
    Verdict,
    compare_counted,
    compare_start_logs,
    verdict_for_interval,
)

Walls = Sequence[NDArray[np.int64]]  # times of each process in nanoseconds
# Times over the fastest that repeat, up to which a run counts as undisturbed. Of 15 pairs of
# convolutions on two cores beside other programs (load 4 to 8), ratios were 0.2% too large with
# 1.08, 0.7% with 1.25, and one pair had too few runs with 1.08.
_UNDISTURBED = 1.1
# How much better one model may use its threads than the other where the cores are crowded. If
# it were more, only one of them ever had all cores: of a pair of convolutions on two cores
# (load 18), one was called 2.2 times as fast, where 1.1 was true.
_CROWDED_LEEWAY = 1.25
_CROWDED = (
    "other programs used the cores that its threads share, and too few runs were undisturbed"
)


@dataclass(frozen=True, slots=True)
class _Witness:
    """Another estimate of the ratio. name: what it is from. leeway: factor by which it may
    differ from the latency's for good reasons."""

    name: str
    verdict: RatioVerdict
    leeway: float = 1.0


def compare_medians(first: PerformanceReport, other: PerformanceReport) -> RatioVerdict:
    """Return the verdict on the other report's latency relative to the first's."""
    estimate = _estimate(first, other)
    if not estimate.decided:
        return estimate
    for witness in _witnesses(first, other):
        if reason := _contradiction(estimate, witness):
            return replace(estimate, verdict=Verdict.CONTRADICTED, reason=reason)
    return estimate


def is_crowded(report: PerformanceReport) -> bool:
    """Return whether several threads of a report shared their cores with other programs."""
    return core_use(report.spec, report.surroundings.others) is CoreUse.SHARED


def interleaving_text(reports: Sequence[PerformanceReport]) -> str:
    """Return a sentence about interleaved reports; empty where one was not interleaved."""
    first = reports[0]
    pairs = min(len(all_run_ratios(first, other)) for other in reports[1:])
    if not pairs:
        return ""
    begin = "The models ran interleaved, so changes in CPU speed affect both alike. The change "
    if any(map(is_crowded, reports)):
        return (
            f"{begin}of the median is that of undisturbed runs, since other programs used the "
            "cores, too."
        )
    return (
        f"{begin}of the median is the change between neighboring turns, in {pairs} "
        f"{'pairs' if pairs > 1 else 'pair'} of processes."
    )


def precision_text(
    first: PerformanceReport, other: PerformanceReport, goal: PrecisionGoal
) -> str:
    """Return a sentence about the number of starts and the width of the interval."""
    starts, verdict = len(first.start_lengths) or 1, compare_medians(first, other)
    prefix, half = (
        f"Interleaved measurement, {units.plural(starts, 'process')} per model",
        verdict.half_width,
    )
    if verdict.verdict is Verdict.CONTRADICTED:
        return f"{prefix}: {verdict.reason}."
    if half is None:
        crowded = is_crowded(first) or is_crowded(other)
        runs = "undisturbed runs" if crowded else "runs at full CPU speed"
        return f"{prefix}: too few {runs} for a confidence interval."
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
    if is_crowded(first) or is_crowded(other):
        walls = _walls(first), _walls(other)
        if compare_undisturbed(*walls) is not None:
            one, two = (np.concatenate(_undisturbed(side)).tolist() for side in walls)
            return one, two
        return first.prediction_ns, other.prediction_ns
    counted = at_matched_speed(first, other)
    if all(each.at_full_speed for each in counted):
        return counted[0].samples_ns, counted[1].samples_ns
    return first.prediction_ns, other.prediction_ns


def undisturbed_logs(walls: Walls) -> Samples:
    """Return the log median of the undisturbed runs of each process that had some.

    A run of several threads on cores that other programs use takes as long as one thread alone
    would, or far longer; CPU times do not show it. Undisturbed are runs near the fastest that
    repeat, over all processes: float64 (processes with some,).
    """
    return np.log([max(1.0, float(np.median(part))) for part in _undisturbed(walls)])


def _undisturbed(walls: Walls) -> Walls:
    """Return the undisturbed runs of each process that had some (see `undisturbed_logs`)."""
    slowest_ns = _UNDISTURBED * fastest_ns(np.concatenate(walls))
    return [part for wall in walls if len(part := wall[wall <= slowest_ns])]


def compare_undisturbed(first: Walls, other: Walls) -> RatioVerdict | None:
    """Return the verdict on the undisturbed runs; None if fewer than MIN_STARTS had some."""
    logs = undisturbed_logs(first), undisturbed_logs(other)
    return compare_start_logs(*logs) if min(map(len, logs)) >= MIN_STARTS else None


def _estimate(first: PerformanceReport, other: PerformanceReport) -> RatioVerdict:
    if is_crowded(first) or is_crowded(other):
        return _of_crowded(first, other)
    ratios = start_ratios(first, other)
    if len(ratios):
        return verdict_for_start_ratios(ratios)
    return _of_separate(first, other)


def _of_crowded(first: PerformanceReport, other: PerformanceReport) -> RatioVerdict:
    """Return the verdict where other programs used the cores of several threads.

    Without enough undisturbed runs, that of all runs of interleaved processes.
    """
    verdict = compare_undisturbed(_walls(first), _walls(other))
    if verdict is not None:
        return verdict
    ratios = all_run_ratios(first, other)
    if len(ratios) >= MIN_STARTS:
        verdict = verdict_for_start_ratios(ratios)
        return verdict if verdict.decided else replace(verdict, reason=_CROWDED)
    ratio = float(np.median(other.prediction_ns) / max(1.0, np.median(first.prediction_ns)))
    return RatioVerdict(Verdict.NOISY, ratio, None, None, _CROWDED)


def _of_separate(first: PerformanceReport, other: PerformanceReport) -> RatioVerdict:
    """Return the verdict of two measurements that did not run interleaved.

    What their CPU speeds differ by may be in the times or not: a run that waits for memory does
    not follow the speed. So the interval covers the ratio with and without it.
    """
    sides = at_matched_speed(first, other)
    verdict = compare_counted(sides)
    if verdict.low is None or verdict.high is None:
        return verdict
    slower = _speed_ratio((first, other), sides)
    low, high = verdict.low * min(1.0, 1 / slower), verdict.high * max(1.0, 1 / slower)
    return verdict_for_interval(verdict.ratio, low, high)


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
        yield _Witness("CPU time", verdict_for_start_ratios(cpu))
    elif cores > 1 and len(means := _mean_cpu_ratios(first, other)) >= MIN_STARTS:
        # The threads of a run share its CPU time: one model may use them better.
        crowded = is_crowded(first) or is_crowded(other)
        leeway = _CROWDED_LEEWAY if crowded else cores
        yield _Witness("CPU time", verdict_for_start_ratios(means), leeway)
    walls = all_run_ratios(first, other)
    if len(walls):
        yield _Witness("all runs", verdict_for_start_ratios(walls), leeway=np.inf)


def _contradiction(estimate: RatioVerdict, witness: _Witness) -> str:
    """Return why a witness cannot be of the same ratio as the estimate; "" if it can.

    Its interval lies outside that of the estimate by more than its leeway, or it says the
    opposite.
    """
    own = witness.verdict
    if own.low is None or own.high is None or estimate.low is None or estimate.high is None:
        return ""
    directions = {Verdict.FASTER, Verdict.SLOWER}
    opposite = {own.verdict, estimate.verdict} == directions
    apart = max(own.low / estimate.high, estimate.low / own.high) > witness.leeway
    if not opposite and not apart:
        return ""
    return f"undisturbed runs say {estimate.text(explained=False)}, {witness.name} {own.text()}"


def _threads(report: PerformanceReport) -> int:
    """Return how many threads a run may use at the same time."""
    return 1 if report.spec.alone else max(1, report.spec.threads or report.environment.cores)


def _mean_cpu_ratios(first: PerformanceReport, other: PerformanceReport) -> StartRatios:
    """Return the ratios of the mean CPU time of a run, for each pair of processes.

    A mean, since the clock of other threads moves in steps that may be longer than a run.
    """
    sides = []
    for report in (first, other):
        cpu = split_starts(report.prediction_cpu_ns, report.start_lengths)
        means = [float(np.mean(part)) if len(part) else 0.0 for part in cpu]
        known = len(report.prediction_cpu_ns) == len(report.prediction_ns)
        sides.append(means if known else [])
    pairs = [(one, two) for one, two in zip(*sides, strict=False) if one and two]
    logs = np.log([two / one for one, two in pairs])
    return StartRatios(logs, np.zeros(len(logs)))


def _walls(report: PerformanceReport) -> Walls:
    starts = split_starts(report.prediction_ns, report.start_lengths)
    return [np.asarray(start, np.int64) for start in starts]
