"""A comparison as a drawing: medians with their intervals, and the layers that changed most."""

from collections.abc import Sequence

import numpy as np

from inspector import units
from inspector.comparison.comparison import Comparison
from inspector.comparison.layer_changes import BELOW_RESOLUTION, Block, Change
from inspector.export.charts.drawing import (
    MARGIN,
    Box,
    Drawing,
    Label,
    Line,
    Shape,
    fitting,
    fitting_name,
    head,
    text_width,
)
from inspector.report.report import PerformanceReport
from inspector.statistics.intervals import MIN_P95_SAMPLES
from inspector.wording.values import Sentence

WIDTH, MOST_LAYERS = 720, 14
# Pixels.
_BEGIN, _ROW, _NAMES, _ABOVE = 40, 26, 200, 14
_LABEL_WIDTH = 275  # of a median with its verdict and interval
_KEY = "bar: median at full CPU speed, if known; line: p5 to p95 of all runs"
_TINTS = ("tertiary", "activity", "data", "cpu", "gpu", "npu")


def comparison_plot(comparison: Comparison, reports: Sequence[PerformanceReport]) -> Drawing:
    """Median and middle nine tenths of each report; then layers by how much they changed."""
    shapes: list[Shape] = [*head(Sentence("Latency"), WIDTH, _KEY)]
    reach = max((_ends(report)[1] for report in reports if report.prediction_ns), default=1)
    above = any(text_width(name) > _NAMES - 28 for name in comparison.names)
    step = _ROW + (_ABOVE if above else 0)
    for place, report in enumerate(reports):
        y = _BEGIN + place * step
        left = MARGIN if above else _NAMES
        name = fitting(units.clip(comparison.names[place]), (WIDTH if above else _NAMES) - 28)
        shapes.append(Label(MARGIN, y + 13, name))
        y += _ABOVE if above else 0
        if not report.prediction_ns:
            shapes.append(Label(left, y + 13, "not measured", "tertiary"))
            continue
        tint = _TINTS[min(place, len(_TINTS) - 1)]
        shapes += _bar(report, y, left, (WIDTH - left - _LABEL_WIDTH - MARGIN) / reach, tint)
        label = units.duration(report.median_ns)
        if place:
            judgement = comparison.judgements[place]
            text = judgement.text() if judgement.decided else judgement.label.partition(":")[0]
            label += f" · {text}"
        shapes.append(Label(WIDTH - MARGIN, y + 13, label, anchor="end"))
    top = _BEGIN + len(reports) * step + 12
    drawn = _layers(comparison, top)
    tall = (
        top
        + (36 + len(_changed(comparison)) * (5 + 9 * len(comparison.names)) if drawn else 0)
        + 8
    )
    return Drawing("Comparison", WIDTH, tall, (*shapes, *drawn))


def _bar(
    report: PerformanceReport, y: float, left: float, scale: float, tint: str
) -> list[Shape]:
    """The headline median as a bar, the middle nine tenths of all predictions as a line."""
    low, high = (scale * end for end in _ends(report))
    ends = ((left + low, y + 9.5), (left + high, y + 9.5))
    return [
        Box(left, y + 3, max(1.0, scale * report.median_ns), 13, tint, radius=2),
        Line(ends, "text", 1.2),
    ]


def _ends(report: PerformanceReport) -> tuple[float, float]:
    """Return p5 and p95 of all predictions in nanoseconds; the median twice of too few."""
    if len(report.prediction_ns) < MIN_P95_SAMPLES:
        return report.median_ns, report.median_ns
    low, high = np.quantile(report.prediction_ns, (0.05, 0.95)).tolist()
    return low, high


def _change(block: Block, side: int) -> str:
    ns = block.delta_ns(side)
    if ns and block.changes[side] is Change.RESOLUTION:
        return BELOW_RESOLUTION
    return "n/a" if ns is None else units.signed(ns, units.duration)


def _changed(comparison: Comparison) -> list[Block]:
    sides = range(1, len(comparison.names))

    def change(block: Block) -> int:
        return max((abs(block.delta_ns(side) or 0) for side in sides), default=0)

    return sorted(filter(change, comparison.blocks), key=change, reverse=True)[:MOST_LAYERS]


def _layers(comparison: Comparison, top: float) -> list[Shape]:
    """A bar for each report and layer, in the order of the reports; +N: others share it."""
    rows = _changed(comparison)
    if not rows:
        return []
    times = [time for row in rows for time in row.time_ns if time]
    longest, room = max(times, default=1), WIDTH - _NAMES - 150 - MARGIN
    shapes: list[Shape] = [
        Label(MARGIN, top + 12, "Layers that changed most", size=12, bold=True)
    ]
    if any(len(row.rows) > 1 for row in rows):
        text = "+N: time includes N fused layers or added casts"
        shapes.append(Label(WIDTH - MARGIN, top + 12, text, "tertiary", 10, anchor="end"))
    each = 5 + 9 * len(comparison.names)
    for place, row in enumerate(rows):
        y = top + 26 + place * each
        lead = comparison.layers[row.lead]
        more = f" +{len(row.rows) - 1}" if len(row.rows) > 1 else ""
        name = fitting_name(units.clip(lead.name or lead.operator) + more, _NAMES - 28, 10)
        shapes.append(Label(MARGIN, y + each / 2 + 1, name, size=10))
        for side, time in enumerate(row.time_ns):
            if time:
                tint, wide = _TINTS[min(side, len(_TINTS) - 1)], room * time / longest
                shapes.append(Box(_NAMES, y + 9 * side, max(1.0, wide), 8, tint, radius=1.5))
        text = ", ".join(_change(row, side) for side in range(1, len(comparison.names)))
        text = text if len(text) < 40 else f"{text[:39]}…"
        x = WIDTH - MARGIN
        shapes.append(Label(x, y + each / 2 + 1, text, "secondary", 10, anchor="end"))
    return shapes
