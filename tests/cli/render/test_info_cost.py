import json
from pathlib import Path
from typing import Any

import pytest
from onnx import helper

from inspector.cli import main
from tests.analysis.inferred import save

pytestmark = pytest.mark.engine


def told(capsys: pytest.CaptureFixture[str], path: Path, *more: str) -> dict[str, Any]:
    assert main.run(["info", str(path), "--json", *more]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_json_tells_cost_shapes_and_structure(
    samples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = told(capsys, samples / "digits_float32.onnx", "--dim", "batch=4")
    cost = found["cost"]
    assert cost["dimensions"] == {"batch": 4}
    assert cost["macs"] == 4 * cost["macs_formula"]["batch"] == 4 * 456_704
    assert cost["macs"] == sum(layer["macs"] for layer in cost["layers"])
    assert (cost["unknown_layers"], cost["weights_bytes"]) == (0, found["weights_bytes"])
    shapes = found["shapes"]
    assert shapes["probabilities"] == {
        "kind": "tensor", "dtype": "float32", "shape": ["batch", 10],
    }  # fmt: skip
    assert "block1" in [scope["path"] for scope in found["structure"]["children"]]
    assert found["quantization"] == {"schemes": {}, "compressions": [], "edges": []}
    assert found["shapes_note"] == ""


def test_text_tells_cost_and_casts_in_a_line_each(
    samples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.run(["info", str(samples / "digits_float16.onnx")]) == 0
    lines = capsys.readouterr().out.splitlines()
    (cost,) = (line for line in lines if "Multiply-adds" in line)
    assert "457 k × batch (457 k with batch = 1)" in cost
    (edges,) = (line for line in lines if "Conversions" in line)
    assert edges.endswith("float16 inside, float32 outside: 2 casts per run")


def test_without_shapes_no_engine_is_needed(
    samples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = told(capsys, samples / "digits_float32.onnx", "--no-shapes")
    assert "cost" not in found
    assert found["layers"] == 15


def test_what_cannot_be_inferred_is_a_note(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    opsets = [helper.make_opsetid("local", 1)]
    again = helper.make_node("F", ["a"], ["c"], domain="local")
    function = helper.make_function("local", "F", ["a"], ["c"], [again], opsets)
    nodes = [helper.make_node("F", ["x"], ["y"], domain="local")]
    path = save(tmp_path / "m.onnx", nodes, {"x": [2]}, {}, functions=[function])
    found = told(capsys, path)
    assert found["shapes_note"].startswith("Could not infer the shapes of m.onnx: ")
    assert found["cost"]["unknown_operators"] == {"local.F": 1}
    assert found["cost"]["layers"][0]["macs"] is None
