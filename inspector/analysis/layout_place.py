"""Places the boxes of one frame: what is linked by its links, what is not in a block below."""

from math import ceil, sqrt

from inspector.analysis.layout_lanes import lanes
from inspector.analysis.layout_rows import Placement, Sketch
from inspector.analysis.layout_tidy import tidy

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
    found = tidy(inner) if careful else lanes(inner)
    alone = [box for box in range(count) if box not in touched]
    return _with_block(sketch, found, linked, alone)


def _with_block(
    sketch: Sketch, found: Placement, linked: list[int], alone: list[int]
) -> Placement:
    count = len(sketch.widths)
    x, y = [0.0] * count, [0.0] * count
    for place, box in enumerate(linked):
        x[box], y[box] = found.x[place], found.y[place]
    columns = max(1, min(_MOST_COLUMNS, ceil(sqrt(len(alone)))))
    top, width = found.height + (_GAP if linked else 0.0), found.width
    bottom = found.height
    for first in range(0, len(alone), columns):
        left = 0.0
        for box in alone[first : first + columns]:
            x[box], y[box] = left, top
            left += sketch.widths[box] + _GAP
            bottom = max(bottom, top + sketch.heights[box])
        width = max(width, left - _GAP)
        top = bottom + _GAP
    return Placement(x, y, width, bottom, found.bends, found.cut)
