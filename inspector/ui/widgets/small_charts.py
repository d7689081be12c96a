"""Samples as a few bars; the bar that holds the median stands out."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QLinearGradient, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from inspector import units
from inspector.export.charts import palette as palette_module
from inspector.export.charts.palette import Palette
from inspector.ui.translate import tr
from inspector.ui.widgets.theme import Theme, colour

MOST, _FEWEST = 14, 6
_OUTLIER = 3.0  # quartile distances over the upper quartile


@dataclass(frozen=True, slots=True)
class Bars:
    """Counts from the smallest sample to the largest; the last bar holds all outliers too.

    middle: the bar of the median. low_ns, high_ns: where the first bar begins and the last
    one ends, without outliers.
    """

    counts: tuple[int, ...]
    middle: int
    low_ns: float
    high_ns: float


def bars(
    samples_ns: Sequence[int], most: int = MOST, median_ns: float | None = None
) -> Bars | None:
    """Sort samples into at most so many bars, fewer for few samples; None without any.

    median_ns: whose bar stands out; None for the median of these samples.
    """
    if not samples_ns:
        return None
    samples = np.asarray(samples_ns, np.float64)
    lower, upper = np.quantile(samples, (0.25, 0.75))
    low, high = float(samples.min()), float(samples.max())
    high = max(min(high, upper + _OUTLIER * max(upper - lower, 0.02 * upper)), low + 1)
    number = min(most, max(_FEWEST, len(samples) // 2))
    places = ((samples - low) / (high - low) * number).astype(np.intp).clip(0, number - 1)
    middle = int(places[np.argsort(samples)[(len(samples) - 1) // 2]])
    if median_ns is not None:
        middle = int(np.clip((median_ns - low) / (high - low) * number, 0, number - 1))
    return Bars(tuple(np.bincount(places, minlength=number).tolist()), middle, low, high)


def draw_bars(painter: QPainter, box: QRectF, shown: Bars, palette: Palette) -> None:
    """Draw bars into a box, with a line to stand on."""
    count = len(shown.counts)
    pitch = min(box.width() / count, 14.0)
    left = box.right() - pitch * count
    tallest = max(shown.counts)
    painter.setPen(Qt.PenStyle.NoPen)
    for place, number in enumerate(shown.counts):
        strong = place == shown.middle
        painter.setBrush(
            colour(
                palette.accent
                if strong
                else palette_module.mix(palette.accent, palette.surface, 0.6)
            )
        )
        height = max(2.0, (box.height() - 2) * number / tallest) if number else 0.0
        bar = QRectF(left + place * pitch, box.bottom() - 2 - height, pitch - 1.5, height)
        painter.drawRoundedRect(bar, 1, 1)
    painter.fillRect(QRectF(left, box.bottom() - 1, pitch * count, 1), colour(palette.border))


class Histogram(QWidget):
    """Shows how samples spread; more may come at any time."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._bars: Bars | None = None
        self.setFixedSize(120, 40)
        self.setAccessibleName(tr("Runs"))
        theme.changed.connect(self.update)

    def show_samples(self, samples_ns: Sequence[int]) -> None:
        """Show other samples, in nanoseconds."""
        self._bars = bars(samples_ns)
        if self._bars is not None:
            low, high = units.duration(self._bars.low_ns), units.duration(self._bars.high_ns)
            self.setAccessibleDescription(
                tr("{count} from {low} to {high}").format(
                    count=len(samples_ns), low=low, high=high
                )
            )
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bars."""
        if self._bars is not None:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            draw_bars(painter, QRectF(self.rect()), self._bars, self._theme.palette)


# A small line of samples, for the inspector.


class Sparkline(QWidget):
    """Draws int64 (N,) samples, N > 1, from left to right; the axis does not start at zero."""

    def __init__(self, theme: Theme, samples: NDArray[np.int64], tint: str) -> None:
        super().__init__()
        self._theme, self._samples, self._tint = theme, samples, tint
        self.setFixedHeight(44)
        self.setAccessibleName(tr("Time of each run"))

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
