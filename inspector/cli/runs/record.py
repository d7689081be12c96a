"""inspector record: run a program and record its use of ONNX Runtime."""

import argparse
import sys

from inspector import units
from inspector.analysis.advice.trace_rules import program_findings
from inspector.app.record import recorded
from inspector.cli import pages
from inspector.errors import BadInput
from inspector.pages.trace import recording_page
from inspector.platform import files
from inspector.recorder import launch
from inspector.recorder.live_summary import LiveSummary, live_text
from inspector.render.registry import Subject, expect_to_open_again


def run(options: argparse.Namespace) -> None:
    """Run the program, save the trace, and print the results.

    Ends with the program's own exit status. Raises BadInput: no program, or none that uses
    ONNX Runtime; NotSaved.
    """
    command = options.program[1:] if options.program[:1] == ["--"] else options.program
    if not command or options.last < 1 or options.inputs < 0:
        what = "Could not record"
        why = "there is no program to run" if not command else "N must be 1 or more"
        raise BadInput(what, why, "For example: inspector record -- python app.py")
    output = options.output or launch.default_path()
    if options.output is None:  # nobody asked for this place, so it is told
        files.make_folder(output.parent)
        _say(f"Recording to {units.visible(output.absolute())}")
    expect_to_open_again(Subject.TRACE, output)
    files.expect_to_write(output)
    amounts = options.last, options.nodes, options.inputs
    with recorded(
        command, *amounts, options.place, options.audit, _print_live if options.live else None
    ) as done:
        done.expect_something()
        recording = done.recording
        findings = program_findings(recording.trace, recording.layers)
        _say("")
        trace, remarks = recording.trace, recording.remarks
        page = recording_page(recording.calls, done.ended_by, trace, remarks, findings)
        pages.show(page, stream=sys.stderr)  # even if it cannot be saved
        done.save(output)
        _say(f"Saved {units.visible(output)} ({units.size(output.stat().st_size)})")
        inputs = done.save_inputs(output)
    if inputs:
        folder = units.visible(inputs[0].parent)
        _say(f"Saved {units.plural(len(inputs), 'input')} in {folder}")
    if done.status:
        raise SystemExit(done.status if done.status > 0 else 128 - done.status)


def _print_live(seen: LiveSummary) -> None:
    _say(f"  {live_text(seen)}")


def _say(text: str) -> None:
    """Print to stderr, since the output of the program may be piped."""
    print(text, file=sys.stderr)
