"""Interleaved A/B measurement: the ratio of two reports, from neighboring turns.

Both turns of a pair share the state of the machine and most of the scatter between starts: on
two cores of a shared machine medians of starts scattered by 4.8%, and the ratios of
neighboring turns by 1.0% (`python -m benchmarks.verdicts --real 40`).
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector.analysis.verdicts.matched_cpu_speed import at_matched_speed
from inspector.report.report import PerformanceReport, PredictionFilter, RatioEstimate
from inspector.statistics.cpu_speed import CoreUse, expected_core_share, had_core_mask
from inspector.statistics.intervals import MIN_SAMPLES, Z_95, Samples, student_t_95
from inspector.statistics.process_starts import (
    MIN_STARTS,
    SINGLE_START_SPREAD,
    shrunk_variance,
    widen,
)
from inspector.statistics.significance import RatioVerdict, verdict_for_interval

# Standard deviation of the log ratio of two interleaved starts of one model: 1.0% measured
# (see above) and a margin; and the value assumed for fewer than MIN_STARTS pairs.
PAIR_SPREAD = 0.0125
FEW_PAIRS_SPREAD = 0.02
# By degrees of freedom: the ratio of an observed variance to an assumed one that one in 20
# exceeds by chance (chi-squared), and the two-sided 95% quantile of Student's t.
_REFUTED = {1: 3.84, 2: 3.00}
_FEW_STUDENT_T_95 = {1: 12.71, 2: 4.30}
_CONTRADICTION_ERRORS = 3.0  # standard errors between selected and all predictions of a start
# Turns of a start for a standard error, and predictions of a turn for a median, at least.
MIN_TURNS = 4
_MIN_PREDICTIONS = 2
_MAX_TURN_DISTANCE = 9  # turns between two at full pace: a third of a second
_SAME_SPEED_LOG = np.log(1.05)  # of two paces that are called the same
# Normal distribution: std dev = interquartile range / 1.349; error of a median = 1.253 std dev.
_MEDIAN_ERROR_PER_IQR = 1.253 / 1.349
_Masks = tuple[NDArray[np.bool_], NDArray[np.bool_]]
_Estimates = dict[int, tuple[float, float]]  # start -> standard error and log ratio


class StartRatios(Struct, frozen=True, eq=False):
    """Time ratios of two settings for K pairs of process starts, as natural logarithms.

    logs: each the median over pairs of turns, float64 (K,). errors: its standard error.
    """

    logs: Samples
    errors: Samples

    def __len__(self) -> int:
        return len(self.logs)

    @property
    def ratio(self) -> float:
        """The geometric mean over pairs of starts."""
        return float(np.exp(np.mean(self.logs)))


def verdict_for_start_ratios(ratios: StartRatios) -> RatioVerdict:
    """Return the verdict for the ratios of interleaved starts, one pair at least."""
    half = half_width(ratios)
    ends = (float(ratios.ratio * np.exp(sign * half)) for sign in (-1, 1))
    return verdict_for_interval(ratios.ratio, *ends)


def join_ratios(parts: Sequence[StartRatios]) -> StartRatios:
    """Return the ratios of several parts as one; empty for no parts."""
    every = [(part.logs, part.errors) for part in parts] or [(np.empty(0),) * 2]
    logs, errors = zip(*every, strict=True)
    return StartRatios(np.concatenate(logs), np.concatenate(errors))


def start_ratios(first: PerformanceReport, other: PerformanceReport) -> StartRatios:
    """Return the ratio of the other report's time to the first's for each pair of starts.

    Pairs are of turns that followed each other. Of their predictions either those count that
    were at the processor's full pace, or those that had a core all the time, in turns whose
    pace was the same on both sides: for each start what tells more narrowly. None where the
    reports were not measured together, or in too few turns. A ratio that all predictions of
    its start contradict is as uncertain as the difference: on a busy machine, few selected ones
    may agree among themselves and yet differ from the rest by a factor. With one thread, they
    contradict by their CPU time: wall times contain the waiting for a core.
    """
    if not are_interleaved(first, other):
        return join_ratios(())
    alone = first.spec.alone and other.spec.alone
    every = _all_run_estimates(first, other, processor=True) if alone else {}
    unselected = every or _all_run_estimates(first, other)
    narrowest: _Estimates = {}
    for filter_ in (PredictionFilter.HAD_CORE, PredictionFilter.FULL_SPEED):
        masks = _filter_masks(first, other, filter_)
        if masks is not None:
            for start, estimate in _ratios_by_start(first, other, masks, filter_).items():
                estimate = _cross_checked(estimate, unselected.get(start))
                narrowest[start] = min(estimate, narrowest.get(start, (np.inf, 0.0)))
    return _as_ratios(narrowest)


def all_run_ratios(
    first: PerformanceReport, other: PerformanceReport, processor: bool = False
) -> StartRatios:
    """Return the ratios from all runs of each pair of starts, with or without a core.

    processor: of the CPU time of runs; empty where it is unknown.
    """
    return _as_ratios(_all_run_estimates(first, other, processor))


def _all_run_estimates(
    first: PerformanceReport, other: PerformanceReport, processor: bool = False
) -> "_Estimates":
    """Return standard error and log ratio of each start, by all runs of neighboring turns."""
    known = not processor or all(map(_has_cpu_times, (first, other)))
    if not known or not are_interleaved(first, other):
        return {}
    one, two = (
        _turn_medians(
            report,
            np.ones(len(report.prediction_ns), bool),
            _MIN_PREDICTIONS,
            report.prediction_cpu_ns if processor else None,
        )
        for report in (first, other)
    )
    return _medians_by_start(_neighboring_turns(one, two, 1), one, two)


def _has_cpu_times(report: PerformanceReport) -> bool:
    """Return whether the CPU time of every run is known; a clock may be too coarse."""
    cpu = report.prediction_cpu_ns
    return len(cpu) == len(report.prediction_ns) and all(cpu)


def _as_ratios(estimates: "_Estimates") -> StartRatios:
    columns = np.array([estimates[start] for start in sorted(estimates)]).reshape(-1, 2)
    return StartRatios(columns[:, 1], columns[:, 0])


def _cross_checked(
    selected: tuple[float, float], every: tuple[float, float] | None
) -> tuple[float, float]:
    """Return standard error and log ratio, with the error raised where all runs contradict."""
    if every is None:
        return selected
    apart = abs(selected[1] - every[1])
    contradicted = apart > _CONTRADICTION_ERRORS * float(np.hypot(selected[0], every[0]))
    return (max(selected[0], apart), selected[1]) if contradicted else selected


def ratio_estimates(
    first: PerformanceReport, other: PerformanceReport
) -> tuple[RatioEstimate, ...]:
    """Return what one pair of starts says: by undisturbed predictions, and by all of them.

    The first entry is the narrower of those at full CPU speed and those that had a core, the
    same for both sides, if either has enough turns; the last counts every prediction. Of starts
    that did not take turns each is the ratio of the medians, as uncertain as two starts are.
    """
    results = []
    for filter_ in PredictionFilter:
        masks = _filter_masks(first, other, filter_)
        if masks is None:
            continue
        if are_interleaved(first, other):
            estimate = _ratios_by_start(first, other, masks, filter_).get(0)
        else:
            estimate = _separate_starts(first, other, masks)
        if estimate is not None:
            error, log = estimate
            first_ns = float(np.median(np.asarray(first.prediction_ns)[masks[0]]))
            results.append(RatioEstimate(float(np.exp(log)), error, filter_, first_ns))
    filtered = [each for each in results if each.filter is not PredictionFilter.ALL]
    best = [min(filtered, key=lambda each: each.error)] if filtered else []
    return (*best, *(each for each in results if each.filter is PredictionFilter.ALL))


def are_interleaved(first: PerformanceReport, other: PerformanceReport) -> bool:
    """Return whether two reports were measured together, with recorded turns."""
    one, two = first.turns, other.turns
    return bool(one.id and one.id == two.id and one.lengths and two.lengths)


def _filter_masks(
    first: PerformanceReport, other: PerformanceReport, filter_: PredictionFilter
) -> _Masks | None:
    """Return masks of the runs that a filter selects on both sides; None if unknown."""
    if filter_ is PredictionFilter.HAD_CORE:
        return had_core(first), had_core(other)
    if filter_ is PredictionFilter.ALL:
        return np.ones(len(first.prediction_ns), bool), np.ones(len(other.prediction_ns), bool)
    one, two = (selection.full for selection in at_matched_speed(first, other))
    return None if one is None or two is None else (one, two)


def _ratios_by_start(
    first: PerformanceReport, other: PerformanceReport, masks: _Masks, filter_: PredictionFilter
) -> _Estimates:
    """Return standard error and logarithm of the ratio of each start that has enough turns."""
    least, reach = (
        (1, _MAX_TURN_DISTANCE)
        if filter_ is PredictionFilter.FULL_SPEED
        else (_MIN_PREDICTIONS, 1)
    )
    one, two = _turn_medians(first, masks[0], least), _turn_medians(other, masks[1], least)
    pairs = _neighboring_turns(one, two, reach)
    if filter_ is PredictionFilter.HAD_CORE:
        pairs = [pair for pair in pairs if _same_speed(one, two, *pair)]
    return _medians_by_start(pairs, one, two)


def _separate_starts(
    first: PerformanceReport, other: PerformanceReport, masks: _Masks
) -> tuple[float, float] | None:
    """Return standard error and logarithm of the ratio of medians of two separate starts."""
    sides = zip((first, other), masks, strict=True)
    times = [np.asarray(report.prediction_ns, np.int64)[mask] for report, mask in sides]
    if min(map(len, times)) < MIN_SAMPLES:
        return None
    one, two = (_log_median(each, 1) for each in times)
    return 2**0.5 * SINGLE_START_SPREAD, two - one


def _same_speed(
    first: "_TurnMedians", second: "_TurnMedians", first_turn: int, second_turn: int
) -> bool:
    """Return whether two turns ran at the same CPU speed; True where it is unknown."""
    return not abs(second.paces[second_turn] - first.paces[first_turn]) > _SAME_SPEED_LOG


def _medians_by_start(
    pairs: Sequence[tuple[int, int]], one: "_TurnMedians", two: "_TurnMedians"
) -> _Estimates:
    """Return standard error and median of the log ratios of each start with MIN_TURNS."""
    differences: dict[int, list[float]] = {}
    for first_turn, second_turn in pairs:
        differences.setdefault(one.starts[first_turn], []).append(
            two.logs[second_turn] - one.logs[first_turn]
        )
    enough = {
        start: np.array(own) for start, own in differences.items() if len(own) >= MIN_TURNS
    }
    return {start: (_median_error(own), float(np.median(own))) for start, own in enough.items()}


def half_width(ratios: StartRatios) -> float:
    """Return half of the 95% interval of the log ratio.

    Student's t over the pairs of starts, with the variance raised towards PAIR_SPREAD by
    `shrunk_variance`. With fewer than MIN_STARTS pairs it uses FEW_PAIRS_SPREAD and the scatter
    of turns within each pair, unless the pairs differ more than that allows: then their own
    scatter. Narrow intervals are widened by `process_starts.widen`.
    """
    count, degrees = len(ratios), len(ratios) - 1
    if count < MIN_STARTS:
        own = FEW_PAIRS_SPREAD**2 + float(np.mean(ratios.errors**2))
        scatter = float(np.var(ratios.logs, ddof=1)) if degrees else 0.0
        if degrees and scatter > _REFUTED[degrees] * own:
            return _FEW_STUDENT_T_95[degrees] * float((scatter / count) ** 0.5)
        return widen(Z_95 * (own / count) ** 0.5)
    variance = float(shrunk_variance(np.var(ratios.logs, ddof=1), degrees, PAIR_SPREAD))
    return widen(student_t_95(degrees) * (variance / count) ** 0.5)


class _TurnMedians(Struct, frozen=True, eq=False):
    """Each turn: number, log median of predictions and of CPU probes (NaN of few), start."""

    numbers: Sequence[int]
    logs: list[float]
    paces: list[float]
    starts: list[int]


def had_core(report: PerformanceReport) -> NDArray[np.bool_]:
    """Return which predictions had a core all the time; all where it is unknown."""
    times = report.prediction_ns, report.prediction_cpu_ns
    wall, cpu = (np.asarray(each, np.int64) for each in times)
    return had_core_times(wall, cpu, report.spec.alone)


def had_core_times(
    wall: NDArray[np.int64], cpu: NDArray[np.int64], alone: bool
) -> NDArray[np.bool_]:
    """Return which runs had a core all the time, bool (N,); all where it is unknown.

    wall, cpu: their times in nanoseconds, int64 (N,). alone: one thread did all the work.
    """
    share = expected_core_share(wall, cpu, CoreUse.ONE if alone else CoreUse.ALL)
    return np.ones(len(wall), bool) if share is None else had_core_mask(wall, cpu, share)


def _turn_medians(
    report: PerformanceReport,
    selected: NDArray[np.bool_],
    least: int,
    times: Sequence[int] | None = None,
) -> _TurnMedians:
    """Return medians of turns over selected predictions; NaN of fewer than `least`.

    times: of each prediction in nanoseconds; None for the wall time.
    """
    every = np.asarray(report.prediction_ns if times is None else times, np.int64)
    ends = np.cumsum(report.turns.lengths)
    parts = zip(np.split(every, ends[:-1]), np.split(selected, ends[:-1]), strict=True)
    starts = np.cumsum(report.start_lengths or (len(every),))
    return _TurnMedians(
        report.turns.numbers,
        [_log_median(part[some], least) for part, some in parts],
        _turn_speeds(report, ends),
        np.searchsorted(starts, ends).tolist(),
    )


def _turn_speeds(report: PerformanceReport, ends: NDArray[np.int64]) -> list[float]:
    """Return the log of the median CPU probe of each turn; NaN where none was taken.

    ends: the number of predictions up to the end of each turn. A probe is placed by the number
    of predictions before it.
    """
    before, probes = (np.asarray(each) for each in (report.pace.before, report.pace.probes_ns))
    if len(before) != len(probes):
        return [np.nan] * len(ends)
    begins = np.concatenate(([0], ends[:-1]))
    low, high = before.searchsorted(begins, "right"), before.searchsorted(ends)
    return [_log_median(probes[a:b], 1) for a, b in zip(low, high, strict=True)]


def _log_median(times: NDArray[np.int64], least: int) -> float:
    return float(np.log(max(1.0, np.median(times)))) if len(times) >= least else np.nan


def _median_error(logs: Samples) -> float:
    """Return the standard error of a median, from quartiles: robust against outliers."""
    low, high = np.quantile(logs, (0.25, 0.75))
    return float(_MEDIAN_ERROR_PER_IQR * (high - low) / len(logs) ** 0.5)


def _neighboring_turns(
    one: _TurnMedians, two: _TurnMedians, reach: int
) -> list[tuple[int, int]]:
    """Return pairs of neighboring turns with a median; each turn is in one pair at most.

    reach: largest distance in turns.
    """
    ordered = sorted(
        (number, side, place)
        for side, turn_medians in enumerate((one, two))
        for place, (number, log) in enumerate(
            zip(turn_medians.numbers, turn_medians.logs, strict=True)
        )
        if np.isfinite(log)
    )
    pairs, at = list[tuple[int, int]](), 0
    while at + 1 < len(ordered):
        (number, side, place), (next_number, next_side, next_place) = ordered[at : at + 2]
        if number < next_number <= number + reach and next_side != side:
            pairs.append((next_place, place) if side else (place, next_place))
            at += 1
        at += 1
    return pairs


class PrecisionGoal(Struct, frozen=True):
    """The target half width of the interval, and the limits that end a measurement before it.

    half_width: half of the 95% interval of the ratio of predictions, as a share of it: less
    than the ±2.5% up to which narrow intervals are made wider, so that it is reached by those
    that would be ±1.9%. A difference of 5% is then hardly ever missed. starts: on each side,
    at most, of those that had enough predictions at the processor's full pace; the others tell
    nothing, and use up no more than as many again. seconds: after the starts that are always
    measured; no turn begins later.
    """

    half_width: float = 0.024
    starts: int = 20
    seconds: float = 120.0

    def out_of_tries(self, starts: int, at_full: int) -> bool:
        """Return whether the limit of starts is reached, in all or at full CPU speed."""
        return at_full >= self.starts or starts >= 2 * self.starts
