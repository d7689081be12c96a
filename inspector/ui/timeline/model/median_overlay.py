"""The median-run overlay: one synthetic run with the median and the spread of each step."""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPen

from inspector.pages.charts.palette import Palette
from inspector.report.report import PerformanceReport
from inspector.trace.grouping import factorize, group_bounds
from inspector.trace.trace import (
    KINDS,
    IntArray,
    Kind,
    NamedLayer,
    Trace,
    TraceSource,
    from_columns,
)
from inspector.trace.trace_builder import span_depths
from inspector.trace.trace_rows import Row, build_level_of_detail
from inspector.ui import units
from inspector.ui.timeline.model.geometry import Bar, Scale
from inspector.ui.timeline.model.predictions import Iterations, iterations
from inspector.ui.timeline.model.row_grouping import Regrouped
from inspector.ui.timeline.render.rows import span_boxes
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.theme import qt_color

_PARTITION = KINDS.index(Kind.PARTITION)
_NUMBER = re.compile(r" \d+$")  # as in "run 3"
_WIDE = 8.0  # px, least width of a bar with a whisker
_CAP = 1.5  # px, half the height of a whisker's end
_BEFORE_NEXT = 2  # pixels
PROFILER_COST = 1.2  # of the latency: a profiled run longer than this is explained


class Overlay(Struct, frozen=True, eq=False):
    """L steps of a prediction, in the order in which they begin; times in nanoseconds.

    A step is a layer on a track, or a span without one by its name; the n-th time that it runs
    in a prediction is a step of its own. start_ns: median, from the prediction's begin.
    low_ns, median_ns, high_ns: quartiles of the duration over the `runs` predictions;
    least_ns, most_ns: its extremes. run_counts: runs that had it. layer: -1 for none.
    span: the one whose duration is nearest to the median. All int64 (L,).
    length_ns: median length of a prediction.
    """

    runs: int
    length_ns: int
    names: tuple[str, ...]
    tracks: NDArray[np.int64]
    depth: NDArray[np.int64]
    layer: NDArray[np.int64]
    run_counts: NDArray[np.int64]
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
    step_names, which = _step_names(trace)
    step, first = _steps(trace, which, spans)
    since = trace.start_ns - begin[np.searchsorted(runs, trace.run) % max(1, len(runs))]
    rows = _rows(step, trace.duration_ns[spans], since[spans], spans)
    by_start = np.lexsort((trace.depth[first], rows[:, 1]))
    rows, first = rows[by_start], spans[first][by_start] if len(first) else first
    named = {layer.index: layer.name for layer in layers}
    names = tuple(
        named.get(layer) or step_names[name]
        for layer, name in zip(trace.layer[first].tolist(), which[first], strict=True)
    )
    where = (trace.track[first], trace.depth[first], trace.layer[first])
    tracks, depth, layer = (column.astype(np.int64) for column in where)
    return Overlay(len(runs), length, names, tracks, depth, layer, *rows.T)


def _begins(trace: Trace, runs: IntArray) -> tuple[NDArray[np.int64], int]:
    """Return when each prediction begins, and how long the one of middle length takes."""
    if not len(runs):
        return np.zeros(1, np.int64), 0
    spans = np.flatnonzero(np.isin(trace.run, runs))
    place = np.searchsorted(runs, trace.run[spans])
    start = trace.start_ns[spans]
    begins, ends = group_bounds(start, start + trace.duration_ns[spans], place, len(runs))
    return begins, int(np.median(ends - begins))


def _step_names(trace: Trace) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Return span names without the number of their run, and the index of each span's name."""
    table: dict[str, int] = {}
    bare = (_NUMBER.sub("", name) or name for name in trace.names)
    into = [table.setdefault(name, len(table)) for name in bare]
    return tuple(table), np.array([*into, 0], np.int64)[trace.name]


def _steps(
    trace: Trace, which: NDArray[np.int64], spans: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Step of each span, and the place in `spans` of each step's first span."""
    layer = trace.layer[spans].astype(np.int64)
    identity = np.where(layer >= 0, layer, -1 - which[spans])
    track, run = trace.track[spans].astype(np.int64), trace.run[spans].astype(np.int64)
    order = np.lexsort((trace.start_ns[spans], identity, track, run))
    step_starts = np.ones(len(spans), bool)
    step_starts[1:] = np.any(
        [np.diff(one[order]) != 0 for one in (identity, track, run)], axis=0
    )
    opens = np.flatnonzero(step_starts)
    nth = np.arange(len(spans)) - np.repeat(opens, np.diff(np.append(opens, len(spans))))
    number = np.empty(len(spans), np.int64)
    number[order] = nth
    # As np.unique of rows would say, which holds up all other threads for a minute.
    order = np.lexsort((number, identity, track))
    step_starts[1:] = np.any(
        [np.diff(one[order]) != 0 for one in (track, identity, number)], axis=0
    )
    step = np.empty(len(spans), np.int64)
    step[order] = np.cumsum(step_starts.astype(np.int64)) - 1
    return step, order[step_starts].astype(np.int64)


def _rows(
    step: NDArray[np.int64],
    took: NDArray[np.int64],
    since: NDArray[np.int64],
    spans: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Return columns of L steps, from `run_counts` on, by the step of each span: (L, 8)."""
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


class MedianOverlay(Regrouped, frozen=True, eq=False):
    """A trace of one prediction; place L of it is step `steps[L]` of the overlay."""

    overlay: Overlay
    steps: NDArray[np.int64]
    layers: tuple[NamedLayer, ...]
    skipped: int
    plain: int
    latency_ns: int = 0  # median of runs without the profiler; 0: unknown

    @property
    def trace(self) -> Trace:
        """One prediction, made of medians."""
        return self.detail.trace

    @property
    def summary(self) -> str:
        """The text on how it was computed."""
        title = tr("Median of {run_count}").format(run_count=plural(self.overlay.runs, "run"))
        warm = plural(self.skipped, "warm-up run") if self.skipped else ""
        plain = tr("{plain:,} not profiled").format(plain=self.plain) if self.plain else ""
        left_out = tr(" and ").join(filter(None, (warm, plain)))
        without = tr(", excluding {left_out}").format(left_out=left_out) if left_out else ""
        length_ns = self.overlay.length_ns
        if 0 < PROFILER_COST * self.latency_ns < length_ns:
            both = tr("{profiled} with the profiler, {plain} without").format(
                profiled=units.duration(length_ns), plain=units.duration(self.latency_ns)
            )
            return f"{both} · {title}{without}"
        return f"{units.duration(length_ns)} · {title}{without}"

    def facts(self, place: int) -> tuple[tuple[str, str], ...]:
        """Return the hover rows of a step."""
        overlay, step = self.overlay, int(self.steps[place])
        return (
            (tr("Median"), units.duration(int(overlay.median_ns[step]))),
            (tr("p25 to p75"), _between(overlay.low_ns[step], overlay.high_ns[step])),
            (tr("Min to max"), _between(overlay.least_ns[step], overlay.most_ns[step])),
            (tr("Median start"), units.duration(int(overlay.start_ns[step]))),
            (
                tr("Runs"),
                tr("{seen:,} of {runs:,}").format(
                    seen=int(overlay.run_counts[step]), runs=overlay.runs
                ),
            ),
        )


def median_overlay(traced: TraceSource) -> MedianOverlay:
    """Lay all predictions over each other, without those of the warm-up."""
    run_lists = iterations(traced.trace)
    trace = _numbered(traced.trace, run_lists)
    skipped = max((one.warm for one in run_lists), default=0)
    plain = sum(int(np.count_nonzero(~one.profiled)) for one in run_lists if one.profiled.any())
    statistics = overlay(trace, traced.layers, skipped)
    name_index = {name: place for place, name in enumerate(dict.fromkeys(statistics.names))}
    start, duration, track = statistics.start_ns, statistics.median_ns, statistics.tracks
    depth = span_depths(start, duration, track)
    order = np.lexsort((start, depth, track)).astype(np.int64)
    columns = {
        "start_ns": start[order], "duration_ns": duration[order], "track": track[order],
        "depth": depth[order], "layer": statistics.layer[order],
        "name": np.array([name_index[name] for name in statistics.names], np.int64)[order],
        "kind": trace.kind[statistics.span][order], "run": np.zeros(len(order), np.int64),
        "size_bytes": trace.size_bytes[statistics.span][order],
    }  # fmt: skip
    trace_of_medians = from_columns(trace.tracks, tuple(name_index), columns)
    rows = build_level_of_detail(replace(trace_of_medians, counters=()))
    spans = statistics.span[order]
    return MedianOverlay(
        rows,
        spans,
        _places(trace, spans),
        statistics,
        order,
        tuple(traced.layers),
        skipped,
        plain,
        traced.median_ns if isinstance(traced, PerformanceReport) else 0,
    )


def draw_spread(
    painter: QPainter, median: MedianOverlay, bar: Bar, scale: Scale, palette: Palette
) -> None:
    """Draw at the end of each wide step where half of its durations end."""
    if bar.height < 12:
        return
    wide = bar.row.wide(scale.begin_ns, scale.end_ns, _WIDE * scale.step_ns)
    for place, box in span_boxes(median.detail, wide.tolist(), bar, scale):
        low, high, cut = spread_ends(median, bar.row, place)
        ends = scale.x(low), scale.x(high) - cut * _BEFORE_NEXT
        if ends[1] <= ends[0]:
            continue
        y = box.bottom() - _CAP - 0.5
        for tint, thick in ((palette.surface, 3.0), (palette.text, 1.3)):
            painter.setPen(QPen(qt_color(tint), thick, c=Qt.PenCapStyle.FlatCap))
            painter.drawLine(QPointF(ends[0], y), QPointF(ends[1], y))
            for x in ends[: 1 if cut else 2]:
                painter.drawLine(QPointF(x, y - _CAP), QPointF(x, y + _CAP))


def spread_ends(median: MedianOverlay, row: Row, place: int) -> tuple[int, int, bool]:
    """Return from when to when half of the durations of a step end, in nanoseconds.

    The third value says that the range is cut where the next step of the row begins: a line
    across it would seem to be about that one.
    """
    step, start = int(median.steps[place]), int(median.trace.start_ns[place])
    low = start + int(median.overlay.low_ns[step])
    high = start + int(median.overlay.high_ns[step])
    after = place - row.first + 1
    if after < len(row.strip.start_ns):
        following = int(row.strip.start_ns[after])
        if high > following:
            return low, following, True
    return low, high, False


def _numbered(trace: Trace, run_lists: tuple[Iterations, ...]) -> Trace:
    """Return the trace with each span in the run of its model in which it begins.

    Traces of others do not say to which prediction kernels belong. Where only some predictions
    of a model have kernels, those without are left out: they were not slowed by profiling.
    """
    run = np.full(len(trace), -1, np.int32)
    models = np.array([track.model for track in trace.tracks])
    for one in run_lists:
        spans = np.flatnonzero((models == one.model)[trace.track])
        start = trace.start_ns[spans]
        at = np.searchsorted(one.begin_ns, start, "right") - 1
        inside = (at >= 0) & (start <= one.end_ns[np.maximum(at, 0)])
        profiled = one.profiled if one.profiled.any() else np.ones(len(one), bool)
        number = np.where(profiled, np.cumsum(profiled) - 1, -1)
        run[spans[inside]] = number[at[inside]]
    return replace(trace, run=run)


def _places(trace: Trace, spans: NDArray[np.int64]) -> NDArray[np.int64]:
    """For every span of the trace the place of a step that is its like; -1 for none."""
    places = np.full(len(trace), -1, np.int64)
    step_key = np.where(trace.layer >= 0, trace.layer, ~trace.name).astype(np.int64)
    key = trace.track.astype(np.int64) * (1 << 33) + step_key
    first, at = np.unique(key[spans], return_index=True)
    place = np.clip(np.searchsorted(first, key), 0, max(0, len(first) - 1))
    if len(first):
        is_match = (first[place] == key) & (trace.run >= 0)
        places[is_match] = at[place[is_match]]
        places[spans] = np.arange(len(spans))
    return places


def _between(low: int, high: int) -> str:
    return tr("{duration} to {duration_2}").format(
        duration=units.duration(int(low)), duration_2=units.duration(int(high))
    )
