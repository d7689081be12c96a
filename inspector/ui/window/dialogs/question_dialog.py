"""Questions on the model in front that a page answers: one line of text is asked for, the work
runs in processes of its own, and the page can be saved."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QCompleter, QDialog, QFileDialog, QLineEdit, QScrollArea, QWidget

from inspector.analysis.devices.compile_targets import CHIPS, device_id
from inspector.app import subjects
from inspector.app.changing.captured_case import save_case
from inspector.app.changing.compiling import compile_for
from inspector.app.estimating.device_estimates import SHOWN, estimate_on
from inspector.app.layers import across_formats
from inspector.app.layers.latencies import timed
from inspector.app.layers.walking import walk
from inspector.app.measure import lengths_of, series, setup
from inspector.app.runtime_matrix import runtime_matrix
from inspector.app.searches import read_batch, unattended
from inspector.app.subjects import Subject
from inspector.backends.values import Progress
from inspector.engine.client.engine import Engine
from inspector.errors import BadInput, Cancelled, InspectorError, NotSaved
from inspector.model.axes import free_axes
from inspector.model.model import Model
from inspector.pages.blocks import Page
from inspector.pages.conversion import case_page
from inspector.pages.on_devices.compiled import compiled_page
from inspector.pages.on_devices.environments import environments_page
from inspector.pages.on_devices.estimate import estimate_page
from inspector.pages.on_devices.shape_series import series_page
from inspector.pages.outputs.layer_outputs import layer_outputs_page
from inspector.platform import files
from inspector.platform.cancellation import Cancellation
from inspector.preview.runs.other_run import OtherRun
from inspector.remote.machines import pythons
from inspector.render.documents import document as rendered
from inspector.ui.background import SafeEmitter, TaskRunner
from inspector.ui.documents import file_dialogs
from inspector.ui.documents.document import Document
from inspector.ui.documents.file_dialogs import Writer
from inspector.ui.translate import mark, tr, wording
from inspector.ui.widgets.failure import Failure
from inspector.ui.widgets.layouts import scroll_down
from inspector.ui.widgets.notice import Notice
from inspector.ui.widgets.page_view import PageView
from inspector.ui.widgets.parts import button, column_of, page_of, row, wrapped
from inspector.ui.widgets.progress import ProgressLine
from inspector.ui.widgets.theme import Theme

_SIZE = 980, 640
_LENGTHS = "1,2,4,8"
_FORMATS = mark("Web page (*.html);;PDF (*.pdf);;Markdown (*.md)")
Show = Callable[[Progress], None]


class Asked(NamedTuple):
    """What a question is about; made in the window's thread, read in another.

    start_engine: starts a process that is told of its steps by a function.
    """

    text: str
    path: Path
    model: Model
    subject: Callable[[], Subject]
    start_engine: Callable[[Show], Engine]
    show: Show


class Question(NamedTuple):
    """A question that a dialog asks.

    text: what stands in the field at first. answer: finds it, in a thread of its own; raises
    InspectorError. files: whether what is asked for are files, so that they can be chosen.
    offered: texts that a list below the field shows while one types.
    """

    title: str
    about: str
    field: str
    hint: str
    text: Callable[[Document], str]
    answer: Callable[[Asked], Page]
    files: bool = False
    offered: tuple[str, ...] = ()


def _series(asked: Asked) -> Page:
    axes = [read_batch(part.strip()) for part in asked.text.split(";") if part.strip()]
    if not axes:
        raise BadInput("Could not run the series of shapes", "no axis is given", "batch=1,2,4")
    with asked.start_engine(asked.show) as engine:
        runs = tuple(series(engine, asked.subject(), lengths_of(axes)))
    return series_page(asked.model.name, runs)


def _environments(asked: Asked) -> Page:
    targets = pythons(asked.text)
    if len(targets) < 2:
        hint = "Separate them by commas, such as old/bin/python, new/bin/python."
        raise BadInput("Could not compare environments", "fewer than two are given", hint)
    subject = asked.subject()
    measured = setup(subject.at(unattended(subject.spec)))
    matrix = runtime_matrix(subject, targets, None, asked.show, measured)
    return environments_page(asked.model.name, matrix)


def _estimate(asked: Asked) -> Page:
    names = [part.strip() for part in asked.text.split(",") if part.strip()]
    with asked.start_engine(asked.show) as engine:
        return estimate_page(estimate_on(engine, asked.path, asked.model, names, {}))


def _layer_times(asked: Asked) -> Page:
    way, whole = OtherRun(model=asked.text.strip()), asked.subject()
    subject = whole.at(replace(whole.spec, optimization="none"))  # every output can be read
    if not across_formats.is_across(subject, way):
        hint = "Compare measurements of both models: Model > Compare."
        why = "both models name their layers alike"
        raise BadInput("Could not compare the latencies of layers", why, hint)
    with asked.start_engine(asked.show) as engine:
        walked = timed(walk(engine, subject, way), way, show=asked.show)
    return layer_outputs_page(walked.found, walked.filled)


def _case(asked: Asked) -> Page:
    part = Path(asked.text.strip())
    if not part.name:
        hint = "Extract a part in edit mode of the Graph tab, or choose its file."
        raise BadInput("Could not save a test case", "no model of a part is given", hint)
    target = part.with_suffix(".case.npz")
    _expect_free(target)
    with asked.start_engine(asked.show) as engine:
        return case_page(target, save_case(engine, asked.subject(), part, target))


def _compiled(asked: Asked) -> Page:
    target = asked.text.strip()
    device = re.sub(r"[^\w-]+", "-", device_id(target))  # any text, typed
    made = asked.path.with_suffix(f".{device or 'compiled'}.onnx")
    _expect_free(made)
    with asked.start_engine(asked.show) as engine:
        found = compile_for(engine, asked.subject(), target, made)
    return compiled_page(asked.model, str(asked.path), found)


def _expect_free(target: Path) -> None:
    """Raise NotSaved where a file that would be written is there."""
    if files.exists(target):
        hint = "Move it away, or rename it."
        raise NotSaved(f"Could not save {target.name}", "there is such a file already", hint)


def _copy(document: Document) -> str:
    return "" if document.edited_copy is None else str(document.edited_copy)


def _axes(document: Document) -> str:
    model = document.model
    names = free_axes(model.inputs) if model is not None else ()
    return "; ".join(f"{name}={_LENGTHS}" for name in names)


QUESTIONS = {
    "shapes": Question(
        mark("Series of shapes"),
        mark(
            "Runs the model at these lengths of its dynamic axes, one after the other in one "
            "session: the first and later runs of each, and whether its memory comes back."
        ),
        mark("Lengths"), mark("batch=1,2,4; width=224,224,448"), _axes, _series,
    ),
    "environments": Question(
        mark("Compare Python environments"),
        mark(
            "Runs and measures the model with the runtime of each Python environment: which "
            "versions answer alike, the oldest of them, and which is faster."
        ),
        mark("Python executables or environments"), mark("old/bin/python, new/bin/python"),
        lambda _: "", _environments, True,
    ),
    "layer-times": Question(
        mark("Layer latencies in another format"),
        mark(
            "Pairs the layers with those of the same network in another format, such as a "
            ".tflite of an .onnx, compares their outputs, and measures both models interleaved."
        ),
        mark("Model of another format"), mark("model.tflite"), lambda _: "", _layer_times, True,
    ),
    "case": Question(
        mark("Test case of a part"),
        mark(
            "Runs the whole model on the inputs of Preview, and saves what a part of it gets "
            "and gives as an .npz file next to the part. Edit mode of Graph extracts parts."
        ),
        mark("Model of the part"), mark("part.onnx"), _copy, _case, True,
    ),
    "compile": Question(
        mark("Compile for a device"),
        mark(
            "Compiles the model for a device of this machine or a chip that need not be here, "
            "says which layers it takes and why not the others, and saves the result next to "
            "the model."
        ),
        mark("Chip or device"), mark("Snapdragon 8 Gen 3"), lambda _: CHIPS[0].products,
        _compiled, offered=tuple(f"{chip.products} ({chip.part})" for chip in CHIPS),
    ),
    "estimate": Question(
        mark("Estimate on other devices"),
        mark(
            "Estimates latency and memory on devices that the model was not run on. Nothing of "
            "the model is run."
        ),
        mark("Devices"), mark("Device IDs or files of your own devices"),
        lambda _: ", ".join(SHOWN), _estimate, True,
    ),
}  # fmt: skip


class QuestionDialog(QDialog):
    """Asks one of `QUESTIONS`, and shows the page with the answer."""

    answered = Signal()
    _progressed = Signal(object)

    def __init__(
        self,
        theme: Theme,
        document: Document,
        question: Question,
        start_engine: Callable[[Show], Engine],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._document, self._question = document, question
        self._start_engine = start_engine
        self._jobs, self._call = TaskRunner(self), Cancellation()
        self._emitter = SafeEmitter(self)
        self._page: Page | None = None
        self.setWindowTitle(f"{tr(question.title)} — {document.name}")
        self.resize(*_SIZE)
        self.field = QLineEdit(question.text(document))
        self.field.setAccessibleName(tr(question.field))
        self.field.setPlaceholderText(tr(question.hint))
        self.field.setCursorPosition(0)
        if question.offered:
            offered = QCompleter(question.offered, self)
            offered.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
            offered.setFilterMode(Qt.MatchFlag.MatchContains)
            self.field.setCompleter(offered)
        self.choose = button(theme, tr("Add…"))
        self.choose.setVisible(question.files)
        self.start = button(theme, tr("Start"), "play", primary=True)
        self.start.setDefault(True)
        self.progress = ProgressLine(theme, tr(question.title))
        self.progress.hide()
        self.failure = Failure(theme)
        self.failure.again.hide()
        self.verdict = wrapped("", "heading")
        self.verdict.hide()
        self.view = PageView(theme)
        self.notice = Notice(theme, self)
        self.save = button(theme, tr("Save as…"))
        self.save.setEnabled(False)
        self._lay_out(theme)
        self.start.clicked.connect(self.ask)
        self.choose.clicked.connect(self._choose)
        self.save.clicked.connect(self._save)
        self.progress.cancelled.connect(lambda: self._call.cancel())
        self._progressed.connect(self.progress.follow)

    def _lay_out(self, theme: Theme) -> None:
        close = button(theme, tr("Close"))
        close.clicked.connect(self.close)
        page = QWidget()
        self.waiting = wrapped(tr("The answer appears here."))
        column_of(self.waiting, self.view, None, on=page)
        area = QScrollArea()
        scroll_down(area)
        area.setWidget(page)
        area.setAccessibleName(tr("Answer"))
        column = page_of(self)
        column.addWidget(wrapped(tr(self._question.about)))
        column.addLayout(row(self.field, self.choose, self.start, stretch=0))
        column.addWidget(self.progress)
        column.addWidget(self.failure)
        column.addWidget(self.verdict)
        column.addWidget(area, 1)
        column.addLayout(row(None, self.save, close))

    def ask(self) -> None:
        """Find the answer, in another thread; `answered` follows, also without one."""
        self.waiting.hide()
        document, spec = self._document, self._document.spec
        path, model = document.path, document.model
        assert path is not None, "the command is refused where no model is open"
        assert model is not None, "the command is refused where no model is open"
        feeds, sources = dict(document.feeds), tuple(document.sources.values())

        def subject() -> Subject:
            given = subjects.at_hand(feeds, sources)
            (only,) = subjects.subjects([path], given, spec)
            return only

        tell = self._emitter.of(self._progressed)
        asked = Asked(self.field.text(), path, model, subject, self._start_engine, tell)
        self._call = Cancellation()
        self._show_state(True)
        self.progress.begin()
        self._jobs.start(
            partial(self._call.run, self._question.answer, asked), self._answer, self._fail
        )

    def _answer(self, page: Page) -> None:
        self._page = page
        if page.verdict is not None:
            self.verdict.setText(wording().text(page.verdict.value))
        self.verdict.setVisible(page.verdict is not None)
        self.view.show_page(page)
        self._show_state(False)

    def _fail(self, error: InspectorError) -> None:
        self._show_state(False)
        if not isinstance(error, Cancelled):
            self.failure.show_error(error)

    def _show_state(self, running: bool) -> None:
        self.progress.setVisible(running)
        self.failure.hide()
        self.start.setEnabled(not running)
        self.field.setEnabled(not running)
        self.save.setEnabled(not running and self._page is not None)
        if not running:
            self.answered.emit()

    def _choose(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(
            self, tr(self._question.field), file_dialogs.start()
        )
        before = [part for part in (self.field.text().strip().rstrip(","),) if part]
        self.field.setText(", ".join((*before, *names)))

    def _save(self) -> None:
        page, writer = self._page, Writer(self, self.notice)
        assert page is not None, "the button is enabled"
        proposed = f"{self._document.stem}.{page.subject}.html"
        path = writer.where(tr("Save page"), proposed, tr(_FORMATS))
        if path is not None:
            form = path.suffix.lower().removeprefix(".")
            form = form if form in ("md", "html", "pdf") else "html"
            writer.write(path, lambda: rendered(page, form))

    def closeEvent(self, event: QCloseEvent) -> None:
        """End the work that runs."""
        self._call.cancel()
        self._jobs.discard_results()
        super().closeEvent(event)
