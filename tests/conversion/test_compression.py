"""Smaller files: what they cost in accuracy, and that a runtime opens them."""

import numpy as np
import onnx
import pytest

from tests.conversion.conversions import converted, effect, outputs, saved

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
