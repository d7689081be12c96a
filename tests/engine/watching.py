"""Waiting for what another process does, without guessing how long it takes."""

import threading
import time
from collections.abc import Callable

import psutil


def wait_for(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    """Return as soon as a condition holds. Raises AssertionError: it does not in time."""
    pause, until = threading.Event(), time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, f"not within {seconds} s"
        pause.wait(0.005)


def has_ended(pid: int) -> bool:
    """Whether a process is gone, or waits only for its parent to take notice."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
