"""Values of a foreign file as columns of integers, however they are spelled."""

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

NONE_NS = -(1 << 62)
# What lies between two instants has to stay below 2**61 ns; dates reach to the year 2041.
_EARLIEST_US, _LATEST_US = -(1 << 55) // 1000, ((1 << 61) - (1 << 55)) // 1000

Column = NDArray[np.signedinteger[Any]]


def numbers(table: dict[Any, int], values: list[Any]) -> Column:
    """Number of each value in a table that grows by those that are new: int32 (N,)."""
    try:
        return np.array([table.setdefault(value, len(table)) for value in values], np.int32)
    except TypeError:  # lists and objects where a text or a number should be
        plain = [tuple(map(str, v)) if isinstance(v, tuple) else str(v) for v in values]
        return np.array([table.setdefault(value, len(table)) for value in plain], np.int32)


def integers(values: list[Any], other: int, end: int) -> Column:
    """Integers from 0 to `end`, also those written as texts; `other` for what is none."""
    kind = np.int32 if end < 1 << 31 else np.int64
    if values.count(None) == len(values):
        return np.full(len(values), other, kind)
    return np.array([_integer(value, other, end) for value in values], kind)


def _integer(value: Any, other: int, end: int) -> int:
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 19:
        value = int(value)
    return value if type(value) is int and 0 <= value < end else other


def nanoseconds(values: Iterable[Any]) -> NDArray[np.int64]:
    """Microseconds in any spelling as nanoseconds: int64; a far negative number for none."""
    listed = list(values)
    kinds = set(map(type, listed))
    if kinds <= {int}:
        whole = np.array(listed, np.float64 if not listed else None)
        if (
            whole.dtype == np.int64
            and (whole > _EARLIEST_US).all()
            and (whole < _LATEST_US).all()
        ):
            return whole * 1000
    elif kinds <= {int, float}:
        parts = np.array([_float(value) for value in listed])
        usable = (parts > _EARLIEST_US) & (parts < _LATEST_US)  # NaN is neither
        scaled = np.rint(np.where(usable, parts, 0.0) * 1000).astype(np.int64)
        return np.where(usable, scaled, NONE_NS)
    return np.array([_nanoseconds(value) for value in listed], np.int64)


def _float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _nanoseconds(value: Any) -> int:
    number: int | float | None = value if type(value) in (int, float) else None
    if isinstance(value, str) and len(value) < 64:
        number = _parsed(int, value)
        number = _parsed(float, value) if number is None else number
    if number is None or not _EARLIEST_US < number < _LATEST_US:
        return NONE_NS
    return round(number * 1000)


def _parsed(kind: Callable[[str], float], text: str) -> float | None:
    try:
        return kind(text)
    except ValueError:
        return None
