"""Tensors as the bytes of .pb files: ONNX's TensorProto, written without a library.

Field numbers and packing: onnx.proto, message TensorProto.
"""

import numpy as np

from inspector.model import ITEM_BITS
from inspector.preview.elements import Tensor, numpy_type
from inspector.preview.protobuf_tensor import TYPES

_VARINT, _BYTES = 0, 2
_DIMS, _TYPE, _STRINGS, _NAME, _RAW = 1, 2, 6, 8, 9


def encoded(array: Tensor, dtype: str, name: str) -> bytes:
    """An array as the bytes of a TensorProto of the model's type `dtype`, called `name`.

    An array that was widened for want of a type in numpy is brought back to it.
    """
    typed = array if dtype == "string" else array.astype(numpy_type(dtype), copy=False)
    body = b"".join(_field(_DIMS, _VARINT, _number(length)) for length in array.shape)
    body += _field(_TYPE, _VARINT, _number(TYPES.index(dtype)))
    if dtype == "string":
        texts = (str(text).encode() for text in array.ravel().tolist())
        body += b"".join(_field(_STRINGS, _BYTES, _number(len(t)) + t) for t in texts)
    else:
        raw = _raw(typed, dtype)
        body += _field(_RAW, _BYTES, _number(len(raw)) + raw)
    called = name.encode()
    return body + _field(_NAME, _BYTES, _number(len(called)) + called)


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
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((*found, value))
