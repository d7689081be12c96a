"""A small line of samples, for the inspector."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QLinearGradient, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from inspector.ui.kit.theme import Theme, colour


class Sparkline(QWidget):
    """Draws int64 (N,) samples, N > 1, from left to right; the axis does not start at zero."""

    def __init__(self, theme: Theme, samples: NDArray[np.int64], tint: str) -> None:
        super().__init__()
        self._theme, self._samples, self._tint = theme, samples, tint
        self.setFixedHeight(44)
        self.setAccessibleName("Time of each prediction")

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the line over a fading area."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        low, high = float(self._samples.min()) * 0.96, float(self._samples.max())
        x = np.linspace(1, self.width() - 1, len(self._samples))
        y = self.height() - 4 - (self._samples - low) / max(1.0, high - low) * 36
        line = QPainterPath(QPointF(x[0], y[0]))
        for px, py in zip(x[1:], y[1:], strict=True):
            line.lineTo(float(px), float(py))
        area = QPainterPath(line)
        area.lineTo(x[-1], self.height())
        area.lineTo(x[0], self.height())
        fade = QLinearGradient(0, 0, 0, self.height())
        fade.setColorAt(0, colour(self._tint, 0.22))
        fade.setColorAt(1, colour(self._tint, 0.02))
        painter.fillPath(area, fade)
        pen = QPen(colour(self._tint), 1.4)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.drawPath(line)
