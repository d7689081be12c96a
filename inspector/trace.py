"""What happened when: columns of spans on one clock, in lanes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from inspector.counters import FLOWS as FLOWS
from inspector.counters import Counter as Counter
from inspector.counters import Flow as Flow
from inspector.counters import Flows as Flows
from inspector.counters import Moment as Moment
from inspector.nesting import nesting as nesting


class Lane(StrEnum):
    """The three lanes of a timeline, as Core ML's Instrument names them."""

    ACTIVITY = "activity"  # calls of the runtime's interface, one span each
    DATA = "data"  # checks, copies, casts, layout changes
    COMPUTE = "compute"  # kernels, on each unit


class Kind(StrEnum):
    """What a span is; decides its hatching and its words."""

    CALL = "call"
    CHECK = "check"
    COPY = "copy"
    CAST = "cast"
    LAYOUT = "layout"
    KERNEL = "kernel"
    PARTITION = "partition"
    EVENT = "event"  # whatever another program told


KINDS = tuple(Kind)
Narrow = NDArray[np.signedinteger[Any]]


@dataclass(frozen=True, slots=True)
class Track:
    """One group of rows: a lane, and for compute the unit.

    unit: id of the device ("cpu", "webgpu:0"); empty for activity and data.
    family: what colour it gets: "activity", "data", "cpu", "gpu" or "npu".
    process, model, thread: names of what it belongs to, by which rows can be grouped anew;
        empty where there is only one or none is known.
    """

    lane: Lane
    name: str
    unit: str = ""
    family: str = "cpu"
    process: str = ""
    model: str = ""
    thread: str = ""


class NamedLayer(Protocol):
    """What can be said of a layer beside a timeline, with a report or without one."""

    @property
    def index(self) -> int: ...  # noqa: D102
    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def operator(self) -> str: ...  # noqa: D102
    @property
    def into(self) -> int | None: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class TracedLayer:
    """A layer as a trace alone knows it; `index` is what the spans' `layer` says.

    into: the layer whose spans hold its time; None where it has its own.
    """

    index: int
    name: str
    operator: str
    into: int | None = None


@dataclass(frozen=True, slots=True)
class Span:
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


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """N spans, sorted by track, depth and start. Spans of one track and depth never overlap.

    start_ns, duration_ns: int64 (N,), nanoseconds; start counts from the trace's beginning.
    track: int16 or int32 (N,), index into `tracks`. depth: int16 (N,), nesting.
    kind: int8 (N,), index into `KINDS`. name: int32 (N,), index into `names`.
    layer: int32 (N,), index into the model's layers; -1 for none.
    run: int32 (N,), number of the prediction, 0 the first; -1 outside of predictions.
    size_bytes: int32 or int64 (N,), bytes moved; 0 where nothing is known to move.
    counters, flows, moments: on the same clock, and between the same spans.
    """

    tracks: tuple[Track, ...]
    names: tuple[str, ...]
    start_ns: NDArray[np.int64]
    duration_ns: NDArray[np.int64]
    track: Narrow
    depth: Narrow
    kind: Narrow
    name: Narrow
    layer: Narrow
    run: Narrow
    size_bytes: Narrow
    counters: tuple[Counter, ...] = ()
    flows: Flows = field(default_factory=Flows)
    moments: tuple[Moment, ...] = ()

    def __len__(self) -> int:
        return len(self.start_ns)

    @property
    def end_ns(self) -> int:
        """When the last span ends, in nanoseconds; 0 for an empty trace."""
        return int((self.start_ns + self.duration_ns).max()) if len(self) else 0

    def parents(self) -> NDArray[np.int64]:
        """The span directly around each one: int64 (N,), index of a span; -1 for none.

        What only overlaps runs beside it, not inside. Looked for at most 16 rows further out.
        """
        found = np.full(len(self), -1, np.int64)
        group = self.track.astype(np.int64) * _LIMITS["depth"][1] + self.depth
        keys, starts = np.unique(group, return_index=True)
        ends = np.append(starts[1:], len(self))[: len(keys)].tolist()
        rows = dict(zip(keys.tolist(), map(slice, starts.tolist(), ends), strict=True))
        for key, row in rows.items():
            lost = np.arange(row.start, row.stop)
            for step in range(1, min(int(self.depth[row.start]), _OUTWARDS) + 1):
                outer = rows.get(key - step)
                if outer is not None and len(lost):
                    found[lost] = self._holders(lost, outer)
                    lost = lost[found[lost] < 0]
        return found

    def _holders(self, some: NDArray[np.int64], outer: slice) -> NDArray[np.int64]:
        """The span of a row that holds each of some others; -1 for none."""
        start, stop = self.start_ns[some], self.start_ns[some] + self.duration_ns[some]
        place = np.searchsorted(self.start_ns[outer], start, "right") - 1 + outer.start
        reach = self.start_ns[place] + self.duration_ns[place]
        holds = (place >= outer.start) & (reach > start) & (reach >= stop)
        return np.where(holds, place, -1)

    def self_ns(self) -> NDArray[np.int64]:
        """Duration of each span without the spans directly inside it: int64 (N,)."""
        own = self.duration_ns.copy()
        parents = self.parents()
        inner = np.flatnonzero(parents >= 0)
        np.subtract.at(own, parents[inner], self.duration_ns[inner])
        return own

    def lies_in(self, begin_ns: float, end_ns: float) -> NDArray[np.bool_]:
        """Spans that lie at least partly in a stretch of time: bool (N,)."""
        stop = self.start_ns + self.duration_ns
        reaches: NDArray[np.bool_] = (stop > begin_ns) | (self.start_ns >= begin_ns)
        return reaches & (self.start_ns < end_ns)

    def within(self, begin_ns: float, end_ns: float) -> "Trace":
        """The spans that lie at least partly in a stretch of time, whole."""
        kept = self.lies_in(begin_ns, end_ns)
        return replace(
            self.taken(np.flatnonzero(kept)),
            counters=tuple(one.within(begin_ns, end_ns) for one in self.counters),
            moments=tuple(one for one in self.moments if begin_ns <= one.time_ns <= end_ns),
        )

    def taken(self, spans: NDArray[np.int64]) -> "Trace":
        """Some spans, in a new order, with the arrows that are left between them."""
        places = np.full(len(self) if len(self.flows) else 0, -1, np.int64)
        places[spans if len(places) else []] = np.arange(len(spans) if len(places) else 0)
        columns = {key: getattr(self, key)[spans] for key in COLUMNS}
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


COLUMNS = (
    "start_ns", "duration_ns", "track", "depth", "kind", "name", "layer", "run", "size_bytes",
)  # fmt: skip
WIDE = ("start_ns", "duration_ns", "size_bytes")
_OUTWARDS = 16
_FAR = 1 << 61  # a start and a duration add up to less than 64 bits
_LIMITS = {
    "start_ns": (-_FAR, _FAR), "duration_ns": (0, _FAR), "size_bytes": (0, _FAR),
    "track": (0, 0), "name": (0, 0), "kind": (0, 0), "depth": (0, 4096),
    "layer": (-1, 1 << 31), "run": (-1, 1 << 31),
}  # fmt: skip

# None: as narrow as what is in it.
_TYPES: dict[str, type[np.signedinteger[Any]] | None] = {
    "start_ns": np.int64, "duration_ns": np.int64, "size_bytes": None, "track": None,
    "depth": np.int16, "kind": np.int8, "name": np.int32, "layer": np.int32, "run": np.int32,
}  # fmt: skip

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
    kind = _TYPES[key]
    if kind is None:
        kind = np.int16 if key == "track" else np.int32
        if len(column) and column.max() > np.iinfo(kind).max:
            kind = np.int32 if key == "track" else np.int64
    return np.ascontiguousarray(column, kind)


def _rising(counter: Counter) -> Counter:
    times, values = np.asarray(counter.times_ns, np.int64), np.asarray(counter.values, float)
    if times.shape != values.shape or times.ndim != 1:
        raise ValueError("a counter has another number of times than of values")
    order = np.argsort(times, kind="stable")
    return replace(counter, times_ns=times[order], values=values[order])


class Traced(Protocol):
    """What a timeline shows: a trace with the layers that its spans belong to."""

    @property
    def trace(self) -> Trace: ...  # noqa: D102
    @property
    def layers(self) -> Sequence[NamedLayer]: ...  # noqa: D102


class TraceBuilder:
    """Collects spans in any order; `trace` freezes them. Depth follows from the nesting."""

    def __init__(self) -> None:
        self._tracks: dict[Track, int] = {}
        self._names: dict[str, int] = {}
        self._rows: list[tuple[int, int, int, int, int, int, int, int]] = []
        self._counters: dict[tuple[str, str, str], list[tuple[int, float]]] = {}
        self._flows: list[tuple[int, int, int]] = []
        self._moments: list[Moment] = []

    def track(self, track: Track) -> None:
        """Make room for a track now, so that it comes in this order and even when unused."""
        self._tracks.setdefault(track, len(self._tracks))

    def add(
        self,
        track: Track,
        name: str,
        start_ns: int,
        duration_ns: int,
        kind: Kind = Kind.CALL,
        layer: int | None = None,
        run: int | None = None,
        size_bytes: int = 0,
    ) -> int:
        """Put down one span; times in nanoseconds on the caller's clock. Returns its number."""
        self.track(track)
        row = (
            start_ns,
            max(0, duration_ns),
            self._tracks[track],
            KINDS.index(kind),
            self._names.setdefault(name, len(self._names)),
            -1 if layer is None else layer,
            -1 if run is None else run,
            size_bytes,
        )
        self._rows.append(row)
        return len(self._rows) - 1

    def flow(self, begin: int, end: int, kind: Flow) -> None:
        """Put down an arrow between two spans, by the numbers that `add` gave."""
        self._flows.append((begin, end, FLOWS.index(kind)))

    def count(
        self, name: str, time_ns: int, value: float, unit: str = "", process: str = ""
    ) -> None:
        """Put down the value of a counter from an instant on."""
        self._counters.setdefault((name, unit, process), []).append((time_ns, value))

    def moment(self, name: str, time_ns: int) -> None:
        """Put down an instant that is worth a line."""
        self._moments.append(Moment(time_ns, name))

    @property
    def earliest_ns(self) -> int:
        """When the first span begins, on the caller's clock; 0 without any."""
        return min((row[0] for row in self._rows), default=0)

    def trace(self, zero_ns: int | None = None) -> Trace:
        """Return what was collected; times count from `zero_ns`, by default the first start."""
        rows = np.asarray(self._rows, np.int64).reshape(-1, 8)
        start, duration, track = rows[:, 0], rows[:, 1], rows[:, 2]
        zero = self.earliest_ns if zero_ns is None else zero_ns
        keys = [key for key in COLUMNS if key != "depth"]
        columns: dict[str, Column] = dict(zip(keys, rows.T, strict=True))
        columns["depth"] = nesting(start, duration, track)
        columns["start_ns"] = start - zero
        arrows = np.asarray(self._flows, np.int64).reshape(-1, 3)
        return from_columns(
            tuple(self._tracks),
            tuple(self._names),
            columns,
            [
                Counter(name, unit, *_pairs(values, zero), process)
                for (name, unit, process), values in self._counters.items()
            ],
            Flows(*arrows.T),
            [replace(one, time_ns=one.time_ns - zero) for one in self._moments],
        )


def _pairs(
    values: list[tuple[int, float]], zero_ns: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    times = np.array([time for time, _ in values], np.int64) - zero_ns
    return times, np.array([value for _, value in values], np.float64)
