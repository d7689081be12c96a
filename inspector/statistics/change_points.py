"""Changes of level in a series of measurements, such as the medians of a model's reports."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector.statistics.significance import Verdict, compare_start_logs

FEWEST = 3  # measurements on each side of a change
MIN_CHANGE = 0.02  # as a share; less is drift of the machine
_CHANCE = 0.01  # that a series without a change shows one
_SHUFFLES = 999
# Measurements of a series in which a level is looked for that came and went: more take long.
_MOST_FOR_STRETCH = 100


class ChangePoint(Struct, frozen=True):
    """A change of level.

    at, end: indexes of the first measurement at the new level, and of the first one after it.
    ratio: the new level over the old one. low, high: its 95% interval.
    """

    at: int
    ratio: float
    low: float
    high: float
    end: int

    @property
    def slower(self) -> bool:
        """Whether measurements take longer from there on."""
        return self.ratio > 1


def change_points(times_ns: Sequence[float]) -> tuple[ChangePoint, ...]:
    """Return the changes of level in a series of positive times, first to last.

    The series is split where its halves differ most, as long as fewer than 1 in 100 random
    orders of the same values split as well. Then both sides of each split are compared by the
    test that compares process starts, and changes under MIN_CHANGE are left out. Neither a
    single slow measurement nor a trend of less than that is a change. A level ends where the
    next begins, or where the newest measurements, too few for a change, are back at the old
    one.
    """
    values = np.asarray(times_ns, np.float64)
    if len(values) < 2 * FEWEST or not (values > 0).all():
        return ()
    logs = np.log(values)
    random = np.random.default_rng(len(values))
    splits = sorted(_splits(logs, 0, random))
    changes = []
    for place, at in enumerate(splits):
        begin = splits[place - 1] if place else 0
        last = place + 1 == len(splits)
        end = _end(logs, begin, at) if last else splits[place + 1]
        judged = compare_start_logs(logs[begin:at], logs[at:end])
        sure = judged.verdict in (Verdict.FASTER, Verdict.SLOWER)
        if sure and judged.low and judged.high and abs(judged.ratio - 1) >= MIN_CHANGE:
            changes.append(ChangePoint(at, judged.ratio, judged.low, judged.high, end))
    return tuple(changes)


def _end(logs: NDArray[np.float64], begin: int, at: int) -> int:
    """Return where the last level ends: before the newest that are nearer to the one before."""
    old, new = np.median(logs[begin:at]), np.median(logs[at:])
    stayed = np.flatnonzero(np.abs(logs[at:] - new) <= np.abs(logs[at:] - old))
    end = at + 1 + int(stayed[-1]) if len(stayed) else len(logs)
    return end if end - at >= FEWEST else len(logs)


def _splits(logs: NDArray[np.float64], offset: int, random: np.random.Generator) -> list[int]:
    """Return the places at which a part of the series changes, by binary segmentation.

    Where no split separates two halves, a stretch may differ from what is around it.
    """
    if len(logs) < 2 * FEWEST:
        return []
    ranks = _ranks(logs)
    for strongest in (_strongest, _strongest_stretch):
        strength, places = strongest(ranks)
        shuffled = (strongest(random.permutation(ranks))[0] for _ in range(_SHUFFLES))
        as_strong = sum(other >= strength for other in shuffled)
        if places and (as_strong + 1) / (_SHUFFLES + 1) <= _CHANCE:
            found = [offset + at for at in places]
            for begin, end in pairwise((0, *places, len(logs))):
                found += _splits(logs[begin:end], offset + begin, random)
            return found
    return []


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ranks about 0: one slow measurement weighs no more than being the slowest."""
    ranks: NDArray[np.float64] = np.argsort(np.argsort(values)).astype(np.float64)
    return ranks - (len(values) - 1) / 2


def _strongest(ranks: NDArray[np.float64]) -> tuple[float, tuple[int, ...]]:
    """Return how well the best split separates, Mann-Whitney's statistic, and where it is."""
    count = len(ranks)
    places = np.arange(FEWEST, count - FEWEST + 1)
    sums = np.abs(np.cumsum(ranks)[places - 1])
    strength = sums / np.sqrt(places * (count - places))
    best = int(np.argmax(strength))
    return float(strength[best]), (int(places[best]),)


def _strongest_stretch(ranks: NDArray[np.float64]) -> tuple[float, tuple[int, ...]]:
    """Return how well a stretch separates from what is around it, and its begin and end.

    A level that came and went: no single split separates it. Nothing of a long or short series.
    """
    count = len(ranks)
    if not 3 * FEWEST <= count <= _MOST_FOR_STRETCH:
        return 0.0, ()
    sums = np.concatenate(([0.0], np.cumsum(ranks)))
    lengths = np.subtract.outer(np.arange(count + 1), np.arange(count + 1)).T
    apart = np.abs(np.subtract.outer(sums, sums)).T
    inner = np.triu(np.ones_like(apart, bool), FEWEST)
    inner[:FEWEST] = inner[:, count - FEWEST + 1 :] = False
    safe = np.where(inner, lengths * (count - lengths), 1)
    strength = np.where(inner, apart / np.sqrt(safe), 0.0)
    begin, end = np.unravel_index(int(np.argmax(strength)), strength.shape)
    return float(strength[begin, end]), (int(begin), int(end))
