"""Amounts as bars: a line for each, shares of a whole in one bar, and a histogram."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from inspector.pages.charts.drawing import (
    MARGIN,
    Box,
    Drawing,
    Label,
    Line,
    Shape,
    fitting,
    text_width,
)
from inspector.wording.values import Count, Joined, Sentence, Share, Value

ROW = 22.0  # pixels from a line to the next, as all below
BEGIN = 36.0  # of the lines below the title of a drawing
TALL_ROW = 34.0  # where the name stands above its bar
# bars beside a name, below it, and of a whole
_THICK = 11.0
_THIN = 6.0
_WHOLE = 12.0
_BETWEEN = 5.0  # from the bars of a line to those of the next, where a line has several
_MOST_NAMES = 252.0
_NAMES_SHARE = 0.42  # of the width, at most
_INSET = 14.0
_GAP = 20.0  # between the columns at the right end
_FADING = (1.0, 0.64, 0.42, 0.26, 0.16)  # opacity of the parts of a whole, the largest first


class Bar(Struct, frozen=True):
    """An amount: share of the room for bars, from begin on. words: at the right end.

    tick: share of the room where a short line stands. aside: in a column before the words.
    title: of the tooltip, else name and words. inside: whether it is a part of the one before.
    more: shares and colors of further bars in its line. reach: shares where a line over it
    begins and ends.
    """

    name: Value
    share: float
    words: Value = ""
    tint: str = "accent"
    opacity: float = 1.0
    begin: float = 0.0
    tick: float | None = None
    aside: str = ""
    title: Value = ""
    key: str = ""
    inside: bool = False
    more: tuple[tuple[float, str], ...] = ()
    reach: tuple[float, float] | None = None

    @property
    def said(self) -> Value:
        """Return all of it in one line."""
        return self.title or Joined(tuple(filter(None, (self.name, self.words))), ": ")


def height(bars: Sequence[Bar]) -> float:
    """Return the height of lines of bars with the margin below."""
    return len(bars) * ROW + MARGIN


def lines(bars: Sequence[Bar], width: float, top: float = BEGIN) -> Iterator[Shape]:
    """Yield a line for each bar: its name, the bar and its words in a column each."""
    widest = max((text_width(bar.name) + _INSET * bar.inside for bar in bars), default=0)
    left = MARGIN + min(widest, _MOST_NAMES, _NAMES_SHARE * width) + 12
    words = max((text_width(bar.words) for bar in bars), default=0.0)
    room = max(1.0, width - left - words - 12 - MARGIN)
    for place, bar in enumerate(bars):
        y, inset = top + place * ROW, _INSET * bar.inside
        tone = "secondary" if bar.inside else "text"
        row = (MARGIN, y, width - 2 * MARGIN, ROW)
        yield Box(*row, "surface", 0.0, bar.said, key=bar.key)
        name = fitting(bar.name, left - 12 - MARGIN - inset)
        yield Label(MARGIN + inset, y + 15, name, tone)
        every = ((bar.share, bar.tint), *bar.more)
        step = _THICK if len(every) == 1 else (ROW - _BETWEEN) / len(every)
        for number, (share, tint) in enumerate(every):
            if share:
                at, wide = left + bar.begin * room, max(1.0, share * room)
                y_bar = y + (ROW - len(every) * step) / 2 + number * step
                tall = step - (len(every) > 1)
                yield Box(at, y_bar, wide, tall, tint, bar.opacity, radius=2)
        yield from _reach(bar, left, room, y + ROW / 2)
        if bar.tick is not None:
            x = left + bar.tick * room
            yield Line(((x, y + 3), (x, y + ROW - 3)), "text", 1.6)
        yield Label(width - MARGIN, y + 15, bar.words, tone, anchor="end")


def tall_lines(bars: Sequence[Bar], width: float, top: float = 8.0) -> Iterator[Shape]:
    """Yield name and words above each bar, which is as wide as the drawing.

    The first of them is set off.
    """
    room = width - 2 * MARGIN
    words = max((text_width(bar.words, 13, True) for bar in bars), default=0.0) + _GAP
    asides = max((text_width(bar.aside) for bar in bars), default=0.0)
    for place, bar in enumerate(bars):
        y, bold = top + place * TALL_ROW, bar.opacity == 1
        yield Box(MARGIN, y, room, TALL_ROW, "surface", 0.0, bar.said, key=bar.key)
        name = fitting(bar.name, room - words - asides - _GAP, 13)
        yield Label(MARGIN, y + 16, name, size=13, bold=bold)
        yield Label(width - MARGIN - words, y + 16, bar.aside, "tertiary", anchor="end")
        yield Label(width - MARGIN, y + 16, bar.words, size=13, bold=bold, anchor="end")
        y += TALL_ROW - 9
        yield Box(MARGIN, y, room, _THIN, "track", radius=3)
        at, filled = MARGIN + bar.begin * room, bar.share * room
        if filled >= 1:
            yield Box(at, y, filled, _THIN, bar.tint, bar.opacity, radius=3)
        if bar.tick is not None:
            x = MARGIN + bar.tick * room
            yield Line(((x, y - 2), (x, y + _THIN + 2)), "border")
        yield from _reach(bar, MARGIN, room, y + _THIN / 2)


def _reach(bar: Bar, left: float, room: float, y: float) -> Iterator[Line]:
    if bar.reach is not None:
        yield Line(tuple((left + share * room, y) for share in bar.reach), "text", 1.2)


def whole(bars: Sequence[Bar], width: float, top: float) -> Iterator[Shape]:
    """Yield one bar whose parts are as long as their shares, from left to right."""
    x, total = MARGIN, sum(bar.share for bar in bars) or 1.0
    yield Box(MARGIN, top, width - 2 * MARGIN, _WHOLE, "track", radius=3)
    for bar in bars:
        wide = (width - 2 * MARGIN) * bar.share / total
        shown = max(1.0, wide - min(1.5, wide / 4))
        if bar.share:
            yield Box(x, top, shown, _WHOLE, bar.tint, bar.opacity, bar.said, 2, key=bar.key)
        x += wide


def shares(bars: Sequence[Bar], width: float) -> Drawing:
    """Draw the largest parts of a whole over a line for each; what is over becomes one."""
    parts = sorted(bars, key=lambda bar: -bar.share)
    if len(parts) > len(_FADING):
        rest = parts[len(_FADING) - 1 :]
        others = Sentence("{count} others", Count(len(rest)))
        left = sum(bar.share for bar in rest)
        parts[len(_FADING) - 1 :] = [Bar(others, left, Share(left))]
    top = 8 + _WHOLE + 6
    faded = [replace(bar, opacity=tone) for bar, tone in zip(parts, _FADING, strict=False)]
    shapes = list(whole(faded, width, 8))
    for place, bar in enumerate(faded):
        y = top + place * ROW
        shapes.append(Box(MARGIN, y + 7, 8, 8, bar.tint, bar.opacity, radius=2))
        name = fitting(bar.name, width - 3 * MARGIN - 24 - text_width(bar.words))
        shapes.append(Label(MARGIN + 16, y + 15, name))
        shapes.append(Label(width - MARGIN, y + 15, bar.words, "secondary", anchor="end"))
    return Drawing("", width, top + len(faded) * ROW, tuple(shapes))


def shares_of(amounts: Sequence[tuple[Value, float, Value]]) -> tuple[Bar, ...]:
    """Return amounts as parts of their sum: each a name, how much, and that in words."""
    total = sum(amount for _, amount, _ in amounts) or 1.0
    return tuple(
        Bar(name, amount / total, Joined((words, Share(amount / total)), " · "))
        for name, amount, words in amounts
    )
