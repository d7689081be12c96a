"""Documentation of operators out of the ONNX standard."""

from inspector.formats.onnx.operator_docs import operator_docs


def test_an_operator_is_described_as_of_the_opset_of_the_model() -> None:
    docs = operator_docs("Resize", "ai.onnx", 18)
    assert docs is not None
    assert (docs.name, docs.domain, docs.since) == ("Resize", "ai.onnx", 18)
    assert {10, 11, 13, 18} <= set(docs.versions)
    assert docs.inputs[0].name == "X"
    assert "float16" in docs.inputs[0].types.split(", ")
    assert docs.inputs[1].note == "optional"
    antialias = next(each for each in docs.attributes if each.name == "antialias")
    assert (antialias.types, antialias.note) == ("int", "default 0")
    assert docs.text
    assert docs.changes == ("new attributes antialias, axes, keep_aspect_ratio_policy",)


def test_an_older_opset_has_its_own_version() -> None:
    docs = operator_docs("Softmax", "", 11)
    assert docs is not None
    assert docs.since == 11
    (axis,) = docs.attributes
    assert axis.note == "default 1"


def test_operators_that_the_standard_does_not_know_have_none() -> None:
    assert operator_docs("FusedConv", "com.microsoft", 1) is None
    assert operator_docs("Resize", "", 0) is None
