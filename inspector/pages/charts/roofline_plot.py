"""The roofline of a report as a drawing: achieved arithmetic against operations a byte.

Both axes are logarithmic. A roof is what the device reached: memory on its slope, arithmetic on
its flat; a dot is a layer, as large as its share of the time.
"""

from collections.abc import Iterator
from math import ceil, floor, log10

from inspector import units
from inspector.analysis.measured.roofline_points import Point, points, rate
from inspector.pages.charts.drawing import (
    MARGIN,
    Box,
    Drawing,
    Label,
    Line,
    Rectangle,
    Shape,
    dot,
    empty,
    fitting_name,
    head,
    names_at,
    text_width,
)
from inspector.pages.charts.palette import role
from inspector.pages.charts.plane import SMALL, Plane
from inspector.report.report import PerformanceReport
from inspector.report.roofline import Ceiling

# pixels
WIDTH = 720.0
_LEFT = 96.0
_BEGIN = 40.0
_TALL = 230.0
_NAMED = 6  # layers whose names stand beside their dots


def roofline_plot(report: PerformanceReport, width: float = WIDTH) -> Drawing:
    """Draw every layer with known work under the roofline of its device."""
    layer_points = [point for point in points(report) if point.operations]
    if not layer_points:
        why = "The roofline was not measured; measure with --roofline."
        return empty("Roofline", why, width)
    ceilings = list(dict.fromkeys(point.ceiling for point in layer_points))
    chart = _Roof(layer_points, ceilings, width)
    shapes: list[Shape] = [*head("Throughput by arithmetic intensity", width), *chart.grid()]
    kinds = {device.id: device.kind for device in report.devices}
    total = sum(point.time_ns for point in layer_points)
    occupied: list[Rectangle] = []
    for one in ceilings:
        roof = chart.line(one)
        shapes.append(Line(roof, role(kinds.get(one.device, "cpu")), 1.6))
        peak = rate(one.operations_per_second, one.unit)
        label = f"{units.device(one.device)} {one.dtype}, {peak}"
        x, y = roof[-1]
        while any(abs(y - 3 - other[3]) < 11 for other in occupied[::2]):
            y -= 12  # two devices with about the same peak
        shapes.append(Label(x, y - 5, label, "secondary", 10, anchor="end"))
        flat = roof[-1][1]
        occupied.append((x - text_width(label, 10), y - 15, x, y))
        occupied.append((roof[1][0], flat - 2, x, flat + 2))
    for point in sorted(layer_points, key=lambda point: point.intensity):
        tint = role(kinds.get(point.ceiling.device, "cpu"))
        shapes.append(_dot(chart, point, point.time_ns / total, tint))
    shapes += _names(chart, layer_points, occupied)
    return Drawing("Roofline", width, _BEGIN + _TALL + 44, tuple(shapes))


def _dot(chart: "_Roof", point: Point, share: float, tint: str) -> Box:
    radius = 2.5 + 7 * share**0.5
    x, y = chart.at(point.intensity, point.operations_per_second)
    name = units.clip(point.layer.name or point.layer.operator, 120)
    parts = (
        f"{name}: {units.duration(point.time_ns)}{', noisy' * point.noisy}",
        rate(point.operations_per_second, point.ceiling.unit),
        rate(point.bytes_per_second, "B/s"),
        f"{units.significant(point.intensity)} FLOP/byte",
        f"at most {100 * point.share:.0f}% of its limit ({point.limit})"
        if point.ceiling.busy
        else f"{100 * point.share:.0f}% of its limit ({point.limit})",
    )
    title, key = "; ".join(parts), str(point.layer.index)
    opacity = 0.2 if point.noisy else 0.6
    return dot(x, y, radius, tint, opacity, title, key=key)


def _names(
    chart: "_Roof", layer_points: list[Point], occupied: list[Rectangle]
) -> Iterator[Shape]:
    """Yield the names of the slowest layers next to their dots, without overlap."""
    total = sum(point.time_ns for point in layer_points)
    slowest = sorted(layer_points, key=lambda point: -point.time_ns)
    dots = [_dot(chart, point, point.time_ns / total, "text") for point in slowest]
    discs = [(d.x, d.y, d.x + d.width, d.y + d.height) for d in dots]
    layers = [point.layer for point in slowest[:_NAMED]]
    names = [fitting_name(units.clip(one.name or one.operator), 120, SMALL) for one in layers]
    room = (_LEFT, _BEGIN - 6, chart.plane.right + MARGIN - 4, _BEGIN + _TALL)
    return names_at(
        discs[:_NAMED], names, room, [*occupied, *discs[_NAMED:]], size=SMALL, always=False
    )


class _Roof:
    """The plane of both logarithms: of operations a byte, and of operations a second."""

    def __init__(
        self, layer_points: list[Point], ceilings: list[Ceiling], width: float
    ) -> None:
        across = [point.intensity for point in layer_points] + [one.ridge for one in ceilings]
        up = [point.operations_per_second for point in layer_points]
        up += [one.operations_per_second for one in ceilings]
        self._across = floor(log10(min(across))), ceil(log10(max(across) * 1.5))
        self._up = floor(log10(min(up))), ceil(log10(max(up) * 1.2))
        (low, high), box = self._up, (_LEFT, _BEGIN, width - MARGIN, _BEGIN + _TALL)
        self.plane = Plane(*box, high, low, *self._across)

    def at(self, intensity: float, per_second: float) -> tuple[float, float]:
        """Return where a layer or a corner of a roof is."""
        return self.plane.x(log10(intensity)), self.plane.y(log10(per_second))

    def line(self, one: Ceiling) -> tuple[tuple[float, float], ...]:
        """From where the slope enters the drawing over the ridge to the right edge."""
        least = max(10.0 ** self._across[0], 10.0 ** self._up[0] / one.bytes_per_second)
        ridge = self.at(one.ridge, one.operations_per_second)
        return self.at(least, least * one.bytes_per_second), ridge, (self.plane.right, ridge[1])

    def grid(self) -> Iterator[Shape]:
        """Powers of ten on both axes."""
        plane, (_, last) = self.plane, self._across
        for power in range(self._across[0], last + 1):
            yield plane.upright(power, "grid")
            text = f"{10.0**power:,g}" if power < 0 else f"{10**power:,}"
            anchor = "end" if power == last else "middle"
            x, y = plane.x(power), plane.bottom + 14
            yield Label(x, y, text, "tertiary", SMALL, anchor=anchor)
        for power in range(self._up[0], self._up[1] + 1):
            yield plane.level(power, "grid")
            text = rate(10.0**power, "OP/s").replace(".00", "").replace(".0", "")
            y = plane.y(power) + 4
            yield Label(_LEFT - 8, y, text, "tertiary", SMALL, anchor="end")
        middle, y = (_LEFT + plane.right) / 2, plane.bottom + 30
        yield Label(middle, y, "FLOP/byte", "tertiary", SMALL, anchor="middle")
