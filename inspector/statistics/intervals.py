"""Medians, other quantiles and means of times, with intervals that stay within the data.

The interval of a quantile comes from order statistics: how many samples lie below the true
quantile is binomial, whatever the times are distributed like. So it holds for skewed times, for
outliers and for two speeds, and it never leaves what was measured.
"""

import math
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Samples = NDArray[np.float64]
Times = Sequence[int] | NDArray[np.int64]
Interval = tuple[float, float]

# Fewest samples of an interval: of six, the median lies within their range in 31 of 32 cases;
# of five in 15 of 16, which is less than 95%.
MIN_SAMPLES = 6
# A percentile is shown, compared and tested only where one sample or more lies beyond it.
MIN_P90_SAMPLES = 10
MIN_P95_SAMPLES = 20
MIN_P99_SAMPLES = 100
Z_95 = 1.96  # two-sided 95% quantile of the normal distribution
_CONFIDENCE = 0.95
_TAIL = 0.025  # chance below an interval
_LEAST_CONFIDENCE = 0.929  # of an interval between neighboring order statistics
_RECENT_SAMPLES = 2000  # that the correlation is estimated from while a measurement runs
# Standard errors above 0 from which a correlation counts: independent samples show some, too.
_CHANCE_ERRORS = 1.0
_SEEN_DEVIATIONS = 8.0  # of the binomial distribution around its mean: beyond, nothing is left


class Statistic(Protocol):
    """A number of samples, such as their median, and its 95% interval."""

    def __call__(self, values: Samples) -> Samples:
        """Return the number over the last axis."""

    def interval(self, samples: Times | Samples) -> Interval | None:
        """Return the 95% interval of the number; None where the samples are too few for one."""


class Quantile(Struct, frozen=True):
    """The quantile `q`, from 0 to 1, interpolated between neighbors as `np.quantile` does."""

    q: float

    def __call__(self, values: Samples) -> Samples:
        """Return the quantile over the last axis."""
        # np.quantile takes ten times as long for the few values of a layer.
        ordered = np.sort(values, axis=-1)
        place = self.q * (ordered.shape[-1] - 1)
        share, below = place - int(place), ordered[..., int(place)]
        above = ordered[..., min(int(place) + 1, ordered.shape[-1] - 1)]
        if share < 0.5:  # as np.quantile does it, to the last bit
            return np.asarray(below + (above - below) * share)
        return np.asarray(above - (above - below) * (1 - share))

    def interval(self, samples: Times | Samples) -> Interval | None:
        """Return the 95% interval of the quantile, within the samples.

        None where even the whole range has less than 95% confidence. Autocorrelated samples
        carry less information: the ranks of the ends are moved out by the square root of
        `variance_inflation`, to the lowest and the highest sample at most.
        """
        ordered = np.sort(np.asarray(samples, np.float64))
        ranks = interval_ranks(len(ordered), self.q)
        if ranks is None:
            return None
        center = self.q * (len(ordered) - 1)
        factor = variance_inflation(np.asarray(samples, np.float64), self.q) ** 0.5
        places = (center + (rank - center) * factor for rank in ranks)
        low, high = (_at(ordered, place) for place in places)
        return low, high


class Mean(Struct, frozen=True):
    """The arithmetic mean."""

    def __call__(self, values: Samples) -> Samples:
        """Return the mean over the last axis."""
        return np.asarray(np.mean(values, axis=-1))

    def interval(self, samples: Times | Samples) -> Interval | None:
        """Return the 95% interval of the mean, by Student's t, within the samples."""
        values = np.asarray(samples, np.float64)
        if len(values) < MIN_SAMPLES:
            return None
        error = float(values.std(ddof=1)) * (variance_inflation(values) / len(values)) ** 0.5
        middle, half = float(values.mean()), student_t_95(len(values) - 1) * error
        return max(float(values.min()), middle - half), min(float(values.max()), middle + half)


median = Quantile(0.5)
mean = Mean()


def interval_ranks(count: int, q: float) -> Interval | None:
    """Return the ranks, from 0 on, between which the quantile lies in 95% of cases, or None.

    The narrowest pair of order statistics with 95% or more. Its upper end, where outliers of
    times are, is moved towards the next lower sample as far as the confidence is above 95%, if
    that one has _LEAST_CONFIDENCE, too.
    """
    if count < MIN_SAMPLES:
        return None
    first, chances = _binomial_tail(count, q)

    def at_most(number: int) -> float:
        """Return the chance that at most so many samples lie below the quantile."""
        place = number - first
        return 0.0 if place < 0 else float(chances[min(place, len(chances) - 1)])

    low = first + int(np.searchsorted(chances, _TAIL, "right")) - 1  # samples surely below it
    high = first + int(np.searchsorted(chances, _CONFIDENCE + at_most(low)))
    if low < 0 or high >= count:
        return None
    narrower, whole = (at_most(end) - at_most(low) for end in (high - 1, high))
    if narrower < _LEAST_CONFIDENCE:
        return low, high
    return low, high - (whole - _CONFIDENCE) / (whole - narrower)


def relative_half_width(samples: Sequence[int]) -> float | None:
    """Return half of the 95% interval of the median as a share of it; None of few samples.

    Cheap enough to be called while measuring: the correlation is that of the recent samples.
    """
    ranks = interval_ranks(len(samples), median.q)
    if ranks is None:
        return None
    values, last = np.asarray(samples, np.float64), len(samples) - 1
    factor = variance_inflation(values[-_RECENT_SAMPLES:]) ** 0.5
    low, high = (round(last / 2 + (rank - last / 2) * factor) for rank in ranks)
    low, high = max(0, low), min(last, high)
    ends = np.partition(values, (low, last // 2, high))
    return float(ends[high] - ends[low]) / 2 / max(1.0, float(ends[last // 2]))


def variance_inflation(values: Samples, q: float = 0.5) -> float:
    """Return the factor by which autocorrelation multiplies the variance of a quantile.

    values: in the order in which they were measured. It is 1 and twice the sum of the
    autocorrelations of lying below the quantile, in pairs of lags as long as a pair is more
    than chance (the initial monotone sequence of Geyer, Statistical Science 7, 1992, p. 477).
    """
    count = len(values)
    if count < MIN_SAMPLES:
        return 1.0
    below = (values <= np.quantile(values, q, method="lower")).astype(np.float64)
    below -= below.mean()
    squares = float(below @ below)
    if not squares:
        return 1.0
    size = 1 << (2 * count - 1).bit_length()  # so that the ends do not meet
    spectrum = np.fft.rfft(below, size)
    sums = np.fft.irfft(spectrum * spectrum.conj(), size)[1 : 1 + (count - 1) // 2 * 2]
    # The mean of the samples is taken for the true one, which costs each lag 1 / count.
    pairs = (sums / squares + 1 / count).reshape(-1, 2).sum(axis=1)
    chance = _CHANCE_ERRORS * (2 / count) ** 0.5
    length = int(np.argmax(np.append(pairs, 0.0) <= chance))
    return 1 + 2 * float(np.minimum.accumulate(pairs[:length]).sum())


def student_t_95(free: float) -> float:
    """Return the two-sided 95% quantile of Student's t with 3 or more degrees of freedom.

    Cornish and Fisher's expansion (Abramowitz and Stegun, 26.7.5).
    """
    z, one = Z_95, 1 / free
    return (
        z
        + (z**3 + z) / 4 * one
        + (5 * z**5 + 16 * z**3 + 3 * z) / 96 * one**2
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384 * one**3
    )


def _at(ordered: Samples, place: float) -> float:
    """Return the value at a place between neighbors, from 0 on; at the end of those beyond."""
    place = min(max(place, 0.0), len(ordered) - 1.0)
    below = int(place)
    low, high = ordered[below], ordered[min(below + 1, len(ordered) - 1)]
    return float(low + (high - low) * (place - below))


def _binomial_tail(count: int, q: float) -> tuple[int, Samples]:
    """Return a number of successes, and the chances of at most it, the next one, and so on.

    Of `count` tries with chance `q`; from where the chance begins to differ from 0.
    """
    deviation = (count * q * (1 - q)) ** 0.5
    first = max(0, int(count * q - _SEEN_DEVIATIONS * deviation))
    last = min(count, math.ceil(count * q + _SEEN_DEVIATIONS * deviation))
    numbers = np.arange(first, last)
    steps = np.log((count - numbers) / (numbers + 1)) + math.log(q / (1 - q))
    log_first = (
        math.lgamma(count + 1) - math.lgamma(first + 1) - math.lgamma(count - first + 1)
        + first * math.log(q) + (count - first) * math.log1p(-q)
    )  # fmt: skip
    logs = log_first + np.concatenate(([0.0], np.cumsum(steps)))
    return first, np.asarray(np.cumsum(np.exp(logs)))
