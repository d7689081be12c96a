"""inspector info --fail-if: conditions on a model, for hooks and CI."""

import json
from pathlib import Path

import pytest

from inspector.cli import main
from tests.command_line import errors_of

SAMPLES = Path(__file__).parents[3] / "sample_models"
DIGITS = str(SAMPLES / "digits_float32.onnx")
LOOP = str(SAMPLES / "sequence_loop.onnx")


@pytest.mark.parametrize(
    ("condition", "status"),
    [
        ("model.size>100MB", 0),
        ("model.size>1KB", 3),
        ("opset<13", 0),
        ("opset>=13", 3),
        ("operators.Conv>0", 3),
        ("operators.Loop>0", 0),
        ("external.files>0", 0),
        ("model.parameters>1000000", 0),
        ("axes.dynamic>0", 3),
    ],
)
def test_a_condition_that_holds_is_status_3(condition, status, capsys):
    asked = ["info", DIGITS, "--no-shapes", "--no-hash", "--fail-if", condition]
    assert main.run(asked) == status
    shown = capsys.readouterr().out
    assert condition in shown
    assert ("FAIL" in shown) == bool(status)


def test_of_several_models_each_is_judged_and_json_stays_json(capsys):
    asked = ["info", DIGITS, LOOP, "--no-shapes", "--no-hash", "--json"]
    assert main.run([*asked, "--table", "--fail-if", "operators.Loop>0"]) == 3
    out, err = capsys.readouterr()
    json.loads(out)
    assert "sequence_loop.onnx" in err
    assert "digits_float32.onnx" in err


def test_an_unknown_metric_is_named():
    told = errors_of("info", DIGITS, "--fail-if", "model.sise>1", status=2)
    assert "Did you mean 'model.size'?" in told
