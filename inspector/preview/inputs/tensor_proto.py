"""Tensors from .pb files: ONNX's TensorProto, read from the wire format without a library.

Field numbers and packing: onnx.proto, message TensorProto.
"""

from collections.abc import Iterator
from math import prod
from pathlib import Path

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from inspector import units
from inspector.errors import UnreadableFile
from inspector.model.model import ITEM_BITS, packed_bytes
from inspector.model.tensors.element_types import LIMIT_BYTES, Tensor, numpy_type
from inspector.platform import files

TYPES = (
    "undefined", "float32", "uint8", "int8", "uint16", "int16", "int32", "int64", "string",
    "bool", "float16", "float64", "uint32", "uint64", "complex64", "complex128", "bfloat16",
    "float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz", "uint4", "int4",
    "float4e2m1", "float8e8m0", "uint2", "int2",
)  # fmt: skip
_MOST_FIELDS = 5_000_000
_LONGEST_PACKED = 256 << 20
_VARINT = 0
_FIXED64 = 1
_BYTES = 2
_FIXED32 = 5
_DIMS = 1
_TYPE = 2
_FLOATS = 4
_INT32S = 5
_STRINGS = 6
_INT64S = 7
_RAW = 9
_DOUBLES = 10
_UINT64S = 11
_EXTERNAL = 13
# of SequenceProto and OptionalProto
_ELEMENTS = 3
_INNER_SEQUENCE = 5
_FIXED = {_FLOATS: "<f4", _DOUBLES: "<f8"}
_TYPED = {"float32": _FLOATS, "complex64": _FLOATS, "float64": _DOUBLES, "complex128": _DOUBLES,
          "int64": _INT64S, "uint64": _UINT64S, "uint32": _UINT64S}  # fmt: skip
_TENSOR_ENCODING_VARINT = 0
_TENSOR_ENCODING_BYTES = 2
_TENSOR_ENCODING_DIMS = 1
_TENSOR_ENCODING_TYPE = 2
_TENSOR_ENCODING_STRINGS = 6
_NAME = 8
_TENSOR_ENCODING_RAW = 9


def read(path: Path) -> tuple[Tensor, str]:
    """Read a tensor and the model's name of its type ("float16").

    Raises UnreadableFile: damaged, not a tensor, data in another file, too large.
    """
    return decode(files.read_capped(path, LIMIT_BYTES), path.name)


def decode(body: bytes, name: str) -> tuple[Tensor, str]:
    """Read a TensorProto from its bytes; `name` is for the message. See `read`."""
    what = f"Could not open {name}"
    try:
        fields = _collected(body)
        dtype = _dtype(fields)
        shape = tuple(int(length) for length in _integers(fields.get(_DIMS, [])))
        return _tensor(fields, dtype, shape), dtype
    except (ValueError, IndexError, OverflowError) as error:
        why = f"it is not a complete ONNX tensor ({units.clip(str(error), 120)})"
        raise UnreadableFile(what, why) from error


def sequence(body: bytes, name: str) -> tuple[Tensor, ...]:
    """Read the tensors of a SequenceProto. Raises UnreadableFile: damaged, other elements."""
    return tuple(decode(part, name)[0] for part in _messages(body, _ELEMENTS, name))


def optional(body: bytes, name: str) -> Tensor | None:
    """Read an OptionalProto: its tensor, its sequence stacked, or None where it is empty.

    Raises UnreadableFile: damaged, or a sequence of different shapes.
    """
    for part in _messages(body, _ELEMENTS, name):
        return decode(part, name)[0]
    for part in _messages(body, _INNER_SEQUENCE, name):
        parts = sequence(part, name)
        if len({array.shape for array in parts}) > 1:
            why = "it contains tensors of different shapes"
            raise UnreadableFile(f"Could not open {name}", why)
        return np.stack(parts) if parts else None
    return None


def is_sequence(body: bytes, dtype: str) -> bool:
    """Return whether a value of an optional type lies there as a bare sequence, which reads
    like an optional tensor; only the declared type tells. Raises UnreadableFile: damaged."""
    return "sequence(" in dtype and not _messages(body, _INNER_SEQUENCE, "the value")


def _messages(body: bytes, number: int, name: str) -> list[bytes]:
    try:
        held = _collected(body).get(number, [])
    except (ValueError, IndexError) as error:
        why = f"it is not a complete ONNX value ({units.clip(str(error), 120)})"
        raise UnreadableFile(f"Could not open {name}", why) from error
    return [part for part in held if isinstance(part, bytes)]


def _collected(body: bytes) -> dict[int, list[int | bytes]]:
    fields: dict[int, list[int | bytes]] = {}
    for count, (number, value) in enumerate(_fields(body)):
        if count > _MOST_FIELDS:
            raise ValueError(f"it has over {_MOST_FIELDS:,} fields")
        fields.setdefault(number, []).append(value)
    if _EXTERNAL in fields:
        raise ValueError("its data is in another file, which Inspector does not open")
    return fields


def _fields(body: bytes) -> Iterator[tuple[int, int | bytes]]:
    at = 0
    while at < len(body):
        key, at = _varint(body, at)
        wire = key & 7
        if wire == _VARINT:
            value, at = _varint(body, at)
            yield key >> 3, value
            continue
        if wire == _BYTES:
            length, at = _varint(body, at)
        elif wire in (_FIXED64, _FIXED32):
            length = 8 if wire == _FIXED64 else 4
        else:
            raise ValueError(f"wire type {wire}")
        if length > len(body) - at:
            raise ValueError("cut off")
        yield key >> 3, body[at : at + length]
        at += length


def _varint(body: bytes, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        byte = body[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & (1 << 64) - 1, at
    raise ValueError("a varint longer than ten bytes")


def _integers(values: list[int | bytes]) -> NDArray[np.int64]:
    """Return numbers of a repeated field, which may come one by one or packed: int64 (N,)."""
    parts = [
        np.array([value], np.uint64) if isinstance(value, int) else _packed(value)
        for value in values
    ]
    return np.concatenate(parts or [np.zeros(0, np.uint64)]).astype(np.int64)


def _packed(body: bytes) -> NDArray[np.uint64]:
    """Return all varints of a packed field at once: uint64 (N,)."""
    if len(body) > _LONGEST_PACKED:
        raise ValueError(f"a list of numbers is over {units.size(_LONGEST_PACKED)}")
    octets = np.frombuffer(body, np.uint8)
    last = np.flatnonzero(octets < 0x80)
    if not len(octets):
        return np.zeros(0, np.uint64)
    if not len(last) or last[-1] != len(octets) - 1:
        raise ValueError("cut off")
    first = np.concatenate(([0], last[:-1] + 1))
    lengths = last - first + 1
    if lengths.max() > 10:
        raise ValueError("a varint longer than ten bytes")
    values = np.zeros(len(first), np.uint64)
    for step in range(int(lengths.max())):
        longer = lengths > step
        part = octets[first[longer] + step].astype(np.uint64) & np.uint64(0x7F)
        values[longer] |= part << np.uint64(7 * step)
    return values


def _dtype(fields: dict[int, list[int | bytes]]) -> str:
    code = fields.get(_TYPE, [0])[-1]
    if not isinstance(code, int) or not 0 < code < len(TYPES):
        raise ValueError("it declares no data type")
    return TYPES[code]


def _tensor(fields: dict[int, list[int | bytes]], dtype: str, shape: tuple[int, ...]) -> Tensor:
    if any(length < 0 for length in shape):
        raise ValueError(f"{units.shape(shape)} has a negative axis size")
    if dtype == "string":
        texts = [part.decode() for part in fields.get(_STRINGS, []) if isinstance(part, bytes)]
        return _shaped(np.array(texts, object), shape)
    raw = fields.get(_RAW, [b""])[-1]
    if isinstance(raw, int):
        raise ValueError("its data is a number")
    if raw or not prod(shape):
        if len(raw) != packed_bytes(dtype, prod(shape)):
            raise ValueError(
                f"{units.shape(shape)} of {dtype} does not match {len(raw):,} bytes"
            )
        return _shaped(_unpacked(raw, dtype, prod(shape)), shape)
    return _shaped(_typed(fields, dtype, prod(shape)), shape)


def _unpacked(raw: bytes, dtype: str, elements: int) -> Tensor:
    kind = numpy_type(dtype)
    bits = {"uint4": 4, "int4": 4, "float4e2m1": 4, "uint2": 2, "int2": 2}.get(dtype, 8)
    if bits == 8:
        return np.frombuffer(raw, kind.newbyteorder("<")).astype(kind)
    octets = np.frombuffer(raw, np.uint8)
    shifts = np.arange(0, 8, bits, dtype=np.uint8)
    small = ((octets[:, None] >> shifts) & np.uint8((1 << bits) - 1)).ravel()[:elements]
    if dtype == "float4e2m1":
        return small.view(ml_dtypes.float4_e2m1fn)
    signed = dtype.startswith("int") and small >= 1 << (bits - 1)
    return np.where(signed, small.astype(np.int8) - (1 << bits), small.astype(np.int8)).astype(
        kind
    )


def _typed(fields: dict[int, list[int | bytes]], dtype: str, elements: int) -> Tensor:
    field = _TYPED.get(dtype, _INT32S)
    values, kind = fields.get(field, []), numpy_type(dtype)
    if field in _FIXED:
        body = b"".join(part for part in values if isinstance(part, bytes))
        return np.frombuffer(body, _FIXED[field]).view(kind)
    numbers = _integers(values)
    if field != _INT32S or dtype in ("int32", "int16", "int8", "uint16", "uint8", "bool"):
        return numbers.astype(kind)
    if dtype in ("float16", "bfloat16"):
        return numbers.astype(np.uint16).view(kind)
    return _unpacked(numbers.astype(np.uint8).tobytes(), dtype, elements)


def _shaped(flat: Tensor, shape: tuple[int, ...]) -> Tensor:
    if flat.size != prod(shape):
        raise ValueError(
            f"{units.shape(shape)} needs {prod(shape):,} values, but it has {flat.size:,}"
        )
    return flat.reshape(shape)


def encoded(array: Tensor, dtype: str, name: str) -> bytes:
    """Return an array as the bytes of a TensorProto of the model's type `dtype`, called `name`.

    An array that was widened for want of a type in numpy is brought back to it.
    """
    typed = array if dtype == "string" else array.astype(numpy_type(dtype), copy=False)
    body = b"".join(
        _field(_TENSOR_ENCODING_DIMS, _TENSOR_ENCODING_VARINT, _number(length))
        for length in array.shape
    )
    body += _field(_TENSOR_ENCODING_TYPE, _TENSOR_ENCODING_VARINT, _number(TYPES.index(dtype)))
    if dtype == "string":
        texts = (str(text).encode() for text in array.ravel().tolist())
        body += b"".join(
            _field(_TENSOR_ENCODING_STRINGS, _TENSOR_ENCODING_BYTES, _number(len(t)) + t)
            for t in texts
        )
    else:
        raw = _raw(typed, dtype)
        body += _field(_TENSOR_ENCODING_RAW, _TENSOR_ENCODING_BYTES, _number(len(raw)) + raw)
    called = name.encode()
    return body + _field(_NAME, _TENSOR_ENCODING_BYTES, _number(len(called)) + called)


def _raw(array: Tensor, dtype: str) -> bytes:
    """Elements in little-endian order; types under a byte are packed, the first one lowest."""
    bits = ITEM_BITS[dtype]
    if bits >= 8:
        little = array.astype(array.dtype.newbyteorder("<"), copy=False)
        return np.ascontiguousarray(little).tobytes()
    a_byte, mask = 8 // bits, (1 << bits) - 1
    codes = np.frombuffer(np.ascontiguousarray(array).tobytes(), np.uint8) & mask
    padded = np.zeros(-(-codes.size // a_byte) * a_byte, np.uint8)
    padded[: codes.size] = codes
    shifts = np.arange(a_byte, dtype=np.uint8) * bits
    packed = (padded.reshape(-1, a_byte) << shifts).astype(np.uint8)
    return bytes(np.bitwise_or.reduce(packed, axis=1).tobytes())


def _field(number: int, kind: int, body: bytes) -> bytes:
    return _number(number << 3 | kind) + body


def _number(value: int) -> bytes:
    digits = bytearray()
    while value > 0x7F:
        digits.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((*digits, value))
