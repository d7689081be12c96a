"""Many predictions as one: a model run step by step, its states handed on from step to step.

The loop runs in the engine process, where a step costs no trip between two processes; the
module imports little, since the engine loads it when the first such job arrives.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from inspector import units
from inspector.errors import BadInput
from inspector.model.tensors.element_types import Tensor
from inspector.model.tensors.prediction import COLD_CALLS, OutputValue, Prediction

# Most bytes that the outputs of all steps may take: they are held in memory until the last one.
LIMIT_BYTES = 1 << 30


class Steps(Struct, frozen=True, eq=False):
    """Inputs that change from step to step.

    frames: (steps, *shape) by input; the shortest one decides how many steps there are.
    states: input -> the output of the step before that it gets.
    """

    frames: Mapping[str, Tensor]
    states: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        """Return the number of steps."""
        return min(map(len, self.frames.values()))


class Predict(Protocol):
    """Predicts once with the feeds, or once for each of the steps."""

    def __call__(self, feeds: Mapping[str, Any], /, steps: Steps | None = None) -> Prediction:
        """Return the prediction. Raises InspectorError."""


def run(
    predict: Callable[[Mapping[str, Any]], Prediction],
    feeds: Mapping[str, Any],
    steps: Steps,
    on_step: Callable[[float], None] = lambda _: None,
) -> Prediction:
    """Predict once for each frame; every output becomes one array over time.

    feeds: of all inputs, the states at their start. The answer's arrays have the steps as their
    first axis, (steps, *shape) without a first axis of 1; a state is what it was in the end.
    on_step: receives the share that is done.
    Raises BadInput: the outputs would fill the memory. And whatever `predict` raises.
    """
    count, frames = len(steps), tuple(steps.frames.items())
    given = dict(feeds)
    answers: list[Prediction] = []
    size_bytes = 0
    for step in range(count):  # plain loops: a step of a small model takes 60 us
        for name, rows in frames:
            given[name] = rows[step]
        answer = predict(given)
        given.update(fed_back(answer, steps.states))
        answers.append(answer)
        for output in answer.outputs:
            size_bytes += 0 if output.array is None else output.array.nbytes
        if size_bytes > LIMIT_BYTES:
            why = f"the outputs of {step + 1:,} steps take {units.size(size_bytes)}"
            raise BadInput("Could not store all outputs", why, "Choose a larger hop size.")
        on_step((step + 1) / count)
    return _joined(answers, frozenset(steps.states.values()))


def fed_back(answer: Prediction, states: Mapping[str, str]) -> dict[str, Tensor]:
    """Return the values that the states get in the next step, by input."""
    arrays = {output.name: output.codes for output in answer.outputs}
    pairs = ((name, arrays.get(output)) for name, output in states.items())
    return {name: array for name, array in pairs if array is not None}


def _joined(answers: Sequence[Prediction], state_outputs: frozenset[str]) -> Prediction:
    first, last = answers[0], answers[-1]
    if len(answers) == 1:
        return last
    outputs = tuple(
        output if output.name in state_outputs else _over_time(output, place, answers)
        for place, output in enumerate(last.outputs)
    )
    each_ns = [answer.prediction_ns for answer in answers]
    warm_ns = each_ns[COLD_CALLS:] or each_ns[1:]
    return replace(
        last,
        outputs=outputs,
        prediction_ns=sum(each_ns),
        load_ns=first.load_ns,
        first_call_ns=each_ns[0] if first.load_ns else 0,
        warm_ns=(int(np.median(warm_ns)),),
        steps=len(answers),
    )


def _over_time(output: OutputValue, place: int, answers: Sequence[Prediction]) -> OutputValue:
    step_arrays = [answer.outputs[place].array for answer in answers]
    arrays = [array for array in step_arrays if array is not None]
    if len(arrays) < len(step_arrays) or len({array.shape for array in arrays}) > 1:
        return output
    stack = np.stack(arrays)
    single = stack.ndim > 2 and stack.shape[1] == 1
    joined = stack[:, 0] if single else stack
    return replace(output, array=joined)
