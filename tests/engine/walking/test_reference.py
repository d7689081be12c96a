from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from inspector.engine.process import EngineProcess
from inspector.engine.walking import reference
from inspector.engine.walking.ways import other_way
from inspector.errors import EngineDied, EngineFailed
from inspector.report import RunSpec


def saved(path: Path, nodes: list[onnx.NodeProto], opset: int = 17) -> Path:
    x, y = (helper.make_tensor_value_info(n, TensorProto.FLOAT, [None]) for n in "xy")
    graph = helper.make_graph(nodes, "g", [x], [y])
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid("own", 1)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), path)
    return path


def endless(path: Path) -> Path:
    """A loop of 2**60 steps."""
    step = helper.make_graph(
        [helper.make_node("Identity", ["go"], ["on"]), helper.make_node("Relu", ["a"], ["b"])],
        "step",
        [
            helper.make_tensor_value_info("i", TensorProto.INT64, []),
            helper.make_tensor_value_info("go", TensorProto.BOOL, []),
            helper.make_tensor_value_info("a", TensorProto.FLOAT, [None]),
        ],
        [
            helper.make_tensor_value_info("on", TensorProto.BOOL, []),
            helper.make_tensor_value_info("b", TensorProto.FLOAT, [None]),
        ],
    )
    most = helper.make_tensor("most", TensorProto.INT64, [], [1 << 60])
    true = helper.make_tensor("true", TensorProto.BOOL, [], [True])
    nodes = [
        helper.make_node("Constant", [], ["most"], value=most),
        helper.make_node("Constant", [], ["true"], value=true),
        helper.make_node("Loop", ["most", "true", "x"], ["y"], body=step),
    ]
    return saved(path, nodes)


def test_the_reference_answers_as_the_definition_says(tmp_path: Path) -> None:
    path = saved(tmp_path / "m.onnx", [helper.make_node("Softmax", ["x"], ["y"])])
    feeds = {"x": np.array([0.0, np.log(3.0)], np.float32)}
    ((answer,), spent_ns) = reference.evaluate(path, feeds, "Could not")
    assert answer.array is not None
    assert answer.array == pytest.approx([0.25, 0.75])
    assert (answer.name, answer.dtype) == ("y", "float32")
    assert spent_ns > 0


def test_unknown_operators_are_named_also_inside_branches(tmp_path: Path) -> None:
    inner = helper.make_graph(
        [helper.make_node("Strange", ["x"], ["z"], domain="own")],
        "then",
        [],
        [helper.make_tensor_value_info("z", TensorProto.FLOAT, [None])],
    )
    constant = helper.make_tensor("c", TensorProto.BOOL, [], [True])
    nodes = [
        helper.make_node("Constant", [], ["c"], value=constant),
        helper.make_node("If", ["c"], ["y"], then_branch=inner, else_branch=inner),
    ]
    path = saved(tmp_path / "m.onnx", nodes)
    with pytest.raises(EngineFailed, match=r"lacks own:Strange \(opset 1\)"):
        reference.evaluate(path, {"x": np.zeros(1, np.float32)}, "Could not")


@pytest.mark.engine
def test_the_reference_runs_in_the_engine_and_within_its_time(tmp_path: Path) -> None:
    path = saved(tmp_path / "m.onnx", [helper.make_node("Relu", ["x"], ["y"])])
    feeds = {"x": np.array([-1.0, 2.0], np.float32)}
    with EngineProcess() as engine:
        answer = other_way(engine, path, RunSpec(), "reference", "")(feeds)
        assert answer.devices == ("reference",)
        assert answer.outputs[0].array is not None
        assert answer.outputs[0].array.tolist() == [0, 2]
        with pytest.raises(EngineDied, match="longer"):
            engine.reference(endless(tmp_path / "loop.onnx"), feeds, 0.4)
        assert other_way(engine, path, RunSpec(), "level", "none")(feeds).outputs[0].name == "y"
