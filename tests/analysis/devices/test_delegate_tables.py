"""Support tables of TensorFlow Lite's delegates, on small models."""

import json

import pytest

from inspector.analysis.devices.support_tables import read
from inspector.analysis.facts.shapes import declared
from inspector.backends.onnxruntime.placement import absent_devices
from inspector.errors import BadInput
from inspector.formats.opening import open_bytes
from inspector.model.model import Model
from inspector.platform import files
from inspector.report.report import Support
from inspector.wording.support_marks import Mark, Rule
from tests.analysis.build import layers, model
from tests.formats.tflite import build


def marks(body: bytes, device: str) -> list[Support]:
    found: Model = open_bytes(body)
    values = {value.name: value for value in declared(found).values}
    return list(absent_devices.predict(found, [device], values)[device])


@pytest.mark.parametrize("device", absent_devices.DELEGATES)
def test_each_table_names_its_source_and_operators_of_the_format(device):
    table = absent_devices.table(device)
    assert "commit f67457790c" in table.source
    body = json.loads(files.resource("support", f"{device}.json").read_bytes())
    assert body["repository"] == "google-ai-edge/LiteRT"
    assert len(table.rules) > 20
    assert {"CONV_2D", "ADD", "SOFTMAX"} <= set(table.rules)


def test_types_versions_and_attributes_decide():
    (convolution,) = marks(build.convolving(), "hexagon-delegate")
    assert convolution.mark is Mark.UNSUPPORTED  # its stride is 4
    assert convolution.rule is Rule.ATTRIBUTE
    (convolution,) = marks(build.convolving(), "coreml-delegate")
    assert convolution.rule is Rule.OPSET
    assert (
        "CONV_2D must be of version 1 or earlier, but it is of version 3" in convolution.reason
    )
    assert "coreml_delegate.mm in LiteRT, commit f67457790c" in convolution.reason
    (addition,) = marks(build.adding(), "hexagon-delegate")
    assert addition.rule is Rule.TYPE
    assert "must be uint8 or int8, but it is float32" in addition.reason
    (addition,) = marks(build.adding(9), "nnapi-delegate")
    assert addition.rule is Rule.OPSET
    assert "ADD must be of version 2 or earlier, but it is of version 9" in addition.reason
    (addition,) = marks(build.adding(), "gpu-delegate")
    assert addition.mark is Mark.SUPPORTED
    (addition,) = marks(build.adding(), "nnapi-delegate")
    assert addition.mark is Mark.UNKNOWN  # the driver decides
    assert "the driver of the device supports the layer" in addition.reason


def test_a_table_is_for_its_format_only():
    with pytest.raises(BadInput, match="CUDA is not for TensorFlow Lite"):
        marks(build.adding(), "cuda")
    onnx = model(layers(("Relu", "x", "y")), format="onnx")
    with pytest.raises(BadInput, match="GPU delegate is not for ONNX"):
        absent_devices.predict(onnx, ["gpu-delegate"], {})


def test_a_second_rule_for_one_operator_is_refused_when_the_table_loads():
    path = next(files.resource("support").glob("*.json"))
    plain = json.loads(path.read_bytes())
    device = next(iter(plain["devices"]))
    read(json.dumps(plain).encode(), device)
    rule = {"operators": ["Conv"], "file": "other.cc", "checks": []}
    plain["rules"] = [rule | {"file": "one.cc"}, rule]
    with pytest.raises(ValueError, match=r"Conv has two rules, in one\.cc and other\.cc"):
        read(json.dumps(plain).encode(), device)
