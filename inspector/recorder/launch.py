"""Runs another program so that its uses of ONNX Runtime are recorded."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from inspector.errors import BadInput
from inspector.platform.files import at_home, exists, is_folder
from inspector.platform.late_modules import platformdirs
from inspector.recorder import (
    live_progress,
    native_programs,
    recorded_processes,
    unrecorded_python,
)
from inspector.recorder.live_summary import Follower, LiveSummary
from inspector.recorder.profiled_runs import ProfiledRuns
from inspector.recorder.salvage import Salvage

_LIVE_S = 1.0  # between two reports of what it does
_LOOK_S = 0.2  # between checks for a request to stop


def free_path(folder: Path, promised: Sequence[Path] = ()) -> Path:
    """Return a path for a recording that replaces no file, nor one of those still to come."""
    names = ("recording.trace.json", *(f"recording-{n}.trace.json" for n in range(2, 10_000)))
    paths = (folder / name for name in names)
    return next(path for path in paths if path not in promised and not exists(path))


def recordings_folder() -> Path:
    """Return the default folder of recordings; it need not exist.

    It is next to the library of reports, where the system keeps the data of programs.
    """
    return platformdirs.user_data_path("inspector", appauthor=False) / "recordings"


def default_path() -> Path:
    """Return the default path of a recording, which never replaces an existing file.

    This is the current folder, but not the home folder, which nobody wants files in unasked.
    """
    folder = Path.cwd()
    return free_path(recordings_folder() if folder == at_home(Path("~")) else folder)


def environment(
    folder: Path, keep: int, nodes: ProfiledRuns, inputs: int = 0
) -> dict[str, str]:
    """Environment of a program that is recorded into a folder, with its Python children.

    keep: minimum number of spans that are retained. nodes: runs of which the runtime's own
    profile is taken. inputs: runs whose inputs are saved.
    """
    variables = dict(os.environ)
    path = variables.get("PYTHONPATH")
    variables["PYTHONPATH"] = os.pathsep.join(
        [str(unrecorded_python.BOOTSTRAP), *([path] if path else [])]
    )
    variables["INSPECTOR_RECORD"] = str(folder)
    variables["INSPECTOR_RECORD_KEEP"], variables["INSPECTOR_RECORD_NODES"] = (
        str(keep),
        str(nodes),
    )
    variables["INSPECTOR_RECORD_INPUTS"] = str(inputs)
    variables["INSPECTOR_RECORD_WATCHER"] = str(os.getpid())
    # The runtime would report the recorded runs to its maker. Who wants that sets it to 0.
    variables.setdefault("ORT_DISABLE_TELEMETRY", "1")
    return variables


def run(
    command: Sequence[str],
    folder: Path,
    keep: int,
    nodes: ProfiledRuns,
    inputs: int = 0,
    salvage: Salvage | None = None,
    audit: bool = False,
    live: Callable[[LiveSummary], None] | None = None,
) -> int:
    """Run a program to its end, with our standard streams; returns its exit status.

    Ctrl-C reaches it as it would without us; the recording is saved. A negative status is the
    signal that ended it. salvage: looks at the folder meanwhile. Who watches the folder can
    ask it to stop, see `live_progress`. audit: how a program that is not Python is followed,
    see `native_programs.variables`. live: is told each second what the program does.
    Raises BadInput: there is no such program, or the system does not run it.
    """
    if shutil.which(command[0]) is None:
        raise _no_program(command[0])
    script = unrecorded_python.script_of(command)
    if script and not exists(Path(script)):
        hint = "Check the name and the current folder."
        raise BadInput(f"Could not start {script}", "there is no such script", hint)
    # A handler is ours alone, while an ignored signal would be ignored in the program, too.
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        surroundings = environment(folder, keep, nodes, inputs)
        is_python = native_programs.runs_python(command)
        if not is_python:
            with suppress(native_programs.NoRecorder):  # told where nothing is seen
                surroundings |= native_programs.variables(audit)
        with _started(command, surroundings) as program:
            for reason in unrecorded_python.reasons(
                command, surroundings, unrecorded_python.needed(folder)
            ):
                live_progress.record_isolated(folder, reason)
            return _end_of(program, folder, salvage, is_python, live)
    finally:
        signal.signal(signal.SIGINT, before)


def _started(command: Sequence[str], surroundings: dict[str, str]) -> "subprocess.Popen[bytes]":
    try:
        return subprocess.Popen(command, env=surroundings)
    except OSError as error:  # a script without "#!", or whose interpreter is not there
        missing = isinstance(error, FileNotFoundError)
        why = (
            "the interpreter named in its first line does not exist"
            if missing
            else error.strerror
        )
        hint = "Specify the interpreter: inspector record -- python app.py"
        raise BadInput(f"Could not start {command[0]}", why or str(error), hint) from error


def _no_program(name: str) -> BadInput:
    failure = f"Could not start {name or 'a program without a name'}"
    if not exists(Path(name or "\0")):
        return BadInput(failure, "there is no such program", "Check the name.")
    why = "it is a folder" if is_folder(Path(name)) else "it is not executable"
    return BadInput(failure, why, f"Run it with Python: inspector record -- python {name}")


def _end_of(
    program: "subprocess.Popen[bytes]",
    folder: Path,
    salvage: Salvage | None,
    is_python: bool,
    live: Callable[[LiveSummary], None] | None,
) -> int:
    follower, told_s = Follower(folder), time.monotonic()
    interrupted = is_python  # a Python sees the wish itself
    while True:
        try:
            return program.wait(_LOOK_S if salvage is None else salvage.pause_s)
        except subprocess.TimeoutExpired:
            if salvage is not None:
                salvage.check()
            if live is not None and time.monotonic() - told_s >= _LIVE_S:
                told_s = time.monotonic()
                live(follower.look())
            asked = live_progress.progress_requested(folder)
            if asked == live_progress.INTERRUPT and not interrupted:
                interrupted = True
                program.send_signal(signal.SIGINT)
            if asked == live_progress.END:
                program.kill()
                recorded_processes.end_process_tree(recorded_processes.running(folder), folder)
