import numpy as np
import pytest

from inspector.model.model import TensorInfo
from inspector.model.tensors.prediction import OutputValue
from inspector.preview.outputs.audio_outputs import scores

SPEECH = (TensorInfo("x", "tensor", "float32", ("N", 144_160)),)


def answer(array: object) -> tuple[OutputValue, ...]:
    return (OutputValue("y", "tensor", "float32", np.array(array, np.float32)),)


def test_raw_answers_become_three_scores():
    found = dict(scores(SPEECH, answer([[1, 1, 1], [3, 3, 3]])))
    assert found["Overall (OVRL)"] == pytest.approx((1.09382 + 2.78345) / 2, abs=1e-3)
    assert len(found) == 3


def test_other_models_have_no_such_scores():
    assert not scores(
        (TensorInfo("x", "tensor", "float32", ("N", 16_000)),), answer([[1, 1, 1]])
    )
    assert not scores(SPEECH, answer([[1, 1]]))
