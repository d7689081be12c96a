"""Places a few hundred boxes well: rows, few crossings, straight lines around what is between.

The steps are those of Sugiyama, Tagawa and Toda (1981); positions within a row are a weighted
isotonic regression (pool adjacent violators) towards the mean of the neighbours.
"""

from dataclasses import dataclass, field
from math import inf

from inspector.analysis.layout_rows import Placement, Sketch, ranks

FARTHEST = 30
_GAP, _ROOM, _THIN = 24.0, 14.0, 6.0
_LEAST_DROP, _MOST_DROP, _SLANT = 20.0, 64.0, 0.07
_ORDERINGS, _SHIFTS = 6, 10
_LINE_PULL, _STRAIGHT_PULL = 0.004, 8.0


@dataclass(slots=True)
class _Rows:
    """Boxes and, after them, the points where lines pass a row, row by row.

    above, below: for each the neighbours as (other, own touch, other's touch, pull).
    chains: for each link that passes rows, its points.
    """

    boxes: int
    widths: list[float]
    rank: list[int]
    above: list[list[tuple[int, float, float, float]]]
    below: list[list[tuple[int, float, float, float]]]
    chains: dict[int, list[int]] = field(default_factory=dict)
    cut: set[int] = field(default_factory=set)

    def join(self, over: int, under: int, leaves: float, arrives: float) -> None:
        lines = (over >= self.boxes) + (under >= self.boxes)
        pull = (1.0, _LINE_PULL, _STRAIGHT_PULL)[lines]
        self.below[over].append((under, leaves, arrives, pull))
        self.above[under].append((over, arrives, leaves, pull))

    def point(self, rank: int) -> int:
        self.widths.append(_THIN)
        self.rank.append(rank)
        self.above.append([])
        self.below.append([])
        return len(self.rank) - 1


def tidy(sketch: Sketch) -> Placement:
    """Place the boxes; work grows with the number of boxes and of rows that links pass."""
    rows = _with_points(sketch)
    lines = _ordered(rows)
    x = _positions(rows, lines)
    least = min(x, default=0.0)
    x = [value - least for value in x]
    y, floors = _heights(sketch, rows, lines, x)
    width = max((x[v] + rows.widths[v] for v in range(len(x))), default=0.0)
    bends = {}
    for place in range(len(sketch.links)):
        if place not in rows.cut:
            points = _bends(sketch, rows, place, x, y, floors)
            if points:
                bends[place] = points
    boxes = rows.boxes
    height = max((y[v] + sketch.heights[v] for v in range(boxes)), default=0.0)
    return Placement(x[:boxes], y[:boxes], width, height, bends, frozenset(rows.cut))


def _with_points(sketch: Sketch) -> _Rows:
    count = len(sketch.widths)
    empty: list[list[tuple[int, float, float, float]]] = [[] for _ in range(count)]
    more: list[list[tuple[int, float, float, float]]] = [[] for _ in range(count)]
    rows = _Rows(count, list(sketch.widths), ranks(sketch), empty, more)
    trunks: dict[tuple[int, float, int], int] = {}
    for place, link in enumerate(sketch.links):
        first, last = rows.rank[link.above], rows.rank[link.below]
        if last <= first or last - first > FARTHEST:
            rows.cut.add(place)
            continue
        over, touch, chain = link.above, link.leaves, []
        for rank in range(first + 1, last):
            key = (link.above, link.leaves, rank)
            if key not in trunks:
                trunks[key] = rows.point(rank)
                rows.join(over, trunks[key], touch, _THIN / 2)
            over, touch = trunks[key], _THIN / 2
            chain.append(over)
        rows.join(over, link.below, touch, link.arrives)
        if chain:
            rows.chains[place] = chain
    return rows


def _ordered(rows: _Rows) -> list[list[int]]:
    """The rows from top to bottom, each in an order with few crossings."""
    lines: list[list[int]] = [[] for _ in range(max(rows.rank, default=-1) + 1)]
    for v in _walk(rows):
        lines[rows.rank[v]].append(v)
    position = [0.0] * len(rows.rank)
    for line in lines:
        _number(line, position)
    for turn in range(_ORDERINGS):
        down = turn % 2 == 0
        near = rows.above if down else rows.below
        for line in lines if down else reversed(lines):
            if len(line) > 1:
                aims = {v: _mean_place(near[v], position, position[v]) for v in line}
                line.sort(key=aims.__getitem__)
                _number(line, position)
    return lines


def _walk(rows: _Rows) -> list[int]:
    """All boxes and points along the flow, so that branches stay together."""
    seen = [False] * len(rows.rank)
    found = []
    starts = [v for v in range(len(seen)) if not rows.above[v]]
    for start in starts:
        stack = [start]
        while stack:
            v = stack.pop()
            if not seen[v]:
                seen[v] = True
                found.append(v)
                stack.extend(other for other, *_ in reversed(rows.below[v]))
    return found + [v for v in range(len(seen)) if not seen[v]]


def _number(line: list[int], position: list[float]) -> None:
    for place, v in enumerate(line):
        position[v] = float(place)


def _mean_place(
    near: list[tuple[int, float, float, float]], position: list[float], own: float
) -> float:
    return sum(position[other] for other, *_ in near) / len(near) if near else own


def _positions(rows: _Rows, lines: list[list[int]]) -> list[float]:
    """Left side of every box and point: near to its neighbours, without overlap."""
    x = [0.0] * len(rows.rank)
    for line in lines:
        left = -sum(rows.widths[v] + _GAP for v in line) / 2
        for v in line:
            x[v] = left
            left += rows.widths[v] + _GAP
    for turn in range(_SHIFTS):
        down = turn % 2 == 0
        for line in lines if down else reversed(lines):
            both = turn >= _SHIFTS - 2
            _shift(rows, line, x, rows.above if down else rows.below, both)
    for chain in _trunks(rows):
        _straighten(rows, lines, chain, x)
    return x


def _trunks(rows: _Rows) -> list[list[int]]:
    """The points of each line from top to bottom; lines from one box share theirs."""
    found, seen = [], set()
    for chain in sorted(rows.chains.values(), key=len, reverse=True):
        mine = [point for point in chain if point not in seen]
        seen.update(mine)
        if mine:
            found.append(mine)
    return found


def _straighten(rows: _Rows, lines: list[list[int]], chain: list[int], x: list[float]) -> None:
    """Give neighbouring points of a line one place across, as far as there is room."""
    run: list[int] = []
    low, high = -inf, inf
    for point in chain:
        least, most = _room(rows, lines[rows.rank[point]], point, x)
        if run and (max(low, least) > min(high, most)):
            _level(run, low, high, x)
            run, low, high = [], -inf, inf
        run.append(point)
        low, high = max(low, least), min(high, most)
    _level(run, low, high, x)


def _level(run: list[int], low: float, high: float, x: list[float]) -> None:
    middle = sorted(x[point] for point in run)[len(run) // 2]
    for point in run:
        x[point] = min(max(middle, low), high)


def _room(rows: _Rows, line: list[int], point: int, x: list[float]) -> tuple[float, float]:
    """How far a point can go to the left and to the right in its row."""
    place = line.index(point)
    low, high = -inf, inf
    if place:
        before = line[place - 1]
        low = x[before] + rows.widths[before] + _ROOM
    if place + 1 < len(line):
        high = x[line[place + 1]] - _THIN - _ROOM
    return min(low, x[point]), max(high, x[point])


def _shift(
    rows: _Rows,
    line: list[int],
    x: list[float],
    near: list[list[tuple[int, float, float, float]]],
    both: bool,
) -> None:
    aims, pulls, offsets, offset = [], [], [], 0.0
    for place, v in enumerate(line):
        neighbours = rows.above[v] + rows.below[v] if both else near[v]
        pull = sum(entry[3] for entry in neighbours)
        aim = x[v]
        if pull:
            aim = sum((x[o] + theirs - own) * p for o, own, theirs, p in neighbours) / pull
        if place:
            before = line[place - 1]
            thin = v >= rows.boxes or before >= rows.boxes
            offset += rows.widths[before] + (_ROOM if thin else _GAP)
        aims.append(aim - offset)
        pulls.append(max(pull, 0.05))
        offsets.append(offset)
    for v, value, offset in zip(line, rising(aims, pulls), offsets, strict=True):
        x[v] = value + offset


def rising(aims: list[float], pulls: list[float]) -> list[float]:
    """The rising sequence nearest to `aims` in weighted least squares."""
    blocks: list[list[float]] = []  # mean, weight, length
    for aim, pull in zip(aims, pulls, strict=True):
        blocks.append([aim, pull, 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            mean, weight, length = blocks.pop()
            last = blocks[-1]
            total = last[1] + weight
            blocks[-1] = [(last[0] * last[1] + mean * weight) / total, total, last[2] + length]
    return [mean for mean, _, length in blocks for _ in range(int(length))]


def _heights(
    sketch: Sketch, rows: _Rows, lines: list[list[int]], x: list[float]
) -> tuple[list[float], list[tuple[float, float]]]:
    """Upper side of each box and point, and upper and lower side of each row."""
    y = [0.0] * len(rows.rank)
    floors, top = [], 0.0
    for line in lines:
        high = max((sketch.heights[v] for v in line if v < rows.boxes), default=0.0)
        for v in line:
            y[v] = top
        floors.append((top, top + high))
        aside = max(
            (abs(x[v] + a - x[o] - b) for v in line for o, a, b, _ in rows.below[v]),
            default=0.0,
        )
        top += high + min(_MOST_DROP, _LEAST_DROP + _SLANT * aside)
    return y, floors


def _bends(
    sketch: Sketch,
    rows: _Rows,
    place: int,
    x: list[float],
    y: list[float],
    floors: list[tuple[float, float]],
) -> list[tuple[float, float]]:
    """Points of a link between its ends: straight down through the rows it passes."""
    link = sketch.links[place]
    points = []
    floor = floors[rows.rank[link.above]][1]
    if floor > y[link.above] + sketch.heights[link.above] + 1:
        points.append((x[link.above] + link.leaves, floor))
    for point in rows.chains.get(place, ()):
        top, bottom = floors[rows.rank[point]]
        middle = x[point] + _THIN / 2
        points.append((middle, top))
        if bottom > top:
            points.append((middle, bottom))
    return points
