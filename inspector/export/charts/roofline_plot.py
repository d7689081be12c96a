"""The roofline of a report as a drawing: achieved arithmetic against operations a byte.

Both axes are logarithmic. A roof is what the device reached: memory on its slope, arithmetic on
its flat; a dot is a layer, as large as its share of the time.
"""

from collections.abc import Iterator
from math import ceil, floor, log10

from inspector import units
from inspector.analysis.measured.roofline_points import Point, points, rate
from inspector.export.charts.drawing import (
    Box,
    Drawing,
    Label,
    Line,
    Rectangle,
    Shape,
    fitting_name,
    placed,
    text_width,
)
from inspector.report.report import PerformanceReport
from inspector.report.roofline import Ceiling

WIDTH, _LEFT, _MARGIN, _BEGIN, _TALL, _NAMED = 720, 96, 16, 40, 230, 6


def roofline_plot(report: PerformanceReport, width: float = WIDTH) -> Drawing:
    """Draw every layer with known work under the roofline of its device."""
    layer_points = [point for point in points(report) if point.operations]
    shapes: list[Shape] = [Label(_MARGIN, 24, "Roofline", size=12, bold=True)]
    if not layer_points:
        why = "The roofline was not measured; measure with --roofline."
        shapes.append(Label(_MARGIN, 48, why, "secondary"))
        return Drawing(why, width, 64, tuple(shapes))
    ceilings = list(dict.fromkeys(point.ceiling for point in layer_points))
    plane = _Plane(layer_points, ceilings, width)
    shapes += plane.grid()
    kinds = {device.id: device.kind for device in report.devices}
    total = sum(point.time_ns for point in layer_points)
    occupied: list[Rectangle] = []
    for one in ceilings:
        roof = plane.roof(one)
        shapes.append(Line(roof, _tint(kinds, one.device), 1.6))
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
        tint = _tint(kinds, point.ceiling.device)
        shapes.append(_dot(plane, point, point.time_ns / total, tint))
    shapes += _names(plane, layer_points, occupied)
    return Drawing("Roofline", width, _BEGIN + _TALL + 44, tuple(shapes))


def _tint(kinds: dict[str, str], device: str) -> str:
    kind = kinds.get(device, "cpu")
    return kind if kind in ("cpu", "gpu") else "npu"


def _dot(plane: "_Plane", point: Point, share: float, tint: str) -> Box:
    radius = 2.5 + 7 * share**0.5
    x, y = plane.x(point.intensity), plane.y(point.operations_per_second)
    name = units.clip(point.layer.name or point.layer.operator, 120)
    parts = (
        f"{name}: {units.duration(point.time_ns)}{', noisy' * point.noisy}",
        rate(point.operations_per_second, point.ceiling.unit),
        rate(point.bytes_per_second, "B/s"),
        f"{units.significant(point.intensity)} FLOP/byte",
        f"{100 * point.share:.0f}% of its limit ({point.limit})",
    )
    title, key = "; ".join(parts), str(point.layer.index)
    opacity = 0.2 if point.noisy else 0.6
    return Box(
        x - radius, y - radius, 2 * radius, 2 * radius, tint, opacity, title, radius, key=key
    )


def _names(
    plane: "_Plane", layer_points: list[Point], occupied: list[Rectangle]
) -> Iterator[Label]:
    """Yield the names of the slowest layers next to their dots, without overlap."""
    total = sum(point.time_ns for point in layer_points)
    dots = [_dot(plane, point, point.time_ns / total, "text") for point in layer_points]
    occupied = [*occupied, *((d.x, d.y, d.x + d.width, d.y + d.height) for d in dots)]
    room = (
        float(_LEFT),
        float(_BEGIN - 6),
        float(plane.right + _MARGIN - 4),
        float(_BEGIN + _TALL),
    )
    for point in sorted(layer_points, key=lambda point: -point.time_ns)[:_NAMED]:
        x, y = plane.x(point.intensity), plane.y(point.operations_per_second)
        name = fitting_name(units.clip(point.layer.name or point.layer.operator), 120, 10)
        best = placed(
            x, y, text_width(name, 10), room, occupied, 7 + 7 * (point.time_ns / total) ** 0.5
        )
        if best is not None:
            occupied.append(best)
            yield Label(best[0], best[3] - 3, name, "text", 10)


class _Plane:
    """Places of intensities and rates on the drawing."""

    def __init__(
        self, layer_points: list[Point], ceilings: list[Ceiling], width: float
    ) -> None:
        self.right = width - _MARGIN
        across = [point.intensity for point in layer_points] + [one.ridge for one in ceilings]
        up = [point.operations_per_second for point in layer_points]
        up += [one.operations_per_second for one in ceilings]
        self._across = floor(log10(min(across))), ceil(log10(max(across) * 1.5))
        self._up = floor(log10(min(up))), ceil(log10(max(up) * 1.2))

    def x(self, intensity: float) -> float:
        low, high = self._across
        share = (log10(intensity) - low) / (high - low)
        return _LEFT + share * (self.right - _LEFT)

    def y(self, per_second: float) -> float:
        low, high = self._up
        return _BEGIN + _TALL * (1 - (log10(per_second) - low) / (high - low))

    def roof(self, one: Ceiling) -> tuple[tuple[float, float], ...]:
        """From where the slope enters the drawing over the ridge to the right edge."""
        least = max(10.0 ** self._across[0], 10.0 ** self._up[0] / one.bytes_per_second)
        top = self.y(one.operations_per_second)
        start = (self.x(least), self.y(least * one.bytes_per_second))
        return start, (self.x(one.ridge), top), (self.right, top)

    def grid(self) -> Iterator[Shape]:
        """Powers of ten on both axes."""
        bottom = _BEGIN + _TALL
        for power in range(self._across[0], self._across[1] + 1):
            x = self.x(10.0**power)
            yield Line(((x, _BEGIN), (x, bottom)), "grid")
            text = f"{10.0**power:,g}" if power < 0 else f"{10**power:,}"
            anchor = "end" if power == self._across[1] else "middle"
            yield Label(x, bottom + 14, text, "tertiary", 10, anchor=anchor)
        for power in range(self._up[0], self._up[1] + 1):
            y = self.y(10.0**power)
            yield Line(((_LEFT, y), (self.right, y)), "grid")
            text = rate(10.0**power, "OP/s").replace(".00", "").replace(".0", "")
            yield Label(_LEFT - 8, y + 4, text, "tertiary", 10, anchor="end")
        middle = (_LEFT + self.right) / 2
        label = "FLOP/byte"
        yield Label(middle, bottom + 30, label, "tertiary", 10, anchor="middle")
