from typing import Any

from inspector.comparison.alignment import align, converts, serves
from inspector.comparison.layer_pairs.families import family
from inspector.report.report import LayerUse
from inspector.wording.support_marks import Status

A, B = "a" * 64, "b" * 64


def use(index: int, operator: str, name: str = "", **more: Any) -> LayerUse:
    return LayerUse(index, name, operator, Status.EXECUTED, "cpu", 1000, **more)


def pairs(*sides: tuple[LayerUse, ...]) -> list[tuple[int | None, ...]]:
    rows = align(sides, [str(number) for number in range(len(sides))])
    return [tuple(None if one is None else one.index for one in row.layers) for row in rows]


def test_one_model_goes_by_index_whatever_the_names():
    one, two = (use(0, "Conv", "a"), use(1, "Relu")), (use(0, "Conv", "b"), use(1, "Relu"))
    rows = align([one, two], [A, A])
    assert [row.how for row in rows] == ["index", "index"]


def test_a_third_report_of_the_second_model_goes_by_its_index():
    one = (use(0, "Conv", "a"),)
    two = (use(0, "Cast", "c"), use(1, "Conv", "a"))
    rows = align([one, two, two], [A, B, B])
    assert [[layer and layer.index for layer in row.layers] for row in rows] == [
        [None, 0, 0],
        [0, 1, 1],
    ]


def test_a_name_counts_only_with_an_operator_of_the_same_family():
    assert len(pairs((use(0, "Conv", "12"),), (use(0, "Relu", "12"),))) == 2
    assert pairs((use(0, "Conv", "x"),), (use(0, "QLinearConv", "x_quant"),)) == [(0, 0)]


def test_families_see_through_quantised_and_fused_operators():
    said = {
        "QLinearConv": "Conv",
        "ConvInteger": "Conv",
        "FusedConv": "Conv",
        "QGemm": "MatMul",
        "MatMulNBits": "MatMul",
        "DynamicQuantizeMatMul": "MatMul",
        "QuantizeLinear": "QuantizeLinear",
        "Clip": "Relu",
        "DEPTHWISE_CONV_2D": "Conv",
        "FULLY_CONNECTED": "MatMul",
        "LEAKY_RELU": "LeakyRelu",
        "RESHAPE": "Reshape",
        "LSTM": "LSTM",
    }
    assert {operator: family(operator) for operator in said} == said


def test_layers_without_names_are_found_by_their_output():
    one = (use(0, "Conv", value="x"), use(1, "Conv", value="y"))
    two = (use(0, "Conv", value="y"), use(1, "Conv", value="x"))
    assert pairs(one, two) == [(0, 1), (1, 0)]


def test_layers_without_anything_are_found_by_their_order_and_shape():
    one = tuple(use(i, op, output=f"float32 1×{n}") for i, (op, n) in enumerate(
        (("Conv", 8), ("Relu", 8), ("Conv", 16), ("Relu", 16), ("MatMul", 10))))  # fmt: skip
    two = tuple(use(i, op, output=f"float16 1×{n}") for i, (op, n) in enumerate(
        (("Conv", 8), ("Conv", 16), ("Relu", 16), ("Gemm", 10))))  # fmt: skip
    assert pairs(one, two) == [(0, 0), (1, None), (2, 1), (3, 2), (4, 3)]


def test_branches_in_another_order_are_told_apart_by_what_is_computed_of_them():
    wide = {"output": "float32 1×16×8×8"}
    one = (
        use(0, "Conv", output="float32 1×8×8×8"),
        use(1, "Conv", reads=(0,), **wide),
        use(2, "Relu", reads=(1,), **wide),
        use(3, "Conv", reads=(2,), **wide),
        use(4, "Conv", reads=(0,), **wide),
        use(5, "Concat", reads=(3, 4)),
    )
    two = (
        use(0, "Conv", output="float32 1×8×8×8"),
        use(1, "Conv", reads=(0,), **wide),
        use(2, "FusedConv", reads=(0,), **wide),
        use(3, "Conv", reads=(2,), **wide),
        use(4, "Concat", reads=(3, 1)),
    )
    assert {*pairs(one, two)} == {(0, 0), (1, 2), (2, None), (3, 3), (4, 1), (5, 4)}


def test_conversions_serve_the_layer_that_takes_or_made_the_value():
    layers = (
        use(0, "DequantizeLinear"),
        use(1, "Cast"),
        use(2, "Conv", reads=(1, 0)),
        use(3, "QuantizeLinear", reads=(2,)),
        use(4, "DequantizeLinear", reads=(3,)),
        use(5, "Relu", reads=(4,)),
        use(6, "Cast", reads=(5,)),
    )
    assert serves(layers) == {0: 2, 1: 2, 3: 2, 4: 5, 6: 5}
    assert [converts(layer) for layer in layers].count(True) == 5


def test_a_conversion_in_a_circle_serves_nobody():
    layers = (use(0, "Cast", reads=(1,)), use(1, "Cast", reads=(0,)))
    assert serves(layers) == {}


def test_new_conversions_stand_beside_the_layer_they_serve():
    one = (use(0, "Conv", "a"), use(1, "Conv", "b", reads=(0,)))
    two = (
        use(0, "DequantizeLinear", "w"),
        use(1, "Conv", "a"),
        use(2, "Conv", "b", reads=(1, 0)),
        use(3, "Cast", "out", reads=(2,)),
    )
    assert pairs(one, two) == [(0, 1), (None, 0), (1, 2), (None, 3)]


def test_conversions_without_names_are_the_same_where_they_serve_the_same_layer():
    one = (use(0, "Cast"), use(1, "Conv", "a", reads=(0,)), use(2, "Cast", reads=(1,)))
    two = (use(0, "Conv", "a"), use(1, "Cast", reads=(0,)))
    assert pairs(one, two) == [(0, None), (1, 0), (2, 1)]


def test_a_thousand_layers_without_names_are_aligned_quickly():
    operators = ("Conv", "Relu", "Add", "MatMul")
    one = tuple(use(i, operators[i % 4], output=f"float32 1×{i % 7}") for i in range(3000))
    two = tuple(use(i, one[i + 1].operator, output=one[i + 1].output) for i in range(2999))
    rows = align([one, two], [A, B])
    assert sum(None not in row.layers for row in rows) > 2900
