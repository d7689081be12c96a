from itertools import pairwise

import pytest

from inspector.analysis.facts.requirements import (
    NEWEST,
    RELEASES,
    Library,
    Need,
    contrib_operators,
    order,
    requirements,
    since,
)
from inspector.model.model import Function, Opset
from tests.analysis.build import layers, model

RELU = layers(("Relu", "x", "y"))


@pytest.mark.parametrize(
    ("opset", "ir_version", "runtime", "reason"),
    [
        (7, 3, "1.0", ""),
        (11, 6, "1.0", ""),
        (12, 7, "1.3", "opset 12"),
        (13, 7, "1.6", "opset 13"),
        (13, 8, "1.9", "IR version 8"),
        (17, 8, "1.12", "opset 17"),
        (21, 10, "1.18", "opset 21"),
        (22, 10, "1.21", "opset 22"),
        (23, 11, "1.23", "opset 23"),
        (24, 12, "1.24", "opset 24"),
        (26, 13, "1.25", "opset 26"),
        (28, 14, "1.32", "opset 28"),
        (99, 8, "", "opset 99"),
        (17, 99, "", "IR version 99"),
    ],
)
def test_the_first_runtime_follows_from_the_strictest_version(
    opset, ir_version, runtime, reason
):
    found = requirements(model(RELU, opset, ir_version=ir_version))
    assert (found.runtime, found.reason) == (runtime, reason)


def test_the_operators_of_machine_learning_have_versions_of_their_own():
    opsets = (Opset("", 11), Opset("ai.onnx.ml", 5))
    found = requirements(model(layers(("ai.onnx.ml.TreeEnsemble", "x", "y")), opsets=opsets))
    # 1.18 to 1.20 know the opset, but refuse the operator: they have no kernel for it.
    kernel = "a CPU kernel for ai.onnx.ml.TreeEnsemble (opset 5)"
    assert (found.runtime, found.reason) == ("1.21", kernel)
    assert found.needs[1] == Need("opset ai.onnx.ml 5", "1.18")
    assert found.by_operators == Need("ai.onnx.ml.TreeEnsemble (opset 5)", "1.18")


def test_the_newest_operator_tells_what_would_be_enough():
    nodes = layers(("Relu", "x", "a"), ("LayerNormalization", "a s", "y"))
    found = requirements(model(nodes, opset=21))
    assert found.runtime == "1.18"
    assert found.by_operators == Need("LayerNormalization (opset 17)", "1.12")


def test_operators_change_with_the_operator_set():
    assert since("", "Relu", 5) == 1
    assert since("", "Relu", 13) == 13
    assert since("", "Relu", 21) == 14
    assert since("", "LayerNormalization", 16) is None
    assert since("own", "Relu", 16) is None


def test_custom_operators_name_the_library_they_need():
    nodes = layers(
        ("com.microsoft.Gelu", "x", "a"),
        ("ai.onnx.contrib.BertTokenizer", "a", "b"),
        ("own.Thing", "b", "c"),
        ("own.Other", "c", "y"),
    )
    assert requirements(model(nodes)).libraries == (
        Library("ai.onnx.contrib", "onnxruntime-extensions", ("BertTokenizer",)),
        Library("own", "", ("Thing", "Other")),
    )


@pytest.mark.parametrize(
    ("domain", "package"),
    [
        ("com.microsoft.extensions", "onnxruntime-extensions"),
        ("com.microsoft.dml", "onnxruntime-directml"),
        ("trt.plugins", "TensorRT"),
        ("org.pytorch.aten", "PyTorch (onnxruntime-training)"),
    ],
)
def test_the_library_of_a_known_domain_is_named(domain, package):
    found = requirements(model(layers((f"{domain}.Thing", "x", "y"))))
    assert found.libraries == (Library(domain, package, ("Thing",)),)


def test_functions_of_the_model_need_no_library_but_their_bodies_may():
    body = layers(("own.Inner", "a", "b"))
    function = Function("Thing", "own", "", ("a",), ("b",), body)
    found = requirements(model(layers(("own.Thing", "x", "y")), functions=(function,)))
    assert found.libraries == (Library("own", "", ("Inner",)),)


def test_operators_that_onnx_does_not_have_are_noted():
    nodes = layers(("Rleu", "x", "a"), ("Gelu", "a", "y"))
    found = requirements(model(nodes, opset=11))
    assert found.notes == ("Rleu is not an ONNX operator.", "Gelu requires opset 20 or later.")
    assert found.runtime == ""
    assert {"operator Rleu in opset 11", "operator Gelu in opset 11"} <= {
        need.subject for need in found.needs if not need.runtime
    }


def test_operators_that_the_runtime_has_earlier_than_onnx_need_nothing():
    """Each was run in 1.16 and 1.32."""
    nodes = layers(("LayerNormalization", "x s", "a"), ("ScaledTanh", "a", "y"))
    found = requirements(model(nodes, opset=9, ir_version=4))
    assert (found.runtime, found.notes) == ("1.0", ())
    later = requirements(model(nodes, opset=11, ir_version=6))
    assert (later.runtime, later.reason) == ("", "operator ScaledTanh in opset 11")


def test_operator_sets_older_than_promised_are_noted():
    assert "opset 7 and later" in requirements(model(RELU, opset=5)).notes[0]


def test_a_model_without_operator_sets_has_requirements_too():
    assert requirements(model(RELU, opsets=())).runtime == "1.9"


def test_both_tables_of_releases_end_with_the_same_one():
    assert contrib_operators().newest == NEWEST


def test_releases_come_in_order_and_never_take_less_than_before():
    for earlier, later in pairwise(RELEASES):
        assert order(earlier.version) < order(later.version) < order("")
        limits = [(r.opset, r.ml_opset, r.ir_version) for r in (earlier, later)]
        assert limits[0] != limits[1]
        assert all(a <= b for a, b in zip(*limits, strict=True))


def test_operators_of_the_runtime_need_the_release_that_they_came_with():
    nodes = layers(("com.microsoft.MatMulNBits", "x w s", "a"), ("Relu", "a", "y"))
    found = requirements(model(nodes, opset=14, ir_version=7))
    assert (found.runtime, found.reason) == ("1.16", "operator com.microsoft.MatMulNBits")
    assert found.by_operators == Need("operator com.microsoft.MatMulNBits", "1.16")
    assert requirements(model(nodes, opset=21, ir_version=10)).runtime == "1.18"


def test_an_operator_of_the_runtime_that_no_release_has_is_unknown():
    nodes = layers(("com.microsoft.Invented", "x", "y"))
    found = requirements(model(nodes))
    assert (found.runtime, found.reason) == ("", "unknown operator com.microsoft.Invented")
    assert "com.microsoft.Invented is an unknown operator" in found.notes[0]


def test_a_function_of_the_model_is_no_unknown_operator():
    function = Function("Invented", "com.microsoft", "", ("a",), ("b",), RELU)
    found = requirements(
        model(layers(("com.microsoft.Invented", "x", "y")), functions=(function,))
    )
    assert found.runtime
    assert found.notes == ()


def test_operators_that_every_release_has_ask_for_none():
    found = requirements(model(layers(("com.microsoft.Attention", "x", "y")), 11, ir_version=6))
    assert (found.runtime, found.notes) == ("1.0", ())
