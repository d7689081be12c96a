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
    """M spans of R rows within W columns. begin, end: in columns, 0 to W: float64 (M,).

    row: int (M,), rising. lasts: how long each is, in columns. first: what a row's spans begin
    with, as places in its strip.
    """

    shape: tuple[int, int]
    row: Places
    first: Sequence[int]
    begin: Shares
    end: Shares
    lasts: Shares

    def coverage(self, some: NDArray[np.bool_]) -> Shares:
        """Share of each column that some of the spans cover: float64 (R, W)."""
        return spread(self.row[some], self.begin[some], self.end[some], self.shape)

    def apart(self, some: NDArray[np.bool_]) -> list[Places]:
        """The places of some spans, row by row."""
        found, rows = np.flatnonzero(some), np.arange(self.shape[0] + 1)
        stops = np.searchsorted(self.row[found], rows).tolist()
        begins = np.searchsorted(self.row, rows[:-1]).tolist()
        return [
            found[a:b] + (first - begin)
            for (a, b), first, begin in zip(pairwise(stops), self.first, begins, strict=True)
        ]


def near(
    strips: Sequence[Strip], first: Sequence[int], count: Sequence[int], columns: Columns
) -> Near:
    """The spans of some strips: so many of each, from the first that matters."""
    marks = columns.edges_ns
    wide, origin = len(marks) - 1, int(columns.whole_ns[0])
    step = float(marks[-1] - marks[0]) / wide
    parts = [slice(a, a + n) for a, n in zip(first, count, strict=True)]
    none = [np.zeros(0, np.int64)]
    start = np.concatenate(
        [*none, *(s.start_ns[p] for s, p in zip(strips, parts, strict=True))]
    )
    long_ns = np.concatenate(
        [*none, *(s.duration_ns[p] for s, p in zip(strips, parts, strict=True))]
    )
    start -= origin
    begin = start.astype(np.float64)
    begin -= float(marks[0]) - origin
    begin *= 1 / step
    lasts = long_ns * (1 / step)
    end = begin + lasts
    for one in (begin, end):
        np.maximum(one, 0, out=one)
        np.minimum(one, wide, out=one)
    return Near(
        (len(strips), wide), np.repeat(np.arange(len(strips)), count), first,
        begin, end, lasts,
    )  # fmt: skip


def spread(row: Places, begin: Shares, end: Shares, shape: tuple[int, int]) -> Shares:
    """How much of each column intervals cover that lie apart in their rows: float64 (R, W).

    row: int (M,). begin, end: in columns, 0 to W: float64 (M,).
    """
    rows, wide = shape
    pitch = wide + 2
    left, right = begin.astype(np.intp), end.astype(np.intp)
    into, out = begin - left, end - right
    left += row * pitch
    right += row * pitch
    # What an edge adds to its own column and to all after it; the sum of these is the rest.
    at = np.concatenate((left, left + 1, right, right + 1))
    adds = np.concatenate((1 - into, into, out - 1, -out))
    steps: Shares = np.bincount(at, adds, rows * pitch).astype(np.float64, copy=False)
    steps = steps.reshape(rows, pitch)
    np.cumsum(steps, axis=1, out=steps)
    return steps[:, :wide]
