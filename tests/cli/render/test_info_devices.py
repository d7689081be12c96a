import json
from typing import Any

import pytest

from inspector.cli import main


def told(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = main.run(["info", *map(str, arguments)])
    said = capsys.readouterr()
    return status, said.out, said.err


@pytest.mark.engine
def test_people_hear_what_a_device_refuses_and_what_to_do(samples, capsys):
    path = samples / "digits_float32.onnx"
    status, text, _ = told(capsys, path, "--devices", "cuda,coreml,nnapi,qnn", "--no-shapes")
    assert status == 0
    assert "CUDA\n15 of 15 layers supported\n" in text
    assert "Core ML\n15 of 15 layers supported\n" in text
    assert "Assumes         ModelFormat NeuralNetwork, which is the default" in text
    assert "NNAPI\n0 of 15 layers supported, 15 not supported" in text
    assert "- Not supported: Input 0 must have a fixed shape" in text
    assert "15 layers (Conv, BatchNormalization, Relu and 6 more)\n" in text
    assert text.rstrip().endswith(
        "cannot be supported while axes are dynamic: set --dim batch=1."
    )


@pytest.mark.engine
def test_what_was_not_checked_is_said_so(samples, capsys):
    path = samples / "digits_float32.onnx"
    arguments = ("--devices", "tensorrt", "--no-shapes")
    _, text, _ = told(capsys, path, *arguments)
    assert "TensorRT\n15 layers not checked" in text
    assert (
        "- Not checked: Whether TensorRT's own ONNX parser accepts the layers was not checked"
        in text
    )
    _, text, _ = told(capsys, path, *arguments, "--json")
    found: dict[str, Any] = json.loads(text)["devices"]["tensorrt"]
    assert sum(entry["layers"] for entry in found["unknown"]) == found["marks"]["unknown"] == 15


@pytest.mark.engine
def test_one_object_holds_every_refusal_with_its_rule(samples, capsys):
    path = samples / "digits_float32.onnx"
    _, text, _ = told(
        capsys, path, "--devices", "nnapi", "--dim", "batch=2", "--no-shapes", "--json"
    )
    found: dict[str, Any] = json.loads(text)["devices"]["nnapi"]
    assert found["layers"] == 15
    assert found["taken"] + sum(r["layers"] for r in found["refusals"]) == 15
    assert {r["rule"] for r in found["refusals"]} == set()
    _, text, _ = told(capsys, path, "--devices", "xnnpack", "--no-shapes", "--json")
    found = json.loads(text)["devices"]["xnnpack"]
    assert {r["rule"] for r in found["refusals"]} == {"operator"}
    assert found["source"].startswith("support table, ONNX Runtime ")


def test_a_device_without_a_table_is_one_message(samples, capsys):
    path = samples / "digits_float32.onnx"
    status, _, error = told(capsys, path, "--devices", "coremll", "--no-shapes")
    assert status == 1
    assert "There is no support table for 'coremll'" in error
    assert "Did you mean 'coreml'?" in error
