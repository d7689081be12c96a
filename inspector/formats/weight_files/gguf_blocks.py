"""Numbers out of GGUF's blocks, as float32.

A block begins or ends with its scales; d and m are float16, the numbers q small integers. The
layouts are those of ggml-common.h, whose own functions give float32 as well. Kinds whose
numbers are rows of tables (IQ1, IQ2, IQ3) take the tables from `gguf_grids.json`, which
`tools/make_gguf_grids.py` writes.
"""

import json
import zlib
from base64 import b85decode
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspector.formats.weight_files.gguf_kinds import BY_NAME

Bytes = NDArray[np.uint8]  # (blocks, bytes of a block)
Integers = NDArray[np.int32]
Numbers = NDArray[np.float32]  # (blocks, numbers of a block)
# What the 4 bits of a number stand for: twice the values of float4e2m1, and those of IQ4.
_FLOAT4 = np.array((0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12), np.float32)
_UNEVEN = np.array(
    (-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113), np.float32
)
_POWERS_OF_3 = np.array((1, 3, 9, 27, 81), np.uint8)
_SHIFT = np.float32(0.125)  # of all numbers of a group of IQ1, up or down


def decoded(kind: str, body: bytes) -> NDArray[np.float32]:
    """Return the numbers of whole blocks, flat."""
    blocks = np.frombuffer(body, np.uint8).reshape(-1, BY_NAME[kind].block_bytes)
    with np.errstate(all="ignore"):  # the bytes of a file may be anything
        return DECODERS[kind](blocks).astype(np.float32, copy=False).reshape(-1)


def _half(blocks: Bytes, at: int) -> Numbers:
    """Return the float16 at a place of each block: (blocks, 1)."""
    half: Numbers = _view(blocks[:, at : at + 2], np.float16).astype(np.float32)
    return half


def _view(part: Bytes, kind: type[np.generic]) -> NDArray[Any]:
    """Return bytes of each block as numbers of more bytes."""
    return np.ascontiguousarray(part).view(kind)


def _planes(packed: Bytes, bits: int, run: int) -> Integers:
    """Return numbers of some bits: (blocks, numbers).

    Of each run of so many bytes, the lowest bits of all come first, then the next ones.
    """
    shifts = np.arange(0, 8, bits, dtype=np.uint8)[:, None]
    planes = packed.reshape(len(packed), -1, 1, run) >> shifts & ((1 << bits) - 1)
    return planes.astype(np.int32).reshape(len(packed), -1)


def _scaled(scales: NDArray[Any], numbers: NDArray[Any]) -> Numbers:
    """Multiply the parts of each block with their scales. scales: (blocks, parts)."""
    count = len(numbers)
    parts = numbers.astype(np.float32, copy=False).reshape(count, scales.shape[1], -1)
    values: Numbers = scales.astype(np.float32, copy=False)[..., None] * parts
    return values.reshape(count, -1)


def _q1_0(blocks: Bytes) -> Numbers:
    return _scaled(_half(blocks, 0), 2 * _bits(blocks[:, 2:]) - 1)


def _q8_0(blocks: Bytes) -> Numbers:
    return _scaled(_half(blocks, 0), _view(blocks[:, 2:], np.int8))


def _q8_1(blocks: Bytes) -> Numbers:
    return _scaled(_half(blocks, 0), _view(blocks[:, 4:], np.int8))


def _q8_k(blocks: Bytes) -> Numbers:
    return _scaled(_view(blocks[:, :4], np.float32), _view(blocks[:, 4:260], np.int8))


def _q4_0(blocks: Bytes) -> Numbers:
    return _scaled(_half(blocks, 0), _planes(blocks[:, 2:], 4, 16) - 8)


def _q4_1(blocks: Bytes) -> Numbers:
    return _scaled(_half(blocks, 0), _planes(blocks[:, 4:], 4, 16)) + _half(blocks, 2)


def _q5_0(blocks: Bytes) -> Numbers:
    high = _bits(blocks[:, 2:6]) << 4
    return _scaled(_half(blocks, 0), _planes(blocks[:, 6:], 4, 16) + high - 16)


def _q5_1(blocks: Bytes) -> Numbers:
    high = _bits(blocks[:, 4:8]) << 4
    numbers = _planes(blocks[:, 8:], 4, 16) + high
    return _scaled(_half(blocks, 0), numbers) + _half(blocks, 2)


def _bits(packed: Bytes) -> Integers:
    """Return the bits of bytes, the lowest first: (blocks, 8 times the bytes)."""
    return np.unpackbits(packed, axis=-1, bitorder="little").astype(np.int32)


def _q2_k(blocks: Bytes) -> Numbers:
    scales, least = blocks[:, :16] & 15, blocks[:, :16] >> 4
    values = _scaled(_half(blocks, 80) * scales, _planes(blocks[:, 16:80], 2, 32))
    values -= np.repeat(_half(blocks, 82) * least, 16, axis=1)
    return values


def _q3_k(blocks: Bytes) -> Numbers:
    high = _planes(blocks[:, :32], 1, 32) << 2
    numbers = _planes(blocks[:, 32:96], 2, 32) + high - 4
    scales = _planes(blocks[:, 96:104], 4, 8) + (_planes(blocks[:, 104:108], 2, 4) << 4) - 32
    return _scaled(_half(blocks, 108) * scales, numbers)


def _q4_k(blocks: Bytes) -> Numbers:
    return _of_eight_parts(blocks, _planes(blocks[:, 16:], 4, 32))


def _q5_k(blocks: Bytes) -> Numbers:
    high = _planes(blocks[:, 16:48], 1, 32) << 4
    return _of_eight_parts(blocks, _planes(blocks[:, 48:], 4, 32) + high)


def _of_eight_parts(blocks: Bytes, numbers: Integers) -> Numbers:
    """Return numbers times their scale, less their minimum: 6 bits each, in 12 bytes."""
    first, second, third = blocks[:, 4:8], blocks[:, 8:12], blocks[:, 12:16]
    scales = np.concatenate((first & 63, third & 15 | (first >> 6) << 4), axis=1)
    least = np.concatenate((second & 63, third >> 4 | (second >> 6) << 4), axis=1)
    values = _scaled(_half(blocks, 0) * scales, numbers)
    values -= np.repeat(_half(blocks, 2) * least, 32, axis=1)
    return values


def _q6_k(blocks: Bytes) -> Numbers:
    high = _planes(blocks[:, 128:192], 2, 32) << 4
    numbers = _planes(blocks[:, :128], 4, 64) + high - 32
    return _scaled(_half(blocks, 208) * _view(blocks[:, 192:208], np.int8), numbers)


def _tq1_0(blocks: Bytes) -> Numbers:
    """Five numbers of three values in a byte, as a fraction of 256 to the base of three."""
    parts = (blocks[:, :32], 5), (blocks[:, 32:48], 5), (blocks[:, 48:52], 4)
    digits = [
        (part[:, None] * _POWERS_OF_3[:count, None]).reshape(len(blocks), -1)
        for part, count in parts
    ]
    numbers = (np.concatenate(digits, axis=1).astype(np.int32) * 3 >> 8) - 1
    return _scaled(_half(blocks, 52), numbers)


def _tq2_0(blocks: Bytes) -> Numbers:
    return _scaled(_half(blocks, 64), _planes(blocks[:, :64], 2, 32) - 1)


def _mxfp4(blocks: Bytes) -> Numbers:
    scales = np.ldexp(np.float32(1), blocks[:, :1].astype(np.int32) - 128)
    return _scaled(scales, _FLOAT4[_planes(blocks[:, 1:], 4, 16)])


def _nvfp4(blocks: Bytes) -> Numbers:
    stored = blocks[:, :4]
    exponent, fraction = stored >> 3 & 15, (stored & 7).astype(np.float32)
    normal = np.ldexp(1 + fraction / 8, exponent.astype(np.int32) - 7)
    scales = np.where(exponent == 0, np.ldexp(fraction, -9), normal) / 2
    scales = np.where(stored == 127, 0, scales)  # not a number
    return _scaled(scales, _FLOAT4[_planes(blocks[:, 4:], 4, 8)])


def _iq4_nl(blocks: Bytes) -> Numbers:
    return _scaled(_half(blocks, 0), _UNEVEN[_planes(blocks[:, 2:], 4, 16)])


def _iq4_xs(blocks: Bytes) -> Numbers:
    low = _planes(blocks[:, 4:8], 4, 1)
    high = _view(blocks[:, 2:4], np.uint16) >> np.arange(0, 16, 2, dtype=np.uint16) & 3
    scales = low + (high.astype(np.int32) << 4) - 32
    return _scaled(_half(blocks, 0) * scales, _UNEVEN[_planes(blocks[:, 8:], 4, 16)])


def _iq2_xxs(blocks: Bytes) -> Numbers:
    groups = _view(blocks[:, 2:], np.uint32).reshape(len(blocks), 8, 2)
    rows = _grid("IQ2_XXS")[_view(groups[..., 0].copy(), np.uint8)]
    scales = _half(blocks, 0) * (0.5 + (groups[..., 1] >> 28)) / 4
    return _scaled(scales, rows * _signs(_sign_bytes(groups[..., 1])))


def _iq2_xs(blocks: Bytes) -> Numbers:
    codes = _view(blocks[:, 2:66], np.uint16)
    scales = _half(blocks, 0) * (0.5 + _planes(blocks[:, 66:], 4, 1)) / 4
    return _scaled(scales, _grid("IQ2_XS")[codes & 511] * _signs(_with_parity(codes >> 9)))


def _iq2_s(blocks: Bytes) -> Numbers:
    codes = blocks[:, 2:34] + (_planes(blocks[:, 66:74], 2, 1) << 8)
    scales = _half(blocks, 0) * (0.5 + _planes(blocks[:, 74:], 4, 1)) / 4
    return _scaled(scales, _grid("IQ2_S")[codes] * _signs(blocks[:, 34:66]))


def _iq3_xxs(blocks: Bytes) -> Numbers:
    words = _view(blocks[:, 66:], np.uint32)
    scales = _half(blocks, 0) * (0.5 + (words >> 28)) / 2
    rows = _grid("IQ3_XXS")[blocks[:, 2:66]].reshape(len(blocks), -1, 8)
    return _scaled(scales, rows * _signs(_sign_bytes(words)))


def _iq3_s(blocks: Bytes) -> Numbers:
    codes = blocks[:, 2:66] + (_planes(blocks[:, 66:74], 1, 1) << 8)
    scales = _half(blocks, 0) * (1 + 2 * _planes(blocks[:, 106:], 4, 1))
    rows = _grid("IQ3_S")[codes].reshape(len(blocks), -1, 8)
    return _scaled(scales, rows * _signs(blocks[:, 74:106]))


def _iq1_s(blocks: Bytes) -> Numbers:
    words = _view(blocks[:, 34:], np.uint16).astype(np.int32)
    high = words[..., None] >> np.arange(0, 12, 3) & 7
    codes = blocks[:, 2:34] + (high.reshape(len(blocks), -1) << 8)
    shifts = np.where(words & 0x8000, -_SHIFT, _SHIFT)
    scales = _half(blocks, 0) * (2 * (words >> 12 & 7) + 1)
    rows = _grid("IQ1_S")[codes].reshape(len(blocks), 8, -1)
    return _scaled(scales, rows + shifts[..., None])


def _iq1_m(blocks: Bytes) -> Numbers:
    words = _view(blocks[:, 48:], np.uint16)  # 12 bits of scales, and 4 of a float16
    parts = words >> 12 << np.arange(0, 16, 4, dtype=np.uint16)
    half = np.bitwise_or.reduce(parts, axis=1, keepdims=True).view(np.float16)
    steps = words[..., None].astype(np.int32) >> np.arange(0, 12, 3) & 7
    high = _planes(blocks[:, 32:48], 4, 1)
    codes = blocks[:, :32] + ((high & 7) << 8)
    shifts = np.where(high & 8, -_SHIFT, _SHIFT)
    scales = half.astype(np.float32) * (2 * steps.reshape(len(blocks), -1) + 1)
    return _scaled(scales, _grid("IQ1_S")[codes] + shifts[..., None])


def _sign_bytes(words: NDArray[Any]) -> Bytes:
    """Return four signs of eight numbers each from the low 28 bits of words."""
    sevens = words[..., None] >> np.arange(0, 28, 7, dtype=np.uint32) & 127
    return _with_parity(sevens.reshape(len(words), -1))


def _with_parity(sevens: NDArray[Any]) -> Bytes:
    """Return bytes of which only seven bits are stored: an even number of them is set."""
    low = sevens.astype(np.uint8)
    odd = np.bitwise_xor.reduce(low[..., None] >> np.arange(8, dtype=np.uint8), axis=-1) & 1
    whole: Bytes = low | odd << 7
    return whole


def _signs(packed: Bytes) -> Numbers:
    """Return 1 or -1 for each bit of bytes: (blocks, bytes, 8)."""
    bits = np.unpackbits(packed[..., None], axis=-1, bitorder="little")
    signs: Numbers = 1 - 2 * bits.astype(np.float32)
    return signs


@cache
def _grid(name: str) -> Numbers:
    """Return the rows of numbers that the codes of a kind stand for: (codes, numbers)."""
    grids = json.loads(Path(__file__).with_name("gguf_grids.json").read_bytes())["grids"]
    entry = grids[name]
    body = np.frombuffer(zlib.decompress(b85decode(entry["packed"])), np.int8)
    return body.astype(np.float32).reshape(-1, entry["numbers"])


DECODERS: dict[str, Callable[[Bytes], Numbers]] = {
    "Q1_0": _q1_0, "Q8_0": _q8_0, "Q8_1": _q8_1, "Q8_K": _q8_k, "Q4_0": _q4_0, "Q4_1": _q4_1,
    "Q5_0": _q5_0, "Q5_1": _q5_1, "Q2_K": _q2_k, "Q3_K": _q3_k, "Q4_K": _q4_k, "Q5_K": _q5_k,
    "Q6_K": _q6_k, "TQ1_0": _tq1_0, "TQ2_0": _tq2_0, "MXFP4": _mxfp4, "NVFP4": _nvfp4,
    "IQ4_NL": _iq4_nl, "IQ4_XS": _iq4_xs, "IQ2_XXS": _iq2_xxs, "IQ2_XS": _iq2_xs,
    "IQ2_S": _iq2_s, "IQ3_XXS": _iq3_xxs, "IQ3_S": _iq3_s, "IQ1_S": _iq1_s, "IQ1_M": _iq1_m,
}  # fmt: skip
