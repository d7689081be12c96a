"""The right side of the Preview: the answer, a comparison with a second way, or a folder."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from inspector.engine.client.engine_process import Progress
from inspector.errors import BadInput, InspectorError
from inspector.model.model import Model
from inspector.platform import files
from inspector.preview.inputs import sample_inputs
from inspector.preview.inputs.input_choice import input_for
from inspector.preview.runs import folder
from inspector.preview.runs.other_run import OtherRun
from inspector.render.registry import Subject, save_as
from inspector.ui import commands
from inspector.ui.background import SafeEmitter, TaskRunner
from inspector.ui.documents.document import Document, Topic, Work
from inspector.ui.tabs.preview.compare_view import TWICE, CompareView
from inspector.ui.tabs.preview.comparing import RunComparison
from inspector.ui.tabs.preview.folder_view import FolderView
from inspector.ui.tabs.preview.outputs.output_list import OutputList
from inspector.ui.tabs.preview.prediction_pipeline import PredictionPipeline
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.parts import GAP, Segmented, add_to, column_of, row
from inspector.ui.widgets.progress import ProgressLine
from inspector.ui.widgets.theme import Theme

ANSWER, COMPARE, FOLDER = range(3)
_LONG_MS = 600  # of a run, from which its progress is shown
AWAITED = mark("Set the inputs first; the model then runs twice.")


class ResultPane(QWidget):
    """One of three views; comparing and answering a folder go on while another is shown."""

    file_chosen = Signal(str, object)  # input, Path
    _row_made = Signal(int, object)  # from the job's thread to the window's
    _judged = Signal(object)  # OutputVerdict, the same way
    _retried = Signal(str)  # a sentence on other preprocessing, the same way

    def __init__(
        self,
        theme: Theme,
        document: Document,
        model: Model,
        predicting: PredictionPipeline,
        outputs: OutputList,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._document, self._model, self._predicting = document, model, predicting
        self._input, self._comparing, self._answering = "", False, False
        self._awaiting = False
        self._next: Callable[[], None] | None = None  # files that wait for another job's end
        self._jobs, self._emitter = TaskRunner(self), SafeEmitter(self)
        self.switch = Segmented(theme, (tr("Result"), tr("Compare"), tr("Files")), 92)
        self.switch.setAccessibleName(tr("Result view"))
        column = column_of(on=self, spacing=GAP)
        self.progress = ProgressLine(theme, tr(Work.PREDICTING))
        self.progress.cancelled.connect(commands.runner(self, "cancel"))
        self.progress.hide()
        head = row(self.switch, (self.progress, 2), None, outputs.card.predict, spacing=GAP)
        column.addLayout(head)
        self._long = QTimer(self, singleShot=True, interval=_LONG_MS)
        self._long.timeout.connect(self._show_long)
        self.outputs = outputs
        column.addWidget(outputs)
        self.compare = CompareView(theme, self)  # after the others, for the keys
        self.folder = FolderView(theme, model.name, self)
        add_to(column, self.compare, self.folder)
        self.switch.chosen.connect(self._turn)
        self.switch.chosen.connect(self._offer_folder)
        self.compare.requested.connect(self._compare)
        self.folder.requested.connect(self._answer)
        self.folder.chosen.connect(lambda path: self.file_chosen.emit(self._input, path))
        self.folder.export_asked.connect(self.export)
        self.folder.progressed.connect(document.tell_stage)
        self._row_made.connect(self.folder.add, Qt.ConnectionType.QueuedConnection)
        self._judged.connect(self.folder.show_result, Qt.ConnectionType.QueuedConnection)
        self._retried.connect(self.folder.show_note, Qt.ConnectionType.QueuedConnection)
        document.changed(Topic.WORK).connect(self._follow)
        document.progressed.connect(self._show_progress)
        document.failed.connect(self._fail)
        predicting.filled.connect(lambda _: self._tell())
        if document.files_run:
            if self.folder.restore(document.files_run, self._version()):
                self.switch.choose(FOLDER)
            if self.folder.rows and self.folder.place is not None:
                document.keep_folder_result(self.folder.place, self._counts(), self.folder.rows)
        self._turn()
        self._tell()

    def head_width(self) -> int:
        """Return how wide the row of its views and of Run is, in pixels, in this language."""
        run = self.outputs.card.predict
        return self.switch.minimumWidth() + GAP + run.minimumSizeHint().width()

    def show_devices(self, devices: Sequence[str]) -> None:
        """Offer devices as a second way."""
        self.compare.show_devices(devices)
        self.folder.show_devices(devices)

    def use_folder(self, path: Path) -> None:
        """Show a folder and answer its files."""
        self.switch.choose(FOLDER)
        self.folder.use_folder(path)

    def use_files(self, paths: Sequence[Path]) -> None:
        """Show files and answer them."""
        self.switch.choose(FOLDER)
        self.folder.use_files(paths)

    def export(self, path: Path) -> None:
        """Write the results in the format that the file's name stands for; a failure is
        shown."""
        result = self.folder.result
        write = partial(save_as, Subject.FOLDER, path, result)
        self._jobs.start(write, lambda _: None, self.folder.show_error)

    def _show_long(self) -> None:
        """Show how far a run is that takes a while; a short one would only flicker."""
        shown = self._document.work is Work.PREDICTING and self.switch.current != FOLDER
        if shown and self.progress.isHidden():
            self.progress.begin()
        self.progress.setVisible(shown)

    def _show_progress(self, progress: Progress) -> None:
        if not self.progress.isHidden():
            self.progress.follow(progress)

    def _turn(self) -> None:
        views = (self.outputs, self.compare, self.folder)
        for place, view in enumerate(views):
            view.setVisible(place == self.switch.current)
        self.outputs.card.predict.setVisible(self.switch.current == ANSWER)
        if self._document.files_run and self.folder.rows:  # which view is shown changes it
            self._document.files_run = self.folder.saved(self._version())

    def _offer_folder(self) -> None:
        """Offer the test folder of Improve, or the one that comes with a sample model."""
        if self.switch.current != FOLDER or self._document.path is None:
            return
        known = self._document.test_folder
        self.folder.offer_folder(
            known or sample_inputs.folders(self._document.path).get("test")
        )

    def _compare(self, against: OtherRun) -> None:
        if self._document.work is None:
            self._comparing = True
            self._predicting.compare(against, self._show_compared)
            self._tell()

    def _show_compared(self, comparison: RunComparison) -> None:
        self.compare.show_words("")
        self.compare.show_compared(comparison)

    def _answer(self, place: Path, label_source: str, against: OtherRun | None) -> None:
        if self._document.work is not None:  # such as a run that the tab began as it opened
            self._next = partial(self._answer, place, label_source, against)
            return
        self._next = None
        try:
            info = input_for(self._model.inputs, ())
        except BadInput as error:
            self.folder.show_error(error)
            return
        self._input, self._answering = info.name, True
        self.folder.begin(self._predicting.labels)
        on_row, on_result, on_note = map(
            self._emitter.of, (self._row_made, self._judged, self._retried)
        )
        begun = self._predicting.answer_folder(
            place, info, label_source, against, on_row, on_result, on_note, self._end_folder,
            self.folder.paths,
        )  # fmt: skip
        if not begun:
            self._answering = False
        self._tell()

    def _keep_result(self, model: str, place: Path) -> None:
        """Keep how the model did on a folder, and another one, for where both are shown."""
        result = self._counts()
        self._document.keep_folder_result(place, result, self.folder.rows)
        self._document.files_run = self.folder.saved(self._version())
        self._document.tell(Topic.INPUTS)  # to be written down for the next start
        if model:
            self._document.folders_compared[model] = (place, result)

    def _counts(self) -> folder.Summary:
        main = next(iter(self.folder.result.accuracy), None)
        compared = main if main is not None and main.change is not None else None
        return replace(folder.summary(self.folder.rows), metric=compared)

    def _version(self) -> tuple[int, ...]:
        """Return the state of the model's file, by which results are known to be of it."""
        path = self._document.path
        return (files.state(path) or ())[1:] if path is not None else ()

    def _end_folder(self, error: object) -> None:
        if not isValid(self):  # closed while the last files ran
            return
        against, place = self.folder.against, self.folder.place
        if error is None and place is not None:
            model = against.model if against is not None else ""
            # Rows of a job that has just ended are still on their way.
            QTimer.singleShot(0, self, lambda: self._keep_result(model, place))
        if isinstance(error, InspectorError):
            self.folder.show_error(error)

    def _follow(self) -> None:
        if self._document.work is Work.PREDICTING:
            self._long.start()
        else:
            self._long.stop()
            self.progress.hide()
        if self._document.work is None:
            following, self._next = self._next, None
            if following is not None:
                QTimer.singleShot(0, self, following)
            if self._comparing:
                self.compare.show_words("")
            if self._answering:  # rows of a job that has just ended are still on their way
                QTimer.singleShot(0, self, self._tell)
            self._comparing = self._answering = False
        self._tell()

    def _fail(self, error: InspectorError) -> None:
        if self.switch.current == COMPARE:
            self.compare.show_error(error)

    def _tell(self) -> None:
        able = self._document.work is None
        filled = bool(self._predicting.filling.filled)
        self.compare.set_busy(self._comparing, able and filled)
        self.folder.set_busy(self._answering, able)
        if filled != self._awaiting or self._comparing:
            return
        self._awaiting = not filled
        self.compare.show_words(tr(AWAITED) if self._awaiting else tr(TWICE))
