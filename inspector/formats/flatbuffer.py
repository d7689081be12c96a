"""FlatBuffers: tables with checked offsets, read from a file in pages.

The encoding is described at https://flatbuffers.dev/internals/. Fields are identified by their
number in a schema; this module knows none.
"""

from collections import OrderedDict
from collections.abc import Iterator
from struct import calcsize, unpack

import numpy as np

from inspector.formats.onnx.types import text
from inspector.formats.source import Source

MAX_PARTS = 2_000_000  # tables, texts and numbers read from one file
MAX_TEXT_BYTES = 64 << 20  # of all texts together
_PAGE_BYTES = 64 << 10
_MOST_PAGES = 128  # pages in memory, 8 MiB
_LONGEST_TEXT = 1 << 20
_LONGEST_VECTOR = 1 << 20  # bytes of one vector of numbers


class Damaged(Exception):
    """An offset leads out of the file, or there is more than any model has."""


class Buffer:
    """A file of which some pages are in memory; limits how much is read from it."""

    def __init__(self, source: Source, most_parts: int = MAX_PARTS) -> None:
        self.size = source.size
        self._source = source
        self._pages: OrderedDict[int, bytes] = OrderedDict()
        self._most_parts = most_parts
        self._parts = self._text_bytes = 0

    def root(self) -> "Table":
        """Return the outermost table."""
        return self.table(self.number("<I", 0))

    def table(self, at: int) -> "Table":
        """Return the table that begins at a place."""
        self.charge(1)
        return Table(self, at)

    def charge(self, parts: int) -> None:
        """Count tables, texts and numbers, since many offsets may lead to the same bytes."""
        self._parts += parts
        if self._parts > self._most_parts:
            most = f"{self._most_parts:,}"
            raise Damaged(f"it has more than {most} tables, strings and numbers")

    def number(self, code: str, at: int) -> int:
        """Decode one number; code: as of the module struct."""
        return int(unpack(code, self.read(at, calcsize(code)))[0])

    def text(self, at: int) -> str:
        """Decode the text that begins at a place."""
        self.charge(1)
        length = self.number("<I", at)
        self._text_bytes += length
        if length > _LONGEST_TEXT or self._text_bytes > MAX_TEXT_BYTES:
            raise Damaged("it has more text than any valid model")
        return text(self.read(at + 4, length))

    def read(self, at: int, length: int) -> bytes:
        """Return bytes of the file. Raises Damaged: it has none there."""
        if at < 0 or at + length > self.size:
            raise Damaged(f"it refers to byte {at:,}, which is beyond its end")
        first, last = at // _PAGE_BYTES, (at + length - 1) // _PAGE_BYTES
        if first == last or not length:
            start = at % _PAGE_BYTES
            return self._page(first)[start : start + length] if length else b""
        return self._source.read(at, length)

    def _page(self, number: int) -> bytes:
        page = self._pages.get(number)
        if page is None:
            start = number * _PAGE_BYTES
            page = self._source.read(start, min(_PAGE_BYTES, self.size - start))
            self._pages[number] = page
            if len(self._pages) > _MOST_PAGES:
                self._pages.popitem(last=False)
        return page


class Table:
    """One table; fields are identified by their number in the schema."""

    def __init__(self, buffer: Buffer, at: int) -> None:
        self.buffer, self._at = buffer, at
        self._fields = at - buffer.number("<i", at)
        self._length = buffer.number("<H", self._fields)

    def number(self, field: int, code: str, default: int = 0) -> int:
        """Return a number; code: as of the module struct."""
        place = self._place(field)
        return default if place is None else self.buffer.number(code, place)

    def text(self, field: int) -> str:
        """Return a text; empty when the field is missing."""
        place = self._target(field)
        return "" if place is None else self.buffer.text(place)

    def table(self, field: int) -> "Table | None":
        """Return an inner table."""
        place = self._target(field)
        return None if place is None else self.buffer.table(place)

    def tables(self, field: int) -> "Iterator[Table]":
        """Yield the tables of a vector."""
        return map(self.buffer.table, self._targets(field))

    def texts(self, field: int) -> tuple[str, ...]:
        """Return the texts of a vector."""
        return tuple(map(self.buffer.text, self._targets(field)))

    def numbers(self, field: int, code: str) -> tuple[int, ...]:
        """Return the numbers of a vector; code: as of the module struct."""
        start, length = self.extent(field, calcsize(code))
        if length > _LONGEST_VECTOR:
            raise Damaged("it has more axes than any valid tensor")
        self.buffer.charge(length // calcsize(code))
        body = self.buffer.read(start, length)
        return tuple(unpack(f"<{length // calcsize(code)}{code[-1]}", body))

    def has(self, field: int) -> bool:
        """Return whether a field is there; the others have their default."""
        return self._place(field) is not None

    def real(self, field: int, code: str, default: float = 0.0) -> float:
        """Return a number that may have a fraction; code: as of the module struct."""
        place = self._place(field)
        if place is None:
            return default
        return float(unpack(code, self.buffer.read(place, calcsize(code)))[0])

    def reals(self, field: int, code: str, most: int) -> tuple[float, ...]:
        """Return the first numbers of a vector, which may have fractions."""
        start, length = self.extent(field, calcsize(code))
        count = min(most, length // calcsize(code))
        body = self.buffer.read(start, count * calcsize(code))
        return tuple(map(float, unpack(f"<{count}{code[-1]}", body)))

    def places(self, field: int) -> tuple[int, ...]:
        """Return where the tables of a vector begin, for `Buffer.table`; none is read."""
        start, length = self.extent(field, 4)
        self.buffer.charge(length // 4)
        body = self.buffer.read(start, length)
        offsets = unpack(f"<{length // 4}I", body)
        return tuple(start + 4 * at + offset for at, offset in enumerate(offsets))

    def extent(self, field: int, item_bytes: int) -> tuple[int, int]:
        """Return where the items of a vector lie, (0, 0) for none: offset, length in bytes."""
        place = self._target(field)
        if place is None:
            return 0, 0
        length = self.buffer.number("<I", place) * item_bytes
        if place + 4 + length > self.buffer.size:
            raise Damaged(f"{place + 4 + length - self.buffer.size:,} B are missing at its end")
        return place + 4, length

    def range(self, field: int, code: str) -> tuple[int, float, float]:
        """Return number, least and greatest of a vector's numbers, (0, 0, 0) for none.

        For vectors as long as a layer has channels, which would be millions of Python objects.
        """
        start, length = self.extent(field, calcsize(code))
        values = np.frombuffer(self.buffer.read(start, length), np.dtype(code))
        self.buffer.charge(1 + len(values) // 64)
        if not len(values):
            return 0, 0.0, 0.0
        return len(values), float(values.min()), float(values.max())

    def place(self, field: int) -> int | None:
        """Return where a field lies in the file; None where it has its default."""
        return self._place(field)

    def _place(self, field: int) -> int | None:
        entry = 4 + 2 * field
        if entry + 2 > self._length:
            return None
        offset = self.buffer.number("<H", self._fields + entry)
        return self._at + offset if offset else None

    def _target(self, field: int) -> int | None:
        place = self._place(field)
        return None if place is None else place + self.buffer.number("<I", place)

    def _targets(self, field: int) -> Iterator[int]:
        start, length = self.extent(field, 4)
        for place in range(start, start + length, 4):
            yield place + self.buffer.number("<I", place)
