"""Preprocessing and postprocessing inside a model, against Preview's own."""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest

from inspector.app.changing import conversion
from inspector.conversion.action import parse_step
from inspector.conversion.registry import ACTIONS
from inspector.engine.client.engine_process import EngineProcess
from inspector.formats.opening import open_model
from inspector.preview.inputs.image import prepare
from inspector.preview.preprocessing import saved as kept
from inspector.preview.preprocessing.recipe import ImagePreprocessing
from tests.conversion.conversions import both_outputs, converted, effect, outputs, saved

NET = """<ir_version: 8, opset_import: ["" : 13]>
net (float[1,3,12,16] picture) => (float[1,3,12,16] y, float[1,10] scores) {
  y = Identity (picture)
  m = ReduceMean <axes = [2,3], keepdims = 0> (picture)
  s = MatMul (m, w)
  scores = Identity (s)
}"""
HOW = ImagePreprocessing(
    16, 12, order="bgr", scale="1", mean=(0.485, 0.456, 0.406), std=(0.229, 0.224, 0.225)
)


def net(folder: Path, how: ImagePreprocessing, text: str = NET) -> Path:
    rng = np.random.default_rng(0)
    path = saved(folder, text, w=rng.standard_normal((3, 10)).astype(np.float32))
    body = kept.encode(kept.SavedPreprocessing({"picture": how}), path.name)
    kept.sidecar_path(path).write_bytes(body)
    return path


def photo(height: int, width: int) -> Any:
    y, x = np.mgrid[0:height, 0:width] / max(height, width)
    planes = [np.sin(3 * x + c) * np.cos(4 * y - c) for c in range(3)]
    return np.uint8(127.5 + 120 * np.stack(planes, 2))


@pytest.mark.parametrize(
    ("resize", "position", "picture"),
    [
        ("stretch", "center", (30, 40)),
        ("stretch", "center", (7, 9)),
        ("fit", "center", (40, 20)),
        ("fit", "top-left", (20, 60)),
        ("crop", "center", (400, 333)),
    ],
)
def test_picture_is_prepared_in_the_model_as_in_preview(tmp_path, resize, position, picture):
    from dataclasses import replace

    how = replace(HOW, resize=resize, position=position, fill=114)
    path, image = net(tmp_path / "from", how), photo(*picture)
    new, made = converted(path, tmp_path / "to", "image-input")
    assert onnx.load(new).opset_import[0].version == 18
    onnx.checker.check_model(new)
    expected = prepare(image, how, open_model(path).inputs[0])
    result = outputs(new, {"image": image[None]})["y"]
    assert result.shape == expected.shape
    step = 1 / 255 / 0.224
    # Rounding to 8 bits may differ by one step.
    steps = np.abs(result - expected) / step
    most, mean = (3, 0.6) if resize == "crop" else (1.02, 0.25)  # cut in whole pixels
    assert steps.max() <= most
    assert steps.mean() < mean
    assert made.pictures[0].order == (2, 1, 0)


def test_other_layout_and_float16_get_a_picture_of_the_models_size(tmp_path):
    from dataclasses import replace

    text = NET.replace("float[1,3,12,16]", "float16[1,12,16,3]").replace(
        "  m = ReduceMean <axes = [2,3], keepdims = 0> (picture)\n",
        "  f = Cast <to = 1> (picture)\n  m = ReduceMean <axes = [1,2], keepdims = 0> (f)\n",
    )
    how = replace(HOW, layout="nhwc", scale="-1..1", mean=(), std=())
    path, image = net(tmp_path / "from", how, text), photo(12, 16)
    new, _ = converted(path, tmp_path / "to", "image-input:resize=none")
    (given,) = open_model(new).inputs
    assert (given.name, given.dtype, given.shape) == ("image", "uint8", (1, 12, 16, 3))
    expected = prepare(image, how, open_model(path).inputs[0])
    result = outputs(new, {"image": image[None]})["y"]
    assert result.dtype == np.float16
    assert np.abs(result - expected).max() < 2e-3
    assert onnx.load(new).opset_import[0].version == 13


@pytest.mark.engine
def test_result_is_compared_with_the_original_on_the_same_picture(tmp_path):
    path = net(tmp_path, HOW)
    values = np.random.default_rng(1).random((1, 3, 12, 16), np.float32)
    with EngineProcess(reads=(path, tmp_path / "new" / "model.onnx")) as engine:
        (tmp_path / "new").mkdir()
        step = parse_step("image-input:resize=none", ACTIONS)
        made = conversion.convert(engine, path, (step,), tmp_path / "new")
        made = conversion.checked(engine, made, [{"picture": values}])
        assert made.problem == ""
        before, after = both_outputs(engine, made, {"picture": values})
    for one, two in zip(before, after, strict=True):
        assert one.array is not None
        assert two.array is not None
        np.testing.assert_allclose(one.array, two.array, atol=1e-4)
    assert np.abs(before[0].array - values).max() < 0.01  # the nearest 8-bit picture


@pytest.mark.parametrize("kind", ["top-k", "argmax", "softmax"])
def test_scores_become_classes(tmp_path, kind):
    path = net(tmp_path / "from", HOW)
    values = {"picture": np.random.default_rng(2).random((1, 3, 12, 16), np.float32)}
    scores = outputs(path, values)["scores"]
    step = f"class-output:kind={kind},k=3,output=scores"
    new, made = converted(path, tmp_path / "to", step)
    (done,) = made.effects
    assert done.text.startswith("output 'scores' becomes the ")
    assert (done.layers, done.bytes_after) == (0, new.stat().st_size)
    onnx.checker.check_model(new)
    session = onnxruntime.InferenceSession(new)
    found = dict(
        zip([o.name for o in session.get_outputs()], session.run(None, values), strict=True)
    )
    assert next(iter(found)) == "y"
    order = np.argsort(-scores[0])
    if kind == "top-k":
        assert found["classes"][0].tolist() == order[:3].tolist()
        np.testing.assert_allclose(found["scores_2"][0], scores[0][order[:3]], rtol=1e-5)
    elif kind == "argmax":
        assert found["class"].tolist() == [order[0]]
    else:
        assert found["probabilities"].sum() == pytest.approx(1)


def test_old_opset_is_converted_before_operators_of_newer_ones_are_added(tmp_path):
    text = """<ir_version: 3, opset_import: ["" : 7]>
    net (float[1,10,1,1] x) => (float[1,10,1,1] y) { y = Identity (x) }"""
    new, _ = converted(saved(tmp_path / "old", text), tmp_path / "to", "class-output:k=2")
    values = np.arange(10, dtype=np.float32).reshape(1, 10, 1, 1)
    assert outputs(new, {"x": values})["classes"].ravel().tolist() == [9, 8]


def test_what_has_no_picture_or_no_classes_says_so(samples, tmp_path):
    said = effect(samples / "wine_tabular.onnx", tmp_path, "image-input")
    assert said.nothing == "no input looks like a float image with a fixed size"
    path = net(tmp_path / "from", HOW)
    assert "from 1 to 10" in effect(path, tmp_path, "class-output:k=11,output=scores").refused
    assert "no output" in effect(path, tmp_path, "class-output:output=none").refused


def test_quantized_model_takes_pictures_at_the_highest_optimization_level(shared, tmp_path):
    # ONNX Runtime moves a Transpose of such a model behind Resize.
    source = shared / "real" / "mobilenet_qdq_int8_maui.onnx"
    new, made = converted(source, tmp_path, "image-input")
    (image,) = made.pictures
    answer = outputs(new, {image.name: photo(300, 200)[None]})
    assert all(np.isfinite(values).all() for values in answer.values())


def test_model_with_few_classes_gives_all_of_them_by_default(tmp_path):
    text = """<ir_version: 8, opset_import: ["" : 17]>
    few (float[1,3] x) => (float[1,3] scores) { scores = Softmax (x) }"""
    said = effect(saved(tmp_path, text), tmp_path, "class-output")
    assert "best 3 classes" in said.text


@pytest.mark.parametrize(
    ("end", "maker"),
    [
        ("y = Softmax (x)", "Softmax"),
        ("s = Softmax (x)  y = Identity (s)", "Softmax"),
        ("s = Softmax (x)  y = Reshape (s, shape)", "Softmax"),
        ("y = Sigmoid (x)", "Sigmoid"),
        ("e = Exp (x)  t = ReduceSum <keepdims=1> (e, one)  y = Div (e, t)", "Exp, ReduceSum"),
    ],
)
def test_probabilities_do_not_become_probabilities_again(tmp_path, end, maker):
    text = f"""<ir_version: 8, opset_import: ["" : 17]>
    net (float[1,10] x) => (float[1,10] y)
    <int64[2] shape = {{1, 10}}, int64[1] one = {{1}}> {{ {end} }}"""
    said = effect(saved(tmp_path, text), tmp_path, "class-output:kind=softmax")
    assert said.nothing.startswith(f"output 'y' already has probabilities: {maker}")
    assert effect(tmp_path / "model.onnx", tmp_path, "class-output:kind=argmax").applicable


@pytest.mark.parametrize(
    "end",
    [
        "y = Relu (x)",
        "y = LogSoftmax (x)",  # whose Softmax are the probabilities
        "s = Softmax (x)  y = Mul (s, x)",
        "e = Exp (x)  t = ReduceSum <keepdims=1> (x, one)  y = Div (e, t)",
    ],
)
def test_scores_that_are_no_probabilities_become_some(tmp_path, end):
    text = f"""<ir_version: 8, opset_import: ["" : 17]>
    net (float[1,10] x) => (float[1,10] y) <int64[1] one = {{1}}> {{ {end} }}"""
    new, _ = converted(saved(tmp_path, text), tmp_path / "to", "class-output:kind=softmax")
    found = outputs(new, {"x": np.ones((1, 10), np.float32)})["probabilities"]
    np.testing.assert_allclose(found, 0.1, rtol=1e-5)
