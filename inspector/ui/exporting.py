"""Saving a report in a format the user chose."""

from pathlib import Path
from typing import TYPE_CHECKING

from inspector.ui.writing import Writer

if TYPE_CHECKING:
    from inspector.report import PerformanceReport

SUFFIXES = {
    "html": ".html",
    "pdf": ".pdf",
    "md": ".md",
    "csv": ".csv",
    "json": ".json",
    "trace": ".trace.json",
    "svg": ".svg",
    "png": ".png",
    "netron": ".netron.json",
    "model-explorer": ".model-explorer.json",
}


class Exporter(Writer):
    """Saves reports."""

    def ask(self, report: "PerformanceReport", form: str) -> None:
        """Let the user choose a file for a report, and save it there."""
        proposed = Path(report.model.name).stem + SUFFIXES[form]
        path = self.where("Export the report", proposed)
        if path is not None:
            self.save(report, form, path)

    def save(self, report: "PerformanceReport", form: str, path: Path) -> None:
        """Write a report to a file; `done` or `failed` follows."""

        def content() -> bytes:
            from inspector.export import export

            return export(report, form)

        self.write(path, content)
