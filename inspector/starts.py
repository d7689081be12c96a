"""Starts of a process: they differ by more than the samples within each of them show."""

from collections.abc import Sequence

import numpy as np

from inspector.resampling import (
    LEAST_SAMPLES,
    RESAMPLES,
    Samples,
    Statistic,
    median,
    resampled,
)

# Standard deviation of log medians over starts of the same, of predictions at the processor's
# full pace: 1.0 % for digits and 1.8 % for squeezenet on two cores, where it was 14.8 and
# 3.8 % of all predictions (`python -m benchmarks.verdicts --real 40`).
START_SPREAD = 0.02
LEAST_STARTS = 4


def split(samples: Sequence[int], lengths: Sequence[int]) -> tuple[Sequence[int], ...]:
    """The samples of each start; all together where the lengths do not fit them."""
    if len(lengths) < 2 or sum(lengths) != len(samples) or min(lengths) < 1:
        return (samples,)
    ends = np.cumsum(lengths).tolist()
    return tuple(samples[end - length : end] for end, length in zip(ends, lengths, strict=True))


def middle(
    samples: Sequence[int],
    lengths: Sequence[int] = (),
    statistic: Statistic = median,
    least: int = LEAST_SAMPLES,
) -> float:
    """A statistic of samples, at least 1; with enough starts its geometric mean over them."""
    found = _each(samples, lengths, statistic, least)
    if len(found):
        return float(np.exp(np.mean(found)))
    return max(1.0, float(statistic(np.asarray(samples, np.float64)))) if samples else 1.0


def likely(
    samples: Sequence[int],
    lengths: Sequence[int] = (),
    statistic: Statistic = median,
    seed: int = 0,
    start_spread: float = START_SPREAD,
    least: int = LEAST_SAMPLES,
) -> Samples:
    """What a statistic might have been in other starts of the process: float64 (RESAMPLES,).

    With LEAST_STARTS or more, each of at least `least` samples, it is drawn from Student's t
    about the mean of its logarithms over the starts. With fewer it is a bootstrap of all
    samples, widened by `start_spread`, the standard deviation that one start is taken to have.
    """
    # Other draws than those of the samples, and others for each side.
    random = np.random.default_rng((seed, 7))
    found = _each(samples, lengths, statistic, least)
    n = len(found)
    if n:
        deviation = float(np.std(found, ddof=1)) / n**0.5
        around = np.mean(found) + deviation * random.standard_t(n - 1, RESAMPLES)
        return np.asarray(np.exp(around))
    aside = start_spread / len(split(samples, lengths)) ** 0.5
    wider = np.exp(aside * random.normal(size=RESAMPLES))
    return np.asarray(resampled(samples, statistic, seed) * wider)


def in_words(starts: Sequence[int], disturbed: bool = False) -> str:
    """A sentence about how far the intervals of a comparison hold what starts differ by.

    starts: of the process, for each report. disturbed: other work was in the way of one.
    """
    if min(starts) >= LEAST_STARTS:
        return "The intervals are those over the starts of the process."
    apart = 196 * START_SPREAD * 2**0.5
    more = ", and by more on a busy machine, as here" if disturbed else ""
    return (
        f"Two starts of the same usually differ by up to {apart:.1f} %{more}. The intervals "
        f"hold the {apart:.1f} %; with --starts 5 on both sides they hold what differs here."
    )


def _each(
    samples: Sequence[int], lengths: Sequence[int], statistic: Statistic, least: int
) -> Samples:
    """Logarithm of the statistic of each start; empty where there are too few or too short."""
    starts = split(samples, lengths)
    if len(starts) < LEAST_STARTS or min(map(len, starts)) < least:
        return np.empty(0)
    values = [max(1.0, float(statistic(np.asarray(one, np.float64)))) for one in starts]
    return np.asarray(np.log(values))
