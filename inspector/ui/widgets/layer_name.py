"""A layer's name in two tones: the scope it lies in is dim, what it is itself is not."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from inspector import units
from inspector.export.charts.palette import Palette
from inspector.model.display_names import fit_name
from inspector.ui.widgets.theme import colour

_BETWEEN = " / "


def draw_name(
    painter: QPainter, box: QRectF, name: str, look: Palette, selected: bool = False
) -> None:
    """Draw a name in one line with the painter's font; what rows have in common gives way."""
    metrics, left = painter.fontMetrics(), Qt.AlignmentFlag.AlignVCenter
    available = int(box.width())
    scope, leaf = fit_name(units.clip(name), available, metrics.horizontalAdvance, _BETWEEN)
    before = painter.layoutDirection()
    if before == Qt.LayoutDirection.RightToLeft:  # a path is read from its left in any language
        width = metrics.horizontalAdvance((scope + _BETWEEN if scope else "") + leaf)
        box = box.adjusted(max(0.0, box.width() - width), 0, 0, 0)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    if scope:
        painter.setPen(colour(look.on_selection if selected else look.tertiary))
        painter.drawText(box, left, scope + _BETWEEN)
        box = box.adjusted(metrics.horizontalAdvance(scope + _BETWEEN), 0, 0, 0)
    painter.setPen(colour(look.on_selection if selected else look.text))
    painter.drawText(box, left, leaf)
    painter.setLayoutDirection(before)
