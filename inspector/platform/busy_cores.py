"""Processes that keep CPU cores busy while something is measured, and that end for certain.

Each computes until its parent closes a pipe or is gone: the pipe of a process that is killed is
closed by the system, and where a copy of it lives on, the process has another parent by then.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from inspector.errors import EngineFailed
from inspector.platform import own_processes

_MODULE = "inspector.platform.busy_cores"
_READY = b"."
_LOOK_EVERY = 20_000  # steps of the loop, about a millisecond


@contextmanager
def keep_busy(cores: int) -> Iterator[None]:
    """Keep as many cores busy as long as the block runs, one process for each.

    The system may move a process from core to core, as it does with other programs. Raises
    EngineFailed: a process did not start.
    """
    started = list[subprocess.Popen[bytes]]()
    try:
        for _ in range(cores):
            started.append(_start())
        for each in started:
            assert each.stdout is not None, "it has a pipe"
            if each.stdout.read(1) != _READY:
                why = f"it ended with status {each.wait()}"
                raise EngineFailed("Could not keep a core busy", why, "", "start")
        yield
    finally:
        for each in started:
            each.kill()
        for each in started:
            each.wait()
            for pipe in (each.stdin, each.stdout):
                if pipe is not None:
                    pipe.close()


def _start() -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            own_processes.command(_MODULE, python_options=("-P",)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except OSError as error:
        why = error.strerror or str(error)
        raise EngineFailed("Could not keep a core busy", why, "", "start") from error


def main() -> None:
    """Compute until the parent closes the pipe or is gone."""
    # Windows tells the parent only by a list of all processes, and closes the pipe for certain.
    parent_now = os.getppid if os.name == "posix" else lambda: 0
    parent = parent_now()
    threading.Thread(target=_end_with_pipe, daemon=True).start()
    sys.stdout.buffer.write(_READY)
    sys.stdout.buffer.flush()
    while parent_now() == parent:
        number = 1
        for _ in range(_LOOK_EVERY):
            number = number * 5 & 0xFFFF


def _end_with_pipe() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    main()
