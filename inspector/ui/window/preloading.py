"""Loads the code of the tabs while nobody waits for it, so that no first look is held up.

Parts of the window that the first document needs are made then, too.
"""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from threading import Thread, main_thread

from PySide6.QtCore import QObject, QTimer

from inspector.platform import plugins
from inspector.platform.gc_policy import freeze_live_objects
from inspector.ui.window.main_window import MainWindow
from inspector.ui.window.tabs import all_tabs

_WITHOUT_QT = (
    "inspector.analysis.facts.model_facts",
    "inspector.formats.opening",
    "inspector.engine.client.engine_process",
    "inspector.app.changing.improvement",
    "inspector.formats.traces.detection",
    "inspector.recorder.launch",
    "inspector.remote.machines",
    "inspector.analysis.cost.estimate",
    "inspector.preview.inputs.default_values",
    "numpy.ma",  # numpy itself wants it late, in the middle of a drawing
)
_FIRST = (
    "inspector.ui.documents.estimating",
    "inspector.ui.documents.services",
    "inspector.ui.window.document_view",
    "inspector.ui.window.sidebar",
    "inspector.ui.window.document_parts",
)
_IMPORT_INTERVAL_MS = 4


class Preloader(QObject):
    """Loads every tab's modules, in the order in which people look at them.

    What knows Qt is loaded by the window's thread, a module a turn: PySide makes its
    enumerations when they are first used, and two threads that do so at once end the process
    (6.11, seen in one start of twenty). All else is loaded by a thread before.
    """

    def __init__(self, window: MainWindow | None = None) -> None:
        super().__init__(window)
        self.done = False
        self._steps = _steps(window)
        self._thread = Thread(target=_load, name="reading ahead", daemon=True)
        self._thread.start()
        self._timer = QTimer(self)
        self._timer.setInterval(_IMPORT_INTERVAL_MS)
        self._timer.timeout.connect(self._next)
        self._timer.start()

    def _next(self) -> None:
        if self._thread.is_alive():
            return
        for _ in self._steps:
            return
        self._timer.stop()
        freeze_live_objects()
        self.done = True


def _steps(window: MainWindow | None) -> Iterator[object]:
    """Load a module or make a part of the window with each step."""
    yield from map(import_module, _names())
    if window is not None:
        # PySide makes its enumerations when they are first used, and this part uses many: it
        # took more than half of the time in which the window stood still on opening a model.
        yield window.notice


def _names() -> Iterator[str]:
    """Modules that know Qt: those that others stand on first."""
    yield from _FIRST
    yield from _modules_in("inspector.ui.widgets")
    for tab in all_tabs():
        yield from _modules_in(tab.module.rpartition(".")[0])
        yield tab.module


def _modules_in(package: str) -> Iterator[str]:
    root = Path(__file__).parents[3]
    for path in sorted(root.joinpath(*package.split(".")).rglob("*.py")):
        if path.stem != "__init__":
            yield ".".join(path.relative_to(root).with_suffix("").parts)


def _load() -> None:
    try:
        plugins.any_installed()  # reads a file of each installed package
        for name in _WITHOUT_QT:
            plugins.load(name)
    except RuntimeError:  # such as "can't register atexit after shutdown"
        if main_thread().is_alive():
            raise
