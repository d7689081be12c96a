"""The axis of time above the lanes, and the lines it draws down through them."""

from collections.abc import Callable
from functools import lru_cache

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from inspector import units
from inspector.look import Palette
from inspector.ui.kit.theme import Theme, colour
from inspector.ui.timeline.layout import Scale
from inspector.ui.timeline.words import Placed, laid, write

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
        painter.setClipRect(QRectF(scale.left - 1, 0, scale.width + 1, HEIGHT))
        tint, right = colour(look.border), scale.left + scale.width
        told = list[Placed]()
        for instant, words in ticks(scale):
            x, text = round(scale.x(instant)), laid(words, 11)
            painter.fillRect(x, HEIGHT - 6, 1, 6, tint)
            left = min(max(x - text.width / 2, scale.left + 4), right - text.width - 4)
            if abs(left + text.width / 2 - x) <= text.width / 2:
                told.append((text, round(left), HEIGHT / 2 - 3, look.tertiary))
        write(painter, told)


@lru_cache(maxsize=4)
def ticks(scale: Scale) -> tuple[tuple[float, str], ...]:
    """Instants to mark, with their words."""
    return units.axis(scale.begin_ns, scale.end_ns, max(1, int(scale.width / TICK_ROOM)))


def draw_grid(painter: QPainter, scale: Scale, height: int, palette: Palette) -> None:
    """Draw a line down from each tick."""
    tint = colour(palette.grid)
    for instant, _ in ticks(scale):
        painter.fillRect(round(scale.x(instant)), 0, 1, height, tint)
