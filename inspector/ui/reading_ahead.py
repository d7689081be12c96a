"""Loads the code of the tabs while nobody waits for it, so that no first look is held up."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from threading import Thread

from PySide6.QtCore import QObject, QTimer

from inspector.collector import leave_alone
from inspector.ui.window.tabs import Tab

_WITHOUT_QT = (
    "inspector.analysis",
    "inspector.readers",
    "inspector.engine.process",
    "inspector.analysis.estimate",
    "inspector.preview.usual",
    "numpy.ma",  # numpy itself wants it late, in the middle of a drawing
)
_FIRST = (
    "inspector.ui.window.document_view",
    "inspector.ui.window.sidebar",
    "inspector.ui.window.inspector_pane",
    "inspector.ui.documents.estimating",
)
_BREATH_MS = 4


def module_of(tab: Tab) -> str:
    """Name of the module that a tab's widget is in."""
    return f"inspector.ui.{tab.name.lower()}.tab"


class ReadingAhead(QObject):
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
        self._timer.setInterval(_BREATH_MS)
        self._timer.timeout.connect(self._next)
        self._timer.start()

    def _next(self) -> None:
        if self._thread.is_alive():
            return
        name = next(self._names, None)
        if name is None:
            self._timer.stop()
            leave_alone()
            self.done = True
        else:
            import_module(name)


def _names() -> Iterator[str]:
    """Modules that know Qt: those that others stand on first."""
    yield from _FIRST
    yield from _inside("kit")
    for tab in Tab:
        yield from _inside(tab.name.lower())
        yield module_of(tab)


def _inside(folder: str) -> Iterator[str]:
    for path in sorted((Path(__file__).parent / folder).glob("*.py")):
        if path.stem != "__init__":
            yield f"inspector.ui.{folder}.{path.stem}"


def _load() -> None:
    for name in _WITHOUT_QT:
        import_module(name)
