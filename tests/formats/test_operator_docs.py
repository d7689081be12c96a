"""Documentation of operators out of the ONNX standard."""

from onnx import defs

from inspector.formats.onnx.operator_docs import operator_docs, paragraphs


def test_an_operator_is_described_as_of_the_opset_of_the_model():
    docs = operator_docs("Resize", "ai.onnx", 18)
    assert (docs.name, docs.domain, docs.since) == ("Resize", "ai.onnx", 18)
    assert {10, 11, 13, 18} <= set(docs.versions)
    assert docs.inputs[0].name == "X"
    assert "float16" in docs.inputs[0].types.split(", ")
    assert docs.inputs[1].note == "optional"
    antialias = next(each for each in docs.attributes if each.name == "antialias")
    assert (antialias.types, antialias.note) == ("int", "default 0")
    assert docs.text
    assert docs.changes == ("new attributes antialias, axes, keep_aspect_ratio_policy",)


def test_an_older_opset_has_its_own_version():
    docs = operator_docs("Softmax", "", 11)
    assert docs.since == 11
    (axis,) = docs.attributes
    assert axis.note == "default 1"


def test_operators_that_the_standard_does_not_know_have_none():
    assert operator_docs("FusedConv", "com.microsoft", 1) is None
    assert operator_docs("Resize", "", 0) is None


def test_no_paragraph_of_any_operator_has_a_line_break():
    for schema in defs.get_all_schemas():
        docs = operator_docs(schema.name, schema.domain, schema.since_version)
        if docs is None:
            continue
        values = (*docs.inputs, *docs.outputs, *docs.attributes)
        for text in (docs.text, *(each.text for each in values)):
            shown = paragraphs(text)
            assert all(part.isprintable() for part in shown), schema.name
            assert " ".join(" ".join(shown).split()).replace("```", "") == " ".join(
                " ".join(line for line in text.split("\n") if "```" not in line).split()
            )


def test_paragraphs_join_lines_and_keep_lists_and_code():
    text = "One\ntwo.\n\nThree:\n* four\nfive\n1. six\n```\na = 1\n  b\n```\nend"
    assert paragraphs(text) == (
        "One two.", "Three:", "* four five", "1. six", "a = 1", "  b", "end"
    )  # fmt: skip
    assert paragraphs("") == ()
