"""Edit sessions: previewed, applied, checked, undone and saved; the original never changes."""

import hashlib
from collections.abc import Iterator

import numpy as np
import onnx
import pytest

from inspector.app.changing.editing import EditSession, EditState
from inspector.conversion.action import Recipe, Step, save_recipe
from inspector.conversion.edits import choices
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput
from inspector.formats import opening
from tests.command_line import errors_of, output_of
from tests.conversion.conversions import outputs, saved

pytestmark = pytest.mark.engine

PICTURE = {"picture": np.random.default_rng(0).random((2, 1, 8, 8), np.float32)}


@pytest.fixture
def session(digits, tmp_path) -> Iterator[EditSession]:
    folder = tmp_path / "edited"
    folder.mkdir()
    made = EditSession(digits, EngineProcess, folder)
    yield made
    made.close()


def number(model: opening.Model, name: str) -> int:
    return next(layer.index for layer in model.layers if layer.name == name)


def test_a_preview_is_what_the_edit_does(session, digits):
    model = opening.open_model(digits)
    relu, conv = number(model, "stem/relu"), number(model, "stem/conv")
    steps = (
        choices.bypass(model, relu),
        choices.cut(model, relu, choices.ABOVE),
        choices.cut(model, relu, choices.BELOW),
        choices.insert(model, "Neg", relu),
        choices.set_attribute(model, conv, "auto_pad", '"SAME_UPPER"'),
        choices.rename_value("picture", "image"),
        choices.bypass(model, number(model, "block1/conv")),
        choices.set_type("picture", "float16"),
    )
    past, above, below, new, changed, renamed, refused, typed = session.previews(
        (), model, steps
    )
    assert past.removed == (relu,)
    assert [each.old for each in past.rewired] == [model.layers[relu].outputs[0]]
    assert above.removed == tuple(range(relu + 1, len(model.layers)))
    assert above.new_outputs == model.layers[relu].outputs
    assert above.lost_outputs == ("probabilities",)
    assert {*above.removed} | {*below.removed} == {*range(len(model.layers))}
    assert not {*above.removed} & {*below.removed}
    assert below.new_inputs == model.layers[relu].outputs
    assert [each.operator for each in new.added] == ["Neg"]
    assert changed.changed == (conv,)
    assert renamed.renamed == (("picture", "image"),)
    assert refused.refused == "the input has 16 channels, the output 32"
    assert [(end.before[:7], end.after[:7]) for end in typed.retyped] == [
        ("float32", "float16")
    ]
    for step, preview in zip(steps, session.previews((), model, steps), strict=True):
        if preview.possible:
            made = session.apply((step,)).model
            assert len(made.layers) == preview.layers[1], step.text


def test_edits_are_undone_and_redone_to_the_same_bytes(session, digits, tmp_path):
    before = hashlib.sha256(digits.read_bytes()).digest()
    model = opening.open_model(digits)
    first = session.applied((), choices.bypass(model, number(model, "stem/relu")))
    kept = first.path.read_bytes()
    second = session.applied(
        first.steps, choices.insert(first.model, "Neg", number(first.model, "stem/bn"))
    )
    last = second.path.read_bytes()
    assert session.apply(first.steps).path.read_bytes() == kept
    assert session.apply(second.steps).path.read_bytes() == last
    assert session.check(second).state is EditState.RUNS

    copy, recipe, converted = (tmp_path / n for n in ("copy.onnx", "recipe.json", "made.onnx"))
    session.save(second, session.check(second), copy)
    save_recipe(Recipe(second.steps), recipe)
    output_of("convert", digits, "--recipe", recipe, "-o", converted)
    assert converted.read_bytes() == copy.read_bytes()
    noted = [opening.open_model(path).metadata for path in (copy, second.path)]
    assert [any("recipe" in str(each) for each in metadata) for metadata in noted] == [
        True, False,
    ]  # fmt: skip
    assert hashlib.sha256(digits.read_bytes()).digest() == before
    session.previews(second.steps, second.model, (Step("strip"),))
    assert outputs(copy, PICTURE)["probabilities"].shape == (2, 10)


def test_what_needs_an_edit_is_named_and_goes_with_it(session, digits):
    model = opening.open_model(digits)
    steps = (
        choices.rename_value("picture", "image"),
        choices.metadata("author", "me"),
        choices.set_type("image", "float16"),
    )
    made = session.apply(steps)
    assert [info.name for info in made.model.inputs] == ["image"]
    assert session.dependents(steps, 0) == (2,)
    assert session.dependents(steps, 1) == ()
    assert session.without(steps, 0).steps == steps[1:2]
    with pytest.raises(BadInput, match="has no input or output 'none'"):
        session.applied(steps, choices.set_type("none", "float16"))
    assert model.inputs[0].name == "picture"


def test_a_model_that_no_longer_runs_names_the_layer(session, digits, tmp_path):
    model = opening.open_model(digits)
    shape = tmp_path / "shape.npy"
    np.save(shape, np.array([3, 7], np.int64))
    constants = [w for w in model.weights if w.dtype == "int64" and w.shape == (2,)]
    if not constants:
        model_file = tmp_path / "reshaped.onnx"
        graph = onnx.parser.parse_model(
            '<ir_version: 8, opset_import: ["" : 17]> agraph (float[n, 4] x) => (float[a, b] y)'
            " <int64[2] s = {2, 2}> { y = Reshape <allowzero=0>(x, s) }"
        )
        graph.graph.node[0].name = "change"
        onnx.save(graph, model_file)
        folder = tmp_path / "second"
        folder.mkdir()
        with EngineProcess() as one, EngineProcess() as two:
            engines = [one, two]
            other = EditSession(model_file, engines.pop, folder)
            made = other.applied((), choices.set_weight("s", shape))
            verdict = other.check(made)
        assert verdict.state is EditState.STOPS
        assert verdict.layer == 0
        assert not verdict.good


def test_the_original_is_never_written_and_a_broken_copy_neither(session, digits, tmp_path):
    made = session.apply((choices.metadata("author", "me"),))
    verdict = session.check(made)
    before = digits.read_bytes()
    with pytest.raises(BadInput, match="it is the model that is being edited"):
        session.save(made, verdict, digits)
    assert digits.read_bytes() == before


def test_external_data_stays_external(digits, tmp_path):
    proto = onnx.load(digits)
    path = tmp_path / "model.onnx"
    onnx.save(proto, path, save_as_external_data=True, location="model.bin", size_threshold=64)
    folder, copy = tmp_path / "edited", tmp_path / "copies" / "copy.onnx"
    folder.mkdir()
    copy.parent.mkdir()
    session = EditSession(path, EngineProcess, folder)
    made = session.apply((choices.rename_value("picture", "image"),))
    session.save(made, session.check(made), copy)
    session.close()
    assert sorted(each.name for each in copy.parent.iterdir()) == [
        "copy.onnx",
        "copy.onnx.data",
    ]
    expected = outputs(digits, PICTURE)["probabilities"]
    got = outputs(copy, {"image": PICTURE["picture"]})["probabilities"]
    np.testing.assert_array_equal(got, expected)


def test_layers_are_removed_with_all_that_need_them(session, digits):
    model = opening.open_model(digits)
    (refused,) = session.previews((), model, (choices.delete(model, 0),))
    assert "no output of the model would be left" in refused.refused
    two = session.apply((Step("extract", (("outputs", "probabilities+/stem/conv/Conv"),)),))
    assert two.effects[0].refused  # there is no such tensor


def test_the_values_of_a_weight_come_from_a_file(session, digits, tmp_path):
    model = opening.open_model(digits)
    weight = max(model.weights, key=lambda each: each.elements)
    file = tmp_path / "zeros.npy"
    np.save(file, np.zeros(weight.shape))
    made = session.applied((), choices.set_weight(weight.name, file))
    stored = {
        t.name: onnx.numpy_helper.to_array(t) for t in onnx.load(made.path).graph.initializer
    }
    assert not stored[weight.name].any()
    assert stored[weight.name].dtype == np.float32
    np.save(file, np.zeros((1, 2, 3)))
    assert session.apply(made.steps).path.read_bytes() == made.path.read_bytes()
    other = tmp_path / "other.npy"
    np.save(other, np.zeros((1, 2, 3)))
    with pytest.raises(BadInput, match="the array has the shape 1×2×3"):
        session.applied((), choices.set_weight(weight.name, other))


@pytest.mark.parametrize(
    ("value", "fits"), [(np.int8(-8), True), (np.int8(9), False), (np.float32(1), False)]
)
def test_a_weight_of_four_bits_takes_whole_numbers_that_fit(value, fits, tmp_path):
    path, file, folder = tmp_path / "four.onnx", tmp_path / "new.npy", tmp_path / "edited"
    folder.mkdir()
    proto = onnx.parser.parse_model(
        '<ir_version: 10, opset_import: ["" : 21]> agraph (float s) => (float[2] y)'
        " { y = DequantizeLinear (w, s) }"
    )
    proto.graph.initializer.append(
        onnx.helper.make_tensor("w", onnx.TensorProto.INT4, [2], [1, 2])
    )
    onnx.save(proto, path)
    np.save(file, np.full(2, value))
    session = EditSession(path, EngineProcess, folder)
    made = session.apply((choices.set_weight("w", file),))
    assert (not made.effects[0].refused) == fits
    (stored,) = onnx.load(made.path).graph.initializer
    expected = [-8, -8] if fits else [1, 2]
    assert onnx.numpy_helper.to_array(stored).astype(int).tolist() == expected


def test_types_of_ends_are_converted_inside(session, digits):
    made = session.apply(
        (choices.set_type("picture", "uint8"), choices.set_type("probabilities", "float16"))
    )
    assert (made.model.inputs[0].dtype, made.model.outputs[0].dtype) == ("uint8", "float16")
    pictures = (PICTURE["picture"] * 16).astype(np.uint8)
    expected = outputs(digits, {"picture": pictures.astype(np.float32)})["probabilities"]
    got = outputs(made.path, {"picture": pictures})["probabilities"]
    np.testing.assert_array_equal(got, expected.astype(np.float16))


def test_large_weights_are_written_once(tmp_path):
    normal = np.random.default_rng(0).normal
    arrays = {f"w{n}": normal(0, 0.01, (1536, 1536)).astype(np.float32) for n in range(2)}
    text = (
        '<ir_version: 8, opset_import: ["" : 17]> agraph (float[n, 1536] x) => (float[n, k] y)'
        " { a = MatMul (x, w0) b = Relu (a) y = MatMul (b, w1) }"
    )
    path = saved(tmp_path, text, **arrays)
    folder, file = tmp_path / "edited", tmp_path / "ones.npy"
    folder.mkdir()
    np.save(file, np.ones((1536, 1536), np.float32))
    session = EditSession(path, EngineProcess, folder)
    session.prepare()
    first = session.applied((), choices.rename_value("x", "image"))
    second = session.applied(first.steps, choices.set_weight("w1", file))
    sizes = sorted(each.stat().st_size for each in folder.glob("*.weights"))
    assert sizes == [1536 * 1536 * 4, 2 * 1536 * 1536 * 4]
    undone = session.apply(first.steps)
    again = session.apply(second.steps)
    assert undone.path.read_bytes() == first.path.read_bytes()
    assert again.path.read_bytes() == second.path.read_bytes()
    assert len([*folder.glob("*.weights")]) == 2
    x = normal(size=(2, 1536)).astype(np.float32)
    expected = np.maximum(x @ arrays["w0"], 0) @ np.ones((1536, 1536), np.float32)
    np.testing.assert_allclose(outputs(again.path, {"image": x})["y"], expected, rtol=1e-3)
    copy = tmp_path / "copy.onnx"
    session.save(again, session.check(again), copy)
    session.close()
    np.testing.assert_allclose(outputs(copy, {"image": x})["y"], expected, rtol=1e-3)


def test_a_check_that_takes_too_long_says_that_the_model_loads(tmp_path, monkeypatch):
    body = onnx.parser.parse_graph(
        "body (int64 i, bool c, float[4, 4] v) => (bool c2, float[4, 4] w)"
        " { c2 = Identity (c) w = Tanh (v) }"
    )
    graph = onnx.parser.parse_model(
        '<ir_version: 8, opset_import: ["" : 17]> agraph (float[4, 4] x) => (float[4, 4] y)'
        " <int64 many = {1000000000000}, bool yes = {1}> { y = Loop (many, yes, x) }"
    )
    graph.graph.node[0].attribute.append(onnx.helper.make_attribute("body", body))
    path, folder = tmp_path / "endless.onnx", tmp_path / "edited"
    onnx.save(graph, path)
    folder.mkdir()
    monkeypatch.setattr("inspector.app.changing.editing.CHECK_SECONDS", 1.0)
    session = EditSession(path, EngineProcess, folder)
    made = session.apply((choices.rename_value("x", "image"),))
    verdict = session.check(made)
    session.close()
    assert verdict.state is EditState.LOADS
    assert verdict.good


def test_the_command_line_edits_types_and_weights_too(digits, tmp_path):
    bias, made = tmp_path / "bias.npy", tmp_path / "made.onnx"
    np.save(bias, np.zeros(10))
    steps = f"set-weight:weight=head/dense.bias,file={bias}", "set-types:picture=uint8"
    output_of("convert", digits, *steps, "delete-layer:layer=stem/relu", "-o", made)
    weights = {each.name: each for each in onnx.load(made).graph.initializer}
    assert not onnx.numpy_helper.to_array(weights["head/dense.bias"]).any()
    assert opening.open_model(made).inputs[0].dtype == "uint8"
    steps = (f"set-weight:weight=head/dense.bias,file={tmp_path / 'none.npy'}",)
    told = errors_of("convert", digits, *steps, "-o", tmp_path / "other.onnx")
    assert "there is no such file" in told


def test_layers_of_branches_and_other_formats_are_refused_with_a_reason(samples, tmp_path):
    model = opening.open_model(samples / "sequence_loop.onnx")
    inner = next(layer.index for layer in model.layers if layer.parent is not None)
    with pytest.raises(BadInput, match="layers inside of a branch or loop cannot be edited"):
        choices.bypass(model, inner)
    other = tmp_path / "model.gguf"
    other.write_bytes(b"GGUF" + bytes(100))
    with pytest.raises(BadInput, match="this requires an ONNX model"):
        EditSession(other, EngineProcess, tmp_path)
