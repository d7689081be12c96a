"""Spans that a reader found, on their way to a trace."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspector.trace import Trace, TracedLayer, Track, from_columns, nesting

DEEPEST = 4096
Integers = NDArray[np.signedinteger[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """N spans in any order: columns as in Trace without the depth.

    names: what `name` points into; more than are used. source: what kind of file it was.
    zero_ns: instant that times count from; None for the first start.
    """

    source: str
    tracks: tuple[Track, ...]
    names: tuple[str, ...]
    columns: dict[str, Integers]
    layers: tuple[TracedLayer, ...] = ()
    notes: tuple[str, ...] = ()
    zero_ns: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class OpenedTrace:
    """A trace out of a file. source: what kind of file it was; notes: what it lacks.

    layers: what the spans' `layer` stands for, where the file tells.
    """

    trace: Trace
    layers: tuple[TracedLayer, ...]
    notes: tuple[str, ...]
    source: str


def trace(spans: Spans) -> OpenedTrace:
    """Nest and sort the spans; times count from the first."""
    columns, notes = dict(spans.columns), spans.notes
    start = columns["start_ns"].astype(np.int64)
    zero = spans.zero_ns
    if zero is None:
        zero = int(start.min()) if len(start) else 0
    columns["start_ns"] = start - zero
    depth = nesting(
        columns["start_ns"].astype(np.int64),
        columns["duration_ns"].astype(np.int64),
        columns["track"].astype(np.int64),
    )
    kept = depth < DEEPEST
    if not kept.all():
        lost = int((~kept).sum())
        columns = {key: column[kept] for key, column in columns.items()}
        notes = (*notes, f"{lost:,} spans that lie more than {DEEPEST:,} deep are left out.")
    used, columns["name"] = np.unique(columns["name"], return_inverse=True)
    names = tuple(spans.names[name] for name in used.tolist())
    columns["depth"] = depth[kept]
    found = from_columns(
        spans.tracks, names, {key: c.astype(np.int64) for key, c in columns.items()}
    )
    return OpenedTrace(found, spans.layers, notes, spans.source)


def blank(number: int, **given: Integers) -> dict[str, Integers]:
    """Columns of so many spans: those given, and what says nothing for all others."""
    same: dict[str, Integers] = {
        "layer": np.full(number, -1, np.int32),
        "run": np.full(number, -1, np.int32),
        "size_bytes": np.zeros(number, np.int64),
    }
    return same | given


def joined(parts: Sequence[dict[str, Integers]]) -> dict[str, Integers]:
    """The columns of several groups of spans, one below the other."""
    return {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}
