"""Small constants that shape inference would not see by itself."""

from pathlib import Path
from typing import Any

import numpy as np
from onnx import NodeProto, helper, numpy_helper

from inspector.analysis.facts.shapes import by_name
from inspector.backends.onnxruntime.graphs.shape_inference import infer, make_known
from tests import models
from tests.models import save, value


def whole(name: str, *numbers: int) -> Any:
    return numpy_helper.from_array(np.array(numbers, np.int64), name)


def constant(name: str, *numbers: int) -> NodeProto:
    return helper.make_node("Constant", [], [name], value=whole("", *numbers))


def inside(node: NodeProto, *before: NodeProto) -> NodeProto:
    graph = helper.make_graph([*before, node], "g", [], [value("t", ["a", "b"])])
    return helper.make_node("If", ["c"], ["y"], then_branch=graph, else_branch=graph)


def shape_of(path: Path, nodes: list[NodeProto], name: str, weights: list[Any]) -> object:
    inputs = [value("x", [6]), value("c", [], 9)]
    save(path, nodes, inputs, [value("y", ["p", "q"])], weights)
    return by_name(infer(path, ()).values)[name].shape


def test_a_branch_knows_the_constants_of_the_graph_around_it(tmp_path):
    nodes = [inside(helper.make_node("Reshape", ["x", "to"], ["t"]))]
    assert shape_of(tmp_path / "m.onnx", nodes, "t", [whole("to", 2, 3)]) == (2, 3)


def test_numbers_made_of_constants_are_known(tmp_path):
    chain = [
        helper.make_node("ConstantOfShape", ["two"], ["zeros"], value=whole("", 0)),
        helper.make_node("Concat", ["some", "zeros"], ["four"], axis=0),
        helper.make_node("Reshape", ["four", "square"], ["pairs"]),
        helper.make_node("Transpose", ["pairs"], ["turned"]),
        helper.make_node("Reshape", ["turned", "flat"], ["pads"]),
        helper.make_node("Pad", ["m", "pads"], ["t"]),
    ]
    start = [helper.make_node("Reshape", ["x", "to"], ["m"])]
    weights = [whole("two", 2), whole("some", 1, 2), whole("square", 2, 2), whole("flat", -1)]
    nodes = [*start, inside(chain[-1], *chain[:-1])]
    assert shape_of(tmp_path / "m.onnx", nodes, "t", [*weights, whole("to", 2, 3)]) == (5, 3)


def test_a_name_that_a_branch_gives_away_again_is_its_own(tmp_path):
    nodes = [inside(helper.make_node("Reshape", ["x", "to"], ["t"]), constant("to", 3, 2))]
    assert shape_of(tmp_path / "m.onnx", nodes, "t", [whole("to", 2, 3)]) == (3, 2)


def made_known(nodes: list[NodeProto], weights: list[Any], inputs: list[Any]) -> list[str]:
    model = models.model(nodes, inputs, [value("y", ["n"], 7)], weights)
    make_known(model)
    return [node.op_type for node in model.graph.node]


def test_what_a_caller_may_replace_is_no_constant():
    double = helper.make_node("Add", ["w", "w"], ["y"])
    assert made_known([double], [whole("w", 1)], [value("w", [1], 7)]) == ["Add"]
    assert made_known([double], [whole("w", 1)], []) == ["Constant"]


def test_nothing_large_or_senseless_is_computed():
    huge = helper.make_node("ConstantOfShape", ["w"], ["y"], value=whole("", 0))
    assert made_known([huge], [whole("w", 1 << 40)], []) == ["ConstantOfShape"]
    assert made_known([huge], [whole("w", -3)], []) == ["ConstantOfShape"]
    wrong = helper.make_node("Reshape", ["w", "w"], ["y"])
    assert made_known([wrong], [whole("w", 5, 7)], []) == ["Reshape"]
    many = helper.make_node("Add", ["w", "w"], ["y"])
    assert made_known([many], [whole("w", *range(65))], []) == ["Add"]
    by_zero = helper.make_node("Div", ["w", "z"], ["y"])
    assert made_known([by_zero], [whole("w", 1), whole("z", 0)], []) == ["Div"]
    wide = helper.make_node("Concat", ["w"] * 65, ["y"], axis=0)
    assert made_known([wide], [whole("w", 1)], []) == ["Concat"]
