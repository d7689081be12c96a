"""Predictions from tables for models that are written in unusual ways."""

from inspector.analysis.facts.shapes import declared
from inspector.backends.onnxruntime.placement import absent_devices
from inspector.model.model import Opset
from inspector.wording.support_marks import Mark, Rule
from tests.analysis.build import layers, model


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
