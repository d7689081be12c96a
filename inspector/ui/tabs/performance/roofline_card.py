"""Layers under the roofline of their device: arithmetic a second by operations a byte."""

from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector import units
from inspector.analysis.measured.roofline_points import (
    MEMORY,
    OVERHEAD,
    Point,
    ceilings,
    points,
    rate,
    sentences,
)
from inspector.report.report import PerformanceReport
from inspector.report.roofline import Ceiling
from inspector.ui.selection import Selection
from inspector.ui.translate import tr
from inspector.ui.widgets.hover import Hover
from inspector.ui.widgets.parts import Card, follow, label, row
from inspector.ui.widgets.theme import Theme, colour, font

_OPACITY, _NOISY_OPACITY = 0.8, 0.25  # opacity of a dot: a noisy layer's place is not certain
_HEIGHT_PX, _HIT_PX, _SMALL, _LARGE, _DECADES = 300, 12.0, 6.0, 16.0, 2.5


class RooflineCard(Card):
    """The plot, and in words what the ceilings are."""

    def __init__(self, theme: Theme, report: PerformanceReport, selection: Selection) -> None:
        super().__init__(theme)
        self.plot = RooflinePlot(theme, report, selection)
        text_label = label(tr("Each dot is a layer; larger dots take more time"), "secondary")
        self.body.addLayout(row(label(tr("Roofline"), "heading"), 4, text_label, None))
        self.body.addWidget(self.plot)
        for sentence in sentences(report):
            text = label(sentence, "secondary", selectable=True)
            text.setWordWrap(True)
            self.body.addWidget(text)


class RooflinePlot(QWidget):
    """Both axes go by powers of ten; a click or the arrow keys select a layer everywhere."""

    def __init__(self, theme: Theme, report: PerformanceReport, selection: Selection) -> None:
        super().__init__()
        import pyqtgraph  # takes a quarter of a second, and few reports have a roofline

        self._theme, self._graph, self._selection = theme, pyqtgraph, selection
        self._kinds = {device.id: device.kind for device in report.devices}
        self._into = {layer.index: layer.into for layer in report.layers}
        items = (point for point in points(report) if point.operations)
        self.points: tuple[Point, ...] = tuple(sorted(items, key=lambda p: p.intensity))
        used = {point.ceiling for point in self.points}
        self._ceilings = tuple(c for c in ceilings(report) if c in used)
        self._hover = Hover(theme, self)
        self.widget: Any = pyqtgraph.PlotWidget(background=None)
        self.widget.setMenuEnabled(False)
        self.widget.hideButtons()
        self.widget.setFrameShape(self.widget.Shape.NoFrame)
        self.widget.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFixedHeight(_HEIGHT_PX)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Roofline"))
        self.setAccessibleDescription(" ".join(map(_point_text, self.points[:40])))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.widget)
        follow(theme, self, self._draw)
        selection.changed.connect(self._draw)

    def chosen(self) -> int | None:
        """Place of the selected layer's point, or of the layer that it is part of."""
        index = self._selection.now.layer
        if index is None:
            return None
        selected = {index, self._into.get(index)}
        places = (i for i, p in enumerate(self.points) if p.layer.index in selected)
        return next(places, None)

    def where(self, place: int) -> QPointF:
        """Return where a point is drawn, in pixels of this widget."""
        point = self.points[place]
        x, y = np.log10(point.intensity), np.log10(point.operations_per_second)
        box = self.widget.getPlotItem().getViewBox()
        scene = box.mapViewToScene(QPointF(float(x), float(y)))
        return QPointF(self.widget.mapFromScene(scene))

    def nearest(self, at: QPointF) -> int | None:
        """The point under the pointer, if it is near enough."""
        apart = [(self.where(i) - at).manhattanLength() for i in range(len(self.points))]
        best = int(np.argmin(apart)) if apart else -1
        return best if apart and apart[best] <= _HIT_PX else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show details of the layer under the pointer."""
        place = self.nearest(event.position())
        if place is None:
            self._hover.hide()
            return
        point = self.points[place]
        facts = (
            (tr("Time"), f"{units.duration(point.time_ns)}{', noisy' * point.noisy}"),
            (tr("Throughput"), rate(point.operations_per_second, point.ceiling.unit)),
            (tr("Compute type"), point.ceiling.dtype),
            (tr("Memory traffic"), rate(point.bytes_per_second, "B/s")),
            (
                tr("Arithmetic intensity"),
                tr("{intensity} operations per byte").format(
                    intensity=units.significant(point.intensity)
                ),
            ),
            (
                tr("Limited by"),
                (
                    tr("memory, {value:.0f}% of its bandwidth")
                    if point.limit == MEMORY
                    else tr("overhead, {value:.0f}% of the roofline limit")
                    if point.limit == OVERHEAD
                    else tr("{bound}, {value:.0f}% of the compute peak")
                ).format(bound=point.bound, value=100 * point.share),
            ),
        )
        title = units.clip(point.layer.name or point.layer.operator, 80)
        self._hover.show_facts(event.position().toPoint(), title, facts)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the layer under the pointer."""
        place = self.nearest(event.position())
        if place is not None:
            self._selection.choose(layer=self.points[place].layer.index)

    def leaveEvent(self, event: QEvent) -> None:
        """Hide the tooltip when the pointer leaves."""
        self._hover.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right go from layer to layer, by their intensity."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        if not step or not self.points:
            super().keyPressEvent(event)
            return
        now = self.chosen()
        begin = -1 if step > 0 else len(self.points)
        place = min(max(0, (begin if now is None else now) + step), len(self.points) - 1)
        self._selection.choose(layer=self.points[place].layer.index)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The page scrolls."""
        event.ignore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the texts at the ceilings again."""
        super().resizeEvent(event)
        self._draw()

    def _draw(self) -> None:
        if not self.points:
            return
        item, palette = self.widget.getPlotItem(), self._theme.palette
        item.clear()
        self.widget.setBackground(colour(palette.surface))
        left, right, low, high = self._bounds()
        item.setXRange(left, right, padding=0)
        item.setYRange(low, high, padding=0)
        text = (
            ("bottom", tr("Arithmetic intensity (operations per byte)"), ""),
            ("left", tr("Throughput"), tr("OP/s")),
        )
        for side, title, unit in text:
            axis = item.getAxis(side)
            axis.setPen(colour(palette.border))
            axis.setTextPen(colour(palette.secondary))
            axis.setStyle(tickFont=font(11), tickLength=-4)
            axis.setLabel(title, color=palette.secondary, **{"font-size": "11px"})
            ends = (left, right) if side == "bottom" else (low, high)
            axis.setTicks([_decades(*ends, unit)])
        item.getAxis("left").setWidth(92)
        item.showGrid(x=True, y=True, alpha=0.10)
        for ceiling in self._ceilings:
            self._draw_ceiling(item, ceiling, left, right)
        self._draw_points(item)

    def _bounds(self) -> tuple[float, float, float, float]:
        """Powers of ten at the edges: all points, all ridges, and a little room."""
        x = [np.log10(p.intensity) for p in self.points]
        y = [np.log10(p.operations_per_second) for p in self.points]
        x += [np.log10(c.ridge) for c in self._ceilings]
        y += [np.log10(c.operations_per_second) for c in self._ceilings]
        low, high = min(y) - 0.3, max(y) + 0.35
        return min(x) - 0.3, max(x) + 0.6, min(low, high - _DECADES), high

    def _draw_ceiling(self, item: Any, ceiling: Ceiling, left: float, right: float) -> None:
        palette = self._theme.palette
        tint = palette.lane(self._kinds.get(ceiling.device, "cpu"))
        flat, ridge = np.log10(ceiling.operations_per_second), np.log10(ceiling.ridge)
        slope = np.log10(ceiling.bytes_per_second)
        pen = self._graph.mkPen(colour(tint), width=1.8)
        x = [left, ridge, right] if left < ridge else [left, right]
        y = [min(flat, slope + at) for at in x]
        item.plot(x, y, pen=pen, antialias=True)
        name = units.device(ceiling.device)
        text = f"{name} {ceiling.dtype} {rate(ceiling.operations_per_second, ceiling.unit)}"
        self._add_text(item, text, right, flat, (1.0, 1.05), 0)
        box, (first, last, low, high) = item.getViewBox(), self._bounds()
        steep = (box.height() / (high - low), box.width() / (last - first))
        angle = float(np.degrees(np.arctan2(*steep)))
        if left < ridge:
            middle = max(left + 0.05, (left + ridge) / 2 - 0.2)
            text = f"{name} {rate(ceiling.bytes_per_second, 'B/s')}"
            self._add_text(item, text, middle, slope + middle, (0.0, 1.0), angle)

    def _add_text(
        self,
        item: Any,
        message: str,
        x: float,
        y: float,
        anchor: tuple[float, float],
        angle: float,
    ) -> None:
        text = self._graph.TextItem(
            message, colour(self._theme.palette.secondary), anchor=anchor, angle=angle
        )
        text.setFont(font(11))
        text.setPos(x, y)
        item.addItem(text, ignoreBounds=True)

    def _draw_points(self, item: Any) -> None:
        palette, chosen = self._theme.palette, self.chosen()
        longest = max(point.time_ns for point in self.points)
        for place, point in enumerate(self.points):
            tint = palette.lane(self._kinds.get(point.ceiling.device, "cpu"))
            size = _SMALL + (_LARGE - _SMALL) * (point.time_ns / longest) ** 0.5
            strong = place == chosen
            rim = colour(palette.accent) if strong else colour(palette.surface)
            dot = self._graph.ScatterPlotItem(
                [np.log10(point.intensity)],
                [np.log10(point.operations_per_second)],
                size=size + (6 if strong else 0),
                brush=self._graph.mkBrush(
                    colour(tint, _NOISY_OPACITY if point.noisy else _OPACITY)
                ),
                pen=self._graph.mkPen(rim, width=2.5 if strong else 1),
                antialias=True,
            )
            item.addItem(dot)


def _decades(low: float, high: float, unit: str) -> list[tuple[float, str]]:
    """Places and words of powers of ten: every one, or every few of many."""
    points = range(int(np.ceil(low)), int(np.floor(high)) + 1)
    step = -(-len(points) // 8) or 1
    return [(float(k), _power(k, unit)) for k in points if k % step == 0]


def _power(k: int, unit: str) -> str:
    if not unit:
        return f"{10**k:,}" if k >= 0 else f"{10.0**k:g}"
    prefix = {3: "T", 2: "G", 1: "M", 0: "k"}.get(k // 3 - 1, "")
    return f"{10 ** (k - 3 * (k // 3)) if k >= 3 else 10.0**k:g} {prefix}{unit}"


def _point_text(point: Point) -> str:
    name = units.clip(point.layer.name or point.layer.operator, 60)
    reached = rate(point.operations_per_second, point.ceiling.unit)
    return tr("{name}: {reached}, limited by {bound}.").format(
        name=name, reached=reached, bound=point.limit
    )
