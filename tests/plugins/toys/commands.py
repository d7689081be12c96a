"""A command: this file is all that it takes."""

import argparse

from inspector.cli.command_table import Command

COMMANDS = (Command("greet", "greet somebody", module=__name__, after="info"),)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("name")


def run(options: argparse.Namespace) -> None:
    """Greet."""
    print(f"Hello, {options.name}")  # noqa: T201
