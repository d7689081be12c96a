"""Which spans lie inside which others: the row of each below those that hold it."""

import numpy as np
from numpy.typing import NDArray

from inspector.numbering import pieces

_SEARCHED, _PIECE = 64, 1 << 14
_AT_ONCE = 1 << 16  # spans; in longer steps numpy would hold up all other threads
_DEEP, _FAR = 48, 1 << 62
Numbers = NDArray[np.int64]


def nesting(start: Numbers, duration: Numbers, track: Numbers) -> Numbers:
    """Depth of each span below those of its track that hold it: int64 (N,).

    A span that only overlaps others lies below those that hold it, in the first row where
    there is room, so that no two spans of a track and depth overlap.
    """
    order = np.lexsort((-duration, start, track))
    depth = np.zeros(len(start), np.int64)
    left, begin, end = np.arange(len(order)), np.empty(0, np.int64), np.empty(0, np.int64)
    if len(order) and (found := _in_line(order, start, duration, track)) is not None:
        begin, end = found
        left = _level_by_level(order, begin, end, depth)
    _one_by_one(order[left], start, duration, track, depth)
    return depth


def _in_line(
    order: Numbers, start: Numbers, duration: Numbers, track: Numbers
) -> tuple[Numbers, Numbers] | None:
    """Begin and end of each span, one track after the other; None where numbers end."""
    low, first = int(start.min()), int(track[order[0]])
    reach = int((start + duration).max()) - low + 1
    if (int(track[order[-1]]) - first + 1) * reach >= _FAR:
        return None
    begin, end = np.empty((2, len(order)), np.int64)
    for part in pieces(len(order), _AT_ONCE):
        mine = order[part]
        begin[part] = start[mine] - low + (track[mine] - first) * reach
        end[part] = begin[part] + duration[mine]
    return begin, end


def _level_by_level(order: Numbers, begin: Numbers, end: Numbers, depth: Numbers) -> Numbers:
    """Put in the depth of all that hold each other; what is left, with all around it.

    A span is the outermost where it begins after all before it have ended: the others lie in
    the one before them, and the outermost of these make the next level.
    """
    rest = np.arange(len(order))
    roots, left = rest, [rest[:0]]
    for level in range(_DEEP):
        outer, inner, crossing = _outermost(rest, begin, end)
        for part in pieces(len(outer), _AT_ONCE):
            depth[order[outer[part]]] = level
        roots = roots if level else outer
        rest, wrong = _apart(inner, crossing, roots)
        left.append(_around(wrong, roots, len(order)))
        if not len(rest):
            break
    if len(rest):
        left.append(_around(np.unique(_root(rest, roots)), roots, len(order)))
    return np.concatenate(left)


def _outermost(rest: Numbers, begin: Numbers, end: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Spans that no other one holds or cuts, the others, and of these those that stick out."""
    found: tuple[list[Numbers], list[Numbers], list[Numbers]] = ([], [], [])
    covered = holder = -_FAR  # when all before have ended, and when the last outermost one has
    for part in pieces(len(rest), _AT_ONCE):
        mine = rest[part]
        begins, ends = begin[mine], end[mine]
        until = np.maximum.accumulate(np.append(covered, ends))
        outer = begins >= until[:-1]
        holds = np.maximum.accumulate(np.append(holder, np.where(outer, ends, -_FAR)))
        for kept, some in zip(found, (outer, ~outer, ends > holds[1:]), strict=True):
            kept.append(mine[some])
        covered, holder = int(until[-1]), int(holds[-1])
    outermost, inner, crossing = (np.concatenate(each) for each in found)
    return outermost, inner, crossing


def _root(places: Numbers, roots: Numbers) -> Numbers:
    found: Numbers = np.searchsorted(roots, places, "right") - 1
    return found


def _apart(inner: Numbers, crossing: Numbers, roots: Numbers) -> tuple[Numbers, Numbers]:
    """Those that lie below other roots than the crossing ones, and the roots of these."""
    if not len(crossing):
        return inner, crossing
    wrong = np.unique(_root(crossing, roots))
    bad = np.zeros(len(roots), np.bool_)
    bad[wrong] = True
    return inner[~bad[_root(inner, roots)]], wrong


def _around(wrong: Numbers, roots: Numbers, count: int) -> Numbers:
    """All places from some roots to those after them."""
    if not len(wrong):
        return wrong
    stops = np.append(roots[1:], count)
    lengths = stops[wrong] - roots[wrong]
    shift: Numbers = np.repeat(roots[wrong] - (np.cumsum(lengths) - lengths), lengths)
    shift += np.arange(len(shift))
    return shift


def _one_by_one(
    order: Numbers, start: Numbers, duration: Numbers, track: Numbers, depth: Numbers
) -> None:
    """Put in the depth of spans that may cut each other."""
    # Numbers of numpy one at a time would take ten times as long as those of lists.
    # In pieces, else the lists of millions take gigabytes and hold up all other threads.
    ends: list[int] = []
    current = -1
    for part in pieces(len(order), _PIECE):
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


def _room(ends: list[int], begin: int, end: int) -> int:
    """The first free row below all that hold a span; `ends` is when each row is free.

    Looks at the last rows only, so that thousands of overlapping spans do not take for ever.
    """
    first = max(0, len(ends) - _SEARCHED)
    holding = (row for row in range(len(ends) - 1, first - 1, -1) if ends[row] >= end)
    below = next(holding, first - 1) + 1
    return next((row for row in range(below, len(ends)) if ends[row] <= begin), len(ends))
