"""inspector completion: print the completion script of a shell, or the manual page."""

import argparse

SHELLS = ("bash", "zsh", "fish", "powershell", "man")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument(
        "shell",
        choices=SHELLS,
        metavar="SHELL",
        help="bash, zsh, fish or powershell; or man, for the manual page",
    )
