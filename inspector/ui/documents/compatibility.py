"""Compatibility check: programs open the model one after another, off the window's thread."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from inspector.errors import Cancelled, InspectorError
from inspector.ui.background import TaskRunner

if TYPE_CHECKING:
    from inspector.engine.client.engine_process import EngineProcess
    from inspector.model.model import Model
    from inspector.report.compatibility import CompatibilityResult


class CompatibilityCheck(QObject):
    """The results of the check of one model so far; it starts with `ask`.

    It has an engine of its own: a program that hangs keeps nobody from predicting.
    """

    changed = Signal()
    _came = Signal(object)

    def __init__(
        self,
        path: Path,
        model: "Model",
        start_engine: "Callable[[], EngineProcess]",
        parent: QObject,
        libraries: "Callable[[], tuple[str, ...]]" = tuple,
    ) -> None:
        """libraries: with custom operators of the model, as they are when it is asked."""
        super().__init__(parent)
        self._libraries = libraries
        self.found: tuple[CompatibilityResult, ...] = ()
        self.asking = False
        self.error: InspectorError | None = None
        self.model, self._path, self._start_engine = model, path, start_engine
        self._engine: EngineProcess | None = None
        self._jobs = TaskRunner(self)
        self._came.connect(self._take)

    def ask(self) -> None:
        """Ask all of them, again if need be; `changed` follows each answer and the end."""
        if not self.asking:
            self.found, self.asking, self.error = (), True, None
            self.changed.emit()
            self._jobs.start(self._ask_all, self._end, self._end)

    def stop(self) -> None:
        """Give up on those that have not answered."""
        if self._engine is not None:
            self._engine.kill()

    def close(self) -> None:
        """Stop what is under way; `changed` comes no more."""
        self._jobs.discard_results()
        self.stop()

    def _ask_all(self) -> None:
        from inspector.report.compatibility import PROGRAMS

        libraries = self._libraries()
        with self._start_engine() as engine:
            self._engine = engine
            try:
                for program in PROGRAMS:
                    result = engine.verdict(self._path, program, libraries=libraries)
                    self._came.emit(result)
            finally:
                self._engine = None

    def _take(self, verdict: "CompatibilityResult") -> None:
        self.found = (*self.found, verdict)
        self.changed.emit()

    def _end(self, error: InspectorError | None) -> None:
        self.asking = False
        if not isinstance(error, Cancelled):
            self.error = error
        self.changed.emit()
