"""Predictions from tables for models that are written in unusual ways."""

import json

import pytest

from inspector.analysis.devices.support_tables import read
from inspector.analysis.facts.shapes import declared
from inspector.backends.onnxruntime.placement import absent_devices
from inspector.errors import BadInput
from inspector.formats.opening import open_bytes
from inspector.model.model import Model, Opset
from inspector.platform import files
from inspector.report.report import Support
from inspector.wording.support_marks import Mark, Rule
from tests.analysis.build import layers, model
from tests.formats.tflite import build


def test_operators_of_a_model_that_names_no_opset_have_their_first_version():
    for opsets, version in (((), 1), ((Opset("", 2),), 2), ((Opset("ai.onnx", 4),), 2)):
        found = model(layers(("Pad", "x", "y")), opsets=opsets)
        values = {value.name: value for value in declared(found).values}
        (pad,) = absent_devices.predict(found, ["coreml"], values)["coreml"]
        assert (pad.mark, pad.rule) == (Mark.UNSUPPORTED, Rule.OPSET)
        assert (
            f"Pad must be of version 11 or later, but it is of version {version}" in pad.reason
        )


def test_random_operators_are_not_folded_though_their_inputs_are_constant():
    """ONNX Runtime 1.32 leaves them in the optimized graph, in contrast to Neg."""
    for operator, folded in (("Bernoulli", False), ("Multinomial", False), ("Neg", True)):
        found = model(layers(("Constant", "", "k"), (operator, "k", "r"), ("Add", "x r", "y")))
        values = {value.name: value for value in declared(found).values}
        layer = absent_devices.predict(found, ["coreml"], values)["coreml"][1]
        assert (layer.mark is Mark.FOLDED) == folded, operator


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
