"""Bootstrap distributions and intervals of a statistic of autocorrelated samples."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float64]
Statistic = Callable[[Samples], Samples]  # of the last axis
Times = Sequence[int] | NDArray[np.int64]

# Draws of a bootstrap: the ends of a 95% interval then repeat to about 1% of its width.
RESAMPLES = 4000
# Samples in one draw at most: larger ones are slower, and the spread scales as is known.
MAX_DRAWN = 1000
_BATCH = 500  # draws at once: more are no faster and need more memory
_RECENT_SAMPLES = 2000  # that the correlation is estimated from while a measurement runs
# Fewest samples that an interval is computed from.
MIN_SAMPLES = 8
# A percentile is shown, compared and tested only where one sample or more lies beyond it.
MIN_P90_SAMPLES, MIN_P95_SAMPLES, MIN_P99_SAMPLES = 10, 20, 100


def median(values: Samples) -> Samples:
    """Return the median over the last axis."""
    # np.median selects, which takes five times as long as processors take to sort.
    ordered = np.sort(values, axis=-1)
    count = ordered.shape[-1]
    return np.asarray((ordered[..., (count - 1) // 2] + ordered[..., count // 2]) / 2)


def mean(values: Samples) -> Samples:
    """Return the mean over the last axis."""
    return np.asarray(np.mean(values, axis=-1))


def quantile(q: float) -> Statistic:
    """Return a function that computes a quantile of the last axis, q from 0 to 1.

    np.quantile takes ten times as long for the few values of a layer.
    """

    def interpolated(values: Samples) -> Samples:
        ordered = np.sort(values, axis=-1)
        place = q * (ordered.shape[-1] - 1)
        share, below = place - int(place), ordered[..., int(place)]
        above = ordered[..., min(int(place) + 1, ordered.shape[-1] - 1)]
        if share < 0.5:  # as np.quantile does it, to the last bit
            return np.asarray(below + (above - below) * share)
        return np.asarray(above - (above - below) * (1 - share))

    return interpolated


def confidence_interval(resamples: Samples) -> tuple[float, float]:
    """Return the ends of the middle 95% of resamples."""
    low, high = np.quantile(resamples, (0.025, 0.975))
    return float(low), float(high)


def bootstrap_distribution(
    samples: Times, statistic: Statistic = median, seed: int = 0
) -> Samples:
    """Return the bootstrap distribution of a statistic: float64 (RESAMPLES,).

    Drawn with replacement, and widened by the rank correlation of neighboring samples, since
    correlated samples carry less information than independent ones.
    """
    values, random = np.maximum(np.asarray(samples, np.float64), 1), np.random.default_rng(seed)
    drawn = min(len(values), MAX_DRAWN)
    observed = float(statistic(values))
    batches = (
        statistic(values[random.integers(0, len(values), (_BATCH, drawn))])
        for _ in range(RESAMPLES // _BATCH)
    )
    log_ratios = np.log(np.concatenate(tuple(batches))) - np.log(observed)
    draw_share, correlation = drawn / len(values), _rank_autocorrelation(values)
    # A smaller draw spreads wider than all samples would.
    spread = log_ratios * np.sqrt(draw_share * (1 + correlation) / (1 - correlation))
    return np.asarray(observed * np.exp(spread))


def relative_half_width(samples: Sequence[int]) -> float | None:
    """Return half of the 95% interval of the median as a share of it; None of few samples.

    Uses order statistics, not a bootstrap: cheap enough to be called while measuring.
    """
    if len(samples) < MIN_SAMPLES:
        return None
    values = np.asarray(samples, np.float64)
    correlation, n = _rank_autocorrelation(values[-_RECENT_SAMPLES:]), len(values)
    rank_margin = 1.96 * (n * (1 + correlation) / (1 - correlation)) ** 0.5 / 2
    low, high = max(0, int(n / 2 - rank_margin)), min(n - 1, int(n / 2 + rank_margin))
    ends = np.partition(values, (low, n // 2, high))
    return float(ends[high] - ends[low]) / 2 / max(1.0, float(ends[n // 2]))


def _rank_autocorrelation(values: Samples) -> float:
    """Return the lag-1 rank correlation, 0 to 0.9, corrected for its bias of -1/n."""
    ranks = np.argsort(np.argsort(values)) - (len(values) - 1) / 2
    correlation = float((ranks[1:] * ranks[:-1]).sum() / (ranks**2).sum())
    return min(0.9, max(0.0, correlation + 2 / len(values)))
