"""inspector record: run a Python program and record its use of ONNX Runtime."""

import argparse
import signal
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from inspector import units
from inspector.analysis.advice.trace_rules import program_findings
from inspector.cli import pages
from inspector.errors import BadInput
from inspector.pages.trace import recording_page
from inspector.platform import files
from inspector.preview.outputs import saving
from inspector.recorder import launch, recorded_processes
from inspector.recorder.assemble import Recording, body, collect
from inspector.recorder.recorded_sessions import saved_inputs
from inspector.recorder.salvage import Salvage

_WHAT = "Could not record"
_DAMAGED = "The program deleted or changed files of this recording; parts may be missing."


def run(options: argparse.Namespace) -> None:
    """Run the program, save the trace, and print the results.

    Ends with the program's own exit status. Raises BadInput: no program, or none that uses
    ONNX Runtime; NotSaved.
    """
    command = options.program[1:] if options.program[:1] == ["--"] else options.program
    if not command or options.last < 1 or min(options.nodes, options.inputs) < 0:
        raise BadInput(
            _WHAT,
            "there is no program to run" if not command else "N must be 1 or more",
            "For example: inspector record -- python app.py",
        )
    output = options.output or launch.default_path()
    if options.output is None:  # nobody asked for this place, so it is told
        files.make_folder(output.parent)
        _say(f"Recording to {units.visible(output.absolute())}")
    files.expect_to_write(output)
    with ExitStack() as stack:
        place = options.place or Path(
            stack.enter_context(files.temporary_folder("inspector-recording-", _WHAT))
        )
        kept = options.last, options.nodes, options.inputs
        salvage = stack.enter_context(Salvage(place))
        status = launch.run(command, place, *kept, salvage)
        if not place.is_dir():
            place = Path(
                stack.enter_context(files.temporary_folder("inspector-recording-", _WHAT))
            )
        damaged = salvage.restore(place)
        recording = collect(place, status, damaged)
        if damaged:
            recording = replace(recording, notes=(_DAMAGED, *recording.notes))
        _tell(recording, status, salvage.calls, damaged)
        _save(recording, output)
        inputs = _keep_inputs(place, output)
    if inputs:
        folder = units.visible(inputs[0].parent)
        _say(f"Saved {units.plural(len(inputs), 'input')} in {folder}")
    if status:
        raise SystemExit(status if status > 0 else 128 - status)


def _keep_inputs(place: Path, output: Path) -> list[Path]:
    """Save the recorded inputs in a folder next to the trace: 'net-0.npz'. Raises NotSaved."""
    models = {
        (next(part.facts_with("begin"))["pid"], fact["session"]): fact["model"]
        for part in recorded_processes.read(place)
        for fact in part.facts_with("session")
        if "model" in fact
    }
    inputs = list(saved_inputs(place))
    named = [
        f"{Path(models.get((process, session), 'model')).stem}-{number}"
        for process, session, number, _ in inputs
    ]
    folder = output.with_name(f"{output.name.split('.')[0]}.inputs")
    if inputs:
        files.make_folder(folder)
    saved = []
    for name, (*_, path) in zip(saving.file_names(named), inputs, strict=True):
        saved.append(folder / f"{name}.npz")
        files.write_atomic(saved[-1], path.read_bytes())
    return saved


def _tell(recording: Recording, status: int, calls: int, damaged: bool) -> None:
    """Print the findings, even if they cannot be saved. Raises BadInput: nothing was recorded.

    calls: as the program told of them while it ran. damaged: files of the recording were lost.
    """
    if not len(recording.trace):
        raise _nothing(recording, status, calls, damaged)

    ended = _signal(-status) if status < 0 else ""
    findings = program_findings(recording.trace, recording.layers)
    page = recording_page(recording.calls, ended, recording.remarks, findings)
    _say("")
    pages.show(page, stream=sys.stderr)


def _nothing(recording: Recording, status: int, calls: int, damaged: bool) -> BadInput:
    what = "Nothing was recorded"
    if calls or damaged:  # spans that were written and are not there
        made = f", after {units.plural(calls, 'call')} to ONNX Runtime"
        return BadInput(
            what,
            f"the program deleted or changed the recording{made if calls else ''}",
            "Recordings are made in the temporary folder; set TMPDIR to use another folder.",
        )
    if recording.notes:  # why the recording is not whole
        return BadInput(what, recording.notes[0].rstrip("."))
    if status < 0:
        return BadInput(
            what,
            f"the program was killed by {_signal(-status)} before it used ONNX Runtime",
        )
    if status:
        why = f"the program ended with exit status {status} before it used ONNX Runtime"
        return BadInput(what, why, "See the program's output above.")
    return BadInput(
        what,
        "the program did not use ONNX Runtime from Python",
        "Run it under Python 3.11 or later, without -I or -E.",
    )


def _signal(number: int) -> str:
    """A signal as people know it: 'SIGSEGV (Segmentation fault)'."""
    known = {one.value: one.name for one in signal.Signals}
    meant = signal.strsignal(number) if number in known else None
    return f"{known[number]} ({meant})" if meant else f"signal {number}"


def _save(recording: Recording, output: Path) -> None:

    files.make_folder(output.parent)  # it was there before: the program has cleared it away
    files.write_pieces(output, (body(recording, output),))
    _say(f"Saved {units.visible(output)} ({units.size(output.stat().st_size)})")


def _say(text: str) -> None:
    """Print to stderr, since the output of the program may be piped."""
    print(text, file=sys.stderr)
