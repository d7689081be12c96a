"""Places any number of boxes in linear time: rows by the longest path, columns like the lanes
of a history of commits, where a box goes on in the lane of what it takes from."""

from inspector.analysis.layout_rows import Placement, Sketch, ranks

FARTHEST = 40
_GAP, _DROP = 24.0, 22.0


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
    taken: list[int] = []  # row until which each lane is in use
    for row, line in enumerate(rows):
        late = []
        for box in line:
            free = [lane[s] for s in sources[box] if lane[s] >= 0 and taken[lane[s]] < row]
            if free:
                lane[box] = min(free)
                taken[lane[box]] = row
            else:
                late.append(box)
        _place_late(late, row, lane, taken)
    return lane


def _place_late(late: list[int], row: int, lane: list[int], taken: list[int]) -> None:
    """Give boxes without a lane to go on in the free ones, from the left."""
    found = 0
    for box in late:
        while found < len(taken) and taken[found] >= row:
            found += 1
        if found == len(taken):
            taken.append(row)
        lane[box] = found
        taken[found] = row


def _columns(sketch: Sketch, lane: list[int]) -> tuple[list[tuple[float, float]], float]:
    """Left side and width of each lane, and the width of all."""
    widths = [0.0] * (max(lane, default=-1) + 1)
    for column, width in zip(lane, sketch.widths, strict=True):
        widths[column] = max(widths[column], width)
    found, left = [], 0.0
    for width in widths:
        found.append((left, width))
        left += width + _GAP
    return found, max(0.0, left - _GAP)


def _floors(sketch: Sketch, rank: list[int]) -> tuple[list[float], float]:
    """Upper side of each row, and the height of all."""
    heights = [0.0] * (max(rank, default=-1) + 1)
    for row, height in zip(rank, sketch.heights, strict=True):
        heights[row] = max(heights[row], height)
    found, top = [], 0.0
    for height in heights:
        found.append(top)
        top += height + _DROP
    return found, max(0.0, top - _DROP)
