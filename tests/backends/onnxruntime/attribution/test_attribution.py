from collections import Counter

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper, parser

from inspector.backends.onnxruntime.attribution.attribution import attribute_kernels
from inspector.backends.onnxruntime.graphs.layer_names import rename
from inspector.trace.trace import Kind
from inspector.wording.support_marks import Status
from tests import models
from tests.backends.onnxruntime.attribution.optimised import (
    LEVELS,
    explained,
    optimised,
    statuses,
    weights,
)


def convolutions() -> ModelProto:
    """Conv, BatchNormalization, Relu, twice, with a sum around the second."""
    carried = {"w1": weights(16, 3, 3, 3), "w2": weights(16, 16, 3, 3, seed=1)}
    carried |= {n: np.abs(weights(16, seed=i)) for i, n in enumerate("smvt")}
    nodes = [
        helper.make_node("Conv", ["x", "w1"], ["a"], "stem", pads=[1, 1, 1, 1]),
        helper.make_node("BatchNormalization", ["a", "s", "m", "v", "t"], ["b"], "norm"),
        helper.make_node("Relu", ["b"], ["c"], "relu"),
        helper.make_node("Conv", ["c", "w2"], ["d"], "second", pads=[1, 1, 1, 1]),
        helper.make_node("Add", ["d", "c"], ["e"], "sum"),
        helper.make_node("Relu", ["e"], ["f"], "last"),
        helper.make_node("Identity", ["f"], ["g"], "nothing"),
        helper.make_node("GlobalAveragePool", ["g"], ["y"], "pool"),
    ]
    return made(nodes, [("x", [1, 3, 8, 8])], [("y", [1, 16, 1, 1])], carried)


def made(
    nodes: list[object],
    inputs: list[tuple[str, list[int]]],
    outputs: list[tuple[str, list[int]]],
    carried: dict[str, np.ndarray],
) -> ModelProto:
    values = [[models.value(name, shape) for name, shape in some] for some in (inputs, outputs)]
    return models.model(nodes, *values, carried)


def test_unoptimised_every_layer_runs_by_itself():
    found = explained(convolutions(), "none")
    assert statuses(found) == ["executed"] * 8
    assert [node.layers for node in found.executed] == [(i,) for i in range(8)]


def test_what_runs_behind_a_convolution_is_fused_into_it():
    found = explained(convolutions(), "extended")
    assert statuses(found)[:4] == ["executed", "fused -> 0", "fused -> 0", "executed"]
    assert statuses(found)[6:] == ["eliminated", "executed"]


def test_blocked_layouts_bring_inserted_nodes_between_layers():
    found = explained(convolutions(), "all")
    assert not [fate for fate in found.outcomes if fate.status is Status.UNKNOWN]
    inserted = [node for node in found.executed if node.lead is None]
    assert {node.kind for node in inserted} <= {Kind.LAYOUT}
    for node in inserted:
        assert node.tensor
        assert node.after is not None or node.before is not None


@pytest.mark.parametrize("level", LEVELS)
def test_every_layer_has_a_fate_and_every_node_a_layer(level):
    found = explained(convolutions(), level)
    assert Status.UNKNOWN not in {fate.status for fate in found.outcomes}
    for node in found.executed:
        assert (node.lead is None) == (not node.layers)
        assert node.lead is None or node.lead in node.layers


def test_what_depends_on_no_input_is_folded():
    text = """
    <ir_version: 9, opset_import: ["" : 17]>
    g (float[2,3] x) => (float[3,2] y) {
      two = Constant<value = float {2}>()
      four = Mul(two, two)
      a = Mul(x, four)
      y = Transpose<perm = [1, 0]>(a)
    }"""
    found = explained(parser.parse_model(text))
    assert statuses(found) == ["folded", "folded", "executed", "executed"]


def test_equal_layers_become_one():
    text = """
    <ir_version: 9, opset_import: ["" : 17]>
    g (float[2,3] x) => (float[2,3] y) {
      a = Sigmoid(x)
      b = Sigmoid(x)
      c = Exp(b)
      y = Sub(a, c)
    }"""
    found = explained(parser.parse_model(text))
    told = statuses(found)
    assert sorted(told[:2])[0] == "executed"
    assert sorted(told[:2])[1].startswith("merged -> ")
    assert told[2:] == ["executed", "executed"]


@pytest.mark.parametrize("level", ["none", "all"])
def test_a_function_runs_as_several_operators_of_one_layer(level):
    text = """
    <ir_version: 9, opset_import: ["" : 17, "own" : 1]>
    g (float[2,3] x) => (float[2,3] y) {
      a = own.Gate(x)
      y = HardSwish(a)
    }
    <domain: "own", opset_import: ["" : 17]>
    Gate (p) => (r) { T0 = Tanh(p) t = Transpose<perm = [0, 1]>(T0) r = Mul(p, t) }
    """
    found = explained(parser.parse_model(text), level)
    assert statuses(found) == ["executed", "executed"]
    assert {node.lead for node in found.executed} == {0, 1}


LOOP = """
<ir_version: 9, opset_import: ["" : 17]>
g (float[4] x, int64 n) => (float[4] y) {
  go = Constant<value = bool {1}>()
  a = Abs(x)
  b = Loop(n, go, a) <body = body (int64 i, bool before, float[4] s)
      => (bool after, float[4] t) { u = Sqrt(s) t = Add(u, a) after = Identity(before) }>
  y = Neg(b)
}
"""


@pytest.mark.parametrize("level", LEVELS)
def test_bodies_of_loops_are_explained_like_any_graph(level):
    found = explained(parser.parse_model(LOOP), level)
    told = statuses(found)
    assert told[:5] == ["folded", "executed", "executed", "executed", "executed"]
    assert told[6] == "executed"
    loop = next(node for node in found.executed if node.operator == "Loop")
    (body,) = (graph for graph in found.graphs if graph.owner == loop.index)
    assert {found.executed[i].lead for i in body.nodes} >= {3, 4}


DECIDED = """
<ir_version: 9, opset_import: ["" : 17]>
g (float[4] x) => (float[4] y) {
  c = Constant<value = bool {%d}>()
  a = Abs(x)
  b = If(c) <
    then_branch = t () => (float[4] o) { q = Sigmoid(a) o = Tanh(q) },
    else_branch = e () => (float[4] o) { o = Exp(a) }>
  y = Neg(b)
}
"""


@pytest.mark.parametrize("level", ["basic", "all"])
def test_a_branch_decided_beforehand_runs_in_the_place_of_its_if(level):
    then_taken = explained(parser.parse_model(DECIDED % 1), level)
    assert statuses(then_taken) == [
        "folded", "executed", "eliminated", "executed", "executed", "not reached", "executed",
    ]  # fmt: skip
    else_taken = explained(parser.parse_model(DECIDED % 0), level)
    assert statuses(else_taken) == [
        "folded", "executed", "eliminated", "not reached", "not reached", "executed",
        "executed",
    ]  # fmt: skip


def test_what_nothing_needs_is_dead_with_all_that_it_would_have_run():
    whole = parser.parse_model("""
        <ir_version: 9, opset_import: ["" : 17]>
        g (float[4] x, bool c) => (float[4] y) {
          b = If(c) <
            then_branch = t () => (float[4] o) { o = Tanh(x) },
            else_branch = e () => (float[4] o) { o = Exp(x) }>
          y = Neg(x)
        }""")
    renamed, _ = rename(whole)
    without = ModelProto()
    without.CopyFrom(renamed)
    del without.graph.node[0]  # the runtime itself leaves such layers in, and runs them
    assert statuses(attribute_kernels(renamed, without)) == ["dead", "dead", "dead", "executed"]


def test_precision_casts_are_inserted_around_the_layer_that_needs_them():
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["a"], "product"),
        helper.make_node("Exp", ["a"], ["y"], "exp"),
    ]
    x, y = (models.value(name, [4, 4], TensorProto.FLOAT16) for name in "xy")
    w = numpy_helper.from_array(weights(4, 4).astype(np.float16), "w")
    model = models.model(nodes, [x], [y], [w])
    found = explained(model, "none")
    assert statuses(found) == ["executed", "executed"]
    casts = [node for node in found.executed if node.lead is None]
    assert casts
    assert Counter(node.kind for node in casts) == {Kind.CAST: len(casts)}


def test_names_of_the_file_do_when_nothing_was_renamed():
    model = convolutions()
    found = attribute_kernels(model, optimised(model, "all"))
    assert Status.UNKNOWN not in {fate.status for fate in found.outcomes}
    assert statuses(found)[:3] == ["executed", "fused -> 0", "fused -> 0"]


def test_two_thousand_layers_are_explained():
    nodes = []
    for i in range(1000):
        nodes.append(helper.make_node("Mul", [f"t{i}", "w"], [f"m{i}"]))
        nodes.append(helper.make_node("Add", [f"m{i}", f"t{i}"], [f"t{i + 1}"]))
    model = made(nodes, [("t0", [4])], [("t1000", [4])], {"w": weights(4)})
    renamed, _ = rename(model)
    found = attribute_kernels(renamed, renamed)
    assert Counter(fate.status for fate in found.outcomes) == {Status.EXECUTED: 2_000}
