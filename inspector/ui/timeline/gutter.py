"""The column of names at the left of the lanes: colour, name, busy time in the window."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from inspector import units
from inspector.detail import Detail
from inspector.look import Palette
from inspector.ui.kit.theme import colour, font
from inspector.ui.timeline.layout import Band, Scale

_EDGE, _BAR = 16, 4
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
    words = busy_words(detail, band, scale)
    painter.setFont(font(11))
    painter.setPen(colour(palette.tertiary))
    side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
    painter.drawText(box, side, words)
    room = int(box.width()) - painter.fontMetrics().horizontalAdvance(words) - 6
    painter.setFont(font(12, 500))
    painter.setPen(colour(palette.text))
    name = painter.fontMetrics().elidedText(
        units.clip(track.name, 80), Qt.TextElideMode.ElideRight, room
    )
    painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, name)
