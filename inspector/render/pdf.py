"""A page as a PDF: A4 sheets of vectors and text, made without a screen."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from io import BytesIO

from inspector import units
from inspector.model.display_names import fit_line
from inspector.pages.blocks import (
    Block,
    Chart,
    Fact,
    Facts,
    Item,
    Items,
    Legend,
    Page,
    Picture,
    Section,
    Snippet,
    Table,
    Text,
)
from inspector.pages.charts.drawing import color, worded
from inspector.render.fonts import width as font_width
from inspector.render.names import visible
from inspector.render.paper import HEIGHT, MARGIN, ROOM, Paper
from inspector.render.pdf_table import TableWriter
from inspector.render.rich_text import Line, Span, Style
from inspector.render.text_on_paper import Type, TypeSetter
from inspector.wording.values import ENGLISH, Tone, Value, Wording

_UNDATED = datetime(2000, 1, 1, tzinfo=UTC)  # the same page, the same file
_TITLE = Type(16, bold=True)
_HEADING = Type(10.5, bold=True)
_VERDICT = Type(9.5)
_BODY = Type(8.5)
_SMALL = Type(7.5)
_CARD_VALUE = Type(14, bold=True)
_CARD_TEXT = Type(9.5, bold=True)
_CARDS_IN_A_ROW = 4
_GAP = 8.0
_INSET = 9.0
_WIDEST_LABEL = 150.0  # points, of a fact
_FACTS_IN_TWO = 6  # facts from which two columns are read faster than one
_INDENT = 12.0
_ABOVE_SNIPPET = 3.0  # points of its ground, and as many below
_WIDE_SPACE = 1.6  # of a space, so that indents are as deep as in letters of equal width
_CHART = 760.0  # pixels across a sheet: letters of 11 pixels are 7.5 points then
_PICTURE = 0.6  # points for a pixel of a picture
_TALLEST_PICTURE = 220.0
_TALL_ROW = 15.0  # of a table, of one line
_BELOW_HEADING = 44.0  # points that stand on the sheet of their heading
_FOOT_ROOM = 90.0  # points of the foot for our name and the number of the sheet
_SHEET = HEIGHT - 2 * MARGIN - 30
_LEAST_SCALE = 0.35  # of a chart that others zoom: its letters are 4 points high then
_TOO_LARGE = "Too large for a sheet of paper. The web page (HTML) shows it."
_ESCAPED = (
    "Characters that are missing from the embedded fonts are shown as escape codes, such as "
    "\\u4e2d."
)


def pdf(page: Page, wording: Wording = ENGLISH) -> bytes:
    """Return the page, all sections unfolded."""
    title = units.clip(wording.text(page.title), 200)
    foot = fit_line(title, (ROOM - _FOOT_ROOM) / 7, font_width)
    paper = Paper(title, f"{foot} · Inspector")
    paper.set_lang(wording.code)
    paper.set_creation_date(_UNDATED)
    paper.y = MARGIN
    _Writer(paper, wording).page(page)
    return bytes(paper.output())


class _Writer:
    def __init__(self, paper: Paper, wording: Wording) -> None:
        self._paper, self._wording = paper, wording
        self._set = TypeSetter(paper, wording)

    def page(self, page: Page) -> None:
        self._set.paragraph(self._set.spans(page.title), _TITLE)
        if page.subtitle:
            self._set.paragraph(self._set.spans(page.subtitle, Style(Tone.SECONDARY)), _BODY)
        if page.verdict is not None:
            self._verdict(page.verdict)
        for section in page.sections:
            if section:
                self._section(section)
        if self._paper.escaped:
            self._paper.y += 10
            text = self._wording.translate(_ESCAPED)
            self._set.paragraph((Span(text, Style(Tone.SECONDARY)),), _SMALL)

    def _verdict(self, verdict: Text) -> None:
        """Write the verdict beside a line in the color of its tone."""
        paper = self._paper
        text = self._set.lines(self._labeled(verdict), ROOM - _INDENT, _VERDICT)
        height = len(text) * _VERDICT.leading
        paper.y += 6
        paper.need(height)
        tint = {Tone.PLAIN: "accent", Tone.SECONDARY: "tertiary"}
        paper.set_fill_color(color(tint.get(verdict.tone, verdict.tone.value)))
        paper.rect(MARGIN, paper.y + 1, 2.5, height, style="F")
        self._set.write(text, MARGIN + _INDENT, _VERDICT)
        paper.y += 2

    def _section(self, section: Section) -> None:
        paper = self._paper
        below = min(self._first_height(section.blocks), _SHEET - 40)
        title = list(self._set.spans(section.title, Style(strong=True)))
        if section.aside:
            title.append(Span("   "))
        lines = self._set.lines(title, ROOM, _HEADING)
        paper.y += 14
        paper.need(len(lines) * _HEADING.leading + below)
        if lines:
            self._set.write(lines, MARGIN, _HEADING)
            if section.aside:
                self._aside(section.aside, lines[-1])
            paper.y += 3
        for block in section.blocks:
            self._block(block)

    def _aside(self, aside: Value, last: Line) -> None:
        """Write what stands beside a title where there is room, else below it."""
        paper, text = self._paper, self._set.spans(aside, Style(Tone.SECONDARY))
        left = self._set.width(last, _HEADING) + 8
        beside = self._set.width(text, _BODY) <= ROOM - left
        if not beside:
            self._set.paragraph(text, _BODY)
            return
        below = paper.y
        paper.y -= _HEADING.leading
        self._set.line(text, MARGIN + left, paper.y + _HEADING.base, _BODY)
        paper.y = below

    def _first_height(self, blocks: Sequence[Block]) -> float:
        """Return how much of a section stands on one sheet with its heading.

        A picture and what is told of it are seen together.
        """
        block = blocks[0]
        if pictures := [each for each in blocks if isinstance(each, Picture)]:
            rows = sum(len(each.rows) for each in blocks if isinstance(each, Table))
            tall = sum(_picture_size(each)[1] + _BODY.leading for each in pictures)
            return tall + _BELOW_HEADING + rows * _TALL_ROW
        if isinstance(block, Chart) and not block.zoom:
            drawing = block.draw(_CHART)
            return drawing.height * self._scale(drawing.width)
        return _BELOW_HEADING

    def _block(self, block: Block) -> None:
        match block:
            case Text():
                if block.strong:  # it may be the title of what follows
                    self._paper.need(_BELOW_HEADING)
                self._set.paragraph(self._labeled(block), _BODY)
                self._paper.y += 1
            case Facts(facts=facts, prominent=True):
                self._cards(facts)
            case Facts(facts=facts, limits=limits, noun=noun):
                self._facts(facts[: limits.page])
                if len(facts) > limits.page:
                    self._set.rest(len(facts) - limits.page, noun, "", 0.0)
            case Table():
                TableWriter(self._set, self._wording).table(block)
            case Items():
                self._items(block, 0.0)
            case Chart():
                self._chart(block)
            case Picture():
                self._picture(block)
            case Snippet():
                self._snippet(block)
            case Legend():
                self._legend(block)
            case _:
                raise TypeError(f"{type(block).__name__} is no block of a page")

    def _labeled(self, text: Text) -> list[Span]:
        style = Style(text.tone, text.strong)
        spans = list(self._set.spans(text.value, style))
        if text.label:
            label = self._wording.translate(text.label)
            spans[:0] = [Span(f"{label}:", Style(text.tone, strong=True)), Span(" ", style)]
        return spans

    def _cards(self, facts: Sequence[Fact]) -> None:
        """Draw facts as cards, up to four beside each other."""
        for start in range(0, len(facts), _CARDS_IN_A_ROW):
            some = facts[start : start + _CARDS_IN_A_ROW]
            wide = (ROOM - _GAP * (len(some) - 1)) / len(some)
            contents = [list(self._card(fact, wide - 2 * _INSET)) for fact in some]
            heights = [sum(len(t) * kind.leading for t, kind in card) for card in contents]
            tall = max(heights) + 2 * _INSET - 3
            self._paper.need(tall + _GAP)
            top = self._paper.y + 2
            for place, card in enumerate(contents):
                self._paper.y = top
                self._draw_card(card, MARGIN + place * (wide + _GAP), wide, tall)
            self._paper.y = top + tall + _GAP / 2

    def _card(self, fact: Fact, room: float) -> Iterator[tuple[list[Line], Type]]:
        label = self._set.spans(fact.label, Style(Tone.SECONDARY))
        yield self._set.lines(label, room, _SMALL), _SMALL
        value = self._set.spans(fact.value, Style(fact.tone))
        fits = self._set.width(value, _CARD_VALUE) <= room
        kind = _CARD_VALUE if fits else _CARD_TEXT
        yield self._set.lines(value, room, kind), kind
        note = self._set.spans(fact.note, Style(Tone.SECONDARY))
        yield self._set.lines(note, room, _SMALL), _SMALL

    def _draw_card(
        self, card: Sequence[tuple[list[Line], Type]], left: float, wide: float, tall: float
    ) -> None:
        paper = self._paper
        paper.set_draw_color(color("border"))
        paper.set_line_width(0.6)
        paper.rect(left, paper.y, wide, tall, style="D", round_corners=True, corner_radius=4)
        paper.y += _INSET - 3
        for text, kind in card:
            self._set.write(text, left + _INSET, kind)

    def _facts(self, facts: Sequence[Fact]) -> None:
        """Write facts in one column, or in two where all of them are short."""
        rows = [(self._set.spans(f.label, Style(Tone.SECONDARY)), self._fact(f)) for f in facts]
        longest = max((self._set.width(label, _BODY) for label, _ in rows), default=0.0)
        wide = min(longest, _WIDEST_LABEL) + _INDENT
        half = (ROOM - 2 * _GAP) / 2
        short = all(self._set.width(value, _BODY) <= half - wide for _, value in rows)
        columns = 2 if short and len(rows) >= _FACTS_IN_TWO else 1
        tall = -(-len(rows) // columns)
        for place in range(tall):
            cells = [
                (MARGIN + column * (half + 2 * _GAP), *rows[place + column * tall])
                for column in range(columns)
                if place + column * tall < len(rows)
            ]
            self._fact_row(cells, wide, (half if columns == 2 else ROOM) - wide)

    def _fact(self, fact: Fact) -> list[Span]:
        spans = list(self._set.spans(fact.value, Style(fact.tone)))
        if fact.note:
            spans.append(Span("  ", Style(Tone.SECONDARY)))
            spans += self._set.spans(fact.note, Style(Tone.SECONDARY))
        return spans

    def _fact_row(
        self, cells: Sequence[tuple[float, Line, list[Span]]], wide: float, room: float
    ) -> None:
        texts = [
            (left, self._set.lines(label, wide - _INDENT / 2, _BODY),
             self._set.lines(value, room, _BODY))
            for left, label, value in cells
        ]  # fmt: skip
        count = max(len(lines) for _, *both in texts for lines in both)
        self._paper.need(min(count * _BODY.leading, _SHEET))
        top, below = self._paper.y, self._paper.y
        for left, label, value in texts:
            for lines, at in ((label, left), (value, left + wide)):
                self._paper.y = top
                self._set.write(lines, at, _BODY)
                below = max(below, self._paper.y)
        self._paper.y = below

    def _items(self, items: Items, indent: float) -> None:
        for item in items.items[: items.limits.page]:
            self._item(item, indent)
        hidden = len(items.items) - items.limits.page
        if hidden > 0:
            self._set.rest(hidden, items.noun, "", indent)

    def _item(self, item: Item, indent: float) -> None:
        style = Style(item.tone)
        spans = list(self._set.spans(item.value, style))
        if item.detail:
            spans.append(Span("  ", Style(Tone.SECONDARY)))
            spans += self._set.spans(item.detail, Style(Tone.SECONDARY))
        left = MARGIN + indent + _INDENT
        text = self._set.lines(spans, ROOM - indent - _INDENT, _BODY)
        self._paper.need(_BODY.leading)
        sign = (Span(item.sign or "•", Style(item.tone, strong=bool(item.sign))),)
        self._set.line(sign, MARGIN + indent + 2, self._paper.y + _BODY.base, _BODY)
        self._set.write(text, left, _BODY)
        if item.items is not None:
            self._items(item.items, indent + _INDENT)

    def _chart(self, chart: Chart) -> None:
        drawing = worded(chart.draw(_CHART), self._wording)
        scale = self._scale(drawing.width)
        if chart.zoom and (scale < _LEAST_SCALE or drawing.height * scale > _SHEET):
            text = self._wording.translate(_TOO_LARGE)
            self._set.paragraph((Span(text, Style(Tone.SECONDARY)),), _BODY)
            return
        scale = min(scale, _SHEET / drawing.height)
        self._paper.need(drawing.height * scale)
        self._paper.y += self._paper.drawing(drawing, MARGIN, drawing.width * scale) + 4

    def _scale(self, width: float) -> float:
        return ROOM / max(width, _CHART)

    def _picture(self, picture: Picture) -> None:
        wide, tall = _picture_size(picture)
        self._paper.need(tall + 6)
        text = self._wording.text(picture.text)
        top = self._paper.y + 3
        self._paper.image(BytesIO(picture.png), MARGIN, top, wide, tall, alt_text=text)
        self._paper.y = top + tall + 4

    def _snippet(self, snippet: Snippet) -> None:
        """Write lines to paste on a ground of their own."""
        self._paper.y += 3
        self._paper.need(_SMALL.leading + 2 * _ABOVE_SNIPPET)
        self._ground(_ABOVE_SNIPPET)
        self._paper.y += _ABOVE_SNIPPET
        for row in snippet.text.splitlines():
            shown = visible(row)
            indent = len(shown) - len(shown.lstrip())
            left = _INSET + indent * self._set.width((Span(" "),), _SMALL) * _WIDE_SPACE
            text = (Span(shown.strip()),)
            for line in self._set.lines(text, ROOM - left - 4, _SMALL) or [()]:
                self._paper.need(_SMALL.leading + _ABOVE_SNIPPET)
                self._ground(_SMALL.leading)
                self._set.write([line], MARGIN + left, _SMALL)
        self._ground(_ABOVE_SNIPPET)
        self._paper.y += _ABOVE_SNIPPET + 4

    def _ground(self, tall: float) -> None:
        """Draw the ground of lines to paste, from here down."""
        self._paper.set_fill_color(color("hover"))
        self._paper.rect(MARGIN, self._paper.y, ROOM, tall + 0.2, style="F")

    def _legend(self, legend: Legend) -> None:
        """Draw marks with their meanings, as many in a line as fit."""
        paper, left = self._paper, MARGIN
        paper.need(_SMALL.leading + _BELOW_HEADING)
        for mark in legend.marks:
            text = units.clip(self._wording.text(mark.text or mark.mark.label))
            spans = self._set.spans(text, Style(Tone.SECONDARY))
            wide = 12 + self._set.width(spans, _SMALL)
            if left > MARGIN and left + wide > MARGIN + ROOM:
                left = MARGIN
                paper.y += _SMALL.leading
                paper.need(_SMALL.leading)
            middle = paper.y + _SMALL.leading / 2
            paper.mark(mark.mark, mark.family, left + 4, middle, 8)
            self._set.line(spans, left + 12, paper.y + _SMALL.base, _SMALL)
            left += wide + 12
        paper.y += _SMALL.leading + 2


def _picture_size(picture: Picture) -> tuple[float, float]:
    """Return how wide and tall a picture is on paper, in points."""
    wide, tall = picture.width * _PICTURE, picture.height * _PICTURE
    scale = min(1.0, ROOM / wide, _TALLEST_PICTURE / tall)
    return wide * scale, tall * scale
