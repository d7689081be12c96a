"""The verdict on two measurements: is a difference of their times significant?

The only implementation: reports, interleaved runs and pooled process starts all end here. They
differ only in how they compute the interval of the ratio. See docs/method.md.
"""

import math
from collections.abc import Sequence
from enum import StrEnum

import numpy as np

from inspector import units
from inspector.platform.data_struct import DataStruct
from inspector.statistics.cpu_speed import CountedPredictions
from inspector.statistics.intervals import MIN_SAMPLES, Samples, Statistic, Times, median
from inspector.statistics.process_starts import (
    pooled_statistic,
    ratio_interval,
    ratio_interval_of_logs,
)
from inspector.wording.values import Sentence, joined

# Smallest difference that is reported, as a share: less is of no use, however significant.
MIN_EFFECT = 0.01
# "No change" requires the whole 95% interval of the ratio to lie within this margin, and the
# verdict names the bound that it lies within. One start per side leaves +-9.7%
# (SINGLE_START_SPREAD): equal models can be called equal, one that may be 20% slower cannot.
EQUIVALENCE_MARGIN = 0.15


class Verdict(StrEnum):
    """The verdict on whether the medians of two reports differ."""

    FASTER = "faster"
    SLOWER = "slower"
    SAME = "no difference"
    UNDECIDED = "too few runs to tell"
    PACE = "undecided: too few runs at full CPU speed"
    NOISY = "undecided: too noisy to tell"
    CONTRADICTED = "undecided: estimates contradict each other"

    @property
    def label(self) -> str:
        """Return the verdict as people read it."""
        return verdict_label(self.value)


# How people read the stored values. Those are of earlier versions: scripts and saved files rely
# on them.
_LABELS = {
    Verdict.SAME: "no change",
    Verdict.UNDECIDED: "inconclusive: too few runs",
    Verdict.PACE: "inconclusive: too few runs at full CPU speed",
    Verdict.NOISY: "inconclusive: too noisy",
    Verdict.CONTRADICTED: "inconclusive: estimates contradict each other",
}


def verdict_label(value: str) -> str:
    """Return a stored verdict as people read it: "no change", "inconclusive: too noisy"."""
    return _LABELS.get(Verdict(value), value) if value in set(Verdict) else value


class RatioVerdict(DataStruct, frozen=True):
    """The ratio of a statistic to that of the first report, with a 95% interval and verdict.

    ratio: with enough starts on a side, of the mean over its starts. low, high: None when
    there are too few samples for an interval. reason: why estimates contradict each other, a
    sentence; else empty.
    """

    verdict: Verdict
    ratio: float
    low: float | None
    high: float | None
    reason: str = ""

    @property
    def half_width(self) -> float | None:
        """Half of the interval, as a share of the ratio; None without one."""
        if self.low is None or self.high is None:
            return None
        return (self.high - self.low) / 2 / self.ratio

    @property
    def decided(self) -> bool:
        """Whether there is a difference, or none beyond `bound`."""
        return self.verdict in (Verdict.FASTER, Verdict.SLOWER, Verdict.SAME)

    @property
    def bound(self) -> float | None:
        """The largest change, as a share, that the interval leaves open; None without one."""
        if self.low is None or self.high is None or self.low <= 0:
            return None
        return max(self.high, 1 / self.low) - 1

    @property
    def bound_percent(self) -> str:
        """Return `bound` in whole percent, rounded up, at least 1; "" without one."""
        if self.bound is None:
            return ""
        return str(max(1, math.ceil(round(100 * self.bound, 6))))  # 1.06 - 1 is a bit more

    @property
    def label(self) -> str:
        """Return the verdict in a few words: "slower", "no change beyond 6%"."""
        if self.verdict is Verdict.SAME and self.bound is not None:
            return Sentence("no change beyond {max}%", self.bound_percent)
        return self.verdict.label

    @property
    def interval_text(self) -> str:
        """Return the interval as the verdict states the ratio, or "".

        "95% CI 3.0% to 5.4%" slower or faster, "95% CI 17.1× to 20.3×", and with signs where
        the verdict has no direction: "95% CI −1.9% to +3.0%".
        """
        if self.low is None or self.high is None:
            return ""
        low, high = self._ends(self.low, self.high)
        return Sentence("95% CI {low} to {high}", low, high)

    def _ends(self, low: float, high: float) -> tuple[str, str]:
        if not self._has_direction or min(low, high) <= 0 or low <= 1 <= high:
            return units.change(low), units.change(high)
        slower = self.ratio > 1
        if units.apart(self.ratio).endswith("×"):
            factors = (low, high) if slower else (1 / high, 1 / low)
            return f"{units.significant(factors[0])}×", f"{units.significant(factors[1])}×"
        # 1 + how much more or less it is, written without its sign
        more = (low, high) if slower else (2 - high, 2 - low)
        return units.change(more[0]).lstrip("+"), units.change(more[1]).lstrip("+")

    @property
    def _has_direction(self) -> bool:
        return self.verdict in (Verdict.FASTER, Verdict.SLOWER)

    def change(self, than: str = "") -> str:
        """Return the ratio in words, without its interval: "4.2% slower than A"."""
        ratio = units.apart(self.ratio)
        template = "{ratio} faster{than}" if self.ratio < 1 else "{ratio} slower{than}"
        return Sentence(template, ratio, than)

    def text(self, than: str = "", explained: bool = True) -> str:
        """Return the verdict in a line: "4.2% slower (95% CI 3.0% to 5.4%)".

        The ratio is named only with its interval, and where the verdict is that there is a
        difference. than: names what the ratio is relative to, " than A". explained: with the
        reason, if there is one.
        """
        text = self.label
        if self._has_direction:
            numbered = bool(self.interval_text)
            text = self.change(than) if numbered else joined(text, than, separator="")
        if self.interval_text:
            text = Sentence("{text} ({interval})", text, self.interval_text)
        return joined(text, self.reason if explained else "", separator="; ")


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
    """Return the verdict without an interval: too few runs, or the CPU was slow.

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

    The 95% interval of their ratio is that of `ratio_interval`. A difference counts when the
    interval leaves out 1 and the ratio is at least 1% away from it. Where it does not, there is
    no change if the interval is within EQUIVALENCE_MARGIN, else nobody can tell.
    """
    sides = tuple(zip((first, other), lengths, strict=True))
    statistics = [pooled_statistic(samples, own, statistic, least) for samples, own in sides]
    ratio = statistics[1] / statistics[0] if len(first) and len(other) else 1.0
    if min(len(first), len(other)) < MIN_SAMPLES:
        return RatioVerdict(Verdict.UNDECIDED, ratio, None, None)
    ends = ratio_interval((first, other), lengths, statistic, start_spread, least)
    if ends is None:  # a percentile that the samples do not enclose
        return RatioVerdict(Verdict.UNDECIDED, ratio, None, None)
    return verdict_for_interval(ratio, *ends)


def compare_start_logs(first: Samples, other: Samples) -> RatioVerdict:
    """Return the verdict from the log statistic of each start, MIN_STARTS or more."""
    ratio = float(np.exp(np.mean(other))) / float(np.exp(np.mean(first)))
    return verdict_for_interval(ratio, *ratio_interval_of_logs((first, other)))


def verdict_for_interval(ratio: float, low: float | None, high: float | None) -> RatioVerdict:
    """Return the verdict for a ratio with its 95% interval; without one, it is inconclusive."""
    if low is None or high is None:
        return RatioVerdict(Verdict.NOISY, ratio, low, high)
    if low <= 1 <= high or abs(ratio - 1) < MIN_EFFECT:
        equivalent = max(high, 1 / low) <= 1 + EQUIVALENCE_MARGIN if low > 0 else False
        return RatioVerdict(Verdict.SAME if equivalent else Verdict.NOISY, ratio, low, high)
    return RatioVerdict(Verdict.SLOWER if ratio > 1 else Verdict.FASTER, ratio, low, high)
