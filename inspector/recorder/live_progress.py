"""Messages between a recording and its observer while it runs: files in its folder.

Knows the standard library only: one side works inside the recorded program.
"""

from pathlib import Path

INTERRUPT = "interrupt"
END = "end"
_STOP = "stop"
_CAPTURE = "capture"
_LAYERS = "layers"
_ENDED = "ended-"
_GROUP_ENDED = "ended-group-"
_APART = "apart"
_MISSING = "missing-runtime"


def request_progress(folder: Path, word: str) -> None:
    """Ask the recorded programs to stop: INTERRUPT as Ctrl-C would, END at once."""
    _put(folder, _STOP, word)


def progress_requested(folder: Path) -> str:
    """Return the pending request; '' for none."""
    try:
        return (folder / _STOP).read_text("ascii")
    except OSError:
        return ""


def request_capture(folder: Path, number: int) -> None:
    """Ask the recorded programs to save the inputs of their next run. number: of the request,
    counted from 1."""
    _put(folder, _CAPTURE, str(number))


def capture_requested(folder: Path) -> int:
    """Return the number of the last request; 0 for none."""
    try:
        return int((folder / _CAPTURE).read_text("ascii"))
    except (OSError, ValueError):
        return 0


def request_layers(folder: Path, number: int, runs: str) -> None:
    """Ask the recorded programs to profile their next runs. number: of the request, counted
    from 1. runs: as `profiled_runs` reads them."""
    _put(folder, _LAYERS, f"{number} {runs}")


def record_end(folder: Path, process: int, is_group: bool = False) -> None:
    """Note that a recorded program ended another process, or all of a group."""
    (folder / f"{_GROUP_ENDED if is_group else _ENDED}{process}").touch()


def recorded_end(folder: Path, process: int, group: int) -> bool:
    """Return whether a recorded program ended this process, or its group."""
    marker_names = (f"{_ENDED}{process}", f"{_GROUP_ENDED}{group}")
    return any((folder / name).exists() for name in marker_names)


def record_isolated(folder: Path, reason: str) -> None:
    """Note that Python was started in a way that disables recording."""
    (folder / f"{_APART}{reason}").touch()


def is_isolated(folder: Path, reason: str) -> bool:
    """Return whether such a start was noted."""
    return (folder / f"{_APART}{reason}").exists()


def record_missing_runtime(folder: Path, python: str) -> None:
    """Note that a Python looked for ONNX Runtime and has none."""
    (folder / _MISSING).write_text(python, "utf-8")


def python_without_runtime(folder: Path) -> str:
    """Return the Python that looked for ONNX Runtime in vain; '' for none."""
    try:
        return (folder / _MISSING).read_text("utf-8")
    except OSError:
        return ""


def _put(folder: Path, name: str, text: str) -> None:
    """Write a file that others read, which is never half there."""
    part = folder / f".{name}"
    part.write_text(text, "utf-8")
    part.replace(folder / name)
