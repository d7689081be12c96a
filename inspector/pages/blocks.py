"""The blocks that a page consists of: values that say what there is, not how it looks.

    Page("comparison", "Comparison of a.onnx and b.onnx", sections)
    Section("layers", "Layers", (Table(columns, rows),), rank=Rank.DOCUMENT)

Text that Inspector wrote is a `str` or a `Sentence`; text of a file is a `Name`, which each
renderer escapes in its own way. Numbers stay numbers with a unit until a renderer writes them
in its language. A renderer shows every kind of block; none may ask which subject it shows.
"""

from collections.abc import Callable, Sequence
from enum import Enum, IntEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from inspector.pages.column_help import HELP
from inspector.wording.values import MarkValue, Tone, Value

if TYPE_CHECKING:
    from inspector.pages.charts.drawing import Drawing

KEPT = 9  # of Column.keep: never left out


class Rank(IntEnum):
    """Where a section stands: a surface shows the ranks up to its own."""

    TERMINAL = 0  # everywhere
    DOCUMENT = 1  # in documents and the window; in a terminal with --verbose
    FOLDED = 2  # where a reader opens it: folded in documents, the window's details


class Text(Struct, frozen=True):
    """A paragraph. label: a word in front of it, such as "Note" or "Hint"."""

    value: Value
    tone: Tone = Tone.PLAIN
    label: str = ""
    strong: bool = False


class Limits(Struct, frozen=True):
    """How many rows or items are shown; the rest is counted.

    document: in Markdown, such as a comment on a pull request. page: in HTML, PDF, the window.
    sheets: of a table in a PDF, where these are fewer than `page`.
    """

    terminal: int = 8
    document: int = 20
    page: int = 2000
    sheets: int = 2000


_NO_LIMITS = Limits(10_000, 10_000, 10_000)


class Fact(Struct, frozen=True):
    """One thing that is known. note: how it was measured, or what it means, in a few words.

    whole: the long text of which the value is the beginning, for readers who open it.
    """

    label: Value
    value: Value
    note: Value = ""
    tone: Tone = Tone.PLAIN
    rank: Rank = Rank.TERMINAL
    whole: str = ""


class Facts(Struct, frozen=True):
    """Facts below each other. prominent: the few that a reader came for, drawn large.

    noun: what a fact is, for "and 12 more entries".
    """

    facts: tuple[Fact, ...]
    prominent: bool = False
    limits: Limits = _NO_LIMITS
    noun: str = "fact"


class Side(Enum):
    """The side of a column on which its cells are aligned."""

    LEFT = "left"
    RIGHT = "right"
    CENTER = "center"


class Column(Struct, frozen=True):
    """A column of a table.

    key: sorts, stores and finds it. keep: where there is little room, the columns with the
    lowest numbers are left out first; those with KEPT never are. stretch: takes the room that
    is left over, such as a name. bar: the cell is a number from 0 to 1, drawn as a bar.
    marks: the cells are marks, which a surface without drawings leaves out. help: what the
    column says, in a sentence, where that of its title does not fit. falling: whether who sorts
    by it wants the largest first; None where that is so of columns on the right. files: its
    names are files or paths, which have no scopes. digits: its cells are digits to compare by
    place, such as shapes. filtered: readers of a web page choose one of its values.
    """

    key: str
    title: Value
    side: Side = Side.LEFT
    keep: int = KEPT
    stretch: bool = False
    bar: bool = False
    marks: bool = False
    help: Value = ""
    falling: bool | None = None
    files: bool = False
    digits: bool = False
    filtered: bool = False

    @property
    def explanation(self) -> Value:
        """Return what the column says: its own sentence, else that of its title, if any."""
        return self.help or HELP.get(str(self.title), "")

    @property
    def largest_first(self) -> bool:
        """Return whether who sorts by it first wants the largest on top."""
        return self.side is Side.RIGHT if self.falling is None else self.falling


class Row(Struct, frozen=True):
    """A row of a table.

    id: an anchor that links lead to. number: tells it from others whose names look alike where
    there is little room, such as the number of a layer. details: shown below its cells. key:
    what it stands for, such as the number of a layer; a click in the window selects that.
    family: of the device whose color its bar has; "" for that of the device which ran it.
    depth: how many other rows it lies within, such as a layer in a subgraph.
    """

    cells: tuple[Value, ...]
    tone: Tone = Tone.PLAIN
    id: str = ""
    number: int = -1
    details: Value = ""
    key: str = ""
    family: str = ""
    depth: int = 0


class Table(Struct, frozen=True):
    """Rows of cells, the most important first where not all are shown.

    rows: a tuple, or `rows.LazyRows` of a long table. total: of how many rows these are, where
    the builder itself left some out. noun: what a row is, for "and 12 more layers". rest: where
    the others are to be had. sheets_rest: the same in a PDF, where that differs. sorted_by: key
    of the column by which a window sorts at first. fixed: readers cannot sort it, since its
    rows have nothing in common.
    """

    columns: tuple[Column, ...]
    rows: Sequence[Row]
    limits: Limits = Limits()
    noun: str = "row"
    total: int = 0
    rest: Value = ""
    sorted_by: str = ""
    fixed: bool = False
    sheets_rest: Value = ""


class Action(Struct, frozen=True):
    """A button in the window; elsewhere there is none. key: what the window is told."""

    key: str
    text: Value


class Item(Struct, frozen=True):
    """One entry of a list. sign: a letter in front of it, such as "+" of what was added."""

    value: Value
    detail: Value = ""
    sign: str = ""
    tone: Tone = Tone.PLAIN
    items: "Items | None" = None
    actions: tuple[Action, ...] = ()


class Items(Struct, frozen=True):
    """A list. folded: documents show only its heads until a reader opens one.

    first: how many entries the window shows before a reader asks for more.
    """

    items: tuple[Item, ...]
    limits: Limits = Limits()
    noun: str = "item"
    folded: bool = False
    first: int = 8


class Chart(Struct, frozen=True):
    """A drawing, made for a width in pixels. text: what it shows, for a screen reader.

    table: its numbers, shown in its place where nothing can be drawn.
    line: values that a terminal draws as a line of letters, where a chart is one curve.
    zoom: it has a size of its own; readers scroll and zoom. A sheet of paper may not hold it.
    """

    id: str
    draw: "Callable[[float], Drawing]"
    text: Value
    table: Table | None = None
    line: tuple[float, ...] = ()
    zoom: bool = False


class Picture(Struct, frozen=True):
    """An image as PNG. text: what it shows."""

    png: bytes
    width: int
    height: int
    text: Value


class Snippet(Struct, frozen=True):
    """Lines to paste as they are. language: as Markdown names it, such as "sh" or "python"."""

    text: str
    language: str = ""


class Legend(Struct, frozen=True):
    """The marks of a table with what they mean."""

    marks: tuple[MarkValue, ...]


Block = Text | Facts | Table | Items | Chart | Picture | Snippet | Legend


class Section(Struct, frozen=True):
    """Blocks under one title. id: stored by windows and links. aside: beside the title.

    half: it is narrow, so that two of them stand beside each other where there is room.
    """

    id: str
    title: Value
    blocks: tuple[Block, ...]
    rank: Rank = Rank.TERMINAL
    aside: Value = ""
    half: bool = False

    def __bool__(self) -> bool:
        """Return whether there is anything in it; builders may make empty ones."""
        return bool(self.blocks)


class Page(Struct, frozen=True):
    """A subject in reading order. verdict: the one sentence that a reader takes along."""

    subject: str
    title: Value
    sections: tuple[Section, ...]
    verdict: Text | None = None
    subtitle: Value = ""
