"""Files are what their content says, whatever they are called."""

import re
from pathlib import Path

import onnxruntime
import pytest

from inspector.cli import main

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
def test_a_renamed_ort_file_is_opened_by_its_content(
    command: str, name: str, ort: bytes, tmp_path: Path, capsys: Printed
) -> None:
    (tmp_path / name).write_bytes(ort)
    words = [str(tmp_path / name) if word == "MODEL" else word for word in command.split()]
    assert main.run(words) == 0, capsys.readouterr().err
    assert name in capsys.readouterr().out


@pytest.mark.engine
def test_a_measurement_of_an_ort_file_says_why_it_has_no_layers(
    ort: bytes, tmp_path: Path, capsys: Printed
) -> None:
    (tmp_path / "m.ort").write_bytes(ort)
    assert main.run(["measure", str(tmp_path / "m.ort"), "--runs", "2", "--steady", "0"]) == 0
    assert "Layers are not timed, because " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("coreml/nmp.mlpackage", "Core ML"),
        ("coreml/sklearn_boston_linear.mlmodel", "Core ML"),
        ("tflite/person_detect.tflite", "TensorFlow Lite"),
    ],
)
def test_a_model_of_another_format_opens(
    name: str, kind: str, shared: Path, capsys: Printed
) -> None:
    path = shared / "other" / name
    assert main.run(["info", str(path), "--no-shapes"]) == 0
    assert re.search(rf"Format +{kind}", capsys.readouterr().out)


def test_a_file_that_cannot_be_read_is_named_with_what_to_do(
    shared: Path, capsys: Printed
) -> None:
    path = shared / "other" / "pytorch" / "myFirstModel.pth"
    assert main.run(["info", str(path)]) == 1
    what = "it is a PyTorch file\nExport it from Python"
    assert capsys.readouterr().err.startswith(f"Could not open {path.name}: {what}")


def test_a_folder_is_told_with_a_model_inside_only_where_there_is_one(
    tmp_path: Path, capsys: Printed
) -> None:
    assert main.run(["info", str(tmp_path)]) == 1
    assert "there is none directly in this folder" in capsys.readouterr().err
    (tmp_path / "net.onnx").touch()
    assert main.run(["prepare", str(tmp_path)]) == 1  # info makes a table of a folder
    assert "for example net.onnx." in capsys.readouterr().err
    (tmp_path / "Manifest.json").touch()
    (tmp_path / "Data").mkdir()  # a Core ML package by another name
    assert main.run(["info", str(tmp_path)]) == 1
    assert "it is a Core ML package without its model" in capsys.readouterr().err
