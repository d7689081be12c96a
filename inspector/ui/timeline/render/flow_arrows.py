"""Curves from span to span: what launched or forced what."""

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen

from inspector.export.charts.palette import Palette
from inspector.trace.trace import Trace
from inspector.ui.widgets.theme import colour

_MOST, _HEAD = 60, 4.0


def draw_arrows(
    painter: QPainter,
    trace: Trace,
    span: int,
    box_of: Callable[[int], QRectF],
    palette: Palette,
) -> None:
    """Draw the arrows that begin or end at a span; of very many the first."""
    found = trace.flows.of(span) if len(trace.flows) else None
    if found is None or not len(found):
        return
    painter.setBrush(Qt.BrushStyle.NoBrush)
    pairs = zip(found.begin[:_MOST].tolist(), found.end[:_MOST].tolist(), strict=True)
    for begin, end in pairs:
        source, target = box_of(begin), box_of(end)
        if source.isEmpty() or target.isEmpty():
            continue
        path = curve(source, target)
        for width, tint in ((3.5, palette.surface), (1.4, palette.text)):
            painter.setPen(QPen(colour(tint, 0.9), width, c=Qt.PenCapStyle.RoundCap))
            painter.drawPath(path)
        _draw_head(painter, path, palette)


def curve(source: QRectF, target: QRectF) -> QPainterPath:
    """From the edge of a span that faces the other to the begin of the other."""
    down = target.center().y() >= source.center().y()
    same = abs(target.center().y() - source.center().y()) < 1
    x = min(max(target.left() + 1, source.left()), source.right())
    begin = QPointF(source.right() if same else x, source.center().y())
    if not same:
        begin.setY(source.bottom() if down else source.top())
    end = QPointF(target.left() + 2, target.center().y())
    if not same:
        end.setY(target.top() if down else target.bottom())
    bend = -14.0 if same else (end.y() - begin.y()) * 0.6
    path = QPainterPath(begin)
    if same:
        path.cubicTo(begin + QPointF(6, bend), end + QPointF(-6, bend), end)
    else:
        path.cubicTo(begin + QPointF(0, bend), end - QPointF(0, bend), end)
    return path


def _draw_head(painter: QPainter, path: QPainterPath, palette: Palette) -> None:
    """Two short lines at the end of a curve."""
    end, before = path.pointAtPercent(1), path.pointAtPercent(0.94)
    way = end - before
    length = max((way.x() ** 2 + way.y() ** 2) ** 0.5, 1e-6)
    ahead = QPointF(way.x() / length, way.y() / length) * _HEAD
    across = QPointF(-ahead.y(), ahead.x()) * 0.7
    painter.setPen(QPen(colour(palette.text), 1.4, c=Qt.PenCapStyle.RoundCap))
    for side in (across, -across):
        painter.drawLine(end, end - ahead + side)
