"""How TensorProto packs values: bytes of its fields become numpy arrays.

The fields and what may be in each are those of onnx.proto.
"""

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from inspector.model import ITEM_BITS
from inspector.readers.wire import PADDING, Malformed, records

Values = NDArray[np.generic]

STRINGS = "string_data"
NUMBERS = {"int32_data", "int64_data", "uint64_data"}  # of varying length in the file
_ENTRY_BYTES = {"float_data": 4, "double_data": 8}
_LONGEST = 10  # bytes of a varint

_UNPACKED = {"int4": "int8", "int2": "int8", "uint4": "uint8", "uint2": "uint8"}
_BEYOND_NUMPY = {
    "bfloat16": ml_dtypes.bfloat16, "float8e4m3fn": ml_dtypes.float8_e4m3fn,
    "float8e4m3fnuz": ml_dtypes.float8_e4m3fnuz, "float8e5m2": ml_dtypes.float8_e5m2,
    "float8e5m2fnuz": ml_dtypes.float8_e5m2fnuz, "float8e8m0": ml_dtypes.float8_e8m0fnu,
    "float4e2m1": ml_dtypes.float4_e2m1fn,
}  # fmt: skip
_MAY_HOLD = {
    "float_data": {"float32", "complex64"},
    "double_data": {"float64", "complex128"},
    "int64_data": {"int64"},
    "uint64_data": {"uint32", "uint64"},
}
_NOT_IN_INT32 = {"float32", "uint32"}


def item_type(dtype: str) -> np.dtype[np.generic]:
    """Type of an array with elements of a model's type; below a byte, one of a whole byte.

    int4 and int2 come as int8, uint4 and uint2 as uint8, strings as objects (bytes).
    """
    if dtype == "string":
        return np.dtype(object)
    beyond = _BEYOND_NUMPY.get(dtype)
    return np.dtype(_UNPACKED.get(dtype, dtype) if beyond is None else beyond)


def refusal(dtype: str, field: str) -> str:
    """Why a field cannot hold values of a type; empty when it can."""
    bits = ITEM_BITS.get(dtype)
    if bits is None and dtype != "string":
        return f"Inspector does not know its elements ({dtype})"
    if (field == STRINGS) != (dtype == "string"):
        return f"its values of the type {dtype} are said to be in {field}"
    may = _MAY_HOLD.get(field)
    wrong = may is not None and dtype not in may
    if field == "int32_data" and bits is not None:
        wrong = bits > 32 or dtype in _NOT_IN_INT32
    return f"values of the type {dtype} cannot be in {field}" if wrong else ""


def unpacked(data: bytes | NDArray[np.uint8], dtype: str, count: int) -> Values:
    """Values from their packed bytes, little-endian: `count` elements, flat."""
    raw = np.frombuffer(data, np.uint8)
    bits, kind = ITEM_BITS[dtype], item_type(dtype)
    if dtype == "bool":
        truths: NDArray[np.bool_] = raw != 0
        return truths[:count]
    if bits >= 8:
        return raw.view(kind)[:count]
    apart = 8 // bits
    values = np.empty((len(raw), apart), np.uint8)
    for place in range(apart):
        values[:, place] = raw >> (bits * place) & ((1 << bits) - 1)
    if dtype.startswith("int"):
        shift = 8 - bits  # the highest bit is the sign
        return ((values << shift).view(np.int8) >> shift).reshape(-1)[:count]
    return values.reshape(-1)[:count].view(kind)


def as_packed(numbers: NDArray[np.uint64], dtype: str) -> NDArray[np.uint8]:
    """The bytes that numbers of a typed field stand for, as raw_data would have them."""
    width = max(1, ITEM_BITS[dtype] // 8)
    return numbers.astype(np.dtype(f"<u{width}")).view(np.uint8)


def varints(data: bytes) -> tuple[NDArray[np.uint64], int]:
    """Decode all whole numbers in a piece: uint64 (N,), and how many bytes they took.

    Raises Malformed: one is longer than 64 bits need.
    """
    raw = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(raw < 128) + 1
    used = int(ends[-1]) if len(ends) else 0
    starts = np.concatenate(([0], ends[:-1])).astype(np.intp)[: len(ends)]
    lengths = ends - starts
    if len(raw) - used >= _LONGEST or (len(lengths) and int(lengths.max()) > _LONGEST):
        raise Malformed(f"it holds a number longer than {_LONGEST} bytes")
    numbers = np.zeros(len(ends), np.uint64)
    for place in range(int(lengths.max()) if len(lengths) else 0):
        longer = np.flatnonzero(lengths > place)
        digits = (raw[starts[longer] + place] & 127).astype(np.uint64)
        numbers[longer] |= digits << np.uint64(7 * place)
    return numbers, used


def entries(data: bytes, dtype: str, field: str) -> bytes:
    """The bytes that one record of a typed field stands for, as raw_data would have them.

    Raises Malformed: it ends within a number.
    """
    if field not in NUMBERS:
        return data
    numbers, used = varints(data)
    if used != len(data):
        raise Malformed("a number in it is cut off")
    return as_packed(numbers, dtype).tobytes()


def strings(data: bytes, count: int) -> Values:
    """Texts from the records of string_data: objects (bytes). Raises Malformed.

    A single one is not wrapped in its record.
    """
    found = np.empty(count, object)
    texts = [data]
    if count != 1:
        walked = records(data + PADDING, 0, len(data))
        texts = [data[value:stop] for field, _, _, value, stop in walked if field == 6]
    if len(texts) != count:
        raise Malformed(f"it has {len(texts):,} values, its shape takes {count:,}")
    found[:] = texts
    return found


def packed_length(dtype: str, field: str, elements: int) -> int:
    """Bytes that so many elements take in a field with entries of fixed width."""
    width = _ENTRY_BYTES.get(field)
    bits = ITEM_BITS[dtype]
    return (elements * bits + 7) // 8 if width is None else elements * (bits // 8)
