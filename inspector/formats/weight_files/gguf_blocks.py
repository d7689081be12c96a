"""Numbers out of GGUF's blocks: the kinds that most files use, as float32.

A block begins or ends with its scales; d and m are float16, the numbers q small integers. The
layouts are those of ggml-common.h, whose own functions give float32 as well.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]  # (blocks, bytes of a block)
Numbers = NDArray[np.float32]  # (blocks, numbers of a block)


def _half(blocks: Bytes, at: int) -> Numbers:
    """Return the float16 at a place of each block: (blocks, 1)."""
    half: Numbers = (
        np.ascontiguousarray(blocks[:, at : at + 2]).view(np.float16).astype(np.float32)
    )
    return half


def _nibbles(packed: Bytes) -> NDArray[np.int32]:
    """Return the low halves of bytes, then the high ones."""
    return np.concatenate((packed & 15, packed >> 4), axis=-1).astype(np.int32)


def _bits(packed: Bytes) -> NDArray[np.int32]:
    return np.unpackbits(packed, axis=-1, bitorder="little").astype(np.int32)


def _q8_0(blocks: Bytes) -> Numbers:
    return _half(blocks, 0) * np.ascontiguousarray(blocks[:, 2:]).view(np.int8)


def _q4_0(blocks: Bytes) -> Numbers:
    return _half(blocks, 0) * (_nibbles(blocks[:, 2:]) - 8).astype(np.float32)


def _q4_1(blocks: Bytes) -> Numbers:
    return _half(blocks, 0) * _nibbles(blocks[:, 4:]).astype(np.float32) + _half(blocks, 2)


def _q5_0(blocks: Bytes) -> Numbers:
    numbers = _nibbles(blocks[:, 6:]) + (_bits(blocks[:, 2:6]) << 4) - 16
    return _half(blocks, 0) * numbers.astype(np.float32)


def _q5_1(blocks: Bytes) -> Numbers:
    numbers = _nibbles(blocks[:, 8:]) + (_bits(blocks[:, 4:8]) << 4)
    return _half(blocks, 0) * numbers.astype(np.float32) + _half(blocks, 2)


def _scales(packed: Bytes) -> tuple[Numbers, Numbers]:
    """Return scales and minima of eight parts, 6 bits each, from 12 bytes: (blocks, 8, 1)."""
    first, second, third = packed[:, 0:4], packed[:, 4:8], packed[:, 8:12]
    scale = np.concatenate((first & 63, third & 15 | (first >> 6) << 4), axis=1)
    least = np.concatenate((second & 63, third >> 4 | (second >> 6) << 4), axis=1)
    return scale[..., None].astype(np.float32), least[..., None].astype(np.float32)


def _parts(packed: Bytes) -> NDArray[np.int32]:
    """Return numbers of 4 bits in eight parts of 32, two parts from 32 bytes."""
    return _nibbles(packed.reshape(-1, 4, 32)).reshape(-1, 8, 32)


def _q4_k(blocks: Bytes) -> Numbers:
    return _of_parts(blocks, _parts(blocks[:, 16:]))


def _q5_k(blocks: Bytes) -> Numbers:
    places = np.arange(8, dtype=np.uint8)[:, None]
    high = (blocks[:, None, 16:48] >> places & 1).astype(np.int32)
    return _of_parts(blocks, _parts(blocks[:, 48:]) + (high << 4))


def _of_parts(blocks: Bytes, numbers: NDArray[np.int32]) -> Numbers:
    scale, least = _scales(blocks[:, 4:16])
    d, m = _half(blocks, 0)[..., None], _half(blocks, 2)[..., None]
    values: Numbers = d * scale * numbers.astype(np.float32) - m * least
    return values.reshape(len(blocks), 256)


def _q6_k(blocks: Bytes) -> Numbers:
    low = blocks[:, :128].reshape(-1, 2, 64)
    high = blocks[:, 128:192].reshape(-1, 2, 1, 32)
    scales = np.ascontiguousarray(blocks[:, 192:208]).view(np.int8).astype(np.float32)
    shifts = np.array([0, 2, 4, 6], np.uint8)[:, None]
    upper = (high >> shifts & 3).astype(np.int32).reshape(-1, 2, 128)
    numbers = (_nibbles(low) + (upper << 4) - 32).reshape(-1, 16, 16).astype(np.float32)
    values: Numbers = _half(blocks, 208)[..., None] * scales[..., None] * numbers
    return values.reshape(len(blocks), 256)


# Numbers and bytes of a block, and what decodes it.
DECODERS: dict[str, tuple[int, int, Callable[[Bytes], Numbers]]] = {
    "Q8_0": (32, 34, _q8_0), "Q4_0": (32, 18, _q4_0), "Q4_1": (32, 20, _q4_1),
    "Q5_0": (32, 22, _q5_0), "Q5_1": (32, 24, _q5_1), "Q4_K": (256, 144, _q4_k),
    "Q5_K": (256, 176, _q5_k), "Q6_K": (256, 210, _q6_k),
}  # fmt: skip


def decoded(kind: str, body: bytes) -> NDArray[np.float32]:
    """Return the numbers of whole blocks, flat."""
    _, width, decode = DECODERS[kind]
    blocks = np.frombuffer(body, np.uint8).reshape(-1, width)
    with np.errstate(all="ignore"):  # the bytes of a file may be anything
        return decode(blocks).astype(np.float32, copy=False).reshape(-1)
