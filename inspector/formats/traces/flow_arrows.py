"""Arrows of a foreign trace: from points on threads to the spans that are there."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspector.trace.trace import FLOW_KINDS, FlowKind, Flows

_EVENT = FLOW_KINDS.index(FlowKind.EVENT)
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


def bound(points_of_flows: Points, columns: dict[str, Integers]) -> tuple[Flows, int]:
    """Arrows from point to point of each chain, and how many points no span was at.

    columns: of the spans, with their depth; `track` is what the points call thread.
    """
    if not len(points_of_flows):
        return Flows(), 0
    span = np.where(
        points_of_flows.row >= 0, points_of_flows.row, _spans_at(points_of_flows, columns)
    )
    place = np.arange(len(points_of_flows))
    order = np.lexsort(
        (
            place,
            points_of_flows.closes,
            ~points_of_flows.opens,
            points_of_flows.at_ns,
            points_of_flows.chain,
        )
    )
    order = order[span[order] >= 0]
    first, second = order[:-1], order[1:]
    joined = (points_of_flows.chain[first] == points_of_flows.chain[second]) & (
        span[first] != span[second]
    )
    joined &= ~points_of_flows.closes[first] & ~points_of_flows.opens[second]
    begin, end = span[first[joined]], span[second[joined]]
    by_begin = np.lexsort((end, begin))
    kind = np.full(len(begin), _EVENT, np.int64)
    return Flows(begin[by_begin], end[by_begin], kind), int((span < 0).sum())


def _spans_at(points_of_flows: Points, columns: dict[str, Integers]) -> Integers:
    """The innermost span around each point, or the next where that is meant; -1 for none."""
    answer = np.full(len(points_of_flows), -1, np.int64)
    track, depth, start = (columns[key] for key in ("track", "depth", "start_ns"))
    for thread in np.unique(points_of_flows.thread).tolist():
        on_thread = np.flatnonzero(points_of_flows.thread == thread)
        spans_of_thread = np.flatnonzero(track == thread)
        at_ns = points_of_flows.at_ns[on_thread]
        for row in np.unique(depth[spans_of_thread]).tolist():
            inside = spans_of_thread[depth[spans_of_thread] == row]
            inside = inside[np.argsort(start[inside], kind="stable")]
            last = np.searchsorted(start[inside], at_ns, "right") - 1
            held = inside[np.maximum(last, 0)]
            ends = start[held] + columns["duration_ns"][held]
            around = (last >= 0) & (ends >= at_ns) & ~points_of_flows.coming[on_thread]
            answer[on_thread[around]] = held[around]
        after = spans_of_thread[np.lexsort((depth[spans_of_thread], start[spans_of_thread]))]
        coming = on_thread[points_of_flows.coming[on_thread]]
        place = np.searchsorted(start[after], points_of_flows.at_ns[coming])
        there = place < len(after)
        answer[coming[there]] = after[place[there]]
    return answer
