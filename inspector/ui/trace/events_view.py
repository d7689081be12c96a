"""How the table of events is drawn: header with its arrow, names, swatches, a bar of shares."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from inspector.ui.kit.layer_name import draw_name
from inspector.ui.kit.theme import Theme, colour, font
from inspector.ui.trace.columns import COLUMNS, What
from inspector.ui.trace.events_model import EventsModel

ROW, EDGE, INSET, SWATCH = 28, 16, 8, 4
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight


class Delegate(QStyledItemDelegate):
    """Draws a cell straight from the model."""

    def __init__(self, theme: Theme, model: EventsModel, parent: QWidget) -> None:
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
        look, box, state = self._theme.palette, _box(option), _state(option)
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        painter.fillRect(box, colour(look.selection if chosen else look.surface))
        painter.fillRect(QRect(box.x(), box.bottom(), box.width(), 1), colour(look.hairline))
        what, group = COLUMNS[index.column()], self._model.group(index.row())
        inner = inset(QRectF(box), what)
        if what is What.NAME:
            self._draw_name(painter, inner, group, chosen)
            return
        if what is What.TRACK:
            self._draw_swatch(painter, inner, group)
            inner.setLeft(inner.left() + SWATCH + 8)
        strong = what is self._model.sorted_by and not what.is_text
        painter.setFont(font(12, 500 if strong else 400))
        tint = look.on_selection if chosen else look.text if strong else look.secondary
        _draw_text(painter, inner, self._model.groups.text(group, what), tint, what)

    def _draw_name(self, painter: QPainter, box: QRectF, group: int, chosen: bool) -> None:
        look, groups = self._theme.palette, self._model.groups
        text = groups.text(group, What.NAME)
        painter.setFont(font(12, 500))
        if groups.found.operators[group]:  # only layers lie in scopes
            draw_name(painter, box, text, look, chosen)
        else:
            tint = look.on_selection if chosen else look.text
            _draw_text(painter, box, text, tint, What.NAME)

    def _draw_swatch(self, painter: QPainter, box: QRectF, group: int) -> None:
        groups = self._model.groups
        track = groups.trace.tracks[int(groups.found.tracks[group])]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(self._theme.palette.lane(track.family)))
        bar = QRectF(box.left(), box.center().y() - 6, SWATCH, 12)
        painter.drawRoundedRect(bar, 2, 2)


class Header(QHeaderView):
    """Titles in one line; the arrow stands beside the title that sorts."""

    def __init__(self, theme: Theme, model: EventsModel, parent: QWidget) -> None:
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
        sorts = what is self._model.sorted_by
        painter.fillRect(rect, colour(look.bar))
        for y in (rect.top(), rect.bottom()):
            painter.fillRect(QRect(rect.x(), y, rect.width(), 1), colour(look.hairline))
        arrow = " ▾" if self._model.downwards else " ▴"
        painter.setFont(font(11, 600 if sorts else 500))
        words = what.value + (arrow if sorts else "")
        _draw_text(painter, inset(QRectF(rect), what), words, look.secondary, what)


def inset(box: QRectF, what: What) -> QRectF:
    """The part of a cell that is drawn in; the table's own edges are wider."""
    left = EDGE if what is What.NAME else INSET
    right = EDGE if what is What.SHARE else INSET
    return box.adjusted(left, 0, -right, -1)


def _draw_text(painter: QPainter, box: QRectF, text: str, tint: str, what: What) -> None:
    elide = Qt.TextElideMode.ElideMiddle
    shown = painter.fontMetrics().elidedText(text, elide, int(box.width()) + 1)
    painter.setPen(colour(tint))
    painter.drawText(box, _LEFT if what.is_text else _RIGHT, shown)


def _box(option: QStyleOptionViewItem) -> QRect:
    return option.rect


def _state(option: QStyleOptionViewItem) -> QStyle.StateFlag:
    return option.state
