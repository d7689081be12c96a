"""Level of detail: the rows of a trace, and what they show at a zoom."""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from inspector.trace.coverage_histogram import build_histogram
from inspector.trace.grouping import factorize, group_bounds
from inspector.trace.intervals import BLOCK_SPANS, Intervals, Shares, Times
from inspector.trace.trace import KINDS, IntArray, Kind, Trace

_PARTITION = KINDS.index(Kind.PARTITION)
_KERNEL = KINDS.index(Kind.KERNEL)
_COPY = KINDS.index(Kind.COPY)


class Row(Struct, frozen=True, eq=False):
    """The spans of one track and depth: `first` to `last` (excluded) of the trace.

    kinds: the same spans apart by what they are, each with its index into KINDS. copies: those
    that are copies; None for none.
    marks_ns: when the spans without length are, which cover nothing: int64 (M,).
    """

    track: int
    depth: int
    first: int
    last: int
    strip: Intervals
    kinds: tuple[tuple[int, Intervals], ...]
    marks_ns: Times
    copies: Intervals | None = None

    @property
    def partitions(self) -> bool:
        """Whether all spans are partitions, which frame the kernels below them."""
        return all(kind == _PARTITION for kind, _ in self.kinds)

    def dominant(self, edges_ns: Shares) -> NDArray[np.intp]:
        """Kind that takes most of each column, an index into KINDS; -1 for none: (W,)."""
        shares = np.stack([strip.coverage(edges_ns) for _, strip in self.kinds])
        kinds = np.array([kind for kind, _ in self.kinds])
        return np.where(shares.any(axis=0), kinds[shares.argmax(axis=0)], -1)

    def marked(self, edges_ns: Shares) -> NDArray[np.bool_]:
        """Columns that hold a span without length: bool (W,) for W + 1 edges."""
        places = np.searchsorted(self.marks_ns, edges_ns)
        return np.diff(places) > 0

    def wide(self, begin_ns: float, end_ns: float, least_ns: float) -> Times:
        """Spans of a window that last at least so long; index into the trace: int64 (M,).

        Such a span contains one of the instants that lie `least_ns` apart.
        """
        strip = self.strip
        instants = np.arange(begin_ns, end_ns + 2 * least_ns, least_ns)
        spans = np.unique(strip.last_started(instants))
        spans = spans[spans >= 0]
        start, duration = strip.start_ns[spans], strip.duration_ns[spans]
        is_wide = (duration >= least_ns) & (start < end_ns) & (start + duration > begin_ns)
        return spans[is_wide].astype(np.int64) + self.first

    def longest(self, begin_ns: float, end_ns: float) -> int | None:
        """The span that takes most of a window, as an index into the trace; None for none."""
        strip = self.strip
        low = max(0, int(strip.last_started(np.array([begin_ns]))[0]))
        high = int(np.searchsorted(strip.start_ns, int(np.ceil(end_ns))))
        start = strip.start_ns[low:high]
        end = start + strip.duration_ns[low:high]
        inside = np.minimum(end, end_ns) - np.maximum(start, begin_ns)
        inside[(end <= begin_ns) & (start < begin_ns)] = -1
        best = int(inside.argmax()) if len(inside) else 0
        return self.first + low + best if len(inside) and inside[best] >= 0 else None


class LevelOfDetail(Struct, frozen=True, eq=False):
    """A trace with what its views ask again and again.

    rows: by track and depth. work: for each track, when anything ran on it, as a strip without
    touching spans; partitions only frame work and are not counted.
    """

    trace: Trace
    rows: tuple[Row, ...]
    work: tuple[Intervals, ...]

    def count(self, begin_ns: float, end_ns: float) -> int:
        """Spans that lie at least partly within a window."""
        # All rows by one rule: this runs for each frame.
        ends, count = np.array([math.floor(begin_ns), math.ceil(end_ns) - 1]), 0
        for row in self.rows:
            start, duration = row.strip.start_ns, row.strip.duration_ns
            low, high = start.searchsorted(ends, "right").tolist()
            if high > low:
                count += high - low
            if low and start.item(low - 1) + duration.item(low - 1) > begin_ns:
                count += 1
        return count

    def row_of(self, span: int) -> Row:
        """The row that holds a span of the trace."""
        return next(row for row in self.rows if row.first <= span < row.last)

    def span_of(self, layer: int, begin_ns: float, end_ns: float) -> int | None:
        """The longest span of a layer: of those within the window, else of those that reach
        into it, else of all; None without any. A window that frames one run also shows the
        edges of its neighbors."""
        trace = self.trace
        spans = np.flatnonzero(trace.layer == layer)
        start = trace.start_ns[spans]
        end = start + trace.duration_ns[spans]
        within = spans[(start >= begin_ns) & (end <= end_ns)]
        reaching = spans[(start < end_ns) & (end > begin_ns)]
        among = next(filter(len, (within, reaching)), spans)
        return int(among[trace.duration_ns[among].argmax()]) if len(among) else None


def build_level_of_detail(
    trace: Trace, report_progress: Callable[[float], None] = lambda _: None
) -> LevelOfDetail:
    """Prepare a trace for looking at; one pass over its columns.

    report_progress: is called with the share that is done, in the thread that this runs in.
    """
    starts_row = (np.diff(trace.track) != 0) | (np.diff(trace.depth) != 0)
    edges = [0, *(np.flatnonzero(starts_row) + 1).tolist(), len(trace)] if len(trace) else []
    rows = []
    for first, last in pairwise(edges):
        rows.append(_build_row(trace, first, last))
        report_progress(0.8 * last / len(trace))
    rows_of_track: list[list[Row]] = [[] for _ in trace.tracks]
    for row in rows:
        rows_of_track[row.track].append(row)
    work = []
    for own in rows_of_track:
        work.append(_union(trace, own))
        report_progress(0.8 + 0.2 * len(work) / len(rows_of_track))
    return LevelOfDetail(trace, tuple(rows), tuple(work))


def prediction_intervals(trace: Trace) -> Times:
    """Begin and end of each prediction in the trace: int64 (R, 2)."""
    spans = np.flatnonzero(trace.run >= 0)
    runs, _, place = factorize(trace.run[spans])
    start = trace.start_ns[spans]
    return np.stack(
        group_bounds(start, start + trace.duration_ns[spans], place, len(runs)), axis=1
    )


def median_prediction(trace: Trace) -> tuple[int, int]:
    """Begin and end of the prediction of middle length; of the whole when there is none.

    Where only some have kernels, one of these.
    """
    kernels = trace.kind == _KERNEL
    has_kernels = np.isin(trace.run, factorize(trace.run[kernels & (trace.run >= 0)])[0])
    intervals = prediction_intervals(
        trace.select(np.flatnonzero(has_kernels)) if has_kernels.any() else trace
    )
    if not len(intervals):
        return extent(trace)
    order = np.argsort(intervals[:, 1] - intervals[:, 0], kind="stable")
    begin, end = intervals[order[(len(order) - 1) // 2]]
    return int(begin), int(end)


def extent(trace: Trace) -> tuple[int, int]:
    """Begin of the first span and end of the last, in nanoseconds; at least 1 ns apart."""
    begin = int(trace.start_ns.min()) if len(trace) else 0
    return begin, max(trace.end_ns, begin + 1)


def _build_row(trace: Trace, first: int, last: int) -> Row:
    members = slice(first, last)
    start, duration, kind = (
        trace.start_ns[members],
        trace.duration_ns[members],
        trace.kind[members],
    )
    strip = replace(
        _intervals(start, duration), bins=build_histogram(start, duration, duration)
    )
    present = np.flatnonzero(np.bincount(kind, minlength=len(KINDS))).tolist()
    apart = [
        strip if len(present) == 1 else _intervals_of_kind(start, duration, kind, k)
        for k in present
    ]
    kinds = tuple(zip(present, apart, strict=True))
    marks, copies = start[duration == 0], dict(kinds).get(_COPY)
    track, depth = int(trace.track[first]), int(trace.depth[first])
    return Row(track, depth, first, last, strip, kinds, marks, copies)


def _intervals(start: Times, duration: Times) -> Intervals:
    return Intervals(start, duration, _busy_before_blocks(duration))


def _intervals_of_kind(start: Times, duration: Times, kinds: IntArray, kind: int) -> Intervals:
    own = np.where(kinds == kind, duration, 0)
    bins = (
        build_histogram(start, duration, own) if kind == _COPY else None
    )  # hatched from afar as well
    return Intervals(start, duration, _busy_before_blocks(own), kinds, kind, bins)


def _busy_before_blocks(duration: Times) -> Times:
    """Sum of all durations before each block."""
    if not len(duration):
        return np.zeros(0, np.int64)
    sums = np.add.reduceat(duration, np.arange(0, len(duration), BLOCK_SPANS))
    return np.cumsum(sums) - sums


def _union(trace: Trace, rows: Sequence[Row]) -> Intervals:
    """The union of the spans of a track that are no partitions."""
    if rows and _outermost_cover_all(rows):
        return rows[0].strip
    members = slice(rows[0].first, rows[-1].last) if rows else slice(0, 0)
    works = trace.kind[members] != _PARTITION
    start = trace.start_ns[members][works]
    order = np.argsort(start, kind="stable")
    reach = np.maximum.accumulate((start + trace.duration_ns[members][works])[order])
    start = start[order]
    opens = np.flatnonzero(np.append(True, start[1:] > reach[:-1])[: len(start)])
    closes = np.append(opens[1:], len(start))[: len(opens)] - 1
    return _intervals(start[opens], reach[closes] - start[opens])


def _outermost_cover_all(rows: Sequence[Row]) -> bool:
    """Return whether the outermost spans of a track hold all others, which then add nothing."""
    outer = rows[0]
    if any(kind == _PARTITION for kind, _ in outer.kinds):
        return False
    start, ends = outer.strip.start_ns, outer.strip.start_ns + outer.strip.duration_ns
    for row in rows[1:]:
        begins = row.strip.start_ns
        holder = np.searchsorted(start, begins, "right") - 1
        if (holder < 0).any() or (ends[holder] < begins + row.strip.duration_ns).any():
            return False
    return True
