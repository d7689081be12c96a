"""Saving a report, a sweep or a comparison in a format the user chose."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QFileDialog, QFileSystemModel, QWidget

from inspector.comparison.comparison import Comparison
from inspector.comparison.model_changes import ModelDiff
from inspector.errors import InspectorError
from inspector.formats.coreml.package import package_of
from inspector.formats.model_formats import file_patterns
from inspector.pages.charts.columns import in_columns
from inspector.pages.charts.drawing import Drawing
from inspector.pages.model_diff import AtAGlance
from inspector.platform import files
from inspector.render.registry import (
    Subject,
    export,
    format_for,
    format_of,
    formats_of,
    picture,
    picture_of_any_size,
)
from inspector.report.improvement import Improvement
from inspector.report.language.quality import Quality
from inspector.report.report import PerformanceReport
from inspector.report.sweep import Sweep
from inspector.ui import units
from inspector.ui.background import TaskRunner
from inspector.ui.documents.document import Document
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.export_forms import PICTURE, SWEEP
from inspector.ui.widgets.notice import Notice

Complete = Callable[[PerformanceReport], PerformanceReport]


_start = ""
_READ_BY_PEOPLE = ("html", "md", "pdf")  # formats of two models that take what was measured
_KINDS = mark("Images (*.png *.svg)")
_GRAPH_KINDS = ("SVG (*.svg)", "PNG (*.png)")
_COLUMNS = mark("SVG in columns, for a page (*.svg)")
_SLOW_MS = 700  # after which it is told that a file is being written
_STRIP_PX = 30_000  # of a picture's longer side; what shows pictures shrinks such a one
_READABLE = 0.7  # of the size of a graph: letters of 8 pixels
_ENDINGS = f"{file_patterns()} *.json *.json.gz *.npz *.pftrace *.sqlite *.zip"
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


def ask_file(parent: QWidget, title: str, kinds: str = "") -> Path | None:
    """Let the user choose a file to read; None where they thought better of it."""
    name, _ = QFileDialog.getOpenFileName(parent, title, start(), kinds)
    return Path(name) if name else None


def ask_files(parent: QWidget, title: str, kinds: str = "") -> tuple[Path, ...]:
    """Let the user choose files to read; empty where they thought better of it."""
    names, _ = QFileDialog.getOpenFileNames(parent, title, start(), kinds)
    return tuple(map(Path, names))


def ask_folder(parent: QWidget, title: str) -> Path | None:
    """Let the user choose a folder; None where they thought better of it."""
    name = QFileDialog.getExistingDirectory(parent, title, start())
    return Path(name) if name else None


def ask_place(parent: QWidget, title: str, proposed: str, kinds: str = "") -> Path | None:
    """Let the user choose where a file is saved; None where they thought better of it."""
    name, _ = QFileDialog.getSaveFileName(parent, title, start(proposed), kinds)
    return Path(name) if name else None


def takes_operators(document: Document) -> bool:
    """Return whether a model needs custom operators that come from a library of its author."""
    fields = {setting.name for setting in document.runtime.settings}
    libraries = document.facts.requirements.libraries if document.facts is not None else ()
    return "custom_ops" in fields and any(not library.package for library in libraries)


def lacks_operators(document: Document) -> bool:
    """Return whether a model needs such a library, and none was chosen yet."""
    return takes_operators(document) and not document.spec.custom_ops


def choose_operators(document: Document, parent: QWidget) -> bool:
    """Let the user choose libraries for the model, beside those it has; False: none chosen."""
    text = tr("Choose a library with the custom operators of {name}").format(name=document.name)
    names, _ = QFileDialog.getOpenFileNames(
        parent, text, start(), tr("Libraries (*.so *.so.* *.dll *.dylib *.pyd);;All files (*)")
    )
    if not names:
        return False
    chosen = (str(Path(name).absolute()) for name in names)
    document.set_spec(custom_ops=tuple(dict.fromkeys((*document.spec.custom_ops, *chosen))))
    return True


class Writer(QObject):
    """Asks where to, and writes off the window's thread.

    notice: tells of what was written, and of what could not be.
    """

    slow = Signal(str, str)  # as `done`: it is still being written
    done = Signal(str, str)  # a sentence, and the path of the file
    failed = Signal(object)  # InspectorError

    def __init__(self, window: QWidget, notice: Notice | None = None) -> None:
        super().__init__(window)
        self._window = window
        self._jobs = TaskRunner(self)
        if notice is not None:
            self.done.connect(notice.show_done)
            self.failed.connect(notice.show_error)
        self.kind = ""  # of those offered, the one that was chosen last

    def where(self, title: str, proposed: str, kinds: str = "") -> Path | None:
        """Let the user choose a file; None where they thought better of it."""
        name, self.kind = QFileDialog.getSaveFileName(
            self._window, title, start(proposed), kinds
        )
        return Path(name) if name else None

    def write(
        self, path: Path, content: Callable[[], bytes], remark: Callable[[], str] | None = None
    ) -> None:
        """Write what `content` makes, on another thread; `done` or `failed` follows.

        remark: what is said of the file once it is written.
        """
        self.run(path, lambda: files.write_atomic(path, content()), remark)

    def run(
        self, path: Path, work: Callable[[], None], remark: Callable[[], str] | None = None
    ) -> None:
        """Let `work` write a file, on another thread; else as `write`."""
        waiting = QTimer(self, singleShot=True, interval=_SLOW_MS)

        def tell_slow() -> None:
            self.slow.emit(tr("Saving {name}…").format(name=path.name), str(path))

        def tell(_: None) -> None:
            waiting.stop()
            text = tr("Saved {name}").format(name=path.name)
            self.done.emit(f"{text}{remark() if remark is not None else ''}", str(path))

        def fail(error: InspectorError) -> None:
            waiting.stop()
            self.failed.emit(error)

        waiting.timeout.connect(tell_slow)
        waiting.start()
        self._jobs.start(work, tell, fail)


class Exporter(Writer):
    """Saves reports, sweeps and comparisons."""

    def ask(
        self, report: PerformanceReport, form: str, complete: Complete | None = None
    ) -> None:
        """Let the user choose a file for a report, and save it there.

        complete: adds what the window knows besides, on another thread.
        """
        plot = form.removeprefix(PICTURE)
        stem = Path(report.model.name).stem
        if plot != form:
            self.ask_for_picture(f"{stem}.{plot}", partial(_plot, report, plot))
            return
        chosen = format_of(Subject.REPORT, form)
        path = self.where(tr("Export report"), stem + chosen.suffix, chosen.dialog_filter)
        if path is not None:
            self.save(report, form, path, complete)

    def ask_for_improvement(self, improvement: Improvement, stem: str) -> None:
        """Let the user choose a file for the candidates of a search, and save it there."""
        forms = formats_of(Subject.IMPROVEMENT)
        kinds = ";;".join(f"{tr(each.title)} (*{each.suffix})" for each in forms)
        path = self.where(tr("Save results"), f"{stem}.improvement{forms[0].suffix}", kinds)
        if path is not None:
            self.save_improvement(improvement, path)

    def save_improvement(self, improvement: Improvement, path: Path) -> None:
        """Write candidates in the format of a file name; `done` or `failed` follows."""

        def content() -> bytes:
            return bytes(format_for(Subject.IMPROVEMENT, path).writer(improvement))

        self.write(path, content)

    def ask_for_sweep(self, sweep: Sweep, form: str) -> None:
        """Let the user choose a file for a sweep, and save it there.

        form: SWEEP, then the id of a format of sweeps or the name of a plot.
        """
        name = form.removeprefix(SWEEP)
        stem = f"{Path(sweep.models[0].name).stem}.sweep"
        if name not in [each.id for each in formats_of(Subject.SWEEP)]:
            self.ask_for_picture(f"{stem}.{name}", partial(_plot, sweep, name))
            return
        chosen = format_of(Subject.SWEEP, name)
        path = self.where(tr("Export sweep"), stem + chosen.suffix, chosen.dialog_filter)
        if path is not None:
            self.write(path, lambda: bytes(chosen.writer(sweep)))

    def ask_for_comparison(
        self, comparison: Comparison, reports: tuple[PerformanceReport, ...], form: str
    ) -> None:
        """Let the user choose a file for a comparison of reports, and save it there."""
        stem = f"{Path(reports[0].model.name).stem}.comparison"
        chosen = format_of(Subject.COMPARISON, form)
        title = tr("Export comparison")
        path = self.where(title, stem + chosen.suffix, chosen.dialog_filter)
        if path is not None:
            self.write(path, lambda: bytes(chosen.writer(comparison, reports)))

    def ask_for_model_diff(
        self,
        diff: ModelDiff,
        form: str,
        glance: AtAGlance | None = None,
        quality: Quality | None = None,
    ) -> None:
        """Let the user choose a file for the differences of two models, and save it there.

        glance: what the window knows besides, for the formats that are read by people.
        quality: of language models, on a text, for all.
        """
        stem = f"{Path(diff.first.name).stem}-{Path(diff.other.name).stem}"
        chosen = format_of(Subject.MODEL_DIFF, form)
        title = tr("Export differences")
        path = self.where(title, stem + chosen.suffix, chosen.dialog_filter)
        if path is not None:
            more = ((), glance, None) if form in _READ_BY_PEOPLE else ((),)
            self.write(path, lambda: bytes(chosen.writer(diff, *more, quality)))

    def ask_for_picture(self, stem: str, draw: Callable[[], Drawing]) -> None:
        """Let the user choose a file for a plot: SVG where it is called so, else PNG."""
        path = self.where(tr("Save image"), f"{stem}.png", tr(_KINDS))
        if path is not None:
            self.save_picture(path, draw)

    def save_picture(self, path: Path, draw: Callable[[], Drawing]) -> None:
        """Write a plot to a file; `done` or `failed` follows."""
        form = "svg" if path.suffix.lower() == ".svg" else "png"
        self.write(path, lambda: picture(draw(), form))

    def ask_for_graph(self, stem: str, draw: Callable[[], Drawing]) -> None:
        """Let the user choose a file for a whole graph: PNG where it is called so, else SVG."""
        svg, png = _GRAPH_KINDS
        kinds = ";;".join((svg, tr(_COLUMNS), png))
        path = self.where(tr("Save whole graph"), f"{stem}-graph.svg", kinds)
        if path is not None:
            self.save_graph(path, draw, paged=self.kind == tr(_COLUMNS))

    def save_graph(self, path: Path, draw: Callable[[], Drawing], paged: bool = False) -> None:
        """Write a whole graph, of any size; `done` or `failed` follows.

        paged: a long strip is cut into columns that have the shape of a page.
        """
        scale, size = 1.0, (0.0, 0.0)

        def content() -> bytes:
            nonlocal scale, size
            form = "png" if path.suffix.lower() == ".png" else "svg"
            drawing = in_columns(draw()) if paged else draw()
            size = drawing.width, drawing.height
            body, scale = picture_of_any_size(drawing, form)
            return body

        def remark() -> str:
            if scale >= _READABLE and max(size) > _STRIP_PX and not paged:
                text = tr(
                    ": {width:,.0f} × {height:,.0f} px, a strip to scroll in a browser; for a "
                    "page, save with the file type “{kind}”"
                )
                kind = tr(_COLUMNS).partition(" (")[0]  # as the dialog lists it
                return text.format(width=size[0], height=size[1], kind=kind)
            if scale >= _READABLE:
                return ""
            text = tr(" at {share} of its size; SVG keeps all names readable")
            return text.format(share=units.number(scale, ".0%"))

        self.write(path, content, remark)

    def save(
        self, report: PerformanceReport, form: str, path: Path, complete: Complete | None = None
    ) -> None:
        """Write a report in the format with this id; `done` or `failed` follows."""
        self.write(path, lambda: export(complete(report) if complete else report, form))


def _plot(result: PerformanceReport | Sweep, name: str) -> Drawing:
    # few exports are plots
    from inspector.pages.charts import report_plots, sweep_plot

    if isinstance(result, Sweep):
        return sweep_plot.plot(result, name)
    return report_plots.plot(result, name)


def choose_files(parent: QWidget, title: str = "") -> tuple[Path, ...]:
    """Ask for files; empty when the user thinks better of it.

    A folder that is one model, such as an .mlpackage, is chosen where others are entered.
    """
    title = title or tr("Open models, reports and traces")
    dialog = QFileDialog(parent, title, start(), FILTER)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    packages: list[Path] = []

    def take(folder: str) -> None:
        package = package_of(Path(folder))
        if package is not None and not packages:
            packages.append(package)
            dialog.done(QFileDialog.DialogCode.Accepted)

    dialog.directoryEntered.connect(take)
    # Of Qt's own dialog, where the signal above does not follow a typed name or a button.
    listed = dialog.findChild(QFileSystemModel)
    if isinstance(listed, QFileSystemModel):
        listed.rootPathChanged.connect(take)
    accepted = dialog.exec() == QFileDialog.DialogCode.Accepted
    names = dialog.selectedFiles() if accepted else ()
    dialog.deleteLater()  # it watches the folder that it shows
    return tuple(packages) or tuple(map(Path, names))
