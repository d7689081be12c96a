"""Rows of many spans that no bins tell: asked for what lies at the edges of columns."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from inspector.detail import Row
from inspector.strip import Columns, Shares, Strip
from inspector.ui.timeline.near import Lines, Places

_NONE = np.zeros(0, np.intp)
_MANY, _MANY_KINDS = 64, 24  # spans for each column, from which an index is cheaper


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
class _Edges:
    """A strip at the edges of W columns. first, stop: which of its spans matter.

    last: the last span that has begun at each edge, from the first that matters, which it is
    for none as well: (W + 1,). inside: how far within it the edge lies: float64 (W + 1,).
    """

    strip: Strip
    columns: Columns
    first: int
    stop: int
    last: Places
    inside: Shares


def crowd(
    rows: Sequence[Row], columns: Columns, least: Least
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


def covered(strips: Sequence[Strip], without: Sequence[Places], columns: Columns) -> Shares:
    """How much of each column each strip covers without some spans: float64 (R, W)."""
    shares = np.empty((len(strips), len(columns.edges_ns) - 1))
    for strip, gone, line in zip(strips, without, shares, strict=True):
        _cover(_edges(strip, columns), strip, line, gone)
    return shares


def _edges(strip: Strip, columns: Columns) -> _Edges:
    whole = columns.whole_ns
    first, stop = strip.start_ns.searchsorted(whole[[0, -1]], "right").tolist()
    first = max(0, first - 1)
    start = strip.start_ns[first:stop]
    last = start.searchsorted(whole, "right")
    last -= 1
    np.maximum(last, 0, out=last)
    inside: Shares = columns.edges_ns - start.take(last, mode="clip")
    return _Edges(strip, columns, first, stop, last, np.maximum(inside, 0, out=inside))


def _wide(edges: _Edges, least: Least) -> tuple[Places, Places]:
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
        return _NONE, _NONE
    found, lasts = found[is_wide], lasts[is_wide]
    start = edges.strip.start_ns[found]
    kept = (start < marks[-1]) & (start + lasts > marks[0])
    found, lasts = found[kept], lasts[kept]
    alone = lasts >= (least.labelled if len(found) > least.few else least.drawn)
    return found[alone], found[~alone]


def _cover(
    edges: _Edges,
    strip: Strip,
    shares: Shares,
    without: Places = _NONE,
    shorter: Places = _NONE,
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
