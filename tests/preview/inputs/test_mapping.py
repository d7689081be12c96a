import json
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput
from inspector.formats.opening import open_model
from inspector.model.model import TensorInfo
from inspector.preview.inputs import feeds, maps_and_sequences
from inspector.report.run_spec import RunSpec
from tests import models

WORDS = TensorInfo("m", "map", "map(string, float32)", None)
NUMBERED = TensorInfo("m", "map", "map(int64, tensor(float32))", None)


def test_a_json_object_is_keys_with_their_values(tmp_path):
    keys, values = maps_and_sequences.map_values(WORDS, '{"red": 1.5, "blue": 2}')
    assert keys.tolist() == ["red", "blue"]
    assert (values.tolist(), values.dtype) == ([1.5, 2], np.float32)
    file = tmp_path / "m.json"
    file.write_text(json.dumps({"m": {"3": -1, "12": 0.5}}))
    keys, values = maps_and_sequences.map_values(NUMBERED, str(file))
    assert (keys.tolist(), keys.dtype, values.tolist()) == ([3, 12], np.int64, [-1, 0.5])
    assert feeds.fill(NUMBERED, str(file), {}).value == "m.json"


@pytest.mark.parametrize(
    ("info", "value", "why"),
    [
        (WORDS, "{}", "needs at least one key"),
        (WORDS, '{"a": 1', "not JSON"),
        (WORDS, '{"a": 1, "a": 2}', "the key 'a' twice"),
        (WORDS, '{"a": [1]}', "must have one value"),
        (WORDS, '{"a": {"b": 1}, "c": 1}', "must have one value"),
        (WORDS, '{"a": "much"}', "could not convert string"),
        (WORDS, "ones", "does not specify which keys"),
        (WORDS, "a.npy", "a.npy is not a .json file"),
        (NUMBERED, '{"a": 1}', "'a' is not"),
        (NUMBERED, '{"1": 1, "01": 2}', "same numeric key"),
        (NUMBERED, '{"9999999999999999999": 1}', "keys must be from"),
    ],
)
def test_what_is_no_map_gets_a_sentence(info, value, why):
    with pytest.raises(BadInput, match=why):
        maps_and_sequences.map_values(info, value)


def test_typed_rows_become_an_object():
    assert json.loads(maps_and_sequences.json_text(["a", "b"], ["1", "2.5"], False)) == {
        "a": 1,
        "b": 2.5,
    }
    assert json.loads(maps_and_sequences.json_text(["a"], ["1"], True)) == {"a": "1"}
    assert maps_and_sequences.map_values(
        WORDS, maps_and_sequences.json_text(["a"], ["1e2"], False)
    )[1].tolist() == [100]


@pytest.mark.engine
def test_a_model_answers_a_map_and_its_default(tmp_path):
    path = vectorizer(tmp_path / "vectorizer.onnx")
    model = open_model(path)
    with EngineProcess() as engine:
        for given, wanted in (({"x": '{"c": 3, "a": 1, "z": 9}'}, [1, 0, 3]), ({}, [0, 0, 0])):
            filled = feeds.fill_all(model.inputs, given, {})
            answer = engine.predict(path, RunSpec(), feeds.feeds_by_name(filled))
            array = answer.outputs[0].array
            assert array.tolist() == [wanted]
        with pytest.raises(BadInput, match="keys and as many values"):
            engine.predict(path, RunSpec(), {"x": np.zeros(3, np.float32)})


def vectorizer(path: Path) -> Path:
    """A DictVectorizer of the keys a, b and c."""
    texts = onnx.TypeProto()
    texts.map_type.key_type = TensorProto.STRING
    texts.map_type.value_type.tensor_type.elem_type = TensorProto.FLOAT
    texts.map_type.value_type.tensor_type.shape.SetInParent()
    node = helper.make_node(
        "DictVectorizer", ["x"], ["y"], domain="ai.onnx.ml", string_vocabulary=["a", "b", "c"]
    )
    taken = helper.make_value_info("x", texts)
    given = models.value("y", [1, 3])
    return models.save(path, [node], [taken], [given], opset=21, **{"ai.onnx.ml": 3})
