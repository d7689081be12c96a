"""A model that is edited step by step, in the engine process.

Each state is kept, so that undoing needs no work and gives the same bytes as never having made
the edit. The states have no values of large weights in them, as the model has none.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from inspector.conversion import steps as step_work
from inspector.conversion.action import Effect, Step
from inspector.conversion.editable_model import Arrays, EditableModel, Places
from inspector.conversion.edits.changes import Change, Edited
from inspector.conversion.edits.graph_difference import GraphState, difference, marks, state_of
from inspector.conversion.plan import Context
from inspector.errors import InspectorError

# Layers up to which a preview also infers all types after the edit, which takes 7 ms for each
# 1,000 (measured on a chain of convolutions); above, only applying the edit does.
MOST_INFERRED_LAYERS = 4_000
# Of a model that is written anew after each edit, in a tenth of a second; of a larger one, the
# weights are written once.
MOST_WHOLE_BYTES = 16 << 20
MOST_STATES = 500  # kept, so that an edit that is redone gives the same bytes


class _State(NamedTuple):
    """A model after an edit.

    body: the model. renamed: as of `Edited`. external: as of `EditableModel`.
    """

    step: Step | None
    effect: Effect
    body: bytes
    renamed: Mapping[str, str]
    external: bool | None


class EditedModel:
    """A model and the states that edits bring it into; `close` it.

    folder: for files that are needed on the way.
    """

    def __init__(self, path: Path, folder: Path) -> None:
        """Read a model. Raises UnreadableFile, BadInput."""
        self._model, self._folder = EditableModel(path), folder
        self._model.external = True if self._model.has_side_files else None
        self._weights = {tensor.name for tensor in self._model.proto.graph.initializer}
        body = self._model.proto.SerializeToString()
        self._states = [_State(None, Effect(), body, {}, self._model.external)]
        self._made: dict[tuple[Step, ...], _State] = {}  # also what was undone
        self._places: Places = {}  # of large weights in files of the caller's folder
        self._opened = state_of(self._model.proto)
        self._graph: GraphState | None = self._opened  # of the last state

    def close(self) -> None:
        """Close the files of the model."""
        self._model.close()

    def go_to(self, steps: Sequence[Step], arrays: Arrays) -> tuple[Effect, ...]:
        """Bring the model into the state after some steps, and return what each does.

        A step that cannot be done changes nothing. arrays: contents of the files that steps
        name, by their paths.
        """
        self._model.arrays = arrays
        same = 0
        for state, step in zip(self._states[1:], steps, strict=False):
            if state.step != step:
                break
            same += 1
        if same + 1 < len(self._states):
            del self._states[same + 1 :]
            self._graph = None
            self._restore()
        for number in range(same, len(steps)):
            self._add(tuple(steps[: number + 1]))
        return tuple(state.effect for state in self._states[1:])

    def preview(self, step: Step) -> Change:
        """Return what a step would do now; the model stays as it is."""
        before = self._state_of_graph()
        large = len(self._model.proto.graph.node) > MOST_INFERRED_LAYERS
        self._model.checked = not large
        try:
            effect = self._apply(step, {})
            if not effect.applicable:
                reason = effect.refused or effect.nothing or effect.needs
                return Change(reason, effect.hint)
            change = difference(before, state_of(self._model.proto))
        except InspectorError as error:
            return Change(error.why or error.what, error.hint)
        finally:
            self._model.checked = True
            self._restore()
        return replace(change, touches=effect.touches)

    def write(self, folder: Path, name: str, weights: str = "") -> Edited:
        """Write the model into a folder. Raises BadInput; OSError.

        weights: name of a file for large weights that no earlier file has, which `folder`
        keeps; "" for a model that is complete by itself.
        """
        steps = [s.step for s in self._states if s.step is not None and s.effect.applicable]
        try:
            # What is only shown does not have its edits in its metadata, as a copy has.
            step_work.finish(self._model, self._weights, () if weights else steps)
            if weights and self._model.size_bytes() > MOST_WHOLE_BYTES:
                files = self._model.write_beside(folder, name, weights, self._places)
            else:
                files = self._model.write(folder, name)
        finally:
            self._restore()
        effects = tuple(state.effect for state in self._states[1:])
        renamed = tuple(self._states[-1].renamed.items())
        return Edited(files, effects, renamed, marks(self._opened, self._state_of_graph()))

    def _add(self, steps: tuple[Step, ...]) -> None:
        """Go to the state after one more step."""
        if steps not in self._made:
            step = steps[-1]
            renamed = dict(self._states[-1].renamed)
            try:
                effect = self._apply(step, renamed)
            except InspectorError as error:
                self._restore()
                effect = Effect(refused=error.why or error.what, hint=error.hint)
            body = self._model.proto.SerializeToString()
            self._made[steps] = _State(step, effect, body, renamed, self._model.external)
            if len(self._made) > MOST_STATES:
                del self._made[next(iter(self._made))]
        self._states.append(self._made[steps])
        self._graph = None
        self._restore()

    def _apply(self, step: Step, renamed: dict[str, str]) -> Effect:
        context = Context(renamed=renamed, folder=self._folder)
        return step_work.apply_step(self._model, step, context)

    def _state_of_graph(self) -> GraphState:
        if self._graph is None:
            self._graph = state_of(self._model.proto)
        return self._graph

    def _restore(self) -> None:
        self._model.proto.ParseFromString(self._states[-1].body)
        self._model.external = self._states[-1].external
