"""inspector support: test which layers each device can run, here or on another machine."""

import argparse

from inspector.cli.options import arguments, option_types, session_options

SCHEMA = "support/1"
TARGETS_SCHEMA = "targets/1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    arguments.add_model(parser)
    session_options.add_devices(parser)
    arguments.add_input_arguments(parser)
    session_options.add_arguments(parser, without=("load_from", "binding"))
    arguments.add_on(parser)
    option_types.add_time_limit(parser)
    parser.add_argument(
        "--target",
        metavar="ID,ID",
        help="estimate from tables, without running the model, which targets support it: all, "
        "or names such as apple, android, qualcomm, nvidia, webgpu",
    )
    arguments.add_details(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--csv",
        metavar="FILE",
        help="save a row for each layer on each device, with the reason, as CSV; '-' prints it",
    )
    form.add_argument(
        "--json",
        action="store_true",
        help=f"print JSON (schema {SCHEMA}; {TARGETS_SCHEMA} with --target)",
    )
