"""simplify: fewer layers, the same answers."""

from pathlib import Path

import numpy as np
import onnx
import pytest

from tests.conversion.conversions import converted, effect, outputs, saved


def operators(path: Path) -> list[str]:
    return [node.op_type for node in onnx.load(path).graph.node]


def test_shapes_of_fixed_length_are_computed(tmp_path):
    text = """<ir_version: 8, opset_import: ["" : 17]>
    net (float[batch, 2, 3] x) => (float[m, n] y)
    <int64[1] zero = {0}, int64[1] rest = {-1}> {
        shape = Shape (x)
        first = Gather <axis = 0> (shape, zero)
        both = Concat <axis = 0> (first, rest)
        y = Reshape (x, both)
    }"""
    path = saved(tmp_path / "from", text)
    x = np.random.default_rng(0).random((4, 2, 3), np.float32)
    assert effect(path, tmp_path, "simplify").nothing  # the batch is not known
    new, made = converted(path, tmp_path / "to", "fix-axes:batch=4", "simplify")
    assert operators(new) == ["Reshape"]
    assert made.effects[1].layers == 3
    np.testing.assert_array_equal(outputs(new, {"x": x})["y"], x.reshape(4, 6))


def test_part_of_a_shape_is_enough(tmp_path):
    text = """<ir_version: 8, opset_import: ["" : 17]>
    net (float[batch, 5] x) => (float[batch, 5] y) <int64 one = {1}> {
        shape = Shape (x)
        length = Gather <axis = 0> (shape, one)
        number = Cast <to = 1> (length)
        y = Div (x, number)
    }"""
    path = saved(tmp_path / "from", text)
    new, _ = converted(path, tmp_path / "to", "simplify")
    assert operators(new) == ["Div"]
    x = np.ones((2, 5), np.float32)
    assert outputs(new, {"x": x})["y"].max() == np.float32(0.2)


def test_layers_without_effect_go_and_names_of_outputs_stay(tmp_path):
    text = """<ir_version: 8, opset_import: ["" : 17]>
    net (float[2, 2] x) => (float[2, 2] y, float[2, 2] z) {
        a = Identity (x)
        b = Dropout (a)
        c = Cast <to = 1> (b)
        d = Transpose <perm = [0, 1]> (c)
        e = Relu (d)
        y = Identity (e)
        unused = Exp (e)
        z = Identity (x)
    }"""
    path = saved(tmp_path / "from", text)
    new, made = converted(path, tmp_path / "to", "simplify")
    assert operators(new) == ["Relu", "Identity"]  # an output cannot be an input
    assert "unused: 1 Exp" in made.effects[0].touches
    x = np.array([[-1, 1], [2, -2]], np.float32)
    made_outputs = outputs(new, {"x": x})
    assert made_outputs["y"].tolist() == [[0, 1], [2, 0]]
    assert made_outputs["z"].tolist() == x.tolist()


def test_equal_weights_are_stored_once_unless_they_are_inputs(tmp_path):
    text = """<ir_version: 8, opset_import: ["" : 17]>
    net (float[2000] x{}) => (float[2000] y) {{
        a = Add (x, v)
        y = Add (a, w)
    }}"""
    ramp = np.arange(2000, dtype=np.float32)
    path = saved(tmp_path / "from", text.format(""), v=ramp, w=ramp)
    new, _ = converted(path, tmp_path / "to", "simplify")
    assert new.stat().st_size < 0.6 * path.stat().st_size
    assert outputs(new, {"x": ramp})["y"][1999] == 3 * 1999
    path = saved(tmp_path / "inputs", text.format(", float[2000] w"), v=ramp, w=ramp)
    assert effect(path, tmp_path, "simplify").nothing


def test_a_large_result_is_left_to_the_runtime(tmp_path):
    text = """<ir_version: 8, opset_import: ["" : 17]>
    net (float[1] x) => (float[100000] y) <int64[1] shape = {100000}> {
        zeros = ConstantOfShape (shape)
        y = Add (x, zeros)
    }"""
    path = saved(tmp_path / "from", text)
    assert effect(path, tmp_path, "simplify").nothing


@pytest.mark.parametrize("name", ["silero_vad_op16_if", "mobilenet_qdq_int8_maui"])
def test_real_models_give_the_same_answers(shared, tmp_path, name):
    path = shared / "real" / f"{name}.onnx"
    new, made = converted(path, tmp_path, "simplify")
    assert made.effects[0].layers > 250
    random = np.random.default_rng(0)
    feeds = {
        "silero_vad_op16_if": {
            "input": random.random((1, 512), np.float32) - 0.5,
            "state": np.zeros((2, 1, 128), np.float32),
            "sr": np.array(16000, np.int64),
        },
        "mobilenet_qdq_int8_maui": {"image": random.random((1, 3, 244, 244), np.float32)},
    }[name]
    expected = outputs(path, feeds)
    for key, values in outputs(new, feeds).items():
        np.testing.assert_array_equal(values, expected[key])


def test_the_branch_that_a_constant_chooses_takes_the_place_of_an_if(tmp_path):
    """Both branches, with names and weights that clash once they are in one graph, and a
    condition that follows only from shapes."""
    text = """<ir_version: 8, opset_import: ["" : 17]>
    net (float[2] x) => (float[2] y) <bool yes = {1}, bool no = {0}, int64 two = {2}> {
        a = If (yes) <
            then_branch = t () => (float[2] o) <float[2] w = {3, 3}> {
                t = Mul (x, w)
                o = Add (t, w)
            },
            else_branch = e () => (float[2] p) { p = Neg (x) }
        >
        b = If (no) <
            then_branch = t () => (float[2] p) { p = Neg (x) },
            else_branch = e () => (float[2] o) <float[2] w = {5, 7}> { o = Mul (x, w) }
        >
        size = Size (x)
        same = Equal (size, two)
        c = If (same) <
            then_branch = t () => (float[2] o) { o = Identity (x) },
            else_branch = e () => (float[2] p) { p = Neg (x) }
        >
        y = Sum (a, b, c)
    }"""
    path = saved(tmp_path / "from", text)
    x = np.array([1, -2], np.float32)
    new, made = converted(path, tmp_path / "to", "simplify")
    assert operators(new) == ["Mul", "Add", "Mul", "Sum"]
    assert "3 If" in made.effects[0].touches
    np.testing.assert_array_equal(outputs(new, {"x": x})["y"], outputs(path, {"x": x})["y"])
    np.testing.assert_array_equal(outputs(new, {"x": x})["y"], (3 * x + 3) + [5, 7] * x + x)


def test_an_if_whose_condition_is_an_input_stays(tmp_path):
    text = """<ir_version: 8, opset_import: ["" : 17]>
    net (float[2] x, bool c) => (float[2] y) {
        y = If (c) <
            then_branch = t () => (float[2] o) { o = Neg (x) },
            else_branch = e () => (float[2] p) { p = Abs (x) }
        >
    }"""
    path = saved(tmp_path / "from", text)
    assert effect(path, tmp_path, "simplify").nothing


def test_optional_outputs_that_nobody_reads_are_not_computed(tmp_path):
    """The first one of an operator that has to name it stays."""
    text = """<ir_version: 8, opset_import: ["" : 17]>
    net (float[3, 1, 4] x, float[1, 1, 4, 4] i) => (float[1, 1, 2] y, float[1, 1, 2, 2] z) {
        all, y, cell = LSTM <hidden_size = 2> (x, w, r)
        z, places = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (i)
    }"""
    path = saved(
        tmp_path / "from",
        text,
        w=np.ones((1, 8, 4), np.float32),
        r=np.ones((1, 8, 2), np.float32),
    )
    new, made = converted(path, tmp_path / "to", "simplify")
    assert "without unread outputs: 1 MaxPool, 1 LSTM" in made.effects[0].touches
    assert [[*node.output] for node in onnx.load(new).graph.node] == [["", "y"], ["z"]]
    feeds = {"x": np.ones((3, 1, 4), np.float32), "i": np.ones((1, 1, 4, 4), np.float32)}
    for name, before in outputs(path, feeds).items():
        assert outputs(new, feeds)[name].tolist() == before.tolist()
    assert effect(new, tmp_path, "simplify").nothing
