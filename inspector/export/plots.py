"""The plots of a report by name: each a drawing that becomes SVG, PNG or part of a PDF."""

from collections.abc import Callable, Iterator, Sequence

from inspector import units
from inspector.analysis.latency import latency
from inspector.detail import predictions, representative
from inspector.errors import BadInput
from inspector.export.charts import Line as Level
from inspector.export.charts import histogram, reach, series
from inspector.export.drawing import (
    Box,
    Drawing,
    Line,
    Shape,
    Words,
    below_each_other,
    fitting_name,
    text_width,
)
from inspector.export.phase_plots import memory_plot, phases_plot, throughput_plot
from inspector.export.roofline_plot import roofline_plot
from inspector.export.timeline_plot import timeline_plot
from inspector.report import PerformanceReport

WIDTH, MOST_LAYERS, LEFT, MARGIN = 720, 12, 64, 16
_TALL, _BAR, _BEGIN, _LEVEL, _LINE, _LEAST_NAMES = 140, 20, 36, 46, 11, 100


def series_plot(report: PerformanceReport, width: int = WIDTH) -> Drawing:
    """All predictions in the order they were taken, with the headline median and their p95."""
    found = series(report.prediction_ns, report.median_ns)
    shapes: list[Shape] = [heading("Predictions, in order")]
    latencies = latency(report)
    if found is None or latencies is None:
        return _nothing(shapes, "No prediction was timed.")
    key = f"{latencies.headline_label}; dashed: p95 of all"
    shapes.append(Words(width - MARGIN, 24, key, "tertiary", 10, anchor="end"))
    end = width - MARGIN - _LEVEL
    for level in (*found.grid, *found.levels):
        y = _BEGIN + level.at * _TALL / 100
        told = level in found.levels
        tint = {"p95": "tertiary", "": "grid"}.get(level.look, "accent")
        tint = "accent" if told and level.look == "" else tint
        shapes.append(Line(((LEFT, y), (end, y)), tint, dashed=level.look == "p95"))
        if not told:
            shapes.append(Words(LEFT - 8, y + 4, level.text, "tertiary", 10, anchor="end"))
    for stroke in found.strokes:
        points = tuple(
            (LEFT + x * (end - LEFT) / 100, _BEGIN + y * _TALL / 100) for x, y in stroke
        )
        shapes.append(Line(points, "activity"))
    shapes += _named(found.levels, end + 6)
    return Drawing("Predictions, in order", width, _BEGIN + _TALL + 28, tuple(shapes))


def _named(levels: Sequence[Level], x: float) -> Iterator[Words]:
    """Names of p95 and median beside their ends, apart even where the two are close."""
    high, low = (_BEGIN + level.at * _TALL / 100 for level in levels)
    crowded = max(0.0, _LINE - (low - high)) / 2
    for level, y in zip(levels, (high - crowded, low + crowded), strict=True):
        yield Words(x, y + 3.5, level.text, "secondary", 10)


def histogram_plot(report: PerformanceReport, width: int = WIDTH) -> Drawing:
    """Distribution of all predictions; the bar of the headline median stands out."""
    samples = report.prediction_ns
    bars = histogram(samples, report.median_ns)
    shapes: list[Shape] = [heading("Distribution of all predictions")]
    if not bars:
        return _nothing(shapes, "No prediction was timed.")
    wide = (width - LEFT - MARGIN) / len(bars)
    for place, bar in enumerate(bars):
        tall = bar.height * _TALL
        tint = "activity" if bar.median else "selection"
        x, y = LEFT + place * wide + 1, _BEGIN + _TALL - tall
        shapes.append(Box(x, y, wide - 2, tall, tint, title=bar.title))
    below = _BEGIN + _TALL + 14
    far = units.duration(max(samples))
    if max(samples) > reach(samples):
        far += "; the last bar takes all that lies far out"
    shapes += [
        Line(((LEFT, _BEGIN + _TALL), (width - MARGIN, _BEGIN + _TALL)), "border"),
        Words(LEFT, below, units.duration(min(samples)), "tertiary", 10),
        Words(width - MARGIN, below, far, "tertiary", 10, anchor="end"),
    ]
    return Drawing("Distribution of all predictions", width, below + 14, tuple(shapes))


def layers_plot(report: PerformanceReport) -> Drawing:
    """The layers that take longest, as bars in the colour of their device."""
    timed = (layer for layer in report.layers if layer.time_ns)
    rows = sorted(timed, key=lambda layer: -(layer.time_ns or 0))[:MOST_LAYERS]
    shapes: list[Shape] = [heading("Longest layers")]
    if not rows:
        return _nothing(shapes, "No layer was timed.")
    told = [fitting_name(units.clip(layer.name or layer.operator), 236) for layer in rows]
    names = max(_LEAST_NAMES, MARGIN + 8 + max(map(text_width, told)))
    room = WIDTH - names - 130 - MARGIN
    kinds = {device.id: device.kind for device in report.devices}
    longest = rows[0].time_ns or 1
    for place, (name, layer) in enumerate(zip(told, rows, strict=True)):
        y, time = _BEGIN + place * _BAR, layer.time_ns or 0
        kind = kinds.get(layer.ran_on or "", "cpu")
        tint = kind if kind in ("cpu", "gpu") else "npu"
        words = f"{units.lined_up(time, longest)} · {units.share(time, report.kernel_ns)}"
        shapes += [
            Words(MARGIN, y + 13, name),
            Box(names, y + 3, max(1.0, room * time / longest), 13, tint, radius=2),
            Words(WIDTH - MARGIN, y + 13, words, anchor="end"),
        ]
    tall = _BEGIN + len(rows) * _BAR + MARGIN
    return Drawing("Longest layers", WIDTH, tall, tuple(shapes))


def timeline_of(report: PerformanceReport, width: int = 1200) -> Drawing:
    """The profiled prediction of middle length."""
    trace = report.trace
    begin, end = representative(trace)
    room = 0.01 * (end - begin)
    runs = len(predictions(trace))
    which = f"a profiled prediction of middle length, of {runs:,}" if runs else "the trace"
    return timeline_plot(trace, (begin - room, end + room), f"Timeline: {which}", begin, width)


def all_plots(report: PerformanceReport) -> Drawing:
    """Predictions, how they spread, and the longest layers, one below the other."""
    title = f"Performance of {report.model.name}"
    few = (series_plot(report), histogram_plot(report), layers_plot(report))
    return below_each_other(title, few)


PLOTS: dict[str, Callable[[PerformanceReport], Drawing]] = {
    "summary": all_plots,
    "series": series_plot,
    "histogram": histogram_plot,
    "layers": layers_plot,
    "timeline": timeline_of,
    "phases": phases_plot,
    "memory": memory_plot,
    "throughput": throughput_plot,
    "roofline": roofline_plot,
}


def plot(report: PerformanceReport, name: str) -> Drawing:
    """Draw one of PLOTS. Raises BadInput: no such plot."""
    if name not in PLOTS:
        known = ", ".join(PLOTS)
        raise BadInput("Could not draw", f"there is no plot '{name}'", f"Use {known}.")
    return PLOTS[name](report)


def heading(text: str) -> Words:
    """The title inside a drawing."""
    return Words(MARGIN, 24, text, size=12, bold=True)


def _nothing(shapes: list[Shape], why: str) -> Drawing:
    shapes.append(Words(MARGIN, 48, why, "secondary"))
    return Drawing(why, WIDTH, 64, tuple(shapes))
