"""The strip above a timeline: the whole run, and the window that is shown of it."""

from enum import StrEnum

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from inspector.look import Palette
from inspector.strip import edges
from inspector.ui.kit.theme import Theme, colour, font
from inspector.ui.timeline.layout import GUTTER, RIGHT, Band, Scale
from inspector.ui.timeline.paint import picture, shade
from inspector.ui.timeline.window import TimeWindow

HEIGHT, MARGIN = 36, 5
_GRIP, _LEAST = 6.0, 8.0


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
        self.setAccessibleName("Whole run")
        window.changed.connect(self.update)
        theme.changed.connect(self.update)

    def show_bands(self, bands: tuple[Band, ...]) -> None:
        """Draw a line for each of these tracks."""
        told = [band for band in bands if band.work is not None and not band.head]
        self._known: tuple[object, QPixmap] | None = None
        self._lines = [(band.family, band.work) for band in told if band.work is not None]
        self.update()

    @property
    def scale(self) -> Scale:
        """From the whole run to pixels."""
        width = max(1, self.width() - GUTTER - RIGHT)
        return Scale(self._window.first_ns, self._window.last_ns, GUTTER, width)

    def frame(self) -> QRectF:
        """Where the window lies, never too narrow to be seen."""
        scale, window = self.scale, self._window
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
        palette, scale, frame = self._theme.palette, self.scale, self.frame()
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._whole(scale, palette))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        veil = colour(palette.bar, 0.6)
        begin, end = max(scale.left, frame.left()), frame.right()
        painter.fillRect(QRectF(scale.left, 0, begin - scale.left, HEIGHT - 1), veil)
        painter.fillRect(QRectF(end, 0, scale.left + scale.width - end, HEIGHT - 1), veil)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(colour(palette.accent), 1.5))
        painter.drawRoundedRect(frame, 4, 4)
        painter.setPen(QPen(colour(palette.accent), 4, c=Qt.PenCapStyle.RoundCap))
        for x in (frame.left(), frame.right()) if frame.width() > 3 * _GRIP else ():
            middle = frame.center().y()
            painter.drawLine(QPointF(x, middle - 5), QPointF(x, middle + 5))

    def _whole(self, scale: Scale, palette: Palette) -> QPixmap:
        """The whole run; it stays the same until size, colours or the whole are others."""
        ratio = self.devicePixelRatioF()
        key = (self.size(), ratio, scale.begin_ns, scale.end_ns, palette)
        if self._known is None or self._known[0] != key:
            made = QPixmap(self.size() * ratio)
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
            self._known = key, made
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
