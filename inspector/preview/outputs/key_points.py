"""Key points of faces, hands and bodies: where each heat map is hottest, or listed ones.

Source of the offsets: OpenSeeFace's own tracker. Listed points: MoveNet's model card. Landmarks
of faces, hands and bodies: MediaPipe's model cards. OpenPose: CMU-Perceptual-Computing-Lab and
Daniil-Osokin/lightweight-human-pose-estimation.pytorch.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from inspector.preview.detectors.boxes import Numbers
from inspector.tensors.prediction import OutputValue

_WITH_OFFSETS, _SHARPNESS = 198, 16
_MAPS = range(5, 134)
_OPENPOSE_MAPS, _OPENPOSE_BOTH = 19, 57  # 18 points and background; with 38 of the limbs
_OPENPOSE_LIMBS = 38
# Numbers of MediaPipe's landmarks -> points, numbers a point.
_LANDMARKS = {1404: (468, 3), 1434: (478, 3), 63: (21, 3), 195: (39, 5), 936: (468, 2)}


@dataclass(frozen=True, slots=True)
class Point:
    """A place in 0..1 of the model's picture, and how sure it is, mostly 0..1."""

    x: float
    y: float
    score: float


def points(
    outputs: Sequence[OutputValue],
    size: tuple[int, int] = (0, 0),
) -> tuple[str, tuple[Point, ...]] | None:
    """Return what wrote the points, and the points; None where the outputs hold none.

    size: of the model's picture, in whose pixels MediaPipe's landmarks are.
    """
    arrays = [o.array for o in outputs if o.array is not None and o.array.dtype.kind == "f"]
    if len(arrays) != len(outputs) or not arrays:
        return None
    marked = _openpose(arrays) or _landmarks(arrays, size)
    if marked is not None or len(arrays) != 1:
        return marked
    array = arrays[0]
    if array.ndim != 4 or len(array) != 1:
        return None
    values = array[0].astype(np.float64)
    if values.shape[0] == 1 and values.shape[2] == 3 and values.shape[1] in _MAPS:
        listed = tuple(Point(float(x), float(y), float(s)) for y, x, s in values[0])
        return "Listed points", listed
    maps, height, width = values.shape
    if maps == _WITH_OFFSETS and height == width:
        return "Landmarks with offsets", _with_offsets(values)
    small = 16 <= height <= 128 and 16 <= width <= 128
    if maps not in _MAPS or not small:
        return None
    if _is_pose_head(values, size) or (0 < values.max() <= 2 and np.median(values) < 0.1):
        return "Heat maps", _hottest(values)
    return None


def _is_pose_head(values: Numbers, size: tuple[int, int]) -> bool:
    """Whether maps are those of the usual pose models: 17 points of COCO or 16 of MPII, a
    quarter of an upright picture of 3:4."""
    maps, height, width = values.shape
    upright = 3 * height == 4 * width and size == (4 * width, 4 * height)
    return maps in (16, 17) and upright


def _openpose(arrays: Sequence[NDArray[np.generic]]) -> tuple[str, tuple[Point, ...]] | None:
    """The hottest place of each of OpenPose's maps of points, without the background."""
    shapes = [array.shape for array in arrays]
    if any(len(shape) != 4 or shape[0] != 1 for shape in shapes):
        return None
    heats = [a for a in arrays if a.shape[1] == _OPENPOSE_MAPS]
    limbs = [a for a in arrays if a.shape[1] == _OPENPOSE_LIMBS]
    both = len(arrays) == 1 and arrays[0].shape[1] == _OPENPOSE_BOTH
    if not both and not (heats and len(heats) == len(limbs) == len(arrays) / 2):
        return None
    last = (arrays if both else heats)[-1]  # of several stages the last is the best
    maps = last[0, : _OPENPOSE_MAPS - 1].astype(np.float64)
    return "OpenPose heat maps", _hottest(maps)


def _landmarks(
    arrays: Sequence[NDArray[np.generic]], size: tuple[int, int]
) -> tuple[str, tuple[Point, ...]] | None:
    """MediaPipe's landmarks, in pixels of the model's picture."""
    array = next((a for a in arrays if a.size in _LANDMARKS and a.shape[0] == 1), None)
    if array is None or not all(size) or max(array.shape) != array.size:
        return None
    many, each = _LANDMARKS[array.size]
    rows = array.reshape(many, each).astype(np.float64)
    places = rows[:, :2] / np.array(size) if abs(rows[:, :2]).max() > 2 else rows[:, :2]
    return "MediaPipe landmarks", tuple(Point(float(x), float(y), 1.0) for x, y in places)


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
