"""Code that calls a model: Python's is run, the others are checked for what they must say."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from inspector.cli import main
from inspector.errors import BadInput
from inspector.export.call_code import LANGUAGES, SUFFIXES, call_code, has_class_scores
from inspector.formats.opening import open_model
from inspector.preview.inputs.image import ImageOptions
from inspector.preview.preprocessing.recipe import ImagePreprocessing
from inspector.report.run_spec import RunSpec


def code(path: Path, language: str, spec: RunSpec | None = None, **changes: object) -> str:
    """Code for a model with its guessed preprocessing, changed in some fields."""
    model = open_model(path)
    options = ImageOptions.of(model)
    images: dict[str, ImagePreprocessing] = {}
    for info in model.inputs:
        guess = options.preparation(info)
        if guess is not None:
            images[info.name] = replace(guess, **changes)  # type: ignore[arg-type]
    return call_code(model, images, spec or RunSpec(), language, has_class_scores(model))


def answer(text: str, folder: Path, image: Path) -> list[str]:
    """Run Python code in a folder: the lines that it prints."""
    run = subprocess.run(
        [sys.executable, "-c", text, str(image)],
        cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return run.stdout.splitlines()


@pytest.mark.engine
@pytest.mark.parametrize("resize", ["stretch", "fit", "crop"])
def test_python_code_gives_the_prediction_of_preview(
    samples: Path, resize: str, capsys: pytest.CaptureFixture[str]
) -> None:
    model, image = samples / "digits_float32.onnx", samples / "inputs" / "digit_3.png"
    lines = answer(code(model, "Python", resize=resize), samples, image)
    given = f"picture={image}"
    assert main.run(["predict", str(model), "--input", given, "--resize", resize]) == 0
    shown = capsys.readouterr().out
    assert lines[0].startswith("class 3: ")
    assert "3" in shown.partition("%")[0]


@pytest.mark.engine
def test_python_code_runs_a_model_without_images(samples: Path) -> None:
    text = code(samples / "language_bert.onnx", "Python", RunSpec(threads=1))
    assert "put your values here" in text
    assert answer(text, samples, Path("none"))


@pytest.mark.engine
def test_python_code_of_a_shared_classifier_names_the_bird(shared: Path) -> None:
    (image,) = (shared / "media").rglob("hummingbird.jpg")
    text = code(shared / "real" / "squeezenet1.1_fp16.onnx", "Python")
    assert answer(text, shared / "real", image)[0] == "class 94: 98.39%"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_names_inputs_outputs_and_settings(samples: Path, language: str) -> None:
    text = code(samples / "digits_float32.onnx", language, RunSpec(threads=3))
    for part in ('"picture"', "digits_float32.onnx", "3"):
        assert part in text
    assert text.count("{") == text.count("}")
    assert text.count("(") == text.count(")")
    assert "softmax" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_linear_light_is_undone_in_every_language(samples: Path, language: str) -> None:
    model = samples / "digits_float32.onnx"
    assert "2.4" in code(model, language, gamma="linear")
    assert "2.4" not in code(model, language)


def test_a_type_that_an_api_cannot_pass_is_said(samples: Path) -> None:
    model = open_model(samples / "wine_tabular.onnx")
    half = replace(model, inputs=tuple(replace(x, dtype="float16") for x in model.inputs))
    text = call_code(half, {}, RunSpec(), "Swift", False)
    assert "takes float16, which this API cannot pass" in text


def test_names_become_ascii_literals_of_each_language(tmp_path: Path, samples: Path) -> None:
    model = replace(open_model(samples / "wine_tabular.onnx"), name='né"t😀.onnx')
    for language, name in (
        ("Java", r'"n\u00e9\"t\ud83d\ude00.onnx"'),
        ("Swift", r'"n\u{e9}\"t\u{1f600}.onnx"'),
        ("Python", r'"n\u00e9\"t\U0001f600.onnx"'),
    ):
        assert name in call_code(model, {}, RunSpec(), language, False)


def test_the_command_writes_a_new_file_only(
    tmp_path: Path, samples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, target = str(samples / "digits_float32.onnx"), tmp_path / "CallModel.java"
    assert main.run(["code", model, "--language", "java", "-o", str(target)]) == 0
    assert "public class CallModel" in target.read_text("utf-8")
    assert target.suffix == SUFFIXES["Java"]
    assert main.run(["code", model, "-o", str(target)]) == 1
    assert "a file with that name already exists" in capsys.readouterr().err
    assert "public class CallModel" in target.read_text("utf-8")


@pytest.mark.parametrize("change", [{"order": "rgb"}, {"width": 9}, {"layout": "nhwc"}])
def test_no_code_is_written_for_preprocessing_that_does_not_fit(
    samples: Path, change: dict[str, object]
) -> None:
    with pytest.raises(BadInput, match="but the input expects batch×1×8×8"):
        code(samples / "digits_float32.onnx", "Python", **change)
