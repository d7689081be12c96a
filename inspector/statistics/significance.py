"""The verdict on two measurements: is a difference of their times significant?

The only implementation: reports, interleaved runs and pooled process starts all end here. They
differ only in how they draw the distribution of the ratio. See docs/method.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from inspector.statistics.bootstrap import (
    MIN_SAMPLES,
    Samples,
    Statistic,
    Times,
    confidence_interval,
    median,
)
from inspector.statistics.cpu_speed import CountedPredictions
from inspector.statistics.process_starts import (
    joint_distributions,
    joint_distributions_of_logs,
    pooled_statistic,
)

# Smallest difference that is reported, as a share: less is of no use, however significant.
MIN_EFFECT = 0.01
# "No difference" requires the whole 95% interval of the ratio to lie within this margin. One
# start per side leaves +-9.7% (SINGLE_START_SPREAD), so that equal models can be called equal
# and one that may be 20% slower cannot.
EQUIVALENCE_MARGIN = 0.15


class Verdict(StrEnum):
    """The verdict on whether the medians of two reports differ."""

    FASTER = "faster"
    SLOWER = "slower"
    SAME = "no difference"
    UNDECIDED = "too few predictions to tell"
    PACE = "undecided: too few predictions at full CPU speed"
    NOISY = "undecided: too noisy to tell"

    @property
    def label(self) -> str:
        """Return the verdict as people read it."""
        return verdict_label(self.value)


def verdict_label(value: str) -> str:
    """Return a stored verdict as people read it: "within noise", "inconclusive: too noisy".

    The stored values are those of earlier versions, which scripts and saved files rely on.
    """
    labels = {Verdict.SAME: "within noise", Verdict.UNDECIDED: "undecided: too few predictions"}
    label = labels.get(Verdict(value), value) if value in set(Verdict) else value
    label = label.removesuffix(" to tell").replace("undecided", "inconclusive")
    return label.replace("predictions", "runs")


@dataclass(frozen=True, slots=True)
class RatioVerdict:
    """The ratio of a statistic to that of the first report, with a 95% interval and verdict.

    ratio: with enough starts on a side, of the mean over its starts. low, high: None when
    there are too few samples for an interval.
    """

    verdict: Verdict
    ratio: float
    low: float | None
    high: float | None

    @property
    def half_width(self) -> float | None:
        """Half of the interval, as a share of the ratio; None without one."""
        if self.low is None or self.high is None:
            return None
        return (self.high - self.low) / 2 / self.ratio


def compare_counted(
    sides: tuple[CountedPredictions, CountedPredictions],
    statistic: Statistic = median,
    least: int = MIN_SAMPLES,
    processor: bool = False,
) -> RatioVerdict:
    """Return the verdict on predictions at equal CPU speed, or on their CPU time."""
    first, other = (
        predictions.cpu_ns if processor else predictions.samples_ns for predictions in sides
    )
    lengths = sides[0].lengths, sides[1].lengths
    if all(predictions.enough for predictions in sides):
        return compare_samples(first, other, statistic, lengths, least=least)
    ratio = pooled_statistic(other, lengths[1], statistic) / pooled_statistic(
        first, lengths[0], statistic
    )
    return undecided(ratio, min(len(first), len(other)))


def undecided(ratio: float, fewest: int) -> RatioVerdict:
    """Return the verdict without an interval: too few predictions, or the CPU was slow.

    fewest: predictions of the side that has fewer.
    """
    few = fewest < MIN_SAMPLES
    return RatioVerdict(Verdict.UNDECIDED if few else Verdict.PACE, ratio, None, None)


def compare_samples(
    first: Times,
    other: Times,
    statistic: Statistic = median,
    lengths: tuple[Sequence[int], Sequence[int]] = ((), ()),
    start_spread: float | None = None,
    least: int = MIN_SAMPLES,
) -> RatioVerdict:
    """Return the verdict on a statistic of two sets of samples in nanoseconds.

    lengths: samples of each start of the process, on both sides; empty for one start.
    start_spread: standard deviation assumed for starts where too few show it; None for the
    constants of `process_starts`, 0 for samples of one process. least: samples required.

    The 95% interval of their ratio is that of `joint_distributions`. A difference counts when
    the interval leaves out 1 and the ratio is at least 1% away from it. Where it does not,
    they are the same if the interval is within EQUIVALENCE_MARGIN, else nobody can tell.
    """
    sides = tuple(zip((first, other), lengths, strict=True))
    statistics = [pooled_statistic(samples, own, statistic, least) for samples, own in sides]
    ratio = statistics[1] / statistics[0] if len(first) and len(other) else 1.0
    if min(len(first), len(other)) < MIN_SAMPLES:
        return RatioVerdict(Verdict.UNDECIDED, ratio, None, None)
    first_draws, other_draws = joint_distributions(
        (first, other), lengths, statistic, start_spread, least
    )
    return _verdict_from_draws(ratio, first_draws, other_draws)


def compare_start_logs(first: Samples, other: Samples) -> RatioVerdict:
    """Return the verdict from the log statistic of each start, MIN_STARTS or more."""
    ratio = float(np.exp(np.mean(other))) / float(np.exp(np.mean(first)))
    return _verdict_from_draws(ratio, *joint_distributions_of_logs((first, other)))


def verdict_for_ratio(ratio: float, draws: Samples) -> RatioVerdict:
    """Return the verdict for a ratio given draws of its distribution: float64 (draws,)."""
    return _verdict_from_draws(ratio, np.ones(1), draws)


def _verdict_from_draws(ratio: float, first: Samples, other: Samples) -> RatioVerdict:
    """Return the verdict for a ratio from paired draws of both sides."""
    return verdict_for_interval(ratio, *confidence_interval(other / first))


def verdict_for_interval(ratio: float, low: float | None, high: float | None) -> RatioVerdict:
    """Return the verdict for a ratio with its 95% interval; without one, it is inconclusive."""
    if low is None or high is None:
        return RatioVerdict(Verdict.NOISY, ratio, low, high)
    if low <= 1 <= high or abs(ratio - 1) < MIN_EFFECT:
        equivalent = max(high, 1 / low) <= 1 + EQUIVALENCE_MARGIN if low > 0 else False
        return RatioVerdict(Verdict.SAME if equivalent else Verdict.NOISY, ratio, low, high)
    return RatioVerdict(Verdict.SLOWER if ratio > 1 else Verdict.FASTER, ratio, low, high)
