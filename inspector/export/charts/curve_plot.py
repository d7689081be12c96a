"""Curves as a drawing: a legend, a grid from zero, bars of the spread, and names at points."""

from collections.abc import Iterator, Sequence

from inspector.export.charts.curves import TINTS, Axes, Curve, Curves, top_of
from inspector.export.charts.drawing import (
    Box,
    Drawing,
    Line,
    Rectangle,
    Shape,
    Words,
    fitting,
    least_harm,
    text_width,
)
from inspector.export.charts.sample_charts import round_step

WIDTH, _LEFT, _MARGIN, _TALL = 720.0, 64.0, 16.0, 220.0
_HEAD, _LEGEND, _FOOT, _ROOM, _TITLE = 34.0, 18.0, 46.0, 0.06, 20.0
_ASIDE, _CAP = 5.0, 3.0  # bars of several curves at one place stand side by side


def curve_plot(title: str, found: Curves, note: str = "") -> Drawing:
    """Draw curves. note: stands at the right of the title."""
    curves, axes = found
    shapes: list[Shape] = [Words(_MARGIN, 24, fitting(title, 420, 12), size=12, bold=True)]
    if note:
        shapes.append(Words(WIDTH - _MARGIN, 24, note, "tertiary", 10, anchor="end"))
    lines = _legend([one.name for one in curves if one.name] if len(curves) > 1 else [])
    shapes += [shape for line in lines for shape in line]
    rows = {words.y for line in lines for words in line if isinstance(words, Words)}
    plane = _Plane(_HEAD + len(rows) * _LEGEND + _TITLE, curves, axes)
    shapes += plane.grid()
    for number, curve in enumerate(curves):
        aside = _ASIDE * (number - (len(curves) - 1) / 2) if curve.low else 0.0
        shapes += plane.curve(curve, TINTS[number % len(TINTS)], aside)
    shapes += plane.names()
    return Drawing(title, WIDTH, plane.top + _TALL + _FOOT, tuple(shapes))


def _legend(names: Sequence[str]) -> list[list[Shape]]:
    """A swatch and words for each name, in as many lines as that takes."""
    found: list[list[Shape]] = []
    x, y = _MARGIN, _HEAD + 10
    for number, name in enumerate(names):
        words = fitting(name, 260)
        wide = text_width(words) + 26
        if x > _MARGIN and x + wide > WIDTH - _MARGIN:
            x, y = _MARGIN, y + _LEGEND
        tint = TINTS[number % len(TINTS)]
        swatch = Box(x, y - 8, 8, 8, tint, radius=4)
        found.append([swatch, Words(x + 12, y, words, "secondary")])
        x += wide
    return found


class _Plane:
    """Places of values on the drawing."""

    def __init__(self, top: float, curves: Sequence[Curve], axes: Axes) -> None:
        self.top, self._curves, self._axes = top, curves, axes
        named = any(one.names for one in curves)
        self._high = top_of(curves) * (1.16 if named else 1.06)
        xs = [x for one in curves for x in one.x] or [0.0]
        if axes.ticks:
            far = max(place for place, _ in axes.ticks)
            room = max(far * _ROOM, 0.3 if far else 0.5)
            self._low, self._far = -room, far + room
        else:
            self._low, self._far = 0.0, max(xs) * (1 + _ROOM) or 1.0

    def _x(self, value: float) -> float:
        share = (value - self._low) / (self._far - self._low)
        return _LEFT + share * (WIDTH - _LEFT - _MARGIN)

    def _y(self, value: float) -> float:
        return self.top + _TALL * (1 - min(value, self._high) / self._high)

    def grid(self) -> Iterator[Shape]:
        """Round numbers up the left side, words or round numbers below, and both titles."""
        bottom, step = self.top + _TALL, round_step(self._high / 4)
        for number in range(int(self._high / step) + 1):
            y = self._y(number * step)
            yield Line(((_LEFT, y), (WIDTH - _MARGIN, y)), "grid" if number else "border")
            text = f"{number * step:,.6g}"
            yield Words(_LEFT - 8, y + 4, text, "tertiary", 10, anchor="end")
        for value, text in self._ticks():
            yield Words(self._x(value), bottom + 16, text, "secondary", 10, anchor="middle")
        middle = (_LEFT + WIDTH - _MARGIN) / 2
        yield Words(middle, bottom + 34, self._axes.x, "tertiary", 10, anchor="middle")
        yield Words(_MARGIN, self.top - 10, self._axes.y, "tertiary", 10)

    def _ticks(self) -> Iterator[tuple[float, str]]:
        if self._axes.ticks:
            wide = (WIDTH - _LEFT - _MARGIN) / len(self._axes.ticks) - 6
            yield from ((value, fitting(text, wide, 10)) for value, text in self._axes.ticks)
            return
        step = round_step(self._far / 5)
        yield from ((n * step, f"{n * step:,.6g}") for n in range(int(self._far / step) + 1))

    def curve(self, one: Curve, tint: str, aside: float) -> Iterator[Shape]:
        """Bars, then the line, then its points."""
        points = [(self._x(x) + aside, self._y(y)) for x, y in zip(one.x, one.y, strict=True)]
        for (x, _), low, high in zip(points, one.low, one.high, strict=False):
            least, most = self._y(low), self._y(high)
            yield Line(((x, least), (x, most)), tint, 1.2, opacity=0.55)
            for end in (least, most):
                yield Line(((x - _CAP, end), (x + _CAP, end)), tint, 1.2, opacity=0.55)
        if one.joined and len(points) > 1:
            yield Line(tuple(points), tint, 1.8)
        size = 3.5 if one.joined else 4.5
        for number, (x, y) in enumerate(points):
            yield Box(x - size, y - size, 2 * size, 2 * size, tint, radius=size)
            if one.filled and not one.filled[number]:
                inner = size - 1.6
                hole = Box(x - inner, y - inner, 2 * inner, 2 * inner, "surface", radius=inner)
                yield hole

    def names(self) -> Iterator[Words]:
        """Words at points, where they hit neither another point nor other words."""
        dots = [
            (self._x(x), self._y(y))
            for one in self._curves
            for x, y in zip(one.x, one.y, strict=True)
        ]
        room = (_LEFT, self.top - 14, WIDTH - 4, self.top + _TALL)
        taken: list[Rectangle] = [(x - 4, y - 4, x + 4, y + 4) for x, y in dots]
        for one in self._curves:
            for place, words in enumerate(one.names):
                x, y = self._x(one.x[place]), self._y(one.y[place])
                best = least_harm(x, y, text_width(words, 10), room, taken)
                taken.append(best)
                yield Words(best[0], best[3] - 3, words, "text", 10)
