from collections.abc import Mapping

import numpy as np
import pytest

from inspector.errors import BadInput
from inspector.model.tensors.element_types import Tensor
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.preview.runs import steps
from inspector.preview.runs.steps import Steps

STATES = {"state": "stateN"}


def adding(feeds: Mapping[str, Tensor]) -> Prediction:
    """A model that answers x + state and keeps it."""
    total = np.asarray(feeds["x"] + feeds["state"])
    outputs = tuple(OutputValue(name, "tensor", "float32", total) for name in ("y", "stateN"))
    return Prediction(outputs, ("cpu",), 10, 5 if total[0, 0] == 1 else 0)


def test_a_memory_goes_from_step_to_step():
    frames = np.ones((4, 1, 1), np.float32)
    heard: list[float] = []
    start = {"x": frames[0], "state": np.zeros((1, 1), np.float32)}
    answer = steps.run(adding, start, Steps({"x": frames}, STATES), heard.append)
    over_time, last = answer.outputs
    assert over_time.array.tolist() == [[1], [2], [3], [4]]
    assert last.array.tolist() == [[4]]
    assert (answer.prediction_ns, answer.load_ns) == (40, 5)
    assert heard == [0.25, 0.5, 0.75, 1]
    assert (answer.steps, answer.first_call_ns, answer.warm_ns) == (4, 10, (10,))
    assert answer.warm_label == "median of 2 steps, without the first 2"


def test_without_memory_each_step_is_alone():
    frames = np.ones((2, 1, 1), np.float32)
    start = {"x": frames[0], "state": np.zeros((1, 1), np.float32)}
    answer = steps.run(adding, start, Steps({"x": frames}))
    assert answer.outputs[0].array.tolist() == [[1], [1]]


def test_answers_that_would_fill_the_memory_are_refused(monkeypatch):
    monkeypatch.setattr(steps, "LIMIT_BYTES", 20)
    frames = np.ones((9, 1, 1), np.float32)
    start = {"x": frames[0], "state": np.zeros((1, 1), np.float32)}
    with pytest.raises(BadInput, match="3 steps"):
        steps.run(adding, start, Steps({"x": frames}, STATES))
