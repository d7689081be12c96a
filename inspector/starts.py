"""Starts of a process: they differ by more than the samples within each of them show."""

import math
from collections.abc import Sequence

import numpy as np

from inspector.resampling import (
    LEAST_SAMPLES,
    RESAMPLES,
    Samples,
    Statistic,
    Times,
    median,
    resampled,
)

# Standard deviation of log medians over starts of the same, of predictions at the processor's
# full pace: 1.0 % for digits and 1.8 % for squeezenet on two cores, where it was 14.8 and
# 3.8 % of all predictions (`python -m benchmarks.verdicts --real 40`).
START_SPREAD = 0.02
# What one start is taken to have, where no others tell: squeezenet's differed by 2.7 to 3.2 %
# at another time on the same cores, and what is too small is a false alarm.
ONE_START_SPREAD = 0.035
LEAST_STARTS, PRIOR_STARTS = 4, 4
ENOUGH_STARTS = 5  # that are advised: with these, it is no number of starts that is missing
# An interval of ±2.5 % finds 5 % nearly always. One that is narrower is made so much wider, but
# not beyond that: 5 % are found all the same, and false alarms become as rare as misses. That
# makes up, too, for turns that end when starts happen to agree, and for starts that are no
# normal draws (`python -m benchmarks.verdicts`: until narrow).
_WIDER, _WIDE = 1.25, 0.025
SURE = 0.03  # an interval that is so wide on either side misses one in ten that differ by 5 %
_DRAWS, _Z = 20_000, 1.96


def split(samples: Times, lengths: Sequence[int]) -> tuple[Times, ...]:
    """The samples of each start; all together where the lengths do not fit them."""
    if len(lengths) < 2 or sum(lengths) != len(samples) or min(lengths) < 1:
        return (samples,)
    ends = np.cumsum(lengths).tolist()
    return tuple(samples[end - length : end] for end, length in zip(ends, lengths, strict=True))


def middle(
    samples: Times,
    lengths: Sequence[int] = (),
    statistic: Statistic = median,
    least: int = LEAST_SAMPLES,
) -> float:
    """A statistic of samples, at least 1; with enough starts its geometric mean over them."""
    found = _each(samples, lengths, statistic, least)
    if len(found):
        return float(np.exp(np.mean(found)))
    return at_least_one(samples, statistic) if len(samples) else 1.0


def at_least_one(samples: Times, statistic: Statistic = median) -> float:
    """A statistic of samples in nanoseconds that has a logarithm."""
    return max(1.0, float(statistic(np.asarray(samples, np.float64))))


def likely(
    samples: Times,
    lengths: Sequence[int] = (),
    statistic: Statistic = median,
    seed: int = 0,
    start_spread: float = ONE_START_SPREAD,
    least: int = LEAST_SAMPLES,
) -> Samples:
    """What a statistic might have been in other starts of the process: float64 (draws,).

    With LEAST_STARTS or more, each of at least `least` samples, it is drawn from Student's t
    about the mean of its logarithms over the starts. With fewer it is a bootstrap of all
    samples, widened by `start_spread`, the standard deviation that one start is taken to have.
    """
    found = _each(samples, lengths, statistic, least)
    n = len(found)
    if n:
        error = float(np.std(found, ddof=1)) / n**0.5
        return _drawn(found, error, seed, _shrunk(n - 1, RESAMPLES))
    aside = start_spread / len(split(samples, lengths)) ** 0.5
    wider = np.exp(aside * _random(seed).normal(size=RESAMPLES))
    return np.asarray(resampled(samples, statistic, seed) * wider)


def likely_both(
    samples: tuple[Times, Times],
    lengths: tuple[Sequence[int], Sequence[int]] = ((), ()),
    statistic: Statistic = median,
    start_spread: float | None = None,
    least: int = LEAST_SAMPLES,
) -> tuple[Samples, Samples]:
    """The same of two sides that are held against each other: a draw of each belongs together.

    With enough starts on both, they are those of `likely_logs`.

    start_spread: None for START_SPREAD there, and for ONE_START_SPREAD with too few starts.
    """
    pair = tuple(zip(samples, lengths, strict=True))
    found = [_each(own, starts, statistic, least) for own, starts in pair]
    if not all(map(len, found)):
        alone = ONE_START_SPREAD if start_spread is None else start_spread
        one, two = (
            likely(own, starts, statistic, seed, alone, least)
            for seed, (own, starts) in enumerate(pair)
        )
        return one, two
    prior = START_SPREAD if start_spread is None else start_spread
    return likely_logs((found[0], found[1]), prior)


def likely_logs(
    found: tuple[Samples, Samples], start_spread: float = START_SPREAD
) -> tuple[Samples, Samples]:
    """The same from the logarithms of a statistic of each start, enough of them on both sides.

    The difference of their means is Student's t with the degrees of freedom of Welch
    (Biometrika 34, 1947, p. 28), at most twice those of the side with fewer, which finds more
    than two sides that know nothing of each other. Starts that happen to agree are not believed
    to: their variance is drawn towards `start_spread`, as if that had been seen in PRIOR_STARTS
    more. One above it is taken as it is, so that the rate of false alarms holds for any. Narrow
    ones are made wider, up to ±2.5 % (see _WIDER).
    """
    free = [len(each) - 1 for each in found]
    errors = [_variance(each, start_spread) / len(each) for each in found]
    parts = sum(error**2 / own for error, own in zip(errors, free, strict=True))
    welch = sum(errors) ** 2 / parts if parts else sum(free)
    own_free = min(welch, 2 * min(free))
    wider, shared = _wider(student(own_free) * sum(errors) ** 0.5), _shrunk(own_free, _DRAWS)
    one, two = (
        _drawn(each, wider * error**0.5, seed, shared)
        for seed, (each, error) in enumerate(zip(found, errors, strict=True))
    )
    return one, two


def student(free: float) -> float:
    """Where the middle 95 % of Student's t with so many degrees of freedom, 3 or more, end.

    Cornish and Fisher's expansion (Abramowitz and Stegun, 26.7.5).
    """
    z, one = _Z, 1 / free
    return (
        z
        + (z**3 + z) / 4 * one
        + (5 * z**5 + 16 * z**3 + 3 * z) / 96 * one**2
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384 * one**3
    )


def widened(half: float) -> float:
    """Half of an interval, as a logarithm, as wide as it is to be told (see _WIDER)."""
    return half * _wider(half)


def _wider(half: float) -> float:
    """How much wider an interval is made that is so wide on either side, as a logarithm."""
    return min(_WIDER, max(1.0, _WIDE / half)) if half else _WIDER


def _variance(logs: Samples, start_spread: float) -> float:
    """Of one start, drawn up to what is taken for it."""
    seen, free = float(np.var(logs, ddof=1)), len(logs) - 1
    drawn = (free * seen + PRIOR_STARTS * start_spread**2) / (free + PRIOR_STARTS)
    return max(seen, drawn)


def _drawn(logs: Samples, error: float, seed: int, shrunk: Samples) -> Samples:
    """Draws about the mean of logarithms: normal ones, over those of its standard error.

    Each has its mirror image, so that few make a steady interval.
    """
    half = _random(seed).normal(size=len(shrunk) // 2)
    return np.asarray(np.exp(np.mean(logs) + error * np.concatenate((half, -half)) / shrunk))


def _shrunk(free: float, draws: int) -> Samples:
    """What a standard error with so many degrees of freedom may be too small by."""
    half = np.random.default_rng(11).chisquare(free, draws // 2)
    return np.asarray(np.sqrt(np.concatenate((half, half)) / free))


def _random(seed: int) -> np.random.Generator:
    """Other draws than those of the samples, and others for each side."""
    return np.random.default_rng((seed, 7))


def in_words(
    starts: Sequence[int],
    disturbed: bool = False,
    unsure: float | None = None,
    measured: Sequence[int] = (),
) -> str:
    """Sentences about how far the intervals of a comparison hold what starts differ by.

    starts: of the process, for each report, that numbers are taken from. disturbed: other work
    was in the way of one. unsure: half of the widest interval around no difference, as a share;
    None of none. measured: starts that there were, more where some never reached full pace.
    """
    if min(starts) >= LEAST_STARTS:
        known = "The intervals are those over the starts of the process."
        if unsure is None or unsure <= SURE:
            return known
        needed = math.ceil(min(starts) * (unsure / SURE) ** 2)
        return (
            f"{known} At ±{100 * unsure:.1f} % they may miss a difference of 5 %: that takes "
            f"about {needed} starts on both sides (--starts {needed}), or inspector measure "
            "NEW --against OLD, which takes turns until it is told."
        )
    apart = 196 * ONE_START_SPREAD * 2**0.5
    more = ", and by more on a busy machine, as here" if disturbed else ""
    if min(measured, default=0) >= ENOUGH_STARTS:
        few, among = min(zip(starts, measured, strict=True))
        return (
            f"Of {among} starts only {few} had enough predictions at the processor's full "
            f"pace, and it takes {LEAST_STARTS} to see what starts differ by. Two of the same "
            f"are taken to differ by up to {apart:.1f} %, so that 5 % are hardly ever found. "
            "A machine with nothing else to do helps, and inspector measure NEW --against OLD "
            "takes turns until 5 % are told."
        )
    return (
        f"Two starts of the same usually differ by up to {apart:.1f} %{more}. The intervals "
        f"hold the {apart:.1f} %, so that 5 % are hardly ever found; with --starts "
        f"{ENOUGH_STARTS} on both sides they hold what differs here, and smaller differences "
        "are found, of layers as well, and inspector measure NEW --against OLD takes turns "
        "until 5 % are told."
    )


def _each(samples: Times, lengths: Sequence[int], statistic: Statistic, least: int) -> Samples:
    """Logarithm of the statistic of each start; empty where there are too few or too short."""
    starts = split(samples, lengths)
    if len(starts) < LEAST_STARTS or min(map(len, starts)) < least:
        return np.empty(0)
    return np.asarray(np.log([at_least_one(one, statistic) for one in starts]))
