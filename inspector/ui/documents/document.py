"""One model and what is known of it: what its views observe and its buttons talk to."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from enum import StrEnum
from functools import cache, partial
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from PySide6.QtCore import QObject, Signal, SignalInstance

from inspector.errors import Cancelled, InspectorError, UnreadableFile
from inspector.platform import files
from inspector.platform.late_modules import LateModule
from inspector.ui import units
from inspector.ui.background import SafeEmitter, TaskRunner
from inspector.ui.documents.language.chatting import Chatting
from inspector.ui.selection import Selection
from inspector.ui.translate import mark, tr

if TYPE_CHECKING:  # numpy comes with the first document, after the first picture
    from inspector.analysis.facts.model_facts import Facts
    from inspector.analysis.language.memory import MemoryNeeds
    from inspector.app.language.folder import OpenedFolder
    from inspector.backends import environments
    from inspector.backends.base import BackendInfo
    from inspector.conversion.action import Step
    from inspector.engine.client.engine import Engine
    from inspector.engine.client.engine_process import Progress
    from inspector.formats.onnx.weight_values import Stamp
    from inspector.model.model import Model
    from inspector.model.model_folder import ModelFolder
    from inspector.model.tensors.element_types import Fed
    from inspector.model.tensors.prediction import Prediction
    from inspector.preview.inputs.image_files import Picture
    from inspector.preview.outputs.labels import ClassNames
    from inspector.preview.runs.folder import Row, Summary
    from inspector.preview.runs.other_run import OtherRun
    from inspector.preview.runs.steps import Predict, Steps
    from inspector.remote.machines import Target
    from inspector.remote.uploads import Upload
    from inspector.report.improvement import Improvement
    from inspector.report.report import PerformanceReport
    from inspector.report.run_spec import InputSource, RunSpec
    from inspector.ui.documents import long_jobs
    from inspector.ui.documents import services as services
    from inspector.ui.documents.autosave import Autosave
    from inspector.ui.documents.estimating import (
        CompatibilityCheck,
        CostEstimation,
        ExecutedGraphLoader,
    )
    from inspector.ui.documents.language.saving import ChatKeeper
    from inspector.ui.documents.session_files import InputPlace
    from inspector.ui.documents.weight_reading import WeightLoader

    LongJob = Callable[[Engine, Callable[[], bool]], Any]
    PredictionJob = Callable[[Predict], Prediction | InspectorError]
else:
    # numpy, runtimes and readers come with the first document, not with the first window,
    services = LateModule("inspector.ui.documents.services")
    # and what measures, sweeps and edits with the first job.
    long_jobs = LateModule("inspector.ui.documents.long_jobs")

FIX_AXES = "fix-axes"  # id of the action that gives dynamic axes a size
# Whether a file that was written to still has the same content takes a second for so much;
# of a larger one it is not asked.
_HASH_AGAIN_BYTES = 1 << 30
_GENERATED = ("zeros", "ones", "random")  # beginnings of sources that are no file


class Work(StrEnum):
    """The job that a document is busy with."""

    OPENING = mark("Opening")
    PREDICTING = mark("Running the model")
    MEASURING = mark("Measuring")
    PEAK = mark("Measuring device peak")
    SWEEPING = mark("Running sweep")
    STEPPING = mark("Running layer by layer")
    CHATTING = mark("Generating")


class DiskState(StrEnum):
    """The state of the files of an opened model on disk, compared with what was read."""

    SAME = "same"
    CHANGED = "changed"
    MISSING = "missing"


class Topic(StrEnum):
    """What can change of a document: the attributes that a view shows."""

    MODEL = "model"  # model and facts are there
    DIGEST = "digest"  # so is the SHA-256 of its file
    DISK = "disk"  # the file on disk is in another state
    ENGINE = "engine"  # a runtime was installed that the model misses
    SPEC = "spec"  # settings and place of the next run
    FEEDS = "feeds"  # values of the inputs
    INPUTS = "inputs"  # what the inputs of the Preview got, for the next start
    CLASS_NAMES = "class names"
    LOADS = "loads"  # whether a runtime loads the file
    WORK = "work"  # another job is under way, or none
    STAGE = "stage"  # part of a long job
    PREDICTION = "prediction"  # another one, or it is no more that of the present inputs
    FOLDER = "folder"  # the last one that was tested in Preview
    REPORT = "report"  # another one is shown
    EDITS = "edits"  # of the graph, or what is known of the edited model
    IMPROVE = "improve"  # work or results in Improve
    SUPPORT = "support"  # that of other devices is being shown
    BOOKMARKS = "bookmarks"
    PARTS = "parts"  # the other files of its folder are read
    CHAT = "chat"  # another conversation is kept for the next start
    UPLOAD = "upload"  # a view asks at once whether it is allowed


class _Changes(QObject):
    """Says that one topic changed."""

    said = Signal()


# Jobs that check the file on disk first; a prediction does so when its inputs are made.
MEASUREMENTS = frozenset({Work.MEASURING, Work.PEAK})  # the Performance tab shows their course
_KEPT_WHEN_CANCELED = frozenset({Work.MEASURING, Work.PEAK, Work.SWEEPING, Work.STEPPING})
_RUNS_THE_FILE = frozenset({Work.MEASURING, Work.SWEEPING, Work.STEPPING})


class Bookmark(Struct, frozen=True):
    """A view of the graph to return to: the layer in its middle, and the zoom."""

    layer: int
    zoom: float


class Document(QObject):
    """A model, its inputs, its predictions and reports; or a report without its model.

    Views read the attributes and follow the topics that they show, see `changed`; they never
    call the engine. Everything but the path is None or empty until its topic says otherwise.
    reopen_path: what to open to get it again, such as an archive; None for standard input.
    place: the other machine that measures; None for this one.
    """

    progressed = Signal(object)  # Progress
    report_added = Signal(object)  # PerformanceReport
    report_removed = Signal(object)  # PerformanceReport
    failed = Signal(object)  # InspectorError
    chat_failed = Signal(object)  # InspectorError: a conversation was not saved, or not read
    cancelled = Signal()  # the job under way ended without an outcome
    measured_now = False  # while a report is added that was measured here

    def __init__(
        self,
        path: Path | None,
        spec: "RunSpec",
        start_engine: "Callable[[Callable[[Progress], None]], Engine]",
        autosave: "Autosave | None" = None,
    ) -> None:
        super().__init__()
        self._services = services.DocumentServices(self, start_engine)
        self.path = self.reopen_path = path
        self.autosave = autosave or self._services.unsaved()
        self.disk = DiskState.SAME
        self._files: dict[Path, files.FileState | None] = {}
        self.model: Model | None = None
        self.facts: Facts | None = None
        self.folder: ModelFolder | None = None  # the model that `path` is a part of
        self.generates_text = False  # and its tokenizer is there
        self.opened_folder: OpenedFolder | None = None  # with its other parts, once read
        # How the model is measured token by token, with all lengths; None: it cannot be.
        self.token_spec: RunSpec | None = None
        self.memory_needs: MemoryNeeds | None = None  # of its tokens; None: it remembers none
        self.bookmarks: tuple[Bookmark, ...] = ()
        self.digest = ""
        self.spec = spec
        self.feeds: dict[str, Fed] = {}
        self.sources: dict[str, InputSource] = {}
        self.image: Picture | None = None  # of the inputs, as it was read
        self.image_problem = ""  # why it obviously is not what the model was made for
        self.inputs: tuple[InputPlace, ...] = ()  # of the Preview, for the next start
        self.files_run = ""  # of Preview: a run of several files, for the next start, as JSON
        self.runs = 0  # predictions and generated texts that a runtime gave
        self.ran_as_edits = False  # it is a copy that loaded and ran before it was opened
        self.refused: InspectorError | None = None  # why it did not load with these settings
        self.support_checked = False  # of other devices, which the next start repeats
        self.class_names: ClassNames | None = None  # None: as the model says, or as fits
        self.prediction: Prediction | None = None
        self.outdated: InspectorError | None = None  # why the present inputs have none
        self.reports: tuple[PerformanceReport, ...] = ()
        # By the path of another model: the folder that both ran on in Preview, and its counts.
        self.folders_compared: dict[str, tuple[Path, Summary]] = {}
        self.folder_tested: tuple[Path, Summary] | None = None  # the last one in Preview
        self.folder_rows: tuple[Row, ...] = ()  # of that folder
        self.report: PerformanceReport | None = None
        self.work: Work | None = None
        self.stage = ""  # part of a long job that is under way: "measurement 3 of 21"
        self.error: InspectorError | None = None
        self.failed_work: Work | None = None
        self.selection = Selection(self)
        self._changes: dict[Topic, _Changes] = {}
        self._stamps: dict[str, Stamp] = {}
        self._stopping = self._generating = False  # text, in the document's own engine
        self._jobs, self._emitter = TaskRunner(self), SafeEmitter(self)
        self._start_engine = start_engine
        self._sweeping: long_jobs.Sweeping | None = None
        self._stepping: long_jobs.Stepping | None = None
        self._chatting: Chatting | None = None
        self.chat_keeper: ChatKeeper | None = None  # saves it; there once somebody chats
        self.chat = ""  # name of the conversation that is kept for the next start
        self._improving: long_jobs.Improving | None = None
        self._editing: long_jobs.Editing | None = None
        self._earlier_edits: tuple[Step, ...] = ()  # of the last session, not applied yet
        self._engine = start_engine(self._emitter.of(self.progressed))
        self._beside: Engine | None = None
        self.place: Target | None = None
        self.upload: Upload | None = None  # what the machine at `place` wants and may not have
        self._elsewhere: tuple[Target, Engine] | None = None

    def changed(self, topic: Topic) -> SignalInstance:
        """Return the signal of a topic, for a view that shows it."""
        if topic not in self._changes:
            self._changes[topic] = _Changes(self)
        return self._changes[topic].said

    def watch(self, then: Callable[[], object] | SignalInstance, *topics: Topic) -> None:
        """Call a method of a view, or emit a signal, whenever one of some topics changes."""
        for topic in topics:
            self.changed(topic).connect(then)

    def leave(self, view: QObject) -> None:
        """Tell a view no more of any change."""
        for sender in (self, *self._changes.values()):
            sender.disconnect(view)

    def tell(self, topic: Topic) -> None:
        """Say to all views that a topic changed."""
        if topic in self._changes:
            self._changes[topic].said.emit()

    def set_place(self, place: "Target | None") -> None:
        """Measure on another machine from now on; None: on this one."""
        if place != self.place:
            self.place = place
            self.tell(Topic.SPEC)

    def set_inputs(self, inputs: "tuple[InputPlace, ...]") -> None:
        """Remember what the inputs of the Preview got, also after a restart."""
        if inputs != self.inputs:
            self.inputs = inputs
            self.tell(Topic.INPUTS)

    def choose_class_names(self, names: "ClassNames | None") -> None:
        """Name the classes in all tabs; None: as the model says, or by the list that fits."""
        if names != self.class_names:
            self.class_names = names
            self.tell(Topic.CLASS_NAMES)

    @property
    def input_problem(self) -> str:
        """Return why the last image obviously is not what the model was made for, or ""."""
        return self.image_problem if self.image is not None else ""

    @property
    def input_source(self) -> str:
        """Return the file of the last input; "" where its values were generated."""
        values = [source.value for source in self.sources.values()]
        if not values or values[0].startswith(_GENERATED):
            return ""
        return units.clip(values[0], 60)

    @property
    def name(self) -> str:
        """Return the name shown in the window."""
        if self.is_folder and self.reopen_path is not None:
            return self.reopen_path.name
        if self.path is not None:
            known = self.folder
            return self.path.name if known is None else known.name_of(self.path)
        return self.reports[0].model.name if self.reports else tr("Report")

    @property
    def stem(self) -> str:
        """Return the name without the suffix of a file, for lists and names of other files."""
        name = self.name
        of_file = self.path is None or self.path.name == name.rpartition("/")[2]
        return Path(name).stem if of_file else name

    @property
    def is_folder(self) -> bool:
        """Return whether a folder was opened that is one model; `path` is its main file."""
        path, known_as = self.path, self.reopen_path
        return path is not None and known_as != path and known_as in path.parents

    @property
    def has_parts(self) -> bool:
        """Return whether it is one model whose parts are listed: a folder, or one file that is
        a whole language model (GGUF, LiteRT-LM)."""
        folder = self.folder
        if folder is None or self.is_folder:
            return self.is_folder
        alone = [part.path for part in folder.parts] == [self.path]
        return folder.is_file or (alone and folder.main is None)

    @property
    def not_run(self) -> tuple[str, str] | None:
        """Return why Inspector does not run the model, and what does; None where it may."""
        return self._services.not_run(self.model, self._runtime_here)

    @property
    def missing_engine(self) -> "environments.Engine | None":
        """Return the runtime of the model if it can be installed here and is not; else None."""
        return self._services.installable(self.model, self._runtime_here)

    @property
    def not_changed(self) -> tuple[str, str] | None:
        """Return why the model cannot be changed here; None where it may be."""
        if self.model is None or self._services.actions_for(self.model.format):
            return None
        hint = tr("Convert the original model to one of these formats and open that.")
        return tr("Only ONNX and TensorFlow Lite models can be changed"), hint

    def offers(self, action: str) -> bool:
        """Return whether Improve can apply an action, by its id, to the model here."""
        if self.model is None or self.not_run is not None:
            return False
        return action in self._services.actions_for(self.model.format)

    @property
    def backend(self) -> "BackendInfo":
        """Return the runtime of the model; the default one while no model is open."""
        return self._services.runtime_for(self.model.format if self.model is not None else "")

    @property
    def runtime(self) -> "BackendInfo":
        """Return the runtime of the chosen device, which may be another one than `backend`."""
        return self._runtime_of(self.spec)

    @property
    def _runtime_here(self) -> "BackendInfo":
        """Return the runtime that this machine needs: another one has runtimes of its own."""
        return self.runtime if self.place is None else self.backend

    def _runtime_of(self, spec: "RunSpec") -> "BackendInfo":
        chosen = self._services.runtime_with(spec.devices[0]) if spec.devices else None
        return chosen or self.backend

    @property
    def weights(self) -> "WeightLoader":
        """Return what is read of the weights when asked; only of an opened model."""
        return self._services.weights(*self._opened(), self._stamps)

    @property
    def estimating(self) -> "CostEstimation":
        """Shapes, cost and structure, worked out when first asked; only of an opened model."""
        return self._services.estimating(*self._opened())

    @property
    def verdicts(self) -> "CompatibilityCheck":
        """Return the compatibility check, made on first use; only for an opened model."""
        return self._services.verdicts(*self._opened(), lambda: self.spec.custom_ops)

    @property
    def executed(self) -> "ExecutedGraphLoader":
        """The graph that the runtime executes, for those who ask; of an opened model."""
        return self._services.executed(*self._opened(), lambda: self.spec)

    @property
    def sweeping(self) -> "long_jobs.Sweeping":
        """Many measurements in a row, and what came of them; only of an opened model."""
        if self._sweeping is None:
            self._sweeping = long_jobs.Sweeping(self, self)
        return self._sweeping

    @property
    def swept(self) -> bool:
        """Return whether there is a sweep to show; False until somebody asked for
        `sweeping`."""
        return self._sweeping is not None and self._sweeping.sweep is not None

    @property
    def stepping(self) -> "long_jobs.Stepping":
        """The walk through the layers, when somebody asked for one; of an opened model."""
        path, model = self._opened()
        if self._stepping is None or self._stepping.model is not model:
            self._stepping = long_jobs.Stepping(self, path, model, self._new_engine, self)
        return self._stepping

    @property
    def is_language_model(self) -> bool:
        """Return whether the model generates text, and its tokenizer is there."""
        return self.model is not None and self.generates_text

    @property
    def chatting(self) -> Chatting:
        """The conversation with the model, when somebody looked at it; of an opened model."""
        path, _ = self._opened()
        if self._chatting is None:
            speakers = self._services.speakers(path, self.folder, lambda: self.spec)
            self._chatting = Chatting(self, speakers, self)
            keeper = self._services.chat_keeper(
                self._chatting, self.autosave.chats, self.chat, lambda: self.spec.devices[0]
            )

            def name() -> None:
                self.chat = keeper.name
                self.tell(Topic.CHAT)

            keeper.named.connect(name)
            keeper.failed.connect(self.chat_failed)
            self.chat_keeper = keeper
        return self._chatting

    def say_chatting(self, on: bool) -> None:
        """Say that the model generates text, in an engine of its own, or that it has ended."""
        assert on != (self.work is Work.CHATTING), "it begins and ends once"
        self.error = None
        self._set_work(Work.CHATTING if on else None)

    @property
    def improving(self) -> "long_jobs.Improving":
        """The recipe that changes the model, and what was proved of it; of an opened model."""
        path, model = self._opened()
        if self._improving is None:
            made = long_jobs.Improving(self, path, model, self._new_engine, self)
            self._improving = made
            self.changed(Topic.DIGEST).connect(made.restore)
            for signal in (made.worked, made.progressed, made.proved):
                signal.connect(self.changed(Topic.IMPROVE))
            if made.improvement is not None:  # from the library
                self.tell(Topic.IMPROVE)
        return self._improving

    @property
    def editing(self) -> "long_jobs.Editing":
        """The edits of the graph, when somebody asked for them; of an opened model."""
        path, model = self._opened()
        if self._editing is None:
            self._editing = long_jobs.Editing(
                path, model, self._new_engine, lambda: self.spec, self
            )
            self._editing.changed.connect(self.changed(Topic.EDITS))
            if self._earlier_edits:
                self._editing.restore(self._earlier_edits)
        return self._editing

    @property
    def edit_steps(self) -> "tuple[Step, ...]":
        """Return the edits of the graph, for the next start."""
        return self._editing.steps if self._editing is not None else self._earlier_edits

    @property
    def unsaved_edits(self) -> int:
        """Return how many edits of the graph are in no copy of the model."""
        return len(self.edit_steps) if self.edited_copy is None else 0

    @property
    def edited_copy(self) -> Path | None:
        """Return the file that has just the edits of the graph; None for none."""
        return self._editing.copy if self._editing is not None else None

    def restore_edits(self, steps: "tuple[Step, ...]") -> None:
        """Take the edits of an earlier session, which are applied when somebody looks."""
        self._earlier_edits = steps
        self.tell(Topic.EDITS)

    @property
    def improvement(self) -> "Improvement | None":
        """Return what Improve has found, about the chosen candidate; None for nothing."""
        return None if self._improving is None else self._improving.chosen

    @property
    def test_folder(self) -> Path | None:
        """Return the folder that Improve checks accuracy on; None where it has none."""
        return self._improving.test_folder if self._improving is not None else None

    @property
    def improve_progress(self) -> str:
        """What Improve is doing at present, for the status line; empty if nothing."""
        return "" if self._improving is None else self._improving.progress_text

    @property
    def unfinished(self) -> str:
        """Return the job with results to keep when it is canceled, as "Measuring", or ""."""
        if self.work in _KEPT_WHEN_CANCELED:
            return tr(str(self.work))
        return tr("Improving") if self._improving is not None and self._improving.work else ""

    def open(self) -> None:
        """Read the model and its facts; the topic MODEL or `failed` follows."""
        path = self.path
        assert path is not None, "a report alone has nothing to open"

        def show(result: "services.ReadModel") -> None:
            self.model, self.facts = result.model, result.facts
            self._stamps, self._files = result.stamps, result.files
            self.folder, self.generates_text = result.folder, result.generates_text
            self.token_spec, self.memory_needs = result.token_spec, result.memory_needs
            self._set_work(None)
            self.spec = self._by_token_if_open(self.spec)
            self.tell(Topic.MODEL)
            self._hash()
            if self.folder is not None and self.has_parts:
                self._read_parts(self.folder)

        self._begin(Work.OPENING, partial(self._services.read, path, self.spec), show)

    def _by_token_if_open(self, spec: "RunSpec") -> "RunSpec":
        """Return settings that measure a decoder token by token, unless they already say how
        it is measured: so, or at lengths of the axes of its graph."""
        usual = self.token_spec
        able = self._services.generates_with(self._runtime_of(spec))
        if usual is None or not able or spec.generates or spec.dimensions:
            return spec
        return replace(spec, **self._services.of_tokens(usual))

    def measure_tokens(self, on: bool) -> None:
        """Measure the next time token by token, or one run of the graph at given lengths."""
        if on:
            bare = replace(self._services.as_one_run(self.spec), dimensions=())
            chosen = self._by_token_if_open(bare)
            self.set_spec(dimensions=(), **self._services.of_tokens(chosen))
        else:
            assert self.model is not None, "only an opened model is measured"
            self.set_spec(dimensions=self._services.usual_dimensions(self.model))

    def set_spec(self, **changes: Any) -> None:
        """Change some of the settings of the next prediction or measurement."""
        changed = replace(self.spec, **changes)
        if changes.get("dimensions") and self.token_spec is not None:  # so one run is meant
            changed = self._services.as_one_run(changed)
        if self._runtime_of(changed).id != self.runtime.id:
            changed = self._by_token_if_open(self._runtime_of(changed).fitted(changed))
        if changed != self.spec:
            self.spec = changed
            self.tell(Topic.SPEC)

    def set_dimensions(self, sizes: Mapping[str, int]) -> None:
        """Give free axes their lengths for the next prediction or measurement, by name."""
        self.set_spec(dimensions=self._services.dimensions(sizes))

    def set_feeds(self, feeds: "Mapping[str, Fed]", sources: "tuple[InputSource, ...]") -> None:
        """Give values to some inputs, and words that tell what all that are named are."""
        named = {source.name for source in sources}
        unchanged = {name: value for name, value in self.feeds.items() if name not in named}
        self.feeds = {**unchanged, **feeds}
        self.sources = {**self.sources, **{source.name: source for source in sources}}
        self.tell(Topic.FEEDS)

    def predict(
        self,
        job: "PredictionJob | None" = None,
        then: "Callable[[Prediction | InspectorError], None] | None" = None,
        on_error: "Callable[[InspectorError], None] | None" = None,
    ) -> None:
        """Run the model; the topic PREDICTION, `failed` or `cancelled` follows.

        job: makes the prediction, of many runs if need be; gets what predicts once for given
            feeds, or step by step. Without one the model runs with the present inputs. An
            InspectorError that it returns is no failure of the model, as when it could not
            make the inputs: nothing but `then` tells of it.
        then: gets what `job` returned.
        on_error: gets why this very run failed, or Cancelled. The signals do not say whose
            failure they tell of, and another job may have begun by then.
        """
        once = self._once()
        run = partial(once, self.feeds) if job is None else partial(job, once)

        def show(outcome: "Prediction | InspectorError") -> None:
            if not isinstance(outcome, InspectorError):
                self.prediction, self.outdated = outcome, None
            self._set_work(None)
            if not isinstance(outcome, InspectorError):
                self.tell(Topic.PREDICTION)
            if then is not None:
                then(outcome)

        self._begin(Work.PREDICTING, run, show, on_error)

    def keep_folder_result(self, place: Path, total: "Summary", rows: "Iterable[Row]") -> None:
        """Remember how the model did on a folder, on the whole and on each file."""
        self.folder_tested, self.folder_rows = (place, total), tuple(rows)
        self.tell(Topic.FOLDER)

    def outdate_prediction(self, error: InspectorError) -> None:
        """Say that the present inputs gave no prediction; the one kept is of earlier ones."""
        if self.prediction is not None:
            self.outdated = error
            self.tell(Topic.PREDICTION)

    def predict_apart(
        self, job: "Callable[[Predict], Any]", then: Callable[[Any], None]
    ) -> None:
        """Predict beside the answer, as comparisons do; `then` gets what `job` returns."""
        once = self._once()

        self._begin(Work.PREDICTING, lambda: job(once), partial(self._end, then))

    def generate_apart(
        self, job: "Callable[[Engine], Any]", then: Callable[[Any], None]
    ) -> None:
        """Generate text beside the answer; `then` gets what `job` returns, also of a text that
        was stopped. The engine keeps the model."""
        self._generating = True

        def show(value: Any) -> None:
            self._generating = False
            self.runs += 1
            self._end(then, value)

        def fail(_: InspectorError) -> None:
            self._generating = False

        self._begin(Work.PREDICTING, lambda: job(self._engine), show, fail)

    def compare_apart(
        self,
        run: "OtherRun",
        job: "Callable[[Predict, Predict], Any]",
        then: Callable[[Any], None],
    ) -> None:
        """Predict in two ways beside the answer; `then` gets what `job` returns.

        run: the second one. job: gets what predicts once in each run; the second has a
        process of its own, so that the first session stays warm.
        """
        once = self._once()
        if self._beside is None:
            self._beside = self._start_engine(self._tell_stall)
        path, _ = self._opened()
        second = self._services.second_prediction(self._beside, path, self.spec, run)

        def other(feeds: "Mapping[str, Fed]", steps: "Steps | None" = None) -> "Prediction":
            if self._stopping:
                raise Cancelled(tr("Stopped before the next step"))
            return second(feeds, steps)

        self._begin(Work.PREDICTING, lambda: job(once, other), partial(self._end, then))

    def measure(self) -> None:
        """Measure with the present settings; `report_added` or `failed` follows.

        Inputs that nobody chose get a value as `inspector measure` would choose it.
        """
        path, model = self._opened()
        if not self._may_upload(path):
            self.cancelled.emit()
            return
        spec, feeds, sources = self.spec, dict(self.feeds), dict(self.sources)
        engine, digest = self._engine_there(), self.digest

        def run() -> "tuple[PerformanceReport, list[BaseException]]":
            ends: list[BaseException] = []
            subject = self._services.subject(path, model, spec, feeds, sources)
            if spec.generates:  # token by token, whatever Preview was given
                subject = subject.with_given({})
            # Nothing runs that changed since it was hashed, see `_expect_unchanged`.
            own = self._services.setup(subject, options=False, sha256=digest)
            keep = partial(self.autosave.keep, model_path=self.reopen_path)
            own, done = self._services.measure_or_tell(engine, own, keep, ends=ends)
            report = own.with_advice(self._services.with_known_peak(engine, own, done))
            self.autosave.keep(report, self.reopen_path)  # before anybody sees it
            return report, ends

        def show(result: "tuple[PerformanceReport, list[BaseException]]") -> None:
            report, ends = result
            if not ends:
                self._set_work(None)
            for error in ends:
                assert isinstance(error, InspectorError), "an interrupt ends the program"
                self._fail(error)
            self.measured_now = True
            self.add_report(report)
            self.measured_now = False

        self._begin(Work.MEASURING, run, show)

    def measure_peak(self) -> None:
        """Add the peak rates of its devices to the shown report, and keep the rest of it.

        REPORT or `failed` follows. A report of another machine is measured again, with them.
        """
        report = self.report
        if report is None or self.work is not None:
            return
        if self.place is not None or not self._services.is_of_this_machine(report):
            self.set_spec(roofline=True)
            self.measure()
            return
        path, model = self._opened()
        feeds, sources = dict(self.feeds), dict(self.sources)

        def job(engine: "Engine", _: Callable[[], bool]) -> "PerformanceReport":
            subject = self._services.subject(path, model, report.spec, feeds, sources)
            whole = self._services.add_peak(engine, subject, report)
            self.autosave.keep_changed(report, whole, self.reopen_path)
            return whole

        def show(whole: "PerformanceReport") -> None:
            self.reports = tuple(whole if one is report else one for one in self.reports)
            self.report_added.emit(whole)
            self.choose_report(whole)

        self.sweep(job, show, Work.PEAK)

    def sweep(
        self, job: "LongJob", then: Callable[[Any], None], work: Work = Work.SWEEPING
    ) -> None:
        """Let the engine do a long job; `then` gets what `job` returns.

        job: gets the engine, and what tells whether it was cancelled between two of them.
        """
        if work is Work.SWEEPING and self.path is not None and not self._may_upload(self.path):
            self.cancelled.emit()
            return
        self._stopping = False
        engine = self._engine_there() if work is Work.SWEEPING else self._engine
        run = partial(job, engine, lambda: self._stopping)
        self._begin(work, run, partial(self._end, then))

    def step(self, job: "LongJob", then: Callable[[Any], None]) -> None:
        """Let the engine walk through layers; as `sweep`."""
        self.sweep(job, then, Work.STEPPING)

    def add_report(self, report: "PerformanceReport") -> None:
        """Take in a report, measured or opened, and show it."""
        self.reports = (*self.reports, report)
        self.report_added.emit(report)
        self.choose_report(report)

    def choose_report(self, report: "PerformanceReport | None") -> None:
        """Show this one of the reports, or none."""
        if report is not self.report:
            before, self.report = self.report, report
            # Layers are the same ones in all reports of a model; spans of a timeline are not.
            model = self.model if before is None else before
            counts = [len(each.layers) for each in (model, report) if each is not None]
            alike = len(counts) == 2 and counts[0] == counts[1]
            self.selection.choose(layer=self.selection.now.layer if alike else None)
            self.tell(Topic.REPORT)

    def remove_report(self, report: "PerformanceReport") -> None:
        """Show a report no more; the one after it is shown in its place, or the last."""
        place = self.reports.index(report)
        left = self.reports = tuple(each for each in self.reports if each is not report)
        if report is self.report:
            self.choose_report(left[min(place, len(left) - 1)] if left else None)
        self.report_removed.emit(report)

    def is_earlier(self, report: "PerformanceReport") -> bool:
        """Return whether a report was measured from other content than is shown."""
        return bool(self.digest) and report.model.sha256 != self.digest

    @property
    def source_files(self) -> tuple[Path, ...]:
        """The files that the opened model was read from: its own, and those of its weights."""
        return tuple(self._files)

    def looks_changed(self) -> bool:
        """Return whether its files were written to since they were read."""
        return any(files.state(each) != before for each, before in self._files.items())

    def check_disk(self) -> None:
        """Check the files on disk; tell of the topic DISK if their state changed."""
        path = self.path
        if path is None or not self._files:
            return
        now = {each: files.state(each) for each in self._files}
        if now == self._files:
            self._set_disk(DiskState.SAME)
        elif now[path] is None:
            self._set_disk(DiskState.MISSING)
        else:

            def show(changed: bool) -> None:
                self._set_disk(DiskState.CHANGED if changed else DiskState.SAME)

            check = partial(self._really_changed, now)
            self._jobs.start(check, show, lambda _: None, low_priority=True)

    def _set_disk(self, state: DiskState) -> None:
        if state is not self.disk:
            self.disk = state
            self.tell(Topic.DISK)

    def _really_changed(self, now: "dict[Path, files.FileState | None]") -> bool:
        """Return whether the content is another one; a file may have been touched only."""
        path, before = self.path, self._files
        assert path is not None, "only a file changes on disk"
        if any(now[each] != before[each] for each in before if each != path):
            return True
        previous_state, present = before[path], now[path]
        if previous_state is None or present is None or previous_state[1] != present[1]:
            return True
        if present[1] > _HASH_AGAIN_BYTES or not self.digest:
            return True
        if self._services.digest(path) != self.digest:
            return True
        self._files = now
        return False

    def _expect_unchanged(self) -> None:
        """Raise UnreadableFile where the engine would run another model than is shown."""
        if self.path is None or not self._files:
            return
        now = {each: files.state(each) for each in self._files}
        if now == self._files:
            return
        text = tr("Could not run {name}").format(name=self.path.name)
        if now[self.path] is None:
            hint = tr("Restore it, or open it from its new location.")
            raise UnreadableFile(text, tr("the file was deleted or renamed"), hint)
        if self._really_changed(now):
            why = tr("the file has changed on disk since it was opened")
            raise UnreadableFile(text, why, tr("Reload it with F5, then run it again."))

    def cancel(self) -> None:
        """Stop the job under way, if any, else that of Improve; the window is free at once."""
        if self.work is None and self._improving is not None and self._improving.work:
            self._improving.cancel()
            return
        if self.work is Work.CHATTING and self._chatting is not None:
            self._chatting.stop()
            return
        if self._generating:  # what is there stays; asked again, the engine ends
            self._generating = False
            self._engine.stop()
            return
        self._stopping = True
        for engine in (self._engine, self._beside, self._elsewhere and self._elsewhere[1]):
            if engine is not None:
                engine.kill()

    def close(self) -> None:
        """End the engine and all reading; the document is about to go and says no more."""
        self._jobs.discard_results()
        self._stopping = True
        for each in (
            self._services, self._stepping, self._improving, self.chat_keeper, self._chatting,
            self._editing, self._engine, self._beside,
        ):  # fmt: skip
            if each is not None:
                each.close()
        self._leave()

    def _may_upload(self, path: Path) -> bool:
        """Return whether the model may be sent to the chosen machine; asks for a service."""
        if self.place is None:
            return True
        services, service = self._services, self.place.machine.uploads_to
        if not service:
            return True
        if not self.digest:
            self.digest = services.digest(path)
        if not services.upload_allowed(self.digest, service):
            self.upload = services.Upload(self.name, path.stat().st_size, self.digest, service)
            self.tell(Topic.UPLOAD)
        return services.upload_allowed(self.digest, service)

    def _engine_there(self) -> "Engine":
        """Return the engine of the chosen machine; the own one for this machine."""
        if self.place is None:
            return self._engine
        if self._elsewhere is None or self._elsewhere[0] != self.place:
            self._leave()
            self._elsewhere = self.place, self.place.engine(self._emitter.of(self.progressed))
        return self._elsewhere[1]

    def _new_engine(self) -> "Engine":
        return self._start_engine(lambda _: None)

    def _leave(self) -> None:
        """End the line to another machine, which may take a second, without waiting."""
        if self._elsewhere is not None:
            Thread(target=self._elsewhere[1].close, name="leave", daemon=True).start()
        self._elsewhere = None

    def _once(self) -> "Predict":
        """Return what predicts once for given feeds, until the job is cancelled."""
        path, _ = self._opened()
        spec, self._stopping, check = self.spec, False, cache(self._expect_unchanged)

        def once(feeds: "Mapping[str, Fed]", steps: "Steps | None" = None) -> "Prediction":
            if self._stopping:
                raise Cancelled(tr("Stopped before the next step"))
            check()  # not before: the inputs are shown though the model cannot run
            prediction = self._engine.predict(path, spec, feeds, warm=True, steps=steps)
            self.runs += 1
            return prediction

        return once

    def _tell_stall(self, progress: "Progress") -> None:
        """Report of a second engine only that it makes no progress."""
        if progress.stalled_seconds:
            self._emitter.emit(self.progressed, progress)

    def _opened(self) -> "tuple[Path, Model]":
        assert self.path is not None, "only a document with a model runs it"
        assert self.model is not None, "only an opened model runs"
        return self.path, self.model

    def _hash(self) -> None:
        path = self.path
        assert path is not None, "only a file has a digest"

        def show(digest: str) -> None:
            self.digest = digest
            self.tell(Topic.DIGEST)

        # Hashing gigabytes would keep the window waiting for a processor.
        self._jobs.start(
            partial(self._services.digest, path), show, self.failed.emit, low_priority=True
        )

    def _read_parts(self, folder: "ModelFolder") -> None:
        """Read the other parts of the folder, and its tokenizer; the topic PARTS follows."""

        def show(opened: "OpenedFolder") -> None:
            self.opened_folder = opened
            self.memory_needs = self._services.needs_of_opened(opened) or self.memory_needs
            self.tell(Topic.PARTS)

        self._jobs.start(
            partial(self._services.opened_folder, folder, self.model),
            show, lambda _: None, low_priority=True,
        )  # fmt: skip

    def _begin(
        self,
        work: Work,
        job: Callable[[], Any],
        then: Callable[[Any], None],
        on_error: Callable[[InspectorError], None] | None = None,
    ) -> None:
        assert self.work is None, "one job at a time: views grey their buttons meanwhile"
        self.error, self.work, self.stage = None, work, ""

        def run() -> Any:
            self._expect_unchanged()
            return job()

        def fail(error: InspectorError) -> None:
            self._fail(error)
            if on_error is not None:
                on_error(error)

        self._jobs.start(run if work in _RUNS_THE_FILE else job, then, fail)
        self.tell(Topic.WORK)  # what all views say of it needs not be awaited

    def _fail(self, error: InspectorError) -> None:
        failed = self.work
        self._set_work(None)
        if not isinstance(error, Cancelled):
            self.error, self.failed_work = error, failed
            self.failed.emit(error)
        else:
            self.cancelled.emit()

    def tell_stage(self, stage: str) -> None:
        """Show which part of a long job begins."""
        self.stage = stage
        self.tell(Topic.STAGE)

    def _end(self, then: Callable[[Any], None], result: Any) -> None:
        self._set_work(None)
        then(result)

    def _set_work(self, work: Work | None) -> None:
        self.work, self.stage = work, ""
        self.tell(Topic.WORK)
