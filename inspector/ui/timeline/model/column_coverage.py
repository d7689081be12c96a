"""Exact coverage of pixel columns by the spans near them."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector.trace.coverage_histogram import LongSpans
from inspector.trace.intervals import Intervals, PixelColumns, Shares

Places = NDArray[np.intp]
Flags = NDArray[np.bool_]
_MANY = 0.6  # spans for each column, from which on sums are cheaper
_FINE = 2.0**44  # parts of a column that are told from each other
Lines = dict[int, Shares]  # coverage of columns, float64 (W,), of rows by their number


class Near(Struct, frozen=True, eq=False):
    """M spans of R rows within W columns; all rows lie end to end, each in W + 1 columns.

    first: what a row's spans begin with, as places in its strip: int (R,). stops: where those
    of each row begin among all: int (R + 1,). begin, end: within the columns of their row:
    float64 (M,). lasts: how long each is, in columns. beyond: how far the last of each row
    reaches out of it: float64 (R,).
    """

    shape: tuple[int, int]
    first: Places
    stops: Places
    begin: Shares
    end: Shares
    lasts: Shares
    beyond: Shares

    def laid(self, rows: Sequence[int]) -> Lines:
        """Share of each column that the spans cover; of some rows, in which any are left."""
        if 4 * len(self.begin) < self.shape[0] * self.shape[1]:
            return self.of(np.flatnonzero(self.end > self.begin))
        covered = _laid(self.begin, self.end, self.shape)  # to choose rows would take longer
        return {n: covered[n] for n in rows}

    def of(self, some: Places) -> Lines:
        """Return the coverage of some spans, in rising order; of rows that have any of them."""
        counts = np.diff(some.searchsorted(self.stops))
        rows = np.flatnonzero(counts)
        if not len(rows):
            return {}
        begin, end = self.begin[some], self.end[some]
        if len(rows) < self.shape[0]:
            moved = (np.arange(len(rows)) - rows) * float(self.shape[1] + 1)
            moved = np.repeat(moved, counts[rows])
            begin += moved
            end += moved
        covered = _laid(begin, end, (len(rows), self.shape[1]))
        return dict(zip(rows.tolist(), covered, strict=True))

    def wide(self, least: float) -> tuple[Places, Places]:
        """Return which spans last at least so many columns, and the row of each."""
        wide_spans = np.flatnonzero(self.lasts >= least)
        row = np.searchsorted(self.stops, wide_spans, "right") - 1
        left = row * float(self.shape[1] + 1)
        in_view = (self.begin[wide_spans] < left + self.shape[1]) & (
            self.end[wide_spans] > left
        )
        return wide_spans[in_view], row[in_view]

    def shorten(self, some: Places, row: Places, amount: float) -> None:
        """Move the ends of some spans to so many columns earlier."""
        is_last = some == self.stops[row + 1] - 1
        less = np.maximum(amount - self.beyond[row] * is_last, 0)
        self.end[some] = np.maximum(self.end[some] - less, self.begin[some])

    def apart(self, some: Places, row: Places) -> dict[int, Places]:
        """Some spans row by row, as places in their strips."""
        moved = some + (self.first - self.stops[:-1])[row]
        first = np.flatnonzero(row[1:] != row[:-1]) + 1
        stops = pairwise([0, *first.tolist(), len(row)]) if len(row) else ()
        return {int(row[a]): moved[a:b] for a, b in stops}


def near(
    strips: Sequence[Intervals | LongSpans],
    first: Sequence[int],
    count: Sequence[int],
    columns: PixelColumns,
) -> Near:
    """Return the spans of some rows that matter here, at least one of each."""
    marks = columns.edges_ns
    wide, origin = len(marks) - 1, int(columns.whole_ns[0])
    per_ns = wide / float(marks[-1] - marks[0])
    parts = [slice(a, a + n) for a, n in zip(first, count, strict=True)]
    start = np.concatenate([s.start_ns[p] for s, p in zip(strips, parts, strict=True)])
    lasts: Shares = np.concatenate(
        [s.duration_ns[p] for s, p in zip(strips, parts, strict=True)], dtype=np.float64
    )
    lasts *= per_ns
    start -= origin
    begin = start * per_ns
    left = np.arange(len(strips)) * float(wide + 1)
    begin += np.repeat(left - (float(marks[0]) - origin) * per_ns, count)
    end = begin + lasts
    stops = np.concatenate(([0], np.cumsum(count))).astype(np.intp)
    at, behind = stops[:-1], stops[1:] - 1  # only the ends of a row reach out of it
    begin[at] = np.maximum(begin[at], left)
    end[at] = np.maximum(end[at], left)
    beyond = np.maximum(end[behind] - left - wide, 0)
    end[behind] -= beyond
    return Near((len(strips), wide), np.array(first, np.intp), stops, begin, end, lasts, beyond)


def spread(row: Places, begin: Shares, end: Shares, shape: tuple[int, int]) -> Shares:
    """Return the coverage of columns by disjoint intervals of rows: float64 (R, W).

    row: int (M,). begin, end: in columns, 0 to W: float64 (M,).
    """
    moved = row * float(shape[1] + 1)
    return _laid(begin + moved, end + moved, shape)


def _laid(begin: Shares, end: Shares, shape: tuple[int, int]) -> Shares:
    """Return the coverage of all rows, end to end, each in W + 1 columns."""
    rows, wide = shape
    size = rows * (wide + 1)
    if len(begin) > _MANY * size:
        return _summed(begin, end, shape)
    left, right = begin.astype(np.intp), end.astype(np.intp)
    share: Shares = end - begin
    # Of very many, most lie within a column. The others cover a part of the first and of the
    # last one; they lie apart, so as many reach over the end of a column: one or none.
    over = np.flatnonzero(left != right)
    first, last = left[over], right[over]
    share[over] = first + 1 - begin[over]
    share = np.concatenate((share, end[over] - last))
    shares = np.bincount(np.concatenate((left, last)), share, size)
    reach = np.bincount(first + 1, minlength=size)
    reach -= np.bincount(last, minlength=size)
    np.cumsum(reach, out=reach)
    covered: Shares = np.add(shares, reach, out=shares)
    return covered.reshape(rows, wide + 1)[:, :wide]


def _summed(begin: Shares, end: Shares, shape: tuple[int, int]) -> Shares:
    """Return coverage of many spans by start, from their sums before the edges of columns.

    Their sums are whole numbers, which are added up eight times as fast.
    """
    rows, wide = shape
    size = rows * (wide + 1)
    left = begin.astype(np.intp)
    count = np.bincount(left, minlength=size)
    np.cumsum(count, out=count)  # that began before the end of each column
    share: Shares = end - begin
    share *= _FINE
    total = share.astype(np.int64)
    np.cumsum(total, out=total)
    count -= 1
    over = end.take(count, mode="clip")
    over -= np.arange(1.0, size + 1)
    np.maximum(over, 0, out=over)  # what of the last of them lies behind
    sums = total.take(count, mode="clip")
    over[: left[0]] = sums[: left[0]] = 0
    shares = np.empty(size)
    np.multiply(sums[1:] - sums[:-1], 1 / _FINE, out=shares[1:])
    shares[0] = sums[0] / _FINE
    shares -= over
    shares[1:] += over[:-1]
    row_shares: Shares = shares.reshape(rows, wide + 1)[:, :wide]
    return row_shares
