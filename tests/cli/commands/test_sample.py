"""Samples are listed, copied with their inputs, and never written over other files."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from inspector.cli import main
from inspector.platform import files
from tests.command_line import errors_of, output_of

ROOT = Path(__file__).parents[3]


def test_every_sample_is_listed():
    shown = output_of("sample")
    assert all(path.name in shown for path in (ROOT / "sample_models").glob("*.onnx"))


def test_a_sample_is_copied_with_its_inputs_and_opens(tmp_path):
    assert output_of("sample", "tones", "-o", tmp_path).strip() == str(
        tmp_path / "tones_sound.onnx"
    )
    assert {path.suffix for path in (tmp_path / "inputs").iterdir()} == {".wav"}
    assert main.run(["sample", "tones", "-o", str(tmp_path)]) == 0  # nothing to do
    assert main.run(["info", str(tmp_path / "tones_sound.onnx"), "--no-shapes"]) == 0


def test_test_and_calibration_inputs_come_along_with_their_license(tmp_path):
    assert main.run(["sample", "clothes", "-o", str(tmp_path)]) == 0
    folder = tmp_path / "clothes"
    assert (folder / "LICENSE").is_file()
    for name, count in (("test", 500), ("calibration", 60)):
        assert sum(path.is_file() for path in (folder / name).rglob("*")) == count


def test_all_samples_come_with_the_program_that_the_pages_record(tmp_path):
    assert str(tmp_path / "example.py") in output_of("sample", "all", "-o", tmp_path).split()
    for name in re.findall(
        r'session\("([^"]+)"\)', (tmp_path / "example.py").read_text("utf-8")
    ):
        assert (tmp_path / name).is_file()


def test_a_different_file_of_that_name_is_kept(tmp_path):
    mine = tmp_path / "wine_tabular.onnx"
    mine.write_text("mine")
    assert "a different file with this name" in errors_of("sample", "wine", "-o", tmp_path)
    assert mine.read_text() == "mine"


@pytest.mark.parametrize(
    ("name", "why"), [("nope", "There is no sample"), ("digits", "Several samples")]
)
def test_a_name_that_fits_none_or_several_is_a_sentence(name, why):
    said = errors_of("sample", name)
    assert why in said
    assert "digits_float32.onnx" in said


def test_the_wheel_takes_every_sample_along():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    taken = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    listing = json.loads((files.sample_folder() / "index.json").read_text("utf-8"))
    assert "sample_models/example.py" in taken
    for model in listing["models"]:
        parts = [model["file"]]
        parts += [name for each in model["try"] for name in each["inputs"].values()]
        for part in filter(files.sample, parts):
            source = f"sample_models/{part}"
            assert any(source == one or source.startswith(f"{one}/") for one in taken), part


def test_a_command_takes_the_name_of_a_sample_in_place_of_a_file():
    shown = output_of("info", "sample:tones", "--no-hash", "--no-shapes")
    assert shown.startswith("tones_sound.onnx\n")


@pytest.mark.parametrize("name", ["nothing", "digits", "all", ""])
def test_a_name_that_is_not_one_sample_lists_those_that_are_there(name):
    message = errors_of("info", f"sample:{name}", status=1)
    assert "digits_float16.onnx" in message
