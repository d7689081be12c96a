"""Whether two sets of samples differ, or only seem to."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from inspector.pace import Paced
from inspector.resampling import LEAST_SAMPLES, Samples, Statistic, Times, interval, median
from inspector.starts import likely_both, likely_logs, middle

LEAST_EFFECT = 0.01
# "No difference" is said only where the whole 95 % interval of the ratio is within this. One
# start of the process per side leaves ±9.7 % (`starts.ONE_START_SPREAD`), so that equal models
# can be called so, and what may be 20 % slower cannot.
SAME_WITHIN = 0.15


class Verdict(StrEnum):
    """What the samples of two reports allow to say about their medians."""

    FASTER = "faster"
    SLOWER = "slower"
    SAME = "no difference"
    UNDECIDED = "too few predictions to tell"
    PACE = "undecided: the processor ran slower"
    NOISY = "undecided: too noisy to tell"


@dataclass(frozen=True, slots=True)
class Judgement:
    """Median (or what else) of one report over that of the first, with a 95 % interval.

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


def judge_paced(
    sides: tuple[Paced, Paced],
    statistic: Statistic = median,
    least: int = LEAST_SAMPLES,
    processor: bool = False,
) -> Judgement:
    """Judge predictions at equal pace, or their processor time; undecided without enough."""
    first, other = (side.cpu_ns if processor else side.samples_ns for side in sides)
    lengths = sides[0].lengths, sides[1].lengths
    if all(side.enough for side in sides):
        return judge(first, other, statistic, lengths, least=least)
    ratio = middle(other, lengths[1], statistic) / middle(first, lengths[0], statistic)
    few = min(len(first), len(other)) < LEAST_SAMPLES
    return Judgement(Verdict.UNDECIDED if few else Verdict.PACE, ratio, None, None)


def judge(
    first: Times,
    other: Times,
    statistic: Statistic = median,
    lengths: tuple[Sequence[int], Sequence[int]] = ((), ()),
    start_spread: float | None = None,
    least: int = LEAST_SAMPLES,
) -> Judgement:
    """Tell whether a statistic of two sets of samples in nanoseconds differs: their medians.

    lengths: samples of each start of the process, on both sides; empty for one start.
    start_spread: what starts are taken to differ by where there are too few to see it, None
    for what `starts` says; 0 for samples of one process. least: samples that it takes.

    The 95 % interval of their ratio is that of `starts.likely_both`. A difference counts when
    the interval leaves out 1 and the ratio is at least 1 % away from it. Where it does not,
    they are the same if the interval is within SAME_WITHIN, else nobody can tell.
    """
    sides = tuple(zip((first, other), lengths, strict=True))
    middles = [middle(samples, own, statistic, least) for samples, own in sides]
    ratio = middles[1] / middles[0] if len(first) and len(other) else 1.0
    if min(len(first), len(other)) < LEAST_SAMPLES:
        return Judgement(Verdict.UNDECIDED, ratio, None, None)
    one, two = likely_both((first, other), lengths, statistic, start_spread, least)
    return _verdict(ratio, one, two)


def judge_logs(first: Samples, other: Samples) -> Judgement:
    """The same from the logarithms of a statistic of each start, of LEAST_STARTS or more."""
    ratio = float(np.exp(np.mean(other))) / float(np.exp(np.mean(first)))
    return _verdict(ratio, *likely_logs((first, other)))


def judge_ratio(ratio: float, draws: Samples) -> Judgement:
    """The same of a ratio that is known beside what it might have been, float64 (draws,)."""
    return _verdict(ratio, np.ones(1), draws)


def _verdict(ratio: float, first: Samples, other: Samples) -> Judgement:
    """What draws of both sides, that belong together, say about a ratio."""
    low, high = interval(other / first)
    if low <= 1 <= high or abs(ratio - 1) < LEAST_EFFECT:
        same = max(high, 1 / low) <= 1 + SAME_WITHIN if low > 0 else False
        return Judgement(Verdict.SAME if same else Verdict.NOISY, ratio, low, high)
    return Judgement(Verdict.SLOWER if ratio > 1 else Verdict.FASTER, ratio, low, high)
