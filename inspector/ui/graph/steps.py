"""From a box to the next one: along the flow, or beside it in its row."""

import numpy as np

from inspector.analysis.layout_drawing import Drawing


def along(drawing: Drawing, box: int, down: bool) -> int | None:
    """The box that takes what this one makes, or the other way round; the nearest of them."""
    mine, other = (drawing.maker, drawing.taker) if down else (drawing.taker, drawing.maker)
    found = np.unique(other[mine == box])
    found = found[(found >= 0) & (found != box)]
    if not len(found):
        return None
    away = np.abs(drawing.box[found, 1] - drawing.box[box, 1])
    aside = np.abs(drawing.box[found, 0] - drawing.box[box, 0])
    return int(found[np.lexsort((aside, away))[0]])


def beside(drawing: Drawing, box: int, right: bool) -> int | None:
    """The nearest box at the right or left that is level with this one."""
    x, y, _, height = drawing.box[box]
    level = (drawing.box[:, 1] < y + height) & (drawing.box[:, 1] + drawing.box[:, 3] > y)
    away = (drawing.box[:, 0] - x) * (1 if right else -1)
    found = np.flatnonzero(level & (away > 1))
    return int(found[away[found].argmin()]) if len(found) else None


def traced(drawing: Drawing, box: int) -> frozenset[int]:
    """Values that a box makes or takes, as far as they have lines."""
    if box < 0:
        return frozenset()
    mine = (drawing.maker == box) | (drawing.taker == box)
    return frozenset(drawing.tensor[mine].tolist())
