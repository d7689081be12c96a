"""The protobuf wire format: fields of messages by their positions, over a file of any length.

The encoding is described at https://protobuf.dev/programming-guides/encoding/.
"""

from collections.abc import Iterator
from typing import overload

from inspector.readers.source import Source

VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5
PADDING = bytes(16)  # after a piece of a file: a field cut off reads zeros, then is too long
WINDOW_BYTES = 64 << 10

_DAMAGED = "It is damaged: download or export it again."


class Malformed(Exception):
    """Bytes that are no message, or one beyond a limit: why, and a hint for the user."""

    def __init__(self, why: str, hint: str = _DAMAGED) -> None:
        super().__init__(why)
        self.hint = hint


class Window:
    """A file like one long `bytes`, of which a window is in memory."""

    def __init__(self, source: Source) -> None:
        self._source, self._start, self._bytes = source, 0, b""

    @overload
    def __getitem__(self, place: int) -> int: ...

    @overload
    def __getitem__(self, place: slice) -> bytes: ...

    def __getitem__(self, place: int | slice) -> int | bytes:
        if isinstance(place, slice):
            return self._slice(place.start, place.stop)
        inside = place - self._start
        if 0 <= inside < len(self._bytes):
            return self._bytes[inside]
        if place >= self._source.size:
            return 0  # like the padding of a file held whole
        self._move(place)
        return self._bytes[0]

    def _slice(self, start: int, stop: int) -> bytes:
        if not self._start <= start <= stop <= self._start + len(self._bytes):
            if stop - start > WINDOW_BYTES:
                return self._source.read(start, stop - start)
            self._move(start)
        return self._bytes[start - self._start : stop - self._start]

    def _move(self, start: int) -> None:
        length = min(WINDOW_BYTES, self._source.size - start)
        self._bytes, self._start = self._source.read(start, length), start


Data = bytes | Window


def records(data: Data, at: int, end: int) -> Iterator[tuple[int, int, int, int, int]]:
    """Yield (field, wire type, start of the record, start of the value, stop) of a message."""
    while at < end:
        start = at
        tag = data[at]
        at += 1
        if tag > 127:
            tag, at = varint(data, start)
        wire = tag & 7
        value = at
        if wire == LENGTH:
            length = data[at]
            at += 1
            if length > 127:
                length, at = varint(data, at - 1)
            value = at
            at += length
        elif wire == VARINT:
            at = varint(data, at)[1]
        elif wire == FIXED32:
            at += 4
        elif wire == FIXED64:
            at += 8
        else:
            raise Malformed(f"byte {start:,} has no meaning in an ONNX file")
        if at > end:
            raise Malformed(f"{at - end:,} bytes of it are missing")
        if tag < 8:
            raise Malformed("it holds a field with the number 0")
        yield tag >> 3, wire, start, value, at


def varint(data: Data, at: int) -> tuple[int, int]:
    """Decode a number of up to 64 bits: its value and where it ends."""
    number = shift = 0
    while True:
        byte = data[at]
        at += 1
        number |= (byte & 127) << shift
        if byte < 128:
            return number & 0xFFFF_FFFF_FFFF_FFFF, at
        shift += 7
        if shift > 63:
            raise Malformed("it holds a number longer than 10 bytes")


def framed(field: int, body: bytes) -> bytes:
    """Write a message or text as a field."""
    return _as_varint(field << 3 | LENGTH) + _as_varint(len(body)) + body


def _as_varint(number: int) -> bytes:
    digits = bytearray()
    while number > 127:
        digits.append(number & 127 | 128)
        number >>= 7
    digits.append(number)
    return bytes(digits)
