"""inspector sweep: measure models with every combination of some settings."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.cli.options import arguments, gate_options, option_types, session_options
from inspector.cli.options.option_types import Options, add_renamed, at_least

if TYPE_CHECKING:
    from inspector.report.sweep import Value


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument(
        "models", type=Path, nargs="+", metavar="MODEL", help="models to measure"
    )
    tried = parser.add_argument_group("settings to combine")
    tried.add_argument(
        "--device",
        type=_many(str),
        metavar="A,B",
        help="devices to try; A+B runs on A with B as fallback",
    )
    others = parser.add_argument_group("settings of other runtimes to combine")
    for setting, read in session_options.combinable():
        about = session_options.values_help(setting)
        group = tried if session_options.is_usual(setting) else others
        group.add_argument(
            setting.flag, dest=setting.name, type=_many(read), metavar="A,B", help=about
        )
    tried.add_argument(
        "--busy-core",
        action="store_true",
        help="also measure each combination while another process keeps one CPU core busy, to "
        "see which thread counts and spinning settings suffer",
    )
    filled = parser.add_argument_group("inputs")
    filled.add_argument(
        "--dim",
        action="append",
        default=[],
        type=option_types.lengths,
        metavar="NAME=N,N",
        dest="dimensions",
        help="sizes of a dynamic axis to try",
    )
    filled.add_argument(
        "--batch",
        type=_many(at_least(1)),
        metavar="N,N",
        help="batch sizes to try (sets the first dynamic axis of the first input)",
    )
    filled.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        dest="inputs",
        help="input value, as in 'inspector measure'; used for all models",
    )
    session_options.add_setting(filled, "cast")
    measured = parser.add_argument_group("measurement")
    _add_runs(measured)
    session_options.add_setting(measured, "custom_ops")
    where = parser.add_argument_group("output")
    where.add_argument(
        "-o", "--output", type=Path, metavar="SWEEP", help="save the sweep after each step"
    )
    where.add_argument(
        "--resume", action="store_true", help="reuse the finished combinations in SWEEP"
    )
    schema = "JSON (schema sweep/1)"
    for name, title in (("--json", schema), ("--csv", "CSV"), ("--markdown", "Markdown")):
        where.add_argument(name, action="store_true", help=f"print the sweep as {title}")
    gate_options.add_conditions(
        parser,
        option_types.read_by("inspector.comparison.sweep_conditions:parse"),
        "'latency.p50>20ms' or 'cells.failed>0'",
    )


def _add_runs(parser: Options) -> None:
    """Add how each cell is measured."""
    session_options.add_setting(parser, "runs", 30, "number of timed runs per process")
    session_options.add_setting(parser, "warmup", 3, "number of warm-up runs per process")
    add_renamed(
        parser, "--processes", "--rounds", type=at_least(1), default=2, metavar="N",
        dest="rounds", help="number of processes per combination (default: 2)",
    )  # fmt: skip
    parser.add_argument(
        "--confirm", type=at_least(0), default=3, metavar="N",
        help="number of extra processes for each model's three fastest combinations "
        "(default: 3)",
    )  # fmt: skip
    parser.add_argument(
        "--seed", type=at_least(0), default=0, metavar="N",
        help="seed of the random order (default: 0)",
    )  # fmt: skip
    session_options.add_setting(parser, "seconds", 0.0, "minimum duration per process")
    arguments.add_on(parser, many=True)
    option_types.add_time_limit(parser, "a measurement process")
    session_options.add_setting(parser, "concurrency")


def _many(read: "Callable[[str], Value]") -> "Callable[[str], tuple[Value, ...]]":
    def values(text: str) -> "tuple[Value, ...]":
        return tuple(dict.fromkeys(read(part.strip()) for part in text.split(",")))

    return values
