"""Values as text in one language; how a name or a command is set apart is the renderer's."""

from collections.abc import Callable
from dataclasses import dataclass

from inspector import units
from inspector.pages.blocks import (
    Amount,
    Change,
    Code,
    Count,
    Duration,
    DurationRange,
    Joined,
    MarkValue,
    Name,
    Number,
    Rate,
    Sentence,
    Share,
    Size,
    Toned,
    Value,
)

_LONGEST_NAME = 300  # letters; a hostile one may have eight million
_LONGEST_TEXT = 4000  # letters; sentences may quote a file
_POINT_AND_COMMA = str.maketrans(".,", ",.")


def same(text: str) -> str:
    """Return the text as it is."""
    return text


@dataclass(frozen=True, slots=True)
class Markup:
    """How a renderer writes the kinds of text: each function takes raw text and escapes it.

    text: of Inspector. name: of a file, clipped and made visible already. code: to paste.
    toned: sets off a text that is escaped already, by its tone; strong or not.
    """

    text: Callable[[str], str] = same
    name: Callable[[str], str] = same
    code: Callable[[str], str] = same
    toned: Callable[[str, Toned], str] = lambda text, value: text
    mark: Callable[[MarkValue], str] | None = None


PLAIN = Markup()


@dataclass(frozen=True, slots=True)
class Wording:
    """A language. translate: of a text or template of ours. plural: "3 layers".

    decimal_comma: whether numbers are written 1.234,5.
    """

    code: str = "en"
    translate: Callable[[str], str] = same
    plural: Callable[[int, str], str] = units.plural
    decimal_comma: bool = False

    def text(self, value: Value, markup: Markup = PLAIN) -> str:
        """Return a value as text with the markup of a renderer."""
        match value:
            case str():
                return self._prose(self.translate(value), markup)
            case Name(text):
                return markup.name(units.clip(text, _LONGEST_NAME))
            case Code(text):
                return markup.code(text)
            case Sentence():
                return self._sentence(value, markup)
            case Joined(parts, separator):
                return markup.text(separator).join(self.text(part, markup) for part in parts)
            case Toned():
                return markup.toned(self.text(value.value, markup), value)
            case MarkValue():
                return markup.mark(value) if markup.mark else markup.text(value.mark.label)
            case Count(number, noun) if noun:
                text = self.plural(number, noun)
                return markup.text(self._localized(text))
            case _:
                return markup.text(self._localized(_number(value)))

    def _sentence(self, sentence: Sentence, markup: Markup) -> str:
        """Fill the fields of a template, in the order in which the language has them."""
        rest, parts = self.translate(sentence.template), list[str]()
        while rest:
            before, brace, rest = rest.partition("{")
            parts.append(self._prose(before, markup))
            if brace:
                name, _, rest = rest.partition("}")
                parts.append(self.text(sentence.values[name], markup))
        return "".join(parts)

    def _prose(self, text: str, markup: Markup) -> str:
        """Return text of ours, in which commands stand in backticks."""
        plain, *others = units.clip(text, _LONGEST_TEXT).split("`")
        parts = [markup.text(plain)]
        for place, part in enumerate(others):
            parts.append(markup.text(part) if place % 2 else markup.code(part))
        return "".join(parts)

    def _localized(self, number: str) -> str:
        return number.translate(_POINT_AND_COMMA) if self.decimal_comma else number


def _number(value: Value) -> str:
    match value:
        case Duration(ns, clock_ns, signed):
            return units.signed(ns, units.duration) if signed else units.duration(ns, clock_ns)
        case DurationRange(low_ns, high_ns, clock_ns):
            return units.durations(low_ns, high_ns, clock_ns)
        case Size(size_bytes, signed):
            return units.signed(size_bytes, units.size) if signed else units.size(size_bytes)
        case Share(part, whole):
            return units.share(part, whole)
        case Change(ratio):
            return "=" if ratio == 1 else units.change(ratio)
        case Count(number):
            return f"{number:,}"
        case Number(amount, unit, digits):
            return f"{units.significant(amount, digits)} {unit}".rstrip()
        case Amount(number):
            return units.count(number)
        case Rate(per_second):
            return f"{units.rate(per_second)} /s"
        case _:
            raise TypeError(f"{type(value).__name__} is no value of a page")


ENGLISH = Wording()
