"""How wide each column of the layer table is, and which ones find no room."""

from collections.abc import Sequence

from PySide6.QtGui import QFontMetrics

from inspector.ui.kit.theme import font
from inspector.ui.performance.layer_columns import Column, What

_NARROW = 660
_WIDE = {
    What.NUMBER: 46, What.LAYER: 170, What.OPERATOR: 132, What.OUTPUT: 122, What.PRECISION: 66,
    What.TIME: 152, What.SHARE: 66, What.SPREAD: 146, What.RATE: 70,
    What.CEILING: 78, What.BOUND: 78,
}  # fmt: skip
_SMALL = _WIDE | {What.LAYER: 140, What.OPERATOR: 104, What.TIME: 132}
_TWO_TYPES = 124  # of "float16 → float32", in pixels
_FIRST_TO_GO = (What.BOUND, What.RATE, What.SPREAD, What.SHARE, What.OUTPUT, What.PRECISION,
                What.CEILING, What.OPERATOR)  # fmt: skip


def widths(columns: Sequence[Column], room: int) -> tuple[int, ...]:
    """Width of each column in pixels, 0 for those left out; the names take what is over."""
    needs = _SMALL if room < _NARROW else _WIDE
    metrics = QFontMetrics(font(11, 600))
    found = [
        max(44, metrics.horizontalAdvance(column.title) + 12)
        if column.what is What.DEVICE
        else _TWO_TYPES
        if column.wide
        else needs[column.what]
        for column in columns
    ]
    for what in _FIRST_TO_GO:
        if sum(found) > room:
            found = [
                0 if column.what is what else width
                for column, width in zip(columns, found, strict=True)
            ]
    name = next(i for i, column in enumerate(columns) if column.what is What.LAYER)
    found[name] += max(0, room - sum(found))
    return tuple(found)
