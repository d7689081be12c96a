"""An edit session: edits of a model as values, previewed, applied, checked, undone and saved.

The file on disk never changes. The edits are the steps of a recipe, so that `convert` makes the
same model of them; an engine process applies them to a model in memory and keeps each state.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from itertools import count
from pathlib import Path
from threading import Lock, Timer
from time import monotonic
from typing import Any

from msgspec import Struct, field, structs
from numpy.typing import NDArray

from inspector.app.changing.calibration import usual_values
from inspector.app.changing.conversion import files_of, save
from inspector.app.subjects import Subject
from inspector.conversion.action import Effect, Step, check_recipe
from inspector.conversion.edits.changes import Change, LayerMark
from inspector.conversion.edits.choices import bypass
from inspector.conversion.edits.descriptions import described, summary
from inspector.conversion.registry import ACTIONS
from inspector.conversion.result import Conversion
from inspector.engine.client.engine import Engine
from inspector.engine.requests import EditModel, Load, Predict, PreviewEdits
from inspector.errors import BadInput, Cancelled, EngineFailed, InspectorError
from inspector.formats import opening
from inspector.model.axes import free_axes
from inspector.model.model import Model
from inspector.platform import files
from inspector.preview.inputs.npy_files import read_npy
from inspector.report.run_spec import RunSpec
from inspector.units import clip
from inspector.wording.values import Name, Sentence

# How long a check of an edit may run the model: a user waits for it after each edit.
CHECK_SECONDS = 10.0
SEARCH_SECONDS = 3.0  # of that, for lengths of axes with which a model may run
Array = NDArray[Any]
Steps = tuple[Step, ...]


class EditState(StrEnum):
    """What is known of an edited model."""

    UNEDITED = "unedited"
    CHECKING = "checking"
    RUNS = "loads and runs"
    LOADS = "loads; run not checked"  # it takes longer than CHECK_SECONDS
    STOPS = "loads but does not run"
    FAILS = "does not load"
    UNCHECKED = "not checked"


class Verdict(Struct, frozen=True):
    """Whether an edited model loads and runs.

    layer: index of the layer of the edited model that fails; None where none is named. why: of
    a failure, with a hint. before: whether the model that was opened fails likewise, so that no
    edit is to blame. seconds: what the check took.
    """

    state: EditState
    layer: int | None = None
    why: str = ""
    hint: str = ""
    before: bool = False
    seconds: float = 0.0

    @property
    def good(self) -> bool:
        """Return whether nothing speaks against the model."""
        return self.state not in (EditState.STOPS, EditState.FAILS)


UNEDITED = Verdict(EditState.UNEDITED)


class Preview(Change, frozen=True, kw_only=True):
    """What an edit would do; layers are named by their indices in the model.

    title, detail: the edit. summary: what it would leave and add; "" for nothing to say.
    """

    step: Step
    title: str = ""
    detail: str = ""
    summary: str = ""


class EditHistory(Struct, frozen=True):
    """A list of edits, with the lists that came before it and those that were undone."""

    steps: Steps = ()
    past: tuple[Steps, ...] = ()
    future: tuple[Steps, ...] = ()

    def changed_to(self, steps: Sequence[Step]) -> "EditHistory":
        """Return it with another list of edits; what was undone is forgotten."""
        return EditHistory(tuple(steps), (*self.past, self.steps))

    def undone(self) -> "EditHistory":
        """Return it with the list of edits before the last change, if there was one."""
        if not self.past:
            return self
        return EditHistory(self.past[-1], self.past[:-1], (*self.future, self.steps))

    def redone(self) -> "EditHistory":
        """Return it with the list of edits that was undone last, if there is one."""
        if not self.future:
            return self
        return EditHistory(self.future[-1], (*self.past, self.steps), self.future[:-1])


class EditedFiles(Struct, frozen=True):
    """A model after some edits, in files of its own.

    steps: those edits. path: of the model. renamed: inputs and outputs with other names than
    the original's: (new name, old name). marks: of layers, by their indices in the model.
    """

    steps: Steps
    path: Path
    files: tuple[str, ...]
    effects: tuple[Effect, ...]
    model: Model
    renamed: tuple[tuple[str, str], ...] = ()
    marks: Mapping[int, LayerMark] = field(default_factory=dict)


class EditSession:
    """The edits of a model, with undo; each method blocks, on any one thread at a time.

    folder: for the edited model, empty. Arrays of files that edits name are read once, so that
    redoing an edit gives the same bytes.
    """

    def __init__(self, path: Path, start_engine: Callable[[], Engine], folder: Path) -> None:
        opening.expect_onnx(path, Sentence("Could not edit {name}", Name(clip(path.name))))
        self.path, self._folder = path, folder
        self._editor, self._checker = start_engine(), start_engine()
        self._editing, self._checking = Lock(), Lock()
        self._late = False  # the check takes longer than CHECK_SECONDS
        self._arrays: dict[str, Array] = {}
        self._numbers = count(1)
        self._first: Verdict | None = None  # of the model as it was opened
        self._lengths: Mapping[str, int] = {}  # of free axes, with which that runs

    def close(self) -> None:
        """End the engines."""
        self._editor.close()
        self._checker.close()

    def stop_check(self) -> None:
        """Let the check that is under way raise Cancelled, from any thread."""
        self._checker.kill()

    def prepare(self) -> None:
        """Read the model and write its large weights, so that the first edit is quick.

        Raises InspectorError.
        """
        made = self.apply(())
        self.discard(made)
        top = _top(made.model)
        if top:  # which infers types once
            self.previews((), made.model, (bypass(made.model, top[0]),))

    def previews(
        self, steps: Sequence[Step], model: Model, others: Sequence[Step]
    ) -> tuple[Preview, ...]:
        """Return what each of other edits would do after some. Raises InspectorError.

        model: after `steps`; layers are named by their indices in it.
        """
        unreadable = dict[Step, Change]()
        for step in others:
            try:
                self._read((step,))
            except InspectorError as error:
                unreadable[step] = Change(error.why or error.what, error.hint)
        asked = tuple(step for step in others if step not in unreadable)
        feeds = self._feeds((*steps, *asked))
        with self._editing:
            changes = self._editor.call(PreviewEdits(self.path, tuple(steps), asked, feeds))
        done = {**unreadable, **dict(zip(asked, changes, strict=True))}
        return tuple(_preview(step, done[step], model) for step in others)

    def apply(self, steps: Sequence[Step], target: Path | None = None) -> EditedFiles:
        """Bring the model into the state after some edits, in files of its own.

        An edit that cannot be done is left out: its effect says why. target: for the model,
        which its other files are named after. Raises InspectorError.
        """
        check_recipe(steps, ACTIONS)
        self._read(steps)
        # One folder, which the process that checks may read as long as it lives.
        path = target or self._folder / f"{next(self._numbers)}-{self.path.name}"
        weights = "" if target else f"{path.name}.weights"
        place = path.parent, path.name
        request = EditModel(self.path, tuple(steps), *place, self._feeds(steps), weights)
        with self._editing:
            edited = self._editor.call(request)
        model = opening.open_model(path)
        top = _top(model)
        marks = {top[mark.number]: mark for mark in edited.marks}
        rest = edited.files, edited.effects, model, edited.renamed, marks
        return EditedFiles(tuple(steps), path, *rest)

    def discard(self, edited: EditedFiles) -> None:
        """Remove the model of a state that nobody shows any more; others share its weights."""
        edited.path.unlink(missing_ok=True)

    def applied(self, steps: Sequence[Step], step: Step) -> EditedFiles:
        """Add an edit to others. Raises BadInput: it cannot be done, or changes nothing."""
        edited = self.apply((*steps, step))
        effect = edited.effects[-1]
        if effect.applicable:
            return edited
        needs = f"the action needs {effect.needs}" if effect.needs else ""
        what = Sentence("Could not edit {name}", Name(clip(self.path.name)))
        raise BadInput(what, effect.refused or effect.nothing or needs, effect.hint)

    def without(self, steps: Sequence[Step], place: int) -> EditedFiles:
        """Take one edit away, with later ones that cannot be done without it.

        Raises InspectorError.
        """
        made = self.apply((*steps[:place], *steps[place + 1 :]))
        if all(effect.applicable for effect in made.effects[place:]):
            return made
        self.discard(made)
        gone = {place, *_impossible(made, place)}
        return self.apply([step for n, step in enumerate(steps) if n not in gone])

    def dependents(self, steps: Sequence[Step], place: int) -> tuple[int, ...]:
        """Return the places of later edits that cannot be done without an edit.

        Raises InspectorError.
        """
        made = self.apply((*steps[:place], *steps[place + 1 :]))
        self.discard(made)
        return _impossible(made, place)

    def check(self, edited: EditedFiles, spec: RunSpec | None = None) -> Verdict:
        """Load the model and run it once on usual inputs, within CHECK_SECONDS.

        spec: settings, such as libraries with custom operators. Raises Cancelled.
        """
        spec = spec or RunSpec()
        with self._checking:
            verdict = self._checked(edited.path, edited.model, spec, self._run_as_before)
            if verdict.good or not edited.steps:
                return verdict
            first = self._original(spec)
        before = first.state in (EditState.FAILS, verdict.state)
        return structs.replace(verdict, before=before)

    def _original(self, spec: RunSpec) -> Verdict:
        """Return whether the model loads and runs as it was opened."""

        def run(subject: Subject) -> None:
            ran = usual_values(self._checker, subject)
            self._lengths = ran.guessed

        if self._first is None:
            self._first = self._checked(self.path, opening.open_model(self.path), spec, run)
        return self._first

    def _run_as_before(self, subject: Subject) -> None:
        """Run an edited model; where it fails, with the lengths that the original runs with.

        Where the edits changed the axes, others are tried for SEARCH_SECONDS.
        """
        try:
            self._predict(subject)
            return
        except Cancelled:
            raise
        except InspectorError as error:
            failure = error
        changed = free_axes(opening.open_model(self.path).inputs) != free_axes(subject.inputs)
        if not changed and self._original(subject.spec).good and self._lengths:
            self._predict(subject.with_lengths(self._lengths))
            return
        if changed and self._runs_with_other_lengths(subject):
            return
        if failure.phase != "load" and _blamed(subject.model, failure) is None:
            # Without optimization, the runtime names the layer as the model does.
            self._predict(
                structs.replace(subject, spec=replace(subject.spec, optimization="none"))
            )
        raise failure

    def _predict(self, subject: Subject) -> None:
        self._checker.call(Predict(subject.path, subject.spec, subject.feeds()))

    def _runs_with_other_lengths(self, subject: Subject) -> bool:
        over = list[bool]()

        def stop() -> None:
            over.append(True)
            self._checker.kill()

        timer = Timer(SEARCH_SECONDS, stop)
        timer.daemon = True
        timer.start()
        try:
            usual_values(self._checker, subject)
        except Cancelled:
            if not over:
                raise
            return False
        except InspectorError:
            return False
        finally:
            timer.cancel()
        return True

    def _checked(
        self, path: Path, model: Model, spec: RunSpec, run: Callable[[Subject], None]
    ) -> Verdict:
        began, loaded = monotonic(), False
        self._late = False

        def stop() -> None:
            self._late = True
            self._checker.kill()

        def verdict(state: EditState, error: InspectorError | None = None) -> Verdict:
            why, hint = (error.why or error.what, error.hint) if error else ("", "")
            return Verdict(state, _blamed(model, error), why, hint, seconds=monotonic() - began)

        timer = Timer(CHECK_SECONDS, stop)
        timer.daemon = True
        timer.start()
        try:
            self._checker.call(Load(path, spec))
            loaded = True
            run(Subject.of(path, model, spec))
            return verdict(EditState.RUNS)
        except Cancelled:
            if not self._late:
                raise
            return verdict(EditState.LOADS if loaded else EditState.UNCHECKED)
        except InspectorError as error:
            return verdict(EditState.STOPS if loaded else EditState.FAILS, error)
        finally:
            timer.cancel()

    def save(
        self, edited: EditedFiles, verdict: Verdict, target: Path, overwrite: bool = False
    ) -> None:
        """Write a copy of the edited model: all its files, or none.

        overwrite: whether `target` may be the model that was opened. Raises BadInput: it is
        that model, or the edits made a model that does not load; NotSaved.
        """
        what = Sentence("Could not save {name}", Name(clip(target.name)))
        if not overwrite and _is_same(target, self.path):
            hint = Sentence("Choose another name, or confirm that the model is to be replaced.")
            raise BadInput(what, Sentence("it is the model that is being edited"), hint)
        if verdict.state is EditState.FAILS and not verdict.before:
            why = Sentence("the edited model does not load ({why})", Name(verdict.why))
            raise BadInput(what, why, Sentence("Undo the last edit, and save then."))
        with files.private_folder() as folder:
            made = self.apply(edited.steps, Path(folder) / target.name)
            parts = made.path, made.steps, made.effects, (), ()
            save(Conversion(*parts, files=made.files, original=self.path), target)

    def _read(self, steps: Sequence[Step]) -> None:
        """Read the files that steps name, each once. Raises UnreadableFile."""
        for name in files_of(steps):
            if name not in self._arrays:
                self._arrays[name] = read_npy(Path(name))

    def _feeds(self, steps: Sequence[Step]) -> Mapping[str, Array]:
        return {name: self._arrays[name] for name in files_of(steps) if name in self._arrays}


def _preview(step: Step, change: Change, model: Model) -> Preview:
    """Return a change with the indices of layers in the model, those inside others included."""
    top, title_and_detail = _top(model), described(step)
    removed = {top[number] for number in change.removed}
    if removed:
        for layer in model.layers:  # a parent stands before its layers
            if layer.parent in removed:
                removed.add(layer.index)
    fields = {name: getattr(change, name) for name in change.__struct_fields__}
    fields["removed"] = tuple(sorted(removed))
    fields["changed"] = tuple(top[number] for number in change.changed)
    fields["rewired"] = tuple(
        structs.replace(each, layer=top[each.layer]) for each in change.rewired
    )
    title, detail = title_and_detail
    said = summary(step, change)
    return Preview(**fields, step=step, title=title, detail=detail, summary=said)


def _top(model: Model) -> Sequence[int]:
    """Return the indices of the layers of the main graph."""
    return [layer.index for layer in model.layers if layer.parent is None]


def _impossible(made: EditedFiles, place: int) -> tuple[int, ...]:
    """Return the places, before one was taken away, of edits that cannot be done now."""
    return tuple(
        number + 1
        for number, effect in enumerate(made.effects)
        if number >= place and not effect.applicable
    )


def _blamed(model: Model, error: InspectorError | None) -> int | None:
    """Return the index of the layer that a failure names; None where it names none."""
    name = error.layer if isinstance(error, EngineFailed) else ""
    named = [layer.index for layer in model.layers if name and layer.name == name]
    return named[0] if len(named) == 1 else None


def _is_same(target: Path, other: Path) -> bool:
    try:
        return target.samefile(other)
    except OSError:
        return target.resolve() == other.resolve()
