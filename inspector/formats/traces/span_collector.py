"""Spans that a reader found, on their way to a trace."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspector.formats.traces.clocks import Clock
from inspector.formats.traces.flow_arrows import Points, bound
from inspector.trace.trace import (
    Counter,
    Flows,
    InstantEvent,
    Trace,
    TracedLayer,
    Track,
    from_columns,
)
from inspector.trace.trace_builder import span_depths

DEEPEST = 4096
Integers = NDArray[np.signedinteger[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """N spans in any order: columns as in Trace without the depth.

    names: what `name` points into; more than are used. source: what kind of file it was.
    zero_ns: instant that times count from; None for the first start. flows: by rows of the
    columns. points: ends of further arrows, on tracks, that have to be brought to spans.
    """

    source: str
    tracks: tuple[Track, ...]
    names: tuple[str, ...]
    columns: dict[str, Integers]
    layers: tuple[TracedLayer, ...] = ()
    notes: tuple[str, ...] = ()
    zero_ns: int | None = None
    counters: tuple[Counter, ...] = ()
    flows: Flows | None = None
    points: Points | None = None
    moments: tuple[InstantEvent, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class OpenedTrace:
    """A trace out of a file. source: what kind of file it was; notes: what it lacks.

    layers: what the spans' `layer` stands for, where the file tells. clock: what its times are
    on; None where that is not told. first_ns: what the file's times say at the trace's 0.
    """

    trace: Trace
    layers: tuple[TracedLayer, ...]
    notes: tuple[str, ...]
    source: str
    clock: Clock | None = None
    first_ns: int = 0


def trace(spans: Spans) -> OpenedTrace:
    """Nest and sort the spans; times count from the first."""
    columns, notes = dict(spans.columns), spans.notes
    zero = _zero(spans)
    columns["start_ns"] = columns["start_ns"].astype(np.int64) - zero
    columns["depth"] = span_depths(
        columns["start_ns"],
        columns["duration_ns"].astype(np.int64),
        columns["track"].astype(np.int64),
    )
    flows, lost = _flows(spans, columns, zero)
    if lost:
        ends = "1 end of an arrow is" if lost == 1 else f"{lost:,} ends of arrows are"
        notes = (*notes, f"{ends} left out: there is no event where it points.")
    shallow = columns["depth"] < DEEPEST
    if not shallow.all():
        lost = int((~shallow).sum())
        columns = {key: column[shallow] for key, column in columns.items()}
        flows = flows.moved(np.where(shallow, np.cumsum(shallow) - 1, -1))
        notes = (*notes, f"{lost:,} spans that lie more than {DEEPEST:,} deep are left out.")
    used, columns["name"] = np.unique(columns["name"], return_inverse=True)
    built = from_columns(
        spans.tracks,
        tuple(spans.names[name] for name in used.tolist()),
        {key: c.astype(np.int64) for key, c in columns.items()},
        [replace(one, times_ns=one.times_ns - zero) for one in spans.counters],
        flows,
        [replace(one, time_ns=one.time_ns - zero) for one in spans.moments],
    )
    return OpenedTrace(built, spans.layers, notes, spans.source, first_ns=zero)


def _zero(spans: Spans) -> int:
    if spans.zero_ns is not None:
        return spans.zero_ns
    start = spans.columns["start_ns"]
    return int(start.min()) if len(start) else 0


def _flows(spans: Spans, columns: dict[str, Integers], zero: int) -> tuple[Flows, int]:
    """All arrows by rows of the columns, and how many ends found no span."""
    flow_arrows = spans.flows or Flows()
    if spans.points is None or not len(spans.points):
        return flow_arrows, 0
    points = replace(spans.points, at_ns=spans.points.at_ns - zero)
    more, lost = bound(points, columns)
    both = (
        np.concatenate(pair) for pair in zip(_columns(flow_arrows), _columns(more), strict=True)
    )
    return Flows(*both), lost


def _columns(flows: Flows) -> tuple[NDArray[np.int64], ...]:
    return flows.begin, flows.end, flows.kind


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
