"""Numbers worked out by hand from the definitions of the operators."""

import pytest
from onnx import TensorProto

from inspector.analysis.facts.symbolic_sizes import symbol
from tests.analysis.inferred import layer

BATCH = symbol("batch")
I8, U8 = TensorProto.INT8, TensorProto.UINT8


def test_a_convolution_takes_a_window_for_each_output(tmp_path):
    cost = layer(tmp_path, "Conv", {"x": [1, 3, 224, 224]}, {"w": [64, 3, 7, 7]},
                 strides=[2, 2], pads=[3, 3, 3, 3])  # fmt: skip
    assert cost.macs == 64 * 112 * 112 * 3 * 7 * 7 == 118_013_952
    assert cost.weights_bytes == 4 * 64 * 3 * 49
    assert cost.moved_bytes == 4 * (3 * 224 * 224 + 64 * 3 * 49 + 64 * 112 * 112)


def test_groups_of_a_convolution_divide_its_work(tmp_path):
    cost = layer(tmp_path, "Conv", {"x": ["batch", 32, 56, 56]}, {"w": [32, 1, 3, 3]},
                 group=32, pads=[1, 1, 1, 1])  # fmt: skip
    assert cost.macs == BATCH * (32 * 56 * 56 * 9)


def test_a_transposed_convolution_spreads_each_input(tmp_path):
    cost = layer(tmp_path, "ConvTranspose", {"x": [1, 16, 10, 10]}, {"w": [16, 8, 4, 4]},
                 strides=[2, 2])  # fmt: skip
    assert cost.macs == 16 * 100 * 8 * 16


def test_products_of_matrices(tmp_path):
    assert layer(tmp_path, "MatMul", {"x": [8, 128, 64]}, {"w": [64, 256]}).macs == (
        8 * 128 * 64 * 256
    )
    assert layer(tmp_path, "MatMul", {"x": [5]}, {"w": [5, 7]}).macs == 35
    found = layer(tmp_path, "Gemm", {"x": ["batch", 512]}, {"w": [1000, 512]}, transB=1)
    assert found.macs == (BATCH * 512_000)
    assert layer(tmp_path, "Gemm", {"x": [64, 5]}, {"w": [64, 7]}, transA=1).macs == 5 * 7 * 64


def test_integer_products(tmp_path):
    kinds = {"x": U8, "w": I8, "z": U8}
    assert (
        layer(tmp_path, "MatMulInteger", {"x": [3, 4]}, {"w": [4, 5]}, kinds=kinds).macs == 60
    )
    assert layer(tmp_path, "ConvInteger", {"x": [1, 2, 5, 5]}, {"w": [4, 2, 3, 3]},
                 kinds=kinds).macs == 4 * 9 * 2 * 9  # fmt: skip
    scales = {"s": [], "z": [], "w": [4, 5], "t": [], "u": [], "r": [], "v": []}
    cost = layer(tmp_path, "QLinearMatMul", {"x": [3, 4]}, scales,
                 kinds={"x": U8, "z": U8, "w": U8, "u": U8, "v": U8})  # fmt: skip
    assert cost.macs == 60


def test_products_with_weights_of_few_bits(tmp_path):
    cost = layer(tmp_path, "MatMulNBits", {"x": ["batch", 16, 64]},
                 {"w": [32, 2, 16], "s": [64]}, domain="com.microsoft", kinds={"w": U8},
                 K=64, N=32, bits=4, block_size=32)  # fmt: skip
    assert cost.macs == BATCH * (16 * 64 * 32)


@pytest.mark.parametrize(("operator", "gates"), [("LSTM", 4), ("GRU", 3), ("RNN", 1)])
def test_recurrent_layers_multiply_both_matrices_each_step(tmp_path, operator, gates):
    weights = {"w": [1, gates * 20, 10], "r": [1, gates * 20, 20]}
    cost = layer(tmp_path, operator, {"x": ["time", 2, 10]}, weights, hidden_size=20)
    assert cost.macs == symbol("time") * (2 * gates * 20 * 30)


def test_attention_projects_scores_and_sums(tmp_path):
    cost = layer(tmp_path, "Attention", {"x": [2, 128, 768]}, {"w": [768, 2304], "b": [2304]},
                 domain="com.microsoft", num_heads=12)  # fmt: skip
    assert cost.macs == 2 * 128 * 768 * 2304 + 2 * (2 * 128 * 128 * 768)
    queries = {"q": [2, 16, 64], "k": [2, 32, 64], "v": [2, 32, 64]}
    cost = layer(
        tmp_path, "MultiHeadAttention", queries, {}, domain="com.microsoft", num_heads=4
    )
    assert cost.macs == 2 * (2 * 16 * 32 * 64)


def test_an_einsum_goes_over_every_combination_of_its_letters(tmp_path):
    given = {"a": [2, 3, 4], "b": [2, 4, 5]}
    assert (
        layer(tmp_path, "Einsum", given, {}, equation="bij, bjk -> bik").macs == 2 * 3 * 4 * 5
    )
    assert layer(tmp_path, "Einsum", {"a": [2, 3]}, {}, equation="ij->ji").macs == 0


def test_other_layers_have_operations_and_no_multiply_adds(tmp_path):
    relu = layer(tmp_path, "Relu", {"x": ["batch", 10]}, {})
    assert (relu.macs, relu.operations) == (0, BATCH * 10)
    assert relu.moved_bytes == BATCH * 80
    pool = layer(
        tmp_path, "MaxPool", {"x": [1, 4, 8, 8]}, {}, kernel_shape=[2, 2], strides=[2, 2]
    )
    assert pool.operations == 4 * 16 * 4
    assert layer(tmp_path, "Softmax", {"x": [3, 7]}, {}).operations == 5 * 21
    assert layer(tmp_path, "ReduceSum", {"x": [3, 7]}, {}, keepdims=0).operations == 21


def test_views_move_nothing_and_a_gather_only_what_it_takes(tmp_path):
    assert layer(tmp_path, "Flatten", {"x": [4, 5]}, {}).moved_bytes == 0
    cost = layer(tmp_path, "Gather", {"i": [2, 3]}, {"t": [1000, 8]}, names="t i",
                 kinds={"i": TensorProto.INT64})  # fmt: skip
    assert cost.moved_bytes == 2 * (2 * 3 * 8 * 4) + 6 * 8
    assert cost.weights_bytes == 32_000


def test_what_is_not_known_stays_unknown(tmp_path):
    cost = layer(tmp_path, "Frobnicate", {"x": [4]}, {}, domain="local")
    assert (cost.macs, cost.operations, cost.unknown) == (None, None, 1)
    cost = layer(tmp_path, "Conv", {"x": [1, 3, "height", 8]}, {"w": [4, 3, 3, 3]})
    assert (cost.macs, cost.unknown) == (None, 1)
