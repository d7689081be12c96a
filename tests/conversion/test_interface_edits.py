"""Inputs, outputs, names and metadata."""

import numpy as np
import onnx
import pytest

from tests.conversion.conversions import converted, effect, outputs, saved

PICTURE = {"picture": np.random.default_rng(0).random((2, 1, 8, 8), np.float32)}


def axes(value: onnx.ValueInfoProto) -> list[int | str]:
    return [d.dim_param or d.dim_value for d in value.type.tensor_type.shape.dim]


def test_a_fixed_axis_reaches_the_outputs(digits, tmp_path):
    new, made = converted(digits, tmp_path, "fix-axes:batch=2")
    graph = onnx.load(new).graph
    assert axes(graph.input[0]) == [2, 1, 8, 8]
    assert axes(graph.output[0]) == [2, 10]
    assert made.effects[0].touches == "batch = 2"
    np.testing.assert_array_equal(
        outputs(new, PICTURE)["probabilities"], outputs(digits, PICTURE)["probabilities"]
    )


def test_an_axis_without_a_name_is_given_by_its_place(shared, tmp_path):
    silero = shared / "real" / "silero_vad_op16_if.onnx"
    new, _ = converted(silero, tmp_path, "fix-axes:input[0]=1,input[1]=512,state[1]=1")
    given = {value.name: axes(value) for value in onnx.load(new).graph.input}
    assert given["input"] == [1, 512]
    assert given["state"] == [2, 1, 128]


@pytest.mark.parametrize(
    ("step", "text"),
    [
        ("fix-axes", "needs sizes, such as batch=1, for batch"),
        ("fix-axes:time=3", "cannot be done: the model has no dynamic axis 'time'"),
        ("fix-axes:batch=none", "cannot be done: 'none' is not a valid size"),
        ("free-axes:picture[7]=n", "cannot be done: the model has no fixed axis 'picture[7]'"),
        ("free-axes:picture[1]=a b", "cannot be done: 'a b' is not a valid axis name"),
        ("rename:none=x", "cannot be done: the model has no input, output or tensor 'none'"),
        ("rename:picture=probabilities", "cannot be done: 'probabilities' is already in use"),
        ("rename-axes:time=t", "cannot be done: the model has no dynamic axis 'time'"),
        ("rename-layers:none=x", "cannot be done: the model has no layer 'none'"),
        (
            "rename-layers:stem/conv=stem/bn",
            "cannot be done: there is already a layer 'stem/bn'",
        ),
        ("metadata:none=", "nothing to do: the metadata already has these entries"),
        ("weights-not-inputs", "nothing to do: no weight is an input"),
    ],
)
def test_what_does_not_fit_is_said_before(digits, tmp_path, step, text):
    assert effect(digits, tmp_path, step).text.startswith(text)


def test_at_most_six_axes_are_named(tmp_path):
    inputs = ", ".join(f"float[{n + 2}, a{n}] x{n}" for n in range(8))
    text = f"""<ir_version: 8, opset_import: ["" : 17]>
        many ({inputs}) => (float[2, a0] y) {{ y = Relu (x0) }}"""
    many = saved(tmp_path, text)
    fixed = ", ".join(f"x{n}[0]" for n in range(6))
    said = effect(many, tmp_path, "free-axes:none[0]=n")
    assert (said.refused, said.hint) == (
        "the model has no fixed axis 'none[0]'",
        f"Choose from: {fixed}.",
    )
    assert effect(many, tmp_path, "free-axes").needs.endswith(f"x0[0]=batch, for {fixed}")
    free = ", ".join(f"a{n}" for n in range(6))
    assert effect(many, tmp_path, "fix-axes").needs.endswith(f"for {free}")
    assert effect(many, tmp_path, "fix-axes:none=1").hint == f"Choose from: {free}."


def test_a_freed_axis_takes_other_lengths_through_a_reshape(tmp_path):
    text = """<ir_version: 8, opset_import: ["" : 17]>
    net (float[1, 2, 2] x) => (float[1, 2] y) <int64[2] shape = {1, 4}> {
        flat = Reshape (x, shape)
        y = MatMul (flat, w)
    }"""
    fixed = saved(tmp_path / "from", text, w=np.arange(8, dtype=np.float32).reshape(4, 2))
    new, made = converted(fixed, tmp_path / "to", "free-axes:x[0]=batch")
    assert made.notes == ("1 Reshape layer changed to copy the dynamic size from the input.",)
    x = np.random.default_rng(0).random((3, 2, 2), np.float32)
    y = outputs(new, {"x": x})["y"]
    assert y.shape == (3, 2)
    np.testing.assert_allclose(y[1], outputs(fixed, {"x": x[1:2]})["y"][0])
    assert axes(onnx.load(new).graph.output[0])[0] == "batch"


def test_new_names_reach_graphs_inside_and_the_answers_stay(samples, tmp_path):
    loop = samples / "sequence_loop.onnx"
    graph = onnx.load(loop).graph
    names = [value.name for value in (*graph.input, *graph.output)]
    inner = [graph.node[0].output[0]]
    steps = ",".join(f"{name}=new_{number}" for number, name in enumerate(names + inner))
    new, made = converted(loop, tmp_path, f"rename:{steps}")
    onnx.checker.check_model(onnx.load(new), full_check=True)
    assert dict(made.renamed) == {f"new_{i}": name for i, name in enumerate(names)}
    given = [axes(v) for v in onnx.load(new).graph.input]
    assert given == [axes(v) for v in graph.input]


def test_a_name_that_is_changed_twice_is_traced_to_the_original(digits, tmp_path):
    new, made = converted(digits, tmp_path, "rename:picture=a", "rename:a=b")
    assert made.renamed == (("b", "picture"),)
    np.testing.assert_array_equal(
        outputs(new, {"b": PICTURE["picture"]})["probabilities"],
        outputs(digits, PICTURE)["probabilities"],
    )


def test_axes_and_layers_get_other_names(digits, tmp_path):
    new, _ = converted(digits, tmp_path, "rename-axes:batch=n", "rename-layers:stem/conv=first")
    graph = onnx.load(new).graph
    assert axes(graph.input[0])[0] == axes(graph.output[0])[0] == "n"
    assert "first" in {node.name for node in graph.node}


def test_metadata_is_set_and_removed(digits, tmp_path):
    new, _ = converted(digits, tmp_path / "1", "metadata:author=me,license=MIT")
    entries = {p.key: p.value for p in onnx.load(new).metadata_props}
    assert entries["author"] == "me"
    new, _ = converted(new, tmp_path / "2", "metadata:author=")
    assert "author" not in {p.key for p in onnx.load(new).metadata_props}


def test_weights_leave_the_inputs(shared, tmp_path):
    old = shared / "real" / "squeezenet1.1_fp16.onnx"
    new, made = converted(old, tmp_path, "weights-not-inputs")
    assert made.effects[0].touches == "52 weights removed from the inputs"
    assert effect(old, tmp_path, "rename-layers").needs.startswith("names, such as")
    output = onnx.load(old).graph.node[0].output[0]  # of a layer without a name
    named, _ = converted(old, tmp_path / "named", f"rename-layers:{output}=first")
    assert onnx.load(named).graph.node[0].name == "first"
    model = onnx.load(new)
    assert [value.name for value in model.graph.input] == ["data_0"]
    assert model.ir_version >= 4
