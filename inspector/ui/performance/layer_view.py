"""How the layer table is drawn: names, markers, bars."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen

from inspector import units
from inspector.look import Palette
from inspector.report import LayerUse, Spread
from inspector.ui.kit.layer_name import draw_name
from inspector.ui.kit.marks import draw_mark
from inspector.ui.kit.table import LEFT, Cells, draw_bar
from inspector.ui.kit.theme import Theme, colour, font
from inspector.ui.performance import layer_columns as cells
from inspector.ui.performance.layer_columns import Column, Entry, What
from inspector.ui.performance.layer_model import LayerTableModel

INDENT, DEEPEST, BAR = 14, 6, 64
_NOISY = "Noisy"
_ARROW = 3.0  # half the height of the arrow where the longest time does not fit


class LayerCells(Cells[Column]):
    """Draws what became of a layer."""

    ELIDE = Qt.TextElideMode.ElideRight

    def __init__(self, theme: Theme, model: LayerTableModel) -> None:
        super().__init__(theme, model)
        self._model = model
        self._kinds = {device.id: device.kind for device in model.report.asked}

    def inset(self, box: QRectF, column: Column) -> QRectF:
        """Markers stand close, in the middle."""
        if column.what is What.DEVICE:
            return box.adjusted(2, 0, -2, -1)
        return super().inset(box, column)

    def side(self, column: Column) -> Qt.AlignmentFlag:
        """Titles stand above the markers; numbers of layers at the left edge."""
        if column.what is What.DEVICE:
            return Qt.AlignmentFlag.AlignCenter
        return LEFT if column.what is What.NUMBER else super().side(column)

    def draw(
        self, painter: QPainter, box: QRectF, row: int, column: Column, chosen: bool
    ) -> None:
        """Draw a name, a marker, a bar with a time, or words."""
        look, entry = self._theme.palette, self._model.entry(row)
        if column.what is What.LAYER:
            self._draw_layer(painter, box, entry, self._model.depth(row), chosen)
        elif column.what is What.DEVICE:
            self._draw_mark(painter, box, entry, column.device)
        else:
            if column.what is What.TIME and entry.time_ns is not None:
                self._draw_bar(painter, box, entry, chosen)
                box.setLeft(box.left() + self._bar_width(box.width()) + 8)
            painter.setFont(_font(column, timed=entry.time_ns is not None))
            tint = look.on_selection if chosen else _tint(column, entry, look)
            self.draw_text(painter, box, self._model.text(row, column), tint, column)

    def _draw_layer(
        self, painter: QPainter, box: QRectF, entry: Entry, depth: int, chosen: bool
    ) -> None:
        look = self._theme.palette
        box.setLeft(box.left() + INDENT * min(depth, DEEPEST))
        painter.setFont(font(12, 500 if isinstance(entry, LayerUse) else 400))
        if cells.is_noisy(entry):
            box = self._draw_badge(painter, box, cells.name(entry), chosen)
            painter.setFont(font(12, 500 if isinstance(entry, LayerUse) else 400))
        draw_name(painter, box, cells.name(entry), look, chosen)

    def _draw_badge(self, painter: QPainter, box: QRectF, name: str, chosen: bool) -> QRectF:
        """Draw "Noisy" behind the name; return the room that is left for the name."""
        look, small = self._theme.palette, font(11, 500)
        wide = QFontMetrics(small).horizontalAdvance(_NOISY) + 12
        scope, leaf = units.scope_and_name(name)
        whole = " / ".join(filter(None, (scope, leaf)))
        left = box.left() + min(
            painter.fontMetrics().horizontalAdvance(whole) + 8, box.width() - wide
        )
        badge = QRectF(left, box.center().y() - 9, wide, 18)
        tint = look.on_selection if chosen else look.caution
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(tint, 0.14))
        painter.drawRoundedRect(badge, 5, 5)
        painter.setPen(colour(tint))
        painter.setFont(small)
        painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, _NOISY)
        return box.adjusted(0, 0, -(wide + 8), 0)

    def _draw_mark(self, painter: QPainter, box: QRectF, entry: Entry, device: str) -> None:
        look = self._theme.palette
        unit = look.lane(self._kinds.get(device, "npu"))
        square = QRectF(box.center().x() - 7, box.center().y() - 7, 14, 14)
        if isinstance(entry, LayerUse):
            support = cells.support(entry, device)
            if support is not None:
                draw_mark(painter, square, support.mark, unit, look)
        elif entry.device == device:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(unit))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.drawEllipse(square.adjusted(4.5, 4.5, -4.5, -4.5))

    def _draw_bar(self, painter: QPainter, box: QRectF, entry: Entry, chosen: bool) -> None:
        look = self._theme.palette
        device = entry.ran_on if isinstance(entry, LayerUse) else entry.device
        width = self._bar_width(box.width())
        track = QRectF(box.left(), box.center().y() - 3, width, 6)
        part = (entry.time_ns or 0) / max(1, self._model.longest_ns)
        draw_bar(
            painter, track, part, look.lane(self._kinds.get(device or "", "cpu")), look, chosen
        )
        if entry.spread is not None:
            self._draw_reach(painter, track, entry.spread, chosen)

    def _draw_reach(
        self, painter: QPainter, track: QRectF, spread: Spread, chosen: bool
    ) -> None:
        """Draw a thin line from the least to the longest time, with an arrow if it goes on."""
        look, scale = self._theme.palette, track.width() / max(1, self._model.longest_ns)
        left = track.left() + min(track.width(), spread.min_ns * scale)
        right = track.left() + min(track.width(), spread.max_ns * scale)
        middle = track.center().y()
        painter.setPen(QPen(colour(look.on_selection if chosen else look.text), 1))
        painter.drawLine(QPointF(left, middle), QPointF(right, middle))
        if spread.max_ns > self._model.longest_ns:
            for side in (-_ARROW, _ARROW):
                painter.drawLine(QPointF(right - _ARROW, middle + side), QPointF(right, middle))
        else:
            painter.drawLine(QPointF(right, middle - _ARROW), QPointF(right, middle + _ARROW))

    def _bar_width(self, room: float) -> float:
        """How long a bar can be beside the longest time."""
        longest = units.lined_up(self._model.longest_ns, self._model.longest_layer_ns)
        words = QFontMetrics(font(12, 500)).horizontalAdvance(longest)
        return max(0.0, min(float(BAR), room - words - 10))


def _font(column: Column, timed: bool) -> QFont:
    if column.what is What.OUTPUT:
        return font(11, mono=True)
    if column.what is What.NUMBER:
        return font(11)
    return font(12, 500 if column.what is What.TIME and timed else 400)


def _tint(column: Column, entry: Entry, look: Palette) -> str:
    if column.what is What.SPREAD and cells.is_noisy(entry):
        return look.caution
    if column.what is What.NUMBER or (column.numeric and entry.time_ns is None):
        return look.tertiary
    return look.text if column.what is What.TIME else look.secondary
