"""How alike tensors are in samples of their values, whatever the order of their axes."""

from collections.abc import Hashable, Sequence
from functools import lru_cache
from itertools import permutations
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

SAMPLES = 4096  # elements of each tensor that are looked at: a correlation to about 0.02
_MOST_AXES = 4  # longer than 1, up to which all orders are tried: 24 of them
_RANKS = (3, 4, 5)  # of tensors with channels: batch, channels, one to three of time or space

Shape = tuple[int, ...]
Axes = tuple[int, ...]
Array = NDArray[np.generic]
Numbers = NDArray[np.float64]


@lru_cache(maxsize=4096)
def layouts(own: Shape, other: Shape) -> tuple[Axes, ...]:
    """Return the orders of another tensor's axes after which it may be reshaped to our shape.

    The order as it is comes first, then channels last and first. None for another size.
    """
    if prod(own) != prod(other):
        return ()
    rank = len(other)
    orders: list[Axes] = [tuple(range(rank))]
    if rank in _RANKS:
        orders += [(0, rank - 1, *range(1, rank - 1)), (0, *range(2, rank), 1)]
    long = [axis for axis in range(rank) if other[axis] != 1]
    lengths = [length for length in own if length != 1]
    if len(long) <= _MOST_AXES and sorted(lengths) == sorted(other[axis] for axis in long):
        short = [axis for axis in range(rank) if other[axis] == 1]
        orders += [
            (*short, *order)
            for order in permutations(long)
            if [other[axis] for axis in order] == lengths
        ]
    by_effect: dict[Axes, Axes] = {}
    for order in orders:
        by_effect.setdefault(tuple(axis for axis in order if other[axis] != 1), order)
    return tuple(by_effect.values())


def moved(array: Array, axes: Axes, shape: Sequence[int]) -> Array:
    """Return another tensor in our layout."""
    return array.transpose(axes).reshape(shape)


def moved_back(array: Array, axes: Axes, shape: Sequence[int]) -> Array:
    """Return our tensor in another one's layout, of that shape: the reverse of `moved`."""
    there = array.reshape([shape[axis] for axis in axes])
    return there.transpose([axes.index(axis) for axis in range(len(axes))])


def likeness(
    own: Sequence[Sequence[Array]], others: Sequence[Sequence[Array]], axes: Axes
) -> tuple[Numbers, Numbers]:
    """Return how alike tensors of one shape are to others of one shape: (own, others) each.

    own, others: the arrays of each tensor, one for each input of the model. axes: order of the
    others' axes. The first result is the error in parts of our root mean square, the second the
    correlation; of the worst input.
    """
    at, there = _samples(others[0][0].shape, axes)
    errors, correlations = list[Numbers](), list[Numbers]()
    for a, b in zip(zip(*own, strict=True), zip(*others, strict=True), strict=True):
        one = np.stack([_numbers(each, at) for each in a])
        two = np.stack([_numbers(each, there) for each in b])
        squares = (one**2).sum(1)[:, None], (two**2).sum(1)[None, :]
        apart = np.maximum(squares[0] + squares[1] - 2 * one @ two.T, 0)
        errors.append(np.sqrt(apart / np.maximum(squares[0], np.finfo(np.float64).tiny)))
        one, two = (_centered(each) for each in (one, two))
        correlations.append(one @ two.T)
    return np.stack(errors).max(0), np.stack(correlations).min(0)


def fingerprint(arrays: Sequence[Array]) -> tuple[Hashable, ...]:
    """Return what tensors with the same values have in common, in whatever order of axes."""
    marks = list[Hashable]()
    for array in arrays:
        values = array.reshape(-1)
        if values.size and values.dtype.kind != "b":
            mean = f"{float(values.astype(np.float64).mean()):.6g}"
            marks.append((float(values.min()), float(values.max()), mean))
        marks.append(values.size)
    return tuple(marks)


@lru_cache(maxsize=1024)
def _samples(theirs: Shape, axes: Axes) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return places of elements in the moved tensor, and their places before it is moved."""
    count = prod(theirs)
    at = np.arange(count)
    if count > SAMPLES:
        # Drawn, since a step through the tensor may always meet the same channel.
        at = np.sort(np.random.default_rng(0).choice(count, SAMPLES, replace=False))
    if not theirs:
        return at, at
    places = np.unravel_index(at, tuple(theirs[axis] for axis in axes))
    original = [places[axes.index(axis)] for axis in range(len(theirs))]
    return at, np.asarray(np.ravel_multi_index(original, theirs))


def _numbers(array: Array, at: NDArray[Any]) -> Numbers:
    values: Numbers = array.reshape(-1)[at].astype(np.float64)
    values[~np.isfinite(values)] = 0.0
    return values


def _centered(rows: Numbers) -> Numbers:
    """Return rows with a mean of 0 and a length of 1; constant ones as zeros."""
    rows = rows - rows.mean(1, keepdims=True)
    lengths = np.sqrt((rows**2).sum(1, keepdims=True))
    return np.asarray(np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0))
