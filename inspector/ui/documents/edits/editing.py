"""The edits of a document: a list with undo, the edited graph, and whether it runs."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from shutil import copy2
from tempfile import TemporaryDirectory, mkdtemp

from msgspec import Struct
from PySide6.QtCore import QObject, Signal

from inspector.app.changing.editing import (
    UNEDITED,
    EditedFiles,
    EditHistory,
    EditSession,
    EditState,
    Preview,
    Steps,
    Verdict,
)
from inspector.conversion import action as actions
from inspector.conversion.action import Recipe, Step
from inspector.conversion.edits.changes import LayerMark
from inspector.conversion.edits.descriptions import described
from inspector.conversion.registry import ACTIONS
from inspector.engine.client.engine import Engine
from inspector.errors import Cancelled, InspectorError
from inspector.formats import opening
from inspector.model.model import Model
from inspector.platform import files
from inspector.report.device_ids import is_cpu
from inspector.report.run_spec import RunSpec
from inspector.ui.background import TaskRunner, delete_when_idle
from inspector.ui.documents.estimating import CostEstimation
from inspector.ui.translate import tr

_ONNX = "onnx"  # the format whose graphs can be edited


class Edit(Struct, frozen=True):
    """An edit of the list. problem: why it is not part of the model; "" where it is."""

    step: Step
    title: str
    detail: str
    problem: str = ""


class Editing(QObject):
    """The edits of a model; views wait for `changed`.

    model: the graph to show, which all indices of layers refer to: the edited one, or the one
    that was opened. busy: whether an edit is being applied. verdict: of the edited model; the
    model is checked after each edit.
    """

    changed = Signal()
    failed = Signal(object)  # InspectorError: an edit or a copy; nothing changed

    def __init__(
        self,
        path: Path,
        model: Model,
        start_engine: Callable[[], Engine],
        spec: Callable[[], RunSpec],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self.path, self.opened = path, model
        self.verdict = UNEDITED
        self.busy = False
        self._saved: tuple[Steps, Path | None] = (), None  # the copy that was saved last
        self._saved_state: files.FileState | None = None  # of its file
        self._start_engine, self._spec = start_engine, spec
        self._history = EditHistory()
        self._files: EditedFiles | None = None
        self._session: EditSession | None = None
        self._folder: TemporaryDirectory[str] | None = None
        self._waiting: deque[_Change] = deque()  # while another is applied
        self._previews: dict[Step, Preview] = {}  # of the present steps
        self._asked: tuple[Sequence[Step], Callable[[tuple[Preview, ...]], None]] | None = None
        self._previewing = False
        self._unchecked = False  # since the last change
        self._estimating: CostEstimation | None = None  # of the present edits
        self._jobs = TaskRunner(self)

    # What there is.

    @property
    def why_not(self) -> str:
        """Return why the graph cannot be edited; "" where it can."""
        try:
            if self.opened.format == _ONNX and not opening.is_ort(self.path):
                return ""
        except InspectorError as error:  # the file is gone
            return error.why
        return tr("Only the graphs of ONNX models can be edited.")

    @property
    def model(self) -> Model:
        """Return the graph to show."""
        return self._files.model if self._files is not None else self.opened

    @property
    def estimating(self) -> CostEstimation | None:
        """Shapes and cost of the edited model, made on first use; None without edits."""
        if self._files is None:
            return None
        if self._estimating is None:
            made = self._files
            self._estimating = CostEstimation(made.path, made.model, self._start_engine, self)
        return self._estimating

    @property
    def marks(self) -> Mapping[int, LayerMark]:
        """Return how layers of the model differ from the model that was opened."""
        return self._files.marks if self._files is not None else {}

    @property
    def steps(self) -> Steps:
        """Return the edits as steps of a recipe."""
        return self._history.steps

    @property
    def edits(self) -> tuple[Edit, ...]:
        """Return the edits in their order."""
        effects = self._files.effects if self._files is not None else ()
        return tuple(
            Edit(step, *described(step), effect.refused or effect.nothing)
            for step, effect in zip(self.steps, effects, strict=True)
        )

    @property
    def copy(self) -> Path | None:
        """Return the saved copy that has just these edits; None for none."""
        return self._saved[1] if self.steps and self.steps == self._saved[0] else None

    @property
    def copy_runs(self) -> bool:
        """Return whether the copy, unchanged since, is known to load and run on the CPU."""
        path, on_cpu = self.copy, all(map(is_cpu, self._spec().devices))
        checked = self.verdict.state is EditState.RUNS and on_cpu
        return checked and path is not None and files.state(path) == self._saved_state

    @property
    def can_undo(self) -> bool:
        """Return whether there is an edit to undo."""
        return bool(self._history.past)

    @property
    def can_redo(self) -> bool:
        """Return whether an edit was undone."""
        return bool(self._history.future)

    @property
    def recipe(self) -> Recipe:
        """Return the edits as a recipe, which `convert` takes."""
        return Recipe(self.steps)

    # Edits.

    def previews(
        self, steps: Sequence[Step], then: Callable[[tuple[Preview, ...]], None]
    ) -> None:
        """Find out what edits would do now, and call `then` with it, maybe at once.

        A question that was not answered yet gives way to the next one.
        """
        if all(step in self._previews for step in steps):
            self._asked = None
            then(tuple(self._previews[step] for step in steps))
            return
        self._asked = tuple(steps), then
        self._preview()

    def start(self) -> None:
        """Prepare for the first edit; `failed` follows where the model cannot be read."""
        if self._session is None and not self.why_not:
            self._jobs.start(self._opened_session().prepare, lambda _: None, self.failed.emit)

    def apply(self, step: Step) -> None:
        """Apply an edit; `changed` or `failed` follows."""
        self._change(
            lambda session, history: (
                history.changed_to((*history.steps, step)),
                session.applied(history.steps, step),
            )
        )

    def remove(self, place: int) -> None:
        """Take one edit away, with later ones that cannot be done without it."""

        def change(session: EditSession, history: EditHistory) -> _Changed:
            made = session.without(history.steps, place)
            return history.changed_to(made.steps), made

        self._change(change)

    def dependents(self, place: int, then: Callable[[tuple[int, ...]], None]) -> None:
        """Find out which later edits cannot be done without one, by their places."""
        session, steps = self._opened_session(), self.steps
        self._jobs.start(lambda: session.dependents(steps, place), then, self.failed.emit)

    def undo(self) -> None:
        """Undo the last change of the list of edits."""
        self._change(lambda session, history: _at(session, history.undone()))

    def redo(self) -> None:
        """Make the change again that was undone last."""
        self._change(lambda session, history: _at(session, history.redone()))

    def discard(self) -> None:
        """Take all edits away; it can be undone."""
        self.restore(())

    def restore(self, steps: Sequence[Step]) -> None:
        """Take these edits in place of all; one that cannot be done stays in the list."""
        self._change(lambda session, history: _at(session, history.changed_to(steps)))

    def load_recipe(self, path: Path) -> None:
        """Take the edits of a saved recipe; `changed` or `failed` follows."""
        try:
            self.restore(actions.load_recipe(path, ACTIONS).steps)
        except InspectorError as error:
            self.failed.emit(error)

    def save_recipe(self, path: Path) -> None:
        """Save the edits as a recipe; `failed` follows if that is not possible."""
        try:
            actions.save_recipe(self.recipe, path)
        except InspectorError as error:
            self.failed.emit(error)

    # The check, and the copy.

    def check_now(self) -> None:
        """Load and run the edited model; `changed` follows."""
        made, self._unchecked = self._files, False
        if made is None:
            self._judge(UNEDITED)
            return
        session, spec = self._opened_session(), self._spec()
        session.stop_check()
        self._judge(Verdict(EditState.CHECKING))

        def show(verdict: Verdict) -> None:
            if self._files is made:
                self._judge(verdict)

        def fail(error: InspectorError) -> None:
            if self._files is made and not isinstance(error, Cancelled):
                self._judge(Verdict(EditState.UNCHECKED, why=error.why or error.what))

        self._jobs.start(lambda: session.check(made, spec), show, fail)

    def stop_check(self) -> None:
        """Stop the check that is under way."""
        if self._session is not None and self.verdict.state is EditState.CHECKING:
            self._judge(Verdict(EditState.UNCHECKED))
            self._session.stop_check()

    def save(
        self,
        target: Path,
        overwrite: bool = False,
        then: Callable[[Path], object] = lambda _: None,
    ) -> None:
        """Write a copy of the edited model; `changed` and `then`, or `failed` follows.

        overwrite: whether `target` may be the model that was opened. then: gets the copy.
        """
        made, verdict = self._files, self.verdict
        if made is None:
            return
        session = self._opened_session()

        def show(_: None) -> None:
            self._saved, self._saved_state = (made.steps, target), files.state(target)
            self.changed.emit()
            then(target)

        work = lambda: session.save(made, verdict, target, overwrite)  # noqa: E731
        self._jobs.start(work, show, self.failed.emit)

    def file_for_comparison(self) -> Path | None:
        """Return a file with the edited model that stays as long as the document; None where
        nothing is edited. Raises OSError."""
        made, folder = self._files, self._folder
        if made is None or folder is None:
            return None
        place = Path(mkdtemp(dir=folder.name))
        for name in made.files:
            copy2(made.path.parent / name, place / name)
        return place / made.path.name

    def close(self) -> None:
        """Stop what is under way; no signal comes any more."""
        self._jobs.discard_results()
        self._end_estimate()
        if self._session is not None:
            self._session.close()
        if self._folder is not None:
            self._folder.cleanup()

    # How it is done: one change after the other.

    def _opened_session(self) -> EditSession:
        if self._session is None:
            self._folder = files.private_folder()
            folder = Path(self._folder.name)
            self._session = EditSession(self.path, self._start_engine, folder)
        return self._session

    def _change(self, change: "_Change") -> None:
        self._waiting.append(change)
        if not self.busy:
            self._go_on()

    def _go_on(self) -> None:
        self.busy = bool(self._waiting)
        if not self.busy:
            return
        change, history = self._waiting.popleft(), self._history
        session = self._opened_session()

        def show(changed: _Changed) -> None:
            self._history, made = changed
            before, self._files = self._files, made if self.steps else None
            self._previews.clear()
            self._end_estimate()
            self._unchecked = True
            self._settle()
            for old in (before, None if self.steps else made):
                if old is not None:
                    session.discard(old)
            self._preview()

        def fail(error: InspectorError) -> None:
            self._settle()
            self.failed.emit(error)

        self._jobs.start(lambda: change(session, history), show, fail)
        self.changed.emit()

    def _end_estimate(self) -> None:
        if self._estimating is not None:
            self._estimating.close()
            delete_when_idle(self._estimating)
            self._estimating = None

    def _settle(self) -> None:
        """Go on with the next change, or check what the last one made."""
        self._go_on()
        if not self.busy and self._unchecked:
            self.check_now()
        elif not self.busy:
            self.changed.emit()

    def _preview(self) -> None:
        """Answer the last question, once the one before is answered."""
        if self._asked is None or self._previewing or self.busy:
            return
        session, model, before = self._opened_session(), self.model, self.steps
        (steps, then), self._asked = self._asked, None
        self._previewing = True

        def show(previews: tuple[Preview, ...]) -> None:
            self._previewing = False
            if self.steps == before:
                self._previews |= dict(zip(steps, previews, strict=True))
                if self._asked is None:
                    then(previews)
            elif self._asked is None:
                self._asked = steps, then
            self._preview()

        def fail(error: InspectorError) -> None:
            self._previewing = False
            self.failed.emit(error)
            self._preview()

        self._jobs.start(lambda: session.previews(before, model, steps), show, fail)

    def _judge(self, verdict: Verdict) -> None:
        self.verdict = verdict
        self.changed.emit()


_Changed = tuple[EditHistory, EditedFiles]
_Change = Callable[[EditSession, EditHistory], _Changed]


def _at(session: EditSession, history: EditHistory) -> _Changed:
    return history, session.apply(history.steps)
