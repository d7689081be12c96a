"""inspector record: run a program and record what it does with ONNX Runtime."""

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from inspector import units
from inspector.errors import BadInput

if TYPE_CHECKING:
    from inspector.instrument.collect import Recording

_KEEP, _NODES = 1_000_000, 50


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the parser what this command takes."""
    parser.usage = "inspector record [-o TRACE] [--nodes [N]] [--keep N] -- python app.py ..."
    parser.add_argument(
        "-o",
        dest="output",
        type=Path,
        default=Path("recording.trace.json"),
        metavar="TRACE",
        help="where to save the trace; default: recording.trace.json",
    )
    parser.add_argument(
        "--nodes",
        type=int,
        nargs="?",
        const=_NODES,
        default=0,
        metavar="N",
        help=f"profile the first N predictions of a session node by node; without N: {_NODES}",
    )
    parser.add_argument(
        "--keep",
        type=int,
        default=_KEEP,
        metavar="N",
        help=f"keep at least the last N events of each process; default: {_KEEP:,}",
    )
    parser.add_argument("program", nargs=argparse.REMAINDER, help="what to run, after --")


def run(options: argparse.Namespace) -> None:
    """Run the program, save the trace, print what was found.

    Ends with the program's own exit status. Raises BadInput: no program, or none that uses
    ONNX Runtime; NotSaved.
    """
    from inspector.instrument import launch
    from inspector.instrument.collect import collect

    command = options.program[1:] if options.program[:1] == ["--"] else options.program
    if not command or options.keep < 1 or options.nodes < 0:
        raise BadInput(
            "Could not record",
            "there is no program to run" if not command else "a number is too small",
            "For example: inspector record -- python app.py",
        )
    with tempfile.TemporaryDirectory(prefix="inspector-recording-") as place:
        status = launch.run(command, Path(place), options.keep, options.nodes)
        found = collect(Path(place))
    _save(found, options.output, status)
    if status:
        raise SystemExit(status if status > 0 else 128 - status)


def _save(found: "Recording", output: Path, status: int) -> None:
    from inspector import files
    from inspector.analysis.habits import habits
    from inspector.export.chrome_trace import trace_events

    if not len(found.trace):
        raise BadInput(
            "Nothing was recorded",
            "the program did not use ONNX Runtime from Python",
            "It must run under Python 3.11 or later, and not as python -I or -E.",
        )
    body = trace_events(found.trace, found.layers, found.about, found.remarks)
    files.write_atomic(output, body)
    _say("")
    ended = f"; the program ended with signal {-status}" if status < 0 else ""
    _say(f"Recorded {units.plural(found.calls, 'call')} of ONNX Runtime{ended}")
    for note in found.remarks:
        _say(f"  {note}")
    findings = habits(found.trace)
    if not findings:
        _say("No bad habits found.")
    for finding in findings:
        _say(f"! {finding.sentence}")
        _say(f"  {finding.advice}")
    _say(f"Saved {output} ({units.size(output.stat().st_size)})")


def _say(text: str) -> None:
    """Our words go beside the program's, whose output may be piped on."""
    print(text, file=sys.stderr)
