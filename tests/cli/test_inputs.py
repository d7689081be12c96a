import argparse
from dataclasses import replace

import pytest

from inspector.app.subjects import inputs_of
from inspector.cli.model_request import parsed_values
from inspector.cli.options.arguments import dimension
from inspector.errors import BadInput
from inspector.model.model import Model, TensorInfo


def model(*inputs: str, defaults: tuple[str, ...] = ()) -> Model:
    infos = [TensorInfo(name, "tensor", "float32", (1,)) for name in (*inputs, *defaults)]
    given, known = tuple(infos[: len(inputs)]), tuple(infos[len(inputs) :])
    empty = Model("m", "onnx", 0, 8, (), "", "", "", 0, "", "", (), given, (), (), ())
    return replace(empty, defaults=known)


def test_a_name_may_hold_an_equals_sign_and_so_may_a_path(tmp_path):
    assert parsed_values(["a=b=zeros"], model("a=b")) == {"a=b": "zeros"}
    assert parsed_values(["x=a=b.npy"], model("x", "y")) == {"x": "a=b.npy"}
    path = tmp_path / "a=b.npy"
    path.touch()
    assert parsed_values([str(path)], model("x")) == {"x": str(path)}


def test_a_name_may_be_left_out_when_there_is_one_input():
    assert parsed_values(["random:3"], model("x", defaults=("w",))) == {"x": "random:3"}
    with pytest.raises(BadInput, match="2 inputs"):
        parsed_values(["random:3"], model("x", "y"))


def test_a_name_given_twice_is_refused():
    with pytest.raises(BadInput, match="twice"):
        parsed_values(["x=zeros", "x=ones"], model("x"))


def test_an_input_with_a_default_is_filled_only_when_given():
    one = model("x", defaults=("w",))
    assert [info.name for info in inputs_of(one, {"x": "ones"})] == ["x"]
    assert [info.name for info in inputs_of(one, {"w": "ones"})] == ["x", "w"]


def test_a_dimension_is_a_name_and_a_length():
    assert dimension("batch=2") == ("batch", 2)
    assert dimension("a=b=2") == ("a=b", 2)
    for wrong in ("batch", "=2", "batch=two", "batch=-1", "batch=" + "9" * 30):
        with pytest.raises(argparse.ArgumentTypeError, match="NAME=N"):
            dimension(wrong)
