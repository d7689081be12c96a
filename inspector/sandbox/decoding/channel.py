"""Messages between a decoder and its client: a line of JSON, then plain bytes."""

import os
import struct
from io import BufferedIOBase

import msgspec
import numpy as np
from numpy.typing import NDArray

# What decoders there are, and the module that answers each one's requests. It imports all that
# it needs when it is imported itself: a confined process opens no file.
KINDS = {
    "images": "inspector.sandbox.decoding.images",
    "audio": "inspector.sandbox.decoding.audio",
    "tokenizers": "inspector.sandbox.decoding.tokenizers",
    "templates": "inspector.sandbox.decoding.templates",
    "plugin_models": "inspector.formats.plugin_models",
    "plugin_inputs": "inspector.preview.inputs.plugin_inputs",
}
# what a decoder may take
MEMORY_BYTES = 6 << 30
SECONDS = 60
# A template is a program that somebody waits for at each message; usual ones take 1 ms.
SHORT_SECONDS = {"templates": 3}
CLASS_NUMBERS = "class numbers"  # what is asked of an image whose pixels are no colors
_LENGTH = struct.Struct("<I")
LINE_BYTES = 64 << 20  # longest line of JSON
_JOINED_BYTES = 4 << 20  # a shorter body is written together with its head


class Request(msgspec.Struct, frozen=True):
    """A request about a file, whose bytes follow if the decoder needs them.

    name: of the file, for messages. key: by which a decoder remembers a file.
    """

    do: str
    name: str = ""
    size_bytes: int = 0
    key: str = ""
    text: str = ""
    numbers: tuple[int, ...] = ()
    whole: bool = False
    start: int = 0
    new: int = 0


class Response(msgspec.Struct, frozen=True):
    """The response of a decoder; the bytes of an array of that type and shape follow.

    problem: kind, what, why and hint of a failure; empty where it went well.
    unknown: the decoder has no file of that key.
    numbers, rows, texts: as the request asks for.
    """

    problem: tuple[str, ...] = ()
    unknown: bool = False
    dtype: str = ""
    shape: tuple[int, ...] = ()
    numbers: tuple[int, ...] = ()
    rows: dict[str, tuple[int, ...]] = {}
    texts: tuple[str, ...] = ()


class MalformedMessage(ValueError):
    """A message that the other end cannot have sent."""


def send(descriptor: int, message: Request | Response, body: bytes | memoryview = b"") -> None:
    """Write a message. Raises OSError: the other end has closed the pipe."""
    encoded = msgspec.json.encode(message)
    head = _LENGTH.pack(len(encoded)) + encoded
    # Each write lets go of Python's lock, and a busy window gives it back late.
    pieces = (head + body,) if len(body) < _JOINED_BYTES else (head, body)
    for piece in pieces:
        rest = memoryview(piece)
        while rest:
            rest = rest[os.write(descriptor, rest) :]


def read_line(pipe: BufferedIOBase) -> bytes:
    """Read the line of JSON. Raises EOFError: pipe closed; MalformedMessage: too long."""
    (length,) = _LENGTH.unpack(body(pipe, _LENGTH.size).data)
    if length > LINE_BYTES:
        raise MalformedMessage(f"it announced a line of {length:,} bytes")
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
