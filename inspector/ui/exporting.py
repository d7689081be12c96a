"""Saving a report in a format the user chose."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from inspector import files
from inspector.errors import InspectorError
from inspector.ui.jobs import Jobs

if TYPE_CHECKING:
    from inspector.report import PerformanceReport

SUFFIXES = {
    "html": ".html",
    "md": ".md",
    "csv": ".csv",
    "json": ".json",
    "trace": ".trace.json",
}


class Exporter(QObject):
    """Asks where to, and writes off the window's thread."""

    done = Signal(str, str)
    failed = Signal(object)  # InspectorError

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._jobs = Jobs(self)

    def ask(self, report: "PerformanceReport", form: str) -> None:
        """Let the user choose a file for a report, and save it there."""
        proposed = Path(report.model.name).stem + SUFFIXES[form]
        name, _ = QFileDialog.getSaveFileName(self._window, "Export the report", proposed)
        if name:
            self.save(report, form, Path(name))

    def save(self, report: "PerformanceReport", form: str, path: Path) -> None:
        """Write a report to a file; `done` or `failed` follows."""

        def write() -> None:
            from inspector.export import export

            files.write_atomic(path, export(report, form))

        def tell(_: None) -> None:
            self.done.emit(f"Saved {path.name}", str(path.parent))

        def fail(error: InspectorError) -> None:
            self.failed.emit(error)

        self._jobs.start(write, tell, fail)
