"""Any tensor in numbers: statistics and its first elements."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from inspector import units
from inspector.prediction import Statistics
from inspector.ui.kit.theme import Theme, colour, font
from inspector.ui.preview.reading import Reading

_HEAD, _LINE, _GAP, _CURVE = 44, 22, 10, 72


class TensorView(QWidget):
    """Minimum, maximum, mean and deviation over the first rows of the last axis."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._facts: tuple[tuple[str, str], ...] = ()
        self._cells: tuple[tuple[str, ...], ...] = ()
        self._curve: tuple[tuple[float, float], ...] = ()
        self._note = ""
        self.setAccessibleName("Tensor in numbers")
        theme.changed.connect(self.update)

    def show_reading(self, reading: Reading) -> None:
        """Show another tensor."""
        self._facts = _facts(reading.statistics)
        self._cells, self._curve = reading.cells, reading.curve
        self._note = _note(reading)
        head = _HEAD + _GAP if self._facts else 0
        head += _CURVE + _GAP if self._curve else 0
        lines = len(self._cells) + bool(self._note)
        self.setFixedHeight(head + max(1, lines) * _LINE)
        words = ", ".join(f"{name} {value}" for name, value in self._facts)
        self.setAccessibleDescription(words or self._note)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw both parts."""
        painter, look = QPainter(self), self._theme.palette
        top = 0.0
        width = self.width() / max(4, len(self._facts))
        for i, (name, value) in enumerate(self._facts):
            box = QRectF(i * width, 0, width - 4, _HEAD)
            painter.setFont(font(11))
            painter.setPen(colour(look.tertiary))
            painter.drawText(box.adjusted(0, 2, 0, -24), Qt.AlignmentFlag.AlignVCenter, name)
            painter.setFont(font(13, 600))
            painter.setPen(colour(look.text))
            painter.drawText(box.adjusted(0, 18, 0, -2), Qt.AlignmentFlag.AlignVCenter, value)
            top = _HEAD + _GAP
        if self._curve:
            self._paint_curve(painter, QRectF(0, top, self.width(), _CURVE))
            top += _CURVE + _GAP
        self._paint_cells(painter, top)

    def _paint_curve(self, painter: QPainter, box: QRectF) -> None:
        """Draw the values from left to right: a band from the lowest to the highest."""
        look = self._theme.palette
        lowest, highest = (
            min(low for low, _ in self._curve),
            max(high for _, high in self._curve),
        )
        scale = (box.height() - 8) / ((highest - lowest) or 1)
        step = box.width() / max(1, len(self._curve) - 1)

        def point(place: int, value: float) -> QPointF:
            return QPointF(place * step, box.bottom() - 4 - (value - lowest) * scale)

        there = [point(i, high) for i, (_, high) in enumerate(self._curve)]
        back = [point(i, low) for i, (low, _) in enumerate(self._curve)]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(box, colour(look.window))
        painter.setPen(QPen(colour(look.accent), 1.2))
        painter.setBrush(colour(look.accent, 0.35))
        painter.drawPolygon(QPolygonF([*there, *reversed(back)]))
        painter.restore()

    def _paint_cells(self, painter: QPainter, top: float) -> None:
        look, width = (
            self._theme.palette,
            min(110.0, self.width() / max(map(len, self._cells), default=1)),
        )
        side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.setFont(font(11, mono=True))
        for line, cells in enumerate(self._cells):
            box = QRectF(0, top + line * _LINE, self.width(), _LINE)
            painter.fillRect(QRectF(0, box.top(), self.width(), 1), colour(look.hairline))
            painter.setPen(colour(look.secondary))
            for column, words in enumerate(cells):
                cell = QRectF(column * width, box.top(), width - 4, _LINE)
                shown = painter.fontMetrics().elidedText(
                    words, Qt.TextElideMode.ElideRight, int(cell.width())
                )
                painter.drawText(cell, int(side), shown)
        if self._note:
            painter.setFont(font(11))
            painter.setPen(colour(look.tertiary))
            box = QRectF(0, top + len(self._cells) * _LINE, self.width(), _LINE)
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, self._note)


def _facts(found: Statistics | None) -> tuple[tuple[str, str], ...]:
    if found is None:
        return ()
    odd = (("NaN", found.nan), ("Infinite", found.infinite))
    return (
        ("Minimum", f"{found.minimum:.5g}"),
        ("Maximum", f"{found.maximum:.5g}"),
        ("Mean", f"{found.mean:.5g}"),
        ("Deviation", f"{found.deviation:.5g}"),
        *((name, units.count(number)) for name, number in odd if number),
    )


def _note(reading: Reading) -> str:
    """How much of the tensor is shown."""
    array = reading.output.array
    if array is None or not array.size:
        return "No elements."
    shown = sum(map(len, reading.cells))
    if shown == array.size:
        return ""
    return f"The first {shown} of {units.plural(array.size, 'element')}"
