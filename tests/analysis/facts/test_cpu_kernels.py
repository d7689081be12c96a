"""Needs beyond opsets and operators. The releases named here were run: they refuse the model
before, or compute something else, and do it right from then on."""

from dataclasses import replace

import pytest

from inspector.analysis.facts.cpu_kernels import OVERLOADS
from inspector.analysis.facts.requirements import Need, requirements
from inspector.model.model import (
    Attribute,
    Function,
    Layer,
    Model,
    Opset,
    TensorInfo,
    WeightInfo,
)
from tests.analysis.build import layers, model


def _typed(operator: str, dtype: str, opset: int, *attributes: tuple[str, str]) -> Model:
    """Return a model of one layer whose input and output have a type."""
    domain, _, name = operator.rpartition(".")
    added = tuple(Attribute(key, "int", value) for key, value in attributes)
    layer = Layer(0, "n", name, domain, ("x", "x"), ("y",), added)
    made = model((layer,), opset=opset, ir_version=7)
    return replace(made, inputs=(TensorInfo("x", "tensor", dtype, (4,)),))


@pytest.mark.parametrize(
    ("operator", "dtype", "opset", "runtime"),
    [
        ("Add", "float32", 14, "1.8"),
        ("Add", "float16", 14, "1.8"),  # the runtime casts
        ("Add", "int8", 14, "1.21"),
        ("Add", "bfloat16", 14, ""),
        ("LessOrEqual", "int16", 16, "1.21"),  # a function of Less, which has no kernel for it
        ("DeformConv", "float32", 22, "1.25"),
        ("RoiAlign", "float32", 22, ""),
        ("Cast", "float4e2m1", 23, ""),
        ("DequantizeLinear", "float4e2m1", 23, ""),
        ("DequantizeLinear", "int2", 25, "1.24"),
        ("QLinearMatMul", "int8", 21, "1.20"),
        ("Gelu", "float32", 20, "1.17"),
    ],
)
def test_a_type_needs_the_first_release_with_its_kernel(operator, dtype, opset, runtime):
    assert requirements(_typed(operator, dtype, opset)).runtime == runtime


def _undeclared(
    dtype: str, opset: int, *rows: tuple[str, str, str], **attributes: str
) -> Model:
    """Return a model whose file says the types of its input and output only."""
    made = model(layers(*rows, **attributes), opset=opset, ir_version=7)
    return replace(made, inputs=(TensorInfo("x", "tensor", dtype, (4,)),))


def test_types_that_no_file_declares_follow_from_the_inputs():
    adds = ("Add", "b b", "y")
    chain = (("Identity", "x", "a"), ("Transpose", "a", "b"), adds)
    assert requirements(_undeclared("int8", 14, *chain)).runtime == "1.21"
    assert requirements(_undeclared("float32", 14, *chain)).runtime == "1.8"
    cast = requirements(_undeclared("float32", 14, ("Cast", "x", "b"), adds, to="int8"))
    assert cast.runtime == "1.21"
    scaled = (("QuantizeLinear", "x s z", "b"), adds)
    zero = (WeightInfo("z", "int8", (), 1, None), WeightInfo("s", "float32", (), 4, None))
    quantized = replace(_undeclared("float32", 14, *scaled), weights=zero)
    assert requirements(quantized).runtime == "1.21"
    other = (("com.example.Own", "x", "b"), adds)  # nobody knows what it gives
    own = replace(
        _undeclared("int8", 14, *other), opsets=(Opset("", 14), Opset("com.example", 1))
    )
    assert not any("int8" in need.subject for need in requirements(own).needs)


def test_the_reason_names_kernel_and_type():
    found = requirements(_typed("Add", "int8", 14))
    assert found.text == (
        "ONNX Runtime 1.21 or later (a CPU kernel for Add (opset 14) of int8)"
    )
    assert found.needs[0] == Need("a CPU kernel for Add (opset 14) of int8", "1.21", True)


def test_what_no_cpu_computes_may_run_elsewhere():
    found = requirements(_typed("Add", "bfloat16", 14))
    assert (found.runtime, found.elsewhere) == ("", "1.8")
    assert found.text == (
        "ONNX Runtime 1.8 or later, not on a CPU (no kernel for Add (opset 14) of bfloat16)"
    )
    only_gpu = requirements(_typed("com.microsoft.GroupNorm", "float32", 17))
    assert (only_gpu.runtime, only_gpu.elsewhere) == ("", "1.14")


@pytest.mark.parametrize(
    ("operator", "dtype", "opset", "runtime"),
    [
        ("Equal", "string", 19, "1.16"),
        ("AveragePool", "float32", 19, "1.16"),
        ("Floor", "float64", 13, "1.14"),
        ("ArgMax", "uint8", 13, "1.11"),
        ("ArgMax", "float32", 13, "1.6"),
        ("Gemm", "float64", 13, "1.7"),
        ("Clip", "int16", 13, ""),
        ("Clip", "uint32", 13, "1.15"),  # a function of Less with both limits
        ("OptionalHasElement", "float32", 15, "1.10"),
    ],
)
def test_kernels_of_old_releases_are_known(operator, dtype, opset, runtime):
    """Each was opened in 1.0 to 1.15."""
    assert requirements(_typed(operator, dtype, opset)).runtime == runtime


@pytest.mark.parametrize(
    ("operator", "opset", "types", "runtime"),
    [
        ("OneHot", 9, ("int64", "int64", "float32"), "1.0"),
        ("OneHot", 9, ("float32", "float32", "int64"), ""),
        ("OneHot", 28, ("int64", "int64", "float32"), "1.32"),
        ("OneHot", 28, ("int64", "float32", "bfloat16"), ""),
        ("BatchNormalization", 15, ("float32",) * 5, "1.9"),
        ("BatchNormalization", 15, ("float32",) * 3 + ("float64",) * 2, ""),
        ("MatMulInteger", 10, ("uint8", "int8"), "1.0"),
        ("MatMulInteger", 10, ("int8", "uint8"), "1.24"),
    ],
)
def test_a_combination_of_types_may_need_more_than_each_of_them(
    operator, opset, types, runtime
):
    """Each was opened in releases from 1.4 to 1.32."""
    names = tuple(f"x{place}" for place in range(len(types)))
    layer = Layer(0, "n", operator, "", names, ("y",))
    made = model((layer,), opset=opset, ir_version=14 if opset == 28 else 3)
    inputs = [TensorInfo(n, "tensor", t, (4,)) for n, t in zip(names, types, strict=True)]
    found = requirements(replace(made, inputs=tuple(inputs)))
    assert found.runtime == runtime
    if not runtime:
        assert " with " in found.reason


def test_an_output_type_counts_and_a_cast_says_its_own():
    assert requirements(_typed("Cast", "float32", 23, ("to", "float4e2m1"))).runtime == ""
    assert requirements(_typed("Cast", "float32", 23, ("to", "float16"))).runtime == "1.23"


@pytest.mark.parametrize(
    ("operator", "attributes", "runtime"),
    [
        ("com.microsoft.MatMulNBits", [("bits", "4")], "1.16"),
        ("com.microsoft.MatMulNBits", [("bits", "8")], "1.23"),
        ("com.microsoft.MatMulNBits", [("bits", "2")], "1.24"),
        ("com.microsoft.MatMulNBits", [("weight_prepacked", "1")], "1.28"),
        ("com.microsoft.GroupQueryAttention", [("softcap", "1")], "1.20"),
        ("RotaryEmbedding", [("rotary_embedding_dim", "4")], "1.24"),
        ("RotaryEmbedding", [("rotary_embedding_dim", "0")], "1.23"),
        ("BatchNormalization", [("training_mode", "1")], "1.9"),
        ("BatchNormalization", [("training_mode", "0")], "1.8"),
        ("LSTM", [("layout", "1")], ""),
        ("LSTM", [("layout", "0")], "1.21"),
        ("Resize", [("coordinate_transformation_mode", "half_pixel_symmetric")], "1.15"),
        ("CenterCropPad", [("axes", "-3, -2")], "1.15"),
        ("CenterCropPad", [("axes", "0, 1")], "1.14"),
    ],
)
def test_attributes_and_their_values_may_come_later_than_the_operator(
    operator, attributes, runtime
):
    opsets = {"RotaryEmbedding": 23, "LSTM": 22, "Resize": 18, "CenterCropPad": 18}
    opset = opsets.get(operator, 14)
    found = requirements(_typed(operator, "float32", opset, *attributes))
    assert found.runtime == runtime


def test_an_input_that_came_later_needs_its_release():
    names = " ".join(f"i{place}" for place in range(6))
    made = model(layers(("com.microsoft.MatMulNBits", names, "y")), opset=14, ir_version=7)
    found = requirements(made)
    assert (found.runtime, found.reason) == ("1.19", "input 6 of com.microsoft.MatMulNBits")


def test_functions_of_one_name_need_a_release_that_heeds_overloads():
    body = layers(("Relu", "a", "b"))
    one = Function("scale", "d", "", ("a",), ("b",), body, opsets=(Opset("", 18),))
    made = model(layers(("d.scale", "x", "y")), opset=18, ir_version=10, functions=(one,))
    assert requirements(made).runtime == "1.18"
    both = replace(made, functions=(one, replace(one, overload="add")))
    assert requirements(both).runtime == OVERLOADS == "1.27"


def test_bodies_of_functions_are_held_against_their_own_opset():
    function = Function(
        "f", "d", "", ("a",), ("b",), layers(("RoiAlign", "a", "b")), opsets=(Opset("", 22),)
    )
    made = model(layers(("d.f", "x", "y")), opset=22, ir_version=8, functions=(function,))
    assert requirements(made).reason == "a CPU kernel for RoiAlign (opset 22)"


def test_domains_of_training_builds_are_in_no_release():
    made = model(layers(("ai.onnx.preview.training.Adam", "x", "y")), opset=12, ir_version=7)
    found = requirements(made)
    assert (found.runtime, found.reason) == ("", "operator ai.onnx.preview.training.Adam")


def test_a_quantized_output_type_is_that_of_its_attribute_or_its_declaration():
    chosen = _typed("QuantizeLinear", "float32", 24, ("output_dtype", "float4e2m1"))
    assert requirements(chosen).runtime == ""
    declared = replace(
        _typed("QuantizeLinear", "float32", 24),
        outputs=(TensorInfo("y", "tensor", "float4e2m1", (4,)),),
    )
    assert requirements(declared).runtime == ""
    plain = _typed("QuantizeLinear", "float32", 24, ("output_dtype", "uint8"))
    assert requirements(plain).runtime == "1.24"
