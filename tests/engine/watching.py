"""Waiting for what another process does, without guessing how long it takes."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress

import psutil


def wait_for(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    pause, until = threading.Event(), time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, f"not within {seconds} s"
        pause.wait(0.005)


def ends_within(seconds: float, work: Callable[[], float]) -> bool:
    """Whether what work returns, the seconds that something took, was once less than this: the
    program does it in that time, and a busy machine may have held up one or two of three."""
    return any(work() < seconds for _ in range(3))


def engines(parent: int | None = None, word: str = "inspector.engine") -> list[psutil.Process]:
    """Return the engine processes that a process has, or this one.

    word: among the arguments of those that are meant.
    """
    found = []
    with suppress(psutil.NoSuchProcess):
        for child in psutil.Process(parent).children(recursive=True):
            with suppress(psutil.Error):  # it ends at this moment
                found += [child] if word in child.cmdline() else []
    return found


def has_ended(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
