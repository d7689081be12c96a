"""Pages on standard output: as wide as the terminal, in color where it takes any."""

import os
import shutil
import sys
from pathlib import Path
from typing import TextIO

from inspector.pages.blocks import Page, Rank, Section
from inspector.platform import files
from inspector.platform.terminal import print_styled, takes_bold
from inspector.render import terminal
from inspector.render.terminal import Terminal
from inspector.wording import catalog

_NARROWEST = 60  # letters
_PIPE = 10_000  # letters: programs read whole sentences; tables take what they need


def show(page: Page, details: bool = False, stream: TextIO | None = None) -> None:
    """Print a page on a stream, by default standard output.

    details: with the sections that documents have.
    """
    print_styled("\n".join(terminal.lines(page, _terminal(details, stream))), stream)


def show_section(section: Section, stream: TextIO | None = None) -> None:
    """Print one section on a stream, by default standard output, if there is anything in it."""
    lines = [*terminal.section_lines(section, _terminal(True, stream))]
    if lines:
        print_styled("\n".join(["", *lines]), stream)


def write(file: str, body: bytes) -> None:
    """Write a file; "-" stands for standard output. Raises NotSaved."""
    if file == "-":
        sys.stdout.write(body.decode())
    else:
        files.write_atomic(Path(file), body)


def _terminal(details: bool, stream: TextIO | None) -> Terminal:
    width = _PIPE
    if (stream or sys.stdout).isatty():
        width = max(_NARROWEST, shutil.get_terminal_size().columns)
    color = takes_bold() and "NO_COLOR" not in os.environ
    rank = Rank.FOLDED if details else Rank.TERMINAL
    return Terminal(width, color, rank, catalog.current())
