from onnx import GraphProto, NodeProto, TensorProto, helper, parser

from inspector.backends.onnxruntime.attribution import graph_index as graphs
from inspector.backends.onnxruntime.attribution.coverage import Coverage, cover_layers

OWN = "com.microsoft"


def node(
    operator: str, name: str, inputs: list[str], outputs: list[str], domain: str = ""
) -> NodeProto:
    return helper.make_node(operator, inputs, outputs, name, domain=domain)


def covered(model: str, *optimised: NodeProto) -> Coverage:
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [4]) for name in "xy"]
    graph: GraphProto = helper.make_graph(list(optimised), "g", values[:1], values[1:])
    header = '<ir_version: 9, opset_import: ["" : 17]> g (float[4] x) => (float[4] y) '
    given = parser.parse_model(header + model).graph
    return cover_layers(graphs.read(given), graphs.read(graph))


THREE = "{ [L0] T0 = Tanh(x) [L1] T1 = Exp(T0) [L2] y = Neg(T1) }"


def test_a_path_ends_at_what_other_nodes_make():
    found = covered(
        THREE,
        node("Tanh", "L0", ["x"], ["T0"]),
        node("Odd", "who knows", ["T0"], ["odd"], OWN),
        node("Neg", "L2", ["odd"], ["y"]),
    )
    assert found.covered == ({0}, {1, 2}, {1, 2})
    assert found.part_of == {1: 2}


def test_a_path_ends_at_what_the_node_itself_takes_in():
    found = covered(
        THREE, node("Tanh", "L0", ["x"], ["T0"]), node("Two", "", ["T0"], ["y"], OWN)
    )
    assert found.covered == ({0}, {1, 2})


def test_what_runs_behind_is_taken_in_up_to_where_another_node_begins():
    model = "{ [L0] T0 = Neg(x) [L1] T1 = Relu(T0) [L2] T2 = Tanh(T1) [L3] y = Neg(T2) }"
    found = covered(
        model,
        node("Neg", "T0_nchwc", ["x"], ["made_0"], OWN),
        node("Tanh", "L2", ["made_0"], ["made_1"], OWN),
        node("Neg", "L3", ["made_1"], ["y"], OWN),
    )
    assert found.covered == ({0, 1}, {2}, {3})
    assert found.tensors["made_0"] == "T1"


def test_layers_of_the_standard_take_in_only_what_melts_into_weights():
    model = "{ [L0] T0 = Exp(x) [L1] T1 = Relu(T0) [L2] y = Neg(T1) }"
    found = covered(
        model, node("Exp", "L0", ["x"], ["unknown"]), node("Both", "", ["unknown"], ["y"], OWN)
    )
    assert found.covered == ({0}, {1, 2})


def test_what_a_tensor_is_passes_through_inserted_nodes_both_ways():
    found = covered(
        THREE,
        node("Tanh", "L0", ["x"], ["T0"]),
        node("ReorderInput", "ReorderInput_token_1", ["T0"], ["before"]),
        node("Exp", "L1", ["before"], ["after"], OWN),
        node("ReorderOutput", "ReorderOutput_token_2", ["after"], ["T1"]),
        node("Neg", "L2", ["T1"], ["y"]),
    )
    assert found.inserted == {1, 3}
    assert (found.tensors["before"], found.tensors["after"]) == ("T0", "T1")
    assert found.covered == ({0}, set(), {1}, set(), {2})


def test_a_cast_of_the_model_is_no_inserted_one():
    model = "{ [L0] T0 = Cast<to = 11>(x) [L1] T1 = Exp(T0) [L2] y = Cast<to = 1>(T1) }"
    found = covered(
        model,
        node("Cast", "L0", ["x"], ["T0"]),
        node("Cast", "InsertedPrecisionFreeCast_T0", ["T0"], ["InsertedPrecisionFreeCast_T0"]),
        node("Exp", "L1", ["InsertedPrecisionFreeCast_T0"], ["T1"]),
        node("Cast", "L2", ["T1"], ["y"]),
    )
    assert found.inserted == {1}


def test_nodes_without_a_word_count_to_the_layer_that_they_feed():
    found = covered(
        "{ [L0] T0 = HardSwish(x) [L1] y = Neg(T0) }",
        node("HardSigmoid", "", ["x"], ["_inlfunc_HardSwish_f0v1"]),
        node("Mul", "", ["x", "_inlfunc_HardSwish_f0v1"], ["T0"]),
        node("Neg", "L1", ["T0"], ["y"]),
    )
    assert found.covered == ({0}, {0}, {1})
    assert found.part_of == {0: 1}


def test_a_body_of_one_node_is_no_inserted_one():
    found = covered(
        "{ [L0] T0 = Flip(x) [L1] y = Neg(T0) }",
        node("Transpose", "", ["x"], ["T0"]),
        node("Neg", "L1", ["T0"], ["y"]),
    )
    assert found.inserted == set()
    assert found.covered == ({0}, {1})


def test_an_inserted_pair_of_quantisation_is_named_for_what_it_quantises():
    found = covered(
        "{ [L0] T0 = Neg(x) [L1] T1 = Relu(T0) [L2] T2 = Abs(T1) [L3] y = Neg(T2) }",
        node("Neg", "L0", ["x"], ["T0"]),
        node("QuantizeLinear", "T1_q", ["T0", "s", "z"], ["T1_q_to_dq"]),
        node("Abs", "L2", ["T1_q_to_dq"], ["T2"]),
        node("Neg", "L3", ["T2"], ["y"]),
    )
    assert found.inserted == {1}
    assert found.tensors["T1_q_to_dq"] == "T1"
    assert found.covered == ({0}, set(), {2}, {3})
