"""A drawing that is a long strip, cut into columns side by side as a page has them."""

from collections.abc import Iterator
from itertools import pairwise
from math import sqrt

from msgspec.structs import replace

from inspector.pages.charts.drawing import Box, Drawing, Label, Line, Point, Shape, moved

RATIO = sqrt(2)  # width to height of a page of A4 that lies on its side
GAP = 48.0  # pixels between columns
_LETTERS = 12.0  # pixels of a label above its base line


def in_columns(drawing: Drawing) -> Drawing:
    """Return the drawing as columns that together have about the shape of a page.

    A strip that lies on its side becomes rows. No box of a layer is cut; lines and frames go on
    at the top of the next column.
    """
    if drawing.width > drawing.height:
        return _turned(in_columns(_turned(drawing)))
    count = round(sqrt(RATIO * drawing.height / (drawing.width + GAP)))
    if count < 2:
        return drawing
    cuts = _cuts(drawing, count)
    shapes = [
        moved(part, column * (drawing.width + GAP), -top)
        for column, (top, bottom) in enumerate(pairwise(cuts))
        for shape in drawing.shapes
        for part in _within(shape, top, bottom)
    ]
    height = max(bottom - top for top, bottom in pairwise(cuts))
    columns = len(cuts) - 1
    width = columns * drawing.width + (columns - 1) * GAP
    return Drawing(drawing.title, width, height, tuple(shapes))


def _cuts(drawing: Drawing, count: int) -> list[float]:
    """Return where columns begin and end: above boxes and labels, never through them."""
    each = drawing.height / count
    extents = sorted(
        extent
        for shape in drawing.shapes
        if (extent := _extent(shape)) is not None and extent[1] - extent[0] < each / 4
    )
    cuts, at = [0.0], each
    for top, bottom in extents:
        while top >= at:
            cuts.append(at)
            at = max(at + each / 2, len(cuts) * each)
        if top < at < bottom:
            at = bottom + 1
    return [*(cut for cut in cuts if cut < drawing.height - 1), drawing.height]


def _extent(shape: Shape) -> tuple[float, float] | None:
    if isinstance(shape, Line):
        return None
    if isinstance(shape, Label):
        return shape.y - _LETTERS, shape.y + _LETTERS / 2
    return shape.y, shape.y + shape.height


def _within(shape: Shape, top: float, bottom: float) -> Iterator[Shape]:
    """Yield what a column shows of a shape."""
    if isinstance(shape, Label):
        if top <= shape.y < bottom:
            yield shape
    elif isinstance(shape, Box):
        low, high = max(shape.y, top), min(shape.y + shape.height, bottom)
        if low < high or (low == high and low < bottom):
            yield replace(shape, y=low, height=high - low)
    else:
        for points in _pieces(shape.points, top, bottom):
            yield replace(shape, points=points)


def _pieces(
    points: tuple[Point, ...], top: float, bottom: float
) -> Iterator[tuple[Point, ...]]:
    """Yield the pieces of a line between two heights."""
    if all(top <= y < bottom for _, y in points):
        yield points
        return
    piece = list[Point]()
    for start, end in pairwise(points):
        ends = _segment(start, end, top, bottom)
        if ends is None or (piece and piece[-1] != ends[0]):
            if len(piece) > 1:
                yield tuple(piece)
            piece = []
        if ends is not None:
            piece += ends if not piece else ends[1:]
    if len(piece) > 1:
        yield tuple(piece)


def _segment(start: Point, end: Point, top: float, bottom: float) -> list[Point] | None:
    """Return the part of a straight line between two heights; None where there is none."""
    (x0, y0), (x1, y1) = start, end
    if max(y0, y1) < top or min(y0, y1) > bottom:
        return None

    def at(y: float) -> Point:
        if top <= y <= bottom or y0 == y1:
            return (x0, y) if y == y0 else (x1, y)
        cut = top if y < top else bottom
        return x0 + (x1 - x0) * (cut - y0) / (y1 - y0), cut

    return [at(y0), at(y1)]


def _turned(drawing: Drawing) -> Drawing:
    """Return the drawing with across and down exchanged, as a way to cut it; not to look at."""
    return Drawing(
        drawing.title, drawing.height, drawing.width, tuple(map(_turned_shape, drawing.shapes))
    )


def _turned_shape(shape: Shape) -> Shape:
    if isinstance(shape, Line):
        return replace(shape, points=tuple((y, x) for x, y in shape.points))
    if isinstance(shape, Box):
        return replace(shape, x=shape.y, y=shape.x, width=shape.height, height=shape.width)
    return replace(shape, x=shape.y, y=shape.x)
