from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import helper

from tests.analysis.inferred import save
from tests.command_line import json_of, output_of
from tests.formats.build import model, value, weight
from tests.formats.build import save as save_proto
from tests.formats.other.test_other_formats import gguf

pytestmark = pytest.mark.engine


def told(path: Path, *more: str) -> dict[str, Any]:
    return json_of("info", path, *more)


def test_json_tells_cost_shapes_and_structure(samples):
    found = told(samples / "digits_float32.onnx", "--dim", "batch=4")
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


def test_text_tells_cost_and_casts_in_a_line_each(samples):
    lines = output_of("info", samples / "digits_float16.onnx").splitlines()
    (cost,) = (line for line in lines if line.strip().startswith("MACs"))
    assert "457 k × batch (457 k with batch = 1)" in cost
    (edges,) = (line for line in lines if "per run" in line)
    assert edges.endswith("float16 inside the model, float32 outside: 2 casts per run")


def test_a_file_of_weights_alone_has_no_cost(tmp_path):
    path = tmp_path / "m.gguf"
    path.write_bytes(gguf(0, (4,), np.ones(4, np.float32).tobytes()))
    text = output_of("info", path)
    assert "Parameters" in text
    assert "MACs" not in text
    assert "Peak activation memory" not in text
    found = told(path)
    nothing = dict.fromkeys(
        ("macs", "operations", "moved_bytes", "peak_activations_bytes", "macs_formula")
    )
    assert nothing.items() <= found["cost"].items()
    assert (found["cost"]["weights_bytes"], found["structure"]["macs"]) == (16, None)


def test_without_shapes_no_engine_is_needed(samples):
    found = told(samples / "digits_float32.onnx", "--no-shapes")
    assert "cost" not in found
    assert found["layers"] == 15


def test_what_cannot_be_inferred_is_a_note(tmp_path):
    opsets = [helper.make_opsetid("local", 1)]
    again = helper.make_node("F", ["a"], ["c"], domain="local")
    function = helper.make_function("local", "F", ["a"], ["c"], [again], opsets)
    nodes = [helper.make_node("F", ["x"], ["y"], domain="local")]
    path = save(tmp_path / "m.onnx", nodes, {"x": [2]}, {}, functions=[function])
    found = told(path)
    assert found["shapes_note"].startswith("Could not infer the shapes of m.onnx: ")
    assert found["cost"]["unknown_operators"] == {"local.F": 1}
    assert found["cost"]["layers"][0]["macs"] is None


def _doubled(path: Path, declared: str) -> Path:
    """Save a network whose second axis is twice s31; the file declares it as an expression."""
    nodes = [
        helper.make_node("Concat", ["x", "x"], ["d"], axis=1),
        helper.make_node("MatMul", ["d", "W"], ["y"]),
    ]
    float32 = helper.np_dtype_to_tensor_dtype(np.dtype("float32"))
    proto = model(
        nodes,
        [weight("W", np.ones((64, 128), np.float32))],
        inputs=[value("x", ["s77", "s31", 64])],
        outputs=[value("y", ["s77", declared, 128], float32)],
        value_info=[value("d", ["s77", "2*s31", 64])],
    )
    return save_proto(proto, path)


def test_a_size_that_is_an_expression_follows_its_symbols(tmp_path):
    path = _doubled(tmp_path / "m.onnx", "2*s31")
    found = told(path, "--dim", "s31=200", "--dim", "s77=3")
    assert found["free_axes"] == ["s77", "s31"]
    assert found["cost"]["macs"] == 3 * 400 * 64 * 128
    assert found["cost"]["macs_formula"] == {"s31*s77": 2 * 64 * 128}
    assert (
        found["cost"]["peak_activations_bytes"] == 3 * 400 * (64 + 128) * 4 + 3 * 200 * 64 * 4
    )
    assert found["shape_contradictions"] == []


def test_a_declared_size_that_the_layers_contradict_is_told_and_not_believed(tmp_path):
    path = _doubled(tmp_path / "m.onnx", "3*s31")
    found = told(path, "--dim", "s31=200")
    assert found["cost"]["macs"] == 400 * 64 * 128
    assert found["shapes"]["y"]["shape"] == [1, 400, 128]
    (wrong,) = found["shape_contradictions"]
    assert (wrong["value"], wrong["axis"], wrong["declared"]) == ("y", 1, "3*s31")
    assert 2 * wrong["evaluated"] == 3 * wrong["inferred"] == 6 * wrong["lengths"]["s31"]
    text = " ".join(output_of("info", path).split())
    assert (
        "declares axis 1 of 'y' as (3*s31): 252 with s31 = 84, but the layers make 168." in text
    )


def test_an_axis_named_like_a_number_is_quoted_and_told(tmp_path):
    nodes = [helper.make_node("Relu", ["x"], ["y"])]
    proto = model(nodes, inputs=[value("x", ["2", 3])], outputs=[value("y", ["2", 3])])
    path = save_proto(proto, tmp_path / "m.onnx")
    found = told(path, "--dim", "2=5")
    assert found["cost"]["dimensions"] == {"2": 5}
    assert found["shapes"]["y"]["shape"] == ["2", 3]
    assert any("the number is a name" in each["text"] for each in found["findings"])
    text = output_of("info", path)
    assert 'x     float32  "2"×3' in text
    assert '"2" = 1' in text or '× "2"' in text
