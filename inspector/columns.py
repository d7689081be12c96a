"""Columns of any integers -> a trace: checked, sorted, in the types that it has."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspector.counters import Counter, Flows, Moment
from inspector.spans import COLUMNS, DEEPEST, Narrow, Trace
from inspector.tracks import KINDS, Track

_FAR = 1 << 61  # a start and a duration add up to less than 64 bits
_LIMITS = {
    "start_ns": (-_FAR, _FAR), "duration_ns": (0, _FAR), "size_bytes": (0, _FAR),
    "track": (0, 0), "name": (0, 0), "kind": (0, 0), "depth": (0, DEEPEST),
    "layer": (-1, 1 << 31), "run": (-1, 1 << 31),
}  # fmt: skip

# All others are as narrow as what is in them.
_FIXED: dict[str, type[np.signedinteger[Any]]] = {
    "start_ns": np.int64, "duration_ns": np.int64, "depth": np.int16, "kind": np.int8,
}  # fmt: skip
_NARROW = (np.int16, np.int32)

Column = Sequence[int] | Narrow


def from_columns(
    tracks: Sequence[Track],
    names: Sequence[str],
    columns: Mapping[str, Column],
    counters: Sequence[Counter] = (),
    flows: Flows | None = None,
    moments: Sequence[Moment] = (),
) -> Trace:
    """Build a trace from columns of any integers; sorts them and fixes their types.

    flows: between spans in the order of the columns as they are given.
    Raises ValueError: columns differ in length, or point out of their table.
    """
    wide = {key: _integers(columns[key]) for key in COLUMNS}
    if {column.shape for column in wide.values()} != {(len(wide["start_ns"]),)}:
        raise ValueError("the columns of a trace differ in length")
    sizes = {"track": len(tracks), "name": len(names), "kind": len(KINDS)}
    for key, (low, high) in _LIMITS.items():
        column, end = wide[key], sizes.get(key, high)
        if len(column) and not low <= column.min() <= column.max() < end:
            raise ValueError(f"column {key} of a trace leaves the range {low} to {end - 1}")
    arrows = (flows or Flows()).checked(len(wide["start_ns"]))
    order = _order(wide)
    typed = {key: _typed(key, wide[key]) for key in COLUMNS}
    given = Trace(
        tuple(tracks), tuple(names), **typed,
        counters=tuple(map(_rising, counters)), flows=arrows, moments=tuple(moments),
    )  # fmt: skip
    return given if order is None else given.taken(order)


def _integers(column: Column) -> Narrow:
    """A column as integers, at best as it is: a copy of all would double the memory."""
    if isinstance(column, np.ndarray) and column.dtype.kind == "i":
        return column
    floating = isinstance(column, np.ndarray) and column.dtype.kind == "f"
    if floating and not np.isfinite(column).all():
        raise ValueError("a column of a trace holds what is no number")
    return np.asarray(column, np.int64)


def _order(wide: dict[str, Narrow]) -> NDArray[np.int64] | None:
    """The order by track, depth and start; None where it is that already."""
    track, depth, start = wide["track"], wide["depth"], wide["start_ns"]
    later = (track[1:] == track[:-1]) & (depth[1:] == depth[:-1]) & (start[1:] >= start[:-1])
    deeper = (track[1:] == track[:-1]) & (depth[1:] > depth[:-1])
    later |= deeper
    later |= track[1:] > track[:-1]
    if later.all():
        return None
    return np.lexsort((start, depth, track)).astype(np.int64)


def _typed(key: str, column: Narrow) -> Narrow:
    """A column in the type that it has in a trace; a million spans make the difference."""
    kind = _FIXED.get(key) or _narrowest(int(column.max(initial=0)))
    return np.ascontiguousarray(column, kind)


def _narrowest(most: int) -> type[np.signedinteger[Any]]:
    """The type for numbers up to one; the sum of two of them fits it as well."""
    return next((kind for kind in _NARROW if most <= np.iinfo(kind).max // 2), np.int64)


def _rising(counter: Counter) -> Counter:
    times, values = np.asarray(counter.times_ns, np.int64), np.asarray(counter.values, float)
    if times.shape != values.shape or times.ndim != 1:
        raise ValueError("a counter has another number of times than of values")
    order = np.argsort(times, kind="stable")
    return replace(counter, times_ns=times[order], values=values[order])
