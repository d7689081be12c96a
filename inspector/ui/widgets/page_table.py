"""The table of a page in the window: sorted, searched, copied and drawn from its columns.

A card declares columns and rows as `pages.blocks.Table`, the same that documents show; this
module gives them widths, a painter, sort keys, tooltips and texts for screen readers.
Rows are sorted and filtered by moving an index of numpy: for 100,000 rows, a proxy model of Qt
takes 13 s where this takes 30 ms.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QScrollArea,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from inspector.analysis.layer_search import LayerIndex, ValueInfo
from inspector.errors import BadInput
from inspector.model.model import Layer
from inspector.pages import blocks
from inspector.pages.blocks import KEPT, Column, Row, Side
from inspector.pages.charts.palette import Palette
from inspector.pages.rows import LazyRows, magnitude
from inspector.platform.cooperative_yielding import polite
from inspector.render.marks import bar_color
from inspector.ui import glossary
from inspector.ui.translate import mark, tr, wording
from inspector.ui.widgets.parts import follow, tip
from inspector.ui.widgets.support_legend import draw_mark
from inspector.ui.widgets.table import (
    BADGE_PX,
    EDGE,
    INSET,
    ROW,
    as_lines,
    badge_width,
    draw_badge,
    draw_bar,
    draw_ground,
    draw_name,
)
from inspector.ui.widgets.theme import Theme, font, qt_color
from inspector.wording.values import (
    Joined,
    MarkValue,
    Name,
    Noted,
    Number,
    Spread,
    Tone,
    Toned,
    Value,
    bare,
)

NOTHING = mark("No rows match the filter.")
FIRST_ROWS = 40  # of a table that is as high as its rows; a button shows the rest
EMPTY = blocks.Table((), ())
_MEASURED_ROWS = 200  # whose texts decide on the widths of the columns
_BAR_PX = 64
_WHISKER_PX = 3.0  # half the height of the ends of the line in a bar
_MARK_PX = 14.0
_BESIDE_MARK_PX = 7
_INDENT_PX = 14  # of a row within others
_DEEPEST = 8  # steps of indentation that are drawn
_NAME_PX = 190  # least width of names before other columns are left out
_LEAST_NAME_PX = 120  # least width of names where none is left out
_MOST_PX = 260  # of a column that does not take what is left
_TEXTS_AT_ONCE = 4096  # sorted in one go, which holds the window up for a millisecond

# The layer that each place shows, and types and shapes of tensors by name.
SearchedLayers = tuple[Sequence[Layer], Mapping[str, ValueInfo]]
_Keys = NDArray[np.int64] | NDArray[np.float64]
_Index = QModelIndex | QPersistentModelIndex
_Role, _Key, _Action = Qt.ItemDataRole, Qt.Key, QAbstractItemView.CursorAction
_NONE = QModelIndex()
_SORTING = (_Key.Key_Left, _Key.Key_Right, _Key.Key_Up, _Key.Key_Down)
_MIDDLE = Qt.TextElideMode.ElideMiddle
_RIGHT = Qt.TextElideMode.ElideRight
_Side = Qt.AlignmentFlag
_LINE = _Side.AlignVCenter | _Side.AlignLeft
_SIDES = {
    Side.LEFT: _Side.AlignLeft, Side.RIGHT: _Side.AlignRight, Side.CENTER: _Side.AlignHCenter,
}  # fmt: skip


class PageTableModel(QAbstractTableModel):
    """The rows of a table in their own order or by a column; all, or those that a text finds.

    A row of the table is known by its place, 0 to `total` - 1. A table that is not sorted at
    first returns to its own order at the third click on a title.
    """

    def __init__(self, table: blocks.Table = EMPTY) -> None:
        super().__init__()
        self.table, self.order = EMPTY, np.arange(0)
        self.sorted_by: int | None = None
        self.downwards = self.always_sorted = False
        self.problem = ""  # why the text of the filter makes no sense
        self._wanted = ""
        self._listed: NDArray[np.intp] | None = None
        self._searched: Callable[[], SearchedLayers] | None = None
        self._index: LayerIndex | None = None
        self._texts: Sequence[str] = ()
        self._keys: dict[int, _Keys] = {}
        self.show_table(table)

    @property
    def columns(self) -> tuple[Column, ...]:
        """Return all columns, also those that find no room."""
        return self.table.columns

    @property
    def total(self) -> int:
        """Return how many rows the table has."""
        return len(self.table.rows)

    @property
    def listed(self) -> int:
        """Return how many rows a filter picks from."""
        return self.total if self._listed is None else len(self._listed)

    @property
    def leading(self) -> Column | None:
        """Return the column that says what a row is."""
        return next(
            (each for each in self.columns if each.stretch), next(iter(self.columns), None)
        )

    @property
    def sorted_column(self) -> Column | None:
        """Return the column that the rows are sorted by."""
        return None if self.sorted_by is None else self.columns[self.sorted_by]

    @property
    def in_order(self) -> bool:
        """Return whether the rows stand as in the model, so that depth says something."""
        by = self.sorted_column
        return by is None or (by.key == "index" and not self.downwards)

    def show_table(self, table: blocks.Table) -> None:
        """Show other rows; filter and sorting stay where there is still such a column."""
        keys, by = [each.key for each in table.columns], self.sorted_column
        again = by is not None and by.key in keys
        if by is not None and again:
            self.sorted_by = keys.index(by.key)
        elif keys != [each.key for each in self.columns]:
            self.sorted_by = keys.index(table.sorted_by) if table.sorted_by else None
            self.downwards = (
                self.sorted_by is not None and table.columns[self.sorted_by].largest_first
            )
        self.always_sorted = bool(table.sorted_by)
        self.table, self._listed = table, None
        self._index, self._texts, self._keys = None, (), {}
        self.arrange()

    def show_only(self, places: Sequence[int] | None) -> None:
        """List only the rows at some places, in their order; None for all."""
        self._listed = None if places is None else np.array(places, np.intp)
        self.arrange()

    def search_layers(self, source: Callable[[], SearchedLayers]) -> None:
        """Let the filter understand the search language of layers.

        source: called at the first search, in any thread.
        """
        self._searched, self._index = source, None
        if self._wanted:
            self.arrange()

    def pick(self, text: str) -> None:
        """Show only what fits a text: all of its words, or the search language of layers."""
        self._wanted = text.strip()
        self.arrange()

    def sort_by(self, column: int | None, downwards: bool = False) -> None:
        """Sort by a column, None for the order of the table, unless the rows have only one."""
        if not self.table.fixed:
            self.sorted_by, self.downwards = column, downwards
            self.arrange()
            last = len(self.columns) - 1
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, last)

    def turn(self, column: int) -> None:
        """Sort by a column; again: the other way round; then as it was, if it was unsorted."""
        first = self.columns[column].largest_first
        if column != self.sorted_by:
            self.sort_by(column, first)
        elif self.always_sorted or self.downwards == first:
            self.sort_by(column, not self.downwards)
        else:
            self.sort_by(None)

    def prepare(self) -> None:
        """Work out what the first sorting and filtering takes; in any thread."""
        keys = self._keys  # those of another table are others
        for place, column in enumerate(self.columns):
            if place not in keys:
                keys[place] = self._sort_keys(column, place)
        self._prepare_search()

    def arrange(self) -> None:
        """Choose and order the rows; the whole view starts over."""
        order, by = self._picked(), self.sorted_by
        if by is not None:
            if by not in self._keys:
                self._keys[by] = self._sort_keys(self.columns[by], by)
            keys = self._keys[by][order]
            order = order[np.argsort(-keys if self.downwards else keys, kind="stable")]
        self.beginResetModel()
        self.order = order
        self.endResetModel()

    def place_of(self, row_: int) -> int:
        """Return the place of what a row shows."""
        return int(self.order[row_])

    def row_at(self, place: int) -> int | None:
        """Return where the row at a place is shown; None where it is left out."""
        rows = np.flatnonzero(self.order == place)
        return int(rows[0]) if len(rows) else None

    def row(self, row_: int) -> Row:
        """Return what stands in a row as it is shown."""
        return self.table.rows[self.place_of(row_)]

    def place(self, key: str) -> int:
        """Return the place of the column with a key."""
        return next(place for place, each in enumerate(self.columns) if each.key == key)

    def column(self, key: str) -> Column:
        """Return the column with a key."""
        return self.columns[self.place(key)]

    def cell(self, row_: int, column: Column) -> Value:
        """Return the value of a cell."""
        return self.row(row_).cells[self.columns.index(column)]

    def text(self, row_: int, column: Column) -> str:
        """Return the text of a cell; a bar says in its tooltip what it shows elsewhere."""
        return "" if column.bar else wording().text(self.cell(row_, column))

    def spoken(self, row_: int, column: Column) -> str:
        """Return what a screen reader says: of a mark its reason."""
        value = self.cell(row_, column)
        if isinstance(value, Noted) and value.spoken:
            return wording().text(value.spoken)
        value = bare(value)
        if isinstance(value, MarkValue):
            return wording().text(value.text)
        return self.text(row_, column)

    def hint(self, row_: int, column: Column) -> str:
        """Return the whole text of a cell, its note, and the details of its row."""
        value, details = self.cell(row_, column), self.row(row_).details
        note = wording().text(value.note) if isinstance(value, Noted) else ""
        return tip(*filter(None, (self.spoken(row_, column), note, wording().text(details))))

    def title(self, column: Column) -> str:
        """Return what stands above a column."""
        return wording().text(column.title)

    def meaning(self, column: Column) -> str:
        """Return what a column says; by default what the glossary says of its title."""
        return wording().text(column.explanation) or tr(glossary.meaning(str(column.title)))

    def rowCount(self, parent: _Index = _NONE) -> int:
        """Rows that are shown."""
        return 0 if parent.isValid() else len(self.order)

    def columnCount(self, parent: _Index = _NONE) -> int:
        """All columns, also those that find no room."""
        return 0 if parent.isValid() else len(self.columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole
    ) -> Any:
        """Titles, and what they mean."""
        if orientation is Qt.Orientation.Horizontal and role == _Role.DisplayRole:
            return self.title(self.columns[section])
        if orientation is Qt.Orientation.Horizontal and role == _Role.ToolTipRole:
            return tip(self.meaning(self.columns[section]))
        return None

    def data(self, index: _Index, role: int = _Role.DisplayRole) -> Any:
        """Return the text of a cell: shown, for screen readers, or in full as a tooltip."""
        getters = {
            int(_Role.DisplayRole): self.text,
            int(_Role.AccessibleTextRole): self.spoken,
            int(_Role.ToolTipRole): self.hint,
        }.get(int(role))
        return getters and getters(index.row(), self.columns[index.column()])

    def _picked(self) -> NDArray[np.intp]:
        """Return the places that are listed and fit the text of the filter, in order.

        All that are listed where the text makes no sense; `problem` tells why.
        """
        self.problem = ""
        order = np.arange(self.total) if self._listed is None else self._listed
        if not self._wanted:
            return order
        self._prepare_search()
        if self._index is not None:
            try:
                fitting = np.array(self._index.find(self._wanted), np.intp)
            except BadInput as error:
                self.problem = f"{error.why}. {error.hint}".strip(". ")
                return order
            return fitting if self._listed is None else fitting[np.isin(fitting, order)]
        for word in self._wanted.casefold().split():
            held = np.fromiter((word in text for text in self._texts), np.bool_)
            order = order[held[order]]
        return order

    def _prepare_search(self) -> None:
        if not self._texts:
            rows = self.table.rows
            lazy = rows.texts if isinstance(rows, LazyRows) else None
            self._texts = lazy() if lazy is not None else [
                " ".join(map(_searched, each.cells)).casefold() for each in polite(rows, True)
            ]  # fmt: skip
        if self._index is None and self._searched is not None:
            layers, values = self._searched()
            self._index = LayerIndex(layers, values, self._texts)

    def _sort_keys(self, column: Column, place: int) -> _Keys:
        """Return numbers where the cells have any, else the ranks of their texts.

        NaN stands last both ways.
        """
        rows = self.table.rows
        if isinstance(rows, LazyRows) and column.key in rows.keys:
            values = rows.keys[column.key]()
            is_text = len(values) and isinstance(values[0], str)
            return ranks(values) if is_text else np.asarray(values, np.float64)
        cells = [each.cells[place] for each in polite(rows, True)]
        numbers = [magnitude(cell) for cell in cells]
        if any(number is not None for number in numbers):
            return np.array([np.nan if n is None else n for n in numbers], np.float64)
        return ranks([wording().text(cell).casefold() for cell in cells])


class _Run(Struct, frozen=True):
    """A part of a cell's text that has one look."""

    text: str
    tone: Tone
    weight: int
    pixels: int = 12


class _Painter(QStyledItemDelegate):
    """Draws a cell straight from the model by the kind of its value.

    Qt's own delegate asks eight questions a cell.
    """

    def __init__(self, theme: Theme, model: PageTableModel) -> None:
        super().__init__()
        self._theme, self._model = theme, model

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """One line."""
        return QSize(0, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw background, hairline, and a bar, a mark, a name in two tones, or a text."""
        model, look, place = self._model, self._theme.palette, index.column()
        ground, chosen = draw_ground(painter, option, look)
        column, shown = model.columns[place], model.row(index.row())
        box, cell = inset(QRectF(ground), place), shown.cells[place]
        value = bare(cell)
        if column.bar:
            self._draw_bar(painter, box, shown, value, chosen)
            return
        if isinstance(value, MarkValue):
            left = box.center().x() - _MARK_PX / 2 if column.marks else box.left()
            square = QRectF(left, box.center().y() - _MARK_PX / 2, _MARK_PX, _MARK_PX)
            draw_mark(painter, square, value.mark, look.lane(value.family), look)
            if column.marks:
                return
            box.setLeft(square.right() + _BESIDE_MARK_PX)
        best = shown.tone is Tone.GOOD
        leads = column is self._model.leading and not wording().text(cell).endswith(".")
        tone = Tone.PLAIN if best else shown.tone
        if tone is Tone.PLAIN and (column.keep < KEPT or column.key == "index"):
            tone = Tone.SECONDARY  # what is left out first is less prominent, as are numbers
        runs = list(_runs(cell, tone, 500 if leads or best else 400))
        if column is model.leading and model.in_order:
            box.setLeft(box.left() + _INDENT_PX * min(shown.depth, _DEEPEST))
        first = value.parts[0] if isinstance(value, Joined) and value.parts else value
        is_name = isinstance(bare(first), Name)
        if is_name and column.stretch and not column.files and runs[0].tone is Tone.PLAIN:
            self._draw_name(painter, box, runs, chosen)
        else:
            elide = _MIDDLE if is_name else _RIGHT
            _draw_runs(painter, box, column, runs, look, chosen, elide)

    def _draw_name(
        self, painter: QPainter, box: QRectF, runs: Sequence[_Run], chosen: bool
    ) -> None:
        """Draw a name in two tones; what has a tone of its own stands behind it as a badge."""
        look = self._theme.palette
        toned = [run for run in runs if run.tone is not Tone.PLAIN]
        name = "".join(run.text for run in runs if run.tone is Tone.PLAIN).strip()
        badge = ", ".join(run.text.strip("()") for run in toned)
        wide = badge_width(badge) if badge else 0.0
        painter.setFont(font(12, runs[0].weight))
        from_right = painter.layoutDirection() == Qt.LayoutDirection.RightToLeft
        beside = box.adjusted(wide if from_right else 0, 0, 0 if from_right else -wide, 0)
        used = draw_name(painter, beside, name, look, chosen)
        if badge:
            tint = look.on_selection if chosen else tint_of(toned[0].tone, look)
            left = box.right() - used - wide if from_right else box.left() + used
            place = QRectF(left, box.center().y() - BADGE_PX / 2, wide, BADGE_PX)
            draw_badge(painter, place, badge, tint)

    def _draw_bar(
        self, painter: QPainter, box: QRectF, row: Row, value: Value, chosen: bool
    ) -> None:
        """Draw a number as a bar, with a line from the least to the most that it was."""
        if not isinstance(value, Number):
            return
        look = self._theme.palette
        track = QRectF(box.left(), box.center().y() - 3, min(_BAR_PX, box.width()), 6)
        draw_bar(painter, track, value.value, bar_tint(row, look), look, chosen)
        if isinstance(value, Spread):
            wide, middle = track.width(), track.center().y()
            left, right = (
                track.left() + wide * min(1.0, end) for end in (value.low, value.high)
            )
            painter.setPen(QPen(qt_color(look.on_selection if chosen else look.text), 1))
            painter.drawLine(QPointF(left, middle), QPointF(right, middle))
            arrow = _WHISKER_PX if value.high > 1 else 0.0  # it goes on
            for side in (-_WHISKER_PX, _WHISKER_PX):
                painter.drawLine(QPointF(right - arrow, middle + side), QPointF(right, middle))


def _runs(value: Value, tone: Tone, weight: int) -> Iterator[_Run]:
    """Yield the parts of a value that differ in tone or weight."""
    match value:
        case Noted(value=inner):
            yield from _runs(inner, tone, weight)
        case Toned(value=inner, tone=own, strong=strong):
            yield from _runs(
                inner, tone if own is Tone.PLAIN else own, 600 if strong else weight
            )
        case Joined(parts, separator) if any(isinstance(part, Toned) for part in parts):
            for place, part in enumerate(parts):
                if place:
                    yield _Run(separator, tone, weight)
                yield from _runs(part, tone, weight)
        case _:
            yield _Run(wording().text(value), tone, weight)


def _draw_runs(
    painter: QPainter,
    box: QRectF,
    column: Column,
    runs: Sequence[_Run],
    look: Palette,
    chosen: bool = False,
    elide: Qt.TextElideMode = _RIGHT,
) -> None:
    """Draw the parts of a text one after the other in a line, cut to the room there is."""
    direction = painter.layoutDirection()
    side = QStyle.visualAlignment(direction, _SIDES[column.side])
    # Names and units keep their order where the table is laid out from right to left.
    painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    widths = [_metrics(run, column).horizontalAdvance(run.text) for run in runs]
    spare = max(0.0, box.width() - sum(widths))
    before = spare if side & _Side.AlignRight else spare / 2 if side & _Side.AlignHCenter else 0
    rest = box.adjusted(before, 0, 0, 0)
    for run, width in zip(runs, widths, strict=True):
        painter.setFont(_font(run, column))
        painter.setPen(qt_color(look.on_selection if chosen else tint_of(run.tone, look)))
        shown = _metrics(run, column).elidedText(run.text, elide, int(rest.width()) + 1)
        painter.drawText(rest, _LINE, shown)
        rest.setLeft(rest.left() + width)
        if rest.width() <= 0:
            break
    painter.setLayoutDirection(direction)


def _font(run: _Run, column: Column) -> QFont:
    return font(11, mono=True) if column.digits else font(run.pixels, run.weight)


def _metrics(run: _Run, column: Column) -> QFontMetrics:
    return _metrics_of(run.pixels, run.weight, column.digits)


@cache
def _metrics_of(pixels: int, weight: int, mono: bool) -> QFontMetrics:
    return QFontMetrics(font(11, mono=True) if mono else font(pixels, weight))


class _Header(QHeaderView):
    """Titles in one line; the arrow stands beside the title that sorts."""

    def __init__(self, theme: Theme, model: PageTableModel, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme, self._model = theme, model
        self.setAccessibleName(tr("Column titles"))
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setFixedHeight(ROW)
        self.setMinimumSectionSize(20)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.sectionClicked.connect(model.turn)

    def paintSection(self, painter: QPainter, rect: QRect, section: int, /) -> None:
        """Draw one title."""
        look, model = self._theme.palette, self._model
        column, sorts = model.columns[section], section == model.sorted_by
        painter.fillRect(rect, qt_color(look.bar))
        for y in (rect.top(), rect.bottom()):
            painter.fillRect(QRect(rect.x(), y, rect.width(), 1), qt_color(look.hairline))
        arrow = (" ▾" if model.downwards else " ▴") if sorts else ""
        text = model.title(column) + arrow
        title = _Run(text, Tone.SECONDARY, 600 if sorts else 500, 11)
        plain = replace(column, digits=False)
        _draw_runs(painter, inset(QRectF(rect), section), plain, [title], look)


class PageTable(QTableView):
    """A table of a page, whose rows are chosen as a whole, copied as text and sorted by keys.

    Control with left or right sorts by the next column, with up or down it sets the way.
    row_activated: emitted by Return or a double click. key_chosen: emitted with the key of a
    row by a click as well, where it has one. flat_rows: how many rows at most the table is
    high, see `lay_flat`; 0 for one that scrolls by itself.
    """

    row_activated = Signal(int)  # the place of the row among those of the page
    key_chosen = Signal(str)
    flat_changed = Signal()

    def __init__(
        self, theme: Theme, name: str, table: blocks.Table = EMPTY, first_rows: int = FIRST_ROWS
    ) -> None:
        super().__init__()
        self.rows, self.flat_rows = PageTableModel(table), 0
        self.empty_text = ""  # what a table without rows says
        self.page_first = False  # the wheel moves the page while it can, until a row is chosen
        self._theme, self._wanted = theme, _wanted_widths(table)
        self.setAccessibleName(name)
        self.setModel(self.rows)
        self.rows.modelReset.connect(self._tell_empty)
        self._painter = _Painter(theme, self.rows)
        self.setItemDelegate(self._painter)
        self.setHorizontalHeader(_Header(theme, self.rows, self))
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        as_lines(self)
        follow(theme, self, self._update)
        if first_rows:
            self.lay_flat(min(first_rows, table.limits.page))
        self.activated.connect(self._activate)
        self.activated.connect(self._choose)
        self.clicked.connect(self._choose)

    def show_table(self, table: blocks.Table) -> None:
        """Show other rows."""
        self._wanted = _wanted_widths(table)
        self.rows.show_table(table)
        self.fit_columns()

    def lay_flat(self, first_rows: int) -> None:
        """Set the height to the rows, `first_rows` at most; the wheel scrolls the page.

        A page then has one scroll area. Rows beyond the first appear by `show_all_rows`, or
        when one of them is selected.
        """
        self.flat_rows = first_rows
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.rows.modelReset.connect(self._fit_rows)
        self._fit_rows()

    @property
    def rows_cut(self) -> int:
        """Return how many rows there are beyond those that a flat table shows; 0 for none."""
        return max(0, self.rows.rowCount() - self.flat_rows) if self.flat_rows else 0

    @property
    def nothing_picked(self) -> bool:
        """Return whether a filter leaves nothing of what there is."""
        return not self.rows.rowCount() and self.rows.total > 0

    def show_all_rows(self) -> None:
        """Make a flat table as high as all its rows."""
        self.flat_rows = max(self.flat_rows, self.rows.total)
        self._fit_rows()

    def show_row(self, row: int | None) -> None:
        """Select a row and bring it into view; None selects nothing."""
        if row is None:
            self.clearSelection()
            self.setCurrentIndex(QModelIndex())
        else:
            if self.flat_rows and row >= self.flat_rows:
                self.show_all_rows()
            self.selectRow(row)
            self.scrollTo(self.rows.index(row, 0))

    def show_key(self, key: str) -> None:
        """Select the row with a key, or nothing where none has it."""
        keys = [row.key for row in self.rows.table.rows]
        self.show_row(self.rows.row_at(keys.index(key)) if key in keys else None)

    def take_focus(self) -> None:
        """Go on with the keyboard at the selected row, or at the first one."""
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if not self.selectionModel().hasSelection() and self.rows.rowCount():
            self.selectRow(0)
        self._keep_current_in_view()

    def inputMethodQuery(self, query: Qt.InputMethodQuery) -> Any:
        """Say where the keyboard is, which a page brings into view when Tab comes here.

        Without it a page puts the middle of a long table into its own.
        """
        if query != Qt.InputMethodQuery.ImCursorRectangle or not self.flat_rows:
            return super().inputMethodQuery(query)
        row = self.currentIndex().row()
        top = self.rowViewportPosition(row) + ROW if row >= 0 else 0
        return QRect(0, top, self.width(), 2 * ROW)  # with the header where no row is current

    def widths(self, room: int) -> tuple[int, ...]:
        """Return the width of each column; 0 for those that find no room."""
        return column_widths(self.rows.columns, self._wanted, room)

    def fit_columns(self) -> None:
        """Give the columns their room; those that find none are hidden."""
        for column, width in enumerate(self.widths(self.viewport().width())):
            self.setColumnHidden(column, width == 0)
            self.setColumnWidth(column, width)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll, or let the page do so."""
        if self.flat_rows or (
            self.page_first and not self.hasFocus() and self._page_moves(event)
        ):
            event.ignore()
        else:
            super().wheelEvent(event)

    def _page_moves(self, event: QWheelEvent) -> bool:
        """Return whether the page around the table can scroll where the wheel turns."""
        page = self.parentWidget()
        while page is not None and not isinstance(page, QScrollArea):
            page = page.parentWidget()
        if page is None:
            return False
        bar, down = page.verticalScrollBar(), event.angleDelta().y() < 0
        return bar.value() < bar.maximum() if down else bar.value() > bar.minimum()

    def scrollTo(
        self,
        index: _Index,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        """Bring a row into view; the page stays where it is under the pointer."""
        if not self.flat_rows:
            super().scrollTo(index, hint)

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Move by what is in view of a page where the table is as high as all its rows."""
        step = {_Action.MovePageDown: 1, _Action.MovePageUp: -1}.get(action, 0)
        page = self._page()
        if not (self.flat_rows and step and page is not None):
            return super().moveCursor(action, modifiers)
        rows = max(1, page.viewport().height() // ROW - 1)
        row = self.currentIndex().row() + step * rows
        return self.rows.index(min(max(0, row), self.rows.rowCount() - 1), 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the columns their room; a selected row that was in view stays so."""
        before, row = event.oldSize().height(), self.currentIndex().row()
        top = self.rowViewportPosition(row) if row >= 0 else -1
        super().resizeEvent(event)
        self.fit_columns()
        if 0 <= top <= before - ROW:
            self.scrollTo(self.currentIndex())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the rows, or why there are none."""
        super().paintEvent(event)
        told = self._told_empty()
        if told:
            painter = QPainter(self.viewport())
            painter.setFont(font(12))
            painter.setPen(qt_color(self._theme.palette.tertiary))
            box = self.viewport().rect().adjusted(EDGE, 0, -EDGE, 0)
            box.setHeight(min(box.height(), 3 * ROW))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, told)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy, sort, or what every table does with the key."""
        key = _Key(event.key())
        if event.matches(QKeySequence.StandardKey.Copy):
            rows = sorted(index.row() for index in self.selectionModel().selectedRows())
            shown = [self.rows.columns[place] for place in self._shown()]
            lines = ("\t".join(self.rows.text(row, each) for each in shown) for row in rows)
            if rows:
                QGuiApplication.clipboard().setText("\n".join(lines))
        elif event.modifiers() & Qt.KeyboardModifier.ControlModifier and key in _SORTING:
            self._sort(key)
        else:
            before = self.currentIndex()
            super().keyPressEvent(event)
            if self.currentIndex() != before:
                self._keep_current_in_view()

    def _fit_rows(self) -> None:
        count = min(max(1, self.rows.rowCount()), self.flat_rows)
        self.setFixedHeight(ROW * (count + 1))
        self.flat_changed.emit()

    def _page(self) -> QScrollArea | None:
        """The scroll area that the table lies in."""
        parent = self.parentWidget()
        while parent is not None and not isinstance(parent, QScrollArea):
            parent = parent.parentWidget()
        return parent

    def _keep_current_in_view(self) -> None:
        page, current = self._page(), self.currentIndex()
        content = page.widget() if page is not None else None
        if self.flat_rows and page is not None and content is not None and current.isValid():
            y = self.rowViewportPosition(current.row()) + ROW  # below the header
            middle = self.mapTo(content, QPoint(0, y + ROW // 2))
            page.ensureVisible(0, middle.y(), 0, ROW)

    def _activate(self, index: QModelIndex) -> None:
        self.row_activated.emit(self.rows.place_of(index.row()))

    def _choose(self, index: QModelIndex) -> None:
        # Where a click activates too, the first signal may have renewed the rows.
        key = self.rows.row(index.row()).key if index.isValid() else ""
        if key:
            self.key_chosen.emit(key)

    def _tell_empty(self) -> None:
        self.setAccessibleDescription(self._told_empty())
        if self.empty_text:  # nothing stands below the names of columns
            self.horizontalHeader().setVisible(self.rows.total > 0)

    def _told_empty(self) -> str:
        """Return why there are no rows; "" where there are some, or nothing is to be said."""
        if self.rows.rowCount():
            return ""
        return tr(NOTHING) if self.nothing_picked else self.empty_text

    def _sort(self, key: Qt.Key) -> None:
        model, now = self.rows, self.rows.sorted_by
        if key in (_Key.Key_Up, _Key.Key_Down):
            if now is not None:
                model.sort_by(now, key == _Key.Key_Down)
            return
        back = key == _Key.Key_Left
        shown = self._shown()[::-1] if back else self._shown()
        beyond = (c for c in shown if now is None or (c < now if back else c > now))
        column = next(beyond, None)
        if column is not None:
            model.sort_by(column, model.columns[column].largest_first)
        elif back and not model.always_sorted:
            model.sort_by(None)

    def _shown(self) -> list[int]:
        places = range(self.rows.columnCount())
        return [place for place in places if not self.isColumnHidden(place)]

    def _update(self) -> None:
        self.viewport().update()
        self.horizontalHeader().viewport().update()


def inset(box: QRectF, place: int) -> QRectF:
    """Return the part of a cell that is drawn in; the table's own edge is wider."""
    return box.adjusted(INSET if place else EDGE, 0, -INSET, -1)


def column_widths(
    columns: Sequence[Column], wanted: Sequence[int], room: int
) -> tuple[int, ...]:
    """Return a width for each column, 0 for those that find no room.

    wanted: the width of the longest text of each; 0 where all are empty.
    """
    least = [
        min(width, _NAME_PX if column.stretch else _MOST_PX)
        for column, width in zip(columns, wanted, strict=True)
    ]
    shown = [place for place, width in enumerate(wanted) if width]
    while sum(least[place] for place in shown) > room:
        optional = [place for place in shown if columns[place].keep < KEPT]
        if not optional:
            names = [place for place in shown if columns[place].stretch]
            least = [min(w, _LEAST_NAME_PX) if p in names else w for p, w in enumerate(least)]
            break
        shown.remove(min(optional, key=lambda place: (columns[place].keep, -place)))
    widths = [least[place] if place in shown else 0 for place in range(len(columns))]
    takers = [p for p in shown if columns[p].stretch] or shown[:1]
    spare = max(0, room - sum(widths))
    # What is cut gets its room first, names before others, those that need little before all.
    for place in sorted(shown, key=lambda p: (p not in takers, wanted[p] - widths[p])):
        more = min(spare, max(0, wanted[place] - widths[place]))
        widths[place] += more
        spare -= more
    for rank, place in enumerate(takers):
        widths[place] += (spare + rank) // len(takers)
    return tuple(widths)


def tint_of(tone: Tone, look: Palette) -> str:
    """Return the color of a tone."""
    return {
        Tone.PLAIN: look.text, Tone.SECONDARY: look.secondary, Tone.GOOD: look.good,
        Tone.CAUTION: look.caution, Tone.BAD: look.bad,
    }[tone]  # fmt: skip


def bar_tint(row: Row, look: Palette) -> str:
    """Return the color of the bars of a row: that of the device that its marks name."""
    family = bar_color(row)
    return look.accent if family == "accent" else look.lane(family)


def ranks(texts: Sequence[str]) -> NDArray[np.float64]:
    """Rank of each text among all; equal ones have equal ranks: float64 (texts,)."""
    parts = [texts[at : at + _TEXTS_AT_ONCE] for at in range(0, len(texts), _TEXTS_AT_ONCE)]
    runs = [sorted({*part}) for part in polite(parts, True, 1)]
    order, place = dict[str, float](), 0
    for run in polite(_merged(runs), True, 1):
        order.update(zip(run, map(float, range(place, place + len(run))), strict=True))
        place += len(run)
    items = [
        np.fromiter(map(order.__getitem__, part), np.float64) for part in polite(parts, True, 1)
    ]
    return np.concatenate(items) if items else np.empty(0)


def _merged(runs: list[list[str]]) -> list[list[str]]:
    """Deal sorted runs out into shorter ones, of which each ends before the next begins.

    One sort of all would hold the window up: none of its steps can be interrupted.
    """
    samples = sorted(text for run in runs for text in run[:: _TEXTS_AT_ONCE // 8])
    bounds = samples[len(runs) :: len(runs)] if len(runs) > 1 else []
    cuts = [[0, *(bisect_left(run, bound) for bound in bounds), len(run)] for run in runs]
    return [
        sorted({
            text
            for run, cut in zip(runs, cuts, strict=True)
            for text in run[cut[k] : cut[k + 1]]
        })
        for k in polite(range(len(bounds) + 1), True, 1)
    ]  # fmt: skip


def _wanted_widths(table: blocks.Table) -> list[int]:
    """Return the width in pixels that the texts of each column take; 0 without any."""
    arrow = "" if table.fixed else " ▾"
    step = max(1, len(table.rows) // _MEASURED_ROWS)
    rows = (*table.rows[:_MEASURED_ROWS], *table.rows[_MEASURED_ROWS::step])
    return [
        _wanted_width(column, place, arrow, [each.cells[place] for each in rows])
        for place, column in enumerate(table.columns)
    ]


def _wanted_width(column: Column, place: int, arrow: str, cells: Sequence[Value]) -> int:
    runs = [list(_runs(cell, Tone.PLAIN, 500)) for cell in cells]
    if not any(run.text for each in runs for run in each):
        return 0
    longest = max(
        sum(_metrics(run, column).horizontalAdvance(run.text) for run in each) for each in runs
    )
    if column.stretch and not column.files:
        longest += _metrics_of(12, 500, False).horizontalAdvance("  ")  # around a scope's sign
    if column.bar:
        longest = _BAR_PX
    elif column.marks:
        longest = int(_MARK_PX)
    elif any(isinstance(bare(cell), MarkValue) for cell in cells):
        longest += int(_MARK_PX) + _BESIDE_MARK_PX
    title = _metrics_of(11, 600, False).horizontalAdvance(
        f"{wording().text(column.title)}{arrow}"
    )
    return max(title, longest) + (INSET if place else EDGE) + INSET + 1


def _searched(value: Value) -> str:
    """Return what a filter looks at: the text of a cell, its note and its mark's reason."""
    inner, note = bare(value), ""
    if isinstance(value, Noted):
        note = f"{wording().text(value.note)} {wording().text(value.spoken)}"
    reason = inner.text if isinstance(inner, MarkValue) else ""
    return f"{wording().text(value)} {note} {reason}"
