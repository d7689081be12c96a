"""What of all rows of a picture shows in its columns, asked for all of them at once.

One row at a time would cost more for the asking than for the answer: rows are sorted by how
they are told, and those of one way are told together.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from inspector.bins import Bins, Long, coverage
from inspector.detail import Row
from inspector.strip import Columns, Shares, Strip
from inspector.ui.timeline.crowd import Least as Least
from inspector.ui.timeline.crowd import covered, crowd
from inspector.ui.timeline.near import Flags, Lines, Near, Places, near

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

    strips: Sequence[Strip]
    mask: Flags


@dataclass(frozen=True, slots=True, eq=False)
class SeenRow:
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
    """What was seen until now, row by row, as SeenRow has it.

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
    strips: list[Strip | Long] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    count: list[int] = field(default_factory=list)

    def add(self, n: int, strip: Strip | Long, low: int, high: int) -> None:
        self.some.append(n)
        self.strips.append(strip)
        self.first.append(low)
        self.count.append(high - low)

    def part(self, n: int, of_all: NDArray[Value], begin: int = 0) -> NDArray[Value]:
        """What is told of all spans, for those of the n-th row, which begins there."""
        strip, first = self.strips[n], self.first[n]
        some = slice(first, first + self.count[n])
        if isinstance(strip, Long):
            return of_all[strip.places[some] + begin]
        return of_all[begin + some.start : begin + some.stop]


@dataclass(frozen=True, slots=True)
class _Far:
    """The n-th row, told by its bins or coarse ones. few: long spans to be laid upon them."""

    n: int
    is_coarse: bool
    few: range


def see(
    rows: Sequence[Row], columns: Columns, least: Least, hits: Hits | None = None
) -> list[SeenRow]:
    """What of each row is drawn one by one, and how much of each column the others cover.

    Spans without length cover the whole of their column, to be seen at all. hits: what was
    searched for in these rows.
    """
    if not rows:
        return []
    one_by_one, far, rest = _sorted(rows, columns, least.wide, hits)
    made = _Made([_NONE] * len(rows))
    if far:
        _see_far(far, rows, columns, hits, made)
    if one_by_one.some:
        _see_near(one_by_one, [rows[n] for n in one_by_one.some], columns, least, hits, made)
    if rest:
        _see_rest(rest, [rows[n] for n in rest], columns, least, made)
        if hits is not None:
            _see_hits(rest, rows, columns, hits, made)
    for n, row in enumerate(rows):
        if len(row.marks_ns):
            marks = row.marked(columns.edges_ns)
            made.shares[n] = np.maximum(made.shares.get(n, _NOTHING), marks)
    return [
        SeenRow(
            places,
            line := made.shares.get(n),
            None if line is None or n not in made.copied else made.copied[n] > line / 2,
            made.found.get(n),
        )
        for n, places in enumerate(made.drawn)
    ]


def cover(
    strips: Sequence[Strip], without: Sequence[Places], columns: Columns
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


def _between(strip: Strip | Long, ends: Places) -> tuple[int, int]:
    """Which spans of a strip matter between two instants: the first, and how far they go."""
    low, high = strip.start_ns.searchsorted(ends, "right").tolist()
    return max(0, low - 1), high


def _sorted(
    rows: Sequence[Row], columns: Columns, wide: int, hits: Hits | None
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


def _told(found: Strip) -> bool:
    """Whether bins tell all that was found in a row."""
    return found.bins is not None or not len(found.start_ns)


def _see_far(
    far: Sequence[_Far],
    rows: Sequence[Row],
    columns: Columns,
    hits: Hits | None,
    made: _Made,
) -> None:
    """The coverage of some rows, of their copies and of what was found, told by their bins."""
    told, into = list[Bins](), list[tuple[Lines, _Far]]()
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


def _see_near(
    some: _Some,
    rows: Sequence[Row],
    columns: Columns,
    least: Least,
    hits: Hits | None,
    made: _Made,
) -> None:
    """The same for some rows of few spans, or for the long ones, with what was searched for."""
    mine = near(some.strips, some.first, some.count, columns)
    step = float(columns.edges_ns[1] - columns.edges_ns[0])
    (alone, row), told = _alone(mine, least, step)
    for n, at in mine.apart(alone, row).items():
        strip = some.strips[n]
        made.drawn[some.some[n]] = strip.places[at] if isinstance(strip, Long) else at
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
    mine: Near, least: Least, step: float
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


def _see_rest(
    some: Sequence[int], rows: Sequence[Row], columns: Columns, least: Least, made: _Made
) -> None:
    """The same for some rows of many spans."""
    drawn, shares, copied = crowd(rows, columns, least)
    made.shares |= dict(zip(some, shares, strict=True))
    made.copied |= {some[n]: line for n, line in copied.items()}
    for n, places in zip(some, drawn, strict=True):
        made.drawn[n] = places


def _see_hits(
    some: Sequence[int], rows: Sequence[Row], columns: Columns, hits: Hits, made: _Made
) -> None:
    """How much of each column what was found and is not drawn one by one covers."""
    without = []
    for n in some:
        places, strip = made.drawn[n], rows[n].strip
        starts = strip.start_ns[places[hits.mask[places + rows[n].first]]]
        without.append(hits.strips[n].start_ns.searchsorted(starts, "right") - 1)
    found = cover([hits.strips[n] for n in some], without, columns)
    made.found |= {n: line for n, line in zip(some, found, strict=True) if line is not None}
