"""Predict with filled inputs: once, or step by step where an input has frames."""

from collections.abc import Sequence

from inspector.model.tensors.prediction import Prediction
from inspector.preview.inputs.feeds import Filled, feeds_by_name
from inspector.preview.inputs.model_states import State
from inspector.preview.runs.steps import Predict, Steps


def answer(predict: Predict, filled: Sequence[Filled], memory: Sequence[State]) -> Prediction:
    """Predict once, or once for each frame where an input has frames; see `steps.run`."""
    feeds = feeds_by_name(filled)
    frames = {each.name: each.frames for each in filled if each.frames is not None}
    if not frames:
        return predict(feeds)
    return predict(feeds, Steps(frames, output_by_state(memory)))


def output_by_state(memory: Sequence[State]) -> dict[str, str]:
    """Return the output that feeds each state, by the state's input."""
    return {state.input: state.output for state in memory}
