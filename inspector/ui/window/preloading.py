"""Loads the code of the tabs while nobody waits for it, so that no first look is held up."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from threading import Thread

from PySide6.QtCore import QObject, QTimer

from inspector.platform import plugins
from inspector.platform.gc_policy import freeze_live_objects
from inspector.ui.window.tabs import TABS

_WITHOUT_QT = (
    "inspector.analysis.facts.model_facts",
    "inspector.formats.opening",
    "inspector.engine.client.engine_process",
    "inspector.analysis.cost.estimate",
    "inspector.preview.inputs.default_values",
    "numpy.ma",  # numpy itself wants it late, in the middle of a drawing
)
_FIRST = (
    "inspector.ui.window.document_view",
    "inspector.ui.window.sidebar",
    "inspector.ui.window.inspector_pane",
    "inspector.ui.documents.estimating",
)
_IMPORT_INTERVAL_MS = 4


class Preloader(QObject):
    """Loads every tab's modules, in the order in which people look at them.

    What knows Qt is loaded by the window's thread, a module a turn: PySide makes its
    enumerations when they are first used, and two threads that do so at once end the process
    (6.11, seen in one start of twenty). All else is loaded by a thread before.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.done = False
        self._names = _names()
        self._thread = Thread(target=_load, name="reading ahead", daemon=True)
        self._thread.start()
        self._timer = QTimer(self)
        self._timer.setInterval(_IMPORT_INTERVAL_MS)
        self._timer.timeout.connect(self._next)
        self._timer.start()

    def _next(self) -> None:
        if self._thread.is_alive():
            return
        name = next(self._names, None)
        if name is None:
            self._timer.stop()
            freeze_live_objects()
            self.done = True
        else:
            import_module(name)


def _names() -> Iterator[str]:
    """Modules that know Qt: those that others stand on first."""
    yield from _FIRST
    yield from _modules_in("inspector.ui.widgets")
    for tab in TABS:
        yield from _modules_in(tab.module.rpartition(".")[0])
        yield tab.module


def _modules_in(package: str) -> Iterator[str]:
    root = Path(__file__).parents[3]
    for path in sorted(root.joinpath(*package.split(".")).rglob("*.py")):
        if path.stem != "__init__":
            yield ".".join(path.relative_to(root).with_suffix("").parts)


def _load() -> None:
    plugins.any_installed()  # reads a file of each installed package
    for name in _WITHOUT_QT:
        import_module(name)
