"""The protobuf wire format: fields of messages by their positions, over a file of any length.

The encoding is described at https://protobuf.dev/programming-guides/encoding/.
"""

from collections.abc import Iterator

from inspector.formats.source import Source

# Wire types of the encoding.
VARINT = 0
FIXED_8 = 1
LENGTH = 2
FIXED_4 = 5
# from before messages could hold messages; ONNX has none
GROUP = 3
GROUP_END = 4
PADDING = bytes(24)  # after a piece of a file: a field cut off reads zeros, then is too long
WINDOW_BYTES = 64 << 10  # of a long file in memory at a time
MOST_IN_GROUP = 100_000
DEEPEST_GROUP = 100

_FIXED = {FIXED_8: 8, FIXED_4: 4}
_DAMAGED = "It is damaged: download or export it again."


class Malformed(Exception):
    """Bytes that are no message, or one beyond a limit: why, and a hint for the user."""

    def __init__(self, why: str, hint: str = _DAMAGED) -> None:
        super().__init__(why)
        self.hint = hint


class Window:
    """A long file, sliced like `bytes`, of which a window is in memory."""

    def __init__(self, source: Source) -> None:
        self._source, self._start, self._stop = source, 0, -1
        self._padded = PADDING

    def __getitem__(self, place: slice) -> bytes:
        start, stop = place.start, place.stop
        if not self._start <= start <= stop <= self._stop:
            if stop - start > WINDOW_BYTES:
                return self._source.read(start, stop - start)
            self._move(start)
        return self._padded[start - self._start : stop - self._start]

    def piece(self, at: int) -> tuple[bytes, int, int]:
        """Return padded bytes around a place, where they start, and the last record's limit.

        A record that starts at the limit or before has its tag and length in the bytes.
        """
        if not self._start <= at <= self._limit():
            self._move(at)
        return self._padded, self._start, self._limit()

    def _limit(self) -> int:
        return self._stop - (0 if self._stop == self._source.size else len(PADDING))

    def _move(self, start: int) -> None:
        length = min(WINDOW_BYTES, self._source.size - start)
        self._padded = self._source.read(start, length) + PADDING
        self._start, self._stop = start, start + length


Data = bytes | Window


def records(data: Data, at: int, end: int) -> Iterator[tuple[int, int, int, int, int]]:
    """Yield (field, wire type, start of the record, start of the value, stop) of a message.

    In `bytes`, PADDING has to follow on `end`. Raises Malformed.
    """
    piece, low, high = (b"", 0, -1) if isinstance(data, Window) else (data, 0, end)
    while at < end:
        if at > high and isinstance(data, Window):
            piece, low, high = data.piece(at)
        start = place = at - low
        tag, place = piece[place], place + 1
        if tag > 127:
            tag, place = varint(piece, start)
        wire, value = tag & 7, place
        if wire == LENGTH:
            length, place = piece[place], place + 1
            if length > 127:
                length, place = varint(piece, value)
            value = place
            place += length
        elif wire == VARINT:
            place = varint(piece, place)[1]
        elif wire in _FIXED:
            place += _FIXED[wire]
        elif wire == GROUP:
            place = _past_group(data, low + place, end, tag >> 3) - low
        else:
            raise _senseless(low + start)
        at = low + place
        if at > end:
            raise Malformed(f"{at - end:,} B are missing at its end")
        if tag < 8:
            raise Malformed("it contains a field with number 0")
        yield tag >> 3, wire, low + start, low + value, at


def _past_group(data: Data, at: int, end: int, field: int) -> int:
    """Return where a group ends whose first tag has been read; nobody here knows what is in
    it."""
    inside = [field]
    for _ in range(MOST_IN_GROUP):
        if at >= end:
            raise Malformed("it contains a field group without an end")
        piece, low, _ = data.piece(at) if isinstance(data, Window) else (data, 0, end)
        tag, place = varint(piece, at - low)
        wire = tag & 7
        if wire == GROUP:
            inside.append(tag >> 3)
        elif wire == GROUP_END and tag >> 3 == inside[-1]:
            inside.pop()
        elif wire == LENGTH:
            length, place = varint(piece, place)
            place += length
        elif wire == VARINT:
            place = varint(piece, place)[1]
        elif wire in _FIXED:
            place += _FIXED[wire]
        else:
            raise _senseless(at)
        at = low + place
        if not inside:
            return at
        if len(inside) > DEEPEST_GROUP:
            break
    raise Malformed("it contains a field group that is too deep or too long")


def _senseless(at: int) -> Malformed:
    return Malformed(f"the byte at offset {at:,} is not valid in a protobuf file")


def varint(data: bytes, at: int) -> tuple[int, int]:
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
            raise Malformed("it contains a number longer than 10 bytes")


def framed(field: int, body: bytes) -> bytes:
    """Write a message or text as a field."""
    if field < 16 and len(body) < 128:
        return bytes((field << 3 | LENGTH, len(body))) + body
    return encode_varint(field << 3 | LENGTH) + encode_varint(len(body)) + body


def encode_varint(number: int) -> bytes:
    """Return a number of 0 or more as a varint."""
    digits = bytearray()
    while number > 127:
        digits.append(number & 127 | 128)
        number >>= 7
    digits.append(number)
    return bytes(digits)
