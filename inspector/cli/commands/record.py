"""inspector record: run a program and record its use of ONNX Runtime."""

import argparse
from pathlib import Path

from inspector.cli.options import option_types
from inspector.recorder.profiled_runs import ProfiledRuns, profiled_runs
from inspector.recorder.recorded_sessions import MOST_PROFILED

_KEEP = 1_000_000  # events of a process
_NODES = 50  # runs whose nodes are profiled


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument(
        "-o",
        dest="output",
        type=Path,
        metavar="TRACE",
        help="output file; .npz loads fastest (default: recording.trace.json, "
        "recording-2.trace.json, "
        "... in the current folder, or in Inspector's data folder if you are in your "
        "home folder)",
    )
    parser.add_argument(
        "--nodes",
        type=_runs,
        nargs="?",
        const=ProfiledRuns(last=_NODES),
        default=ProfiledRuns(),
        metavar="[SESSION:]RUNS",
        help="profile the nodes of runs: the first ones of each session (default: "
        f"{_NODES}), or such as 100-149, or those of one session, by its model's file name "
        "or its number: encoder.onnx:50, #2:100-149; of a Python program that makes many "
        f"sessions of one file, the first {MOST_PROFILED} are profiled",
    )
    _add_inputs(parser)
    option_types.add_renamed(
        parser,
        "--last",
        "--keep",
        type=int,
        default=_KEEP,
        metavar="N",
        help=f"keep at least the last N events of each process (default: {_KEEP:,})",
    )
    parser.add_argument(
        "--audit",
        action="store_true",
        help="follow a program that is not Python by the audit interface of the dynamic linker "
        "(Linux), where nothing was seen without it",
    )
    parser.add_argument(
        "--live",
        action="store_true",
        help="print each second what the program does: sessions, runs per second, latency, "
        "memory",
    )
    # For the window, which looks into the folder while it runs, and clears it away.
    parser.add_argument("--place", type=Path, help=argparse.SUPPRESS)
    parser.add_argument(
        "program", nargs=argparse.REMAINDER, help="program and its arguments, after --"
    )


def _runs(text: str) -> ProfiledRuns:
    try:
        return profiled_runs(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _add_inputs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--inputs",
        type=int,
        nargs="?",
        const=1,
        default=0,
        metavar="N",
        help="save the inputs of the first N runs of each session as .npz files for predict, "
        "verify, convert and improve (N defaults to 1)",
    )
