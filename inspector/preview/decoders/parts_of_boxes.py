"""What YOLO v8 and later say inside their boxes: key points of bodies, masks of objects.

Source: the layout of Ultralytics' exports for pose (4 + 1 + 3 a point) and segmentation
(4 + classes + 32 shares of 32 prototypes).
"""

from collections.abc import Sequence

import numpy as np

from inspector.prediction import OutputValue
from inspector.preview.decoders.boxes import Box, Numbers
from inspector.preview.decoders.dense import Overlay, colour_of
from inspector.preview.decoders.points import Point

FEWEST_POINTS = 4
MASKS = "Masks in boxes"


def points_in(
    outputs: Sequence[OutputValue], boxes: Sequence[Box], width: int, height: int
) -> tuple[Point, ...]:
    """The key points in each box, in 0..1 of the picture; empty where there are none."""
    columns = _columns(outputs)
    if columns is None or len(outputs) != 1 or not boxes:
        return ()
    many = (len(columns) - 5) // 3
    if many < FEWEST_POINTS or (len(columns) - 5) % 3 or columns[5:].max() <= 1:
        return ()
    found = []
    for box in boxes:
        rows = columns[5:, box.place].reshape(many, 3)
        found += [Point(float(x) / width, float(y) / height, float(s)) for x, y, s in rows]
    return tuple(found)


def masks_in(outputs: Sequence[OutputValue], boxes: Sequence[Box]) -> Overlay | None:
    """What lies inside each box as one overlay in the colours of the classes, or None."""
    columns = _columns(outputs)
    protos = [o.array for o in outputs if o.array is not None and o.array.ndim == 4]
    if columns is None or len(outputs) != 2 or len(protos) != 1 or not boxes:
        return None
    prototypes = protos[0][0].astype(np.float64)
    number, height, width = prototypes.shape
    picture = np.zeros((height, width, 4), np.uint8)
    for box in reversed(boxes):  # the best one lies on top
        left, right = (round(min(1.0, max(0.0, x)) * width) for x in (box.left, box.right))
        top, bottom = (round(min(1.0, max(0.0, y)) * height) for y in (box.top, box.bottom))
        shares = columns[len(columns) - number :, box.place]
        inside = np.tensordot(shares, prototypes[:, top:bottom, left:right], 1) > 0
        picture[top:bottom, left:right][inside] = (*colour_of(box.kind), 255)
    return Overlay(MASKS, picture)


def _columns(outputs: Sequence[OutputValue]) -> Numbers | None:
    """(numbers of a box, boxes), as the first output of rank 3 holds them."""
    arrays = (o.array for o in outputs if o.array is not None and o.array.dtype.kind == "f")
    first = next((a for a in arrays if a.ndim == 3 and len(a) == 1), None)
    if first is None or first.shape[1] < 6 or first.shape[2] <= first.shape[1]:
        return None
    columns: Numbers = first[0].astype(np.float64)
    return columns
