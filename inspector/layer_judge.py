"""Which layers are faster or slower, so that few of those that are told are so by chance.

Profiled predictions have two ways to differ that the samples of one start do not show: all
layers are slower together where the processor was, and each layer is, in the same start, again
and again so far from its usual time. A layer is therefore held against what the others did, as
far as the clean predictions do not say that all did it, and its scatter is that over starts.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from inspector.judge import Judgement
from inspector.starts import LEAST_STARTS, PRIOR_STARTS, student

Times = NDArray[np.float64]
FALSE_SHARE = 0.05
LEAST_EFFECT, LEAST_NS, LEAST_RUNS = 0.05, 1_000, 5
# A layer is called the same only where its whole interval is within this, or within LEAST_NS:
# one profiled start per side knows it to ±14 % at best (LAYER_SPREAD on both sides).
SAME_WITHIN = 0.25
# Standard deviation of a layer's log time over starts, beside what all layers have in common:
# 2 to 5 % for most layers of squeezenet that take 50 µs or more, over 40 starts. Smaller ones
# scatter more: over starts about as much as from one prediction to the next.
LAYER_SPREAD = 0.05
_MIDDLE = 0.16, 0.84


class Change(StrEnum):
    """What a block's time did, against that of the first report."""

    FASTER = "faster"
    SLOWER = "slower"
    SAME = "no difference"
    UNDECIDED = "too few predictions to tell"
    PACE = "undecided: the processor ran slower"
    NOISY = "undecided: too noisy to tell"
    NONE = ""


@dataclass(frozen=True, slots=True, eq=False)
class Timed:
    """Own times of blocks in one report, in nanoseconds.

    time_ns: what is told of each; None where nothing of it was timed. starts: the middle
    profiled prediction in each start of the process, float64 (blocks, starts). runs: each
    profiled prediction of the first start, float64 (blocks, runs).
    """

    time_ns: tuple[int | None, ...]
    starts: Times
    runs: Times

    @property
    def enough(self) -> bool:
        """Whether it can be told how much the blocks scatter."""
        return bool(self.starts.shape[1] >= LEAST_STARTS or self.runs.shape[1] >= LEAST_RUNS)


def judged(first: Timed, other: Timed, whole: Judgement | None = None) -> list[Change]:
    """Judge every block; whole: what the clean predictions of both reports say.

    At most 5 % of all that are told apart are expected to be equal (Benjamini and Hochberg,
    Journal of the Royal Statistical Society B 57, 1995, p. 289). What differs by less than 5 %
    or 1 µs is not told apart, nor what does so only in its own time or only against the others.
    A block that is not told apart is the same only where its time and its interval are within
    SAME_WITHIN or 1 µs; else it is undecided.
    """
    pairs = list(zip(first.time_ns, other.time_ns, strict=True))
    known = Change.NOISY if first.enough and other.enough else Change.UNDECIDED
    found = [Change.NONE if None in pair else known for pair in pairs]
    tested = [place for place, change in enumerate(found) if change is Change.NOISY]
    if not tested:
        return found
    apart, halves, chances = _apart(first, other, tested, whole)
    for place, number in enumerate(tested):
        one, two = pairs[number]
        assert one is not None, "only what is timed on both sides is tested"
        assert two is not None, "only what is timed on both sides is tested"
        changes_ns = abs(two - one), abs(one * math.expm1(apart[place]))
        most_ns = one * math.expm1(abs(apart[place]) + halves[place])
        tiny = max(*changes_ns, one * math.expm1(halves[place])) <= LEAST_NS
        if tiny or max(changes_ns[0], most_ns) <= SAME_WITHIN * one:
            found[number] = Change.SAME
    for place in _few_by_chance(chances):
        number = tested[place]
        one, two = pairs[number]
        assert one is not None, "only what is timed on both sides is tested"
        assert two is not None, "only what is timed on both sides is tested"
        against_others = one * math.expm1(apart[place])
        least = max(LEAST_NS, LEAST_EFFECT * one)
        if min(two - one, against_others) >= least:
            found[number] = Change.SLOWER
        elif max(two - one, against_others) <= -least:
            found[number] = Change.FASTER
    return found


def _apart(
    first: Timed, other: Timed, tested: Sequence[int], whole: Judgement | None
) -> tuple[list[float], list[float], list[float]]:
    """Return how far each block is from the others, half its 95 % interval, and its p-value.

    The first two are differences of logarithms.
    """
    sides = [_side(each, tested) for each in (first, other)]
    apart = sides[1][0] - sides[0][0]
    shared = float(np.median(apart))
    apart -= shared - _confirmed(shared, whole)
    errors = [variance for _, variance, _ in sides]
    total = errors[0] + errors[1]
    free = total**2 / sum(
        error**2 / own for error, (_, _, own) in zip(errors, sides, strict=True)
    )
    error = np.sqrt(total)
    far = zip((apart / error).tolist(), free.tolist(), strict=True)
    halves = [student(own) * wide for own, wide in zip(free, error, strict=True)]
    return apart.tolist(), halves, [_chance(t, own) for t, own in far]


def _side(timed: Timed, tested: Sequence[int]) -> tuple[Times, Times, float]:
    """Logarithm of each block's time, the variance of that, and its degrees of freedom."""
    logs = np.log(np.maximum(timed.starts[tested], 1))
    n = logs.shape[1]
    level = logs.mean(axis=1)
    seen = _together(logs).var(axis=1, ddof=1 if n > 1 else 0)
    if n >= LEAST_STARTS:
        drawn = (n - 1) * seen + PRIOR_STARTS * LAYER_SPREAD**2
        variance = np.maximum(seen, drawn / (n - 1 + PRIOR_STARTS))
        return level, variance / n, float(n - 1)
    runs = _together(np.log(np.maximum(timed.runs[tested], 1)))
    low, high = np.quantile(runs, _MIDDLE, axis=1)
    variance = np.maximum(seen, LAYER_SPREAD**2 + ((high - low) / 2) ** 2)
    return level, variance / n, float(runs.shape[1] - 1)


def _together(logs: Times) -> Times:
    """The same without what all blocks of a column have in common."""
    return np.asarray(logs - np.median(logs - logs.mean(axis=1, keepdims=True), axis=0))


def _confirmed(shared: float, whole: Judgement | None) -> float:
    """How much of what all blocks did the clean predictions did for certain."""
    if whole is None or whole.low is None or whole.high is None:
        return 0.0
    low, high = math.log(whole.low), math.log(whole.high)
    certain = max(0.0, low) + min(0.0, high)
    return (
        math.copysign(min(abs(shared), abs(certain)), shared) if certain * shared > 0 else 0.0
    )


def _few_by_chance(chances: Sequence[float]) -> list[int]:
    """Places of those so unlikely that few of them are by chance."""
    order = sorted(range(len(chances)), key=chances.__getitem__)
    allowed = [FALSE_SHARE * rank / len(order) for rank in range(1, len(order) + 1)]
    last = max(
        (rank for rank, place in enumerate(order, 1) if chances[place] <= allowed[rank - 1]),
        default=0,
    )
    return order[:last]


def _chance(t: float, free: float) -> float:
    """How likely Student's t is so far from 0: Wallace, Annals of Math. Statistics 30, 1124."""
    normal = (8 * free + 1) / (8 * free + 3) * math.sqrt(free * math.log1p(t * t / free))
    return math.erfc(normal / math.sqrt(2))
