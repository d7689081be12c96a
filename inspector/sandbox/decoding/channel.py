"""Messages between a decoder and its client: a line of JSON, then plain bytes."""

import os
import struct
from io import BufferedIOBase

import msgspec
import numpy as np
from numpy.typing import NDArray

KINDS = ("pictures", "sounds", "texts")
MEMORY_BYTES, SECONDS = 6 << 30, 60  # what a decoder may take
_LENGTH = struct.Struct("<I")
LIMIT_WORDS = 64 << 20
_AT_ONCE = 4 << 20


class Asked(msgspec.Struct, frozen=True):
    """A question about a file; its bytes follow where the decoder is to have them.

    name: of the file, for messages. key: by which a decoder remembers a file.
    """

    do: str
    name: str = ""
    size_bytes: int = 0
    key: str = ""
    text: str = ""
    numbers: tuple[int, ...] = ()
    whole: bool = False


class Answered(msgspec.Struct, frozen=True):
    """The answer of a decoder; the bytes of an array of that type and shape follow.

    problem: kind, what, why and hint of a failure; empty where it went well.
    unknown: the decoder has no file of that key.
    numbers, rows, texts: whatever the question asks for.
    """

    problem: tuple[str, ...] = ()
    unknown: bool = False
    dtype: str = ""
    shape: tuple[int, ...] = ()
    numbers: tuple[int, ...] = ()
    rows: dict[str, tuple[int, ...]] = {}
    texts: tuple[str, ...] = ()


class Garbled(ValueError):
    """The other end said something that cannot be."""


def send(descriptor: int, message: Asked | Answered, body: bytes | memoryview = b"") -> None:
    """Write a message. Raises OSError: nobody listens any more."""
    encoded = msgspec.json.encode(message)
    head = _LENGTH.pack(len(encoded)) + encoded
    # Each write lets go of Python's lock, and a busy window gives it back late.
    pieces = (head + body,) if len(body) < _AT_ONCE else (head, body)
    for piece in pieces:
        rest = memoryview(piece)
        while rest:
            rest = rest[os.write(descriptor, rest) :]


def read_line(pipe: BufferedIOBase) -> bytes:
    """Read the line of JSON. Raises EOFError: the other end is gone; Garbled: far too long."""
    (length,) = _LENGTH.unpack(body(pipe, _LENGTH.size).data)
    if length > LIMIT_WORDS:
        raise Garbled(f"it announced a line of {length:,} bytes")
    return body(pipe, length).tobytes()


def body(pipe: BufferedIOBase, size_bytes: int) -> NDArray[np.uint8]:
    """Read so many bytes: uint8 (size_bytes,). Raises EOFError: the pipe ended early."""
    room = np.empty(size_bytes, np.uint8)
    rest = room.data
    while rest:
        count = pipe.readinto(rest)
        if not count:
            raise EOFError
        rest = rest[count:]
    return room
