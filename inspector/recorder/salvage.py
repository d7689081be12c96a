"""Salvage: the observer's copies of a recording, in case the recorded program damages it.

Programs clear temporary folders away, truncate files and put others in their place. Facts are
read as they come; files of spans are held open, so that their contents outlive their names.
A program that comes to its end writes its files again, see `Store`, so this is for killed ones.
"""

import os
import re
from contextlib import suppress
from pathlib import Path

from msgspec import Struct, field

from inspector.recorder.span_ring import inode, open_own, put_in_place

_MOST_FILES = 200  # held open at once, of the 1,024 that a process usually may
_MOST_FACTS_BYTES = 64 << 20
# a program may clear temporary files away as it begins
_FIRST_S = 0.02
_EVERY_S = 0.2
_MOST_QUICK = 1500  # half a minute, in which a program has begun to use the runtime
_PIECE = 1 << 20
_HEAD_BYTES = 64
_RESTORED = b'"restored"'
_CALLS = re.compile(rb'"calls": (\d+)')
# Files that are mapped cannot be deleted on Windows while they are open, so nothing is held.
_HOLDS_FILES = os.name == "posix"


class _Facts(Struct):
    """Facts of one process: all that was ever read, and how much of the file that is now."""

    inode: int = 0
    read_bytes: int = 0
    head: bytes = b""
    text: bytearray = field(default_factory=bytearray)
    damaged: bool = False


class Salvage:
    """Looks at the folder of a recording now and then, and restores what was damaged."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._inode = folder, _number(folder)
        self._facts: dict[str, _Facts] = {}
        self._spans: dict[str, int] = {}  # name -> descriptor
        self._check_count = 0

    def __enter__(self) -> "Salvage":
        return self

    def __exit__(self, *_: object) -> None:
        for descriptor in self._spans.values():
            os.close(descriptor)
        self._spans.clear()

    @property
    def calls(self) -> int:
        """Return the number of calls of all processes, even if files are lost."""
        matches = (_CALLS.findall(facts.text) for facts in self._facts.values())
        return sum(int(counts[-1]) for counts in matches if counts)

    @property
    def pause_s(self) -> float:
        """Return how long to wait until the next look: not long before all files are held."""
        held = len(self._spans) if _HOLDS_FILES else len(self._facts)
        waits = not self._facts or held < min(len(self._facts), _MOST_FILES)
        return _FIRST_S if waits and self._check_count < _MOST_QUICK else _EVERY_S

    def check(self) -> None:
        """Read the facts that are new, and hold the files of spans that are."""
        self._check_count += 1
        for path in self._folder.glob("part-*.facts"):
            self._read_on(path)
            spans = path.with_suffix(".spans")
            if _HOLDS_FILES and spans.name not in self._spans:
                with suppress(OSError):
                    if len(self._spans) < _MOST_FILES:
                        self._spans[spans.name] = open_own(str(spans), os.O_RDONLY)

    def restore(self, folder: Path) -> bool:
        """Put what was damaged back; returns whether anything was.

        folder: where to, the recording's own or another one where that is gone.
        """
        self.check()
        unchanged = folder == self._folder
        damaged = _number(self._folder) != self._inode
        for name, facts in self._facts.items():
            path, spans = folder / name, (folder / name).with_suffix(".spans")
            whole = unchanged and not facts.damaged and inode(path) == facts.inode
            damaged |= not whole or _RESTORED in facts.text
            if not whole:
                # A file that was written again repeats what was read before.
                lines = dict.fromkeys(bytes(facts.text).splitlines(keepends=True))
                _replace(path, b"".join(lines))
            descriptor = self._spans.get(spans.name)
            if descriptor is None:
                continue
            if not unchanged or inode(spans) != os.fstat(descriptor).st_ino:
                damaged = True
                new = spans.with_name(f".{spans.name}.whole")
                os.lseek(descriptor, 0, os.SEEK_SET)
                with open(new, "wb") as file:
                    while piece := os.read(descriptor, _PIECE):
                        if any(piece):
                            file.write(piece)
                        else:  # room for spans that never came
                            file.seek(len(piece), os.SEEK_CUR)
                    file.truncate()
                put_in_place(new, spans)
        return damaged

    def _read_on(self, path: Path) -> None:
        facts = self._facts.setdefault(path.name, _Facts())
        try:
            descriptor = open_own(str(path), os.O_RDONLY)
        except OSError:
            facts.damaged = True
            return
        with open(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            head = file.read(_HEAD_BYTES)
            if (
                (facts.inode and status.st_ino != facts.inode)
                or status.st_size < facts.read_bytes
                or not head.startswith(facts.head)
            ):
                # Another file, or another text: what was read before stays.
                facts.damaged, facts.read_bytes = True, 0
            facts.inode, facts.head = status.st_ino, head
            file.seek(facts.read_bytes)
            more = file.read(max(0, _MOST_FACTS_BYTES - len(facts.text)))
            if facts.damaged and facts.text and not facts.text.endswith(b"\n"):
                facts.text += b"\n"
            facts.read_bytes += len(more)
            facts.text += more


def _number(folder: Path) -> int:
    try:
        return folder.lstat().st_ino
    except OSError:
        return 0


def _replace(path: Path, body: bytes) -> None:
    new = path.with_name(f".{path.name}.whole")
    new.write_bytes(body)
    put_in_place(new, path)
