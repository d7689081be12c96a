"""A table as test data: each row is the values of a model's inputs and a true answer.

A column fills the input of its name; columns such as x0, x1 fill the elements of x; a column of
words is the text that a model reads; columns that are left fill the inputs that are left, in
their order.
"""

import re
from collections.abc import Mapping, Sequence
from math import prod
from pathlib import Path

from msgspec import Struct

from inspector import units
from inspector.errors import BadInput, UnreadableFile
from inspector.model.display_names import suggestion
from inspector.model.model import TensorInfo
from inspector.platform import files
from inspector.preview.inputs import input_shapes, table, text_values
from inspector.preview.inputs.feeds import Filled, Given
from inspector.preview.inputs.tokens import TEXT, takes_tokens

SUFFIXES = frozenset((".csv", ".tsv"))
# Heads of columns with the true answer, with numbers of rows, and with texts, as data sets have
# them.
_TARGETS = frozenset(("target", "label", "class", "y", "truth", "expected", "answer"))
_NUMBERS_OF_ROWS = frozenset(("", "id", "index", "unnamed: 0"))
_TEXTS = frozenset(("text", "sentence", "review", "content", "question"))
_ELEMENT = re.compile(r"(.+?)[\s_.:\[-]*(\d+)\]?")  # of an input: x0, x_0, x[0]
_MOST_NAMED = 12  # columns in a message
_ROWS_SEEN = 20  # of a table, to tell its head from a row
_OPTION = "--target-column"


class Table(Struct, frozen=True):
    """The rows of a table by their number in the file, and what its columns are for.

    columns: places of the columns that fill an input. targets: of those with the true answer;
    empty where there are none.
    """

    path: Path
    head: Sequence[str]
    rows: Mapping[int, Sequence[str]]
    inputs: Mapping[str, TensorInfo]
    columns: Mapping[str, tuple[int, ...]]
    targets: tuple[int, ...]

    @property
    def source(self) -> str:
        """Return where the true answers are."""
        names = (self.head[place] for place in self.targets)
        listed = ", ".join(f"#{name}" if name.isdecimal() else name for name in names)
        return f"{self.path.name}: {listed}" if listed else ""

    def of(self, inputs: Sequence[TensorInfo], outputs: Sequence[TensorInfo]) -> "Table":
        """Return the table for another model. Raises BadInput: it does not fit."""
        target = ",".join(self.head[place] for place in self.targets)
        return read(self.path, inputs, outputs, target)

    def answers(self, number: int) -> list[str]:
        """Return the true answers of a row, as they are written."""
        return [self.rows[number][place] for place in self.targets]

    def given(self, number: int) -> dict[str, Given]:
        """Return the values of the inputs in a row. Raises BadInput: a cell does not fit."""
        cells = self.rows[number]
        return {
            name: self._value(self.inputs[name], [cells[place] for place in places], number)
            for name, places in self.columns.items()
        }

    def _value(self, info: TensorInfo, cells: Sequence[str], number: int) -> Given:
        plain = [table.value(info, cell) for cell in cells]
        if takes_tokens(info) or (info.dtype == "string" and len(cells) == 1):
            return f"{TEXT}{cells[0]}"
        if len(cells) == 1 and not text_values.is_number(plain[0]):
            path = self.path.parent / cells[0]
            return str(path) if files.is_file(path) else cells[0]
        source = f"row {number}"
        values = text_values.numbers(cells if info.dtype == "string" else plain, info, source)
        array = input_shapes.reshaped(values, info, {}, source)
        return Filled(info.name, source, array, dtype=info.dtype)


def is_table(path: Path) -> bool:
    """Return whether a path is that of a table, by its suffix."""
    return path.suffix.lower() in SUFFIXES and not files.is_folder(path)


def read(
    path: Path, inputs: Sequence[TensorInfo], outputs: Sequence[TensorInfo], target: str = ""
) -> Table:
    """Read a table whose rows are inputs of a model.

    inputs: that a row has values for. target: names of the columns of true answers, with commas
    between them; "" for one that is recognized. Raises UnreadableFile; BadInput: the columns do
    not fit the model.
    """
    what = f"Could not use {units.clip(path.name, 60)}"
    lines = table.rows_of(path)
    rows: dict[int, Sequence[str]] = dict(enumerate(lines, 1))
    head: Sequence[str] = [str(place + 1) for place in range(len(lines[0]))]
    if _is_head(lines):
        head = rows.pop(1)
    if not rows:
        raise UnreadableFile(what, "it has no rows below its head")
    names = [name.casefold() for name in head]
    targets = _named(what, head, target)
    free = [place for place in range(len(head)) if place not in targets]
    columns = _by_name(names, inputs, free)
    free = [place for place in free if place not in {p for c in columns.values() for p in c}]
    if not targets:
        usual = _TARGETS | {info.name.casefold() for info in outputs}
        targets = [place for place in free if names[place] in usual]
        targets = targets if len(targets) == 1 else []
        free = [place for place in free if place not in targets]
    rest = [info for info in inputs if info.name not in columns and info.kind == "tensor"]
    reader = next((info for info in rest if takes_tokens(info) or info.dtype == "string"), None)
    if reader is not None:
        place = _text_column(what, head, free, next(iter(rows.values())))
        columns[reader.name] = (place,)
        free.remove(place)
        # The other inputs of a tokenizer's model, such as the mask, follow from the text.
        rest = [] if takes_tokens(reader) else [info for info in rest if info is not reader]
    if rest:
        named, free = _in_order(what, head, rest, free, bool(targets))
        columns |= named
    if not targets:
        targets = [place for place in free if names[place] not in _NUMBERS_OF_ROWS]
    if len(targets) > 1 and not target:
        raise BadInput(what, "several columns may hold the true answers", _naming(head))
    by_name = {info.name: info for info in inputs}
    return Table(path, head, rows, by_name, columns, tuple(targets))


def _is_head(lines: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row has names: words only, or words where numbers follow."""
    words = [place for place, cell in enumerate(lines[0]) if not text_values.is_number(cell)]
    if len(words) in (0, len(lines[0])):
        return bool(words)
    below = lines[1:_ROWS_SEEN]
    return any(text_values.is_number(row[place]) for row in below for place in words)


def _named(what: str, head: Sequence[str], target: str) -> list[int]:
    """Return the places of columns that somebody names. Raises BadInput."""
    if not target or target in head:
        return [head.index(target)] if target else []
    names = [name.strip() for name in target.split(",")]
    for name in names:
        if name not in head:
            hint = suggestion(name, head) or _naming(head)
            raise BadInput(what, f"it has no column '{units.clip(name, 60)}'", hint)
    return [head.index(name) for name in names]


def _by_name(
    names: Sequence[str], inputs: Sequence[TensorInfo], free: Sequence[int]
) -> dict[str, tuple[int, ...]]:
    """Return the columns of inputs that are named so, or as elements of an input."""
    found: dict[str, tuple[int, ...]] = {}
    elements: dict[str, list[tuple[int, int]]] = {}
    for place in free:
        element = _ELEMENT.fullmatch(names[place])
        if element is not None:
            elements.setdefault(element[1], []).append((int(element[2]), place))
    for info in inputs:
        name = info.name.casefold()
        own = [place for place in free if names[place] == name]
        parts = tuple(place for _, place in sorted(elements.get(name, ())))
        if own:
            found[info.name] = (own[0],)
        elif parts and _size(info) in (None, len(parts)):
            found[info.name] = parts
    return found


def _text_column(
    what: str, head: Sequence[str], free: Sequence[int], first: Sequence[str]
) -> int:
    """Return the place of the column that a text is in. Raises BadInput: it is not plain."""
    texts = [place for place in free if not text_values.is_number(first[place])]
    usual = [place for place in texts or free if head[place].casefold() in _TEXTS]
    if len(usual) == 1 or len(texts) == 1:
        return (usual or texts)[0]
    hint = f"Call one column “text”. {_columns(head)}"
    raise BadInput(what, "no column is known to hold the text", hint)


def _in_order(
    what: str,
    head: Sequence[str],
    inputs: Sequence[TensorInfo],
    free: Sequence[int],
    with_target: bool,
) -> tuple[dict[str, tuple[int, ...]], list[int]]:
    """Return columns of inputs, as many as each has numbers, and the columns that are left.

    with_target: whether the column of the true answers is known; else the last one may be it.
    Raises BadInput: there are more or fewer.
    """
    sizes = [_size(info) for info in inputs]
    known = sum(size for size in sizes if size is not None)
    open_ = sizes.count(None)
    numbered = [place for place in free if head[place].casefold() not in _NUMBERS_OF_ROWS]
    for places in (free, numbered):
        spare = len(places) - known
        whole = spare - (0 if with_target else 1)
        if open_ == 1 and whole > 0:
            sizes[sizes.index(None)], spare = whole, spare - whole
        elif open_:
            continue
        if spare in ((0,) if with_target else (0, 1)):
            columns, start = {}, 0
            for info, size in zip(inputs, sizes, strict=True):
                columns[info.name] = tuple(places[start : start + (size or 0)])
                start += size or 0
            return columns, list(places[start:])
    wanted = units.plural(known, "number") if not open_ else "numbers"
    names = ", ".join(f"'{units.clip(info.name, 40)}'" for info in inputs[:_MOST_NAMED])
    left = units.plural(len(free), "column")
    raise BadInput(what, f"{left} cannot fill {names}, which takes {wanted}", _naming(head))


def _size(info: TensorInfo) -> int | None:
    """Return how many numbers of an input are in one row; None where any count is."""
    axes = info.shape
    if axes is None:
        return None
    if axes and not isinstance(axes[0], int):
        axes = axes[1:]
    lengths = [axis for axis in axes if isinstance(axis, int)]
    return prod(lengths) if len(lengths) == len(axes) else None


def _naming(head: Sequence[str]) -> str:
    return f"Call the column of the true answers target, or use {_OPTION}. {_columns(head)}"


def _columns(head: Sequence[str]) -> str:
    names = ", ".join(f"'{units.clip(name, 40)}'" for name in head[:_MOST_NAMED])
    more = len(head) - _MOST_NAMED
    return f"Its columns are {names}{f' and {more} more' if more > 0 else ''}."
