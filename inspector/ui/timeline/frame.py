"""The frame around the window in the strip: pictures of it, made once, are laid into it."""

import math
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPen

from inspector.ui.kit.theme import colour

_THICK, _ROUND, _GRIP, _GRIPPED = 1.5, 4, 4, 18.0
# Pixels of an end outside and inside of the frame, and from above of the line at its top.
_OUTSIDE, _INSIDE, _EDGE = 3, 10, 4
_PARTS = 4  # of a pixel: where an end may lie


def draw_frame(
    painter: QPainter, frame: QRectF, widest: float, accent: str, ratio: float
) -> None:
    """Draw a frame in whole pixels of the device, so many of which lie in one of the widget.

    frame, widest: in pixels of the widget; as high as that but for the same room above and
    below. To stroke it anew as it moves takes several times as long.
    """
    outside, inside, edge = (math.ceil(side * ratio) for side in (_OUTSIDE, _INSIDE, _EDGE))
    left, first = divmod(round(frame.left() * ratio * _PARTS), _PARTS)
    right, last = divmod(round(frame.right() * ratio * _PARTS), _PARTS)
    look, draw = (frame.top(), frame.height(), accent, ratio), painter.drawImage
    if right - left <= 2 * inside:
        draw(left - outside, 0, _framed(first, (right - left) * _PARTS + last - first, *look))
        return
    shut = 2 * inside * _PARTS
    begin, end = _framed(first, shut, *look), _framed(last, shut, *look)
    lines = _framed(0, math.ceil(widest * ratio) * _PARTS, *look)
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
    made = QImage(wide, math.ceil((2 * top + high) * ratio), form)
    made.fill(0)
    made.setDevicePixelRatio(ratio)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour(accent), _THICK))
    left = (outside + begin / _PARTS) / ratio
    frame = QRectF(left, top, width / _PARTS / ratio, high)
    painter.drawRoundedRect(frame, _ROUND, _ROUND)
    painter.setPen(QPen(colour(accent), _GRIP, c=Qt.PenCapStyle.RoundCap))
    for x in (frame.left(), frame.right()) if frame.width() > _GRIPPED else ():
        middle = frame.center().y()
        painter.drawLine(QPointF(x, middle - 5), QPointF(x, middle + 5))
    painter.end()
    made.setDevicePixelRatio(1)  # it is laid onto pixels as it is
    return made
