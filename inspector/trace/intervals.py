"""Intervals: spans of a row that never overlap, and their coverage of pixel columns.

Cost follows the pixels, not the spans: busy time up to an instant is a prefix sum and one
binary search, and coverage of a pixel column is the difference of two of them.
"""

import math
from functools import cached_property, lru_cache

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector.platform.data_struct import DataStruct
from inspector.trace.coverage_histogram import CoverageHistogram
from inspector.trace.trace import IntArray

Times = NDArray[np.int64]
Shares = NDArray[np.float64]
BLOCK_SPANS = 8  # spans between two entries of the index: a byte for each span
_BLOCK_SHIFT = BLOCK_SPANS.bit_length() - 1
# Which spans of a block lie before each of them.
_EARLIER_IN_BLOCK = np.tri(BLOCK_SPANS, BLOCK_SPANS, -1, np.int64)


def edges(begin_ns: float, end_ns: float, columns: int) -> Shares:
    """Return where the columns of a window begin and end: float64 (columns + 1,)."""
    columns_ns = _column_numbers(columns + 1) * ((end_ns - begin_ns) / columns)
    columns_ns += begin_ns
    columns_ns[-1] = end_ns
    return columns_ns


@lru_cache(maxsize=8)
def _column_numbers(columns: int) -> Shares:
    """Return the numbers 0 to N - 1, cached from frame to frame."""
    return np.arange(columns, dtype=np.float64)


class Intervals(Struct, frozen=True, eq=False):
    """N spans that never overlap, by start; of one kind only where `kind` says so.

    start_ns, duration_ns: int64 (N,). before_ns: the busy time before each span, or before
    each block of BLOCK of them, counted from anywhere: only differences matter.
    kinds: of each span; those of others than `kind` count as gaps. bins: of very many spans.
    """

    start_ns: Times
    duration_ns: Times
    before_ns: Times
    kinds: IntArray | None = None
    kind: int = -1
    bins: CoverageHistogram | None = None

    def busy_until(self, instants_ns: Shares) -> Shares:
        """Busy time before each instant, in nanoseconds: float64 (W,)."""
        if not len(self.start_ns):
            return np.zeros(len(instants_ns))
        last = np.maximum(self.last_started(instants_ns), 0)
        part = np.clip(instants_ns - self.start_ns[last], 0, self.lengths(last))
        return self.before(last) + part

    def lengths(self, spans: NDArray[np.intp]) -> Times:
        """Duration of some spans; 0 of another kind."""
        lengths = self.duration_ns[spans]
        return lengths if self.kinds is None else lengths * (self.kinds[spans] == self.kind)

    def before(self, spans: NDArray[np.intp]) -> Times:
        """Busy time before each of some spans."""
        count = len(self.start_ns)
        if len(self.before_ns) == count and self.kinds is None:
            return self.before_ns[spans]
        block, whole = spans >> _BLOCK_SHIFT, count // BLOCK_SPANS * BLOCK_SPANS
        inside = np.zeros(len(spans), np.int64)
        if whole:  # full blocks are contiguous: each is copied in one go
            near = self.duration_ns[:whole].reshape(-1, BLOCK_SPANS).take(block, 0, mode="clip")
            if self.kinds is not None:
                kinds = self.kinds[:whole].reshape(-1, BLOCK_SPANS).take(block, 0, mode="clip")
                near *= kinds == self.kind
            np.einsum(
                "ij,ij->i",
                near,
                _EARLIER_IN_BLOCK.take(spans & (BLOCK_SPANS - 1), 0),
                out=inside,
            )
        short = np.flatnonzero(spans >= whole)  # in the last block, which is a short one
        if len(short):
            left = self.lengths(np.arange(whole, count))
            inside[short] = (np.cumsum(left) - left)[spans[short] - whole]
        inside += self.before_ns[block]
        return inside

    def busy_ns(self, begin_ns: float, end_ns: float) -> float:
        """Busy time within a window, in nanoseconds."""
        ends = math.floor(begin_ns), math.floor(end_ns)
        first, last = self.start_ns.searchsorted(ends, "right").tolist()
        return self._busy(end_ns, last - 1) - self._busy(begin_ns, first - 1)

    def _busy(self, instant_ns: float, place: int) -> float:
        """Busy time before an instant in a span or after it, which needs no arrays."""
        start, long_ns = self.start_ns, self.duration_ns
        if place < 0:
            return float(self.before_ns[0]) if len(start) else 0.0
        is_kind = self.kinds is None or self.kinds[place] == self.kind
        part = min(instant_ns - start.item(place), long_ns.item(place)) if is_kind else 0
        if len(self.before_ns) == len(start) and self.kinds is None:
            return self.before_ns.item(place) + part
        some = slice(place >> _BLOCK_SHIFT << _BLOCK_SHIFT, place)
        near = long_ns[some]
        if self.kinds is not None:
            near = near[self.kinds[some] == self.kind]
        # Of so few a sum of numpy's would take four times as long.
        return float(self.before_ns.item(place >> _BLOCK_SHIFT) + sum(near.tolist()) + part)

    def coverage(self, edges_ns: Shares) -> Shares:
        """Share of each column that is busy, 0 to 1: float64 (W,) for W + 1 edges."""
        return np.diff(self.busy_until(edges_ns)) / np.diff(edges_ns)

    def fast_coverage(self, edges_ns: Shares) -> Shares:
        """Return the coverage of columns, from bins where they are fine enough."""
        if self.bins is not None and self.bins.suit(float(edges_ns[1] - edges_ns[0])):
            return self.bins.coverage(edges_ns)
        return self.coverage(edges_ns)

    def count(self, begin_ns: float, end_ns: float) -> int:
        """Spans that lie at least partly within a window."""
        if not len(self.start_ns):
            return 0
        first = int(self.start_ns.searchsorted(math.floor(begin_ns), "right")) - 1
        last = int(self.start_ns.searchsorted(math.ceil(end_ns)))
        reaches_in = first >= 0 and self.start_ns[first] + self.duration_ns[first] > begin_ns
        some = slice(first + (not reaches_in), max(first + 1, last))
        if self.kinds is not None:
            return int(np.count_nonzero(self.kinds[some] == self.kind))
        return some.stop - some.start

    def last_started(self, instants_ns: Shares) -> NDArray[np.intp]:
        """Place of the last span that has begun at each instant; -1 before the first."""
        whole = np.floor(instants_ns).astype(np.int64)  # a float would copy the whole column
        return np.searchsorted(self.start_ns, whole, "right") - 1


class PixelColumns(Struct, frozen=True, eq=False):
    """The edges of W columns: float64 (W + 1,), and rounded down: int64 (W + 1,)."""

    edges_ns: Shares
    whole_ns: Times


@lru_cache(maxsize=8)
def pixel_columns(begin_ns: float, end_ns: float, columns: int) -> PixelColumns:
    """Return the cached columns of a window; all rows share them, and they are read-only."""
    column_edges = edges(begin_ns, end_ns, columns)
    return PixelColumns(column_edges, np.floor(column_edges).astype(np.int64))


class ColumnView(DataStruct, frozen=True, eq=False, dict=True, weakref=True):
    """The spans of a row searched once for the columns of a window."""

    strip: Intervals
    columns: PixelColumns

    @cached_property
    def last(self) -> NDArray[np.intp]:
        """The last span that has begun at each edge; -1 before the first: (W + 1,)."""
        last_started: NDArray[np.intp]
        last_started = np.searchsorted(self.strip.start_ns, self.columns.whole_ns, "right") - 1
        return last_started

    @property
    def count(self) -> int:
        """Return how many spans lie at least partly in the columns; one too many at times."""
        start, first = self.strip.start_ns, int(self.last[0])
        if first < 0:
            return int(self.last[-1]) + 1
        ends = start[first] + self.strip.duration_ns[first]
        return int(self.last[-1]) - first + int(ends > self.columns.edges_ns[0])

    def wide(self, columns: int) -> NDArray[np.intp]:
        """Return the positions of spans that last at least so many columns: (M,).

        Such a span holds one of the edges that lie so far apart, or the last one.
        """
        some = np.append(self.last[:: max(1, columns)], self.last[-1])
        candidates = some[np.append(True, some[1:] != some[:-1])]
        candidates = candidates[candidates >= 0]
        marks = self.columns.edges_ns
        least = columns * (marks[-1] - marks[0]) / (len(marks) - 1)
        start, duration = self.strip.start_ns[candidates], self.strip.duration_ns[candidates]
        visible = (duration >= least) & (start < marks[-1]) & (start + duration > marks[0])
        wide: NDArray[np.intp] = candidates[visible]
        return wide

    def coverage(
        self, without: NDArray[np.intp] | None = None, of: Intervals | None = None
    ) -> Shares:
        """Share of each column that is busy, 0 to 1: float64 (W,).

        without: spans that do not count, by their place, rising. of: the same spans, of which
        those of one kind count.
        """
        strip = of or self.strip
        if not len(strip.start_ns):
            return np.zeros(len(self.columns.edges_ns) - 1)
        spans, group = np.maximum(self.last, 0), None
        starts_group = np.append(True, spans[1:] != spans[:-1])
        if 4 * np.count_nonzero(starts_group) < len(spans):  # far inside a few spans
            group = np.cumsum(starts_group) - 1
            spans = spans[starts_group]
        start, length, before = strip.start_ns[spans], strip.lengths(spans), strip.before(spans)
        if without is not None and len(without):
            removed_ns = np.concatenate(([0], np.cumsum(strip.lengths(without))))
            place = np.searchsorted(without, spans)
            before = before - removed_ns[place]
            is_one = without[np.minimum(place, len(without) - 1)] == spans
            length = np.where(is_one, 0, length)
        if group is not None:
            start, length, before = start[group], length[group], before[group]
        marks = self.columns.edges_ns
        busy = before + np.clip(marks - start, 0, length)
        shares: Shares = np.diff(busy) / (marks[1] - marks[0])
        return shares
