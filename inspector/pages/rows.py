"""Rows of a table: made when they are asked for where it is long, and what they are sorted by.

Models have 100,000 layers.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, overload

from inspector.pages.blocks import Column, Limits, Row, Table
from inspector.wording.support_marks import Mark
from inspector.wording.values import (
    Amount,
    Capital,
    Change,
    Count,
    Curve,
    Duration,
    DurationRange,
    Joined,
    Link,
    MarkValue,
    Noted,
    Number,
    Probability,
    Rate,
    Real,
    Sentence,
    Share,
    Size,
    SizeRange,
    Toned,
    Value,
)

_KEPT_ROWS = 512  # more than a screen shows
_UNLIMITED = Limits()
_MARKS = {mark: place for place, mark in enumerate(Mark)}


class LazyRows(Sequence[Row]):
    """As many rows as `count`, each made by a function of its place.

    keys: by the key of a column, returns a number or text for each row to sort by; nan stands
    last. Without one a table sorts by the cells. texts: returns what a filter looks at, one
    for each row; without it, a filter looks at the cells.
    """

    def __init__(
        self,
        count: int,
        row: Callable[[int], Row],
        keys: Mapping[str, Callable[[], Any]] | None = None,
        texts: Callable[[], Sequence[str]] | None = None,
    ) -> None:
        self._count = count
        self._row = lru_cache(_KEPT_ROWS)(row)  # a window asks for a row once for each cell
        self.keys, self.texts = keys or {}, texts

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Row]: ...
    def __getitem__(self, place: int | slice) -> Row | Sequence[Row]:
        """Return a row, or some of them as a tuple."""
        if isinstance(place, slice):
            return tuple(map(self._row, range(self._count)[place]))
        return self._row(range(self._count)[place])

    def __iter__(self) -> Iterator[Row]:
        return map(self._row, range(self._count))


class Filled(NamedTuple):
    """A column with all that makes it: a table is a list of these.

    cell: what it says of the row at a place. order: by what all rows are sorted, a number or
    text for each; None for the cells themselves.
    """

    column: Column
    cell: Callable[[int], Value]
    order: Callable[[], Any] | None = None


def filled_table(
    count: int,
    filled: Sequence[Filled],
    texts: Callable[[], Sequence[str]],
    row: Callable[[int, tuple[Value, ...]], Row] = lambda _, cells: Row(cells),
    limits: Limits = _UNLIMITED,
    noun: str = "row",
    sorted_by: str = "",
) -> Table:
    """Return a table whose rows are made when they are asked for.

    texts: what a filter looks at, one for each row. row: makes that of a place from its cells.
    """

    def made(place: int) -> Row:
        return row(place, tuple(each.cell(place) for each in filled))

    orders = {each.column.key: each.order for each in filled if each.order is not None}
    rows = LazyRows(count, made, orders, texts)
    columns = tuple(each.column for each in filled)
    return Table(columns, rows, limits, noun, sorted_by=sorted_by)


def magnitude(value: Value) -> float | None:
    """Return the number that a cell is sorted by; None of a text, which is sorted as such."""
    match value:
        case int():
            return value
        case Duration(ns=number) | DurationRange(low_ns=number) | Size(bytes=number):
            return number
        case SizeRange(low_bytes=number):
            return number
        case Change(ratio=number) | Number(value=number) | Amount(number=number):
            return number
        case Real(value=number) | Probability(value=number):
            return number
        case Count(number=number) | Rate(per_second=number):
            return number
        case Share(part, whole):
            return part / whole if whole else None
        case MarkValue(mark=mark):
            return _MARKS[mark]
        case Noted(order=float(number)):
            return number
        case Toned(value=inner) | Noted(value=inner) | Capital(value=inner) | Link(value=inner):
            return magnitude(inner)
        case Curve(values=(oldest, *_, newest)) if oldest:
            return newest / oldest
        case Joined(parts=(first, *_)):
            return magnitude(first)
        case Sentence(template, values) if template.startswith("{"):
            return magnitude(values[template[1 : template.index("}")]])
        case _:
            return None
