"""All profiled predictions as one: the median of each layer, with its spread."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from inspector.trace.grouping import factorize, group_bounds
from inspector.trace.trace import KINDS, IntArray, Kind, NamedLayer, Trace

_PARTITION = KINDS.index(Kind.PARTITION)
_NUMBER = re.compile(r" \d+$")  # as in "predict 3"


@dataclass(frozen=True, slots=True, eq=False)
class Overlay:
    """L steps of a prediction, in the order in which they begin; times in nanoseconds.

    A step is a layer on a track, or a span without one by its name; the n-th time that it runs
    in a prediction is a step of its own. start_ns: median, from the prediction's begin.
    low_ns, median_ns, high_ns: quartiles of the duration over the `runs` predictions;
    least_ns, most_ns: its extremes. seen: predictions that had it. layer: -1 for none. span:
    the one whose duration is nearest to the median. All int64 (L,).
    length_ns: median length of a prediction.
    """

    runs: int
    length_ns: int
    names: tuple[str, ...]
    tracks: NDArray[np.int64]
    depth: NDArray[np.int64]
    layer: NDArray[np.int64]
    seen: NDArray[np.int64]
    start_ns: NDArray[np.int64]
    least_ns: NDArray[np.int64]
    low_ns: NDArray[np.int64]
    median_ns: NDArray[np.int64]
    high_ns: NDArray[np.int64]
    most_ns: NDArray[np.int64]
    span: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.names)


def overlay(trace: Trace, layers: Sequence[NamedLayer] = (), skip: int = 0) -> Overlay:
    """Lay the predictions of a trace over each other.

    skip: first predictions that are left out, as a warm-up. Partitions only frame others.
    """
    runs = factorize(trace.run[trace.run >= 0])[0][skip:]
    spans = np.flatnonzero(np.isin(trace.run, runs) & (trace.kind != _PARTITION))
    begin, length = _begins(trace, runs)
    words, which = _words(trace)
    step, first = _steps(trace, which, spans)
    since = trace.start_ns - begin[np.searchsorted(runs, trace.run) % max(1, len(runs))]
    rows = _rows(step, trace.duration_ns[spans], since[spans], spans)
    by_start = np.lexsort((trace.depth[first], rows[:, 1]))
    rows, first = rows[by_start], spans[first][by_start] if len(first) else first
    named = {layer.index: layer.name for layer in layers}
    names = tuple(
        named.get(layer) or words[name]
        for layer, name in zip(trace.layer[first].tolist(), which[first], strict=True)
    )
    where = (trace.track[first], trace.depth[first], trace.layer[first])
    tracks, depth, layer = (column.astype(np.int64) for column in where)
    return Overlay(len(runs), length, names, tracks, depth, layer, *rows.T)


def _begins(trace: Trace, runs: IntArray) -> tuple[NDArray[np.int64], int]:
    """When each prediction begins, and how long the one of middle length takes."""
    if not len(runs):
        return np.zeros(1, np.int64), 0
    spans = np.flatnonzero(np.isin(trace.run, runs))
    place = np.searchsorted(runs, trace.run[spans])
    start = trace.start_ns[spans]
    begins, ends = group_bounds(start, start + trace.duration_ns[spans], place, len(runs))
    return begins, int(np.median(ends - begins))


def _words(trace: Trace) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """What spans are called without the number of their prediction, and which each is."""
    table: dict[str, int] = {}
    bare = (_NUMBER.sub("", name) or name for name in trace.names)
    into = [table.setdefault(name, len(table)) for name in bare]
    return tuple(table), np.array([*into, 0], np.int64)[trace.name]


def _steps(
    trace: Trace, which: NDArray[np.int64], spans: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Step of each span, and the place in `mine` of each step's first span."""
    layer = trace.layer[spans].astype(np.int64)
    identity = np.where(layer >= 0, layer, -1 - which[spans])
    track, run = trace.track[spans].astype(np.int64), trace.run[spans].astype(np.int64)
    order = np.lexsort((trace.start_ns[spans], identity, track, run))
    turns = np.ones(len(spans), bool)
    turns[1:] = np.any([np.diff(one[order]) != 0 for one in (identity, track, run)], axis=0)
    opens = np.flatnonzero(turns)
    nth = np.arange(len(spans)) - np.repeat(opens, np.diff(np.append(opens, len(spans))))
    number = np.empty(len(spans), np.int64)
    number[order] = nth
    # As np.unique of rows would say, which holds up all other threads for a minute.
    order = np.lexsort((number, identity, track))
    turns[1:] = np.any([np.diff(one[order]) != 0 for one in (track, identity, number)], axis=0)
    step = np.empty(len(spans), np.int64)
    step[order] = np.cumsum(turns.astype(np.int64)) - 1
    return step, order[turns].astype(np.int64)


def _rows(
    step: NDArray[np.int64],
    took: NDArray[np.int64],
    since: NDArray[np.int64],
    spans: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Columns of L steps, from `seen` on, told by the step of each span: (L, 8)."""
    counts = np.bincount(step)
    first = np.cumsum(counts) - counts
    start = _quantile(since[np.lexsort((since, step))], first, counts, 0.5)
    order = np.lexsort((took, step))
    took = took[order]
    low, middle, high = (
        np.rint(_quantile(took, first, counts, part)).astype(np.int64)
        for part in (0.25, 0.5, 0.75)
    )
    below = first + (counts - 1) // 2
    above = np.minimum(below + 1, first + counts - 1)
    near = np.where(middle - took[below] <= took[above] - middle, below, above)
    fresh = np.append(True, took[1:] != took[:-1])[: len(took)]
    fresh[first] = True  # of several that took as long, the first one
    near = np.maximum.accumulate(np.where(fresh, np.arange(len(took)), 0))[near]
    last = first + counts - 1
    nearest = spans[order[near]]
    return np.stack(
        (counts, start.astype(np.int64), took[first], low, middle, high, took[last], nearest),
        axis=1,
    )


def _quantile(
    values: NDArray[np.int64], first: NDArray[np.intp], count: NDArray[np.intp], part: float
) -> NDArray[np.float64]:
    """A quantile of each of L stretches of values, which rise in each: float64 (L,)."""
    at = (count - 1) * part
    below = np.floor(at).astype(np.intp)
    low = values[first + below]
    high = values[first + np.minimum(below + 1, count - 1)]
    quantile: NDArray[np.float64] = low + (high - low) * (at - below)
    return quantile
