import numpy as np
import pytest

from inspector.model.tensors.prediction import OutputValue
from inspector.preview.outputs.embedding import SavedVector, similarities, vector_of


def output(array: np.ndarray, name: str = "embedding") -> OutputValue:
    return OutputValue(name, "tensor", "float32", array.astype(np.float32))


def test_a_vector_is_known_by_its_name_and_shape():
    row = np.arange(1, 17.0)
    for shape in ((16,), (1, 16), (1, 16, 1, 1)):
        assert vector_of(output(row.reshape(shape))) == pytest.approx(row)
    assert vector_of(output(row, "probabilities")) is None
    assert vector_of(output(np.zeros(16))) is None
    assert vector_of(output(np.full(16, np.nan))) is None
    assert vector_of(output(np.ones((2, 16)))) is None


def test_of_tokens_the_mean_is_taken():
    states = np.stack([np.zeros(16), np.full(16, 2.0)])[None]
    assert vector_of(output(states, "last_hidden_state")) == pytest.approx(np.ones(16))


def test_the_nearest_comes_first():
    one = np.array([1.0, 0.0])
    kept = [
        SavedVector("across", np.array([0.0, 2.0])),
        SavedVector("same", np.array([3.0, 0.0])),
        SavedVector("against", np.array([-1.0, 0.0])),
        SavedVector("longer", np.ones(3)),
    ]
    found = similarities(one, kept)
    assert [(each.name, each.cosine) for each in found] == [
        ("same", 1), ("across", 0), ("against", -1)
    ]  # fmt: skip
    assert found[0].distance == 2
