"""The table of a page in the window: sorted, searched, copied and drawn from its columns.

A card declares columns and rows as `pages.blocks.Table`, the same that documents show; this
module gives them widths, a painter, sort keys, tooltips and texts for screen readers.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QModelIndex, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QResizeEvent

from inspector.export.charts.palette import Palette
from inspector.pages import blocks
from inspector.pages.blocks import KEPT, Side
from inspector.pages.sorting import magnitude
from inspector.ui.translate import wording
from inspector.ui.widgets.parts import PADDING, Card, Elided, label, row, tip
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
from inspector.ui.widgets.table_model import Keys, TableModel, ranks
from inspector.ui.widgets.theme import Theme, font
from inspector.wording.values import Joined, MarkValue, Name, Number, Tone, Toned, Value

FIRST_ROWS = 40  # of a table that is as high as its rows; a button shows the rest
_MEASURED_ROWS = 200  # whose texts decide on the widths of the columns
_BAR_PX = 64
_MARK_PX = 14.0
_LEAST_NAME_PX = 120
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
        return self.numeric


class PageTableModel(TableModel[PageColumn]):
    """The rows of a table in their own order, or sorted by a column."""

    def __init__(self, table: blocks.Table) -> None:
        columns = [PageColumn(place, column) for place, column in enumerate(table.columns)]
        super().__init__(columns, len(table.rows))
        self.table = table

    def cell(self, row_: int, column: PageColumn) -> Value:
        """Return the value of a cell."""
        return self.table.rows[self.place_of(row_)].cells[column.place]

    def text(self, row_: int, column: PageColumn) -> str:
        """Return the text of a cell; a bar says in its tooltip what it shows elsewhere."""
        return "" if column.column.bar else wording().text(self.cell(row_, column))

    def spoken(self, row_: int, column: PageColumn) -> str:
        """Return what a screen reader says: of a mark its reason."""
        value = self.cell(row_, column)
        return value.text if isinstance(value, MarkValue) else self.text(row_, column)

    def hint(self, row_: int, column: PageColumn) -> str:
        """Return the whole text of a cell, and the details of its row."""
        details = wording().text(self.table.rows[self.place_of(row_)].details)
        return tip(self.spoken(row_, column), details)

    def meaning(self, column: PageColumn) -> str:
        """Return what the column says."""
        return wording().translate(column.column.help) or super().meaning(column)

    def keys(self, column: PageColumn) -> Keys:
        """Return numbers where the cells have any, else the ranks of their texts."""
        values = [each.cells[column.place] for each in self.table.rows]
        numbers = [magnitude(value) for value in values]
        if any(number is not None for number in numbers):
            return np.array([np.nan if n is None else n for n in numbers], np.float64)
        return ranks([wording().text(value).casefold() for value in values])

    def haystack(self) -> Sequence[str]:
        """Return all texts of each row."""
        return [
            " ".join(map(wording().text, each.cells)).casefold() for each in self.table.rows
        ]


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
        look, value = self._theme.palette, self._model.cell(row, column)
        own = self._model.table.rows[self._model.place_of(row)].tone
        painter.setFont(font(12, 500 if column.column.stretch or own is Tone.GOOD else 400))
        if column.column.bar:
            if isinstance(value, Number):
                track = QRectF(box.left(), box.center().y() - 3, min(_BAR_PX, box.width()), 6)
                draw_bar(painter, track, value.value, look.cpu, look, chosen)
        elif isinstance(value, MarkValue):
            middle = QRectF(box.center().x() - _MARK_PX / 2, box.center().y() - _MARK_PX / 2,
                            _MARK_PX, _MARK_PX)  # fmt: skip
            draw_mark(painter, middle, value.mark, look.lane(value.family), look)
        elif column.column.stretch and isinstance(value, Name):
            draw_name(painter, box, value.text, look, chosen)
        else:
            tone = _tone_of(value)
            tone = own if tone is Tone.PLAIN and own is not Tone.GOOD else tone
            tint = look.on_selection if chosen else tint_of(tone, look)
            self.draw_text(painter, box, self._model.text(row, column), tint, column)


class PageTable(Table):
    """A table of a page as high as its rows; `row_activated` by Return or a double click."""

    row_activated = Signal(int)  # the place of the row among those of the page

    def __init__(self, theme: Theme, name: str, table: blocks.Table) -> None:
        model = PageTableModel(table)
        super().__init__(theme, name, model, _Painter(theme, model))
        self.page_rows = model
        self._wanted = _wanted_widths(table)
        self.lay_flat(min(FIRST_ROWS, table.limits.page))
        self.activated.connect(self._activate)

    def _activate(self, index: QModelIndex) -> None:
        self.row_activated.emit(self.page_rows.place_of(index.row()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the columns their room."""
        super().resizeEvent(event)
        columns = [each.column for each in self.page_rows.columns]
        self.place_columns(column_widths(columns, self._wanted, self.width()))


def column_widths(
    columns: Sequence[blocks.Column], wanted: Sequence[int], room: int
) -> tuple[int, ...]:
    """Return a width for each column, 0 for those that find no room.

    wanted: the width of the longest text of each; 0 where all are empty.
    """
    least = [
        min(width, _LEAST_NAME_PX) if column.stretch else min(width, _MOST_PX)
        for column, width in zip(columns, wanted, strict=True)
    ]
    shown = [place for place, width in enumerate(wanted) if width]
    while sum(least[place] for place in shown) > room:
        optional = [place for place in shown if columns[place].keep < KEPT]
        if not optional:
            break
        shown.remove(min(optional, key=lambda place: (columns[place].keep, -place)))
    widths = [least[place] if place in shown else 0 for place in range(len(columns))]
    takers = [p for p in shown if columns[p].stretch] or shown[:1]
    spare = max(0, room - sum(widths))
    for place in takers:
        widths[place] += spare // len(takers)
    return tuple(widths)


def _wanted_widths(table: blocks.Table) -> list[int]:
    """Return the width in pixels that the texts of each column take."""
    plain, head = QFontMetrics(font(12, 500)), QFontMetrics(font(11, 600))
    around = EDGE + INSET
    widths = []
    for place, column in enumerate(table.columns):
        cells = [each.cells[place] for each in table.rows[:_MEASURED_ROWS]]
        texts = [wording().text(cell) for cell in cells]
        if not any(texts):
            widths.append(0)
            continue
        title = head.horizontalAdvance(f"{wording().text(column.title)} ▾")
        longest = max(map(plain.horizontalAdvance, texts))
        if column.bar:
            longest = _BAR_PX
        elif column.marks:
            longest = int(_MARK_PX)
        widths.append(max(title, longest) + around)
    return widths


def _tone_of(value: Value) -> Tone:
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


class PageTableCard(Card):
    """A table of a page in a card with its title; hidden where it has no rows."""

    def __init__(self, theme: Theme, title: str) -> None:
        super().__init__(theme, padding=1)
        self._theme, self._title = theme, title
        self.table: PageTable | None = None
        self.aside = Elided("", "secondary", Qt.TextElideMode.ElideRight)
        head = row(label(title, "heading"), 4, self.aside, stretch=2)
        head.setContentsMargins(PADDING - 1, 8, PADDING - 1, 4)
        self.body.setSpacing(0)
        self.body.addLayout(head)
        self.body.setContentsMargins(1, 1, 1, 8)
        self.setAccessibleName(title)
        self.hide()

    def show_table(self, table: blocks.Table, aside: Value = "") -> None:
        """Show other rows. aside: beside the title."""
        self.aside.set_text(wording().text(aside))
        self.setVisible(bool(table.rows))
        if self.table is not None:
            if self.table.page_rows.table == table:
                return
            self.body.removeWidget(self.table)
            self.table.deleteLater()
        self.table = PageTable(self._theme, self._title, table)
        self.body.addWidget(self.table)
