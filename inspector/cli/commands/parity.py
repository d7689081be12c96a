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
TEXT_SCHEMA = "quality/1"  # of --text
SHIPPED = Path()  # --text without a file


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
    _add_text(parser)
    option_types.add_time_limit(parser)
    schemas = f"{SCHEMA}, with --text {TEXT_SCHEMA}"
    parser.add_argument("--json", action="store_true", help=f"print JSON (schema {schemas})")


def _add_text(parser: argparse.ArgumentParser) -> None:
    """Add what a text is scored with."""
    group = parser.add_argument_group("language models")
    group.add_argument(
        "--text",
        type=Path,
        nargs="?",
        const=SHIPPED,
        metavar="FILE",
        help="score how well a language model predicts a text (UTF-8): its perplexity, and "
        "with --against how far the other model's predictions are from it (KL divergence); "
        "without FILE a text that comes with Inspector",
    )
    for name, least, words in (
        ("--text-window", 2, "tokens that the model sees at once (default: 256)"),
        ("--text-stride", 1, "of each window, so many last tokens count (default: all)"),
        ("--text-tokens", 1, "score at most so many tokens, from all over the text (default: "
         "8192); fewer where the intervals are narrow enough before"),
    ):  # fmt: skip
        group.add_argument(name, type=option_types.at_least(least), metavar="N", help=words)
    group.add_argument(
        "--sensitivity",
        action="store_true",
        help="with --text and --against: rank the blocks and layers of the other model by "
        "how far each alone, put into MODEL, takes its predictions",
    )


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
