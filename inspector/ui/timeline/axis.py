"""The axis of time above the lanes, and the lines it draws down through them."""

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from inspector import units
from inspector.look import Palette
from inspector.ui.kit.theme import Theme, colour, font
from inspector.ui.timeline.layout import Scale

HEIGHT, TICK_ROOM = 26, 66


class Axis(QWidget):
    """Round instants with their words."""

    def __init__(self, theme: Theme, scale: Callable[[], Scale]) -> None:
        super().__init__()
        self._theme, self._scale = theme, scale
        self.setFixedHeight(HEIGHT)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw ticks and words."""
        look, scale = self._theme.palette, self._scale()
        painter = QPainter(self)
        painter.setFont(font(11))
        painter.setClipRect(QRectF(scale.left - 1, 0, scale.width + 1, HEIGHT))
        metrics = painter.fontMetrics()
        for instant, words in ticks(scale):
            x = round(scale.x(instant))
            painter.fillRect(QRectF(x, HEIGHT - 6, 1, 6), colour(look.border))
            width = metrics.horizontalAdvance(words)
            left = min(max(x - width / 2, scale.left + 4), scale.left + scale.width - width - 4)
            if abs(left + width / 2 - x) <= width / 2:
                painter.setPen(colour(look.tertiary))
                box = QRectF(left, 0, width + 1, HEIGHT - 6)
                painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, words)


def ticks(scale: Scale) -> tuple[tuple[float, str], ...]:
    """Instants to mark, with their words."""
    return units.axis(scale.begin_ns, scale.end_ns, max(1, int(scale.width / TICK_ROOM)))


def draw_grid(painter: QPainter, scale: Scale, height: float, palette: Palette) -> None:
    """Draw a line down from each tick."""
    for instant, _ in ticks(scale):
        painter.fillRect(QRectF(round(scale.x(instant)), 0, 1, height), colour(palette.grid))
