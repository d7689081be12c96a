"""Many predictions as one: a model fed step by step, its memory handed on."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from inspector import units
from inspector.errors import BadInput
from inspector.model.tensors.element_types import Tensor
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.preview.inputs.feeds import Filled, feeds_by_name
from inspector.preview.inputs.model_states import State

Fed = Tensor | tuple[Tensor, ...]
Predict = Callable[[Mapping[str, Any]], Prediction]  # of Fed, or of tensors alone
LIMIT_BYTES = 1 << 30


def answer(
    predict: Predict,
    filled: Sequence[Filled],
    memory: Sequence[State],
    on_step: Callable[[float], None] = lambda _: None,
) -> Prediction:
    """Predict once, or once for each frame where an input has frames; see `run`."""
    feeds = feeds_by_name(filled)
    frames = {each.name: each.frames for each in filled if each.frames is not None}
    return run(predict, feeds, frames, memory, on_step) if frames else predict(feeds)


def run(
    predict: Predict,
    feeds: Mapping[str, Fed],
    frames: Mapping[str, Tensor],
    memory: Sequence[State],
    on_step: Callable[[float], None] = lambda _: None,
) -> Prediction:
    """Predict once for each frame; every output becomes one array over time.

    feeds: of all inputs, the memory at its start. frames: (steps, *shape) for some of them.
    The answer's arrays have the steps as their first axis, (steps, *shape) without a first
    axis of 1; a memory is what it was in the end. Times are summed up. on_step: told the
    share that is done.
    Raises BadInput: the answers would fill the memory. And whatever `predict` raises.
    """
    steps = min(map(len, frames.values()))
    given = dict(feeds)
    answers: list[Prediction] = []
    size_bytes = 0
    for step in range(steps):
        given |= {name: rows[step] for name, rows in frames.items()}
        answer = predict(given)
        given |= fed_back(answer, memory)
        answers.append(answer)
        size_bytes += sum(o.array.nbytes for o in answer.outputs if o.array is not None)
        if size_bytes > LIMIT_BYTES:
            why = f"the outputs of {step + 1:,} steps take {units.size(size_bytes)}"
            raise BadInput("Could not store all outputs", why, "Choose a larger hop size.")
        on_step((step + 1) / steps)
    return _joined(answers, {state.output for state in memory})


def fed_back(answer: Prediction, memory: Sequence[State]) -> dict[str, Tensor]:
    """Return what the memory inputs get in the next step."""
    arrays = {output.name: output.array for output in answer.outputs}
    pairs = ((state.input, arrays.get(state.output)) for state in memory)
    return {name: array for name, array in pairs if array is not None}


def _joined(answers: Sequence[Prediction], memory_outputs: set[str]) -> Prediction:
    last = answers[-1]
    if len(answers) == 1:
        return last
    outputs = tuple(
        output if output.name in memory_outputs else _over_time(output, place, answers)
        for place, output in enumerate(last.outputs)
    )
    each = [answer.prediction_ns for answer in answers]
    median = units.duration(int(np.median(each)))
    note = f"{units.plural(len(answers), 'step')}, {median} each (median)"
    return Prediction(outputs, last.devices, sum(each), answers[0].load_ns, (*last.notes, note))


def _over_time(output: OutputValue, place: int, answers: Sequence[Prediction]) -> OutputValue:
    step_arrays = [answer.outputs[place].array for answer in answers]
    arrays = [array for array in step_arrays if array is not None]
    if len(arrays) < len(step_arrays) or len({array.shape for array in arrays}) > 1:
        return output
    stack = np.stack(arrays)
    single = stack.ndim > 2 and stack.shape[1] == 1
    joined = stack[:, 0] if single else stack
    return OutputValue(output.name, output.kind, output.dtype, joined, output.keys)
