"""inspector tune: find the settings with the lowest latency."""

import argparse

from inspector.cli.options import arguments, option_types, session_options
from inspector.cli.options.option_types import between
from inspector.export import code_languages

_seconds = between(5, 86_400, "not between 5 seconds and 1 day")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    arguments.add_model(parser)
    parser.add_argument(
        "--device",
        default="cpu",
        metavar="ID",
        help="device ID from 'inspector devices' (default: cpu)",
    )
    session_options.add_setting(parser, "custom_ops")
    arguments.add_on(parser)
    parser.add_argument(
        "--time",
        type=_seconds,
        default=60.0,
        metavar="S",
        help="duration of the search, not counting time spent waiting for other measurements "
        "(default: 60)",
    )
    parser.add_argument(
        "--code",
        choices=tuple(code_languages.own_languages()),
        default="python",
        help="programming language for the printed settings (default: python)",
    )
    arguments.add_input_arguments(parser)
    option_types.add_time_limit(parser, "a measurement process")
    arguments.add_details(parser)
    parser.add_argument(
        "--json", action="store_true", help="print all trials as JSON (schema tuning/1)"
    )
