"""What the colours of the graph mean, in a small card."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from inspector.ui.kit.parts import RADIUS
from inspector.ui.kit.theme import Theme, colour, font

_LINE, _SWATCH, _APART, _BETWEEN, _EDGE = 20, 8, 6, 16, 12


class GraphLegend(QWidget):
    """Wraps into as many lines as it needs for the width it is given."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.entries: tuple[tuple[str, str], ...] = ()
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName("Colours")
        theme.changed.connect(self.update)

    def show_entries(self, entries: tuple[tuple[str, str], ...]) -> None:
        """Show these colours with their words."""
        self.entries = entries
        self.setVisible(bool(entries))
        self.setAccessibleDescription("; ".join(words for _, words in entries))
        self.update()

    def fitted(self, width: int) -> QSize:
        """The size it needs when there is so much room."""
        places = self._places(width)
        if not places:
            return QSize(0, 0)
        right = max(x + self._wide(words) for (x, _), (_, words) in self._pairs(places))
        return QSize(int(right) + _EDGE, places[-1][1] + _LINE + 5)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the card."""
        palette = self._theme.palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colour(palette.border), 1))
        painter.setBrush(colour(palette.surface))
        card = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(card, RADIUS, RADIUS)
        painter.setFont(font(12))
        for (x, y), (tint, words) in self._pairs(self._places(self.width())):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(tint))
            painter.drawRoundedRect(QRectF(x, y + 6, _SWATCH, _SWATCH), 2, 2)
            painter.setPen(colour(palette.secondary))
            line = QRectF(x + _SWATCH + _APART, y, self.width(), _LINE)
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, words)

    def _pairs(
        self, places: list[tuple[int, int]]
    ) -> list[tuple[tuple[int, int], tuple[str, str]]]:
        return list(zip(places, self.entries, strict=True))

    def _wide(self, words: str) -> int:
        return _SWATCH + _APART + QFontMetrics(font(12)).horizontalAdvance(words)

    def _places(self, width: int) -> list[tuple[int, int]]:
        found, x, y = [], _EDGE, 5
        for _, words in self.entries:
            needs = self._wide(words)
            if x > _EDGE and x + needs + _EDGE > width:
                x, y = _EDGE, y + _LINE
            found.append((x, y))
            x += needs + _BETWEEN
        return found
