"""The four cards over a report: prediction, load, memory, compute units."""

from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from inspector import units
from inspector.agreement import words as answer_words
from inspector.analysis.disturbance import disturbances
from inspector.analysis.partition import layers_on
from inspector.report import PerformanceReport
from inspector.ui.kit.histogram import bars, draw_bars
from inspector.ui.kit.parts import GAP, Card, Metric, tip
from inspector.ui.kit.theme import Theme, colour, font

_IN_A_ROW, _SHARES = 800, (5, 4, 4, 6)
_VALUE_ROOM, _MOST_UNITS = 128, 8
_DISTURBED = "disturbed"


class MetricCards(QWidget):
    """Four side by side, or two by two where there is less room."""

    def __init__(self, theme: Theme, report: PerformanceReport) -> None:
        super().__init__()
        self.cards: tuple[Card, ...] = (
            PredictionCard(theme, report),
            _load(theme, report),
            _memory(theme, report),
            UnitsCard(theme, report),
        )
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(GAP)
        self._columns = 0
        self._arrange(2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap."""
        super().resizeEvent(event)
        self._arrange(4 if self.width() >= _IN_A_ROW else 2)

    def _arrange(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        for place, card in enumerate(self.cards):
            self._grid.addWidget(card, place // columns, place % columns)
        for column, share in enumerate(_SHARES):
            self._grid.setColumnStretch(column, share if columns == 4 else int(column < 2))


class PredictionCard(Metric):
    """The median prediction, with how all of them spread."""

    def __init__(self, theme: Theme, report: PerformanceReport) -> None:
        super().__init__(theme, "Prediction")
        self._bars = bars(report.paced.samples_ns)
        self.disturbed = disturbances(report)
        if report.prediction_ns:
            late = units.duration(report.quantile_ns(0.95))
            wrong = any(output.over for output in report.outputs)
            below = f"median · p95 {late}"
            if report.outputs:
                said = answer_words(report.outputs)
                near = said.partition(", largest")[0]
                below = f"{'wrong' if wrong else 'right'} answer · {near}"
                self.setToolTip(tip("Against the CPU without optimisation", said))
            self.show_value(*units.duration_parts(report.median_ns), below, wrong)
        if self.disturbed:
            self.setToolTip(tip("Disturbed", *self.disturbed))
            said = f"{self.accessibleDescription()}; disturbed: {' '.join(self.disturbed)}"
            self.setAccessibleDescription(said)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the number, and the bars beside it; a badge in front of a doubtful one."""
        super().paintEvent(event)
        room = self.width() - 16 - _VALUE_ROOM
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._bars is not None and room > 40:
            top = 34 if self.disturbed else 18
            box = QRectF(self.width() - 16 - min(room, 110), top, min(room, 110), 58 - top)
            draw_bars(painter, box, self._bars, self._theme.palette)
        if self.disturbed:
            self._draw_badge(painter)

    def _draw_badge(self, painter: QPainter) -> None:
        palette = self._theme.palette
        painter.setFont(font(11, 600))
        width = painter.fontMetrics().horizontalAdvance(_DISTURBED) + 14
        box = QRectF(self.width() - 16 - width, 11, width, 18)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(palette.caution, 0.16))
        painter.drawRoundedRect(box, 9, 9)
        painter.setPen(colour(palette.caution))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, _DISTURBED)


@dataclass(frozen=True, slots=True)
class Unit:
    """What one device did: layers that ran on it, and time of its kernels in a prediction."""

    name: str
    family: str
    layers: int
    kernel_ns: int


def work_of_units(report: PerformanceReport) -> tuple[Unit, ...]:
    """Layers and time of each device, idle ones included."""
    found = []
    for device in report.devices[:_MOST_UNITS]:
        mine = [layer for layer in report.layers if layer.ran_on == device.id]
        put_in = [node for node in report.inserted if node.device == device.id]
        busy = sum(layer.time_ns or 0 for layer in mine) + sum(node.time_ns for node in put_in)
        count = layers_on(report, device.id)
        found.append(Unit(units.device(device.id), device.kind, count, busy))
    return tuple(found)


class UnitsCard(Card):
    """Which device took how much of the time, and how many layers ran there."""

    def __init__(self, theme: Theme, report: PerformanceReport) -> None:
        super().__init__(theme)
        self._units = work_of_units(report)
        self._layers = units.plural(sum(unit.layers for unit in self._units), "layer")
        self.setFixedHeight(Metric.HEIGHT)
        self.setMinimumWidth(150)
        whole = sum(unit.kernel_ns for unit in self._units)
        self.setAccessibleName("Compute units")
        told = (
            f"{u.name} {units.plural(u.layers, 'layer')}, {units.share(u.kernel_ns, whole)}"
            for u in self._units
        )
        self.setAccessibleDescription("; ".join(told))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw title, bar and legend."""
        super().paintEvent(event)
        palette = self._theme.palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line = QRectF(16, 12, self.width() - 32, 16)
        painter.setFont(font(12, 500))
        painter.setPen(colour(palette.secondary))
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, "Compute units")
        painter.setFont(font(12))
        painter.setPen(colour(palette.tertiary))
        side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(line, side, f"{self._layers} ran")
        self._draw_bar(painter, QRectF(16, 41, self.width() - 32, 12))
        self._draw_legend(painter, QRectF(16, 64, self.width() - 32, 18))

    def _draw_bar(self, painter: QPainter, box: QRectF) -> None:
        palette = self._theme.palette
        rounded = QPainterPath()
        rounded.addRoundedRect(box, 4, 4)
        painter.save()
        painter.setClipPath(rounded)
        painter.fillRect(box, colour(palette.track))
        whole = sum(unit.kernel_ns for unit in self._units)
        x = box.left()
        for unit in self._units:
            width = box.width() * unit.kernel_ns / whole if whole else 0.0
            shown = max(2.0, width - 1.5) if unit.kernel_ns else 0.0
            tint = colour(palette.lane(unit.family))
            painter.fillRect(QRectF(x, box.top(), shown, box.height()), tint)
            x += width
        painter.restore()

    def _draw_legend(self, painter: QPainter, box: QRectF) -> None:
        palette, x = self._theme.palette, box.left()
        for unit in self._units:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(palette.lane(unit.family)))
            painter.drawRoundedRect(QRectF(x, box.center().y() - 4, 8, 8), 2, 2)
            x += 14
            for words, weight, tint in (
                (unit.name, 500, palette.text),
                (f"{unit.layers:,}", 400, palette.secondary),
            ):
                painter.setFont(font(12, weight))
                painter.setPen(colour(tint))
                width = painter.fontMetrics().horizontalAdvance(words)
                rest = QRectF(x, box.top(), max(0.0, box.right() - x), box.height())
                painter.drawText(rest, Qt.AlignmentFlag.AlignVCenter, words)
                x += width + 5
            x += 13


def _load(theme: Theme, report: PerformanceReport) -> Metric:
    card = Metric(theme, "Load")
    first = units.duration(report.first_prediction_ns)
    card.show_value(*units.duration_parts(report.load_ns), f"first prediction {first}")
    return card


def _memory(theme: Theme, report: PerformanceReport) -> Metric:
    card = Metric(theme, "Model memory")
    memory = report.memory
    below = f"weights {units.size(memory.weights_bytes)}"
    card.show_value(*units.size_parts(memory.model_bytes), below)
    card.setToolTip(
        f"At its peak the model added this to the engine's {units.size(memory.start_bytes)}; "
        f"{units.size(memory.peak_bytes)} in all"
    )
    return card
