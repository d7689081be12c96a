"""Values over time: a waveform, or a probability with its threshold."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from inspector import units
from inspector.ui.widgets.theme import Theme, colour, font

_AXIS, _SIDE = 20, 34
Parts = Sequence[tuple[float, float]]


class CurveView(QWidget):
    """A band from the lowest to the highest value of each stretch, over an axis of time.

    scaled: show the range of the values at the left.
    """

    def __init__(self, theme: Theme, name: str, height: int, scaled: bool = False) -> None:
        super().__init__()
        self._theme, self._scaled = theme, scaled
        self._parts: Parts = ()
        self._low, self._high, self._seconds = 0.0, 1.0, 0.0
        self._threshold: float | None = None
        self.setFixedHeight(height)
        self.setAccessibleName(name)
        theme.changed.connect(self.update)

    def show_parts(
        self, parts: Parts, low: float, high: float, seconds: float, words: str
    ) -> None:
        """Show other values between `low` and `high`; `words` tell them without the picture."""
        self._parts, self._seconds = parts, seconds
        self._low, self._high = low, high if high > low else low + 1
        self.setAccessibleDescription(words)
        self.update()

    def show_threshold(self, threshold: float | None) -> None:
        """Draw a line across, and what lies above it in full colour."""
        self._threshold = threshold
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw ground, threshold, band and axis."""
        painter, look = QPainter(self), self._theme.palette
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left = _SIDE if self._scaled else 0
        below = _AXIS if self._parts else 0
        box = QRectF(left, 1, self.width() - left - 1, self.height() - below - 2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(look.window))
        painter.drawRoundedRect(box, 6, 6)
        self._paint_axis(painter, box)
        if not self._parts:
            return
        band = self._band(box.adjusted(2, 4, -2, -4))
        if self._threshold is None:
            self._paint_band(painter, band, 1.0)
            return
        line = self._y(self._threshold, box.adjusted(2, 4, -2, -4))
        self._paint_band(painter, band, 0.4)
        painter.save()
        painter.setClipRect(QRectF(box.left(), box.top(), box.width(), line - box.top()))
        self._paint_band(painter, band, 1.0)
        painter.restore()
        painter.setPen(QPen(colour(look.tertiary), 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(box.left(), line), QPointF(box.right(), line))

    def _paint_band(self, painter: QPainter, band: QPolygonF, strength: float) -> None:
        accent = self._theme.palette.accent
        painter.setPen(QPen(colour(accent, strength), 1.2))
        painter.setBrush(colour(accent, 0.35 * strength))
        painter.drawPolygon(band)

    def _band(self, box: QRectF) -> QPolygonF:
        step = box.width() / max(1, len(self._parts) - 1)
        there = [
            QPointF(box.left() + i * step, self._y(high, box))
            for i, (_, high) in enumerate(self._parts)
        ]
        back = [
            QPointF(box.left() + i * step, self._y(low, box))
            for i, (low, _) in enumerate(self._parts)
        ]
        return QPolygonF([*there, *reversed(back)])

    def _y(self, value: float, box: QRectF) -> float:
        share = (value - self._low) / (self._high - self._low)
        return box.bottom() - min(1.0, max(0.0, share)) * box.height()

    def _paint_axis(self, painter: QPainter, box: QRectF) -> None:
        look = self._theme.palette
        painter.setFont(font(10))
        painter.setPen(colour(look.tertiary))
        right = Qt.AlignmentFlag.AlignRight
        if self._scaled:
            for value, flag in ((self._high, Qt.AlignmentFlag.AlignTop),
                                (self._low, Qt.AlignmentFlag.AlignBottom)):  # fmt: skip
                side = QRectF(0, box.top(), _SIDE - 6, box.height())
                painter.drawText(side, int(right | flag), f"{value:.3g}")
        if self._seconds <= 0:
            return
        most = max(1, int(box.width() // 90))
        for instant, words in units.axis(0, self._seconds * 1e9, most):
            x = box.left() + instant / (self._seconds * 1e9) * box.width()
            width = painter.fontMetrics().horizontalAdvance(words)
            x = min(max(x - width / 2, box.left()), box.right() - width)
            place = QRectF(x, box.bottom() + 2, width + 2, _AXIS - 2)
            painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter), words)
