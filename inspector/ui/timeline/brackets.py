"""The lines under many predictions, from begin to end of each, drawn in one step."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QTransform

from inspector.strip import Shares, Times
from inspector.ui.timeline.layout import Scale
from inspector.ui.timeline.pixels import ratio_of

THICK = 2


def draw_brackets(
    painter: QPainter,
    begin_ns: Times,
    end_ns: Times,
    looks: Sequence[tuple[QColor, int]],
    top: float,
    scale: Scale,
) -> None:
    """Draw a line for each of N predictions that lie in order: int64 (N,).

    looks: colours, and how many lines after those before have each. For hundreds this takes a
    tenth of the time of as many calls, and looks the same.
    """
    ratio = ratio_of(painter)
    begin = np.asarray((begin_ns - scale.begin_ns) / scale.step_ns * ratio, np.float64)
    long = np.maximum(1.0, (end_ns - begin_ns) / scale.step_ns - 1) * ratio
    end = np.asarray(begin + long, np.float64)
    line, at = np.zeros((round(scale.width * ratio), 4)), 0
    for look, count in looks:
        some = slice(at, at + count)
        line += _covered(begin[some], end[some], len(line))[:, None] * _mixed(look)
        at += count
    _draw_line(painter, line, QRectF(scale.left, top, scale.width, THICK), ratio)


def _covered(begin: Shares, end: Shares, pixels: int) -> Shares:
    """How much of each of some pixels is covered: float64 (pixels,)."""
    edges = np.clip(np.concatenate([begin, end]), 0, pixels)
    whole = edges.astype(np.intp)
    part, sign = edges - whole, np.repeat((1.0, -1.0), len(begin))
    steps = np.bincount(whole, sign * (1 - part), pixels + 2)
    steps[1:] += np.bincount(whole, sign * part, pixels + 1)[: pixels + 1]
    return np.clip(np.cumsum(steps)[:pixels], 0, 1)


def _mixed(look: QColor) -> NDArray[np.float64]:
    """Blue, green, red and opacity of a colour, all times its opacity: float64 (4,)."""
    parts = look.blueF(), look.greenF(), look.redF(), 1.0
    return np.array(parts) * look.alphaF() * 255


def _draw_line(painter: QPainter, line: Shares, box: QRectF, ratio: float) -> None:
    """Draw a line of pixels over the height of a box: blue, green, red, opacity (W, 4)."""
    values = np.rint(np.minimum(line, 255)).astype(np.uint8)
    form = QImage.Format.Format_ARGB32_Premultiplied
    brush = QBrush(QImage(values.data, len(values), 1, 4 * len(values), form))
    brush.setTransform(QTransform.fromScale(1 / ratio, 1))
    painter.setBrushOrigin(box.topLeft())
    painter.fillRect(box, brush)
