"""Filters whose channels ONNX Runtime keeps in blocks, put back into the order of the file.

Its optimizer lays out convolutions as NCHWc for the vector registers of one kind of CPU. A
filter (O, I, H, W) is then stored as (O/b, I, H, W, b), or as (O/b, I/b, H, W, b, b) where the
input is in blocks as well, with zeros up to whole blocks. Source: ONNX Runtime,
onnxruntime/core/mlas/lib/reorder.cpp.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from inspector.comparison.tensor_pairs.likeness import likeness

DOMAIN = "com.microsoft.nchwc"
_BLOCKS = (16, 8, 4)  # channels, by the width of the registers: AVX-512, AVX2, NEON

Values = NDArray[np.generic]


class Blocks(NamedTuple):
    """How a filter is stored. size: channels of a block; 0 for none. both: whether input
    channels are in blocks, too."""

    size: int
    both: bool = False


def in_order(stored: Values, blocks: Blocks, shape: tuple[int, ...]) -> Values:
    """Return a filter or a bias in the order of the file, without what fills its blocks up."""
    size, whole = blocks.size, stored
    if size and stored.ndim > 1:
        out, into, *kernel = stored.shape
        sides = tuple(range(2, 2 + len(kernel)))
        if blocks.both:
            apart = stored.reshape(out // size, into // size, *kernel, size, size)
            last = apart.ndim - 1
            apart = apart.transpose(0, last, 1, last - 1, *sides)
        else:
            apart = stored.reshape(out // size, into, *kernel, size)
            apart = apart.transpose(0, apart.ndim - 1, 1, *sides)
        whole = apart.reshape(stored.shape)
    return whole[tuple(slice(length) for length in shape)]


def blocks_of(stored: Values, reference: Values) -> Blocks | None:
    """Return the blocks without which a filter or a bias is most like another one; None where
    that fits in none."""
    ranked = list[tuple[float, Blocks]]()
    for blocks in _possible(stored.shape, reference.shape):
        plain = in_order(stored, blocks, reference.shape)
        correlations = likeness([[reference]], [[plain]], tuple(range(plain.ndim)))[1]
        ranked.append((float(correlations.max()), blocks))
    return max(ranked, key=lambda each: each[0])[1] if ranked else None


def _possible(stored: tuple[int, ...], shape: tuple[int, ...]) -> Iterator[Blocks]:
    fits = len(stored) == len(shape) and all(
        length >= wanted for length, wanted in zip(stored, shape, strict=True)
    )
    if not fits or stored[2:] != shape[2:]:
        return
    yield Blocks(0)
    for size in _BLOCKS if len(stored) > 1 else ():
        if stored[0] % size == 0:
            yield Blocks(size)
            if stored[1] % size == 0:
                yield Blocks(size, both=True)
