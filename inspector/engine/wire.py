"""Messages on a pipe: four bytes of length, little-endian, then one JSON object."""

import os
import struct
from collections.abc import Iterator

MESSAGE_BYTES = 4 << 20
_LENGTH = struct.Struct("<I")
_CHUNK = 1 << 16


class Garbled(Exception):
    """What came through the pipe is no message; the text says what is wrong with it.

    closed: the pipe ended there.
    """

    def __init__(self, text: str, closed: bool = False) -> None:
        super().__init__(text)
        self.closed = closed


def frame(body: bytes) -> bytes:
    """Put the length before a message. Raises ValueError: longer than `MESSAGE_BYTES`."""
    if len(body) > MESSAGE_BYTES:
        raise ValueError(f"a message of {len(body)} bytes is too long for the pipe")
    return _LENGTH.pack(len(body)) + body


def write(descriptor: int, framed: bytes) -> None:
    """Write all of a framed message. Raises OSError when nobody listens any more."""
    rest = memoryview(framed)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def read_messages(descriptor: int) -> Iterator[bytes]:
    """Yield messages until the other end closes the pipe between two of them.

    Raises Garbled: the pipe ended inside a message, or a length is impossible.
    """
    held = bytearray()
    while True:
        chunk = os.read(descriptor, _CHUNK)
        if not chunk:
            break
        held += chunk
        while len(held) >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(held)
            if length > MESSAGE_BYTES:
                raise Garbled(f"it announced one of {length} bytes")
            end = _LENGTH.size + length
            if len(held) < end:
                break
            yield bytes(held[_LENGTH.size : end])
            del held[:end]
    if held:
        raise Garbled("it broke off in the middle of one", closed=True)
