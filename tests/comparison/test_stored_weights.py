"""Weights that a format or an optimizer stores otherwise are compared as what they are."""

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import ModelProto, helper

from inspector.comparison.model_changes import ModelDiff, State, WeightPair
from inspector.comparison.model_diff import diff
from inspector.formats.onnx.weight_values import WeightReader
from inspector.formats.opening import open_model
from tests import models
from tests.formats.tflite.build import convolving

RANDOM = np.random.default_rng(2)


def compared(first: Path, other: Path) -> ModelDiff:
    with WeightReader(first) as mine, WeightReader(other) as theirs:
        return diff(open_model(first), open_model(other), mine.read, theirs.read)


def pairs(found: ModelDiff) -> dict[str, WeightPair]:
    return {each.first.name: each for each in found.weights if each.first and each.other}


def blocks(scale: float = 1.0) -> ModelProto:
    """Convolutions that read channels one by one, in blocks, in part of a block, and each its
    own. scale: of the weights of the third."""
    shapes = {"w0": (20, 3, 3, 3), "w1": (32, 20, 3, 3), "w2": (48, 32, 1, 1),
              "w3": (48, 1, 3, 3)}  # fmt: skip
    random = np.random.default_rng(2)
    arrays = {n: random.standard_normal(s).astype(np.float32) for n, s in shapes.items()}
    arrays |= {
        f"b{n}": np.ones(shape[0], np.float32) for n, shape in enumerate(shapes.values())
    }
    arrays["w2"] *= np.float32(scale)
    nodes = [
        helper.make_node(
            "Conv", [f"t{n}", f"w{n}", f"b{n}"], [f"t{n + 1}"], f"conv{n}",
            group=48 if n == 3 else 1,
        )
        for n in range(4)
    ]  # fmt: skip
    ends = [models.value("t0", (1, 3, 16, 16))], [models.value("t4", (1, 48, 10, 10))]
    return models.model(nodes, *ends, arrays, opset=13)


@pytest.mark.parametrize("scale", [1.0, 1.25])
def test_channels_in_blocks_are_compared_in_the_order_of_the_file(tmp_path, scale):
    options = onnxruntime.SessionOptions()
    options.optimized_model_filepath = str(tmp_path / "blocks.onnx")
    options.log_severity_level = 3
    onnxruntime.InferenceSession(blocks(scale).SerializeToString(), options)
    if not any(n.domain for n in onnx.load(tmp_path / "blocks.onnx").graph.node):
        pytest.skip("ONNX Runtime keeps no channels in blocks on this processor")
    onnx.save(blocks(), tmp_path / "plain.onnx")
    found = compared(tmp_path / "plain.onnx", tmp_path / "blocks.onnx")
    states = {name: pair.state for name, pair in pairs(found).items()}
    expected = dict.fromkeys([f"{kind}{n}" for kind in "wb" for n in range(4)], State.SAME)
    if scale == 1.0:
        assert states == expected
        return
    assert states == {**expected, "w2": State.CHANGED}
    halves = pytest.approx(20 * np.log10(1 / 0.25), abs=0.1)
    assert pairs(found)["w2"].difference.sqnr_db == halves


def test_integers_of_tensorflow_lite_are_compared_by_the_scale_of_each_channel(tmp_path):
    stored = np.arange(18, dtype=np.float64).reshape(2, 1, 3, 3)
    real = stored * np.array([0.25, 0.125]).reshape(2, 1, 1, 1)
    weights = (real + RANDOM.uniform(-0.05, 0.05, real.shape)).astype(np.float32)
    bias = np.array([1.25, -0.625], np.float32)
    conv = helper.make_node("Conv", ["x", "w", "b"], ["y"], "conv")
    ends = [models.value("x", (1, 1, 8, 8))], [models.value("y", (1, 2, 6, 6))]
    arrays = {"w": weights, "b": bias}
    models.save(tmp_path / "f.onnx", [conv], *ends, arrays, opset=13)
    (tmp_path / "q.tflite").write_bytes(convolving(0))
    found = pairs(compared(tmp_path / "f.onnx", tmp_path / "q.tflite"))
    error = real - weights
    assert found["w"].difference.max_abs == pytest.approx(np.abs(error).max())
    sqnr = 10 * np.log10((weights.astype(np.float64) ** 2).sum() / (error**2).sum())
    assert found["w"].difference.sqnr_db == pytest.approx(sqnr)
    assert found["b"].difference.max_abs == 0
