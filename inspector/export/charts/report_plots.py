"""The plots of a report by name: each a drawing that becomes SVG, PNG or part of a PDF."""

from collections.abc import Callable, Iterator, Sequence

from inspector import units
from inspector.analysis.measured.layer_sum import most_important, unranked
from inspector.analysis.measured.partitions import Island, partition
from inspector.analysis.measured.phases import held_phases, timed_phases
from inspector.errors import BadInput
from inspector.export.charts.bars import BEGIN, Bar, height, lines, whole
from inspector.export.charts.drawing import (
    MARGIN,
    Drawing,
    Label,
    Line,
    Shape,
    below_each_other,
    dot,
    empty,
    fitting_name,
    head,
    legend,
    role,
)
from inspector.export.charts.histograms import columns, histogram, reach
from inspector.export.charts.plane import SMALL, Plane, Ticks, numbers
from inspector.export.charts.roofline_plot import roofline_plot
from inspector.export.charts.runs_plot import runs_plot
from inspector.export.charts.timeline_plot import timeline_plot
from inspector.report.report import PerformanceReport, Throughput
from inspector.trace.trace_rows import median_prediction, prediction_intervals
from inspector.wording.values import (
    Count,
    Duration,
    Joined,
    Name,
    Rate,
    Sentence,
    Share,
    Size,
    Value,
)

WIDTH, MOST_LAYERS = 720, 12
_LEFT, _TOP = 64.0, 36.0  # of planes, in pixels
_CURVE_PX, _HISTOGRAM_PX = 150.0, 140.0  # height of planes
_BAR_TOP, _LEGEND = 14.0, 46.0  # of the bar of partitions, and the base line of the words below
_LONGEST_NAME_PX = 236.0
_TICKS = 3  # of the axes of concurrent runs


def phases_plot(report: PerformanceReport, width: float = WIDTH) -> Drawing:
    """Phases from loading to the warm-up as bars; those inside another are indented."""
    phases = timed_phases(report)
    longest = max((phase.duration_ns for phase in phases), default=1) or 1
    bars = [
        Bar(
            phase.name, phase.duration_ns / longest, phase.text, "activity",
            0.55 if phase.inside else 1.0, inside=phase.inside,
        )
        for phase in phases
    ]  # fmt: skip
    return _listed("Load phases", bars, width)


def memory_plot(report: PerformanceReport, width: float = WIDTH) -> Drawing:
    """Resident memory after each phase; the peak until then as a tick."""
    phases = held_phases(report.memory)
    most = max((max(p.resident_bytes, p.peak_bytes or 0) for p in phases), default=1) or 1
    bars = []
    for phase in phases:
        words: Value = Size(phase.resident_bytes)
        if phase.peak_bytes:
            sizes = {"held": words, "peak": Size(phase.peak_bytes)}
            words = Sentence("{held}, peak {peak}", **sizes)
        tick = phase.peak_bytes / most if phase.peak_bytes else None
        share = phase.resident_bytes / most
        bars.append(Bar(phase.name, share, words, "tertiary", tick=tick))
    return _listed("Memory of the engine process", bars, width, "tick: peak so far")


def throughput_plot(report: PerformanceReport) -> Drawing:
    """Predictions a second, and latency, against how many run at once."""
    return load_curve(report.throughput)


def load_curve(measurements: Sequence[Throughput], width: float = WIDTH) -> Drawing:
    """Throughput on the left; median and p95 of the latency on the right."""
    if not measurements:
        why = "Concurrent runs were not measured; measure with --concurrency 1,2,4."
        return empty("Latency of concurrent runs", why, width)
    rates = [each.per_second for each in measurements]
    medians = [float(each.quantile_ns(0.5)) for each in measurements]
    tails = all(each.has_p95 for each in measurements)
    slow = [float(each.quantile_ns(0.95)) for each in measurements] if tails else []
    runs = [each.concurrency for each in measurements]
    half, key = width / 2, "solid: median; dashed: p95" if tails else "median"
    left = _concurrent(0, half, max(rates), runs, numbers)
    right = _concurrent(half, width, max(slow or medians), runs, units.axis)
    shapes = [
        *head("Measured throughput, inferences/s", half),
        Label(half + MARGIN, 24, Sentence("Latency"), size=12, bold=True),
        Label(width - MARGIN, 24, key, "tertiary", SMALL, anchor="end"),
        *left[1],
        *_curve(left[0], runs, rates, "cpu", Rate),
        *right[1],
        *(_curve(right[0], runs, slow, "activity", Duration, dashed=True) if tails else ()),
        *_curve(right[0], runs, medians, "activity", Duration),
    ]
    return Drawing("Latency of concurrent runs", width, _TOP + _CURVE_PX + 44, tuple(shapes))


def _concurrent(
    left: float, right: float, most: float, runs: Sequence[int],
    ticks: Callable[[float, float, int], Ticks],
) -> tuple[Plane, list[Shape]]:  # fmt: skip
    """Return a plane for values up to one, with the numbers of concurrent runs below it."""
    end = len(runs) - 0.8
    plane = Plane(
        left + _LEFT, _TOP, right - MARGIN, _TOP + _CURVE_PX, 1.1 * most or 1.0, 0, -0.2, end
    )
    shapes = list(plane.grid(ticks(0, plane.high, _TICKS)))
    for place, number in enumerate(runs):
        x, y = plane.x(place), plane.bottom + 14
        shapes.append(Label(x, y, str(number), "tertiary", SMALL, anchor="middle"))
    middle = (plane.left + plane.right) / 2
    name = Label(
        middle, plane.bottom + 30, "concurrent runs", "tertiary", SMALL, anchor="middle"
    )
    return plane, [*shapes, name]


def _curve(
    plane: Plane, runs: Sequence[int], values: Sequence[float], tint: str,
    said: Callable[[float], Value], dashed: bool = False,
) -> Iterator[Shape]:  # fmt: skip
    points = [(plane.x(place), plane.y(value)) for place, value in enumerate(values)]
    yield Line(tuple(points), tint, 1.6, dashed)
    for (x, y), number, value in zip(points, runs, values, strict=True):
        title = Sentence("{count} concurrent: {value}", Count(number), said(value))
        yield dot(x, y, 2.5, tint, title=title)


def histogram_plot(report: PerformanceReport, width: float = WIDTH) -> Drawing:
    """Distribution of all predictions; the bar of the headline median stands out."""
    samples, title = report.prediction_ns, "Distribution of all runs"
    if not samples:
        return empty(title, "No run was timed.", width)
    plane = Plane(_LEFT, _TOP, width - MARGIN, _TOP + _HISTOGRAM_PX, 1.0)
    far: Value = Duration(max(samples))
    if max(samples) > reach(samples):
        far = Sentence("{longest}; the last bar includes all slower runs", far)
    shapes = (
        *head(title, width),
        *columns(plane, histogram(samples, report.median_ns)),
        *plane.foot(Duration(min(samples)), far),
    )
    return Drawing(title, width, plane.bottom + 28, shapes)


def partition_plot(report: PerformanceReport, width: float = WIDTH) -> Drawing:
    """Draw the partitions in the order of the model, in the colors of their devices."""
    islands = partition(report).islands
    kinds = {device.id: role(device.kind) for device in report.devices}
    bars = [
        Bar(
            units.device(island.device), len(island.layers),
            tint=kinds.get(island.device, "cpu"), title=_partition(island),
            key=str(island.layers[0]),
        )
        for island in islands
    ]  # fmt: skip
    names = {bar.name: bar.tint for bar in bars}
    shapes = (*whole(bars, width, _BAR_TOP), *legend(tuple(names.items()), width, _LEGEND))
    return Drawing("Partitions", width, _LEGEND + 8, shapes)


def _partition(island: Island) -> Value:
    """Return a partition in a line: "CPU: 1 layer from #9, 802 µs; 2 copies, 4.00 KiB"."""
    values: dict[str, Value] = {
        "device": units.device(island.device), "layers": Count(len(island.layers), "layer"),
        "first": f"#{island.layers[0]}", "time": Duration(island.time_ns),
    }  # fmt: skip
    text = Sentence("{device}: {layers} from {first}, {time}", **values)
    if not island.copies:
        return text
    copies = Count(len(island.copies), "copy"), Size(island.copied_bytes)
    return Joined((text, Joined(copies)), "; ")


def layers_plot(report: PerformanceReport) -> Drawing:
    """The layers that take longest, as bars in the color of their device.

    The first layers without bars where they cannot be ranked.
    """
    rows = [layer for layer in most_important(report, MOST_LAYERS) if layer.time_ns]
    ranked = not unranked(report)
    unranked_title = "Layers in model order (times are too uncertain to rank)"
    title = "Slowest layers" if ranked else unranked_title
    if not rows:
        return empty(title, "No layer was timed.", WIDTH)
    kinds = {device.id: device.kind for device in report.devices}
    longest = max(layer.time_ns or 1 for layer in rows)
    bars = []
    for layer in rows:
        name = fitting_name(units.clip(layer.name or layer.operator), _LONGEST_NAME_PX)
        time = layer.time_ns or 0
        words = Joined(
            (Duration(time, report.profiling.clock_ns), Share(time, report.kernel_ns)), " · "
        )
        tint = role(kinds.get(layer.ran_on or "", "cpu"))
        bars.append(Bar(Name(name), ranked * time / longest, words, tint))
    return _listed(title, bars, WIDTH)


def _listed(title: str, bars: Sequence[Bar], width: float, note: str = "") -> Drawing:
    shapes = (*head(title, width, note), *lines(bars, width))
    return Drawing(title, width, BEGIN + height(bars), shapes)


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
    title = Sentence("Timeline: {part}", timeline_part(report))
    return timeline_plot(trace, (begin - room, end + room), title, begin, width)


def timeline_part(report: PerformanceReport) -> str:
    """Return which part of the trace the timeline shows."""
    runs = len(prediction_intervals(report.trace))
    of = Count(runs, "profiled run")
    return Sentence("the run of median length, out of {runs}", of) if runs else "the trace"


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
