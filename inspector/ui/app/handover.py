"""A second start gives its files to the window that is open, by a socket of this user.

A line of JSON goes there, and a line comes back as soon as it was read. Nothing here knows Qt:
the second start ends before it would need a window.
"""

import json
import os
import platform
import socket
import stat
import sys
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from inspector import __version__

MOST_BYTES = 1 << 20  # of a request: thousands of paths
RECEIVED = b"received\n"
_LONGEST_ADDRESS_BYTES = 100  # of a socket's path: macOS takes 103, Linux 107
_REPLY_SECONDS = 2.0  # a window that reads a large model answers within 0.1 s
_DISPLAYS = ("WAYLAND_DISPLAY", "DISPLAY", "QT_QPA_PLATFORM")


def address(settings: Path) -> str:
    """Return where the window of a user listens; "" where the path is too long for a socket.

    One for each display, version and settings file: only a window that the user sees, and that
    understands the request, is asked. settings: its folder can be entered by this user alone.
    """
    parts = (platform.node(), __version__, str(settings), *map(os.environ.get, _DISPLAYS))
    name = sha256("\n".join(map(str, parts)).encode()).hexdigest()[:12]
    if sys.platform == "win32":
        return rf"\\.\pipe\inspector-{name}"
    path = str(settings.parent / f"{name}.socket")
    return path if len(os.fsencode(path)) <= _LONGEST_ADDRESS_BYTES else ""


def hand_over(address: str, names: Sequence[str], view: str) -> bool:
    """Ask the open window to open files; False where there is none that answers.

    names: paths from the root, or addresses of models. view: as `--view` takes it, or "".
    """
    if not address:
        return False
    body = json.dumps({"files": list(names), "view": view}).encode() + b"\n"
    return _ask(address, body) == RECEIVED


def is_answered(address: str) -> bool:
    """Return whether a window listens; a file of one that was killed may be left."""
    return _ask(address, b"\n") == RECEIVED


def read_request(body: bytes) -> tuple[tuple[str, ...], str] | None:
    """Return the files and the view of a request; None for what is none."""
    try:
        request = json.loads(body)
        names, view = request["files"], request["view"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    texts = [view, *names] if isinstance(names, list) else [None]
    return (tuple(names), view) if all(isinstance(each, str) for each in texts) else None


def _ask(address: str, body: bytes) -> bytes:
    with suppress(OSError):
        if sys.platform == "win32":
            with open(address, "r+b", buffering=0) as pipe:
                pipe.write(body)
                return pipe.read(len(RECEIVED))
        found = os.lstat(address)
        if not stat.S_ISSOCK(found.st_mode) or found.st_uid != os.getuid():
            return b""
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(_REPLY_SECONDS)
            line.connect(address)
            line.sendall(body)
            return line.recv(len(RECEIVED))
    return b""
