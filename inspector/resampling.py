"""How much a number about samples would scatter if they were drawn again."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float64]
Statistic = Callable[[Samples], Samples]  # of the last axis
Times = Sequence[int] | NDArray[np.int64]

RESAMPLES, MOST_DRAWN = 4000, 1000
_AT_ONCE = 500  # more are no quicker, and take more room
_LATELY = 2000
LEAST_SAMPLES = 8


def median(values: Samples) -> Samples:
    """The middle of the last axis."""
    return np.asarray(np.median(values, axis=-1))


def mean(values: Samples) -> Samples:
    """The mean of the last axis."""
    return np.asarray(np.mean(values, axis=-1))


def quantile(q: float) -> Statistic:
    """What gives a quantile of the last axis, q from 0 to 1."""
    return lambda values: np.asarray(np.quantile(values, q, axis=-1))


def interval(resamples: Samples) -> tuple[float, float]:
    """Where the middle 95 % of resamples lie."""
    low, high = np.quantile(resamples, (0.025, 0.975))
    return float(low), float(high)


def resampled(samples: Times, statistic: Statistic = median, seed: int = 0) -> Samples:
    """What the statistic might have been in other runs like this: float64 (RESAMPLES,).

    A bootstrap with replacement, widened by how much neighbouring samples are alike.
    """
    values, random = np.maximum(np.asarray(samples, np.float64), 1), np.random.default_rng(seed)
    drawn = min(len(values), MOST_DRAWN)
    found = float(statistic(values))
    few = (
        statistic(values[random.integers(0, len(values), (_AT_ONCE, drawn))])
        for _ in range(RESAMPLES // _AT_ONCE)
    )
    around = np.log(np.concatenate(tuple(few))) - np.log(found)
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
