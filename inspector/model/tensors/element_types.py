"""Element types of tensors, and tensors filled without a file."""

import math
import re
import zlib
from collections.abc import Sequence
from math import prod
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from inspector import units
from inspector.errors import BadInput
from inspector.model.model import ITEM_BITS
from inspector.model.tensors.prediction import QUANTIZED_TYPES

LIMIT_BYTES = 2 << 30  # of one tensor that is made up
Tensor = NDArray[np.generic]
Fed = Tensor | tuple[Tensor, ...]  # the second of a sequence of shapes that differ, or of a map

_BEYOND_NUMPY = {
    "bfloat16": ml_dtypes.bfloat16,
    "float8e4m3fn": ml_dtypes.float8_e4m3fn,
    "float8e4m3fnuz": ml_dtypes.float8_e4m3fnuz,
    "float8e5m2": ml_dtypes.float8_e5m2,
    "float8e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
    "float8e8m0": ml_dtypes.float8_e8m0fnu,
    "float4e2m1": ml_dtypes.float4_e2m1fn,
    "int4": ml_dtypes.int4,
    "uint4": ml_dtypes.uint4,
    "int2": ml_dtypes.int2,
    "uint2": ml_dtypes.uint2,
}
_ROUNDED = 9 / 8  # a little over the largest value is that value
_NUMBER = re.compile(r"[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|nan|inf)", re.I)
_RANDOM = re.compile(r"random(?::(\d{1,18}))?")


def numpy_type(dtype: str) -> np.dtype[np.generic]:
    """Return the numpy type of a model's type; texts are objects. Raises BadInput: no such
    type."""
    if dtype == "string":
        return np.dtype(object)
    if dtype not in ITEM_BITS:
        if dtype == "unknown":
            what, why = (
                "Could not create a tensor",
                "the model declares no data type for an input",
            )
            raise BadInput(what, why, "Export the model again with a type for every input.")
        raise BadInput(
            f"Could not create a tensor of type '{units.clip(dtype, 60)}'",
            "NumPy has no such type",
            "Convert the model to another input type.",
        )
    kind: np.dtype[np.generic] = np.dtype(_BEYOND_NUMPY.get(dtype, dtype))
    return kind


def is_float(dtype: str) -> bool:
    """Return whether elements of the type are real numbers with a fraction."""
    return dtype.startswith(("float", "bfloat"))


def holds_scores(dtype: str) -> bool:
    """Return whether an output of the type may be scores: real numbers, or small integers
    that stand for them. Larger integers are ids and counts."""
    return is_float(dtype) or dtype in QUANTIZED_TYPES


def is_integer(dtype: str) -> bool:
    """Return whether elements of the type are whole numbers."""
    return dtype.startswith(("int", "uint"))


def plain(array: Tensor) -> Tensor:
    """Return the same values in a type that numpy has itself: float32 or int8 for the rare
    ones."""
    if array.dtype.type.__module__ != ml_dtypes.__name__:
        return array
    whole = is_integer(array.dtype.name)
    return array.astype(np.int8 if whole else np.float32)


def holds_values(array: Tensor, cast: Tensor, dtype: str) -> bool:
    """Return whether a type of real numbers could hold the finite values of an array.

    cast: the array in it. Some types make NaN of what is too large, others their largest value.
    """
    finite, widened = np.isfinite(array), plain(cast).astype(np.float64)
    largest = float(ml_dtypes.finfo(numpy_type(dtype)).max)  # type: ignore[no-untyped-call]
    beyond = np.abs(array.astype(np.float64)) > largest * _ROUNDED
    return not bool((finite & (~np.isfinite(widened) | beyond)).any())


def item_bytes(dtype: str) -> int:
    """Return bytes an element takes here; small types are not packed, a text is a reference."""
    return max(1, ITEM_BITS.get(dtype, 64) // 8)


def check_size(
    name: str, shape: Sequence[int], dtype: str, axes: Sequence[str | None] = ()
) -> None:
    """Refuse a tensor that is too large before anything is allocated.

    axes: what its free axes are called, None for a fixed one.
    Raises BadInput, naming the longest axis; also for a negative length.
    """
    what = f"Could not fill input '{units.clip(name, 80)}'"
    if any(length < 0 for length in shape):
        raise BadInput(what, f"{units.shape(shape)} has a negative axis size")
    size_bytes = prod(shape) * item_bytes(dtype)
    if size_bytes > LIMIT_BYTES:
        longest = max(range(len(shape)), key=lambda index: shape[index])
        fixed = bool(axes) and axes[longest] is None
        axis = (axes[longest] if axes else None) or f"axis {longest}"
        raise BadInput(
            what,
            f"{units.shape(shape)} of {dtype} would take up {units.size(size_bytes)}, more "
            f"than the limit of {units.size(LIMIT_BYTES)}; {units.clip(axis, 80)} is "
            f"{shape[longest]:,}",
            "Its size is fixed in the model: export the model again with smaller inputs."
            if fixed
            else f"Set a smaller size for {units.clip(axis, 80)}.",
        )


def is_recipe(value: str) -> bool:
    """Return whether a value is zeros, ones, range, random[:SEED] or a number, no file's
    name."""
    match = _RANDOM.fullmatch(value) or _NUMBER.fullmatch(value)
    return value in ("zeros", "ones", "range") or match is not None


def make_tensor(name: str, value: str, shape: Sequence[int], dtype: str) -> Tensor:
    """Fill a tensor by a recipe: zeros, ones, range, random[:SEED], a number for every element.

    Random floats lie in 0..1, integers of eight bits and less take all their values, wider ones
    and bools are 0 or 1. The name joins the seed, so that two inputs differ and each is the
    same next time. A range counts from 0 along the last axis. Texts are empty.
    Raises BadInput: too large, no such type, or a number that the type cannot hold.
    """
    check_size(name, shape, dtype)
    kind = numpy_type(dtype)
    if dtype == "string":
        return np.full(shape, "", kind)
    if _NUMBER.fullmatch(value):
        return np.full(shape, _number(name, value, dtype), kind)
    if value == "range":
        length = shape[-1] if shape else 1
        most = 1 if dtype == "bool" else limits(dtype)[1] if is_integer(dtype) else 1 << 53
        if length - 1 > most:
            why = (
                f"the largest {dtype} value is {most:,}, "
                f"but the range goes up to {length - 1:,}"
            )
            raise BadInput(f"Could not fill input '{units.clip(name, 80)}' with a range", why)
        return np.broadcast_to(np.arange(length), shape).astype(kind)
    match = _RANDOM.fullmatch(value)
    if match is None:
        return np.full(shape, value == "ones").astype(kind)
    generator = np.random.default_rng((int(match[1] or 0), zlib.crc32(name.encode())))
    if is_float(dtype) or dtype.startswith("complex"):
        return generator.random(shape, np.float64 if dtype == "float64" else np.float32).astype(
            kind
        )
    low, high = limits(dtype) if is_integer(dtype) and ITEM_BITS[dtype] <= 8 else (0, 1)
    return generator.integers(low, high + 1, shape, np.int16).astype(kind)


def limits(dtype: str) -> tuple[int, int]:
    """Return the lowest and the highest whole number of an integer type."""
    bits, signed = ITEM_BITS[dtype], dtype.startswith("int")
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)


def _number(name: str, value: str, dtype: str) -> Any:
    """Return a number in the type. Raises BadInput: a fraction or too large for whole
    numbers."""
    what = f"Could not fill input '{units.clip(name, 80)}' with {units.clip(value, 40)}"
    number = float(value)
    if is_float(dtype):
        one = np.array(number)
        with np.errstate(over="ignore"):
            if not holds_values(one, one.astype(numpy_type(dtype)), dtype):
                raise BadInput(what, f"the type {dtype} cannot represent it")
    if is_float(dtype) or dtype.startswith("complex"):
        return number
    if not math.isfinite(number):
        raise BadInput(what, f"it expects integers ({dtype})")
    whole = int(value) if re.fullmatch(r"[+-]?\d+", value) else int(number)
    if whole != number and abs(number) < 1 << 52:
        raise BadInput(what, f"it expects integers ({dtype})")
    bits = 1 if dtype == "bool" else ITEM_BITS[dtype] - dtype.startswith("int")
    low = -(1 << bits) if dtype.startswith("int") else 0
    if not low <= whole < 1 << bits:
        raise BadInput(what, f"{dtype} values must be from {low:,} to {(1 << bits) - 1:,}")
    return whole
