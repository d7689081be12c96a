"""An edit session: edits of a model as values, previewed, applied, checked, undone and saved.

The file on disk never changes. The edits are the steps of a recipe, so that `convert` makes the
same model of them; an engine process applies them to a model in memory and keeps each state.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Any

from numpy.typing import NDArray

from inspector.app.changing.calibration import usual_values
from inspector.app.changing.conversion import files_of, save
from inspector.app.subjects import Subject
from inspector.conversion.action import Effect, Step, check_recipe
from inspector.conversion.edits.changes import Change
from inspector.conversion.registry import ACTIONS
from inspector.conversion.result import Conversion
from inspector.engine.client.engine import Engine
from inspector.engine.requests import EditModel, Load, PreviewEdits
from inspector.errors import BadInput, Cancelled, EngineDied, EngineFailed, InspectorError
from inspector.formats import opening
from inspector.model.model import Model
from inspector.platform import files
from inspector.platform.work_limits import Limits
from inspector.preview.inputs.npy_files import read_npy
from inspector.report.run_spec import RunSpec
from inspector.units import clip
from inspector.wording.values import Name, Sentence

# How long a check of an edit may run the model: a user waits for it after each edit.
CHECK_SECONDS = 10.0
Array = NDArray[Any]


class EditState(StrEnum):
    """What is known of an edited model."""

    UNEDITED = "unedited"
    CHECKING = "checking"
    RUNS = "loads and runs"
    LOADS = "loads; run not checked"  # it takes longer than CHECK_SECONDS
    STOPS = "loads but does not run"
    FAILS = "does not load"
    UNCHECKED = "not checked"


@dataclass(frozen=True, slots=True)
class Verdict:
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


@dataclass(frozen=True, slots=True)
class EditedFiles:
    """A model after some edits, in files of its own.

    steps: those edits. path: of the model. renamed: inputs and outputs with other names than
    the original's: (new name, old name).
    """

    steps: tuple[Step, ...]
    path: Path
    files: tuple[str, ...]
    effects: tuple[Effect, ...]
    model: Model
    renamed: tuple[tuple[str, str], ...] = ()


class EditSession:
    """The edits of a model, with undo; each method blocks, on any one thread at a time.

    folder: for the edited model, empty. Arrays of files that edits name are read once, so that
    redoing an edit gives the same bytes.
    """

    def __init__(self, path: Path, start_engine: Callable[[], Engine], folder: Path) -> None:
        self.path, self._folder = path, folder
        self._editor, self._checker = start_engine(), start_engine()
        self._checker.set_limits(Limits(job_seconds=CHECK_SECONDS))
        self._arrays: dict[str, Array] = {}
        self._numbers = count(1)
        self._first: Verdict | None = None  # of the model as it was opened

    def close(self) -> None:
        """End the engines."""
        self._editor.close()
        self._checker.close()

    def stop_check(self) -> None:
        """Let the check that is under way raise Cancelled, from any thread."""
        self._checker.kill()

    def previews(self, steps: Sequence[Step], others: Sequence[Step]) -> tuple[Change, ...]:
        """Return what each of other edits would do after some. Raises InspectorError."""
        unreadable = dict[Step, Change]()
        for step in others:
            try:
                self._read((step,))
            except InspectorError as error:
                unreadable[step] = Change(error.why or error.what, error.hint)
        asked = tuple(step for step in others if step not in unreadable)
        feeds = self._feeds((*steps, *asked))
        changes = self._editor.call(PreviewEdits(self.path, tuple(steps), asked, feeds))
        done = {**unreadable, **dict(zip(asked, changes, strict=True))}
        return tuple(done[step] for step in others)

    def apply(self, steps: Sequence[Step], target: Path | None = None) -> EditedFiles:
        """Bring the model into the state after some edits, in files of its own.

        An edit that cannot be done is left out: its effect says why. target: for the model,
        which its other files are named after. Raises InspectorError.
        """
        check_recipe(steps, ACTIONS)
        self._read(steps)
        # One folder, which the process that checks may read as long as it lives.
        path = target or self._folder / f"{next(self._numbers)}-{self.path.name}"
        place = path.parent, path.name
        request = EditModel(self.path, tuple(steps), *place, self._feeds(steps))
        edited = self._editor.call(request)
        model = opening.open_model(path)
        rest = edited.files, edited.effects, model, edited.renamed
        return EditedFiles(tuple(steps), path, *rest)

    def discard(self, edited: EditedFiles) -> None:
        """Remove the files of a state that nobody shows any more."""
        for name in edited.files:
            (edited.path.parent / name).unlink(missing_ok=True)

    def applied(self, steps: Sequence[Step], step: Step) -> EditedFiles:
        """Add an edit to others. Raises BadInput: it cannot be done, or changes nothing."""
        edited = self.apply((*steps, step))
        effect = edited.effects[-1]
        if effect.applicable:
            return edited
        needs = f"the action needs {effect.needs}" if effect.needs else ""
        what = Sentence("Could not edit {name}", Name(clip(self.path.name)))
        raise BadInput(what, effect.refused or effect.nothing or needs, effect.hint)

    def dependents(self, steps: Sequence[Step], place: int) -> tuple[int, ...]:
        """Return the places of later edits that cannot be done without an edit.

        Raises InspectorError.
        """
        rest = (*steps[:place], *steps[place + 1 :])
        effects = self.apply(rest).effects
        return tuple(
            number + 1
            for number, effect in enumerate(effects)
            if number >= place and not effect.applicable
        )

    def check(self, edited: EditedFiles, spec: RunSpec | None = None) -> Verdict:
        """Load the model and run it once on usual inputs, within CHECK_SECONDS.

        spec: settings, such as libraries with custom operators. Raises Cancelled.
        """
        verdict = self._checked(edited.path, edited.model, spec or RunSpec())
        if verdict.good or not edited.steps:
            return verdict
        if self._first is None:
            original = opening.open_model(self.path)
            self._first = self._checked(self.path, original, spec or RunSpec())
        before = self._first.state is EditState.FAILS or self._first.state is verdict.state
        return Verdict(
            verdict.state, verdict.layer, verdict.why, verdict.hint, before, verdict.seconds
        )

    def _checked(self, path: Path, model: Model, spec: RunSpec) -> Verdict:
        began = monotonic()

        def verdict(state: EditState, error: InspectorError | None = None) -> Verdict:
            layer = _blamed(model, error)
            why, hint = (error.why or error.what, error.hint) if error else ("", "")
            return Verdict(state, layer, why, hint, seconds=monotonic() - began)

        try:
            self._checker.call(Load(path, spec))
        except Cancelled:
            raise
        except EngineDied as error:
            late = monotonic() - began >= CHECK_SECONDS
            return verdict(EditState.UNCHECKED if late else EditState.FAILS, error)
        except InspectorError as error:
            return verdict(EditState.FAILS, error)
        try:
            usual_values(self._checker, Subject.of(path, model, spec))
        except Cancelled:
            raise
        except EngineDied as error:
            late = monotonic() - began >= CHECK_SECONDS
            return verdict(EditState.LOADS) if late else verdict(EditState.STOPS, error)
        except InspectorError as error:
            return verdict(EditState.STOPS, error)
        return verdict(EditState.RUNS)

    def save(
        self, edited: EditedFiles, verdict: Verdict, target: Path, replace: bool = False
    ) -> None:
        """Write a copy of the edited model: all its files, or none.

        replace: whether `target` may be the model that was opened. Raises BadInput: it is that
        model, or the edits made a model that does not load; NotSaved.
        """
        what = Sentence("Could not save {name}", Name(clip(target.name)))
        if not replace and _is_same(target, self.path):
            raise BadInput(
                what,
                Sentence("it is the model that is being edited"),
                Sentence("Choose another name, or confirm that the model is to be replaced."),
            )
        if verdict.state is EditState.FAILS and not verdict.before:
            raise BadInput(
                what,
                Sentence("the edited model does not load ({why})", Name(verdict.why)),
                Sentence("Undo the last edit, and save then."),
            )
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
