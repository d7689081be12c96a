"""Changes of level in a series of measurements, such as the medians of a model's reports."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from inspector.statistics.significance import Verdict, compare_start_logs

FEWEST = 3  # measurements on each side of a change
MIN_CHANGE = 0.02  # as a share; less is drift of the machine
_CHANCE = 0.01  # that a series without a change shows one
_SHUFFLES = 999


@dataclass(frozen=True, slots=True)
class ChangePoint:
    """A change of level.

    at: index of the first measurement at the new level. ratio: the new level over the old one.
    low, high: its 95% interval.
    """

    at: int
    ratio: float
    low: float
    high: float

    @property
    def slower(self) -> bool:
        """Whether measurements take longer from there on."""
        return self.ratio > 1


def change_points(times_ns: Sequence[float]) -> tuple[ChangePoint, ...]:
    """Return the changes of level in a series of positive times, first to last.

    The series is split where its halves differ most, as long as fewer than 1 in 100 random
    orders of the same values split as well. Then both sides of each split are compared by the
    test that compares process starts, and changes under MIN_CHANGE are left out. Neither a
    single slow measurement nor a trend of less than that is a change.
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
        end = splits[place + 1] if place + 1 < len(splits) else len(logs)
        judged = compare_start_logs(logs[begin:at], logs[at:end])
        sure = judged.verdict in (Verdict.FASTER, Verdict.SLOWER)
        if sure and judged.low and judged.high and abs(judged.ratio - 1) >= MIN_CHANGE:
            changes.append(ChangePoint(at, judged.ratio, judged.low, judged.high))
    return tuple(changes)


def _splits(logs: NDArray[np.float64], offset: int, random: np.random.Generator) -> list[int]:
    """Return the places at which a part of the series changes, by binary segmentation."""
    if len(logs) < 2 * FEWEST:
        return []
    ranks = _ranks(logs)
    strength, at = _strongest(ranks)
    shuffled = (_strongest(random.permutation(ranks))[0] for _ in range(_SHUFFLES))
    as_strong = sum(other >= strength for other in shuffled)
    if (as_strong + 1) / (_SHUFFLES + 1) > _CHANCE:
        return []
    return [
        *_splits(logs[:at], offset, random),
        offset + at,
        *_splits(logs[at:], offset + at, random),
    ]


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ranks about 0: one slow measurement weighs no more than being the slowest."""
    ranks: NDArray[np.float64] = np.argsort(np.argsort(values)).astype(np.float64)
    return ranks - (len(values) - 1) / 2


def _strongest(ranks: NDArray[np.float64]) -> tuple[float, int]:
    """Return the best split and how well it separates: Mann-Whitney's statistic, normalized."""
    count = len(ranks)
    places = np.arange(FEWEST, count - FEWEST + 1)
    sums = np.abs(np.cumsum(ranks)[places - 1])
    strength = sums / np.sqrt(places * (count - places))
    best = int(np.argmax(strength))
    return float(strength[best]), int(places[best])
