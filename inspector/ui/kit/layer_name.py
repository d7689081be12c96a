"""A layer's name in two tones: the scope it lies in is dim, what it is itself is not."""

import re
from collections.abc import Callable, Iterable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from inspector import units
from inspector.look import Palette
from inspector.ui.kit.theme import colour

_SHORTEST_SCOPE = 28
_PARTED, _WORDS = re.compile(r"([./])"), re.compile(r"(_)")
_NUMBER = re.compile(r"\d*$")


def fitted(scope: str, room: int, width: Callable[[str], int]) -> str:
    """Shorten the parts of a scope from the outside in until it fits.

    'encoder.layer.0.attention.self' becomes 'e.l.0.a.self': the last part stays, and numbers,
    since they are what tells one block from the next. width: of a text, in the unit of `room`.
    """
    parts = _PARTED.split(scope)
    return _shortened(parts, range(0, len(parts) - 1, 2), room, width)


def fitted_leaf(leaf: str, room: int, width: Callable[[str], int]) -> str:
    """Shorten the words of a name from its end until it fits: 'Constant_12_o_0'.

    Generated names differ in a number somewhere inside.
    """
    parts = _WORDS.split(leaf)
    return _shortened(parts, range(len(parts) - 3, 0, -2), room, width)


def _shortened(
    parts: list[str], places: Iterable[int], room: int, width: Callable[[str], int]
) -> str:
    for place in places:
        if width("".join(parts)) <= room:
            break
        number = _NUMBER.search(parts[place])
        start = number.start() if number is not None else 0
        parts[place] = parts[place][: min(1, start)] + parts[place][start:]
    return "".join(parts)


def draw_name(
    painter: QPainter, box: QRectF, name: str, look: Palette, selected: bool = False
) -> None:
    """Draw a name in one line with the painter's font; the scope gives way first."""
    scope, leaf = units.scope_and_name(units.clip(name))
    metrics = painter.fontMetrics()
    middle, left = Qt.TextElideMode.ElideMiddle, Qt.AlignmentFlag.AlignVCenter
    leaf = fitted_leaf(leaf, int(box.width()), metrics.horizontalAdvance)
    leaf = metrics.elidedText(leaf, middle, int(box.width()))
    room = int(box.width()) - metrics.horizontalAdvance(leaf)
    if scope and room >= _SHORTEST_SCOPE:
        dash = " / "
        room -= metrics.horizontalAdvance(dash)
        scope = fitted(scope, room, metrics.horizontalAdvance)
        scope = metrics.elidedText(scope, middle, room) + dash  # its end tells blocks apart
        painter.setPen(colour(look.on_selection if selected else look.tertiary))
        painter.drawText(box, left, scope)
        box = box.adjusted(metrics.horizontalAdvance(scope), 0, 0, 0)
    painter.setPen(colour(look.on_selection if selected else look.text))
    painter.drawText(box, left, leaf)
