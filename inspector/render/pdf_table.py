"""Tables of a PDF: as wide as their contents, their heads again on each sheet."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from inspector.model.display_names import fit_lines
from inspector.pages.blocks import KEPT, Column, Row, Side, Table
from inspector.pages.charts.drawing import color
from inspector.pages.rows import magnitude
from inspector.render.marks import bar_color, mark_of
from inspector.render.names import is_sentence, scope_and_leaf, visible
from inspector.render.paper import HEIGHT, MARGIN, ROOM
from inspector.render.rich_text import Line, Span, Style
from inspector.render.text_on_paper import Type, TypeSetter
from inspector.wording.values import Joined, Name, Tone, Value, Wording

_CELL = Type(7.5)
_DETAILS = Type(7.0)
_HEAD = Type(7.5, bold=True)
_GAP = 7.0  # points between columns
# points around the lines of a row
_ABOVE = 2.2
_BELOW = 2.6
_BAR = 40.0
_BAR_HEIGHT = 4.0
_MARK = 8.0
# points of the column that takes the room
_LEAST_NAME = 110.0
_GOOD_NAME = 200.0
_LEAST_TEXT = 56.0  # points of a text that may go over several lines
_NAME_LINES = 2  # of a name that is too long for one
_TALLEST = HEIGHT - 2 * MARGIN - 80  # points of a row
_LONGEST_NAME = 300  # letters


class _Place(Struct):
    """A column on the sheet, with the widths in points that it needs and would like."""

    column: Column
    at: int
    head: Line
    natural: float
    least: float
    least_of_cells: float
    left: float = 0.0
    width: float = 0.0


class TableWriter:
    """Writes tables below what is on the paper."""

    def __init__(self, setter: TypeSetter, wording: Wording) -> None:
        self._set, self._paper, self._wording = setter, setter.paper, wording
        self._cell, self._head = _CELL, _HEAD

    def table(self, table: Table) -> None:
        """Write a table with as many of its columns as there is room for."""
        rows = table.rows[: min(table.limits.page, table.limits.sheets)]
        if rows:
            texts = [[self._text(cell, row) for cell in row.cells] for row in rows]
            places = self._laid(table, rows, texts)
            for place in places:
                if place.column.stretch:
                    self._fit_names(place, rows, texts)
            self._heads(places)
            for row, cells in zip(rows, texts, strict=True):
                self._row(places, row, cells)
        hidden = max(table.total, len(table.rows)) - len(rows)
        if hidden > 0:
            self._paper.y += 3
            self._set.rest(hidden, table.noun, table.sheets_rest or table.rest)
        self._paper.y += 4

    def _text(self, cell: Value, row: Row) -> Line:
        return () if mark_of(cell) is not None else self._set.spans(cell, Style(row.tone))

    def _laid(
        self, table: Table, rows: Sequence[Row], texts: Sequence[Sequence[Line]]
    ) -> list[_Place]:
        """Return the columns that are shown, with where they stand."""
        places = [
            place
            for at, column in enumerate(table.columns)
            if (place := self._place(at, column, rows, texts)).natural
        ]
        while _sum(places) > ROOM:
            optional = [place for place in places if place.column.keep < KEPT]
            if not optional:
                break
            places.remove(min(optional, key=lambda place: (place.column.keep, -place.at)))
        self._scale(places)
        self._widen(places)
        left = MARGIN
        for place in places:
            place.left = left
            left += place.width + _GAP
        return places

    def _place(
        self, at: int, column: Column, rows: Sequence[Row], texts: Sequence[Sequence[Line]]
    ) -> _Place:
        head = self._set.spans(column.title, Style(Tone.SECONDARY))
        cells = [row.cells[at] for row in rows]
        widths = [self._set.width(text[at], _CELL) for text in texts]
        widest = max(widths, default=0.0)
        if column.bar and any(magnitude(cell) is not None for cell in cells):
            widest = _BAR
        elif any(mark_of(cell) is not None for cell in cells):
            widest = max(widest, _MARK)
        if not widest:
            return _Place(column, at, head, 0.0, 0.0, 0.0)
        if column.stretch:
            least = min(widest, _LEAST_NAME)
        elif column.keep < KEPT and widest <= _LEAST_NAME:
            least = widest  # rather left out than in two lines
        elif all(magnitude(cell) is not None or cell == "" for cell in cells):
            least = widest
        else:
            words = max(self._set.widest_word(text[at], _CELL) for text in texts)
            least = min(widest, max(_LEAST_TEXT, min(words, _LEAST_NAME)))
        natural = max(widest, self._set.width(head, _HEAD))
        whole = self._set.width(head, _HEAD)
        word = self._set.widest_word(head, _HEAD)
        room = max(word, whole / 2)
        while len(self._set.lines(head, room, _HEAD)) > 2:
            room += 2
        return _Place(column, at, head, natural, max(least, min(room, whole)), least)

    def _scale(self, places: Sequence[_Place]) -> None:
        """Find room where even the columns that are never left out have none.

        Heads take more lines then, and all letters are smaller.
        """
        if _sum(places) > ROOM:
            for place in places:
                word = self._set.widest_word(place.head, _HEAD)
                place.least = max(word, place.least_of_cells)
        gaps = _GAP * (len(places) - 1)
        factor = min(1.0, (ROOM - gaps) / max(_sum(places) - gaps, 1.0))
        self._cell, self._head = _scaled(_CELL, factor), _scaled(_HEAD, factor)
        for place in places:
            place.least *= factor
            place.natural *= factor

    def _widen(self, places: Sequence[_Place]) -> None:
        """Give the room that is left to names, then to texts, then to the stretched column."""
        for place in places:
            place.width = place.least
        stretched = [place for place in places if place.column.stretch]
        others = [place for place in places if not place.column.stretch]
        spare = max(0.0, ROOM - _sum(places))
        for some, most in ((stretched, _GOOD_NAME), (others, ROOM), (stretched, ROOM)):
            wanted = [max(0.0, min(place.natural, most) - place.width) for place in some]
            part = min(1.0, spare / max(sum(wanted), 1.0))
            for place, more in zip(some, wanted, strict=True):
                place.width += more * part
                spare -= more * part
        for place in stretched:
            place.width += spare / len(stretched)

    def _fit_names(
        self, place: _Place, rows: Sequence[Row], texts: Sequence[list[Line]]
    ) -> None:
        """Cut the names of a column to what fits in two lines, so that no two look alike."""
        named = [at for at, row in enumerate(rows) if _name(row.cells[place.at])]
        rests = [self._after_name(rows[at], place.at) for at in named]
        taken = max((self._set.width(rest, self._cell) for rest in rests), default=0.0)

        def lines(text: str) -> float:
            *full, last = self._set.lines(
                (Span(text, Style(name=True)),), place.width, self._cell
            ) or [()]
            return len(full) + self._set.width(last, self._cell) / place.width

        shown = fit_lines(
            [_clipped(_name(rows[at].cells[place.at])) for at in named],
            _NAME_LINES - taken / place.width,
            lines,
            [rows[at].number if rows[at].number >= 0 else at for at in named],
        )
        for at, text, rest in zip(named, shown, rests, strict=True):
            scope, leaf = scope_and_leaf(text)
            style = Style(rows[at].tone, name=True)
            parts = (Span(scope, replace(style, tone=Tone.SECONDARY)), Span(leaf, style))
            texts[at][place.at] = (*(parts if scope else parts[1:]), *rest)

    def _after_name(self, row: Row, at: int) -> Line:
        """Return what stands behind the name in a cell, such as a remark."""
        cell = row.cells[at]
        if not isinstance(cell, Joined):
            return ()
        separator = Span(cell.separator, Style(row.tone))
        rest = Joined(cell.parts[1:], cell.separator)
        return (separator, *self._set.spans(rest, Style(row.tone)))

    def _heads(self, places: Sequence[_Place]) -> None:
        lines = [self._set.lines(place.head, place.width, self._head) for place in places]
        tall = max(map(len, lines), default=0) * self._head.leading
        paper = self._paper
        paper.need(tall + 3 * self._cell.leading)
        paper.y += 3
        top = paper.y
        for place, some in zip(places, lines, strict=True):
            above = tall - len(some) * self._head.leading
            self._column_lines(place, some, top + above, self._head)
        paper.y = top + tall + 3
        paper.rule("border")

    def _row(self, places: Sequence[_Place], row: Row, texts: Sequence[Line]) -> None:
        """Write a row, in parts where it is taller than a sheet."""
        lines = [self._set.lines(texts[place.at], place.width, self._cell) for place in places]
        details = self._details(places, row)
        most = int(_TALLEST / self._cell.leading)
        count = max(1, *map(len, lines))
        for start in range(0, count, most):
            part = [some[start : start + most] for some in lines]
            tall = min(most, count - start) * self._cell.leading + _ABOVE + _BELOW
            self._need(places, tall + len(details[:3]) * _DETAILS.leading)
            top = self._paper.y + _ABOVE
            if not start:
                self._marks(places, row, top)
            for place, some in zip(places, part, strict=True):
                if not place.column.bar:
                    self._column_lines(place, some, top, self._cell)
            self._paper.y += tall
        if details:
            self._paper.y -= _BELOW / 2
            self._set.write(details, self._details_place(places).left, _DETAILS)
            self._paper.y += _BELOW
        self._paper.rule("hairline")

    def _need(self, places: Sequence[_Place], height: float) -> None:
        """Go on to the next sheet where there is less room, with the heads again."""
        sheet = self._paper.page_no()
        self._paper.need(height)
        if self._paper.page_no() != sheet:
            self._heads(places)

    def _marks(self, places: Sequence[_Place], row: Row, top: float) -> None:
        """Draw what is no text in a row."""
        for place in places:
            cell = row.cells[place.at]
            if place.column.bar:
                self._bar(place, cell, row, top)
            elif (mark := mark_of(cell)) is not None:
                middle = top + self._cell.leading / 2
                self._paper.mark(mark.mark, mark.family, self._middle(place), middle, _MARK)

    def _details(self, places: Sequence[_Place], row: Row) -> list[Line]:
        room = MARGIN + ROOM - self._details_place(places).left
        text = self._set.spans(row.details, Style(Tone.SECONDARY))
        return self._set.lines(text, room, _DETAILS)

    def _details_place(self, places: Sequence[_Place]) -> _Place:
        return next((place for place in places if place.column.stretch), places[0])

    def _column_lines(
        self, place: _Place, lines: Sequence[Line], top: float, kind: Type
    ) -> None:
        for number, line in enumerate(lines):
            spare = place.width - self._set.width(line, kind)
            inset = {Side.LEFT: 0.0, Side.RIGHT: spare, Side.CENTER: spare / 2}
            left = place.left + inset[place.column.side]
            self._set.line(line, left, top + number * kind.leading + kind.base, kind)

    def _middle(self, place: _Place) -> float:
        inset = {Side.LEFT: _MARK / 2, Side.RIGHT: place.width - _MARK / 2}
        return place.left + inset.get(place.column.side, place.width / 2)

    def _bar(self, place: _Place, cell: Value, row: Row, top: float) -> None:
        number = magnitude(cell)
        if number is None:
            return
        paper, y = self._paper, top + (self._cell.leading - _BAR_HEIGHT) / 2
        part = max(0.0, min(1.0, number)) * _BAR
        for tint, wide in (("track", _BAR), (bar_color(row), part)):
            if wide > 0:
                paper.set_fill_color(color(tint))
                paper.rect(place.left, y, wide, _BAR_HEIGHT, style="F")


def _sum(places: Sequence[_Place]) -> float:
    return sum(place.width or place.least for place in places) + _GAP * (len(places) - 1)


def _scaled(kind: Type, factor: float) -> Type:
    return Type(kind.size * factor, kind.bold)


def _name(cell: Value) -> str:
    """Return the name of a layer or a file with which a cell begins."""
    first = cell.parts[0] if isinstance(cell, Joined) and cell.parts else cell
    return first.text if isinstance(first, Name) and not is_sentence(first.text) else ""


def _clipped(name: str) -> str:
    """Return a name without its middle where it is longer than any of a real model."""
    if len(name) > _LONGEST_NAME:
        name = f"{name[: _LONGEST_NAME // 2]}…{name[-_LONGEST_NAME // 2 :]}"
    return visible(name)
