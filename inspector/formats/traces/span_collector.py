"""Collect spans, flow arrows and the clock of a trace while a reader goes through its file.

Sources of clocks: `clock-domain` in the metadata of Chrome's tracing, `baseTimeNanoseconds` of
profilers of training programs, `wall_zero_ns` of our recordings, and the date in the name that
ONNX Runtime gives its profiles (local time, whole seconds).
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from inspector.formats import json_stream
from inspector.formats.json_stream import GZIP
from inspector.formats.source import Source
from inspector.trace.trace import (
    FLOW_KINDS,
    Counter,
    FlowKind,
    Flows,
    InstantEvent,
    Trace,
    TracedLayer,
    Track,
    from_columns,
)
from inspector.trace.trace_builder import span_depths

_EVENT = FLOW_KINDS.index(FlowKind.EVENT)
Flags = NDArray[np.bool_]
Integers = NDArray[np.signedinteger[Any]]
WALL = "the system's time"
_SECOND = 1_000_000_000
_LOOKED = 1 << 16  # bytes of the beginning and of the end
_DOMAIN = re.compile(rb'"clock-domain"\s*:\s*"([\w .:-]{1,60})"')
_BASE = re.compile(rb'"baseTimeNanoseconds"\s*:\s*(\d{1,19})\b')
_OURS = re.compile(rb'"wall_zero_ns"\s*:\s*"(\d{1,19})"')
_NAMED = re.compile(r"(\d{4})-(\d\d)-(\d\d)_(\d\d)-(\d\d)-(\d\d)")
DEEPEST = 4096


class Points(Struct, frozen=True, eq=False):
    """P points that chains of arrows go through, in the order of the file.

    chain: equal for the points of one chain. thread: where each is. at_ns: when. row: the span
    that it is itself; -1 where it is whatever span is there. opens, closes: whether a chain
    begins or ends there. coming: the next span is meant, not the one around. All (P,).
    """

    chain: Integers
    thread: Integers
    at_ns: Integers
    row: Integers
    opens: Flags
    closes: Flags
    coming: Flags

    def __len__(self) -> int:
        return len(self.chain)

    def moved(self, rows: Integers, threads: Integers) -> "Points":
        """Return a copy with renumbered spans and threads."""
        own = np.where(self.row >= 0, rows[self.row] if len(rows) else -1, -1)
        return structs.replace(self, row=own, thread=threads[self.thread])


def points(rows: Sequence[tuple[int, int, int, int, bool, bool, bool]]) -> Points:
    """Points out of rows in the order of the fields."""
    table = np.array(rows, np.int64).reshape(-1, 7)
    flags = table[:, 4:].astype(bool)
    return Points(*table[:, :4].T, *flags.T)


def bind_flows(points_of_flows: Points, columns: dict[str, Integers]) -> tuple[Flows, int]:
    """Arrows from point to point of each chain, and how many points no span was at.

    columns: of the spans, with their depth; `track` is what the points call thread.
    """
    if not len(points_of_flows):
        return Flows(), 0
    answer = np.full(len(points_of_flows), -1, np.int64)
    track, depth, start = (columns[key] for key in ("track", "depth", "start_ns"))
    for thread in np.unique(points_of_flows.thread).tolist():
        on_thread = np.flatnonzero(points_of_flows.thread == thread)
        spans_of_thread = np.flatnonzero(track == thread)
        at_ns = points_of_flows.at_ns[on_thread]
        for row in np.unique(depth[spans_of_thread]).tolist():
            inside = spans_of_thread[depth[spans_of_thread] == row]
            inside = inside[np.argsort(start[inside], kind="stable")]
            last = np.searchsorted(start[inside], at_ns, "right") - 1
            held = inside[np.maximum(last, 0)]
            ends = start[held] + columns["duration_ns"][held]
            around = (last >= 0) & (ends >= at_ns) & ~points_of_flows.coming[on_thread]
            answer[on_thread[around]] = held[around]
        after = spans_of_thread[np.lexsort((depth[spans_of_thread], start[spans_of_thread]))]
        coming = on_thread[points_of_flows.coming[on_thread]]
        place = np.searchsorted(start[after], points_of_flows.at_ns[coming])
        exists = place < len(after)
        answer[coming[exists]] = after[place[exists]]
    span = np.where(points_of_flows.row >= 0, points_of_flows.row, answer)
    place = np.arange(len(points_of_flows))
    order = np.lexsort(
        (
            place,
            points_of_flows.closes,
            ~points_of_flows.opens,
            points_of_flows.at_ns,
            points_of_flows.chain,
        )
    )
    order = order[span[order] >= 0]
    first, second = order[:-1], order[1:]
    joined = (points_of_flows.chain[first] == points_of_flows.chain[second]) & (
        span[first] != span[second]
    )
    joined &= ~points_of_flows.closes[first] & ~points_of_flows.opens[second]
    begin, end = span[first[joined]], span[second[joined]]
    by_begin = np.lexsort((end, begin))
    kind = np.full(len(begin), _EVENT, np.int64)
    return Flows(begin[by_begin], end[by_begin], kind), int((span < 0).sum())


class Clock(Struct, frozen=True):
    """A clock. zero_ns: its time when that of the trace is 0; within_ns: how sure that is."""

    name: str
    zero_ns: int
    within_ns: int = 0


def clock(source: Source, first_ns: int, is_profile: bool) -> Clock | None:
    """Return the clock of a trace; None if the file does not name it.

    first_ns: what the file's own times say when the trace's time is 0.
    """
    texts = _head_and_tail(source)
    if match := _OURS.search(texts):
        return Clock(WALL, int(match[1]) + first_ns)
    if match := _BASE.search(texts):
        return Clock(WALL, int(match[1]) + first_ns)
    if match := _DOMAIN.search(texts):
        return Clock(match[1].decode("ascii", "replace"), first_ns)
    named = _NAMED.search(source.name) if is_profile else None
    if named is None:
        return None
    try:
        began = datetime(*map(int, named.groups())).timestamp()  # type: ignore[arg-type]
    except (ValueError, OverflowError, OSError):
        return None
    return Clock(WALL, int(began) * _SECOND + first_ns, _SECOND)


def is_recording(source: Source) -> bool:
    """Return whether our recorder wrote a trace, which its clock shows."""
    return _OURS.search(_head_and_tail(source)) is not None


def _head_and_tail(source: Source) -> bytes:
    """Return the beginning and the end of the file, where programs write its metadata."""
    head = json_stream.head(source, _LOOKED)[:_LOOKED]
    if source.head(2) == GZIP or source.size <= _LOOKED:
        return head
    return head + source.read(source.size - _LOOKED, _LOOKED)


class Spans(Struct, frozen=True, eq=False):
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


class OpenedTrace(Struct, frozen=True, eq=False):
    """A trace out of a file. source: what kind of file it was; notes: what it lacks.

    layers: what the spans' `layer` stands for, where the file tells. clock: what its times are
    on; None where that is unknown. first_ns: what the file's times say at the trace's 0.
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
        ends = "1 flow arrow is" if lost == 1 else f"{lost:,} flow arrows are"
        notes = (*notes, f"{ends} omitted: an end has no event.")
    shallow = columns["depth"] < DEEPEST
    if not shallow.all():
        lost = int((~shallow).sum())
        columns = {key: column[shallow] for key, column in columns.items()}
        flows = flows.moved(np.where(shallow, np.cumsum(shallow) - 1, -1))
        notes = (
            *notes,
            f"{lost:,} events nested more than {DEEPEST:,} levels deep are omitted.",
        )
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
    """Return all arrows as pairs of rows, and the number of ends without a span."""
    flow_arrows = spans.flows or Flows()
    if spans.points is None or not len(spans.points):
        return flow_arrows, 0
    points = structs.replace(spans.points, at_ns=spans.points.at_ns - zero)
    more, lost = bind_flows(points, columns)
    both = (
        np.concatenate(pair) for pair in zip(_columns(flow_arrows), _columns(more), strict=True)
    )
    return Flows(*both), lost


def _columns(flows: Flows) -> tuple[NDArray[np.int64], ...]:
    return flows.begin, flows.end, flows.kind


def blank(number: int, **values: Integers) -> dict[str, Integers]:
    """Return columns of so many spans, with defaults for those not given."""
    columns: dict[str, Integers] = {
        "layer": np.full(number, -1, np.int32),
        "run": np.full(number, -1, np.int32),
        "size_bytes": np.zeros(number, np.int64),
    }
    return columns | values


def joined(parts: Sequence[dict[str, Integers]]) -> dict[str, Integers]:
    """Return the columns of several groups of spans, one below the other."""
    return {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}
