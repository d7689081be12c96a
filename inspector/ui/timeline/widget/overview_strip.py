"""The strip above a timeline: the whole run, and the window that is shown of it."""

import math
from contextlib import nullcontext
from enum import StrEnum
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QFontMetrics,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
)

from inspector.pages.charts.palette import Palette
from inspector.trace.intervals import edges
from inspector.ui.timeline.model.geometry import GUTTER, RIGHT, Band, Scale
from inspector.ui.timeline.model.predictions import Unprofiled
from inspector.ui.timeline.model.state import TimeWindow
from inspector.ui.timeline.render.pixel_blocks import in_pixels
from inspector.ui.timeline.render.rows import picture, shade
from inspector.ui.translate import tr
from inspector.ui.widgets.theme import Painted, Theme, font, painter_on, qt_color

_THICK = 1.5  # px, width of the frame's line
_ROUND = 4  # px, radius of its corners
_FRAME_GRIP = 4  # px, width of a grip
_GRIPPED = 18.0  # px, width of a frame that has grips
_OUTSIDE = 3  # px, of an end outside of the frame
_INSIDE = 10  # px, of an end inside of it
_EDGE = 4  # px, from above, of the line at its top
_PARTS = 4  # of a pixel: where an end may lie
HEIGHT = 30  # px
MARGIN = 4  # px, above and below the lines
_GRIP = 6.0  # px, in which a grip is hit
_LEAST = 8.0  # px, least width of a frame
_VEIL = 0.6  # opacity over what is not visible
_TOLD = 10  # stretches without profiling that a screen reader is told of


def draw_frame(
    painter: QPainter, frame: QRectF, widest: float, accent: str, ratio: float
) -> None:
    """Draw a frame in physical pixels, `ratio` of which make one of the widget.

    frame, widest: in pixels of the widget; as high as that but for the same room above and
    below. To stroke it anew as it moves takes several times as long.
    """
    outside, inside, edge = (math.ceil(width * ratio) for width in (_OUTSIDE, _INSIDE, _EDGE))
    left, first = divmod(round(frame.left() * ratio * _PARTS), _PARTS)
    right, last = divmod(round(frame.right() * ratio * _PARTS), _PARTS)
    frame_key, draw = (frame.top(), frame.height(), accent, ratio), painter.drawImage
    if right - left <= 2 * inside:
        draw(
            left - outside,
            0,
            _framed(first, (right - left) * _PARTS + last - first, *frame_key),
        )
        return
    shut = 2 * inside * _PARTS
    begin, end = _framed(first, shut, *frame_key), _framed(last, shut, *frame_key)
    lines = _framed(0, math.ceil(widest * ratio) * _PARTS, *frame_key)
    high, wide = begin.height(), outside + inside
    draw(left - outside, 0, begin, 0, 0, wide, high)
    draw(right - inside, 0, end, wide, 0, wide + 1, high)
    for top in (0, high - edge):
        draw(left + inside, top, lines, wide, top, right - left - 2 * inside, edge)


@lru_cache(maxsize=128)
def _framed(
    begin: int, width: int, top: float, high: float, accent: str, ratio: float
) -> QImage:
    """A frame on nothing, in pixels of the device; begin and width are in parts of one."""
    outside = math.ceil(_OUTSIDE * ratio)
    wide = 2 * outside + 1 + math.ceil((begin + width) / _PARTS)
    form = QImage.Format.Format_ARGB32_Premultiplied
    image = QImage(wide, math.ceil((2 * top + high) * ratio), form)
    image.fill(0)
    image.setDevicePixelRatio(ratio)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(qt_color(accent), _THICK))
    left = (outside + begin / _PARTS) / ratio
    frame = QRectF(left, top, width / _PARTS / ratio, high)
    painter.drawRoundedRect(frame, _ROUND, _ROUND)
    painter.setPen(QPen(qt_color(accent), _FRAME_GRIP, c=Qt.PenCapStyle.RoundCap))
    for x in (frame.left(), frame.right()) if frame.width() > _GRIPPED else ():
        middle = frame.center().y()
        painter.drawLine(QPointF(x, middle - 5), QPointF(x, middle + 5))
    painter.end()
    image.setDevicePixelRatio(1)  # it is laid onto pixels as it is
    return image


class Part(StrEnum):
    """The part of the strip under the pointer."""

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


class OverviewStrip(Painted):
    """An overview of the whole trace: drag the window or an end, or click to move it."""

    def __init__(
        self,
        theme: Theme,
        bands: tuple[Band, ...],
        window: TimeWindow,
        unprofiled: tuple[Unprofiled, ...] = (),
    ) -> None:
        super().__init__(theme)
        self._window, self._unprofiled = window, unprofiled
        self.setAccessibleDescription(". ".join(part.text for part in unprofiled[:_TOLD]))
        self.show_bands(bands)
        self._drag: tuple[Part, float] | None = None
        self.setFixedHeight(HEIGHT)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName(tr("Full trace"))
        window.changed.connect(self.update)

    def show_bands(self, bands: tuple[Band, ...]) -> None:
        """Draw a line for each of these tracks."""
        busy_bands = [band for band in bands if band.work is not None and not band.head]
        self._cached: tuple[object, tuple[QPixmap, QPixmap]] | None = None
        self._lines = [(band.family, band.work) for band in busy_bands if band.work is not None]
        self.update()

    @property
    def scale(self) -> Scale:
        """Return the scale from the full trace to pixels."""
        width = max(1, self.width() - GUTTER - RIGHT)
        return Scale(self._window.first_ns, self._window.last_ns, GUTTER, width)

    def frame(self) -> QRectF:
        """Return the box of the window, never too narrow to notice."""
        return self._frame(self.scale)

    def _frame(self, scale: Scale) -> QRectF:
        window = self._window
        left, right = scale.x(window.begin_ns), scale.x(window.end_ns)
        spare = max(0.0, _LEAST - (right - left)) / 2
        return QRectF(left - spare, 2.5, right - left + 2 * spare, HEIGHT - 5)

    def part_at(self, x: float) -> Part:
        """Return the part under a pixel; ends reach outwards when the window is narrow."""
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
        self._drag = (part, self.scale.instant(x))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move what is held, or show what could be."""
        x = event.position().x()
        if self._drag is None:
            self.setCursor(_CURSORS[self.part_at(x)])
            hovered = (one for one in self._unprofiled if self.label_box(one).contains(x, 1))
            self.setToolTip(next((one.text for one in hovered), ""))
            return
        part, before = self._drag
        now = self.scale.instant(x)
        window = self._window
        if part is Part.INSIDE:
            window.pan(now - before)
        elif part is Part.BEGIN:
            window.show(min(now, window.end_ns - 1), window.end_ns)
        else:
            window.show(window.begin_ns, max(now, window.begin_ns + 1))
        self._drag = (part, now)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go."""
        self._drag = None

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
        painter = painter_on(self)
        with nullcontext() if ratio == 1 else in_pixels(painter, ratio):
            for pixmap, left, right in ((dim, 0, begin), (lit, begin, end), (dim, end, wide)):
                if right > left:
                    painter.drawPixmap(left, 0, pixmap, left, 0, right - left, high)
            draw_frame(painter, frame, self.width(), self._theme.palette.accent, ratio)

    def label_box(self, one: Unprofiled) -> QRectF:
        """Return the box of unprofiled runs."""
        scale = self.scale
        left = scale.x(one.begin_ns)
        return QRectF(left, 0, max(1.0, scale.x(one.end_ns) - left), HEIGHT - 1)

    def label_text(self, one: Unprofiled) -> str:
        """Return the label that fits: the whole sentence, a short one, or nothing."""
        metrics, room = QFontMetrics(font(11)), self.label_box(one).width() - 8
        texts = (one.text, tr("Not profiled"), "")
        return next(text for text in texts if metrics.horizontalAdvance(text) <= max(0, room))

    def _draw_unprofiled(self, painter: QPainter, palette: Palette) -> None:
        """Write over the lines where profiling had stopped: the lanes are empty from there."""
        painter.setFont(font(11))
        for one in self._unprofiled:
            text, box = self.label_text(one), self.label_box(one)
            if text:
                painter.fillRect(box, qt_color(palette.bar, 0.85))
                painter.setPen(qt_color(palette.secondary))
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def _whole(self, scale: Scale, ratio: float) -> tuple[QPixmap, QPixmap]:
        """The whole run and a dim one; the same until size, colors or the whole are others."""
        palette = self._theme.palette
        key = (self.width(), ratio, scale.begin_ns, scale.end_ns, palette)
        if self._cached is None or self._cached[0] != key:
            pixmap = QPixmap(math.ceil(self.width() * ratio), math.ceil(HEIGHT * ratio))
            pixmap.setDevicePixelRatio(ratio)
            pixmap.fill(qt_color(palette.bar))
            painter = QPainter(pixmap)
            box = QRectF(0, HEIGHT - 1, self.width(), 1)
            painter.fillRect(box, qt_color(palette.hairline))
            painter.setFont(font(11))
            painter.setPen(qt_color(palette.tertiary))
            box = QRectF(16, 0, scale.left - 20, HEIGHT - 1)
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, tr("Full trace"))
            self._draw_lines(painter, scale, palette, ratio)
            self._draw_unprofiled(painter, palette)
            painter.end()
            dim = pixmap.copy()
            painter = QPainter(dim)
            box = QRectF(scale.left, 0, scale.width, HEIGHT - 1)
            painter.fillRect(box, qt_color(palette.bar, _VEIL))
            self._draw_unprofiled(painter, palette)  # again: words are never dim
            painter.end()
            for one in (pixmap, dim):  # they are laid onto pixels as they are
                one.setDevicePixelRatio(1)
            self._cached = key, (pixmap, dim)
        return self._cached[1]

    def _draw_lines(
        self, painter: QPainter, scale: Scale, palette: Palette, ratio: float
    ) -> None:
        pitch = min(7.0, (HEIGHT - 2 * MARGIN - 2) / max(1, len(self._lines)))
        top = (HEIGHT - 1 - pitch * len(self._lines) + 1) / 2
        steps = edges(scale.begin_ns, scale.end_ns, max(1, round(scale.width * ratio)))
        for place, (family, work) in enumerate(self._lines):
            line = shade(work.fast_coverage(steps), palette.lane(family), palette.bar)[None, :]
            box = QRectF(scale.left, top + place * pitch, scale.width, max(1.0, pitch - 2))
            painter.drawImage(box, picture(line))
