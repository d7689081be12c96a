"""The list of a model's layers: a card with a filter and a table."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from inspector.analysis.estimate import Estimate
from inspector.model import Model
from inspector.ui.kit.layer_name import draw_name
from inspector.ui.kit.parts import PADDING, Card, follow, label, row
from inspector.ui.kit.theme import Theme, colour, font
from inspector.ui.overview import layer_rows
from inspector.ui.overview.layer_rows import LayerRows
from inspector.ui.selection import Selection

ROW, SHOWN_ROWS, INDENT = 28, 18, 14
WIDTHS = {
    layer_rows.NUMBER: 60,
    layer_rows.OPERATOR: 140,
    layer_rows.OUTPUT: 190,
    layer_rows.MACS: 76,
}
WIDE, WIDER = 700, 1_000


class LayerList(Card):
    """Shows the layers; what is chosen here is chosen everywhere."""

    def __init__(self, theme: Theme, model: Model, selection: Selection) -> None:
        super().__init__(theme, padding=1)
        self._selection, self._total = selection, len(model.layers)
        self.rows = LayerRows(model)
        self.filter = _filter_field(theme)
        self.table = _table(theme, model, self.rows)
        self._count = label("", "caption")
        head = row(label("Layers", "heading"), self._count, None, self.filter)
        head.setContentsMargins(PADDING - 1, 8, PADDING - 1, 8)
        self.body.setSpacing(0)
        self.body.addLayout(head)
        self.body.addWidget(self.table)
        self.body.addSpacing(7)
        self.filter.textChanged.connect(self._pick)
        self.table.selectionModel().currentRowChanged.connect(self._choose)
        selection.changed.connect(self._follow)
        self._tell()
        self._follow()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out the flow of values where there is no room for it."""
        super().resizeEvent(event)
        self._share_width()

    def _share_width(self) -> None:
        hidden = self.table.isColumnHidden
        full = not hidden(layer_rows.OUTPUT) and not hidden(layer_rows.MACS)
        self.table.setColumnHidden(layer_rows.FLOW, self.width() < (WIDER if full else WIDE))
        spare = WIDTHS[layer_rows.OUTPUT] if hidden(layer_rows.OUTPUT) else 0
        self.table.setColumnWidth(layer_rows.FLOW, round(self.width() * 0.24) + spare)

    def show_estimate(self, found: Estimate) -> None:
        """Show inferred shapes and multiply-adds in columns of their own."""
        self.rows.show_estimate(found)
        self.table.setColumnHidden(layer_rows.OUTPUT, not found.shapes.values)
        self.table.setColumnHidden(layer_rows.MACS, False)
        self._share_width()

    def _pick(self, text: str) -> None:
        self.rows.pick(text)
        self._tell()
        self._follow()

    def _tell(self) -> None:
        shown, total = self.rows.rowCount(), f"{self._total:,}"
        self._count.setText(total if shown == self._total else f"{shown:,} of {total}")

    def _choose(self, current: QModelIndex, previous: QModelIndex) -> None:
        if current.isValid():
            self._selection.choose(layer=self.rows.layer(current.row()).index)

    def _follow(self) -> None:
        place = self.rows.row_of(self._selection.now.layer)
        if place is None:
            self.table.clearSelection()
            self.table.setCurrentIndex(QModelIndex())
        elif place != self.table.currentIndex().row():
            self.table.selectRow(place)


def _filter_field(theme: Theme) -> QLineEdit:
    field = QLineEdit()
    field.setPlaceholderText("Filter by name or operator")
    field.setProperty("find", True)
    field.setAccessibleName("Filter layers")
    field.setClearButtonEnabled(True)
    field.setFixedWidth(230)
    glass = QAction(field)
    field.addAction(glass, QLineEdit.ActionPosition.LeadingPosition)
    follow(theme, field, lambda: glass.setIcon(theme.icon("search")))
    return field


def _table(theme: Theme, model: Model, rows: LayerRows) -> QTableView:
    table = QTableView()
    table.setAccessibleName("Layers")
    table.setModel(rows)
    table.setItemDelegate(_Delegate(theme, table))
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(ROW)
    table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    header = table.horizontalHeader()
    header.setHighlightSections(False)
    header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    header.setSectionResizeMode(layer_rows.NAME, QHeaderView.ResizeMode.Stretch)
    for column, width in WIDTHS.items():
        table.setColumnWidth(column, width)
    table.setColumnHidden(layer_rows.OUTPUT, not model.values)
    table.setColumnHidden(layer_rows.MACS, True)
    shown = max(1, min(SHOWN_ROWS, rows.rowCount()))
    table.setFixedHeight(header.sizeHint().height() + ROW * shown)
    return table


class _Delegate(QStyledItemDelegate):
    """Draws a cell straight from the model; Qt's own asks eight questions a cell."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

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
        """Draw background, hairline and text."""
        look, box = self._theme.palette, _box(option)
        state = _state(option)
        selected = bool(state & QStyle.StateFlag.State_Selected)
        painter.fillRect(box, colour(look.selection if selected else look.surface))
        painter.fillRect(QRect(box.x(), box.bottom(), box.width(), 1), colour(look.hairline))
        rows = index.model()
        assert isinstance(rows, LayerRows), "the list has one model"
        inner = QRectF(box).adjusted(8, 0, -8, -1)
        column = index.column()
        if column == layer_rows.NAME:
            painter.setFont(font(12, 500))
            inner.setLeft(inner.left() + INDENT * min(rows.depth(index.row()), 8))
            draw_name(painter, inner, rows.layer(index.row()).label, look, selected)
            return
        number, tensor = column in layer_rows.RIGHT, column == layer_rows.OUTPUT
        painter.setFont(font(11, mono=True) if tensor else font(12))
        dim = look.tertiary if column == layer_rows.NUMBER else look.secondary
        painter.setPen(colour(look.on_selection if selected else dim))
        text = painter.fontMetrics().elidedText(
            rows.text(index.row(), column), Qt.TextElideMode.ElideRight, int(inner.width())
        )
        side = Qt.AlignmentFlag.AlignRight if number else Qt.AlignmentFlag.AlignLeft
        painter.drawText(inner, int(side | Qt.AlignmentFlag.AlignVCenter), text)


def _box(option: QStyleOptionViewItem) -> QRect:
    return option.rect


def _state(option: QStyleOptionViewItem) -> QStyle.StateFlag:
    return option.state
