"""inspector convert: change a model, check the result, and say what changed."""

import argparse
from pathlib import Path

from inspector.cli.options import arguments, gate_options, option_types, session_options

SCHEMA = "conversion/1"
NOTHING_TO_DO = 4  # exit status, with --no-copy


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument(
        "model",
        type=Path,
        nargs="?",
        metavar="MODEL",
        help="model file, or a model in an archive (a.zip/net.onnx)",
    )
    parser.add_argument(
        "actions",
        nargs="*",
        metavar="ACTION",
        help="actions to apply, in order: ID or ID:OPTION=VALUE,... (see --list)",
    )
    parser.add_argument("--list", action="store_true", dest="lists", help="list all actions")
    parser.add_argument(
        "--plan",
        action="store_true",
        help="show what each action would do to MODEL, without changing anything",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="file for the new model; must not be MODEL",
    )
    parser.add_argument("--overwrite", action="store_true", help="replace FILE if it exists")
    parser.add_argument(
        "--no-copy",
        action="store_true",
        help="if no step has anything to do, write no file and exit with status "
        f"{NOTHING_TO_DO}, instead of copying MODEL to FILE",
    )
    parser.add_argument(
        "--recipe", type=Path, metavar="FILE", help="run the steps of a saved recipe first"
    )
    parser.add_argument(
        "--save-recipe", type=Path, metavar="FILE", help="save the steps as a recipe"
    )
    parser.add_argument(
        "--save-case",
        type=Path,
        metavar="FILE",
        help="of a part (extract, split): save its inputs and outputs within MODEL as an .npz, "
        "a test case for 'inspector verify'",
    )
    data = parser.add_argument_group("data")
    data.add_argument(
        "--calibration",
        type=Path,
        metavar="FOLDER",
        help="typical inputs: for actions that need value ranges, and to compare the result "
        "with the original; of 8 or more, one in 4 is held out from calibration to compare on",
    )
    data.add_argument(
        "--test",
        type=Path,
        metavar="FOLDER",
        help="inputs on which the result is compared with the original, instead of those of "
        "--calibration",
    )
    data.add_argument(
        "--text",
        type=Path,
        metavar="FILE",
        help="text (UTF-8) by which the result of a language model with a tokenizer is "
        "compared with the original, instead of the one that comes with Inspector",
    )
    parser.add_argument(
        "--sensitivity",
        action="store_true",
        help="for int8 and the quantization of TensorFlow Lite models: rank the layers by the "
        "output error that quantizing each one causes, and show how much the error drops if "
        "the worst ones stay in float; for other actions on a language model: rank its blocks "
        "and layers by what each alone does to its predictions; no model is written",
    )
    checks = parser.add_argument_group("pass/fail conditions (continuous integration)")
    checks.add_argument(
        "--accept",
        action="store_true",
        help="save the result even if its outputs are mostly different, instead of saving "
        f"nothing and exiting with status {gate_options.CONDITION_HOLDS}",
    )
    checks.add_argument(
        "--fail-if",
        action="append",
        default=[],
        type=option_types.read_by("inspector.preview.runs.parity:limit"),
        metavar="CONDITION",
        dest="limits",
        help=f"save nothing and exit with status {gate_options.CONDITION_HOLDS} if CONDITION "
        "is true for an output on any input, such as 'psnr<40' or 'top1<1'; repeatable",
    )
    session_options.add_setting(parser, "custom_ops")
    option_types.add_time_limit(parser, "a load, run or conversion")
    parser.add_argument("--json", action="store_true", help=f"print JSON (schema {SCHEMA})")
    arguments.add_preprocessing_arguments(parser)
