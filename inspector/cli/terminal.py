"""What commands print: no file and no model has a say in how the terminal shows it."""

import io
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any, TextIO, cast

# Line ends and tabs are ours to print, and bold headings; a text turned around is not.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
    r"|\x1b(?!\[[01]m)|\r(?!\n)"
)


@contextmanager
def plain_output() -> Iterator[None]:
    """Have standard output and error show control characters as they are written in reports."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a pipe on Windows knows no arrow, no µ
            stream.reconfigure(errors="backslashreplace")
    with redirect_stdout(_plain(sys.stdout)), redirect_stderr(_plain(sys.stderr)):
        yield


def steer(stream: TextIO, sequence: str) -> None:
    """Write control characters of our own to a stream, which a terminal is to follow."""
    getattr(stream, "inner", stream).write(sequence)


def _plain(stream: TextIO) -> TextIO:
    return cast(TextIO, _Plain(stream))


class _Plain:
    """A stream that escapes what is written to it as text, and is the inner one else."""

    def __init__(self, inner: TextIO) -> None:
        self.inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def write(self, text: str) -> int:
        """Write a text; returns how much of it."""
        self.inner.write(_HIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text))
        return len(text)
