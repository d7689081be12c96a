"""The objects of a long JSON list, piece by piece, as far as the list is whole.

The list may be the file itself or the value of one key of an object; it may be compressed,
and it may end anywhere: a program that is killed does not close its list. Only the pieces
under way are in memory.
"""

import re
import zlib
from collections.abc import Iterator

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector.formats.source import Source

# Bytes read at once, of one object, and of an unpacked file.
PIECE = 1 << 20
LONGEST = 16 << 20
MOST = 8 << 30
GZIP = b"\x1f\x8b"
_SPACE = b" \t\r\n"
_BOM = b"\xef\xbb\xbf"
_OTHER, _QUOTE, _OPEN, _CLOSE = range(4)
_TOKENS = np.zeros(256, np.uint8)
_TOKENS[ord('"')] = _QUOTE
_TOKENS[[ord("{"), ord("[")]] = _OPEN
_TOKENS[[ord("}"), ord("]")]] = _CLOSE
_EVENT = re.compile(rb'\{[^{}\[\]]*"ph"\s*:')
_ESCAPED = re.compile(rb"\\.", re.DOTALL)


class Piece(Struct, frozen=True):
    """Some whole objects of the list: `body` is JSON without the brackets of the list.

    places: begin and end of each object in the body.
    """

    body: bytes
    places: tuple[tuple[int, int], ...]


class Reading(Struct):
    """State of reading a list; complete once its pieces are used up.

    closed: the list ended as it should. truncated: something follows the last whole object.
    after: the first bytes behind the list. trouble: a sentence when the bytes themselves
    could not be had to the end.
    """

    closed: bool = False
    truncated: bool = False
    after: bytes = b""
    trouble: str = ""


def head(source: Source, length: int) -> bytes:
    """Return the first bytes of what the file says, uncompressed, at least `length` if it has
    them."""
    text = b""
    for piece in _bytes(source, Reading()):
        text += piece
        if len(text) >= length:
            break
    return text.removeprefix(_BOM).lstrip(_SPACE)


def pieces(source: Source, key: str, reading: Reading) -> Iterator[Piece]:
    """Yield the objects of the list; of an object, those of the list that is at `key`.

    Objects one after the other, without a list around them, are read as well. Raises
    UnreadableFile: the file cannot be read, or holds no such list.
    """
    stream = _bytes(source, reading)
    rest = _at_list(source, stream, key, reading)
    for piece in stream:
        items, rest, end = _whole(rest + piece)
        if items is not None:
            yield items
        if end is not None:
            reading.closed, reading.after = True, rest[end:]
            return
        if len(rest) > LONGEST:
            reading.truncated = True
            return
    items, rest, end = _whole(rest)
    if items is not None:
        yield items
    reading.closed, reading.after = reading.closed or end is not None, rest[end or 0 :]
    reading.truncated = end is None and bool(rest.strip(_SPACE + b","))


def _bytes(source: Source, reading: Reading) -> Iterator[bytes]:
    """Yield what the file says, uncompressed."""
    raw = (
        source.read(offset, min(PIECE, source.size - offset))
        for offset in range(0, source.size, PIECE)
    )
    if source.head(2) != GZIP:
        yield from raw
        return
    unpack = zlib.decompressobj(zlib.MAX_WBITS | 16)
    read_bytes = 0
    for packed in raw:
        waiting = packed
        while waiting and not unpack.eof:
            try:
                piece = unpack.decompress(waiting, PIECE)
            except zlib.error:
                reading.trouble = f"The compressed data is damaged after {read_bytes:,} bytes."
                return
            waiting = unpack.unconsumed_tail
            read_bytes += len(piece)
            yield piece
        if read_bytes > MOST:
            reading.trouble = f"Only the first {MOST >> 30} GiB of the unpacked file were read."
            return
    if not unpack.eof:
        reading.trouble = "The compressed file ends early."


def _at_list(source: Source, stream: Iterator[bytes], key: str, reading: Reading) -> bytes:
    """Read up to the list and return what of it was read so far."""
    text = b""
    pattern = re.compile(rb'"%s"\s*:\s*\[' % key.encode())
    for piece in stream:
        text = (text + piece).removeprefix(_BOM).lstrip(_SPACE)
        if text[:1] == b"[":
            return text[1:]
        if text and text[:1] != b"{":
            hint = "Choose a trace in Chrome's JSON format or in the Perfetto format."
            raise source.failure("it is not JSON", hint)
        begin = _key(text, pattern)
        if begin is not None:
            return text[begin:]
        if len(text) > LONGEST:
            break
    if not text:
        raise source.failure(
            "it is empty",
            "ONNX Runtime writes a profile when the session ends; if the program is killed, "
            "the file is empty.",
        )
    if _EVENT.match(text) and _whole(text)[0] is not None:
        reading.closed = True  # there is no list that could be
        return text
    raise source.failure(f"it is JSON, but has no array '{key}'")


def _key(text: bytes, pattern: re.Pattern[bytes]) -> int | None:
    """Return where the list begins that an outermost key names."""
    for match in pattern.finditer(text):
        tokens, depth = _structure(text[: match.start()])
        quoted = np.count_nonzero(tokens == _QUOTE) % 2
        if not quoted and len(depth) and depth[-1] == 1:
            return match.end()
    return None


def _structure(text: bytes) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Quotes and brackets in the order of the text, and the depth after each bracket."""
    plain = _ESCAPED.sub(b"__", text) if b"\\" in text else text
    tokens = _TOKENS[np.frombuffer(plain, np.uint8)]
    tokens = tokens[tokens != _OTHER]
    return tokens, _depths(tokens)[1]


def _depths(tokens: NDArray[np.uint8]) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """Return which tokens are brackets outside of texts, and the depth after each of them."""
    quotes = tokens == _QUOTE
    inside = np.cumsum(quotes, dtype=np.uint8) & 1
    brackets = np.flatnonzero(~quotes & (inside == 0))
    steps = np.where(tokens[brackets] == _OPEN, 1, -1)
    return brackets, np.cumsum(steps)


def _whole(text: bytes) -> tuple[Piece | None, bytes, int | None]:
    """Return the whole objects at the beginning of a list, the rest, and where in it the list
    ends."""
    plain = _ESCAPED.sub(b"__", text) if b"\\" in text else text
    every = _TOKENS[np.frombuffer(plain, np.uint8)]
    at = np.flatnonzero(every)
    tokens = every[at]
    brackets, depth = _depths(tokens)
    places, opening = at[brackets], tokens[brackets] == _OPEN
    over = np.flatnonzero(depth < 0)
    if len(over):
        depth, places, opening = depth[: over[0]], places[: over[0]], opening[: over[0]]
    begins = places[opening & (depth == 1)]
    ends = places[~opening & (depth == 0)] + 1
    last = int(ends[-1]) if len(ends) else 0
    end = int(at[brackets[over[0]]]) + 1 - last if len(over) else None
    if not last:
        return None, text, end
    both = zip(begins[: len(ends)].tolist(), ends.tolist(), strict=True)
    return Piece(text[:last], tuple(both)), text[last:], end
