"""Spans near by: each is laid into the columns that it covers, exactly."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from inspector.strip import Columns, Shares, Strip

Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Near:
    """M spans of R rows within W columns; all rows lie end to end, each in W + 1 columns.

    first: what a row's spans begin with, as places in its strip. stops: where those of each
    row begin among all: int (R + 1,). begin, end: within the columns of their row: float64
    (M,). lasts: how long each is, in columns.
    """

    shape: tuple[int, int]
    first: Sequence[int]
    stops: Places
    begin: Shares
    end: Shares
    lasts: Shares

    def coverage(self) -> Shares:
        """Share of each column that the spans cover: float64 (R, W)."""
        return _laid(self.begin, self.end, self.shape)

    def of_some(self, rows: Sequence[int], kept: Sequence[NDArray[np.bool_] | None]) -> Shares:
        """The same of some spans of some rows; None for all spans of one."""
        if not rows:
            return np.zeros((0, self.shape[1]))
        starts = [int(self.stops[n]) for n in rows]
        found = [
            np.arange(at, self.stops[n + 1]) if mask is None else np.flatnonzero(mask) + at
            for n, at, mask in zip(rows, starts, kept, strict=True)
        ]
        pitch = self.shape[1] + 1
        moved = np.repeat(
            [(k - n) * float(pitch) for k, n in enumerate(rows)], list(map(len, found))
        )
        some = np.concatenate(found)
        begin, end = self.begin[some] + moved, self.end[some] + moved
        return _laid(begin, end, (len(rows), self.shape[1]))

    def of_mask(self, masks: Sequence[NDArray[np.bool_]], without: Places) -> dict[int, Shares]:
        """The same of those spans that a mask of each row holds; of rows that have any."""
        kept = np.concatenate(masks)
        kept[without] = False
        some = np.flatnonzero(kept)
        counts = np.diff(some.searchsorted(self.stops))
        if not len(some):
            return {}
        covered = _laid(self.begin[some], self.end[some], self.shape)
        return {int(n): covered[n] for n in np.flatnonzero(counts)}

    def wide(self, least: float) -> tuple[Places, Places]:
        """Which spans last at least so many columns, and the row of each."""
        found = np.flatnonzero(self.lasts >= least)
        row = np.searchsorted(self.stops, found, "right") - 1
        left = row * float(self.shape[1] + 1)
        seen = (self.begin[found] < left + self.shape[1]) & (self.end[found] > left)
        return found[seen], row[seen]

    def apart(self, some: Places, row: Places) -> list[Places]:
        """The places of some spans, row by row."""
        counts = np.bincount(row, minlength=self.shape[0])
        moved = some + (np.array(self.first, np.intp) - self.stops[:-1])[row]
        return [moved[a:b] for a, b in pairwise([0, *np.cumsum(counts).tolist()])]


def near(
    strips: Sequence[Strip], first: Sequence[int], count: Sequence[int], columns: Columns
) -> Near:
    """The spans of some strips: so many of each, from the first that matters."""
    marks = columns.edges_ns
    wide, origin = len(marks) - 1, int(columns.whole_ns[0])
    per_ns = wide / float(marks[-1] - marks[0])
    parts = [slice(a, a + n) for a, n in zip(first, count, strict=True)]
    start = np.concatenate([s.start_ns[p] for s, p in zip(strips, parts, strict=True)])
    long_ns = np.concatenate([s.duration_ns[p] for s, p in zip(strips, parts, strict=True)])
    start -= origin
    begin, lasts = start * per_ns, long_ns * per_ns
    left = np.arange(len(strips)) * float(wide + 1)
    begin += np.repeat(left - (float(marks[0]) - origin) * per_ns, count)
    end = begin + lasts
    stops = np.concatenate(([0], np.cumsum(count))).astype(np.intp)
    some = np.flatnonzero(stops[1:] > stops[:-1])  # only the ends of a row reach out of it
    for at in (stops[some], stops[some + 1] - 1):
        for one in (begin, end):
            one[at] = np.clip(one[at], left[some], left[some] + wide)
    return Near((len(strips), wide), first, stops, begin, end, lasts)


def spread(row: Places, begin: Shares, end: Shares, shape: tuple[int, int]) -> Shares:
    """How much of each column intervals cover that lie apart in their rows: float64 (R, W).

    row: int (M,). begin, end: in columns, 0 to W: float64 (M,).
    """
    moved = row * float(shape[1] + 1)
    return _laid(begin + moved, end + moved, shape)


def _laid(begin: Shares, end: Shares, shape: tuple[int, int]) -> Shares:
    """The same where all rows lie end to end, each in W + 1 columns."""
    rows, wide = shape
    size = rows * (wide + 1)
    left, right = begin.astype(np.intp), end.astype(np.intp)
    share: Shares = end - begin
    # Of very many, most lie within a column. The others cover a part of the first and of the
    # last one; they lie apart, so as many reach over the end of a column: one or none.
    over = np.flatnonzero(left != right)
    first, last = left[over], right[over]
    share[over] = first + 1 - begin[over]
    shares = np.bincount(left, share, size)
    shares += np.bincount(last, end[over] - last, size)
    reach = np.bincount(first + 1, minlength=size)
    reach -= np.bincount(last, minlength=size)
    np.cumsum(reach, out=reach)
    found: Shares = np.add(shares, reach, out=shares)
    return found.reshape(rows, wide + 1)[:, :wide]
