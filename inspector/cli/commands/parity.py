"""inspector parity: run one input in two configurations and compare the outputs."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.cli.options import (
    arguments,
    gate_options,
    of_text,
    option_types,
    session_options,
)
from inspector.errors import BadInput
from inspector.preview.runs import other_run

if TYPE_CHECKING:
    from inspector.preview.runs.other_run import OtherRun

SCHEMA = "parity/1"
TEXT_SCHEMA = "quality/1"  # of --text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    arguments.add_arguments(parser)
    add_against(parser)
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
        type=of_text.condition("inspector.preview.runs.parity:limit"),
        metavar="CONDITION",
        dest="limits",
        help="exit with status 3 if CONDITION is true for an output, such as 'max_abs>1e-3' or "
        "'psnr<40', or with --text of the predictions, such as 'quality.perplexity>+3%%' or "
        "'quality.divergence>0.04'; repeatable",
    )
    gate_options.add_inconclusive(parser)
    parser.add_argument(
        "--save", type=Path, metavar="DIR", help="save heat maps of the differences"
    )
    of_text.add_arguments(
        parser,
        "score how well a language model predicts a text: its perplexity, and with --against "
        "how far the other model's predictions are from it (KL divergence)",
    )
    arguments.add_python(parser)
    option_types.add_time_limit(parser)
    schemas = f"{SCHEMA}, with --text {TEXT_SCHEMA}"
    parser.add_argument("--json", action="store_true", help=f"print JSON (schema {schemas})")


def add_against(
    parser: argparse._ActionsContainer, required: bool = False, more: str = ""
) -> None:
    """Add --against, which sets the second run. more: what else it can be."""
    parser.add_argument(
        "--against",
        type=way,
        required=required,
        metavar=other_run.METAVAR,
        help=f"compare with {other_run.HELP}{more}",
    )


def way(text: str) -> "OtherRun":
    """Read the value of --against, for argparse."""
    try:
        return other_run.parse(text)
    except BadInput as error:
        raise argparse.ArgumentTypeError(str(error)) from error
