"""A layer's name in two tones: the scope it lies in is dim, what it is itself is not."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from inspector import units
from inspector.look import Palette
from inspector.ui.kit.theme import colour

_SHORTEST_SCOPE = 28


def draw_name(
    painter: QPainter, box: QRectF, name: str, look: Palette, selected: bool = False
) -> None:
    """Draw a name in one line with the painter's font; the scope gives way first."""
    scope, leaf = units.scope_and_name(units.clip(name))
    metrics = painter.fontMetrics()
    middle, left = Qt.TextElideMode.ElideMiddle, Qt.AlignmentFlag.AlignVCenter
    leaf = metrics.elidedText(leaf, middle, int(box.width()))
    room = int(box.width()) - metrics.horizontalAdvance(leaf)
    if scope and room >= _SHORTEST_SCOPE:
        dash = " / "
        scope = metrics.elidedText(scope, middle, room - metrics.horizontalAdvance(dash)) + dash
        painter.setPen(colour(look.on_selection if selected else look.tertiary))
        painter.drawText(box, left, scope)
        box = box.adjusted(metrics.horizontalAdvance(scope), 0, 0, 0)
    painter.setPen(colour(look.on_selection if selected else look.text))
    painter.drawText(box, left, leaf)
