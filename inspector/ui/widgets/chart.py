"""Shows any chart of a page: drawn by Qt in the colors of the theme, with tooltips and keys."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from inspector.model.tensors.tensor_statistics import Histogram
from inspector.pages.blocks import Chart
from inspector.pages.charts.drawing import MARGIN, Box, Drawing, Label, Line, worded
from inspector.pages.charts.drawing import color as role_color
from inspector.pages.charts.histograms import sparkline, value_histogram, value_text
from inspector.ui.translate import tr, wording
from inspector.ui.widgets.accessible import forget_items, tell_current
from inspector.ui.widgets.parts import Card, tip
from inspector.ui.widgets.theme import Theme, font, painter_on, qt_color

_LEAST_PX = 320  # width
_MOST_PX = 1600  # width
_SMALL_PX = 120  # least width of a sparkline
_SPARKLINE_PX = 44  # height of a sparkline
_MOST_DRAWINGS = 8  # kept, of as many widths
_SIDES = {
    "start": Qt.AlignmentFlag.AlignLeft,
    "middle": Qt.AlignmentFlag.AlignHCenter,
    "end": Qt.AlignmentFlag.AlignRight,
}
_WIDE = 2000.0  # room for a label, which is as long as its text
_STEPS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
_CHOOSE = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_ENDS = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: -1}
_EDGE_PX = MARGIN  # beside a drawing, which a card has already
_ABOVE_PX = 8  # above a drawing, which a card has already
_RIM_PX = 3.0  # from a box to the line around it
_MOST_TOLD = 20  # things that a screen reader says without being asked
_COLUMN_PX = 5.0  # a chosen column is at least as wide
_BAND = 0.12  # opacity of a chosen column
_MARK = 0.4  # opacity of a chosen column that is narrower than others
_REACH_PX = 9.0  # from the middle of a small box to where a click still hits it
_EMPTY = Drawing("", _LEAST_PX, 1 + _ABOVE_PX, ())


class ChartView(QWidget):
    """A chart as wide as its place; a click or an arrow key chooses what has a tooltip.

    chosen: emitted with the key of a box. by_return: whether arrow keys only go there, and
    Return chooses. least_px: a narrower place shows a smaller picture of the chart.
    """

    chosen = Signal(str)
    ITEM_ROLES = (QAccessible.Role.List, QAccessible.Role.ListItem)

    def __init__(
        self,
        theme: Theme,
        chart: Chart | None = None,
        by_return: bool = False,
        least_px: int = _LEAST_PX,
    ) -> None:
        super().__init__()
        self._theme, self._by_return, self._least_px = theme, by_return, least_px
        self._chart: Chart | None = None
        self._drawings: dict[float, Drawing] = {}  # by width, without their texts
        self._drawn_from = self._drawing = _EMPTY  # what is shown: one of these, and with texts
        self._items: tuple[Box, ...] = ()  # of the drawing: what has a title
        self._key, self._at = "", -1
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        theme.changed.connect(self.update)
        if chart is not None:
            self.show_chart(chart)

    def show_chart(self, chart: Chart) -> None:
        """Show another chart; what was chosen stays so where it is there again."""
        forget_items(self)
        self._chart, self._drawings = chart, {}
        self.setAccessibleName(wording().text(chart.text))
        self.choose(self._key)
        tab, none = Qt.FocusPolicy.TabFocus, Qt.FocusPolicy.NoFocus
        self.setFocusPolicy(tab if self._items else none)
        self.updateGeometry()

    def choose(self, key: str) -> None:
        """Mark the box with a key as chosen; "" or an unknown key for none."""
        self._key = key
        self._at = next((n for n, box in enumerate(self._titled()) if box.key == key), -1)
        self._at = self._at if key else -1
        self._describe()
        self.update()

    def hasHeightForWidth(self) -> bool:
        """A wider chart may be higher, or lower."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of the chart drawn for a width."""
        drawing = self._drawn_without_texts(width)
        return round((drawing.height - _ABOVE_PX) * self._scale(drawing, width))

    def sizeHint(self) -> QSize:
        """Return the size of the chart as it is now."""
        width = max(self._least_px, self.width())
        return QSize(self._least_px, self.heightForWidth(width))

    def item_count(self) -> int:
        """Return the number of things that have a tooltip, for screen readers."""
        return len(self._titled())

    def item_name(self, number: int) -> str:
        """Return the tooltip of one of them."""
        return str(self._titled()[number].title)

    def item_box(self, number: int) -> QRect:
        """Return where one of them is drawn, in pixels of this widget."""
        rect = _rect(self._titled()[number]).translated(-_EDGE_PX, -_ABOVE_PX)
        scale = self._scale(self._drawn(self.width()), self.width())
        return QRectF(rect.topLeft() * scale, rect.size() * scale).toAlignedRect()

    def current_item(self) -> int:
        """Return the one that is chosen, -1 for none."""
        return self._at

    def box_of(self, key: str) -> QRect:
        """Return where the box with a key is drawn, in pixels of this widget."""
        return self.item_box(next(n for n, b in enumerate(self._titled()) if b.key == key))

    def _drawn_without_texts(self, width: int) -> Drawing:
        if self._chart is None:
            return _EMPTY
        wanted = min(_MOST_PX, max(self._least_px, width)) + 2 * _EDGE_PX
        if wanted not in self._drawings:  # a layout asks for the heights of a few, in turns
            if len(self._drawings) >= _MOST_DRAWINGS:
                self._drawings.clear()
            self._drawings[wanted] = self._chart.draw(wanted)
        return self._drawings[wanted]

    def _drawn(self, width: int) -> Drawing:
        drawing = self._drawn_without_texts(width)
        if self._drawn_from is not drawing:
            self._drawn_from, self._drawing = drawing, worded(drawing, wording())
            boxes = (shape for shape in self._drawing.shapes if isinstance(shape, Box))
            self._items = tuple(box for box in boxes if box.title)
        return self._drawing

    def _scale(self, drawing: Drawing, width: int) -> float:
        return min(1.0, width / (drawing.width - 2 * _EDGE_PX))

    def _titled(self) -> tuple[Box, ...]:
        self._drawn(self.width())
        return self._items

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the shapes from back to front."""
        drawing = self._drawn(self.width())
        painter = painter_on(self)
        scale = self._scale(drawing, self.width())
        painter.scale(scale, scale)
        painter.translate(-_EDGE_PX, -_ABOVE_PX)
        for shape in drawing.shapes:
            match shape:
                case Box():
                    self._box(painter, shape)
                case Line():
                    self._line(painter, shape)
                case Label():
                    self._label(painter, shape)
        inside = QRectF(_EDGE_PX, _ABOVE_PX, drawing.width - 2 * _EDGE_PX, drawing.height)
        inside.adjust(1, 1, -1, -_ABOVE_PX - 1)
        for number, box in enumerate(self._titled()):
            here = self.hasFocus() and number == self._at
            if here or (self._key and box.key == self._key):
                accent = here or not box.opacity
                tint = self._theme.palette.accent if accent else self._theme.palette.text
                if not box.opacity:  # a column of a plane, which may be narrower than a pixel
                    rect = _rect(box)
                    less = max(0.0, (_COLUMN_PX - rect.width()) / 2)
                    painter.fillRect(
                        rect.adjusted(-less, 0, less, 0),
                        qt_color(tint, _BAND if less <= 0 else _MARK),
                    )
                    continue
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(qt_color(tint), 2))
                rim = box.radius + _RIM_PX if box.radius else 2.0
                around = _rect(box).adjusted(-_RIM_PX, -_RIM_PX, _RIM_PX, _RIM_PX)
                around &= inside
                painter.drawRoundedRect(around, rim, rim)

    def _tint(self, name: str) -> str:
        return role_color(name, self._theme.palette)

    def _box(self, painter: QPainter, box: Box) -> None:
        tint = qt_color(self._tint(box.edge or box.fill))
        painter.setPen(QPen(tint, box.edge_width) if box.edge else Qt.PenStyle.NoPen)
        painter.setBrush(qt_color(self._tint(box.fill), box.opacity))
        painter.drawRoundedRect(_rect(box), box.radius, box.radius)

    def _line(self, painter: QPainter, line: Line) -> None:
        pen = QPen(qt_color(self._tint(line.stroke), line.opacity), line.width)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        if line.dashed:
            pen.setDashPattern([4.0, 3.0])
        points = QPolygonF([QPointF(x, y) for x, y in line.points])
        if line.fill:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(qt_color(self._tint(line.stroke), line.fill))
            painter.drawPolygon(points)
        if line.width:
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolyline(points)

    def _label(self, painter: QPainter, label: Label) -> None:
        painter.setFont(font(round(label.size), 600 if label.bold else 400))
        painter.setPen(qt_color(self._tint(label.color)))
        left = {"start": label.x, "middle": label.x - _WIDE / 2, "end": label.x - _WIDE}
        top = label.y - painter.fontMetrics().ascent()
        room = QRectF(left[label.anchor], top, _WIDE, painter.fontMetrics().height())
        painter.drawText(room, _SIDES[label.anchor], str(label.text))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show the title of what is under the pointer."""
        number = self._under(event.position())
        box = self._titled()[number] if number >= 0 else None
        hand = box is not None and box.key
        shape = Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.ArrowCursor
        self.setCursor(shape)
        text = _tip(box) if box is not None else ""
        QToolTip.showText(event.globalPosition().toPoint(), text, self)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose what is under the pointer."""
        number = self._under(event.position())
        if number >= 0:
            self._go_to(number, chosen=True)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Take the end of a click, too; what is below gets none of it."""
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the next thing that has a title, and say it; Return chooses it."""
        key, titled = Qt.Key(event.key()), self._titled()
        step = _STEPS.get(key)
        if step is not None and titled:
            self._go_to(self._next(step, titled), chosen=not self._by_return)
            middle = self.item_box(self._at).center()
            QToolTip.showText(self.mapToGlobal(middle), _tip(titled[self._at]), self)
        elif key in _ENDS and titled:
            self._go_to(_ENDS[key] % len(titled), chosen=not self._by_return)
        elif key in _CHOOSE and 0 <= self._at < len(titled):
            self._go_to(self._at, chosen=True)
        else:
            super().keyPressEvent(event)

    def _next(self, step: tuple[int, int], titled: Sequence[Box]) -> int:
        """Return where an arrow key leads: in a grid also up and down, else on or back."""
        if self._at < 0:
            return 0
        across = len({round(box.x) for box in titled})
        down = len({round(box.y) for box in titled})
        if across * down != len(titled) or 1 in (across, down):
            return max(0, min(len(titled) - 1, self._at + sum(step)))
        row, column = divmod(self._at, across)
        row = max(0, min(down - 1, row + step[1]))
        return row * across + max(0, min(across - 1, column + step[0]))

    def _go_to(self, number: int, chosen: bool) -> None:
        key, self._at = self._titled()[number].key, number
        self._describe()
        self.update()
        if chosen and key:
            self._key = key
            self.chosen.emit(key)

    def _describe(self) -> None:
        titled = self._titled()
        told = titled[self._at : self._at + 1] if self._at >= 0 else titled[:_MOST_TOLD]
        self.setAccessibleDescription("; ".join(str(box.title) for box in told))
        tell_current(self)

    def _under(self, position: QPointF) -> int:
        """Return the box at a point, the nearest of several; -1 for none."""
        at = position / self._scale(self._drawn(self.width()), self.width())
        at += QPointF(_EDGE_PX, _ABOVE_PX)
        best, number = float("inf"), -1
        for place, box in enumerate(self._titled()):
            rect = _rect(box)
            near = max(0.0, _REACH_PX - min(rect.width(), rect.height()) / 2)
            apart = (rect.center() - at).manhattanLength()
            if rect.adjusted(-near, -near, near, near).contains(at) and apart < best:
                best, number = apart, place
        return number


class ChartCard(Card):
    """A chart that changes in a card; the chart has its title."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.view = ChartView(theme)
        self.body.addWidget(self.view)

    def show_chart(self, chart: Chart) -> None:
        """Show another chart."""
        self.view.show_chart(chart)


def sparkline_view(theme: Theme, samples: Sequence[float], tint: str) -> ChartView:
    """Return a small line of the times of runs, in their order."""
    draw = partial(sparkline, samples, tint=tint, height=_SPARKLINE_PX)
    return ChartView(theme, Chart("runs", draw, tr("Time of each run")), least_px=_SMALL_PX)


def values_chart(shown: Histogram) -> Chart:
    """Return the values of a tensor as bars."""
    return Chart("values", partial(value_histogram, shown), value_text(shown))


def _tip(box: Box) -> str:
    return tip(*str(box.title).splitlines())


def _rect(box: Box) -> QRectF:
    return QRectF(box.x, box.y, box.width, box.height)
