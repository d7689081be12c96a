"""The Preview: give a model something, and see what it makes of it."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QCursor, QKeySequence, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QFileDialog, QGridLayout, QMenu, QScrollArea, QWidget

from inspector.analysis.measured.latency import latency
from inspector.analysis.verdicts.quoting import quoting
from inspector.backends.values import Progress
from inspector.engine.progress_text import progress_text
from inspector.errors import BadInput, InspectorError
from inspector.formats.metadata_edit import check_copy, with_entry
from inspector.model.model import Model
from inspector.platform import files
from inspector.preview.class_names import FROM_FILE, Labels
from inspector.preview.inputs import image_files, model_states
from inspector.preview.inputs.image_files import Picture
from inspector.preview.inputs.input_shapes import WrongPrecision
from inspector.preview.outputs import saving
from inspector.preview.outputs.labels import LabelList
from inspector.preview.preprocessing import saved
from inspector.preview.preprocessing.saved import SavedPreprocessing
from inspector.preview.runs import expected_outputs, step_by_step, steps
from inspector.preview.runs.generation import Generated, Token
from inspector.report.report import Device
from inspector.report.run_spec import Dimension
from inspector.ui import commands
from inspector.ui.background import TaskRunner, WhileShown
from inspector.ui.documents import file_dialogs
from inspector.ui.documents.class_names import ClassNameChooser
from inspector.ui.documents.document import MEASUREMENTS, Document, Topic
from inspector.ui.tabs.preview.fill_inputs import Choice, Filling
from inspector.ui.tabs.preview.history import History, Settings
from inspector.ui.tabs.preview.inputs.input_list import InputList
from inspector.ui.tabs.preview.outputs.output_list import OutputList
from inspector.ui.tabs.preview.prediction_pipeline import Answer, PredictionPipeline
from inspector.ui.tabs.preview.read_outputs import SceneOptions
from inspector.ui.tabs.preview.result_pane import COMPARE, FOLDER, ResultPane
from inspector.ui.translate import plural, tr, tr_message, written
from inspector.ui.widgets.layouts import BESIDE_BAR, grow_page, scroll_down
from inspector.ui.widgets.parts import GAP, PADDING, grid_of, label
from inspector.ui.widgets.theme import Theme

INPUTS_WIDTH = 400  # px, at most
OUTPUTS_WIDTH = 362  # px, at least: then they stand beside the inputs
_WAITING = "waiting"  # step of a measurement that is queued
_WHOLE = 16_777_215  # Qt's word for no limit


class PreprocessingSaver(QObject):
    """Reads what is kept of a model's preparation, and writes it when asked."""

    failed = Signal(object)  # InspectorError

    def __init__(self, parent: QWidget, document: Document) -> None:
        super().__init__(parent)
        self._window, self.document = parent, document
        self._jobs = TaskRunner(self)

    def of(self, model: Model) -> tuple[SavedPreprocessing, InspectorError | None]:
        """Return the saved preprocessing, or none and why it cannot be read."""
        path = self.document.path
        if path is None:
            return saved.NONE_SAVED, None
        try:
            return saved.load(path, model.metadata), None
        except InspectorError as error:
            return saved.NONE_SAVED, error

    def ask(self, inputs: InputList) -> None:
        """Offer both places."""
        path = self.document.path
        if path is None:
            return
        menu = QMenu(self._window)
        sidecar = tr("In {name}, next to the model").format(name=saved.sidecar_path(path).name)
        menu.addAction(sidecar, lambda: self.keep(inputs))
        menu.addAction(tr("In a copy of the model…"), lambda: self._ask_copy(inputs, path))
        menu.exec(QCursor.pos())

    def keep(self, inputs: InputList, copy: Path | None = None) -> None:
        """Write the present preparation beside the model, or into a copy of it."""
        path, model = self.document.path, self.document.model
        assert path is not None, "only a file has a place beside it"
        assert model is not None, "only an opened model is prepared"
        sizes = {d.name: d.size for d in self.document.spec.dimensions}
        preprocessing = replace(
            inputs.prepared, dimensions={**inputs.prepared.dimensions, **sizes}
        )
        target = saved.sidecar_path(path) if copy is None else copy

        def write() -> None:
            body = saved.encode(preprocessing, path.name)
            if copy is None:
                files.write_atomic(target, body)
            else:
                check_copy(model, path, copy)
                entry = with_entry(path, saved.METADATA_KEY, body.decode())
                files.write_pieces(copy, entry)

        self._jobs.start(write, lambda _: inputs.show_kept(target.name), self.failed.emit)

    def _ask_copy(self, inputs: InputList, path: Path) -> None:
        proposed = str(path.with_name(f"{path.stem}-prepared{path.suffix}"))
        if copy := file_dialogs.ask_place(self._window, tr("Copy of the model"), proposed):
            self.keep(inputs, copy)


class PreviewTab(QScrollArea):
    """Inputs at the left, answers at the right; below each other where it is narrow."""

    _token_made = Signal(object)  # Token, from the job's thread to the window's

    def __init__(self, theme: Theme, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self.document = theme, document
        self.inputs: InputList | None = None
        self.outputs: OutputList | None = None
        self.side: ResultPane | None = None
        self._page = QWidget()
        self._wide: bool | None = None
        self._answer: Answer | None = None
        self._queued = ""  # what a measurement waits for
        self._before: Picture | None = None
        self._labels, self._saved = "", SavedPreprocessing()
        self._devices: tuple[str, ...] = ()
        self._stale = True
        self._jobs = TaskRunner(self)
        self.predicting = PredictionPipeline(document, self._choices, self)
        self.keeping = PreprocessingSaver(self, document)
        self.keeping.failed.connect(self._show_error)
        self._chooser = ClassNameChooser(self, document)
        self._chooser.failed.connect(self._show_error)
        self._settings = self._relevant()
        self.history = History(self._chosen, self._choose_again, self)
        scroll_down(self)
        self.setAccessibleName(tr("Preview"))
        self._follow()
        self._build()

    def set_devices(self, devices: tuple[Device, ...]) -> None:
        """Offer these devices to compare with."""
        self._devices = tuple(device.id for device in devices if not device.problem)
        if self.side is not None:
            self.side.show_devices(self._devices)

    def use_picture(self, path: Path) -> None:
        """Fill the first input that takes a picture, and predict; a failure is shown."""
        self._try(lambda inputs: inputs.use_picture(path))

    def use_file(self, name: str, path: Path) -> None:
        """Fill one input from a file, and predict; a failure is shown."""
        self._try(lambda inputs: inputs.use_file(name, path))

    def show_comparison(self, other: Path | None = None) -> None:
        """Show the view that compares the outputs with those of another run, or model."""
        if self.side is not None:
            self.side.switch.choose(COMPARE)
            if other is not None:
                self.side.compare.use_model(other)
                self.side.folder.offer_model(other)

    def show_folder(self) -> None:
        """Show where the files of a folder are run."""
        if self.side is not None:
            self.side.switch.choose(FOLDER)

    def try_file(self, path: Path) -> None:
        """Run a folder, or fill the input that fits a file best; a failure is shown."""
        model = self.document.model
        if files.is_folder(path) and self.side is not None:
            self.side.use_folder(path)
        elif image_files.is_image(path):
            self.use_picture(path)
        elif model is not None and model.inputs:
            self.use_file(model.inputs[0].name, path)

    def try_files(self, paths: Sequence[Path]) -> None:
        """Run the model on each of several files; a failure is shown."""
        if len(paths) == 1 or self.side is None:
            self.try_file(paths[0])
        else:
            self.side.use_files(paths)

    def use_labels(self, path: Path) -> None:
        """Take the names of classes from a file; a failure is shown."""
        self._chooser.use_file(path)

    def use_own_labels(self, chosen: LabelList | None) -> None:
        """Take the names of classes from a list of ours, or none."""
        self._chooser.use_list(chosen)

    def predict(self) -> None:
        """Predict at once."""
        self._stale = False
        self.predicting.now()

    def save(self, name: str, path: Path) -> None:
        """Write an output in the way that the file's suffix says; a failure is shown."""
        answer = self._answer
        assert answer is not None, "only what was answered can be saved"
        outputs = answer.prediction.outputs
        output = next(o for o in outputs if o.name == name)
        kinds = saving.kinds(output)
        suffix = path.suffix.lower() if path.suffix.lower() in kinds else kinds[0]

        def write() -> None:
            files.write_atomic(path, saving.encoded(output, suffix, outputs))

        self._jobs.start(write, lambda _: None, self._show_error)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put both sides beside or below each other."""
        super().resizeEvent(event)
        self._arrange()

    def showEvent(self, event: QShowEvent) -> None:
        """Predict what was left while nobody looked."""
        super().showEvent(event)
        if self._stale:
            self._wish()

    def _follow(self) -> None:
        document, predicting = self.document, self.predicting
        document.changed(Topic.MODEL).connect(self._build)
        document.changed(Topic.CLASS_NAMES).connect(self._show_class_names)
        document.changed(Topic.REPORT).connect(
            WhileShown(self.viewport(), self._show_measured).call
        )
        document.changed(Topic.SPEC).connect(self._follow_settings)
        document.changed(Topic.WORK).connect(WhileShown(self.viewport(), self._tell).call)
        document.progressed.connect(self._follow_queue)
        predicting.filled.connect(self._show_filling)
        predicting.failed.connect(self._outdate)
        predicting.answered.connect(self._show_answer)
        predicting.failed.connect(self._show_error)
        predicting.state_changed.connect(self._tell)
        self.destroyed.connect(predicting.end)
        paste = QShortcut(QKeySequence(QKeySequence.StandardKey.Paste), self)
        paste.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        paste.activated.connect(lambda: self._try(InputList.paste))

    def _build(self) -> None:
        model = self.document.model
        if model is None:
            empty = label(tr("Opening {name}…").format(name=self.document.name), "secondary")
            empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
            self.setWidget(empty)
            return
        preprocessing, problem = self.keeping.of(model)
        self._saved, self.predicting.may_retry = preprocessing, True
        self.predicting.scene_options = SceneOptions.of_saved(preprocessing.decoder)
        sentence = self._name_classes(model)
        self._make_page(model, preprocessing)
        assert self.outputs is not None, "the page is there"
        self.outputs.assumed_labels = sentence
        self.outputs.assumptions.undone.connect(partial(self.use_own_labels, None))
        if problem is not None:
            self._show_error(problem)
        self._arrange()
        self._wish()
        self.history.begin()

    def undo_reason(self) -> str:
        """Return why no setting can be taken back; "" where one can."""
        return "" if self.history.can_undo else tr("Nothing was changed in Preview")

    def redo_reason(self) -> str:
        """Return why no setting can be made again; "" where one can."""
        return "" if self.history.can_redo else tr("Nothing was undone in Preview")

    def undo(self) -> None:
        """Take back the last change of the inputs, their preprocessing, or a threshold."""
        self.history.undo()

    def redo(self) -> None:
        """Make the change again that was taken back last."""
        self.history.redo()

    def _chosen(self) -> Settings:
        assert self.inputs is not None, "settings are those of a page"
        return Settings(self.inputs.settings, self.predicting.scene_options)

    def _choose_again(self, settings: Settings) -> None:
        present = self._chosen()
        if settings.scene != present.scene:
            self._read_as(settings.scene)
        if settings.inputs != present.inputs and self.inputs is not None:
            self.inputs.show_settings(settings.inputs)

    def _name_classes(self, model: Model) -> str:
        """Name the classes as chosen, else as saved or as the model says, else by the only list
        of as many names; return a sentence about the last, or ''."""
        chosen = self.document.class_names
        known = Labels.of(model, self.document.path, self._saved).or_assumed(model)
        if chosen is not None:
            known = Labels(chosen.names, chosen.source)
        self.predicting.labels = tuple(known.names)
        if known.assumed:
            self._labels = ""  # a card of its own says it
            return tr(
                "Class names assumed: {text}, the only known list with {count:,} names."
            ).format(count=len(known.names), text=known.source)
        in_file = known.source == FROM_FILE
        text = tr("{label_count} from {source}").format(
            label_count=plural(len(known.names), "class name"),
            source=tr("the model's metadata") if in_file else known.source,
        )
        self._labels = text if known.names else tr("No class names")
        return ""

    def _show_class_names(self) -> None:
        """Read the last prediction again, with the names that were chosen here or elsewhere."""
        if self.document.model is None or self.outputs is None:
            return
        self.outputs.assumed_labels = self._name_classes(self.document.model)
        self.predicting.read_again()

    def run_command(self, id_: str, *arguments: object) -> None:
        """Do what parts of this tab ask for; all else is for the window."""
        own: dict[str, Callable[..., object]] = {
            "preview/keep": self._keep,
            "preview/retry": self._try_usual,
            "preview/step": self._step,
            "preview/write": self._write_on,
            "preview/labels": self._offer_labels,
            "preview/save": self._ask_where,
        }
        if id_ in own:
            own[id_](*arguments)
        else:
            commands.run(self.parent(), id_, *arguments)

    def _make_page(self, model: Model, preprocessing: SavedPreprocessing) -> None:
        self._page, self._wide = QWidget(), None
        self.setWidget(self._page)
        if preprocessing.dimensions and not self.document.spec.dimensions:
            sizes = tuple(
                Dimension(name, size) for name, size in preprocessing.dimensions.items()
            )
            self.document.set_spec(dimensions=sizes)
            self._settings = self._relevant()
        self.inputs = InputList(
            self._theme, model, self.document.spec.dimensions, preprocessing, self._page
        )
        self.inputs.restore(self.document.inputs)
        if any(editor.picture is not None for editor in self.inputs.editors.values()):
            self.predicting.expect_pictures()
        path = self.document.path
        sets = expected_outputs.data_sets_next_to(path) if path is not None else ()
        self.outputs = OutputList(self._theme, model, [one.name for one in sets])
        self._token_made.connect(self.outputs.show_token, Qt.ConnectionType.QueuedConnection)
        self.outputs.expected.requested.connect(partial(self._check, sets))
        self.outputs.tries.used.connect(self.inputs.use_preparation)
        self.predicting.refused.connect(self.inputs.show_refusal)
        self.inputs.changed.connect(self._wish)
        self.inputs.changed.connect(self.history.note)
        self.inputs.dimensions_changed.connect(self._take_dimensions)
        self.outputs.card.requested.connect(self.predict)
        self._show_measured()
        self.outputs.meaning_chosen.connect(self.inputs.keep_meaning)
        self.outputs.caution.accepted.connect(self.inputs.invert)
        self.outputs.family.retry_undone.connect(self.predicting.undo_retry)
        self.outputs.scene.changed.connect(self._read_as)
        self.side = ResultPane(
            self._theme, self.document, model, self.predicting, self.outputs, self._page
        )
        self.side.file_chosen.connect(self.use_file)
        self.side.show_devices(self._devices)
        grid_of(GAP, GAP, on=self._page, margins=(PADDING, PADDING, BESIDE_BAR, PADDING))

    def _arrange(self) -> None:
        """Lay the parts out for the present width, if that is another one."""
        grid, inputs, outputs = self._page.layout(), self.inputs, self.side
        if inputs is None or outputs is None:
            return
        assert isinstance(grid, QGridLayout), "the page has a grid"
        theirs = max(OUTPUTS_WIDTH, outputs.head_width())
        room = self.viewport().width() - PADDING - GAP - BESIDE_BAR - theirs
        across = min(INPUTS_WIDTH, room)
        wide = across >= inputs.minimumSizeHint().width()
        axes = [inputs.dimensions] if inputs.dimensions is not None else []
        for part in (inputs, *axes):
            part.setMinimumWidth(across if wide else 0)
            part.setMaximumWidth(across if wide else _WHOLE)
        if wide == self._wide:
            return
        self._wide = wide
        for part in (inputs, outputs, *axes):
            grid.removeWidget(part)
        grid.addWidget(inputs, 0, 0)
        grid.addWidget(outputs, 0 if wide else 1, 1 if wide else 0, 3 if wide else 1, 1)
        for part in axes:
            grid.addWidget(part, 1 if wide else 2, 0)
        grid.setRowStretch(2 if wide else 3, 1)
        grid.setRowStretch(3 if wide else 2, 0)
        grid.setColumnStretch(1, 1 if wide else 0)
        inputs.fold(not wide)

    def _choices(self) -> Mapping[str, Choice]:
        return self.inputs.choices if self.inputs is not None else {}

    def _relevant(self) -> tuple[object, ...]:
        spec = self.document.spec
        return spec.devices, spec.optimization, spec.threads, spec.dimensions

    def _follow_settings(self) -> None:
        settings = self._relevant()
        if settings != self._settings:
            self._settings = settings
            self._wish()

    def _take_dimensions(self) -> None:
        if self.inputs is not None and self.inputs.dimensions is not None:
            self.document.set_spec(dimensions=self.inputs.dimensions.dimensions)

    def _wish(self) -> None:
        self._stale = True
        if self.inputs is not None:
            self.document.set_inputs(self.inputs.places)
        if self.inputs is not None and self.inputs.ready and self.isVisible():
            self._stale = False
            self.predicting.soon()
        self._tell()

    def _read_as(self, options: SceneOptions) -> None:
        self.predicting.scene_options = options
        self.predicting.read_again()
        self.history.note()

    def _try_usual(self, name: str) -> None:
        outputs = self.outputs
        if outputs is not None:
            self.predicting.try_presets(name, partial(outputs.tries.show_tried, name))

    def _write_on(self, most: int) -> None:
        """Write the text of the input on, token by token."""

        def on_token(token: Token) -> None:
            self._token_made.emit(token)  # holds this tab, which the bare signal does not

        if self.outputs is not None:
            begun = self.predicting.write_on(most, on_token, self._end_writing)
            if not begun:
                self.outputs.show_written(None)

    def _end_writing(self, outcome: Generated | InspectorError | None) -> None:
        if self.outputs is not None:
            self.outputs.show_written(outcome)

    def _check(self, sets: Sequence[Path]) -> None:
        if self.outputs is not None:
            self.predicting.check(sets, self.outputs.expected.show_checked)

    def _step(self) -> None:
        """Predict again with what the last answer left in the memory."""
        model = self.document.model
        if self._answer is None or self.inputs is None or model is None:
            return
        memory = model_states.states(model.inputs, model.outputs)
        states = step_by_step.output_by_state(memory)
        self.inputs.go_on(steps.fed_back(self._answer.prediction, states))
        self.predict()

    def _try(self, act: Callable[[InputList], None]) -> None:
        if self.inputs is None:
            return
        try:
            act(self.inputs)
        except BadInput as error:
            self._show_error(error)
        else:
            self.predict()

    def _show_measured(self) -> None:
        """Show the measured median beside the latency of the last prediction."""
        if self.outputs is None:
            return
        report, card = self.document.report, self.outputs.card
        if report is None:
            card.show_measured(None)
        else:
            quotable = quoting(report, self.document.reports)
            card.show_measured(latency(report), written(quotable.sentence))

    def _follow_queue(self, progress: Progress) -> None:
        """Take what the measurement waits for itself, such as a search of another model."""
        queued = ""
        if progress.step == _WAITING:
            queued = progress_text(progress.step, progress.part)
        if queued != self._queued:
            self._queued = queued
            self._tell()

    def _tell(self) -> None:
        """Show what is awaited, where the latency stands."""
        if self.outputs is None or self.inputs is None:
            return
        card, predicting = self.outputs.card, self.predicting
        card.predict.setEnabled(self.inputs.ready)
        self.outputs.set_busy(predicting.busy)
        if predicting.waiting and self.document.work in MEASUREMENTS:
            self.outputs.set_outdated()  # of earlier inputs
            words = tr("Waiting for the measurement to finish.")
            queued = f" {tr_message(self._queued)}." if self._queued else ""
            self.outputs.show_words(words + queued)
        elif self._answer is not None:
            card.show_prediction(
                self._answer.prediction,
                self._answer.fill_ns,
                self._answer.read_ns,
                self._answer.first,
            )
        elif not self.inputs.ready:
            self.outputs.show_words(self.inputs.awaited)
        else:
            self.outputs.show_words(tr("Running…") if predicting.busy else tr("No result yet."))

    def _show_filling(self, filling: Filling) -> None:
        if self.inputs is not None:
            self.inputs.show_filling(filling)
            image = next(iter(filling.images.values()), None)
            self._before = image.prepared.last if image is not None else None

    def _outdate(self, error: InspectorError) -> None:
        """Dim the answer here and in Overview: it is not that of the present inputs."""
        if self.outputs is not None:
            self.outputs.set_outdated()
        self.document.outdate_prediction(error)

    def _show_answer(self, answer: Answer) -> None:
        self._answer = answer
        if self.outputs is not None:
            self.outputs.show_answer(answer, self._before, self._labels)
            self.outputs.scene.show_settings(self.predicting.scene_options, answer.scene)
            grow_page(self)  # Qt has laid parts out as they came, in the height of before

    def _show_error(self, error: InspectorError) -> None:
        if self.outputs is None or self.inputs is None:
            return
        self.outputs.show_error(error)
        if isinstance(error, WrongPrecision) and error.input in self.inputs.editors:
            numbers = self.inputs.editors[error.input].numbers
            self.outputs.problem.offer(
                tr("Cast to {dtype}").format(dtype=error.dtype), numbers.cast
            )
        elif not isinstance(error, BadInput) and file_dialogs.lacks_operators(self.document):
            self.outputs.problem.offer(tr("Choose library…"), self._choose_operators)

    def _choose_operators(self) -> None:
        """Ask for the model's operators; without an answer the failure stays."""
        if not file_dialogs.choose_operators(self.document, self) and self.outputs is not None:
            self.outputs.problem.show()

    def _keep(self) -> None:
        """Ask where the present preparation is to be kept, and write it there."""
        if self.inputs is not None:
            self.keeping.ask(self.inputs)

    def _offer_labels(self) -> None:
        outputs = self._answer.prediction.outputs if self._answer is not None else ()
        self._chooser.offer([output.shape for output in outputs])

    def _ask_where(self, name: str) -> None:
        answer = self._answer
        assert answer is not None, "only what was answered can be saved"
        output = next(o for o in answer.prediction.outputs if o.name == name)
        kinds = saving.kinds(output)
        filters = [f"{saving.KINDS[kind]} (*{kind})" for kind in kinds]
        proposed = saving.file_names([name])[0] + kinds[0]
        path, chosen = QFileDialog.getSaveFileName(
            self, tr("Save output"), file_dialogs.start(proposed), ";;".join(filters)
        )
        if path:
            kind = kinds[filters.index(chosen)] if chosen in filters else kinds[0]
            chosen_path = Path(path)
            fits = chosen_path.suffix.lower() in kinds
            self.save(
                name, chosen_path if fits else chosen_path.with_name(chosen_path.name + kind)
            )
