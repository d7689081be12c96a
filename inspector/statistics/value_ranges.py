"""Ranges of values for quantization, from histograms of several inputs.

A range that leaves out rare large values makes the steps for all others smaller.
"""

from typing import Any

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

Values = NDArray[Any]

_BINS = 8192  # of a merged histogram: those of one input fall into a few of them
_MAGNITUDE_BINS = 2048  # that a threshold is searched in, as TensorRT's calibration does
_CANDIDATE_STEP = 8  # magnitude bins between two thresholds that are tried
# of 8 bits: for magnitudes with and without a sign
_SIGNED_LEVELS = 128
_LEVELS = 256
_NEVER = 1e-9  # probability of what a quantized distribution leaves out


class Histogram(Struct):
    """Counts of values between two limits, in bins of equal width."""

    low: float = 0.0
    high: float = 0.0
    counts: Values = field(default_factory=lambda: np.zeros(_BINS))

    def add(self, low: float, high: float, counts: Values) -> None:
        """Add the histogram of another input, with limits of its own."""
        empty = not self.counts.any()
        limits = (low, high) if empty else (min(low, self.low), max(high, self.high))
        if not empty and limits != (self.low, self.high):
            self.counts = _spread(self.low, self.high, self.counts, limits)
        self.low, self.high = limits
        self.counts = self.counts + _spread(low, high, counts, limits)

    def percentile_range(self, percentile: float) -> tuple[float, float]:
        """Return the range that holds a percentage of all values, cut off equally on both
        sides."""
        total = self.counts.sum()
        if not total or self.high <= self.low:
            return self.low, self.high
        cut = (1 - percentile / 100) / 2 * total
        running = np.cumsum(self.counts)
        width = (self.high - self.low) / self.counts.size
        first = int(np.searchsorted(running, cut, side="right"))
        last = int(np.searchsorted(running, total - cut, side="left"))
        low = self.low + width * min(first, self.counts.size - 1)
        return low, min(self.high, self.low + width * (last + 1))

    def entropy_range(self) -> tuple[float, float]:
        """Return the range whose quantized distribution differs least from the original one.

        The difference is the Kullback-Leibler divergence of magnitudes.
        """
        largest = max(abs(self.low), abs(self.high))
        if not largest or not self.counts.any():
            return self.low, self.high
        width = (self.high - self.low) / self.counts.size
        centers = np.abs(self.low + width * (np.arange(self.counts.size) + 0.5))
        places = np.minimum(
            (centers / largest * _MAGNITUDE_BINS).astype(int), _MAGNITUDE_BINS - 1
        )
        magnitudes = np.bincount(places, self.counts, _MAGNITUDE_BINS)
        magnitudes[0] = magnitudes[1]  # zeros cost nothing, and would hide all others
        levels = _SIGNED_LEVELS if self.low < 0 else _LEVELS
        best, threshold = np.inf, _MAGNITUDE_BINS
        for end in range(levels, _MAGNITUDE_BINS + 1, _CANDIDATE_STEP):
            divergence = _divergence(magnitudes, end, levels)
            if divergence < best:
                best, threshold = divergence, end
        limit = largest * threshold / _MAGNITUDE_BINS
        return max(self.low, -limit), min(self.high, limit)


def _spread(low: float, high: float, counts: Values, limits: tuple[float, float]) -> Values:
    """Return counts in the bins of other limits, which enclose theirs."""
    width = limits[1] - limits[0]
    if width <= 0:
        merged = np.zeros(_BINS)
        merged[0] = counts.sum()
        return merged
    centers = low + (high - low) * (np.arange(counts.size) + 0.5) / counts.size
    places = ((centers - limits[0]) / width * _BINS).astype(int)
    return np.bincount(np.clip(places, 0, _BINS - 1), counts.astype(np.float64), _BINS)


def _divergence(magnitudes: Values, end: int, levels: int) -> float:
    """Return the Kullback-Leibler divergence if values above a bin are cut off to it."""
    kept = magnitudes[:end].copy()
    edges = np.linspace(0, end, levels + 1).astype(int)[:-1]
    sums = np.add.reduceat(kept, edges)
    used = np.add.reduceat((kept > 0).astype(float), edges)
    lengths = np.diff(np.append(edges, end))
    averages = np.divide(sums, used, out=np.zeros_like(sums), where=used > 0)
    quantized = np.where(kept > 0, np.repeat(averages, lengths), 0.0)
    kept[-1] += magnitudes[end:].sum()
    if not kept.sum() or not quantized.sum():
        return float("inf")
    one, two = kept / kept.sum(), np.maximum(quantized / quantized.sum(), _NEVER)
    present = one > 0
    return float((one[present] * np.log(one[present] / two[present])).sum())
