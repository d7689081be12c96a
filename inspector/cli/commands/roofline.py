"""inspector roofline: measure each device's peak compute and memory bandwidth."""

import argparse

from inspector.cli.options import arguments, option_types, session_options
from inspector.cli.options.option_types import add_renamed

SCHEMA = "ceilings/1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    session_options.add_devices(
        parser, "device ID from 'inspector devices'; repeatable (default: cpu)"
    )
    parser.add_argument(
        "--type",
        choices=("float32", "float16", "int8"),
        action="append",
        default=[],
        dest="types",
        help="data type of the computation; repeatable (default: all types that the device "
        "supports)",
    )
    session_options.add_setting(parser, "threads")
    arguments.add_on(parser)
    add_renamed(
        parser,
        "--refresh",
        "--again",
        action="store_true",
        dest="again",
        help="measure again instead of using the cached result",
    )
    option_types.add_time_limit(parser)
    parser.add_argument("--json", action="store_true", help=f"print JSON (schema {SCHEMA})")
