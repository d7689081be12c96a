"""Tensors from .pb files and back: ONNX's TensorProto, SequenceProto and OptionalProto."""

from collections.abc import Callable
from math import prod
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from google.protobuf.message import DecodeError

from inspector import units
from inspector.errors import UnreadableFile
from inspector.formats.onnx.late_onnx import onnx
from inspector.formats.onnx.types import element
from inspector.model.model import packed_bytes
from inspector.model.tensors.element_types import LIMIT_BYTES, Tensor, numpy_type
from inspector.platform import files

Value = TypeVar("Value")


def read(path: Path) -> tuple[Tensor, str]:
    """Read a tensor and the model's name of its type ("float16").

    Raises UnreadableFile: damaged, not a tensor, data in another file, too large.
    """
    return decode(files.read_capped(path, LIMIT_BYTES), path.name)


def decode(body: bytes, name: str) -> tuple[Tensor, str]:
    """Read a TensorProto from its bytes; `name` is for the message. See `read`."""
    return _checked(name, lambda: _tensor(onnx.TensorProto.FromString(body)))


def sequence(body: bytes, name: str) -> tuple[Tensor, ...]:
    """Read the tensors of a SequenceProto. Raises UnreadableFile: damaged, other elements."""
    return _checked(name, lambda: _tensors(onnx.SequenceProto.FromString(body)))


def optional(body: bytes, name: str) -> Tensor | None:
    """Read an OptionalProto: its tensor, its sequence stacked, or None where it is empty.

    Raises UnreadableFile: damaged, or a sequence of different shapes.
    """

    def value() -> Tensor | None:
        proto = onnx.OptionalProto.FromString(body)
        if proto.HasField("tensor_value"):
            return _tensor(proto.tensor_value)[0]
        parts = _tensors(proto.sequence_value)
        if len({array.shape for array in parts}) > 1:
            why = "it contains tensors of different shapes"
            raise UnreadableFile(f"Could not open {name}", why)
        return np.stack(parts) if parts else None

    return _checked(name, value)


def is_sequence(body: bytes, dtype: str) -> bool:
    """Return whether a value of an optional type lies there as a bare sequence, which reads
    like an optional tensor; only the declared type tells. Raises UnreadableFile: damaged."""
    if "sequence(" not in dtype:
        return False
    proto = _checked("the value", lambda: onnx.OptionalProto.FromString(body))
    return not proto.HasField("sequence_value")


def encoded(array: Tensor, dtype: str, name: str) -> bytes:
    """Return an array as the bytes of a TensorProto of the model's type `dtype`, called `name`.

    An array that was widened for want of a type in numpy is brought back to it.
    """
    typed = array.astype(numpy_type(dtype), copy=False)
    body: bytes = onnx.numpy_helper.from_array(typed, name).SerializeToString()
    return body


def _checked(name: str, value: Callable[[], Value]) -> Value:
    try:
        return value()
    except (DecodeError, ValueError, TypeError, OverflowError) as error:
        why = f"it is not a complete ONNX tensor ({units.clip(str(error), 120)})"
        raise UnreadableFile(f"Could not open {name}", why) from error


def _tensors(proto: Any) -> tuple[Tensor, ...]:
    return tuple(_tensor(each)[0] for each in proto.tensor_values)


def _tensor(proto: Any) -> tuple[Tensor, str]:
    dtype, shape = element(proto.data_type), tuple(proto.dims)
    if dtype != "string" and packed_bytes(dtype, 0) is None:
        raise ValueError("it declares no data type")
    if proto.external_data or proto.data_location == onnx.TensorProto.EXTERNAL:
        raise ValueError("its data is in another file, which Inspector does not open")
    if any(length < 0 for length in shape):
        raise ValueError(f"{units.shape(shape)} has a negative axis size")
    raw = proto.raw_data
    if raw and len(raw) != packed_bytes(dtype, prod(shape)):
        raise ValueError(f"{units.shape(shape)} of {dtype} does not match {len(raw):,} bytes")
    return np.asarray(onnx.numpy_helper.to_array(proto)), dtype
