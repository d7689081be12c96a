"""Visible spans: the spans to draw one by one in each row, and the coverage of the rest.

One row at a time would cost more for the asking than for the answer: rows are sorted by how
they are told, and those of one way are told together.
"""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from inspector.trace.coverage_histogram import CoverageHistogram, LongSpans, coverage
from inspector.trace.intervals import Intervals, PixelColumns, Shares
from inspector.trace.trace_rows import Row
from inspector.ui.timeline.model.column_coverage import Flags, Lines, Near, Places, near

_NO_PLACES = np.zeros(0, np.intp)
_MANY = 64  # spans for each column, from which an index is cheaper
_MANY_KINDS = 24  # the same where kinds are told apart
_NEAR = 8  # spans for each column, up to which each of them is looked at
_FEW = 8  # long spans, up to which each is laid alone
_SEEN = 1e-6  # coverage of a column below which it stays empty
_NONE = np.zeros(0, np.intp)  # indices of no span
_NOTHING = np.zeros(1)  # marks of a span without any


class DetailThresholds(Struct, frozen=True):
    """From how much time on spans are drawn one by one, in nanoseconds.

    wide: columns from which on spans are told from each other. drawn: those drawn one by one,
    with round corners; `labelled` where a row has more than `few` wide ones. apart: what stays
    empty at the end of those that are only told from each other.
    """

    wide: int  # in columns
    drawn: float
    labelled: float
    few: int
    apart: int


class _Edges(Struct, frozen=True, eq=False):
    """A strip at the edges of W columns. first, stop: which of its spans matter.

    last: the last span that has begun at each edge, from the first that matters, which it is
    for none as well: (W + 1,). inside: how far within it the edge lies: float64 (W + 1,).
    """

    strip: Intervals
    columns: PixelColumns
    first: int
    stop: int
    last: Places
    inside: Shares


def crowd(
    rows: Sequence[Row], columns: PixelColumns, least: DetailThresholds
) -> tuple[list[Places], Shares, Lines]:
    """The spans of each row to draw one by one, what others cover of columns, and copies.

    One row after the other: what it takes stays in the fastest cache.
    """
    drawn, copied = list[Places](), Lines()
    shares = np.empty((len(rows), len(columns.edges_ns) - 1))
    for n, row in enumerate(rows):
        edges = _edges(row.strip, columns)
        alone, dense = _wide(edges, least)
        drawn.append(alone)
        _cover(edges, row.strip, shares[n], alone, dense, least.apart)
        if row.copies is not None:
            copied[n] = np.empty_like(shares[n])
            _cover(edges, row.copies, copied[n])
    return drawn, shares, copied


def covered(
    strips: Sequence[Intervals], without: Sequence[Places], columns: PixelColumns
) -> Shares:
    """Return the coverage of each column without some spans: float64 (R, W)."""
    shares = np.empty((len(strips), len(columns.edges_ns) - 1))
    for strip, removed, line in zip(strips, without, shares, strict=True):
        _cover(_edges(strip, columns), strip, line, removed)
    return shares


def _edges(strip: Intervals, columns: PixelColumns) -> _Edges:
    """Look up, for each edge between columns of pixels, the last span that began before it."""
    whole = columns.whole_ns
    first, stop = strip.start_ns.searchsorted(whole[[0, -1]], "right").tolist()
    first = max(0, first - 1)
    start = strip.start_ns[first:stop]
    last = start.searchsorted(whole, "right")
    last -= 1
    np.maximum(last, 0, out=last)
    inside: Shares = columns.edges_ns - start.take(last, mode="clip")
    return _Edges(strip, columns, first, stop, last, np.maximum(inside, 0, out=inside))


def _wide(edges: _Edges, least: DetailThresholds) -> tuple[Places, Places]:
    """Return spans to draw one by one, and those that are only separated, by place.

    A wide span holds one of the edges that lie so far apart, or the last one.
    """
    marks, last = edges.columns.edges_ns, edges.last
    some = np.append(last[:: max(1, least.wide)], last[-1:])
    fresh = np.append(True, some[1:] != some[:-1])
    candidates = some[fresh] + edges.first
    lasts = edges.strip.duration_ns[candidates]
    step = (marks.item(-1) - marks.item(0)) / (len(marks) - 1)
    is_wide = lasts >= least.wide * step
    if not is_wide.any():
        return _NO_PLACES, _NO_PLACES
    candidates, lasts = candidates[is_wide], lasts[is_wide]
    start = edges.strip.start_ns[candidates]
    visible = (start < marks[-1]) & (start + lasts > marks[0])
    candidates, lasts = candidates[visible], lasts[visible]
    alone = lasts >= (least.labelled if len(candidates) > least.few else least.drawn)
    return candidates[alone], candidates[~alone]


def _cover(
    edges: _Edges,
    strip: Intervals,
    shares: Shares,
    without: Places = _NO_PLACES,
    shorter: Places = _NO_PLACES,
    offset: int = 0,
) -> None:
    """Share of each column that is busy, into float64 (W,).

    strip: the same spans as at the edges. without: do not count. shorter: count for so many
    nanoseconds less.
    """
    last, columns = edges.last, len(edges.last)
    many = _MANY if strip.kinds is None else _MANY_KINDS
    if edges.stop - edges.first > many * columns and not len(without) and not len(shorter):
        spans = last + edges.first
        length, busy = strip.lengths(spans), strip.before(spans)
    else:
        own = _durations(strip, slice(edges.first, edges.stop), without, shorter, offset)
        length = own.take(last, mode="clip")
        busy = np.cumsum(own).take(last, mode="clip")
        busy -= length
    inside = np.minimum(edges.inside, length)
    inside += busy
    np.subtract(inside[1:], inside[:-1], out=shares)
    shares /= edges.columns.edges_ns[1] - edges.columns.edges_ns[0]


def _durations(
    strip: Intervals, some: slice, without: Places, shorter: Places, offset: int
) -> NDArray[np.int64]:
    """Return how long some spans of a strip count, one after the other."""
    own = strip.duration_ns[some]
    if strip.kinds is not None:
        own = own * (strip.kinds[some] == strip.kind)
    if len(without) or len(shorter):
        own = own.copy()
        own[without - some.start] = 0
        own[shorter - some.start] -= offset
    return own


Value = TypeVar("Value", bound=np.generic)


class Hits(Struct, frozen=True, eq=False):
    """The matches of a search. strips: those of each row, in bins like those of the row.

    mask: bool (N,), of all spans.
    """

    strips: Sequence[Intervals]
    mask: Flags


class VisibleRow(Struct, frozen=True, eq=False):
    """One row: places of the spans drawn one by one, and the others as shares of columns.

    places: int (M,), rising. shares: float64 (W,) or None for nothing. copies: columns that
    are copies for the most part: bool (W,), None where there are none to tell. matches: as
    shares, of what was searched for.
    """

    places: Places
    shares: Shares | None
    copies: Flags | None = None
    matches: Shares | None = None


class _Made(Struct, eq=False):
    """The result so far, row by row, in the form of VisibleRow.

    copied: how much of each column copies cover.
    """

    drawn: list[Places]
    shares: Lines = field(default_factory=dict)
    copied: Lines = field(default_factory=dict)
    matches: Lines = field(default_factory=dict)


class _Some(Struct, frozen=True):
    """Some of many rows, with the spans that matter in each."""

    some: list[int] = field(default_factory=list)
    strips: list[Intervals | LongSpans] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    count: list[int] = field(default_factory=list)

    def add(self, n: int, strip: Intervals | LongSpans, low: int, high: int) -> None:
        self.some.append(n)
        self.strips.append(strip)
        self.first.append(low)
        self.count.append(high - low)

    def part(self, n: int, of_all: NDArray[Value], begin: int = 0) -> NDArray[Value]:
        """Return the values of the n-th row, out of those of all spans."""
        strip, first = self.strips[n], self.first[n]
        some = slice(first, first + self.count[n])
        if isinstance(strip, LongSpans):
            return of_all[strip.places[some] + begin]
        return of_all[begin + some.start : begin + some.stop]


class _Far(Struct, frozen=True):
    """The n-th row, drawn from bins. few: long spans to be drawn on top of them."""

    n: int
    is_coarse: bool
    few: range


def visible_rows(
    rows: Sequence[Row],
    columns: PixelColumns,
    least: DetailThresholds,
    hits: Hits | None = None,
) -> list[VisibleRow]:
    """Return for each row the spans to draw one by one, and the coverage of the others.

    Spans without length cover the whole of their column, to be seen at all. hits: what was
    searched for in these rows.
    """
    if not rows:
        return []
    one_by_one, far, rest = _sorted(rows, columns, least.wide, hits)
    output = _Made([_NONE] * len(rows))
    if far:
        _show_binned(far, rows, columns, hits, output)
    if one_by_one.some:
        _show_spans(
            one_by_one, [rows[n] for n in one_by_one.some], columns, least, hits, output
        )
    if rest:
        _show_dense(rest, [rows[n] for n in rest], columns, least, output)
        if hits is not None:
            _show_hits(rest, rows, columns, hits, output)
    for n, row in enumerate(rows):
        if len(row.marks_ns):
            marks = row.marked(columns.edges_ns)
            output.shares[n] = np.maximum(output.shares.get(n, _NOTHING), marks)
    return [
        VisibleRow(
            places,
            line := output.shares.get(n),
            None if line is None or n not in output.copied else output.copied[n] > line / 2,
            output.matches.get(n),
        )
        for n, places in enumerate(output.drawn)
    ]


def cover(
    strips: Sequence[Intervals], without: Sequence[Places], columns: PixelColumns
) -> list[Shares | None]:
    """Return how much of each column each strip covers without some spans; None for nothing."""
    some, rest, lines = _Some(), list[int](), Lines()
    ends, most = columns.whole_ns[[0, -1]], _NEAR * len(columns.whole_ns)
    for n, strip in enumerate(strips):
        low, high = _between(strip, ends)
        if high - low > most:
            rest.append(n)
        elif high > low:
            some.add(n, strip, low, high)
    if some.some:
        nearby = near(some.strips, some.first, some.count, columns)
        for at, n in enumerate(some.some):
            removed = without[n] - some.first[at] + nearby.stops[at]
            nearby.end[removed] = nearby.begin[removed]
        _add(nearby.laid(range(len(some.some))), some, lines)
    if rest:
        shares = covered([strips[n] for n in rest], [without[n] for n in rest], columns)
        lines |= dict(zip(rest, shares, strict=True))
    return [line if (line := lines.get(n)) is not None and line.max() > _SEEN else None
            for n in range(len(strips))]  # fmt: skip


def _between(strip: Intervals | LongSpans, ends: Places) -> tuple[int, int]:
    """Return the range of a row's spans that matter between two instants: first and stop."""
    low, high = strip.start_ns.searchsorted(ends, "right").tolist()
    return max(0, low - 1), high


def _sorted(
    rows: Sequence[Row], columns: PixelColumns, wide: int, hits: Hits | None
) -> tuple[_Some, list[_Far], list[int]]:
    """Return rows to examine span by span, rows to draw from bins, and rows by columns.

    wide: columns from which on a span is drawn by itself, which bins know nothing of: of those
    told by bins the long spans are looked at, unless coarse ones will do, which hold all.
    """
    ends, most = columns.whole_ns[[0, -1]], _NEAR * len(columns.whole_ns)
    step = float(columns.edges_ns[1] - columns.edges_ns[0])
    one_by_one, far, rest = _Some(), list[_Far](), list[int]()
    for n, row in enumerate(rows):
        strip, bins = row.strip, row.strip.bins
        is_far = bins is not None and bins.longest_ns < wide * step and bins.suit(step)
        if bins is not None and is_far and (hits is None or _has_bins(hits.strips[n])):
            fit = bins.fit(step, wide * step)
            low, high = _between(fit.long, ends) if len(fit.long.places) else (0, 0)
            lasts = fit.long.duration_ns[low:high]
            is_few = high - low <= _FEW and (low == high or int(lasts.max()) < wide * step)
            far.append(_Far(n, fit is not bins, range(low, high) if is_few else range(0)))
            if not is_few:
                one_by_one.add(n, fit.long, low, high)
            continue
        low, high = _between(strip, ends)
        if high - low > most:
            rest.append(n)
        elif high > low:
            one_by_one.add(n, strip, low, high)
    return one_by_one, far, rest


def _has_bins(intervals: Intervals) -> bool:
    """Return whether bins hold all matches of a row."""
    return intervals.bins is not None or not len(intervals.start_ns)


def _show_binned(
    far: Sequence[_Far],
    rows: Sequence[Row],
    columns: PixelColumns,
    hits: Hits | None,
    output: _Made,
) -> None:
    """Add the coverage of rows, of their copies and of matches, from their bins."""
    histograms, into = list[CoverageHistogram](), list[tuple[Lines, _Far]]()
    for one in far:
        n, row = one.n, rows[one.n]
        some = [(row.strip, output.shares), (row.copies, output.copied)]
        if hits is not None:
            some.append((hits.strips[n], output.matches))
        for strip, lines in some:
            bins = None if strip is None else strip.bins
            if bins is not None:
                histograms.append(bins.coarse or bins if one.is_coarse else bins)
                into.append((lines, one))
    shares = coverage(histograms, columns.edges_ns)
    for (_, one), each, line in zip(into, histograms, shares, strict=True):
        if one.few:
            each.long.lay(one.few, columns.edges_ns, line)
    is_visible = (shares.max(axis=1) > _SEEN).tolist()
    for (lines, one), line, visible in zip(into, shares, is_visible, strict=True):
        if visible or lines is output.copied:
            lines[one.n] = line


def _show_spans(
    some: _Some,
    rows: Sequence[Row],
    columns: PixelColumns,
    least: DetailThresholds,
    hits: Hits | None,
    output: _Made,
) -> None:
    """Add rows of few spans, or the long spans of rows, with the matches."""
    nearby = near(some.strips, some.first, some.count, columns)
    step = float(columns.edges_ns[1] - columns.edges_ns[0])
    (alone, row), dense = _alone(nearby, least, step)
    for n, at in nearby.apart(alone, row).items():
        strip = some.strips[n]
        output.drawn[some.some[n]] = strip.places[at] if isinstance(strip, LongSpans) else at
    if hits is not None:
        remaining = np.concatenate(
            [some.part(n, hits.mask, one.first) for n, one in enumerate(rows)]
        )
        remaining[alone] = False
        _add(nearby.of(np.flatnonzero(remaining)), some, output.matches)
    nearby.shorten(*dense, least.apart / step)
    others = np.array(some.count) - np.bincount(row, minlength=len(rows))
    left = np.flatnonzero(others).tolist()  # rows that are more than single spans
    copied = [n for n in left if rows[n].copies is not None]
    if copied:
        _add(nearby.of(_copies(some, rows, copied, nearby.stops)), some, output.copied)
        output.copied |= {
            m: _NOTHING for n in copied if (m := some.some[n]) not in output.copied
        }
    nearby.end[alone] = nearby.begin[alone]
    if left:
        _add(nearby.laid(left), some, output.shares)


def _alone(
    nearby: Near, least: DetailThresholds, step: float
) -> tuple[tuple[Places, Places], tuple[Places, Places]]:
    """Return spans to draw one by one, and those that are only separated, with their rows."""
    wide, row = nearby.wide(least.wide)
    many = np.bincount(row, minlength=nearby.shape[0]) > least.few
    alone = nearby.lasts[wide] * step >= np.where(many, least.labelled, least.drawn)[row]
    return (wide[alone], row[alone]), (wide[~alone], row[~alone])


def _add(lines: Lines, some: _Some, output: Lines) -> None:
    """Add what some rows of a few cover to what was made of them, if anything was."""
    for n, line in lines.items():
        if (row := some.some[n]) in output:
            output[row] += line
        else:
            output[row] = line


def _copies(some: _Some, rows: Sequence[Row], copied: Sequence[int], stops: Places) -> Places:
    """Return which of all spans of some rows are copies, in some of the rows."""
    copies = []
    for n in copied:
        strip, begin = rows[n].copies, int(stops[n])
        if strip is None or strip.kinds is None:  # all of them
            copies.append(np.arange(begin, begin + some.count[n]))
        else:
            copies.append(np.flatnonzero(some.part(n, strip.kinds) == strip.kind) + begin)
    return np.concatenate(copies)


def _show_dense(
    some: Sequence[int],
    rows: Sequence[Row],
    columns: PixelColumns,
    least: DetailThresholds,
    output: _Made,
) -> None:
    """Add rows of many spans."""
    drawn, shares, copied = crowd(rows, columns, least)
    output.shares |= dict(zip(some, shares, strict=True))
    output.copied |= {some[n]: line for n, line in copied.items()}
    for n, places in zip(some, drawn, strict=True):
        output.drawn[n] = places


def _show_hits(
    some: Sequence[int], rows: Sequence[Row], columns: PixelColumns, hits: Hits, output: _Made
) -> None:
    """Add the coverage of matches that are not drawn one by one."""
    without = []
    for n in some:
        places, strip = output.drawn[n], rows[n].strip
        starts = strip.start_ns[places[hits.mask[places + rows[n].first]]]
        without.append(hits.strips[n].start_ns.searchsorted(starts, "right") - 1)
    shares = cover([hits.strips[n] for n in some], without, columns)
    output.matches |= {
        n: line for n, line in zip(some, shares, strict=True) if line is not None
    }
