"""One measurement at a time on a machine, by a lock on a file."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event
from typing import IO

from platformdirs import user_cache_path

from inspector.errors import Cancelled, MachineBusy
from inspector.platform import files

_POLL_SECONDS = 0.1  # between attempts to get the lock; files have no wait with a timeout


def default_file() -> Path:
    """Return where programs of this user meet."""
    return user_cache_path("inspector", appauthor=False) / "measuring.lock"


@contextmanager
def exclusive_use(
    file: Path,
    wait: bool,
    waiting: Callable[[], None],
    stopped: Callable[[], bool],
    what: str,
) -> Iterator[None]:
    """Let the block run while no other measurement does.

    The system gives the lock back when its owner ends, however it ends. Where no lock can be
    had at all, the block runs without one: a read-only home is no reason not to measure.

    waiting: called once if another is at work. stopped: whether to give up waiting.
    what: says what did not happen if it does not.
    Raises MachineBusy: another is at work and `wait` is False. Cancelled: stopped.
    """
    opened = files.open_lock(file)
    if opened is None:
        yield
        return
    with opened:
        if not files.try_lock(opened):
            if not wait:
                raise MachineBusy(
                    what,
                    f"another measurement is running on this machine{_owner(opened)}",
                    "Two measurements at the same time would affect each other. Wait until the "
                    "other one finishes.",
                    "waiting",
                )
            waiting()
            _await(opened, stopped, what)
        _write_owner(opened)
        yield


def _await(opened: IO[bytes], stopped: Callable[[], bool], what: str) -> None:
    pause = Event()
    while not files.try_lock(opened):
        if stopped():
            raise Cancelled(
                what, "it was stopped while waiting for another measurement", phase="waiting"
            )
        pause.wait(_POLL_SECONDS)


def _write_owner(opened: IO[bytes]) -> None:
    """Leave our process id for those who do not want to wait; a full disk takes none."""
    with suppress(OSError):
        opened.seek(0)
        opened.write(f"{os.getpid():<12}".encode())


def _owner(opened: IO[bytes]) -> str:
    opened.seek(0)
    pid = opened.read(12).strip()
    return f" (process {int(pid)})" if pid.isdigit() else ""
