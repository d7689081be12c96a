"""inspector record: run a program and record what it does with ONNX Runtime."""

import argparse
import signal
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from inspector import units
from inspector.errors import BadInput

if TYPE_CHECKING:
    from inspector.instrument.collect import Recording

_KEEP, _NODES = 1_000_000, 50
_WHAT = "Could not record"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the parser what this command takes."""
    parser.usage = (
        "inspector record [-o TRACE] [--nodes [N]] [--inputs [N]] [--keep N] "
        "-- python app.py ..."
    )
    parser.add_argument(
        "-o",
        dest="output",
        type=Path,
        metavar="TRACE",
        help="where to save the trace; .npz saves columns, which load at once; default: "
        "recording.trace.json, or recording-2.trace.json and so on, in the current folder, but "
        "not in the home folder: there it is saved with Inspector's data and told where",
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
    _add_inputs(parser)
    parser.add_argument(
        "--keep",
        type=int,
        default=_KEEP,
        metavar="N",
        help=f"keep at least the last N events of each process; default: {_KEEP:,}",
    )
    # For the window, which looks into the folder while it runs, and clears it away.
    parser.add_argument("--place", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("program", nargs=argparse.REMAINDER, help="what to run, after --")


def _add_inputs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--inputs",
        type=int,
        nargs="?",
        const=1,
        default=0,
        metavar="N",
        help="keep what the first N predictions of each session were given, as .npz files that "
        "predict and verify take; without N: 1",
    )


def run(options: argparse.Namespace) -> None:
    """Run the program, save the trace, print what was found.

    Ends with the program's own exit status. Raises BadInput: no program, or none that uses
    ONNX Runtime; NotSaved.
    """
    from inspector import files
    from inspector.instrument import launch
    from inspector.instrument.collect import collect
    from inspector.preview import saving

    command = options.program[1:] if options.program[:1] == ["--"] else options.program
    if not command or options.keep < 1 or min(options.nodes, options.inputs) < 0:
        raise BadInput(
            _WHAT,
            "there is no program to run" if not command else "a number is too small",
            "For example: inspector record -- python app.py",
        )
    output = options.output or launch.default_path()
    if options.output is None:  # nobody asked for this place, so it is told
        saving.made(output.parent)
        _say(f"Recording to {units.visible(output.absolute())}")
    files.expect_to_write(output)
    with ExitStack() as stack:
        place = options.place or Path(
            stack.enter_context(files.temporary_folder("inspector-recording-", _WHAT))
        )
        kept = options.keep, options.nodes, options.inputs
        status = launch.run(command, place, *kept)
        if not place.is_dir():
            raise _taken_away()
        found = collect(place, status)
        _tell(found, status)
        _save(found, output)
        inputs = _keep_inputs(place, output)
    if inputs:
        folder = units.visible(inputs[0].parent)
        _say(f"Saved {units.plural(len(inputs), 'input')} in {folder}")
    if status:
        raise SystemExit(status if status > 0 else 128 - status)


def _keep_inputs(place: Path, output: Path) -> list[Path]:
    """Put kept inputs into a folder beside the trace: 'net-0.npz'. Raises NotSaved."""
    from inspector import files
    from inspector.instrument import parts
    from inspector.instrument.inputs import kept
    from inspector.preview import saving

    models = {
        (next(part.told("begin"))["pid"], fact["session"]): fact["model"]
        for part in parts.read(place)
        for fact in part.told("session")
        if "model" in fact
    }
    found = list(kept(place))
    named = [
        f"{Path(models.get((process, session), 'model')).stem}-{number}"
        for process, session, number, _ in found
    ]
    folder = output.with_name(f"{output.name.split('.')[0]}.inputs")
    if found:
        saving.made(folder)
    saved = []
    for name, (*_, path) in zip(saving.file_names(named), found, strict=True):
        saved.append(folder / f"{name}.npz")
        files.write_atomic(saved[-1], path.read_bytes())
    return saved


def _tell(found: "Recording", status: int) -> None:
    """Print what was found, also where it cannot be saved. Raises BadInput: nothing was."""
    from inspector.analysis.habits import habits

    if not len(found.trace):
        raise _nothing(found, status)
    _say("")
    ended = f"; the program was ended by {_signal(-status)}" if status < 0 else ""
    _say(f"Recorded {units.plural(found.calls, 'call')} of ONNX Runtime{ended}")
    for note in found.remarks:
        _say(f"  {note}")
    findings = habits(found.trace, found.layers)
    if not findings:
        _say("No bad habits found.")
    for finding in findings:
        _say(f"! {finding.sentence}")
        _say(f"  {finding.advice}")


def _nothing(found: "Recording", status: int) -> BadInput:
    what = "Nothing was recorded"
    if found.notes:  # why the recording is not whole
        return BadInput(what, found.notes[0].rstrip("."))
    if status < 0:
        return BadInput(
            what,
            f"the program was ended by {_signal(-status)} before it used ONNX Runtime",
        )
    if status:
        why = f"the program ended with exit status {status} before it used ONNX Runtime"
        return BadInput(what, why, "What it printed itself, above, says more.")
    return BadInput(
        what,
        "the program did not use ONNX Runtime from Python",
        "It must run under Python 3.11 or later, and not as python -I or -E.",
    )


def _taken_away() -> BadInput:
    return BadInput(
        "Nothing was recorded",
        "the program deleted the folder in which the recording lay",
        "It lies among the temporary files; with TMPDIR set they lie elsewhere.",
    )


def _signal(number: int) -> str:
    """A signal as people know it: 'SIGSEGV (Segmentation fault)'."""
    known = {one.value: one.name for one in signal.Signals}
    meant = signal.strsignal(number) if number in known else None
    return f"{known[number]} ({meant})" if meant else f"signal {number}"


def _save(found: "Recording", output: Path) -> None:
    from inspector import files
    from inspector.instrument.collect import body
    from inspector.preview import saving

    saving.made(output.parent)  # it was there before: the program has cleared it away
    files.write_pieces(output, (body(found, output),))
    _say(f"Saved {units.visible(output)} ({units.size(output.stat().st_size)})")


def _say(text: str) -> None:
    """Our words go beside the program's, whose output may be piped on."""
    print(text, file=sys.stderr)
