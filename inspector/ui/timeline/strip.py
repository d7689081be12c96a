"""The strip above a timeline: the whole run, and the window that is shown of it."""

import math
from contextlib import nullcontext
from enum import StrEnum

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QWidget

from inspector.look import Palette
from inspector.strip import edges
from inspector.ui.kit.theme import Theme, colour, font
from inspector.ui.timeline.frame import draw_frame
from inspector.ui.timeline.layout import GUTTER, RIGHT, Band, Scale
from inspector.ui.timeline.paint import picture, shade
from inspector.ui.timeline.pixels import in_pixels
from inspector.ui.timeline.window import TimeWindow

HEIGHT, MARGIN = 36, 5
_GRIP, _LEAST, _VEIL = 6.0, 8.0, 0.6


class Part(StrEnum):
    """What of the strip the pointer is on."""

    BEGIN = "begin"
    END = "end"
    INSIDE = "inside"
    OUTSIDE = "outside"


_CURSORS = {
    Part.BEGIN: Qt.CursorShape.SizeHorCursor,
    Part.END: Qt.CursorShape.SizeHorCursor,
    Part.INSIDE: Qt.CursorShape.OpenHandCursor,
    Part.OUTSIDE: Qt.CursorShape.PointingHandCursor,
}


class WholeRun(QWidget):
    """Drag the window or one of its ends; click beside it to bring it there."""

    def __init__(self, theme: Theme, bands: tuple[Band, ...], window: TimeWindow) -> None:
        super().__init__()
        self._theme, self._window = theme, window
        self.show_bands(bands)
        self._held: tuple[Part, float] | None = None
        self.setFixedHeight(HEIGHT)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName("Whole run")
        window.changed.connect(self.update)
        theme.changed.connect(self.update)

    def show_bands(self, bands: tuple[Band, ...]) -> None:
        """Draw a line for each of these tracks."""
        told = [band for band in bands if band.work is not None and not band.head]
        self._known: tuple[object, tuple[QPixmap, QPixmap]] | None = None
        self._lines = [(band.family, band.work) for band in told if band.work is not None]
        self.update()

    @property
    def scale(self) -> Scale:
        """From the whole run to pixels."""
        width = max(1, self.width() - GUTTER - RIGHT)
        return Scale(self._window.first_ns, self._window.last_ns, GUTTER, width)

    def frame(self) -> QRectF:
        """Where the window lies, never too narrow to be seen."""
        return self._frame(self.scale)

    def _frame(self, scale: Scale) -> QRectF:
        window = self._window
        left, right = scale.x(window.begin_ns), scale.x(window.end_ns)
        spare = max(0.0, _LEAST - (right - left)) / 2
        return QRectF(left - spare, 2.5, right - left + 2 * spare, HEIGHT - 5)

    def part_at(self, x: float) -> Part:
        """What lies under a pixel; the ends reach outwards when the window is narrow."""
        frame = self.frame()
        inner = _GRIP if frame.width() > 4 * _GRIP else 1.0
        if frame.left() - _GRIP <= x <= frame.left() + inner:
            return Part.BEGIN
        if frame.right() - inner <= x <= frame.right() + _GRIP:
            return Part.END
        return Part.INSIDE if frame.left() < x < frame.right() else Part.OUTSIDE

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the window or of one of its ends."""
        x = event.position().x()
        part = self.part_at(x)
        if part is Part.OUTSIDE:
            middle = (self._window.begin_ns + self._window.end_ns) / 2
            self._window.pan(self.scale.instant(x) - middle)
            part = Part.INSIDE
        self._held = (part, self.scale.instant(x))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move what is held, or show what could be."""
        x = event.position().x()
        if self._held is None:
            self.setCursor(_CURSORS[self.part_at(x)])
            return
        part, before = self._held
        now = self.scale.instant(x)
        window = self._window
        if part is Part.INSIDE:
            window.pan(now - before)
        elif part is Part.BEGIN:
            window.show(min(now, window.end_ns - 1), window.end_ns)
        else:
            window.show(window.begin_ns, max(now, window.begin_ns + 1))
        self._held = (part, now)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go."""
        self._held = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show all."""
        self._window.fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the whole run in a few lines, dim outside of the window."""
        scale, ratio = self.scale, self.devicePixelRatioF()
        lit, dim = self._whole(scale, ratio)
        frame = self._frame(scale)
        begin = round(max(scale.left, frame.left()) * ratio)
        end, wide, high = round(frame.right() * ratio), lit.width(), lit.height()
        painter = QPainter(self)
        with nullcontext() if ratio == 1 else in_pixels(painter, ratio):
            for shown, left, right in ((dim, 0, begin), (lit, begin, end), (dim, end, wide)):
                if right > left:
                    painter.drawPixmap(left, 0, shown, left, 0, right - left, high)
            draw_frame(painter, frame, self.width(), self._theme.palette.accent, ratio)

    def _whole(self, scale: Scale, ratio: float) -> tuple[QPixmap, QPixmap]:
        """The whole run and a dim one; the same until size, colours or the whole are others."""
        palette = self._theme.palette
        key = (self.width(), ratio, scale.begin_ns, scale.end_ns, palette)
        if self._known is None or self._known[0] != key:
            made = QPixmap(math.ceil(self.width() * ratio), math.ceil(HEIGHT * ratio))
            made.setDevicePixelRatio(ratio)
            made.fill(colour(palette.bar))
            painter = QPainter(made)
            box = QRectF(0, HEIGHT - 1, self.width(), 1)
            painter.fillRect(box, colour(palette.hairline))
            painter.setFont(font(11))
            painter.setPen(colour(palette.tertiary))
            box = QRectF(16, 0, scale.left - 20, HEIGHT - 1)
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, "Whole run")
            self._draw_lines(painter, scale, palette, ratio)
            painter.end()
            dim = made.copy()
            painter = QPainter(dim)
            box = QRectF(scale.left, 0, scale.width, HEIGHT - 1)
            painter.fillRect(box, colour(palette.bar, _VEIL))
            painter.end()
            for one in (made, dim):  # they are laid onto pixels as they are
                one.setDevicePixelRatio(1)
            self._known = key, (made, dim)
        return self._known[1]

    def _draw_lines(
        self, painter: QPainter, scale: Scale, palette: Palette, ratio: float
    ) -> None:
        pitch = min(7.0, (HEIGHT - 2 * MARGIN - 2) / max(1, len(self._lines)))
        top = (HEIGHT - 1 - pitch * len(self._lines) + 1) / 2
        steps = edges(scale.begin_ns, scale.end_ns, max(1, round(scale.width * ratio)))
        for place, (family, work) in enumerate(self._lines):
            line = shade(work.seen(steps), palette.lane(family), palette.bar)[None, :]
            box = QRectF(scale.left, top + place * pitch, scale.width, max(1.0, pitch - 2))
            painter.drawImage(box, picture(line))
