"""Who uses which weight."""

import numpy as np
from onnx import helper

from inspector.formats.opening import open_model
from inspector.ui.documents.weight_reading import uses
from tests.formats.build import model, save, value, weight


def test_layers_that_take_a_weight_are_told_within_its_scope(tmp_path):
    one = np.ones(4, np.float32)
    inner = helper.make_node("Mul", ["w", "own"], ["y"], name="inner")
    branch = helper.make_graph([inner], "b", [], [value("y")], [weight("own", one)])
    other = helper.make_graph([helper.make_node("Neg", ["w"], ["z"])], "c", [], [value("z")])
    nodes = [
        helper.make_node("Constant", [], ["k"], value=weight("k", one)),
        helper.make_node("Add", ["x", "k"], ["s"], name="add"),
        helper.make_node("Add", ["w", "w"], ["own"], name="twice"),
        helper.make_node("Neg", ["own"], ["n"], name="outside"),
        helper.make_node("If", ["c"], ["o"], then_branch=branch, else_branch=other),
        helper.make_node("Odd", ["n"], ["p"], table=weight("t", one), domain="us"),
    ]
    proto = model(nodes, [weight("w", one), weight("unused", one)])
    found = open_model(save(proto, tmp_path / "m.onnx"))
    names = {layer.index: layer.label for layer in found.layers}
    told = {
        weight.name: [names[index] for index in indices]
        for weight, indices in zip(found.weights, uses(found), strict=True)
    }
    assert told["w"][:1] == ["twice"]
    assert {"inner", "twice"} <= set(told["w"])
    assert len(told["w"]) == 3
    assert told["own"] == ["inner"]
    assert told["k"] == ["add"]
    assert told["unused"] == []
    assert len(told["Odd 7.table"]) == 1
