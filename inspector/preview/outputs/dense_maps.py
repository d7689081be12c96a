"""One value per pixel: masks, classes, depth and heat, as pictures to lay over another."""

import re
from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector.model.tensors.prediction import OutputValue
from inspector.preview.families import output_meanings
from inspector.preview.families.output_structure import (
    INDEPENDENT,
    PROBABILITIES,
    UNKNOWN,
    ModelStructure,
)
from inspector.preview.inputs.image_files import Picture

MASK = "Mask"
SEGMENTS = "Classes of pixels"
HEAT = "Heat map"
_SHORTEST = 8
_WHITE = 255
_MOST_CLASSES = 512
# Two maps beside a gray image are the a and b of its colors as often as two masks.
_COLORS_OF_GRAY = 2
_COARSEST = 4  # pixels of the image for one of a map of classes, in width or height
_SMALL_CLASSES = frozenset((19, 21, 59, 60, 81, 91, 133, 150, 151, 171, 182))  # of data sets
_MASK_CLASSES = 2  # of a mask: in it, or not
_SUM_ERROR = 0.01  # of shares that add up to 1: more than rounding to float16 makes
_NO_MASK = -1  # the number of a pixel in none of several masks
_MASKS = re.compile(r"mask|matte|alpha|saliency|seg|pha", re.I)
_CLASS_NAMES = re.compile(r"seg|class|logit|prob|mask", re.I)
_FEATURE_CHANNELS = 8  # a multiple of which layers inside a network have
_USUAL_CLASSES = frozenset((80, 104, 120, 128, 144, 152, 184))  # multiples that data sets have
_FEATURES = re.compile(r"embed|feature", re.I)
_SHARES = frozenset(("Sigmoid", "HardSigmoid", "Softmax", "Clip", "LogSoftmax"))
_ALL_SHARES = frozenset(("Softmax", "LogSoftmax"))  # over the planes, each pixel's add up to 1
SAM_MASKS = "masks"  # of segment-anything's own export: logits, several for one place
_DEPTHS = re.compile(r"depth|disp(arity)?(_|$|\d)|inverse_?depth", re.I)
# Nine of Paul Tol's colors for charts, which stay apart for the color-blind too.
_COLORS = (
    (68, 119, 170), (238, 102, 119), (34, 136, 51), (204, 187, 68), (102, 204, 238),
    (170, 51, 119), (238, 136, 102), (0, 153, 136), (136, 34, 85),
)  # fmt: skip
_HEATS = ((0, 0, 4), (81, 18, 124), (183, 55, 121), (252, 137, 97), (252, 253, 191))


class Overlay(Struct, frozen=True, eq=False):
    """A picture uint8 (height, width, 4) over the model's own, its last channel opacity.

    parts: classes by number with their share of the pixels and color, the largest first;
    low, high: the values of the coldest and the hottest pixel of a heat map. background: the
    number of what is not drawn.
    """

    kind: str
    picture: Picture
    parts: tuple[tuple[int, float, tuple[int, int, int]], ...] = ()
    low: float = 0.0
    high: float = 1.0
    background: int = 0


def overlay_kinds(
    outputs: Sequence[OutputValue],
    structure: ModelStructure = UNKNOWN,
    size: tuple[int, int] = (0, 0),
) -> tuple[str, ...]:
    """Return how the first output with a value per pixel can be read, most likely first.

    size: width and height of the model's image, where known.
    """
    planes = _planes(outputs)
    if planes is None:
        return ()
    name, values = planes
    said = structure.meanings.get(name)
    classes = values.dtype.kind in "iu" and values.min() >= 0 and values.max() < _MOST_CLASSES
    independent = name == SAM_MASKS or structure.scores.get(name) == INDEPENDENT
    if said is not None:
        if said != output_meanings.MASK:
            return ()
        graded = values.max() == _WHITE  # of a picture, not of classes
        several = not independent if len(values) > 1 else classes and not graded
        return (SEGMENTS, MASK, HEAT) if several else (MASK, HEAT)
    rows = (each for each in outputs if each.name == name)
    is_embedding = len(values) > 1 and _FEATURES.search(name) is not None
    if is_embedding or any(has_rows_of_shares(e, structure) for e in rows):
        return ()
    if len(values) > 1:
        if structure.gray and len(values) == _COLORS_OF_GRAY:
            return ()
        if independent:
            return (MASK,)
        small = max(size) > _COARSEST * max(values.shape[1:])
        return (SEGMENTS,) if _are_classes(name, len(values), structure, small) else ()
    if values.dtype.kind in "iu":
        return (SEGMENTS,) if classes else (HEAT,)
    if _DEPTHS.search(name):
        return (HEAT, MASK)
    if _MASKS.search(name):
        return (MASK, HEAT)
    if structure.heads.get(name):  # the graph decides, not what this picture happens to give
        shares = structure.heads[name] & _SHARES
        return (MASK, HEAT) if shares else (HEAT, MASK)
    probable = values.min() >= -0.01 and values.max() <= 1.01
    return (MASK, HEAT) if probable else (HEAT, MASK)


def has_rows_of_shares(output: OutputValue, structure: ModelStructure) -> bool:
    """Return whether each row of an output (1, places, classes) has the shares of all classes,
    as readers of number plates give them: each row adds up to 1."""
    array = output.array
    if array is None or array.ndim != 3 or array.dtype.kind != "f":
        return False
    sums = array.sum(axis=2, dtype=np.float64)
    shares = structure.scores.get(output.name) == PROBABILITIES
    return shares and bool(np.allclose(sums, 1, atol=_SUM_ERROR))


def _are_classes(name: str, planes: int, structure: ModelStructure, small: bool) -> bool:
    """Return whether several planes are scores of classes: by operators, name or number.

    Features of a network have channels in eights; the usual numbers of classes are no such.
    Maps that are computed from several others, such as curves that brighten an image, are none,
    and small ones only with a usual number: places of points within a cell are such maps, too.
    """
    kind = structure.scores.get(name, "")
    if kind in (PROBABILITIES, INDEPENDENT) or _CLASS_NAMES.search(name) is not None:
        return True
    if structure.heads.get(name) and not kind:
        return bool(structure.heads[name] & _ALL_SHARES)
    if planes in _USUAL_CLASSES:
        return True
    return planes % _FEATURE_CHANNELS != 0 and (not small or planes in _SMALL_CLASSES)


def threshold(outputs: Sequence[OutputValue]) -> float:
    """Return above which value a pixel belongs to a mask, as the authors take it."""
    planes = _planes(outputs)
    return 0.0 if planes is not None and planes[0] == SAM_MASKS else 0.5


def overlay(outputs: Sequence[OutputValue], kind: str, threshold: float = 0.5) -> Overlay:
    """Return the overlay in one of its `ways`; a mask is what lies above the threshold."""
    planes = _planes(outputs)
    assert planes is not None, "only outputs that have ways are laid over an image"
    name, values = planes
    if kind == SEGMENTS:
        kinds = values.argmax(axis=0) if len(values) > 1 else values[0].astype(np.int64)
        return _segments(kinds)
    if kind == MASK and len(values) > 1 and name != SAM_MASKS:
        return _segments(_masks(values, threshold), _NO_MASK)
    plane = values[_best_mask(outputs, len(values))].astype(np.float64)
    if kind == MASK:
        return _segments((plane > threshold).astype(np.int64))
    colors, low, high = heated(plane)
    opaque = np.full((*plane.shape, 1), 255, np.uint8)
    return Overlay(kind, np.concatenate([colors, opaque], axis=2), (), low, high)


def class_map(
    outputs: Sequence[OutputValue], kind: str, threshold: float = 0.5
) -> NDArray[np.int64] | None:
    """Return the class of each pixel, (height, width); None for outputs without any.

    kind: SEGMENTS, or MASK, whose pixels are 1 above the threshold; with several masks their
    number, and -1 below it.
    """
    planes = _planes(outputs)
    if planes is None:
        return None
    name, values = planes
    if kind == MASK and len(values) > 1 and name != SAM_MASKS:
        return _masks(values, threshold)
    if kind == SEGMENTS:
        kinds: NDArray[np.int64] = (
            values.argmax(axis=0) if len(values) > 1 else values[0].astype(np.int64)
        )
        return kinds
    mask: NDArray[np.int64] = np.asarray(
        values[_best_mask(outputs, len(values))] > threshold, np.int64
    )
    return mask


def map_classes(outputs: Sequence[OutputValue], kind: str) -> int:
    """Return how many classes `class_map` can give a pixel; 0 where nobody knows."""
    planes = _planes(outputs)
    if planes is None or (kind == SEGMENTS and len(planes[1]) == 1):
        return 0
    return max(len(planes[1]), _MASK_CLASSES)


def _masks(values: NDArray[np.generic], threshold: float) -> NDArray[np.int64]:
    """Return which of several independent masks is highest at each pixel, -1 where none is
    above the threshold."""
    above = values.max(axis=0) > threshold
    kinds: NDArray[np.int64] = np.where(above, values.argmax(axis=0), _NO_MASK).astype(np.int64)
    return kinds


def _best_mask(outputs: Sequence[OutputValue], masks: int) -> int:
    """Return which of SAM's masks its own estimate (`iou_predictions`) says is the best."""
    guesses = next((o.array for o in outputs if o.name == "iou_predictions"), None)
    if guesses is None or guesses.size != masks:
        return 0
    return int(guesses.ravel().argmax())


def heated(plane: NDArray[np.float64]) -> tuple[Picture, float, float]:
    """Return a plane from cold to hot, uint8 (height, width, 3), and its lowest and highest
    value."""
    finite = plane[np.isfinite(plane)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    scaled = np.nan_to_num((plane - low) / ((high - low) or 1.0))
    stops = np.linspace(0, 1, len(_HEATS))
    channels = [np.interp(scaled, stops, [c[i] for c in _HEATS]) for i in range(3)]
    return np.rint(np.stack(channels, axis=-1)).astype(np.uint8), low, high


def color_of(kind: int) -> tuple[int, int, int]:
    """Return the color of a class."""
    return _COLORS[kind % len(_COLORS)]


def _segments(kinds: NDArray[np.int64], background: int = 0) -> Overlay:
    numbers, counts = np.unique(kinds, return_counts=True)
    picture = np.zeros((*kinds.shape, 4), np.uint8)
    for kind in numbers.tolist():
        if kind != background:  # class 0 nearly everywhere
            picture[kinds == kind] = (*color_of(kind), 255)
    listed = sorted(zip(numbers.tolist(), counts.tolist(), strict=True), key=lambda p: -p[1])
    parts = tuple(
        (kind, count / kinds.size, color_of(kind)) for kind, count in listed if kind >= 0
    )
    return Overlay(SEGMENTS, picture, parts, background=background)


def _planes(outputs: Sequence[OutputValue]) -> tuple[str, NDArray[np.generic]] | None:
    """Name and values (planes, height, width) of the first output with a value per pixel."""
    for output in outputs:
        array = output.array
        if array is None or array.dtype.kind not in "fiub" or array.ndim not in (2, 3, 4):
            continue
        first = array[0] if array.ndim == 4 else array
        planes = first[None] if first.ndim == 2 else first
        if planes.shape[2] <= _MOST_CLASSES and planes.shape[2] < min(planes.shape[:2]):
            planes = np.moveaxis(planes, 2, 0)
        size = planes.shape[1:]
        if (
            min(size) >= _SHORTEST
            and len(planes) <= _MOST_CLASSES
            and max(size) < 16 * min(size)
        ):
            return output.name, planes
    return None
