"""What `inspector info` tells beside the facts of the file: cost, devices, who opens it."""

from pathlib import Path

import numpy as np
import pytest
from onnx import helper

from inspector.report.compatibility import PROGRAMS
from tests.analysis.inferred import save
from tests.command_line import errors_of, json_of, output_of, run
from tests.formats.build import model, value, weight
from tests.formats.build import save as save_proto
from tests.formats.other.test_other_formats import gguf

pytestmark = pytest.mark.engine


def test_json_tells_cost_shapes_and_structure(samples):
    found = json_of("info", samples / "digits_float32.onnx", "--dim", "batch=4")
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
    found = json_of("info", path)
    nothing = dict.fromkeys(
        ("macs", "operations", "moved_bytes", "peak_activations_bytes", "macs_formula")
    )
    assert nothing.items() <= found["cost"].items()
    assert (found["cost"]["weights_bytes"], found["structure"]["macs"]) == (16, None)


def test_without_shapes_no_engine_is_needed(samples):
    found = json_of("info", samples / "digits_float32.onnx", "--no-shapes")
    assert "cost" not in found
    assert found["layers"] == 15


def test_what_cannot_be_inferred_is_a_note(tmp_path):
    again = helper.make_node("F", ["a"], ["c"], domain="local")
    opsets = [helper.make_opsetid("local", 1)]
    function = helper.make_function("local", "F", ["a"], ["c"], [again], opsets)
    nodes = [helper.make_node("F", ["x"], ["y"], domain="local")]
    path = save(tmp_path / "m.onnx", nodes, {"x": [2]}, {}, functions=[function])
    found = json_of("info", path)
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
    found = json_of("info", path, "--dim", "s31=200", "--dim", "s77=3")
    assert found["free_axes"] == ["s77", "s31"]
    assert found["cost"]["macs"] == 3 * 400 * 64 * 128
    assert found["cost"]["macs_formula"] == {"s31*s77": 2 * 64 * 128}
    assert (
        found["cost"]["peak_activations_bytes"] == 3 * 400 * (64 + 128) * 4 + 3 * 200 * 64 * 4
    )
    assert found["shape_contradictions"] == []


def test_a_declared_size_that_the_layers_contradict_is_told_and_not_believed(tmp_path):
    path = _doubled(tmp_path / "m.onnx", "3*s31")
    found = json_of("info", path, "--dim", "s31=200")
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
    found = json_of("info", path, "--dim", "2=5")
    assert found["cost"]["dimensions"] == {"2": 5}
    assert found["shapes"]["y"]["shape"] == ["2", 3]
    assert any("the number is a name" in each["text"] for each in found["findings"])
    text = output_of("info", path)
    assert 'x     float32  "2"×3' in text
    assert '"2" = 1' in text or '× "2"' in text


@pytest.fixture
def digits(samples: Path) -> tuple[object, ...]:
    return "info", samples / "digits_float32.onnx", "--no-shapes", "--devices"


def test_people_hear_what_a_device_refuses_and_what_to_do(digits):
    text = output_of(*digits, "cuda,coreml,nnapi,qnn")
    assert "CUDA\n15 of 15 layers supported\n" in text
    assert "Core ML\n15 of 15 layers supported\n" in text
    assert "Assumes         ModelFormat NeuralNetwork, which is the default" in text
    assert "NNAPI\n0 of 15 layers supported, 15 not supported" in text
    assert "- Not supported: Input 0 must have a fixed shape" in text
    assert "15 layers (Conv, BatchNormalization, Relu and 6 more)\n" in text
    last = "cannot be supported while axes are dynamic: set --dim batch=1."
    assert text.rstrip().endswith(last)


def test_what_was_not_checked_is_said_so(digits):
    text = output_of(*digits, "tensorrt")
    assert "TensorRT\n15 layers not checked" in text
    assert "- Not checked: Whether TensorRT's own ONNX parser accepts the layers was" in text
    found = json_of(*digits, "tensorrt")["devices"]["tensorrt"]
    assert sum(entry["layers"] for entry in found["unknown"]) == found["marks"]["unknown"] == 15


def test_one_object_holds_every_refusal_with_its_rule(digits):
    found = json_of(*digits, "nnapi", "--dim", "batch=2")["devices"]["nnapi"]
    assert (found["layers"], found["taken"], found["refusals"]) == (15, 15, [])
    found = json_of(*digits, "xnnpack")["devices"]["xnnpack"]
    assert {r["rule"] for r in found["refusals"]} == {"operator"}
    assert found["source"].startswith("support table, ONNX Runtime ")


def test_a_device_without_a_table_is_one_message(digits):
    error = errors_of(*digits, "coremll")
    assert "There is no support table for 'coremll'" in error
    assert "Did you mean 'coreml'?" in error


def test_json_tells_who_refuses_and_why(tmp_path):
    proto = model([helper.make_node("Own", ["x"], ["y"], domain="mine")], [])
    path = save_proto(proto, tmp_path / "m.onnx")
    found = json_of("info", path, "--no-shapes", "--verdicts")["verdicts"]
    assert [verdict["program"] for verdict in found] == [*PROGRAMS]
    ours, *_, runtime = found
    assert (ours["outcome"], ours["why"], ours["version"]) == ("opens", "", None)
    assert runtime["outcome"] == "refuses"
    assert "mine" in runtime["why"]
    assert runtime["version"]


def test_a_file_that_we_refuse_still_says_who_opens_it(tmp_path):
    path = tmp_path / "empty.onnx"
    path.write_bytes(b"")
    told = run("info", path, "--verdicts")
    assert told.returncode == 1
    assert "Only onnx.load and onnx shape inference can load the model." in told.stdout
    assert "the file is empty" in told.stderr
