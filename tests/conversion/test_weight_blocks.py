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


PICTURE = {"picture": np.random.default_rng(0).random((2, 1, 8, 8), np.float32)}


@pytest.mark.parametrize(
    ("step", "size", "error"),
    [
        ("palettize", 0.26, 0.3),
        ("palettize:bits=8,group=64", 0.5, 0.02),
        ("palettize:bits=2,group=4", 0.26, 1),
        ("bfloat16", 0.55, 0.02),
        ("sparse:zeros=90", 0.45, 1),
        ("sparse:zeros=5", 1.01, 0.02),
    ],
)
def test_the_file_has_the_size_that_was_expected(digits, tmp_path, step, size, error):
    new, made = converted(digits, tmp_path, step)
    assert new.stat().st_size < size * digits.stat().st_size
    assert new.stat().st_size == pytest.approx(made.effects[0].bytes_after, rel=0.1)
    assert "This only makes the file smaller" in made.effects[0].caution
    # onnx's type inference does not know sparse weights.
    onnx.checker.check_model(onnx.load(new), full_check="sparse" not in step)
    change = outputs(new, PICTURE)["probabilities"] - outputs(digits, PICTURE)["probabilities"]
    assert 0 < np.abs(change).max() <= error


def test_a_newer_opset_that_is_needed_is_said_and_made(digits, tmp_path):
    new, made = converted(digits, tmp_path, "palettize")
    assert "opset 17 to 21 first" in made.effects[0].touches
    assert onnx.load(new).opset_import[0].version == 21


def test_a_table_holds_the_values_that_occur(tmp_path):
    few = np.random.default_rng(0).choice(np.array([-2, -0.5, 0.25, 8], np.float32), (16, 128))
    text = """<ir_version: 10, opset_import: ["" : 21]>
    net (float[1, 16] x) => (float[1, 128] y) { y = MatMul (x, w) }"""
    path = saved(tmp_path / "from", text, w=few)
    new, _ = converted(path, tmp_path / "new", "palettize:bits=2")
    x = np.eye(16, dtype=np.float32)[3:4]
    np.testing.assert_array_equal(outputs(new, {"x": x})["y"], few[3:4])


def test_two_of_each_four_become_zero(digits, tmp_path):
    new, made = converted(digits, tmp_path, "sparse:pattern=2:4")
    assert made.effects[0].touches.startswith(
        "50% of the values of 3 weights become zero; stored with"
    )
    old = {t.name: t for t in onnx.load(digits).graph.initializer}
    for tensor in onnx.load(new).graph.initializer:
        values = onnx.numpy_helper.to_array(tensor)
        if values.size < 1024:
            continue
        before = onnx.numpy_helper.to_array(old[tensor.name]).reshape(len(values), -1)
        rows = values.reshape(len(values), -1)
        fours = rows[:, : rows.shape[1] // 4 * 4].reshape(-1, 4)
        assert ((fours == 0).sum(1) == 2).all()
        kept = rows != 0
        np.testing.assert_array_equal(rows[kept], before[kept])


def test_why_nothing_can_be_compressed(shared, samples, tmp_path):
    inputs = shared / "real" / "squeezenet1.1_fp16.onnx"
    refused = effect(inputs, tmp_path, "palettize")
    assert refused.refused
    assert "weights-not-inputs" in refused.hint
    assert effect(inputs, tmp_path, "palettize", "weights-not-inputs").applicable
    small = samples / "wine_tabular.onnx"
    assert effect(small, tmp_path, "sparse").nothing.startswith(
        "the model has no float32 weights of 1,024"
    )
    assert effect(samples / "digits_float32.onnx", tmp_path, "palettize:bits=9").refused
