"""inspector verify: check a model's outputs against expected outputs."""

import argparse
from pathlib import Path

from inspector.cli.options import arguments, session_options
from inspector.cli.options.arguments import add_device, add_model
from inspector.cli.options.option_types import add_time_limit, tolerance

SCHEMA = "verification/1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_model(parser)
    parser.add_argument(
        "data",
        type=Path,
        nargs="*",
        metavar="DATA",
        help="test_data_set folders or .npz files (default: the folders next to the model)",
    )
    add_device(parser)
    parser.add_argument(
        "--rtol",
        type=tolerance,
        metavar="R",
        help="relative tolerance (default: 1e-3, or 2 x the machine epsilon of the output "
        "type if that is larger)",
    )
    parser.add_argument(
        "--atol",
        type=tolerance,
        metavar="A",
        help="absolute tolerance (default: the rounding error to expect at the largest value "
        "of an output, by the data types and the number of layers of the model). Without both, "
        "4 or more data sets of a quantized model pass if its outputs are right as a whole",
    )
    session_options.add_setting(parser, "custom_ops")
    arguments.add_on(parser)
    add_time_limit(parser, "a load or run")
    parser.add_argument("--json", action="store_true", help=f"print JSON (schema {SCHEMA})")
