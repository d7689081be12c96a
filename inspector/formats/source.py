"""Read-only access to a file or to bytes, in pieces and with errors for users."""

import io
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from pathlib import Path

from inspector.errors import UnreadableFile
from inspector.formats.coreml.package import is_compiled, model_file, package_of
from inspector.formats.model_formats import ModelFormat, describe_folder, format_of
from inspector.platform import files, plugins

# Its module imports this one, for its readers.
_COMPILED = "inspector.formats.coreml.compiled:model_bytes"
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NONBLOCK", 0)  # opening a named pipe would wait for its writer
    | getattr(os, "O_NOCTTY", 0)
)
_PIECE = 16 << 20  # bytes hashed or copied at once


class Source:
    """An open regular file, or bytes in memory.

    Reads through a file descriptor, never through a memory map: truncating a mapped file would
    kill the process.
    """

    def __init__(
        self,
        name: str,
        read_at: Callable[[int, int], bytes],
        size: int,
        fill_at: Callable[[memoryview, int], int] | None = None,
    ) -> None:
        """Describe how to read.

        read_at(length, offset): returns up to `length` bytes. fill_at(buffer, offset): reads
        into a buffer and returns the number of bytes.
        """
        self.name, self.size = name, size
        self._read_at, self._fill_at = read_at, fill_at

    def read(self, offset: int, length: int) -> bytes:
        """Return exactly `length` bytes. Raises UnreadableFile when the file has fewer."""
        pieces = []
        while length > 0:
            piece = self._read_some(offset, min(length, _PIECE))
            pieces.append(piece)
            offset += len(piece)
            length -= len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def pieces(self, length: int) -> Iterator[memoryview]:
        """Yield the whole file in pieces of a length; each is valid until the next one.

        All pieces share one buffer: the system would fill new memory for each with zeros, and
        other threads of the process cannot allocate memory during that time.
        """
        buffer = memoryview(bytearray(min(length, self.size)))
        for offset in range(0, self.size, length):
            piece = buffer[: self.size - offset]
            position = 0
            while position < len(piece):
                position += self._fill_some(piece[position:], offset + position)
            yield piece

    def head(self, length: int) -> bytes:
        """Return the first bytes, at most `length`."""
        return self.read(0, min(length, self.size))

    def failure(self, why: str, hint: str = "") -> UnreadableFile:
        """Return the error that says why this file cannot be read."""
        return UnreadableFile(f"Could not open {self.name}", why, hint)

    def _read_some(self, offset: int, length: int) -> bytes:
        try:
            piece = self._read_at(length, offset)
        except OSError as error:
            raise self.failure(error.strerror or str(error)) from error
        self._check(len(piece))
        return piece

    def _fill_some(self, piece: memoryview, offset: int) -> int:
        if self._fill_at is None:
            data = self._read_some(offset, len(piece))
            piece[: len(data)] = data
            return len(data)
        try:
            filled = self._fill_at(piece, offset)
        except OSError as error:
            raise self.failure(error.strerror or str(error)) from error
        self._check(filled)
        return filled

    def _check(self, length: int) -> None:
        if not length:
            raise self.failure(
                "it was truncated while it was being read",
                "Wait until the program that writes it has finished, then open it again.",
            )


@contextmanager
def open_source(path: Path) -> Iterator[Source]:
    """Open a regular file for reading.

    Of a package, a folder that is one model, the file with its structure is opened.
    Raises UnreadableFile: missing, a folder, a pipe, a device, no permission, an
    invalid name.
    """
    name = clean(path.name or str(path))
    summary = f"Could not open {name}"
    package = package_of(path)
    if package is not None:
        name, path = clean(package.name), model_file(package)
        if not files.is_file(path):
            why = "it is a Core ML package without its model"
            hint = "Copy the whole folder, with Manifest.json and Data."
            raise UnreadableFile(f"Could not open {name}", why, hint)
        if is_compiled(package):
            body: bytes = plugins.load(_COMPILED)(package, path)
            yield of_bytes(body, name)
            return
    try:
        descriptor = os.open(path, _FLAGS)
    except FileNotFoundError as error:
        raise UnreadableFile(summary, "there is no such file", "Check the name.") from error
    except ValueError as error:
        raise UnreadableFile(summary, "a file name cannot contain a NUL character") from error
    except OSError as error:
        if os.path.isdir(path):  # Windows does not open folders at all
            raise _not_a_file(summary, stat.S_IFDIR, path) from error
        raise UnreadableFile(summary, error.strerror or str(error)) from error
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise _not_a_file(summary, status.st_mode, path)
        fill = partial(_fill_at, descriptor) if hasattr(os, "preadv") else None
        yield Source(name, partial(_read_at, descriptor), status.st_size, fill)
    finally:
        os.close(descriptor)


def format_at(path: Path) -> ModelFormat:
    """Return the format of a file by its content. Raises UnreadableFile, as `open_source`."""
    state = files.state(path)
    if state is None or not files.is_file(path):
        return _format_at(path)
    return _known_format(path, state)


@lru_cache  # every job asks, also each prediction while somebody edits an input
def _known_format(path: Path, state: files.FileState) -> ModelFormat:
    """state: of the file at the path, since there may be another one later."""
    return _format_at(path)


def _format_at(path: Path) -> ModelFormat:
    with open_source(path) as source:
        return format_of(source)


def of_bytes(body: bytes, name: str) -> Source:
    """Return a source that reads from bytes."""
    return Source(name, lambda length, offset: body[offset : offset + length], len(body))


class _File(io.RawIOBase):
    """A source with the methods of a file, for libraries that want one."""

    def __init__(self, source: Source) -> None:
        self._source, self._at = source, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._source.size}[whence]
        if start + offset < 0:
            raise ValueError("a negative position in a file")
        self._at = start + offset
        return self._at

    def read(self, size: int = -1) -> bytes:
        rest = max(0, self._source.size - self._at)
        length = rest if size is None or size < 0 else min(size, rest)
        body = self._source.read(self._at, length) if length else b""
        self._at += len(body)
        return body


def as_file(source: Source) -> io.RawIOBase:
    """Return a source as a file object, for reading only."""
    return _File(source)


def clean(text: str) -> str:
    """Replace characters that UTF-8 cannot encode: a file name may contain any bytes."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _not_a_file(summary: str, mode: int, path: Path) -> UnreadableFile:
    if stat.S_ISDIR(mode):
        return UnreadableFile(summary, *describe_folder(path))
    kind = "a named pipe" if stat.S_ISFIFO(mode) else "a device, not a file"
    return UnreadableFile(summary, f"it is {kind}", "Save it as a regular file first.")


def _fill_at(descriptor: int, piece: memoryview, offset: int) -> int:
    return os.preadv(descriptor, [piece], offset)


if hasattr(os, "pread"):
    _read_at = os.pread
else:  # Windows

    def _read_at(descriptor: int, length: int, offset: int, /) -> bytes:
        os.lseek(descriptor, offset, os.SEEK_SET)
        return os.read(descriptor, length)
