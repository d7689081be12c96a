"""A plot of pyqtgraph in our colours and fonts; the library is loaded with the first one."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.export.charts.curves import TINTS, Axes, Curve, top_of
from inspector.export.charts.palette import Palette
from inspector.ui.translate import tr
from inspector.ui.widgets.parts import follow
from inspector.ui.widgets.theme import Theme, colour, font

_HIGH = 240
_MARGIN, _ASIDE = 0.06, 0.035
_DOT, _GAP, _RIM = 4.0, 5.0, 4.0
_STEP, _MOST_STEPS = 6, 200
_LABEL_DIRECTIONS = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1))


class Plot(QWidget):
    """Shows lines with their spread; the wheel scrolls the page, not the plot."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        import pyqtgraph  # a third of a second: with the first plot, not with the tab

        from inspector.ui.tabs.sweep.number_axis import NumberAxis

        self._theme, self._graph = theme, pyqtgraph
        self._lines: tuple[Curve, ...] = ()
        self._axes = Axes("", "")

        numbers = {side: NumberAxis(side) for side in ("bottom", "left")}
        self.widget: Any = pyqtgraph.PlotWidget(background=None, axisItems=numbers)
        self.widget.setMenuEnabled(False)
        self.widget.hideButtons()
        self.widget.setMouseEnabled(x=False, y=False)
        self.widget.setFrameShape(self.widget.Shape.NoFrame)
        self.widget.viewport().setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFixedHeight(_HIGH)
        self.setAccessibleName(name)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.widget)
        follow(theme, self, self._draw)

    def show_lines(self, lines: Sequence[Curve], axes: Axes) -> None:
        """Show other lines."""
        self._lines = tuple(lines)
        self._axes = axes
        text = "; ".join(
            f"{line.name}: " + ", ".join(f"{y:.3g}" for y in line.y) for line in lines
        )
        self.setAccessibleDescription(
            tr("{y} by {x}. {text}").format(y=axes.y, x=axes.x, text=text)[:1000]
        )
        self._draw()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The page scrolls."""
        event.ignore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the texts at the points again."""
        super().resizeEvent(event)
        self._draw()

    def tints(self) -> tuple[str, ...]:
        """Colours of the lines in their order."""
        return series(self._theme.palette)

    def _draw(self) -> None:
        item, look = self.widget.getPlotItem(), self._theme.palette
        item.clear()
        self.widget.setBackground(colour(look.surface))
        self._dress(item, look)
        for number, line in enumerate(self._lines):
            if line.x:
                # Bars of several lines at one place stand side by side.
                aside = (number - (len(self._lines) - 1) / 2) * _ASIDE if line.low else 0.0
                moved = replace(line, x=tuple(x + aside for x in line.x))
                self._draw_line(item, moved, self.tints()[number % len(self.tints())])
        self._frame(item)
        self._name_points(item)

    def _dress(self, item: Any, look: Palette) -> None:
        for side, text in (("bottom", self._axes.x), ("left", self._axes.y)):
            axis = item.getAxis(side)
            axis.setPen(colour(look.border))
            axis.setTextPen(colour(look.secondary))
            axis.setStyle(tickFont=font(11), tickLength=-4)
            axis.setLabel(text, color=look.secondary, **{"font-size": "11px"})
            axis.enableAutoSIPrefix(False)
        ticks = self._axes.ticks
        item.getAxis("bottom").setTicks([list(ticks)] if ticks else None)
        item.showGrid(x=False, y=True, alpha=0.12)

    def _draw_line(self, item: Any, line: Curve, tint: str) -> None:
        graph = self._graph
        x, y = np.array(line.x), np.array(line.y)
        if line.low:
            low, high = np.array(line.low), np.array(line.high)
            shade = graph.mkPen(colour(tint, 0.55), width=1.2)
            item.addItem(
                graph.ErrorBarItem(x=x, y=y, top=high - y, bottom=y - low, beam=0.03, pen=shade)
            )
        pen = graph.mkPen(colour(tint), width=1.8) if line.joined else None
        filled = line.filled or (True,) * len(x)
        surface = colour(self._theme.palette.surface)
        brushes = [graph.mkBrush(colour(tint) if f else surface) for f in filled]
        rim = graph.mkPen(colour(tint), width=1.6)
        item.plot(
            x, y, pen=pen, symbol="o", symbolSize=9 if not line.joined else 7,
            symbolBrush=brushes, symbolPen=rim, antialias=True,
        )  # fmt: skip

    def _name_points(self, item: Any) -> None:
        """Set words beside their points where they hit neither another point nor words."""
        box = item.getViewBox()
        (left, right), (low, high) = box.viewRange()
        wide, tall = box.width() / (right - left), box.height() / (high - low)
        places = [
            [
                QPointF((x - left) * wide, (high - y) * tall)
                for x, y in zip(one.x, one.y, strict=True)
            ]
            for one in self._lines
        ]
        reach = QPointF(_DOT, _DOT)
        occupied = [QRectF(at - reach, at + reach) for line in places for at in line]
        drawn = zip(self._lines, places, strict=True)
        occupied += [along for line, at in drawn if line.joined for along in _along(at)]
        room = QRectF(0, 0, box.width(), box.height())
        for line, points in zip(self._lines, places, strict=True):
            for number, message in enumerate(line.names):
                text = self._graph.TextItem(message, colour(self._theme.palette.text))
                text.setFont(font(11))
                size = text.textItem.boundingRect().size()
                boxes = [
                    _label_box(points[number], size, *direction)
                    for direction in _LABEL_DIRECTIONS
                ]
                placed = min(boxes, key=lambda one: _harm(one, room, occupied))
                occupied.append(placed)
                off = points[number] - placed.topLeft()
                text.setAnchor((off.x() / size.width(), off.y() / size.height()))
                text.setPos(line.x[number], line.y[number])
                item.addItem(text)

    def _xs(self) -> list[float]:
        return [x for line in self._lines for x in line.x] or [0.0]

    def _frame(self, item: Any) -> None:
        """Return the range of the axis: from zero, with some room at each side."""
        xs = self._xs()
        top = top_of(self._lines)
        room = (max(xs) - min(xs)) * _MARGIN or 0.5
        left = min(xs) - room if self._axes.ticks else 0.0
        item.setXRange(
            left, max(xs) + (room if self._axes.ticks else 0.06 * max(xs)), padding=0
        )
        named = any(line.names for line in self._lines)
        item.setYRange(0, top * (1.16 if named else 1.08), padding=0)


def _along(points: Sequence[QPointF]) -> list[QRectF]:
    """Small boxes along the lines that join points."""
    boxes = []
    for begin, end in pairwise(points):
        direction = end - begin
        steps = max(1, min(_MOST_STEPS, int(direction.manhattanLength() / _STEP)))
        boxes += [
            QRectF(begin + direction * (n / steps), QSizeF(1, 1)) for n in range(1, steps)
        ]
    return boxes


def _harm(box: QRectF, room: QRectF, taken: Sequence[QRectF]) -> int:
    """Return how much a box of words covers; to stand outside is worse than any of that."""
    inner = box.adjusted(_RIM, _RIM, -_RIM, -_RIM)  # Qt leaves a rim around them
    hidden = 0 if room.contains(inner) else len(taken) + 1
    return hidden + sum(inner.intersects(one) for one in taken)


def _label_box(at: QPointF, size: QSizeF, across: float, down: float) -> QRectF:
    """A box of words beside a point; across, down: -1 left or above, 0 centred, 1 the other."""
    x = at.x() + across * _GAP + (across - 1) * size.width() / 2
    y = at.y() + down * _GAP / 2 + (down - 1) * size.height() / 2
    return QRectF(QPointF(x, y), size)


def series(look: Palette) -> tuple[str, ...]:
    """Colours that tell lines apart."""
    return tuple(getattr(look, name) for name in TINTS)
