"""Shared parts of box decoders: the outputs of a model by name, and grids of cells."""

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from msgspec import field

from inspector.model.model import Axis
from inspector.platform.data_struct import DataStruct
from inspector.preview.detectors.boxes import Numbers
from inspector.preview.families.output_structure import UNKNOWN, ModelStructure

STRIDES = (8, 16, 32)
_LARGEST_POWER = 20  # of e: sizes beyond it are no sizes


def cells(
    width: int, height: int, strides: Sequence[int] = STRIDES, anchors: int = 1
) -> Numbers:
    """Return column, row and stride of each cell of grids, (N, 3), each `anchors` times."""
    parts = []
    for stride in strides:
        across, down = np.meshgrid(
            np.arange(-(-width // stride)), np.arange(-(-height // stride))
        )
        cell = [across.ravel(), down.ravel(), np.full(across.size, stride)]
        parts.append(np.stack(cell, axis=1).astype(np.float64))
    return np.repeat(np.concatenate(parts), anchors, axis=0)


def number_of_cells(width: int, height: int, strides: Sequence[int] = STRIDES) -> int:
    """Return how many cells the grids of these strides have together."""
    return sum(-(-width // stride) * -(-height // stride) for stride in strides)


def in_shares(edges: Numbers, width: int, height: int) -> Numbers:
    """Return edges in 0..1, whether they came so or in pixels."""
    return scaled(edges, width, height) if edges.size and np.nanmax(edges) > 2 else edges


def scaled(edges: Numbers, width: int, height: int) -> Numbers:
    """Return edges in pixels, (..., 4), as 0..1 of the picture."""
    shares: Numbers = edges / np.array([width, height, width, height], np.float64)
    return shares


def scaled_points(points: Numbers, width: int, height: int) -> Numbers:
    """Return points in pixels, (N, K, 2), as (N, K, 3): 0..1 of the picture, and 1 for sure."""
    shares = points / np.array([width, height], np.float64)
    return np.concatenate([shares, np.ones((*points.shape[:2], 1))], axis=2)


def powers(values: Numbers) -> Numbers:
    """Return e to the values, which may not grow beyond all bounds."""
    raised: Numbers = np.exp(np.clip(values, -_LARGEST_POWER, _LARGEST_POWER))
    return raised


def softmax(values: Numbers, axis: int = 1) -> Numbers:
    """Return the softmax over an axis."""
    raised = np.exp(values - values.max(axis=axis, keepdims=True))
    shares: Numbers = raised / raised.sum(axis=axis, keepdims=True)
    return shares


def sigmoid(values: Numbers) -> Numbers:
    """Return the logistic function of the values."""
    shares: Numbers = 1 / (1 + np.exp(-np.clip(values, -60, 60)))
    return shares


Shape = Sequence[Axis]


class Outputs(DataStruct, frozen=True, dict=True, weakref=True):
    """Declared or real shapes of a model's outputs, and the size of the picture it got.

    shapes: by output name; a free axis is a name or None, and fits any length.
    width, height: of the model's picture in pixels; 0 where the model leaves it open.
    """

    shapes: Mapping[str, Shape]
    width: int
    height: int
    structure: ModelStructure = field(default=UNKNOWN)

    @cached_property
    def only(self) -> Shape:
        """Return the shape of the only output; () when there are none or several."""
        return next(iter(self.shapes.values())) if len(self.shapes) == 1 else ()

    @cached_property
    def names(self) -> frozenset[str]:
        """Return the names of all outputs."""
        return frozenset(self.shapes)

    def named(self, *lasts: int | None) -> list[str]:
        """Return the names of the outputs with such last axes, in order; None fits any
        length."""
        return [
            name for name, shape in self.shapes.items() if ends_with(shape, lasts, len(shape))
        ]

    def of_rank(self, rank: int) -> list[str]:
        """Return the names of the outputs of this rank, in order."""
        return [name for name, shape in self.shapes.items() if len(shape) == rank]


class Answer(Outputs, frozen=True, dict=True, weakref=True):
    """Outputs with their values, float64; `shapes` are the arrays' own."""

    arrays: Mapping[str, Numbers] = field(default_factory=dict)

    @cached_property
    def single(self) -> Numbers:
        """Return the only output, without a batch axis of 1."""
        return without_batch(next(iter(self.arrays.values())))


def channels_last(shape: Sequence[int]) -> bool:
    """Return whether maps are (1, height, width, channels), as TensorFlow Lite has them: they
    are square, or the last axis is the shortest. A length of 0 is not known."""
    square = 0 < shape[1] == shape[2] != shape[3]
    return square or 0 < shape[3] < min(shape[1], shape[2])


def ends_with(shape: Shape, lasts: Sequence[int | None], rank: int | None = None) -> bool:
    """Return whether a shape has this rank and these last axes; free axes fit anything."""
    if len(shape) < len(lasts) or (rank is not None and len(shape) != rank):
        return False
    pairs = zip(shape[len(shape) - len(lasts) :], lasts, strict=True)
    return all(
        last is None or not isinstance(axis, int) or axis == last for axis, last in pairs
    )


def ends_exactly(shape: Shape, lasts: Sequence[int | None]) -> bool:
    """Return whether the last axes have these lengths; a free axis fits None only.

    For families that a few lengths tell from all others: any model with free axes would fit.
    """
    known = all(
        last is None or isinstance(axis, int)
        for axis, last in zip(reversed(shape), reversed(lasts), strict=False)
    )
    return known and ends_with(shape, lasts)


def length(axis: Axis) -> int:
    """Return an axis' length; 0 where it is free."""
    return axis if isinstance(axis, int) else 0


def without_batch(array: Numbers) -> Numbers:
    """Return an array without its first axis where that is 1 and others follow."""
    return array[0] if array.ndim > 1 and array.shape[0] == 1 else array
