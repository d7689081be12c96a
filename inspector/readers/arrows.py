"""Arrows of a foreign trace: from points on threads to the spans that are there."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspector.trace import FLOWS, Flow, Flows

_EVENT = FLOWS.index(Flow.EVENT)
Integers = NDArray[np.signedinteger[Any]]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """P points that chains of arrows go through, in the order of the file.

    chain: equal for the points of one chain. thread: where each is. at_ns: when. row: the span
    that it is itself; -1 where it is whatever span is there. opens, closes: whether a chain
    begins or ends there. coming: the next span is meant, not the one around. All (P,).
    """

    chain: Integers
    thread: Integers
    at_ns: Integers
    row: Integers
    opens: Flags
    closes: Flags
    coming: Flags

    def __len__(self) -> int:
        return len(self.chain)

    def moved(self, rows: Integers, threads: Integers) -> "Points":
        """The same where spans and threads have new numbers."""
        own = np.where(self.row >= 0, rows[self.row] if len(rows) else -1, -1)
        return replace(self, row=own, thread=threads[self.thread])


def points(rows: Sequence[tuple[int, int, int, int, bool, bool, bool]]) -> Points:
    """Points out of rows in the order of the fields."""
    table = np.array(rows, np.int64).reshape(-1, 7)
    flags = table[:, 4:].astype(bool)
    return Points(*table[:, :4].T, *flags.T)


def bound(found: Points, columns: dict[str, Integers]) -> tuple[Flows, int]:
    """Arrows from point to point of each chain, and how many points no span was at.

    columns: of the spans, with their depth; `track` is what the points call thread.
    """
    if not len(found):
        return Flows(), 0
    span = np.where(found.row >= 0, found.row, _spans_at(found, columns))
    place = np.arange(len(found))
    order = np.lexsort((place, found.closes, ~found.opens, found.at_ns, found.chain))
    order = order[span[order] >= 0]
    first, second = order[:-1], order[1:]
    joined = (found.chain[first] == found.chain[second]) & (span[first] != span[second])
    joined &= ~found.closes[first] & ~found.opens[second]
    begin, end = span[first[joined]], span[second[joined]]
    by_begin = np.lexsort((end, begin))
    kind = np.full(len(begin), _EVENT, np.int64)
    return Flows(begin[by_begin], end[by_begin], kind), int((span < 0).sum())


def _spans_at(found: Points, columns: dict[str, Integers]) -> Integers:
    """The innermost span around each point, or the next where that is meant; -1 for none."""
    answer = np.full(len(found), -1, np.int64)
    track, depth, start = (columns[key] for key in ("track", "depth", "start_ns"))
    for thread in np.unique(found.thread).tolist():
        asked = np.flatnonzero(found.thread == thread)
        mine = np.flatnonzero(track == thread)
        at_ns = found.at_ns[asked]
        for row in np.unique(depth[mine]).tolist():
            inside = mine[depth[mine] == row]
            inside = inside[np.argsort(start[inside], kind="stable")]
            last = np.searchsorted(start[inside], at_ns, "right") - 1
            held = inside[np.maximum(last, 0)]
            ends = start[held] + columns["duration_ns"][held]
            around = (last >= 0) & (ends >= at_ns) & ~found.coming[asked]
            answer[asked[around]] = held[around]
        after = mine[np.lexsort((depth[mine], start[mine]))]
        coming = asked[found.coming[asked]]
        place = np.searchsorted(start[after], found.at_ns[coming])
        there = place < len(after)
        answer[coming[there]] = after[place[there]]
    return answer
