"""Bugs as files: an exception that no sentence explains is saved, for a report about it."""

import platform
import sys
import time
import traceback
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from inspector import __version__
from inspector.platform.late_modules import platformdirs

MOST_FILES = 20  # the oldest ones are removed
_PREFIX = "error-"
# Of this process, by type and place: what `save_once` saved.
_SAVED: dict[tuple[type[BaseException], str], Path | None] = {}


def save(error: BaseException, arguments: Sequence[str] = ()) -> Path | None:
    """Save what a developer needs of an exception; None where no file can be written.

    arguments: of the command line. Nothing of the models themselves is in the file, but names
    of files are.
    """
    lines = (
        f"Inspector {__version__}, Python {platform.python_version()}, {platform.platform()}",
        f"Arguments: {list(arguments)!r}",
        "",
        *traceback.format_exception(error),
    )
    try:
        folder = platformdirs.user_log_path("inspector", appauthor=False)
        folder.mkdir(parents=True, exist_ok=True)
        second, nanosecond = divmod(time.time_ns(), 10**9)
        moment = time.strftime("%Y%m%d-%H%M%S", time.localtime(second))
        path = folder / f"{_PREFIX}{moment}-{nanosecond:09}.txt"
        path.write_text("\n".join(lines), "utf-8", errors="backslashreplace")
        for old in sorted(folder.glob(f"{_PREFIX}*.txt"))[:-MOST_FILES]:
            with suppress(OSError):
                old.unlink()
    except (OSError, ImportError, RuntimeError):
        return None
    return path


def save_once(error: BaseException, arguments: Sequence[str] = ()) -> Path | None:
    """Save an exception unless one of the same type and place was: return that file then.

    In a window, a handler that fails at each movement of the pointer would fill the disk.
    """
    where = (type(error), place(error))
    if where not in _SAVED:
        _SAVED[where] = save(error, arguments)
    return _SAVED[where]


def place(error: BaseException) -> str:
    """Return where it was raised: 'model.py, line 12'; empty if it was not."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else ""


def sentence(error: BaseException, path: Path | None) -> str:
    """Return what to tell the user: that it is a bug, and which file to attach."""
    where = place(error)
    kind = f"{type(error).__name__} in {where}" if where else type(error).__name__
    what = f"Inspector failed: this is a bug ({kind})"
    attach = f" and attach this file: {path}" if path is not None else ""
    return "\n".join((what, f"Please report it{attach}"))


def report(error: BaseException) -> str:
    """Save an exception that ends a command, and return what to tell the user."""
    return sentence(error, save(error, sys.argv[1:]))
