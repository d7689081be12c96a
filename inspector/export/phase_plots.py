"""Where loading and memory go, and latency against load, as drawings."""

from collections.abc import Callable, Sequence

from inspector import units
from inspector.analysis.phases import held_phases, timed_phases
from inspector.export.charts import axis_text, round_step
from inspector.export.drawing import Box, Drawing, Line, Point, Shape, Words, fitting
from inspector.report import PerformanceReport
from inspector.throughput import Throughput

WIDTH, _MARGIN, _BAR, _BEGIN, _NAMES = 720, 16, 20, 36, 220
_TALL, _LEFT = 150, 64


def phases_plot(report: PerformanceReport, width: int = WIDTH) -> Drawing:
    """Phases from loading to the warm-up as bars; those inside another are indented."""
    phases = timed_phases(report)
    longest = max((phase.duration_ns for phase in phases), default=1) or 1
    shapes: list[Shape] = [_heading("Loading, phase by phase")]
    for place, phase in enumerate(phases):
        y, inset = _BEGIN + place * _BAR, 14 if phase.inside else 0
        wide = (width - _NAMES - 90 - _MARGIN) * phase.duration_ns / longest
        name = fitting(units.clip(phase.name), _NAMES - _MARGIN - inset - 8)
        tone = "secondary" if phase.inside else "text"
        shapes += [
            Words(_MARGIN + inset, y + 13, name, tone),
            Box(
                _NAMES,
                y + 3,
                max(1.0, wide),
                13,
                "activity",
                0.55 if phase.inside else 1,
                radius=2,
            ),
            Words(
                width - _MARGIN, y + 13, units.duration(phase.duration_ns), tone, anchor="end"
            ),
        ]
    tall = _BEGIN + len(phases) * _BAR + _MARGIN
    return Drawing("Loading, phase by phase", width, tall, tuple(shapes))


def memory_plot(report: PerformanceReport, width: int = WIDTH) -> Drawing:
    """Resident memory after each phase; the peak until then as a tick."""
    phases = held_phases(report.memory)
    most = max((max(p.resident_bytes, p.peak_bytes or 0) for p in phases), default=1) or 1
    room = width - _NAMES - 150 - _MARGIN
    shapes: list[Shape] = [
        _heading("Memory of the engine"),
        Words(width - _MARGIN, 24, "tick: the peak until then", "tertiary", 10, anchor="end"),
    ]
    for place, phase in enumerate(phases):
        y, peak = _BEGIN + place * _BAR, phase.peak_bytes
        told = units.size(phase.resident_bytes)
        told += f", peak {units.size(peak)}" if peak else ""
        shapes += [
            Words(_MARGIN, y + 13, phase.name),
            Box(_NAMES, y + 3, room * phase.resident_bytes / most, 13, "tertiary", radius=2),
            Words(width - _MARGIN, y + 13, told, anchor="end"),
        ]
        if peak:
            x = _NAMES + room * peak / most
            shapes.append(Line(((x, y + 2), (x, y + 17)), "text", 1.6))
    tall = _BEGIN + len(phases) * _BAR + _MARGIN
    return Drawing("Memory of the engine", width, tall, tuple(shapes))


def throughput_plot(report: PerformanceReport) -> Drawing:
    """Predictions a second, and latency, against how many run at once."""
    return load_curve(report.throughput)


def load_curve(found: Sequence[Throughput], width: int = WIDTH) -> Drawing:
    """Throughput on the left; median and p95 of the latency on the right."""
    if not found:
        why = "No prediction was timed under load; measure with --concurrency 1,2,4."
        text = Words(_MARGIN, 48, why, "secondary")
        return Drawing(why, width, 64, (_heading("Latency against load"), text))
    half = width / 2
    rates = [each.per_second for each in found]
    medians = [float(each.quantile_ns(0.5)) for each in found]
    slow = [float(each.quantile_ns(0.95)) for each in found]
    numbers = [each.concurrency for each in found]
    shapes: list[Shape] = [_heading("Predictions a second")]
    shapes.append(Words(half + _MARGIN, 24, "Latency", size=12, bold=True))
    keys = Words(width - _MARGIN, 24, "median; p95 dashed", "tertiary", 10, anchor="end")
    shapes.append(keys)
    top = max(rates)
    shapes += _axes(0, half, numbers, top, lambda value, _: f"{value:,.6g}")
    shapes += _curve(0, half, numbers, rates, _reach(top), "cpu", dashed=False)
    top = max(slow)
    shapes += _axes(half, width, numbers, top, axis_text)
    shapes += _curve(half, width, numbers, slow, _reach(top), "activity", dashed=True)
    shapes += _curve(half, width, numbers, medians, _reach(top), "activity", dashed=False)
    return Drawing("Latency against load", width, _BEGIN + _TALL + 44, tuple(shapes))


def _heading(text: str) -> Words:
    return Words(_MARGIN, 24, text, size=12, bold=True)


def _reach(top: float) -> float:
    step = round_step(max(top, 1e-9) / 3)
    return step * -(-top // step) or 1.0


def _axes(
    left: float, right: float, numbers: Sequence[int], top: float,
    words: Callable[[float, float], str],
) -> list[Shape]:  # fmt: skip
    reach, step = _reach(top), round_step(max(top, 1e-9) / 3)
    shapes: list[Shape] = []
    for place in range(round(reach / step) + 1):
        y = _BEGIN + _TALL * (1 - place * step / reach)
        shapes.append(Line(((left + _LEFT, y), (right - _MARGIN, y)), "grid"))
        text = words(place * step, reach)
        shapes.append(Words(left + _LEFT - 8, y + 4, text, "tertiary", 10, anchor="end"))
    for number, x in zip(numbers, _places(left, right, numbers), strict=True):
        y = _BEGIN + _TALL + 14
        shapes.append(Words(x, y, str(number), "tertiary", 10, anchor="middle"))
    middle = (left + _LEFT + right - _MARGIN) / 2
    shapes.append(
        Words(middle, _BEGIN + _TALL + 30, "at once", "tertiary", 10, anchor="middle")
    )
    return shapes


def _places(left: float, right: float, numbers: Sequence[int]) -> list[float]:
    """Where each number of predictions is, evenly apart."""
    begin, room = left + _LEFT + 14, right - left - _LEFT - _MARGIN - 28
    gaps = max(1, len(numbers) - 1)
    return [begin + room * i / gaps for i in range(len(numbers))]


def _curve(
    left: float, right: float, numbers: Sequence[int], values: Sequence[float], reach: float,
    tint: str, dashed: bool,
) -> list[Shape]:  # fmt: skip
    xs = _places(left, right, numbers)
    points: list[Point] = [
        (x, _BEGIN + _TALL * (1 - value / reach)) for x, value in zip(xs, values, strict=True)
    ]
    dots = [Box(x - 2.5, y - 2.5, 5, 5, tint, radius=2.5) for x, y in points]
    return [Line(tuple(points), tint, 1.6, dashed), *dots]
