"""What adds up in a trace: a table of its events, by name, operator or track."""

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QLineEdit, QTableView

from inspector import units
from inspector.analysis.aggregation import Aggregation, By, aggregate
from inspector.trace import Traced
from inspector.ui.kit.parts import PADDING, Card, Segmented, follow, label, row
from inspector.ui.kit.theme import Theme
from inspector.ui.selection import Selection
from inspector.ui.trace.columns import COLUMNS, Groups, What, widths
from inspector.ui.trace.events_model import EventsModel
from inspector.ui.trace.events_view import ROW, Delegate, Header

_FEWEST_ROWS, _WIDE, _FILTER, _SMALL_FILTER, _SCROLL_BAR = 4, 760, 262, 130, 10
_FIND = "Filter by event, operator or track"


class EventsCard(Card):
    """Groups of spans; a row selects its longest span, a span selects its row."""

    def __init__(self, theme: Theme, traced: Traced, selection: Selection) -> None:
        super().__init__(theme, padding=1)
        self._traced, self._selection = traced, selection
        self._stretch: tuple[float, float] | None = None
        self._known: dict[By, Aggregation] = {}
        operators = any(layer.operator for layer in traced.layers)
        self._ways = tuple(by for by in By if by is not By.OPERATOR or operators)
        self._without = () if operators else (What.OPERATOR,)
        self.by = Segmented(theme, [way.value.capitalize() for way in self._ways], 76)
        self.by.setAccessibleName("Group by")
        self.model = EventsModel(self._groups(By.EVENT))
        self.filter = _filter_field(theme)
        self.filter.setProperty("find", True)
        self.table = _table(theme, self.model)
        self.count = label("", "secondary")
        self._lay_out()
        self._wire()
        self._tell()
        self._follow()

    @property
    def found(self) -> Aggregation:
        """What the table shows, all of it."""
        return self.model.groups.found

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the columns their room; those that find none are left out."""
        super().resizeEvent(event)
        wide = self.width() >= _WIDE
        self.filter.setFixedWidth(_FILTER if wide else _SMALL_FILTER)
        self.filter.setPlaceholderText(_FIND if wide else "Filter")
        self._place_columns()

    def sort_by(self, column: int) -> None:
        """Order by a column; the second time the other way round."""
        what, model = COLUMNS[column], self.model
        again = what is model.sorted_by
        model.sort_by(what, not model.downwards if again else not what.is_text)
        self._follow()

    def group_by(self, place: int) -> None:
        """Add up by another thing that events have in common."""
        self._add_up(place)
        self._place_columns()

    def show_stretch(self, stretch_ns: tuple[float, float] | None) -> None:
        """Add up only what lies in a stretch of time, or all again."""
        if stretch_ns != self._stretch:
            self._stretch, self._known = stretch_ns, {}
            self._add_up(self.by.current)

    def _add_up(self, place: int) -> None:
        self.model.show_groups(self._groups(self._ways[place]))
        self._tell()
        self._follow()

    def _groups(self, by: By) -> Groups:
        traced = self._traced
        if by not in self._known:
            self._known[by] = aggregate(traced.trace, traced.layers, by, self._stretch)
        return Groups(traced.trace, self._known[by])

    def _lay_out(self) -> None:
        head = row(label("Events", "heading"), 4, self.count, None, self.by, self.filter)
        head.setContentsMargins(PADDING - 1, 7, PADDING - 1, 7)
        self.body.setSpacing(0)
        self.body.setContentsMargins(1, 1, 1, 6)
        self.body.addLayout(head)
        self.body.addWidget(self.table, 1)

    def _wire(self) -> None:
        self.by.chosen.connect(self.group_by)
        self.filter.textChanged.connect(self._pick)
        self.table.horizontalHeader().sectionClicked.connect(self.sort_by)
        self.table.selectionModel().currentRowChanged.connect(self._choose)
        self._selection.changed.connect(self._follow)

    def _place_columns(self) -> None:
        only_tracks = self._ways[self.by.current] is By.TRACK
        by_track = (What.OPERATOR, What.TRACK, What.SHARE)
        without = by_track if only_tracks else self._without
        room = self.width() - 2 - _SCROLL_BAR
        for column, width in enumerate(widths(room, without)):
            self.table.setColumnHidden(column, width == 0)
            self.table.setColumnWidth(column, width)

    def _pick(self, text: str) -> None:
        self.model.pick(text)
        self._tell()
        self._follow()

    def _tell(self) -> None:
        shown, all_of_them = self.model.rowCount(), len(self.found)
        time = units.duration(self.model.shown_ns())
        words = f"{shown:,} of {all_of_them:,} · {time}"
        if self._stretch is not None:
            begin, end = self._stretch
            words += f" · in the {units.duration(end - begin)} marked"
        self.count.setText(words)

    def _choose(self, current: QModelIndex, previous: QModelIndex) -> None:
        now = self._selection.now.span
        if not current.isValid() or current.row() == self.model.row_of(now):
            return
        span = int(self.found.longest[self.model.group(current.row())])
        layer = int(self._traced.trace.layer[span])
        self._selection.choose(layer if layer >= 0 else None, span)

    def _follow(self) -> None:
        place = self.model.row_of(self._selection.now.span)
        if place is None:
            self.table.clearSelection()
            self.table.setCurrentIndex(QModelIndex())
        else:
            self.table.selectRow(place)
            self.table.scrollTo(self.model.index(place, 0))


def _filter_field(theme: Theme) -> QLineEdit:
    field = QLineEdit()
    field.setAccessibleName("Filter events")
    field.setClearButtonEnabled(True)
    field.setTextMargins(-6, 0, 0, 0)
    glass = QAction(field)
    field.addAction(glass, QLineEdit.ActionPosition.LeadingPosition)
    follow(theme, field, lambda: glass.setIcon(theme.icon("search", "tertiary")))
    return field


def _table(theme: Theme, model: EventsModel) -> QTableView:
    table = QTableView()
    table.setAccessibleName("Events")
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
