"""What stands in a sentence, a fact or the cell of a table, and how it is written.

Numbers stay numbers with a unit until a renderer writes them in its language; text of a file is
a `Name`, which each renderer escapes in its own way. `Wording` is a language, `Markup` the way
in which a renderer sets names and commands apart.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Any

from msgspec import Struct

from inspector import units
from inspector.wording import class_scores
from inspector.wording.support_marks import Mark

_LONGEST_NAME = 300  # letters; a hostile one may have eight million
_LONGEST_CODE = 2000  # letters; a command with a hostile path may have eight million
_LONGEST_TEXT = 4000  # letters; sentences may quote a file
_HEIGHTS = "▁▂▃▄▅▆▇█"
_TARGET = re.compile(r"#[\w-]+|(?!/)(?!.*//)[\w.~%+/-]+", re.ASCII)  # no scheme, no host
_FIELD = re.compile(r"\{(\w+)\}")
_POINT_AND_COMMA = str.maketrans(".,", ",.")
# Numbers within finished text: with a unit, which versions lack, or with thousands. What has
# another language's signs already is left alone: "2,314 ms" (no time has thousands), "1.234%".
_SCALED = r"(?:[µnm]?s|[KMGT]i?B(?!/))\b"
_RELATIVE = r"(?:%|×|GB/s|M\b|dB\b|points\b|Punkte?n?\b|(?:to|bis) \d)"
_NUMBER_IN_TEXT = re.compile(
    rf"(?<![\w.,])(?:[1-9]\d{{0,2}}(?:,\d{{3}})+(?:\.\d+)?(?!\s?{_SCALED})"
    rf"|\d+\.\d+(?=\s?{_SCALED})"
    rf"|(?![1-9]\d{{0,2}}\.\d{{3}}(?!\d))\d+\.\d+(?=\s?{_RELATIVE}))(?![\d.,]*\d)"
)


class Tone(Enum):
    """What a text means to its reader; the color of it where there is any."""

    PLAIN = "plain"
    SECONDARY = "secondary"
    GOOD = "good"
    CAUTION = "caution"
    BAD = "bad"


class Name(Struct, frozen=True):
    """Text of a file or a person: a layer, a path, a label. Never trusted, always escaped."""

    text: str


class Code(Struct, frozen=True):
    """Something to type or to paste: a command, an option, an identifier of ours."""

    text: str


class Duration(Struct, frozen=True):
    """A length of time in nanoseconds. clock_ns: below this step of the clock, "< 1 µs"."""

    ns: float
    clock_ns: float = 0.0
    signed: bool = False


class DurationRange(Struct, frozen=True):
    """An interval of times in nanoseconds: "2.31 ms to 2.35 ms"."""

    low_ns: float
    high_ns: float
    clock_ns: float = 0.0


class Size(Struct, frozen=True):
    """An amount of memory in bytes."""

    bytes: float
    signed: bool = False


class SizeRange(Struct, frozen=True):
    """From so many bytes to so many: "12.0 to 18.0 MiB"."""

    low_bytes: float
    high_bytes: float


class Share(Struct, frozen=True):
    """A part of a whole, written in percent: "2.3%", "< 0.1%"; of nothing "n/a"."""

    part: float
    whole: float = 1.0


class Change(Struct, frozen=True):
    """A ratio of two amounts as what is more or less: 1.05 is "+5.0%"."""

    ratio: float


class Count(Struct, frozen=True):
    """How many of something: "12,345 layers". Without a noun only the number."""

    number: int
    noun: str = ""


class Number(Struct, frozen=True):
    """Another number, with so many significant digits and its unit: "29.4 GB/s"."""

    value: float
    unit: str = ""
    digits: int = 3


class Spread(Number, frozen=True):
    """A number with the least and the most that it was; a bar has a line between these."""

    low: float = 0.0
    high: float = 0.0


class Real(Struct, frozen=True):
    """A number of any size, such as an element of a tensor: "-0.4489", "2.52e-11", "NaN"."""

    value: float
    digits: int = 4


class Probability(Struct, frozen=True):
    """A probability from 0 to 1 in percent, with so many decimal places: "> 99.99%"."""

    value: float
    places: int = 2


class Amount(Struct, frozen=True):
    """A large count in thousands, millions, ...: "5.60 M"."""

    number: float


class Rate(Struct, frozen=True):
    """How often something happens in a second: "532 /s"."""

    per_second: float


class MarkValue(Struct, frozen=True):
    """Whether a layer ran on a device, as the mark that the window draws.

    family: colors it, "cpu", "gpu" or "npu". text: what it means, for those who see no mark.
    """

    mark: Mark
    family: str
    text: str


class _Phrase(str):
    """English text that remembers its parts, also where another text is added to it."""

    __slots__ = ()

    def __add__(self, other: str) -> "Joined":
        """Return both, one behind the other."""
        return Joined((self, other), "")

    def __radd__(self, other: str) -> "Joined":
        """Return both, one behind the other."""
        return Joined((other, self), "")


class Sentence(_Phrase):
    """A sentence made from a template with fields in braces: "{share} of the time".

    It is its English text, for scripts and for whoever knows no languages, and remembers how it
    was made: the template is its entry in the catalog of translations, and its id. A page and
    the window write it again, in their language.
    """

    __slots__ = ("template", "values")
    __match_args__ = ("template", "values")
    template: str
    values: "Mapping[str, Value]"

    def __new__(cls, template: str, /, *values: "Value", **named: "Value") -> "Sentence":
        """Fill the fields of a template with values in their order, or by their names."""
        if values:
            fields = dict.fromkeys(_FIELD.findall(template))
            named = dict(zip(fields, values, strict=True))
        parts = _FIELD.split(template)  # text, name, text, name, text
        parts[1::2] = (_in_text(named[name]) for name in parts[1::2])
        made = super().__new__(cls, "".join(parts))
        made.template, made.values = template, named
        return made

    def __reduce__(self) -> "tuple[Any, ...]":
        """Return what a copy is made from."""
        return _filled, (self.template, self.values)


class Joined(_Phrase):
    """Values one after the other with a separator between them: "Conv, Add, Mul"."""

    __slots__ = ("parts", "separator")
    __match_args__ = ("parts", "separator")
    parts: "tuple[Value, ...]"
    separator: str

    def __new__(cls, parts: "Iterable[Value]", separator: str = ", ") -> "Joined":
        """Join values."""
        parts = tuple(parts)
        made = super().__new__(cls, separator.join(map(_in_text, parts)))
        made.parts, made.separator = parts, separator
        return made

    def __reduce__(self) -> "tuple[Any, ...]":
        """Return what a copy is made from."""
        return Joined, (self.parts, self.separator)


class Capital(Struct, frozen=True):
    """A value that begins with a capital letter, whatever its language: a clause as a title."""

    value: "Value"


class Toned(Struct, frozen=True):
    """A value with a tone of its own: "WRONG" in a row of plain facts."""

    value: "Value"
    tone: Tone
    strong: bool = False


class Noted(Struct, frozen=True):
    """A value with more than a cell has room for.

    note: shown where a reader points at it. order: the number that it is sorted by, where its
    own is not it; nan stands last. spoken: what a screen reader says instead of a value with
    signs; filters find it too.
    """

    value: "Value"
    note: "Value" = ""
    order: float | None = None
    spoken: "Value" = ""


class Link(Struct, frozen=True):
    """A value that leads elsewhere: to "#id" on its page, or to a file beside the page.

    Only renderers that have links follow `safe_target`; the others show the value alone.
    """

    value: "Value"
    target: str

    @property
    def safe_target(self) -> str:
        """Return the target if it can lead only to the page or below its folder, else ""."""
        return self.target if _TARGET.fullmatch(self.target) else ""


class Curve(Struct, frozen=True):
    """Amounts from the oldest to the newest as a small curve; letters where none is drawn."""

    values: tuple[float, ...]

    @property
    def letters(self) -> str:
        """Return the amounts as letters of different heights."""
        low, high = min(self.values, default=0), max(self.values, default=0)
        scale = (len(_HEIGHTS) - 1) / (high - low) if high > low else 0.0
        return "".join(_HEIGHTS[round((each - low) * scale)] for each in self.values)


# An int is a number that names something: an index, a version, a year. A `Count` counts.
Value = (
    str | int | Name | Code | Duration | DurationRange | Size | SizeRange | Share | Change
    | Count | Number | Real | Probability | Amount | Rate | MarkValue | Sentence | Joined
    | Capital | Toned | Noted | Link | Curve
)  # fmt: skip


def joined(*values: Value, separator: str = ", ") -> str:
    """Return the values that are not empty, one after the other."""
    return Joined((value for value in values if value), separator)


def counted(number: int, noun: str) -> Sentence:
    """Return how many of something as a sentence of its own: "3 layers"."""
    return Sentence("{count}", Count(number, noun))


def bare(value: Value) -> Value:
    """Return a value without its notes, tones and links."""
    while isinstance(value, Noted | Toned | Link):
        value = value.value
    return value


def same(text: str) -> str:
    """Return the text as it is."""
    return text


class Markup(Struct, frozen=True):
    """How a renderer writes the kinds of text: each function takes raw text and escapes it.

    text: of Inspector. name: of a file, clipped and made visible already. code: to paste.
    toned: sets off a text that is escaped already, by its tone; strong or not. noted: adds a
    note, not escaped yet, to a text that is, where readers can point at it. linked: makes a
    text that is escaped lead to a target. curve: draws amounts.
    """

    text: Callable[[str], str] = same
    name: Callable[[str], str] = same
    code: Callable[[str], str] = same
    toned: Callable[[str, Toned], str] = lambda text, value: text
    mark: Callable[[MarkValue], str] | None = None
    noted: Callable[[str, str], str] = lambda text, note: text
    linked: Callable[[str, str], str] = lambda text, target: text
    curve: Callable[[Curve], str] = lambda curve: curve.letters


PLAIN = Markup()


class Wording(Struct, frozen=True):
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
            case Name(text):
                return markup.name(units.clip(text, _LONGEST_NAME))
            case Code(text):
                return markup.code(units.clip(text, _LONGEST_CODE))
            case Sentence():
                return self._sentence(value, markup)
            case Joined(parts, separator):
                between = (
                    self.translate(separator) if separator.strip().isalpha() else separator
                )
                return markup.text(between).join(self.text(part, markup) for part in parts)
            case str():
                return self._prose(self.finished(value), markup)
            case Noted():
                return markup.noted(self.text(value.value, markup), self.text(value.note))
            case Capital(inner):
                return units.capitalized(self.text(inner, markup))
            case Toned():
                return markup.toned(self.text(value.value, markup), value)
            case Link(inner):
                text, target = self.text(inner, markup), value.safe_target
                return markup.linked(text, target) if target and text else text
            case Curve():
                return markup.curve(value)
            case MarkValue():
                if markup.mark:
                    return markup.mark(value)
                return markup.text(self.translate(value.mark.label))
            case DurationRange(low_ns, high_ns, clock_ns):
                ends = units.duration_ends(low_ns, high_ns, clock_ns)
                return markup.text(self._range(*ends))
            case SizeRange(low_bytes, high_bytes):
                return markup.text(self._range(*units.size_ends(low_bytes, high_bytes)))
            case Count(number, noun) if noun:
                text = self.plural(number, noun)
                return markup.text(self._localized(text))
            case _:
                return markup.text(self._localized(_number(value)))

    def finished(self, text: str) -> str:
        """Translate text of ours, which may have numbers in it."""
        translation = self.translate(text)
        if not self.decimal_comma:
            return translation
        return _NUMBER_IN_TEXT.sub(lambda number: self._localized(number[0]), translation)

    def more(self, number: int, noun: str, markup: Markup = PLAIN) -> str:
        """Return how many rows or items are left out: "and 12 more layers"."""
        return self.text(Sentence("and {more}", Count(number, f"more {noun}")), markup)

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

    def _range(self, low: str, high: str) -> str:
        template = self.translate("{low} to {high}" if low else "up to {high}")
        return template.format(low=self._localized(low), high=self._localized(high))

    def _localized(self, number: str) -> str:
        return number.translate(_POINT_AND_COMMA) if self.decimal_comma else number


def _filled(template: str, values: Mapping[str, Value]) -> Sentence:
    return Sentence(template, **values)


def _in_text(value: Value) -> str:
    return str(value) if isinstance(value, str) else ENGLISH.text(value)


def _number(value: Value) -> str:
    match value:
        case int():
            return str(value)
        case Duration(ns, clock_ns, signed):
            return units.signed(ns, units.duration) if signed else units.duration(ns, clock_ns)
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
        case Real(number, digits):
            return f"{number:.{digits}g}".replace("nan", "NaN").replace("inf", "∞")
        case Probability(number, places):
            return class_scores.share(number, places)
        case Amount(number):
            return units.count(number)
        case Rate(per_second):
            return f"{units.rate(per_second)} /s"
        case _:
            raise TypeError(f"{type(value).__name__} is no value of a page")


ENGLISH = Wording()
