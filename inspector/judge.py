"""Whether two sets of samples differ, or only seem to."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

RESAMPLES, MOST_DRAWN = 4000, 1000
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
    """Median prediction of one report over that of the first, with a 95 % interval.

    low, high: None when there are too few samples for one.
    """

    verdict: Verdict
    ratio: float
    low: float | None
    high: float | None


def judge(first: Sequence[int], other: Sequence[int]) -> Judgement:
    """Tell whether the medians of two sets of samples in nanoseconds differ.

    The 95 % interval of their ratio comes from a bootstrap, widened by how much neighbouring
    predictions are alike. A difference counts when the interval leaves out 1 and the medians
    are at least 1 % apart. What changes between two starts of a process is not in it.
    """
    middles = [max(1.0, float(np.median(s))) if s else 1.0 for s in (first, other)]
    ratio = middles[1] / middles[0] if first and other else 1.0
    if min(len(first), len(other)) < LEAST_SAMPLES:
        return Judgement(Verdict.UNDECIDED, ratio, None, None)
    spread = _spread(other, seed=1) - _spread(first, seed=0)
    low, high = (ratio * float(edge) for edge in np.exp(np.quantile(spread, (0.025, 0.975))))
    if low <= 1 <= high or abs(ratio - 1) < LEAST_EFFECT:
        return Judgement(Verdict.SAME, ratio, low, high)
    return Judgement(Verdict.SLOWER if ratio > 1 else Verdict.FASTER, ratio, low, high)


def _spread(samples: Sequence[int], seed: int) -> NDArray[np.float64]:
    """Medians of resamples, as logarithms, less the median: float64 (RESAMPLES,)."""
    values, random = np.log(np.maximum(samples, 1)), np.random.default_rng(seed)
    drawn, alike = min(len(values), MOST_DRAWN), _alike(values)
    picks = random.integers(0, len(values), (RESAMPLES, drawn))
    around = np.median(values[picks], axis=1) - np.median(values)
    fewer = drawn / len(values)  # a smaller draw spreads wider than all samples would
    spread: NDArray[np.float64] = around * np.sqrt(fewer * (1 + alike) / (1 - alike))
    return spread


def _alike(values: NDArray[np.float64]) -> float:
    """Correlation of the ranks of neighbours, 0 to 0.9, without its bias of -1/n."""
    ranks = np.argsort(np.argsort(values)) - (len(values) - 1) / 2
    found = float((ranks[1:] * ranks[:-1]).sum() / (ranks**2).sum())
    return min(0.9, max(0.0, found + 2 / len(values)))
