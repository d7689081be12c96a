"""All predictions as one: the median of each step, and how far it spreads."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPen

from inspector import units
from inspector.analysis.measured.median_prediction import Overlay, overlay
from inspector.export.charts.palette import Palette
from inspector.trace.trace import NamedLayer, Trace, TraceSource, from_columns
from inspector.trace.trace_builder import span_depths
from inspector.trace.trace_rows import build_level_of_detail
from inspector.ui.timeline.model.geometry import Bar, Scale
from inspector.ui.timeline.model.predictions import Iterations, iterations
from inspector.ui.timeline.model.row_grouping import Regrouped
from inspector.ui.timeline.render.rows import span_boxes
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.theme import colour

_WIDE, _CAP = 8.0, 4.0


@dataclass(frozen=True, slots=True, eq=False)
class MedianOverlay(Regrouped):
    """A trace of one prediction; place L of it is step `steps[L]` of the overlay."""

    known: Overlay
    steps: NDArray[np.int64]
    layers: tuple[NamedLayer, ...]
    skipped: int
    plain: int

    @property
    def trace(self) -> Trace:
        """One prediction, made of medians."""
        return self.detail.trace

    @property
    def words(self) -> str:
        """How it was made."""
        told = tr("Median of {run_count}").format(run_count=plural(self.known.runs, "run"))
        warm = plural(self.skipped, "warm-up run") if self.skipped else ""
        plain = tr("{plain:,} not profiled").format(plain=self.plain) if self.plain else ""
        left_out = " and ".join(filter(None, (warm, plain)))
        without = tr(", without {left_out}").format(left_out=left_out) if left_out else ""
        return f"{told}{without} · {units.duration(self.known.length_ns)}"

    def facts(self, place: int) -> tuple[tuple[str, str], ...]:
        """What the pointer is told of a step."""
        known, step = self.known, int(self.steps[place])
        return (
            (tr("Median"), units.duration(int(known.median_ns[step]))),
            (tr("p25 to p75"), _between(known.low_ns[step], known.high_ns[step])),
            (tr("Min to max"), _between(known.least_ns[step], known.most_ns[step])),
            (tr("Median start"), units.duration(int(known.start_ns[step]))),
            (
                tr("Runs"),
                tr("{seen:,} of {runs:,}").format(seen=int(known.seen[step]), runs=known.runs),
            ),
        )


def median_overlay(traced: TraceSource) -> MedianOverlay:
    """Lay all predictions over each other, without those of the warm-up."""
    told = iterations(traced.trace)
    trace = _numbered(traced.trace, told)
    skipped = max((one.warm for one in told), default=0)
    plain = sum(int(np.count_nonzero(~one.profiled)) for one in told if one.profiled.any())
    known = overlay(trace, traced.layers, skipped)
    words = {name: place for place, name in enumerate(dict.fromkeys(known.names))}
    start, duration, track = known.start_ns, known.median_ns, known.tracks
    depth = span_depths(start, duration, track)
    order = np.lexsort((start, depth, track)).astype(np.int64)
    columns = {
        "start_ns": start[order], "duration_ns": duration[order], "track": track[order],
        "depth": depth[order], "layer": known.layer[order],
        "name": np.array([words[name] for name in known.names], np.int64)[order],
        "kind": trace.kind[known.span][order], "run": np.zeros(len(order), np.int64),
        "size_bytes": trace.size_bytes[known.span][order],
    }  # fmt: skip
    made = from_columns(trace.tracks, tuple(words), columns)
    rows = build_level_of_detail(replace(made, counters=()))
    spans = known.span[order]
    return MedianOverlay(
        rows, spans, _places(trace, spans), known, order, tuple(traced.layers), skipped, plain
    )


def draw_spread(
    painter: QPainter, known: MedianOverlay, bar: Bar, scale: Scale, palette: Palette
) -> None:
    """Draw at the end of each wide step where half of its durations end."""
    if bar.height < 12:
        return
    wide = bar.row.wide(scale.begin_ns, scale.end_ns, _WIDE * scale.step_ns)
    for place, box in span_boxes(known.detail, wide.tolist(), bar, scale):
        step, start = int(known.steps[place]), int(known.trace.start_ns[place])
        low = scale.x(start + int(known.known.low_ns[step]))
        high = scale.x(start + int(known.known.high_ns[step]))
        y = box.bottom() - _CAP - 1
        for tint, thick in ((palette.surface, 3.5), (palette.text, 1.3)):
            painter.setPen(QPen(colour(tint), thick, c=Qt.PenCapStyle.FlatCap))
            painter.drawLine(QPointF(low, y), QPointF(high, y))
            for x in (low, high):
                painter.drawLine(QPointF(x, y - _CAP), QPointF(x, y + _CAP))


def _numbered(trace: Trace, told: tuple[Iterations, ...]) -> Trace:
    """The same with each span in the prediction of its model in which it begins.

    Traces of others do not say to which prediction kernels belong. Where only some predictions
    of a model have kernels, those without are left out: they were not slowed by profiling.
    """
    run = np.full(len(trace), -1, np.int32)
    models = np.array([track.model for track in trace.tracks])
    for one in told:
        mine = np.flatnonzero((models == one.model)[trace.track])
        start = trace.start_ns[mine]
        at = np.searchsorted(one.begin_ns, start, "right") - 1
        inside = (at >= 0) & (start <= one.end_ns[np.maximum(at, 0)])
        kept = one.profiled if one.profiled.any() else np.ones(len(one), bool)
        number = np.where(kept, np.cumsum(kept) - 1, -1)
        run[mine[inside]] = number[at[inside]]
    return replace(trace, run=run)


def _places(trace: Trace, spans: NDArray[np.int64]) -> NDArray[np.int64]:
    """For every span of the trace the place of a step that is its like; -1 for none."""
    found = np.full(len(trace), -1, np.int64)
    what = np.where(trace.layer >= 0, trace.layer, -1 - trace.name).astype(np.int64)
    key = trace.track.astype(np.int64) * (1 << 33) + what
    first, at = np.unique(key[spans], return_index=True)
    place = np.clip(np.searchsorted(first, key), 0, max(0, len(first) - 1))
    if len(first):
        mine = (first[place] == key) & (trace.run >= 0)
        found[mine] = at[place[mine]]
        found[spans] = np.arange(len(spans))
    return found


def _between(low: int, high: int) -> str:
    return tr("{duration} to {duration_2}").format(
        duration=units.duration(int(low)), duration_2=units.duration(int(high))
    )
