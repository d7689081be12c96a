"""inspector parity: run one input in two configurations and compare the outputs."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.cli.options import arguments, option_types, session_options
from inspector.errors import BadInput
from inspector.preview.runs import other_run

if TYPE_CHECKING:
    from inspector.preview.runs.other_run import OtherRun

SCHEMA = "parity/1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    arguments.add_arguments(parser)
    add_against(parser, required=True)
    parser.add_argument(
        "--device", default="cpu", metavar="ID", help="device for the first run (default: cpu)"
    )
    session_options.add_setting(parser, "on_cpu")
    session_options.add_setting(parser, "custom_ops")
    session_options.add_setting(
        parser, "optimization", words="graph optimization level of the first run"
    )
    parser.add_argument(
        "--fail-if",
        action="append",
        default=[],
        type=option_types.read_by("inspector.preview.runs.parity.limit"),
        metavar="CONDITION",
        dest="limits",
        help="exit with status 3 if CONDITION is true for an output, such as 'max_abs>1e-3' or "
        "'psnr<40'; "
        "repeatable",
    )
    parser.add_argument(
        "--save", type=Path, metavar="DIR", help="save heat maps of the differences"
    )
    option_types.add_time_limit(parser)
    parser.add_argument("--json", action="store_true", help=f"print JSON (schema {SCHEMA})")


def add_against(parser: argparse._ActionsContainer, required: bool = False) -> None:
    """Add --against, which sets the second run."""
    parser.add_argument(
        "--against",
        type=way,
        required=required,
        metavar=other_run.METAVAR,
        help=f"compare with {other_run.HELP}",
    )


def way(text: str) -> "OtherRun":
    """Read the value of --against, for argparse."""
    try:
        return other_run.parse(text)
    except BadInput as error:
        raise argparse.ArgumentTypeError(str(error)) from error
