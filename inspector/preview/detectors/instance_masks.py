"""The pixels of each object that a model found: mixed from prototypes, or one mask a box.

Sources: ultralytics (utils/ops.py, process_mask_native), torchvision (models/detection/
roi_heads.py, paste_masks_in_image) and onnx/models (Mask R-CNN's README).
"""

from collections.abc import Callable, Sequence
from math import ceil

import numpy as np
from numpy.typing import NDArray

from inspector.model.tensors.prediction import OutputValue
from inspector.preview.detectors.boxes import Box, Numbers
from inspector.preview.detectors.output_arrays import channels_last
from inspector.preview.outputs.dense_maps import Overlay, color_of

MASKS = "Instance masks"
_PROBABLE = 0.5  # from which on a pixel belongs to the object, as torchvision's authors say
_MOST_OF_BOX = 64  # pixels of a side of a mask that fills a box; torchvision's has 28
_CANVAS = 512  # pixels of a side of the overlay of such masks


class _Masks:
    """The masks of the outputs.

    shape: rows and columns of a mask of the whole picture; None where masks fill their boxes.
    plane: of a box: its values before they are made larger, and above which one a pixel belongs
    to it.
    """

    def __init__(
        self, shape: tuple[int, int] | None, level: float, plane: Callable[[Box], Numbers]
    ) -> None:
        self.shape, self.level, self.plane = shape, level, plane

    def inside(
        self, box: Box, size: tuple[int, int], whole: Callable[[float], int]
    ) -> tuple[int, int, NDArray[np.bool_]]:
        """Return the first row and column of a box in a picture of this width and height, and
        which of its pixels belong to the object. whole: makes whole pixels of its edges."""
        (width, height), small = size, self.plane(box)
        rows, columns = small.shape
        left, right = whole(box.left * width), whole(box.right * width)
        top, bottom = whole(box.top * height), whole(box.bottom * height)
        x, y, wide, high = 0, 0, width, height  # of what the mask covers
        if self.shape is None:
            x, y, wide, high = left, top, max(1, right - left), max(1, bottom - top)
        across, down = _enlarging(columns, wide), _enlarging(rows, high)
        left, right = (min(max(place, 0), width) for place in (left, right))
        top, bottom = (min(max(place, 0), height) for place in (top, bottom))
        large = down[top - y : bottom - y] @ small @ across[left - x : right - x].T
        found: NDArray[np.bool_] = large > self.level
        return top, left, found


def masks_in(outputs: Sequence[OutputValue], boxes: Sequence[Box]) -> Overlay | None:
    """Return what lies inside each box as one overlay in the colors of the classes, or
    None."""
    masks = _read(outputs, boxes)
    if masks is None or not boxes:
        return None
    height, width = masks.shape or (_CANVAS, _CANVAS)
    picture = np.zeros((height, width, 4), np.uint8)
    for box in reversed(boxes):  # the best one lies on top
        top, left, inside = masks.inside(box, (width, height), round)
        rows, columns = inside.shape
        area = picture[top : top + rows, left : left + columns]
        area[inside] = (*color_of(box.kind), 255)
    return Overlay(MASKS, picture)


def masks_of(
    outputs: Sequence[OutputValue], boxes: Sequence[Box], width: int, height: int
) -> dict[int, tuple[int, int, NDArray[np.bool_]]] | None:
    """Return the pixels of each object in a picture of `width` by `height`: the first row, the
    first column, and which of the pixels from there on; by the place of the box.

    Masks are made larger as Ultralytics does, without corners that meet, then cut by the box.
    None where the outputs have none.
    """
    masks = _read(outputs, boxes)
    if masks is None:
        return None
    return {box.place: masks.inside(box, (width, height), ceil) for box in boxes}


def _read(outputs: Sequence[OutputValue], boxes: Sequence[Box]) -> _Masks | None:
    """Return the masks of the outputs; None where they have none for these boxes."""
    made = _prototypes(outputs)
    if made is not None:
        columns, prototypes = made
        number = len(prototypes)

        def mixed(box: Box) -> Numbers:
            shares = columns[len(columns) - number :, box.place]
            plane: Numbers = np.tensordot(shares, prototypes, 1)
            return plane

        return _Masks((prototypes.shape[1], prototypes.shape[2]), 0.0, mixed)
    planes = _planes(outputs)
    if planes is None or len(planes) <= max((box.place for box in boxes), default=-1):
        return None
    rows, columns_ = planes.shape[1:]
    fills = rows == columns_ <= _MOST_OF_BOX
    return _Masks(
        None if fills else (rows, columns_),
        _PROBABLE,
        lambda box: planes[box.place].astype(np.float64),
    )


def _planes(outputs: Sequence[OutputValue]) -> NDArray[np.generic] | None:
    """Return one mask for each box (boxes, rows, columns), as detectors list them."""
    named = [o.array for o in outputs if o.array is not None and "mask" in o.name.lower()]
    if not named:  # (boxes, 1, rows, columns) beside (boxes, 4)
        arrays = [o.array for o in outputs if o.array is not None]
        counts = {a.shape[0] for a in arrays if a.ndim == 2 and a.shape[1] == 4}
        named = [a for a in arrays if a.ndim == 4 and a.shape[1] == 1 and {len(a)} == counts]
    array = named[0] if len(named) == 1 else None
    if array is None or array.dtype.kind not in "fub" or array.ndim not in (3, 4):
        return None
    if array.ndim == 4:
        if 1 not in array.shape[:2]:  # one for each class
            return None
        array = array[:, 0] if array.shape[1] == 1 else array[0]
    return array


def _enlarging(small: int, large: int) -> Numbers:
    """Return how much of each of a few values is in each of more, linearly between them."""
    places = ((np.arange(large) + 0.5) * small / large - 0.5).clip(0, small - 1)
    low = np.floor(places).astype(int)
    share = places - low
    weights: Numbers = np.zeros((large, small))
    weights[np.arange(large), low] = 1 - share
    weights[np.arange(large), (low + 1).clip(max=small - 1)] += share
    return weights


def _prototypes(outputs: Sequence[OutputValue]) -> tuple[Numbers, Numbers] | None:
    """Return the numbers of each box, and the masks (number, height, width) that its last
    numbers mix; None where the outputs are no such."""
    columns = _columns(outputs)
    protos = [o.array for o in outputs if o.array is not None and o.array.ndim == 4]
    if columns is None or len(outputs) != 2 or len(protos) != 1:
        return None
    prototypes = protos[0][0].astype(np.float64)
    return columns, np.moveaxis(prototypes, -1, 0) if channels_last(
        protos[0].shape
    ) else prototypes


def _columns(outputs: Sequence[OutputValue]) -> Numbers | None:
    """(numbers of a box, boxes), as the first output of rank 3 holds them."""
    arrays = (o.array for o in outputs if o.array is not None and o.array.dtype.kind == "f")
    first = next((a for a in arrays if a.ndim == 3 and len(a) == 1), None)
    if first is None or min(first.shape[1:]) < 6:
        return None
    columns: Numbers = first[0].astype(np.float64)
    return columns if columns.shape[0] < columns.shape[1] else columns.T
