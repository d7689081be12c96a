"""Outputs read as people mean them: classes, a picture, texts, or plain numbers."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector import units
from inspector.errors import UnreadableFile
from inspector.model.operator_traits import VIEWS
from inspector.model.tensors.prediction import OutputValue
from inspector.platform.data_struct import DataStruct
from inspector.preview.families import output_meanings
from inspector.preview.families.label_text import of_output
from inspector.preview.families.output_structure import (
    INDEPENDENT,
    LOGITS,
    PROBABILITIES,
    UNKNOWN,
    ModelStructure,
)
from inspector.preview.inputs import image_files
from inspector.preview.inputs.image_files import Picture
from inspector.preview.outputs.dense_maps import SAM_MASKS, has_rows_of_shares

OVER_TIME = "over time"
HEAT = "heat map"
AUDIO = "sound"
DECODED_TEXT = "words"
EMBEDDING = "embedding"
SCORES = "scores"
CLASSES = "classes"
IMAGE = "picture"
TEXT = "text"
NUMBERS = "numbers"
TENSOR = "tensor"
CODES = "codes"  # scores that are integers without a scale: their order is all that is known
_MOST_CLASSES = 100_000
_MOST_ROWS = 100
_SHORTEST_SIDE = 8
_MOST_OBLONG = 16  # longest side of an image over its shortest; lists of boxes are longer
_LARGEST_CODE = 2  # bytes of a quantized score; larger integers are ids
_FEW = 16  # elements of any shape that are listed
_MOST_LISTED = 64  # elements of one row that are listed
_NEAR = 0.02  # how far from 1 the sum of rounded probabilities may be
_ROUNDING = 1e-3  # how far beyond 0..1 a probability may be after half precision
_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8\xff"
_NOT_CLASSES = re.compile(
    # TensorFlow calls outputs of any kind "StatefulPartitionedCall".
    r"state(?!ful)|hidden|embed|feature|pool|past|present|cache|boxes|bbox|regress|landmark",
    re.I,
)
# Operators behind the last learned layer that do not make numbers add up to 1.
_PLAIN = VIEWS | {
    "Transpose", "Cast", "Add", "Sub", "Mul", "Sum", "Concat", "Slice", "Gather", "ReduceMean",
    "Relu", "LeakyRelu", "Tanh", "Clip", "QuantizeLinear", "DequantizeLinear", "Constant",
}  # fmt: skip
_MAKES_SHARES = frozenset(("Softmax",))  # stands for a head that is not known
_CLASS_NAMES = re.compile(r"logit|prob|softmax|class|label", re.I)
_ID_NAMES = re.compile(r"class|label", re.I)  # of scores of classes, and of their numbers
_MOST_COORDINATES = 512  # of points in an image behind a Sigmoid: 212 of 106 points, and more
_BOX = 4  # numbers between 0 and 1 behind a Sigmoid that are as likely a box as classes


class Class(DataStruct, frozen=True):
    """One class of an answer: its place, its label ("" when nobody told) and its value.

    probability: the value itself where a row holds probabilities, else its softmax over the
    row; 0 for integers whose scale is not known.
    """

    index: int
    label: str
    value: float
    probability: float


class Classes(Struct, frozen=True):
    """The highest classes of one row of an output, highest first.

    total: number of classes. logits: the values are no probabilities yet, so that they are
    shown through softmax. note: what is odd, such as labels that do not fit; mostly empty.
    shares: the values are probabilities: within 0 to 1, and they add up to 1 or have labels.
    """

    top: tuple[Class, ...]
    total: int
    logits: bool
    note: str = ""
    shares: bool = False


class ShownImage(Struct, frozen=True, eq=False):
    """An output as a picture; low and high are the values drawn as black and white."""

    picture: Picture
    low: float
    high: float


def read(
    output: OutputValue,
    labels: Sequence[str] = (),
    decoded: bool = False,
    structure: ModelStructure = UNKNOWN,
) -> tuple[str, ...]:
    """Return the kinds that an output can be shown as, best first; one of them shows anything.

    Out of "classes", "picture", "text", "numbers" (few enough to list) and "tensor". A row of
    numbers is classes first only with evidence, see `is_classes`; otherwise people choose.
    decoded: boxes or points were decoded from the outputs, so that a (1, rows, numbers) array
    is a list of them, no image of one channel and no row of classes. structure: of the model,
    where it is known: a few numbers are not classes just because they happen to add up to 1.
    """
    array, labels = output.array, of_output(labels, output.name)
    if array is None or array.dtype.kind in "OU":
        return (TEXT,)
    if _decoded_file(array) is not None:
        return (IMAGE, TENSOR)
    said = structure.meanings.get(output.name)
    if said is not None and (kinds := _said_kinds(output, said)):
        return kinds
    fitting = []
    rows = None if decoded and is_list(output) else _rows(output)
    possible = rows is not None and not _is_other(output, rows, labels)
    likely = possible and rows is not None and _is_classes(output, rows, labels, structure)
    if likely:
        fitting.append(CLASSES)
    if not (decoded and is_list(output)) and is_image(output, structure):
        fitting.append(IMAGE)
    row = array.size == max(array.shape, default=1)
    few = array.size <= (_MOST_LISTED if row else _FEW)
    if few:
        fitting.append(NUMBERS)
    if possible and not likely:
        return (*fitting, CLASSES, TENSOR) if few else (*fitting, TENSOR, CLASSES)
    return (*fitting, TENSOR)


def _said_kinds(output: OutputValue, meaning: str) -> tuple[str, ...]:
    """Return the kinds that an output is shown as by what somebody says of it; () where its
    shape does not allow that."""
    array = output.array
    assert array is not None, "what has no array is a text"
    few = array.size <= (_MOST_LISTED if array.size == max(array.shape, default=1) else _FEW)
    plain = (NUMBERS, TENSOR) if few else (TENSOR,)
    if meaning == output_meanings.CLASSES:
        return () if _rows(output) is None else (CLASSES, *plain)
    if meaning == output_meanings.IMAGE:
        return () if _planes(output) is None else (IMAGE, *plain)
    return plain


def is_classes(
    output: OutputValue, labels: Sequence[str] = (), structure: ModelStructure = UNKNOWN
) -> bool:
    """Return whether there is evidence that an output is classes.

    Evidence is as many names as columns, keys of a map, a Softmax or a Sigmoid behind the
    learned layers, a name such as "logits", or rows that add up to 1. The number of columns
    is none: a row may be coordinates, angles, anchors or an embedding.
    """
    array, labels = output.array, of_output(labels, output.name)
    if array is None or array.dtype.kind in "OU" or _decoded_file(array) is not None:
        return False
    rows, said = _rows(output), structure.meanings.get(output.name)
    if said is not None:
        return said == output_meanings.CLASSES and rows is not None
    fits = rows is not None and not _is_other(output, rows, labels)
    return fits and rows is not None and _is_classes(output, rows, labels, structure)


def is_list(output: OutputValue) -> bool:
    """Return whether an output has the shape of a list of boxes: (1, rows, numbers), or (rows,
    numbers)."""
    rank = len(output.shape)
    return (rank == 3 and output.shape[0] == 1) or (rank == 2 and output.shape[0] > 1)


def classes(
    output: OutputValue,
    labels: Sequence[str] = (),
    count: int = 5,
    softmax: bool = False,
    structure: ModelStructure = UNKNOWN,
) -> tuple[Classes, ...]:
    """Return the highest classes of each row (100 rows at most); empty when it holds no
    classes.

    Rows of (N, C), (N, C, 1, 1) or (C,); the columns of maps are classes by their keys.
    labels: used when there is one for each class, otherwise the note says that they do not fit.
    Values are calibrated where the file asks for it.
    softmax: give the probability as the value, too, where the values are logits. structure:
    of the model, which says whether its scores are probabilities already.
    """
    rows, labels = _rows(output), of_output(labels, output.name)
    if rows is None:
        return ()
    names = _labels(output, labels, rows.shape[1])
    note = ""
    if labels and not output.keys and len(labels) != rows.shape[1]:
        note = f"{len(labels):,} class names do not match {rows.shape[1]:,} classes"
    kind = _score_kind(output, structure)
    calibration = structure.calibrations.get(output.name)
    if calibration is not None and len(calibration.lines) == rows.shape[1] and kind != CODES:
        rows, kind = calibration.of_rows(rows), INDEPENDENT
    return tuple(_highest(row, names, count, softmax, note, kind) for row in rows[:_MOST_ROWS])


def is_image(output: OutputValue, structure: ModelStructure = UNKNOWN) -> bool:
    """Return whether an output has the shape of an image, and its channels are no shares of
    classes."""
    planes = _planes(output)
    shares = structure.scores.get(output.name) == PROBABILITIES
    if planes is None or has_rows_of_shares(output, structure):
        return False
    return planes.shape[2] == 1 or not shares


def image_of(output: OutputValue) -> ShownImage | None:
    """Return the first picture of an output of rank 3 or 4 with 1, 3 or 4 channels, else None.

    Values in 0..1, -1..1 and 0..255 are drawn as such, others from their lowest to highest.
    A row of bytes that is a whole PNG or JPEG file is decoded.
    """
    whole = None if output.array is None else _decoded_file(output.array)
    if whole is not None:
        return ShownImage(whole, 0.0, 255.0)
    planes = _planes(output)
    if planes is None:
        return None
    low, high = _range(planes)
    scaled = (planes - low) * (255 / (high - low))
    pixels = np.rint(np.clip(np.nan_to_num(scaled), 0, 255)).astype(np.uint8)
    return ShownImage(pixels, low, high)


def numbers(output: OutputValue, most: int = 8) -> str:
    """Return the first elements of an output in one line: '0.12, 3, -4.5, …'; texts in
    quotes."""
    if output.array is None:
        return output.text
    flat = output.array.ravel()[:most].tolist()
    listed = ", ".join(map(_short, flat))
    return f"{listed}, …" if output.array.size > most else listed


def _decoded_file(array: NDArray[np.generic]) -> Picture | None:
    """Return the picture whose file the array holds byte by byte, if it does."""
    row = array.dtype == np.uint8 and array.ndim == 1
    if not row or not array[: len(_PNG)].tobytes().startswith((_PNG, _JPEG)):
        return None
    try:
        return image_files.decode(array.tobytes(), "the output")
    except UnreadableFile:
        return None  # it only begins like one, and is shown as the tensor it is


def _short(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return f"'{units.clip(value, 80)}'" if isinstance(value, str) else str(value)


def _rows(output: OutputValue) -> NDArray[np.float64] | None:
    """Return the output as float64 (rows, classes); None when its shape or type speaks against
    it."""
    array = output.array
    if array is None or not array.ndim or not array.size:
        return None
    if array.dtype.kind != "f" and not (
        array.dtype.kind in "iu" and array.itemsize <= _LARGEST_CODE
    ):
        return None
    if array.ndim > 2 and any(length != 1 for length in array.shape[2:]):
        return None
    rows = array.reshape(1 if array.ndim == 1 else len(array), -1)
    if not 1 < array.size // len(rows) <= _MOST_CLASSES:
        return None
    return rows[:_MOST_ROWS].astype(np.float64)


def _score_kind(output: OutputValue, structure: ModelStructure) -> str:
    """Return what the scores of an output are, as `ModelStructure.scores` calls it; CODES for
    integers without a scale, "" where nothing says it."""
    if output.array is not None and output.array.dtype.kind in "iu":
        return CODES
    kind = structure.scores.get(output.name, "")
    clipped = "Clip" in structure.heads.get(output.name, ())
    return "" if kind == LOGITS and clipped else kind


def _is_other(output: OutputValue, rows: NDArray[np.float64], labels: Sequence[str]) -> bool:
    """Return whether name or shape speak of something else and neither labels nor keys for
    classes."""
    if output.keys or len(labels) == rows.shape[1]:
        return False
    series = len(output.shape) == 1 and not _add_up(rows)
    return series or _NOT_CLASSES.search(output.name) is not None


def _is_classes(
    output: OutputValue,
    rows: NDArray[np.float64],
    labels: Sequence[str],
    structure: ModelStructure,
) -> bool:
    """Return whether labels, the graph, the name or probabilities speak for classes."""
    if output.keys or len(labels) == rows.shape[1]:
        return True
    if _score_kind(output, structure) == CODES or _is_column(output, rows, structure):
        return False
    ids = _ID_NAMES.search(output.name) is not None and _are_ids(rows)
    if ids and output.name not in structure.scores:
        return False
    if evidence(output.name, rows.shape[1], structure):
        return True
    if _score_kind(output, structure) == INDEPENDENT:
        return False  # nothing makes them add up to 1, so that it is chance where they do
    # A regression's numbers may add up to 1 by chance: its graph has nothing that makes them.
    plain = bool(structure.heads.get(output.name, _MAKES_SHARES) <= _PLAIN)
    return not plain and _add_up(rows)


def _is_column(
    output: OutputValue, rows: NDArray[np.float64], structure: ModelStructure
) -> bool:
    """Return whether an output of (1, N, 1) has one score of each box or step, no shares."""
    if len(output.shape) != 3 or output.shape[2] != 1:
        return False
    return _score_kind(output, structure) != PROBABILITIES and not _add_up(rows)


def evidence(name: str, columns: int, structure: ModelStructure) -> str:
    """Return what in a model's file says that a row of numbers is classes; "" for nothing.

    Only operators and names count. Without any, a row may as well be coordinates.
    """
    if _NOT_CLASSES.search(name):
        return ""
    kind = structure.scores.get(name, "")
    if kind == PROBABILITIES:
        return "comes from Softmax"
    # Tables: regressions of scaled targets and autoencoders end in Sigmoid, too. So do places
    # of points in an image.
    places = structure.image and columns <= _MOST_COORDINATES
    if kind == INDEPENDENT and columns != _BOX and not structure.tabular and not places:
        return "comes from Sigmoid"
    if _CLASS_NAMES.search(name):
        return "has the name of scores of classes"
    if name in structure.counted:
        return "has as many numbers as a known data set has classes"
    return ""


def _are_ids(rows: NDArray[np.float64]) -> bool:
    """Return whether all numbers are whole and one is above 1: numbers of classes, counts."""
    finite = np.isfinite(rows).all()
    return bool(finite and (rows == np.rint(rows)).all() and rows.max() > 1)


def _add_up(rows: NDArray[np.float64]) -> bool:
    """Return whether every row is of probabilities: none below 0, and together 1."""
    return bool(rows.min() >= 0 and (abs(rows.sum(axis=1) - 1) < _NEAR).all())


def _labels(output: OutputValue, labels: Sequence[str], total: int) -> Sequence[str]:
    if len(output.keys) == total:  # they name the columns, whose order is not the labels'
        numbers = [int(key) if key.isdecimal() else len(labels) for key in output.keys]
        fitting = max(numbers) < len(labels)
        return tuple(labels[number] for number in numbers) if fitting else output.keys
    return labels if len(labels) == total else ("",) * total


def _highest(
    row: NDArray[np.float64],
    labels: Sequence[str],
    count: int,
    softmax: bool,
    note: str,
    kind: str,
) -> Classes:
    missing = np.isnan(row)
    ranked = np.where(missing, -np.inf, row)
    if missing.any():
        number = int(missing.sum())
        problem = f"{number:,} {'is' if number == 1 else 'are'} NaN"
        if number == len(row) > 1:
            problem = f"all {number:,} values are NaN"
        note = f"{note}; {problem}".removeprefix("; ")
    outside = bool(((row < -_ROUNDING) | (row > 1 + _ROUNDING)).any())
    probable = kind in (PROBABILITIES, INDEPENDENT)
    logits = kind != CODES and not probable and (outside or kind == LOGITS)
    shares = _softmax(ranked) if logits else np.zeros_like(row) if kind == CODES else row
    order = np.argsort(-ranked, kind="stable")[:count].tolist()
    shown = shares if softmax else row
    top = tuple(Class(i, labels[i], float(shown[i]), float(shares[i])) for i in order)
    named = any(labels[i] for i in order)
    likely = not logits and kind != CODES
    likely = likely and (probable or named or abs(float(np.nansum(row)) - 1) < _NEAR)
    return Classes(top, len(row), logits, note, likely)


def _softmax(row: NDArray[np.float64]) -> NDArray[np.float64]:
    highest = row.max()
    # Beside an infinite value all others are nothing.
    powers = (row == highest) * 1.0 if np.isinf(highest) else np.exp(row - highest)
    softmax: NDArray[np.float64] = powers / powers.sum()
    return softmax


def _planes(output: OutputValue) -> NDArray[np.float64] | None:
    """Return the first picture as float64 (height, width, channels)."""
    array = output.array
    if array is None or array.ndim not in (3, 4) or array.dtype.kind not in "fiu":
        return None
    if not array.size or (output.name == SAM_MASKS and array.shape[1] > 1):
        return None  # three or four masks for one place are no colors
    first = array[0] if array.ndim == 4 else array
    for planes in (np.moveaxis(first, 0, 2), first):
        height, width, channels = planes.shape
        sides = sorted((height, width))
        is_size = sides[0] >= _SHORTEST_SIDE and sides[1] <= _MOST_OBLONG * sides[0]
        if channels in (1, 3, 4) and is_size:
            return planes.astype(np.float64)
    return None


def _range(planes: NDArray[np.float64]) -> tuple[float, float]:
    finite = planes[np.isfinite(planes)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    # Networks overshoot the range they were trained for a little.
    if low >= -0.25 and high <= 1.5:
        return 0.0, 1.0
    if low >= -1.5 and high <= 1.5:
        return -1.0, 1.0
    if low >= -64 and 16 <= high <= 320:
        return 0.0, 255.0
    return low, high if high > low else low + max(1.0, abs(low))
