"""Keeps the answer up to date: fills inputs, predicts and reads, one after the other."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter_ns

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal

from inspector.errors import Cancelled, InspectorError
from inspector.model.model import TensorInfo
from inspector.preview.families import alternatives, family_answers
from inspector.preview.families.family_answers import FamilyAnswer
from inspector.preview.families.family_table import recognize
from inspector.preview.families.output_structure import UNKNOWN, of_model
from inspector.preview.inputs import feeds, guessed_axes, tokens
from inspector.preview.inputs.tokens import Vocabulary
from inspector.preview.runs import generation, step_by_step
from inspector.preview.runs.folder import Row
from inspector.preview.runs.generation import Generated, Token
from inspector.preview.runs.other_run import OtherRun
from inspector.report.run_spec import InputSource
from inspector.sandbox.decoding.decoder_process import decoder
from inspector.tensors.prediction import Prediction
from inspector.ui.background import TaskRunner
from inspector.ui.documents.document import Document
from inspector.ui.tabs.preview import comparing, fill_inputs, read_outputs, trials
from inspector.ui.tabs.preview.comparing import RunComparison
from inspector.ui.tabs.preview.fill_inputs import Choice, Filling
from inspector.ui.tabs.preview.read_outputs import (
    Reading,
    SceneOptions,
    SceneReading,
    read_scene,
)
from inspector.ui.tabs.preview.trials import CheckedDataSet, TriedPreset
from inspector.ui.translate import tr

DEBOUNCE_MS = 150
_HEAD_START_MS = 3  # of the engine's thread, before the window paints what goes into the model
_PREDICT_EVENT = QEvent.Type(QEvent.registerEventType())


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """A prediction with all there is to show of it; fill_ns, read_ns: time before and after.

    family: the answer as its family's. retried: sentence on other preprocessing that was tried
    without being asked. replaced: that preprocessing was used instead of the guess.
    """

    prediction: Prediction
    readings: tuple[Reading, ...]
    scene: SceneReading | None = None
    fill_ns: int = 0
    read_ns: int = 0
    family: FamilyAnswer | None = None
    retried: str = ""
    replaced: bool = False


@dataclass(frozen=True, slots=True)
class _ReadResult:
    """What came of reading a prediction with these labels and this wish."""

    prediction: Prediction
    labels: tuple[str, ...]
    wanted: SceneOptions
    outcome: Answer | InspectorError


class PredictionPipeline(QObject):
    """Predicts after each wish, at most one at a time; the last wish always gets its answer.

    `choices` is asked when the work begins, so that it is never out of date.
    """

    filled = Signal(object)  # Filling
    refused = Signal()  # no tensors could be made
    answered = Signal(object)  # Answer
    failed = Signal(object)  # InspectorError
    busy_changed = Signal()

    def __init__(
        self,
        document: Document,
        choices: Callable[[], Mapping[str, Choice]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.busy = False
        self.labels: tuple[str, ...] = ()
        self.may_retry = True  # other preprocessing where the guess gives nothing
        self._document, self._choices = document, choices
        self._wanted = self._predicting = self._posted = False
        self._read_ahead: _ReadResult | None = None
        self.wanted = SceneOptions()
        self._filling = Filling((), {})
        self._retried, self._replaced = "", False
        self._guessed: Filling | None = None  # what was predicted with, where it is another
        self._filled_at: Callable[[Mapping[str, int]], Filling] = lambda _: self._filling
        self._vocabulary: Vocabulary | None = None
        self._fill_ns = self._asked_ns = 0
        self._jobs = TaskRunner(self)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.timeout.connect(self.now)
        self._unshown: Filling | None = None
        self._head_start = QTimer(self)
        self._head_start.setSingleShot(True)
        self._head_start.setTimerType(Qt.TimerType.PreciseTimer)
        self._head_start.timeout.connect(self._show_filling)
        document.predicted.connect(self._predicted)
        document.failed.connect(self._give_up)
        document.work_changed.connect(self._follow_work)

    @property
    def waiting(self) -> bool:
        """Whether a wish waits for another job of the document, such as a measurement."""
        return self._wanted and not self.busy

    def expect_pictures(self) -> None:
        """Start what decodes pictures, so that the first one need not wait for that."""
        self._jobs.start(decoder("pictures").start, lambda _: None, lambda _: None)

    def soon(self) -> None:
        """Predict at once after a rest, else once nothing has changed for a moment.

        What changes in one turn of the event loop is one change.
        """
        if self._posted:
            return
        asked, self._asked_ns = self._asked_ns, perf_counter_ns()
        if self.busy or self._asked_ns - asked <= DEBOUNCE_MS * 1_000_000:
            self._pause.start(DEBOUNCE_MS)
            return
        self._posted = True  # goes before whatever is to be laid out and painted anew
        priority = Qt.EventPriority.HighEventPriority.value
        QCoreApplication.postEvent(self, QEvent(_PREDICT_EVENT), priority)

    def customEvent(self, event: QEvent) -> None:
        """Take up the wish of the turn before, unless it was taken back or done since."""
        if self._posted:
            self.now()

    def now(self) -> None:
        """Predict at once, or as soon as what is under way has ended."""
        self._pause.stop()
        self._posted = False
        self._wanted = True
        self._go_on()

    def undo_retry(self) -> None:
        """Predict with the guessed preprocessing, and try no other from now on."""
        self.may_retry = False
        self.now()

    def read_again(self) -> None:
        """Read the last prediction anew, with other labels or another wish for places."""
        if self._document.prediction is not None:
            self._read(self._document.prediction, self._show)

    def try_presets(self, name: str, then: Callable[[tuple[TriedPreset, ...]], None]) -> None:
        """Predict with each usual preparation of an input's picture; not while at work."""
        model, filling, labels = self._document.model, self._filling, self.labels
        if model is not None and self._document.work is None and name in filling.seen:
            self._document.predict_apart(
                lambda once: trials.try_presets(once, model, filling, name, labels), then
            )

    def check(
        self, paths: Sequence[Path], then: Callable[[tuple[CheckedDataSet, ...]], None]
    ) -> None:
        """Hold the model's answers against data sets; not while at work."""
        model = self._document.model
        if model is not None and self._document.work is None:
            self._document.predict_apart(lambda once: trials.check(once, model, paths), then)

    @property
    def filling(self) -> Filling:
        """What the inputs were last filled with."""
        return self._filling

    def compare(self, against: OtherRun, then: Callable[[RunComparison], None]) -> None:
        """Answer the present input in a second way, too; not while at work."""
        model, filled, labels = self._document.model, self._filling, self.labels
        choices = dict(self._choices())
        if model is None or self._document.work is not None or not filled.filled:
            return
        self._document.compare_apart(
            against,
            lambda once, other: comparing.compare(
                once, other, against, model, choices, filled, labels
            ),
            then,
        )

    def answer_folder(
        self,
        place: Path,
        info: TensorInfo,
        said: str,
        against: OtherRun | None,
        tell: Callable[[int, Row], None],
        then: Callable[[object], None],
    ) -> bool:
        """Answer each file of a folder; whether it was begun. `tell` comes from a thread.

        against: a second way that each answer is held against.
        then: gets None, or the InspectorError that kept it from beginning.
        """
        model, labels = self._document.model, self.labels
        choices = dict(self._choices())
        sizes = {d.name: d.size for d in self._document.spec.dimensions}
        if model is None or self._document.work is not None:
            return False

        def job(
            once: comparing.RunOnce, other: comparing.RunOnce | None = None
        ) -> InspectorError | None:
            second = None if other is None or against is None else (other, against)
            try:
                comparing.answer_rows(
                    once, model, info, choices, sizes, place, said, labels, tell, second
                )
            except InspectorError as error:
                return error
            return None

        if against is None:
            self._document.predict_apart(job, then)
        else:
            self._document.compare_apart(against, job, then)
        return True

    def write_on(
        self,
        most: int,
        tell: Callable[[Token], None],
        then: Callable[[Generated | InspectorError | None], None],
    ) -> bool:
        """Write the text of the present input on; whether it was begun.

        tell: comes from a thread. then: gets None where it was stopped.
        """
        model, filled = self._document.model, self._filling.filled
        if model is None or self._document.work is not None or not filled:
            return False
        given = feeds.fed(filled)

        def job(once: comparing.RunOnce) -> Generated | InspectorError | None:
            try:
                return generation.generate(
                    once, given, model.inputs, model.outputs, self._vocabulary, most, tell
                )
            except Cancelled:
                return None
            except InspectorError as error:
                return error

        self._document.predict_apart(job, then)
        return True

    def end(self) -> None:
        """Wish for nothing any more; the view is about to go."""
        self._pause.stop()
        self._wanted = self._posted = False

    def _go_on(self) -> None:
        ready = self._document.model is not None and self._document.work is None
        if self._wanted and ready and not self.busy:
            self._wanted = False
            self._fill()
        else:
            self.busy_changed.emit()

    def _follow_work(self) -> None:
        if self._predicting and self._document.work is None:
            # The outcome follows this signal at once; nothing follows when it was cancelled.
            QTimer.singleShot(0, self, self._end_cancelled)
        else:
            self._go_on()

    def _end_cancelled(self) -> None:
        if self._predicting:
            self._predicting = False
            self._show_filling()
            self._set_busy(False)

    def _fill(self) -> None:
        model, choices = self._document.model, dict(self._choices())
        assert model is not None, "only an opened model is filled"
        sizes = {d.name: d.size for d in self._document.spec.dimensions}
        path = self._document.path

        def fill_at(lengths: Mapping[str, int]) -> Filling:
            tokenizer = None if path is None else tokens.tokenizer_path(path)
            return fill_inputs.fill(model, choices, lengths, tokenizer)

        self._filled_at = fill_at

        def fill() -> Filling:
            began = perf_counter_ns()
            made = fill_at(sizes)
            self._fill_ns = perf_counter_ns() - began
            return made

        self.busy = True
        self._jobs.start(fill, self._predict, self._refuse)
        self.busy_changed.emit()

    def _refuse(self, error: InspectorError) -> None:
        self.refused.emit()
        self._stop(error)

    def _predict(self, filling: Filling) -> None:
        self._filling = filling
        sources = tuple(InputSource(filled.name, filled.value) for filled in filling.filled)
        self._document.set_feeds(feeds.fed(filling.filled), sources)
        self._unshown = filling
        if self._document.work is None:
            self._predicting = True
            self._document.predict(self._answering(filling))
            self._head_start.start(_HEAD_START_MS)
        else:  # a measurement began meanwhile; the prediction follows it
            self._show_filling()
            self._wanted = True
            self._set_busy(False)

    def _show_filling(self) -> None:
        """Tell what the inputs were filled with, unless that has been told."""
        self._head_start.stop()
        filling, self._unshown = self._unshown, None
        if filling is not None:
            self.filled.emit(filling)

    def _answering(self, filling: Filling) -> Callable[..., Prediction]:
        """What predicts, and reads the answer before the window hears of it."""
        labels, wanted, may_retry = self.labels, self.wanted, self.may_retry
        model, choices = self._document.model, dict(self._choices())
        sizes = {d.name: d.size for d in self._document.spec.dimensions}
        fill_at = self._filled_at

        def answer(once: comparing.RunOnce, tell: Callable[[float], None]) -> Prediction:
            guessed = guessed_axes.first_that_runs(
                fill_at,
                lambda made: step_by_step.answer(once, made.filled, made.memory, tell),
                lambda made: made.filled,
                () if model is None else model.inputs,
                sizes,
                filling,
            )
            note = guessed.note.replace(
                guessed_axes.SET_WITH, "; set next to the inputs. On the command line: "
            )
            prediction = guessed_axes.noted(guessed.answer, note)
            self._guessed = guessed.filling if guessed.note else None
            self._retried, self._replaced = "", False
            made = guessed.filling
            if model is not None and may_retry:
                found = trials.retry(once, model, choices, sizes, labels, made, prediction)
                if found is not None:
                    prediction, self._retried = found.prediction, found.text
                if found is not None and found.filling is not made:
                    self._guessed = made = found.filling
                    self._replaced = True
            outcome: Answer | InspectorError
            try:
                outcome = self._answer_of(prediction, made, labels, wanted)
            except InspectorError as error:
                outcome = error
            self._read_ahead = _ReadResult(prediction, labels, wanted, outcome)
            return prediction

        return answer

    def _predicted(self, prediction: Prediction) -> None:
        self._predicting = False
        if self._guessed is not None:  # other lengths of free axes than it was filled with
            self._filling = self._unshown = self._guessed
            self._guessed, filled = None, self._filling.filled
            sources = tuple(InputSource(each.name, each.value) for each in filled)
            self._document.set_feeds(feeds.fed(filled), sources)
        self._show_filling()
        known, self._read_ahead = self._read_ahead, None
        asked = (prediction, self.labels, self.wanted)
        if known is None or (known.prediction, known.labels, known.wanted) != asked:
            self._read(prediction, self._finish)
        elif isinstance(known.outcome, Answer):
            self._finish(known.outcome)
        else:
            self._stop(known.outcome)

    def _read(self, prediction: Prediction, then: Callable[[Answer], None]) -> None:
        filling, labels, wanted = self._filling, self.labels, self.wanted
        self._jobs.start(
            lambda: self._answer_of(prediction, filling, labels, wanted), then, self._stop
        )

    def _answer_of(
        self,
        prediction: Prediction,
        filling: Filling,
        labels: tuple[str, ...],
        wanted: SceneOptions,
    ) -> Answer:
        """Read a prediction; on a job's thread."""
        model, path = self._document.model, self._document.path
        inputs = model.inputs if model is not None else ()
        subject = next((f.value for f in filling.filled if f.given), "")
        if self._vocabulary is None and path is not None:
            self._vocabulary = tokens.vocabulary(tokens.tokenizer_path(path))
        began = perf_counter_ns()
        structure = UNKNOWN if model is None else of_model(model)
        seen = read_scene(prediction, filling, labels, wanted, structure)
        decoded = seen is not None and seen.scene is not None and seen.scene.lists_boxes
        readings = read_outputs.read_all(
            prediction, labels, filling.pace, inputs, self._vocabulary, subject, decoded
        )
        known = None if model is None else recognize(model)
        family = None
        if model is not None and known is not None:
            given, rate = feeds.fed(filling.filled), alternatives.sound_rate(model)
            outputs = prediction.outputs
            family = family_answers.read(known, outputs, given, self._vocabulary, labels, rate)
        retried = self._retried
        if model is not None and not retried:
            named = [f.name for f in filling.filled if f.given]
            found = self._vocabulary is not None
            retried = alternatives.missing_tokenizer_note(model, named, found)
            if not retried and not named and family_answers.flat(prediction.outputs) == "NaN":
                retried = tr(
                    "the output contains NaN, with default inputs: enter values or use a sample"
                )
        took = perf_counter_ns() - began
        replaced = self._replaced
        return Answer(
            prediction, readings, seen, self._fill_ns, took, family, retried, replaced
        )

    def _show(self, answer: Answer) -> None:
        if answer.prediction is self._document.prediction:
            self.answered.emit(answer)

    def _finish(self, answer: Answer) -> None:
        self._show(answer)
        self._set_busy(False)
        self._go_on()

    def _give_up(self, error: InspectorError) -> None:
        if self._predicting:
            self._predicting = False
            self._show_filling()
            self._stop(error)

    def _stop(self, error: InspectorError) -> None:
        self.failed.emit(error)
        self._set_busy(False)
        self._go_on()

    def _set_busy(self, busy: bool) -> None:
        self.busy = busy
        self.busy_changed.emit()
