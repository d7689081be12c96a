"""The layers of a report in a card: filter, table, legend and the sum."""

from collections.abc import Iterator

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QHeaderView,
    QLineEdit,
    QTableView,
)

from inspector import units
from inspector.marking import Mark
from inspector.report import InsertedNode, PerformanceReport
from inspector.ui.kit.legend import Legend
from inspector.ui.kit.parts import PADDING, Card, label, row, tip
from inspector.ui.kit.theme import Theme
from inspector.ui.performance.layer_model import LayerTableModel
from inspector.ui.performance.layer_view import ROW, Delegate, Header
from inspector.ui.performance.layer_widths import widths
from inspector.ui.selection import Selection

_FEWEST_ROWS, _WIDE, _FILTER, _SMALL_FILTER, _SCROLL_BAR = 6, 700, 262, 130, 10
_FIND = "Filter by name, operator or device"


class LayerTable(Card):
    """Shows what became of each layer; what is chosen here is chosen everywhere."""

    def __init__(
        self,
        theme: Theme,
        report: PerformanceReport,
        selection: Selection,
        precisions: tuple[str, ...] = (),
    ) -> None:
        super().__init__(theme, padding=1)
        self._report, self._selection = report, selection
        self.model = LayerTableModel(report, precisions)
        self.filter = _filter_field(theme)
        self.filter.setProperty("find", True)
        self.inserted = QCheckBox(_inserted_words(report))
        self.inserted.setVisible(bool(report.inserted))
        self.table = _table(theme, self.model)
        self.count = label("", "secondary")
        self.count.setToolTip(tip("Own time of what is listed, per prediction"))
        self.legend = Legend(theme, _marks(report))
        self._lay_out()
        self._wire()
        self._tell()
        self._follow()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the columns their room; those that find none are left out."""
        super().resizeEvent(event)
        wide = self.width() >= _WIDE
        self.filter.setFixedWidth(_FILTER if wide else _SMALL_FILTER)
        self.filter.setPlaceholderText(_FIND if wide else "Filter")
        room = self.width() - 2 - _SCROLL_BAR
        for column, width in enumerate(widths(self.model.columns, room)):
            self.table.setColumnHidden(column, width == 0)
            self.table.setColumnWidth(column, width)

    def sort_by(self, column: int) -> None:
        """Order by a column; the second time the other way round."""
        model = self.model
        again = column == model.sorted_by
        downwards = not model.downwards if again else model.columns[column].largest_first
        model.sort_by(column, downwards)
        self._follow()

    def _lay_out(self) -> None:
        head = row(label("Layers", "heading"), 4, self.count, None, self.inserted, self.filter)
        head.setContentsMargins(PADDING - 1, 7, PADDING - 1, 7)
        foot = row(self.legend)
        foot.setContentsMargins(PADDING - 1, 6, PADDING - 1, 7)
        self.body.setSpacing(0)
        self.body.addLayout(head)
        self.body.addWidget(self.table, 1)
        self.body.addLayout(foot)

    def _wire(self) -> None:
        self.filter.textChanged.connect(self._pick)
        self.inserted.toggled.connect(self._show_inserted)
        self.table.horizontalHeader().sectionClicked.connect(self.sort_by)
        self.table.selectionModel().currentRowChanged.connect(self._choose)
        self._selection.changed.connect(self._follow)

    def _pick(self, text: str) -> None:
        self.model.pick(text)
        self._tell()
        self._follow()

    def _show_inserted(self, shown: bool) -> None:
        self.model.show_inserted(shown)
        self._tell()
        self._follow()

    def _tell(self) -> None:
        all_of_them = len(self._report.layers)
        if self.inserted.isChecked():
            all_of_them += len(self._report.inserted)
        time = units.duration(self.model.shown_ns())
        self.count.setText(f"{self.model.rowCount():,} of {all_of_them:,} · {time}")

    def _choose(self, current: QModelIndex, previous: QModelIndex) -> None:
        if not current.isValid() or current.row() == self.model.row_of(self._selection.now):
            return
        entry = self.model.entry(current.row())
        if isinstance(entry, InsertedNode):
            self._selection.choose(span=self.model.span_of(entry))
        else:
            self._selection.choose(layer=entry.index)

    def _follow(self) -> None:
        place = self.model.row_of(self._selection.now)
        if place is None:
            self.table.clearSelection()
            self.table.setCurrentIndex(QModelIndex())
        else:
            self.table.selectRow(place)
            self.table.scrollTo(self.model.index(place, 0))


def _marks(report: PerformanceReport) -> Iterator[Mark]:
    return (support.mark for layer in report.layers for support in layer.devices.values())


def _inserted_words(report: PerformanceReport) -> str:
    time = units.duration(sum(node.time_ns for node in report.inserted))
    return f"{len(report.inserted):,} inserted · {time}"


def _filter_field(theme: Theme) -> QLineEdit:
    field = QLineEdit()
    field.setAccessibleName("Filter layers")
    field.setClearButtonEnabled(True)
    field.setTextMargins(-6, 0, 0, 0)
    glass = QAction(field)
    field.addAction(glass, QLineEdit.ActionPosition.LeadingPosition)

    def dress() -> None:
        glass.setIcon(theme.icon("search", "tertiary"))

    dress()
    theme.changed.connect(dress)
    return field


def _table(theme: Theme, model: LayerTableModel) -> QTableView:
    table = QTableView()
    table.setAccessibleName("Layers")
    table.setModel(model)
    table.setItemDelegate(Delegate(theme, model, table))
    table.setHorizontalHeader(Header(theme, model, table))
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(ROW)
    table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    table.setMinimumHeight(ROW * (_FEWEST_ROWS + 1))
    theme.changed.connect(table.viewport().update)
    return table
