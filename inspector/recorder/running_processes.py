"""Which processes of a recording still run, and how they are ended."""

import os
import signal
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

_PATIENCE_S, _LOOK_S = 2.0, 0.02


def is_running(process: int, folder: Path) -> bool:
    """Whether a process runs that records into a folder, as far as the system tells."""
    if os.name != "posix" or process <= 0:
        return False  # to ask by a signal would end it there
    told = Path(f"/proc/{process}/environ")
    if Path("/proc/self/environ").exists():  # its number may be another's by now
        with suppress(OSError):
            return os.fsencode(folder) in told.read_bytes()
        return False
    try:
        os.kill(process, 0)
    except OSError:
        return False
    return True


def end_process_tree(processes: Iterable[int], folder: Path) -> None:
    """End those that still run, and wait until they are gone."""
    ours = [process for process in processes if is_running(process, folder)]
    for process in ours:
        with suppress(OSError):
            os.kill(process, signal.SIGKILL)
    last = time.monotonic() + _PATIENCE_S
    while time.monotonic() < last and any(is_running(process, folder) for process in ours):
        time.sleep(_LOOK_S)
