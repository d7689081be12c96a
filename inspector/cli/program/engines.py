"""inspector engines: the runtimes, and environments of their own for those that are missing."""

import argparse
from pathlib import Path

SCHEMA = "engines/1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument(
        "--install",
        metavar="ID",
        help="install an engine into an environment of its own, in which it then runs",
    )
    parser.add_argument("--remove", metavar="ID", help="delete the environment of an engine")
    parser.add_argument(
        "--wheels",
        type=Path,
        metavar="DIR",
        help="with --install, use the packages in this folder instead of downloading them",
    )
    parser.add_argument(
        "--yes", action="store_true", help="with --install, install without asking"
    )
    parser.add_argument("--json", action="store_true", help=f"print JSON (schema {SCHEMA})")
