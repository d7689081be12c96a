"""The pixels of objects in a file of the COCO benchmark: polygons and run lengths.

They are those of pycocotools (github.com/cocodataset/cocoapi, common/maskApi.c): a polygon is
followed in a grid five times as fine, and run lengths go down the columns.
"""

import msgspec
import numpy as np
from numpy.typing import NDArray

from inspector.errors import UnreadableFile
from inspector.units import clip

_FINER = 5.0  # times, of the grid in which a polygon is followed
_CHAR_BITS = 5  # of a count in a text of run lengths; one more says whether it goes on
_FIRST_CHAR = 48
_MOST_PIXELS = 1 << 28

Pixels = NDArray[np.bool_]


class Segment(msgspec.Struct, frozen=True):
    """An object: its class, the class of its pixels, and its outline as the file has it.

    crowd: whether it is many objects.
    """

    kind: int
    number: int
    body: bytes
    crowd: bool = False


class _RunLengths(msgspec.Struct):
    counts: list[int] | str
    size: tuple[int, int]


def pixels_of(segment: Segment, height: int, width: int) -> Pixels:
    """Return which pixels of a picture an object has, by row and column. Raises
    UnreadableFile."""
    try:
        outline = msgspec.json.decode(segment.body, type=list[list[float]] | _RunLengths)
        if height * width > _MOST_PIXELS:
            raise ValueError("the picture is too large")
        if isinstance(outline, _RunLengths):
            if outline.size != (height, width):
                size = f"{outline.size[1]} × {outline.size[0]}"
                raise ValueError(f"it is of a picture of {size}, not {width} × {height}")
            return _of_counts(outline.counts, height, width)
        found = np.zeros((height, width), np.bool_)
        for polygon in outline:
            found |= _of_polygon(polygon, height, width)
        return found
    except (msgspec.MsgspecError, ValueError, IndexError) as error:
        raise UnreadableFile("Could not read a segmentation", clip(str(error), 160)) from error


def _of_counts(counts: list[int] | str, height: int, width: int) -> Pixels:
    lengths = _read_counts(counts) if isinstance(counts, str) else counts
    if min(lengths, default=0) < 0 or sum(lengths) != height * width:
        raise ValueError("its run lengths do not fill the picture")
    inside = np.arange(len(lengths)) % 2 == 1
    return np.repeat(inside, lengths).reshape(width, height).T


def _read_counts(text: str) -> list[int]:
    """Return run lengths out of a text: each in groups of bits, from the third on less the one
    before the last."""
    counts: list[int] = []
    place = 0
    while place < len(text):
        value = group = 0
        more = True
        while more:
            code = ord(text[place]) - _FIRST_CHAR
            value |= (code & 0x1F) << (_CHAR_BITS * group)
            more = bool(code & 0x20)
            place, group = place + 1, group + 1
            if not more and code & 0x10:
                value -= 1 << (_CHAR_BITS * group)
        counts.append(value + (counts[-2] if len(counts) > 2 else 0))
    return counts


def _of_polygon(numbers: list[float], height: int, width: int) -> Pixels:
    points = np.array(numbers, np.float64).reshape(-1, 2)
    if len(points) < 3:
        raise ValueError("a polygon has fewer than three corners")
    fine = np.trunc(_FINER * points + 0.5).astype(np.int64)
    steps = [_line(*ends) for ends in zip(fine, np.roll(fine, -1, 0), strict=True)]
    x, y = np.concatenate(steps).T
    turned = np.flatnonzero(np.diff(x))
    before, after = turned, turned + 1
    column = np.where(x[after] < x[before], x[after], x[after] - 1)
    column = (column + 0.5) / _FINER - 0.5
    row = (np.minimum(y[after], y[before]) + 0.5) / _FINER - 0.5
    counted = (np.floor(column) == column) & (column >= 0) & (column <= width - 1)
    rows = np.ceil(row[counted].clip(0, height)).astype(np.int64)
    edges = column[counted].astype(np.int64) * height + rows
    crossed = np.bincount(edges, minlength=height * width + 1)[: height * width].cumsum()
    inside: Pixels = crossed % 2 == 1
    return inside.reshape(width, height).T


def _line(start: NDArray[np.int64], end: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the points from one corner to the next, both included, by x and y."""
    across, down = np.abs(end - start)
    along = 0 if across >= down else 1  # the axis with a point for each step
    turned = start[along] > end[along]
    first, last = (end, start) if turned else (start, end)
    length = int(max(across, down))
    step = np.arange(length + 1)
    if turned:
        step = step[::-1]
    slope = (last[1 - along] - first[1 - along]) / length if length else 0.0
    points = np.empty((length + 1, 2), np.int64)
    points[:, along] = step + first[along]
    points[:, 1 - along] = np.trunc(first[1 - along] + slope * step + 0.5)
    return points
