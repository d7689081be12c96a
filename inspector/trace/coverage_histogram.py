"""Coverage histogram: busy time of very many spans in even bins, for zoomed-out windows."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

FINE_BINS_PER_COLUMN = 2.0  # bins in a column, from which on they stand for the spans
_MIN_SHARED_BINS = 2_880  # bins, which are fine enough for a wide window
_WIDTH_BITS = 3  # of the width of bins, of which all others are 0
# bins in a coarse one, in a column, to have any
_COARSE_BINS = 4
_COARSE_BINS_PER_COLUMN = 4.0
_MIN_BINS_FOR_COARSE = 8_000
_MIN_SPANS = 5_800  # spans, below which all of them are looked at
# bins that a span is long, from which on it is stored separately; so many
_LONG_SPAN_BINS = 10
_MAX_LONG_SPANS = 64
Times = NDArray[np.int64]
Instants = NDArray[np.float64]
_NO_COUNTS = np.zeros(0, np.uint32)
_NO_TIMES = np.zeros(0, np.int64)


class LongSpans(Struct, frozen=True, eq=False):
    """The L longest of all spans, by start. places: where they are among all: int (L,).

    start_ns, duration_ns: int64 (L,); 0 for those that do not count.
    """

    places: NDArray[np.intp]
    start_ns: Times
    duration_ns: Times

    def busy_until(self, instants_ns: Instants) -> Instants:
        """Busy time before each instant, of these spans only."""
        if not len(self.places):
            return np.zeros(len(instants_ns))
        last = np.maximum(self.start_ns.searchsorted(instants_ns, "right") - 1, 0)
        before = np.cumsum(self.duration_ns) - self.duration_ns
        inside = np.minimum(instants_ns - self.start_ns[last], self.duration_ns[last])
        return np.asarray(before[last] + np.maximum(inside, 0), np.float64)

    def lay(self, some: range, edges_ns: Instants, shares: Instants) -> None:
        """Add the share of each column that some of these spans cover: float64 (W,)."""
        begin, wide = edges_ns.item(0), len(shares)
        per_ns, few = wide / (edges_ns.item(-1) - begin), slice(some.start, some.stop)
        starts, durations = self.start_ns[few].tolist(), self.duration_ns[few].tolist()
        for start_ns, duration_ns in zip(starts, durations, strict=True):
            start = (start_ns - begin) * per_ns
            end = min(start + duration_ns * per_ns, wide)
            start = max(start, 0.0)
            first, last = int(start), int(end)
            if start >= end:
                continue
            if first == last:
                shares[first] += end - start
                continue
            shares[first] += first + 1 - start
            shares[first + 1 : last] += 1
            if last < wide:
                shares[last] += end - last


class CoverageHistogram(Struct, frozen=True, eq=False):
    """B bins of equal width; `first` is the number of the first bin, counted from instant 0.

    busy: busy time before each, and in all, without the long spans, in units: uint32 (B + 1,).
    unit_ns: a small part of a bin. longest_ns: the longest span that they hold. long: those
    that they do not hold. whole_ns: when the first span begins, and the last one ends. coarse:
    fewer bins, which hold all.
    """

    first: int
    width_ns: int
    busy: NDArray[np.uint32]
    unit_ns: float
    longest_ns: int
    long: LongSpans
    whole_ns: tuple[int, int]
    coarse: "CoverageHistogram | None" = None

    @property
    def begin_ns(self) -> int:
        """The start of the first bin, in nanoseconds."""
        return self.first * self.width_ns

    def coverage(self, edges_ns: Instants) -> Instants:
        """Share of each column that is busy, 0 to 1: float64 (W,) for W + 1 edges.

        Exact at the bounds of bins; between them as if a bin were busy evenly, but for its
        long spans.
        """
        shares: Instants = coverage([self], edges_ns)[0]
        if len(self.long.places):
            shares += np.diff(self.long.busy_until(edges_ns)) / (edges_ns[1] - edges_ns[0])
        return shares

    def suit(self, step_ns: float) -> bool:
        """Return whether columns of this width can be computed from the bins."""
        return self.width_ns * FINE_BINS_PER_COLUMN <= step_ns

    def fit(self, step_ns: float, longest_ns: float) -> "CoverageHistogram":
        """Return this histogram, or its coarser one where that is fine enough.

        step_ns: width of a column; enough bins of the coarser one have to lie in it.
        longest_ns: a histogram with a span of this length or more is too coarse.
        """
        coarse = self.coarse
        if coarse is None or coarse.longest_ns >= longest_ns:
            return self
        return coarse if coarse.width_ns * _COARSE_BINS_PER_COLUMN <= step_ns else self

    def of_some(
        self, places: NDArray[np.intp], start_ns: Times, duration_ns: Times
    ) -> "CoverageHistogram":
        """Return the histogram of some of the spans, on the same grid.

        places: where they are among all, rising: int (N,).
        """
        at = np.minimum(places.searchsorted(self.long.places), len(places) - 1)
        is_there = places[at] == self.long.places
        remaining_ns = duration_ns.copy()
        remaining_ns[at[is_there]] = 0
        long = replace(self.long, duration_ns=self.long.duration_ns * is_there)
        bins = replace(self, longest_ns=int(remaining_ns.max()), long=long)
        return _with_busy_time(bins, start_ns, remaining_ns, int(duration_ns.max()))


def coverage(bins: Sequence[CoverageHistogram], edges_ns: Instants) -> Instants:
    """The coverage of each row of bins without their long spans: float64 (R, W).

    Bins of one width lie on one grid: the places of all edges are reckoned once for them. One
    row after the other: what it takes stays in the fastest cache.
    """
    shares = np.empty((len(bins), len(edges_ns) - 1))
    before, after_part = np.empty((2, len(edges_ns)))
    counts = np.empty(len(edges_ns), np.uint32)
    begin, end = edges_ns.item(0), edges_ns.item(-1)
    grids: dict[tuple[int, float], _ColumnGrid] = {}
    for each, line in zip(bins, shares, strict=True):
        key = each.width_ns, each.unit_ns
        grid = grids.get(key)
        if grid is None:
            grid = grids[key] = _column_grid(edges_ns, *key)
        skipped, busy, at, after = grid.first - each.first, each.busy, grid.at, grid.after
        if 0 <= skipped < len(busy):
            busy = busy[skipped:]
        else:
            at, after = at + skipped, after + skipped
        busy.take(at, out=counts, mode="clip")
        np.multiply(counts, grid.rest, out=before)
        busy.take(after, out=counts, mode="clip")
        np.multiply(counts, grid.part, out=after_part)
        before += after_part
        # Nothing is busy before the first span and after the last one. Other edges lie within
        # the outermost bins as within any, which are narrower than a column.
        if begin <= each.whole_ns[0]:
            before[0] = 0
        if end >= each.whole_ns[1]:
            before[-1] = busy.item(-1) * grid.scale
        np.subtract(before[1:], before[:-1], out=line)
    return shares


def build_histogram(
    start_ns: Times, duration_ns: Times, own_ns: Times
) -> CoverageHistogram | None:
    """Bins of spans by their start that never overlap; None for few, which need none.

    own_ns: the durations that count, 0 for those that do not: int64 (N,). Which grid the bins
    lie on, and which spans are long, is the same for any of them.
    """
    if len(start_ns) < _MIN_SPANS:
        return None
    whole_ns = begin, end = int(start_ns[0]), int(start_ns[-1] + duration_ns[-1])
    width = _bin_width_ns(end - begin, len(start_ns))
    long, short_ns = _split_long_spans(start_ns, duration_ns, own_ns, _LONG_SPAN_BINS * width)
    bins = CoverageHistogram(
        begin // width, width, _NO_COUNTS, 1.0, int(short_ns.max()), long, whole_ns
    )
    return _with_busy_time(bins, start_ns, short_ns, int(duration_ns.max()))


def _with_busy_time(
    bins: CoverageHistogram, start_ns: Times, selected_ns: Times, longest_ns: int
) -> CoverageHistogram:
    """Bins with the busy time of some spans, by start, and coarse ones with the longest."""
    first, width, long, whole_ns = bins.first, bins.width_ns, bins.long, bins.whole_ns
    count = whole_ns[1] // width - first + 1
    bin_ = start_ns // width - first
    started = np.cumsum(np.bincount(bin_, minlength=count)[:count])  # before each bin's end
    last = np.maximum(started - 1, 0)
    edges = np.arange(first, first + count + 1) * width
    reach = np.maximum(start_ns[last] + selected_ns[last] - edges[1:], 0)
    reach[: bin_[0]] = 0
    busy = np.append(0.0, np.append(0, np.cumsum(selected_ns))[started] - reach)
    coarse = None
    if count >= _MIN_BINS_FOR_COARSE:
        some = np.arange(-(first % _COARSE_BINS), count + _COARSE_BINS, _COARSE_BINS).clip(
            0, count
        )
        all_ = busy[some] + long.busy_until(edges[some])
        few = (
            first // _COARSE_BINS,
            width * _COARSE_BINS,
            *_quantize(all_, width * _COARSE_BINS),
            longest_ns,
        )
        coarse = CoverageHistogram(
            *few, LongSpans(long.places[:0], _NO_TIMES, _NO_TIMES), whole_ns
        )
    quantized, unit = _quantize(busy, width)
    return replace(bins, busy=quantized, unit_ns=unit, coarse=coarse)


def _quantize(busy_ns: Instants, width_ns: int) -> tuple[NDArray[np.uint32], float]:
    """Busy time before bins of one width, in units of it as small as fit, and the unit."""
    unit = width_ns / 2.0 ** (32 - len(busy_ns).bit_length())
    return np.rint(busy_ns / unit).astype(np.uint32), unit


class _ColumnGrid(Struct, frozen=True, eq=False):
    """Edges among bins of one width: how many lie before the first one, and of it before each.

    after: the next bin. part, rest: how far in its bin each edge is, and how far from the next
    one, 1 being so many units as make a column busy: float64 (W + 1,). scale: share of a
    column that a unit is.
    """

    first: int
    at: NDArray[np.intp]
    after: NDArray[np.intp]
    part: Instants
    rest: Instants
    scale: float


def _column_grid(edges_ns: Instants, width_ns: int, unit_ns: float) -> _ColumnGrid:
    scale = unit_ns / (edges_ns.item(1) - edges_ns.item(0))
    part = edges_ns / width_ns
    whole = np.floor(part)
    first = int(whole[0])
    part -= whole
    part *= scale
    whole -= first
    at = whole.astype(np.intp)
    return _ColumnGrid(first, at, at + 1, part, scale - part, scale)


def _bin_width_ns(whole_ns: int, spans: int) -> int:
    """Return the width of bins: a multiple of a power of two, so that rows share a grid.

    Nearly as many as there are spans, and never more: up to five bytes for each of them.
    """
    least = max(1, -(-whole_ns // (spans - 1)))
    unit = 1 << max(0, least.bit_length() - _WIDTH_BITS)
    shared = -(-least // unit) * unit
    return shared if whole_ns // shared >= _MIN_SHARED_BINS else least


def _split_long_spans(
    start_ns: Times, duration_ns: Times, own_ns: Times, least_ns: int
) -> tuple[LongSpans, Times]:
    """The longest of some spans, and the durations of the others, 0 for those."""
    places = np.flatnonzero(duration_ns >= least_ns)
    if len(places) > _MAX_LONG_SPANS:
        places = np.sort(
            places[np.argpartition(duration_ns[places], -_MAX_LONG_SPANS)[-_MAX_LONG_SPANS:]]
        )
    short_ns = own_ns.copy()
    short_ns[places] = 0
    return LongSpans(places, start_ns[places], own_ns[places]), short_ns
