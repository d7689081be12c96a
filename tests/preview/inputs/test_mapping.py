import json
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from inspector.engine.client.engine_process import EngineProcess
from inspector.engine.requests import GetTensor
from inspector.errors import BadInput
from inspector.formats.opening import open_model
from inspector.model.model import TensorInfo
from inspector.preview.inputs import feeds, maps_and_sequences
from inspector.preview.inputs.maps_and_sequences import values
from inspector.report.report import ModelIdentity
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


LIST = TensorInfo("s", "sequence", "sequence(tensor(float32))", None)
MAYBE = TensorInfo("o", "optional", "optional(tensor(float32))", None)


def test_a_sequence_comes_from_an_archive_or_from_rows(tmp_path):
    one, two = np.ones(2, np.float32), np.zeros((3, 1), np.float32)
    np.savez(tmp_path / "s.npz", a=one, b=two)
    found, words = values(LIST, str(tmp_path / "s.npz"))
    assert [part.shape for part in found] == [(2,), (3, 1)]
    assert words == "2 tensors"
    np.save(tmp_path / "s.npy", np.ones((4, 5), np.float32))
    assert [p.shape for p in values(LIST, str(tmp_path / "s.npy"))[0]] == [(5,)] * 4
    (tmp_path / "s.json").write_text(json.dumps([[1, 2], [3]]))
    assert [p.tolist() for p in values(LIST, str(tmp_path / "s.json"))[0]] == [[1, 2], [3]]
    np.save(tmp_path / "d.npy", np.ones((2, 2)))
    with pytest.raises(BadInput, match="float64, but the input expects float32"):
        values(LIST, str(tmp_path / "d.npy"))


@pytest.mark.engine
def test_layers_and_measurements_take_tensors_of_different_shapes(tmp_path):
    kind = helper.make_tensor_type_proto(TensorProto.FLOAT, ["n"])
    parts = helper.make_value_info("parts", helper.make_sequence_type_proto(kind))
    joined = helper.make_node("ConcatFromSequence", ["parts"], ["whole"], axis=0)
    twice = helper.make_node("Add", ["whole", "whole"], ["y"])
    out = models.value("y", ["m"])
    path = models.save(tmp_path / "join.onnx", [joined, twice], [parts], [out])
    (tmp_path / "s.json").write_text("[[1, 2], [3], [4, 5, 6]]")
    model = open_model(path)
    filled = feeds.fill_all(model.inputs, {"parts": str(tmp_path / "s.json")}, {})
    fed = feeds.feeds_by_name(filled)
    identity = ModelIdentity(path.name, "0" * 64, path.stat().st_size, 0, 2)
    with EngineProcess() as engine:
        (found,) = engine.call(GetTensor(path, RunSpec(), fed, "whole", None)).outputs
        assert found.array.tolist() == [1, 2, 3, 4, 5, 6]
        steps = engine.steps(path, RunSpec(), fed, None, None).steps
        assert [step.outputs[0].shape for step in steps] == [(6,), (6,)]
        measured = engine.measure(path, identity, RunSpec(runs=3, warmup=1), fed, wait=False)
    assert len(measured.prediction_ns) == 3


def test_an_optional_may_be_left_out():
    assert values(MAYBE, "absent") == ((), "left out")
    assert [part.tolist() for part in values(MAYBE, "2.5")[0]] == [[2.5]]
    maps = TensorInfo("m", "opaque", "opaque(a, b)", None)
    with pytest.raises(BadInput, match="it is an opaque"):
        values(maps, "zeros")


@pytest.mark.engine
def test_models_take_sequences_and_do_without_optionals(tmp_path):
    real = helper.make_tensor_type_proto(TensorProto.FLOAT, None)
    parts = helper.make_value_info("parts", helper.make_sequence_type_proto(real))
    maybe = helper.make_value_info("maybe", helper.make_optional_type_proto(real))
    whole = models.value("whole", ["n"])
    there = models.value("there", [], TensorProto.BOOL)
    nodes = [
        helper.make_node("ConcatFromSequence", ["parts"], ["whole"], axis=0),
        helper.make_node("OptionalHasElement", ["maybe"], ["there"]),
    ]
    path = models.save(
        tmp_path / "compound.onnx", nodes, [parts, maybe], [whole, there], opset=18
    )
    np.savez(tmp_path / "s.npz", a=np.ones(2, np.float32), b=np.zeros(3, np.float32))
    inputs = open_model(path).inputs
    with EngineProcess() as engine:
        told = []
        for given in ({"parts": str(tmp_path / "s.npz")}, {"maybe": "1"}):
            filled = feeds.fill_all(inputs, given, {})
            answer = engine.predict(path, RunSpec(), feeds.feeds_by_name(filled))
            arrays = [output.array for output in answer.outputs]
            assert arrays[1] is not None
            told.append((arrays[0].tolist(), bool(arrays[1])))
    assert told == [([1, 1, 0, 0, 0], False), ([0, 0], True)]
