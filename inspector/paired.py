"""Two reports whose predictions took turns: how much longer one took, turn beside turn.

What the machine does from second to second is in both turns of a pair, and so is most of what
starts differ by: on two cores of a shared machine medians of starts scattered by 4.8 %, and
what a start took beside the other one by 1.0 % (`python -m benchmarks.verdicts --real 40`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from inspector.equal_pace import at_equal_pace
from inspector.judge import Judgement, judge_paced, judge_ratio
from inspector.pace import Cores, core_share, given_core
from inspector.report import PerformanceReport
from inspector.resampling import LEAST_SAMPLES, Samples
from inspector.starts import (
    LEAST_STARTS,
    ONE_START_SPREAD,
    PRIOR_STARTS,
    student,
    widened,
)

# Standard deviation of the logarithm of the ratio of two starts of the same, beside each other;
# and what few pairs of starts are taken to have, where no others tell.
PAIR_SPREAD, FEW_PAIRS_SPREAD = 0.0125, 0.02
LEAST_TURNS, _FEW = 4, 2
_REACH = 9  # turns between two at full pace: a third of a second
_NEARLY = np.log(1.05)  # of two paces that are called the same
# A normal scatter is 1 / 1.349 of its middle half, its median as sure as 1 / 1.253 of it.
_OF_MEDIAN = 1.253 / 1.349
_DRAWS, _Z = 20_000, 1.96
_Masks = tuple[NDArray[np.bool_], NDArray[np.bool_]]


class Filter(StrEnum):
    """Which predictions of both sides are counted."""

    FULL_SPEED = "at full CPU speed"
    HAD_CORE = "that had a core all the time"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Estimate:
    """How many times as long the other side took in one pair of process starts.

    ratio: median over pairs of neighboring turns. error: standard error of its logarithm.
    filter: which predictions of both sides were counted. first_ns: median of those of the
    first side.
    """

    ratio: float
    error: float
    filter: Filter
    first_ns: float


@dataclass(frozen=True, slots=True, eq=False)
class Ratios:
    """How many times as long one side took, for K pairs of starts, as logarithms.

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


def judge_medians(first: PerformanceReport, other: PerformanceReport) -> Judgement:
    """Tell whether predictions differ: by their turns, else by those at equal pace."""
    found = ratios(first, other)
    return judge_ratios(found) if len(found) else judge_paced(at_equal_pace(first, other))


def judge_ratios(found: Ratios) -> Judgement:
    """The same from what `ratios` found; one pair of starts at least."""
    return judge_ratio(found.ratio, likely(found))


def joined(parts: Sequence[Ratios]) -> Ratios:
    """Those of several parts as one; of none, none."""
    every = [(part.logs, part.errors) for part in parts] or [(np.empty(0),) * 2]
    logs, errors = zip(*every, strict=True)
    return Ratios(np.concatenate(logs), np.concatenate(errors))


def ratios(first: PerformanceReport, other: PerformanceReport) -> Ratios:
    """How many times as long the other took, turn beside turn.

    Pairs are of turns that followed each other. Of their predictions either those count that
    were at the processor's full pace, or those that had a core all the time, in turns whose
    pace was the same on both sides: for each start what tells more narrowly. None where the
    reports were not measured together, or in too few turns.
    """
    if not first.turns.id or first.turns.id != other.turns.id:
        return joined(())
    found: dict[int, tuple[float, float]] = {}
    for which in (Filter.HAD_CORE, Filter.FULL_SPEED):
        masks = _counted(first, other, which)
        if masks is not None:
            for start, told in _by(first, other, masks, which).items():
                found[start] = min(told, found.get(start, (np.inf, 0.0)))
    columns = np.array([found[start] for start in sorted(found)]).reshape(-1, 2)
    return Ratios(columns[:, 1], columns[:, 0])


def estimates(first: PerformanceReport, other: PerformanceReport) -> tuple[Estimate, ...]:
    """Return what one pair of starts says: by undisturbed predictions, and by all of them.

    The first entry is the narrower of those at full CPU speed and those that had a core, the
    same for both sides, if either has enough turns; the last counts every prediction. Of starts
    that did not take turns each is the ratio of the medians, as uncertain as two starts are.
    """
    told = []
    for which in Filter:
        masks = _counted(first, other, which)
        if masks is None:
            continue
        if first.turns.id and first.turns.id == other.turns.id:
            found = _by(first, other, masks, which).get(0)
        else:
            found = _one_after_the_other(first, other, masks)
        if found is not None:
            error, log = found
            first_ns = float(np.median(np.asarray(first.prediction_ns)[masks[0]]))
            told.append(Estimate(float(np.exp(log)), error, which, first_ns))
    filtered = [each for each in told if each.filter is not Filter.ALL]
    best = [min(filtered, key=lambda each: each.error)] if filtered else []
    return (*best, *(each for each in told if each.filter is Filter.ALL))


def _counted(
    first: PerformanceReport, other: PerformanceReport, which: Filter
) -> _Masks | None:
    """Return which predictions of both sides a filter lets through; None if nobody can tell."""
    if which is Filter.HAD_CORE:
        return _had_core(first), _had_core(other)
    if which is Filter.ALL:
        return np.ones(len(first.prediction_ns), bool), np.ones(len(other.prediction_ns), bool)
    one, two = (side.full for side in at_equal_pace(first, other))
    return None if one is None or two is None else (one, two)


def _by(
    first: PerformanceReport, other: PerformanceReport, masks: _Masks, which: Filter
) -> dict[int, tuple[float, float]]:
    """Return standard error and logarithm of the ratio of each start that has enough turns."""
    least, reach = (1, _REACH) if which is Filter.FULL_SPEED else (_FEW, 1)
    one, two = _told(first, masks[0], least), _told(other, masks[1], least)
    pairs = _neighbours(one, two, reach)
    if which is Filter.HAD_CORE:
        pairs = [pair for pair in pairs if _same_pace(one, two, *pair)]
    return _apart(pairs, one, two)


def _one_after_the_other(
    first: PerformanceReport, other: PerformanceReport, masks: _Masks
) -> tuple[float, float] | None:
    """Return standard error and logarithm of the ratio of medians of two separate starts."""
    sides = zip((first, other), masks, strict=True)
    times = [np.asarray(report.prediction_ns, np.int64)[mask] for report, mask in sides]
    if min(map(len, times)) < LEAST_SAMPLES:
        return None
    one, two = (_log_median(each, 1) for each in times)
    return 2**0.5 * ONE_START_SPREAD, two - one


def _same_pace(one: "_Told", two: "_Told", mine: int, theirs: int) -> bool:
    """Whether two turns were at the same pace, or nobody knows."""
    return not abs(two.paces[theirs] - one.paces[mine]) > _NEARLY


def _apart(
    pairs: Sequence[tuple[int, int]], one: "_Told", two: "_Told"
) -> dict[int, tuple[float, float]]:
    """How far pairs of turns are apart, for each start that has enough: error and median."""
    found: dict[int, list[float]] = {}
    for mine, theirs in pairs:
        found.setdefault(one.starts[mine], []).append(two.logs[theirs] - one.logs[mine])
    enough = {start: np.array(own) for start, own in found.items() if len(own) >= LEAST_TURNS}
    return {start: (_error(own), float(np.median(own))) for start, own in enough.items()}


def half_width(found: Ratios) -> float:
    """Half of the 95 % interval around the mean of the logarithms.

    Student's t over the pairs of starts. Pairs that happen to agree are not believed to: their
    variance is drawn towards that of PAIR_SPREAD, as if that had been seen in PRIOR_STARTS
    more. Of too few to see what they differ by, it is what they are taken to, and what turns
    of each scatter by. Narrow ones are made wider as `starts.widened` says.
    """
    count = len(found)
    if count < LEAST_STARTS:
        own = FEW_PAIRS_SPREAD**2 + float(np.mean(found.errors**2))
        return widened(_Z * (own / count) ** 0.5)
    seen, free = float(np.var(found.logs, ddof=1)), count - 1
    drawn = (free * seen + PRIOR_STARTS * PAIR_SPREAD**2) / (free + PRIOR_STARTS)
    return widened(student(free) * (max(seen, drawn) / count) ** 0.5)


def likely(found: Ratios) -> Samples:
    """What the ratio might have been in other starts: float64 (draws,).

    The middle 95 % of these draws end where the interval does.
    """
    half = np.random.default_rng(23).normal(size=_DRAWS // 2)
    both = np.concatenate((half, -half)) * (half_width(found) / _Z)
    return np.asarray(found.ratio * np.exp(both))


def in_words(reports: Sequence[PerformanceReport]) -> str:
    """A sentence about reports that took turns with the first; empty where one did not."""
    pairs = min(len(ratios(reports[0], other)) for other in reports[1:])
    if not pairs:
        return ""
    return (
        "The predictions took turns, a moment each, so that what the machine did meanwhile is "
        f"in both: the change of p50 is that of turn beside turn, over {pairs} "
        f"{'pairs' if pairs > 1 else 'pair'} of starts."
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Told:
    """Of each turn: number, logarithm of median prediction and probe, NaN of few; its start."""

    numbers: Sequence[int]
    logs: list[float]
    paces: list[float]
    starts: list[int]


def _had_core(report: PerformanceReport) -> NDArray[np.bool_]:
    """Which predictions had a core all the time, as far as anyone knows."""
    times = report.prediction_ns, report.prediction_cpu_ns
    wall, cpu = (np.asarray(each, np.int64) for each in times)
    share = core_share(wall, cpu, Cores.ONE if report.spec.alone else Cores.ALL)
    return np.ones(len(wall), bool) if share is None else given_core(wall, cpu, share)


def _told(report: PerformanceReport, kept: NDArray[np.bool_], least: int) -> _Told:
    """Turns by those predictions that are kept; least: of a turn, else it tells nothing."""
    wall = np.asarray(report.prediction_ns, np.int64)
    ends = np.cumsum(report.turns.lengths)
    parts = zip(np.split(wall, ends[:-1]), np.split(kept, ends[:-1]), strict=True)
    starts = np.cumsum(report.start_lengths or (len(wall),))
    return _Told(
        report.turns.numbers,
        [_log_median(part[some], least) for part, some in parts],
        _paces(report, ends),
        np.searchsorted(starts, ends).tolist(),
    )


def _paces(report: PerformanceReport, ends: NDArray[np.int64]) -> list[float]:
    """Of each turn the logarithm of the median probe between its predictions."""
    before, probes = (np.asarray(each) for each in (report.pace.before, report.pace.probes_ns))
    if len(before) != len(probes):
        return [np.nan] * len(ends)
    begins = np.concatenate(([0], ends[:-1]))
    low, high = before.searchsorted(begins, "right"), before.searchsorted(ends)
    return [_log_median(probes[a:b], 1) for a, b in zip(low, high, strict=True)]


def _log_median(times: NDArray[np.int64], least: int) -> float:
    return float(np.log(max(1.0, np.median(times)))) if len(times) >= least else np.nan


def _error(logs: Samples) -> float:
    """Standard error of a median, from the middle half: some turns are far off."""
    low, high = np.quantile(logs, (0.25, 0.75))
    return float(_OF_MEDIAN * (high - low) / len(logs) ** 0.5)


def _neighbours(one: _Told, two: _Told, reach: int) -> list[tuple[int, int]]:
    """Places of turns that tell something and followed each other, each in one pair at most.

    reach: by so many turns at most.
    """
    every = sorted(
        (number, side, place)
        for side, told in enumerate((one, two))
        for place, (number, log) in enumerate(zip(told.numbers, told.logs, strict=True))
        if np.isfinite(log)
    )
    pairs, at = list[tuple[int, int]](), 0
    while at + 1 < len(every):
        (number, side, place), (after, beside, there) = every[at : at + 2]
        if number < after <= number + reach and beside != side:
            pairs.append((there, place) if side else (place, there))
            at += 1
        at += 1
    return pairs
