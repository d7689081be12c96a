"""How the list of weights is drawn: names in two tones, problems, and bars of bytes."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from inspector.look import Palette
from inspector.ui.kit.layer_name import draw_name
from inspector.ui.kit.theme import Theme, colour, font
from inspector.ui.weights import columns as cells
from inspector.ui.weights.columns import COLUMNS, What
from inspector.ui.weights.list_model import WeightsModel

ROW, EDGE, INSET, WORDS, ROOMY = 28, 16, 8, 70, 230
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight


class Delegate(QStyledItemDelegate):
    """Draws a cell straight from the model; Qt's own asks eight questions a cell."""

    def __init__(self, theme: Theme, model: WeightsModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._model = theme, model

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
        look, box = self._theme.palette, _box(option)
        chosen = bool(_state(option) & QStyle.StateFlag.State_Selected)
        painter.fillRect(box, colour(look.selection if chosen else look.surface))
        painter.fillRect(QRect(box.x(), box.bottom(), box.width(), 1), colour(look.hairline))
        what, row = COLUMNS[index.column()], index.row()
        inner = inset(QRectF(box), what)
        if what is What.NAME:
            self._draw_name(painter, inner, row, chosen)
            return
        if what is What.BYTES:
            self._draw_bar(painter, inner, row, chosen)
        painter.setFont(font(11, mono=True) if what is What.SHAPE else font(12))
        tint = look.on_selection if chosen else self._tint(what, row, look)
        painter.setPen(colour(tint))
        words, room = self._model.text(row, what), int(inner.width()) + 1
        shown = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideMiddle, room)
        painter.drawText(inner, _RIGHT if what.numeric else _LEFT, shown)

    def _tint(self, what: What, row: int, look: Palette) -> str:
        if what is What.BYTES:
            return look.text
        if what is What.USERS and not self._model.uses[self._model.index_of(row)]:
            return look.tertiary
        return look.secondary

    def _draw_name(self, painter: QPainter, box: QRectF, row: int, chosen: bool) -> None:
        weight = self._model.weight(row)
        if weight.problem:
            painter.drawPixmap(box.topLeft() + _DOWN, self._theme.pixmap("warning", "caution"))
            box.setLeft(box.left() + 22)
        if weight.origin != "initializer":
            box.setRight(box.right() - self._draw_badge(painter, box, weight.origin, chosen))
        painter.setFont(font(12, 500))
        draw_name(painter, box, cells.name(weight), self._theme.palette, chosen)

    def _draw_badge(self, painter: QPainter, box: QRectF, origin: str, chosen: bool) -> float:
        """Mark what is no plain initializer; the room that took."""
        look, words = self._theme.palette, origin.split()[0]
        if box.width() < ROOMY:
            words = words[0].upper()
        painter.setFont(font(11))
        width = painter.fontMetrics().horizontalAdvance(words) + 12.0
        badge = QRectF(box.right() - width, box.center().y() - 8, width, 16)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(look.text, 0.1) if chosen else colour(look.track))
        painter.drawRoundedRect(badge, 5, 5)
        painter.setPen(colour(look.on_selection if chosen else look.secondary))
        painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, words)
        return width + 8

    def _draw_bar(self, painter: QPainter, box: QRectF, row: int, chosen: bool) -> None:
        look, size = self._theme.palette, self._model.weight(row).size_bytes
        width = box.width() - WORDS
        if width < 12 or size is None:
            return
        track = QRectF(box.left(), box.center().y() - 3, width, 6)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(look.text, 0.12) if chosen else colour(look.track))
        painter.drawRoundedRect(track, 3, 3)
        if size:
            painter.setBrush(colour(look.accent))
            track.setWidth(max(3.0, width * size / max(1, self._model.largest_bytes)))
            painter.drawRoundedRect(track, min(3.0, track.width() / 2), 3)


class Header(QHeaderView):
    """Titles in one line; the arrow stands beside the title that sorts."""

    def __init__(self, theme: Theme, model: WeightsModel, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme, self._model = theme, model
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setFixedHeight(ROW)
        self.setMinimumSectionSize(20)
        theme.changed.connect(self.viewport().update)

    def paintSection(self, painter: QPainter, rect: QRect, section: int, /) -> None:
        """Draw one title."""
        look, what = self._theme.palette, COLUMNS[section]
        sorts = section == self._model.sorted_by
        painter.fillRect(rect, colour(look.bar))
        for y in (rect.top(), rect.bottom()):
            painter.fillRect(QRect(rect.x(), y, rect.width(), 1), colour(look.hairline))
        words = what.value
        if sorts:
            words += " ▾" if self._model.downwards else " ▴"
        painter.setFont(font(11, 600 if sorts else 500))
        painter.setPen(colour(look.secondary))
        painter.drawText(inset(QRectF(rect), what), _RIGHT if what.numeric else _LEFT, words)


def inset(box: QRectF, what: What) -> QRectF:
    """The part of a cell that is drawn in; the table's own edge is wider."""
    return box.adjusted(EDGE if what is What.NAME else INSET, 0, -INSET, -1)


_DOWN = QRectF(0, 5.5, 0, 0).topLeft()


def _box(option: QStyleOptionViewItem) -> QRect:
    return option.rect


def _state(option: QStyleOptionViewItem) -> QStyle.StateFlag:
    return option.state
