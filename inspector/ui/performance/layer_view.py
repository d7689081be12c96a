"""How the layer table is drawn: header with its arrow, names, markers, bars."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from inspector import units
from inspector.look import Palette
from inspector.report import LayerUse
from inspector.ui.kit.layer_name import draw_name
from inspector.ui.kit.marks import draw_mark
from inspector.ui.kit.theme import Theme, colour, font
from inspector.ui.performance import layer_columns as cells
from inspector.ui.performance.layer_columns import Column, Entry, What
from inspector.ui.performance.layer_model import LayerTableModel

ROW, INDENT, DEEPEST, EDGE, INSET, BAR = 28, 14, 6, 16, 8, 64
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
_CENTRE = Qt.AlignmentFlag.AlignCenter


class Delegate(QStyledItemDelegate):
    """Draws a cell straight from the model; Qt's own asks eight questions a cell."""

    def __init__(self, theme: Theme, model: LayerTableModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._model = theme, model
        self._kinds = {device.id: device.kind for device in model.report.asked}

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """One line."""
        return QSize(0, ROW)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draw background, hairline and what the cell says."""
        look, box, state = self._theme.palette, _box(option), _state(option)
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        painter.fillRect(box, colour(look.selection if chosen else look.surface))
        painter.fillRect(QRect(box.x(), box.bottom(), box.width(), 1), colour(look.hairline))
        column, row = self._model.columns[index.column()], index.row()
        entry = self._model.entry(row)
        inner = inset(QRectF(box), column)
        if column.what is What.LAYER:
            self._draw_layer(painter, inner, entry, self._model.depth(row), chosen)
        elif column.what is What.DEVICE:
            self._draw_mark(painter, inner, entry, column.device)
        else:
            if column.what is What.TIME and entry.time_ns is not None:
                self._draw_bar(painter, inner, entry, chosen)
                inner.setLeft(inner.left() + self._bar_width(inner.width()) + 8)
            text = self._model.text(row, index.column())
            painter.setFont(_font(column, timed=entry.time_ns is not None))
            tint = look.on_selection if chosen else _tint(column, entry, look)
            _draw_text(painter, inner, text, tint, column)

    def _draw_layer(
        self, painter: QPainter, box: QRectF, entry: Entry, depth: int, chosen: bool
    ) -> None:
        look = self._theme.palette
        box.setLeft(box.left() + INDENT * min(depth, DEEPEST))
        painter.setFont(font(12, 500 if isinstance(entry, LayerUse) else 400))
        draw_name(painter, box, cells.name(entry), look, chosen)

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
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(look.text, 0.12) if chosen else colour(look.track))
        painter.drawRoundedRect(track, 3, 3)
        part = (entry.time_ns or 0) / max(1, self._model.longest_ns)
        painter.setBrush(colour(look.lane(self._kinds.get(device or "", "cpu"))))
        track.setWidth(max(3.0, width * part))
        painter.drawRoundedRect(track, min(3.0, track.width() / 2), 3)

    def _bar_width(self, room: float) -> float:
        """How long a bar can be beside the longest time."""
        longest = units.milliseconds(self._model.longest_ns)
        words = QFontMetrics(font(12, 500)).horizontalAdvance(longest)
        return max(0.0, min(float(BAR), room - words - 10))


class Header(QHeaderView):
    """Titles in one line; the arrow stands beside the title that sorts."""

    def __init__(self, theme: Theme, model: LayerTableModel, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme, self._model = theme, model
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setFixedHeight(ROW)
        self.setMinimumSectionSize(20)
        theme.changed.connect(self.viewport().update)

    def paintSection(self, painter: QPainter, rect: QRect, section: int, /) -> None:
        """Draw one title."""
        look, column = self._theme.palette, self._model.columns[section]
        sorts = section == self._model.sorted_by
        painter.fillRect(rect, colour(look.bar))
        for y in (rect.top(), rect.bottom()):
            painter.fillRect(QRect(rect.x(), y, rect.width(), 1), colour(look.hairline))
        words = column.title
        if sorts:
            words += " ▾" if self._model.downwards else " ▴"
        painter.setFont(font(11, 600 if sorts else 500))
        _draw_text(painter, inset(QRectF(rect), column), words, look.secondary, column)


def inset(box: QRectF, column: Column) -> QRectF:
    """The part of a cell that is drawn in; the table's own edges are wider."""
    left = EDGE if column.what is What.NUMBER else INSET
    if column.what is What.DEVICE:
        return box.adjusted(2, 0, -2, -1)
    return box.adjusted(left, 0, -INSET, -1)


def _draw_text(painter: QPainter, box: QRectF, text: str, tint: str, column: Column) -> None:
    side = _CENTRE if column.what is What.DEVICE else _RIGHT if column.numeric else _LEFT
    if column.what is What.NUMBER:
        side = _LEFT
    elide = Qt.TextElideMode.ElideRight
    shown = painter.fontMetrics().elidedText(text, elide, int(box.width()) + 1)
    painter.setPen(colour(tint))
    painter.drawText(box, side, shown)


def _font(column: Column, timed: bool) -> QFont:
    if column.what is What.OUTPUT:
        return font(11, mono=True)
    if column.what is What.NUMBER:
        return font(11)
    return font(12, 500 if column.what is What.TIME and timed else 400)


def _tint(column: Column, entry: Entry, look: Palette) -> str:
    if column.what is What.NUMBER or (column.numeric and entry.time_ns is None):
        return look.tertiary
    return look.text if column.what is What.TIME else look.secondary


def _box(option: QStyleOptionViewItem) -> QRect:
    return option.rect


def _state(option: QStyleOptionViewItem) -> QStyle.StateFlag:
    return option.state
