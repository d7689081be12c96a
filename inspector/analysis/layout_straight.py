"""Rows of boxes and of the points where lines pass, and how both are brought into line."""

from dataclasses import dataclass, field
from math import inf

GAP, ROOM, THIN = 24.0, 14.0, 6.0
LINE_PULL, STRAIGHT_PULL = 0.004, 8.0
_EQUAL = 0.5
Near = list[tuple[int, float, float, float]]
Chain = list[tuple[int, float]]


@dataclass(slots=True)
class Rows:
    """Boxes and, after them, the points where lines pass a row, row by row.

    above, below: for each the neighbours as (other, own touch, other's touch, pull).
    chains: for each link that passes rows, its points.
    """

    boxes: int
    widths: list[float]
    rank: list[int]
    above: list[Near]
    below: list[Near]
    chains: dict[int, list[int]] = field(default_factory=dict)
    cut: set[int] = field(default_factory=set)

    def join(self, over: int, under: int, leaves: float, arrives: float) -> None:
        """Remember that a line goes from one to another."""
        lines = (over >= self.boxes) + (under >= self.boxes)
        pull = (1.0, LINE_PULL, STRAIGHT_PULL)[lines]
        self.below[over].append((under, leaves, arrives, pull))
        self.above[under].append((over, arrives, leaves, pull))

    def point(self, rank: int) -> int:
        """Add a point where a line passes a row; returns its number."""
        self.widths.append(THIN)
        self.rank.append(rank)
        self.above.append([])
        self.below.append([])
        return len(self.rank) - 1


def straighten(rows: Rows, lines: list[list[int]], chains: list[Chain], x: list[float]) -> None:
    """Move what belongs together to one place across, as far as there is room in each row."""
    for chain in chains:
        _align(rows, lines, chain, x)


def spines(rows: Rows) -> list[Chain]:
    """Boxes that follow each other, longest first, each with its shift from the first."""
    up, down = _mains(rows, rows.above), _mains(rows, rows.below)
    found = []
    for top in range(rows.boxes):
        before = up.get(top)
        if before is not None and down.get(before[0], (None,))[0] == top:
            continue
        chain, box, shift = [(top, 0.0)], top, 0.0
        while box in down:
            other, own, theirs = down[box]
            if up.get(other, (None,))[0] != box:
                break
            shift += own - theirs
            chain.append((other, shift))
            box = other
        if len(chain) > 1:
            found.append(chain)
    return sorted(found, key=len, reverse=True)


def _mains(rows: Rows, near: list[Near]) -> dict[int, tuple[int, float, float]]:
    """For each box the neighbour it should stand in line with, and where both are touched.

    That is the one with the longest way of boxes behind it; there is none where two are about
    as long, as in a fork, which stays in the middle.
    """
    behind: dict[int, int] = {}
    found = {}
    step = 1 if near is rows.above else -1
    for box in sorted(range(rows.boxes), key=lambda v: step * rows.rank[v]):
        others = [entry for entry in near[box] if entry[0] < rows.boxes]
        lengths = sorted((behind.get(entry[0], 0) for entry in others), reverse=True)
        behind[box] = lengths[0] + 1 if lengths else 0
        alone = len(lengths) == 1 or (lengths and lengths[1] < _EQUAL * lengths[0])
        if alone:
            other, own, theirs, _ = max(others, key=lambda entry: behind.get(entry[0], 0))
            found[box] = (other, own, theirs)
    return found


def trunks(rows: Rows) -> list[Chain]:
    """The points of each line from top to bottom; lines from one box share theirs."""
    found, seen = [], set()
    for chain in sorted(rows.chains.values(), key=len, reverse=True):
        mine = [(point, 0.0) for point in chain if point not in seen]
        seen.update(chain)
        if mine:
            found.append(mine)
    return found


def _align(rows: Rows, lines: list[list[int]], chain: Chain, x: list[float]) -> None:
    run: Chain = []
    low, high = -inf, inf
    for member, shift in chain:
        least, most = _room(rows, lines[rows.rank[member]], member, x)
        least, most = least - shift, most - shift
        if run and max(low, least) > min(high, most):
            _level(run, low, high, x)
            run, low, high = [], -inf, inf
        run.append((member, shift))
        low, high = max(low, least), min(high, most)
    _level(run, low, high, x)


def _level(run: Chain, low: float, high: float, x: list[float]) -> None:
    middle = sorted(x[member] - shift for member, shift in run)[len(run) // 2]
    base = min(max(middle, low), high)
    for member, shift in run:
        x[member] = base + shift


def _room(rows: Rows, line: list[int], member: int, x: list[float]) -> tuple[float, float]:
    """How far to the left and to the right one can go in its row."""
    place = line.index(member)
    low, high = -inf, inf
    if place:
        before = line[place - 1]
        low = x[before] + rows.widths[before] + apart(rows, before, member)
    if place + 1 < len(line):
        after = line[place + 1]
        high = x[after] - rows.widths[member] - apart(rows, member, after)
    return min(low, x[member]), max(high, x[member])


def apart(rows: Rows, one: int, other: int) -> float:
    """Room between two neighbours of a row."""
    return ROOM if one >= rows.boxes or other >= rows.boxes else GAP
