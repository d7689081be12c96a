"""The weights of a model in a card: filter, list, and reading all of them."""

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QProgressBar,
    QTableView,
)

from inspector import units
from inspector.model import Model
from inspector.ui.kit.parts import PADDING, Card, button, follow, label, row
from inspector.ui.kit.theme import Theme
from inspector.ui.weights.columns import COLUMNS, widths
from inspector.ui.weights.list_model import WeightsModel
from inspector.ui.weights.list_view import ROW, Delegate, Header
from inspector.ui.weights.work import WeightsWork

_FEWEST_ROWS, _FILTER, _SMALL_FILTER, _WIDE, _SCROLL_BAR = 7, 230, 120, 500, 10
_FIND = "Filter by name, type or file"


class WeightsList(Card):
    """Lists all weights; `chosen` tells the place of one in `Model.weights`."""

    chosen = Signal(int)
    entered = Signal(int)  # the same, after Return or a double click

    def __init__(
        self,
        theme: Theme,
        model: Model,
        uses: tuple[tuple[int, ...], ...],
        work: WeightsWork,
    ) -> None:
        super().__init__(theme, padding=1)
        self._work = work
        self._index: int | None = None
        self._readable = sum(not weight.problem for weight in model.weights)
        self.model = WeightsModel(model, uses)
        self.filter = _filter_field(theme)
        self.filter.setProperty("find", True)
        self.table = _table(theme, self.model)
        self.count = label("", "secondary")
        self.all_button = button(theme, "Read all", "play")
        self.cancel_button = button(theme, "Cancel")
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName("Reading all weights")
        self.said = label("", "secondary")
        self._lay_out()
        self._wire()
        self._tell()
        self._show_progress()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the columns their room; those that find none are left out."""
        super().resizeEvent(event)
        wide = self.width() >= _WIDE
        self.filter.setFixedWidth(_FILTER if wide else _SMALL_FILTER)
        self.filter.setPlaceholderText(_FIND if wide else "Filter")
        for column, width in enumerate(widths(self.width() - 2 - _SCROLL_BAR)):
            self.table.setColumnHidden(column, width == 0)
            self.table.setColumnWidth(column, width)

    def choose(self, index: int) -> None:
        """Select a weight; the filter gives way if it hides it."""
        if self.model.row_of(index) is None:
            self.filter.clear()
        self._index = index
        self._follow()
        self.chosen.emit(index)

    def _lay_out(self) -> None:
        head = row(label("Tensors", "heading"), 4, self.count, None, self.filter)
        head.setContentsMargins(PADDING - 1, 7, PADDING - 1, 7)
        foot = row(self.said, self.progress, None, self.cancel_button, self.all_button)
        foot.setStretch(1, 1)
        foot.setContentsMargins(PADDING - 1, 7, PADDING - 1, 7)
        self.body.setSpacing(0)
        self.body.addLayout(head)
        self.body.addWidget(self.table, 1)
        self.body.addLayout(foot)

    def _wire(self) -> None:
        self.filter.textChanged.connect(self._pick)
        self.table.horizontalHeader().sectionClicked.connect(self._sort)
        self.table.selectionModel().currentRowChanged.connect(self._take)
        self.table.activated.connect(self._enter)
        self.all_button.clicked.connect(self._work.read_all)
        self.cancel_button.clicked.connect(self._work.cancel_all)
        self._work.progressed.connect(self._show_progress)
        self._work.found_changed.connect(self._show_progress)

    def _pick(self, text: str) -> None:
        self.model.pick(text)
        self._tell()
        self._follow()

    def _sort(self, column: int) -> None:
        self.model.sort_by(column)
        self._follow()

    def _tell(self) -> None:
        shown, every = self.model.rowCount(), len(self.model.model.weights)
        number = f"{shown:,}" if shown == every else f"{shown:,} of {every:,}"
        self.count.setText(f"{number} · {units.size(self.model.shown_bytes())}")

    def _take(self, current: QModelIndex, previous: QModelIndex) -> None:
        if current.isValid():
            index = self.model.index_of(current.row())
            if index != self._index:
                self._index = index
                self.chosen.emit(index)

    def _enter(self, current: QModelIndex) -> None:
        self.entered.emit(self.model.index_of(current.row()))

    def _follow(self) -> None:
        place = self.model.row_of(self._index) if self._index is not None else None
        if place is None:
            self.table.clearSelection()
            self.table.setCurrentIndex(QModelIndex())
        else:
            self.table.selectRow(place)
            self.table.scrollTo(self.model.index(place, 0))

    def _show_progress(self) -> None:
        """Tell how far reading all is, or what it would take."""
        work, every = self._work, len(self.model.model.weights)
        busy = work.all_done is not None
        self.progress.setVisible(busy)
        self.cancel_button.setVisible(busy)
        self.all_button.setVisible(not busy)
        self.all_button.setEnabled(work.read_ones < self._readable)
        if work.all_done is not None:
            self.progress.setValue(round(100 * work.all_done))
        read = work.read_ones
        refused = len(work.found) - read
        words = f"{read:,} of {every:,} read"
        self.said.setText(f"{words} · {refused:,} cannot be" if refused else words)


def _filter_field(theme: Theme) -> QLineEdit:
    field = QLineEdit()
    field.setAccessibleName("Filter weights")
    field.setClearButtonEnabled(True)
    field.setTextMargins(-6, 0, 0, 0)
    glass = QAction(field)
    field.addAction(glass, QLineEdit.ActionPosition.LeadingPosition)
    follow(theme, field, lambda: glass.setIcon(theme.icon("search", "tertiary")))
    return field


def _table(theme: Theme, model: WeightsModel) -> QTableView:
    table = QTableView()
    table.setAccessibleName("Weights")
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
    assert len(COLUMNS) == model.columnCount(), "widths are told for each column"
    return table
