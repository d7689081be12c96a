"""Waits inside a program until it imports ONNX Runtime, then has its calls watched."""

import atexit
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial, wraps
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

if os.name == "nt":  # elsewhere, a recorded program starts without
    import ctypes

from inspector.recorder import live_progress, unrecorded_python
from inspector.recorder.profiled_runs import profiled_runs
from inspector.recorder.store import Store
from inspector.recorder.wrappers import RuntimeWrapper

AWAITED = "onnxruntime.capi.onnxruntime_inference_collection"
_PACKAGE = "onnxruntime"
FOLDER = "INSPECTOR_RECORD"
KEEP = "INSPECTOR_RECORD_KEEP"
NODES = "INSPECTOR_RECORD_NODES"
INPUTS = "INSPECTOR_RECORD_INPUTS"
WATCHER = "INSPECTOR_RECORD_WATCHER"
_ENDING = {getattr(signal, f"SIG{name}", None) for name in ("TERM", "KILL", "INT", "HUP")}
_EXITING = 4  # among the flags that Linux tells of a process
_RUNS = 259  # what Windows tells of a process that has not ended
_HEARD = {*unrecorded_python.EVENTS, "_winapi.TerminateProcess", "os.killpg"}


def install() -> None:
    """Record into the folder that the environment names, once the runtime is imported."""
    folder = Path(os.environ.get(FOLDER, ""))
    if not os.environ.get(FOLDER) or not folder.is_dir():
        return

    watches: list[RuntimeWrapper] = []

    def begin(module: ModuleType) -> None:
        watcher = int(os.environ.get(WATCHER, "0"))
        store = Store(folder, int(os.environ.get(KEEP, "1000000")), watcher)
        nodes = profiled_runs(os.environ.get(NODES, "0"))
        inputs = int(os.environ.get(INPUTS, "0"))
        watches.append(RuntimeWrapper(store, folder, nodes, inputs))
        watches[0].attach(module)
        # These exits clean nothing up: the last spans are written first.
        leave = os._exit

        @wraps(leave)
        def leaving(status: int) -> NoReturn:
            store.leave()
            leave(status)

        os._exit = leaving

    def finish() -> None:
        for watch in watches:
            watch.finish()

    atexit.register(finish)  # the first of all is the last to be called: others may predict
    missing = partial(live_progress.record_missing_runtime, folder, sys.executable)
    sys.meta_path.insert(0, Finder(begin, missing))
    # Functions that end processes leave a marker file for each.
    kill = os.kill

    @wraps(kill)
    def killing(process: int, number: int, /) -> None:
        ends = number in _ENDING or os.name == "nt"  # where any number ends it
        is_gone = ends and _has_ended(process)
        kill(process, number)
        if ends and not is_gone:
            _note_end(folder, process)

    os.kill = killing
    sys.addaudithook(partial(_listen, folder, watches, unrecorded_python.needed(folder)))


def _listen(
    folder: Path,
    watches: Sequence[RuntimeWrapper],
    needed: Mapping[str, str],
    event: str,
    arguments: Sequence[Any],
) -> None:
    """Record what happens to processes: replaced, ended, or started without recording."""
    if event not in _HEARD:
        return
    # What the program gave may be anything, and an error here would be one of its call.
    with suppress(Exception):
        if event == "os.exec":
            for watch in watches:
                watch.store.leave()
        if event == "_winapi.TerminateProcess":  # so end a pool and subprocess theirs there
            if sys.modules["_winapi"].GetExitCodeProcess(arguments[0]) == _RUNS:
                _note_end(folder, _process_of(arguments[0]))
        elif event == "os.killpg":
            group, number = arguments
            if number in _ENDING and group not in (0, os.getpgrp()):
                live_progress.record_end(folder, group, is_group=True)
        else:
            unrecorded_python.note(folder, event, arguments, needed)


def _process_of(handle: int) -> int:
    """The number of a process of Windows."""
    get_process_id = vars(ctypes)["WinDLL"]("kernel32").GetProcessId
    get_process_id.argtypes, get_process_id.restype = (ctypes.c_void_p,), ctypes.c_ulong
    return int(get_process_id(handle))


def _has_ended(process: int) -> bool:
    """Return whether a process ended by itself; a pool ends all workers when one is lost."""
    with suppress(OSError), open(f"/proc/{process}/stat", "rb") as status_file:
        # It shows it from its last moments on, before it can be waited for.
        return bool(int(status_file.read().rpartition(b")")[2].split()[6]) & _EXITING)
    if process <= 0 or not hasattr(os, "waitid"):
        return False
    with suppress(OSError):  # no child
        how = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, process, how) is not None
    return False


def _note_end(folder: Path, process: int) -> None:
    if process != os.getpid():
        with suppress(OSError):
            live_progress.record_end(folder, process)


class Finder(MetaPathFinder):
    """A meta path finder that reports when ONNX Runtime is imported, or missing."""

    def __init__(
        self, arrived: Callable[[ModuleType], None], missing: Callable[[], None] = lambda: None
    ) -> None:
        self._arrived, self._missing = arrived, missing

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Answer for the awaited module only."""
        if fullname not in (AWAITED, _PACKAGE):
            return None
        others = [finder for finder in sys.meta_path if finder is not self]
        found = (finder.find_spec(fullname, path, target) for finder in others)
        spec = next((each for each in found if each is not None), None)
        if fullname == _PACKAGE:
            if spec is None:
                with suppress(OSError):
                    self._missing()
            return spec
        sys.meta_path.remove(self)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, self._arrived)
        return spec


class _Loader(Loader):
    def __init__(self, inner: Loader, arrived: Callable[[ModuleType], None]) -> None:
        self._inner, self._arrived = inner, arrived

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Delegate to the loader of the runtime."""
        return self._inner.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Run the module, then attach to it; it keeps its own loader."""
        if module.__spec__ is not None:
            module.__spec__.loader = self._inner
        module.__loader__ = self._inner
        self._inner.exec_module(module)
        self._arrived(module)
