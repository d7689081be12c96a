"""Lines of text in several styles on the sheets of a PDF."""

from collections.abc import Sequence

from msgspec import Struct

from inspector.pages.charts.drawing import color
from inspector.render import rich_text
from inspector.render.fonts import width as font_width
from inspector.render.paper import MARGIN, ROOM, Paper
from inspector.render.rich_text import PLAIN, Line, Span, Style
from inspector.wording.values import Tone, Value, Wording

_TINTS = {
    Tone.PLAIN: "text",
    Tone.SECONDARY: "secondary",
    Tone.GOOD: "good",
    Tone.CAUTION: "caution",
    Tone.BAD: "bad",
}


_ROUNDING = 0.01  # points: sums of widths differ in their last digit


class Type(Struct, frozen=True):
    """A size of letters in points. bold: all of them, whatever their style."""

    size: float
    bold: bool = False

    @property
    def leading(self) -> float:
        """The height of a line."""
        return self.size * 1.4

    @property
    def base(self) -> float:
        """The base of the letters below the top of their line."""
        return self.size * 1.06


class TypeSetter:
    """Writes values on paper in a language."""

    def __init__(self, paper: Paper, wording: Wording) -> None:
        self.paper, self.wording = paper, wording

    def spans(self, value: Value, style: Style = PLAIN) -> Line:
        """Return a value as text with its styles; a plain style is that of its place."""
        return rich_text.spans(value, self.wording, style)

    def width(self, text: Sequence[Span], kind: Type) -> float:
        """Return how wide a text is in one line, in points."""
        return sum(_width(span, kind) for span in text)

    def lines(self, text: Sequence[Span], room: float, kind: Type) -> list[Line]:
        """Return the lines of a text in a room."""
        room += _ROUNDING
        if self.width(text, kind) <= room:
            return [rich_text.joined(text)] if text else []
        return rich_text.lines(text, room, lambda span: _width(span, kind))

    def widest_word(self, text: Sequence[Span], kind: Type) -> float:
        """Return the room that a text needs at least."""
        return rich_text.widest_word(text, lambda span: _width(span, kind))

    def paragraph(self, text: Sequence[Span], kind: Type, indent: float = 0.0) -> None:
        """Write a text over the width of the sheet."""
        self.write(self.lines(text, ROOM - indent, kind), MARGIN + indent, kind)

    def write(self, lines: Sequence[Line], left: float, kind: Type) -> None:
        """Write lines below each other, on the next sheet where this one is full."""
        for line in lines:
            self.paper.need(kind.leading)
            self.line(line, left, self.paper.y + kind.base, kind)
            self.paper.y += kind.leading

    def line(self, line: Sequence[Span], left: float, base: float, kind: Type) -> None:
        """Write one line whose base is at a height."""
        for span in line:
            wide = _width(span, kind)
            if span.style.code:
                self._ground(left, base, wide, kind)
            bold = kind.bold or span.style.strong
            tint = _TINTS[span.style.tone]
            if span.text.strip():
                self.paper.draw_text(left, base, span.text, kind.size, "L", tint, bold)
            left += wide

    def rest(self, count: int, noun: str, rest: Value, indent: float = 0.0) -> None:
        """Write how many more there are, and where."""
        text = self.wording.more(count, noun)
        spans = [Span(text, Style(Tone.SECONDARY))]
        if rest:
            spans.append(Span("; ", Style(Tone.SECONDARY)))
            spans += self.spans(rest, Style(Tone.SECONDARY))
        self.paragraph(spans, Type(7.5), indent)

    def _ground(self, left: float, base: float, wide: float, kind: Type) -> None:
        """Draw the ground on which a command stands."""
        self.paper.set_fill_color(color("hover"))
        self.paper.rect(left - 1, base - kind.size * 0.92, wide + 2, kind.size * 1.2, style="F")


def _width(span: Span, kind: Type) -> float:
    return kind.size * font_width(span.text, kind.bold or span.style.strong)
