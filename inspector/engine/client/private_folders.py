"""Private folders for what passes between the two ends, and what earlier ones left."""

import os
import re
import shutil
import tempfile
import time
from pathlib import Path

import psutil

from inspector.errors import BadInput

_NAME = re.compile(r"inspector-(\d+)-\w+")
_OLD_SECONDS = 24 * 3600


def private_folder() -> "tempfile.TemporaryDirectory[str]":
    """Make a folder that only this user can enter; its name tells whose it is.

    Raises OSError: no room, no permission.
    """
    prefix = f"inspector-{os.getpid()}-"
    return tempfile.TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True)


def remove_stale(parent: Path) -> None:
    """Remove folders of programs that ended a day ago without doing so: killed, power lost."""
    for folder in parent.glob("inspector-*"):
        owner = _NAME.fullmatch(folder.name)
        if owner and not psutil.pid_exists(int(owner[1])) and _age(folder) > _OLD_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)


def _age(folder: Path) -> float:
    try:
        return time.time() - folder.stat().st_mtime
    except OSError:
        return 0.0  # another program has just removed it


def printable_path(model: Path, what: str) -> Path:
    """Return the whole path of a model. Raises BadInput: a message cannot tell it."""
    path = model.absolute()
    try:
        str(path).encode()
    except UnicodeEncodeError as error:
        why = "the name of the file or of its folder is no text"
        raise BadInput(what, why, "Give it another name.") from error
    return path
