"""Significance of layer times, with a bounded false discovery rate.

The samples of one start hide two effects: all layers are slower together when the CPU was, and
a layer keeps the same offset throughout a start. A layer is therefore compared with the shift
of all layers, unless unprofiled predictions confirm that shift, and its scatter is that over
starts.
"""

import math
from collections.abc import Sequence
from enum import StrEnum

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector.statistics.intervals import student_t_95
from inspector.statistics.process_starts import MIN_STARTS, shrunk_variance
from inspector.statistics.significance import RatioVerdict, verdict_label

Times = NDArray[np.float64]
# Share of the reported changes that may be due to chance.
FALSE_DISCOVERY_RATE = 0.05
# Smallest reported change: as a share, in nanoseconds (the profiler counts whole microseconds,
# so smaller ones are below its resolution); and profiled predictions that a single start needs.
MIN_EFFECT = 0.05
MIN_DIFFERENCE_NS = 1_000
MIN_RUNS = 5
# A layer has not changed only where its whole interval is within this, and this is no less than
# MIN_DIFFERENCE_NS: one profiled start per side knows it to ±14% at best (LAYER_SPREAD on both
# sides), and layers of less than 4 µs may differ by this and be alike for the profiler.
EQUIVALENCE_MARGIN = 0.25
# Standard deviation of a layer's log time over starts, in addition to what all layers have in
# common: 2 to 5% for most layers of squeezenet that take 50 µs or more, over 40 starts. Smaller
# ones scatter more: over starts about as much as from one prediction to the next.
LAYER_SPREAD = 0.05
_ONE_SIGMA = 0.16, 0.84  # quantiles one standard deviation from the median


class Change(StrEnum):
    """The verdict on the time of a block, compared with the first report."""

    FASTER = "faster"
    SLOWER = "slower"
    SAME = "no difference"
    UNDECIDED = "too few runs to tell"
    PACE = "undecided: too few runs at full CPU speed"
    NOISY = "undecided: too noisy to tell"
    RESOLUTION = "undecided: below the profiler's resolution"
    NONE = ""

    @property
    def label(self) -> str:
        """Return the change as people read it."""
        if self is Change.RESOLUTION:
            return "inconclusive: below the profiler's resolution"
        label = verdict_label(self.value)
        bound = f" beyond {100 * EQUIVALENCE_MARGIN:.0f}%"
        return label + bound if self is Change.SAME else label


class LayerTimes(Struct, frozen=True, eq=False):
    """Own times of blocks in one report, in nanoseconds.

    time_ns: of each block; None where none of it was timed. starts: the middle
    profiled prediction in each start of the process, float64 (blocks, starts). runs: each
    profiled prediction of the first start, float64 (blocks, runs).
    """

    time_ns: tuple[int | None, ...]
    starts: Times
    runs: Times

    @property
    def enough(self) -> bool:
        """Whether there are enough starts or runs to estimate the scatter of blocks."""
        return bool(self.starts.shape[1] >= MIN_STARTS or self.runs.shape[1] >= MIN_RUNS)


def classify_changes(
    first: LayerTimes, other: LayerTimes, whole: RatioVerdict | None = None
) -> list[Change]:
    """Return the change of every block; whole: verdict for unprofiled predictions.

    At most 5% of the blocks reported as different are expected to be equal (Benjamini and
    Hochberg, Journal of the Royal Statistical Society B 57, 1995, p. 289). What differs by less
    than 5% or 1 µs is not reported, nor what does so only in its own time or only against the
    others. A block that is not reported as different counts as the same only where its time and
    its interval are within EQUIVALENCE_MARGIN; else it is undecided. Less than 1 µs is below
    the profiler's resolution where the block is so short that EQUIVALENCE_MARGIN is less as
    well.
    """
    pairs = list(zip(first.time_ns, other.time_ns, strict=True))
    undecided = Change.NOISY if first.enough and other.enough else Change.UNDECIDED
    changes = [Change.NONE if None in pair else undecided for pair in pairs]
    tested = [place for place, change in enumerate(changes) if change is Change.NOISY]
    if not tested:
        return changes
    differences, halves, p_values = _differences(first, other, tested, whole)
    for place, number in enumerate(tested):
        one, two = pairs[number]
        assert one is not None, "only what is timed on both sides is tested"
        assert two is not None, "only what is timed on both sides is tested"
        most_ns = one * math.expm1(abs(differences[place]) + halves[place])
        equivalent = max(abs(two - one), most_ns) <= EQUIVALENCE_MARGIN * one
        unresolved = EQUIVALENCE_MARGIN * min(one, two) < MIN_DIFFERENCE_NS
        if unresolved and abs(two - one) < MIN_DIFFERENCE_NS:
            changes[number] = Change.RESOLUTION
        elif equivalent:
            changes[number] = Change.SAME
    for place in _discoveries(p_values):
        number = tested[place]
        one, two = pairs[number]
        assert one is not None, "only what is timed on both sides is tested"
        assert two is not None, "only what is timed on both sides is tested"
        against_others = one * math.expm1(differences[place])
        least = max(MIN_DIFFERENCE_NS, MIN_EFFECT * one)
        if min(two - one, against_others) >= least:
            changes[number] = Change.SLOWER
        elif max(two - one, against_others) <= -least:
            changes[number] = Change.FASTER
    return changes


def _differences(
    first: LayerTimes, other: LayerTimes, tested: Sequence[int], whole: RatioVerdict | None
) -> tuple[list[float], list[float], list[float]]:
    """Return how far each block is from the others, half its 95% interval, and its p-value.

    The first two are differences of logarithms.
    """
    sides = [_level_and_variance(each, tested) for each in (first, other)]
    apart = sides[1][0] - sides[0][0]
    # What the profiler's clock does not resolve says nothing about the speed of all layers.
    resolved = np.minimum(sides[0][0], sides[1][0]) >= math.log(MIN_DIFFERENCE_NS)
    shared = float(np.median(apart[resolved] if resolved.any() else apart))
    apart -= shared - _confirmed_shift(shared, whole)
    errors = [variance for _, variance, _ in sides]
    total = errors[0] + errors[1]
    free = total**2 / sum(
        error**2 / own for error, (_, _, own) in zip(errors, sides, strict=True)
    )
    error = np.sqrt(total)
    far = zip((apart / error).tolist(), free.tolist(), strict=True)
    halves = [student_t_95(own) * wide for own, wide in zip(free, error, strict=True)]
    return apart.tolist(), halves, [_p_value(t, own) for t, own in far]


def _level_and_variance(timed: LayerTimes, tested: Sequence[int]) -> tuple[Times, Times, float]:
    """Logarithm of each block's time, the variance of that, and its degrees of freedom."""
    logs = np.log(np.maximum(timed.starts[tested], 1))
    n = logs.shape[1]
    level = logs.mean(axis=1)
    observed_variance = _without_common_part(logs).var(axis=1, ddof=1 if n > 1 else 0)
    if n >= MIN_STARTS:
        variance = shrunk_variance(observed_variance, n - 1, LAYER_SPREAD)
        return level, variance / n, float(n - 1)
    runs = _without_common_part(np.log(np.maximum(timed.runs[tested], 1)))
    low, high = np.quantile(runs, _ONE_SIGMA, axis=1)
    variance = np.maximum(observed_variance, LAYER_SPREAD**2 + ((high - low) / 2) ** 2)
    return level, variance / n, float(runs.shape[1] - 1)


def _without_common_part(logs: Times) -> Times:
    """Return logarithms of times without the common part of each column."""
    return np.asarray(logs - np.median(logs - logs.mean(axis=1, keepdims=True), axis=0))


def _confirmed_shift(shared: float, whole: RatioVerdict | None) -> float:
    """Return the part of a common shift that unprofiled predictions confirm."""
    if whole is None or whole.low is None or whole.high is None:
        return 0.0
    low, high = math.log(whole.low), math.log(whole.high)
    certain = max(0.0, low) + min(0.0, high)
    return (
        math.copysign(min(abs(shared), abs(certain)), shared) if certain * shared > 0 else 0.0
    )


def _discoveries(p_values: Sequence[float]) -> list[int]:
    """Return the positions that the Benjamini-Hochberg procedure accepts."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    allowed = [FALSE_DISCOVERY_RATE * rank / len(order) for rank in range(1, len(order) + 1)]
    last = max(
        (rank for rank, place in enumerate(order, 1) if p_values[place] <= allowed[rank - 1]),
        default=0,
    )
    return order[:last]


def _p_value(t: float, free: float) -> float:
    """Return the two-sided p-value of Student's t (Wallace, Ann. Math. Stat. 30, 1124)."""
    normal = (8 * free + 1) / (8 * free + 3) * math.sqrt(free * math.log1p(t * t / free))
    return math.erfc(normal / math.sqrt(2))
