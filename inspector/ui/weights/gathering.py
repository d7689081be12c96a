"""What is read of a weight when somebody looks at it: its statistics, and a plane of it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from math import prod
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from inspector import units
from inspector.analysis.tensor_statistics import Statistics, statistics
from inspector.model import WeightInfo
from inspector.readers import payload
from inspector.readers.payload_fields import NUMBERS, STRINGS, Values

MOST_LENGTH = 384  # elements along an axis of a plane; of more, every n-th is taken
FIRST = 40


@dataclass(frozen=True, slots=True)
class Gathered:
    """What one pass over a weight tells.

    digest: equal for weights of equal type, shape and values. first: values in words.
    """

    statistics: Statistics
    digest: bytes
    first: str


@dataclass(frozen=True, slots=True)
class View:
    """Which plane of a tensor: the axes that go down and across, and where on the others.

    at: an index for each axis; those of the two axes do not matter. A vector has down None.
    """

    down: int | None
    across: int
    at: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Plane:
    """A plane of a weight: float64 (rows, columns), every `steps`-th of each axis."""

    index: int
    view: View
    values: NDArray[np.float64]
    steps: tuple[int, int]


def gather(
    path: Path, weight: WeightInfo, known: payload.Stamps, heard: Callable[[int], None]
) -> Gathered:
    """Read a weight once. Raises UnreadableFile, and what `heard` raises.

    heard: is told the number of elements read so far, after each piece.
    """
    digest = blake2b(repr((weight.dtype, weight.shape)).encode(), digest_size=16)
    first: list[str] = []

    def pieces() -> Iterator[Values]:
        done = 0
        for values in payload.chunks(path, weight, known=known):
            digest.update(_bytes(values))
            if len(first) < FIRST:
                first.extend(_words(values[: FIRST - len(first)]))
            yield values
            done += len(values)
            heard(done)

    found = statistics(pieces())
    return Gathered(found, digest.digest(), "  ".join(first))


def plane(
    path: Path, index: int, weight: WeightInfo, view: View, known: payload.Stamps
) -> Plane:
    """Read a plane of a weight of numbers. Raises UnreadableFile."""
    indices, steps = _cut(weight.stored_shape, view)
    return _plane(index, view, payload.part(path, weight, indices, known), steps)


def plane_of(array: Values, index: int, view: View) -> Plane:
    """A plane of a tensor of numbers that is at hand."""
    indices, steps = _cut(array.shape, view)
    return _plane(index, view, array[tuple(indices)], steps)


def _cut(shape: Sequence[int], view: View) -> tuple[list[payload.Index], tuple[int, int]]:
    """What to take of each axis, and every how many-th of the two that are seen."""
    indices: list[payload.Index] = list(view.at)
    steps = [1, 1]
    for place, axis in enumerate((view.down, view.across)):
        if axis is not None:
            steps[place] = -(-shape[axis] // MOST_LENGTH)
            indices[axis] = slice(None, None, steps[place])
    return indices, (steps[0], steps[1])


def _plane(index: int, view: View, found: Values, steps: tuple[int, int]) -> Plane:
    if view.down is not None and view.down > view.across:
        found = found.T
    if found.dtype.kind == "c":
        found = np.abs(found)
    with np.errstate(invalid="ignore"):
        return Plane(index, view, np.atleast_2d(found).astype(np.float64), steps)


def first_view(shape: Sequence[int]) -> View | None:
    """The plane with most to see: along the two longest axes, the earlier one down."""
    if not shape or not prod(shape):
        return None
    at = (0,) * len(shape)
    if len(shape) == 1:
        return View(None, 0, at)
    longest = sorted(range(len(shape)), key=lambda axis: -shape[axis])[:2]
    return View(min(longest), max(longest), at)


def is_cheap(weight: WeightInfo, view: View, limit_bytes: int) -> bool:
    """Whether a plane lies in one stretch of the file, no longer than the limit."""
    place, shape = weight.place, weight.stored_shape
    if place is None or place.field in (*NUMBERS, STRINGS):
        return False
    last = {len(shape) - 1, len(shape) - 2}
    plane = prod(shape[axis] for axis in (view.down, view.across) if axis is not None)
    size = place.length * plane // max(1, prod(shape))
    return {view.down, view.across} - {None} <= last and size <= limit_bytes


def _bytes(values: Values) -> bytes | memoryview:
    if values.dtype.kind == "O":
        return b"".join(b"%d:%b" % (len(text), text) for text in values.tolist())
    return np.ascontiguousarray(values).view(np.uint8).data


def _words(values: Values) -> list[str]:
    if values.dtype.kind == "O":
        return [units.clip(text.decode("utf-8", "replace"), 40) for text in values.tolist()]
    if values.dtype.kind in "iub":
        return [str(value) for value in values.tolist()]
    if values.dtype.kind == "c":
        return [f"{value:.4g}" for value in values.tolist()]
    return [f"{value:.5g}" for value in values.astype(np.float64).tolist()]
