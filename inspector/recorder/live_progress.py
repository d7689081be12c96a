"""What a recording and whoever watches it tell each other while it runs: through its folder.

Knows the standard library only: one side works inside the recorded program.
"""

import os
import re
from pathlib import Path

INTERRUPT, END = "interrupt", "end"
_STOP, _ENDED, _GROUP_ENDED, _APART, _TAIL = "stop", "ended-", "ended-group-", "apart", 8192
_CALLS = re.compile(rb'"calls": (\d+)')


def request_progress(folder: Path, word: str) -> None:
    """Ask the recorded programs to stop: INTERRUPT as Ctrl-C would, END at once."""
    part = folder / f".{_STOP}"
    part.write_text(word, "ascii")
    part.replace(folder / _STOP)


def progress_requested(folder: Path) -> str:
    """What was asked for; '' for nothing."""
    try:
        return (folder / _STOP).read_text("ascii")
    except OSError:
        return ""


def record_end(folder: Path, process: int, is_group: bool = False) -> None:
    """Say that a recorded program ended another process itself, or all of a group."""
    (folder / f"{_GROUP_ENDED if is_group else _ENDED}{process}").touch()


def recorded_end(folder: Path, process: int, group: int) -> bool:
    """Whether a recorded program said so, of the process or of the group that it is in."""
    told = (f"{_ENDED}{process}", f"{_GROUP_ENDED}{group}")
    return any((folder / name).exists() for name in told)


def record_isolated(folder: Path, reason: str) -> None:
    """Say that Python was started in a way that leaves recorders out, see `apart`."""
    (folder / f"{_APART}{reason}").touch()


def is_isolated(folder: Path, reason: str) -> bool:
    """Whether that was said."""
    return (folder / f"{_APART}{reason}").exists()


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
