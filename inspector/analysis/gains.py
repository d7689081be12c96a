"""Whether other settings are faster, judged over several starts of the process."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from inspector.judge import LEAST_EFFECT, Verdict
from inspector.resampling import RESAMPLES, interval, resampled
from inspector.starts import student
from inspector.sweep import Round

LEAST_STARTS = 4
_Z = 1.96


@dataclass(frozen=True, slots=True)
class Gain:
    """Median prediction of one over that of the first, with a 95 % interval.

    starts: processes on each side that had their say. low, high: None with too few of them.
    """

    ratio: float
    low: float | None
    high: float | None
    starts: int
    verdict: Verdict

    @property
    def faster(self) -> float:
        """How much less time it takes, as a share: 0.25 is a quarter less."""
        return 1 - self.ratio


def gain(first: Sequence[Sequence[int]], other: Sequence[Sequence[int]]) -> Gain:
    """Hold the runs of some settings against those of the first, process by process.

    first, other: samples in nanoseconds, one sequence for each start of a process, taken in
    turns. Starts differ by more than their samples show, so the bootstrap draws starts, then
    predictions in them, and is widened for how few starts there are: by Student's t over the
    normal quantile, and by the bias of a bootstrap over so few.
    """
    starts = min(len(first), len(other))
    if not starts or not all(map(len, (*first, *other))):
        return Gain(1.0, None, None, 0, Verdict.UNDECIDED)
    logs = [np.array([np.log(np.median(s)) for s in each[:starts]]) for each in (first, other)]
    ratio = float(np.exp(np.mean(logs[1] - logs[0])))
    if starts < LEAST_STARTS:
        return Gain(ratio, None, None, starts, Verdict.UNDECIDED)
    around = _drawn(other[:starts], 1) - _drawn(first[:starts], 2)
    widened = np.log(ratio) + (around - np.mean(around)) * _widening(starts)
    low, high = (float(edge) for edge in np.exp(interval(widened)))
    if low <= 1 <= high or abs(ratio - 1) < LEAST_EFFECT:
        return Gain(ratio, low, high, starts, Verdict.SAME)
    verdict = Verdict.SLOWER if ratio > 1 else Verdict.FASTER
    return Gain(ratio, low, high, starts, verdict)


def gain_of(first: Sequence[Round], other: Sequence[Round]) -> Gain:
    """Return the gain of rounds, of predictions that were chosen in the same way on both sides.

    Rounds at full CPU speed count where both sides have some, all rounds where neither has any.
    Undecided where only one side has: a slower processor would pass for slower settings.
    """
    full = tuple(tuple(each for each in rounds if each.full) for rounds in (first, other))
    if any(full) and not all(full):
        return Gain(1.0, None, None, 0, Verdict.PACE)
    sides = full if all(full) else (first, other)
    one, two = ([each.prediction_ns for each in rounds] for rounds in sides)
    return gain(one, two)


def _drawn(starts: Sequence[Sequence[int]], seed: int) -> NDArray[np.float64]:
    """Mean log median of starts that are drawn anew, the same ones for both sides."""
    picks = np.random.default_rng(0).integers(0, len(starts), (RESAMPLES, len(starts)))
    medians = np.log(np.stack([resampled(s, seed=seed) for s in starts]))
    which = np.random.default_rng(seed).integers(0, RESAMPLES, picks.shape)
    found: NDArray[np.float64] = medians[picks, which].mean(axis=1)
    return found


def _widening(starts: int) -> float:
    """Student's t over the normal quantile, and the bias."""
    free = starts - 1
    return float(student(free) / _Z * np.sqrt(starts / free))
