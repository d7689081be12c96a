"""The blocks that a page consists of: values that say what there is, not how it looks.

    Page("comparison", "Comparison of a.onnx and b.onnx", sections)
    Section("layers", "Layers", (Table(columns, rows),), rank=Rank.DOCUMENT)

Text that Inspector wrote is a `str` or a `Sentence`; text of a file is a `Name`, which each
renderer escapes in its own way. Numbers stay numbers with a unit until a renderer writes them
in its language. A renderer shows every kind of block; none may ask which subject it shows.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.export.charts.drawing import Drawing
    from inspector.report.support_marks import Mark


class Rank(IntEnum):
    """Where a section stands: a surface shows the ranks up to its own."""

    TERMINAL = 0  # everywhere
    DOCUMENT = 1  # in documents and the window; in a terminal with --verbose
    FOLDED = 2  # where a reader opens it: folded in documents, the window's details


class Tone(Enum):
    """What a text means to its reader; the color of it where there is any."""

    PLAIN = "plain"
    SECONDARY = "secondary"
    GOOD = "good"
    CAUTION = "caution"
    BAD = "bad"


# Values: what stands in a sentence, a fact or the cell of a table.


@dataclass(frozen=True, slots=True)
class Name:
    """Text of a file or a person: a layer, a path, a label. Never trusted, always escaped."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """Something to type or to paste: a command, an option, an identifier of ours."""

    text: str


@dataclass(frozen=True, slots=True)
class Duration:
    """A length of time in nanoseconds. clock_ns: below this step of the clock, "< 1 µs"."""

    ns: float
    clock_ns: float = 0.0
    signed: bool = False


@dataclass(frozen=True, slots=True)
class DurationRange:
    """An interval of times in nanoseconds: "2.31 ms to 2.35 ms"."""

    low_ns: float
    high_ns: float
    clock_ns: float = 0.0


@dataclass(frozen=True, slots=True)
class Size:
    """An amount of memory in bytes."""

    bytes: float
    signed: bool = False


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a whole, written in percent: "2.3%", "< 0.1%"; of nothing "n/a"."""

    part: float
    whole: float = 1.0


@dataclass(frozen=True, slots=True)
class Change:
    """A ratio of two amounts as what is more or less: 1.05 is "+5.0%"."""

    ratio: float


@dataclass(frozen=True, slots=True)
class Count:
    """How many of something: "12,345 layers". Without a noun only the number."""

    number: int
    noun: str = ""


@dataclass(frozen=True, slots=True)
class Number:
    """Another number, with so many significant digits and its unit: "29.4 GB/s"."""

    value: float
    unit: str = ""
    digits: int = 3


@dataclass(frozen=True, slots=True)
class Amount:
    """A large count in thousands, millions, ...: "5.60 M"."""

    number: float


@dataclass(frozen=True, slots=True)
class Rate:
    """How often something happens in a second: "532 /s"."""

    per_second: float


@dataclass(frozen=True, slots=True)
class MarkValue:
    """Whether a layer ran on a device, as the mark that the window draws.

    family: colors it, "cpu", "gpu" or "npu". text: what it means, for those who see no mark.
    """

    mark: "Mark"
    family: str
    text: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence made from a template with fields in braces: "{share} of the time".

    The template is the sentence's entry in the catalog of translations, and its id: a stored
    sentence has both. str() writes it in English.
    """

    template: str
    values: "Mapping[str, Value]" = field(default_factory=dict)

    def __str__(self) -> str:
        """Return the sentence in English."""
        from inspector.pages.wording import ENGLISH

        return ENGLISH.text(self)


@dataclass(frozen=True, slots=True)
class Joined:
    """Values one after the other with a separator between them: "Conv, Add, Mul"."""

    parts: "tuple[Value, ...]"
    separator: str = ", "


@dataclass(frozen=True, slots=True)
class Toned:
    """A value with a tone of its own: "WRONG" in a row of plain facts."""

    value: "Value"
    tone: Tone
    strong: bool = False


Value = (
    str | Name | Code | Duration | DurationRange | Size | Share | Change | Count | Number
    | Amount | Rate | MarkValue | Sentence | Joined | Toned
)  # fmt: skip


# Blocks.

KEPT = 9  # of Column.keep: never left out


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph. label: a word in front of it, such as "Note" or "Hint"."""

    value: Value
    tone: Tone = Tone.PLAIN
    label: str = ""
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that is known. note: how it was measured, or what it means, in a few words."""

    label: Value
    value: Value
    note: Value = ""
    tone: Tone = Tone.PLAIN
    rank: Rank = Rank.TERMINAL


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts below each other. prominent: the few that a reader came for, drawn large."""

    facts: tuple[Fact, ...]
    prominent: bool = False


class Side(Enum):
    """The side of a column on which its cells are aligned."""

    LEFT = "left"
    RIGHT = "right"
    CENTER = "center"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    key: sorts, stores and finds it. keep: where there is little room, the columns with the
    lowest numbers are left out first; those with KEPT never are. stretch: takes the room that
    is left over, such as a name. bar: the cell is a number from 0 to 1, drawn as a bar.
    marks: the cells are marks, which a surface without drawings leaves out. help: what the
    column says, in a sentence.
    """

    key: str
    title: Value
    side: Side = Side.LEFT
    keep: int = KEPT
    stretch: bool = False
    bar: bool = False
    marks: bool = False
    help: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table.

    id: an anchor that links lead to. number: tells it from others whose names look alike where
    there is little room, such as the number of a layer. details: shown below its cells.
    """

    cells: tuple[Value, ...]
    tone: Tone = Tone.PLAIN
    id: str = ""
    number: int = -1
    details: Value = ""


@dataclass(frozen=True, slots=True)
class Limits:
    """How many rows or items are shown; the rest is counted.

    document: in Markdown, such as a comment on a pull request. page: in HTML, PDF, the window.
    """

    terminal: int = 8
    document: int = 20
    page: int = 2000


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, the most important first where not all are shown.

    total: of how many rows these are, where the builder itself left some out. noun: what a row
    is, for "and 12 more layers". rest: where the others are to be had.
    """

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    limits: Limits = Limits()
    noun: str = "row"
    total: int = 0
    rest: Value = ""


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a list. sign: a letter in front of it, such as "+" of what was added."""

    value: Value
    detail: Value = ""
    sign: str = ""
    tone: Tone = Tone.PLAIN
    items: "Items | None" = None


@dataclass(frozen=True, slots=True)
class Items:
    """A list. folded: documents show only its heads until a reader opens one."""

    items: tuple[Item, ...]
    limits: Limits = Limits()
    noun: str = "item"
    folded: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing, made for a width in pixels. text: what it shows, for a screen reader."""

    id: str
    draw: "Callable[[float], Drawing]"
    text: Value


@dataclass(frozen=True, slots=True)
class Picture:
    """An image as PNG. text: what it shows."""

    png: bytes
    width: int
    height: int
    text: Value


@dataclass(frozen=True, slots=True)
class Snippet:
    """Lines to paste as they are. language: as Markdown names it, such as "sh" or "python"."""

    text: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Legend:
    """The marks of a table with what they mean."""

    marks: tuple[MarkValue, ...]


Block = Text | Facts | Table | Items | Chart | Picture | Snippet | Legend


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks under one title. id: stored by windows and links. aside: beside the title."""

    id: str
    title: Value
    blocks: tuple[Block, ...]
    rank: Rank = Rank.TERMINAL
    aside: Value = ""

    def __bool__(self) -> bool:
        """Return whether there is anything in it; builders may make empty ones."""
        return bool(self.blocks)


@dataclass(frozen=True, slots=True)
class Page:
    """A subject in reading order. verdict: the one sentence that a reader takes along."""

    subject: str
    title: Value
    sections: tuple[Section, ...]
    verdict: Text | None = None
    subtitle: Value = ""
