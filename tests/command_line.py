"""Runs commands in this process: starting Python with its libraries takes half a second."""

import os
import subprocess
import tempfile
from contextlib import redirect_stderr, redirect_stdout

from inspector.cli import main


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a command; its output includes that of programs that it starts.

    These inherit the file descriptors of the output, not Python's streams.
    """
    given = [*map(str, arguments)]
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8") as out,
        tempfile.TemporaryFile("w+", encoding="utf-8") as err,
    ):
        own = os.dup(1), os.dup(2)
        os.dup2(out.fileno(), 1)
        os.dup2(err.fileno(), 2)
        try:
            with redirect_stdout(out), redirect_stderr(err):
                status = main.run(given)
        finally:
            for number, descriptor in enumerate(own, start=1):
                os.dup2(descriptor, number)
                os.close(descriptor)
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(given, status, out.read(), err.read())
