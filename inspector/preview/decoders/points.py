"""Key points of faces, hands and bodies: where each heat map is hottest, or listed ones.

Source of the offsets: OpenSeeFace's own tracker. Listed points: MoveNet's model card.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from inspector.prediction import OutputValue
from inspector.preview.decoders.boxes import Numbers

_WITH_OFFSETS, _SHARPNESS = 198, 16
_MAPS = range(5, 134)


@dataclass(frozen=True, slots=True)
class Point:
    """A place in 0..1 of the model's picture, and how sure it is, mostly 0..1."""

    x: float
    y: float
    score: float


def points(outputs: Sequence[OutputValue]) -> tuple[str, tuple[Point, ...]] | None:
    """What wrote the points, and the points; None where the only output holds none."""
    array = outputs[0].array if len(outputs) == 1 else None
    if array is None or array.dtype.kind != "f" or array.ndim != 4 or len(array) != 1:
        return None
    values = array[0].astype(np.float64)
    if values.shape[0] == 1 and values.shape[2] == 3 and values.shape[1] in _MAPS:
        listed = tuple(Point(float(x), float(y), float(s)) for y, x, s in values[0])
        return "Listed points", listed
    maps, height, width = values.shape
    if maps == _WITH_OFFSETS and height == width:
        return "Landmarks with offsets", _with_offsets(values)
    small = 16 <= height <= 128 and 16 <= width <= 128
    if maps in _MAPS and small and 0 < values.max() <= 2 and np.median(values) < 0.1:
        return "Heat maps", _hottest(values)
    return None


def _hottest(maps: Numbers) -> tuple[Point, ...]:
    height, width = maps.shape[1:]
    flat = maps.reshape(len(maps), -1)
    at = flat.argmax(axis=1)
    return tuple(
        Point((place % width + 0.5) / width, (place // width + 0.5) / height, float(row[place]))
        for row, place in zip(flat, at.tolist(), strict=True)
    )


def _with_offsets(values: Numbers) -> tuple[Point, ...]:
    third, side = len(values) // 3, values.shape[1]
    flat = values.reshape(3, third, -1)
    at = flat[0].argmax(axis=1)
    picked = np.clip(np.take_along_axis(flat, at[None, :, None], 2)[..., 0], 1e-7, 1 - 1e-7)
    offsets = np.log(picked[1:] / (1 - picked[1:])) / _SHARPNESS
    downs, acrosses = at // side / (side - 1) + offsets[0], at % side / (side - 1) + offsets[1]
    rows = zip(acrosses.tolist(), downs.tolist(), picked[0].tolist(), strict=True)
    return tuple(Point(x, y, score) for x, y, score in rows)
