"""Text in several styles, and its lines in a room: for surfaces that lay out text themselves.

A renderer's markup returns text; here styles are control characters in it. They cannot come
from a file, whose control characters `units.visible` has made readable.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from inspector.render.names import visible
from inspector.wording.values import Markup, Tone, Toned, Value, Wording

_CODE = "\x01"
_NAME = "\x02"
_END = "\x03"
_TONES = {chr(0x10 + place): tone for place, tone in enumerate(Tone)}
_STRONG = "\x04"
_CONTROLS = re.compile("([\x01-\x04\x10-\x1f])")
_LEAST_FILLED = 0.3  # of a line, where a long name is broken at a capital letter
# The last part of a file's name stays with what is in front of it: "model_", "int8.onnx".
_NAME_PART = re.compile(r"(?:[^/._;:]|\.(?=[a-z]{2,6}$))*+[/._;:]+|.+")


class Style(Struct, frozen=True):
    """How a part of a text is drawn. name: lines may end behind its separators."""

    tone: Tone = Tone.PLAIN
    strong: bool = False
    code: bool = False
    name: bool = False


PLAIN = Style()


class Span(Struct, frozen=True):
    """A part of a text in one style."""

    text: str
    style: Style = PLAIN


Line = tuple[Span, ...]
Width = Callable[[Span], float]


def spans(value: Value, wording: Wording, style: Style = PLAIN) -> Line:
    """Return a value as text with its styles."""
    return tuple(_parsed(wording.text(value, _MARKUP), style))


def lines(text: Sequence[Span], room: float, width: Width) -> list[Line]:
    """Wrap a text between its words, behind separators of names, and else where it must."""
    result, line, used = list[Line](), list[Span](), 0.0
    for word in _words(text):
        wide = sum(map(width, word))
        if line and used + wide > room:
            result.append(joined(line))
            line, used = [], 0.0
        if not line:
            word = _without_space(word)
            wide = sum(map(width, word))
        if wide > room:
            *whole, rest = _cut(word, room, width)
            result += map(joined, whole)
            word, wide = rest, sum(map(width, rest))
        line += word
        used += wide
    if line:
        result.append(joined(line))
    return result


def widest_word(text: Sequence[Span], width: Width) -> float:
    """Return the width of the longest part in which no line may end."""
    words = (sum(map(width, _without_space(word))) for word in _words(text))
    return max(words, default=0.0)


def _parsed(text: str, base: Style) -> Iterator[Span]:
    stack = [base]
    for part in _CONTROLS.split(text):
        if part == _CODE:
            stack.append(replace(stack[-1], code=True))
        elif part == _NAME:
            stack.append(replace(stack[-1], name=True))
        elif part == _STRONG:
            stack.append(replace(stack[-1], strong=True))
        elif part in _TONES:
            stack.append(replace(stack[-1], tone=_TONES[part]))
        elif part == _END:
            stack.pop()
        elif part:
            yield Span(part, stack[-1])


def _words(text: Sequence[Span]) -> Iterator[list[Span]]:
    """Yield what stays in one line; a space in front of a word belongs to it."""
    word = list[Span]()
    for span in text:
        for part in re.split(r"(?= )", span.text):
            if part.startswith(" ") and word:
                yield word
                word = []
            pieces = _NAME_PART.findall(part) if span.style.name else [part]
            for piece in filter(None, pieces):
                if word and span.style.name and _may_end(word[-1]):
                    yield word
                    word = []
                word.append(Span(piece, span.style))
    if word:
        yield word


def _may_end(span: Span) -> bool:
    """Return whether a line may end behind a part of a name."""
    return span.style.name and len(span.text) > 1 and span.text[-1] in "/._;:"


def _without_space(word: Sequence[Span]) -> list[Span]:
    first, *rest = word
    text = first.text.lstrip(" ")
    return [Span(text, first.style), *rest] if text else rest


def _cut(word: Sequence[Span], room: float, width: Width) -> list[list[Span]]:
    """Break a word that is longer than a line, before a capital letter in it where there is
    one near the end of a line, else between its letters."""
    result, line, used = list[list[Span]](), list[Span](), 0.0
    for span in word:
        for letter in span.text:
            wide = width(Span(letter, span.style))
            if line and used + wide > room:
                end = _hump(line, letter)
                result.append(line[:end])
                line = line[end:]
                used = sum(map(width, line))
            line.append(Span(letter, span.style))
            used += wide
    return [*result, line]


def _hump(line: Sequence[Span], following: str) -> int:
    """Return how many letters of a name such as LayerNormalization end a line best: those
    before the last capital behind a small letter; all where that is too far back."""
    letters = [each.text for each in line] + [following]
    for place in range(len(line), int(_LEAST_FILLED * len(line)), -1):
        if letters[place].isupper() and letters[place - 1].islower():
            return place
    return len(line)


def joined(line: Sequence[Span]) -> Line:
    """Return a line with neighbors of one style as one."""
    result = list[Span]()
    for span in line:
        if result and result[-1].style == span.style:
            result[-1] = Span(result[-1].text + span.text, span.style)
        else:
            result.append(span)
    return tuple(result)


def _code(text: str) -> str:
    return _CODE + text + _END


def _name(text: str) -> str:
    return _NAME + text + _END


def _toned(text: str, value: Toned) -> str:
    tone = next(sign for sign, tone in _TONES.items() if tone is value.tone)
    toned = tone + text + _END
    return _STRONG + toned + _END if value.strong else toned


# The fonts of documents have no letters of such heights.
_MARKUP = Markup(visible, _name, _code, _toned, curve=lambda _: "")
