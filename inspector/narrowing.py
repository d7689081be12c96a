"""When two measurements in turns have told enough: their ratio is known narrowly.

The rule looks at the width of the interval alone. One that looked at the verdict would go on
until chance makes a difference.
"""

from dataclasses import dataclass

from inspector import units
from inspector.paired import judge_medians
from inspector.report import PerformanceReport


@dataclass(frozen=True, slots=True)
class Goal:
    """How narrow the interval is to become, and what ends it before that.

    half_width: half of the 95 % interval of the ratio of predictions, as a share of it: less
    than the ±2.5 % up to which narrow intervals are made wider, so that it is reached by those
    that would be ±1.9 %. A difference of 5 % is then hardly ever missed. starts: on each side,
    at most, of those that had enough predictions at the processor's full pace; the others tell
    nothing, and use up no more than as many again. seconds: after the starts that are always
    measured; no turn begins later.
    """

    half_width: float = 0.024
    starts: int = 20
    seconds: float = 120.0

    def given_up(self, starts: int, at_full: int) -> bool:
        """Whether so many starts on each side, so many of them at full pace, are the most."""
        return at_full >= self.starts or starts >= 2 * self.starts


def half_width(first: PerformanceReport, other: PerformanceReport) -> float | None:
    """Half of the 95 % interval of the ratio as a comparison finds it, as a share of the ratio.

    None without an interval: too few predictions ran at the processor's full pace.
    """
    return judge_medians(first, other).half_width


def in_words(first: PerformanceReport, other: PerformanceReport, goal: Goal) -> str:
    """A sentence about how many starts were taken and how wide the interval is."""
    starts, found = len(first.start_lengths) or 1, half_width(first, other)
    taken = f"Measured in turns, {units.plural(starts, 'start')} a side"
    if found is None:
        return f"{taken}: too few predictions at the processor's full pace for an interval."
    if found <= goal.half_width:
        return f"{taken}: the ratio is known to ±{100 * found:.1f} %."
    return (
        f"{taken}: the ratio is still known to ±{100 * found:.2f} % only, not to "
        f"±{100 * goal.half_width:g} %. --starts {2 * starts} goes on."
    )
