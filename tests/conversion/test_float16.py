"""float16: what becomes half as large, and what has to stay."""

import subprocess
import sys

import numpy as np
import onnx
import pytest

from benchmarks.conversion import large_model
from tests.conversion.conversions import converted, effect, outputs, saved

# A float16 Transpose of (1, 0, 2) before a MatMul ends ONNX Runtime 1.32 (SIGSEGV).
_FRAGILE = """<ir_version: 8, opset_import: ["" : 17]>
net (float[4, 3, 8] x) => (float[3, 4, 2] y) {
    turned = Transpose <perm = [1, 0, 2]> (x)
    y = MatMul (turned, w)
}"""
# What the runtime has no kernel for in float16, though the schema has it; a matrix without the
# attribute that says its type; a body that leaves out the types of its inputs.
_REFUSED = """<ir_version: 10, opset_import: ["" : 20]>
net (float[3, 4] x, int64[2] at) => (float[n, 4] y, float[3, 3] e, float[3, 4] m, float[4] s)
<int64[2] shape = {3, 4}, int64[1, 4] rows = {0, 1, 1, 0}, int64[1] one = {1}> {
    zeros = ConstantOfShape (shape)
    half = Add (zeros, x)
    places = Unsqueeze (at, one)
    taken = Gather (half, at)
    added = ScatterND <reduction = "add"> (half, places, taken)
    y = ScatterElements <reduction = "mul"> (added, rows, top)
    turned = Transpose (x)
    square = MatMul (x, turned)
    e = EyeLike <dtype = 1> (square)
    box = Reshape (x, box_shape)
    even = MeanVarianceNormalization <axes = [3]> (box)
    m = Reshape (even, shape)
    s, seen = Scan <num_scan_inputs = 1, body = step (state, row) => (next, copied) {
        next = Add (state, row)
        copied = Identity (row)
    }> (start, x)
}"""
_OPEN = "import sys, onnxruntime; onnxruntime.InferenceSession(sys.argv[1])"


def test_a_transpose_that_crashes_the_runtime_stays_in_float32(tmp_path):
    weights = np.random.default_rng(0).random((8, 2), np.float32)
    path = saved(tmp_path / "from", _FRAGILE, w=weights)
    new, made = converted(path, tmp_path / "to", "float16")
    assert made.notes == (
        "Kept in float32 to avoid a crash in ONNX Runtime 1.32: 1 Transpose layer.",
    )
    done = subprocess.run([sys.executable, "-c", _OPEN, str(new)], check=False)
    assert done.returncode == 0
    x = np.random.default_rng(1).random((4, 3, 8), np.float32)
    np.testing.assert_allclose(
        outputs(new, {"x": x})["y"], outputs(path, {"x": x})["y"], rtol=2e-3
    )


def test_what_the_runtime_refuses_in_float16_stays_in_float32(tmp_path):
    random = np.random.default_rng(2)
    start, top = np.zeros(4, np.float32), random.random((1, 4), np.float32)
    shape = np.array([1, 1, 3, 4])
    path = saved(tmp_path / "from", _REFUSED, start=start, top=top, box_shape=shape)
    new, made = converted(path, tmp_path / "to", "float16")
    kept = "1 ScatterND, 1 ScatterElements, 1 EyeLike, 1 MeanVarianceNormalization"
    assert kept in made.notes[0]
    feeds = {"x": random.random((3, 4), np.float32), "at": np.array([1, 1])}
    before, after = outputs(path, feeds), outputs(new, feeds)
    for name, value in before.items():
        np.testing.assert_allclose(after[name], value, atol=5e-3)


def test_recurrent_layers_compute_in_float32_from_weights_in_float16(shared, tmp_path):
    old = shared / "real" / "tract_byte_sentence_boundary_bilstm.onnx"
    new, made = converted(old, tmp_path, "float16")
    assert new.stat().st_size < 0.52 * old.stat().st_size
    assert new.stat().st_size == pytest.approx(made.effects[0].bytes_after, rel=0.02)
    model = onnx.load(new)
    assert {t.data_type for t in model.graph.initializer} == {
        onnx.TensorProto.FLOAT16,
        onnx.TensorProto.INT64,
    }
    onnx.checker.check_model(model, full_check=True)


@pytest.mark.parametrize("name", ["real/mobilenet_qdq_int8_maui", "digits"])
def test_a_quantized_model_has_nothing_to_save(shared, samples, tmp_path, name):
    path = samples / "digits_int8_qdq.onnx" if name == "digits" else shared / f"{name}.onnx"
    assert effect(path, tmp_path, "float16").nothing.startswith("the weights are quantized")


def test_layers_that_are_kept_and_values_out_of_range(tmp_path):
    text = """<ir_version: 8, opset_import: ["" : 17]>
    net (float[2] x) => (float[2] y) { a = Mul (x, v)
        y = Add (a, w) }"""
    path = saved(
        tmp_path / "from",
        text,
        v=np.array([1, 2], np.float32),
        w=np.array([1e9, 1e-12], np.float32),
    )
    new, made = converted(path, tmp_path / "to", "float16")
    assert made.notes == ("Values beyond float16's range were set to its limits in: w.",)
    made_values = {
        t.name: onnx.numpy_helper.to_array(t) for t in onnx.load(new).graph.initializer
    }
    assert made_values["w"].tolist() == [65504.0, 2.0**-24]  # no infinity, no zero
    new, made = converted(path, tmp_path / "kept", "float16:keep=y")
    kept = {t.name: t.data_type for t in onnx.load(new).graph.initializer}
    assert kept == {"v": onnx.TensorProto.FLOAT16, "w": onnx.TensorProto.FLOAT}
    assert not made.notes


def test_functions_sequences_and_graphs_inside(samples, tmp_path):
    for step in ("float16", "float16:keep-io=no"):
        new, _ = converted(samples / "sequence_loop.onnx", tmp_path / step[-2:], step)
        onnx.checker.check_model(onnx.load(new), full_check=True)
    text = """<ir_version: 8, opset_import: ["" : 17, "own" : 1]>
    net (float[2] x) => (float[2] y) <float[2] w = {1, 2}> { y = own.twice (x, w) }
    <domain: "own", opset_import: ["" : 17]>
    twice (a, b) => (c) { d = Mul (a, b)
        c = Add (d, d) }"""
    function = saved(tmp_path / "function", text)
    new, _ = converted(function, tmp_path / "to", "float16")
    x = np.array([1, 2], np.float32)
    assert outputs(new, {"x": x})["y"].tolist() == [2.0, 8.0]


def test_a_custom_operator_stays_in_float32_with_all_its_outputs(tmp_path):
    text = """<ir_version: 8, opset_import: ["" : 17, "own" : 1]>
    net (float[2, 2] x) => (float[2, 2] y) <float[2, 2] w = {1, 2, 3, 4}> {
        a = MatMul (x, w)
        n, p = own.Split (a)
        b = MatMul (n, w)
        c = MatMul (p, w)
        y = Add (b, c) }"""
    path = saved(tmp_path, text)
    new, _ = converted(path, tmp_path / "to", "float16")
    layers = {node.output[0]: [*node.input] for node in onnx.load(new).graph.node}
    assert layers["n"] == ["a_float32"]
    assert (layers["b"], layers["c"]) == (["n_float16", "w"], ["p_float16", "w"])


_PEAK = """
import resource, sys
from pathlib import Path
from inspector.conversion.action import Step
from inspector.conversion.apply import convert
convert(Path(sys.argv[1]), [Step("float16")], Path(sys.argv[2]))
unit = 1 if sys.platform == "darwin" else 1024
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="peak memory as POSIX counts it")
def test_memory_does_not_grow_with_the_model(tmp_path):
    peaks = []
    for megabytes in (64, 640):
        folder = tmp_path / str(megabytes)
        folder.mkdir()
        model = large_model(folder, megabytes << 20)
        target = folder / "made"
        target.mkdir()
        command = [sys.executable, "-c", _PEAK, str(model), str(target)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        peaks.append(int(done.stdout))
        made = sum(path.stat().st_size for path in target.iterdir())
        assert made == pytest.approx((megabytes << 20) / 2, rel=0.01)
    assert peaks[1] - peaks[0] < 32 << 20
