"""Jobs with a recipe: run, compare, search, rank layers, save; and their saved results."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock

import msgspec
from msgspec import Struct
from PySide6.QtCore import QObject, Signal

from inspector.analysis.verdicts.language import GOOD_RATIO
from inspector.app.changing import conversion as conversions
from inspector.app.changing import search
from inspector.app.changing.conversion import new_name
from inspector.app.changing.data_sets import InputFolder, shared
from inspector.app.changing.improvement import Workbench, usual_test
from inspector.app.changing.search_clock import SearchClock, SearchPlace
from inspector.app.changing.sensitivity import ranked
from inspector.app.language.quality import text_for
from inspector.app.language.speed import as_one_run
from inspector.comparison.measured_pair import MeasuredPair
from inspector.conversion import action as actions
from inspector.conversion.action import Step
from inspector.conversion.registry import ACTIONS, recipe_name
from inspector.engine.client.engine import Engine
from inspector.errors import BadInput, Cancelled, InspectorError, UnreadableFile
from inspector.model.model import Model
from inspector.model.tensors.element_types import Fed
from inspector.platform import files
from inspector.report import improvement as improvements
from inspector.report.improvement import Candidate, DataSet, Improvement
from inspector.report.run_spec import RunSpec
from inspector.report.sensitivity import Sensitivity
from inspector.ui import units
from inspector.ui.background import SafeEmitter
from inspector.ui.documents.improving_inputs import CALIBRATION, TEST, Host, InputMaker
from inspector.ui.documents.recipe_editing import RecipeEditing, Steps
from inspector.ui.translate import mark, time_left, tr
from inspector.units import clip
from inspector.wording.values import Count, Name, Sentence

Recipes = Iterator[Steps]
Latest = Callable[[], Improvement]
RUN = mark("Running the recipe")
SEARCH = mark("Searching")
SAVE = mark("Saving the model")
RANK = mark("Ranking layers")
_STAGES = {
    "convert": mark("converting"),
    "calibrate": mark("running calibration inputs"),
    "check": mark("checking that the new model runs"),
    "test": mark("running test inputs"),
    "waiting": mark("queued behind another measurement"),
    "compare layers": mark("comparing layers with the original"),
    "rank layers": mark("quantizing one layer at a time"),
    "keep layers in float": mark("keeping the worst layers in float"),
    "measure": mark("measuring interleaved with the original"),
}
_KEEP = "keep"  # option of the action that a search refines
_FOLDER = "improvements"  # in the library


def stage_text(stage: str) -> str:
    """Return what is going on as people read it."""
    return tr(_STAGES.get(stage, stage))


class MadeModel(Struct, frozen=True):
    """A candidate that is compared with the original.

    saved: whether the user has saved the file; else it is gone with the window, and title is
    the name that was proposed for it. measured: what is known of both; None for nothing.
    """

    path: Path
    saved: bool
    title: str
    measured: MeasuredPair | None


class Improving(RecipeEditing):
    """The recipe and its candidates; views wait for the signals.

    steps: the recipe. improvement: None until something was run. work: RUN, SEARCH, RANK or
    SAVE, "" when nothing runs. stage, share: of the work, share is below 0 if it is not known.

    Actions are checked in an engine of their own, and recipes run in others, so that nobody is
    kept from predicting. All that was proved goes into the library after each candidate, and is
    there again when the model is opened next.
    """

    worked = Signal()  # work begins or ends
    progressed = Signal()
    proved = Signal()  # improvement
    ranked = Signal()  # sensitivity
    _came = Signal(object)  # Improvement
    _layer_came = Signal(object)  # Sensitivity
    _stepped = Signal(str, float)

    def __init__(
        self,
        document: Host,
        path: Path,
        model: Model,
        start_engine: Callable[[], Engine],
        parent: QObject,
    ) -> None:
        super().__init__(path, model, start_engine, parent)
        self._document = document
        self._inputs = InputMaker(document, path, model, lambda: self._stopping)
        self.folders: dict[str, InputFolder] = {}
        self.reading_folder = ""  # CALIBRATION or TEST while one is read
        self.by_text = document.is_language_model
        self.text: Path | None = None  # None: the one that comes with Inspector
        self.limit: float | None = GOOD_RATIO - 1 if self.by_text else 0.01
        self.goal = "p50"
        self.starts: int | None = None  # pairs of processes behind a latency; None: as usual
        self.improvement: Improvement | None = None
        self.sensitivity: Sensitivity | None = None  # of layers, when they were ranked
        self.saved_steps: Steps | None = None  # of the model saved last; None: all results
        self.stage, self.share = "", -1.0
        self._made: dict[tuple[str, ...], Path] = {}  # folder of each candidate's files
        self._saved: dict[tuple[str, ...], Path] = {}  # where candidates were saved last
        self._temporary: TemporaryDirectory[str] | None = None
        self._closing, self._is_closed = Lock(), False
        self._runs = 0
        self._bench: Workbench | None = None
        self._clock: SearchClock | None = None  # of a search
        self._helpers: tuple[Engine, ...] = ()  # that run samples, rank or save
        self._stopping = False
        self._emitter = SafeEmitter(self)
        self._came.connect(self._take)
        self._layer_came.connect(self._take_ranking)
        self._stepped.connect(self._show_step)
        self.restore()

    # The inputs that candidates are calibrated and tested with.

    def use_folder(self, purpose: str, path: Path | None, truth: str = "") -> None:
        """Use a folder for CALIBRATION or TEST, or none; `changed` or `failed` follows.

        truth: where true classes come from, see `data_set.read`.
        """
        if path is None:
            self.folders.pop(purpose, None)
            self.changed.emit()
            return
        self.reading_folder = purpose

        def show(made: InputFolder) -> None:
            self.reading_folder = ""
            self.folders[purpose] = made
            self.changed.emit()

        def fail(error: InspectorError) -> None:
            self.reading_folder = ""
            self.changed.emit()
            self.failed.emit(error)

        self._jobs.start(lambda: self._inputs.folder(purpose, path, truth), show, fail)
        self.changed.emit()

    @property
    def test_folder(self) -> Path | None:
        """Return the folder that accuracy is checked on; None where there is none."""
        folder = self.folders.get(TEST)
        return folder.path if folder is not None else None

    def use_text(self, path: Path | None) -> None:
        """Judge a language model by a text file; None: by the one that comes with Inspector."""
        if path != self.text:
            self.text = path
            self.changed.emit()

    @property
    def shared_files(self) -> int:
        """Return the number of files that are in both folders, by content."""
        if len(self.folders) < len((CALIBRATION, TEST)):
            return 0
        return len(shared(self.folders[CALIBRATION].digests, self.folders[TEST].digests))

    @property
    def needs_calibration(self) -> bool:
        """Whether a step needs typical inputs."""
        return any(ACTIONS[step.action].calibrates for step in self.steps)

    def set_goal(self, goal: str, limit: float | None) -> None:
        """Set what a search minimizes ("p50", "size"), and how much accuracy may drop."""
        if (goal, limit) == (self.goal, self.limit):
            return
        self.goal, self.limit = goal, limit
        if self.improvement is not None:
            now = msgspec.structs.replace(self.improvement, limit=limit, goal=goal)
            best = search.Goal(goal, limit).best(now)
            self._take(msgspec.structs.replace(now, best=best))
        self.changed.emit()

    # Candidates.

    def use_candidate(self, candidate: Candidate) -> None:
        """Take the steps of a candidate as the recipe."""
        self.use_texts(candidate.steps)

    def use_texts(self, steps: Iterable[str]) -> None:
        """Take steps, as `inspector convert` takes them, as the recipe."""
        self.set_steps(_parsed(steps))

    @property
    def candidate(self) -> Candidate | None:
        """Return the result of running the recipe; None if it did not run."""
        steps = _texts(self.steps)
        if self.improvement is None or not steps:
            return None
        return next((c for c in self.improvement.candidates if c.steps == steps), None)

    @property
    def chosen(self) -> Improvement | None:
        """Return all results, with the recipe's candidate as the best one if it can be used."""
        now, candidate = self.improvement, self.candidate
        if now is None or candidate is None or candidate.problem:
            return now
        return msgspec.structs.replace(now, best=now.candidates.index(candidate))

    def converted(self, candidate: Candidate) -> Path | None:
        """Return the file of a candidate, which is there until the model is closed."""
        folder = self._made.get(candidate.steps)
        path = folder / new_name(self.model.format) if folder is not None else None
        return path if path is not None and files.is_file(path) else None

    def saved_file(self, candidate: Candidate) -> Path | None:
        """Return where the user saved a candidate; None if not, or if the file is gone."""
        path = self._saved.get(candidate.steps)
        return path if path is not None and files.is_file(path) else None

    @property
    def custom_ops(self) -> tuple[str, ...]:
        """Return the libraries with custom operators that were chosen for the model."""
        return self._document.spec.custom_ops

    def _data(self, purpose: str) -> DataSet | None:
        folder = self.folders.get(purpose)
        return folder.data if folder is not None else None

    @property
    def _device(self) -> str:
        return ", ".join(as_one_run(self._document.spec).devices) or "cpu"

    @property
    def keeps_results(self) -> bool:
        """Return whether the next run adds to the results: its inputs and device are theirs.

        A text is compared only once it is read.
        """
        now = self.improvement
        if now is None or not now.candidates or self.reading_folder:
            return True
        same = self.by_text or now.test == self._data(TEST)
        return same and now.device == self._device

    def run(self) -> None:
        """Run the recipe, check the result, and compare it with the original."""
        if self.needs_calibration and CALIBRATION not in self.folders:
            self._ask_for_calibration(tr("Could not run the recipe"))
            return
        steps = self.steps
        self._begin(RUN, lambda _: [steps])

    def search(self) -> None:
        """Try the usual recipes that were not tried yet; `proved` follows each of them.

        If int8 alone does not keep the accuracy, its layers are ranked and the worst ones kept
        in float.
        """
        calibrated = CALIBRATION in self.folders

        def later(clock: SearchClock, latest: Latest) -> Recipes:
            if self.by_text:
                yield from search.refined_weights(latest, self._worst_by_text, clock)
                return
            yield from search.refined_float16(latest, clock)
            if calibrated:
                int8 = search.static_int8(self.model.format)
                yield from search.refined_int8(
                    latest, lambda: self._rank(Step(int8)).worst, clock, int8
                )

        self._begin(SEARCH, lambda bench: bench.usual_recipes(), later)

    def _worst_by_text(self) -> tuple[str, ...]:
        assert self._bench is not None, "asked while it runs"
        return self._bench.worst_layers(search.PACKED_WEIGHTS, self._folder_of_run())

    def _ask_for_calibration(self, what: str) -> None:
        why = tr("a step needs typical inputs to determine value ranges")
        hint = tr("Choose a calibration folder under Test data.")
        self.failed.emit(BadInput(what, why, hint))

    # Which layers a step harms.

    def rank(self, place: int) -> None:
        """Find out which layers a step harms most; `ranked` follows each layer."""
        if self.work:
            return
        if CALIBRATION not in self.folders:
            self._ask_for_calibration(tr("Could not rank the layers"))
            return
        step = self.steps[place]
        self._set_work(RANK)
        self._jobs.start(lambda: self._rank(step, True), lambda _: self._end(), self._fail)

    def _rank(self, step: Step, curve: bool = False) -> Sensitivity:
        """Rank layers on a job's thread. curve: also find out what keeping some gains."""
        folder, calibration = self._folder_of_run(), [*self._calibration()]
        state = Sensitivity(self.path.name, step.action)
        with self._start_engine() as one, self._start_engine() as two:
            self._helpers = (one, two)
            libraries = self.custom_ops
            for state in ranked(
                one, two, self.path, step, folder, calibration, self._tell, libraries
            ):
                if state.curve and not curve:
                    break
                self._emitter.emit(self._layer_came, state)
        self._helpers = ()
        return state

    def _take_ranking(self, state: Sensitivity) -> None:
        self.sensitivity = state
        self.ranked.emit()

    def keep_in_float(self, count: int) -> None:
        """Keep the worst layers in float, in the last step that they were ranked for."""
        known = self.sensitivity
        places = [n for n, s in enumerate(self.steps) if known and s.action == known.action]
        if known is None or not places:
            return
        options = dict(self.steps[places[-1]].options)
        names = [*options.get(_KEEP, "").split("+"), *known.worst[:count]]
        options[_KEEP] = "+".join(dict.fromkeys(filter(None, names)))
        self.replace(places[-1], Step(known.action, tuple(options.items())))

    def cancel(self) -> None:
        """Stop what runs; candidates that are finished stay."""
        self._stopping = True
        if self._bench is not None:
            self._bench.stop()
        for engine in self._helpers:
            engine.kill()

    def save_model(self, candidate: Candidate, target: Path) -> None:
        """Save the model of a candidate; `saved` or `failed` follows.

        It is made again where its files are gone, or where they lie in several files, which
        are named after the target.
        """
        made = self.converted(candidate)
        alone = made is not None and len([*made.parent.iterdir()]) == 1
        steps = _parsed(candidate.steps)
        if self.work:
            return

        def work() -> None:
            if target.resolve() == self.path.resolve():
                what = tr("Could not save {name}").format(name=clip(target.name))
                why = tr("this is the original model")
                raise BadInput(what, why, tr("Choose another name."))
            if alone and made is not None:
                files.write_pieces(target, conversions.pieces(made))
            else:
                self._make_again(steps, target)

        def show(_: None) -> None:
            self._end()
            self.saved_steps = steps
            self._saved[candidate.steps] = target
            self.saved.emit(tr("Saved {name}").format(name=target.name), str(target))

        self._set_work(SAVE)
        self._jobs.start(work, show, self._fail)

    def _make_again(self, steps: Steps, target: Path) -> None:
        what = tr("Could not save {name}").format(name=clip(target.name))
        with files.temporary_folder("inspector-", what) as folder:
            spec = as_one_run(self._document.spec)
            with self._workbench(spec, Path(folder), target.name) as bench:
                self._bench = bench
                try:
                    made = bench.convert(steps, Path(folder))
                finally:
                    self._bench = None
            if made.problem:
                why = tr("the resulting model does not run: {problem}")
                raise BadInput(what, why.format(problem=made.problem))
            conversions.save(made, target)

    def _workbench(
        self, spec: RunSpec, folder: Path, name: str = "", pair_layers: bool = False
    ) -> Workbench:
        """Return what candidates are made and proved on; called on a job's thread."""
        text = None
        if self.by_text:  # which it is judged by, and timed on its usual inputs
            subject = self._inputs.subject()
            tests = [usual_test(subject)]
            text = text_for(self.path, self.model, subject.tokenizer, self.text, whole=True)
        else:
            with self._start_engine() as engine:
                self._helpers = (engine,)
                tests = self._inputs.tests(self.folders.get(TEST), engine)
            self._helpers = ()
        return Workbench(
            self.path,
            self.model,
            tests,
            [*self._calibration()],
            self._inputs.subject().labels.names,
            spec,
            starts=self.starts,
            share=self._tell,
            name=name,
            pair_layers=pair_layers,
            folder=folder,
            text=text,
        )

    def _begin(
        self,
        work: str,
        recipes: Callable[[Workbench], Iterable[Steps]],
        later: Callable[[SearchClock, Latest], Recipes] = lambda *_: iter(()),
    ) -> None:
        """Run recipes on a workbench, in the background; `proved` follows each of them.

        recipes: returns them on the job's thread. later: yields those that depend on results,
        as `search.continue_search` takes it.
        """
        if self.work:
            return
        known, spec = self.improvement, as_one_run(self._document.spec)
        calibration, test = self._data(CALIBRATION), self._data(TEST)
        device = self._device
        limit, goal = self.limit, self.goal

        def job() -> None:
            if self.shared_files:
                why = tr("some files are in both the calibration and the test folder")
                hint = tr(
                    "Use different files; otherwise, the accuracy would look better than it is."
                )
                raise BadInput(tr("Could not run the recipe"), why, hint)
            with self._workbench(spec, self._scratch(), "", work == RUN) as bench:
                self._bench = bench
                try:
                    data = search.text_data(bench) if self.by_text else test
                    same = known is not None and (known.test, known.device) == (data, device)
                    # else accuracies of other inputs, or latencies of another device
                    base = known if same else None
                    # A text is read only here; of folders, the window has asked before.
                    dropped = known is not None and not same and self.by_text
                    notes = (_left_out(known),) if dropped and known is not None else ()
                    clock = SearchClock(0)
                    self._clock = clock if work == SEARCH else None
                    states = search.continue_search(
                        bench,
                        base,
                        search.Goal(goal, limit),
                        (calibration, data),
                        recipes(bench),
                        self._folder_of,
                        clock,
                        work != SEARCH,
                        partial(later, clock),
                    )
                    for state in states:
                        now = msgspec.structs.replace(
                            state,
                            notes=tuple(dict.fromkeys((*state.notes, *notes))),
                            searched=work == SEARCH,
                        )
                        if now.candidates:
                            self._keep(now)
                        self._emitter.emit(self._came, now)
                finally:
                    self._bench = self._clock = None

        self._set_work(work)
        self._jobs.start(job, lambda _: self._end(), self._fail)

    def _calibration(self) -> Iterable[Mapping[str, Fed]]:
        return self._inputs.calibration(self.folders.get(CALIBRATION))

    def _scratch(self) -> Path:
        """Return the folder around those of all runs, made when it is first needed.

        Raises Cancelled after `close`, when nothing would delete it any more.
        """
        with self._closing:
            if self._is_closed:
                raise Cancelled(tr("Stopped"))
            if self._temporary is None:
                what = tr("Could not run the recipe")
                self._temporary = files.temporary_folder("inspector-", what)
            return Path(self._temporary.name)

    def _folder_of(self, steps: Steps, number: int) -> Path:
        """Make the folder of a recipe, whose files go into the subfolder of that number."""
        folder = self._folder_of_run()
        self._made[_texts(steps)] = folder / str(number)
        return folder

    def _folder_of_run(self) -> Path:
        self._runs += 1
        folder = self._scratch() / str(self._runs)
        folder.mkdir()
        return folder

    # Work that is under way.

    def _tell(self, stage: str, share: float) -> None:
        """Report progress from the thread of the job. Raises Cancelled to stop it."""
        if self._stopping:
            raise Cancelled(tr("Stopped"))
        if self._clock is not None:
            self._clock.at(stage, share)
        self._emitter.emit(self._stepped, stage, share)

    def _show_step(self, stage: str, share: float) -> None:
        self.stage, self.share = stage, share
        self.progressed.emit()

    @property
    def progress_text(self) -> str:
        """What runs, its stage and its share, in one line; empty if nothing runs."""
        if not self.work:
            return ""
        place, left = self.place, ""
        known = self.share >= 0 and place is None  # of a search, there is one share of all
        share = f" {units.number(self.share, '.0%')}" if known else ""
        if place is not None and place.seconds_left is not None:
            left = time_left(place.seconds_left, place.at_most)
        stage = f"{stage_text(self.stage)}{share}"
        parts = [tr(self.work), *self.place_texts(), left, stage]
        return " · ".join(filter(None, parts))

    @property
    def place(self) -> SearchPlace | None:
        """Return where a search is; None if none runs, or before it knows its candidates."""
        clock = self._clock
        return clock.place if clock is not None else None

    def place_texts(self) -> tuple[str, ...]:
        """Return the candidate of a search that is at work, as texts."""
        place = self.place
        if place is None or not place.number:
            return ()
        text = (
            tr("candidate {number} of up to {total}: {name}")
            if place.at_most
            else tr("candidate {number} of {total}: {name}")
        )
        name = place.name or tr("done")
        return (text.format(number=place.number, total=place.total, name=name),)

    def _set_work(self, work: str) -> None:
        self.work, self.stage, self.share, self._stopping = work, "", -1.0, False
        self.worked.emit()

    def _end(self) -> None:
        searched = self.work == SEARCH
        self._set_work("")
        now = self.improvement
        if searched and not self.steps and now is not None and now.best >= 0:
            self.use_candidate(now.candidates[now.best])  # so that its verdict is in view
        self.changed.emit()

    def _fail(self, error: InspectorError) -> None:
        self._end()
        if not isinstance(error, Cancelled):
            self.failed.emit(error)

    def _take(self, now: Improvement) -> None:
        self.improvement, self.made_by = now, now.made_by
        self.proved.emit()

    # What lasts.

    def _use(self, steps: Steps) -> None:
        super()._use(steps)
        if self.improvement is not None and self.improvement.candidates:
            self._keep(self.improvement)

    def _keep(self, now: Improvement) -> None:
        """Save it in the library; a disk that takes nothing is no reason to stop."""
        place, now = self._place(), msgspec.structs.replace(now, recipe=_texts(self.steps))
        if place is not None:
            with suppress(InspectorError, OSError):
                place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                files.write_atomic(place, improvements.to_json(now))

    def restore(self) -> None:
        """Take up what was proved of this model before, and the recipe that stood here."""
        place = self._place()
        if self.improvement is not None or self.steps or place is None:
            return
        try:
            known = improvements.load(place)
        except UnreadableFile:  # never saved, or by another version
            return
        if known.sha256 != self._document.digest or not known.candidates:
            return
        self.improvement, self.limit, self.goal = _renamed(known), known.limit, known.goal
        with suppress(BadInput):  # of a later version
            self.steps = _parsed(known.recipe)
        for purpose, data in ((CALIBRATION, known.calibration), (TEST, known.test)):
            if data is not None and files.is_folder(Path(data.folder)):
                self.use_folder(purpose, Path(data.folder))
        self.proved.emit()
        self.changed.emit()

    def _place(self) -> Path | None:
        library, digest = self._document.autosave.library, self._document.digest
        return library.folder / _FOLDER / f"{digest[:32]}.json" if library and digest else None

    def close(self) -> None:
        """Stop what is under way and drop the files of candidates; no signal comes any more."""
        self.cancel()
        super().close()
        with self._closing:
            self._is_closed, folder, self._temporary = True, self._temporary, None
        if folder is not None:
            self._jobs.start(folder.cleanup, lambda _: None, lambda _: None)


def _parsed(texts: Iterable[str]) -> Steps:
    return tuple(actions.parse_step(text, ACTIONS) for text in texts)


def _renamed(known: Improvement) -> Improvement:
    """Return it with the present names of the actions, which may have had others."""
    named = list[Candidate]()
    for each in known.candidates:
        name = each.name
        with suppress(BadInput):
            name = recipe_name(_parsed(each.steps))
        named.append(msgspec.structs.replace(each, name=name))
    return msgspec.structs.replace(known, candidates=tuple(named))


def _left_out(known: Improvement) -> str:
    """Return that earlier candidates are gone from the list, and why."""
    return Sentence(
        "{count} tested before, with {name} on {device}, left the list: results with other "
        "test data or on another device cannot be compared.",
        Count(len(known.candidates), "candidate"),
        Name(clip(known.test.name, 60)) if known.test is not None else Sentence("usual inputs"),
        known.device,
    )


def _texts(steps: Steps) -> tuple[str, ...]:
    return tuple(step.text for step in steps)
