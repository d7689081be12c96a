"""The plots of a report by name: each a drawing that becomes SVG, PNG or part of a PDF."""

from collections.abc import Callable, Sequence

from inspector import units
from inspector.analysis.measured.layer_sum import most_important, unranked
from inspector.analysis.measured.phases import held_phases, timed_phases
from inspector.errors import BadInput
from inspector.export.charts.drawing import (
    Box,
    Drawing,
    Label,
    Line,
    Point,
    Shape,
    below_each_other,
    fitting,
    fitting_name,
    text_width,
)
from inspector.export.charts.roofline_plot import roofline_plot
from inspector.export.charts.runs_plot import runs_plot
from inspector.export.charts.sample_charts import (
    axis_text,
    histogram,
    reach,
    round_step,
)
from inspector.export.charts.timeline_plot import timeline_plot
from inspector.report.report import PerformanceReport, Throughput
from inspector.trace.trace_rows import median_prediction, prediction_intervals

# Where loading and memory go, and latency against load, as drawings.


PHASE_WIDTH, _MARGIN, _PHASE_PLOTS_BAR, _PHASE_PLOTS_BEGIN, _NAMES = 720, 16, 20, 36, 220
# Pixels.
_PHASE_PLOTS_TALL, _LEFT = 150, 64


def phases_plot(report: PerformanceReport, width: float = PHASE_WIDTH) -> Drawing:
    """Phases from loading to the warm-up as bars; those inside another are indented."""
    phases = timed_phases(report)
    longest = max((phase.duration_ns for phase in phases), default=1) or 1
    words = 150 if any(phase.grown_text for phase in phases) else 90
    names = _names_px([units.clip(phase.name) for phase in phases])
    shapes: list[Shape] = [_heading("Load phases")]
    for place, phase in enumerate(phases):
        y, inset = _PHASE_PLOTS_BEGIN + place * _PHASE_PLOTS_BAR, 14 if phase.inside else 0
        wide = (width - names - words - _MARGIN) * phase.duration_ns / longest
        name = fitting(units.clip(phase.name), names - _MARGIN - inset - 8)
        tone = "secondary" if phase.inside else "text"
        shapes += [
            Label(_MARGIN + inset, y + 13, name, tone),
            Box(
                names,
                y + 3,
                max(1.0, wide),
                13,
                "activity",
                0.55 if phase.inside else 1,
                f"{units.clip(phase.name)}: {phase.text}",
                radius=2,
            ),
            Label(width - _MARGIN, y + 13, phase.text, tone, anchor="end"),
        ]
    tall = _PHASE_PLOTS_BEGIN + len(phases) * _PHASE_PLOTS_BAR + _MARGIN
    return Drawing("Load phases", width, tall, tuple(shapes))


def memory_plot(report: PerformanceReport, width: float = PHASE_WIDTH) -> Drawing:
    """Resident memory after each phase; the peak until then as a tick."""
    phases = held_phases(report.memory)
    most = max((max(p.resident_bytes, p.peak_bytes or 0) for p in phases), default=1) or 1
    names = _names_px([phase.name for phase in phases])
    room = width - names - 150 - _MARGIN
    shapes: list[Shape] = [
        _heading("Memory of the engine process"),
        Label(width - _MARGIN, 24, "tick: peak so far", "tertiary", 10, anchor="end"),
    ]
    for place, phase in enumerate(phases):
        y, peak = _PHASE_PLOTS_BEGIN + place * _PHASE_PLOTS_BAR, phase.peak_bytes
        label = units.size(phase.resident_bytes)
        label += f", peak {units.size(peak)}" if peak else ""
        shapes += [
            Label(_MARGIN, y + 13, phase.name),
            Box(
                names,
                y + 3,
                room * phase.resident_bytes / most,
                13,
                "tertiary",
                1,
                f"{phase.name}: {label}",
                2,
            ),
            Label(width - _MARGIN, y + 13, label, anchor="end"),
        ]
        if peak:
            x = names + room * peak / most
            shapes.append(Line(((x, y + 2), (x, y + 17)), "text", 1.6))
    tall = _PHASE_PLOTS_BEGIN + len(phases) * _PHASE_PLOTS_BAR + _MARGIN
    return Drawing("Memory of the engine process", width, tall, tuple(shapes))


def _names_px(names: Sequence[str]) -> float:
    """Return where bars begin: behind the longest name, or where that is cut."""
    return min(_NAMES, _MARGIN + 26 + max(map(text_width, names), default=0.0))


def throughput_plot(report: PerformanceReport) -> Drawing:
    """Predictions a second, and latency, against how many run at once."""
    return load_curve(report.throughput)


def load_curve(measurements: Sequence[Throughput], width: float = PHASE_WIDTH) -> Drawing:
    """Throughput on the left; median and p95 of the latency on the right."""
    if not measurements:
        why = "Concurrent runs were not measured; measure with --concurrency 1,2,4."
        text = Label(_MARGIN, 48, why, "secondary")
        return Drawing(why, width, 64, (_heading("Latency of concurrent runs"), text))
    half = width / 2
    rates = [each.per_second for each in measurements]
    medians = [float(each.quantile_ns(0.5)) for each in measurements]
    tails = all(each.has_p95 for each in measurements)
    slow = [float(each.quantile_ns(0.95)) for each in measurements] if tails else []
    numbers = [each.concurrency for each in measurements]
    shapes: list[Shape] = [_heading("Measured throughput, inferences/s")]
    shapes.append(Label(half + _MARGIN, 24, "Latency", size=12, bold=True))
    key = "solid: median; dashed: p95" if tails else "median"
    keys = Label(width - _MARGIN, 24, key, "tertiary", 10, anchor="end")
    shapes.append(keys)
    top = max(rates)

    def rate_text(per_second: float) -> str:
        return f"{units.rate(per_second)} inferences/s"

    shapes += _axes(0, half, numbers, top, lambda value, _: f"{value:,.6g}")
    shapes += _curve(0, half, numbers, rates, _reach(top), "cpu", False, rate_text)
    top = max(slow or medians)
    shapes += _axes(half, width, numbers, top, axis_text)
    if tails:
        shapes += _curve(half, width, numbers, slow, _reach(top), "activity", dashed=True)
    shapes += _curve(half, width, numbers, medians, _reach(top), "activity", dashed=False)
    return Drawing(
        "Latency of concurrent runs",
        width,
        _PHASE_PLOTS_BEGIN + _PHASE_PLOTS_TALL + 44,
        tuple(shapes),
    )


def _heading(text: str) -> Label:
    return Label(_MARGIN, 24, text, size=12, bold=True)


def _reach(top: float) -> float:
    step = round_step(max(top, 1e-9) / 3)
    return step * -(-top // step) or 1.0


def _axes(
    left: float, right: float, numbers: Sequence[int], top: float,
    label_of: Callable[[float, float], str],
) -> list[Shape]:  # fmt: skip
    reach, step = _reach(top), round_step(max(top, 1e-9) / 3)
    shapes: list[Shape] = []
    for place in range(round(reach / step) + 1):
        y = _PHASE_PLOTS_BEGIN + _PHASE_PLOTS_TALL * (1 - place * step / reach)
        shapes.append(Line(((left + _LEFT, y), (right - _MARGIN, y)), "grid"))
        text = label_of(place * step, reach)
        shapes.append(Label(left + _LEFT - 8, y + 4, text, "tertiary", 10, anchor="end"))
    for number, x in zip(numbers, _places(left, right, numbers), strict=True):
        y = _PHASE_PLOTS_BEGIN + _PHASE_PLOTS_TALL + 14
        shapes.append(Label(x, y, str(number), "tertiary", 10, anchor="middle"))
    middle = (left + _LEFT + right - _MARGIN) / 2
    shapes.append(
        Label(
            middle,
            _PHASE_PLOTS_BEGIN + _PHASE_PLOTS_TALL + 30,
            "concurrent runs",
            "tertiary",
            10,
            anchor="middle",
        )
    )
    return shapes


def _places(left: float, right: float, numbers: Sequence[int]) -> list[float]:
    """Return where each number of predictions is, evenly apart."""
    begin, room = left + _LEFT + 14, right - left - _LEFT - _MARGIN - 28
    gaps = max(1, len(numbers) - 1)
    return [begin + room * i / gaps for i in range(len(numbers))]


def _curve(
    left: float, right: float, numbers: Sequence[int], values: Sequence[float], reach: float,
    tint: str, dashed: bool, text: Callable[[float], str] = units.duration,
) -> list[Shape]:  # fmt: skip
    xs = _places(left, right, numbers)
    points: list[Point] = [
        (x, _PHASE_PLOTS_BEGIN + _PHASE_PLOTS_TALL * (1 - value / reach))
        for x, value in zip(xs, values, strict=True)
    ]
    dots = [
        Box(x - 2.5, y - 2.5, 5, 5, tint, 1, f"{number} concurrent: {text(value)}", 2.5)
        for (x, y), number, value in zip(points, numbers, values, strict=True)
    ]
    return [Line(tuple(points), tint, 1.6, dashed), *dots]


WIDTH, MOST_LAYERS, LEFT, MARGIN = 720, 12, 64, 16
_TALL, _BAR, _BEGIN, _LEAST_NAMES = 140, 20, 36, 100


def histogram_plot(report: PerformanceReport, width: float = WIDTH) -> Drawing:
    """Distribution of all predictions; the bar of the headline median stands out."""
    samples = report.prediction_ns
    bars = histogram(samples, report.median_ns)
    shapes: list[Shape] = [heading("Distribution of all runs")]
    if not bars:
        return _nothing(shapes, "No run was timed.")
    wide = (width - LEFT - MARGIN) / len(bars)
    for place, bar in enumerate(bars):
        tall = bar.height * _TALL
        tint = "activity" if bar.median else "selection"
        x, y = LEFT + place * wide + 1, _BEGIN + _TALL - tall
        shapes.append(Box(x, y, wide - 2, tall, tint, title=bar.title))
    below = _BEGIN + _TALL + 14
    far = units.duration(max(samples))
    if max(samples) > reach(samples):
        far += "; the last bar includes all slower runs"
    shapes += [
        Line(((LEFT, _BEGIN + _TALL), (width - MARGIN, _BEGIN + _TALL)), "border"),
        Label(LEFT, below, units.duration(min(samples)), "tertiary", 10),
        Label(width - MARGIN, below, far, "tertiary", 10, anchor="end"),
    ]
    return Drawing("Distribution of all runs", width, below + 14, tuple(shapes))


def layers_plot(report: PerformanceReport) -> Drawing:
    """The layers that take longest, as bars in the colour of their device.

    The first layers without bars where they cannot be ranked.
    """
    rows = [layer for layer in most_important(report, MOST_LAYERS) if layer.time_ns]
    ranked = not unranked(report)
    unranked_title = "Layers in model order (times are too uncertain to rank)"
    title = "Slowest layers" if ranked else unranked_title
    shapes: list[Shape] = [heading(title)]
    if not rows:
        return _nothing(shapes, "No layer was timed.")
    labels = [fitting_name(units.clip(layer.name or layer.operator), 236) for layer in rows]
    names = max(_LEAST_NAMES, MARGIN + 8 + max(map(text_width, labels)))
    room = WIDTH - names - 130 - MARGIN
    kinds = {device.id: device.kind for device in report.devices}
    longest = max(layer.time_ns or 1 for layer in rows)
    for place, (name, layer) in enumerate(zip(labels, rows, strict=True)):
        y, time = _BEGIN + place * _BAR, layer.time_ns or 0
        kind = kinds.get(layer.ran_on or "", "cpu")
        tint = kind if kind in ("cpu", "gpu") else "npu"
        written = units.duration(time, report.profiling.clock_ns)
        label = f"{written} · {units.share(time, report.kernel_ns)}"
        shapes += [
            Label(MARGIN, y + 13, name),
            *[Box(names, y + 3, max(1.0, room * time / longest), 13, tint, radius=2)] * ranked,
            Label(WIDTH - MARGIN, y + 13, label, anchor="end"),
        ]
    tall = _BEGIN + len(rows) * _BAR + MARGIN
    return Drawing(title, WIDTH, tall, tuple(shapes))


def timeline_of(report: PerformanceReport, width: int = 1200) -> Drawing:
    """Draw the profiled prediction of middle length. Raises BadInput: there is none."""
    trace = report.trace
    if not len(trace):
        raise BadInput(
            "Could not draw the timeline",
            "this report has no layer times",
            "Measure again without --no-layers.",
        )
    begin, end = median_prediction(trace)
    room = 0.01 * (end - begin)
    title = f"Timeline: {timeline_part(report)}"
    return timeline_plot(trace, (begin - room, end + room), title, begin, width)


def timeline_part(report: PerformanceReport) -> str:
    """Return which part of the trace the timeline shows."""
    runs = len(prediction_intervals(report.trace))
    return f"the run of median length, out of {runs:,} profiled runs" if runs else "the trace"


def all_plots(report: PerformanceReport) -> Drawing:
    """Predictions, how they spread, and the longest layers, one below the other."""
    title = f"Performance of {report.model.name}"
    few = (runs_plot(report), histogram_plot(report), layers_plot(report))
    return below_each_other(title, few)


PLOTS: dict[str, Callable[[PerformanceReport], Drawing]] = {
    "summary": all_plots,
    "series": runs_plot,
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
        raise BadInput(
            "Could not draw the plot", f"there is no plot named '{name}'", f"Use {known}."
        )
    return PLOTS[name](report)


def heading(text: str) -> Label:
    """The title inside a drawing."""
    return Label(MARGIN, 24, text, size=12, bold=True)


def _nothing(shapes: list[Shape], why: str) -> Drawing:
    shapes.append(Label(MARGIN, 48, why, "secondary"))
    return Drawing(why, WIDTH, 64, tuple(shapes))
