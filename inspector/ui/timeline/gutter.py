"""The column of names at the left of the lanes: colour, name, busy time in the window."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen

from inspector import units
from inspector.detail import Detail
from inspector.look import Palette
from inspector.ui.kit.theme import colour, font
from inspector.ui.timeline.layout import Band, Scale

_EDGE, _BAR, _TWO_LINES = 16, 4, 40
UNUSED = "unused"


def draw_bands(
    painter: QPainter,
    detail: Detail,
    bands: tuple[Band, ...],
    scale: Scale,
    palette: Palette,
) -> None:
    """Draw names and, behind the lanes, what parts them; an unused unit is a dashed line."""
    right = scale.left + scale.width
    for band in bands:
        if band.opens and band.top:
            painter.fillRect(QRectF(0, band.top, right, 1), colour(palette.hairline))
        if not band.bars:
            painter.setPen(QPen(colour(palette.border), 1, Qt.PenStyle.DashLine))
            middle = int(band.top + band.height / 2)
            painter.drawLine(int(scale.left) + 1, middle, int(right), middle)
        _draw_name(painter, detail, band, scale, palette)


def busy_words(detail: Detail, band: Band, scale: Scale) -> str:
    """How long a track was busy in the window."""
    if not band.bars:
        return UNUSED
    busy = detail.work[band.track].busy_ns(scale.begin_ns, scale.end_ns)
    return units.duration(busy) if busy >= 1 else "–"


def _draw_name(
    painter: QPainter, detail: Detail, band: Band, scale: Scale, palette: Palette
) -> None:
    track = detail.trace.tracks[band.track]
    lines = QRectF(_EDGE, band.top + 6, _BAR, band.height - 12)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(palette.lane(track.family)))
    painter.drawRoundedRect(lines, 2, 2)
    box = QRectF(_EDGE + 12, band.top, scale.left - _EDGE - 12 - 10, band.height)
    words, name = busy_words(detail, band, scale), units.clip(track.name, 80)
    wide = QFontMetrics(font(12, 500)).horizontalAdvance(name)
    room = int(box.width()) - QFontMetrics(font(11)).horizontalAdvance(words) - 6
    side = Qt.AlignmentFlag.AlignRight
    below = QRectF(box)
    if wide > room and band.height >= _TWO_LINES:
        middle, room = box.center().y() + 1, int(box.width())
        box = QRectF(box.x(), middle - 16, box.width(), 16)
        below = QRectF(box.x(), middle, box.width(), 14)
        side = Qt.AlignmentFlag.AlignLeft
    painter.setFont(font(11))
    painter.setPen(colour(palette.tertiary))
    painter.drawText(below, Qt.AlignmentFlag.AlignVCenter | side, words)
    painter.setFont(font(12, 500))
    painter.setPen(colour(palette.text))
    shown = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, room)
    painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, shown)
