"""A decoder in any runtime: each step is a prediction, whose states are the inputs of the next.

For runtimes without a loop of their own. A call cannot be ended in its middle.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from inspector.backends.base import GenerationRequest, OpenedModel, StopSignal
from inspector.backends.generation.conversation import Conversation, FeedStopped
from inspector.backends.generation.roles import Array, State, find_roles
from inspector.errors import BadInput, EngineFailed
from inspector.model.tensors.prediction import OutputValue
from inspector.report.language.generation import Generation
from inspector.units import clip
from inspector.wording.values import Count, Sentence

COPIED = "copied"
NONE = "none"


def generate(opened: OpenedModel, name: str, asked: GenerationRequest) -> Generation:
    """Generate text with an opened model. name: of its file. Raises BadInput, EngineFailed."""
    return Conversation(PredictingDecoder(opened, name, asked)).generate(asked)


class PredictingDecoder:
    """A decoder of an opened model, which is asked for a prediction at each step.

    asked: has settings and values of further inputs. Raises BadInput: the model is no decoder,
    or needs what is not known.
    """

    context_limit = 0  # nothing says so

    def __init__(self, opened: OpenedModel, name: str, asked: GenerationRequest) -> None:
        self._opened, self.name, self._asked = opened, name, asked
        self._what = Sentence("Could not generate text with {name}", clip(name))
        if asked.continuation:
            why = "only ONNX Runtime generates with one graph for the prompt and another after"
            raise BadInput(self._what, why, "Choose a device of ONNX Runtime.", "generation")
        names = frozenset(asked.feeds)
        self._roles = find_roles(opened.inputs, opened.outputs, name, names)
        self.vocabulary = self._roles.vocabulary
        self._past: NDArray[np.int64] = np.zeros((1, 0), np.int64)
        self._states: dict[str, Array] = {}

    @property
    def cache(self) -> str:
        """Return how earlier tokens are remembered."""
        return COPIED if self._roles.states else NONE

    def begin(self, capacity: int) -> None:
        """Forget all tokens."""
        self._past = self._past[:, :0]
        self._states = {
            state.input.name: np.zeros(state.shape(1, 0), state.dtype)
            for state in self._roles.states
        }

    def reserve(self, capacity: int) -> None:
        """Do nothing: what is remembered lies where the runtime puts it."""

    def rewind(self, length: int) -> None:
        """Raise ValueError: a prompt is always computed as a whole."""
        raise ValueError("this decoder does not go back")

    def feed(
        self,
        ids: NDArray[np.int64],
        stop: StopSignal | None = None,
        piece: int = 0,
        report: Callable[[int], None] = lambda _: None,
    ) -> NDArray[np.float32]:
        """Take tokens, (1, tokens); return the logits of the last one. See `TokenDecoder`."""
        total, step = ids.shape[1], self._roles.step
        whole = total if self._roles.states else total + self._past.shape[1]
        if (step and whole % step) or (step and not self._roles.states and whole != step):
            why = Sentence(
                "its input '{input}' takes exactly {tokens}",
                input=clip(self._roles.ids.name),
                tokens=Count(step, "token"),
            )
            hint = "Only models with a dynamic sequence length can continue a prompt."
            raise BadInput(self._what, why, hint, "generation")
        size = step if step and self._roles.states else total
        logits = np.zeros((1, 0), np.float32)
        for start in range(0, total, size):
            if stop is not None and stop.requested:
                raise FeedStopped
            logits = self._predict(ids[:, start : start + size])
            report(min(total, start + size))
        self.vocabulary = logits.shape[-1]
        return logits

    def _predict(self, part: NDArray[np.int64]) -> NDArray[np.float32]:
        """Predict once, and keep what the states are then."""
        roles, asked = self._roles, self._asked
        whole = np.concatenate((self._past, part), axis=1)
        past = self._past.shape[1] if roles.states else 0
        given = part if roles.states else whole
        new = given.shape[1]
        ids = given.astype(np.dtype(roles.ids.dtype))
        feeds = {**asked.feeds, **self._states}
        feeds[roles.ids.name] = ids if len(roles.ids.shape or (0, 0)) != 1 else ids[0]
        feeds |= {name: make(new, past, 1) for name, (_, make) in roles.others.items()}
        outputs = self._opened.predict(feeds, asked.spec, warm=False).values
        by_name = {output.name: output for output in outputs}
        for state in roles.states:
            array = self._array(by_name.get(state.output), state)
            if array.size or not state.fixed:  # told once, an encoder's words may come empty
                self._states[state.input.name] = array
        self._past = whole
        value = by_name.get(roles.logits.name)
        scores = None if value is None else value.array
        if scores is None or scores.ndim != 3 or scores.shape[:2] not in ((1, 1), (1, new)):
            why = Sentence(
                "its output '{output}' has no row of scores for each of {tokens}",
                output=clip(roles.logits.name),
                tokens=Count(new, "token"),
            )
            raise EngineFailed(self._what, why, "Export the model again.", "generation")
        last: NDArray[np.float32] = scores[:, -1].astype(np.float32)
        return last

    def _array(self, output: OutputValue | None, state: State) -> Array:
        array = None if output is None else output.array
        if array is None:
            why = Sentence("its output '{output}' is no tensor", clip(state.output))
            raise EngineFailed(self._what, why, "Export the model again.", "generation")
        return array.astype(state.dtype)  # types that numpy lacks come wider than they go
