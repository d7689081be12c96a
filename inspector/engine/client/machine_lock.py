"""One measurement at a time on a machine, by a lock on a file."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from threading import Event
from typing import IO

from inspector.errors import Cancelled, MachineBusy
from inspector.platform import files
from inspector.platform.late_modules import platformdirs
from inspector.units import clip

_POLL_SECONDS = 0.1  # between attempts to get the lock; files have no wait with a timeout
_ASKED_SECONDS = 0.005
# bytes of the file: of the process id, of all
_PID = 12
_OWNER = 200
_UNKNOWN = "another process"
# What the measurements of this thread are for, for those who wait behind them.
PURPOSE = ContextVar("PURPOSE", default="")


def default_file() -> Path:
    """Return where programs of this user meet."""
    return platformdirs.user_cache_path("inspector", appauthor=False) / "measuring.lock"


@contextmanager
def exclusive_use(
    file: Path,
    wait: bool,
    waiting: Callable[[], None],
    stopped: Callable[[], bool],
    what: str,
    purpose: str = "",
) -> Iterator[None]:
    """Let the block run while no other measurement does.

    The system gives the lock back when its owner ends, however it ends. Where no lock can be
    had at all, the block runs without one: a read-only home is no reason not to measure.

    waiting: called once if another is at work. stopped: whether to give up waiting.
    what: says what did not happen if it does not. purpose: what those who wait are told,
    'measure net.onnx', unless this thread has a PURPOSE.
    Raises MachineBusy: another is at work and `wait` is False. Cancelled: stopped.
    """
    opened = files.open_lock(file)
    if opened is None:
        yield
        return
    with opened:
        if not files.try_lock(opened):
            if not wait and not _locked_soon(opened):
                raise MachineBusy(
                    what,
                    f"another measurement is running on this machine{_named(opened)}",
                    "Two measurements at the same time would affect each other. Wait until the "
                    "other one finishes.",
                    "waiting",
                )
            if wait:
                waiting()
                _await(opened, stopped, what)
        with suppress(OSError):
            opened.seek(0)
            text = clip(
                (PURPOSE.get() or purpose or what.removeprefix("Could not ")), _OWNER // 2
            ).encode()[: _OWNER - _PID]
            opened.write(f"{os.getpid():<{_PID}}".encode() + text.ljust(_OWNER - _PID))
        yield


def _locked_soon(opened: IO[bytes]) -> bool:
    """Try again for a moment: who asks `owner` holds the lock for an instant."""
    pause = Event()
    for _ in range(3):
        pause.wait(_ASKED_SECONDS)
        if files.try_lock(opened):
            return True
    return False


def _await(opened: IO[bytes], stopped: Callable[[], bool], what: str) -> None:
    pause = Event()
    while not files.try_lock(opened):
        if stopped():
            raise Cancelled(
                what, "it was stopped while waiting for another measurement", phase="waiting"
            )
        pause.wait(_POLL_SECONDS)


def owner(file: Path) -> str:
    """Return who measures now: 'process 12 (measure net.onnx for a@b)'; '' if nobody does."""
    if not files.exists(file):
        return ""
    opened = files.open_lock(file)
    if opened is None:
        return ""
    with opened:
        return "" if files.try_lock(opened) else _owner(opened)


def _owner(opened: IO[bytes]) -> str:
    opened.seek(0)
    body = opened.read(_OWNER)
    pid, purpose = body[:_PID].strip(), body[_PID:].decode("utf-8", "replace").strip()
    if not pid.isdigit():
        return _UNKNOWN
    own = int(pid) == os.getpid()
    process = "another job of this program" if own else f"process {int(pid)}"
    return process + (f" ({purpose})" if purpose else "")


def _named(opened: IO[bytes]) -> str:
    process = _owner(opened)
    return "" if process == _UNKNOWN else f": {process}"
