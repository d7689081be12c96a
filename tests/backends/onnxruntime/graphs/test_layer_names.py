import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import ModelProto, helper, parser

from inspector.backends.onnxruntime.graphs import layer_names
from inspector.backends.onnxruntime.graphs.layer_names import rename
from inspector.formats import opening
from tests import models

BRANCHES = """
<ir_version: 9, opset_import: ["" : 17, "own" : 1]>
g (float[2,3] x, bool c) => (float[2,3] y) <float[1] w = {2}> {
  [first] a = Mul(x, w)
  [chosen] b = If(c) <
    then_branch = t () => (float[2,3] o) { [deep] q = Sigmoid(a) o = own.Twice(q) },
    else_branch = e () => (float[2,3] o) { o = Abs(a) }>
  [last] y = own.Twice(b)
}
<domain: "own", opset_import: ["" : 17]> Twice (T5) => (L2) { s = Add(T5, T5) L2 = Identity(s) }
"""


@pytest.fixture
def branches() -> ModelProto:
    return parser.parse_model(BRANCHES)


def run(model: ModelProto, **feeds: object) -> list[np.ndarray]:
    providers = ["CPUExecutionProvider"]
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=providers)
    return list(session.run(None, feeds))


def test_nodes_are_numbered_in_the_order_of_the_models_layers(branches):
    renamed, names = rename(branches)
    graphs = list(layer_names.graphs(renamed.graph))
    numbered = {node.name: node.op_type for graph in graphs for node in graph.node}
    assert names.layers == len(numbered) == 6
    assert [numbered[f"L{i}"] for i in range(6)] == [
        "Mul", "If", "Sigmoid", "Twice", "Abs", "Twice",
    ]  # fmt: skip


def test_what_a_graph_takes_gives_and_carries_keeps_its_name(branches):
    graph = rename(branches)[0].graph
    assert [value.name for value in graph.input] == ["x", "c"]
    assert [value.name for value in graph.output] == ["y"]
    assert [tensor.name for tensor in graph.initializer] == ["w"]
    assert graph.node[0].input[:] == ["x", "w"]
    assert graph.node[-1].output[:] == ["y"]


def test_the_files_own_names_come_back(branches):
    renamed, names = rename(branches)
    assert names.tensor(renamed.graph.node[0].output[0]) == "a"
    assert names.tensor("x") == "x"


@pytest.mark.parametrize("chosen", [True, False])
def test_the_renamed_model_answers_the_same(branches, chosen):
    x = np.array([[-1, 2, -3], [4, -5, 6]], np.float32)
    (before,) = run(branches, x=x, c=np.array(chosen))
    (after,) = run(rename(branches)[0], x=x, c=np.array(chosen))
    np.testing.assert_array_equal(before, after)


def test_the_given_model_is_left_alone(branches):
    before = branches.SerializeToString()
    rename(branches)
    assert branches.SerializeToString() == before


def test_new_names_never_meet_those_that_stay():
    model = parser.parse_model("""
    <ir_version: 9, opset_import: ["" : 17]>
    g (float[2] T0, float[2] T2) => (float[2] T1) {
      a = Add(T0, T2)
      b = Neg(a)
      T1 = Mul(a, b)
    }
    """)
    renamed, _ = rename(model)
    made = [name for node in renamed.graph.node for name in node.output]
    assert made == ["T3", "T4", "T1"]
    (answer,) = run(renamed, T0=np.float32([1, 2]), T2=np.float32([3, 4]))
    np.testing.assert_array_equal(answer, np.float32([-16, -36]))


def test_nodes_may_stand_before_the_ones_they_need():
    x = models.value("x", [2])
    y = models.value("y", [2])
    nodes = [helper.make_node("Neg", ["a"], ["y"]), helper.make_node("Abs", ["x"], ["a"])]
    model = models.model(nodes, [x], [y])
    renamed = rename(model)[0].graph
    assert renamed.node[0].input[0] == renamed.node[1].output[0] != "a"


def test_names_inside_functions_cannot_be_taken_for_layers(branches):
    (function,) = rename(branches)[0].functions
    words = [*function.input, *function.output]
    words += [name for node in function.node for name in (*node.input, *node.output)]
    assert not [word for word in words if layer_names.tokens(word)]


def test_tokens_are_found_in_names_that_the_runtime_made():
    assert layer_names.tokens("fused L3_token_1") == ["L3"]
    assert layer_names.tokens("T12_nchwc") == ["T12"]
    assert layer_names.tokens("_if_then_branch_T5") == ["T5"]
    assert layer_names.tokens("L3/MatMulAddFusion") == ["L3"]
    assert layer_names.tokens("XL3 T4x5 Layer7") == ["T4"]


def test_numbers_agree_with_the_reader(shared):
    path = shared / "real" / "silero_vad_op16_if.onnx"
    layers = opening.open_model(path).layers
    renamed, _ = rename(onnx.load(path))
    operators = {
        int(node.name[1:]): node.op_type
        for graph in layer_names.graphs(renamed.graph)
        for node in graph.node
    }
    assert [operators[layer.index] for layer in layers] == [layer.operator for layer in layers]
