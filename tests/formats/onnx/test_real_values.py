"""Quantized weights as the real numbers they stand for."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from onnx import helper

from inspector.errors import UnreadableFile
from inspector.formats.onnx.real_values import RealValues, quantized, real_values
from inspector.formats.opening import open_model
from tests.conversion.conversions import converted
from tests.conversion.conversions import saved as written
from tests.formats.build import model, save, weight

STORED = np.arange(-12, 12, dtype=np.int8).reshape(2, 3, 4)
LIMIT = 1 << 20


def read(path: Path, name: str = "w") -> RealValues:
    opened = open_model(path)
    index = [each.name for each in opened.weights].index(name)
    found = quantized(opened, index)
    assert found is not None
    return real_values(path, found, LIMIT)


def saved(folder: Path, node: object, **arrays: NDArray[np.generic]) -> Path:
    weights = [weight(name, array) for name, array in arrays.items()]
    return save(model([node], weights), folder / "m.onnx")


@pytest.mark.parametrize(
    ("scale", "attributes", "text"),
    [
        (np.float32(0.5), {}, "per tensor"),
        (np.float32([1, 2, 4]), {"axis": 1}, "per channel, along axis 1"),
        (np.float32([1, 2]), {"axis": -3}, "per channel, along axis 0"),
    ],
)
def test_a_scale_for_all_or_along_an_axis(tmp_path, scale, attributes, text):
    zero = np.full(np.shape(scale), 3, np.int8)
    node = helper.make_node("DequantizeLinear", ["w", "s", "z"], ["y"], **attributes)
    real = read(saved(tmp_path, node, w=STORED, s=scale, z=zero))
    shape = [1, 1, 1]
    if np.ndim(scale):
        shape[attributes["axis"]] = -1
    expected = (STORED.astype(np.float32) - 3) * np.reshape(scale, shape)
    np.testing.assert_array_equal(real.values, expected)
    assert real.text == text


def test_a_scale_for_each_block(tmp_path):
    scale = np.arange(1, 13, dtype=np.float32).reshape(2, 3, 2)
    node = helper.make_node("DequantizeLinear", ["w", "s"], ["y"], axis=2, block_size=2)
    real = read(saved(tmp_path, node, w=STORED, s=scale))
    np.testing.assert_array_equal(real.values, STORED * np.repeat(scale, 2, axis=2))
    assert real.text == "per block of 2, along axis 2"
    assert real.zero_point is None


def test_the_weight_of_a_quantized_convolution(tmp_path):
    stored = STORED.reshape(2, 3, 2, 2)
    names = ["x", "xs", "xz", "w", "s", "z", "ys", "yz"]
    node = helper.make_node("QLinearConv", names, ["y"])
    scale = np.float32([0.5, 2])
    real = read(saved(tmp_path, node, w=stored, s=scale, z=np.zeros(2, np.int8)))
    np.testing.assert_array_equal(real.values, stored * scale.reshape(2, 1, 1, 1))


def test_four_bits_in_blocks_of_com_microsoft(tmp_path):
    numbers = np.arange(2 * 32, dtype=np.uint8).reshape(2, 32) % 16
    packed = (numbers[:, 0::2] | numbers[:, 1::2] << 4).reshape(2, 2, 8)
    scale = np.float32([1, 2, 3, 4])
    node = helper.make_node(
        "MatMulNBits", ["x", "w", "s"], ["y"], domain="com.microsoft",
        K=30, N=2, bits=4, block_size=16,
    )  # fmt: skip
    path = saved(tmp_path, node, w=packed, s=scale)
    expected = (numbers.astype(np.float32) - 8) * np.repeat(scale.reshape(2, 2), 16, axis=1)
    np.testing.assert_array_equal(read(path).values, expected[:, :30])
    zeros = np.uint8([0x31, 0x20])
    node.input.append("z")
    real = read(saved(tmp_path, node, w=packed, s=scale, z=zeros))
    zero = np.repeat(np.float32([[1, 3], [0, 2]]), 16, axis=1)
    expected = (numbers - zero) * np.repeat(scale.reshape(2, 2), 16, axis=1)
    np.testing.assert_array_equal(real.values, expected[:, :30])


@pytest.mark.parametrize(
    ("step", "name", "text", "scales"),
    [
        ("mxfp4", "w_mxfp4", "per block of 32", (48, 3)),
        ("nvfp4", "w_nvfp4", "per block of 16", (48, 5)),
        ("float8", "w_float8", "per channel", (1, 48)),
        ("nf4", "w_nf4", "per block of 64; rows are outputs", (53,)),
        ("embeddings-8bit", "t_8bit", "per block of 32", (64, 2)),
    ],
)
def test_the_numbers_and_the_scales_of_what_actions_store(tmp_path, step, name, text, scales):
    random = np.random.default_rng(2)
    weights = {"w": random.random((70, 48), "f4"), "t": random.random((64, 50), "f4")}
    net = """<ir_version: 8, opset_import: ["" : 17]>
    net (float[1, 70] x, int64[n] i) => (float[1, 48] y, float[n, 50] z) {
      y = MatMul (x, w)
      z = Gather (t, i)
    }"""
    path, _ = converted(written(tmp_path, net, **weights), tmp_path / "new", step)
    real = read(path, name)
    assert (real.text, real.scale.shape) == (text, scales)
    assert real.looked_up == (step in ("mxfp4", "nvfp4", "nf4"))
    wanted = weights[name[0]]
    wanted = wanted.T if real.values.shape != wanted.shape else wanted
    step_size = 0.2  # of the coarsest of these formats for numbers up to 1
    np.testing.assert_allclose(real.values, wanted, atol=step_size)
    assert np.corrcoef(real.values.ravel(), wanted.ravel())[0, 1] > 0.97


def test_a_scale_that_does_not_fit_is_said(tmp_path):
    node = helper.make_node("DequantizeLinear", ["w", "s"], ["y"], axis=1)
    with pytest.raises(UnreadableFile, match="does not fit"):
        read(saved(tmp_path, node, w=STORED, s=np.float32([1, 2])))


def test_plain_weights_are_not_quantized(tmp_path):
    node = helper.make_node("Add", ["x", "w"], ["y"])
    assert quantized(open_model(saved(tmp_path, node, w=STORED)), 0) is None
