"""Spans of a recorded program, in a file that is mapped into its memory.

A span that was put there stays when the program is killed the moment after, whatever its other
threads were doing: the pages are the system's. Knows the standard library only.
"""

import mmap
import os
import stat
import struct
import sys
import threading
from itertools import count
from pathlib import Path

KINDS = ("call", "copy", "cast", "check")
LAYOUT = struct.Struct("<qqqqiiiiq")
"""Of a row: start, duration, bytes, prediction, thread, session, word, kind as its place among
KINDS, and last its number, counted from 1: a row that is cut off has none."""

BLOCK = 4096  # rows that get their room at once
_NUMBER = struct.Struct("<q")
_BEFORE_NUMBER = LAYOUT.size - _NUMBER.size
_CODES = {kind: code for code, kind in enumerate(KINDS)}
Row = tuple[int, int, int, int, str, int, int, int]


class Ring:
    """Takes rows from any thread, and keeps the newest of them.

    A row is (start, duration, thread, session, kind, word, bytes, prediction).
    """

    def __init__(self, path: Path, keep: int, before: "Ring | None" = None) -> None:
        """keep: how many rows stay at the least; less where the system gives no such file.

        before: the ring of the process that this one was forked from.
        """
        self._path, self._rows = path, max(1, -(-keep // BLOCK)) * BLOCK
        self._numbers, self._ready = count(), 0
        self._map: mmap.mmap | None = None
        self._inode = 0  # of the file that is mapped
        # Letting go of a map closes its descriptor, which may be a file of the program by now.
        self._before = before
        self._room, self._closed = threading.RLock(), False

    def begin(self) -> None:
        """Make room, so that the first rows need not wait for it. Raises OSError."""
        self._make_room(0)

    def put(self, row: Row) -> None:
        """Keep a row. Raises OSError: there is no room for it."""
        number = next(self._numbers)
        if number >= self._ready:
            self._make_room(number)
        if self._map is None or self._closed:
            return
        start, duration, thread, session, kind, word, size, prediction = row
        at = number % self._rows * LAYOUT.size
        if number >= self._rows:  # what is half overwritten is not what it was
            _NUMBER.pack_into(self._map, at + _BEFORE_NUMBER, 0)
        code = _CODES[kind]
        try:
            LAYOUT.pack_into(
                self._map, at, start, duration, size, prediction,
                thread, session, word, code, number + 1,
            )  # fmt: skip
        except (struct.error, ValueError):  # more bytes than there are, or closed meanwhile
            return

    def close(self) -> None:
        """Keep nothing any more."""
        self._closed = True
        if sys.platform == "win32" and self._map is not None:
            self._map.close()  # a file that is mapped cannot be cleared away there

    def restore(self) -> bool:
        """Write the rows to their file again if it is missing, and return whether it was.

        Raises OSError: there is no room, or the program cut the file off.
        """
        if self._map is None or sys.platform == "win32" or inode(self._path) == self._inode:
            return False
        size = min(self._ready, self._rows) * LAYOUT.size
        new = self._path.with_name(f".{self._path.name}.new")
        # The system copies: to read a page ourselves that was cut off would end the program.
        with (
            open(new, "wb", buffering=0, opener=open_own) as file,
            memoryview(self._map) as rows,
        ):
            written = 0
            while written < size:
                written += file.write(rows[written:size])
            file.truncate(self._rows * LAYOUT.size)
        put_in_place(new, self._path)
        self._inode = inode(self._path)
        return True

    def _make_room(self, number: int) -> None:
        """Allocate disk blocks first: a full disk would end the process at a page write."""
        with self._room:
            while number >= self._ready and not self._closed:
                self._map = self._map or self._mapped()
                size = BLOCK * LAYOUT.size
                if self._ready < self._rows:
                    with open(self._path, "r+b", opener=open_own) as file:
                        _allocate(file.fileno(), self._ready * LAYOUT.size, size)
                past = (self._ready // BLOCK - 2) * size
                if past >= 0 and sys.platform == "linux" and past % mmap.PAGESIZE == 0:
                    # It stays in the file, and is no memory of the program.
                    self._map.madvise(
                        mmap.MADV_DONTNEED, past % (self._rows * LAYOUT.size), size
                    )
                self._ready += BLOCK

    def _mapped(self) -> mmap.mmap:
        while True:
            try:
                with open(self._path, "w+b", opener=open_own) as file:
                    file.truncate(self._rows * LAYOUT.size)
                    self._inode = os.fstat(file.fileno()).st_ino
                    return mmap.mmap(file.fileno(), self._rows * LAYOUT.size)
            except (OSError, ValueError, OverflowError):  # a limit of the system or its user
                if self._rows == BLOCK:
                    raise
                self._rows = max(1, self._rows // 2 // BLOCK) * BLOCK


def open_own(path: str, flags: int) -> int:
    """Open one of our files; an `opener`. Raises OSError: something else has its name.

    The recorded program may have put a link there, through which we would write into a file
    of the user, or a pipe, which would keep it waiting.
    """
    more = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    descriptor = os.open(path, flags | more, 0o666)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(f"{path} is no longer a regular file")
    return descriptor


def inode(path: Path) -> int:
    """Return the inode of a plain file; 0 where there is none."""
    try:
        status = path.lstat()
    except OSError:
        return 0
    return status.st_ino if stat.S_ISREG(status.st_mode) else 0


def put_in_place(new: Path, path: Path) -> None:
    """Rename a new file to a name that a folder of the program may have. Raises OSError."""
    if path.is_dir() and not path.is_symlink():
        path.rename(path.with_name(f".{path.name}.folder"))
    new.replace(path)


def _allocate(file: int, begin: int, size: int) -> None:
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file, begin, size)
    elif os.name == "posix":  # elsewhere a file has no holes
        os.lseek(file, begin, os.SEEK_SET)
        os.write(file, bytes(size))
