"""The device-support markers, drawn; their shapes are in inspector.look."""

import re
from functools import lru_cache
from math import atan2, degrees

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPainterPath, QPen, QTransform

from inspector import look
from inspector.marking import Mark
from inspector.ui.kit.theme import colour


def draw_mark(
    painter: QPainter, box: QRectF, mark: Mark, unit: str, palette: look.Palette
) -> None:
    """Draw one marker into a square box; `unit` is the device's colour."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(box.topLeft())
    painter.scale(box.width() / look.MARKER_BOX, box.height() / look.MARKER_BOX)
    tints = {
        "unit": unit,
        "on unit": palette.surface if palette.dark else "#FFFFFF",
        "secondary": palette.secondary,
        "tertiary": palette.tertiary,
    }
    for stroke in look.MARKERS[mark]:
        tint = colour(tints[stroke.colour])
        pen = QPen(tint, stroke.width, Qt.PenStyle.SolidLine)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(Qt.PenStyle.NoPen if stroke.filled else pen)
        painter.setBrush(QBrush(tint) if stroke.filled else QBrush())
        painter.drawPath(svg_path(stroke.path))
    painter.restore()


@lru_cache(maxsize=64)
def svg_path(data: str) -> QPainterPath:
    """The path of SVG data with the commands M, L, H, V, A (half circles), h, v, a and Z."""
    path = QPainterPath()
    for command, numbers in re.findall(r"([MLHVZhvlma])([^MLHVZhvlma]*)", data):
        values = [float(n) for n in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", numbers)]
        _draw(path, command, values)
    return path


def _draw(path: QPainterPath, command: str, values: list[float]) -> None:
    here = path.currentPosition()
    if command == "Z":
        path.closeSubpath()
    elif command == "a":
        for i in range(0, len(values), 7):
            _half_circle(path, QPointF(*values[i + 5 : i + 7]), sweep=values[i + 4] > 0)
    elif command in "Hh":
        path.lineTo(values[0] + (here.x() if command == "h" else 0), here.y())
    elif command in "Vv":
        path.lineTo(here.x(), values[0] + (here.y() if command == "v" else 0))
    else:
        for i in range(0, len(values), 2):
            point = QPointF(values[i], values[i + 1])
            point = path.currentPosition() + point if command in "lm" else point
            path.moveTo(point) if command in "Mm" and i == 0 else path.lineTo(point)


def _half_circle(path: QPainterPath, step: QPointF, sweep: bool) -> None:
    """Append a half circle from the current point by `step`; all our arcs are halves."""
    begin = path.currentPosition()
    middle = begin + step / 2
    radius = (step.x() ** 2 + step.y() ** 2) ** 0.5 / 2
    box = QRectF(middle.x() - radius, middle.y() - radius, 2 * radius, 2 * radius)
    angle = QTransform.fromTranslate(-middle.x(), -middle.y()).map(begin)
    start = degrees(atan2(-angle.y(), angle.x()))
    path.arcTo(box, start, -180.0 if sweep else 180.0)
