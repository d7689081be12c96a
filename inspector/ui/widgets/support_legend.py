"""The device-support markers that occur, each with its words, always in view."""

import re
from collections.abc import Iterable
from functools import lru_cache
from math import atan2, degrees

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QBrush,
    QFontMetrics,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QTransform,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from inspector.pages.charts import palette as palette_module
from inspector.ui.translate import tr
from inspector.ui.widgets.theme import Theme, font, painter_on, qt_color
from inspector.wording.support_marks import Mark

_LINE = 20  # px, height of a line
_MARK = 13  # px, side of a mark
_APART = 6  # px, from a mark to its text
_BETWEEN = 16  # px, between entries


def draw_mark(
    painter: QPainter, box: QRectF, mark: Mark, unit: str, palette: palette_module.Palette
) -> None:
    """Draw one marker into a square box; `unit` is the device's color."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(box.topLeft())
    painter.scale(
        box.width() / palette_module.MARKER_BOX, box.height() / palette_module.MARKER_BOX
    )
    tints = {
        "unit": unit,
        "on unit": palette.on_unit,
        "secondary": palette.secondary,
        "tertiary": palette.tertiary,
    }
    for stroke in palette_module.MARKERS[mark]:
        tint = qt_color(tints[stroke.color])
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
        here = path.currentPosition()
        if command == "Z":
            path.closeSubpath()
        elif command == "a":
            for i in range(0, len(values), 7):  # all our arcs are half circles
                step = QPointF(*values[i + 5 : i + 7])
                begin = path.currentPosition()
                middle = begin + step / 2
                radius = (step.x() ** 2 + step.y() ** 2) ** 0.5 / 2
                box = QRectF(middle.x() - radius, middle.y() - radius, 2 * radius, 2 * radius)
                angle = QTransform.fromTranslate(-middle.x(), -middle.y()).map(begin)
                start = degrees(atan2(-angle.y(), angle.x()))
                path.arcTo(box, start, -180.0 if values[i + 4] > 0 else 180.0)
        elif command in "Hh":
            path.lineTo(values[0] + (here.x() if command == "h" else 0), here.y())
        elif command in "Vv":
            path.lineTo(here.x(), values[0] + (here.y() if command == "v" else 0))
        else:
            for i in range(0, len(values), 2):
                point = QPointF(values[i], values[i + 1])
                point = path.currentPosition() + point if command in "lm" else point
                path.moveTo(point) if command in "Mm" and i == 0 else path.lineTo(point)
    return path


class Legend(QWidget):
    """Wraps into as many lines as it needs."""

    def __init__(self, theme: Theme, marks: Iterable[Mark]) -> None:
        super().__init__()
        self._theme = theme
        present = set(marks)
        self.marks = tuple(mark for mark in Mark if mark in present)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(tr("Markers"))
        self.setAccessibleDescription("; ".join(tr(mark.label) for mark in self.marks))
        theme.changed.connect(self.update)

    def hasHeightForWidth(self) -> bool:
        """Fewer pixels are more lines."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Height of all lines."""
        places = self._places(width)
        return int(places[-1].y()) + _LINE if places else 0

    def sizeHint(self) -> QSize:
        """One line if there is room."""
        return QSize(320, self.heightForWidth(max(self.width(), 320)))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw markers and words."""
        look = self._theme.palette
        painter = painter_on(self)
        painter.setFont(font(11))
        for mark, place in zip(self.marks, self._places(self.width()), strict=True):
            box = QRectF(place.x(), place.y() + (_LINE - _MARK) / 2, _MARK, _MARK)
            draw_mark(painter, box, mark, look.secondary, look)
            painter.setPen(qt_color(look.secondary))
            text = QRectF(box.right() + _APART, place.y(), self.width(), _LINE)
            painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, tr(mark.label))

    def _places(self, width: int) -> list[QPointF]:
        metrics = QFontMetrics(font(11))
        places: list[QPointF] = []
        x = y = 0
        for mark in self.marks:
            needs = _MARK + _APART + metrics.horizontalAdvance(tr(mark.label))
            if x and x + needs > width:
                x, y = 0, y + _LINE
            places.append(QPointF(x, y))
            x += needs + _BETWEEN
        return places
