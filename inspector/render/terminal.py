"""A page as lines for a terminal: aligned columns, a width, and colors where there are any."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from textwrap import wrap
from typing import cast
from unicodedata import combining, east_asian_width

from msgspec import Struct

from inspector.model.display_names import fit_line, fit_lines
from inspector.pages.blocks import (
    KEPT,
    Block,
    Chart,
    Facts,
    Items,
    Page,
    Rank,
    Section,
    Side,
    Snippet,
    Table,
    Text,
)
from inspector.pages.rows import magnitude
from inspector.render.names import visible_lines
from inspector.wording.values import ENGLISH, Curve, Number, Tone, Value, Wording

WIDTH = 100  # letters, where the terminal does not say
_GAP = "  "
_LEAST_NAME = 16  # letters of the column that takes the room
_BAR = 12  # letters
_EIGHTHS = " ▏▎▍▌▋▊▉█"
_CURVE = 40  # letters of the longest curve
_COLORS = {Tone.GOOD: "32", Tone.CAUTION: "33", Tone.BAD: "31", Tone.SECONDARY: "2"}


class Terminal(Struct, frozen=True):
    """What there is to write on. width: in letters. rank: the sections that are shown."""

    width: int = WIDTH
    color: bool = False
    rank: Rank = Rank.TERMINAL
    wording: Wording = ENGLISH


def lines(page: Page, terminal: Terminal = Terminal()) -> Iterator[str]:
    """Yield the lines of a page, without line ends."""
    writer = _Writer(terminal)
    yield from writer.text(Text(page.title, strong=True))
    if page.verdict is not None:
        yield from writer.text(page.verdict)
    if page.subtitle:
        yield from writer.text(Text(page.subtitle, Tone.SECONDARY))
    for section in page.sections:
        if section and section.rank <= terminal.rank:
            yield from writer.section(section)


def section_lines(section: Section, terminal: Terminal = Terminal()) -> Iterator[str]:
    """Yield the lines of one section, without an empty line in front of it."""
    if section:
        yield from list(_Writer(terminal).section(section))[1:]


class _Writer:
    def __init__(self, terminal: Terminal) -> None:
        self._width, self._color = terminal.width, terminal.color
        self._rank, self._wording = terminal.rank, terminal.wording

    def section(self, section: Section) -> Iterator[str]:
        body = list(self._body(section))
        if not body:  # drawings alone
            return
        yield ""
        title = self._written(section.title)
        if title:
            aside = self._written(section.aside)
            yield self._styled(title, "1") + (f" ({aside})" if aside else "")
        yield from body

    def _body(self, section: Section) -> Iterator[str]:
        # Facts that follow one another share the width of their labels.
        for kind, group in groupby(section.blocks, type):
            blocks = list(group)
            if kind is Facts:
                yield from self._facts(cast(list[Facts], blocks))
                continue
            for block in blocks:
                yield from self._block(block)

    def _block(self, block: Block) -> Iterator[str]:
        match block:
            case Text():
                yield from self.text(block)
            case (Table() as table) | Chart(table=Table() as table):
                yield from self._table(table)
            case Items():
                yield from self._items(block, "")
            case Snippet():
                yield from (_GAP + line for line in visible_lines(block.text))
            case Chart() if block.line:
                letters = Curve(block.line[-_CURVE:]).letters
                yield f"{_GAP}{letters}{_GAP}{self._written(block.text)}"
            case _:
                pass  # no room for drawings and pictures; cells write marks as words

    def text(self, block: Text) -> Iterator[str]:
        label = self._wording.translate(block.label)
        if label == block.label:  # English; German nouns keep their capital letter
            label = label.lower()
        label = f"{label}: " if label else ""
        text = label + self._written(block.value)
        code = _COLORS.get(block.tone, "") or ("1" if block.strong else "")
        for line in wrap(text, self._width, break_on_hyphens=False, break_long_words=False):
            yield self._styled(line, code)

    def _facts(self, blocks: Sequence[Facts]) -> Iterator[str]:
        facts = [fact for block in blocks for fact in block.facts[: block.limits.terminal]]
        shown = [fact for fact in facts if fact.rank <= self._rank]
        most = self._width // 2  # for the name of a file, which may be as long as it likes
        rows = [
            (fit_line(self._written(f.label), most, _width), self._written(f.value), f)
            for f in shown
        ]
        label_width = max((len(label) for label, _, _ in rows), default=0)
        # A long value, such as a sentence, must not push the notes of the others aside.
        most = self._width // 3
        short = [len(value) for _, value, fact in rows if fact.note and len(value) <= most]
        value_width = max(short, default=0)
        for label, value, fact in rows:
            note = self._written(fact.note)
            if note and len(value) > most:
                value, note = f"{value}{_GAP}{note}", ""
            head = f"{label:<{label_width}}{_GAP}"
            if not note:
                if magnitude(fact.value) is not None:  # numbers stand below each other
                    head += " " * (value_width - len(value))
                room = max(20, self._width - len(head))
                first, *more = wrap(value, room, break_on_hyphens=False) or [""]
                yield (head + self._styled(first, _COLORS.get(fact.tone, ""))).rstrip()
                yield from (" " * len(head) + line for line in more)
                continue
            side = "<" if magnitude(fact.value) is None else ">"
            number = self._styled(f"{value:{side}{value_width}}", _COLORS.get(fact.tone, ""))
            start = len(head) + value_width + len(_GAP)
            notes = wrap(note, max(20, self._width - start), break_on_hyphens=False)
            yield f"{head}{number}{_GAP}{notes[0]}"
            yield from (" " * start + line for line in notes[1:])
        hidden = sum(max(0, len(b.facts) - b.limits.terminal) for b in blocks)
        if hidden:
            yield f"and {self._wording.plural(hidden, f'more {blocks[-1].noun}')}"

    def _table(self, table: Table) -> Iterator[str]:
        rows = table.rows[: table.limits.terminal]
        if rows:
            cells = [
                [_bar(cell) if column.bar else self._written(cell)
                 for column, cell in zip(table.columns, row.cells, strict=True)]
                for row in rows
            ]  # fmt: skip
            yield from self._grid(table, cells)
        hidden = max(table.total, len(table.rows)) - len(rows)
        if hidden > 0:
            more = self._wording.more(hidden, table.noun)
            rest = self._written(table.rest)
            yield f"{_GAP}{more}" + (f"; {rest}" if rest else "")

    def _grid(self, table: Table, cells: list[list[str]]) -> Iterator[str]:
        """Yield heads and rows; columns are left out until what stays fits the width."""
        heads = [self._written(column.title) for column in table.columns]
        widths = [max(map(_width, texts)) for texts in zip(heads, *cells, strict=True)]
        least = [
            min(width, _LEAST_NAME) if column.stretch else width
            for width, column in zip(widths, table.columns, strict=True)
        ]
        shown = [p for p, column in enumerate(table.columns) if widths[p] and not column.marks]
        while sum(least[p] + len(_GAP) for p in shown) > self._width:
            optional = [p for p in shown if table.columns[p].keep < KEPT]
            if not optional:
                break
            shown.remove(min(optional, key=lambda p: (table.columns[p].keep, -p)))
        spare = self._width - sum(least[p] + len(_GAP) for p in shown)
        for place in shown:
            more = min(max(0, spare), widths[place] - least[place])
            widths[place], spare = least[place] + more, spare - more
        for place in shown:
            if table.columns[place].stretch:
                numbers = [r.number if r.number >= 0 else n for n, r in enumerate(table.rows)]
                names = [texts[place] for texts in cells]
                for texts, name in zip(
                    cells, fit_lines(names, widths[place], _width, numbers), strict=True
                ):
                    texts[place] = name
        if any(heads):
            yield self._line(table, heads, widths, shown, "2")
        for row, texts in zip(table.rows, cells, strict=False):
            yield self._line(table, texts, widths, shown, _COLORS.get(row.tone, ""))
            details = self._written(row.details)
            yield from (f"{_GAP * 2}{line}" for line in wrap(details, self._width - 4))

    def _line(
        self, table: Table, texts: Sequence[str], widths: Sequence[int], shown: Sequence[int],
        style: str,
    ) -> str:  # fmt: skip
        parts = []
        for place in shown:
            column, text = table.columns[place], texts[place]
            width = widths[place] + len(text) - _width(text)
            pad = {Side.LEFT: text.ljust, Side.RIGHT: text.rjust, Side.CENTER: text.center}
            parts.append(pad[column.side](width))
        return self._styled((_GAP + _GAP.join(parts)).rstrip(), style)

    def _items(self, items: Items, indent: str) -> Iterator[str]:
        shown = items.items[: items.limits.terminal]
        for item in shown:
            sign = item.sign.replace("−", "-") or ("" if indent else "-")
            sign += " " * bool(sign)
            detail = self._written(item.detail)
            text = self._written(item.value) + (f"{_GAP}{detail}" if detail else "")
            first = f"{indent}{_GAP}{sign}"
            code = _COLORS.get(item.tone, "")
            for place, line in enumerate(
                wrap(text, max(20, self._width - len(first)), break_on_hyphens=False)
            ):
                yield (first if not place else " " * len(first)) + self._styled(line, code)
            if item.items is not None:
                yield from self._items(item.items, indent + _GAP * 2)
        if len(items.items) > len(shown):
            more = self._wording.more(len(items.items) - len(shown), items.noun)
            yield f"{indent}{_GAP}{more}"

    def _written(self, value: Value) -> str:
        return self._wording.text(value)

    def _styled(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self._color and code and text else text


def _width(text: str) -> int:
    """Return how many columns of a terminal a text takes: Chinese letters take two."""
    if text.isascii():
        return len(text)
    wide = sum(east_asian_width(letter) in "WF" for letter in text)
    return len(text) + wide - sum(map(bool, map(combining, text)))


def _bar(cell: Value) -> str:
    """Return the cell of a column of bars, whose length is a number from 0 to 1."""
    if not isinstance(cell, Number):
        return ""
    eighths = round(max(0.0, min(1.0, cell.value)) * _BAR * 8)
    whole, rest = divmod(eighths, 8)
    return "█" * whole + (_EIGHTHS[rest] if rest else "")
