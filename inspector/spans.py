"""Columns of spans on one clock, and what can be asked of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from inspector.counters import FLOWS, Counter, Flow, Flows, Moment
from inspector.tracks import KINDS, Kind, Lane, NamedLayer, Track

Narrow = NDArray[np.signedinteger[Any]]
COLUMNS = (
    "start_ns", "duration_ns", "track", "depth", "kind", "name", "layer", "run", "size_bytes",
)  # fmt: skip
WIDE = ("start_ns", "duration_ns", "size_bytes")
DEEPEST = 4096
_OUTWARDS = 16
_ROUNDED_NS = 2_000  # start and duration of a profile's event are cut to whole microseconds
_PARTITION, _LAUNCH = KINDS.index(Kind.PARTITION), FLOWS.index(Flow.LAUNCH)


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
    depth: int16 (N,), nesting. kind: int8 (N,), index into `KINDS`.
    The others are int16, int32 or int64 (N,), as narrow as what is in them: only products of
    them can leave their type.
    track: index into `tracks`. name: index into `names`.
    layer: index into the model's layers; -1 for none.
    run: number of the prediction, 0 the first; -1 outside of predictions.
    size_bytes: bytes moved; 0 where nothing is known to move.
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
        group = self.track.astype(np.int64) * DEEPEST + self.depth
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

    def holders(self) -> NDArray[np.int64]:
        """Return the span that each one runs directly inside: int64 (N,); -1 for none.

        As `parents`, but of a prediction also on other tracks: a call holds the kernels that it
        runs on the compute lane, a control-flow node those of its body on another device. What
        a device runs on its own clock, after it was launched, runs beside the call.
        """
        found = self.parents()
        framed = found >= 0
        framed[framed] = self.kind[found[framed]] == _PARTITION
        found[framed] = -1  # partitions frame kernels that a call runs
        lost = np.flatnonzero((found < 0) & (self.run >= 0) & (self.kind != _PARTITION))
        tracks = [n for n in np.unique(self.track[lost]).tolist() if not self._launched(n)]
        for track in tracks:
            others = [n for n in tracks if n != track and _may_hold(self.tracks, n, track)]
            mine = lost[self.track[lost] == track]
            if others and len(mine):
                found[mine] = self._holders_on(mine, others)
        return found

    def _launched(self, track: int) -> bool:
        """Whether a track is of a device's own clock: arrows of launches lead there."""
        ends = self.flows.end[self.flows.kind == _LAUNCH] if len(self.flows) else ()
        return len(ends) > 0 and bool((self.track[ends] == track).any())

    def _holders_on(self, some: NDArray[np.int64], tracks: list[int]) -> NDArray[np.int64]:
        """Return the innermost span on other tracks that holds each of some; -1 for none.

        Ends may differ by the two microseconds that a profile's whole ones are off.
        """
        best = np.full(len(some), -1, np.int64)
        starts = self.start_ns[some]
        stops = starts + self.duration_ns[some]
        for track in tracks:
            own = np.flatnonzero((self.track == track) & (self.kind != _PARTITION))
            for depth in np.unique(self.depth[own]).tolist():
                row = own[self.depth[own] == depth]  # in order of starts, without overlaps
                place = np.searchsorted(self.start_ns[row], starts, "right") - 1
                span = row[np.maximum(place, 0)]
                reach = self.start_ns[span] + self.duration_ns[span] + _ROUNDED_NS
                holds = (place >= 0) & (reach >= stops) & (self.run[span] == self.run[some])
                holds &= self.duration_ns[span] + _ROUNDED_NS > self.duration_ns[some]
                nearer = (best < 0) | (self.duration_ns[span] <= self.duration_ns[best])
                best = np.where(holds & nearer, span, best)
        return best

    def self_ns(self) -> NDArray[np.int64]:
        """Return the duration of each span without what runs directly inside: int64 (N,)."""
        own = self.duration_ns.copy()
        holders = self.holders()
        inner = np.flatnonzero(holders >= 0)
        np.subtract.at(own, holders[inner], self.duration_ns[inner])
        # Of whole microseconds parts may be longer than what holds them.
        at_least: NDArray[np.int64] = np.maximum(own, 0)
        return at_least

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


class Traced(Protocol):
    """What a timeline shows: a trace with the layers that its spans belong to."""

    @property
    def trace(self) -> Trace: ...  # noqa: D102
    @property
    def layers(self) -> Sequence[NamedLayer]: ...  # noqa: D102
