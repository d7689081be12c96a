from pathlib import Path

import onnx
import pytest

from inspector.backends.onnxruntime.sessions import forced_to_cpu, session
from inspector.backends.onnxruntime.sessions.forced_to_cpu import REMARKED, indices
from inspector.errors import BadInput
from inspector.formats.opening import open_model
from inspector.report.run_spec import RunSpec

NETS = {
    "distinct": "[one] h = Relu(x) [two] g = Neg(h) [three] y = Abs(g)",
    "parts": "[conv1] h = Relu(x) [conv10] g = Neg(h) [other] y = Abs(g)",
    "unnamed": "h = Relu(x) g = Neg(h) y = Abs(g)",
    "odd": "[a] h = Relu(x) [b] g = Neg(h) [c] y = Abs(g)",
}


def net(folder: Path, name: str) -> Path:
    text = f"""<ir_version: 8, opset_import: ["" : 17]>
        g (float[4] x) => (float[4] y) {{ {NETS[name]} }}"""
    model = onnx.parser.parse_model(text)
    if name == "odd":
        for node in model.graph.node:
            node.name = f"{node.name}(1,2)"
    path = folder / f"{name}.onnx"
    onnx.save(model, path)
    return path


def remarks(body: bytes | None) -> list[str]:
    nodes = onnx.ModelProto.FromString(body or b"").graph.node
    return [pair.value for node in nodes for pair in node.metadata_props]


def test_layers_are_found_by_name_pattern_and_index(tmp_path):
    layers = open_model(net(tmp_path, "parts")).layers
    assert indices(layers, ["conv1"]) == (0,)
    assert indices(layers, ["conv*"]) == (0, 1)
    assert indices(layers, ["2", "conv10"]) == (1, 2)


def test_a_layer_that_is_not_there_is_told_with_one_that_is(tmp_path):
    layers = open_model(net(tmp_path, "distinct")).layers
    with pytest.raises(BadInput, match="no layer 'thre'") as told:
        indices(layers, ["thre"])
    assert told.value.hint == "Did you mean 'three'?"
    with pytest.raises(BadInput):
        indices(layers, ["3"])


def test_names_unlike_all_others_need_no_other_model(tmp_path):
    path = net(tmp_path, "distinct")
    found = forced_to_cpu.forced_layers(path, ["two", "one"])
    assert found.layers == (0, 1)
    assert found.config == {"session.name_based_layer_assignment": "cpu(one,two)"}
    assert found.body is None
    (note,) = forced_to_cpu.notes(path, RunSpec(on_cpu=("two", "one")))
    assert "session.name_based_layer_assignment=cpu(one,two)" in note


@pytest.mark.parametrize(
    ("name", "wanted"), [("parts", "conv1"), ("unnamed", "0"), ("odd", "0")]
)
def test_a_layer_whose_name_says_too_little_gets_a_remark(tmp_path, name, wanted):
    path = net(tmp_path, name)
    found = forced_to_cpu.forced_layers(path, [wanted])
    assert found.config == REMARKED
    assert remarks(found.body) == ["forced to the CPU"]
    (note,) = forced_to_cpu.notes(path, RunSpec(on_cpu=(wanted,)))
    assert "1 layer forced to the CPU" in note
    assert "layer_ann" in note


def test_a_changed_file_is_read_again(tmp_path):
    path = net(tmp_path, "distinct")
    assert forced_to_cpu.forced_layers(path, ["two"]).layers == (1,)
    path.write_bytes(net(tmp_path, "parts").read_bytes())
    with pytest.raises(BadInput):
        forced_to_cpu.forced_layers(path, ["two"])


@pytest.mark.parametrize("way", ["bytes", "reader"])
def test_remarks_go_along_however_the_model_is_given(tmp_path, way):
    path = net(tmp_path, "distinct")
    body, _ = session.model_source(path, RunSpec(load_from=way, on_cpu=("two",)))
    assert isinstance(body, bytes)
    assert remarks(body) == ["forced to the CPU"]


def test_what_was_compiled_has_no_layers_to_keep(tmp_path):
    path = net(tmp_path, "distinct")
    spec = RunSpec(load_from="compiled", on_cpu=("two",))
    with pytest.raises(BadInput, match="different indices"):
        session.compile_model(path, spec, (), tmp_path)
