"""Rows of a long table that are made when they are asked for: models have 100,000 layers."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, overload

from inspector.pages.blocks import Row

_KEPT_ROWS = 512  # more than a screen shows


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
