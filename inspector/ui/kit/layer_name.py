"""A layer's name in two tones: the scope it lies in is dim, what it is itself is not."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from inspector import units
from inspector.look import Palette
from inspector.ui.kit.theme import colour

_SHORTEST_SCOPE = 28


def split(name: str) -> tuple[str, str]:
    """Scope and leaf: '/block1/attn/qkv' -> ('block1/attn', 'qkv'); no scope is ''.

    Slashes part scopes, or dots where there is no slash; a number alone is no leaf.
    """
    for separator in ("/", "."):
        scope, found, leaf = name.rstrip(separator).rpartition(separator)
        if found:
            return (scope.strip("/"), leaf) if leaf and not leaf.isdecimal() else ("", name)
    return "", name


def draw_name(
    painter: QPainter, box: QRectF, name: str, look: Palette, selected: bool = False
) -> None:
    """Draw a name in one line with the painter's font; the scope gives way first."""
    scope, leaf = split(units.clip(name))
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
