import json
import os
from pathlib import Path
from typing import Any

import pytest
from onnx import helper

from inspector.analysis.facts.model_facts import facts
from inspector.cli import main
from inspector.formats.opening import open_model
from inspector.pages.model.page import model_page
from inspector.platform.files import sample
from inspector.preview.identity import identify
from inspector.render import terminal
from tests.command_line import errors_of, json_of, output_of
from tests.formats.build import add, external, model, nested, ramp, save, value, weight

pytestmark = pytest.mark.engine


def told(path: Path, *words: str) -> dict[str, Any]:
    (line,) = output_of("info", path, "--json", *words).splitlines()
    return json.loads(line)


def test_json_tells_every_fact_under_its_schema(tmp_path):
    proto = model(
        [add(result="t"), helper.make_node("Gelu", ["t"], ["y"], domain="com.microsoft")],
        [weight("w", ramp(4))],
        inputs=[value("x", ["batch", None, 3])],
        opsets=[helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)],
        producer_name="us",
    )
    proto.metadata_props.add(key="author", value="me")
    path = save(proto, tmp_path / "m.onnx")
    found = told(path)
    assert found["schema"] == "model/1"
    assert (found["format"], found["name"], found["producer"]) == ("onnx", "m.onnx", "us")
    assert (found["ir_version"], found["opsets"]) == (8, {"ai.onnx": 17, "com.microsoft": 1})
    assert found["size_bytes"] == path.stat().st_size
    assert len(found["sha256"]) == 64
    assert (found["parameters"], found["layers"]) == (4, 2)
    assert found["operators"] == {"Add": 1, "com.microsoft.Gelu": 1}
    (given,) = found["inputs"]
    assert (given["name"], given["kind"], given["dtype"]) == ("x", "tensor", "float32")
    assert given["shape"] == ["batch", None, 3]
    assert found["precision"]["storage_bytes"] == {"float32": 16}
    assert found["precision"]["compute_layers"] == {"float32": 2}
    assert found["metadata"] == {"author": "me"}
    assert found["requires"]["onnxruntime"] == "1.12"
    assert found["requires"]["reason"] == "opset 17"
    assert found["findings"] == []


def test_an_input_with_a_value_in_the_file_is_a_default(tmp_path):
    inputs = [value("x", ["n", 4]), value("w", [4])]
    proto = model([add()], [weight("w", ramp(4))], inputs=inputs)
    proto.graph.input[1].doc_string = "Added to each row"
    found = told(save(proto, tmp_path / "m.onnx"), "--no-shapes")
    assert [given["name"] for given in found["inputs"]] == ["x"]
    assert found["defaults"] == [
        {
            "name": "w", "kind": "tensor", "dtype": "float32", "shape": [4],
            "denotation": "", "doc": "Added to each row",
        }
    ]  # fmt: skip


def test_text_shows_the_same_in_aligned_columns(tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "90")
    inputs = [value("picture", ["n", 3, 224]), value("c", [], 9), value("x")]
    path = save(model([nested(2)], inputs=inputs), tmp_path / "m.onnx")
    lines = output_of("info", path).splitlines()
    assert lines[0] == "m.onnx"
    assert "Requires    ONNX Runtime 1.12 or later (opset 17)" in lines
    assert "  picture  float32  n×3×224" in lines
    assert "  c        bool     scalar" in lines
    assert "  Identity       3  ████████████" in lines
    assert "  If             2  ████████" in lines


def test_text_stays_short_and_within_the_terminal_whatever_the_file_says(tmp_path):
    nodes = [add("x", "x", f"t{n}", name=f"n\u202e{n}") for n in range(50)]
    nodes += [
        helper.make_node(f"Op{n}" * 90, ["x"], [f"u{n}"], domain=f"d{n}") for n in range(50)
    ]
    values = [value(f"in{n}\n" * 60) for n in range(40)]
    weights = [external(f"w{n}", [4], location=f"../{n}") for n in range(40)]
    proto = model(nodes, weights, inputs=[value("x"), *values], doc_string="long " * 999)
    for n in range(60):
        proto.metadata_props.add(key=f"key{n}\x1b[31m", value="value\r\n" * 500)
    found = open_model(save(proto, tmp_path / "m.onnx"))
    page = model_page(found, facts(found), identify(found))
    lines = [*terminal.lines(page, terminal.Terminal(80))]
    out = "\n".join(lines)
    assert len(lines) <= 90
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "and 35 more inputs" in out


def test_what_the_model_is_comes_first_with_its_evidence(samples):
    path = samples / "tones_sound.onnx"
    lines = output_of("info", path).splitlines()
    assert lines[1] == "Audio classifier: 6 classes (silence, hum, tone, ...)"
    assert lines[2].startswith("1 s of audio at 16,000 Hz, Inspector sample, ")
    identity = told(path, "--no-shapes")["identity"]
    assert identity["task"] == "Audio classifier"
    assert {"subject", "statement", "confidence", "reason"} == set(identity["evidence"][0])


def test_wide_letters_keep_columns_straight(tmp_path):
    path = save(model([], inputs=[value("画像"), value("abcd")]), tmp_path / "m.onnx")
    lines = output_of("info", path).splitlines()
    assert "  画像  float32  4" in lines
    assert "  abcd  float32  4" in lines


def test_what_is_odd_is_told_to_people_too(tmp_path):
    proto = model([add()], [external("w", [4], location="gone.bin")])
    out = output_of("info", save(proto, tmp_path / "m.onnx"))
    assert ("! w: its values are in 'gone.bin', but it is not next to the model") in out


def test_a_file_that_is_no_model_is_one_message_and_status_1(tmp_path, capsys):
    path = tmp_path / "page.onnx"
    path.write_text("<!doctype html>")
    assert main.run(["info", str(path), "--json"]) == 1
    out, err = capsys.readouterr()
    assert json.loads(out)["what"] == "Could not open page.onnx"
    assert "it is a web page, not a model" in json.loads(out)["why"]
    assert err.startswith("Could not open page.onnx: it is a web page, not a model\n")


def test_wrong_use_is_status_2():
    assert "MODEL" in errors_of("info", status=2)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_a_name_that_is_no_text_is_still_json(tmp_path):
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.onnx"))
    save(model([add("x", "x")]), path)
    assert told(path)["name"] == "?.onnx"


def test_every_sample_model_has_facts(samples):
    paths = sorted(samples.glob("*.onnx"))
    assert paths
    for path in paths:
        found = told(path, "--no-shapes")
        assert found["layers"] == sum(found["operators"].values())
        assert found["findings"] == []
    for path in paths[::5]:  # each starts an engine
        assert len(output_of("info", path).splitlines()) <= 64


def declaring() -> Any:
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("us", 1)]
    body = [add("a", "a", "b")]
    functions = [
        helper.make_function("us", name, ["a"], ["b"], body, opsets, overload=overload)
        for name, overload in (("F", "fast"), ("G", ""))
    ]
    node = helper.make_node("F", ["x"], ["y"], domain="us", overload="fast")
    proto = model([node], opsets=opsets, functions=functions)
    proto.configuration.add(name="two", num_devices=2, device=["gpu:0", "gpu:1"])
    note = proto.graph.quantization_annotation.add(tensor_name="y")
    note.quant_parameter_tensor_names.add(key="SCALE_TENSOR", value="s")
    proto.training_info.add().update_binding.add(key="w", value="w1")
    return proto


def test_what_a_model_declares_beside_its_graph_is_told(tmp_path):
    path = save(declaring(), tmp_path / "m.onnx")
    lines = output_of("info", path).splitlines()
    assert "us.F (fast)  a → b, 1 layer" in lines
    assert "two  2 devices (gpu:0, gpu:1)" in lines
    assert "y  SCALE_TENSOR = s" in lines
    found = told(path)
    assert [f["overload"] for f in found["function_bodies"]] == ["fast", ""]
    assert found["function_bodies"][0]["layers"][0]["operator"] == "Add"
    assert found["quantization_annotations"] == {"y": {"SCALE_TENSOR": "s"}}
    assert found["training"][0]["updates"] == {"w": "w1"}
    assert found["device_configurations"][0]["devices"] == ["gpu:0", "gpu:1"]


def test_everything_is_the_whole_model(tmp_path):
    path = save(
        model([add(name="sum", doc_string="why")], [weight("w", ramp(4))]), tmp_path / "m.onnx"
    )
    found = json_of("info", path, "--no-shapes", "--everything")["everything"]
    assert [(layer["name"], layer["doc"]) for layer in found["layers"]] == [("sum", "why")]
    assert found["weights"][0]["place"]["length"] == 16


def test_find_lists_only_the_layers_that_fit(tmp_path):
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"], "stem/conv", group=2),
        helper.make_node("Relu", ["a"], ["b"], "stem/relu"),
        helper.make_node("Relu", ["b"], ["y"], "last"),
    ]
    weights = [weight("w", ramp(4).reshape(4, 1, 1, 1))]
    path = save(
        model(
            nodes,
            weights,
            inputs=[value("x", [1, 2, 5, 5])],
            outputs=[value("y", [1, 4, 5, 5])],
        ),
        tmp_path / "m.onnx",
    )
    assert output_of("info", path, "--find", "group=2 -> Relu").splitlines() == [
        "m.onnx: 2 of 3 layers match group=2 -> Relu",
        "",
        "  #  Layer      Operator  Outputs",
        "  0  stem/conv  Conv      float32 1×4×5×5",
        "  1  stem/relu  Relu      float32 1×4×5×5",
    ]
    found = told(path, "--no-hash", "--find", "1x*x5x5 -stem")["found"]
    assert (found["expression"], found["total"]) == ("1x*x5x5 -stem", 3)
    (layer,) = found["layers"]
    assert (layer["index"], layer["name"], layer["operator"]) == (2, "last", "Relu")
    assert layer["types"] == [{"name": "y", "dtype": "float32", "shape": [1, 4, 5, 5]}]
    first, _, hint = output_of("info", path, "--no-shapes", "--find", "softmax").splitlines()
    assert first == "m.onnx: 0 of 3 layers match softmax"
    assert hint.startswith("hint: Try conv 3x3, ")


def test_a_mistake_in_what_to_find_is_one_message(tmp_path):
    path = save(model([add()], [weight("w", ramp(4))]), tmp_path / "m.onnx")
    assert "'(' is not a regular expression" in errors_of("info", path, "--find", "/(/")


def test_weights_are_listed_with_their_forms_and_what_the_runtime_makes_of_them():
    path = sample("digits_int8_qdq.onnx")
    assert path is not None
    quick = ["--weights", "--no-shapes", "--no-hash"]
    text = output_of("info", path, *quick).partition("\nWeights (")[2]
    assert "4 tensors linear 8-bit per channel, 19.1 KiB instead of 74.6 KiB, " in text
    assert "74.6% smaller " in text
    rows = {row["name"]: row for row in json_of("info", path, *quick)["weights"]}
    row = rows["stem/conv.weight_quantized"]
    assert (row["form"], row["granularity"], row["bits"]) == ("linear", "per channel", 8)
    assert row["when_loaded"] == "used as stored by QLinearConv"
    assert row["expanded_bytes"] == 576
    assert rows["input/scale_factor"]["form"] == "plain"


def test_a_table_and_a_page_are_both_written(samples, tmp_path, capsys):
    model = str(samples / "digits_float32.onnx")
    files = tmp_path / "a.csv", tmp_path / "b.html"
    options = ["info", model, "--no-shapes", "--csv", str(files[0]), "--html", str(files[1])]
    assert main.run([*options, "--fail-if", "layers>1000"]) == 0
    assert "digits_float32" in files[0].read_text()
    assert files[1].read_text().startswith("<!doctype html>")
    assert capsys.readouterr().out.count("layers>1000") <= 1
    said = errors_of("info", model, "--no-shapes", "--csv", "-", "--html", "-")
    assert "would mix them" in said


@pytest.mark.parametrize(
    ("operator", "attributes", "learned"),
    [
        (
            "TreeEnsembleRegressor",
            {"nodes_values": 7, "target_weights": 4, "nodes_hitrates": 7},
            11,
        ),
        ("LinearClassifier", {"coefficients": 30, "intercepts": 3}, 33),
        ("SVMRegressor", {"coefficients": 5, "support_vectors": 20, "rho": 1}, 26),
        ("Scaler", {"offset": 1, "scale": 4}, 5),
    ],
)
def test_what_machine_learning_operators_learned_counts_as_parameters(
    operator, attributes, learned, tmp_path
):
    lists = {name: [0.5] * number for name, number in attributes.items()}
    node = helper.make_node(operator, ["x"], ["y"], domain="ai.onnx.ml", **lists)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 3)]
    path = save(model([node], opsets=opsets), tmp_path / "m.onnx")
    assert open_model(path).parameters == learned
