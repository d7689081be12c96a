"""A program recorded: started, followed, and put together as a trace with its inputs.

And traces opened, from whatever file they are in, and compared.
"""

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from inspector import units
from inspector.backends.measuring.machine_load import MachineLoad
from inspector.comparison.trace_comparison import compare_traces
from inspector.errors import BadInput
from inspector.formats.traces.detection import expect_events, looks_like_trace, open_trace
from inspector.formats.traces.span_collector import OpenedTrace
from inspector.pages.blocks import Page
from inspector.pages.trace_comparison import trace_comparison_page
from inspector.platform import files
from inspector.preview.outputs import saving
from inspector.recorder import (
    launch,
    live_progress,
    native_inputs,
    native_programs,
    recorded_processes,
)
from inspector.recorder.assemble import Recording, body, collect
from inspector.recorder.live_summary import LiveSummary
from inspector.recorder.profiled_runs import ProfiledRuns
from inspector.recorder.recorded_sessions import saved_inputs
from inspector.recorder.salvage import Salvage
from inspector.report.report import load
from inspector.trace.trace import TracedLayer
from inspector.wording.values import Name, Sentence

_WHAT = "Could not record"
_ELSEWHERE = "Recordings are made in the temporary folder; set TMPDIR to use another folder."
_TRY_AUDIT = "If it does, try --audit, another way of following it."
_DAMAGED = "The program deleted or changed files of this recording; parts may be missing."


class Recorded(Struct, frozen=True):
    """A program that has ended, and what was recorded of it.

    status: its exit status, below 0 for a signal. calls: as the program told of them while it
    ran. damaged: files of the recording were lost. folder: of those that are left. command:
    the program and its arguments.
    """

    recording: Recording
    status: int
    calls: int
    damaged: bool
    folder: Path
    command: Sequence[str] = ("python",)

    @property
    def python_without_runtime(self) -> str:
        """Return the Python of the program if that has no ONNX Runtime; else ""."""
        return live_progress.python_without_runtime(self.folder)

    @property
    def ended_by(self) -> str:
        """Return the signal that ended the program; "" for none."""
        return _signal(-self.status) if self.status < 0 else ""

    def expect_something(self) -> None:
        """Raise BadInput where nothing was recorded, with the reason."""
        if len(self.recording.trace):
            return
        what, status = "Nothing was recorded", self.status
        if self.calls or self.damaged:  # spans that were written and are not there
            made = f", after {units.plural(self.calls, 'call')} to ONNX Runtime"
            why = f"the program deleted or changed the recording{made if self.calls else ''}"
            raise BadInput(what, why, _ELSEWHERE)
        if self.recording.notes:  # why the recording is not whole
            raise BadInput(what, self.recording.notes[0].rstrip("."))
        if python := self.python_without_runtime:
            why = Sentence("{python} has no ONNX Runtime", Name(python))
            raise BadInput(what, why, _how_to_get_runtime(python))
        if status < 0:
            why = f"the program was killed by {self.ended_by} before it used ONNX Runtime"
            raise BadInput(what, why)
        if status:
            why = f"the program ended with exit status {status} before it used ONNX Runtime"
            raise BadInput(what, why, "Read what the program printed.")
        if native_programs.runs_python(self.command):
            why = "the program did not use ONNX Runtime from Python"
            raise BadInput(what, why, "Run it under Python 3.11 or later, without -I or -E.")
        native_programs.library()  # raises where it could not follow the program
        why = native_programs.unseen(self.command)
        hint = "Let the program load ONNX Runtime's shared library." if why else _TRY_AUDIT
        raise BadInput(
            what, why or "the program did not use ONNX Runtime from a shared library", hint
        )

    def save(self, output: Path) -> None:
        """Save the trace, in the format of its suffix. Raises NotSaved."""
        files.make_folder(output.parent)  # it was there before: the program has cleared it away
        files.write_pieces(output, (body(self.recording, output),))

    def save_inputs(self, output: Path) -> list[Path]:
        """Save the recorded inputs in a folder next to the trace: 'net-0.npz'. Raises
        NotSaved."""
        models = {
            (next(part.facts_with("begin"))["pid"], fact["session"]): fact["model"]
            for part in recorded_processes.read(self.folder)
            for fact in part.facts_with("session")
            if "model" in fact
        }
        inputs = list(saved_inputs(self.folder))
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


@contextmanager
def recorded(
    command: Sequence[str],
    last: int,
    nodes: ProfiledRuns,
    inputs: int,
    place: Path | None = None,
    audit: bool = False,
    live: Callable[[LiveSummary], None] | None = None,
) -> Iterator[Recorded]:
    """Run a program to its end and give what was recorded to the block.

    last, nodes, inputs: how much is kept, as `launch.run` takes them. place: of the files
    meanwhile; None for a temporary folder, which goes with the block. audit: as
    `launch.run`. live: is told each second what the program does. Raises BadInput: the
    program cannot be recorded; NotSaved.
    """
    with ExitStack() as stack:

        def temporary() -> Path:
            made = files.temporary_folder("inspector-recording-", _WHAT)
            return Path(stack.enter_context(made))

        folder = place or temporary()
        salvage = stack.enter_context(Salvage(folder))
        with MachineLoad() as load:
            status = launch.run(command, folder, last, nodes, inputs, salvage, audit, live)
        if not folder.is_dir():
            folder = temporary()
        damaged = salvage.restore(folder)
        native_inputs.pack(folder)
        recording = collect(folder, status, damaged, load)
        if nodes.session and not recording.layers:
            text = "No session of {session} was profiled."
            note = Sentence(text, session=Name(nodes.session))
            recording = replace(recording, notes=(*recording.notes, note))
        if damaged:
            recording = replace(recording, notes=(_DAMAGED, *recording.notes))
        yield Recorded(recording, status, salvage.calls, damaged, folder, command)


def opened_trace(path: Path) -> OpenedTrace:
    """Return the trace of a file: a trace, a profile or a report. Raises UnreadableFile."""
    if looks_like_trace(path):
        return open_trace(path)
    expect_events(path)
    report = load(path)
    layers = (TracedLayer(one.index, one.name, one.operator, one.into) for one in report.layers)
    return OpenedTrace(report.trace, tuple(layers), report.notes, "Inspector report")


def comparison_with(first: OpenedTrace, name: str, other: Path) -> Page:
    """Return the page of a trace beside that of another file. Raises UnreadableFile."""
    comparison = compare_traces(first, opened_trace(other))
    return trace_comparison_page(comparison, (name, other.name))


def _how_to_get_runtime(python: str) -> str:
    """Return what to do where a Python has no ONNX Runtime; that of Inspector has one."""
    install = f"`{python} -m pip install onnxruntime`"
    if getattr(sys, "frozen", False) or sys.executable == python:
        return Sentence(
            "Install it with {install}, or start the program with a Python that has it.",
            install,
        )
    return Sentence(
        "Install it with {install}, or start the program with a Python that has it, such as "
        "{own}.",
        install,
        Name(sys.executable),
    )


def _signal(number: int) -> str:
    """A signal as people know it: 'SIGSEGV (Segmentation fault)'."""
    known = {one.value: one.name for one in signal.Signals}
    meant = signal.strsignal(number) if number in known else None
    return f"{known[number]} ({meant})" if meant else f"signal {number}"
