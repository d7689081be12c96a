"""What a recording and whoever watches it tell each other while it runs: through its folder.

Knows the standard library only: one side works inside the recorded program.
"""

import os
import re
from pathlib import Path

INTERRUPT, END = "interrupt", "end"
_STOP, _ENDED, _TAIL = "stop", "ended-", 8192
_CALLS = re.compile(rb'"calls": (\d+)')


def ask(folder: Path, word: str) -> None:
    """Ask the recorded programs to stop: INTERRUPT as Ctrl-C would, END at once."""
    part = folder / f".{_STOP}"
    part.write_text(word, "ascii")
    part.replace(folder / _STOP)


def asked(folder: Path) -> str:
    """What was asked for; '' for nothing."""
    try:
        return (folder / _STOP).read_text("ascii")
    except OSError:
        return ""


def note_end(folder: Path, process: int) -> None:
    """Say that a recorded program ended another process itself."""
    (folder / f"{_ENDED}{process}").touch()


def noted_end(folder: Path, process: str) -> bool:
    """Whether a recorded program said so."""
    return (folder / f"{_ENDED}{process}").exists()


def calls(folder: Path) -> int:
    """How many calls all processes together have told of; some tenths of a second old."""
    return sum(_last(path) for path in folder.glob("part-*.facts"))


def _last(path: Path) -> int:
    try:
        with open(path, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _TAIL))
            found = _CALLS.findall(file.read())
    except OSError:
        return 0
    return int(found[-1]) if found else 0
