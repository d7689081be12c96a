"""The table of a page in the window: sorted, searched, copied and drawn from its columns.

A card declares columns and rows as `pages.blocks.Table`, the same that documents show; this
module gives them widths, a painter, sort keys, tooltips and texts for screen readers.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QModelIndex, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import QWidget

from inspector.export.charts.palette import Palette
from inspector.pages import blocks
from inspector.pages.blocks import KEPT, Row, Side
from inspector.pages.rows import LazyRows
from inspector.pages.sorting import magnitude
from inspector.render.marks import bar_color
from inspector.ui.translate import plural, tr, wording
from inspector.ui.widgets.parts import tip
from inspector.ui.widgets.support_legend import draw_mark
from inspector.ui.widgets.table import (
    EDGE,
    INSET,
    LEFT,
    RIGHT,
    Cells,
    Table,
    draw_bar,
    draw_name,
)
from inspector.ui.widgets.table_card import FilterField, ShowMoreButton, TableCard
from inspector.ui.widgets.table_model import Keys, TableModel, ranks
from inspector.ui.widgets.theme import Theme, font
from inspector.wording.values import (
    Joined,
    MarkValue,
    Name,
    Noted,
    Number,
    Tone,
    Toned,
    Value,
)

FIRST_ROWS = 40  # of a table that is as high as its rows; a button shows the rest
EMPTY = blocks.Table((), ())
_MIDDLE, _RIGHT = Qt.TextElideMode.ElideMiddle, Qt.TextElideMode.ElideRight
_MEASURED_ROWS = 200  # whose texts decide on the widths of the columns
_BAR_PX = 64
_MARK_PX = 14.0
_BESIDE_MARK_PX = 7
_NAME_PX, _LEAST_NAME_PX = 190, 120  # before others are left out; where none is
_MOST_PX = 260  # of a column that does not take what is left


@dataclass(frozen=True, slots=True)
class PageColumn:
    """A column of a page's table as the model of a view needs it."""

    place: int
    column: blocks.Column

    def __str__(self) -> str:
        return wording().text(self.column.title)

    @property
    def numeric(self) -> bool:
        """Whether it is aligned to the right."""
        return self.column.side is Side.RIGHT

    @property
    def largest_first(self) -> bool:
        """Whether the first click sorts downwards."""
        falling = self.column.falling
        return self.numeric if falling is None else falling


class PageTableModel(TableModel[PageColumn]):
    """The rows of a table in their own order, or sorted by a column."""

    def __init__(self, table: blocks.Table = EMPTY) -> None:
        super().__init__((), 0)
        self._listed: NDArray[np.intp] | None = None
        self.show_table(table)

    def show_table(self, table: blocks.Table) -> None:
        """Show other rows; sorting and filter stay where the columns do."""
        columns = tuple(PageColumn(*each) for each in enumerate(table.columns))
        if [each.column.key for each in columns] != [each.column.key for each in self.columns]:
            keys = [each.key for each in table.columns]
            by = keys.index(table.sorted_by) if table.sorted_by else None
            self.sorted_by, self.always_sorted = by, by is not None
            self.downwards = by is not None and columns[by].largest_first
        self.table, self.columns, self._listed = table, columns, None
        self.leading = next((each for each in columns if each.column.stretch), None)
        self.start_over(len(table.rows))

    def sort_by(self, column: int | None, downwards: bool = False) -> None:
        """Sort by a column, unless the rows have one order."""
        if not self.table.fixed:
            super().sort_by(column, downwards)

    def show_only(self, places: Sequence[int] | None) -> None:
        """List only the rows at some places, in their order; None for all."""
        self._listed = None if places is None else np.array(places, np.intp)
        self.arrange()

    def listed(self) -> NDArray[np.intp]:
        """Return the places of the rows that a filter picks from, in order."""
        return super().listed() if self._listed is None else self._listed

    def column(self, key: str) -> PageColumn:
        """Return the column with a key."""
        return next(each for each in self.columns if each.column.key == key)

    def row(self, row_: int) -> Row:
        """Return what stands in a row as it is shown."""
        return self.table.rows[self.place_of(row_)]

    def cell(self, row_: int, column: PageColumn) -> Value:
        """Return the value of a cell."""
        return self.row(row_).cells[column.place]

    def title(self, column: PageColumn) -> str:
        """Return what stands above a column."""
        return str(column)

    def text(self, row_: int, column: PageColumn) -> str:
        """Return the text of a cell; a bar says in its tooltip what it shows elsewhere."""
        return "" if column.column.bar else wording().text(self.cell(row_, column))

    def spoken(self, row_: int, column: PageColumn) -> str:
        """Return what a screen reader says: of a mark its reason."""
        value = self.cell(row_, column)
        if isinstance(value, Noted) and value.spoken:
            return wording().text(value.spoken)
        value = _bare(value)
        return value.text if isinstance(value, MarkValue) else self.text(row_, column)

    def hint(self, row_: int, column: PageColumn) -> str:
        """Return the whole text of a cell, its note, and the details of its row."""
        row = self.row(row_)
        value = row.cells[column.place]
        note = wording().text(value.note) if isinstance(value, Noted) else ""
        return tip(
            *filter(None, (self.spoken(row_, column), note, wording().text(row.details)))
        )

    def meaning(self, column: PageColumn) -> str:
        """Return what the column says."""
        return wording().text(column.column.help) or super().meaning(column)

    def keys(self, column: PageColumn) -> Keys:
        """Return numbers where the cells have any, else the ranks of their texts."""
        rows = self.table.rows
        if isinstance(rows, LazyRows) and column.column.key in rows.keys:
            values = rows.keys[column.column.key]()
            is_text = len(values) and isinstance(values[0], str)
            return ranks(values) if is_text else np.asarray(values, np.float64)
        values = [each.cells[column.place] for each in rows]
        numbers = [magnitude(value) for value in values]
        if any(number is not None for number in numbers):
            return np.array([np.nan if n is None else n for n in numbers], np.float64)
        return ranks([wording().text(value).casefold() for value in values])

    def haystack(self) -> Sequence[str]:
        """Return all texts of each row, with their notes."""
        rows = self.table.rows
        if isinstance(rows, LazyRows) and rows.texts is not None:
            return rows.texts()
        return [" ".join(map(_searched, each.cells)).casefold() for each in rows]


def _bare(value: Value) -> Value:
    """Return a value without its note and its tone."""
    return _bare(value.value) if isinstance(value, Noted | Toned) else value


def _searched(value: Value) -> str:
    text, bare = wording().text(value), _bare(value)
    note = ""
    if isinstance(value, Noted):
        note = f"{wording().text(value.note)} {wording().text(value.spoken)}"
    return f"{text} {note} {bare.text if isinstance(bare, MarkValue) else ''}"


class _Painter(Cells[PageColumn]):
    """Draws a cell by the kind of its value."""

    def __init__(self, theme: Theme, model: PageTableModel) -> None:
        super().__init__(theme, model)
        self._model = model

    def side(self, column: PageColumn) -> Qt.AlignmentFlag:
        """Return where texts and title of a column stand."""
        if column.column.side is Side.CENTER:
            return Qt.AlignmentFlag.AlignCenter
        return RIGHT if column.numeric else LEFT

    def draw(
        self, painter: QPainter, box: QRectF, row: int, column: PageColumn, chosen: bool
    ) -> None:
        """Draw a bar, a mark, a name in two tones, or a text in its tone."""
        look, shown = self._theme.palette, self._model.row(row)
        cell, declared = shown.cells[column.place], column.column
        value, own = _bare(cell), shown.tone
        if declared.bar:
            self._draw_bar(painter, box, shown, value, chosen)
            return
        if isinstance(value, MarkValue):
            left = box.center().x() - _MARK_PX / 2 if declared.marks else box.left()
            place = QRectF(left, box.center().y() - _MARK_PX / 2, _MARK_PX, _MARK_PX)
            draw_mark(painter, place, value.mark, look.lane(value.family), look)
            if declared.marks:
                return
            box = box.adjusted(_MARK_PX + _BESIDE_MARK_PX, 0, 0, 0)
        text = self._model.text(row, column)
        is_name = column is self._model.leading and not text.endswith(".")  # no sentence
        strong = is_name or own is Tone.GOOD
        weight = 600 if _strong(cell) else 500 if strong else 400
        painter.setFont(font(11, mono=True) if declared.digits else font(12, weight))
        tone = _tone_of(cell)
        if tone is Tone.PLAIN and own is not Tone.GOOD:
            tone = own
        if tone is Tone.PLAIN and declared.keep < KEPT:
            tone = Tone.SECONDARY  # what is left out first is less prominent
        scoped = declared.stretch and not declared.files and tone is Tone.PLAIN
        first = (*value.parts, "")[0] if isinstance(value, Joined) else value
        names = isinstance(first, Name)
        if scoped and names:
            draw_name(painter, box, text, look, chosen)
            return
        tint = look.on_selection if chosen else tint_of(tone, look)
        self.elide = _MIDDLE if names else _RIGHT
        self.draw_text(painter, box, text, tint, column)

    def _draw_bar(
        self, painter: QPainter, box: QRectF, row: Row, value: Value, chosen: bool
    ) -> None:
        look = self._theme.palette
        if isinstance(value, Number):
            track = QRectF(box.left(), box.center().y() - 3, min(_BAR_PX, box.width()), 6)
            draw_bar(painter, track, value.value, bar_tint(row, look), look, chosen)


def bar_tint(row: Row, look: Palette) -> str:
    """Return the color of the bars of a row: that of the device that its marks name."""
    family = bar_color(row)
    return look.accent if family == "accent" else look.lane(family)


class PageTable(Table):
    """A table of a page; `row_activated` by Return or a double click.

    key_chosen: emitted with the key of a row by a click as well, where it has one.
    first_rows: it is as high as its rows, so many at most; 0: it scrolls by itself.
    """

    row_activated = Signal(int)  # the place of the row among those of the page
    key_chosen = Signal(str)

    def __init__(
        self,
        theme: Theme,
        name: str,
        table: blocks.Table = EMPTY,
        first_rows: int = FIRST_ROWS,
    ) -> None:
        model = PageTableModel(table)
        super().__init__(theme, name, model, _Painter(theme, model))
        self.page_rows = model
        self._wanted = _wanted_widths(table)
        if first_rows:
            self.lay_flat(min(first_rows, table.limits.page))
        self.activated.connect(self._activate)
        self.activated.connect(self._choose)
        self.clicked.connect(self._choose)

    def show_table(self, table: blocks.Table) -> None:
        """Show other rows."""
        self._wanted = _wanted_widths(table)
        self.page_rows.show_table(table)
        self.fit_columns()

    def widths(self, room: int) -> tuple[int, ...]:
        """Return the width of each column; 0 for those that find no room."""
        columns = [each.column for each in self.page_rows.columns]
        return column_widths(columns, self._wanted, room)

    def fit_columns(self) -> None:
        """Give the columns their room."""
        self.place_columns(self.widths(self.viewport().width()))

    def _activate(self, index: QModelIndex) -> None:
        self.row_activated.emit(self.page_rows.place_of(index.row()))

    def _choose(self, index: QModelIndex) -> None:
        key = self.page_rows.table.rows[self.page_rows.place_of(index.row())].key
        if key:
            self.key_chosen.emit(key)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the columns their room."""
        super().resizeEvent(event)
        self.fit_columns()


def column_widths(
    columns: Sequence[blocks.Column], wanted: Sequence[int], room: int
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
    for rank, place in enumerate(takers):
        widths[place] += (spare + rank) // len(takers)
    return tuple(widths)


def _wanted_widths(table: blocks.Table) -> list[int]:
    """Return the width in pixels that the texts of each column take."""
    plain, strong = QFontMetrics(font(12, 500)), QFontMetrics(font(12, 600))
    head, digits = QFontMetrics(font(11, 600)), QFontMetrics(font(11, mono=True))
    arrow = "" if table.fixed else " ▾"
    step = max(1, len(table.rows) // _MEASURED_ROWS)
    rows = (*table.rows[:_MEASURED_ROWS], *table.rows[_MEASURED_ROWS::step])
    widths = []
    for place, column in enumerate(table.columns):
        cells = [each.cells[place] for each in rows]
        texts = [wording().text(cell) for cell in cells]
        if not any(texts):
            widths.append(0)
            continue
        title = head.horizontalAdvance(f"{wording().text(column.title)}{arrow}")
        usual = digits if column.digits else plain
        fonts = (strong if _strong(cell) else usual for cell in cells)
        longest = max(f.horizontalAdvance(t) for f, t in zip(fonts, texts, strict=True))
        if column.stretch and not column.files:
            longest += plain.horizontalAdvance("  ")  # around the sign after a scope
        if column.bar:
            longest = _BAR_PX
        elif column.marks:
            longest = int(_MARK_PX)
        elif any(isinstance(_bare(cell), MarkValue) for cell in cells):
            longest += int(_MARK_PX) + _BESIDE_MARK_PX
        widths.append(max(title, longest) + (INSET if widths else EDGE) + INSET + 1)
    return widths


def _strong(value: Value) -> bool:
    value = value.value if isinstance(value, Noted) else value
    return isinstance(value, Toned) and value.strong


def _tone_of(value: Value) -> Tone:
    value = value.value if isinstance(value, Noted) else value
    if isinstance(value, Toned):
        return value.tone
    if isinstance(value, Joined):
        return next((part.tone for part in value.parts if isinstance(part, Toned)), Tone.PLAIN)
    return Tone.PLAIN


def tint_of(tone: Tone, look: Palette) -> str:
    """Return the color of a tone."""
    return {
        Tone.PLAIN: look.text, Tone.SECONDARY: look.secondary, Tone.GOOD: look.good,
        Tone.CAUTION: look.caution, Tone.BAD: look.bad,
    }[tone]  # fmt: skip


class PageTableCard(TableCard):
    """A table of a page in a card: title, what stands beside it, and a filter if there is one.

    other: widgets in front of the filter. first_rows: of a table that is as high as its rows;
    0 for one that scrolls, of `fewest` rows at least.
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
        self.page_table = PageTable(theme, name, table, first_rows)
        self.model = self.page_table.page_rows
        self._place: int | None = None
        self._aside: Value = ""
        super().__init__(theme, self.page_table, heading, field, fewest, *other)
        self.setAccessibleName(name)
        if first_rows:
            self.body.addStretch(1)
        self._more: ShowMoreButton | None = None
        self._offer_more()
        self.refresh()

    def show_table(self, table: blocks.Table, aside: Value = "") -> None:
        """Show other rows. aside: beside the title, instead of how many there are."""
        self._aside = aside
        self.page_table.show_table(table)
        self._offer_more()

    def _offer_more(self) -> None:
        if self._more is not None:
            self.body.removeWidget(self._more)
            self._more.deleteLater()
            self._more = None
        view = self.page_table
        if view.rows_cut:
            noun = plural(2, self.model.table.noun).partition(" ")[2]
            self._more = ShowMoreButton(
                self.model.total, view.flat_rows, noun, lambda _: view.show_all_rows()
            )
            self.body.insertWidget(self.body.indexOf(view) + 1, self._more)

    def show_place(self, place: int | None) -> None:
        """Select the row at a place of the table; None for none."""
        self._place = place
        self.follow_selection()

    def place_columns(self) -> None:
        """Do nothing: the table fits its columns by itself."""

    def widths(self, room: int) -> tuple[int, ...]:
        """Return the width of each column in so much room."""
        return self.page_table.widths(room)

    def counted(self) -> str:
        """Return what stands beside the title, or how many rows are shown."""
        shown, total = self.model.rowCount(), self.model.total
        if self._aside and shown == total:
            return wording().text(self._aside)
        every = plural(total, self.model.table.noun)
        text = tr("{shown:,} of {every}").format(shown=shown, every=every)
        return every if shown == total else text

    def selected_row(self) -> int | None:
        """Return the row that was chosen last, if it is shown."""
        return None if self._place is None else self.model.row_at(self._place)

    def choose_row(self, row: int) -> None:
        """Keep a row chosen while the table is sorted and filtered."""
        self._place = self.model.place_of(row)
        self.chosen.emit(self._place)
