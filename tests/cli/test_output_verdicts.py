"""Every command that compares outputs says the one sentence of their verdict."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.cli import main
from tests import judged_models

pytestmark = pytest.mark.engine
DEAD = "rows 4 to 6 of output0 are always 0"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("judged")
    judged_models.detector(folder / "detector.onnx")
    judged_models.detector(folder / "dead.onnx", dead_scores=True)
    judged_models.noisy(folder / "noisy.onnx")
    judged_models.inputs(folder / "inputs")
    return folder


def printed(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    assert main.run([*map(str, words)]) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def as_json(capsys: pytest.CaptureFixture[str], *words: object) -> Any:
    return json.loads(printed(capsys, *words, "--json"))


def test_predict_names_the_rows_that_died(
    made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "predict", made / "detector.onnx", "--folder", made / "inputs", "--against"
    assert f"do not ship this: {DEAD} (6 test inputs)." in printed(
        capsys, *words, made / "dead.onnx"
    )
    verdict = as_json(capsys, *words, made / "dead.onnx")["verdict"]
    assert (verdict["level"], verdict["good"]) == ("destroyed", False)
    assert verdict["findings"][0]["kind"] == "dead"
    verdict = as_json(capsys, *words, "level=none")["verdict"]
    assert verdict["level"] == "same"
    assert verdict["sentence"] == "Outputs are the same on 6 test inputs."


def test_predict_judges_nothing_that_does_not_repeat(
    made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "predict", made / "noisy.onnx", "--folder", made / "inputs"
    text = printed(capsys, *words, "--against", "level=none")
    assert "No verdict: the original does not repeat." in text


def test_parity_says_how_much_one_input_proves(
    made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "parity", made / "detector.onnx", "--against"
    assert "No verdict: only 1 random input (outputs are the same)." in printed(
        capsys, *words, "level=none"
    )
    own = "--input", made / "inputs/0.npy"
    assert DEAD in printed(capsys, *words, made / "dead.onnx", *own)
    assert "does not repeat" in printed(
        capsys, "parity", made / "noisy.onnx", "--against", "level=none"
    )
