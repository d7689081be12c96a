"""inspector prepare: show or save a model's input preprocessing."""

import argparse
from pathlib import Path

from inspector.cli.options import arguments, option_types

SCHEMA = "preparation/1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    arguments.add_arguments(parser, decodes=True)
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--write-sidecar",
        action="store_true",
        help="save the preprocessing in MODEL.inspector.json next to the model",
    )
    where.add_argument(
        "--write-model",
        type=Path,
        metavar="COPY",
        help="save the preprocessing in the metadata of a copy of the model",
    )
    option_types.add_time_limit(parser, runs=False)
    parser.add_argument("--json", action="store_true", help=f"print JSON (schema {SCHEMA})")
