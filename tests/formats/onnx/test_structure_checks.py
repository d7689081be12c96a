"""Warnings about the structure of a model, each at the border where it begins."""

from dataclasses import replace

import onnx
import pytest

from inspector.formats.onnx.structure_checks import findings
from inspector.formats.weight_files.weight_findings import weight_findings
from inspector.model.model import (
    EVERY_RUNTIME,
    ONNX_RUNTIME,
    Attribute,
    Function,
    Layer,
    LinkedProblem,
    Opset,
    OutsideProblem,
    WeightInfo,
)
from tests.analysis.build import layers, model, value

NEWEST = onnx.defs.onnx_opset_version()


def told(nodes: tuple[Layer, ...] = (), **more: object) -> list[tuple[str, str]]:
    given = {"inputs": (value("x"),), "outputs": (value("x"),), **more}
    return [(each.subject, each.text) for each in findings(model(nodes, **given))]


@pytest.mark.parametrize(
    ("version", "text"),
    [
        (0, "the file declares version 0, but the first version is 1; export the model again"),
        (1, None),
        (onnx.IR_VERSION, None),
        (
            onnx.IR_VERSION + 1,
            f"the file uses version {onnx.IR_VERSION + 1}; "
            f"Inspector supports versions up to {onnx.IR_VERSION}",
        ),
    ],
)
def test_an_ir_version_that_does_not_exist_is_told(version, text):
    assert told(ir_version=version) == ([("IR version", text)] if text else [])


@pytest.mark.parametrize(
    ("domain", "version", "subject"),
    [
        ("", 0, "opset ai.onnx"),
        ("", 1, None),
        ("", NEWEST, None),
        ("", NEWEST + 1, "opset ai.onnx"),
        ("com.example", 0, "opset com.example"),
        ("com.example", 10_000, None),  # nobody knows how many it has
    ],
)
def test_an_opset_that_does_not_exist_is_told(domain, version, subject):
    found = told(opsets=(Opset(domain, version),))
    assert [each for each, _ in found] == ([subject] if subject else [])


@pytest.mark.parametrize(("domain", "refused"), [("", True), ("com.example", False)])
def test_runtimes_refuse_layers_of_an_opset_below_the_first(domain, refused):
    opsets = (Opset(domain, -5),)
    made = model(layers(("Relu", "x", "y")), opsets=opsets)
    assert any(each.refused_by for each in findings(made)) == refused


def test_domains_without_an_opset_are_told_with_the_number_of_their_nodes():
    nodes = layers(("a.Relu", "x", "y"), ("b.Relu", "x", "z"), ("b.Relu", "x", "w"))
    assert told(nodes, opsets=(Opset("", 17),)) == [
        (
            "a",
            "1 node uses operators of this domain, which the model does not import; "
            "export the model again",
        ),
        (
            "b",
            "2 nodes use operators of this domain, which the model does not import; "
            "export the model again",
        ),
    ]


def nested(depth: int) -> tuple[Layer, ...]:
    return tuple(
        Layer(
            index=at, name=f"if {at}", operator="If", domain="", inputs=("x",), outputs=(),
            attributes=(), parent=at - 1 if at else None, branch="then" if at else "",
        )
        for at in range(depth + 1)
    )  # fmt: skip


def test_control_flow_deeper_than_sixteen_levels_is_told():
    assert told(nested(16)) == []
    text = "control flow is nested 17 levels deep, which may take very long to load"
    assert told(nested(17)) == [("if 17", text)]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([("Relu", "x", "y"), ("Relu", "y", "z")], []),
        ([("Relu", "y", "z"), ("Relu", "x", "y")], ["read before it is produced"]),
        ([("Relu", "y", "y")], ["part of a cycle of 1 layer"]),
        ([("Relu", "gone", "y")], ["is read, but no node produces it"]),
        ([("Relu", "x", "y"), ("Relu", "x", "y")], ["produce a value of this name"]),
        ([("Clip", "x -", "y")], []),
    ],
)
def test_values_are_read_after_one_node_has_produced_them(rows, expected):
    found = [text for _, text in told(layers(*rows))]
    assert len(found) == len(expected)
    assert all(part in text for part, text in zip(expected, found, strict=True))


@pytest.mark.parametrize(
    ("problem", "read", "refused"),
    [("short", "w", True), ("short", "v", False), (OutsideProblem("far"), "w", True),
     (LinkedProblem("linked"), "w", False)],
)  # fmt: skip
def test_no_runtime_loads_values_that_a_layer_reads_and_that_are_not_there(
    problem, read, refused
):
    made = model(layers(("Add", f"x {read}", "y")))
    weight = WeightInfo("w", "float32", (4,), 16, None, problem=problem)
    (finding, *_) = weight_findings(replace(made, weights=(weight,)))
    assert bool(finding.refused_by) == refused
    assert ("next to it" in finding.text) == isinstance(problem, OutsideProblem)


@pytest.mark.parametrize(
    ("operator", "attribute", "text", "refused_by"),
    [
        ("Conv", Attribute("strides", "ints", "1, 0"), "but has 0", EVERY_RUNTIME),
        ("MaxPool", Attribute("dilations", "ints", "-1, 1"), "but has -1", ONNX_RUNTIME),
        ("Conv", Attribute("group", "int", "0"), "but has 0", ""),  # runtimes load it
        ("Conv", Attribute("strides", "ints", "1, 10"), "", ""),
        ("Conv", Attribute("pads", "ints", "0, 0"), "", ""),
        ("own.Conv", Attribute("strides", "ints", "0, 0"), "", ""),
        (
            "Elu",
            Attribute("alpha", "float", "attribute beta", refers=True),
            "is in no function",
            "",
        ),
    ],
)
def test_values_of_attributes_that_no_layer_may_have_are_told(
    operator, attribute, text, refused_by
):
    (layer,) = layers((operator, "x", "y"))
    opsets = Opset("", 17), Opset("own", 1)
    found = findings(model((layer._replace(attributes=(attribute,)),), opsets=opsets))
    assert [each.invalid for each in found] == [True] * bool(text)
    assert all(text in each.text for each in found)
    assert [each.refused_by for each in found] == [refused_by] * bool(text)


def test_an_input_without_a_type_is_told():
    text = "this input has no type; export the model again"
    for kind in ("tensor", "unknown"):
        untyped = replace(value("x"), kind=kind, dtype="unknown")
        assert told(inputs=(untyped,)) == [("x", text)]


@pytest.mark.parametrize(
    ("equation", "shapes", "index"),
    [
        ("ii->i", [(3, 4)], "i"),
        ("ij, jk -> ik", [(2, 3), (4, 5)], "j"),
        ("ij,jk->ik", [(2, 3), (3, 5)], ""),
        ("ij,jk->ik", [(2, 3), (1, 5)], ""),  # one is repeated
        ("...i,i", [(7, 2, 3), (3,)], ""),
        ("ij,jk->ik", [(2, "n"), (4, 5)], ""),
    ],
)
def test_an_index_of_two_lengths_in_an_equation_is_told(equation, shapes, index):
    inputs = tuple(value(f"x{n}", shape=shape) for n, shape in enumerate(shapes))
    (layer,) = layers(("Einsum", " ".join(each.name for each in inputs), "y"))
    layer = layer._replace(attributes=(Attribute("equation", "string", equation),))
    found = findings(model((layer,), inputs=inputs, outputs=(value("y"),)))
    assert [each.invalid for each in found] == [True] * bool(index)
    assert all(f"the index '{index}'" in each.text for each in found)


@pytest.mark.parametrize(
    ("operator", "name", "text", "told"),
    [
        ("ScatterND", "reduction", "invalid", "must be none, add, mul, max or min"),
        ("ScatterND", "reduction", "add", ""),
        ("Conv", "auto_pad", "SAME", "must be NOTSET, SAME_UPPER, SAME_LOWER or VALID"),
        ("own.ScatterND", "reduction", "invalid", ""),
        ("Transpose", "perm", "0, 2, 1", "orders 3 axes, but the input has 2"),
        ("Transpose", "perm", "1, 0", ""),
    ],
)
def test_attributes_that_no_runtime_knows_what_to_do_with_are_told(operator, name, text, told):
    (layer,) = layers((operator, "x", "y"))
    kind = "ints" if name == "perm" else "string"
    layer = layer._replace(attributes=(Attribute(name, kind, text),))
    opsets = Opset("", 17), Opset("own", 1)
    inputs, outputs = (value("x", shape=(2, 3)),), (value("y"),)
    found = findings(model((layer,), inputs=inputs, outputs=outputs, opsets=opsets))
    assert [each.invalid for each in found] == [True] * bool(told)
    assert all(told in each.text for each in found)


def test_a_shape_that_no_computer_has_memory_for_is_told():
    ((subject, text),) = told(inputs=(value("x"), value("z", shape=((1 << 63) - 1,))))
    assert (subject, "32.0 EiB" in text) == ("z", True)
    assert told(inputs=(value("x"), value("z", shape=(1 << 40, "n")))) == []


def test_an_output_that_nothing_produces_is_told():
    assert told(outputs=(value("x"), value("y"))) == [
        ("y", "no node produces this output; export the model again")
    ]


def calls(name: str, *others: str) -> Function:
    rows = [(f"f.{other}", "a", f"b{at}") for at, other in enumerate(others)]
    return Function(name, "f", "", ("a",), ("b0",), layers(*rows), ())


def test_functions_that_call_themselves_or_become_too_many_nodes_are_told():
    opsets = {"opsets": (Opset("", 17), Opset("f", 1))}
    top = layers(("f.f0", "x", "y"))
    loop = calls("f0", "f1"), calls("f1", "f0")
    assert "calls itself" in told(top, functions=loop, **opsets)[0][1]

    def doubled(depth: int) -> list[tuple[str, str]]:
        chain = [calls(f"f{at}", f"f{at + 1}", f"f{at + 1}") for at in range(depth)]
        leaf = Function(f"f{depth}", "f", "", ("a",), ("b0",), layers(("Relu", "a", "b0")), ())
        return told(top, functions=(*chain, leaf), **opsets)

    assert doubled(19) == []
    text = "with all functions expanded it has 1,048,576 nodes, too many for most runtimes"
    assert doubled(20) == [("", text)]
