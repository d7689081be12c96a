"""Counters as step charts in rows of their own."""

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from inspector.export.charts.palette import Palette
from inspector.trace.trace import Counter
from inspector.ui.timeline.model.geometry import Band, Scale
from inspector.ui.timeline.widget.gutter import counted
from inspector.ui.widgets.theme import colour, font

_INSET = 6


def draw_chart(painter: QPainter, band: Band, scale: Scale, palette: Palette) -> None:
    """Draw a counter: of each column its highest value, from nought to its highest of all."""
    counter = band.counter
    if counter is None or not len(counter.values):
        return
    inset = 3 if band.folded else _INSET
    top, bottom = band.top + inset, band.bottom - inset
    highest = max(float(counter.values.max()), 1e-12)
    heights = peaks(counter, scale, max(1, int(scale.width)))
    y = bottom - np.nan_to_num(np.maximum(heights, 0)) / highest * (bottom - top)
    known = np.flatnonzero(~np.isnan(heights))
    if not len(known):
        return
    points: list[QPointF] = []
    before = -1.0
    for column in range(int(known[0]), len(y)):
        if y[column] != before:
            if points:
                points.append(QPointF(scale.left + column, before))
            points.append(QPointF(scale.left + column, float(y[column])))
            before = float(y[column])
    points.append(QPointF(scale.left + len(y), before))
    first, last = points[0], points[-1]
    area = QPolygonF([QPointF(first.x(), bottom), *points, QPointF(last.x(), bottom)])
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(palette.tertiary, 0.16))
    painter.drawPolygon(area)
    painter.setPen(QPen(colour(palette.tertiary), 1.2))
    painter.drawPolyline(points)
    if not band.folded:
        _draw_highest(painter, counted(highest, counter.unit), band, scale, palette)


def peaks(
    counter: Counter, scale: Scale, columns: int
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The highest value that holds in each column; NaN before the first: float64 (W,)."""
    steps = np.linspace(scale.begin_ns, scale.end_ns, columns + 1)
    places = np.searchsorted(counter.times_ns, steps.astype(np.int64), "right") - 1
    found = np.full(columns, np.nan)
    begin = np.maximum(places[:-1], 0)
    known = places[1:] >= 0
    stop = np.maximum(places[1:] + 1, begin + 1)
    spans = np.stack((begin, np.minimum(stop, len(counter.values))), axis=1).ravel()
    values = np.append(counter.values, counter.values[-1])
    found[known] = np.maximum.reduceat(values, spans)[::2][known]
    return found


def _draw_highest(
    painter: QPainter, words: str, band: Band, scale: Scale, palette: Palette
) -> None:
    painter.setFont(font(11))
    wide = painter.fontMetrics().horizontalAdvance(words)
    # Below the line at its highest, and as far as that goes: none of it looks like a letter.
    box = QRectF(scale.left + scale.width - wide - 6, band.top + _INSET + 2, wide + 6, 14)
    painter.fillRect(box, colour(palette.surface, 0.8))
    painter.setPen(colour(palette.tertiary))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
