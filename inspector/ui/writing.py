"""Something of the window becomes a file that the user named."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from inspector import files
from inspector.errors import InspectorError
from inspector.ui.documents.jobs import Jobs


class Writer(QObject):
    """Asks where to, and writes off the window's thread."""

    done = Signal(str, str)  # a sentence, and the path of the file
    failed = Signal(object)  # InspectorError

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._jobs = Jobs(self)

    def where(self, title: str, proposed: str, kinds: str = "") -> Path | None:
        """Let the user choose a file; None where they thought better of it."""
        name, _ = QFileDialog.getSaveFileName(self._window, title, proposed, kinds)
        return Path(name) if name else None

    def write(self, path: Path, content: Callable[[], bytes]) -> None:
        """Write what `content` makes, on another thread; `done` or `failed` follows."""

        def tell(_: None) -> None:
            self.done.emit(f"Saved {path.name}", str(path))

        def fail(error: InspectorError) -> None:
            self.failed.emit(error)

        self._jobs.start(lambda: files.write_atomic(path, content()), tell, fail)
