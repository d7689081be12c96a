"""What of all rows of a picture shows in its columns, asked for all of them at once.

One row at a time would cost more for the asking than for the answer: rows are sorted by how
they are told, and those of one way are told together.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from inspector.trace.coverage_histogram import CoverageHistogram, LongSpans, coverage
from inspector.trace.intervals import Intervals, PixelColumns, Shares
from inspector.trace.trace_rows import Row
from inspector.ui.timeline.model.column_coverage import Flags, Lines, Near, Places, near

# Rows of many spans that no bins tell: asked for what lies at the edges of columns.


_NO_PLACES = np.zeros(0, np.intp)
_MANY, _MANY_KINDS = 64, 24  # spans for each column, from which an index is cheaper


@dataclass(frozen=True, slots=True)
class DetailThresholds:
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


@dataclass(frozen=True, slots=True, eq=False)
class _Edges:
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
        alone, told = _wide(edges, least)
        drawn.append(alone)
        _cover(edges, row.strip, shares[n], alone, told, least.apart)
        if row.copies is not None:
            copied[n] = np.empty_like(shares[n])
            _cover(edges, row.copies, copied[n])
    return drawn, shares, copied


def covered(
    strips: Sequence[Intervals], without: Sequence[Places], columns: PixelColumns
) -> Shares:
    """How much of each column each strip covers without some spans: float64 (R, W)."""
    shares = np.empty((len(strips), len(columns.edges_ns) - 1))
    for strip, gone, line in zip(strips, without, shares, strict=True):
        _cover(_edges(strip, columns), strip, line, gone)
    return shares


def _edges(strip: Intervals, columns: PixelColumns) -> _Edges:
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
    """Spans to draw one by one, and those that are only told from each other; by place.

    A wide span holds one of the edges that lie so far apart, or the last one.
    """
    marks, last = edges.columns.edges_ns, edges.last
    some = np.append(last[:: max(1, least.wide)], last[-1:])
    fresh = np.append(True, some[1:] != some[:-1])
    found = some[fresh] + edges.first
    lasts = edges.strip.duration_ns[found]
    step = (marks.item(-1) - marks.item(0)) / (len(marks) - 1)
    is_wide = lasts >= least.wide * step
    if not is_wide.any():
        return _NO_PLACES, _NO_PLACES
    found, lasts = found[is_wide], lasts[is_wide]
    start = edges.strip.start_ns[found]
    kept = (start < marks[-1]) & (start + lasts > marks[0])
    found, lasts = found[kept], lasts[kept]
    alone = lasts >= (least.labelled if len(found) > least.few else least.drawn)
    return found[alone], found[~alone]


def _cover(
    edges: _Edges,
    strip: Intervals,
    shares: Shares,
    without: Places = _NO_PLACES,
    shorter: Places = _NO_PLACES,
    by: int = 0,
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
        own = _durations(strip, slice(edges.first, edges.stop), without, shorter, by)
        length = own.take(last, mode="clip")
        busy = np.cumsum(own).take(last, mode="clip")
        busy -= length
    inside = np.minimum(edges.inside, length)
    inside += busy
    np.subtract(inside[1:], inside[:-1], out=shares)
    shares /= edges.columns.edges_ns[1] - edges.columns.edges_ns[0]


def _durations(
    strip: Intervals, some: slice, without: Places, shorter: Places, by: int
) -> NDArray[np.int64]:
    """How long some spans of a strip count, one after the other."""
    own = strip.duration_ns[some]
    if strip.kinds is not None:
        own = own * (strip.kinds[some] == strip.kind)
    if len(without) or len(shorter):
        own = own.copy()
        own[without - some.start] = 0
        own[shorter - some.start] -= by
    return own


_NEAR = 8  # spans for each column, up to which each of them is looked at
_FEW = 8  # long spans, up to which each is laid alone
_SEEN = 1e-6
_NONE, _NOTHING = np.zeros(0, np.intp), np.zeros(1)
Value = TypeVar("Value", bound=np.generic)


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """What was searched for. strips: its spans in each row, in bins like those of the row.

    mask: bool (N,), of all spans.
    """

    strips: Sequence[Intervals]
    mask: Flags


@dataclass(frozen=True, slots=True, eq=False)
class VisibleRow:
    """One row: places of the spans drawn one by one, and the others as shares of columns.

    places: int (M,), rising. shares: float64 (W,) or None for nothing. copies: columns that
    are copies for the most part: bool (W,), None where there are none to tell. found: as
    shares, of what was searched for.
    """

    places: Places
    shares: Shares | None
    copies: Flags | None = None
    found: Shares | None = None


@dataclass(slots=True, eq=False)
class _Made:
    """What was seen until now, row by row, as VisibleRow has it.

    copied: how much of each column copies cover.
    """

    drawn: list[Places]
    shares: Lines = field(default_factory=dict)
    copied: Lines = field(default_factory=dict)
    found: Lines = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Some:
    """Some of many rows, and which of their spans matter, told by their strips or longest."""

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
        """What is told of all spans, for those of the n-th row, which begins there."""
        strip, first = self.strips[n], self.first[n]
        some = slice(first, first + self.count[n])
        if isinstance(strip, LongSpans):
            return of_all[strip.places[some] + begin]
        return of_all[begin + some.start : begin + some.stop]


@dataclass(frozen=True, slots=True)
class _Far:
    """The n-th row, told by its bins or coarse ones. few: long spans to be laid upon them."""

    n: int
    is_coarse: bool
    few: range


def visible_rows(
    rows: Sequence[Row],
    columns: PixelColumns,
    least: DetailThresholds,
    hits: Hits | None = None,
) -> list[VisibleRow]:
    """What of each row is drawn one by one, and how much of each column the others cover.

    Spans without length cover the whole of their column, to be seen at all. hits: what was
    searched for in these rows.
    """
    if not rows:
        return []
    one_by_one, far, rest = _sorted(rows, columns, least.wide, hits)
    made = _Made([_NONE] * len(rows))
    if far:
        _show_binned(far, rows, columns, hits, made)
    if one_by_one.some:
        _show_spans(one_by_one, [rows[n] for n in one_by_one.some], columns, least, hits, made)
    if rest:
        _show_dense(rest, [rows[n] for n in rest], columns, least, made)
        if hits is not None:
            _show_hits(rest, rows, columns, hits, made)
    for n, row in enumerate(rows):
        if len(row.marks_ns):
            marks = row.marked(columns.edges_ns)
            made.shares[n] = np.maximum(made.shares.get(n, _NOTHING), marks)
    return [
        VisibleRow(
            places,
            line := made.shares.get(n),
            None if line is None or n not in made.copied else made.copied[n] > line / 2,
            made.found.get(n),
        )
        for n, places in enumerate(made.drawn)
    ]


def cover(
    strips: Sequence[Intervals], without: Sequence[Places], columns: PixelColumns
) -> list[Shares | None]:
    """How much of each column each strip covers without some spans; None for nothing."""
    some, rest, lines = _Some(), list[int](), Lines()
    ends, most = columns.whole_ns[[0, -1]], _NEAR * len(columns.whole_ns)
    for n, strip in enumerate(strips):
        low, high = _between(strip, ends)
        if high - low > most:
            rest.append(n)
        elif high > low:
            some.add(n, strip, low, high)
    if some.some:
        mine = near(some.strips, some.first, some.count, columns)
        for at, n in enumerate(some.some):
            gone = without[n] - some.first[at] + mine.stops[at]
            mine.end[gone] = mine.begin[gone]
        _add(mine.laid(range(len(some.some))), some, lines)
    if rest:
        told = covered([strips[n] for n in rest], [without[n] for n in rest], columns)
        lines |= dict(zip(rest, told, strict=True))
    return [line if (line := lines.get(n)) is not None and line.max() > _SEEN else None
            for n in range(len(strips))]  # fmt: skip


def _between(strip: Intervals | LongSpans, ends: Places) -> tuple[int, int]:
    """Which spans of a strip matter between two instants: the first, and how far they go."""
    low, high = strip.start_ns.searchsorted(ends, "right").tolist()
    return max(0, low - 1), high


def _sorted(
    rows: Sequence[Row], columns: PixelColumns, wide: int, hits: Hits | None
) -> tuple[_Some, list[_Far], list[int]]:
    """Which rows are looked at span by span, from afar by bins, or else by columns.

    wide: columns from which on a span is drawn by itself, which bins know nothing of: of those
    told by bins the long spans are looked at, unless coarse ones will do, which hold all.
    """
    ends, most = columns.whole_ns[[0, -1]], _NEAR * len(columns.whole_ns)
    step = float(columns.edges_ns[1] - columns.edges_ns[0])
    one_by_one, far, rest = _Some(), list[_Far](), list[int]()
    for n, row in enumerate(rows):
        strip, bins = row.strip, row.strip.bins
        is_far = bins is not None and bins.longest_ns < wide * step and bins.suit(step)
        if bins is not None and is_far and (hits is None or _told(hits.strips[n])):
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


def _told(found: Intervals) -> bool:
    """Whether bins tell all that was found in a row."""
    return found.bins is not None or not len(found.start_ns)


def _show_binned(
    far: Sequence[_Far],
    rows: Sequence[Row],
    columns: PixelColumns,
    hits: Hits | None,
    made: _Made,
) -> None:
    """The coverage of some rows, of their copies and of what was found, told by their bins."""
    told, into = list[CoverageHistogram](), list[tuple[Lines, _Far]]()
    for one in far:
        n, row = one.n, rows[one.n]
        some = [(row.strip, made.shares), (row.copies, made.copied)]
        if hits is not None:
            some.append((hits.strips[n], made.found))
        for strip, lines in some:
            bins = None if strip is None else strip.bins
            if bins is not None:
                told.append(bins.coarse or bins if one.is_coarse else bins)
                into.append((lines, one))
    shares = coverage(told, columns.edges_ns)
    for (_, one), each, line in zip(into, told, shares, strict=True):
        if one.few:
            each.long.lay(one.few, columns.edges_ns, line)
    seen = (shares.max(axis=1) > _SEEN).tolist()
    for (lines, one), line, is_seen in zip(into, shares, seen, strict=True):
        if is_seen or lines is made.copied:
            lines[one.n] = line


def _show_spans(
    some: _Some,
    rows: Sequence[Row],
    columns: PixelColumns,
    least: DetailThresholds,
    hits: Hits | None,
    made: _Made,
) -> None:
    """The same for some rows of few spans, or for the long ones, with what was searched for."""
    mine = near(some.strips, some.first, some.count, columns)
    step = float(columns.edges_ns[1] - columns.edges_ns[0])
    (alone, row), told = _alone(mine, least, step)
    for n, at in mine.apart(alone, row).items():
        strip = some.strips[n]
        made.drawn[some.some[n]] = strip.places[at] if isinstance(strip, LongSpans) else at
    if hits is not None:
        kept = np.concatenate(
            [some.part(n, hits.mask, one.first) for n, one in enumerate(rows)]
        )
        kept[alone] = False
        _add(mine.of(np.flatnonzero(kept)), some, made.found)
    mine.shorten(*told, least.apart / step)
    others = np.array(some.count) - np.bincount(row, minlength=len(rows))
    left = np.flatnonzero(others).tolist()  # rows that are more than single spans
    copied = [n for n in left if rows[n].copies is not None]
    if copied:
        _add(mine.of(_copies(some, rows, copied, mine.stops)), some, made.copied)
        made.copied |= {m: _NOTHING for n in copied if (m := some.some[n]) not in made.copied}
    mine.end[alone] = mine.begin[alone]
    if left:
        _add(mine.laid(left), some, made.shares)


def _alone(
    mine: Near, least: DetailThresholds, step: float
) -> tuple[tuple[Places, Places], tuple[Places, Places]]:
    """Spans to draw one by one, and those that are only told from each other; their rows."""
    wide, row = mine.wide(least.wide)
    many = np.bincount(row, minlength=mine.shape[0]) > least.few
    alone = mine.lasts[wide] * step >= np.where(many, least.labelled, least.drawn)[row]
    return (wide[alone], row[alone]), (wide[~alone], row[~alone])


def _add(lines: Lines, some: _Some, made: Lines) -> None:
    """Add what some rows of a few cover to what was made of them, if anything was."""
    for n, line in lines.items():
        if (row := some.some[n]) in made:
            made[row] += line
        else:
            made[row] = line


def _copies(some: _Some, rows: Sequence[Row], copied: Sequence[int], stops: Places) -> Places:
    """Which of all spans of some rows are copies, in some of the rows."""
    found = []
    for n in copied:
        strip, begin = rows[n].copies, int(stops[n])
        if strip is None or strip.kinds is None:  # all of them
            found.append(np.arange(begin, begin + some.count[n]))
        else:
            found.append(np.flatnonzero(some.part(n, strip.kinds) == strip.kind) + begin)
    return np.concatenate(found)


def _show_dense(
    some: Sequence[int],
    rows: Sequence[Row],
    columns: PixelColumns,
    least: DetailThresholds,
    made: _Made,
) -> None:
    """The same for some rows of many spans."""
    drawn, shares, copied = crowd(rows, columns, least)
    made.shares |= dict(zip(some, shares, strict=True))
    made.copied |= {some[n]: line for n, line in copied.items()}
    for n, places in zip(some, drawn, strict=True):
        made.drawn[n] = places


def _show_hits(
    some: Sequence[int], rows: Sequence[Row], columns: PixelColumns, hits: Hits, made: _Made
) -> None:
    """How much of each column what was found and is not drawn one by one covers."""
    without = []
    for n in some:
        places, strip = made.drawn[n], rows[n].strip
        starts = strip.start_ns[places[hits.mask[places + rows[n].first]]]
        without.append(hits.strips[n].start_ns.searchsorted(starts, "right") - 1)
    found = cover([hits.strips[n] for n in some], without, columns)
    made.found |= {n: line for n, line in zip(some, found, strict=True) if line is not None}
