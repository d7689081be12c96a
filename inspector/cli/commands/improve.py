"""inspector improve: try recipes on a model, and prove what each of them does."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.cli.options import arguments, gate_options, option_types, session_options

if TYPE_CHECKING:
    from inspector.conversion.action import Step

    Recipes = tuple[tuple[Step, ...], ...]

SCHEMA = "improvement/1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    arguments.add_arguments(parser)
    data = parser.add_argument_group("data")
    data.add_argument(
        "--test",
        type=Path,
        metavar="FOLDER",
        help="folder of inputs on which the models are compared; a verdict on accuracy needs "
        "at least 30",
    )
    data.add_argument(
        "--text",
        type=Path,
        nargs="?",
        const=Path(),
        metavar="FILE",
        help="for a language model with a tokenizer, instead of --test: compare the models by "
        "the perplexity of a text (UTF-8), by default one that comes with Inspector",
    )
    data.add_argument(
        "--truth",
        default="",
        metavar="FILE|folders|none",
        help="expected results for the test inputs: a CSV file with file,label (or boxes, "
        "masks, values or text; see the documentation), or the subfolder names as labels (the "
        "default if all of them are labels)",
    )
    data.add_argument(
        "--calibration",
        type=Path,
        metavar="FOLDER",
        help="typical inputs for actions that need value ranges; none of them may be "
        "a test input",
    )
    group = parser.add_argument_group("search")
    group.add_argument(
        "--try",
        action="append",
        default=[],
        dest="recipes",
        metavar="STEP[ STEP ...]",
        help="try this recipe, as in 'inspector convert'; repeatable (default: common recipes)",
    )
    group.add_argument(
        "--goal", default="p50", metavar="p50|size", help="what to minimize (default: p50)"
    )
    option_types.add_renamed(
        group,
        "--max-loss",
        "--keep",
        default="",
        metavar="LOSS",
        help="how many points the accuracy may drop, such as 0.5%%, 0 for no loss on the test "
        "inputs, or 'any' (default: 1%%); "
        "with --text, by how much the perplexity may rise (default: 3%%)",
    )
    option_types.add_renamed(
        group,
        "--processes",
        "--starts",
        type=option_types.at_least(0),
        metavar="N",
        help="pairs of processes per latency measurement; 0 skips it "
        "(default: 4, the fewest that show how much processes differ)",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="save the best model to this file; must not be MODEL",
    )
    parser.add_argument("--overwrite", action="store_true", help="replace FILE if it exists")
    parser.add_argument(
        "--report",
        type=Path,
        metavar="FILE",
        help="save the results (.html, .pdf, .md or .json)",
    )
    parser.add_argument("--save-recipe", type=Path, metavar="FILE", help="save the best recipe")
    session_options.add_setting(parser, "custom_ops")
    gate_options.add_conditions(
        parser,
        option_types.read_by("inspector.comparison.improvement_conditions:parse"),
        "'accuracy<-1%%' or 'latency.p50>+0%%'",
    )
    option_types.add_time_limit(parser, "a load, run or conversion")
    parser.add_argument("--json", action="store_true", help=f"print JSON (schema {SCHEMA})")
