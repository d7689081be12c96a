"""The Trace value: columns of spans on one clock, with tracks, counters, flows and instants."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any, Protocol

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from inspector.platform.data_struct import DataStruct
from inspector.trace.kinds import Kind as Kind

IntArray = NDArray[np.signedinteger[Any]]

KINDS = tuple(Kind)
_PARTITION = KINDS.index(Kind.PARTITION)
COLUMNS = (
    "start_ns", "duration_ns", "track", "depth", "kind", "name", "layer", "run", "size_bytes",
)  # fmt: skip
MAX_DEPTH = 4096  # rows of a track; a key of track and depth is unique below it
_MAX_PARENT_LEVELS = 16  # levels above a span in which its parent is searched
_ROUNDING_NS = 2_000  # start and duration of a profile's event are cut to whole microseconds
_MAX_TIME_NS = 1 << 61  # a start and a duration add up to less than 64 bits
_LIMITS = {
    "start_ns": (-_MAX_TIME_NS, _MAX_TIME_NS),
    "duration_ns": (0, _MAX_TIME_NS),
    "size_bytes": (0, _MAX_TIME_NS),
    "track": (0, 0),
    "name": (0, 0),
    "kind": (0, 0),
    "depth": (0, MAX_DEPTH),
    "layer": (-1, 1 << 31),
    "run": (-1, 1 << 31),
}
# All others are as narrow as what is in them.
_FIXED_TYPES: dict[str, type[np.signedinteger[Any]]] = {
    "start_ns": np.int64, "duration_ns": np.int64, "depth": np.int16, "kind": np.int8,
}  # fmt: skip
_NARROW_TYPES = (np.int16, np.int32)


class FlowKind(StrEnum):
    """The reason for an arrow from one span to another."""

    LAUNCH = "launch"  # a node of the runtime -> what ran on the device for it
    FORCED = "forced"  # a copy, cast or layout change -> the layer that made it necessary
    EVENT = "event"  # anything that another program recorded


FLOW_KINDS = tuple(FlowKind)
_LAUNCH = FLOW_KINDS.index(FlowKind.LAUNCH)


class Counter(DataStruct, frozen=True, eq=False):
    """A quantity over time. Each value holds until the next one.

    name: what is counted.
    unit: "bytes", "percent" (100 is one CPU core, or a whole device), "watts", or "" for a
        plain number.
    times_ns: int64 (M,), increasing, on the clock of the spans.
    values: float64 (M,).
    process: name of the process; empty if there is only one; or `kinds.ALL_PROGRAMS`.
    """

    name: str
    unit: str
    times_ns: NDArray[np.int64]
    values: NDArray[np.float64]
    process: str = ""

    def at(self, instant_ns: float) -> float | None:
        """The value at an instant; None before the first."""
        place = int(np.searchsorted(self.times_ns, int(instant_ns), "right")) - 1
        return float(self.values[place]) if place >= 0 else None

    def within(self, begin_ns: float, end_ns: float) -> "Counter":
        """Return the spans that overlap a time range, whole."""
        first = int(np.searchsorted(self.times_ns, int(begin_ns), "right")) - 1
        last = int(np.searchsorted(self.times_ns, int(np.ceil(end_ns))))
        some = slice(max(0, first), last)
        return replace(self, times_ns=self.times_ns[some], values=self.values[some])


def _empty() -> NDArray[Any]:
    return np.zeros(0, np.int64)


class Flows(DataStruct, frozen=True, eq=False):
    """F arrows between spans of a trace, sorted by `begin`.

    begin, end: int64 (F,), indices of two spans.
    kind: int64 (F,), index into FLOWS.
    """

    begin: NDArray[np.int64] = field(default_factory=_empty)
    end: NDArray[np.int64] = field(default_factory=_empty)
    kind: NDArray[np.int64] = field(default_factory=_empty)

    def __len__(self) -> int:
        return len(self.begin)

    def of(self, span: int) -> "Flows":
        """The arrows that begin or end at a span."""
        return self._some((self.begin == span) | (self.end == span))

    def moved(self, places: NDArray[np.int64]) -> "Flows":
        """Return the arrows after spans moved; places: int64 (N,), -1 for removed spans."""
        if not len(self):
            return self
        begin, end = places[self.begin], places[self.end]
        order = np.lexsort((end, begin))
        moved = Flows(begin[order], end[order], self.kind[order])
        return moved._some((moved.begin >= 0) & (moved.end >= 0))

    def checked(self, spans: int) -> "Flows":
        """Return the arrows with fixed types. Raises ValueError: one leaves the `spans`."""
        columns = [np.asarray(one, np.int64) for one in (self.begin, self.end, self.kind)]
        if {one.shape for one in columns} != {(len(columns[0]),)}:
            raise ValueError("the columns of flows differ in length")
        for one, limit in zip(columns, (spans, spans, len(FLOW_KINDS)), strict=True):
            if len(one) and not 0 <= one.min() <= one.max() < limit:
                raise ValueError("a flow leads to a missing span")
        return Flows(*columns)

    def _some(self, mask: NDArray[np.bool_]) -> "Flows":
        return Flows(self.begin[mask], self.end[mask], self.kind[mask])


class InstantEvent(DataStruct, frozen=True):
    """An instant that is marked on the timeline: "warm-up ends", "killed".

    time_ns: on the clock of the spans.
    name: what happened.
    """

    time_ns: int
    name: str


class Lane(StrEnum):
    """The three lanes of a timeline, as Core ML's Instrument names them."""

    ACTIVITY = "activity"  # calls of the runtime's interface, one span each
    DATA = "data"  # checks, copies, casts, layout changes
    COMPUTE = "compute"  # kernels, on each unit


class Track(DataStruct, frozen=True):
    """A group of rows of the timeline: a lane, or one device in the compute lane.

    lane: activity, data or compute.
    name: shown to people.
    unit: id of the device ("cpu", "webgpu:0"); empty for activity and data.
    family: its color: "activity", "data", "cpu", "gpu" or "npu".
    process, model, thread: names to group rows by; empty if unknown or if there is only
        one.
    """

    lane: Lane
    name: str
    unit: str = ""
    family: str = "cpu"
    process: str = ""
    model: str = ""
    thread: str = ""


class NamedLayer(Protocol):
    """A layer as a timeline names it, with a report or without one."""

    @property
    def index(self) -> int: ...  # noqa: D102
    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def operator(self) -> str: ...  # noqa: D102
    @property
    def into(self) -> int | None: ...  # noqa: D102
    @property
    def time_ns(self) -> int | None: ...  # noqa: D102


class TracedLayer(Struct, frozen=True):
    """A layer as a trace alone knows it; `index` is what the spans' `layer` says.

    into: the layer whose spans hold its time; None where it has its own.
    """

    index: int
    name: str
    operator: str
    into: int | None = None

    @property
    def time_ns(self) -> None:
        """Return the median time of a run, which only a report knows."""


class Span(Struct, frozen=True):
    """One span, taken out of the columns; only for few of them at a time."""

    index: int
    start_ns: int
    duration_ns: int
    name: str
    track: Track
    depth: int
    kind: Kind
    layer: int | None
    run: int | None
    size_bytes: int


class Trace(DataStruct, frozen=True, eq=False):
    """N spans, sorted by track, depth and start. Spans of one track and depth never overlap.

    tracks: groups of rows.
    names: names of spans, each once.
    start_ns: int64 (N,), from the beginning of the trace.
    duration_ns: int64 (N,).
    track: index into `tracks`, an integer array (N,) as narrow as its values allow, like
        those below. Convert them before multiplying.
    depth: int16 (N,), nesting level.
    kind: int8 (N,), index into `KINDS`.
    name: index into `names`.
    layer: index of the layer; -1 for none.
    run: number of the run, from 0; -1 outside of runs.
    size_bytes: bytes moved; 0 if unknown or none.
    counters: quantities over time.
    flows: arrows between spans.
    moments: instants that are marked.
    """

    tracks: tuple[Track, ...]
    names: tuple[str, ...]
    start_ns: NDArray[np.int64]
    duration_ns: NDArray[np.int64]
    track: IntArray
    depth: IntArray
    kind: IntArray
    name: IntArray
    layer: IntArray
    run: IntArray
    size_bytes: IntArray
    counters: tuple[Counter, ...] = ()
    flows: Flows = field(default_factory=Flows)
    moments: tuple[InstantEvent, ...] = ()

    def __len__(self) -> int:
        return len(self.start_ns)

    @property
    def end_ns(self) -> int:
        """The end of the last span in nanoseconds; 0 for an empty trace."""
        return int((self.start_ns + self.duration_ns).max()) if len(self) else 0

    def parents(self) -> NDArray[np.int64]:
        """The span directly around each one: int64 (N,), index of a span; -1 for none.

        A span that only overlaps runs concurrently, not inside. Looked for at most 16 rows
        further out.
        """
        parents = np.full(len(self), -1, np.int64)
        group = self.track.astype(np.int64) * MAX_DEPTH + self.depth
        keys, starts = np.unique(group, return_index=True)
        ends = np.append(starts[1:], len(self))[: len(keys)].tolist()
        rows = dict(zip(keys.tolist(), map(slice, starts.tolist(), ends), strict=True))
        for key, row in rows.items():
            orphans = np.arange(row.start, row.stop)
            for step in range(1, min(int(self.depth[row.start]), _MAX_PARENT_LEVELS) + 1):
                outer = rows.get(key - step)
                if outer is not None and len(orphans):
                    parents[orphans] = self._holders(orphans, outer)
                    orphans = orphans[parents[orphans] < 0]
        return parents

    def _holders(self, spans: NDArray[np.int64], outer: slice) -> NDArray[np.int64]:
        """The span of a row that holds each of some others; -1 for none."""
        start, stop = self.start_ns[spans], self.start_ns[spans] + self.duration_ns[spans]
        place = np.searchsorted(self.start_ns[outer], start, "right") - 1 + outer.start
        reach = self.start_ns[place] + self.duration_ns[place]
        holds = (place >= outer.start) & (reach > start) & (reach >= stop)
        return np.where(holds, place, -1)

    def holders(self) -> NDArray[np.int64]:
        """Return the span that each one runs directly inside: int64 (N,); -1 for none.

        As `parents`, but of a prediction also on other tracks: a call holds the kernels that it
        runs on the compute lane, a control-flow node those of its body on another device. What
        a device runs on its own clock, after it was launched, runs concurrently with the call.
        """
        parents = self.parents()
        framed = parents >= 0
        framed[framed] = self.kind[parents[framed]] == _PARTITION
        parents[framed] = -1  # partitions frame kernels that a call runs
        orphans = np.flatnonzero((parents < 0) & (self.run >= 0) & (self.kind != _PARTITION))
        tracks = [n for n in np.unique(self.track[orphans]).tolist() if not self._launched(n)]
        for track in tracks:
            others = [n for n in tracks if n != track and _may_hold(self.tracks, n, track)]
            spans = orphans[self.track[orphans] == track]
            if others and len(spans):
                parents[spans] = self._holders_on(spans, others)
        return parents

    def _launched(self, track: int) -> bool:
        """Return whether a track is of a device's own clock: arrows of launches lead there."""
        ends = self.flows.end[self.flows.kind == _LAUNCH] if len(self.flows) else ()
        return len(ends) > 0 and bool((self.track[ends] == track).any())

    def _holders_on(self, spans: NDArray[np.int64], tracks: list[int]) -> NDArray[np.int64]:
        """Return the innermost span on other tracks that holds each of some; -1 for none.

        Ends may differ by the two microseconds that a profile's whole ones are off.
        """
        best = np.full(len(spans), -1, np.int64)
        starts = self.start_ns[spans]
        stops = starts + self.duration_ns[spans]
        for track in tracks:
            track_spans = np.flatnonzero((self.track == track) & (self.kind != _PARTITION))
            for depth in np.unique(self.depth[track_spans]).tolist():
                row = track_spans[
                    self.depth[track_spans] == depth
                ]  # in order of starts, without overlaps
                place = np.searchsorted(self.start_ns[row], starts, "right") - 1
                span = row[np.maximum(place, 0)]
                reach = self.start_ns[span] + self.duration_ns[span] + _ROUNDING_NS
                holds = (place >= 0) & (reach >= stops) & (self.run[span] == self.run[spans])
                holds &= self.duration_ns[span] + _ROUNDING_NS > self.duration_ns[spans]
                nearer = (best < 0) | (self.duration_ns[span] <= self.duration_ns[best])
                best = np.where(holds & nearer, span, best)
        return best

    def self_ns(self) -> NDArray[np.int64]:
        """Return the duration of each span without what runs directly inside: int64 (N,)."""
        self_ns = self.duration_ns.copy()
        holders = self.holders()
        inner = np.flatnonzero(holders >= 0)
        np.subtract.at(self_ns, holders[inner], self.duration_ns[inner])
        # Of whole microseconds parts may be longer than what holds them.
        non_negative: NDArray[np.int64] = np.maximum(self_ns, 0)
        return non_negative

    def lies_in(self, begin_ns: float, end_ns: float) -> NDArray[np.bool_]:
        """Return which spans overlap a time range: bool (N,)."""
        stop = self.start_ns + self.duration_ns
        reaches: NDArray[np.bool_] = (stop > begin_ns) | (self.start_ns >= begin_ns)
        return reaches & (self.start_ns < end_ns)

    def within(self, begin_ns: float, end_ns: float) -> "Trace":
        """The spans that lie at least partly in a stretch of time, whole."""
        overlapping = self.lies_in(begin_ns, end_ns)
        return replace(
            self.select(np.flatnonzero(overlapping)),
            counters=tuple(one.within(begin_ns, end_ns) for one in self.counters),
            moments=tuple(one for one in self.moments if begin_ns <= one.time_ns <= end_ns),
        )

    def select(self, spans: NDArray[np.int64]) -> "Trace":
        """Some spans, in a new order, with the arrows that are left between them."""
        places = np.full(len(self) if len(self.flows) else 0, -1, np.int64)
        places[spans if len(places) else []] = np.arange(len(spans) if len(places) else 0)
        columns = {key: getattr(self, key).take(spans) for key in COLUMNS}
        return replace(self, flows=self.flows.moved(places), **columns)

    def span(self, index: int) -> Span:
        """Take out span `index`."""
        layer, run = int(self.layer[index]), int(self.run[index])
        return Span(
            index,
            int(self.start_ns[index]),
            int(self.duration_ns[index]),
            self.names[self.name[index]],
            self.tracks[self.track[index]],
            int(self.depth[index]),
            KINDS[self.kind[index]],
            layer if layer >= 0 else None,
            run if run >= 0 else None,
            int(self.size_bytes[index]),
        )


def _may_hold(tracks: Sequence[Track], outer: int, inner: int) -> bool:
    """Return whether spans of one track can run inside those of another."""
    one, other = tracks[outer], tracks[inner]
    if (one.process, one.model) != (other.process, other.model):
        return False
    if one.lane is Lane.ACTIVITY:
        return other.lane is not Lane.ACTIVITY
    # Two tracks of one unit are threads that work at the same time.
    return one.lane is Lane.COMPUTE and other.lane is Lane.COMPUTE and one.unit != other.unit


class TraceSource(Protocol):
    """The source of a timeline: a trace with the layers that its spans belong to."""

    @property
    def trace(self) -> Trace: ...  # noqa: D102
    @property
    def layers(self) -> Sequence[NamedLayer]: ...  # noqa: D102


Column = Sequence[int] | IntArray


def from_columns(
    tracks: Sequence[Track],
    names: Sequence[str],
    columns: Mapping[str, Column],
    counters: Sequence[Counter] = (),
    flows: Flows | None = None,
    moments: Sequence[InstantEvent] = (),
) -> Trace:
    """Build a trace from columns of any integers; sorts them and fixes their types.

    flows: between spans in the order of the columns as they are given.
    Raises ValueError: columns differ in length, or point out of their table.
    """
    columns_by_name = {key: _as_integers(columns[key]) for key in COLUMNS}
    if {column.shape for column in columns_by_name.values()} != {
        (len(columns_by_name["start_ns"]),)
    }:
        raise ValueError("the columns of a trace differ in length")
    sizes = {"track": len(tracks), "name": len(names), "kind": len(KINDS)}
    for key, (low, high) in _LIMITS.items():
        column, end = columns_by_name[key], sizes.get(key, high)
        if len(column) and not low <= column.min() <= column.max() < end:
            raise ValueError(f"column {key} of a trace is outside the range {low} to {end - 1}")
    if any(not -_MAX_TIME_NS <= one.time_ns < _MAX_TIME_NS for one in moments):
        raise ValueError("a time in a trace is out of range")
    arrows = (flows or Flows()).checked(len(columns_by_name["start_ns"]))
    order = _sort_order(columns_by_name)
    typed = {key: _as_column(key, columns_by_name[key]) for key in COLUMNS}
    trace = Trace(
        tuple(tracks), tuple(names), **typed,
        counters=tuple(map(_sorted_counter, counters)), flows=arrows, moments=tuple(moments),
    )  # fmt: skip
    return trace if order is None else trace.select(order)


def _as_integers(column: Column) -> IntArray:
    """A column as integers, at best as it is: a copy of all would double the memory."""
    if isinstance(column, np.ndarray) and column.dtype.kind == "i":
        return column
    floating = isinstance(column, np.ndarray) and column.dtype.kind == "f"
    if floating and not np.isfinite(column).all():
        raise ValueError("a column of a trace contains values that are not numbers")
    return np.asarray(column, np.int64)


def _sort_order(wide: dict[str, IntArray]) -> NDArray[np.int64] | None:
    """The order by track, depth and start; None where it is that already."""
    track, depth, start = wide["track"], wide["depth"], wide["start_ns"]
    later = (track[1:] == track[:-1]) & (depth[1:] == depth[:-1]) & (start[1:] >= start[:-1])
    deeper = (track[1:] == track[:-1]) & (depth[1:] > depth[:-1])
    later |= deeper
    later |= track[1:] > track[:-1]
    if later.all():
        return None
    return np.lexsort((start, depth, track)).astype(np.int64)


def _as_column(key: str, column: IntArray) -> IntArray:
    """A column in the type that it has in a trace; a million spans make the difference."""
    kind = _FIXED_TYPES.get(key) or _narrowest_type(int(column.max(initial=0)))
    return np.ascontiguousarray(column, kind)


def _narrowest_type(most: int) -> type[np.signedinteger[Any]]:
    """The type for numbers up to one; the sum of two of them fits it as well."""
    return next((kind for kind in _NARROW_TYPES if most <= np.iinfo(kind).max // 2), np.int64)


def _sorted_counter(counter: Counter) -> Counter:
    times, values = np.asarray(counter.times_ns, np.int64), np.asarray(counter.values, float)
    if times.shape != values.shape or times.ndim != 1:
        raise ValueError("a counter has different numbers of times and values")
    if len(times) and not -_MAX_TIME_NS <= times.min() <= times.max() < _MAX_TIME_NS:
        raise ValueError("a time of a counter is out of range")
    order = np.argsort(times, kind="stable")
    return replace(counter, times_ns=times[order], values=values[order])
