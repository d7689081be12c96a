"""Words that are drawn in each frame, laid out once."""

from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QStaticText

from inspector.ui.kit.theme import font


@dataclass(frozen=True, slots=True)
class Laid:
    """A text laid out, with its size in pixels."""

    text: QStaticText
    width: float
    height: float


@lru_cache(maxsize=16_384)
def laid(text: str, pixels: int, weight: int = 400) -> Laid:
    """A text in a font of ours."""
    made = QStaticText(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
    made.prepare(font=font(pixels, weight))
    return Laid(made, made.size().width(), made.size().height())


def write(painter: QPainter, text: Laid, left: float, middle: float) -> None:
    """Draw it around a height; the painter has its font."""
    painter.drawStaticText(QPointF(left, round(middle - text.height / 2)), text.text)
