"""Layers that make random numbers, or were exported in training mode, are named."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

from inspector.formats.opening import open_model
from tests import models

TRAINING = "exported in training mode: call model.eval() before exporting"


def findings(
    path: Path, *nodes: onnx.NodeProto, opset: int = 17, **weights: np.ndarray
) -> dict[str, str]:
    info = models.value("x", [2, 4])
    out = models.value(nodes[-1].output[0], None)
    tensors = [numpy_helper.from_array(value, name) for name, value in weights.items()]
    models.save(path, nodes, [info], [out], tensors, opset=opset)
    return {each.subject: each.text for each in open_model(path).findings}


@pytest.mark.parametrize(
    "operator", ["RandomNormalLike", "RandomUniformLike", "Bernoulli", "Multinomial"]
)
def test_random_layers_are_named(operator, tmp_path):
    node = helper.make_node(operator, ["x"], ["y"], "noise")
    text = findings(tmp_path / "m.onnx", node)["noise"]
    assert text == "makes random numbers, so that two runs on one input differ"
    seeded = helper.make_node(operator, ["x"], ["y"], "noise", seed=1.0)
    assert (
        "its seed only makes each new session" in findings(tmp_path / "m.onnx", seeded)["noise"]
    )


@pytest.mark.parametrize(("mode", "constant"), [(True, True), (True, False), (False, True)])
def test_dropout_in_training_mode_is_named(mode, constant, tmp_path):
    ratio, flag = np.float32(0.5), np.array(mode)
    drop = helper.make_node("Dropout", ["x", "ratio", "mode"], ["y"], "drop")
    if constant:
        value = numpy_helper.from_array(flag, "mode")
        made = helper.make_node("Constant", [], ["mode"], "made", value=value)
        found = findings(tmp_path / "m.onnx", made, drop, ratio=np.asarray(ratio))
    else:
        found = findings(tmp_path / "m.onnx", drop, ratio=np.asarray(ratio), mode=flag)
    assert found.get("drop") == (TRAINING if mode else None)


def test_dropout_of_inference_is_not_named(tmp_path):
    drop = helper.make_node("Dropout", ["x"], ["y"], "drop")
    assert "drop" not in findings(tmp_path / "m.onnx", drop)


@pytest.mark.parametrize(
    ("opset", "outputs", "attributes", "trains"),
    [
        (15, ["y", "m", "v"], {"training_mode": 1}, True),
        (15, ["y"], {"training_mode": 0}, False),
        (15, ["y"], {}, False),
        (9, ["y", "m", "v", "sm", "sv"], {}, True),
        (9, ["y"], {}, False),
    ],
)
def test_normalization_in_training_mode_is_named(opset, outputs, attributes, trains, tmp_path):
    names = ["scale", "bias", "mean", "variance"]
    node = helper.make_node("BatchNormalization", ["x", *names], outputs, "norm", **attributes)
    weights = dict.fromkeys(names, np.ones(4, np.float32))
    found = findings(tmp_path / "m.onnx", node, opset=opset, **weights)
    assert found.get("norm") == (TRAINING if trains else None)
