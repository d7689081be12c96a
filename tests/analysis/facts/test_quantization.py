from pathlib import Path

import pytest

from inspector.analysis.facts.quantization import (
    Compression,
    Quantization,
    activation_type,
    number_types,
    quantization,
)
from inspector.analysis.facts.shapes import with_shapes
from inspector.backends.onnxruntime.graphs.shape_inference import infer
from inspector.formats.opening import open_model
from inspector.model.model import Attribute, Layer, Model, WeightInfo
from tests.analysis.build import layers, model, value


def told(path: Path) -> Quantization:
    return quantization(with_shapes(open_model(path), infer(path, ())))


def stored(
    name: str, dtype: str, shape: tuple[int, ...], size: int, **more: object
) -> WeightInfo:
    return WeightInfo(name, dtype, shape, size, None, **more)


def of(*rows: tuple[str, str, str], weights: tuple[WeightInfo, ...] = ()) -> Model:
    return model(layers(*rows), weights=weights)


def test_casts_at_the_edges_are_told(samples):
    found = told(samples / "digits_float16.onnx")
    assert [(e.name, e.outside, e.inside, e.output) for e in found.edges] == [
        ("picture", "float32", "float16", False),
        ("probabilities", "float32", "float16", True),
    ]
    assert found.schemes == ()
    assert told(samples / "digits_float32.onnx") == Quantization((), (), ())


def test_qdq_with_a_scale_for_each_channel(samples):
    found = told(samples / "digits_int8_qdq.onnx")
    ((scheme, layers_of_it),) = found.schemes
    assert (scheme, layers_of_it > 10) == ("QDQ", True)
    assert found.compressions == (Compression("linear", "per channel", 8, 4, 19_088, 76_352),)


def test_integer_operators_static_and_dynamic():
    eight = stored("w", "int8", (4, 5), 20)
    static = of(
        ("QLinearConv", "x s z w t u r v", "y"), weights=(eight, stored("t", "float32", (), 4))
    )
    assert quantization(static).schemes == (("QOperator", 1),)
    assert quantization(static).compressions == (
        Compression("linear", "per tensor", 8, 1, 20, 80),
    )
    dynamic = of(("DynamicQuantizeLinear", "x", "q s z"), ("MatMulInteger", "q w z", "y"),
                 weights=(eight,))  # fmt: skip
    assert quantization(dynamic).schemes == (("dynamic", 1),)


def test_weights_of_four_bits_in_blocks():
    packed = stored("w", "uint8", (32, 2, 16), 1024)
    attributes = tuple(
        Attribute(n, "int", t) for n, t in (("K", "64"), ("N", "32"), ("bits", "4"))
    )
    node = Layer(0, "", "MatMulNBits", "com.microsoft", ("x", "w", "s"), ("y",), attributes)
    found = quantization(model((node,), weights=(packed,)))
    assert found.schemes == (("weight-only", 1),)
    assert found.compressions == (Compression("linear", "per block", 4, 1, 1024, 64 * 32 * 4),)


def test_dequantised_weights_alone_are_weight_only():
    four, scale = stored("w", "int4", (8, 8), 32), stored("s", "float16", (8,), 16)
    found = of(("DequantizeLinear", "w s", "d"), ("MatMul", "x d", "y"), weights=(four, scale))
    assert quantization(found).schemes == (("weight-only", 1),)


def test_lookup_tables_and_sparse_weights_show_their_expanded_size():
    table, places = stored("t", "float32", (16,), 64), stored("i", "uint8", (1000,), 1000)
    sparse = stored("w", "float32", (100, 100), 480, origin="sparse initializer")
    found = quantization(of(("Gather", "t i", "d"), weights=(table, places, sparse)))
    assert found.compressions == (
        Compression("sparse", "", 32, 1, 480, 40_000),
        Compression("lookup table", "", 8, 1, 1000, 4_000),
    )


def test_an_embedding_is_no_lookup_table():
    rows, tokens = stored("t", "float32", (30_000, 8), 960_000), stored("i", "int64", (5,), 40)
    assert quantization(of(("Gather", "t i", "y"), weights=(rows, tokens))).compressions == ()


def test_an_input_that_two_layers_take_is_not_converted_at_the_edge():
    made = of(("Cast", "x", "c"), ("Add", "x x", "y"))
    assert quantization(made).edges == ()
    once = model(
        layers(("Cast", "x", "c"), ("Relu", "c", "y")), values=(value("c", "float16"),)
    )
    assert [edge.name for edge in quantization(once).edges] == ["x"]


@pytest.mark.parametrize(
    ("weights", "activations", "text"),
    [
        ("int8", "uint16", "int8 weights, uint16 activations (w8a16)"),
        ("int4", "int8", "int4 weights, int8 activations (w4a8)"),
        ("int8", "float8e4m3fn", "int8"),
        ("float16", "uint8", "float16 weights, uint8 activations"),
        ("int8", "uint8", "int8"),
    ],
)
def test_weights_and_activations_of_different_sizes_are_both_named(weights, activations, text):
    zero = stored("z", activations, (), 2)
    quantized = of(
        ("QuantizeLinear", "x s z", "q"), ("DequantizeLinear", "q s z", "d"), weights=(zero,)
    )
    assert activation_type(quantized) == activations
    assert number_types(quantized, weights) == text


def test_a_model_without_quantized_activations_has_the_type_of_its_weights():
    assert number_types(of(("Relu", "x", "y")), "float16") == "float16"
    assert activation_type(of(("QuantizeLinear", "x s", "q"))) == "uint8"


def test_integer_models_of_tensorflow_lite_name_both(shared):
    name = "static_w8_a16_quantized_q_einsum.tflite"
    made = open_model(shared / "other" / "tflite" / "litert" / name)
    assert number_types(made, "int8") == "int8 weights, int16 activations (w8a16)"
