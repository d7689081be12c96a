"""A set of boxes to place, what comes back, and in which row each box belongs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Link(NamedTuple):
    """An edge from the bottom of one box to the top of another, both by their place.

    leaves, arrives: where it touches them, in pixels from their left side.
    """

    above: int
    below: int
    leaves: float
    arrives: float


@dataclass(frozen=True, slots=True)
class Sketch:
    """Boxes by width and height, the links between them, and those that lie on a rim.

    top, bottom: places of boxes without height that belong on the upper and the lower rim.
    """

    widths: Sequence[float]
    heights: Sequence[float]
    links: Sequence[Link]
    top: frozenset[int] = frozenset()
    bottom: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Placement:
    """Where the boxes go, in pixels from the left upper corner of all.

    bends: points between both ends of a link, by its place; links without any are left out.
    cut: places of links that go backwards or too far to be drawn in whole.
    """

    x: list[float]
    y: list[float]
    width: float
    height: float
    bends: dict[int, list[tuple[float, float]]]
    cut: frozenset[int]


def ranks(sketch: Sketch) -> list[int]:
    """Row of each box: under all that it takes from, by the longest path.

    Boxes without anything above move down to what takes from them. In a cycle the first box
    that the file names comes first, and the links that close the cycle go backwards.
    """
    count = len(sketch.widths)
    after: list[list[int]] = [[] for _ in range(count)]
    missing = [0] * count
    for link in sketch.links:
        after[link.above].append(link.below)
        missing[link.below] += 1
    fed = [number > 0 for number in missing]
    rank, order = _longest_paths(after, missing)
    rank = _pulled_down(rank, order, after, fed)
    return _rims(rank, sketch)


def _longest_paths(after: list[list[int]], missing: list[int]) -> tuple[list[int], list[int]]:
    count = len(after)
    rank, done = [0] * count, [False] * count
    order: list[int] = []
    ready = [v for v in range(count - 1, -1, -1) if not missing[v]]
    forced = 0
    while len(order) < count:
        if not ready:
            while done[forced]:
                forced += 1
            ready.append(forced)
        box = ready.pop()
        if done[box]:
            continue
        done[box] = True
        order.append(box)
        below = rank[box] + 1
        for other in after[box]:
            if not done[other]:
                rank[other] = max(rank[other], below)
                missing[other] -= 1
                if not missing[other]:
                    ready.append(other)
    return rank, order


def _pulled_down(
    rank: list[int], order: list[int], after: list[list[int]], fed: list[bool]
) -> list[int]:
    for box in reversed(order):
        if not fed[box] and after[box]:
            below = min(rank[other] for other in after[box])
            rank[box] = max(rank[box], below - 1)
    return rank


def _rims(rank: list[int], sketch: Sketch) -> list[int]:
    """Row 0 for the upper rim, the last row for the lower one, none of them for others."""
    if sketch.top:
        rims = sketch.top
        lift = 1 if any(r == 0 for box, r in enumerate(rank) if box not in rims) else 0
        rank = [0 if box in rims else r + lift for box, r in enumerate(rank)]
    if sketch.bottom:
        inner = (r for box, r in enumerate(rank) if box not in sketch.bottom)
        last = max(inner, default=-1) + 1
        rank = [last if box in sketch.bottom else r for box, r in enumerate(rank)]
    return rank
