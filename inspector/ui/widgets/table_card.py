"""A table in a card: title, count and filter above, whatever there is to say below."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QModelIndex, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QMenu, QPushButton, QToolButton, QWidget

from inspector.pages import blocks
from inspector.ui import units
from inspector.ui.translate import mark, plural, tr, wording
from inspector.ui.widgets.page_table import EMPTY, FIRST_ROWS, PageTable
from inspector.ui.widgets.parts import (
    PADDING,
    Card,
    Elided,
    add_to,
    follow,
    label,
    row,
    show_in_place,
    tip,
)
from inspector.ui.widgets.table import ROW
from inspector.ui.widgets.theme import Theme
from inspector.wording.values import Value

SEARCH_HELP = (
    mark("conv relu: layers that contain all of these words; -relu: layers without it"),
    mark("op:Conv, name:head*, type:float16: operator, name, type; * is any text"),
    mark("1x*x122x122: shape of an output or a weight; ... is any number of axes"),
    mark("conv 3x3: convolutions with a kernel of that size"),
    mark("group=32: an attribute; also !=, <, <=, > and >="),
    mark("/conv[0-9]+$/: a regular expression"),
    mark("MatMul -> * -> Softmax: layers in a row; * is any one layer, ... any number of them"),
)
_FEW_MORE = 1  # so many lines take no more room than the button that would show them
_FOOT = 7  # the corners of the card are round, those of a table are not


class RowMenu(QObject):
    """The menu of the rows of a table: copy the name, show it elsewhere, filter to its like.

    named: returns the name in a row, and what the table may be filtered to. shows: returns
    title and action of each place that can show what is in a row.
    """

    def __init__(
        self,
        table: PageTable,
        field: QLineEdit,
        named: Callable[[int], tuple[str, Sequence[str]]],
        shows: Callable[[int], Sequence[tuple[str, Callable[[], object]]]] = lambda _: (),
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
        for title, show in self._shows(row):
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
    """A field whose text filters the rows of a table; Ctrl+F focuses it, Down leaves it.

    wide, small: how wide it is in a card of at least `roomy` pixels, and in another, where
    it says only `briefly` what it is for.
    """

    left_down = Signal()

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

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go on to the rows, or edit the text."""
        if event.key() == Qt.Key.Key_Down and not event.modifiers():
            self.left_down.emit()
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        """The width that there is room for."""
        return QSize(self._width, super().sizeHint().height())

    def fit(self, available: int) -> None:
        """Take the width, and say the words, that a card so wide has room for."""
        roomy = available >= self._roomy
        self._width = self._wide if roomy else self._small
        # A field of a fixed width would keep its card wider than the page.
        self.setMinimumWidth(self._small or self._wide)
        self.setMaximumWidth(self._width)
        self.setPlaceholderText(self._words if roomy else tr(self._briefly))


def name_buttons(field: QLineEdit) -> None:
    """Name the signs in a field for screen readers: the magnifying glass, the clear button."""
    for sign in field.findChildren(QToolButton):
        glass = bool(sign.actions()) and sign.actions()[0].parent() is field
        sign.setAccessibleName(tr("Search") if glass else tr("Clear"))


class ShowMoreButton(QPushButton):
    """A quiet button below a list that was cut: shows more of it, then the beginning again.

    Hidden where nothing was cut; `show_first` is told how many to show.

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
            text = tr("Show {step} more of {total:,} {noun}")
            self.setText(text.format(step=self._step, total=self._total, noun=self._noun))


class MoreRowsButton(QPushButton):
    """A quiet button below a table that shows only its first rows: shows all of them."""

    def __init__(self, table: PageTable) -> None:
        super().__init__()
        self._table = table
        self.setProperty("role", "link")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(table.show_all_rows)
        table.flat_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show how many rows there are, unless all of them are shown."""
        rows = self._table.rows
        total = rows.rowCount()
        noun = plural(total, rows.table.noun).partition(" ")[2]
        self.setText(tr("Show all {total:,} {noun}").format(total=total, noun=noun))
        cut = bool(self._table.rows_cut) and not self._table.isHidden()
        show_in_place(self, cut)


class PageTableCard(Card):
    """A table of a page in a card: title, how many rows, and a filter if there is one.

    Whoever derives it calls `follow_selection` whenever something else is selected.
    heading: the title, or what stands in its place. other: widgets in front of the filter.
    first_rows: of a table that is as high as its rows; 0 for one that scrolls, of `fewest` rows
    at least.
    """

    chosen = Signal(int)  # the place of the row that was selected

    def __init__(
        self,
        theme: Theme,
        heading: str | QWidget,
        name: str,
        table: blocks.Table = EMPTY,
        field: FilterField | None = None,
        *other: QWidget,
        first_rows: int = FIRST_ROWS,
        fewest: int = 0,
    ) -> None:
        super().__init__(theme, padding=1)
        self.setAccessibleName(name)
        self.table = PageTable(theme, name, table, first_rows)
        self.model = self.table.rows
        self._place: int | None = None
        self._aside: Value = ""
        self._field = field
        if field is not None:
            self.filter = field
            field.textChanged.connect(self.model.pick)
            field.left_down.connect(self.table.take_focus)
        self.count = Elided("", "secondary", Qt.TextElideMode.ElideRight)
        title = label(heading, "heading") if isinstance(heading, str) else heading
        fields = () if field is None else (field,)
        head = row(title, 4, self.count, *other, *fields, stretch=2)
        edge = 5 if fields or other else 9
        head.setContentsMargins(PADDING - 1, edge, PADDING - 1, edge)
        self.body.setSpacing(0)
        add_to(self.body, head, (self.table, 1))
        self.body.setContentsMargins(1, 1, 1, _FOOT)
        self.more_rows = MoreRowsButton(self.table)
        self.body.addWidget(self.more_rows)
        if first_rows:
            self.body.addStretch(1)
        if fewest:
            self.table.setMinimumHeight(ROW * (fewest + 1))
        self.model.modelReset.connect(self.refresh)
        self.table.selectionModel().currentRowChanged.connect(self._take)
        self.refresh()

    def show_table(self, table: blocks.Table, aside: Value = "") -> None:
        """Show other rows. aside: beside the title, instead of how many there are."""
        self._aside = aside
        self.table.show_table(table)

    def show_place(self, place: int | None) -> None:
        """Select the row at a place of the table; None for none."""
        self._place = place
        self.follow_selection()

    def counted(self) -> str:
        """Return what stands beside the title, or how many rows are shown."""
        shown, total = self.model.rowCount(), self.model.total
        if self._aside and shown == total:
            return wording().text(self._aside)
        every = plural(total, self.model.table.noun)
        text = tr("{shown:,} of {every}").format(shown=shown, every=every)
        return every if shown == total else text

    def selected_row(self) -> int | None:
        """Return the row that is selected, if it is shown; by default what was chosen last."""
        return None if self._place is None else self.model.row_at(self._place)

    def choose_row(self, row: int) -> None:
        """Select what a row shows; by default this keeps it while others come and go."""
        self._place = self.model.place_of(row)
        self.chosen.emit(self._place)

    def refresh(self) -> None:
        """Show how much is shown, and show what is selected."""
        self.count.set_text(self.model.problem or self.counted())
        self.follow_selection()

    def follow_selection(self) -> None:
        """Show what is selected."""
        self.table.show_row(self.selected_row())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the field into the new width."""
        super().resizeEvent(event)
        if self._field is not None:
            self._field.fit(self.width())

    def _take(self, current: QModelIndex, previous: QModelIndex) -> None:
        if current.isValid() and current.row() != self.selected_row():
            self.choose_row(current.row())
