"""Code that calls a model: Python's is run, the others are checked for what they must say."""

import contextlib
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
from onnx import TensorProto, helper

from benchmarks.generated_code import GRAMMARS, HOSTILE, parse_errors
from inspector.backends import type_names
from inspector.errors import BadInput
from inspector.formats.opening import open_model
from inspector.model.model import Model
from inspector.plugins.code.apis import APIS, RARE
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
    words = [sys.executable, "-c", text, str(image)]
    run = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True)
    return run.stdout.splitlines()


@pytest.mark.engine
@pytest.mark.parametrize("resize", ["stretch", "fit", "crop"])
def test_python_code_gives_the_prediction_of_preview(samples, resize):
    model, image = samples / "digits_float32.onnx", samples / "inputs" / "digit_3.png"
    lines = answer(code(model, "Python", resize=resize), samples, image)
    shown = output_of("predict", model, "--input", f"picture={image}", "--resize", resize)
    assert lines[0].startswith("3: ")
    assert "3" in shown.partition("%")[0]


def test_a_program_says_how_it_is_used_and_finds_the_model_beside_itself(samples, tmp_path):
    program, image = tmp_path / "program.py", samples / "inputs" / "digit_3.png"
    program.write_text(code(samples / "digits_float32.onnx", "Python"), "utf-8")

    def said(*arguments: object) -> tuple[int, str]:
        command = [sys.executable, str(program), *map(str, arguments)]
        run = subprocess.run(command, cwd=samples.parent, capture_output=True, text=True)
        return run.returncode, run.stderr or run.stdout

    assert said() == (1, f"Usage: python {program} IMAGE\n")
    status, told = said(image)
    assert status == 1
    assert told.startswith("digits_float32.onnx is neither beside ")
    shutil.copy(samples / "digits_float32.onnx", tmp_path)
    assert said(image)[1].startswith("3: ")


@pytest.mark.parametrize("language", ["Python", "C++", "C#", "Java"])
def test_a_program_with_arguments_begins_with_its_usage(samples, language):
    def usages(name: str) -> list[str]:
        return [line for line in code(samples / name, language).splitlines() if "Usage" in line]

    told, checked = usages("digits_float32.onnx")
    assert told.endswith(" IMAGE")
    assert "IMAGE" in checked
    (told,) = usages("wine_tabular.onnx")
    assert "IMAGE" not in told


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
    inputs = tuple(replace(model.inputs[0], name=f"x{k}") for k in range(30))
    many = replace(model, inputs=inputs)
    for language in LANGUAGES:
        text = call_code(many, {}, RunSpec(), language, False)
        assert all(f'"x{k}"' in text for k in range(30)), language


def outputs_of(model: Path, *given: object) -> list[Any]:
    """Run the Python program of a model with values in the places for them: its outputs."""
    text = call_code(open_model(model), {}, RunSpec(), "Python", False)
    places = (f"GIVEN[{place}]" for place in range(len(given)))
    text, count = re.subn(r"np\.(?:zeros|full)\(.*?\), .*?\)|{(?:\"\"|0): 0.0}",
                          lambda _: next(places), text)  # fmt: skip
    assert count == len(given)
    text = text.replace(f'"{model.name}"', repr(str(model)))
    names: dict[str, Any] = {"GIVEN": given}
    exec(compile(text, "program", "exec"), names)
    return list(names["outputs"])


_OWN = ("float32", "float64", "float16", "bool", *(f"{sign}int{bits}" for sign in ("", "u")
        for bits in (8, 16, 32, 64)))  # fmt: skip
_ALL_TYPES = 25  # the first opset that has them


@pytest.mark.parametrize("dtype", [*_OWN, *sorted(RARE.keys() - {"float4e2m1"})])
def test_python_code_passes_every_type_and_returns_it_to_the_bit(tmp_path, dtype):
    names = {"float32": "FLOAT", "float64": "DOUBLE"}
    number = getattr(TensorProto, names.get(dtype, dtype.upper()))
    x, y = (models.value(name, [7], number) for name in "xy")
    f = models.value("f", [7], TensorProto.DOUBLE)
    nodes = [helper.make_node("Cast", ["x"], ["f"], to=TensorProto.DOUBLE),
             helper.make_node("Cast", ["f"], ["y"], to=number)]  # fmt: skip
    models.save(tmp_path / "model.onnx", nodes, [x], [y, f], opset=_ALL_TYPES)
    given = np.array([1, 0, 1, 1, 0, 1, 1] if dtype != "float8e8m0" else [1, 2, 4, 8, 1, 2, 4])
    given = given.astype(type_names.numpy_type(dtype))
    back, wide = outputs_of(tmp_path / "model.onnx", given)
    assert back.dtype == given.dtype
    assert back.tobytes() == given.tobytes()
    assert wide.tolist() == given.astype(np.float64).tolist()


def test_python_code_passes_what_is_no_tensor(tmp_path):
    inner = helper.make_tensor_type_proto(TensorProto.FLOAT, [2])
    sequence = helper.make_sequence_type_proto(inner)
    number = helper.make_tensor_type_proto(TensorProto.FLOAT, [])
    table = helper.make_map_type_proto(TensorProto.STRING, number)
    optional = helper.make_optional_type_proto(inner)
    sparse = helper.make_sparse_tensor_type_proto(TensorProto.FLOAT, [2, 2])
    scores = helper.make_map_type_proto(TensorProto.INT64, inner)
    classes = helper.make_sequence_type_proto(scores)
    made = helper.make_value_info
    models.save(
        tmp_path / "model.onnx",
        [
            helper.make_node("Identity", ["q"], ["q2"]),
            helper.make_node("DictVectorizer", ["m"], ["v"], domain="ai.onnx.ml",
                             string_vocabulary=["b", "a"]),
            helper.make_node("Identity", ["o"], ["o2"]),
            helper.make_node("ZipMap", ["v"], ["z"], domain="ai.onnx.ml",
                             classlabels_int64s=[3, 4]),
            helper.make_node("Identity", ["s"], ["s2"]),
            helper.make_node("SparseToDenseMatMul", ["t", "e"], ["t2"],
                             domain="com.microsoft"),
        ],
        [made("q", sequence), made("m", table), made("o", optional),
         models.value("s", [2], TensorProto.STRING), made("t", sparse)],
        [made("q2", sequence), made("o2", optional), made("z", classes),
         models.value("s2", [2], TensorProto.STRING), models.value("t2", [2, 2])],
        {"e": np.eye(2, dtype=np.float32)},
    )  # fmt: skip
    pair, text = np.array([1.5, -2], np.float32), np.array(["a", "\u00e9"], object)
    few = np.array([[0, 2.5], [0, 0]], np.float32)
    (back,), left, zipped, told, whole = outputs_of(
        tmp_path / "model.onnx", pair, {"a": 0.5, "b": 2.0}, pair, text, few
    )
    assert whole.tolist() == few.tolist()
    assert (back.tolist(), left.tolist()) == ([1.5, -2], [1.5, -2])
    assert zipped == [{3: 2.0, 4: 0.5}]
    assert told.tolist() == ["a", "\u00e9"]


def test_rare_outputs_beside_text_are_refused_as_the_api_returns_neither(tmp_path):
    node = helper.make_node("Cast", ["x"], ["y"], to=TensorProto.BFLOAT16)
    x = models.value("x", [1], TensorProto.STRING)
    y = models.value("y", [1], TensorProto.BFLOAT16)
    model = open_model(models.save(tmp_path / "model.onnx", [node], [x], [y]))
    with pytest.raises(BadInput, match="output 'y' is bfloat16"):
        call_code(model, {}, RunSpec(), "Python", False)
    assert "FillStringTensor" in call_code(model, {}, RunSpec(), "C++", False)


@pytest.mark.parametrize(
    ("kind", "dtype", "language", "others"),
    [
        ("tensor", "float16", "Swift", ("Python", "C++", "C#", "Java")),
        ("tensor", "float8e5m2", "Java", ("Python", "C++")),
        ("tensor", "uint16", "Kotlin", ("JavaScript",)),
        ("tensor", "bfloat16", "JavaScript", ("Java", "Kotlin", "C#")),
        ("tensor", "int4", "C#", ("Python", "C++", "JavaScript")),
        ("tensor", "complex64", "Python", ()),
        ("map", "map(string, int64)", "Python", ("C++", "C#")),
        ("map", "map(string, float32)", "Java", ("Python", "C++")),
        ("sequence", "sequence(float32)", "Swift", ("Python", "C++")),
        ("sparse tensor", "float32", "JavaScript", ("Python", "C++", "Java")),
        ("opaque", "opaque(x)", "C++", ()),
    ],
)
def test_what_an_api_cannot_pass_is_an_error_that_names_the_input(
    samples, kind, dtype, language, others
):
    model = open_model(samples / "digits_float32.onnx")
    given = replace(model.inputs[0], kind=kind, dtype=dtype)
    with pytest.raises(BadInput) as raised:
        call_code(replace(model, inputs=(given,)), {}, RunSpec(), language, False)
    shown = f"sparse {dtype}" if kind == "sparse tensor" else dtype
    assert raised.value.why.startswith(f"input 'picture' takes {shown}, and ")
    assert all(other in raised.value.hint for other in others)
    assert bool(raised.value.hint) == bool(others)


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


@pytest.mark.parametrize("language", GRAMMARS)
def test_programs_that_no_compiler_builds_are_grammatical(samples, language):
    pytest.importorskip("tree_sitter")
    pytest.importorskip(GRAMMARS[language])
    texts = []
    for path in sorted(samples.glob("*.onnx")):
        with contextlib.suppress(BadInput):  # a type that the API lacks
            texts += [code(path, language), code(path, language, gamma="linear")]
    model = open_model(samples / "digits_float32.onnx")
    for dtype in ("string", "int64", "optional(float32)", "sequence(float32)",
                  "map(string, int64)"):  # fmt: skip
        kind = dtype.partition("(")[0] if "(" in dtype else "tensor"
        given = replace(model.inputs[0], kind=kind, dtype=dtype, name=HOSTILE[3])
        with contextlib.suppress(BadInput):
            changed = replace(model, inputs=(given,))
            texts.append(call_code(changed, {}, RunSpec(), language, True))
    assert len(texts) > len(APIS)
    assert [parse_errors(language, text) for text in texts] == [0] * len(texts)
    assert parse_errors(language, texts[0].replace("(", "", 1))


def test_hostile_names_reach_their_own_inputs(tmp_path):
    node = helper.make_node("Concat", [*HOSTILE], ["y"], axis=0)
    inputs, y = [models.value(name, [1]) for name in HOSTILE], models.value("y", [len(HOSTILE)])
    models.save(tmp_path / "model.onnx", [node], inputs, [y])
    given = [np.array([place], np.float32) for place in range(len(HOSTILE))]
    (back,) = outputs_of(tmp_path / "model.onnx", *given)
    assert back.tolist() == [*range(len(HOSTILE))]
    for language in LANGUAGES:
        text = call_code(open_model(tmp_path / "model.onnx"), {}, RunSpec(), language, False)
        assert text.isascii()
        assert not re.search(r"[\x00-\x09\x0b-\x1f]", text), language


def test_names_become_ascii_literals_of_each_language(tmp_path, samples):
    model = replace(open_model(samples / "wine_tabular.onnx"), name='né"t😀.onnx')
    for language, name in (
        ("Java", r'"n\u00e9\"t\ud83d\ude00.onnx"'),
        ("Swift", r'forResource: "n\u{e9}\"t\u{1f600}", ofType: "onnx")'),
        ("Python", r'"n\u00e9\"t\U0001f600.onnx"'),
    ):
        assert name in call_code(model, {}, RunSpec(), language, False)


def test_the_command_writes_a_new_file_only(tmp_path, samples):
    model, target = samples / "digits_float32.onnx", tmp_path / "CallModel.java"
    output_of("code", model, "--language", "java", "-o", target)
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
    x, last = models.value("x", ["n", 2]), models.value(nodes[-1].output[0], ["n", 3])
    weights = {"w": np.full((2, 3), 0.1, np.float32)}
    return open_model(models.save(path, nodes, [x], [last], weights))


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
        # The other languages return numbers and print nothing.
        if language in ("Python", "C++", "C#", "Java"):
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
    lost = subprocess.run(command, capture_output=True, text=True)
    assert lost.stderr.startswith("clothes_float32.onnx is neither beside ")
    (tmp_path / "clothes_float32.onnx").touch()
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
