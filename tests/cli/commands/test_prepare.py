import json
import shutil
import zipfile
from pathlib import Path

import onnx
import pytest

from tests.command_line import errors_of, json_of, output_of
from tests.preview.detectors import planted_cases, planted_models


@pytest.fixture
def digits(samples: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(samples / "digits_float32.onnx", tmp_path / "d.onnx"))


def picture(model: Path, *words: str) -> dict[str, object]:
    return json_of("prepare", model, *words)["pictures"]["picture"]


def test_what_is_kept_beside_a_model_is_used_again(digits):
    assert picture(digits)["scale"] == "255"
    picture(digits, "--scale", "-1..1", "--mean", "0.5", "--write-sidecar")
    kept = json.loads((digits.parent / "d.onnx.inspector.json").read_text())
    assert (kept["schema"], kept["model"]) == ("preparation/1", "d.onnx")
    again = picture(digits)
    assert (again["scale"], again["mean"]) == ("-1..1", [0.5])
    assert picture(digits, "--plain")["scale"] == "255"


@pytest.mark.engine
def test_predict_says_from_where_the_settings_came(digits, samples):
    picture(digits, "--scale", "1", "--write-sidecar")
    told = output_of("predict", digits, "--input", samples / "inputs/digit_3.png")
    assert "GRAY, 0..1 (saved in d.onnx.inspector.json)" in told
    assert "Preprocessing saved in d.onnx.inspector.json" in told


def test_a_copy_carries_it_in_its_metadata_once(digits):
    copy, second = digits.with_name("e.onnx"), digits.with_name("f.onnx")
    picture(digits, "--scale", "1", "--write-model", str(copy))
    assert picture(copy)["scale"] == "1"
    picture(copy, "--scale", "-1..1", "--write-model", str(second))
    assert picture(second)["scale"] == "-1..1"
    before, after = onnx.load(digits), onnx.load(second)
    onnx.checker.check_model(after)
    keys = [entry.key for entry in after.metadata_props]
    assert keys.count("inspector.preparation") == 1
    del after.metadata_props[keys.index("inspector.preparation")]
    assert after == before


def test_a_model_is_never_written_over(digits):
    assert "it is the model itself" in errors_of("prepare", digits, "--write-model", digits)


def test_an_archive_has_no_place_beside_its_model(digits):
    archive = digits.with_name("models.zip")
    with zipfile.ZipFile(archive, "w") as file:
        file.write(digits, "d.onnx")
    assert "in an archive" in errors_of("prepare", archive, "--write-sidecar")


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("[]", "Expected `object`"),
        ('{"schema": "preparation/9"}', "preparation/9"),
        ('{"schema": "preparation/1", "dimensions": {"n": -1}}', "negative or too large"),
        ('{"schema": "preparation/1", "sounds": {"a": {"window": 0, "hop": 1}}}', "window"),
    ],
)
def test_a_side_car_that_cannot_be_is_told(body, told, digits):
    (digits.parent / "d.onnx.inspector.json").write_text(body)
    assert told in errors_of("prepare", digits)


def test_labels_are_kept_where_there_is_one_for_each_class(digits):
    words = "prepare", digits, "--write-sidecar", "--labels"
    assert "10 classes" in errors_of(*words, "imagenet")
    assert not (digits.parent / "d.onnx.inspector.json").exists()
    output_of(*words, "digits")
    kept = json.loads((digits.parent / "d.onnx.inspector.json").read_text())
    assert kept["labels"] == [str(digit) for digit in range(10)]


@pytest.mark.parametrize("name", ["yolo8", "yolo_nas", "retinanet", "deeplab"])
def test_labels_of_a_detector_or_segmentation_need_one_for_each_class(name, tmp_path):
    cases = (*planted_cases.DETECTORS, *(case for case, _ in planted_cases.PLACES))
    case = next(case for case in cases if case.planted.name == name)
    path = tmp_path / "planted.onnx"
    onnx.save(planted_models.model(case.planted, "float32"), path)
    fitting = {"retinanet": "voc", "deeplab": "voc-21"}.get(name, "coco")
    told = errors_of("prepare", path, "--labels", "digits")
    assert "Could not use 10 class names: the model has" in told
    output_of("prepare", path, "--labels", fitting)
