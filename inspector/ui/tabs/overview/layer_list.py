"""The list of a model's layers: a card with a filter and a table."""

from functools import partial
from threading import Thread

from PySide6.QtCore import QModelIndex, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView

from inspector import units
from inspector.analysis.cost.estimate import Estimate
from inspector.model.model import Model
from inspector.ui.selection import Selection
from inspector.ui.tabs.overview.layer_rows import COLUMNS, LayerColumn, LayerRows
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.parts import PADDING, Card, label, row
from inspector.ui.widgets.table import INSET, ROW, Cells, Table, draw_name
from inspector.ui.widgets.table_card import FilterField, RowMenu
from inspector.ui.widgets.theme import Theme, font

SHOWN_ROWS, INDENT = 18, 14
WIDTHS = {
    LayerColumn.NUMBER: 60,
    LayerColumn.OPERATOR: 140,
    LayerColumn.OUTPUT: 190,
    LayerColumn.MACS: 76,
}
_NARROW = {
    LayerColumn.NUMBER: 52,
    LayerColumn.OPERATOR: 104,
    LayerColumn.OUTPUT: 156,
    LayerColumn.MACS: 68,
}
WIDE, WIDER = 700, 1_000
_FIND = mark("Filter: conv, op:Add, 1x*x8x8")


class LayerList(Card):
    """Shows the layers; what is chosen here is chosen everywhere."""

    tab_asked = Signal(str)  # id of the tab that should show the chosen layer

    def __init__(self, theme: Theme, model: Model, selection: Selection) -> None:
        super().__init__(theme, padding=1)
        self._selection, self._total = selection, len(model.layers)
        self.rows = LayerRows(model)
        self.filter = FilterField(
            theme, tr("Filter layers"), tr(_FIND), wide=230, tint="secondary"
        )
        self.filter.explain_search()
        self.table = _table(theme, model, self.rows)
        self._count = label("", "caption")
        head = row(label(tr("Layers"), "heading"), self._count, None, self.filter)
        head.setContentsMargins(PADDING - 1, 8, PADDING - 1, 8)
        self.body.setSpacing(0)
        self.body.addLayout(head)
        self.body.addWidget(self.table)
        self.body.addSpacing(7)
        self.filter.textChanged.connect(self.rows.pick)
        self.rows.modelReset.connect(self._refresh)
        self.table.selectionModel().currentRowChanged.connect(self._choose)
        selection.changed.connect(self._follow)
        show = self.tab_asked.emit
        shows = (
            (tr("Show in graph"), partial(show, "graph")),
            (tr("Show in Performance"), partial(show, "performance")),
            (tr("Show weights"), partial(show, "weights")),
        )
        self.row_menu = RowMenu(self.table, self.filter, self._named, shows)
        self._refresh()

    def prepare(self) -> None:
        """Let the first click on a title and the first letter find everything worked out."""
        Thread(target=self.rows.prepare, daemon=True).start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out the flow of values where there is no room for it."""
        super().resizeEvent(event)
        self._share_width()

    def _share_width(self) -> None:
        output, macs = (
            not self.table.isColumnHidden(COLUMNS.index(text))
            for text in (LayerColumn.OUTPUT, LayerColumn.MACS)
        )
        for text, width in (WIDTHS if self.width() >= WIDE else _NARROW).items():
            self.table.setColumnWidth(COLUMNS.index(text), width)
        flow = COLUMNS.index(LayerColumn.FLOW)
        self.table.setColumnHidden(flow, self.width() < (WIDER if output and macs else WIDE))
        spare = 0 if output else WIDTHS[LayerColumn.OUTPUT]
        self.table.setColumnWidth(flow, round(self.width() * 0.24) + spare)

    def show_estimate(self, estimate: Estimate) -> None:
        """Show inferred shapes and MACs in columns of their own."""
        self.rows.show_estimate(estimate)
        self.table.setColumnHidden(
            COLUMNS.index(LayerColumn.OUTPUT), not estimate.shapes.values
        )
        self.table.setColumnHidden(COLUMNS.index(LayerColumn.MACS), False)
        self._share_width()

    def _refresh(self) -> None:
        self._tell()
        self._follow()

    def _tell(self) -> None:
        if self.rows.problem:
            self._count.setText(self.rows.problem)
            return
        shown, total = self.rows.rowCount(), f"{self._total:,}"
        self._count.setText(
            total
            if shown == self._total
            else tr("{shown:,} of {total}").format(shown=shown, total=total)
        )

    def _choose(self, current: QModelIndex, previous: QModelIndex) -> None:
        shown = self.rows.row_of(self._selection.now.layer)
        if current.isValid() and current.row() != shown:
            self._selection.choose(layer=self.rows.layer(current.row()).index)

    def _named(self, row: int) -> tuple[str, tuple[str, ...]]:
        layer = self.rows.layer(row)
        return layer.label, (f"op:{layer.operator}", units.scope_and_name(layer.name)[0])

    def _follow(self) -> None:
        self.table.show_row(self.rows.row_of(self._selection.now.layer))


def _table(theme: Theme, model: Model, rows: LayerRows) -> Table:
    table = Table(theme, tr("Layers"), rows, LayerCells(theme, rows))
    table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
    name = COLUMNS.index(LayerColumn.NAME)
    table.horizontalHeader().setSectionResizeMode(name, QHeaderView.ResizeMode.Stretch)
    for text, width in WIDTHS.items():
        table.setColumnWidth(COLUMNS.index(text), width)
    table.setColumnHidden(COLUMNS.index(LayerColumn.OUTPUT), not model.values)
    table.setColumnHidden(COLUMNS.index(LayerColumn.MACS), True)
    shown = max(1, min(SHOWN_ROWS, rows.rowCount()))
    table.setFixedHeight(table.horizontalHeader().sizeHint().height() + ROW * shown)
    return table


class LayerCells(Cells[LayerColumn]):
    """Draws what a file tells of a layer."""

    elide = Qt.TextElideMode.ElideRight

    def __init__(self, theme: Theme, rows: LayerRows) -> None:
        super().__init__(theme, rows)
        self._rows = rows

    def inset(self, box: QRectF, column: LayerColumn) -> QRectF:
        """Numbers are at the right, so that no edge needs to be wider."""
        return box.adjusted(INSET, 0, -INSET, -1)

    def draw(
        self, painter: QPainter, box: QRectF, row: int, column: LayerColumn, chosen: bool
    ) -> None:
        """Draw a name, a tensor, or text."""
        look, rows = self._theme.palette, self._rows
        if column is LayerColumn.NAME:
            painter.setFont(font(12, 500))
            box.setLeft(box.left() + INDENT * min(rows.depth(row), 8))
            draw_name(painter, box, rows.layer(row).label, look, chosen)
            return
        painter.setFont(font(11, mono=True) if column is LayerColumn.OUTPUT else font(12))
        dim = look.tertiary if column is LayerColumn.NUMBER else look.secondary
        tint = look.on_selection if chosen else dim
        self.draw_text(painter, box, rows.text(row, column), tint, column)
