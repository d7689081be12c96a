"""Float8, MXFP4 and NVFP4 weights, and embeddings in blocks: what runtimes make of them."""

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import numpy_helper

from tests.conversion.conversions import converted, effect, outputs, saved

NET = """<ir_version: 8, opset_import: ["" : 17]>
net (float[2, 70] x, float[1, 6, 9, 9] image, int64[3] ids)
    => (float[2, 48] y, float[1, 32, 7, 7] map, float[3, 70] rows) {
  y = MatMul (x, w)
  map = Conv (image, kernel)
  rows = Gather (table, ids)
}"""
RANDOM = np.random.default_rng(5)
WEIGHTS = {
    "w": RANDOM.standard_normal((70, 48)).astype(np.float32) * 0.05,
    "kernel": RANDOM.standard_normal((32, 6, 3, 3)).astype(np.float32),
    "table": (RANDOM.standard_normal((40, 70)) * np.logspace(-3, 1, 70)).astype(np.float32),
}
FEEDS = {
    "x": np.eye(2, 70, dtype=np.float32),
    "image": RANDOM.standard_normal((1, 6, 9, 9)).astype(np.float32),
    "ids": np.array([0, 39, -1]),
}


@pytest.fixture(scope="module")
def net(tmp_path_factory):
    return saved(tmp_path_factory.mktemp("net"), NET, **WEIGHTS)


def rounded(values, scales, kind, largest):
    return np.clip(values / scales, -largest, largest).astype(kind).astype(np.float32) * scales


def float8(columns, kind):
    largest = float(ml_dtypes.finfo(kind).max)
    peaks = np.abs(columns).max(1, keepdims=True)
    return rounded(columns, (peaks / largest).astype(np.float32), kind, largest)


def in_blocks(columns, size, scales_of):
    padded = np.pad(columns, ((0, 0), (0, -columns.shape[1] % size)))
    blocks = padded.reshape(len(columns), -1, size)
    scales = scales_of(blocks)
    new = rounded(blocks, scales, ml_dtypes.float4_e2m1fn, 6)
    return new.reshape(len(columns), -1)[:, : columns.shape[1]]


def mx_scales(blocks):
    peaks = np.abs(blocks).max(2, keepdims=True)
    both = [np.exp2(np.floor(np.log2(peaks)) - 2 + more).astype(np.float32) for more in (0, 1)]
    errors = [
        ((rounded(blocks, s, ml_dtypes.float4_e2m1fn, 6) - blocks) ** 2).sum(2, keepdims=True)
        for s in both
    ]
    return np.where(errors[1] < errors[0], both[1], both[0])


def nv_scales(blocks):
    whole = np.float32(np.abs(blocks).max() / (6 * 448))
    peaks = np.abs(blocks).max(2, keepdims=True)
    small = np.clip(peaks / (6 * whole), 0, 448).astype(ml_dtypes.float8_e4m3fn)
    return np.maximum(small.astype(np.float32) * whole, 1e-30)


@pytest.mark.parametrize(
    ("step", "new", "opset"),
    [
        ("float8", lambda rows: float8(rows, ml_dtypes.float8_e4m3fn), 19),
        ("float8:kind=e5m2,expand=run", lambda rows: float8(rows, ml_dtypes.float8_e5m2), 19),
        ("mxfp4", lambda rows: in_blocks(rows, 32, mx_scales), 24),
        ("nvfp4", lambda rows: in_blocks(rows, 16, nv_scales), 21),
    ],
)
def test_a_runtime_expands_the_values_of_the_format(net, tmp_path, step, new, opset):
    path, made = converted(net, tmp_path, step)
    assert onnx.load(path).opset_import[0].version == opset
    assert path.stat().st_size == made.effects[0].bytes_after
    rows = {
        "w": WEIGHTS["w"].T,
        "kernel": WEIGHTS["kernel"].reshape(32, -1),
        "table": WEIGHTS["table"],
    }
    expected = {name: new(values) for name, values in rows.items()}
    plain = {
        "w": expected["w"].T,
        "kernel": expected["kernel"].reshape(32, 6, 3, 3),
        "table": expected["table"],
    }
    twin = outputs(saved(tmp_path / "twin", NET, **plain), FEEDS)
    for name, values in outputs(path, FEEDS).items():
        np.testing.assert_allclose(values, twin[name], rtol=1e-5, atol=2e-5)


@pytest.mark.parametrize("bits", [8, 4])
@pytest.mark.parametrize("kind", [np.float32, np.float16])
def test_embeddings_are_within_half_a_step_of_their_block(tmp_path, bits, kind):
    text = NET.replace("float[3, 70] rows", f"{np.dtype(kind).name[:5]}16[3, 70] rows")
    text = text if kind is np.float16 else NET
    weights = {**WEIGHTS, "table": WEIGHTS["table"].astype(kind)}
    path = saved(tmp_path / "from", text, **weights)
    new, made = converted(path, tmp_path / "new", f"embeddings-{bits}bit:block=16")
    assert made.effects[0].layers == 1
    assert new.stat().st_size == made.effects[0].bytes_after
    wanted = WEIGHTS["table"][[0, 39, -1]]
    error = np.abs(outputs(new, FEEDS)["rows"].astype(np.float32) - wanted)
    blocks = np.pad(wanted, ((0, 0), (0, 10))).reshape(3, 5, 16)
    spread = np.maximum(blocks.max(2), 0) - np.minimum(blocks.min(2), 0)
    steps = np.repeat(spread / (2**bits - 1), 16, 1)[:, :70]
    assert (error <= steps * 1.01 + np.abs(wanted) * 2e-3 * (kind is np.float16)).all()


def test_an_embedding_that_is_also_the_head_stays(tmp_path):
    text = NET.replace("MatMul (x, w)", "Gemm <transB = 1> (x, table)")
    path = saved(tmp_path, text.replace("float[2, 48] y", "float[2, 40] y"), **WEIGHTS)
    assert "other layers read" in effect(path, tmp_path, "embeddings-4bit").nothing


@pytest.mark.parametrize("step", ["float8", "mxfp4", "nvfp4"])
def test_values_without_a_scale_are_refused(tmp_path, step):
    weights = {**WEIGHTS, "w": np.full((70, 48), np.inf, np.float32)}
    path = saved(tmp_path, NET, **weights)
    assert "NaN or infinity" in effect(path, tmp_path, step).refused


def test_stored_types_are_those_of_the_formats(net, tmp_path):
    path, _ = converted(net, tmp_path, "mxfp4")
    tensors = {t.name: t for t in onnx.load(path).graph.initializer}
    assert tensors["w_scales"].data_type == onnx.TensorProto.FLOAT8E8M0
    codes = numpy_helper.to_array(tensors["w_mxfp4"]).astype(np.uint8)
    assert codes.shape == (48, 3, 32)
    assert codes.max() == 15
