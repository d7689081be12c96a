"""A histogram of the values of a tensor; the pointer reads one bar."""

from math import ceil

from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from inspector.model.tensors.tensor_statistics import Histogram
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.hover import Hover
from inspector.ui.widgets.theme import Theme, colour, font, painter_on

_HEIGHT, _AXIS, _WIDEST = 96, 18, 28.0


class ValueHistogram(QWidget):
    """Shows a histogram; the bars around zero are where they belong on the axis."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._shown: Histogram | None = None
        self._hover = Hover(theme, self)
        self.setMouseTracking(True)
        self.setFixedHeight(_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Value distribution"))
        theme.changed.connect(self.update)

    def show_histogram(self, shown: Histogram) -> None:
        """Show another one."""
        self._shown = shown
        most = max(range(len(shown.counts)), key=shown.counts.__getitem__)
        begin = shown.low + most * shown.width
        self.setAccessibleDescription(
            tr(
                "{count} bars from {low:.4g} to {high:.4g}; "
                "the highest from {begin:.4g} to {begin_2:.4g}"
            ).format(
                count=len(shown.counts),
                low=shown.low,
                high=shown.high,
                begin=begin,
                begin_2=begin + shown.width,
            )
        )
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw bars and axis."""
        shown = self._shown
        if shown is None:
            return
        painter, look = painter_on(self), self._theme.palette
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(look.accent))
        bottom, pitch, tallest = self.height() - _AXIS, self._pitch(), max(shown.counts)
        apart = 1.0 if pitch > 3 else 0.0
        for place, number in enumerate(shown.counts):
            if number:
                height = max(1.5, (bottom - 2) * number / tallest)
                painter.drawRect(QRectF(place * pitch, bottom - height, pitch - apart, height))
        painter.fillRect(QRectF(0, bottom, self.width(), 1), colour(look.border))
        self._paint_axis(painter, shown, bottom)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show the range and count of the bar below the pointer."""
        place = int(event.position().x() / self._pitch()) if self._shown is not None else -1
        if self._shown is None or not 0 <= place < len(self._shown.counts):
            self._hover.hide()
            return
        begin = self._shown.low + place * self._shown.width
        number = self._shown.counts[place]
        facts = (("from", f"{begin:.5g}"), ("to", f"{begin + self._shown.width:.5g}"))
        self._hover.show_facts(event.position().toPoint(), plural(number, "value"), facts)

    def leaveEvent(self, event: QEvent) -> None:
        """Clear the readout when the pointer leaves."""
        self._hover.hide()

    def _pitch(self) -> float:
        bars = len(self._shown.counts) if self._shown is not None else 1
        return min(_WIDEST, self.width() / bars)

    def _paint_axis(self, painter: QPainter, shown: Histogram, bottom: int) -> None:
        look, end = self._theme.palette, self._pitch() * len(shown.counts)
        painter.setFont(font(11))
        painter.setPen(colour(look.tertiary))
        metrics = painter.fontMetrics()
        low, high = f"{shown.low:.4g}", f"{shown.high:.4g}"
        box = QRectF(0, bottom + 3, max(end, metrics.horizontalAdvance(low + high) + 12), 15)
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft, low)
        painter.drawText(box, Qt.AlignmentFlag.AlignRight, high)
        zero = ceil(-shown.low / shown.width) * self._pitch()
        free = metrics.horizontalAdvance(low) + 8 < zero
        if free and zero < box.right() - metrics.horizontalAdvance(high) - 8:
            painter.drawText(QRectF(zero - 20, box.top(), 40, 15), 0x4, "0")
            painter.fillRect(QRectF(zero, bottom, 1, 4), colour(look.tertiary))
