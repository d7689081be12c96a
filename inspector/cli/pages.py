"""Pages on standard output: as wide as the terminal, in color where it takes any."""

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from inspector.cli.option_types import Options
from inspector.platform.terminal import print_styled, takes_bold

if TYPE_CHECKING:
    from inspector.export.registry import Subject
    from inspector.pages.blocks import Page, Section
    from inspector.render.terminal import Terminal

_DOCUMENTS = (".html", ".pdf", ".md")
_NARROWEST = 60  # letters
_PIPE = 10_000  # letters: programs read whole sentences; tables take what they need


def add_details(parser: Options) -> None:
    """Add the option that shows all sections."""
    parser.add_argument(
        "-v", "--details", action="store_true",
        help="show all sections: every number, phases, reasons, settings",
    )  # fmt: skip


def add_report(parser: Options) -> None:
    """Add the option that also saves the page as a document."""
    parser.add_argument(
        "--report", type=_document, metavar="FILE",
        help="also save the result as a page: .html, .pdf or .md",
    )  # fmt: skip


def save_report(subject: "Subject", path: Path, *values: Any) -> None:
    """Write the page of a subject in the format that the file's name stands for.

    values: as the writers of the subject take them. Raises NotSaved.
    """
    from inspector.export.registry import format_for
    from inspector.platform import files

    files.write_atomic(path, bytes(format_for(subject, path).writer(*values)))


def show(page: "Page", details: bool = False, stream: "TextIO | None" = None) -> None:
    """Print a page on a stream, by default standard output.

    details: with the sections that documents have.
    """
    from inspector.render import terminal

    print_styled("\n".join(terminal.lines(page, _terminal(details, stream))), stream)


def show_section(section: "Section", stream: "TextIO | None" = None) -> None:
    """Print one section on a stream, by default standard output, if there is anything in it."""
    from inspector.render import terminal

    lines = [*terminal.section_lines(section, _terminal(True, stream))]
    if lines:
        print_styled("\n".join(["", *lines]), stream)


def _document(text: str) -> Path:
    path = Path(text)
    if path.suffix.lower() not in _DOCUMENTS:
        raise argparse.ArgumentTypeError(f"'{text[-40:]}' does not end in .html, .pdf or .md")
    return path


def _terminal(details: bool, stream: "TextIO | None") -> "Terminal":
    from inspector.pages.blocks import Rank
    from inspector.render.terminal import Terminal
    from inspector.wording import catalog

    width = _PIPE
    if (stream or sys.stdout).isatty():
        import shutil  # loads compression libraries, which most commands never need

        width = max(_NARROWEST, shutil.get_terminal_size().columns)
    color = takes_bold() and "NO_COLOR" not in os.environ
    rank = Rank.FOLDED if details else Rank.TERMINAL
    return Terminal(width, color, rank, catalog.current())
