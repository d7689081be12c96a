"""Waits inside a program until it imports ONNX Runtime, then has its calls watched."""

import atexit
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import wraps
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import NoReturn

from inspector.instrument import pulse
from inspector.instrument.store import Store
from inspector.instrument.watch import Watch

AWAITED = "onnxruntime.capi.onnxruntime_inference_collection"
FOLDER, KEEP, NODES = "INSPECTOR_RECORD", "INSPECTOR_RECORD_KEEP", "INSPECTOR_RECORD_NODES"
INPUTS = "INSPECTOR_RECORD_INPUTS"
_ENDING = {getattr(signal, f"SIG{name}", None) for name in ("TERM", "KILL", "INT", "HUP")}


def await_runtime() -> None:
    """Record into the folder that the environment names, once the runtime is imported."""
    folder = Path(os.environ.get(FOLDER, ""))
    if not os.environ.get(FOLDER) or not folder.is_dir():
        return

    def begin(module: ModuleType) -> None:
        store = Store(folder, int(os.environ.get(KEEP, "1000000")))
        nodes, inputs = (int(os.environ.get(name, "0")) for name in (NODES, INPUTS))
        watch = Watch(store, folder, nodes, inputs)
        watch.attach(module)
        atexit.register(watch.finish)
        _write_before_leaving(store)

    sys.meta_path.insert(0, Finder(begin))
    _note_whom_it_ends(folder)


def _note_whom_it_ends(folder: Path) -> None:
    """Have an empty file for each process that a program ends: a pool does so with its own."""
    kill = os.kill

    @wraps(kill)
    def killing(process: int, number: int, /) -> None:
        kill(process, number)
        if number in _ENDING and process != os.getpid():
            with suppress(OSError):
                pulse.note_end(folder, process)

    os.kill = killing


def _write_before_leaving(store: Store) -> None:
    """Have the last spans written by a program that ends without tidying up."""
    leave = os._exit

    @wraps(leave)
    def leaving(status: int) -> NoReturn:
        store.leave()
        leave(status)

    os._exit = leaving


class Finder(MetaPathFinder):
    """Finds one module as the others would, and tells when it is there."""

    def __init__(self, arrived: Callable[[ModuleType], None]) -> None:
        self._arrived = arrived

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Answer for the awaited module only."""
        if fullname != AWAITED:
            return None
        sys.meta_path.remove(self)
        for finder in sys.meta_path:
            spec = finder.find_spec(fullname, path, target)
            if spec is not None and spec.loader is not None:
                spec.loader = _Loader(spec.loader, self._arrived)
                return spec
        return None


class _Loader(Loader):
    def __init__(self, inner: Loader, arrived: Callable[[ModuleType], None]) -> None:
        self._inner, self._arrived = inner, arrived

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """As the runtime's own loader does."""
        return self._inner.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Run the module, then tell of it; it keeps its own loader."""
        if module.__spec__ is not None:
            module.__spec__.loader = self._inner
        module.__loader__ = self._inner
        self._inner.exec_module(module)
        self._arrived(module)
