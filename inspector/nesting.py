"""Which spans lie inside which others: the row of each below those that hold it."""

import numpy as np
from numpy.typing import NDArray

from inspector.numbering import pieces

_SEARCHED, _PIECE = 64, 1 << 14


def nesting(
    start: NDArray[np.int64], duration: NDArray[np.int64], track: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Depth of each span below those of its track that hold it: int64 (N,).

    A span that only overlaps others lies below those that hold it, in the first row where
    there is room, so that no two spans of a track and depth overlap.
    """
    order = np.lexsort((-duration, start, track))
    # Numbers of numpy one at a time would take ten times as long as those of lists.
    # In pieces, else the lists of millions take gigabytes and hold up all other threads.
    depth = np.empty(len(start), np.int64)
    ends: list[int] = []
    current = -1
    for part in pieces(len(start), _PIECE):
        mine = order[part]
        starts = start[mine]
        told = zip(
            starts.tolist(),
            (starts + duration[mine]).tolist(),
            track[mine].tolist(),
            strict=True,
        )
        found: list[int] = []
        for begin, end, group in told:
            if group != current:
                current, ends = group, []
            while ends and ends[-1] <= begin:
                ends.pop()
            row = len(ends) if not ends or ends[-1] >= end else _room(ends, begin, end)
            ends[row : row + 1] = [end]
            found.append(row)
        depth[mine] = found
    return depth


def _room(ends: list[int], begin: int, end: int) -> int:
    """The first free row below all that hold a span; `ends` is when each row is free.

    Looks at the last rows only, so that thousands of overlapping spans do not take for ever.
    """
    first = max(0, len(ends) - _SEARCHED)
    holding = (row for row in range(len(ends) - 1, first - 1, -1) if ends[row] >= end)
    below = next(holding, first - 1) + 1
    return next((row for row in range(below, len(ends)) if ends[row] <= begin), len(ends))
