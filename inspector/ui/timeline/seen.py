"""What of all rows of a picture shows in its columns, asked for all of them at once.

One row at a time would cost more for the asking than for the answer: the columns of all rows
lie in one array, and each step of the reckoning is one pass over it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from inspector.bins import coverage
from inspector.detail import Row
from inspector.strip import Columns, Shares, Strip
from inspector.ui.timeline.near import Near, Places, near

_MANY, _MANY_KINDS = 64, 24  # spans for each column, from which an index is cheaper
_NEAR = 6  # spans for each column, up to which each of them is looked at
_SEEN = 1e-6
Flags = NDArray[np.bool_]
_NONE = np.zeros(0, np.intp)


@dataclass(frozen=True, slots=True)
class Least:
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
class Hits:
    """What was searched for. strips: its spans in each row. mask: bool (N,), of all spans."""

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
    """What was seen until now, row by row, as SeenRow has it. shares: float64 (R, W)."""

    drawn: list[Places]
    shares: Shares
    hatched: dict[int, Flags] = field(default_factory=dict)
    found: dict[int, Shares] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class _View:
    """R strips within the columns. first, count: of the spans of each that matter.

    last: the last span that has begun at each edge, from the first that matters; -1 for none:
    (R, W + 1).
    """

    strips: Sequence[Strip]
    columns: Columns
    first: tuple[int, ...]
    count: tuple[int, ...]
    last: Places


def see(
    rows: Sequence[Row], columns: Columns, least: Least, hits: Hits | None = None
) -> list[SeenRow]:
    """What of each row is drawn one by one, and how much of each column the others cover.

    Spans without length cover the whole of their column, to be seen at all. hits: what was
    searched for in these rows.
    """
    if not rows:
        return []
    strips = [row.strip for row in rows]
    copies = [row.copies for row in rows]
    near, far, rest = _sorted(strips, copies, columns, least.wide)
    made = _Made([_NONE] * len(rows), np.empty((len(rows), len(columns.edges_ns) - 1)))
    if near.some:
        _see_near(near, [rows[n] for n in near.some], columns, least, hits, made)
    _see_far(far, strips, columns, made.shares)
    of_copies = [n for n in far if copies[n] is not None]
    covered = np.empty_like(made.shares) if of_copies else made.shares
    _see_far(of_copies, copies, columns, covered)
    made.hatched |= {n: covered[n] > made.shares[n] / 2 for n in of_copies}
    if rest:
        _see_rest(rest, [rows[n] for n in rest], columns, least, made)
    if hits is not None:
        _see_hits(sorted((*far, *rest)), rows, columns, hits, made)
    for n, row in enumerate(rows):
        if len(row.marks_ns):
            np.maximum(made.shares[n], row.marked(columns.edges_ns), out=made.shares[n])
    some = (made.shares.max(axis=1) > _SEEN).tolist()
    return [
        SeenRow(
            places, made.shares[n] if some[n] else None, made.hatched.get(n), made.found.get(n)
        )
        for n, places in enumerate(made.drawn)
    ]


def cover(
    strips: Sequence[Strip], without: Sequence[Places], columns: Columns
) -> list[Shares | None]:
    """How much of each column each strip covers without some spans; None for nothing."""
    if not strips:
        return []
    near, far, rest = _sorted(strips, [None] * len(strips), columns, 0, without)
    shares = np.empty((len(strips), len(columns.edges_ns) - 1))
    if near.some:
        mine = near.of(strips, columns)
        for at, n in enumerate(near.some):
            gone = without[n] - near.first[at] + mine.stops[at]
            mine.end[gone] = mine.begin[gone]
        shares[near.some] = mine.coverage()
    _see_far(far, strips, columns, shares)
    if rest:
        view = _view([strips[n] for n in rest], columns)
        left_out = [without[n] for n in rest]
        shares[rest] = _coverage(view, view.strips, left_out, [_NONE] * len(rest), 0)
    some = (shares.max(axis=1) > _SEEN).tolist()
    return [line if one else None for line, one in zip(shares, some, strict=True)]


@dataclass(frozen=True, slots=True)
class _Some:
    """Some of many strips, and which of their spans matter."""

    some: list[int]
    first: list[int]
    count: list[int]

    def of(self, strips: Sequence[Strip], columns: Columns) -> Near:
        return near([strips[n] for n in self.some], self.first, self.count, columns)


def _sorted(
    strips: Sequence[Strip],
    copies: Sequence[Strip | None],
    columns: Columns,
    wide: int,
    without: Sequence[Places] = (),
) -> tuple[_Some, list[int], list[int]]:
    """Which strips are looked at span by span, from afar by bins, or else by columns.

    wide: columns from which on a span is drawn by itself, which bins know nothing of.
    """
    whole = columns.whole_ns
    ends, most = whole[[0, -1]], _NEAR * len(whole)
    step = float(columns.edges_ns[1] - columns.edges_ns[0])
    one_by_one, far, rest = _Some([], [], []), list[int](), list[int]()
    for n, strip in enumerate(strips):
        bins, copy = strip.bins, copies[n]
        of_copies = bins if copy is None or copy.bins is None else copy.bins
        if (
            bins is not None
            and of_copies is not None
            and (not wide or bins.longest_ns < wide * step)
            and bins.suit(step)
            and of_copies.suit(step)
            and not (without and len(without[n]))
        ):
            far.append(n)
            continue
        low, high = strip.start_ns.searchsorted(ends, "right").tolist()
        low = max(0, low - 1)
        if high - low <= most:
            one_by_one.some.append(n)
            one_by_one.first.append(low)
            one_by_one.count.append(high - low)
        else:
            rest.append(n)
    return one_by_one, far, rest


def _see_far(
    some: Sequence[int], strips: Sequence[Strip | None], columns: Columns, shares: Shares
) -> None:
    """The coverage of some strips that are told by their bins, into their rows of the last."""
    known = [strip.bins for n in some if (strip := strips[n]) is not None]
    bins = [each for each in known if each is not None]
    if bins:
        shares[list(some)] = coverage(bins, columns.edges_ns)


def _see_near(
    some: _Some,
    rows: Sequence[Row],
    columns: Columns,
    least: Least,
    hits: Hits | None,
    made: _Made,
) -> None:
    """The same for some rows of few spans, with what was searched for in them."""
    mine = near([row.strip for row in rows], some.first, some.count, columns)
    wide, row = mine.wide(least.wide)
    many = np.bincount(row, minlength=len(rows)) > least.few
    step = float(columns.edges_ns[1] - columns.edges_ns[0])
    by_itself = mine.lasts[wide] * step >= np.where(many, least.labelled, least.drawn)[row]
    alone, told = wide[by_itself], wide[~by_itself]
    if hits is not None:
        masks = [
            hits.mask[row.first + first : row.first + first + count]
            for row, first, count in zip(rows, some.first, some.count, strict=True)
        ]
        made.found |= {some.some[at]: line for at, line in mine.of_mask(masks, alone).items()}
    mine.end[told] = np.maximum(mine.end[told] - least.apart / step, mine.begin[told])
    for n, places in zip(some.some, mine.apart(alone, row[by_itself]), strict=True):
        made.drawn[n] = places
    others = np.array(some.count) - np.bincount(row[by_itself], minlength=len(rows))
    left = np.flatnonzero(others).tolist()  # rows that are more than single spans
    copied = [at for at in left if rows[at].copies is not None]
    kept = [_mask(rows[at].copies, some.first[at], some.count[at]) for at in copied]
    covered = mine.of_some(copied, kept)
    mine.end[alone] = mine.begin[alone]
    _lay_near(mine, some, left, made)
    wanted = made.shares[[some.some[at] for at in copied]]
    for at, line in zip(copied, covered > wanted / 2, strict=True):
        made.hatched[some.some[at]] = line


def _lay_near(mine: Near, some: _Some, left: list[int], made: _Made) -> None:
    """The coverage of some rows, of which only those that are left have any."""
    if len(left) == len(made.shares):
        made.shares = mine.coverage()  # of all rows there are
    elif 2 * len(left) > len(some.some):
        made.shares[some.some] = mine.coverage()
    else:
        made.shares[some.some] = 0
        made.shares[[some.some[at] for at in left]] = mine.of_some(left, [None] * len(left))


def _see_rest(
    some: Sequence[int], rows: Sequence[Row], columns: Columns, least: Least, made: _Made
) -> None:
    """The same for some rows of many spans."""
    view = _view([row.strip for row in rows], columns)
    drawn, narrow = _wide(view, least)
    made.shares[some] = shares = _coverage(view, view.strips, drawn, narrow, least.apart)
    made.hatched |= {some[at]: line for at, line in _copies(view, rows, shares).items()}
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


def _mask(strip: Strip | None, first: int, count: int) -> Flags | None:
    """Which of some spans are of the kind of a strip; None for all."""
    if strip is None or strip.kinds is None:
        return None
    kinds: Flags = strip.kinds[first : first + count] == strip.kind
    return kinds


def _copies(view: _View, rows: Sequence[Row], shares: Shares) -> dict[int, Flags]:
    """For rows with copies, the columns that these cover for the most part."""
    strips = {n: row.copies for n, row in enumerate(rows) if row.copies is not None}
    if not strips:
        return {}
    some, mine = list(strips), list(strips.values())
    first, count = (tuple(of[n] for n in some) for of in (view.first, view.count))
    part = _View(mine, view.columns, first, count, view.last[some])
    none = [np.zeros(0, np.intp)] * len(some)
    covered = _coverage(part, mine, none, none, 0) > shares[some] / 2
    return dict(zip(some, covered, strict=True))


def _view(strips: Sequence[Strip], columns: Columns) -> _View:
    whole = columns.whole_ns
    ends = whole[[0, -1]]
    first, count = [], []
    last = np.empty((len(strips), len(whole)), np.intp)
    for n, strip in enumerate(strips):
        low, high = strip.start_ns.searchsorted(ends, "right").tolist()
        low = max(0, low - 1)
        first.append(low)
        count.append(high - low)
        last[n] = strip.start_ns[low:high].searchsorted(whole, "right")
    last -= 1
    return _View(strips, columns, tuple(first), tuple(count), last)


def _wide(view: _View, least: Least) -> tuple[list[Places], list[Places]]:
    """Spans to draw one by one, and those that are only told from each other; by place.

    A wide span holds one of the edges that lie so far apart, or the last one.
    """
    marks, last = view.columns.edges_ns, view.last
    some = np.append(np.arange(0, last.shape[1], max(1, least.wide)), last.shape[1] - 1)
    some = last[:, some]
    fresh = some >= 0
    fresh[:, 1:] &= some[:, 1:] != some[:, :-1]
    of, at = np.nonzero(fresh)
    found = some[of, at] + np.array(view.first, np.intp)[of]
    stops = np.searchsorted(of, np.arange(len(view.strips) + 1)).tolist()
    start, duration = np.empty((2, len(found)), np.int64)
    for n, strip in enumerate(view.strips):
        mine = slice(stops[n], stops[n + 1])
        start[mine] = strip.start_ns[found[mine]]
        duration[mine] = strip.duration_ns[found[mine]]
    step = (marks[-1] - marks[0]) / (len(marks) - 1)
    kept = (duration >= least.wide * step) & (start < marks[-1]) & (start + duration > marks[0])
    many = np.bincount(of[kept], minlength=len(view.strips)) > least.few
    round_ = duration >= np.where(many, least.labelled, least.drawn)[of]
    parts = []
    for chosen in (kept & round_, kept & ~round_):
        stops = np.searchsorted(of[chosen], np.arange(len(view.strips) + 1)).tolist()
        parts.append([found[chosen][a:b] for a, b in pairwise(stops)])
    return parts[0], parts[1]


def _coverage(
    view: _View,
    strips: Sequence[Strip],
    without: Sequence[Places],
    shorter: Sequence[Places],
    by: int,
) -> Shares:
    """Share of each column that is busy: float64 (R, W).

    strips: the same spans as those of the view. without: do not count. shorter: count for so
    many nanoseconds less.
    """
    marks, last = view.columns.edges_ns, view.last
    start, length, busy = np.zeros((3, *last.shape), np.int64)
    sums = np.empty(min(max(view.count), _MANY * len(marks)), np.int64)
    for n, strip in enumerate(strips):
        low, count = view.first[n], view.count[n]
        if not count:
            continue
        mine = slice(low, low + count)
        strip.start_ns[mine].take(last[n], out=start[n], mode="clip")
        many = _MANY if strip.kinds is None else _MANY_KINDS
        if count > many * len(marks) and not len(without[n]) and not len(shorter[n]):
            spans = np.maximum(last[n], 0) + low
            length[n], busy[n] = strip.lengths(spans), strip.before(spans)
            continue
        own = _durations(strip, mine, without[n], shorter[n], by)
        own.take(last[n], out=length[n], mode="clip")
        total = np.cumsum(own, out=sums[:count] if count <= len(sums) else None)
        total.take(last[n], out=busy[n], mode="clip")
        busy[n] -= length[n]
    inside = marks - start
    np.minimum(inside, length, out=inside)
    np.maximum(inside, 0, out=inside)
    inside += busy
    shares: Shares = np.diff(inside, axis=1)
    shares /= marks[1] - marks[0]
    return shares


def _durations(
    strip: Strip, some: slice, without: Places, shorter: Places, by: int
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
