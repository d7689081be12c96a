"""Packed weights: what ONNX Runtime computes with them is what they stand for."""

from typing import Any

import numpy as np
import onnx
import pytest

from inspector.conversion.weights.blocks import block_integers, packed
from tests.conversion.conversions import converted, effect, outputs, saved

NET = """<ir_version: 8, opset_import: ["" : 17]>
net (float[B,{rows}] x) => (float[B,{columns}] y) {{ y = MatMul (x, w) }}"""


def noise(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def sqnr(expected: Any, values: Any) -> float:
    return float(10 * np.log10((expected**2).sum() / ((expected - values) ** 2).sum()))


@pytest.mark.parametrize(("rows", "columns"), [(64, 24), (50, 7), (20, 3)])
@pytest.mark.parametrize(
    ("step", "at_least"),
    [
        ("weights-8bit", 35), ("weights-4bit", 19), ("weights-4bit:block=16", 20),
        ("weights-2bit:block=16", 6), ("nf4", 16), ("nf4:block=16", 18),
    ],
)  # fmt: skip
def test_runtime_unpacks_weights_of_any_shape(tmp_path, rows, columns, step, at_least):
    path = saved(
        tmp_path / "from", NET.format(rows=rows, columns=columns), w=noise(rows, columns)
    )
    new, made = converted(path, tmp_path / "to", step)
    feeds = {"x": noise(5, rows, seed=1)}
    assert sqnr(outputs(path, feeds)["y"], outputs(new, feeds)["y"]) > at_least
    assert made.effects[0].touches == "1 MatMul"
    (node,) = onnx.load(new).graph.node
    assert node.domain == "com.microsoft"


def test_gemm_keeps_its_bias_and_subgraphs_are_packed_too(tmp_path):
    text = """<ir_version: 8, opset_import: ["" : 17]>
    net (float[4,64] x, bool more) => (float[4,8] y) {
      y = If (more) <
        then_branch = a () => (float[4,8] u) { u = Gemm <transB = 1> (x, w, b) },
        else_branch = c () => (float[4,8] v) { v = MatMul (x, k) }
      >
    }"""
    path = saved(tmp_path / "from", text, w=noise(8, 64), b=noise(8), k=noise(64, 8))
    new, made = converted(path, tmp_path / "to", "weights-8bit")
    assert made.effects[0].touches == "1 Gemm, 1 MatMul"
    names = {tensor.name for tensor in onnx.load(new).graph.initializer}
    assert names.isdisjoint({"w", "k"})
    for more in (True, False):
        feeds = {"x": noise(4, 64, seed=1), "more": np.asarray(more)}
        assert sqnr(outputs(path, feeds)["y"], outputs(new, feeds)["y"]) > 35


def test_shared_weight_is_packed_once_and_kept_layers_keep_the_float_one(tmp_path):
    text = """<ir_version: 8, opset_import: ["" : 17]>
    net (float[4,64] x) => (float[4,64] y) {
      a = MatMul (x, w)
      b = MatMul (a, w)
      y = MatMul (b, w)
    }"""
    path = saved(tmp_path / "from", text, w=noise(64, 64) / 8)
    new, made = converted(path, tmp_path / "to", "weights-4bit:keep=y")
    assert made.effects[0].layers == 2
    names = [tensor.name for tensor in onnx.load(new).graph.initializer]
    assert sorted(names) == ["w", "w_4bit", "w_scales", "w_zero_points"]


def test_effect_says_the_size_before_and_where_there_is_nothing_to_do(samples, tmp_path):
    path = samples / "language_bert.onnx"
    said = effect(path, tmp_path, "weights-4bit")
    new, _ = converted(path, tmp_path / "to", "weights-4bit")
    assert abs(said.bytes_after - new.stat().st_size) < 16_000  # names and attributes
    nothing = effect(samples / "tones_sound.onnx", tmp_path, "nf4").nothing
    assert nothing == "the model has no MatMul layers with constant float32 weights"


def test_integers_of_a_block_stand_for_its_values():
    columns = noise(3, 40)
    for bits in (8, 4, 2):
        integers, scales, zeros = block_integers(columns, bits, 16)
        assert integers.shape == (3, 3, 16)
        values = (integers.astype(np.float32) - zeros[:, :, None]) * scales[:, :, None]
        assert np.abs(values.reshape(3, 48)[:, :40] - columns).max() <= scales.max() * 0.501
    assert packed(np.asarray([[1, 2, 3]], np.uint8), 4).tolist() == [[0x21, 0x03]]
    assert packed(np.asarray([[1, 2, 3, 0, 1]], np.uint8), 2).tolist() == [[0x39, 0x01]]


def test_expected_size_counts_the_blocks_of_a_transposed_weight(tmp_path):
    text = """<ir_version: 8, opset_import: ["" : 17]>
    net (float[1,512] x) => (float[1,3] y) { y = Gemm <transB=1> (x, w) }"""
    path = saved(tmp_path / "from", text, w=noise(3, 512))
    new, made = converted(path, tmp_path / "to", "weights-8bit")
    expected = made.effects[0].bytes_after
    assert abs(new.stat().st_size - expected) < 700  # names, the recipe
