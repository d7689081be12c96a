"""inspector code: generate code that prepares inputs and runs the model."""

import argparse
from pathlib import Path

from inspector.cli.options import arguments, option_types, session_options
from inspector.render import code_languages


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    arguments.add_arguments(parser)
    session_options.add_devices(parser)
    session_options.add_arguments(
        parser, without=("load_from", "binding", "provider_options", "on_cpu")
    )
    languages = [each.id for each in code_languages.with_programs().values()]
    parser.add_argument(
        "--language",
        choices=languages,
        default="",
        help="(default: that of the name of -o, else python)",
    )
    option_types.add_time_limit(parser, runs=False)
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="write the program to a new file"
    )
