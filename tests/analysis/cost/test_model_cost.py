import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from inspector.analysis.cost.model_cost import cost
from inspector.analysis.facts.shapes import declared
from inspector.analysis.facts.symbolic_sizes import number, symbol
from inspector.formats.opening import open_model
from tests.analysis.inferred import known, save

BOOL, INT = TensorProto.BOOL, TensorProto.INT64


def dense(name: str, given: str, weight: str, made: str) -> object:
    return helper.make_node("MatMul", [given, weight], [made], name)


@pytest.mark.parametrize(
    ("name", "macs"),
    [
        # Convolutions by hand: 349.15 M for SqueezeNet 1.1 at 224, as its authors say (0.35 G).
        ("squeezenet1.1_fp16.onnx", 349_151_936),
        # MobileNet v2's 300 M at 224 grow with the area; odd sizes round up at each halving.
        ("mobilenet_qdq_int8_maui.onnx", 380_000_000),
    ],
)
def test_known_networks_cost_what_their_papers_say(shared, name, macs):
    _, _, found = known(shared / "real" / name)
    assert number(found.macs, {}) == pytest.approx(macs, rel=0.01)
    assert found.unknown == 0


def test_totals_are_a_formula_of_the_free_axes(samples):
    _, _, found = known(samples / "digits_float32.onnx")
    convolutions = 8 * 8 * 16 * 9 + 8 * 8 * 32 * 16 * 9 + 4 * 4 * 32 * 32 * 9
    assert found.macs == symbol("batch") * (convolutions + 512 * 10)
    assert found.symbols == ("batch",)


def test_a_weight_that_two_layers_share_counts_once(tmp_path):
    nodes = [dense("a", "x", "w", "h"), dense("b", "h", "w", "y")]
    _, _, found = known(save(tmp_path / "m.onnx", nodes, {"x": [2, 4]}, {"w": [4, 4]}))
    assert found.weights_bytes == 64
    assert [each.weights_bytes for each in found.layers] == [64, 64]
    assert found.macs == 2 * 2 * 16


def loop(trips: int | None, body_macs: int = 16) -> tuple[list[object], dict[str, object]]:
    body = helper.make_graph(
        [
            helper.make_node("Identity", ["go"], ["still"]),
            helper.make_node("MatMul", ["now", "w"], ["next"], "inner"),
        ],
        "body",
        [
            helper.make_tensor_value_info("turn", INT, []),
            helper.make_tensor_value_info("go", BOOL, []),
            helper.make_tensor_value_info("now", TensorProto.FLOAT, [1, 4]),
        ],
        [
            helper.make_tensor_value_info("still", BOOL, []),
            helper.make_tensor_value_info("next", TensorProto.FLOAT, [1, 4]),
        ],
    )
    node = helper.make_node("Loop", ["n", "", "x"], ["y"], "loop", body=body)
    if trips is None:
        return [node], {"n": []}
    value = numpy_helper.from_array(np.array(trips, np.int64))
    return [helper.make_node("Constant", [], ["n"], value=value), node], {}


def test_a_loop_costs_its_body_times_its_turns(tmp_path):
    nodes, more = loop(7)
    path = save(tmp_path / "m.onnx", nodes, {"x": [1, 4], **more}, {"w": [4, 4]})
    model, _, found = known(path)
    assert found.macs == 7 * 16
    inner = next(layer.index for layer in model.layers if layer.name == "inner")
    assert found.layers[inner].macs == 7 * 16
    assert found.layers[1].macs == 7 * 16


def test_turns_that_only_the_data_tell_are_a_symbol(tmp_path):
    nodes, more = loop(None)
    path = save(tmp_path / "m.onnx", nodes, {"x": [1, 4], **more}, {"w": [4, 4]}, n=INT)
    _, _, found = known(path)
    assert found.macs == symbol("iterations") * 16


def test_of_an_if_only_the_dearest_branch_counts(tmp_path):
    def branch(name: str, weight: str) -> object:
        out = helper.make_tensor_value_info(f"{name}_y", TensorProto.FLOAT, None)
        return helper.make_graph([dense(name, "x", weight, f"{name}_y")], name, [], [out])

    node = helper.make_node(
        "If", ["c"], ["y"], then_branch=branch("big", "w"), else_branch=branch("small", "v")
    )
    weights = {"w": [4, 100], "v": [4, 2]}
    model, _, found = known(
        save(tmp_path / "m.onnx", [node], {"x": [1, 4], "c": []}, weights, c=BOOL)
    )
    assert found.macs == 400
    by_branch = {layer.name: found.layers[layer.index] for layer in model.layers}
    assert (by_branch["big"].macs, by_branch["big"].counted) == (400, True)
    assert (by_branch["small"].macs, by_branch["small"].counted) == (8, False)


def function(name: str, *calls: object) -> object:
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid("local", 1)]
    return helper.make_function("local", name, ["a", "b"], ["c"], calls, opsets)


def test_a_function_costs_what_each_call_makes_of_it(tmp_path):
    inner = function("Inner", helper.make_node("MatMul", ["a", "b"], ["c"]))
    twice = [
        helper.make_node("Inner", ["a", "b"], ["h"], domain="local"),
        helper.make_node("Inner", ["h", "b"], ["c"], domain="local"),
    ]
    nodes = [
        helper.make_node("Twice", ["x", "w"], ["h"], domain="local"),
        helper.make_node("Inner", ["h", "v"], ["y"], domain="local"),
    ]
    path = save(tmp_path / "m.onnx", nodes, {"x": ["batch", 4]}, {"w": [4, 4], "v": [4, 9]},
                functions=[function("Twice", *twice), inner])  # fmt: skip
    _, shapes, found = known(path)
    assert found.layers[0].macs == symbol("batch") * 32
    assert found.layers[1].macs == symbol("batch") * 36
    assert found.macs == symbol("batch") * 68
    assert len(shapes.bodies) == 4  # the graph, Twice, Inner on each kind of weights
    assert found.unknown == 0


def test_without_inference_only_what_the_file_declares_is_known(samples):
    model = open_model(samples / "digits_float32.onnx")
    found = cost(model, declared(model))
    assert found.unknown == len([op for op in model.layers if op.operator in ("Conv", "Gemm")])
    assert dict(found.operators) == {"Conv": 3, "Gemm": 1}
    assert found.macs == 0
