"""Names of types: the runtime's, the model's and numpy's."""

import re

import ml_dtypes
import numpy as np
from numpy.typing import DTypeLike, NDArray

_RUNTIME = {"float": "float32", "double": "float64"}
_KINDS = {
    "tensor": "tensor",
    "seq": "sequence",
    "map": "map",
    "optional": "optional",
    "sparse_tensor": "sparse tensor",
    "opaque": "opaque",
}
_WORDS = {"seq": "sequence", "sparse_tensor": "sparse tensor"} | _RUNTIME
_TYPE = re.compile(r"(\w+)\((.*)\)", re.DOTALL)

# Types that numpy lacks, as ml_dtypes has them: one element a byte or two, never packed.
RARE: dict[str, np.dtype[np.generic]] = {
    "bfloat16": np.dtype(ml_dtypes.bfloat16),
    "float8e4m3fn": np.dtype(ml_dtypes.float8_e4m3fn),
    "float8e4m3fnuz": np.dtype(ml_dtypes.float8_e4m3fnuz),
    "float8e5m2": np.dtype(ml_dtypes.float8_e5m2),
    "float8e5m2fnuz": np.dtype(ml_dtypes.float8_e5m2fnuz),
    "float8e8m0": np.dtype(ml_dtypes.float8_e8m0fnu),
    "float4e2m1": np.dtype(ml_dtypes.float4_e2m1fn),
    "int4": np.dtype(ml_dtypes.int4),
    "uint4": np.dtype(ml_dtypes.uint4),
    "int2": np.dtype(ml_dtypes.int2),
    "uint2": np.dtype(ml_dtypes.uint2),
}
PACKED_BITS = {"int4": 4, "uint4": 4, "int2": 2, "uint2": 2, "float4e2m1": 4}
TEXT = "string"


def kind_and_dtype(runtime_type: str) -> tuple[str, str]:
    """Split a type as the runtime writes it: 'tensor(float)' -> ('tensor', 'float32').

    The dtype of other kinds is the whole type: 'sequence(map(int64, tensor(float32)))'.
    """
    match = _TYPE.fullmatch(runtime_type)
    kind = _KINDS.get(match[1], "unknown") if match else "unknown"
    if match and kind == "tensor":
        return kind, _RUNTIME.get(match[2], match[2])
    text = re.sub(r"\w+", lambda word: _WORDS.get(word[0], word[0]), runtime_type)
    return kind, text.replace(",", ", ")


def numpy_type(name: str) -> np.dtype[np.generic] | None:
    """Numpy's type for a model's type name; None for texts and what nobody knows."""
    if name in RARE:
        return RARE[name]
    try:
        return None if name == TEXT else np.dtype(name)
    except TypeError:
        return None


def type_name(array: NDArray[np.generic]) -> str:
    """Return the model's name for the type of an array: 'float32', 'bfloat16', 'string'."""
    if array.dtype.kind in "UOT":
        return TEXT
    native = array.dtype.newbyteorder("=")
    rare = next((name for name, dtype in RARE.items() if dtype == native), None)
    return rare or native.name


def widened(array: NDArray[np.generic]) -> NDArray[np.generic]:
    """Convert rare types to NumPy's: float32 for floats, int8 and uint8 for integers."""
    name = type_name(array)
    if name not in RARE:
        return array
    wider: DTypeLike = np.float32
    if "int" in name:
        wider = np.uint8 if name.startswith("u") else np.int8
    return array.astype(wider)


def packed(array: NDArray[np.generic]) -> NDArray[np.uint8]:
    """Return the bytes of a rare tensor as the runtime wants them, small integers packed low
    first."""
    bits = PACKED_BITS.get(type_name(array))
    flat = np.ascontiguousarray(array).reshape(-1)
    if bits is None:
        return flat.view(np.uint8)
    each = 8 // bits
    codes = np.zeros(-(-flat.size // each) * each, np.uint8)
    codes[: flat.size] = flat.view(np.uint8) & ((1 << bits) - 1)
    lanes = codes.reshape(-1, each) << (bits * np.arange(each, dtype=np.uint8))
    whole: NDArray[np.uint8] = np.bitwise_or.reduce(lanes, axis=1).astype(np.uint8)
    return whole


def unpacked(body: bytes, dtype: str, shape: tuple[int, ...]) -> NDArray[np.generic]:
    """Read a rare tensor's bytes as the runtime leaves them; the inverse of `packed`."""
    count = int(np.prod(shape, dtype=np.int64))
    bits = PACKED_BITS.get(dtype)
    raw = np.frombuffer(body, np.uint8)
    if bits is None:
        return raw.view(RARE[dtype])[:count].reshape(shape)
    each = 8 // bits
    lanes = (raw[:, None] >> (bits * np.arange(each, dtype=np.uint8))) & ((1 << bits) - 1)
    codes = lanes.reshape(-1)[:count].astype(np.uint8)
    return codes.view(RARE[dtype]).reshape(shape)


def least_bytes(dtype: str) -> int:
    """Return how many bytes an element of a type takes at least; 1 for packed ones and text."""
    try:
        return max(1, np.dtype(dtype).itemsize)
    except TypeError:
        return 2 if dtype == "bfloat16" else 1
