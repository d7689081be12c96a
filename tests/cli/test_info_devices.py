import json
from pathlib import Path
from typing import Any

import pytest

from inspector import cli


def told(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = cli.run(["info", *map(str, arguments)])
    said = capsys.readouterr()
    return status, said.out, said.err


@pytest.mark.engine
def test_people_hear_what_a_device_refuses_and_what_to_do(
    samples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = samples / "digits_float32.onnx"
    status, text, _ = told(capsys, path, "--devices", "cuda,coreml", "--no-shapes")
    assert status == 0
    assert "CUDA: 15 of 15 layers (100.0 %)" in text
    assert "Core ML: 0 of 15 layers" in text
    assert "BatchNormalization: Core ML does not have BatchNormalization." in text
    assert text.rstrip().endswith("are refused for free axes; ask again with --dim batch=1")


@pytest.mark.engine
def test_one_object_holds_every_refusal_with_its_rule(
    samples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = samples / "digits_float32.onnx"
    _, text, _ = told(
        capsys, path, "--devices", "coreml", "--dim", "batch=1", "--no-shapes", "--json"
    )
    found: dict[str, Any] = json.loads(text)["devices"]["coreml"]
    assert found["layers"] == 15
    assert found["taken"] + sum(r["layers"] for r in found["refusals"]) == 15
    assert {r["rule"] for r in found["refusals"]} == {"operator"}
    assert found["source"].startswith("table, ONNX Runtime ")


def test_a_device_without_a_table_is_one_message(
    samples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = samples / "digits_float32.onnx"
    status, _, error = told(capsys, path, "--devices", "coremll", "--no-shapes")
    assert status == 1
    assert "There is no table for 'coremll'" in error
    assert "Did you mean 'coreml'?" in error
