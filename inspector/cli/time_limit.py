"""--time-limit: how long a command waits for a job of its engine process."""

import argparse
import sys
from typing import TYPE_CHECKING

from inspector.cli.option_types import Options
from inspector.units import clip

if TYPE_CHECKING:
    from inspector.platform.work_limits import Limits


_DAY_SECONDS = 86_400
# Without a terminal nobody presses Ctrl+C, and a job that hangs would block a CI runner for
# hours. Long enough for an execution provider that compiles a model without reporting progress.
STALL_SECONDS = 300.0


def add_time_limit(parser: Options, job: str) -> None:
    """Add --time-limit. job: what it is counted for, as 'one prediction'."""
    parser.add_argument(
        "--time-limit",
        type=_seconds,
        default=0.0,
        metavar="SECONDS",
        help=f"stop {job} that takes longer (default: none on a terminal, else "
        f"{STALL_SECONDS:.0f} s without progress)",
    )


def limits(options: argparse.Namespace) -> "Limits":
    """Return the limits of an engine process: those of --time-limit, or those without it."""
    from inspector.platform.work_limits import Limits

    watched = options.time_limit or sys.stderr.isatty()
    return Limits(
        job_seconds=options.time_limit, stall_seconds=0.0 if watched else STALL_SECONDS
    )


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= _DAY_SECONDS:
        raise argparse.ArgumentTypeError(
            f"'{clip(text, 80)}' is not a number of seconds up to a day"
        )
    return seconds
