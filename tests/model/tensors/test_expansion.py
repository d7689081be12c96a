"""Weights that layers compute from smaller ones, against ONNX's reference implementation."""

import numpy as np
import pytest
from onnx import helper
from onnx.reference import ReferenceEvaluator

from inspector.model.model import Attribute
from inspector.model.tensors.expansion import Expansion, expanded
from tests import models
from tests.analysis.build import layers, weight

CODES = np.arange(-12, 12, dtype=np.int8).reshape(2, 3, 4)
TURNED = ("Transpose", {"perm": [2, 0, 1]})


@pytest.mark.parametrize(
    ("scale", "steps"),
    [
        (0.5, [("DequantizeLinear", {})]),
        ([0.5, 2], [("DequantizeLinear", {"axis": 0})]),
        ([0.5, 2, 4], [("DequantizeLinear", {}), TURNED]),
        (np.ones((2, 3, 2)), [("DequantizeLinear", {"axis": 2, "block_size": 2}), TURNED]),
    ],
)
def test_layers_compute_what_the_reference_does(scale, steps):
    scale = np.array(scale, np.float32)
    stored = {"w": CODES, "s": scale, "z": np.full(scale.shape, 3, np.int8)}
    rows, nodes, name = [], [], "w s z"
    for number, (operator, attributes) in enumerate(steps):
        rows.append((operator, name, f"y{number}"))
        nodes.append(helper.make_node(operator, name.split(), [f"y{number}"], **attributes))
        name = f"y{number}"
    made = tuple(
        layer._replace(attributes=tuple(
            Attribute(key, "ints", str(told).strip("[]")) for key, told in attributes.items()
        ))
        for layer, (_, attributes) in zip(layers(*rows), steps, strict=True)
    )  # fmt: skip
    weights = {key: weight(key, str(a.dtype), a.size, a.nbytes) for key, a in stored.items()}
    expansion = Expansion(name, made, weights["w"], tuple(stored))
    proto = models.model(nodes, [], [models.value(name, None)], stored, opset=21)
    (expected,) = ReferenceEvaluator(proto).run(None, {})
    computed = expanded(expansion, weights, lambda info: stored[info.name])
    np.testing.assert_array_equal(computed, expected)
