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
_PICTURE = "picture/"


class Exporter(Writer):
    """Saves reports."""

    def ask(self, report: "PerformanceReport", form: str) -> None:
        """Let the user choose a file for a report, and save it there."""
        plot = form.removeprefix(_PICTURE)
        suffix = SUFFIXES[form] if plot == form else f".{plot}.png"
        proposed = Path(report.model.name).stem + suffix
        path = self.where("Export the report", proposed)
        if path is not None:
            self.save(report, form, path)

    def save(self, report: "PerformanceReport", form: str, path: Path) -> None:
        """Write a report to a file; `done` or `failed` follows.

        form: one of SUFFIXES, or "picture/" with a plot, which is SVG where the file is
        called so, else PNG.
        """

        def content() -> bytes:
            from inspector.export import export, picture

            if form.startswith(_PICTURE):
                from inspector.export.plots import plot

                kind = "svg" if path.suffix.lower() == ".svg" else "png"
                return picture(plot(report, form.removeprefix(_PICTURE)), kind)
            return export(report, form)

        self.write(path, content)
