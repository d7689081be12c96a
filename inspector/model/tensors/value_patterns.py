"""Patterns in the values of a tensor: few distinct values, zeros, N zeros in every M."""

from collections.abc import Iterable, Iterator, Sequence
from math import prod

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector.model.tensors.tensor_statistics import Statistics

Values = NDArray[np.generic]

_LEAST_ZEROS = 0.1  # share of zeros under which nobody looks for structure
_GROUPS = (4, 8, 16, 2)  # M of N:M, the usual one first
_PLANE = 2  # axes of a matrix
_MOST_KEPT = 0.5  # N of M: with more it is no structure that hardware uses
_LEAST_FILLED = 0.5  # share of groups that hold N values; fewer are zeros by chance


class ValuePattern(Struct, frozen=True):
    """What values of a tensor have in common.

    distinct: number of values that differ; None for more than statistics count. structure:
    "2:4" where of 4 elements in a row along `axis` at most 2 are not zero; or "channels" where
    whole slices along the first axis are zero and nearly nothing else; empty for neither.
    subnormal: number of values too near 0 for the full precision of their type.
    """

    elements: int
    zeros: int
    distinct: int | None
    structure: str = ""
    axis: int | None = None
    subnormal: int = 0

    @property
    def zero_share(self) -> float:
        """Return the share of zeros, 0 to 1."""
        return self.zeros / self.elements if self.elements else 0.0


class PatternReader:
    """Passes pieces of a tensor on, and keeps them if there is room, to find structure."""

    def __init__(self, shape: Sequence[int], limit_bytes: int = 64 << 20) -> None:
        self._shape, self._limit = tuple(shape), limit_bytes
        self._pieces: list[Values] = []
        self._kept_bytes = 0

    def passed_on(self, pieces: Iterable[Values]) -> Iterator[Values]:
        """Yield the pieces."""
        for piece in pieces:
            self._kept_bytes += piece.size  # one byte for each element is kept
            if self._kept_bytes <= self._limit and piece.dtype.kind not in "OUS":
                self._pieces.append(np.asarray(piece != 0))
            yield piece

    def pattern(self, statistics: Statistics) -> ValuePattern:
        """Return the pattern, after all pieces were passed on."""
        whole = None
        sparse = statistics.elements and statistics.zeros / statistics.elements >= _LEAST_ZEROS
        if sparse and sum(map(len, self._pieces)) == prod(self._shape):
            whole = np.concatenate(self._pieces).reshape(self._shape)
        self._pieces.clear()
        return pattern_of(statistics, whole)


def pattern_of(statistics: Statistics, values: Values | None) -> ValuePattern:
    """Return the pattern of a tensor. values: all of them in their shape, to find structure."""
    structure, axis = "", None
    if values is not None and statistics.zeros and values.dtype.kind not in "OUS":
        structure, axis = structure_of(values)
    return ValuePattern(
        statistics.elements,
        statistics.zeros,
        statistics.distinct,
        structure,
        axis,
        statistics.subnormal,
    )


def structure_of(values: Values) -> tuple[str, int | None]:
    """Return "2:4" and its axis, "channels" and 0, or nothing."""
    kept = np.asarray(values != 0)
    if kept.ndim < 2 or kept.all() or not kept.any():
        return "", None
    for groups, size, axis in _grouped(kept):
        counts = groups.sum(axis=-1, dtype=np.uint8)
        most = int(counts.max())
        if 0 < most <= size * _MOST_KEPT and (counts == most).mean() >= _LEAST_FILLED:
            return f"{most}:{size}", axis
    by_channel = kept.reshape(len(kept), -1)
    empty = ~by_channel.any(axis=1)
    if empty.any() and by_channel[~empty].mean() > 1 - (1 - kept.mean()) / 4:
        return "channels", 0
    return "", None


def _grouped(kept: NDArray[np.bool_]) -> Iterator[tuple[NDArray[np.bool_], int, int]]:
    """Yield the elements in groups of M along an axis, the last axes first.

    Then along all axes but the first as one, as kernels of convolutions are multiplied.
    """
    rows = kept.reshape(len(kept), -1)
    for size in _GROUPS:
        for axis in reversed(range(kept.ndim)):
            if kept.shape[axis] >= 2 * size:
                yield _parted(np.moveaxis(kept, axis, -1), size), size, axis
        if kept.ndim > _PLANE and rows.shape[1] >= 2 * size:
            yield _parted(rows, size), size, 1


def _parted(kept: NDArray[np.bool_], size: int) -> NDArray[np.bool_]:
    """Return the last axis in groups, the last one filled up with zeros."""
    missing = -kept.shape[-1] % size
    if missing:
        kept = np.pad(kept, [(0, 0)] * (kept.ndim - 1) + [(0, missing)])
    return kept.reshape(*kept.shape[:-1], -1, size)
