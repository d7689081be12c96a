"""Shows any chart of a page: drawn by Qt in the colors of the theme, with tooltips and keys."""

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QKeyEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from inspector.export.charts.drawing import Box, Drawing, Label, Line
from inspector.export.charts.drawing import colour as role_color
from inspector.pages.blocks import Chart
from inspector.ui.translate import tr_message, wording
from inspector.ui.widgets.parts import tip
from inspector.ui.widgets.theme import Theme, colour, font, painter_on

_LEAST_PX, _MOST_PX = 320, 1100
_SIDES = {
    "start": Qt.AlignmentFlag.AlignLeft,
    "middle": Qt.AlignmentFlag.AlignHCenter,
    "end": Qt.AlignmentFlag.AlignRight,
}
_WIDE = 2000.0  # room for a label, which is as long as its text
_STEPS = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}


class ChartView(QWidget):
    """A chart as wide as its place; the arrow keys go through what has a tooltip."""

    def __init__(self, theme: Theme, chart: Chart) -> None:
        super().__init__()
        self._theme, self._chart = theme, chart
        self._drawing = chart.draw(_LEAST_PX)
        self._selected = -1
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(wording().text(chart.text))
        theme.changed.connect(self.update)

    def hasHeightForWidth(self) -> bool:
        """A wider chart may be higher, or lower."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of the chart drawn for a width."""
        drawing = self._drawn(width)
        return round(drawing.height * self._scale(drawing, width))

    def sizeHint(self) -> QSize:
        """Return the size of the chart as it is now."""
        width = max(_LEAST_PX, self.width())
        return QSize(_LEAST_PX, self.heightForWidth(width))

    def _drawn(self, width: int) -> Drawing:
        wanted = min(_MOST_PX, max(_LEAST_PX, width))
        if round(self._drawing.width) != wanted:
            self._drawing = self._chart.draw(wanted)
        return self._drawing

    def _scale(self, drawing: Drawing, width: int) -> float:
        return min(1.0, width / drawing.width) if drawing.width else 1.0

    def _titled(self) -> list[Box]:
        shapes = self._drawn(self.width()).shapes
        return [shape for shape in shapes if isinstance(shape, Box) and shape.title]

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the shapes from back to front."""
        drawing = self._drawn(self.width())
        painter = painter_on(self)
        scale = self._scale(drawing, self.width())
        painter.scale(scale, scale)
        for shape in drawing.shapes:
            match shape:
                case Box():
                    self._box(painter, shape)
                case Line():
                    self._line(painter, shape)
                case Label():
                    self._label(painter, shape)
        titled = self._titled()
        if self.hasFocus() and 0 <= self._selected < len(titled):
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colour(self._theme.palette.accent), 2))
            painter.drawRect(_rect(titled[self._selected]).adjusted(-2, -2, 2, 2))

    def _tint(self, name: str) -> str:
        return role_color(name, self._theme.palette)

    def _box(self, painter: QPainter, box: Box) -> None:
        edge = QPen(colour(self._tint(box.edge)), 2) if box.edge else Qt.PenStyle.NoPen
        painter.setPen(edge)
        painter.setBrush(colour(self._tint(box.fill), box.opacity))
        painter.drawRoundedRect(_rect(box), box.radius, box.radius)

    def _line(self, painter: QPainter, line: Line) -> None:
        pen = QPen(colour(self._tint(line.stroke), line.opacity), line.width)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        if line.dashed:
            pen.setDashPattern([4.0, 3.0])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in line.points]))

    def _label(self, painter: QPainter, label: Label) -> None:
        painter.setFont(font(round(label.size), 600 if label.bold else 400))
        painter.setPen(colour(self._tint(label.colour)))
        left = {"start": label.x, "middle": label.x - _WIDE / 2, "end": label.x - _WIDE}
        top = label.y - painter.fontMetrics().ascent()
        room = QRectF(left[label.anchor], top, _WIDE, painter.fontMetrics().height())
        painter.drawText(room, _SIDES[label.anchor], tr_message(label.text))

    def event(self, event: QEvent) -> bool:
        """Show the title of what is under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            scale = self._scale(self._drawn(self.width()), self.width())
            place = QPointF(event.pos()) / scale
            hit = next((b for b in reversed(self._titled()) if _rect(b).contains(place)), None)
            QToolTip.showText(
                event.globalPos(), tip(tr_message(hit.title)) if hit else "", self
            )
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the next thing that has a title, and say it."""
        step, titled = _STEPS.get(Qt.Key(event.key()), 0), self._titled()
        if not step or not titled:
            super().keyPressEvent(event)
            return
        self._selected = max(0, min(len(titled) - 1, self._selected + step))
        text = tr_message(titled[self._selected].title)
        self.setAccessibleDescription(text)
        middle = _rect(titled[self._selected]).center() * self._scale(
            self._drawing, self.width()
        )
        QToolTip.showText(self.mapToGlobal(middle.toPoint()), tip(text), self)
        self.update()


def _rect(box: Box) -> QRectF:
    return QRectF(box.x, box.y, box.width, box.height)
