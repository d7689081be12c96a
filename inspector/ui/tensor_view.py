"""Any tensor in numbers: statistics and its first elements."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from inspector import units
from inspector.prediction import Statistics
from inspector.ui.preview_reading import COLUMNS, Reading
from inspector.ui.theme import Theme, colour, font

_HEAD, _LINE, _GAP = 44, 22, 10


class TensorView(QWidget):
    """Minimum, maximum, mean and deviation over the first rows of the last axis."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._facts: tuple[tuple[str, str], ...] = ()
        self._cells: tuple[tuple[str, ...], ...] = ()
        self._note = ""
        self.setAccessibleName("Tensor in numbers")
        theme.changed.connect(self.update)

    def show_reading(self, reading: Reading) -> None:
        """Show another tensor."""
        self._facts = _facts(reading.statistics)
        self._cells = reading.cells
        self._note = _note(reading)
        head = _HEAD + _GAP if self._facts else 0
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
        self._paint_cells(painter, top)

    def _paint_cells(self, painter: QPainter, top: float) -> None:
        look, width = self._theme.palette, self.width() / COLUMNS
        side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.setFont(font(11, mono=True))
        for line, cells in enumerate(self._cells):
            box = QRectF(0, top + line * _LINE, self.width(), _LINE)
            painter.fillRect(QRectF(0, box.top(), self.width(), 1), colour(look.hairline))
            painter.setPen(colour(look.secondary))
            for column, words in enumerate(cells):
                cell = QRectF(column * width, box.top(), width - 6, _LINE)
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
