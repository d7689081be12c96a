"""Conditions for CI: --fail-if, --baseline, --against, the files they write, exit status 3."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector.cli.options import option_types
from inspector.cli.options.option_types import add_renamed

if TYPE_CHECKING:
    from inspector.comparison.ci_conditions import Condition

CONDITION_HOLDS = 3  # exit status


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options for conditions and for the files with their outcome."""
    group = add_conditions(
        parser,
        option_types.read_by("inspector.comparison.ci_conditions:parse"),
        "'latency.p50>+10%%' or 'layers.moved>0'",
    )
    group.add_argument(
        "--markdown", metavar="FILE", help="save the comparison as Markdown; '-' prints it"
    )
    group.add_argument(
        "--junit",
        type=Path,
        metavar="FILE",
        help="save the results of the conditions as JUnit test cases",
    )


def add_conditions(
    parser: argparse.ArgumentParser, read: "Callable[[str], Condition]", examples: str
) -> Any:
    """Add the options for conditions, read by a function, and return their group."""
    group = parser.add_argument_group("pass/fail conditions (continuous integration)")
    group.add_argument(
        "--fail-if",
        action="append",
        default=[],
        type=read,
        metavar="CONDITION",
        dest="conditions",
        help=f"fail with exit status {CONDITION_HOLDS} if CONDITION is true, such as "
        f"{examples}; repeatable",
    )
    add_inconclusive(group)
    return group


def add_inconclusive(group: Any) -> None:
    """Add the option that says what becomes of conditions that noise leaves open."""
    add_renamed(
        group,
        "--on-inconclusive",
        "--on-undecided",
        choices=("pass", "fail"),
        default="pass",
        dest="on_undecided",
        help="whether a condition that is inconclusive because of noise passes or fails "
        "(default: pass)",
    )


def add_baseline(parser: argparse.ArgumentParser) -> None:
    """Add the options that compare a measurement with another one."""
    group = parser.add_argument_group("comparison")
    group.add_argument(
        "--baseline", type=Path, metavar="REPORT", help="compare with a saved report"
    )
    group.add_argument(
        "--against",
        type=Path,
        metavar="MODEL",
        help="also measure this model, switching between the two every 30 ms so that changes "
        "in CPU speed affect both alike, and compare; if it has another format, such as "
        ".tflite, both get the same inputs and their outputs are compared. REVISION:PATH is a "
        "model at a git revision, such as origin/main:net.onnx",
    )
    group.add_argument(
        "--without-base",
        action="store_true",
        help="there is no model to compare with yet: skip the conditions on changes, such as "
        "'latency.p50>+10%%', instead of refusing them",
    )
    group.add_argument(
        "--against-output",
        type=Path,
        metavar="REPORT",
        help="save the report of the second model",
    )
    group.add_argument(
        "--retry",
        type=int,
        choices=range(6),
        default=0,
        metavar="N",
        help="while a condition is inconclusive, measure again with twice as many processes, "
        "up to N times (0 to 5; default: 0)",
    )
    add_arguments(parser)
