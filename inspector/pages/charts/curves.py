"""Lines over settings with their spread, as values that a window and a file draw alike.

Curves as a drawing: a legend, a grid from zero, bars of the spread, and names at points.
"""

from collections.abc import Iterator, Sequence
from itertools import cycle, groupby
from math import ceil, floor, log10
from pathlib import Path

from msgspec import Struct

from inspector import units
from inspector.analysis.measured import machine_matrix, sweep_results
from inspector.analysis.measured.sweep_labels import axis_label, value_label
from inspector.analysis.measured.sweep_results import Candidate
from inspector.pages.charts.drawing import (
    LEGEND_ROW,
    MARGIN,
    Box,
    Drawing,
    Label,
    Line,
    Rectangle,
    Shape,
    dot,
    fitting,
    head,
    legend,
    names_at,
    text_width,
)
from inspector.pages.charts.plane import SMALL, Plane, numbers
from inspector.report.sweep import MACHINE, MODEL, Cell, Sweep
from inspector.wording.values import Name, Sentence, Value

TINTS = ("activity", "data", "cpu", "gpu", "npu", "good", "caution")
REACH = 2.2  # one hiccup must not press all else to the ground: longer bars are cut
# pixels
WIDTH = 720.0
_LEFT = 64.0
_TALL = 190.0
# pixels
_HEAD = 34.0
_FOOT = 46.0
_TITLE = 20.0
_ROOM = 0.06  # share of the horizontal axis that is left free at its end
# for both axes of a band, and a tick
_SCALE_PX = 34.0
_TIME_PX = 20.0
_TIME_TICK_PX = 90.0
# opacity of a band within, and of one below a threshold
_BAND = 0.35
_FAINT = 0.4
# bars of several curves at one place stand side by side
_ASIDE = 5.0
_CAP = 3.0
_DISC = 4.0  # pixels around a point that its name keeps free
_SCALES = ((1e3, 1.0, "ns"), (1e6, 1e3, "µs"), (1e9, 1e6, "ms"), (float("inf"), 1e9, "s"))


class Curve(Struct, frozen=True):
    """Points of one series. low, high: its spread at each; empty for none.

    names: words at single points. filled: which points are; empty for all.
    """

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    names: tuple[str, ...] = ()
    joined: bool = True
    filled: tuple[bool, ...] = ()


class Axes(Struct, frozen=True):
    """Axis titles and tick labels of the horizontal axis; without labels: numbers from zero.

    y: what goes up and in which unit, "Median in ms".
    """

    x: str
    y: str
    ticks: tuple[tuple[float, str], ...] = ()


Curves = tuple[tuple[Curve, ...], Axes]


def top_of(curves: Sequence[Curve]) -> float:
    """Return how far up the points and their bars go, very long bars cut."""
    middles = [y for one in curves for y in one.y] or [1.0]
    bars = [y for one in curves for y in one.high] or middles
    return max(max(middles), min(max(bars), REACH * max(middles))) or 1.0


def over_settings(
    sweep: Sweep, rows: Sequence[Sequence[Cell]], across: int, down: int | None
) -> Curves:
    """A curve for each row of cells; `across` and `down` are axes of the sweep."""
    axis = sweep.axes[across]
    known = [
        m for row in rows for cell in row if (m := sweep_results.median_ns(cell)) is not None
    ]
    scale, unit = time_scale(max(known, default=1.0))
    curves = []
    for number, row in enumerate(rows):
        name = ""
        if down is not None:
            other = sweep.axes[down]
            name = value_label(other.name, other.values[number])
            if other.name != MODEL:
                name = f"{axis_label(other.name)} {name}"
        columns = list(zip(*_points(row), strict=True)) or [(), (), (), ()]
        y, low, high = (tuple(v / scale for v in column) for column in columns[1:])
        curves.append(Curve(name, tuple(columns[0]), y, low, high))
    ticks = tuple((float(x), value_label(axis.name, v)) for x, v in enumerate(axis.values))
    return tuple(curves), Axes(
        units.capitalized(axis_label(axis.name)),
        Sentence("Median latency in {unit}", Name(unit)),
        ticks,
    )


def choices(candidates: Sequence[Candidate]) -> Curves:
    """Models by size and latency, those on the front filled."""
    scale, unit = time_scale(max((one.median_ns for one in candidates), default=1))
    front = sweep_results.front(candidates)
    mib = max((one.size_bytes for one in candidates), default=0) >= 1 << 20
    curve = Curve(
        "models",
        tuple(one.size_bytes / (1 << 20 if mib else 1 << 10) for one in candidates),
        tuple(one.median_ns / scale for one in candidates),
        names=tuple(f"{units.clip(one.name, 40)}, {_near(one)}" for one in candidates),
        joined=False,
        filled=tuple(place in front for place in range(len(candidates))),
    )
    size = "MiB" if mib else "KiB"
    return (curve,), Axes(
        Sentence("File size in {unit}", Name(size)),
        Sentence("Median latency in {unit}", Name(unit)),
    )


def on_machines(sweep: Sweep) -> Curves:
    """Models by latency and peak memory on each machine, those on their model's front filled.

    The horizontal axis is logarithmic. Points on the front have the name of their model.
    """
    machines = next((axis.values for axis in sweep.axes if axis.name == MACHINE), ())
    cells = [
        [cell for row in sweep_results.by_machine(sweep) if (cell := row[number]) is not None]
        for number in range(len(machines))
    ]
    times = [sweep_results.median_ns(cell) or 1.0 for row in cells for cell in row]
    first = floor(log10(min(times, default=1.0)))
    last = max(first + 1, ceil(log10(max(times, default=1.0))))
    best = machine_matrix.front(sweep)
    curves = tuple(
        Curve(
            value_label(MACHINE, machine),
            tuple(log10(sweep_results.median_ns(cell) or 1.0) - first for cell in row),
            tuple((machine_matrix.peak_memory(cell) or 0) / (1 << 20) for cell in row),
            names=tuple(
                units.clip(Path(sweep.models[sweep.model_of(cell)].name).stem, 24)
                if cell.at in best
                else ""
                for cell in row
            ),
            joined=False,
            filled=tuple(cell.at in best for cell in row),
        )
        for machine, row in zip(machines, cells, strict=True)
    )
    ticks = tuple((float(n - first), units.duration(10.0**n)) for n in range(first, last + 1))
    return curves, Axes("Median latency", "Peak model memory in MiB", ticks)


def _points(cells: Sequence[Cell]) -> Iterator[tuple[float, float, float, float]]:
    for x, cell in enumerate(cells):
        middle, wide = sweep_results.median_ns(cell), sweep_results.spread(cell)
        if middle is not None:
            low, high = (wide.p5_ns, wide.p95_ns) if wide else (middle, middle)
            yield float(x), middle, low, high


def time_scale(largest_ns: float) -> tuple[float, str]:
    """Return the divisor for nanoseconds and the resulting unit."""
    return next((scale, unit) for limit, scale, unit in _SCALES if largest_ns < limit)


def _near(one: Candidate) -> str:
    is_known = one.is_reference or one.verdict is not None
    return one.label if is_known else units.size(one.size_bytes)


def curve_plot(
    title: str, curves_by_name: Curves, note: Value = "", width: float = WIDTH
) -> Drawing:
    """Draw curves. note: shown at the right of the title, where there is room."""
    curves, axes = curves_by_name
    names = [one.name for one in curves if one.name] if len(curves) > 1 else []
    keys = tuple(legend(list(zip(names, cycle(TINTS), strict=False)), width, _HEAD + 10))
    rows = {part.y for part in keys if isinstance(part, Label)}
    plot = _Plot(_HEAD + len(rows) * LEGEND_ROW + _TITLE, curves, axes, width)
    shapes = [*head(fitting(title, width - 2 * MARGIN, 12), width, note), *keys, *plot.grid()]
    for number, curve in enumerate(curves):
        offset = _ASIDE * (number - (len(curves) - 1) / 2) if curve.low else 0.0
        shapes += plot.curve(curve, TINTS[number % len(TINTS)], offset)
    shapes += plot.names()
    return Drawing(title, width, plot.plane.bottom + _FOOT, tuple(shapes))


class _Plot:
    """Curves on a plane."""

    def __init__(self, top: float, curves: Sequence[Curve], axes: Axes, width: float) -> None:
        self._curves, self._axes = curves, axes
        high = top_of(curves) * (1.16 if any(one.names for one in curves) else 1.06)
        first, last = (
            0.0,
            max([x for one in curves for x in one.x] or [0.0]) * (1 + _ROOM) or 1.0,
        )
        if axes.ticks:
            far = max(place for place, _ in axes.ticks)
            room = max(far * _ROOM, 0.3 if far else 0.5)
            first, last = -room, far + room
        self.plane = Plane(
            _LEFT, top, width - MARGIN, top + _TALL, high, 0.0, first, last
        )  # fmt: skip

    def grid(self) -> Iterator[Shape]:
        """Yield the grid: tick labels on both axes, and both titles."""
        plane, axes = self.plane, self._axes
        yield from plane.grid(numbers(0.0, plane.high, 4))
        ticks: Sequence[tuple[float, Value]] = axes.ticks or numbers(0.0, plane.last, 5)
        wide = (plane.right - plane.left) / len(ticks) - 6
        for value, text in ticks:
            x, shown = plane.x(value), fitting(text, wide, SMALL)
            yield Label(x, plane.bottom + 16, shown, "secondary", SMALL, anchor="middle")
        middle, y = (plane.left + plane.right) / 2, plane.bottom + 34
        yield Label(middle, y, axes.x, "tertiary", SMALL, anchor="middle")
        yield Label(MARGIN, plane.top - 10, axes.y, "tertiary", SMALL)

    def curve(self, one: Curve, tint: str, offset: float) -> Iterator[Shape]:
        """Bars, then the line, then its points."""
        points = [
            (self.plane.x(x) + offset, self.plane.y(y))
            for x, y in zip(one.x, one.y, strict=True)
        ]
        for (x, _), low, high in zip(points, one.low, one.high, strict=False):
            least, most = self.plane.y(low), self.plane.y(high)
            yield Line(((x, least), (x, most)), tint, 1.2, opacity=0.55)
            for end in (least, most):
                yield Line(((x - _CAP, end), (x + _CAP, end)), tint, 1.2, opacity=0.55)
        if one.joined and len(points) > 1:
            yield Line(tuple(points), tint, 1.8)
        size = 3.5 if one.joined else 4.5
        for number, (x, y) in enumerate(points):
            said = self._said(one, number)
            yield dot(x, y, size, tint, title=said)
            if one.filled and not one.filled[number]:
                yield dot(x, y, size - 1.6, "surface")

    def _said(self, one: Curve, number: int) -> Value:
        """Return a point as people read it: "optimization all, 2: median in ms 3.1"."""
        x, axis = one.x[number], units.uncapitalized(self._axes.x)
        tick = dict(self._axes.ticks).get(x, "") if self._axes.ticks else f"{x:,.4g}"
        across = f"{axis} {tick}" if tick else ""  # a logarithm says nothing to a reader
        named = one.names[number] if one.names else ""
        where = Name(", ".join(filter(None, (one.name, named, across))))
        value = f"{one.y[number]:,.4g}"
        return Sentence("{where}: {axis} {value}", where, self._axes.y, value)

    def names(self) -> Iterator[Shape]:
        """Yield names at points, placed with the least overlap."""
        plane = self.plane
        named, others = dict[Rectangle, Value](), list[Rectangle]()
        for one in self._curves:
            for place, (x, y) in enumerate(zip(one.x, one.y, strict=True)):
                left, top = plane.x(x) - _DISC, plane.y(y) - _DISC
                disc = (left, top, left + 2 * _DISC, top + 2 * _DISC)
                if one.names and one.names[place]:
                    named[disc] = one.names[place]
                else:
                    others.append(disc)
        room = (plane.left, plane.top - 14, plane.right + MARGIN - 4, plane.bottom)
        return names_at([*named], [*named.values()], room, others, size=SMALL)


def band_plot(
    parts: Sequence[tuple[float, float]],
    reach: tuple[float, float],
    seconds: float,
    width: float,
    height: float,
    threshold: float | None = None,
    scaled: bool = False,
) -> Drawing:
    """Draw the lowest to the highest value of each stretch, over an axis of time.

    reach: the values at the bottom and the top. threshold: a line across; what lies above it
    is in full color. scaled: whether the range of the values stands at the left.
    """
    low, high = reach[0], max(reach[1], reach[0] + 1e-9)
    left = MARGIN + (_SCALE_PX if scaled else 0.0)
    bottom = 8 + height - (_TIME_PX if parts else 0.0)
    plane = Plane(
        left + 2, 13, width - MARGIN - 2, bottom - 5, high, low, 0, max(1, len(parts) - 1)
    )
    shapes: list[Shape] = [
        Box(left, 9, width - MARGIN - left, bottom - 10, "window", radius=6),
        *_band(plane, parts, 1.0 if threshold is None else _FAINT),
    ]
    if threshold is not None and parts:
        above = [(max(low, threshold), high) for low, high in parts]
        for is_above, group in groupby(range(len(parts)), lambda n: above[n][1] > threshold):
            if is_above:
                places = list(group)
                span = above[places[0] : places[-1] + 1]
                shapes += _band(plane, span, 1.0, places[0])
        shapes.append(plane.level(threshold, "tertiary", dashed=True))
    if scaled:
        for value, y in ((high, plane.top + 6), (low, plane.bottom)):
            shapes.append(Label(left - 6, y, f"{value:.3g}", "tertiary", SMALL, anchor="end"))
    if seconds > 0 and parts:
        length, ns = plane.right - plane.left, seconds * 1e9
        for instant, text in units.axis(0, ns, max(1, int(length // _TIME_TICK_PX))):
            half = text_width(text, SMALL) / 2
            x = plane.left + instant / ns * length
            x = min(max(x, plane.left + half), plane.right - half)
            shapes.append(Label(x, bottom + 13, text, "tertiary", SMALL, anchor="middle"))
    return Drawing("", width, 8 + height, tuple(shapes))


def _band(
    plane: Plane, parts: Sequence[tuple[float, float]], opacity: float, first: int = 0
) -> Iterator[Shape]:
    upper = [(plane.x(place), plane.y(high)) for place, (_, high) in enumerate(parts, first)]
    lower = [(plane.x(place), plane.y(low)) for place, (low, _) in enumerate(parts, first)]
    around = (*upper, *reversed(lower), *upper[:1])
    if parts:
        yield Line(around, "accent", 1.2, opacity=opacity, fill=_BAND * opacity)
