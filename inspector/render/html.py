"""A page as one HTML file that needs no network, and no script to be read.

All text passes through the escaping of the template; what `_markup` makes is safe already. The
page allows no style and no script but its own, by their digests.
"""

import base64
import hashlib
import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup as Safe
from markupsafe import escape
from msgspec.structs import replace

from inspector import units
from inspector.pages.blocks import (
    Block,
    Chart,
    Column,
    Fact,
    Facts,
    Items,
    Legend,
    Page,
    Picture,
    Rank,
    Row,
    Section,
    Snippet,
    Table,
    Text,
)
from inspector.pages.charts.palette import MARKERS
from inspector.pages.rows import magnitude
from inspector.platform import files
from inspector.render import web_style
from inspector.render.marks import bar_color, color_of
from inspector.render.names import is_sentence, scope_and_leaf, visible
from inspector.render.svg import inline_svg
from inspector.wording.values import (
    ENGLISH,
    Count,
    Curve,
    Markup,
    MarkValue,
    Sentence,
    Toned,
    Value,
    Wording,
)

SEARCHED_FROM = 30  # rows of a table that all stand below each other and need no search
_CONTENTS_FROM = 5  # sections of a page that has links to them at its top
# pixels: a chart in a window of 1200, and on a phone of 480
_WIDE = 1080.0
_NARROW = 460.0
_MOST_TWICE = 2_000  # shapes of a chart that is drawn for both widths
_WRAPPED_FROM = 20  # letters of a name that may go over several lines
_SHORT_CELL = 48  # letters of a cell that stays in one line
_LONGEST_WORD = 40  # letters of an option in a command, which is not broken at its hyphens
_CURVE = 60  # amounts of a small curve
_LONG_VALUE = 14  # letters of a prominent fact that are drawn smaller
_SEPARATORS = re.compile(r"([/._;:]+)")
_NUMBER_AND_UNIT = re.compile(r"([+−-]?[\d.,]+) (\S+)")
_BLOCKS: dict[type[Block], str] = {
    Text: "text",
    Facts: "facts",
    Table: "table",
    Items: "items",
    Chart: "chart",
    Picture: "picture",
    Snippet: "snippet",
    Legend: "legend",
}


def html(page: Page, wording: Wording = ENGLISH) -> bytes:
    """Return the page with fonts, styles and script inside, light and dark; UTF-8."""
    writer = _Writer(wording)
    sections = [section for section in page.sections if section]
    text: str = _template().render(
        page=page,
        sections=sections,
        halves=_halves(sections),
        plain_title=_plain(page.title, wording),
        language=wording.code,
        write=writer,
        contents_from=_CONTENTS_FROM,
        searched_from=SEARCHED_FROM,
        rank=Rank,
        **_styles(),
    )
    return text.encode("utf-8", "backslashreplace")


def _halves(sections: Sequence[Section]) -> set[str]:
    """Return the ids of sections that stand beside each other, two and two."""
    ids, waiting = set[str](), ""
    for section in sections:
        if section.half and waiting:
            ids |= {waiting, section.id}
        waiting = section.id if section.half and section.id not in ids else ""
    return ids


class _Writer:
    """What the template asks for: values in a language as markup."""

    def __init__(self, wording: Wording) -> None:
        self._wording = wording
        self._markup = Markup(_text, _name, _code, _toned, self.mark, _noted, _linked, _curve)
        self._cell_markup = replace(self._markup, name=_scoped_name)

    def value(self, value: Value) -> Safe:
        """Return a value as markup."""
        return Safe(self._wording.text(value, self._markup))

    def ours(self, text: str) -> str:
        """Return a text of the page itself in its language, not escaped yet."""
        return self._wording.translate(text)

    def cell(self, column: Column, value: Value) -> Safe:
        """Return the content of a cell; the names of a wide column show their scopes."""
        markup = self._cell_markup if column.stretch and not column.files else self._markup
        return Safe(self._wording.text(value, markup))

    def hint(self, value: Value) -> Safe:
        """Return a value as the text of an attribute."""
        return Safe(_text(_plain(value, self._wording)))

    def is_short(self, value: Value) -> bool:
        """Return whether a cell stays in one line."""
        return len(_plain(value, self._wording)) <= _SHORT_CELL

    def order(self, value: Value) -> str:
        """Return what a cell is sorted by, "" of a text."""
        number = magnitude(value)
        return "" if number is None or number != number else f"{number:.12g}"

    def prominent(self, fact: Fact) -> Safe:
        """Return the value of a card: the number large, its unit smaller."""
        plain = _plain(fact.value, self._wording)
        parts = _NUMBER_AND_UNIT.fullmatch(plain)
        if parts:
            return Safe('{}<span class="unit"> {}</span>').format(*parts.groups())
        return self.value(fact.value)

    def is_long(self, fact: Fact) -> bool:
        """Return whether the value of a card is a text rather than a number."""
        return len(_plain(fact.value, self._wording)) > _LONG_VALUE

    def mark(self, value: MarkValue) -> str:
        """Return a mark as a drawing with its meaning."""
        text = units.clip(self._wording.text(value.text or value.mark.label))
        shape = '<svg class="marker of-{}" viewBox="0 0 14 14" width="14" height="14"'
        inside = ' role="img"><title>{}</title><use href="#mark-{}"/></svg>'
        return str(Safe(shape + inside).format(color_of(value.family), text, value.mark.value))

    def meaning(self, value: MarkValue) -> str:
        """Return what a mark of a legend means."""
        return units.clip(self._wording.text(value.text or value.mark.label))

    def chart(self, chart: Chart) -> Safe:
        """Return a drawing for wide windows, and one for narrow ones."""
        label, wide = _plain(chart.text, self._wording), chart.draw(_WIDE)
        if chart.zoom or len(wide.shapes) > _MOST_TWICE:
            return Safe(inline_svg(wide, label, "", self._wording))
        narrow = chart.draw(_NARROW)
        if narrow.width >= wide.width:
            return Safe(inline_svg(wide, label, "", self._wording))
        drawn = (
            inline_svg(wide, label, "wide", self._wording),
            inline_svg(narrow, label, "narrow", self._wording),
        )
        return Safe("".join(drawn))

    def picture(self, picture: Picture) -> str:
        """Return the address of a picture that is part of the page."""
        return f"data:image/png;base64,{base64.b64encode(picture.png).decode()}"

    def lines(self, text: str) -> str:
        """Return lines as they are, with what cannot be seen made visible."""
        return "\n".join(map(visible, text.splitlines()))

    def more(self, number: int, noun: str) -> str:
        """Return how many rows or items are not shown."""
        return self._wording.more(number, noun)

    def all(self, number: int, noun: str) -> str:
        """Return the title of the button that shows the rows beyond the first ones."""
        rows = Sentence("Show all {rows}", Count(number, noun))
        return self._wording.text(rows)

    def filter(self, title: Value) -> str:
        """Return what a list of the values of a column says before one is chosen."""
        return _plain(Sentence("{title}: all", title), self._wording)

    def plain(self, value: Value) -> str:
        """Return a value without markup."""
        return _plain(value, self._wording)

    def kind(self, block: Block) -> str:
        """Return the name of the macro that shows a block."""
        return _BLOCKS[type(block)]

    def groups(self, section: Section) -> list[tuple[bool, list[Block]]]:
        """Return the blocks of a section: cards of prominent facts, and what is between."""
        groups = list[tuple[bool, list[Block]]]()
        for block in section.blocks:
            prominent = isinstance(block, Facts) and block.prominent
            if prominent or not groups or groups[-1][0]:
                groups.append((prominent, []))
            groups[-1][1].append(block)
        return groups

    def bar(self, cell: Value) -> float | None:
        """Return the length of a bar in percent, None where a cell has none."""
        number = magnitude(cell)
        return None if number is None else 100 * max(0.0, min(1.0, number))

    def family(self, row: Row) -> str:
        """Return whose color the bar of a row has, "accent" of none."""
        return bar_color(row)


def _text(text: str) -> str:
    return str(escape(visible(text)))


def _name(text: str) -> str:
    return str(Safe("<bdi>{}</bdi>").format(_wrapped(text)))


def _scoped_name(text: str) -> str:
    """Return a name whose last part stands out from its scope."""
    if is_sentence(text):
        return _name(text)
    scope, leaf = scope_and_leaf(text)
    if not scope:
        return str(Safe('<bdi class="leaf">{}</bdi>').format(_wrapped(text)))
    parts = Safe('<span class="scope">{}</span><wbr><span class="leaf">{}</span>')
    return str(Safe("<bdi>{}</bdi>").format(parts.format(_wrapped(scope), _wrapped(leaf))))


def _wrapped(text: str) -> Safe:
    """Return a name that goes on in the next line after a separator, not inside a word."""
    if len(text) < _WRAPPED_FROM:
        return escape(text)
    parts = _SEPARATORS.split(text)
    return Safe("").join(
        escape(part) + (Safe("<wbr>") if place % 2 else "") for place, part in enumerate(parts)
    )


def _code(text: str) -> str:
    words = map(_code_word, text.split(" "))
    return str(Safe("<code>{}</code>").format(Safe(" ").join(words)))


def _code_word(word: str) -> str:
    if word.startswith("-") and len(word) <= _LONGEST_WORD:
        return Safe('<span class="whole">{}</span>').format(word)
    return word


def _toned(text: str, value: Toned) -> str:
    look = value.tone.value + (" strong" if value.strong else "")
    return f'<span class="{look}">{text}</span>'


def _noted(text: str, note: str) -> str:
    return f'<span title="{_text(units.clip(note, 400))}">{text}</span>' if note else text


def _linked(text: str, target: str) -> str:
    return f'<a href="{escape(target)}">{text}</a>'


def _curve(curve: Curve) -> str:
    """Return amounts as a small line; the newest is a dot."""
    values = curve.values[-_CURVE:]
    low, high = min(values, default=0.0), max(values, default=0.0)
    if len(values) < 2:
        return ""
    step, scale = 60 / (len(values) - 1), 12 / (high - low) if high > low else 0.0
    heights = (14 - (each - low) * scale if scale else 8.0 for each in values)
    points = [f"{2 + step * place:.1f},{height:.1f}" for place, height in enumerate(heights)]
    x, _, y = points[-1].partition(",")
    return (
        '<svg class="curve" viewBox="0 0 64 16" width="64" height="16" aria-hidden="true">'
        f'<polyline points="{" ".join(points)}"/><circle cx="{x}" cy="{y}" r="2"/></svg>'
    )


def _plain(value: Value, wording: Wording) -> str:
    return units.clip(wording.text(value))


@cache
def _template() -> Any:
    templates = Environment(
        loader=FileSystemLoader(files.resource("report")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return templates.get_template("blocks.html")


@cache
def _styles() -> dict[str, Any]:
    """Return fonts, colors and the script with the digests by which a browser allows them."""
    parts = web_style.styles("blocks.css")
    light, dark = parts["light"], parts["dark"]
    style = (
        f"{parts['fonts']}:root{{{light}}}\n"
        f"@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
        f'@media screen{{:root[data-theme="dark"]{{{dark}}}'
        f':root[data-theme="light"]{{{light}}}}}\n{parts["style"]}'
    )
    script = files.resource("report", "blocks.js").read_text("utf-8")
    return {
        "style": style,
        "style_digest": _digest(style),
        "script": script,
        "script_digest": _digest(script),
        "markers": MARKERS,
    }


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
