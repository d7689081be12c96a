"""The recipe of one document, what each action would do to its model, and what was proved."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
from PySide6.QtCore import QObject, Signal

from inspector.conversion import action as actions
from inspector.conversion.action import Effect, Recipe, Step
from inspector.conversion.registry import ACTIONS
from inspector.errors import BadInput, Cancelled, InspectorError, UnreadableFile
from inspector.formats import opening
from inspector.platform import files
from inspector.preview.inputs import feeds as inputs
from inspector.preview.inputs.image import ImageOptions
from inspector.preview.outputs import labels as labels_module
from inspector.preview.preprocessing import saved
from inspector.preview.preprocessing.recipe import ImagePreprocessing
from inspector.preview.runs import folder as folders
from inspector.report import improvement as improvements
from inspector.report.improvement import Candidate, DataSet, Improvement
from inspector.ui.background import SafeEmitter, TaskRunner
from inspector.ui.translate import mark, tr
from inspector.units import clip

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

    from inspector.engine.client.engine_process import EngineProcess
    from inspector.model.model import Model
    from inspector.report.run_spec import RunSpec
    from inspector.sweep.improvement import TestInput, Workbench
    from inspector.tensors.element_types import Fed
    from inspector.ui.documents.autosave import Autosave
    from inspector.ui.documents.session_files import InputPlace

Steps = tuple[Step, ...]
CALIBRATION, TEST = "calibration", "test"  # what a folder is for
RUN, SEARCH, SAVE = mark("Running the recipe"), mark("Searching"), mark("Saving the model")
_MOST_CALIBRATION = 500  # inputs; ranges hardly change beyond
_CALIBRATION_BYTES = 512 << 20  # of all calibration inputs, which are in memory together
_CHECKED_INPUTS = 4  # with which a model that is saved is run at each level
_CONVERTED = "model.onnx"  # the name of a candidate in its own folder
_FOLDER = "improvements"  # in the library
_PIECE_BYTES = 4 << 20


class Host(Protocol):
    """What the recipe needs of its document."""

    spec: "RunSpec"
    feeds: "dict[str, Fed]"
    inputs: "tuple[InputPlace, ...]"
    class_names: "labels_module.ClassNames | None"
    digest: str
    autosave: "Autosave"


@dataclass(frozen=True, slots=True)
class InputFolder:
    """A folder of inputs: its files, their true classes, and the SHA-256 of each.

    truth: where true classes come from, as `folders.truth` takes it.
    """

    path: Path
    files: tuple[Path, ...]
    truth: str = ""
    classes: Mapping[Path, str] = field(default_factory=dict)
    digests: Mapping[Path, str] = field(default_factory=dict)

    @property
    def data(self) -> DataSet:
        """Return what a report says of it."""
        whole = sha256("".join(sorted(self.digests.values())).encode()).hexdigest()
        return DataSet(str(self.path), len(self.files), whole, len(self.classes))


class Improving(QObject):
    """The recipe and its candidates; views wait for the signals.

    steps: the recipe. improvement: None until something was run. work: RUN, SEARCH or SAVE, ""
    when nothing runs. stage, share: of the work, share is below 0 if it is not known.

    Actions are checked in an engine of their own, and recipes run in others, so that nobody is
    kept from predicting. All that was proved goes into the library after each candidate, and is
    there again when the model is opened next.
    """

    changed = Signal()  # recipe, effects, folders or goal
    worked = Signal()  # work begins or ends
    progressed = Signal()
    proved = Signal()  # improvement
    failed = Signal(object)  # InspectorError
    saved = Signal(str, str)  # a sentence, and the path of the file
    _came = Signal(object)  # Improvement
    _stepped = Signal(str, float)

    def __init__(
        self,
        document: Host,
        path: Path,
        model: "Model",
        start_engine: "Callable[[], EngineProcess]",
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self.model, self.path, self._document = model, path, document
        self.steps: Steps = ()
        self.folders: dict[str, InputFolder] = {}
        self.reading_folder = ""  # CALIBRATION or TEST while one is read
        self.limit: float | None = 0.01
        self.goal = "p50"
        self.starts: int | None = None  # pairs of processes behind a latency; None: as usual
        self.improvement: Improvement | None = None
        self.work, self.stage, self.share = "", "", -1.0
        self.check_error: InspectorError | None = None
        self._past: list[Steps] = []
        self._future: list[Steps] = []
        self._effects: dict[Steps, Effect] = {}  # of the last step, after those before it
        self._offers: dict[Steps, dict[str, Effect]] = {}
        self._checking = False
        self._made: dict[tuple[str, ...], Path] = {}  # folder of each candidate's files
        self._temporary: TemporaryDirectory[str] | None = None
        self._runs = 0
        self._start_engine = start_engine
        self._checker: EngineProcess | None = None
        self._bench: Workbench | None = None
        self._helper: EngineProcess | None = None  # that runs samples, or saves
        self._stopping, self._closed = False, False
        self._jobs = TaskRunner(self)
        self._emitter = emitter = SafeEmitter()
        self.destroyed.connect(emitter.close)
        self._came.connect(self._take)
        self._stepped.connect(self._show_step)
        self.restore()

    # The recipe.

    @property
    def can_undo(self) -> bool:
        """Whether there was another recipe before."""
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        """Whether a change of the recipe was undone."""
        return bool(self._future)

    def set_steps(self, steps: Sequence[Step]) -> None:
        """Take another recipe; it can be undone."""
        if tuple(steps) != self.steps and not self.work:
            self._past.append(self.steps)
            self._future.clear()
            self._use(tuple(steps))

    def add(self, step: Step) -> None:
        """Add a step at the end."""
        self.set_steps((*self.steps, step))

    def remove(self, place: int) -> None:
        """Remove a step."""
        self.set_steps((*self.steps[:place], *self.steps[place + 1 :]))

    def replace(self, place: int, step: Step) -> None:
        """Put another step in the place of one, for other options."""
        self.set_steps((*self.steps[:place], step, *self.steps[place + 1 :]))

    def move(self, place: int, to: int) -> None:
        """Move a step to another place."""
        rest = [*self.steps[:place], *self.steps[place + 1 :]]
        rest.insert(max(0, min(to, len(rest))), self.steps[place])
        self.set_steps(rest)

    def undo(self) -> None:
        """Return to the recipe before the last change."""
        if self._past and not self.work:
            self._future.append(self.steps)
            self._use(self._past.pop())

    def redo(self) -> None:
        """Make the change again that was undone last."""
        if self._future and not self.work:
            self._past.append(self.steps)
            self._use(self._future.pop())

    def use_candidate(self, candidate: Candidate) -> None:
        """Take the steps of a candidate as the recipe."""
        self.set_steps(_parsed(candidate.steps))

    def load_recipe(self, path: Path) -> None:
        """Take a saved recipe; `failed` follows if it cannot be read."""
        try:
            self.set_steps(actions.load_recipe(path, ACTIONS).steps)
        except InspectorError as error:
            self.failed.emit(error)

    def save_recipe(self, path: Path) -> None:
        """Save the recipe; `saved` or `failed` follows."""
        made_by = self.improvement.made_by if self.improvement is not None else ()
        try:
            actions.save_recipe(Recipe(self.steps, made_by=made_by), path)
        except InspectorError as error:
            self.failed.emit(error)
        else:
            self.saved.emit(tr("Saved {name}").format(name=path.name), str(path))

    def _use(self, steps: Steps) -> None:
        self.steps = steps
        self.changed.emit()
        self.check()

    # What actions would do.

    def effect(self, place: int) -> Effect | None:
        """Return what a step of the recipe does; None while that is being found out."""
        return self._effects.get(self.steps[: place + 1])

    @property
    def offers(self) -> Mapping[str, Effect]:
        """What each action would do after the recipe, by id; empty while it is found out."""
        return self._offers.get(self.steps, {})

    @property
    def checking(self) -> bool:
        """Whether effects of actions are being found out."""
        return self._checking

    def check(self) -> None:
        """Find out what the steps do, and what each action would; `changed` follows."""
        steps = self.steps
        if self._checking or (steps in self._offers and self._all_known(steps)):
            return
        self._checking, self.check_error = True, None
        effects, offers = dict(self._effects), dict(self._offers)

        def work() -> None:
            possible: Steps = ()  # without those that are refused, which would refuse the rest
            if not steps:
                offers[()] = self._offered(())
            for n, step in enumerate(steps):
                here = steps[: n + 1]
                effect = effects.get(here) or self._effects_of(possible, (step,))[0]
                if not effect.refused and here not in offers:
                    try:
                        offers[here] = self._offered((*possible, step))
                    except Cancelled:
                        raise
                    except InspectorError as error:  # it fails only when it is done
                        effect = Effect(refused=error.why or error.what, hint=error.hint)
                effects[here] = effect
                if effect.refused:
                    offers[here] = offers.get(steps[:n]) or self._offered(possible)
                else:
                    possible += (step,)

        def show(_: None) -> None:
            self._checking = False
            self._effects |= effects
            self._offers |= offers
            self.changed.emit()
            self.check()  # the recipe may be another one by now

        def fail(error: InspectorError) -> None:
            self._checking = False
            if self.steps != steps:
                self.check()
            elif not isinstance(error, Cancelled):
                self.check_error = error
                self.changed.emit()

        self._jobs.start(work, show, fail)

    def _all_known(self, steps: Steps) -> bool:
        return all(steps[: n + 1] in self._effects for n in range(len(steps)))

    def _offered(self, steps: Steps) -> dict[str, Effect]:
        effects = self._effects_of(steps, [Step(name) for name in ACTIONS])
        offered = dict(zip(ACTIONS, effects, strict=True))
        # A step that calibrates is not applied to find out what others would do after it.
        for step in steps:
            if ACTIONS[step.action].calibrates:
                offered[step.action] = Effect(nothing=tr("it is in the recipe already"))
        return offered

    def check_step(
        self, place: int, step: Step, then: Callable[[Effect | InspectorError], None]
    ) -> None:
        """Find out what a step would do at a place of the recipe."""
        before = self.steps[:place]
        self._jobs.start(lambda: self._effects_of(before, (step,))[0], then, then)

    def _effects_of(self, steps: Steps, others: Sequence[Step]) -> tuple[Effect, ...]:
        if self._closed:
            raise Cancelled(tr("Stopped"))
        if self._checker is None:
            self._checker = self._start_engine()
        try:
            return self._checker.effects(self.path, steps, others)
        finally:
            if self._closed:  # meanwhile: nobody else ends it
                self._checker.close()

    # The inputs that candidates are calibrated and tested with.

    def use_folder(self, purpose: str, path: Path | None, truth: str = "") -> None:
        """Use a folder for CALIBRATION or TEST, or none; `changed` or `failed` follows.

        truth: where true classes come from, see `folders.truth`.
        """
        if path is None:
            self.folders.pop(purpose, None)
            self.changed.emit()
            return
        self.reading_folder = purpose
        names = self._labels()

        def read() -> InputFolder:
            info = folders.input_for(self.model.inputs, ())
            paths = folders.files_in(path, info)
            classes: Mapping[Path, str] = {}
            if purpose == TEST:
                classes = folders.truth(truth, path, paths, names())
            else:
                paths = paths[:_MOST_CALIBRATION]
            digests = {each: opening.digest(each) for each in paths}
            return InputFolder(path, paths, truth, classes, digests)

        def show(made: InputFolder) -> None:
            self.reading_folder = ""
            self.folders[purpose] = made
            self.changed.emit()

        def fail(error: InspectorError) -> None:
            self.reading_folder = ""
            self.changed.emit()
            self.failed.emit(error)

        self._jobs.start(read, show, fail)
        self.changed.emit()

    @property
    def shared_files(self) -> int:
        """How many files are in both folders, by their content."""
        if len(self.folders) < len((CALIBRATION, TEST)):
            return 0
        known = {*self.folders[CALIBRATION].digests.values()}
        return sum(digest in known for digest in self.folders[TEST].digests.values())

    @property
    def needs_calibration(self) -> bool:
        """Whether a step needs typical inputs."""
        return any(ACTIONS[step.action].calibrates for step in self.steps)

    def set_goal(self, goal: str, limit: float | None) -> None:
        """Say what a search makes lowest ("p50", "size"), and how much accuracy may drop."""
        if (goal, limit) == (self.goal, self.limit):
            return
        self.goal, self.limit = goal, limit
        if self.improvement is not None:
            self._take(self._with_best(self.improvement))
        self.changed.emit()

    # Candidates.

    @property
    def candidate(self) -> Candidate | None:
        """What the recipe came to when it was run; None if it was not."""
        return self._run_before(tuple(step.text for step in self.steps))

    def converted(self, candidate: Candidate) -> Path | None:
        """Return the file of a candidate, which is there until the model is closed."""
        folder = self._made.get(candidate.steps)
        path = folder / _CONVERTED if folder is not None else None
        return path if path is not None and files.is_file(path) else None

    def run(self) -> None:
        """Run the recipe, check the result, and compare it with the original."""
        if self.needs_calibration and CALIBRATION not in self.folders:
            what = tr("Could not run the recipe")
            why = tr("a step needs typical inputs to find the ranges of values")
            hint = tr("Choose a calibration folder under Test data.")
            self.failed.emit(BadInput(what, why, hint))
            return
        name = ", ".join(ACTIONS[step.action].title for step in self.steps)
        self._begin(RUN, lambda _: [(name, self.steps)])

    def search(self) -> None:
        """Try the usual recipes; `proved` follows each of them."""
        effects = dict(self._offers.get((), {}))
        calibrated = CALIBRATION in self.folders

        def recipes(bench: "Workbench") -> Sequence[tuple[str, Steps]]:
            from inspector.sweep.improvement import usual_recipes

            applicable = {name: effect.applicable for name, effect in effects.items()}
            if not effects:
                applicable = dict(bench.applicable())
            usual = [
                (name, steps)
                for name, steps in usual_recipes(applicable)
                if calibrated or not any(ACTIONS[step.action].calibrates for step in steps)
            ]
            if not usual:
                what = tr("Could not search for a recipe")
                why = tr("none of the usual actions has anything to do for this model")
                raise BadInput(what, why)
            return usual

        self._begin(SEARCH, recipes)

    def cancel(self) -> None:
        """Stop what runs; candidates that are finished stay."""
        self._stopping = True
        if self._bench is not None:
            self._bench.stop()
        if self._helper is not None:
            self._helper.kill()

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
                files.write_pieces(target, _pieces(made))
            else:
                self._make_again(steps, target)

        def show(_: None) -> None:
            self._end()
            self.saved.emit(tr("Saved {name}").format(name=target.name), str(target))

        self._set_work(SAVE)
        self._jobs.start(work, show, self._fail)

    def _make_again(self, steps: Steps, target: Path) -> None:
        from inspector.sweep import conversion as conversions

        what = tr("Could not save {name}").format(name=clip(target.name))
        with (
            files.temporary_folder("inspector-", what) as folder,
            self._start_engine() as engine,
        ):
            self._helper = engine
            try:
                tests = [test.load() for test in self._tests(engine)[:_CHECKED_INPUTS]]
                made = conversions.convert(
                    engine,
                    self.path,
                    steps,
                    Path(folder),
                    self._calibration(),
                    self._tell,
                    target.name,
                )
                made = conversions.checked(engine, made, tests, self._document.spec, self._tell)
                if made.problem:
                    why = tr("the result does not run: {problem}")
                    raise BadInput(what, why.format(problem=made.problem))
                conversions.save(made, target)
            finally:
                self._helper = None

    def _begin(
        self, work: str, recipes: "Callable[[Workbench], Sequence[tuple[str, Steps]]]"
    ) -> None:
        """Run recipes on a workbench, in the background; `proved` follows each of them."""
        if self.work:
            return
        base, spec = self.improvement, self._document.spec
        chosen = {purpose: each.data for purpose, each in self.folders.items()}
        calibration, test = chosen.get(CALIBRATION), chosen.get(TEST)
        device = ", ".join(spec.devices) or "cpu"
        if base is not None and (base.test, base.device) != (test, device):
            base = None  # accuracies of other inputs, or latencies of another device
        names, limit, goal = self._labels(), self.limit, self.goal

        def job() -> None:
            from inspector.sweep import improvement as proofs

            self._refuse_shared()
            folder = self._folder_of_run()
            with self._start_engine() as self._helper:
                tests = self._tests(self._helper)
            self._helper = None
            wanted = proofs.Goal(goal, limit)
            starts = proofs.STARTS if self.starts is None else self.starts
            with proofs.Workbench(
                self.path,
                self.model,
                tests,
                [*self._calibration()],
                names(),
                spec,
                starts=starts,
                share=self._tell,
            ) as bench:
                self._bench = bench
                try:
                    now = base or proofs.start(bench, wanted, calibration, test)
                    if base is None:
                        self._emitter.emit(self._came, now)
                    planned = recipes(bench)
                    now = _without(now, [steps for _, steps in planned], calibration)
                    for state in proofs.search(bench, now, wanted, planned, folder):
                        last = state.candidates[-1]
                        self._made[last.steps] = folder / str(len(state.candidates) - 1)
                        self._keep(state)
                        self._emitter.emit(self._came, state)
                finally:
                    self._bench = None

        self._set_work(work)
        self._jobs.start(job, lambda _: self._end(), self._fail)

    def _refuse_shared(self) -> None:
        if self.shared_files:
            raise BadInput(
                tr("Could not run the recipe"),
                tr("some files are in both the calibration and the test folder"),
                tr(
                    "Use different files; otherwise, the accuracy would look better than it is."
                ),
            )

    def _folder_of_run(self) -> Path:
        if self._temporary is None:
            what = tr("Could not run the recipe")
            self._temporary = files.temporary_folder("inspector-", what)
        self._runs += 1
        folder = Path(self._temporary.name) / str(self._runs)
        folder.mkdir()
        return folder

    def _tests(self, engine: "EngineProcess") -> "list[TestInput]":
        """Return the inputs of the test folder; without one, the present input of Preview."""
        from inspector.sweep.improvement import TestInput

        held = self.folders.get(TEST)
        if held is None:
            sample = self._sample(engine)
            return [TestInput(tr("present input"), lambda: sample)]
        return [
            TestInput(
                folders.relative_path(held.path, path),
                partial(self._feeds_of, path),
                held.classes.get(path, ""),
            )
            for path in held.files
        ]

    def _sample(self, engine: "EngineProcess") -> "Mapping[str, Fed]":
        """Return the present inputs, and defaults for the rest with lengths that run."""
        from inspector.sweep.subjects import LengthGuesses

        spec, given = self._document.spec, dict(self._document.feeds)
        lengths = {each.name: each.size for each in spec.dimensions}

        def work(guessed: Mapping[str, int]) -> "dict[str, Fed]":
            chosen = inputs.defaults(self.model.inputs, {**guessed, **lengths})
            values = inputs.feeds_by_name(chosen) | given
            engine.predict(self.path, spec, values)
            return values

        return LengthGuesses(engine).run(self.path, self.model, spec, {}, work)

    def _calibration(self) -> "Iterable[Mapping[str, Fed]]":
        """Yield inputs of the calibration folder, as many as memory should hold."""
        held, taken = self.folders.get(CALIBRATION), 0
        for path in held.files if held is not None else ():
            values = self._feeds_of(path)
            taken += sum(getattr(value, "nbytes", 0) for value in values.values())
            if taken > _CALIBRATION_BYTES:
                return
            yield values

    def _feeds_of(self, path: Path) -> "Mapping[str, Fed]":
        """Return the inputs made of one file, prepared as Preview prepares them."""
        if self._stopping:
            raise Cancelled(tr("Stopped"))
        kept = saved.load(self.path, self.model.metadata)
        pictures = dict(kept.pictures)
        for place in self._document.inputs:
            if place.kind == "picture" and place.settings:
                with suppress(msgspec.MsgspecError, InspectorError):
                    pictures[place.name] = msgspec.json.decode(
                        place.settings, type=ImagePreprocessing
                    )
        image = replace(ImageOptions.of(self.model), saved=tuple(pictures.items()))
        name = folders.input_for(self.model.inputs, ()).name
        lengths = {**kept.dimensions}
        lengths |= {each.name: each.size for each in self._document.spec.dimensions}
        filled = inputs.fill_all(self.model.inputs, {name: str(path)}, lengths, image)
        return inputs.feeds_by_name(filled)

    def _labels(self) -> Callable[[], Sequence[str]]:
        """Return what reads the names of classes: those chosen, the model's, or that fit."""
        chosen, path, model = self._document.class_names, self.path, self.model

        def read() -> Sequence[str]:
            from inspector.preview.identity import assumed_labels

            if chosen is not None:
                return chosen.names
            known = labels_module.from_metadata(model.metadata)
            known = known or tuple(saved.load(path, model.metadata).labels)
            assumed = None if known else assumed_labels(model)
            return known or (assumed.read() if assumed is not None else ())

        return read

    # Work that is under way.

    def _tell(self, stage: str, share: float) -> None:
        """Say how the work comes along, on its thread. Raises Cancelled: it is to stop."""
        if self._stopping:
            raise Cancelled(tr("Stopped"))
        self._emitter.emit(self._stepped, stage, share)

    def _show_step(self, stage: str, share: float) -> None:
        self.stage, self.share = stage, share
        self.progressed.emit()

    def _set_work(self, work: str) -> None:
        self.work, self.stage, self.share, self._stopping = work, "", -1.0, False
        self.worked.emit()

    def _end(self) -> None:
        self._set_work("")
        self.changed.emit()

    def _fail(self, error: InspectorError) -> None:
        self._end()
        if not isinstance(error, Cancelled):
            self.failed.emit(error)

    def _take(self, now: Improvement) -> None:
        self.improvement = now
        self.proved.emit()

    def _run_before(self, steps: tuple[str, ...]) -> Candidate | None:
        if self.improvement is None or not steps:
            return None
        return next((c for c in self.improvement.candidates if c.steps == steps), None)

    def _with_best(self, now: Improvement) -> Improvement:
        from inspector.sweep.improvement import Goal

        now = msgspec.structs.replace(now, limit=self.limit)
        return msgspec.structs.replace(now, best=Goal(self.goal, self.limit).best(now))

    # What lasts.

    def _keep(self, now: Improvement) -> None:
        """Save it in the library; a disk that takes nothing is no reason to stop."""
        place = self._place()
        if place is not None:
            with suppress(InspectorError, OSError):
                place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                files.write_atomic(place, improvements.to_json(now))

    def restore(self) -> None:
        """Take up what was proved of this model before, and the recipe it ended with."""
        place = self._place()
        if self.improvement is not None or self.steps or place is None:
            return
        try:
            known = improvements.load(place)
        except UnreadableFile:  # never saved, or by another version
            return
        if known.sha256 != self._document.digest or not known.candidates:
            return
        self.improvement, self.limit = known, known.limit
        with suppress(BadInput):
            self.steps = _parsed(known.candidates[known.best].steps)
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
        self._jobs.discard_results()
        self._closed = True
        self.cancel()
        if self._checker is not None:
            self._checker.close()
        if self._temporary is not None:
            folder, self._temporary = self._temporary, None
            self._jobs.start(partial(_cleaned, folder), _nothing, _nothing)


def _nothing(_: Any) -> None:
    """Take no notice."""


def _cleaned(folder: "TemporaryDirectory[str]") -> None:
    folder.cleanup()


def _parsed(texts: Iterable[str]) -> Steps:
    return tuple(actions.parse_step(text, ACTIONS) for text in texts)


def _without(
    now: Improvement, recipes: Sequence[Steps], calibration: DataSet | None
) -> Improvement:
    """Drop the candidates that are about to be made again."""
    again = {tuple(step.text for step in steps) for steps in recipes}
    others = tuple(each for each in now.candidates if each.steps not in again)
    return msgspec.structs.replace(now, candidates=others, best=-1, calibration=calibration)


def _pieces(path: Path) -> Iterable[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_PIECE_BYTES):
            yield piece
