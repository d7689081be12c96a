"""Process starts: the scatter between starts exceeds the scatter of samples within one."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from inspector.statistics.intervals import (
    MIN_SAMPLES,
    Z_95,
    Interval,
    Samples,
    Statistic,
    Times,
    median,
    student_t_95,
)
from inspector.wording.values import Count, Real, Sentence

# Standard deviation of log medians over process starts of one model, of predictions at full CPU
# speed: 1.0% for digits and 1.8% for squeezenet on two cores; of all predictions it was 14.8
# and 3.8% (`python -m benchmarks.verdicts --real 40`).
START_SPREAD = 0.02
# Assumed for a single start, whose own spread cannot be seen: squeezenet's starts differed by
# 2.7 to 3.2% at another time on the same cores, and a value too small gives false alarms.
SINGLE_START_SPREAD = 0.035
# Starts from which on their own scatter is used, and how many starts the prior counts for.
MIN_STARTS = 4
PRIOR_STARTS = 4
RECOMMENDED_STARTS = 5  # that messages advise: more than MIN_STARTS, so that one may fail
# An interval of +-2.5% detects 5% nearly always. A narrower one is widened by up to 1.25, but
# not beyond +-2.5%: 5% is still detected, and false alarms become as rare as misses. This
# also covers sequential stopping when starts happen to agree, and starts that are not normally
# distributed (`python -m benchmarks.verdicts`: until narrow).
_MAX_WIDENING = 1.25
_TARGET_HALF_WIDTH = 0.025
# Half-width at which one in ten differences of 5% is missed.
DETECTABLE_HALF_WIDTH = 0.03


def split_starts(samples: Times, lengths: Sequence[int]) -> tuple[Times, ...]:
    """Return the samples of each start; all as one start where the lengths do not fit."""
    if len(lengths) < 2 or sum(lengths) != len(samples) or min(lengths) < 1:
        return (samples,)
    ends = np.cumsum(lengths).tolist()
    return tuple(samples[end - length : end] for end, length in zip(ends, lengths, strict=True))


def pooled_statistic(
    samples: Times,
    lengths: Sequence[int] = (),
    statistic: Statistic = median,
    least: int = MIN_SAMPLES,
) -> float:
    """Return a statistic, at least 1; with enough starts its geometric mean over them."""
    logs = _start_logs(samples, lengths, statistic, least)
    if len(logs):
        return float(np.exp(np.mean(logs)))
    return positive_statistic(samples, statistic) if len(samples) else 1.0


def positive_statistic(samples: Times, statistic: Statistic = median) -> float:
    """Return a statistic of samples in nanoseconds, at least 1, so that its log exists."""
    return max(1.0, float(statistic(np.asarray(samples, np.float64))))


def statistic_interval(
    samples: Times,
    lengths: Sequence[int] = (),
    statistic: Statistic = median,
    start_spread: float = SINGLE_START_SPREAD,
    least: int = MIN_SAMPLES,
) -> Interval | None:
    """Return the 95% interval of a statistic over other process starts; None of few samples.

    With MIN_STARTS or more, each of at least `least` samples, it is Student's t about the mean
    of its logarithms over the starts. With fewer it is the interval of all samples, widened by
    `start_spread`, the standard deviation that one start is taken to have.
    """
    logs = _start_logs(samples, lengths, statistic, least)
    if len(logs):
        center = float(np.mean(logs))
        half = student_t_95(len(logs) - 1) * float(np.std(logs, ddof=1)) / len(logs) ** 0.5
        return math.exp(center - half), math.exp(center + half)
    within = _log_interval(samples, statistic)
    if within is None:
        return None
    low, center, high = within
    spread = Z_95 * start_spread / len(split_starts(samples, lengths)) ** 0.5
    return (
        math.exp(center - math.hypot(center - low, spread)),
        math.exp(center + math.hypot(high - center, spread)),
    )


def over_processes(value: float, ends: Interval, processes: int = 1) -> Interval:
    """Return an interval within few processes as one over others, by SINGLE_START_SPREAD.

    As an interval of logarithms: the spread of processes is added on both sides as the root of
    the sum of squares.
    """
    spread = Z_95 * SINGLE_START_SPREAD / processes**0.5
    low, high = (abs(math.log(end / value)) for end in ends)
    half = math.hypot(low, spread), math.hypot(high, spread)
    return value * math.exp(-half[0]), value * math.exp(half[1])


def ratio_interval(
    samples: tuple[Times, Times],
    lengths: tuple[Sequence[int], Sequence[int]] = ((), ()),
    statistic: Statistic = median,
    start_spread: float | None = None,
    least: int = MIN_SAMPLES,
) -> Interval | None:
    """Return the 95% interval of the second side's statistic over the first's, or None.

    With enough starts on both sides it is that of `ratio_interval_of_logs`. With fewer, the
    intervals of both sides and the spread of their starts are combined as the square root of
    the sum of squares, each on its own side of the ratio (the method of variance estimates
    recovery: Zou and Donner, Statistics in Medicine 27, 2008, p. 1693).

    start_spread: None for START_SPREAD there, and for SINGLE_START_SPREAD with too few starts.
    """
    pair = tuple(zip(samples, lengths, strict=True))
    logs = [_start_logs(own, starts, statistic, least) for own, starts in pair]
    if all(map(len, logs)):
        prior = START_SPREAD if start_spread is None else start_spread
        return ratio_interval_of_logs((logs[0], logs[1]), prior)
    first, other = (_log_interval(own, statistic) for own in samples)
    if first is None or other is None:
        return None
    single_spread = SINGLE_START_SPREAD if start_spread is None else start_spread
    counts = [len(split_starts(own, starts)) for own, starts in pair]
    spread = Z_95 * single_spread * sum(1 / count for count in counts) ** 0.5
    center = other[1] - first[1]
    below = math.hypot(other[1] - other[0], first[2] - first[1], spread)
    above = math.hypot(other[2] - other[1], first[1] - first[0], spread)
    return math.exp(center - below), math.exp(center + above)


def ratio_interval_of_logs(
    logs: tuple[Samples, Samples], start_spread: float = START_SPREAD
) -> Interval:
    """Return the 95% interval of a ratio from the log statistic of each start on both sides.

    The difference of their means is Student's t with the degrees of freedom of Welch
    (Biometrika 34, 1947, p. 28), at most twice those of the side with fewer, which finds more
    than two sides that know nothing of each other. Starts that happen to agree are not believed
    to: their variance is drawn towards `start_spread`, as if that had been seen in PRIOR_STARTS
    more (see `shrunk_variance`). Narrow intervals are widened (see _MAX_WIDENING).
    """
    free = [len(each) - 1 for each in logs]
    errors = [_variance(each, start_spread) / len(each) for each in logs]
    parts = sum(error**2 / own for error, own in zip(errors, free, strict=True))
    welch = sum(errors) ** 2 / parts if parts else sum(free)
    half = widen(student_t_95(min(welch, 2 * min(free))) * sum(errors) ** 0.5)
    center = float(np.mean(logs[1]) - np.mean(logs[0]))
    return math.exp(center - half), math.exp(center + half)


def widen(half: float) -> float:
    """Return half of an interval, as a logarithm, after widening (see _MAX_WIDENING)."""
    return half * _widening_factor(half)


def _widening_factor(half: float) -> float:
    """Return the factor by which an interval with this half-width (a log) is widened."""
    return min(_MAX_WIDENING, max(1.0, _TARGET_HALF_WIDTH / half)) if half else _MAX_WIDENING


def shrunk_variance(observed: Any, degrees: int, prior_spread: float) -> Any:
    """Return a variance over starts that is raised towards a prior, never lowered.

    Few starts that happen to agree underestimate their scatter: the prior spread counts as if
    it had been seen in PRIOR_STARTS more starts. A variance above it is used as it is, so that
    the false alarm rate holds for any scatter. observed: a number, or one of each column.
    """
    prior = PRIOR_STARTS * prior_spread**2
    pooled = (degrees * observed + prior) / (degrees + PRIOR_STARTS)
    return np.maximum(observed, pooled)


def _variance(logs: Samples, start_spread: float) -> float:
    return float(shrunk_variance(np.var(logs, ddof=1), len(logs) - 1, start_spread))


def precision_advice(
    starts: Sequence[int],
    disturbed: bool = False,
    half_width: float | None = None,
    measured: Sequence[int] = (),
) -> str:
    """Return sentences about what the intervals of a comparison can detect.

    starts: of the process, for each report, that numbers are taken from. disturbed: other work
    was in the way of one. half_width: half of the widest interval around no difference, as a
    share, if there is one. measured: starts that there were, more where some never reached full
    pace.
    """
    against: str = (
        "or `inspector measure NEW --against OLD`, which alternates between the two models "
        "until the interval is narrow enough."
    )
    if min(starts) >= MIN_STARTS:
        sentence = "The intervals include the measured variation between processes."
        if half_width is None or half_width <= DETECTABLE_HALF_WIDTH:
            return sentence
        needed = math.ceil(min(starts) * (half_width / DETECTABLE_HALF_WIDTH) ** 2)
        return Sentence(
            "{sentence} At ±{percent}% they may miss a change of 5%. "
            "Measure both models with --processes {needed}, {against}",
            sentence,
            Real(round(100 * half_width, 1)),
            Count(needed),
            against,
        )
    difference = Real(round(100 * Z_95 * SINGLE_START_SPREAD * 2**0.5, 1))
    if min(measured, default=0) >= RECOMMENDED_STARTS:
        usable, total = min(zip(starts, measured, strict=True))
        return Sentence(
            "Only {usable} of {total} processes had enough runs at full CPU speed, and "
            "{needed} are needed to measure the variation between processes. It is "
            "assumed to be {difference}%, so a 5% change cannot be detected. Close "
            "other programs and measure again, {against}",
            Count(usable),
            Count(total),
            Count(MIN_STARTS),
            difference,
            against,
        )
    busy = " on an idle machine, and by more on a busy one, as here" if disturbed else ""
    return Sentence(
        "Two processes running the same model typically differ by up to {difference}%{busy}. "
        "One process per model cannot detect a 5% change. Measure both models with "
        "--processes {recommended_starts}, {against}",
        difference,
        busy,
        Count(RECOMMENDED_STARTS),
        against,
    )


def _log_interval(samples: Times, statistic: Statistic) -> tuple[float, float, float] | None:
    """Return the logarithms of a statistic's interval and, between its ends, of itself."""
    ends = statistic.interval(samples)
    if ends is None:
        return None
    low, high = (math.log(max(1.0, end)) for end in ends)
    center = math.log(positive_statistic(samples, statistic))
    return min(low, center), center, max(high, center)


def _start_logs(
    samples: Times, lengths: Sequence[int], statistic: Statistic, least: int
) -> Samples:
    """Return the log statistic of each start; empty where they are too few or too short."""
    starts = split_starts(samples, lengths)
    if len(starts) < MIN_STARTS or min(map(len, starts)) < least:
        return np.empty(0)
    return np.asarray(np.log([positive_statistic(one, statistic) for one in starts]))
