"""Memory of activations over one run: a chart with its peak, and the tensors alive there."""

from collections.abc import Sequence
from math import floor, log10

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from inspector import units
from inspector.analysis.cost.memory_plan import Lifetime, MemoryPlan
from inspector.analysis.measured.phases import MEMORY_KINDS
from inspector.model.model import Layer, Model
from inspector.report.report import PerformanceReport
from inspector.ui.documents.document import Document
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.hover import Hover
from inspector.ui.widgets.parts import Card, Elided, label, row, tip
from inspector.ui.widgets.theme import Theme, colour, font, painter_on

_HEIGHT, _LIST = 190, 300  # pixels
_LEFT, _TOP, _BOTTOM, _RIGHT = 74, 24, 22, 8  # around the plot
_TINT = 0.45  # of what is computed, not measured
_MOST_TENSORS = 6


def round_sizes(most: float) -> tuple[int, ...]:
    """Return sizes for an axis up to `most` bytes: 0, and as many of a round one as fit."""
    unit = 1024.0
    while unit * 1024 <= most:
        unit *= 1024
    unit = unit if most >= unit else 1.0
    power = 10.0 ** floor(log10(most / unit / 2))
    step = max(
        1, round(unit * max(n * power for n in (1, 2, 5) if n * power <= most / unit / 2))
    )
    return tuple(range(0, int(most) + 1, step))


class MemoryCard(Card):
    """Shows which activations are alive over a run; follows estimate, report and selection."""

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__(theme)
        self._document = document
        self._plan: MemoryPlan | None = None
        self.title = label(tr("Activation memory"), "heading")
        self.title.setToolTip(tip(MEMORY_KINDS))
        self.summary = label("", "secondary")
        self.summary.setWordWrap(True)
        self.chart = MemoryChart(theme)
        self.chart.chosen.connect(document.selection.choose)
        self.heading = Elided("", "section")
        self._tensors = QWidget()
        self.rows: list[tuple[str, str, str]] = []
        side = QWidget()
        side.setFixedWidth(_LIST)
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.heading)
        column.addWidget(self._tensors)
        column.addStretch(1)
        self._side = column
        self.body.addWidget(self.title)
        self.body.addWidget(self.summary)
        line = row(self.chart, side, spacing=20)
        line.setStretch(0, 1)
        self.body.addLayout(line)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        document.estimating.changed.connect(self._show)
        document.report_chosen.connect(self._show)
        document.selection.changed.connect(self._show_alive)
        document.estimating.begin()
        self._show()

    def _show(self) -> None:
        estimate, model = self._document.estimating.estimate, self._document.model
        self.setVisible(
            estimate is not None and model is not None and bool(estimate.memory.live.any())
        )
        if estimate is None or model is None:
            return
        self._plan = estimate.memory
        report = self._document.report
        measured = _measured(report, len(model.layers))
        self.summary.setText(_summary(self._plan, model, measured, report))
        self.chart.show_plan(self._plan, measured, model)
        self._show_alive()

    def _show_alive(self) -> None:
        """List the tensors that are alive at the selected layer, else at the peak."""
        plan, model = self._plan, self._document.model
        if plan is None or model is None:
            return
        layer = self._document.selection.now.layer
        self.chart.select(layer)
        at_peak = layer is None or layer == plan.peak.layer or layer >= len(model.layers)
        if at_peak or layer is None:
            alive, layer = plan.at_peak, plan.peak.layer
        else:
            alive = plan.alive_at(_top(model.layers, layer))
        name = model.layers[layer].label if layer is not None else ""
        title = (
            tr("Tensors at the memory peak, during {name}")
            if at_peak
            else tr("Tensors in memory during {name}")
        )
        self.heading.set_text(title.format(name=units.clip(name, 80)))
        self.rows = [_row(each, model.layers) for each in alive[:_MOST_TENSORS]]
        if len(alive) > _MOST_TENSORS:
            rest = alive[_MOST_TENSORS:]
            more = tr("{count} more").format(count=len(rest))
            self.rows.append((more, units.size(sum(each.bytes for each in rest)), ""))
        self._fill()

    def _fill(self) -> None:
        self._side.removeWidget(self._tensors)
        self._tensors.hide()
        self._tensors.deleteLater()
        self._tensors = QWidget()
        grid = QGridLayout(self._tensors)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(0, 1)
        for place, (name, size, lives) in enumerate(self.rows):
            shown = Elided(name)
            shown.setToolTip(lives)
            grid.addWidget(shown, place, 0)
            grid.addWidget(label(size, "value"), place, 1, Qt.AlignmentFlag.AlignRight)
        self._side.insertWidget(1, self._tensors)


def _top(layers: Sequence[Layer], layer: int) -> int:
    """Return the layer of the main graph that a layer lies in; itself if in none."""
    parent = layers[layer].parent
    while parent is not None:
        layer, parent = parent, layers[parent].parent
    return layer


def _row(each: Lifetime, layers: Sequence[Layer]) -> tuple[str, str, str]:
    """Return name, size, and from which to which layer a tensor lives."""
    first = tr("an input") if each.first is None else layers[each.first].label
    last = tr("the end") if each.last is None else layers[each.last].label
    lives = tr("{name}: from {first} to {last}").format(
        name=units.clip(each.name, 120), first=units.clip(first, 80), last=units.clip(last, 80)
    )
    return units.clip(each.name, 120), units.size(each.bytes), lives


def _measured(report: PerformanceReport | None, count: int) -> NDArray[np.float64]:
    """Return the arena's bytes in use after each layer, NaN where unknown: float64 (count,)."""
    values = np.full(count, np.nan)
    for use in report.layers if report is not None else ():
        if use.arena_bytes is not None and 0 <= use.index < count:
            values[use.index] = use.arena_bytes
    return values


def _summary(
    plan: MemoryPlan,
    model: Model,
    measured: NDArray[np.float64],
    report: PerformanceReport | None,
) -> str:
    """Return the peak, where it is, and what the runtime's arena took."""
    layer = plan.peak.layer
    name = units.clip(model.layers[layer].label, 60) if layer is not None else ""
    texts = [
        tr(
            "Computed from shapes: {size} at the peak, while {name} runs; up to {most} with "
            "what a runtime adds."
        ).format(size=units.size(int(plan.live.max())), name=name, most=units.size(plan.most))
    ]
    if plan.peak.unknown:
        texts.append(
            tr("The size of {values} is unknown.").format(
                values=plural(plan.peak.unknown, "tensor")
            )
        )
    if not np.isnan(measured).all():
        texts.append(
            tr(
                "Measured at the end of each layer in the first run: up to {size} of the "
                "arena was in use."
            ).format(size=units.size(float(np.nanmax(measured))))
        )
        if report is not None and report.memory.arena_held_bytes:
            texts.append(
                tr("{size} reserved from the system.").format(
                    size=units.size(report.memory.arena_held_bytes)
                )
            )
    else:
        texts.append(tr("Measure to see the memory use of the runtime's arena."))
    return " ".join(texts)


class MemoryChart(QWidget):
    """Layers from left to right, bytes upwards: computed as an area, measured as a line.

    A click selects a layer, as do the left and right keys; the peak is marked.
    """

    chosen = Signal(int)  # layer

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._live = np.zeros(0, np.int64)
        self._measured = np.zeros(0)
        self._layers: tuple[Layer, ...] = ()
        self._peak: int | None = None
        self._selected: int | None = None
        self.hover = Hover(theme, self)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMinimumHeight(_HEIGHT)
        self.setAccessibleName(tr("Activation memory by layer"))
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Return a size that uses all the width."""
        return QSize(480, _HEIGHT)

    def show_plan(self, plan: MemoryPlan, measured: NDArray[np.float64], model: Model) -> None:
        """Show another plan; measured: bytes by layer, NaN where unknown."""
        self._live, self._measured, self._layers = plan.live, measured, model.layers
        self._peak = plan.peak.layer
        peak = model.layers[self._peak].label if self._peak is not None else ""
        self.setAccessibleDescription(
            tr("Peak {size} at {name}").format(
                size=units.size(int(plan.live.max(initial=0))), name=units.clip(peak, 120)
            )
        )
        self.update()

    def select(self, layer: int | None) -> None:
        """Mark the selected layer."""
        self._selected = layer if layer is not None and layer < len(self._live) else None
        self.update()

    def layer_at(self, x: float) -> int | None:
        """Return the layer at a place from the left edge; None outside of the plot."""
        box = self._box()
        if not len(self._live) or not box.left() <= x <= box.right():
            return None
        place = int((x - box.left()) / box.width() * len(self._live))
        return min(place, len(self._live) - 1)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show the tensors that are in memory at the layer under the pointer."""
        layer = self.layer_at(event.position().x())
        if layer is None:
            self.hover.hide()
            return
        facts = [(tr("Computed"), units.size(int(self._live[layer])))]
        if not np.isnan(self._measured[layer]):
            facts.append((tr("Measured"), units.size(float(self._measured[layer]))))
        name = units.clip(self._layers[layer].label, 80)
        self.hover.show_facts(event.position().toPoint(), name, tuple(facts))

    def leaveEvent(self, event: QEvent) -> None:
        """Hide the tooltip."""
        self.hover.hide()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the layer under the pointer."""
        layer = self.layer_at(event.position().x())
        if layer is not None:
            self.chosen.emit(layer)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right go from layer to layer, Home to the peak."""
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        key = Qt.Key(event.key())
        start = self._selected if self._selected is not None else self._peak
        if start is None or (key not in steps and key != Qt.Key.Key_Home):
            super().keyPressEvent(event)
        elif key == Qt.Key.Key_Home:
            self.chosen.emit(self._peak)
        else:
            self.chosen.emit(min(max(0, start + steps[key]), len(self._live) - 1))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw axis, area, line and marks."""
        if not len(self._live):
            return
        look, box = self._theme.palette, self._box()
        painter = painter_on(self)
        most = self._most()
        self._draw_axis(painter, box, most)
        columns = max(1, min(len(self._live), int(box.width())))
        starts = np.linspace(0, len(self._live), columns, endpoint=False).astype(np.intp)
        live = np.maximum.reduceat(self._live, starts) / most
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, columns < box.width() / 4)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(look.cpu, _TINT))
        outline = self._steps(box, live)
        painter.drawPolygon(QPolygonF([box.bottomLeft(), *outline, box.bottomRight()]))
        known = np.nan_to_num(self._measured, nan=-1.0)
        if (known >= 0).any():
            filled = np.maximum.accumulate(np.where(known >= 0, np.arange(len(known)), 0))
            series = np.maximum.reduceat(np.maximum(known[filled], 0.0), starts) / most
            painter.setPen(QPen(colour(look.data), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolyline(QPolygonF(self._steps(box, series)))
        self._draw_marks(painter, box)
        self._draw_legend(painter, box, bool((known >= 0).any()))
        if self.hasFocus():
            painter.setPen(QPen(colour(look.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))

    def _box(self) -> QRectF:
        return QRectF(self.rect()).adjusted(_LEFT, _TOP, -_RIGHT, -_BOTTOM)

    def _most(self) -> float:
        measured = np.nan_to_num(self._measured).max(initial=0.0)
        return max(1.0, float(self._live.max(initial=0)), float(measured)) * 1.05

    def _steps(self, box: QRectF, shares: NDArray[np.float64]) -> list[QPointF]:
        """Return a line that is level within each column."""
        edges = np.linspace(box.left(), box.right(), len(shares) + 1).tolist()
        heights = (box.bottom() - shares * box.height()).tolist()
        points = []
        for place, height in enumerate(heights):
            points += [QPointF(edges[place], height), QPointF(edges[place + 1], height)]
        return points

    def _draw_axis(self, painter: QPainter, box: QRectF, most: float) -> None:
        look = self._theme.palette
        painter.setFont(font(11))
        for size in round_sizes(most):
            y = round(box.bottom() - size / most * box.height()) + 0.5
            painter.setPen(QPen(colour(look.grid if size else look.border), 1))
            painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y))
            painter.setPen(colour(look.tertiary))
            place = QRectF(0, y - 9, _LEFT - 8, 18)
            end = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(place, end, units.size(size))
        below = QRectF(box.left(), box.bottom() + 4, box.width(), 16)
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft, tr("first layer"))
        painter.drawText(below, Qt.AlignmentFlag.AlignRight, tr("last layer"))

    def _x(self, box: QRectF, layer: int) -> float:
        return box.left() + (layer + 0.5) / len(self._live) * box.width()

    def _draw_marks(self, painter: QPainter, box: QRectF) -> None:
        look = self._theme.palette
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        if self._selected is not None:
            x = self._x(box, self._selected)
            painter.setPen(QPen(colour(look.text), 1))
            painter.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom()))
        if self._peak is None:
            return
        x = self._x(box, self._peak)
        painter.setPen(QPen(colour(look.bad), 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(x, box.top() - 4), QPointF(x, box.bottom()))
        text = tr("Peak {size}").format(size=units.size(int(self._live[self._peak])))
        painter.setFont(font(11, 500))
        wide = QFontMetrics(font(11, 500)).horizontalAdvance(text)
        left = min(max(box.left(), x - wide / 2), box.right() - wide)
        painter.setPen(colour(look.bad))
        painter.drawText(QPointF(left, box.top() - 9), text)

    def _draw_legend(self, painter: QPainter, box: QRectF, measured: bool) -> None:
        look, metrics = self._theme.palette, QFontMetrics(font(11))
        painter.setFont(font(11))
        entries = [(tr("activations"), colour(look.cpu, _TINT))]
        entries += [(tr("arena"), colour(look.data))] * measured
        widths = [metrics.horizontalAdvance(text) + 14 for text, _ in entries]
        x = box.center().x() - (sum(widths) + 14 * (len(entries) - 1)) / 2
        for (text, tint), wide in zip(entries, widths, strict=True):
            painter.fillRect(QRectF(x, box.bottom() + 9, 8, 8), tint)
            painter.setPen(colour(look.secondary))
            painter.drawText(QPointF(x + 14, box.bottom() + 17), text)
            x += wide + 14
