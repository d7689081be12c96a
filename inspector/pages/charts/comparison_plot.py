"""A comparison as a drawing: medians with their intervals, and the layers that changed most."""

from collections.abc import Sequence

import numpy as np

from inspector import units
from inspector.comparison.comparison import Comparison
from inspector.comparison.layer_changes import BELOW_RESOLUTION, Block, Change
from inspector.pages.charts.bars import BEGIN, TALL_ROW, Bar, height, lines, tall_lines
from inspector.pages.charts.drawing import (
    MARGIN,
    Drawing,
    below_each_other,
    fitting_name,
    head,
    text_width,
)
from inspector.report.report import PerformanceReport
from inspector.statistics.intervals import MIN_P95_SAMPLES
from inspector.wording.values import Duration, Joined, Name, Value

WIDTH = 720
MOST_LAYERS = 14
_NAMES = 236  # pixels: longer names stand above their bars
_MOST_WORDS = 40
_KEY = "bar: median at full CPU speed, if known; line: p5 to p95 of all runs"
_TINTS = ("tertiary", "activity", "data", "cpu", "gpu", "npu")


def comparison_plot(comparison: Comparison, reports: Sequence[PerformanceReport]) -> Drawing:
    """Median and middle nine tenths of each report; then layers by how much they changed."""
    reach = max((_ends(report)[1] for report in reports if report.prediction_ns), default=1)
    bars = []
    for place, report in enumerate(reports):
        name = Name(units.clip(comparison.names[place]))
        if not report.prediction_ns:
            bars.append(Bar(name, 0, "not measured"))
            continue
        words: Value = Duration(report.median_ns)
        if place:
            judgement = comparison.judgements[place]
            text = judgement.text() if judgement.decided else judgement.label.partition(":")[0]
            words = Joined((words, text), " · ")
        low, high = _ends(report)
        ends = (low / reach, high / reach)
        bars.append(Bar(name, report.median_ns / reach, words, _tint(place), reach=ends))
    parts = [_drawing("Latency", _KEY, bars)]
    if rows := _changed(comparison):
        folded = any(len(row.rows) > 1 for row in rows)
        note = "+N: time includes N fused layers or added casts" if folded else ""
        parts.append(_drawing("Layers that changed most", note, _layers(comparison, rows)))
    return below_each_other("Comparison", tuple(parts))


def _drawing(title: str, note: str, bars: Sequence[Bar]) -> Drawing:
    above = any(text_width(bar.name) > _NAMES for bar in bars)
    tall = len(bars) * TALL_ROW + MARGIN if above else height(bars)
    shapes = (*head(title, WIDTH, note), *(tall_lines if above else lines)(bars, WIDTH, BEGIN))
    return Drawing(title, WIDTH, BEGIN + tall, shapes)


def _tint(place: int) -> str:
    return _TINTS[min(place, len(_TINTS) - 1)]


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


def _layers(comparison: Comparison, rows: Sequence[Block]) -> list[Bar]:
    """Return a line for each layer, with a bar for each report; +N: others share its time."""
    longest = max((time for row in rows for time in row.time_ns if time), default=1)
    bars = []
    for row in rows:
        lead = comparison.layers[row.lead]
        more = f" +{len(row.rows) - 1}" if len(row.rows) > 1 else ""
        name = fitting_name(units.clip(lead.name or lead.operator) + more, _NAMES)
        words = ", ".join(_change(row, side) for side in range(1, len(comparison.names)))
        first, *others = (
            ((time or 0) / longest, _tint(side)) for side, time in enumerate(row.time_ns)
        )
        text = units.clip(words, _MOST_WORDS)
        bars.append(Bar(Name(name), first[0], text, first[1], more=tuple(others)))
    return bars
