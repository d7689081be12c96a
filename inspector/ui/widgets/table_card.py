"""A table in a card: title, count and filter above, whatever there is to say below."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QModelIndex, QObject, QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QMenu, QPushButton, QToolButton, QWidget

from inspector import units
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.parts import PADDING, Card, Elided, follow, label, row, tip
from inspector.ui.widgets.table import ROW, Table
from inspector.ui.widgets.theme import Theme

SEARCH_HELP = (
    mark("conv relu: layers that contain all of these words; -relu: layers without it"),
    mark("op:Conv, name:head*, type:float16: operator, name, type; * is any text"),
    mark("1x*x122x122: shape of an output or a weight; ... is any number of axes"),
    mark("conv 3x3: convolutions with a kernel of that size"),
    mark("group=32: an attribute; also !=, <, <=, > and >="),
    mark("/conv[0-9]+$/: a regular expression"),
    mark("MatMul -> * -> Softmax: layers in a row; * is any one layer, ... any number of them"),
)
_SCROLL_BAR = 10
_FEW_MORE = 1  # so many lines take no more room than the button that would show them
_FOOT = 7  # the corners of the card are round, those of a table are not


class RowMenu(QObject):
    """The menu of the rows of a table: copy the name, show it elsewhere, filter to its like.

    named: returns the name in a row, and what the table may be filtered to. shows: title and
    action of each place that can show what is selected.
    """

    def __init__(
        self,
        table: Table,
        field: QLineEdit,
        named: Callable[[int], tuple[str, Sequence[str]]],
        shows: Sequence[tuple[str, Callable[[], object]]] = (),
    ) -> None:
        super().__init__(table)
        self._table, self._field, self._named, self._shows = table, field, named, shows
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        table.customContextMenuRequested.connect(self._open)

    def menu(self, row: int) -> QMenu:
        """Return what can be done with a row."""
        name, filters = self._named(row)
        menu = QMenu(self._table)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        clipboard = QGuiApplication.clipboard()
        menu.addAction(tr("Copy name"), lambda: clipboard.setText(name))
        for title, show in self._shows:
            menu.addAction(title, show)
        menu.addSeparator()
        for text in filter(None, filters):
            shown = units.clip(text, 40).replace("&", "&&")
            menu.addAction(
                tr("Filter to {operator}").format(operator=shown),
                partial(self._field.setText, text),
            )
        return menu

    def _open(self, point: QPoint) -> None:
        index = self._table.indexAt(point)
        if index.isValid():
            self._table.selectRow(index.row())
            self.menu(index.row()).popup(self._table.viewport().mapToGlobal(point))


class FilterField(QLineEdit):
    """A field whose text filters the rows of a table; Ctrl+F focuses it.

    wide, small: how wide it is in a card of at least `roomy` pixels, and in another, where
    it says only `briefly` what it is for.
    """

    def __init__(
        self,
        theme: Theme,
        name: str,
        text: str,
        wide: int,
        small: int = 0,
        roomy: int = 0,
        tint: str = "tertiary",
        briefly: str = mark("Filter"),
    ) -> None:
        super().__init__()
        self._briefly = briefly
        self._words, self._wide, self._small, self._roomy = text, wide, small, roomy
        self.setProperty("find", True)
        self.setAccessibleName(name)
        self.setClearButtonEnabled(True)
        self.setTextMargins(-6, 0, 0, 0)
        glass = QAction(self)
        self.addAction(glass, QLineEdit.ActionPosition.LeadingPosition)
        name_buttons(self)
        follow(theme, self, lambda: glass.setIcon(theme.icon("search", tint)))
        self.fit(0)

    def explain_search(self) -> None:
        """Show on hover what the search language of layers understands."""
        self.setToolTip(tip(*map(tr, SEARCH_HELP)))

    def fit(self, available: int) -> None:
        """Take the width, and say the words, that a card so wide has room for."""
        roomy = available >= self._roomy
        self.setFixedWidth(self._wide if roomy else self._small)
        self.setPlaceholderText(self._words if roomy else tr(self._briefly))


def name_buttons(field: QLineEdit) -> None:
    """Name the signs in a field for screen readers: the magnifying glass, the clear button."""
    for sign in field.findChildren(QToolButton):
        glass = bool(sign.actions()) and sign.actions()[0].parent() is field
        sign.setAccessibleName(tr("Search") if glass else tr("Clear"))


class TableCard(Card):
    """Shows a table; keeps count, selection and widths of columns as they have to be.

    Whoever derives it calls `refresh` once it is built, and `follow_selection` whenever
    something else is selected.
    heading: the title, or what stands in its place. other: what stands before the filter
    field.
    """

    def __init__(
        self,
        theme: Theme,
        table: Table,
        heading: str | QWidget,
        field: FilterField | None,
        fewest_rows: int,
        *other: QWidget,
    ) -> None:
        super().__init__(theme, padding=1)
        self.table, self._field = table, field
        if field is not None:
            self.filter = field
        self.count = Elided("", "secondary", Qt.TextElideMode.ElideRight)
        title = label(heading, "heading") if isinstance(heading, str) else heading
        fields = () if field is None else (field,)
        head = row(title, 4, self.count, *other, *fields, stretch=2)
        edge = 5 if fields or other else 9
        head.setContentsMargins(PADDING - 1, edge, PADDING - 1, edge)
        self.body.setSpacing(0)
        self.body.addLayout(head)
        self.body.addWidget(table, 1)
        self.body.setContentsMargins(1, 1, 1, _FOOT)
        if fewest_rows:
            table.setMinimumHeight(ROW * (fewest_rows + 1))
        if field is not None:
            field.textChanged.connect(table.rows.pick)
        table.rows.modelReset.connect(self.refresh)
        table.selectionModel().currentRowChanged.connect(self._take)

    @abstractmethod
    def widths(self, room: int) -> tuple[int, ...]:
        """Width of each column where all have `room` pixels; 0 for those left out."""

    @abstractmethod
    def counted(self) -> str:
        """Return how much is shown, as text."""

    @abstractmethod
    def selected_row(self) -> int | None:
        """The row of what is selected; None where it is not shown."""

    @abstractmethod
    def choose_row(self, row: int) -> None:
        """Select what a row shows."""

    def refresh(self) -> None:
        """Show how much is shown, and show what is selected."""
        self.count.set_text(self.table.rows.problem or self.counted())
        self.follow_selection()

    def follow_selection(self) -> None:
        """Show what is selected."""
        self.table.show_row(self.selected_row())

    def place_columns(self) -> None:
        """Give the columns their room; those that find none are left out."""
        beside = 0 if self.table.flat_rows else _SCROLL_BAR
        self.table.place_columns(self.widths(self.width() - 2 - beside))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit field and columns into the new width."""
        super().resizeEvent(event)
        if self._field is not None:
            self._field.fit(self.width())
        self.place_columns()

    def _take(self, current: QModelIndex, previous: QModelIndex) -> None:
        if current.isValid() and current.row() != self.selected_row():
            self.choose_row(current.row())


# A quiet button below a list that was cut: shows more of it, then the beginning again.


class ShowMoreButton(QPushButton):
    """Hidden where nothing was cut; `show_first` is told how many to show.

    step: how many more a click shows; 0 for all at once, where a line costs nothing.
    """

    def __init__(
        self,
        total: int,
        shown: int,
        noun: str,
        show_first: Callable[[int], None],
        step: int = 0,
    ) -> None:
        super().__init__()
        self._total, self._first, self._noun = total, shown, noun
        self._shown, self._step = shown, step or total
        self._show_first = show_first
        self.setProperty("role", "link")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        if shown < total <= shown + _FEW_MORE and not step:
            self._shown = total
            show_first(total)
        if total <= self._shown:
            self.hide()
        self.clicked.connect(self._turn)
        self._tell()

    def _turn(self) -> None:
        done = self._shown >= self._total
        self._shown = self._first if done else min(self._total, self._shown + self._step)
        self._show_first(self._shown)
        self._tell()

    def _tell(self) -> None:
        left = self._total - self._shown
        if not left:
            self.setText(tr("Show only the first {first}").format(first=self._first))
        elif left <= self._step:
            self.setText(
                tr("Show all {total:,} {noun}").format(total=self._total, noun=self._noun)
            )
        else:
            self.setText(
                tr("Show {step} more of {total:,} {noun}").format(
                    step=self._step, total=self._total, noun=self._noun
                )
            )
