"""A recipe that is edited: its steps with undo, and what each action would do to the model."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from inspector.app.estimating.device_estimates import saved_here
from inspector.app.estimating.time_gained import effects_with_time
from inspector.conversion import action as actions
from inspector.conversion.action import Effect, Recipe, Step
from inspector.conversion.registry import ACTIONS, improvements_for
from inspector.engine.client.engine import Engine
from inspector.errors import Cancelled, InspectorError
from inspector.model.model import Model
from inspector.report.run_spec import RunSpec
from inspector.ui.background import TaskRunner
from inspector.ui.translate import tr

Steps = tuple[Step, ...]


class RecipeEditing(QObject):
    """The steps, their effects and the actions on offer; views wait for `changed`.

    steps: the recipe. work: what runs, "" for nothing; meanwhile the recipe stays as it is.
    made_by: versions of what made a model by it, kept with a saved recipe. Actions are checked
    in an engine of their own, so that nobody is kept from predicting.
    """

    changed = Signal()
    failed = Signal(object)  # InspectorError
    saved = Signal(str, str)  # a sentence, and the path of the file

    def __init__(
        self, path: Path, model: Model, start_engine: Callable[[], Engine], parent: QObject
    ) -> None:
        super().__init__(parent)
        self.path, self.model = path, model
        self.steps: Steps = ()
        self.made_by: tuple[str, ...] = ()
        self.work = ""
        self.check_error: InspectorError | None = None
        self._past: list[Steps] = []
        self._future: list[Steps] = []
        self._effects: dict[Steps, Effect] = {}  # of the last step, after those before it
        self._offers: dict[Steps, dict[str, Effect]] = {}
        self._checking, self._closed = False, False
        self._start_engine = start_engine
        self._checker: Engine | None = None
        self._jobs = TaskRunner(self)

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

    def load_recipe(self, path: Path) -> None:
        """Take a saved recipe; `failed` follows if it cannot be read."""
        try:
            self.set_steps(actions.load_recipe(path, ACTIONS).steps)
        except InspectorError as error:
            self.failed.emit(error)

    def save_recipe(self, path: Path) -> None:
        """Save the recipe; `saved` or `failed` follows."""
        try:
            actions.save_recipe(Recipe(self.steps, made_by=self.made_by), path)
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
        """Return the effect of each action after the recipe, by id; empty until computed."""
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
        known = improvements_for(self.model.format)
        effects = self._effects_of(steps, [Step(name) for name in known])
        offered = dict(zip(known, effects, strict=True))
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
            return effects_with_time(
                self._checker, self.path, self.model, steps, others, RunSpec(), saved_here
            )
        finally:
            if self._closed:  # meanwhile: nobody else ends it
                self._checker.close()

    def close(self) -> None:
        """Stop what is under way; no signal comes any more."""
        self._jobs.discard_results()
        self._closed = True
        if self._checker is not None:
            self._checker.close()
