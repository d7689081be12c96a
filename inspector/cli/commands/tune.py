"""inspector tune: find the settings with the lowest latency, or another goal."""

import argparse

from inspector.cli.options import arguments, option_types, session_options
from inspector.cli.options.option_types import between, read_by
from inspector.render import code_languages
from inspector.report.settings import Goal

_seconds = between(5, 86_400, "not between 5 seconds and 1 day")
_milliseconds = between(0.001, 3_600_000, "not between 0.001 and 3,600,000 ms")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    arguments.add_model(parser)
    parser.add_argument(
        "--device",
        default="cpu",
        metavar="ID[,ID]",
        help="device ID from 'inspector devices' (default: cpu); of several, the best one is "
        "found, too, and the first is what it is compared with",
    )
    parser.add_argument(
        "--for",
        dest="goal",
        choices=[goal.value for goal in Goal],
        default=Goal.LATENCY.value,
        help="what to find the best settings for: the shortest run, the most items per second, "
        "or the least memory (default: latency)",
    )
    parser.add_argument(
        "--p95-under",
        type=_milliseconds,
        default=0.0,
        metavar="MS",
        help="only settings with which 95%% of the runs take at most this many milliseconds",
    )
    parser.add_argument(
        "--batch",
        type=read_by("inspector.app.searches:read_batch"),
        metavar="AXIS=N,N",
        help="with --for throughput: lengths to try of the dynamic axis that counts the items",
    )
    parser.add_argument(
        "--try-option",
        type=read_by("inspector.app.searches:read_option"),
        action="append",
        default=[],
        metavar="KEY=VALUE,VALUE",
        help="values to try of an option of the execution provider; repeatable",
    )
    session_options.add_setting(parser, "custom_ops")
    arguments.add_on(parser)
    parser.add_argument(
        "--time",
        type=_seconds,
        default=60.0,
        metavar="S",
        help="duration of the search, not counting time spent waiting for other measurements "
        "(default: 60)",
    )
    parser.add_argument(
        "--code",
        choices=tuple(code_languages.own_languages()),
        default="python",
        help="programming language for the printed settings (default: python)",
    )
    arguments.add_input_arguments(parser)
    option_types.add_time_limit(parser, "a measurement process")
    arguments.add_details(parser)
    parser.add_argument(
        "--json", action="store_true", help="print all trials as JSON (schema tuning/1)"
    )
