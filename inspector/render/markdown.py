"""A page as Markdown for a pull request: GitHub's flavor."""

from collections.abc import Iterator, Sequence

from inspector.pages.blocks import (
    Block,
    Chart,
    Facts,
    Item,
    Items,
    Page,
    Rank,
    Row,
    Section,
    Side,
    Snippet,
    Table,
    Text,
)
from inspector.render.names import visible_lines
from inspector.wording.values import ENGLISH, Markup, MarkValue, Tone, Toned, Value, Wording

_ACTING = frozenset("\\`*_[]<>#!&~|$")
_RULES = {Side.LEFT: ":---", Side.RIGHT: "---:", Side.CENTER: ":---:"}


def markdown(page: Page, wording: Wording = ENGLISH) -> bytes:
    """Return the page; UTF-8. Sections of the rank FOLDED are folded."""
    return "\n".join([*_Writer(wording).page(page), ""]).encode("utf-8", "backslashreplace")


def code_span(text: str) -> str:
    """Return text as a code span, where neither Markdown nor HTML nor @names act."""
    shown = text.replace("|", "\\|")
    if not shown.strip():
        return ""
    fence = "`"
    while fence in shown:
        fence += "`"
    room = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{room}{shown}{room}{fence}"


def inert(text: str) -> str:
    """Return text in which no sign acts."""
    plain = "".join(f"\\{sign}" if sign in _ACTING else sign for sign in text)
    # Neither a mention nor a link can be escaped; a space of no width parts them.
    return plain.replace("@", "@\u200b").replace("://", ":\u200b//")


def _toned(text: str, value: Toned) -> str:
    return f"**{text}**" if text and (value.strong or value.tone is Tone.BAD) else text


def _mark(value: MarkValue) -> str:
    return inert(value.mark.label)


def _linked(text: str, target: str) -> str:
    # Sections have no ids in Markdown.
    return text if target.startswith("#") else f"[{text}]({target})"


_MARKUP = Markup(inert, code_span, code_span, _toned, _mark, linked=_linked)


class _Writer:
    def __init__(self, wording: Wording) -> None:
        self._wording = wording

    def page(self, page: Page) -> Iterator[str]:
        yield from (f"### {self._written(page.title)}", "")
        if page.verdict is not None:
            yield from self._text(page.verdict)
        if page.subtitle:
            yield from (self._written(page.subtitle), "")
        for section in page.sections:
            if section:
                yield from self._section(section)

    def _section(self, section: Section) -> Iterator[str]:
        body = [line for block in section.blocks for line in self._block(block)]
        if not body:  # drawings alone
            return
        folded = section.rank is Rank.FOLDED
        title, aside = self._written(section.title), self._written(section.aside)
        if folded:
            # A summary is HTML, in which Markdown's escapes show.
            yield from (f"<details><summary>{title}</summary>", "")
        elif title:
            yield from (f"**{title}**" + (f", {aside}" if aside else ""), "")
        yield from body
        if folded:
            yield from ("</details>", "")

    def _block(self, block: Block) -> Iterator[str]:
        match block:
            case Text():
                yield from self._text(block)
            case Facts():
                yield from self._facts(block)
            case (Table() as table) | Chart(table=Table() as table):
                yield from self._table(table)
            case Items():
                yield from (*self._items(block, ""), "")
            case Snippet():
                fence = "```"
                while fence in block.text:
                    fence += "`"
                yield from (f"{fence}{block.language}", *visible_lines(block.text), fence, "")
            case _:
                pass  # Markdown of most places takes no picture in the text

    def _text(self, block: Text) -> Iterator[str]:
        text = self._written(block.value)
        if block.label:
            text = f"**{inert(self._wording.translate(block.label))}:** {text}"
        elif block.strong or block.tone is Tone.BAD:
            text = f"**{text}**"
        yield from (text, "")

    def _facts(self, block: Facts) -> Iterator[str]:
        rows = []
        for fact in block.facts[: block.limits.document]:
            value = self._written(fact.value)
            if value and (
                fact.tone is Tone.BAD or (block.prominent and fact is block.facts[0])
            ):
                value = f"**{value}**"
            note = self._written(fact.note)
            rows.append((self._written(fact.label), value + (f" ({note})" if note else "")))
        if rows:
            yield from self._grid(("", ""), (Side.LEFT, Side.LEFT), rows)
            yield ""
        if hidden := len(block.facts) - len(rows):
            yield from (f"and {self._wording.plural(hidden, f'more {block.noun}')}", "")

    def _table(self, table: Table) -> Iterator[str]:
        rows = table.rows[: table.limits.document]
        places = [p for p, c in enumerate(table.columns) if not (c.bar or c.marks)]
        if rows:
            heads = [self._written(table.columns[p].title) for p in places]
            sides = [table.columns[p].side for p in places]
            yield from self._grid(heads, sides, [self._row(row, places) for row in rows])
            yield ""
        hidden = max(table.total, len(table.rows)) - len(rows)
        if hidden > 0:
            more = self._wording.more(hidden, table.noun)
            rest = self._written(table.rest)
            yield from (more + (f"; {rest}" if rest else ""), "")

    def _row(self, row: Row, places: Sequence[int]) -> list[str]:
        cells = [self._written(row.cells[place]) for place in places]
        if row.details:
            cells[-1] = "<br>".join(filter(None, (cells[-1], self._written(row.details))))
        return cells

    def _grid(
        self, heads: Sequence[str], sides: Sequence[Side], rows: Sequence[Sequence[str]]
    ) -> Iterator[str]:
        yield f"| {' | '.join(heads)} |"
        yield f"|{'|'.join(_RULES[side] for side in sides)}|"
        for row in rows:
            yield f"| {' | '.join(row)} |"

    def _items(self, items: Items, indent: str) -> Iterator[str]:
        shown = items.items[: items.limits.document]
        for item in shown:
            yield f"{indent}- {self._item(item)}"
            if item.items is not None:
                yield from self._items(item.items, indent + "  ")
        if len(items.items) > len(shown):
            more = self._wording.more(len(items.items) - len(shown), items.noun)
            yield f"{indent}- {more}"

    def _item(self, item: Item) -> str:
        text, detail = self._written(item.value), self._written(item.detail)
        sign = f"`{item.sign}` " if item.sign else ""
        return sign + text + (f": {detail}" if text and detail else detail)

    def _written(self, value: Value) -> str:
        return self._wording.text(value, _MARKUP)
