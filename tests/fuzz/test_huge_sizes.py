"""Models whose declared sizes have a product that no float can hold, used in every way."""

import json
from typing import Any

import pytest
from onnx import helper

from fuzz import model_files, model_targets
from inspector import units
from tests import models

AXES = [2**58] * 40


def value(name: str) -> dict[str, Any]:
    return {"Name": name, "Format/Datatype": "FP32", "Dimensions": AXES}


def keras() -> Any:
    def layer(kind: str, name: str, inbound: Any, **config: Any) -> Any:
        own = {"name": name, **config}
        return {"class_name": kind, "name": name, "config": own, "inbound_nodes": inbound}

    entry = layer("InputLayer", "in", [], batch_shape=[None, *AXES])
    config = {"layers": [entry, layer("Dense", "d", [[["in", 0, 0, {}]]])]}
    return {"class_name": "Functional", "config": config}


def openvino() -> Any:
    port = ["port", {"id": 0, "precision": "FP32"}, [["dim", {}, axis] for axis in AXES]]
    entry = {"id": 0, "name": "x", "type": "Parameter", "version": "opset1"}
    relu = {"id": 1, "name": "r", "type": "ReLU", "version": "opset1"}
    layers = [["layer", entry, [["output", {}, [port]]]],
              ["layer", relu, [["input", {}, [port]], ["output", {}, [port]]]]]  # fmt: skip
    edge = {"from-layer": 0, "from-port": 0, "to-layer": 1, "to-port": 0}
    return ["net", {"name": "n", "version": 11}, [["layers", {}, layers],
            ["edges", {}, [["edge", edge, []]]]]]  # fmt: skip


TREES: dict[str, Any] = {
    "safetensors": {"a": {"dtype": "F32", "shape": AXES, "data_offsets": [0, 64]}},
    "gguf": {"version": 3, "keys": [], "tensors": [["a", AXES[:16], 0, 0]]},
    "tensorrt": {
        "Layers": [{"Name": "l", "LayerType": "Conv", "Inputs": [value("v")],
                    "Outputs": [value("w")]}],
        "Bindings": ["v", "w"],
    },
    "keras": keras(),
    "openvino": openvino(),
}  # fmt: skip


@pytest.mark.parametrize("kind", [*TREES, "onnx"])
@pytest.mark.parametrize("use", model_targets.CONSUMERS, ids=lambda use: use.__name__)
def test_sizes_beyond_all_floats_are_shown(tmp_path, kind, use):
    if kind == "onnx":
        ends = [[models.value(name, AXES)] for name in "xy"]
        nodes = [helper.make_node("Relu", ["x"], ["y"])]
        path = models.save(tmp_path / "a.onnx", nodes, *ends)
    else:
        path = model_files.write(kind, json.dumps(TREES[kind]).encode(), tmp_path)
    use(model_targets.opened(path))


def test_a_size_that_no_float_can_hold_has_a_text():
    assert units.size(10**400) == "10³⁰ or more B"
    assert units.count(10**400) == "10³⁰ or more"
    assert units.size(float("inf")) == "10³⁰ or more B"
