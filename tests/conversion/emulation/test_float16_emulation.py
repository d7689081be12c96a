"""emulate-float16: the model computes what numpy does in float16, step by step."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray

from tests.conversion.conversions import converted, effect, outputs, saved

Floats = NDArray[np.float32]
_HEAD = """<ir_version: 8, opset_import: ["" : 17]>
net (float[2, 64] x) => (float[2, n] y) """


def rounded(values: NDArray[np.generic]) -> Floats:
    with np.errstate(all="ignore"):
        return np.asarray(values, np.float32).astype(np.float16).astype(np.float32)


def emulated(path: Path, folder: Path, x: Floats, step: str = "emulate-float16") -> Floats:
    new, _ = converted(path, folder, "float16", step)
    onnx.checker.check_model(onnx.load(new))
    return outputs(new, {"x": x})["y"]


def test_every_result_is_rounded_where_a_cpu_keeps_float32(tmp_path):
    """A decomposed variance: the square overflows, though no output of the CPU shows it."""
    path = saved(
        tmp_path / "from",
        _HEAD
        + """<float two = {2}> {
            m = ReduceMean <axes = [-1]> (x)
            d = Sub (x, m)
            s = Pow (d, two)
            v = ReduceMean <axes = [-1]> (s)
            r = Sqrt (v)
            y = Div (d, r) }""",
    )
    x = np.random.default_rng(0).standard_normal((2, 64)).astype(np.float32) * 400
    half = rounded(x)
    d = rounded(half - rounded(half.mean(-1, keepdims=True, dtype=np.float64)))
    v = rounded(rounded(d.astype(np.float64) ** 2).mean(-1, keepdims=True, dtype=np.float64))
    truth = rounded(d / rounded(np.sqrt(v)))
    assert not truth.any()  # all of it is divided by infinity
    np.testing.assert_array_equal(emulated(path, tmp_path / "to", x), truth)
    on_cpu = outputs(converted(path, tmp_path / "half", "float16")[0], {"x": x})["y"]
    assert on_cpu.std() > 0.9  # which is why the check is needed


@pytest.mark.parametrize("spread", [1e-9, 1e-4, 1.0, 3e4])
def test_small_and_large_values_round_as_in_numpy(tmp_path, spread):
    path = saved(
        tmp_path / "from",
        _HEAD
        + "<float k = {3}, float e = {0.001}> { a = Mul (x, k) b = Add (a, e) y = Abs (b) }",
    )
    x = (np.random.default_rng(1).standard_normal((2, 64)) * spread).astype(np.float32)
    small = np.float32(np.float16(0.001))
    truth = np.abs(rounded(rounded(rounded(x) * np.float32(3)) + small))
    np.testing.assert_array_equal(emulated(path, tmp_path / "to", x), truth)


def in_pairs(values: Floats) -> Floats:
    while values.shape[-1] > 1:
        half = values.shape[-1] // 2
        sums = rounded(values[..., :half] + values[..., half : 2 * half])
        values = np.concatenate([sums, values[..., 2 * half :]], -1)
    return values


def test_sums_are_rounded_after_each_addition_if_asked(tmp_path):
    x = np.random.default_rng(2).random((2, 64), np.float32) * 3000
    first = rounded(x)
    second = np.full((64, 1), 2, np.float32)
    total = np.zeros((len(first), second.shape[1]), np.float32)
    for place in range(first.shape[1]):
        total = rounded(total + first[:, place : place + 1] * second[place : place + 1])
    bodies = {
        "y = ReduceMean <axes = [-1]> (x)": rounded(in_pairs(rounded(x)) / 64),
        "a = Constant <value_ints = [1]> () y = ReduceSum (x, a)": in_pairs(rounded(x)),
        "a = Constant <value = int64 {1}> () y = CumSum (x, a)": accumulated(rounded(x)),
        "y = MatMul (x, w)": total,
    }
    for number, (body, truth) in enumerate(bodies.items()):
        weight = "<float[64, 1] w = {" + ", ".join(["2"] * 64) + "}>"
        path = saved(tmp_path / "from", f"{_HEAD}{weight} {{ {body} }}", f"{number}.onnx")
        step = "emulate-float16:accumulate=float16"
        got = emulated(path, tmp_path / f"{number}", x, step)
        np.testing.assert_array_equal(got, truth, err_msg=body)
        assert np.isinf(truth).any(), body  # the sums are beyond 65,504


def accumulated(values: Floats) -> Floats:
    total, sums = np.zeros(len(values), np.float32), []
    for column in values.T:
        total = rounded(total + column)
        sums.append(total)
    return np.stack(sums, 1)


def test_exclusive_and_backward_sums(tmp_path):
    x = np.random.default_rng(3).random((2, 64), np.float32) * 100
    path = saved(
        tmp_path / "from",
        _HEAD + "<int64 a = {1}> { y = CumSum <exclusive = 1, reverse = 1> (x, a) }",
    )
    sums = accumulated(rounded(x)[:, ::-1])
    truth = np.concatenate([np.zeros((2, 1), np.float32), sums[:, :-1]], 1)[:, ::-1]
    step = "emulate-float16:accumulate=float16"
    np.testing.assert_array_equal(emulated(path, tmp_path / "to", x, step), truth)


def test_what_is_in_branches_and_loops_is_rounded_too(samples, tmp_path):
    text = """<ir_version: 8, opset_import: ["" : 17]>
    net (float[2] x, bool c) => (float[2] y) <float k = {300}> {
        y = If (c) <
            then_branch = g1 () => (float[2] p) { q = Mul (x, k) p = Div (q, k) },
            else_branch = g2 () => (float[2] r) { r = Identity (x) } > }"""
    path = saved(tmp_path / "from", text)
    new, _ = converted(path, tmp_path / "to", "float16", "emulate-float16")
    feeds = {"x": np.array([1000, 2], np.float32), "c": np.array(True)}
    assert outputs(new, feeds)["y"].tolist() == [float("inf"), 2.0]
    steps = ("float16", "emulate-float16")
    loop, _ = converted(samples / "sequence_loop.onnx", tmp_path / "loop", *steps)
    onnx.checker.check_model(onnx.load(loop))


def test_the_interface_of_a_float16_model_stays(shared, tmp_path):
    path = shared / "real" / "squeezenet1.1_fp16.onnx"
    new, _ = converted(path, tmp_path, "emulate-float16")
    before, after = onnx.load(path).graph, onnx.load(new).graph
    for one, two in ((before.input, after.input), (before.output, after.output)):
        weights = {tensor.name for tensor in before.initializer}  # which are inputs here, too
        types = [
            [(v.name, v.type.tensor_type.elem_type) for v in side if v.name not in weights]
            for side in (one, two)
        ]
        assert types[0] == types[1]


def test_a_float32_model_has_nothing_to_round(samples, tmp_path):
    told = effect(samples / "digits_float32.onnx", tmp_path, "emulate-float16").nothing
    assert told == "no layer of the model computes in float16"
