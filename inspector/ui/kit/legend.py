"""The device-support markers that occur, each with its words, always in view."""

from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from inspector.marking import Mark
from inspector.ui.kit.marks import draw_mark
from inspector.ui.kit.theme import Theme, colour, font

_LINE, _MARK, _APART, _BETWEEN = 20, 13, 6, 16


class Legend(QWidget):
    """Wraps into as many lines as it needs."""

    def __init__(self, theme: Theme, marks: Iterable[Mark]) -> None:
        super().__init__()
        self._theme = theme
        present = set(marks)
        self.marks = tuple(mark for mark in Mark if mark in present)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName("Markers")
        self.setAccessibleDescription("; ".join(mark.words for mark in self.marks))
        theme.changed.connect(self.update)

    def hasHeightForWidth(self) -> bool:
        """Fewer pixels are more lines."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Height of all lines."""
        places = self._places(width)
        return int(places[-1].y()) + _LINE if places else 0

    def sizeHint(self) -> QSize:
        """One line if there is room."""
        return QSize(320, self.heightForWidth(max(self.width(), 320)))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw markers and words."""
        look = self._theme.palette
        painter = QPainter(self)
        painter.setFont(font(11))
        for mark, place in zip(self.marks, self._places(self.width()), strict=True):
            box = QRectF(place.x(), place.y() + (_LINE - _MARK) / 2, _MARK, _MARK)
            draw_mark(painter, box, mark, look.secondary, look)
            painter.setPen(colour(look.secondary))
            words = QRectF(box.right() + _APART, place.y(), self.width(), _LINE)
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, mark.words)

    def _places(self, width: int) -> list[QPointF]:
        metrics = QFontMetrics(font(11))
        found: list[QPointF] = []
        x = y = 0
        for mark in self.marks:
            needs = _MARK + _APART + metrics.horizontalAdvance(mark.words)
            if x and x + needs > width:
                x, y = 0, y + _LINE
            found.append(QPointF(x, y))
            x += needs + _BETWEEN
        return found
