"""inspector compare: compare reports of measurements."""

import argparse
from pathlib import Path

from inspector.cli.options import arguments, gate_options, option_types


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument(
        "first",
        type=Path,
        metavar="REPORT",
        help="reports saved by 'measure -o'; the first is the baseline",
    )
    parser.add_argument(
        "others",
        type=Path,
        nargs="+",
        metavar="OTHER_REPORT",
        help="reports to compare with the first",
    )
    option_types.add_renamed(
        parser,
        "--baseline-index",
        "--baseline",
        type=int,
        default=1,
        metavar="N",
        help="compare with the Nth report instead of the first (default: 1)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON (schema comparison/1)")
    arguments.add_details(parser)
    option_types.add_time_limit(parser, runs=False)
    gate_options.add_arguments(parser)
