"""The lines under predictions, from begin to end of each: one by one, or many in one step."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QTransform

from inspector.look import Palette
from inspector.strip import Shares, Times
from inspector.ui.kit.theme import colour
from inspector.ui.timeline.layout import Scale
from inspector.ui.timeline.pixels import is_raster, ratio_of

_THICK, _FEW = 2, 24
_WARM, _USUAL = 0.9, 0.45  # how much they cover


def draw_brackets(
    painter: QPainter,
    begin_ns: Times,
    end_ns: Times,
    warm: int,
    top: float,
    scale: Scale,
    palette: Palette,
) -> None:
    """Draw a line for each of N predictions that lie in order: int64 (N,).

    warm: how many of the first ones are a warm-up.
    """
    looks = (colour(palette.caution, _WARM), colour(palette.tertiary, _USUAL))
    if len(begin_ns) <= _FEW or not is_raster(painter):
        for at, sides in enumerate(zip(begin_ns.tolist(), end_ns.tolist(), strict=True)):
            left, right = map(scale.x, sides)
            box = QRectF(left, top, max(1.0, right - left - 1), _THICK)
            painter.fillRect(box, looks[at >= warm])
        return
    ratio = ratio_of(painter)
    begin = np.asarray((begin_ns - scale.begin_ns) / scale.step_ns * ratio, np.float64)
    long = np.maximum(1.0, (end_ns - begin_ns) / scale.step_ns - 1) * ratio
    end = np.asarray(begin + long, np.float64)
    line = np.zeros((round(scale.width * ratio), 4))
    for look, some in zip(looks, (slice(0, warm), slice(warm, None)), strict=True):
        line += _covered(begin[some], end[some], len(line))[:, None] * _mixed(look)
    _draw_line(painter, line, QRectF(scale.left, top, scale.width, _THICK), ratio)


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
