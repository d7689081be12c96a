"""Whether two sets of samples differ, or only seem to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float64]
Statistic = Callable[[Samples], Samples]  # of the last axis

RESAMPLES, MOST_DRAWN = 4000, 1000
_LATELY = 2000
LEAST_SAMPLES = 8
LEAST_EFFECT = 0.01


class Verdict(StrEnum):
    """What the samples of two reports allow to say about their medians."""

    FASTER = "faster"
    SLOWER = "slower"
    SAME = "no difference"
    UNDECIDED = "too few predictions to tell"


@dataclass(frozen=True, slots=True)
class Judgement:
    """Median (or what else) of one report over that of the first, with a 95 % interval.

    low, high: None when there are too few samples for one.
    """

    verdict: Verdict
    ratio: float
    low: float | None
    high: float | None


def median(values: Samples) -> Samples:
    """The middle of the last axis."""
    return np.asarray(np.median(values, axis=-1))


def mean(values: Samples) -> Samples:
    """The mean of the last axis."""
    return np.asarray(np.mean(values, axis=-1))


def quantile(q: float) -> Statistic:
    """What gives a quantile of the last axis, q from 0 to 1."""
    return lambda values: np.asarray(np.quantile(values, q, axis=-1))


def judge(
    first: Sequence[int], other: Sequence[int], statistic: Statistic = median
) -> Judgement:
    """Tell whether a statistic of two sets of samples in nanoseconds differs: their medians.

    The 95 % interval of their ratio comes from a bootstrap, widened by how much neighbouring
    predictions are alike. A difference counts when the interval leaves out 1 and the medians
    are at least 1 % apart. What changes between two starts of a process is not in it.
    """
    sides = [np.asarray(samples, np.float64) for samples in (first, other)]
    middles = [max(1.0, float(statistic(side))) if len(side) else 1.0 for side in sides]
    ratio = middles[1] / middles[0] if first and other else 1.0
    if min(len(first), len(other)) < LEAST_SAMPLES:
        return Judgement(Verdict.UNDECIDED, ratio, None, None)
    low, high = interval(resampled(other, statistic, 1) / resampled(first, statistic, 0))
    if low <= 1 <= high or abs(ratio - 1) < LEAST_EFFECT:
        return Judgement(Verdict.SAME, ratio, low, high)
    return Judgement(Verdict.SLOWER if ratio > 1 else Verdict.FASTER, ratio, low, high)


def interval(resamples: Samples) -> tuple[float, float]:
    """Where the middle 95 % of resamples lie."""
    low, high = np.quantile(resamples, (0.025, 0.975))
    return float(low), float(high)


def resampled(samples: Sequence[int], statistic: Statistic = median, seed: int = 0) -> Samples:
    """What the statistic might have been in other runs like this: float64 (RESAMPLES,).

    A bootstrap with replacement, widened by how much neighbouring samples are alike.
    """
    values, random = np.maximum(np.asarray(samples, np.float64), 1), np.random.default_rng(seed)
    drawn = min(len(values), MOST_DRAWN)
    found = float(statistic(values))
    picks = random.integers(0, len(values), (RESAMPLES, drawn))
    around = np.log(statistic(values[picks])) - np.log(found)
    fewer, alike = drawn / len(values), _alike(values)
    # A smaller draw spreads wider than all samples would.
    spread = around * np.sqrt(fewer * (1 + alike) / (1 - alike))
    return np.asarray(found * np.exp(spread))


def narrow(samples: Sequence[int]) -> float | None:
    """How sure the median is: half of its 95 % interval, as a share; None of few samples.

    From ranks, without a bootstrap: quick and small enough to look while a measurement runs.
    """
    if len(samples) < LEAST_SAMPLES:
        return None
    values = np.asarray(samples, np.float64)
    alike, n = _alike(values[-_LATELY:]), len(values)
    aside = 1.96 * (n * (1 + alike) / (1 - alike)) ** 0.5 / 2
    low, high = max(0, int(n / 2 - aside)), min(n - 1, int(n / 2 + aside))
    ends = np.partition(values, (low, n // 2, high))
    return float(ends[high] - ends[low]) / 2 / max(1.0, float(ends[n // 2]))


def _alike(values: Samples) -> float:
    """Correlation of the ranks of neighbours, 0 to 0.9, without its bias of -1/n."""
    ranks = np.argsort(np.argsort(values)) - (len(values) - 1) / 2
    found = float((ranks[1:] * ranks[:-1]).sum() / (ranks**2).sum())
    return min(0.9, max(0.0, found + 2 / len(values)))
