"""inspector evaluate: how accurate a model is on a folder of inputs with true answers."""

import argparse
from pathlib import Path

from inspector.cli.commands import parity
from inspector.cli.options import arguments, gate_options, option_types, session_options

SCHEMA = "evaluation/1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    arguments.add_arguments(parser)
    data = parser.add_argument_group("data")
    data.add_argument(
        "--test",
        type=Path,
        required=True,
        dest="folder",
        metavar="DIR|FILE",
        help="folder of inputs with their true answers, or a table (.csv) with an input in "
        "each row; for a language model a text file, or a folder of .txt files",
    )
    data.add_argument(
        "--target-column",
        default="",
        metavar="NAME[,NAME]",
        help="columns of a table with the true answers (default: one called target, label, "
        "class or y, or the last one)",
    )
    add_truth(data)
    arguments.add_device(parser)
    session_options.add_setting(parser, "on_cpu")
    session_options.add_setting(parser, "custom_ops")
    gate_options.add_conditions(
        parser,
        option_types.read_by("inspector.comparison.evaluation_conditions:parse"),
        "'top1<90%%', 'rmse>0.3', or with --against 'top1<-1%%' (points)",
    )
    arguments.add_signature(parser)
    arguments.add_on(parser)
    option_types.add_time_limit(parser, "a load or run")
    parser.add_argument("--json", action="store_true", help=f"print JSON (schema {SCHEMA})")
    arguments.add_details(parser)
    arguments.add_report(parser)


def add_truth(group: argparse._ActionsContainer) -> None:
    """Add what belongs to a folder of inputs: the true answers, another run, and a table."""
    group.add_argument(
        "--truth",
        default="",
        metavar="FILE|DIR|folders|none",
        help="true answers: a CSV file with file,label (or boxes, masks, values or text), a "
        "COCO JSON file, a folder with a file for each input (YOLO .txt, mask .png, .npy, "
        "transcript .txt), or the subfolder names as labels (default: what is found in the "
        "folder)",
    )
    group.add_argument("--csv", type=Path, metavar="FILE", help="save the table to a file")
    parity.add_against(group)
