"""Intervals of shares and means over independent inputs, such as accuracy on test images."""

from collections.abc import Callable, Sequence
from math import sqrt

import numpy as np
from numpy.typing import NDArray

Z_95 = 1.959963984540054  # two-sided 95% point of the normal distribution
_FEWER_RESAMPLES = 500  # of measures such as mAP, which take a millisecond each
RESAMPLES = 2000  # of a mean: the ends of the interval then repeat to about 2% of its width


def wilson(successes: int, count: int) -> tuple[float, float]:
    """Return the 95% interval of a share, 0 to 1, by Wilson's score method.

    It keeps its coverage near 0 and 1, where the normal approximation has width zero.
    Source: E. B. Wilson, JASA 22 (1927). Without any input it is 0 to 1.
    """
    if not count:
        return 0.0, 1.0
    share, z2 = successes / count, Z_95**2
    center = share + z2 / (2 * count)
    half = Z_95 * sqrt(share * (1 - share) / count + z2 / (4 * count**2))
    low, high = (center - half) / (1 + z2 / count), (center + half) / (1 + z2 / count)
    return (0.0 if not successes else low), (1.0 if successes == count else high)


def paired_difference(lost: int, gained: int, count: int) -> tuple[float, float]:
    """Return the 95% interval of a difference of two shares measured on the same inputs.

    lost, gained: inputs that only the first, or only the second, got right. Adjusted Wald
    interval. Source: D. G. Bonett and R. M. Price, J. Educ. Behav. Stat. 37 (2012).
    """
    if not count:
        return -1.0, 1.0
    less, more = (lost + 1) / (count + 2), (gained + 1) / (count + 2)
    middle = more - less
    half = Z_95 * sqrt(max(less + more - middle**2, 0.0) / (count + 2))
    return max(-1.0, middle - half), min(1.0, middle + half)


def resampled(
    measures: Callable[[NDArray[np.int64]], Sequence[float]], count: int, seed: int = 0
) -> NDArray[np.float64]:
    """Return measures over resampled inputs, a row for each time (bootstrap).

    measures: of the inputs with these numbers, out of `count`.
    """
    random = np.random.default_rng(seed)
    drawn = (random.integers(0, count, count) for _ in range(_FEWER_RESAMPLES))
    return np.array([measures(rows) for rows in drawn])


def mean_interval(values: Sequence[float], seed: int = 0) -> tuple[float, float]:
    """Return the 95% bootstrap interval of the mean of independent values."""
    data = np.asarray(values, np.float64)
    if len(data) < 2:
        only = float(data[0]) if len(data) else 0.0
        return only, only
    random = np.random.default_rng(seed)
    means = [data[random.integers(0, len(data), len(data))].mean() for _ in range(RESAMPLES)]
    low, high = np.quantile(means, (0.025, 0.975))
    return float(low), float(high)
