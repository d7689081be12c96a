"""The plots of a report by name: each a drawing that becomes SVG, PNG or part of a PDF."""

from collections.abc import Callable, Sequence

from inspector import units
from inspector.analysis.measured.layer_sum import most_important, unranked
from inspector.analysis.measured.partitions import Island, partition
from inspector.analysis.measured.phases import held_phases, timed_phases
from inspector.analysis.measured.shown_run import shown_run
from inspector.errors import BadInput
from inspector.pages.charts.bars import BEGIN, Bar, height, lines, whole
from inspector.pages.charts.curves import Axes, Curve, curve_plot, time_scale
from inspector.pages.charts.drawing import (
    MARGIN,
    Drawing,
    below_each_other,
    empty,
    fitting_name,
    head,
    legend,
    moved,
)
from inspector.pages.charts.histograms import columns, histogram, reach
from inspector.pages.charts.palette import role
from inspector.pages.charts.plane import Plane
from inspector.pages.charts.roofline_plot import roofline_plot
from inspector.pages.charts.runs_plot import runs_plot
from inspector.pages.charts.timeline_plot import timeline_plot
from inspector.report.report import PerformanceReport, Throughput
from inspector.wording.values import Count, Duration, Joined, Name, Sentence, Share, Size, Value

WIDTH = 720
MOST_LAYERS = 12
# of planes, in pixels
_LEFT = 64.0
_TOP = 36.0
_HISTOGRAM_PX = 140.0  # height of a plane
# of the bar of partitions, and the base line of the words below
_BAR_TOP = 14.0
_LEGEND = 46.0
_LONGEST_NAME_PX = 236.0


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
            words = Sentence("{held}, peak {peak}", words, Size(phase.peak_bytes))
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
    x = tuple(map(float, range(len(measurements))))
    ticks = tuple(zip(x, (str(each.concurrency) for each in measurements), strict=True))
    rates = Curve("", x, tuple(each.per_second for each in measurements))
    tails = all(each.has_p95 for each in measurements)
    quantiles = [(Sentence("median"), 0.5), ("p95", 0.95)][: 1 + tails]
    scale, unit = time_scale(max(each.quantile_ns(quantiles[-1][1]) for each in measurements))
    times = tuple(
        Curve(name, x, tuple(each.quantile_ns(share) / scale for each in measurements))
        for name, share in quantiles
    )
    across, named = "concurrent runs", Sentence("Latency in {unit}", Name(unit))
    left = curve_plot(
        "Measured throughput",
        ((rates,), Axes(across, Sentence("runs/s"), ticks)),
        width=width / 2,
    )
    right = curve_plot(
        Sentence("Latency"), (times, Axes(across, named, ticks)), width=width / 2
    )
    down = right.height - left.height  # of the legend, so that both planes stand level
    shapes = (
        *(moved(shape, 0, down if place else 0) for place, shape in enumerate(left.shapes)),
        *(moved(shape, width / 2, 0) for shape in right.shapes),
    )
    return Drawing("Latency of concurrent runs", width, right.height, shapes)


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
    """Draw the profiled run that fits the layer times best. Raises BadInput: there is none."""
    trace = report.trace
    if not len(trace):
        raise BadInput(
            "Could not draw the timeline",
            "this report has no layer times",
            "Measure again without --no-layers.",
        )
    run = shown_run(report)
    room = 0.01 * (run.end_ns - run.begin_ns)
    stretch = (run.begin_ns - room, run.end_ns + room)
    title = Sentence("Timeline: {part}", timeline_part(report))
    return timeline_plot(trace, stretch, title, run.begin_ns, width)


def timeline_part(report: PerformanceReport) -> Value:
    """Return which part of the trace the timeline shows, and why its length differs."""
    run = shown_run(report)
    return Joined((run.title, run.why), "; ") if run.why else run.title


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
