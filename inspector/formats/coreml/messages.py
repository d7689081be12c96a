"""Core ML's protobuf messages, read in place by the names of their fields.

`schema.json` has the names; `tools/make_coreml_schema.py` writes it.
"""

import json
import struct
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from inspector.formats.onnx.types import LONGEST, text
from inspector.formats.protobuf_wire import (
    FIXED_4,
    FIXED_8,
    LENGTH,
    PADDING,
    VARINT,
    Malformed,
    Window,
    records,
    varint,
)
from inspector.formats.source import Source

MAX_RECORDS = 4_000_000  # of one file, against files made to keep the reader busy
MAX_TEXT_BYTES = 64 << 20
_SIGN = 1 << 63
_RANGE = 1 << 64
_PLAIN = {"int", "uint", "bool", "float", "double", "text", "bytes"}
_WIDTHS = {"float": ("<f", 4), "double": ("<d", 8)}


class Field(NamedTuple):
    """A field as the schema names it. kind: of a number, "text", "bytes", or a message."""

    name: str
    kind: str
    repeated: bool

    @property
    def is_message(self) -> bool:
        """Return whether its values are messages themselves."""
        return self.kind not in _PLAIN and not self.kind.startswith("=")


class _Record(NamedTuple):
    """Where the value of a field lies; of a varint the value as well."""

    wire: int
    at: int
    stop: int
    number: int


@cache
def _schema() -> tuple[dict[str, dict[int, Field]], dict[str, dict[int, str]]]:
    path = Path(__file__).with_name("schema.json")
    plain = json.loads(path.read_text(encoding="utf-8"))
    messages: dict[str, dict[int, Field]] = {}
    for name, fields in plain["messages"].items():
        entries = messages.setdefault(name, {})
        for number, line in fields.items():
            field, _, kind = line.partition(" ")
            entries[int(number)] = Field(field, kind.rstrip("*"), kind.endswith("*"))
    enums = {
        name: {int(number): value for number, value in values.items()}
        for name, values in plain["enums"].items()
    }
    return messages, enums


@cache
def field_number(message: str, name: str) -> int:
    """Return the number of a field by its name. Raises KeyError: there is none."""
    return {field.name: number for number, field in _schema()[0][message].items()}[name]


class Extent(NamedTuple):
    """Where the bytes of a field lie in the file."""

    at: int
    length: int


class File:
    """A file of messages, with limits on how much is read of it."""

    def __init__(self, source: Source) -> None:
        self.size = source.size
        self._window = Window(source)
        self._records = self._text_bytes = 0

    def root(self, kind: str) -> "Message":
        """Return the message that the whole file is."""
        return Message(self, kind, 0, self.size)

    def parts(self, at: int, stop: int) -> Iterator[tuple[int, _Record]]:
        """Yield (field number, record) of a message. Raises Malformed."""
        for number, wire, _, value, end in records(self._window, at, stop):
            self._records += 1
            if self._records > MAX_RECORDS:
                raise Malformed(f"it has more than {MAX_RECORDS:,} fields", "")
            plain = varint(self._window[value:end], 0)[0] if wire == VARINT else 0
            yield number, _Record(wire, value, end, plain)

    def read(self, at: int, stop: int) -> bytes:
        """Return bytes of the file that a record of it has."""
        return self._window[at:stop]

    def text(self, record: _Record) -> str:
        """Return the text of a record, clipped."""
        length = min(record.stop - record.at, LONGEST)
        self.charge_text(length)
        return text(self._window[record.at : record.at + length])

    def charge_text(self, length: int) -> None:
        """Count text that is read, or made of what was read: a name in many other names."""
        self._text_bytes += length
        if self._text_bytes > MAX_TEXT_BYTES:
            raise Malformed("it has more text than any valid model", "")


class Message:
    """One message; its fields are found at once, and decoded when asked for."""

    __slots__ = ("_fields", "_file", "_records", "kind")

    def __init__(self, file: File, kind: str, at: int, stop: int) -> None:
        self._file, self.kind = file, kind
        self._fields = _schema()[0].get(kind, {})
        self._records: dict[str, list[_Record]] = {}
        for number, record in file.parts(at, stop):
            field = self._fields.get(number)
            if field is not None:
                self._records.setdefault(field.name, []).append(record)

    def fields(self) -> Iterator[Field]:
        """Yield the fields that the file has of this message, in the order of the schema."""
        for field in self._fields.values():
            if field.name in self._records:
                yield field

    def charge_text(self, length: int) -> None:
        """Count text that is made of texts of this message."""
        self._file.charge_text(length)

    def has(self, name: str) -> bool:
        """Return whether the file has a field."""
        return name in self._records

    def count(self, name: str) -> int:
        """Return the number of a field's records."""
        return len(self._records.get(name, ()))

    def number(self, name: str, default: int = 0) -> int:
        """Return a whole number, a truth as 0 or 1; the last one where there are several."""
        found = self._records.get(name)
        if not found or found[-1].wire != VARINT:
            return default
        return self._signed(name, found[-1].number)

    def choice(self, name: str) -> str:
        """Return the name of an enumeration's value, or its number where it has none."""
        number = self.number(name)
        kind = self._kind(name).removeprefix("=")
        return _schema()[1].get(kind, {}).get(number, str(number))

    def text(self, name: str) -> str:
        """Return a text; empty where there is none."""
        found = [each for each in self._records.get(name, ()) if each.wire == LENGTH]
        return self._file.text(found[-1]) if found else ""

    def texts(self, name: str) -> list[str]:
        """Return the texts of a repeated field."""
        found = self._records.get(name, ())
        return [self._file.text(each) for each in found if each.wire == LENGTH]

    def numbers(self, name: str, most: int) -> list[float]:
        """Return at most `most` numbers of a repeated field, packed or not."""
        kind = self._kind(name)
        result: list[float] = []
        for each in self._records.get(name, ()):
            if len(result) >= most:
                break
            if each.wire == VARINT:
                result.append(self._signed(name, each.number))
            elif kind in _WIDTHS and each.wire in (FIXED_4, FIXED_8, LENGTH):
                code, width = _WIDTHS[kind]
                stop = min(each.stop, each.at + width * (most - len(result)))
                body = self._file.read(each.at, stop)
                body = body[: len(body) // width * width]
                result += [value for (value,) in struct.iter_unpack(code, body)]
            elif each.wire == LENGTH:
                stop = min(each.stop, each.at + 10 * most)
                body, place = self._file.read(each.at, stop) + PADDING, 0
                while place < stop - each.at and len(result) < most:
                    value, place = varint(body, place)
                    result.append(self._signed(name, value))
        return result

    def lengths(self, name: str) -> tuple[int, ...]:
        """Return the whole numbers of a short repeated field: the axes of a shape."""
        return tuple(int(number) for number in self.numbers(name, 64))

    def real(self, name: str) -> float:
        """Return a number with a fraction."""
        found = self.numbers(name, 1)
        return float(found[0]) if found else 0.0

    def child(self, name: str) -> "Message | None":
        """Return an inner message; the last one where there are several."""
        found = [each for each in self._records.get(name, ()) if each.wire == LENGTH]
        return self._message(name, found[-1]) if found else None

    def children(self, name: str) -> "Iterator[Message]":
        """Yield the messages of a repeated field."""
        for each in self._records.get(name, ()):
            if each.wire == LENGTH:
                yield self._message(name, each)

    def entries(self, name: str) -> "Iterator[tuple[str, Message]]":
        """Yield the entries of a map from texts to messages."""
        for each in self.children(name):
            value = each.child("value")
            if value is not None:
                yield each.text("key"), value

    def extents(self, name: str) -> list[Extent]:
        """Return where the bytes, or the packed numbers, of a field lie."""
        found = self._records.get(name, ())
        return [Extent(each.at, each.stop - each.at) for each in found if each.wire == LENGTH]

    def bytes(self, name: str, most: int) -> bytes:
        """Return at most `most` bytes of a field."""
        found = self.extents(name)
        return (
            self._file.read(found[0].at, found[0].at + min(found[0].length, most))
            if found
            else b""
        )

    def _message(self, name: str, record: _Record) -> "Message":
        return Message(self._file, self._kind(name), record.at, record.stop)

    def _kind(self, name: str) -> str:
        return next((each.kind for each in self._fields.values() if each.name == name), "")

    def _signed(self, name: str, number: int) -> int:
        return number - _RANGE if self._kind(name) == "int" and number >= _SIGN else number
