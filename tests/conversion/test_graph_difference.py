"""What an edit did to a graph is found by comparing it with the graph before."""

import numpy as np
from onnx import helper

from inspector.conversion.edits.changes import MarkKind
from inspector.conversion.edits.graph_difference import marks, state_of
from tests import models


def test_layers_are_marked_by_what_became_of_them():
    nodes = [
        helper.make_node("Relu", ["x"], ["a"], "first"),
        helper.make_node("Neg", ["a"], ["b"], "same"),
        helper.make_node("Add", ["b", "w"], ["c"], "weighted"),
        helper.make_node("Abs", ["c"], ["y"], "last"),
    ]
    ends = [models.value("x", [4])], [models.value("y", [4])]
    before = models.model(nodes, *ends, {"w": np.zeros(4, np.float32)})
    after = models.model(nodes, *ends, {"w": np.ones(4, np.float32)})
    after.graph.node[0].op_type = "Sigmoid"
    found = marks(state_of(before), state_of(after))
    assert [(mark.number, mark.kind) for mark in found] == [
        (0, MarkKind.CHANGED),
        (2, MarkKind.CHANGED),
    ]
    assert found[1].names == ("w",)
