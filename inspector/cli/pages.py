"""Pages on standard output: as wide as the terminal, in color where it takes any."""

import os
import sys
from typing import TYPE_CHECKING, TextIO

from inspector.cli.option_types import Options
from inspector.platform.terminal import print_styled, takes_bold

if TYPE_CHECKING:
    from inspector.pages.blocks import Page, Section
    from inspector.render.terminal import Terminal

_NARROWEST = 60  # letters
_PIPE = 10_000  # letters: programs read whole sentences; tables take what they need


def add_details(parser: Options) -> None:
    """Add the option that shows all sections."""
    parser.add_argument(
        "-v", "--details", action="store_true",
        help="show all sections: every number, phases, reasons, settings",
    )  # fmt: skip


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
