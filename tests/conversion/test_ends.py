"""Actions keep the names and the order of inputs and outputs, or say that they do not."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from msgspec import structs
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from inspector.app.changing import conversion
from inspector.conversion import registry
from inspector.conversion.action import parse_step
from inspector.conversion.registry import ONNX_ACTIONS
from inspector.engine.client.engine_process import EngineProcess
from inspector.engine.worker import handlers
from inspector.errors import BadInput, EngineFailed
from inspector.formats.opening import open_model
from tests import models
from tests.conversion.conversions import both_outputs

pytestmark = pytest.mark.engine

# Options with which each action has something to do; those that need none are left out.
OPTIONS = {
    "fix-axes": "n=2",
    "free-axes": "image[2]=height",
    "rename-axes": "n=batch",
    "rename-layers": "conv=first",
    "metadata": "author=me",
    "set-attribute": "layer=conv,name=group,value=1",
    "set-types": "scores=float64",
    "insert-layer": "operator=Relu,after=scale",
    "replace-layer": "layer=relu,operator=Sigmoid",
    "palettize": "bits=3,group=1",
}
# Need a device that compiles, a file of values, a file in the ORT format.
NOT_HERE = {"ep-context", "set-weight", "onnx-format"}
KEEPING = [name for name, action in ONNX_ACTIONS.items() if action.keeps_ends]


def normal(*shape: int) -> NDArray[np.float32]:
    return np.random.default_rng(len(shape)).standard_normal(shape).astype(np.float32)


def save(path: Path, *, weights_are_inputs: bool) -> Path:
    """A detector whose outputs are, in this order: a weight, a result that others read, an
    input as it is, a constant, and the result of a branch."""
    value, node = models.value, helper.make_node
    weights = {
        "w": normal(4, 3, 3, 3) * 0.2, "wm": normal(32, 8), "wm_again": normal(32, 8),
        "anchors": np.abs(normal(64, 4)) * 100, "zero": [0], "one": [1], "size": [32],
    }  # fmt: skip
    branches = {
        f"{side}_branch": helper.make_graph(
            [node(operator, ["m"], [f"{operator}_m"])], operator, [],
            [value(f"{operator}_m", ["n", 8])],
        )
        for side, operator in (("then", "Sigmoid"), ("else", "Tanh"))
    }  # fmt: skip
    strides = numpy_helper.from_array(np.array([8, 16, 32], np.float32))
    nodes = [
        node("Conv", ["image", "w"], ["c"], "conv", strides=[4, 4], kernel_shape=[3, 3]),
        node("Relu", ["c"], ["features"], "relu"),
        node("Mul", ["features", "features"], ["scaled"], "scale"),
        node("Flatten", ["scaled"], ["flat"], "flatten"),
        node("Slice", ["flat", "zero", "size", "one"], ["row"], "slice"),
        node("MatMul", ["row", "wm"], ["m1"], "product"),
        node("Add", ["m1", "m1"], ["m"], "sum"),
        node("Constant", [], ["strides"], "strides", value=strides),
        node("If", ["flag"], ["scores"], "if", **branches),
    ]
    inputs = [value("image", ["n", 3, 16, 16]), value("flag", [1], TensorProto.BOOL),
              value("same", ["n", 2])]  # fmt: skip
    outputs = [value("anchors", [64, 4]), value("features", ["n", 4, 4, 4]),
               value("same", ["n", 2]), value("strides", [3]),
               value("scores", ["n", 8])]  # fmt: skip
    model = models.model(nodes, inputs, outputs, weights, opset=13)
    if weights_are_inputs:
        given = [value(w.name, list(w.dims), w.data_type) for w in model.graph.initializer]
        model.graph.input.extend(given)
    model.graph.doc_string = "for strip"
    model.ir_version = 3 if weights_are_inputs else 7
    onnx.checker.check_model(model)
    onnx.save(model, path)
    return path


INPUTS = [
    {"image": normal(1, 3, 16, 16) * scale, "flag": np.array([True]), "same": normal(1, 2)}
    for scale in (1, 2, 3)
]


@pytest.mark.parametrize("weights_are_inputs", [False, True], ids=["ir7", "ir3"])
@pytest.mark.parametrize("name", sorted(set(KEEPING) - NOT_HERE))
def test_names_and_order_of_inputs_and_outputs_stay(name, weights_are_inputs, tmp_path, engine):
    path = save(tmp_path / "net.onnx", weights_are_inputs=weights_are_inputs)
    text = f"{name}:{OPTIONS[name]}" if name in OPTIONS else name
    target = "made.ort" if name == "ort-format" else "made.onnx"
    made = conversion.convert(
        engine, path, [parse_step(text, ONNX_ACTIONS)], tmp_path, INPUTS, name=target
    )
    first, second = open_model(path), open_model(made.path)
    assert [each.name for each in second.inputs] == [each.name for each in first.inputs]
    assert [each.name for each in second.outputs] == [each.name for each in first.outputs]
    if name == "fix-axes":
        return
    before, after = both_outputs(engine, made, INPUTS[0])
    assert [each.name for each in before] == [each.name for each in after]
    assert len(after) == 5
    for one, two in zip(before, after, strict=True):
        assert one.dtype == two.dtype or name == "set-types"
        if one.name in ("anchors", "same", "strides") and ONNX_ACTIONS[name].exact:
            assert np.array_equal(one.array, two.array)


def test_an_action_that_renames_an_output_without_saying_so_is_stopped(tmp_path, monkeypatch):
    path = save(tmp_path / "net.onnx", weights_are_inputs=False)
    step = parse_step("rename:scores=answers", ONNX_ACTIONS)
    with EngineProcess() as engine:
        made = conversion.convert(engine, path, [step], tmp_path)
    assert [each.name for each in open_model(made.path).outputs][-1] == "answers"
    says_it_keeps = structs.replace(ONNX_ACTIONS["rename"], keeps_ends=True)
    monkeypatch.setitem(registry.ACTIONS, "rename", says_it_keeps)
    with pytest.raises(EngineFailed, match=r"the outputs of the result are .*answers"):
        handlers._expect_same_ends(path, made.path, [step])


def test_every_action_that_needs_options_is_tried_here():
    for name in set(KEEPING) - NOT_HERE - set(OPTIONS):
        for option in ONNX_ACTIONS[name].options:
            assert option.default or option.kind in ("names", "text"), name


def test_float16_keeps_a_weight_that_the_model_returns(tmp_path, engine):
    path = save(tmp_path / "net.onnx", weights_are_inputs=False)
    for text, kind in (("float16", "float32"), ("float16:keep-io=no", "float16")):
        made = conversion.convert(engine, path, [parse_step(text, ONNX_ACTIONS)], tmp_path)
        outputs = {each.name: each.dtype for each in open_model(made.path).outputs}
        assert outputs["anchors"] == kind
        onnx.checker.check_model(str(made.path))
    with pytest.raises(BadInput, match="needs typical inputs"):
        conversion.convert(engine, path, [parse_step("int8", ONNX_ACTIONS)], tmp_path)
