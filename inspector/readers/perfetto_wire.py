"""Messages of Perfetto's own trace format that tell of events, field by field.

Format: protos/perfetto/trace of the Perfetto project, whose field numbers are part of the
format. Only what a timeline needs is read; everything else is passed over.
"""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from inspector.readers.source import Source
from inspector.readers.wire import LENGTH, PADDING, VARINT, Malformed, Window, records, varint

_PACKET, _COMPRESSED = 1, 50
_FIRST = frozenset({2, 3, 6, 8, 10, 11, 12, 13, 33, 35, 36, 41, 42, 45, 50, 58, 59, 60})
_MOST_UNPACKED = 256 << 20

Value = int | bytes


@dataclass(slots=True)
class Message:
    """The fields of a message, each with its values in order: numbers, or bytes."""

    fields: dict[int, list[Value]] = field(default_factory=dict)

    def number(self, which: int, other: int = 0) -> int:
        """The last number of a field."""
        found = self.fields.get(which)
        return found[-1] if found and isinstance(found[-1], int) else other

    def numbers(self, which: int) -> tuple[int, ...]:
        """All numbers of a field, packed or not."""
        found: list[int] = []
        for value in self.fields.get(which, ()):
            if isinstance(value, int):
                found.append(value)
                continue
            at, padded = 0, value + PADDING
            while at < len(value):
                number, at = varint(padded, at)
                found.append(number)
        return tuple(found)

    def text(self, which: int) -> str:
        """The last text of a field."""
        found = self.fields.get(which)
        last = found[-1] if found else b""
        return last.decode("utf-8", "replace") if isinstance(last, bytes) else ""

    def messages(self, which: int) -> Iterator["Message"]:
        """All messages of a field."""
        for value in self.fields.get(which, ()):
            if isinstance(value, bytes):
                yield message(value)

    def has(self, which: int) -> bool:
        """Whether a field is there."""
        return which in self.fields

    def double(self, which: int) -> float:
        """A fixed number of 8 bytes as what it stands for."""
        return float(struct.unpack("<d", struct.pack("<Q", self.number(which)))[0])


def message(body: bytes) -> Message:
    """The fields of a message. Raises Malformed."""
    padded, found = body + PADDING, Message()
    for number, wire, _, start, stop in records(padded, 0, len(body)):
        value: Value
        if wire == VARINT:
            value = varint(padded, start)[0]
        elif wire == LENGTH:
            value = padded[start:stop]
        else:
            value = int.from_bytes(padded[start:stop], "little")
        found.fields.setdefault(number, []).append(value)
    return found


def packets(source: Source, damage: list[str]) -> Iterator[Message]:
    """Yield the packets of a trace as far as they are whole; damage takes the rest in words."""
    data, unpacked = Window(source), 0
    try:
        for number, wire, _, start, stop in records(data, 0, source.size):
            if number != _PACKET or wire != LENGTH:
                continue
            packet = message(data[start:stop])
            if not packet.has(_COMPRESSED):
                yield packet
                continue
            unpack = zlib.decompressobj()
            body = unpack.decompress(_bytes(packet, _COMPRESSED), _MOST_UNPACKED - unpacked)
            unpacked += len(body)
            yield from message(body).messages(_PACKET)
            if unpack.unconsumed_tail:
                damage.append("More is compressed in it than Inspector unpacks.")
                return
    except (Malformed, zlib.error) as error:
        damage.append(f"It is damaged or cut off ({error}); all before is shown.")


def _bytes(packet: Message, which: int) -> bytes:
    value = packet.fields[which][-1]
    return value if isinstance(value, bytes) else b""


def looks_like_one(head: bytes) -> bool:
    """Whether a file begins with a packet that says something that packets say first."""
    if head[:1] != b"\n":
        return False
    try:
        length, start = varint(head[:16] + PADDING, 1)
        tag, _ = varint(head[start : start + 8] + PADDING, 0)
    except Malformed:
        return False
    return bool(length) and tag >> 3 in _FIRST and tag & 7 in (VARINT, LENGTH)
