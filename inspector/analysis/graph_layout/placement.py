"""Places the boxes of one frame: what is linked by its links, what is not in a block below."""

from math import ceil, sqrt

from inspector.analysis.graph_layout.crossings import tidy
from inspector.analysis.graph_layout.rows import Placement, Sketch, ranks

# Places any number of boxes in linear time: rows by the longest path, columns like the lanes
# of a history of commits, where a box goes on in the lane of what it takes from.


FARTHEST = 40
_LAYOUT_LANES_GAP, _DROP = 24.0, 22.0


def lanes(sketch: Sketch) -> Placement:
    """Place the boxes; lines go straight, and those over many rows are cut."""
    rank = ranks(sketch)
    lane = _lanes(sketch, rank)
    left, width = _columns(sketch, lane)
    top, height = _floors(sketch, rank)
    cut = frozenset(
        place
        for place, link in enumerate(sketch.links)
        if not 0 < rank[link.below] - rank[link.above] <= FARTHEST
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


_GAP, _MOST_COLUMNS = 24.0, 8


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
