"""Build a Trace from spans added one by one, and compute the nesting depth of spans."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from inspector.trace.grouping import chunks
from inspector.trace.trace import (
    COLUMNS,
    FLOW_KINDS,
    KINDS,
    Column,
    Counter,
    FlowKind,
    Flows,
    InstantEvent,
    Kind,
    Trace,
    Track,
    from_columns,
)

# Rows searched for a free one, and spans converted to Python objects at once.
_MAX_SEARCHED_ROWS = 64
_LIST_CHUNK = 1 << 14
_CHUNK = 1 << 16  # spans; in longer steps numpy would hold up all other threads
_MAX_LEVELS = 48
_MAX_TIME_NS = 1 << 62
Numbers = NDArray[np.int64]


def span_depths(start: Numbers, duration: Numbers, track: Numbers) -> Numbers:
    """Depth of each span below those of its track that hold it: int64 (N,).

    A span that only overlaps others lies below those that hold it, in the first row where
    there is room, so that no two spans of a track and depth overlap.
    """
    order = np.lexsort((-duration, start, track))
    depth = np.zeros(len(start), np.int64)
    left, begin, end = np.arange(len(order)), np.empty(0, np.int64), np.empty(0, np.int64)
    if len(order) and (interval := _on_one_axis(order, start, duration, track)) is not None:
        begin, end = interval
        left = _depths_by_level(order, begin, end, depth)
    _depths_one_by_one(order[left], start, duration, track, depth)
    return depth


def _on_one_axis(
    order: Numbers, start: Numbers, duration: Numbers, track: Numbers
) -> tuple[Numbers, Numbers] | None:
    """Begin and end of each span, one track after the other; None where numbers end."""
    low, first = int(start.min()), int(track[order[0]])
    reach = int((start + duration).max()) - low + 1
    if (int(track[order[-1]]) - first + 1) * reach >= _MAX_TIME_NS:
        return None
    begin, end = np.empty((2, len(order)), np.int64)
    for part in chunks(len(order), _CHUNK):
        members = order[part]
        begin[part] = start[members] - low + (track[members] - first) * reach
        end[part] = begin[part] + duration[members]
    return begin, end


def _depths_by_level(order: Numbers, begin: Numbers, end: Numbers, depth: Numbers) -> Numbers:
    """Put in the depth of all that hold each other; what is left, with all around it.

    A span is the outermost where it begins after all before it have ended: the others lie in
    the one before them, and the outermost of these make the next level.
    """
    rest = np.arange(len(order))
    roots, left = rest, [rest[:0]]
    for level in range(_MAX_LEVELS):
        outer, inner, crossing = _split_level(rest, begin, end)
        for part in chunks(len(outer), _CHUNK):
            depth[order[outer[part]]] = level
        roots = roots if level else outer
        rest, wrong = _without_crossing(inner, crossing, roots)
        left.append(_positions_below(wrong, roots, len(order)))
        if not len(rest):
            break
    if len(rest):
        left.append(_positions_below(np.unique(_root_of(rest, roots)), roots, len(order)))
    return np.concatenate(left)


def _split_level(
    rest: Numbers, begin: Numbers, end: Numbers
) -> tuple[Numbers, Numbers, Numbers]:
    """Spans that no other one holds or cuts, the others, and of these those that stick out."""
    parts: tuple[list[Numbers], list[Numbers], list[Numbers]] = ([], [], [])
    covered = (
        holder
    ) = -_MAX_TIME_NS  # when all before have ended, and when the last outermost one has
    for part in chunks(len(rest), _CHUNK):
        members = rest[part]
        begins, ends = begin[members], end[members]
        until = np.maximum.accumulate(np.append(covered, ends))
        outer = begins >= until[:-1]
        holds = np.maximum.accumulate(np.append(holder, np.where(outer, ends, -_MAX_TIME_NS)))
        for target, some in zip(parts, (outer, ~outer, ends > holds[1:]), strict=True):
            target.append(members[some])
        covered, holder = int(until[-1]), int(holds[-1])
    outermost, inner, crossing = (np.concatenate(each) for each in parts)
    return outermost, inner, crossing


def _root_of(places: Numbers, roots: Numbers) -> Numbers:
    root: Numbers = np.searchsorted(roots, places, "right") - 1
    return root


def _without_crossing(
    inner: Numbers, crossing: Numbers, roots: Numbers
) -> tuple[Numbers, Numbers]:
    """Return the spans below uncrossed roots, and those roots."""
    if not len(crossing):
        return inner, crossing
    wrong = np.unique(_root_of(crossing, roots))
    bad = np.zeros(len(roots), np.bool_)
    bad[wrong] = True
    return inner[~bad[_root_of(inner, roots)]], wrong


def _positions_below(wrong: Numbers, roots: Numbers, count: int) -> Numbers:
    """All places from some roots to those after them."""
    if not len(wrong):
        return wrong
    stops = np.append(roots[1:], count)
    lengths = stops[wrong] - roots[wrong]
    shift: Numbers = np.repeat(roots[wrong] - (np.cumsum(lengths) - lengths), lengths)
    shift += np.arange(len(shift))
    return shift


def _depths_one_by_one(
    order: Numbers, start: Numbers, duration: Numbers, track: Numbers, depth: Numbers
) -> None:
    """Put in the depth of spans that may cut each other."""
    # Numbers of numpy one at a time would take ten times as long as those of lists.
    # In pieces, else the lists of millions take gigabytes and hold up all other threads.
    ends: list[int] = []
    current = -1
    for part in chunks(len(order), _LIST_CHUNK):
        members = order[part]
        starts = start[members]
        spans = zip(
            starts.tolist(),
            (starts + duration[members]).tolist(),
            track[members].tolist(),
            strict=True,
        )
        open_ends: list[int] = []
        for begin, end, group in spans:
            if group != current:
                current, ends = group, []
            while ends and ends[-1] <= begin:
                ends.pop()
            row = (
                len(ends) if not ends or ends[-1] >= end else _first_free_row(ends, begin, end)
            )
            ends[row : row + 1] = [end]
            open_ends.append(row)
        depth[members] = open_ends


def _first_free_row(ends: list[int], begin: int, end: int) -> int:
    """The first free row below all that hold a span; `ends` is when each row is free.

    Looks at the last rows only, so that thousands of overlapping spans do not take for ever.
    """
    first = max(0, len(ends) - _MAX_SEARCHED_ROWS)
    holding = (row for row in range(len(ends) - 1, first - 1, -1) if ends[row] >= end)
    below = next(holding, first - 1) + 1
    return next((row for row in range(below, len(ends)) if ends[row] <= begin), len(ends))


class TraceBuilder:
    """Collects spans in any order; `trace` freezes them. Depth follows from the nesting."""

    def __init__(self) -> None:
        self._tracks: dict[Track, int] = {}
        self._names: dict[str, int] = {}
        self._rows: list[tuple[int, int, int, int, int, int, int, int]] = []
        self._counters: dict[tuple[str, str, str], list[tuple[int, float]]] = {}
        self._flows: list[tuple[int, int, int]] = []
        self._moments: list[InstantEvent] = []

    def track(self, track: Track) -> None:
        """Add a track now, which fixes its position even if it stays unused."""
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

    def flow(self, begin: int, end: int, kind: FlowKind) -> None:
        """Put down an arrow between two spans, by the numbers that `add` gave."""
        self._flows.append((begin, end, FLOW_KINDS.index(kind)))

    def count(
        self, name: str, time_ns: int, value: float, unit: str = "", process: str = ""
    ) -> None:
        """Put down the value of a counter from an instant on."""
        self._counters.setdefault((name, unit, process), []).append((time_ns, value))

    def moment(self, name: str, time_ns: int) -> None:
        """Put down an instant that is worth a line."""
        self._moments.append(InstantEvent(time_ns, name))

    @property
    def earliest_ns(self) -> int:
        """The start of the first span on the caller's clock; 0 without any."""
        return min((row[0] for row in self._rows), default=0)

    def trace(self, zero_ns: int | None = None) -> Trace:
        """Return what was collected; times count from `zero_ns`, by default the first start."""
        rows = np.asarray(self._rows, np.int64).reshape(-1, 8)
        start, duration, track = rows[:, 0], rows[:, 1], rows[:, 2]
        zero = self.earliest_ns if zero_ns is None else zero_ns
        keys = [key for key in COLUMNS if key != "depth"]
        columns: dict[str, Column] = dict(zip(keys, rows.T, strict=True))
        columns["depth"] = span_depths(start, duration, track)
        columns["start_ns"] = start - zero
        arrows = np.asarray(self._flows, np.int64).reshape(-1, 3)
        return from_columns(
            tuple(self._tracks),
            tuple(self._names),
            columns,
            [
                Counter(name, unit, *_counter_columns(values, zero), process)
                for (name, unit, process), values in self._counters.items()
            ],
            Flows(*arrows.T),
            [replace(one, time_ns=one.time_ns - zero) for one in self._moments],
        )


def with_spans(trace: Trace, more: Trace) -> Trace:
    """Return a trace with another one's spans added on new tracks; both use one clock."""
    tracks, names = len(trace.tracks), len(trace.names)
    shift = {"track": tracks, "name": names}
    columns = {
        key: np.concatenate(
            [
                getattr(trace, key).astype(np.int64),
                getattr(more, key) + np.int64(shift.get(key, 0)),
            ]
        )
        for key in COLUMNS
    }
    return from_columns(
        (*trace.tracks, *more.tracks),
        (*trace.names, *more.names),
        columns,
        trace.counters,
        trace.flows,
        trace.moments,
    )


def _counter_columns(
    values: list[tuple[int, float]], zero_ns: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    times = np.array([time for time, _ in values], np.int64) - zero_ns
    return times, np.array([value for _, value in values], np.float64)
