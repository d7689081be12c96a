"""Saving a report, a sweep or a comparison in a format the user chose."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.ui.writing import Writer

if TYPE_CHECKING:
    from inspector.compare import Comparison
    from inspector.export.drawing import Drawing
    from inspector.report import PerformanceReport
    from inspector.sweep import Sweep

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
PICTURE, SWEEP = "picture/", "sweep/"
SWEEP_TEXTS = {"csv": ".csv", "md": ".md", "json": ".json"}
_KINDS = "Pictures (*.png *.svg)"


class Exporter(Writer):
    """Saves reports, sweeps and comparisons."""

    def ask(self, report: "PerformanceReport", form: str) -> None:
        """Let the user choose a file for a report, and save it there."""
        plot = form.removeprefix(PICTURE)
        stem = Path(report.model.name).stem
        if plot != form:
            self.ask_for_picture(f"{stem}.{plot}", partial(_report_plot, report, plot))
            return
        path = self.where("Export the report", stem + SUFFIXES[form])
        if path is not None:
            self.save(report, form, path)

    def ask_for_sweep(self, sweep: "Sweep", form: str) -> None:
        """The same for a sweep. form: SWEEP with one of SWEEP_TEXTS or a plot."""
        name = form.removeprefix(SWEEP)
        stem = f"{Path(sweep.models[0].name).stem}.sweep"
        if name not in SWEEP_TEXTS:
            self.ask_for_picture(f"{stem}.{name}", partial(_sweep_plot, sweep, name))
            return
        path = self.where("Export the sweep", stem + SWEEP_TEXTS[name])
        if path is not None:
            self.write(path, partial(_sweep_text, sweep, name))

    def ask_for_comparison(
        self, found: "Comparison", reports: "tuple[PerformanceReport, ...]", form: str
    ) -> None:
        """The same for reports side by side, as "md", "csv", "svg" or "png"."""
        stem = f"{Path(reports[0].model.name).stem}.comparison"
        path = self.where("Export the comparison", f"{stem}.{form}")
        if path is not None:
            self.write(path, partial(_compared, found, reports, form))

    def ask_for_picture(self, stem: str, draw: "Callable[[], Drawing]") -> None:
        """Let the user choose a file for a plot: SVG where it is called so, else PNG."""
        path = self.where("Save the picture", f"{stem}.png", _KINDS)
        if path is not None:
            self.save_picture(path, draw)

    def save_picture(self, path: Path, draw: "Callable[[], Drawing]") -> None:
        """Write a plot to a file; `done` or `failed` follows."""

        def content() -> bytes:
            from inspector.export import picture

            return picture(draw(), "svg" if path.suffix.lower() == ".svg" else "png")

        self.write(path, content)

    def save(self, report: "PerformanceReport", form: str, path: Path) -> None:
        """Write a report to a file; `done` or `failed` follows. form: one of SUFFIXES."""

        def content() -> bytes:
            from inspector.export import export

            return export(report, form)

        self.write(path, content)


def _report_plot(report: "PerformanceReport", name: str) -> "Drawing":
    from inspector.export.plots import plot

    return plot(report, name)


def _sweep_plot(sweep: "Sweep", name: str) -> "Drawing":
    from inspector.export.sweep_plot import plot

    return plot(sweep, name)


def _sweep_text(sweep: "Sweep", form: str) -> bytes:
    from inspector.export.sweep_tables import csv, markdown
    from inspector.sweep import to_json

    if form == "json":
        return to_json(sweep)
    return (csv if form == "csv" else markdown)(sweep).encode()


def _compared(
    found: "Comparison", reports: "tuple[PerformanceReport, ...]", form: str
) -> bytes:
    from inspector.export import export_comparison

    return export_comparison(found, reports, form)
