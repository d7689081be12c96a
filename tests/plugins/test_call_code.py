"""Code that calls a model: Python's is run, the others are checked for what they must say."""

import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from unittest import mock

import pytest
from onnx import TensorProto, helper

from inspector.cli import main
from inspector.errors import BadInput
from inspector.formats.opening import open_model
from inspector.model.model import Model
from inspector.plugins.code.call_code import has_class_scores
from inspector.preview.inputs.image import ImageOptions
from inspector.preview.outputs import labels
from inspector.preview.preprocessing.recipe import ImagePreprocessing
from inspector.render.code_languages import languages
from inspector.report.run_spec import RunSpec
from tests import models
from tests.command_line import errors_of, output_of

LANGUAGES = tuple(languages())


def call_code(
    model: Model,
    images: dict[str, ImagePreprocessing],
    spec: RunSpec,
    language: str,
    classes: bool,
    names: tuple[str, ...] = (),
) -> str:
    """Code for a model that has scores of classes or none, whatever it looks like."""
    judged = "inspector.plugins.code.call_code.has_class_scores"
    with mock.patch(judged, return_value=classes):
        return languages()[language].program_code(model, images, spec, names)


def code(path: Path, language: str, spec: RunSpec | None = None, **changes: object) -> str:
    """Code for a model with its guessed preprocessing, changed in some fields."""
    model = open_model(path)
    options = ImageOptions.of(model)
    images: dict[str, ImagePreprocessing] = {}
    for info in model.inputs:
        guess = options.preparation(info)
        if guess is not None:
            images[info.name] = replace(guess, **changes)
    classes, names = has_class_scores(model), labels.of_model(model)
    return call_code(model, images, spec or RunSpec(), language, classes, names)


def answer(text: str, folder: Path, image: Path) -> list[str]:
    """Run Python code in a folder: the lines that it prints."""
    run = subprocess.run(
        [sys.executable, "-c", text, str(image)],
        cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return run.stdout.splitlines()


@pytest.mark.engine
@pytest.mark.parametrize("resize", ["stretch", "fit", "crop"])
def test_python_code_gives_the_prediction_of_preview(samples, resize):
    model, image = samples / "digits_float32.onnx", samples / "inputs" / "digit_3.png"
    lines = answer(code(model, "Python", resize=resize), samples, image)
    given = f"picture={image}"
    shown = output_of("predict", model, "--input", given, "--resize", resize)
    assert lines[0].startswith("3: ")
    assert "3" in shown.partition("%")[0]


@pytest.mark.engine
def test_python_code_runs_a_model_without_images(samples):
    text = code(samples / "language_bert.onnx", "Python", RunSpec(threads=1))
    assert "put your values here" in text
    assert answer(text, samples, Path("none"))


@pytest.mark.engine
def test_python_code_of_a_shared_classifier_names_the_bird(shared):
    (image,) = (shared / "media").rglob("hummingbird.jpg")
    text = code(shared / "real" / "squeezenet1.1_fp16.onnx", "Python")
    assert answer(text, shared / "real", image)[0] == "class 94: 98.39%"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_names_inputs_outputs_and_settings(samples, language):
    text = code(samples / "digits_float32.onnx", language, RunSpec(threads=3))
    for part in ('"picture"', "digits_float32", "3"):
        assert part in text
    assert text.count("{") == text.count("}")
    assert text.count("(") == text.count(")")


@pytest.mark.parametrize("language", LANGUAGES)
def test_linear_light_is_undone_in_every_language(samples, language):
    model = samples / "digits_float32.onnx"
    assert "2.4" in code(model, language, gamma="linear")
    assert "2.4" not in code(model, language)


def test_c_sharp_resizes_with_the_filter_of_preview(samples):
    path = samples / "digits_float32.onnx"
    assert "Sampler = KnownResamplers.Triangle," in code(path, "C#")
    assert "Sampler = KnownResamplers.NearestNeighbor," in code(path, "C#", filter="nearest")


def test_there_is_no_code_that_leaves_out_an_input(samples):
    model = open_model(samples / "wine_tabular.onnx")
    for dtype, language in (("float16", "Swift"), ("float8e5m2", "Java"), ("map(x)", "Python")):
        other = replace(model, inputs=tuple(replace(x, dtype=dtype) for x in model.inputs))
        with pytest.raises(BadInput, match="which this code cannot pass") as raised:
            call_code(other, {}, RunSpec(), language, False)
        assert dtype in raised.value.why
        assert ("C++" in raised.value.hint) == (language != "Python")
    many = replace(
        model, inputs=tuple(replace(model.inputs[0], name=f"x{k}") for k in range(30))
    )
    for language in LANGUAGES:
        text = call_code(many, {}, RunSpec(), language, False)
        assert all(f'"x{k}"' in text for k in range(30)), language


@pytest.mark.parametrize("dtype", ["bfloat16", "float8e4m3fn", "int4", "uint16", "bool"])
def test_python_and_cpp_code_pass_types_that_numpy_does_not_have(tmp_path, dtype):
    value, number = helper.make_tensor_value_info, getattr(TensorProto, dtype.upper())
    models.save(
        tmp_path / "model.onnx",
        [helper.make_node("Cast", ["x"], ["y"], to=TensorProto.FLOAT)],
        [value("x", number, [1, 6])],
        [value("y", TensorProto.FLOAT, [1, 6])],
        opset=21,
    )
    model = open_model(tmp_path / "model.onnx")
    text = call_code(model, {}, RunSpec(), "Python", False)
    assert answer(text, tmp_path, Path("none")) == ["y (1, 6)"]
    text = call_code(model, {}, RunSpec(), "C++", False)
    assert text.count("inputs.push_back") == 1


def test_a_sequence_is_a_list_in_python_and_a_sequence_in_cpp(tmp_path):
    inner = helper.make_tensor_type_proto(TensorProto.FLOAT, None)
    models.save(
        tmp_path / "model.onnx",
        [helper.make_node("ConcatFromSequence", ["q"], ["y"], axis=0)],
        [helper.make_value_info("q", helper.make_sequence_type_proto(inner))],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
    )
    model = open_model(tmp_path / "model.onnx")
    text = call_code(model, {}, RunSpec(), "Python", False)
    assert answer(text, tmp_path, Path("none")) == ["y (1,)"]
    assert "CreateSequence(parts0)" in call_code(model, {}, RunSpec(), "C++", False)


# What a string input is made of, and how it reaches the session.
_TEXT_INPUTS = {
    "Python": ('np.full((1, 1), "", dtype=object)',),
    "C++": ("ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING", "FillStringTensor(values0.data(),"),
    "C#": ("new DenseTensor<string>(values0,",),
    "Java": ("String[] values0", "environment, values0, new long[] {1, 1}"),
    "Kotlin": ('Array(1) { "" }', "environment, values0, longArrayOf(1, 1)"),
    "JavaScript": ('new ort.Tensor("string",', 'new Array(1).fill("")'),
    "Swift": ("ORTValue(tensorStringData: values0,",),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_api_passes_text(samples, language):
    model = open_model(samples / "wine_tabular.onnx")
    city = replace(model.inputs[0], name="city", dtype="string", shape=(1, 1))
    text = call_code(replace(model, inputs=(city,)), {}, RunSpec(), language, False)
    assert "cannot pass" not in text
    assert "put your text here" in text
    for part in _TEXT_INPUTS[language]:
        assert part in text


def test_cpp_code_counts_what_is_no_tensor(samples):
    text = call_code(open_model(samples / "wine_tabular.onnx"), {}, RunSpec(), "C++", False)
    assert "outputs[k].IsTensor()" in text
    assert ": outputs[k].GetCount());" in text


def test_names_become_ascii_literals_of_each_language(tmp_path, samples):
    model = replace(open_model(samples / "wine_tabular.onnx"), name='né"t😀.onnx')
    for language, name in (
        ("Java", r'"n\u00e9\"t\ud83d\ude00.onnx"'),
        ("Swift", r'forResource: "n\u{e9}\"t\u{1f600}", ofType: "onnx")'),
        ("Python", r'"n\u00e9\"t\U0001f600.onnx"'),
    ):
        assert name in call_code(model, {}, RunSpec(), language, False)


def test_the_command_writes_a_new_file_only(tmp_path, samples):
    model, target = str(samples / "digits_float32.onnx"), tmp_path / "CallModel.java"
    assert main.run(["code", model, "--language", "java", "-o", str(target)]) == 0
    assert "public class CallModel" in target.read_text("utf-8")
    assert target.suffix == languages()["Java"].suffix
    assert "a file with that name already exists" in errors_of("code", model, "-o", target)
    assert "public class CallModel" in target.read_text("utf-8")


@pytest.mark.parametrize("change", [{"order": "rgb"}, {"width": 9}, {"layout": "nhwc"}])
def test_no_code_is_written_for_preprocessing_that_does_not_fit(samples, change):
    with pytest.raises(BadInput, match="but the input expects batch×1×8×8"):
        code(samples / "digits_float32.onnx", "Python", **change)


def ending_in(path: Path, *operators: str) -> Model:
    """Write and open a model of one Gemm with three scores and operators behind it."""
    nodes = [helper.make_node("Gemm", ["x", "w"], ["v0"])]
    for place, operator in enumerate(operators):
        nodes.append(helper.make_node(operator, [f"v{place}"], [f"v{place + 1}"]))
    last = nodes[-1].output[0]
    value = helper.make_tensor_value_info
    models.save(
        path,
        nodes,
        [value("x", 1, ["n", 2])],
        [value(last, 1, ["n", 3])],
        [helper.make_tensor("w", 1, (2, 3), [0.1] * 6)],
    )
    return open_model(path)


@pytest.mark.parametrize("language", LANGUAGES)
def test_softmax_is_applied_to_logits_only_and_unknown_scores_stay_scores(tmp_path, language):
    for operators, softmax, percent in (
        ((), True, True),
        (("Softmax", "Identity"), False, True),
        (("LogSoftmax",), True, True),
        (("Sigmoid",), False, True),
        (("Tanh",), False, False),
    ):
        model = ending_in(tmp_path / "model.onnx", *operators)
        text = call_code(model, {}, RunSpec(), language, True, ("cat", "dog", "bird"))
        assert ("oftmax makes" in text) == softmax
        assert '"cat", "dog", "bird"' in text
        if language not in (
            "JavaScript",
            "Kotlin",
            "Swift",
        ):  # they return numbers and print nothing
            assert bool(re.search(r": score [%{]", text)) != percent


def test_names_are_used_where_there_is_one_for_each_class(tmp_path):
    model = ending_in(tmp_path / "model.onnx")
    text = call_code(model, {}, RunSpec(), "Python", True, ("cat", "dog"))
    assert "cat" not in text
    assert "class {index}" in text


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("javac") is None, reason="no Java compiler")
@pytest.mark.parametrize("resize", ["stretch", "fit", "crop"])
def test_java_code_compiles_and_prints_the_best_class(samples, tmp_path, resize):
    text = code(samples / "clothes_float32.onnx", "Java", resize=resize)
    (tmp_path / "CallModel.java").write_text(text)
    package = tmp_path / "ai" / "onnxruntime"
    package.mkdir(parents=True)
    for name, body in _JAVA_STAND_INS.items():
        (package / f"{name}.java").write_text(f"package ai.onnxruntime;\n{body}")
    sources = [str(path) for path in tmp_path.rglob("*.java")]
    subprocess.run(["javac", "-d", str(tmp_path), *sources], check=True, capture_output=True)
    command = ["java", "-cp", str(tmp_path), "CallModel", str(samples / "inputs" / "boot.png")]
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    assert run.stdout.splitlines()[0] == "Ankle boot: 90.00%"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="no Node.js")
def test_javascript_code_runs_and_returns_the_best_class(samples, tmp_path):
    text = code(samples / "clothes_float32.onnx", "JavaScript")
    package = tmp_path / "node_modules" / "onnxruntime-web"
    package.mkdir(parents=True)
    (package / "index.mjs").write_text(_JAVASCRIPT_STAND_IN)
    (package / "package.json").write_text('{"main": "index.mjs"}')
    (tmp_path / "call.mjs").write_text(f"{_CANVAS}{text}\n{_JAVASCRIPT_MAIN}")
    run = subprocess.run(
        ["node", str(tmp_path / "call.mjs")], check=True, capture_output=True, text=True
    )
    assert run.stdout.strip() == "Ankle boot 0.9 784 255"


# Classes of ONNX Runtime with the methods that the code calls; a session answers "Ankle boot".
_JAVA_STAND_INS = {
    "OrtEnvironment": """
public class OrtEnvironment {
    public static OrtEnvironment getEnvironment() { return new OrtEnvironment(); }
    public OrtSession createSession(String path, OrtSession.SessionOptions options) {
        return new OrtSession();
    }
}""",
    "OnnxValue": "public interface OnnxValue {}",
    "OnnxTensor": """
public class OnnxTensor implements OnnxValue {
    java.nio.FloatBuffer values;
    public static OnnxTensor createTensor(
            OrtEnvironment environment, java.nio.FloatBuffer values, long[] shape) {
        OnnxTensor made = new OnnxTensor();
        made.values = values;
        return made;
    }
    public java.nio.FloatBuffer getFloatBuffer() { return values; }
}""",
    "OrtSession": """
import java.util.*;
public class OrtSession {
    public static class SessionOptions {}
    public static class Result implements AutoCloseable {
        OnnxTensor scores;
        public OnnxValue get(int place) { return scores; }
        public void close() {}
    }
    public Result run(Map<String, OnnxTensor> inputs) {
        float lit = 0;
        for (float value : inputs.get("photo").values.array()) lit += value;
        float[] scores = new float[10];
        scores[9] = lit > 0 ? 0.9f : 0;
        Result result = new Result();
        result.scores = OnnxTensor.createTensor(
            null, java.nio.FloatBuffer.wrap(scores), new long[] {1, 10});
        return result;
    }
}""",
}
_JAVASCRIPT_STAND_IN = """
export class Tensor {
  constructor(type, data, dims) { Object.assign(this, { type, data, dims }); }
}
export const InferenceSession = { create: async () => ({ run: async (feeds) => {
  globalThis.fed = feeds.photo.data;
  const data = new Float64Array(10);
  data[9] = 0.9;
  return { probabilities: { data } };
} }) };
"""
_CANVAS = """
globalThis.OffscreenCanvas = class {
  constructor(width, height) { this.pixels = new Uint8ClampedArray(4 * width * height); }
  getContext() {
    return {
      drawImage: (image) => this.pixels.fill(image.value),
      getImageData: () => ({ data: this.pixels }),
    };
  }
};
"""
_JAVASCRIPT_MAIN = """
const [best] = await callModel({ value: 255 });
console.log(best.name, best.score, fed.length, Math.round(fed[0]));
"""


def test_phones_get_the_model_of_the_app_and_the_provider_of_the_phone(samples):
    model = samples / "clothes_float32.onnx"
    swift, kotlin = code(model, "Swift"), code(model, "Kotlin")
    assert 'Bundle.main.path(forResource: "clothes_float32", ofType: "onnx")' in swift
    assert "// try options.appendCoreMLExecutionProvider(" in swift
    assert swift.startswith("import Foundation\nimport onnxruntime_objc\n")
    assert 'context.assets.open("clothes_float32.onnx")' in kotlin
    assert "    // options.addNnapi()\n" in kotlin
    dollar = replace(open_model(model), name="a$b.onnx")
    assert '"a\\$b.onnx"' in call_code(dollar, {}, RunSpec(), "Kotlin", False)


def test_long_lists_of_names_are_broken_into_lines(tmp_path):
    model = ending_in(tmp_path / "model.onnx")
    names = tuple(f"{each} {'x' * 60}" for each in ("cat", "dog", "bird"))
    for language in LANGUAGES:
        text = call_code(model, {}, RunSpec(), language, True, names)
        assert all(len(line) < 130 for line in text.splitlines()), language
        assert all(f'"{name}"' in text for name in names)
