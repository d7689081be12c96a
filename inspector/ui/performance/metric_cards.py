"""The four cards over a report: latency, load, memory, compute units."""

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from inspector import units
from inspector.agreement import words as answer_words
from inspector.analysis.disturbance import disturbances
from inspector.analysis.latency import TAILS_OF, interval_text, latency
from inspector.analysis.partition import layers_on
from inspector.analysis.phases import memory_note
from inspector.analysis.submission import is_untimed, submission_words
from inspector.report import PerformanceReport
from inspector.ui.kit.histogram import bars, draw_bars
from inspector.ui.kit.parts import GAP, Card, Metric, tip
from inspector.ui.kit.theme import Theme, colour, font

_IN_A_ROW, _SHARES, _TWO_SHARES = 800, (18, 8, 9, 11), (3, 2)
_MOST_UNITS = 8
_LEAST_BARS = 40  # pixels of width that a histogram needs
_NOISY = "Noisy"


class MetricCards(QWidget):
    """Four side by side, or two by two where there is less room."""

    def __init__(self, theme: Theme, report: PerformanceReport) -> None:
        super().__init__()
        self.cards: tuple[Card, ...] = (
            LatencyCard(theme, report),
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
        shares = _SHARES if columns == 4 else _TWO_SHARES
        for column in range(len(_SHARES)):
            self._grid.setColumnStretch(column, shares[column] if column < columns else 0)


class LatencyCard(Card):
    """The two numbers to quote: the headline median, and p95 of all predictions.

    disturbed: reasons to doubt them; the card is marked as noisy then.
    """

    def __init__(self, theme: Theme, report: PerformanceReport) -> None:
        super().__init__(theme)
        self.setFixedHeight(Metric.HEIGHT)
        self.setMinimumWidth(150)
        self.latency = latency(report)
        self.disturbed = disturbances(report)
        self._bars = bars(report.prediction_ns, median_ns=report.median_ns)
        self._wrong = any(output.over for output in report.outputs)
        self._answer = ""
        if report.outputs:
            self._answer = "wrong answer" if self._wrong else "right answer"
        hints = ["Disturbed:", *self.disturbed] if self.disturbed else []
        if report.outputs:
            hints += [f"Against the CPU without optimisation: {answer_words(report.outputs)}"]
        self.setToolTip(tip(*hints) if hints else "")
        self.setAccessibleName("Latency")
        self.setAccessibleDescription("; ".join(self._spoken()))

    @property
    def numbers(self) -> tuple[tuple[str, str, str], ...]:
        """Value, unit and label of the two numbers; empty where nothing was timed."""
        found = self.latency
        if found is None:
            return ()
        headline, late = found.headline.p50_ns, found.all_predictions.p95_ns
        return (
            (*units.duration_parts(headline), found.headline_label),
            (*units.duration_parts(late), f"p95 {TAILS_OF}"),
        )

    @property
    def interval(self) -> str:
        """The 95 % interval of the headline median, '95 % interval 3.62 ms to 3.66 ms'."""
        told = interval_text(self.latency.headline) if self.latency else ""
        return f"95 % interval {told}" if told else ""

    def _spoken(self) -> Iterator[str]:
        yield from (f"{value} {unit}, {label}" for value, unit, label in self.numbers)
        if self.interval:
            yield self.interval
        if self._answer:
            yield self._answer
        if self.disturbed:
            yield f"{_NOISY}: {' '.join(self.disturbed)}"

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the title with badge and interval, both numbers, and the histogram."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw_title(painter)
        if not self.numbers:
            painter.setFont(font(13))
            painter.setPen(colour(self._theme.palette.tertiary))
            painter.drawText(16, 57, "no prediction was timed")
            return
        left = last = 16.0
        for place, number in enumerate(self.numbers):
            last, right = self._draw_number(painter, left, number, self._wrong and not place)
            left = right + 18
        room = self.width() - 16 - last - 10
        if self._bars is not None and room >= _LEAST_BARS:
            wide = min(room, 110)
            box = QRectF(self.width() - 16 - wide, 33, wide, 29)
            draw_bars(painter, box, self._bars, self._theme.palette)

    def _draw_number(
        self, painter: QPainter, left: float, number: tuple[str, str, str], wrong: bool
    ) -> tuple[float, float]:
        """Draw one number over its label; returns where its unit and the wider of both end."""
        palette, (value, unit, below) = self._theme.palette, number
        painter.setFont(font(24, 600))
        painter.setPen(colour(palette.bad if wrong else palette.text))
        painter.drawText(QPointF(left, 57), value)
        end = left + painter.fontMetrics().horizontalAdvance(value) + 4
        painter.setFont(font(13, 500))
        painter.setPen(colour(palette.secondary))
        painter.drawText(QPointF(end, 57), unit)
        end += painter.fontMetrics().horizontalAdvance(unit)
        painter.setFont(font(11))
        painter.setPen(colour(palette.tertiary))
        room = max(0.0, self.width() - 16 - left)
        shown = painter.fontMetrics().elidedText(below, Qt.TextElideMode.ElideRight, int(room))
        painter.drawText(QRectF(left, 66, room, 16), Qt.AlignmentFlag.AlignVCenter, shown)
        return end, max(end, left + painter.fontMetrics().horizontalAdvance(shown))

    def _draw_title(self, painter: QPainter) -> None:
        palette, line = self._theme.palette, QRectF(16, 12, self.width() - 32, 16)
        painter.setFont(font(12, 500))
        painter.setPen(colour(palette.secondary))
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, "Latency")
        end = line.left() + painter.fontMetrics().horizontalAdvance("Latency") + 8
        if self._answer:
            painter.setPen(colour(palette.bad if self._wrong else palette.tertiary))
            rest = QRectF(end, line.top(), line.right() - end, line.height())
            painter.drawText(rest, Qt.AlignmentFlag.AlignVCenter, self._answer)
            end += painter.fontMetrics().horizontalAdvance(self._answer) + 8
        if self.disturbed:
            end = self._draw_badge(painter, end) + 8
        painter.setFont(font(11))
        painter.setPen(colour(palette.tertiary))
        if end + painter.fontMetrics().horizontalAdvance(self.interval) <= line.right():
            side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
            painter.drawText(line, side, self.interval)

    def _draw_badge(self, painter: QPainter, left: float) -> float:
        """Draw the word for doubtful numbers; returns where it ends."""
        palette = self._theme.palette
        painter.setFont(font(11, 600))
        width = painter.fontMetrics().horizontalAdvance(_NOISY) + 14
        box = QRectF(left, 11, width, 18)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(palette.caution, 0.16))
        painter.drawRoundedRect(box, 5, 5)
        painter.setPen(colour(palette.caution))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, _NOISY)
        return box.right()


@dataclass(frozen=True, slots=True)
class Unit:
    """What one device did: layers that ran on it, and time of its kernels in a prediction."""

    name: str
    family: str
    layers: int
    kernel_ns: int
    timed: bool = True


def work_of_units(report: PerformanceReport) -> tuple[Unit, ...]:
    """Layers and time of each device, idle ones included."""
    found = []
    for device in report.devices[:_MOST_UNITS]:
        mine = [layer for layer in report.layers if layer.ran_on == device.id]
        put_in = [node for node in report.inserted if node.device == device.id]
        busy = sum(layer.time_ns or 0 for layer in mine) + sum(node.time_ns for node in put_in)
        count = layers_on(report, device.id)
        timed = not is_untimed(report, device.id)
        found.append(Unit(units.device(device.id), device.kind, count, busy, timed))
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
        # Beside a device without times the others' shares would have no base.
        self._timed = all(unit.timed for unit in self._units)
        told = (
            f"{u.name} {units.plural(u.layers, 'layer')}"
            + (f", {units.share(u.kernel_ns, whole)}" if self._timed else ", no share known")
            for u in self._units
        )
        if not self._timed:
            self.setToolTip(tip(submission_words(report)))
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
        ran = f"{self._layers} ran" if self._timed else "not timed"
        painter.drawText(line, side, ran)
        self._draw_bar(painter, QRectF(16, 41, self.width() - 32, 12))
        self._draw_legend(painter, QRectF(16, 64, self.width() - 32, 18))

    def _draw_bar(self, painter: QPainter, box: QRectF) -> None:
        palette = self._theme.palette
        rounded = QPainterPath()
        rounded.addRoundedRect(box, 4, 4)
        painter.save()
        painter.setClipPath(rounded)
        painter.fillRect(box, colour(palette.track))
        amounts = [unit.kernel_ns if self._timed else unit.layers for unit in self._units]
        whole = sum(amounts)
        x = box.left()
        for unit, amount in zip(self._units, amounts, strict=True):
            width = box.width() * amount / whole if whole else 0.0
            shown = max(2.0, width - 1.5) if amount else 0.0
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
    card.show_value(*units.duration_parts(report.load_ns), f"first call {first}")
    return card


def _memory(theme: Theme, report: PerformanceReport) -> Metric:
    card = Metric(theme, "Model memory, peak")
    memory = report.memory
    card.show_value(*units.size_parts(memory.model_bytes), memory_note(memory))
    card.setToolTip(
        f"At its peak the model added this to the {units.size(memory.start_bytes)} of the "
        f"process that measured it; {units.size(memory.peak_bytes)} in all. Its weights are "
        f"{units.size(memory.weights_bytes)}."
    )
    return card
