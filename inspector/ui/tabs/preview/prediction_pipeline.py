"""Keeps the answer up to date: makes the inputs, predicts and reads the outputs."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import perf_counter_ns
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal

from inspector.app.evaluate import (
    Against,
    judge_of,
    of_folder,
    result_of,
    rows,
    with_best_preprocessing,
)
from inspector.app.language.continuation import continue_text
from inspector.app.predict import (
    Predicted,
    family_answer,
    missing_tokenizer,
    predict,
    refusals,
    tried_presets,
)
from inspector.app.subjects import Subject, sources_of
from inspector.app.verify import Verified, verify
from inspector.engine.client.engine import Engine
from inspector.errors import Cancelled, InspectorError
from inspector.model.model import Model, TensorInfo
from inspector.model.tensors.prediction import Prediction
from inspector.preview.class_names import Labels
from inspector.preview.families import family_answers, score_calibration
from inspector.preview.families.family_answers import FamilyAnswer
from inspector.preview.families.output_structure import of_model
from inspector.preview.inputs import feeds, tokens
from inspector.preview.inputs.guessed_axes import guess_text, noted
from inspector.preview.inputs.tokens import Vocabulary
from inspector.preview.preprocessing.input_condition import stated_limits
from inspector.preview.runs import tables
from inspector.preview.runs.folder import FolderResult, Row
from inspector.preview.runs.generation import Generated, Token
from inspector.preview.runs.other_run import OtherRun
from inspector.preview.runs.predicted import TriedPreset
from inspector.preview.runs.steps import Predict
from inspector.sandbox.decoding.decoder_process import decoder
from inspector.ui import units
from inspector.ui.background import Debounce, SafeEmitter, TaskRunner
from inspector.ui.documents.document import Document, Topic
from inspector.ui.tabs.preview import read_outputs
from inspector.ui.tabs.preview.comparing import RunComparison, compare_runs
from inspector.ui.tabs.preview.fill_inputs import (
    Caution,
    Choice,
    Filling,
    image_caution,
    shown,
    subject_of,
)
from inspector.ui.tabs.preview.prediction_state import BUSY, Action, Event, State, transition
from inspector.ui.tabs.preview.read_outputs import (
    Reading,
    SceneOptions,
    SceneReading,
    read_scene,
)
from inspector.ui.translate import tr, tr_message

DEBOUNCE_MS = 150
_HEAD_START_MS = 3  # of the engine's thread, before the window paints what goes into the model
_REQUEST_EVENT = QEvent.Type(QEvent.registerEventType())


class Answer(Struct, frozen=True, eq=False):
    """A prediction with all there is to show of it; fill_ns, read_ns: time before and after.

    first: whether these times are of the first prediction, which starts decoders and imports.
    family: the answer as its family's. retried: sentence on other preprocessing that was tried
    without being asked. replaced: that preprocessing was used instead of the guess.
    caution: about an input whose picture is obviously not what the model was made for.
    notes: what speaks against relying on the answer, besides the notes of the prediction.
    """

    prediction: Prediction
    readings: tuple[Reading, ...]
    scene: SceneReading | None = None
    fill_ns: int = 0
    read_ns: int = 0
    family: FamilyAnswer | None = None
    retried: str = ""
    replaced: bool = False
    caution: Caution = field(default_factory=Caution)
    first: bool = False
    notes: tuple[str, ...] = ()


class _Run:
    """One run, on a job's thread: makes the tensors, predicts, and reads the outputs.

    The thread writes the fields; the window reads them when the run has ended. filling: the
    inputs that `answer` is of, which are others than were made first where the lengths of free
    axes or the preprocessing were guessed.
    """

    def __init__(
        self,
        chosen: Callable[[], Subject],
        labels: tuple[str, ...],
        scene_options: SceneOptions,
        vocabulary: Callable[[], Vocabulary | None],
        on_prepared: Callable[[Filling], None],
    ) -> None:
        self._chosen, self.labels, self.scene_options = chosen, labels, scene_options
        self._vocabulary, self._on_prepared = vocabulary, on_prepared
        self.filling = Filling()
        self.fill_ns = 0
        self.first = False  # in this tab
        self._found: Predicted | None = None
        self.answer: Answer | InspectorError | None = None

    def __call__(self, once: Predict) -> Prediction | InspectorError:
        """Return the prediction, or why the inputs could not be made. Raises InspectorError."""
        began = perf_counter_ns()
        try:
            subject = self._chosen()
            filled = subject.filled()
        except InspectorError as error:
            return error
        self.filling = shown(subject, filled)
        self.fill_ns = perf_counter_ns() - began
        self._on_prepared(self.filling)
        self._found = found = predict(subject, once, filled)
        if found.filled is not filled:
            self.filling = shown(found.subject, found.filled)
        note = guess_text(found.lengths)
        note += "; set other sizes next to the inputs" if note else ""
        prediction = noted(found.prediction, note)
        try:
            self.answer = self.read(prediction, self.labels, self.scene_options)
        except InspectorError as error:
            self.answer = error
        return prediction

    def read(
        self, prediction: Prediction, labels: tuple[str, ...], scene_options: SceneOptions
    ) -> Answer:
        """Read a prediction of these inputs; on a job's thread."""
        assert self._found is not None, "a prediction is there"
        subject = replace(self._found.subject, labels=Labels(labels))
        found, filling = replace(self._found, subject=subject), self.filling
        model, vocabulary = subject.model, self._vocabulary()
        began = perf_counter_ns()
        scene = read_scene(found, prediction, filling, scene_options)
        decoded = scene is not None and scene.scene is not None and scene.scene.lists_boxes
        readings = read_outputs.read_all(
            prediction,
            labels,
            feeds.pace(found.filled, subject.stepping),
            model.inputs,
            vocabulary,
            next((f.value for f in filling.filled if f.given), ""),
            decoded,
            of_model(model),
        )
        family = family_answer(found, prediction, vocabulary)
        if family is not None and family.meanings:
            readings = tuple(
                replace(each, meaning=family.meanings.get(each.output.name))
                for each in readings
            )
        note = missing_tokenizer(subject) if found.retry is None else found.retry.text
        given = any(f.given for f in filling.filled)
        if not note and not given and family_answers.flat(prediction.outputs) == "NaN":
            note = tr(
                "the output contains NaN, with default inputs: enter values or use a sample"
            )
        return Answer(
            prediction,
            readings,
            scene,
            self.fill_ns,
            perf_counter_ns() - began,
            family,
            note,
            found.replaced,
            image_caution(filling),
            self.first,
            _reading_notes(found, prediction, scene),
        )


def _reading_notes(
    found: Predicted, prediction: Prediction, scene: SceneReading | None
) -> tuple[str, ...]:
    """Return what has to be known of an answer: why it is unsure, decoders that refuse to
    read it, scores that are calibrated, and what the file says of the model's limits."""
    model = found.subject.model
    notes = refusals(found.subject, found.filled, prediction.outputs)
    notes = (*notes, *score_calibration.notes(of_model(model).calibrations))
    read = None if scene is None else scene.scene
    doubts = (found.doubt, "" if read is None else read.doubt)
    said = (f"{units.capitalized(tr_message(doubt))}." for doubt in doubts if doubt)
    limits = stated_limits(model.metadata)
    stated = (f"The model's file says: {limits}.",) if limits else ()
    return (*said, *notes, *stated)


class PredictionPipeline(QObject):
    """Predicts after each request, at most one at a time; the latest always gets its answer.

    `state` says how far it is; its transitions are the table of `prediction_state`. `choices`
    is called when a run begins, so that it is never out of date.
    """

    filled = Signal(object)  # Filling
    refused = Signal()  # no tensors could be made
    answered = Signal(object)  # Answer
    failed = Signal(object)  # InspectorError
    state_changed = Signal()
    _prepared = Signal(object)  # Filling, from the job's thread to the window's

    def __init__(
        self,
        document: Document,
        choices: Callable[[], Mapping[str, Choice]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.state = State.IDLE
        self.labels: tuple[str, ...] = ()
        self.may_retry = True  # other preprocessing where the guess gives nothing
        self.scene_options = SceneOptions()
        self.filling = Filling()  # what the inputs were last filled with
        self._document, self._choices = document, choices
        self._run: _Run | None = None  # the latest
        self._last_run: _Run | None = None  # that made the prediction of the document
        self._vocabulary: Vocabulary | None = None
        self._changed_ns = 0
        self._ran = False  # whether a run has ended in this tab
        self._jobs = TaskRunner(self)
        self._debounce = Debounce(self.now, self, DEBOUNCE_MS)
        self._head_start = QTimer(self, singleShot=True, interval=_HEAD_START_MS)
        self._head_start.setTimerType(Qt.TimerType.PreciseTimer)
        self._head_start.timeout.connect(self._show_input)
        self._emitter = SafeEmitter(self)
        self._prepared.connect(self._take_prepared)
        document.changed(Topic.WORK).connect(self._follow_work)

    @property
    def busy(self) -> bool:
        """Return whether a run is under way."""
        return self.state in BUSY

    @property
    def waiting(self) -> bool:
        """Return whether a request waits for another job of the document, such as a
        measurement."""
        return self.state is State.WAITING

    def expect_pictures(self) -> None:
        """Start the process that decodes images, so that the first one need not wait for it."""
        self._jobs.start(decoder("images").start, lambda _: None, lambda _: None)

    def soon(self) -> None:
        """Predict at once after a rest, else once nothing has changed for a moment.

        Changes in one turn of the event loop are one change.
        """
        before, self._changed_ns = self._changed_ns, perf_counter_ns()
        rested = self._changed_ns - before > DEBOUNCE_MS * 1_000_000
        self._handle(Event.CHANGED if rested else Event.CHANGING)

    def now(self) -> None:
        """Predict at once, or as soon as the job under way has ended."""
        self._debounce.cancel()
        self._handle(Event.REQUESTED)

    def customEvent(self, event: QEvent) -> None:
        """Request what changed in the turn before, unless that was done since."""
        if self.state is State.SCHEDULED:
            self._handle(Event.REQUESTED)

    def undo_retry(self) -> None:
        """Run with the guessed preprocessing only from now on."""
        self.may_retry = False
        self.now()

    def read_again(self) -> None:
        """Read the last prediction again, with other labels or other options for places."""
        if self._document.prediction is not None and self._last_run is not None:
            self._handle(Event.LABELS_CHANGED, self._document.prediction)

    def try_presets(self, name: str, then: Callable[[tuple[TriedPreset, ...]], None]) -> None:
        """Predict with each usual preparation of an input's picture; not while at work."""
        subject, filled = self._filled_subject(), self.filling.filled
        if subject is not None and name in self.filling.images:
            self._document.predict_apart(
                lambda once: tried_presets(subject, filled, once, name), then
            )

    def check(self, paths: Sequence[Path], then: Callable[[Verified], None]) -> None:
        """Hold the model's outputs against data sets; not while at work."""
        model = self._document.model
        if model is not None and self._document.work is None:
            self._document.predict_apart(
                lambda once: verify(model, paths, once, go_on=True), then
            )

    def compare(self, against: OtherRun, then: Callable[[RunComparison], None]) -> None:
        """Answer the present input in a second way, too; not while at work."""
        subject, filling = self._filled_subject(), self.filling
        if subject is None or not filling.filled:
            return
        self._document.compare_apart(
            against,
            lambda once, other: compare_runs(once, other, against, subject, filling),
            then,
        )

    def answer_folder(
        self,
        place: Path,
        info: TensorInfo,
        label_source: str,
        against: OtherRun | None,
        on_row: Callable[[int, Row], None],
        on_result: Callable[[FolderResult], None],
        on_note: Callable[[str], None],
        then: Callable[[object], None],
        paths: tuple[Path, ...] = (),
    ) -> bool:
        """Answer each file of a folder; whether it was begun. on_row, on_result and on_note
        come from a thread.

        paths: of some files in it, in place of all.

        label_source: where true answers come from, see `data_set.read`. on_row: gets the number
        of files, and each row. against: a second way that each answer is held against;
        on_result: gets what all rows come to. on_note: gets a sentence
        where other preprocessing was tried. then: gets None, or the InspectorError that kept it
        from beginning.
        """
        document = self._document
        if document.model is None or document.work is not None:
            return False
        chosen = self._chosen(document.model)

        def job(once: Predict, other: Predict | None = None) -> InspectorError | None:
            found: list[Row] = []
            try:
                subject = chosen()
                if tables.is_table(place):  # each row has the values
                    subject = subject.with_given({})
                test = of_folder(subject, place, label_source, info=info, paths=paths)
                second = None
                if other is not None and against is not None:
                    theirs = None
                    if against.model:
                        theirs = Subject.as_saved(Path(against.model), subject.spec)
                    second = Against(other, theirs, judge_of(test))
                with suppress(Cancelled):
                    test = with_best_preprocessing(test, once)
                    if test.note:
                        on_note(test.note)
                    for row in rows(test, once, second):
                        found.append(row)
                        on_row(len(test.data.paths), row)
                judged = None if second is None else second.comparison
                label = "" if against is None else against.label
                on_result(result_of(test, found, judged, label))
            except InspectorError as error:
                return error
            return None

        if against is None:
            document.predict_apart(job, then)
        else:
            document.compare_apart(against, job, then)
        return True

    def write_on(
        self,
        most: int,
        on_token: Callable[[Token], None],
        then: Callable[[Generated | InspectorError | None], None],
    ) -> bool:
        """Write the text of the present input on; whether it was begun.

        on_token: called on a thread. then: gets None where it was stopped.
        """
        model, filled = self._document.model, self.filling.filled
        path, spec = self._document.path, self._document.spec
        if model is None or path is None or self._document.work is not None or not filled:
            return False
        tensors, vocabulary = feeds.feeds_by_name(filled), self._vocabulary

        def job(engine: Engine) -> Generated | InspectorError | None:
            try:
                return continue_text(
                    engine, path, model, spec, tensors, vocabulary, most, on_token
                )
            except Cancelled:
                return None
            except InspectorError as error:
                return error

        self._document.generate_apart(job, then)
        return True

    def end(self) -> None:
        """Request nothing any more; the view is about to go."""
        self._debounce.cancel()
        self._handle(Event.CLOSED)

    def _handle(self, event: Event, value: Any = None) -> None:
        """Make the transition of an event, and a request's next one if nothing holds it up."""
        self.state, action = transition(self.state, event)
        if action is Action.NOTHING and self._may_begin():
            self.state, action = transition(self.state, Event.DOCUMENT_FREE)
        match action:
            case Action.POST:  # goes before whatever is to be laid out and painted anew
                priority = Qt.EventPriority.HighEventPriority.value
                QCoreApplication.postEvent(self, QEvent(_REQUEST_EVENT), priority)
            case Action.DEBOUNCE:
                self._debounce.call()
            case Action.BEGIN:
                self._begin()
            case Action.SHOW_INPUT:
                self._use_filling(value)
                self._head_start.start()
            case Action.SHOW:
                if value.prediction is self._document.prediction:
                    self.answered.emit(value)
            case Action.READ:
                self._read(value)
            case Action.REFUSE:
                self.refused.emit()
                self.failed.emit(value)
            case Action.FAIL:
                self._show_input_now()
                self.failed.emit(value)
            case Action.END:
                self._show_input_now()
        self.state_changed.emit()
        if self._may_begin():  # after the outcome of the run before
            self._handle(Event.DOCUMENT_FREE)

    def _may_begin(self) -> bool:
        document = self._document
        free = document.model is not None and document.work is None
        return self.state is State.WAITING and free

    def _follow_work(self) -> None:
        if self._may_begin():
            self._handle(Event.DOCUMENT_FREE)

    def _begin(self) -> None:
        document = self._document
        assert document.model is not None, "only an opened model is filled"
        self._run = _Run(
            self._chosen(document.model),
            self.labels,
            self.scene_options,
            self._load_vocabulary,
            self._emitter.of(self._prepared),
        )
        self._run.first = not self._ran
        document.predict(self._run, self._end, self._fail)

    def _chosen(self, model: Model) -> Callable[[], Subject]:
        """Return what makes, on a job's thread, the model with what is chosen for its inputs
        now."""
        path, spec, choices = self._document.path, self._document.spec, dict(self._choices())
        return partial(subject_of, path, model, choices, spec, self.labels, self.may_retry)

    def _filled_subject(self) -> Subject | None:
        """Return what the inputs were last filled from, with the present class names; None
        while the document is at work."""
        if self._document.work is not None or self.filling.subject is None:
            return None
        return replace(self.filling.subject, labels=Labels(self.labels))

    def _end(self, outcome: Prediction | InspectorError) -> None:
        """Take the outcome of a run that did not fail."""
        if self.state is State.CLOSED:  # the view went during the run, with its timers
            return
        run = self._run
        assert run is not None, "it has just ended"
        self._ran = True
        if isinstance(outcome, InspectorError):
            self._handle(Event.REFUSED, outcome)
            return
        self._last_run = run
        if run.filling is not self.filling:  # with guessed lengths or other preprocessing
            self._use_filling(run.filling)
            self._head_start.start()
        self._show_input_now()
        if (run.labels, run.scene_options) != (self.labels, self.scene_options):
            self._handle(Event.PREDICTED, outcome)
        elif isinstance(run.answer, Answer):
            self._handle(Event.ANSWERED, run.answer)
        else:
            self._handle(Event.FAILED, run.answer)

    def _use_filling(self, filling: Filling) -> None:
        self.filling = filling
        image = next(iter(filling.images.values()), None)
        self._document.image = image.shown if image is not None else None
        self._document.image_problem = image_caution(filling).text
        self._document.set_feeds(
            feeds.feeds_by_name(filling.filled), sources_of(filling.filled)
        )

    def _show_input_now(self) -> None:
        """Show what went into the model, unless that was done."""
        if self._head_start.isActive():
            self._show_input()

    def _show_input(self) -> None:
        self._head_start.stop()
        self.filled.emit(self.filling)

    def _load_vocabulary(self) -> Vocabulary | None:
        """Return the vocabulary of the tokenizer of the model; on a job's thread."""
        path, model = self._document.path, self._document.model
        if self._vocabulary is None and path is not None and model is not None:
            self._vocabulary = tokens.vocabulary(tokens.tokenizer_of(path, model))
        return self._vocabulary

    def _take_prepared(self, filling: Filling) -> None:
        self._handle(Event.PREPARED, filling)

    def _fail(self, error: InspectorError) -> None:
        if isinstance(error, Cancelled):
            self._handle(Event.CANCELLED)
        else:
            self._handle(Event.FAILED, error)

    def _read(self, prediction: Prediction) -> None:
        run, labels, scene_options = self._last_run, self.labels, self.scene_options
        assert run is not None, "it made the prediction"

        def end(event: Event, outcome: Answer | InspectorError) -> None:
            # Of several readings at once, as while a slider is dragged, only the last counts.
            if (labels, scene_options) == (self.labels, self.scene_options):
                self._handle(event, outcome)

        self._jobs.start(
            lambda: run.read(prediction, labels, scene_options),
            partial(end, Event.READ),
            partial(end, Event.READ_FAILED),
        )
