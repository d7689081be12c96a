"""The time of each token of an answer as a strip of bars; a click chooses the token."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip

from inspector.report.language.generation import GeneratedToken
from inspector.ui import units
from inspector.ui.tabs.chat.shades import median_step_ns
from inspector.ui.translate import tr
from inspector.ui.widgets.parts import tip
from inspector.ui.widgets.theme import Painted, Theme, painter_on, qt_color

_HIGH_PX = 36
_BASE_PX = 2  # below the bars
_WIDEST_PX = 5.0  # of a bar, gap included
_GAP_PX = 1.0  # between bars that are wide enough
_LEAST_PX = 2.0  # height of a bar
_FULL = 1.35  # times the median step: the height of the strip, unless a bar is higher
_CUT = 3.0  # times the median step: what takes longer is cut off there


class TimeStrip(Painted):
    """Shows the steps of an answer. The first, which holds the prefill, is hollow and cut."""

    chosen = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._tokens: Sequence[GeneratedToken] = ()
        self._current = -1
        self._median_ns = self._top_ns = 0.0
        self.setMouseTracking(True)
        self.setFixedHeight(_HIGH_PX)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Time of each token"))

    def show_tokens(self, tokens: Sequence[GeneratedToken]) -> None:
        """Show steps; the list may grow."""
        self._tokens, self._median_ns = tokens, median_step_ns(tokens)
        slowest = max((token.step_ns for token in tokens[1:]), default=0)
        self._top_ns = min(slowest, _CUT * self._median_ns)
        self.update()

    def choose(self, place: int) -> None:
        """Outline the bar of a token; -1 for none."""
        if place != self._current:
            self._current = place
            self.update()

    def sizeHint(self) -> QSize:
        """Return a strip of a hundred bars."""
        return QSize(int(100 * _WIDEST_PX), _HIGH_PX)

    def place_at(self, x: float) -> int:
        """Return the token whose bar is at a distance from the left; -1 for none."""
        place = int(x / self._pitch())
        return place if 0 <= place < len(self._tokens) else -1

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the token of the bar below the pointer."""
        place = self.place_at(event.position().x())
        if place >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(place)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say the time of the bar below the pointer."""
        place = self.place_at(event.position().x())
        text = ""
        if place >= 0:
            token = self._tokens[place]
            text = tr("Token {number}: {time}, at context {context:,}").format(
                number=units.number(place + 1),
                time=units.duration(token.step_ns),
                context=token.context,
            )
        QToolTip.showText(event.globalPosition().toPoint(), tip(text), self)

    def leaveEvent(self, event: QEvent) -> None:
        """Say nothing."""
        QToolTip.hideText()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bars; of several in one pixel the highest."""
        look, painter = self._theme.palette, painter_on(self)
        base = self.height() - _BASE_PX
        painter.fillRect(QRectF(0, base + 1, self.width(), 1), qt_color(look.hairline))
        if not self._tokens:
            return
        pitch = self._pitch()
        gap = _GAP_PX if pitch >= 3 else 0.0
        room = base - 2
        full = max(self._top_ns, _FULL * self._median_ns) or self._tokens[0].step_ns or 1
        bar = qt_color(look.cpu)
        if pitch >= 1:
            for place, token in enumerate(self._tokens):
                high = max(_LEAST_PX, room * min(1.0, token.step_ns / full))
                box = QRectF(place * pitch, base - high, pitch - gap, high)
                if place == 0:
                    self._draw_first(painter, box)
                else:
                    painter.fillRect(box, bar)
        else:
            per_pixel = 1 / pitch
            for x in range(self.width()):
                steps = self._tokens[int(x * per_pixel) : int((x + 1) * per_pixel)]
                slowest = max((token.step_ns for token in steps), default=0)
                if slowest:
                    high = max(_LEAST_PX, room * min(1.0, slowest / full))
                    painter.fillRect(QRectF(x, base - high, 1, high), bar)
        if 0 <= self._current < len(self._tokens):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            high = room * min(1.0, self._tokens[self._current].step_ns / full)
            painter.setPen(QPen(qt_color(look.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            left = self._current * pitch - 1.5
            box = QRectF(left, base - high - 1, max(pitch, 2) + 2, high + 2)
            painter.drawRoundedRect(box, 2.5, 2.5)

    def _draw_first(self, painter: QPainter, box: QRectF) -> None:
        painter.setPen(QPen(qt_color(self._theme.palette.cpu), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))

    def _pitch(self) -> float:
        """Return the width of a bar with its gap."""
        pitch = min(_WIDEST_PX, self.width() / max(len(self._tokens), 1))
        return float(int(pitch)) if pitch >= 2 else pitch
