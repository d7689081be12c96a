"""Saving a report, a sweep or a comparison in a format the user chose."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from inspector.errors import InspectorError
from inspector.export.registry import (
    ExportFormat,
    Subject,
    export,
    format_for,
    format_of,
    formats_of,
    picture,
)
from inspector.formats.model_formats import file_patterns
from inspector.platform import files
from inspector.ui.background import TaskRunner
from inspector.ui.translate import mark, tr

if TYPE_CHECKING:
    from inspector.comparison.comparison import Comparison
    from inspector.comparison.model_changes import ModelDiff
    from inspector.export.charts.drawing import Drawing
    from inspector.pages.model_diff import AtAGlance
    from inspector.report.improvement import Improvement
    from inspector.report.report import PerformanceReport
    from inspector.report.sweep import Sweep
    from inspector.ui.documents.document import Document

    Complete = Callable[[PerformanceReport], PerformanceReport]


_start = ""
# Prefixes of the ids that the menus emit; a format of a report has none.
PICTURE, SWEEP, TRACE = "picture/", "sweep/", "trace/"
RESULTS = "improvement"  # of Improve; the dialog has their formats
VISIBLE, IMAGE, DRAWING = "visible", "png", "svg"  # forms of a trace that the window makes
_READ_BY_PEOPLE = ("html", "md", "pdf")  # formats of two models that take what was measured
_KINDS = mark("Images (*.png *.svg)")
_LONGEST_ADDRESS = 2000
_ENDINGS = f"{file_patterns()} *.json *.json.gz *.npz *.pftrace *.zip"
FILTER = f"Models, reports and traces ({_ENDINGS});;All files (*)"


def start_in(folder: Path) -> None:
    """Let the next file dialogs begin in a folder."""
    global _start
    _start = str(folder)


def start(name: str = "") -> str:
    """Return where a file dialog begins: a folder, or a proposed file name in it.

    A name with a folder of its own stays as it is.
    """
    return str(Path(_start, name)) if _start and name else name or _start


def takes_operators(document: "Document") -> bool:
    """Return whether a model needs custom operators that come from a library of its author."""
    fields = {setting.field for setting in document.runtime.settings}
    libraries = document.facts.requirements.libraries if document.facts is not None else ()
    return "custom_ops" in fields and any(not library.package for library in libraries)


def lacks_operators(document: "Document") -> bool:
    """Return whether a model needs such a library, and none was chosen yet."""
    return takes_operators(document) and not document.spec.custom_ops


def choose_operators(document: "Document", parent: QWidget) -> bool:
    """Let the user choose libraries for the model, beside those it has; False: none chosen."""
    names, _ = QFileDialog.getOpenFileNames(
        parent,
        tr("Choose a library with the custom operators of {name}").format(name=document.name),
        start(),
        tr("Libraries (*.so *.so.* *.dll *.dylib *.pyd);;All files (*)"),
    )
    if not names:
        return False
    chosen = (str(Path(name).absolute()) for name in names)
    document.set_spec(custom_ops=tuple(dict.fromkeys((*document.spec.custom_ops, *chosen))))
    return True


class Writer(QObject):
    """Asks where to, and writes off the window's thread."""

    done = Signal(str, str)  # a sentence, and the path of the file
    failed = Signal(object)  # InspectorError

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._jobs = TaskRunner(self)

    def where(self, title: str, proposed: str, kinds: str = "") -> Path | None:
        """Let the user choose a file; None where they thought better of it."""
        name, _ = QFileDialog.getSaveFileName(self._window, title, start(proposed), kinds)
        return Path(name) if name else None

    def write(self, path: Path, content: Callable[[], bytes]) -> None:
        """Write what `content` makes, on another thread; `done` or `failed` follows."""

        def tell(_: None) -> None:
            self.done.emit(tr("Saved {name}").format(name=path.name), str(path))

        def fail(error: InspectorError) -> None:
            self.failed.emit(error)

        self._jobs.start(lambda: files.write_atomic(path, content()), tell, fail)


def trace_forms() -> tuple[ExportFormat, ...]:
    """Return the formats of traces and, made by the window, pictures of what is visible."""
    first, *others = formats_of(Subject.TRACE)
    title = tr("Chrome trace of the visible range")
    visible = replace(first, id=VISIBLE, suffix=".part.trace.json", title=title)
    image = replace(first, id=IMAGE, suffix=".png", title=tr("Image (PNG)"))
    return (first, visible, *others, image)


class Exporter(Writer):
    """Saves reports, sweeps and comparisons."""

    def ask(
        self, report: "PerformanceReport", form: str, complete: "Complete | None" = None
    ) -> None:
        """Let the user choose a file for a report, and save it there.

        complete: adds what the window knows besides, on another thread.
        """
        plot = form.removeprefix(PICTURE)
        stem = Path(report.model.name).stem
        if plot != form:
            self.ask_for_picture(f"{stem}.{plot}", partial(_report_plot, report, plot))
            return
        chosen = format_of(Subject.REPORT, form)
        path = self.where(tr("Export report"), stem + chosen.suffix, chosen.dialog_filter)
        if path is not None:
            self.save(report, form, path, complete)

    def ask_for_improvement(self, improvement: "Improvement", stem: str) -> None:
        """Let the user choose a file for the candidates of a search, and save it there."""
        forms = formats_of(Subject.IMPROVEMENT)
        kinds = ";;".join(f"{tr(each.title)} (*{each.suffix})" for each in forms)
        path = self.where(tr("Save results"), f"{stem}.improvement{forms[0].suffix}", kinds)
        if path is not None:
            self.save_improvement(improvement, path)

    def save_improvement(self, improvement: "Improvement", path: Path) -> None:
        """Write candidates in the format of a file name; `done` or `failed` follows."""

        def content() -> bytes:
            return bytes(format_for(Subject.IMPROVEMENT, path).writer(improvement))

        self.write(path, content)

    def ask_for_sweep(self, sweep: "Sweep", form: str) -> None:
        """Let the user choose a file for a sweep, and save it there.

        form: SWEEP, then the id of a format of sweeps or the name of a plot.
        """
        name = form.removeprefix(SWEEP)
        stem = f"{Path(sweep.models[0].name).stem}.sweep"
        if name not in [each.id for each in formats_of(Subject.SWEEP)]:
            self.ask_for_picture(f"{stem}.{name}", partial(_sweep_plot, sweep, name))
            return
        chosen = format_of(Subject.SWEEP, name)
        path = self.where(tr("Export sweep"), stem + chosen.suffix, chosen.dialog_filter)
        if path is not None:
            self.write(path, lambda: bytes(chosen.writer(sweep)))

    def ask_for_comparison(
        self, comparison: "Comparison", reports: "tuple[PerformanceReport, ...]", form: str
    ) -> None:
        """Let the user choose a file for a comparison of reports, and save it there."""
        stem = f"{Path(reports[0].model.name).stem}.comparison"
        chosen = format_of(Subject.COMPARISON, form)
        title = tr("Export comparison")
        path = self.where(title, stem + chosen.suffix, chosen.dialog_filter)
        if path is not None:
            self.write(path, lambda: bytes(chosen.writer(comparison, reports)))

    def ask_for_model_diff(
        self, diff: "ModelDiff", form: str, glance: "AtAGlance | None" = None
    ) -> None:
        """Let the user choose a file for the differences of two models, and save it there.

        glance: what the window knows besides, for the formats that are read by people.
        """
        stem = f"{Path(diff.first.name).stem}-{Path(diff.other.name).stem}"
        chosen = format_of(Subject.MODEL_DIFF, form)
        title = tr("Export differences")
        path = self.where(title, stem + chosen.suffix, chosen.dialog_filter)
        if path is not None:
            more = ((), glance) if form in _READ_BY_PEOPLE else ()
            self.write(path, lambda: bytes(chosen.writer(diff, *more)))

    def ask_for_picture(self, stem: str, draw: "Callable[[], Drawing]") -> None:
        """Let the user choose a file for a plot: SVG where it is called so, else PNG."""
        path = self.where(tr("Save image"), f"{stem}.png", tr(_KINDS))
        if path is not None:
            self.save_picture(path, draw)

    def save_picture(self, path: Path, draw: "Callable[[], Drawing]") -> None:
        """Write a plot to a file; `done` or `failed` follows."""

        form = "svg" if path.suffix.lower() == ".svg" else "png"
        self.write(path, lambda: picture(draw(), form))

    def save(
        self,
        report: "PerformanceReport",
        form: str,
        path: Path,
        complete: "Complete | None" = None,
    ) -> None:
        """Write a report in the format with this id; `done` or `failed` follows."""
        self.write(path, lambda: export(complete(report) if complete else report, form))


def _report_plot(report: "PerformanceReport", name: str) -> "Drawing":
    from inspector.export.charts.report_plots import plot

    return plot(report, name)


def _sweep_plot(sweep: "Sweep", name: str) -> "Drawing":
    from inspector.export.charts.sweep_plot import plot

    return plot(sweep, name)


def choose_files(parent: QWidget) -> tuple[Path, ...]:
    """Ask for files; empty when the user thinks better of it."""
    from PySide6.QtWidgets import QFileDialog  # its classes cost start-up time

    names, _ = QFileDialog.getOpenFileNames(
        parent, tr("Open models, reports and traces"), start(), FILTER
    )
    return tuple(Path(name) for name in names)


def address_in(data: QMimeData | None) -> str:
    """Return the address of a model that a drop or the clipboard names; "" for none."""
    text = data.text().strip() if data is not None and data.hasText() else ""
    if not text or len(text) > _LONGEST_ADDRESS or any(ord(sign) <= 32 for sign in text):
        return ""
    return text if text.lower().startswith(("https://", "hf://", "http://")) else ""


def paths_in(data: QMimeData | None) -> tuple[Path, ...]:
    """The files that a drop or the clipboard names, as links or as the text of a path."""
    if data is None:
        return ()
    if data.hasUrls():
        return tuple(Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile())
    text = data.text().strip().strip("\"'") if data.hasText() else ""
    one_line = 0 < len(text) < 4096 and "\n" not in text and "\0" not in text
    path = files.at_home(Path(text.removeprefix("file://"))) if one_line else None
    return (path.absolute(),) if path is not None and files.is_file(path) else ()
