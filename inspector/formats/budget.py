"""What reading one model file may take, counted before it is spent.

Files of strangers are read in the process that asks, the window or a command: a process of its
own would add its start to each command, and a copy of each model. No limit of the system can
hold there without harming the window, so readers count what a file is about to become, and
refuse it before they parse it. All readers of JSON, XML and ZIP files use this module; those of
protobuf and FlatBuffers count records as they go (`protobuf_wire`, `flatbuffer`).
"""

import json
from typing import Any, Protocol

from inspector.errors import UnreadableFile

READING_BYTES = 1 << 30  # of memory for what one file is parsed into, weights not counted
MAX_PARTS = 1_000_000  # layers, weights, values and attributes of one file
# Memory of a JSON value as Python has it, with its place in a list or dictionary. Measured:
# 36 B for "[],", 60 B for '"ab",', 64 B for '{"":0},' (three marks), 88 B for a short text
# outside of Latin-1.
_VALUE_BYTES = 90
_WIDE = 4  # bytes of a character, in a text with any outside of ASCII
_LARGEST_INTEGER = (1 << 63) - 1
_MARKS = (b",", b":", b"[", b"{")  # each value of a JSON text but the first follows one of them
_CELL_MARKS = (b",", b";", b"\t", b"\n", b"\r")  # likewise each cell of a CSV text
# What a reader meets where the structure of a file is not what its format says.
MALFORMED = (
    KeyError, TypeError, AttributeError, ValueError, IndexError, RecursionError, OverflowError,
)  # fmt: skip
_TOO_LARGE = "Check that it is the right file: none of this format needs so much."


class Refusing(Protocol):
    """What is asked of a `Source`, which imports this module."""

    def failure(self, why: str, hint: str = "") -> UnreadableFile:
        """Return the error that says why a file cannot be read."""


def json_value(source: Refusing, body: bytes, subject: str = "its JSON") -> Any:
    """Parse JSON of a stranger. subject: what the bytes are, in a message.

    Raises UnreadableFile: it would take more than READING_BYTES. ValueError, RecursionError: it
    is not JSON.
    """
    check_json(source, body, subject)
    return json.loads(body)


def check_json(source: Refusing, body: bytes, subject: str = "its JSON") -> None:
    """Raise UnreadableFile if JSON would take more memory than READING_BYTES when parsed."""
    _check(source, body, _MARKS, subject)


def check_table(source: Refusing, body: bytes, subject: str = "its table") -> None:
    """Raise UnreadableFile if CSV would take more memory than READING_BYTES when parsed."""
    _check(source, body, _CELL_MARKS, subject)


def _check(source: Refusing, body: bytes, marks: tuple[bytes, ...], subject: str) -> None:
    width = 1 if body.isascii() else _WIDE
    needed = len(body) * (1 + 2 * width)  # the bytes, the text, and the texts in it
    for mark in marks:
        needed += _VALUE_BYTES * body.count(mark)
        if needed > READING_BYTES:
            raise source.failure(
                f"{subject} would take more than {READING_BYTES >> 30} GiB of memory",
                _TOO_LARGE,
            )


class Parts:
    """Counts the parts of a model while they are read."""

    def __init__(self, source: Refusing) -> None:
        self._source, self._left = source, MAX_PARTS

    def add(self, count: int = 1) -> None:
        """Count parts that are about to be made. Raises UnreadableFile: there are too many."""
        self._left -= count
        if self._left < 0:
            raise self._source.failure(
                f"it has more than {MAX_PARTS:,} layers, weights, values and attributes",
                _TOO_LARGE,
            )


def whole_number(value: Any) -> int:
    """Return a number of a file that has to be whole: a length, an offset or an index.

    Raises ValueError: it is none, infinite, or larger than 64 bits. TypeError: not a number.
    """
    number = int(value)
    if number != value or abs(number) > _LARGEST_INTEGER:
        raise ValueError("a number that is not whole, or too large")
    return number
