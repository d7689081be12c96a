"""The command `inspector diff` on two folders."""

import re
import shutil
from pathlib import Path

import pytest

from inspector.cli.main import run
from tests import command_line
from tests.command_line import errors_of, json_of, output_of

SAMPLES = Path(__file__).parents[3] / "sample_models"


@pytest.fixture
def folders(tmp_path: Path) -> tuple[str, str]:
    old, new = tmp_path / "old", tmp_path / "new"
    (new / "sub").mkdir(parents=True)
    old.mkdir()
    for folder, source, name in (
        (old, "digits_float32", "digits"), (new, "digits_float16", "digits"),
        (old, "wine_tabular", "wine"), (new, "wine_tabular", "wine"),
        (old, "sharpen_float16", "sharpen"), (new / "sub", "sharpen_float16", "other"),
        (old, "tones_sound", "tones"), (new, "sequence_loop", "loop"),
    ):  # fmt: skip
        shutil.copy(SAMPLES / f"{source}.onnx", folder / f"{name}.onnx")
    return str(old), str(new)


def test_models_of_two_folders_are_compared_by_name(folders):
    found = json_of("diff", *folders)
    assert found["schema"] == "diffs/1"
    assert {each["name"]: each["state"] for each in found["models"]} == {
        "digits.onnx": "changed", "wine.onnx": "same", "sub/other.onnx": "renamed",
        "tones.onnx": "gone", "loop.onnx": "new",
    }  # fmt: skip
    assert found["counts"] == {"changed": 1, "new": 1, "gone": 1, "renamed": 1, "same": 1}
    (changed,) = (each for each in found["models"] if each["diff"])
    assert changed["diff"]["schema"] == "diff/1"
    assert "in float16" in changed["summary"]


def test_a_condition_on_folders_names_the_model(folders):
    patterns = [f"{folder}/**/*.onnx" for folder in folders]
    text = output_of("diff", *patterns, "--fail-if", "weights.changed>0", status=3)
    assert "1 changed, 1 new, 1 gone, 1 renamed, 1 same" in text
    assert re.search(r"weights\.changed>0 +✗ FAIL +18 weights +digits\.onnx", text)
    assert run(["diff", *folders, "--fail-if", "weights.changed>100"]) == 0
    told = output_of("diff", *folders, "--markdown", "-")
    assert "| changed | `digits.onnx` | B is A with" in told


def test_a_broken_model_does_not_keep_the_others_from_being_compared(folders):
    Path(folders[1], "wine.onnx").write_bytes(b"broken")
    printed = command_line.run("diff", *folders)
    assert printed.returncode == 1
    assert "changed  digits.onnx" in printed.stdout
    assert "Could not compare 1 of 5 models" in printed.stderr


def test_a_file_and_a_folder_cannot_be_compared(folders):
    told = " ".join(errors_of("diff", f"{folders[0]}/wine.onnx", folders[1]).split())
    assert "one is a file, and the other is a folder" in told
