"""A program that is recorded: `inspector record` runs it in a process of its own."""

import os
import shlex
import shutil
import signal
import sys
import time
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import QObject, QProcess, QTimer, Signal

from inspector.errors import BadInput, InspectorError
from inspector.platform import files, own_processes
from inspector.recorder import live_progress, native_inputs
from inspector.recorder.launch import free_path
from inspector.recorder.live_summary import Follower, LiveSummary
from inspector.recorder.profiled_runs import ProfiledRuns
from inspector.recorder.recorded_sessions import saved_inputs
from inspector.ui import units
from inspector.ui.translate import mark, tr

TICK_MS = 200  # between two looks at the program
_TAIL = 40  # last lines that are shown
_MOST = 4000  # characters of a line
_SENTENCES = ("Could not", "Nothing was recorded")


class RecordingRequest(Struct, frozen=True):
    """The program to record, and the options of the recording.

    folder: where the program runs. nodes: predictions of each session that are profiled node
    by node. save_in: folder of the recording; None for the one that the program runs in.
    """

    command: str
    folder: Path
    nodes: int = 0
    save_in: Path | None = None

    def words(self) -> tuple[str, ...]:
        """The command in its parts. Raises BadInput: nothing there, or no such program."""
        try:
            arguments = tuple(shlex.split(self.command, posix=os.name == "posix"))
        except ValueError as error:
            raise self._refused(tr("a quotation mark is not closed")) from error
        if not arguments:
            raise self._refused(
                tr("there is no program to run"), tr("For example: python app.py")
            )
        if not files.is_folder(self.folder):
            named = units.clip(str(self.folder), 200)
            hint = tr("Choose another folder.")
            raise self._refused(tr("there is no folder {named}").format(named=named), hint)
        if (
            shutil.which(arguments[0]) is None
            and shutil.which(self.folder / arguments[0]) is None
        ):
            named = units.clip(arguments[0], 80)
            if files.exists(self.folder / arguments[0]):
                hint = tr("For a script: python {named}").format(named=named)
                why = tr("{named} is not executable").format(named=named)
                raise self._refused(why, hint)
            hint = tr("Check the name, or enter the full path of the program.")
            if arguments[0] == "python" and shutil.which("python3"):
                hint = tr("Write python3 instead of python.")
            raise self._refused(tr("there is no program {named}").format(named=named), hint)
        return arguments

    def _refused(self, why: str, hint: str = mark("Check the command line.")) -> BadInput:
        return BadInput(tr("Could not record"), why, hint)


def command_of(program: Path) -> str:
    """Return the command line that runs a program.

    A script runs under the Python of a virtual environment beside it or in a folder above, else
    under the one in PATH, else under that of Inspector.
    """
    if program.suffix.casefold() not in (".py", ".pyw"):
        return _quoted(str(program))
    place = ("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")
    own = (
        folder.joinpath(name, *place)
        for folder in program.parents
        for name in (".venv", "venv")
    )
    found = next((str(python) for python in own if files.is_file(python)), None)
    python = found or shutil.which("python3") or shutil.which("python") or sys.executable
    return f"{_quoted(python)} {_quoted(program.name)}"


def with_python(command: str, python: str) -> str:
    """Return a command line with another Python in place of its program."""
    program = shlex.split(command, posix=os.name == "posix")[0]
    for written in (program, _quoted(program), f'"{program}"', f"'{program}'"):
        if command.strip().startswith(written):
            return _quoted(python) + command.strip().removeprefix(written)
    return command


def _quoted(text: str) -> str:
    return shlex.quote(text) if os.name == "posix" else f'"{text}"' if " " in text else text


class Recording(QObject):
    """One recording under way; `ended` brings the trace, or `failed` the reason.

    A program that crashes ends like any other: what was recorded until then is kept.
    live: what it does now. by_signal: interrupt it by a signal to its group, which
    Windows has not: there a file asks the recorder inside the program for the same.
    """

    changed = Signal()  # seconds or last lines are others
    ended = Signal(object)  # Path
    failed = Signal(object)  # InspectorError
    captured = Signal(object, object)  # Paths: of a model, of the inputs of one of its runs

    def __init__(
        self,
        wanted: RecordingRequest,
        trace: Path,
        parent: QObject | None = None,
        by_signal: bool = os.name == "posix",
    ) -> None:
        super().__init__(parent)
        self.wanted, self.trace = wanted, trace
        self.lines: tuple[str, ...] = ()
        self.stopping = self._requests = 0
        self.live = LiveSummary()
        self.models: dict[str, Path] = {}  # files of models by their names, once it has ended
        self.bare_python = ""  # that the program ran under, if it has no ONNX Runtime
        self._by_signal = by_signal
        self._place = files.temporary_folder("inspector-recording-", tr("Could not record"))
        self._follower = Follower(Path(self._place.name))
        self._taken: set[Path] = set()  # saved inputs that were handed on
        self._begun = time.monotonic()
        self._process = QProcess(self)
        self._process.setProcessChannelMode(QProcess.ProcessChannelMode.MergedChannels)
        self._process.readyRead.connect(self._read)
        self._process.finished.connect(self._finish)
        self._process.errorOccurred.connect(self._report_not_started)
        self._clock = QTimer(self, interval=TICK_MS)
        self._clock.timeout.connect(self._look)

    @property
    def seconds(self) -> float:
        """Return how long it has been running."""
        return time.monotonic() - self._begun

    @property
    def running(self) -> bool:
        """Return whether it has not ended yet."""
        return self._process.state() is not QProcess.ProcessState.NotRunning

    def start(self) -> None:
        """Run the program. Raises BadInput: the command cannot be run."""
        program = self.wanted.words()
        nodes = ("--nodes", str(self.wanted.nodes)) if self.wanted.nodes else ()
        place = ("--place", self._place.name)
        english = ("--language", "en")  # its sentence is recognized, and then translated
        recorder = (*english, "record", "-o", str(self.trace), *place, *nodes, "--")
        starter, *ours = own_processes.command("inspector", *recorder)
        process = self._process
        process.setWorkingDirectory(str(self.wanted.folder))
        if os.name == "posix":  # so that an interrupt reaches the program and not us
            parameters = process.unixProcessParameters()
            parameters.flags = QProcess.UnixProcessFlag.CreateNewSession
            process.setUnixProcessParameters(parameters)
        self._begun = time.monotonic()
        process.start(starter, [*ours, *program])
        self._clock.start()

    def stop(self) -> None:
        """Interrupt the program, which may still tidy up; the second time, end it."""
        self.stopping += 1
        number = self._process.processId()
        if not self.running:
            return
        if self._by_signal and self.stopping == 1:
            os.killpg(number, signal.SIGINT)
        else:  # never the recorder itself, which then saves what there is
            word = live_progress.INTERRUPT if self.stopping == 1 else live_progress.END
            live_progress.request_progress(Path(self._place.name), word)
        self.changed.emit()

    def close(self) -> None:
        """End it at once; nobody wants the trace any more."""
        self._process.blockSignals(True)
        number = self._process.processId()
        if self.running and self._by_signal:
            os.killpg(number, signal.SIGKILL)
        elif self.running:  # the end of the recorder alone would leave the program running
            own_processes.kill_tree(number)
        self._process.kill()
        self._process.waitForFinished(2000)
        self._clock.stop()
        self._place.cleanup()

    def capture(self) -> None:
        """Ask for the inputs of the next run; `captured` follows when there is one."""
        self._requests += 1
        live_progress.request_capture(Path(self._place.name), self._requests)

    def profile_next(self, runs: int) -> None:
        """Ask for the layers of the next runs of each session."""
        self._requests += 1
        wanted = str(ProfiledRuns(last=runs))
        live_progress.request_layers(Path(self._place.name), self._requests, wanted)

    def _look(self) -> None:
        self.live = self._follower.look()
        if self._requests:
            folder = Path(self._place.name)
            native_inputs.pack(folder)
            for process, session, number, path in saved_inputs(folder):
                model = self._follower.path_of(process, session)
                if path in self._taken or model is None:
                    continue
                self._taken.add(path)
                stem = self.trace.name.split(".")[0]
                kept = self.trace.with_name(f"{stem}-{process}-{session}-{number}.npz")
                files.write_atomic(kept, path.read_bytes())
                self.captured.emit(model, kept)
        self.changed.emit()

    def _read(self) -> None:
        text = bytes(self._process.readAll().data()).decode("utf-8", "replace")
        whole = "\n".join(self.lines) + text
        lines = whole.split("\n")
        self.lines = tuple(line[-_MOST:] for line in lines[-_TAIL:])
        self.changed.emit()

    def _finish(self) -> None:
        self._clock.stop()
        self._read()
        self.live = self._follower.look()
        self.models = self._follower.models()
        self.bare_python = live_progress.python_without_runtime(Path(self._place.name))
        self._place.cleanup()
        if files.is_file(self.trace):
            self.ended.emit(self.trace)
        else:
            self.failed.emit(self._failure())

    def _report_not_started(self, error: QProcess.ProcessError) -> None:
        """Say why the recorder did not start; other errors come with its end."""
        if error is QProcess.ProcessError.FailedToStart:
            self._clock.stop()
            why = self._process.errorString()
            self.failed.emit(InspectorError(tr("Could not record"), why, tr("Try again.")))

    def _failure(self) -> InspectorError:
        """Return what `inspector record` said last: a sentence, and a hint below."""
        lines = [line for line in self.lines if line.strip()]
        place = next((i for i, line in enumerate(lines) if line.startswith(_SENTENCES)), None)
        if place is None:
            last = lines[-1] if lines else tr("the program printed nothing")
            hint = tr("Start the program without Inspector to see whether it runs.")
            return InspectorError(tr("Nothing was recorded"), last, hint)
        text, _, why = lines[place].partition(": ")
        return BadInput(text, why, lines[place + 1] if len(lines) > place + 1 else "")


def new_recording(
    request: RecordingRequest, running: tuple[Recording, ...], parent: QObject
) -> Recording:
    """Make the recording of a program, not yet started. Raises BadInput, NotSaved."""
    request.words()
    path = free_path(request.save_in or request.folder, tuple(each.trace for each in running))
    files.make_folder(path.parent)
    files.expect_to_write(path)
    return Recording(request, path, parent)
