"""Positions of the boxes of one frame.

`place` is the entry. A few hundred boxes get few crossings and straight lines (`tidy`, in the
steps of Sugiyama, Tagawa and Toda 1981; positions within a row by a weighted isotonic
regression, pool adjacent violators, towards the mean of the neighbors). More than that are
placed in linear time, in lanes like those of a commit history (`lanes`). Boxes without links
go into a block below.
"""

from collections.abc import Sequence
from math import ceil, inf, sqrt
from typing import NamedTuple

from msgspec import Struct, field

GAP = 24.0
ROOM = 14.0
THIN = 6.0
LINE_PULL = 0.004
STRAIGHT_PULL = 8.0
_EQUAL = 0.5
_MAX_ROWS_CROSSED = 30  # a longer link is drawn as two stubs: nobody follows its line
_LEAST_DROP = 20.0
_MOST_DROP = 64.0
_SLANT = 0.07
_ORDERINGS = 6
_SHIFTS = 10
_LONG = 6
_HELD = 1e4
_TALL = 60.0
_GRAVITY = 0.03
_MAX_ROWS_CROSSED_IN_LANES = 40  # the same limit for `lanes`, whose lines do not bend
_LAYOUT_LANES_GAP = 24.0
_DROP = 22.0
_GAP = 24.0
_MOST_COLUMNS = 8


class Link(NamedTuple):
    """An edge from the bottom of one box to the top of another, both by their place.

    leaves, arrives: where it touches them, in pixels from their left side.
    """

    above: int
    below: int
    leaves: float
    arrives: float


class Sketch(Struct, frozen=True):
    """Boxes by width and height, the links between them, and those that lie on a rim.

    top, bottom: places of boxes without height that belong on the upper and the lower rim.
    """

    widths: Sequence[float]
    heights: Sequence[float]
    links: Sequence[Link]
    top: frozenset[int] = frozenset()
    bottom: frozenset[int] = frozenset()


class Placement(Struct, frozen=True):
    """Positions of boxes, in pixels from the upper left corner of all of them.

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


Near = list[tuple[int, float, float, float]]
Chain = list[tuple[int, float]]


class Rows(Struct):
    """Boxes and, after them, the points where lines pass a row, row by row.

    above, below: for each the neighbors as (other, own touch, other's touch, pull).
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
    chains = []
    for top in range(rows.boxes):
        before = up.get(top)
        if before is not None and down.get(before[0], (None,))[0] == top:
            continue
        chain, box, shift = [(top, 0.0)], top, 0.0
        while box in down:
            neighbor, own, neighbor_touch = down[box]
            if up.get(neighbor, (None,))[0] != box:
                break
            shift += own - neighbor_touch
            chain.append((neighbor, shift))
            box = neighbor
        if len(chain) > 1:
            chains.append(chain)
    return sorted(chains, key=len, reverse=True)


def _mains(rows: Rows, near: list[Near]) -> dict[int, tuple[int, float, float]]:
    """For each box the neighbor it should stand in line with, and where both are touched.

    That is the one with the longest way of boxes behind it; there is none where two are about
    as long, as in a fork, which stays in the middle.
    """
    behind: dict[int, int] = {}
    main_links = {}
    step = 1 if near is rows.above else -1
    for box in sorted(range(rows.boxes), key=lambda v: step * rows.rank[v]):
        others = [entry for entry in near[box] if entry[0] < rows.boxes]
        lengths = sorted((behind.get(entry[0], 0) for entry in others), reverse=True)
        behind[box] = lengths[0] + 1 if lengths else 0
        alone = len(lengths) == 1 or (lengths and lengths[1] < _EQUAL * lengths[0])
        if alone:
            other, own, neighbor_touch, _ = max(
                others, key=lambda entry: behind.get(entry[0], 0)
            )
            main_links[box] = (other, own, neighbor_touch)
    return main_links


def trunks(rows: Rows) -> list[Chain]:
    """The points of each line from top to bottom; lines from one box share theirs."""
    trunk_points, placed = [], set()
    for chain in sorted(rows.chains.values(), key=len, reverse=True):
        unplaced = [(point, 0.0) for point in chain if point not in placed]
        placed.update(chain)
        if unplaced:
            trunk_points.append(unplaced)
    return trunk_points


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
    """Return the free space left and right of a box within its row, in pixels."""
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
    """Room between two neighbors of a row."""
    return ROOM if one >= rows.boxes or other >= rows.boxes else GAP


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


def _with_points(sketch: Sketch) -> Rows:
    count = len(sketch.widths)
    empty: list[Near] = [[] for _ in range(count)]
    more: list[Near] = [[] for _ in range(count)]
    rows = Rows(count, list(sketch.widths), ranks(sketch), empty, more)
    trunks: dict[tuple[int, float, int], int] = {}
    for place, link in enumerate(sketch.links):
        first, last = rows.rank[link.above], rows.rank[link.below]
        if last <= first or last - first > _MAX_ROWS_CROSSED:
            rows.cut.add(place)
            continue
        over, touch, chain = link.above, link.leaves, []
        for rank in range(first + 1, last):
            key = (link.above, link.leaves, rank)
            if key not in trunks:
                trunks[key] = rows.point(rank)
                rows.join(over, trunks[key], touch, THIN / 2)
            over, touch = trunks[key], THIN / 2
            chain.append(over)
        arrives = link.arrives
        if not chain and min(sketch.heights[over], sketch.heights[link.below]) > _TALL:
            # Frames stand below each other by their middles, or a stack of them would lean.
            touch, arrives = sketch.widths[over] / 2, sketch.widths[link.below] / 2
        rows.join(over, link.below, touch, arrives)
        if chain:
            rows.chains[place] = chain
    return rows


def _ordered(rows: Rows) -> list[list[int]]:
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


def _walk(rows: Rows) -> list[int]:
    """All boxes and points along the flow, so that branches stay together."""
    visited = [False] * len(rows.rank)
    order = []
    starts = [v for v in range(len(visited)) if not rows.above[v]]
    for start in starts:
        stack = [start]
        while stack:
            v = stack.pop()
            if not visited[v]:
                visited[v] = True
                order.append(v)
                stack.extend(other for other, *_ in reversed(rows.below[v]))
    return order + [v for v in range(len(visited)) if not visited[v]]


def _number(line: list[int], position: list[float]) -> None:
    for place, v in enumerate(line):
        position[v] = float(place)


def _mean_place(near: Near, position: list[float], own: float) -> float:
    return sum(position[other] for other, *_ in near) / len(near) if near else own


def _positions(rows: Rows, lines: list[list[int]]) -> list[float]:
    """Left side of every box and point: near to its neighbors, without overlap."""
    x = [0.0] * len(rows.rank)
    for line in lines:
        left = -sum(rows.widths[v] + GAP for v in line) / 2
        for v in line:
            x[v] = left
            left += rows.widths[v] + GAP
    _settle(rows, lines, x, _SHIFTS, frozenset())
    long = spines(rows)
    straighten(rows, lines, long, x)
    anchored = frozenset(box for chain in long if len(chain) >= _LONG for box, _ in chain)
    _settle(rows, lines, x, _SHIFTS // 2, anchored)
    straighten(rows, lines, [*long, *trunks(rows)], x)
    return x


def _settle(
    rows: Rows, lines: list[list[int]], x: list[float], turns: int, anchored: frozenset[int]
) -> None:
    """Sweep down and up; what is `anchored` moves only when it must."""
    for turn in range(turns):
        down = turn % 2 == 0
        near = rows.above if down else rows.below
        if turn >= turns - 2:
            near = [a + b for a, b in zip(rows.above, rows.below, strict=True)]
        for line in lines if down else reversed(lines):
            _shift(rows, line, x, near, anchored)


def _shift(
    rows: Rows, line: list[int], x: list[float], near: list[Near], anchored: frozenset[int]
) -> None:
    aims, pulls, offsets, offset = [], [], [], 0.0
    for place, v in enumerate(line):
        neighbors = near[v]
        pull = _HELD if v in anchored else sum(entry[3] for entry in neighbors)
        aim = x[v]
        if pull and v not in anchored:
            aim = (
                sum(
                    (x[o] + neighbor_touch - own) * p for o, own, neighbor_touch, p in neighbors
                )
                / pull
            )
            if v < rows.boxes:  # else branches of unequal width add up to a slant
                aim -= _GRAVITY * (aim + rows.widths[v] / 2)
        if place:
            before = line[place - 1]
            offset += rows.widths[before] + apart(rows, before, v)
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
    sketch: Sketch, rows: Rows, lines: list[list[int]], x: list[float]
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
    rows: Rows,
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
        middle = x[point] + THIN / 2
        points.append((middle, top))
        if bottom > top:
            points.append((middle, bottom))
    return points


def lanes(sketch: Sketch) -> Placement:
    """Place the boxes; lines go straight, and those over many rows are cut."""
    rank = ranks(sketch)
    lane = _lanes(sketch, rank)
    left, width = _columns(sketch, lane)
    top, height = _floors(sketch, rank)
    cut = frozenset(
        place
        for place, link in enumerate(sketch.links)
        if not 0 < rank[link.below] - rank[link.above] <= _MAX_ROWS_CROSSED_IN_LANES
    )
    wide = [column[1] for column in left]
    x = [
        left[column][0] + (wide[column] - own) / 2
        for column, own in zip(lane, sketch.widths, strict=True)
    ]
    return Placement(x, [top[row] for row in rank], width, height, {}, cut)


def _lanes(sketch: Sketch, rank: list[int]) -> list[int]:
    """The lane of each box: that of the first thing it takes from, or the first free one."""
    sources: list[list[int]] = [[] for _ in rank]
    for link in sketch.links:
        sources[link.below].append(link.above)
    rows: list[list[int]] = [[] for _ in range(max(rank, default=-1) + 1)]
    for box, row in enumerate(rank):
        rows[row].append(box)
    lane = [-1] * len(rank)
    used_until: list[int] = []  # row until which each lane is in use
    for row, line in enumerate(rows):
        late = []
        for box in line:
            free = [lane[s] for s in sources[box] if lane[s] >= 0 and used_until[lane[s]] < row]
            if free:
                lane[box] = min(free)
                used_until[lane[box]] = row
            else:
                late.append(box)
        _place_late(late, row, lane, used_until)
    return lane


def _place_late(late: list[int], row: int, lane: list[int], used_until: list[int]) -> None:
    """Give boxes without a lane to go on in the free ones, from the left."""
    free_lane = 0
    for box in late:
        while free_lane < len(used_until) and used_until[free_lane] >= row:
            free_lane += 1
        if free_lane == len(used_until):
            used_until.append(row)
        lane[box] = free_lane
        used_until[free_lane] = row


def _columns(sketch: Sketch, lane: list[int]) -> tuple[list[tuple[float, float]], float]:
    """Left side and width of each lane, and the width of all."""
    widths = [0.0] * (max(lane, default=-1) + 1)
    for column, width in zip(lane, sketch.widths, strict=True):
        widths[column] = max(widths[column], width)
    positions, left = [], 0.0
    for width in widths:
        positions.append((left, width))
        left += width + _LAYOUT_LANES_GAP
    return positions, max(0.0, left - _LAYOUT_LANES_GAP)


def _floors(sketch: Sketch, rank: list[int]) -> tuple[list[float], float]:
    """Upper side of each row, and the height of all."""
    heights = [0.0] * (max(rank, default=-1) + 1)
    for row, height in zip(rank, sketch.heights, strict=True):
        heights[row] = max(heights[row], height)
    positions, top = [], 0.0
    for height in heights:
        positions.append(top)
        top += height + _DROP
    return positions, max(0.0, top - _DROP)


def place(sketch: Sketch, careful: bool) -> Placement:
    """Place boxes with care or, when there are very many, in lanes."""
    touched = {end for link in sketch.links for end in link[:2]}
    count = len(sketch.widths)
    if len(touched) >= count - 1 and touched:
        return tidy(sketch) if careful else lanes(sketch)
    linked = sorted(touched)
    number = {box: place for place, box in enumerate(linked)}
    inner = Sketch(
        [sketch.widths[box] for box in linked],
        [sketch.heights[box] for box in linked],
        [
            link._replace(above=number[link.above], below=number[link.below])
            for link in sketch.links
        ],
        frozenset(number[box] for box in sketch.top),
        frozenset(number[box] for box in sketch.bottom),
    )
    placement = tidy(inner) if careful else lanes(inner)
    alone = [box for box in range(count) if box not in touched]
    return _with_block(sketch, placement, linked, alone)


def _with_block(
    sketch: Sketch, placement: Placement, linked: list[int], alone: list[int]
) -> Placement:
    count = len(sketch.widths)
    x, y = [0.0] * count, [0.0] * count
    for place, box in enumerate(linked):
        x[box], y[box] = placement.x[place], placement.y[place]
    columns = max(1, min(_MOST_COLUMNS, ceil(sqrt(len(alone)))))
    top, width = placement.height + (_GAP if linked else 0.0), placement.width
    bottom = placement.height
    for first in range(0, len(alone), columns):
        left = 0.0
        for box in alone[first : first + columns]:
            x[box], y[box] = left, top
            left += sketch.widths[box] + _GAP
            bottom = max(bottom, top + sketch.heights[box])
        width = max(width, left - _GAP)
        top = bottom + _GAP
    return Placement(x, y, width, bottom, placement.bends, placement.cut)
