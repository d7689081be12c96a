"""Files are what their content says, whatever they are called."""

import re
from pathlib import Path

import onnxruntime
import pytest

from inspector.cli import main
from tests.command_line import errors_of, output_of

Printed = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def ort(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("ort") / "made.ort"
    options = onnxruntime.SessionOptions()
    options.optimized_model_filepath = str(path)
    options.add_session_config_entry("session.save_model_format", "ORT")
    model = str(samples / "digits_float32.onnx")
    onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return path.read_bytes()


@pytest.mark.engine
@pytest.mark.parametrize("name", ["renamed.onnx", "renamed.json", "renamed"])
@pytest.mark.parametrize(
    "command", ["info MODEL --no-shapes", "predict MODEL", "measure MODEL --runs 2 --steady 0"]
)
def test_a_renamed_ort_file_is_opened_by_its_content(command, name, ort, tmp_path):
    (tmp_path / name).write_bytes(ort)
    words = [str(tmp_path / name) if word == "MODEL" else word for word in command.split()]
    assert name in output_of(*words)


@pytest.mark.engine
def test_a_measurement_of_an_ort_file_says_why_it_has_no_layers(ort, tmp_path):
    (tmp_path / "m.ort").write_bytes(ort)
    told = output_of("measure", tmp_path / "m.ort", "--runs", "2", "--steady", "0")
    assert "Layers are not timed, because " in told


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("coreml/nmp.mlpackage", "Core ML"),
        ("coreml/sklearn_boston_linear.mlmodel", "Core ML"),
        ("tflite/person_detect.tflite", "TensorFlow Lite"),
    ],
)
def test_a_model_of_another_format_opens(name, kind, shared):
    path = shared / "other" / name
    assert re.search(rf"Format +{kind}", output_of("info", path, "--no-shapes"))


def test_a_file_that_cannot_be_read_is_named_with_what_to_do(shared, capsys):
    path = shared / "other" / "pytorch" / "myFirstModel.pth"
    assert main.run(["info", str(path)]) == 1
    what = "it is a PyTorch file\nExport it from Python"
    assert capsys.readouterr().err.startswith(f"Could not open {path.name}: {what}")


def test_a_folder_is_told_with_a_model_inside_only_where_there_is_one(tmp_path):
    assert "there is none directly in this folder" in errors_of("info", tmp_path)
    (tmp_path / "net.onnx").touch()
    assert "for example net.onnx." in errors_of("prepare", tmp_path)
    (tmp_path / "Manifest.json").touch()
    (tmp_path / "Data").mkdir()  # a Core ML package by another name
    assert "it is a Core ML package without its model" in errors_of("info", tmp_path)
