from pathlib import Path
from typing import Any

from onnx import helper

from inspector.formats.opening import open_model
from inspector.model.model import Finding
from tests.formats.build import add, model, nested, ramp, save, value, weight


def findings(proto: Any, folder: Path) -> dict[str, str]:
    found: tuple[Finding, ...] = open_model(save(proto, folder / "m.onnx")).findings
    return {finding.subject: finding.text for finding in found}


def function(name: str, calls: list[str]) -> Any:
    nodes = [helper.make_node(call, ["a"], ["b"], domain="us") for call in calls]
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("us", 1)]
    return helper.make_function("us", name, ["a"], ["b"], nodes, opsets)


def calling(name: str, functions: list[Any]) -> Any:
    node = helper.make_node(name, ["x"], ["y"], domain="us")
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("us", 1)]
    return model([node], opsets=opsets, functions=functions)


def test_an_ordinary_model_has_nothing_odd(tmp_path):
    branches = model([nested(3)], inputs=[value("x"), value("c", [], 9)])
    assert findings(branches, tmp_path) == {}
    assert findings(model([add()], [weight("w", ramp(4))]), tmp_path) == {}


def test_functions_that_call_each_other_in_a_circle_are_found(tmp_path):
    proto = calling("A", [function("A", ["B"]), function("B", ["C"]), function("C", ["A"])])
    assert findings(proto, tmp_path) == {
        "A": "this function calls itself, directly or through other functions; export the "
        "model again without recursion"
    }


def test_functions_that_double_are_counted_without_expanding_them(tmp_path):
    levels = [function(f"F{n}", [f"F{n + 1}"] * 2) for n in range(24)]
    leaf = helper.make_function(
        "us",
        "F24",
        ["a"],
        ["b"],
        [helper.make_node("Relu", ["a"], ["b"])],
        levels[0].opset_import,
    )
    found = findings(calling("F0", [*levels, leaf]), tmp_path)
    assert (
        found[""]
        == "with all functions expanded it has 16,777,216 nodes, too many for most runtimes"
    )


def test_a_chain_of_functions_longer_than_the_stack_is_no_trouble(tmp_path):
    chain = [function(f"F{n}", [f"F{n + 1}"]) for n in range(2000)]
    assert findings(calling("F0", chain), tmp_path) == {}


def test_control_flow_nested_very_deep_is_told(tmp_path):
    proto = model([nested(20)], inputs=[value("x"), value("c", [], 9)])
    (text,) = findings(proto, tmp_path).values()
    assert text == "control flow is nested 20 levels deep, which may take very long to load"


def test_an_operator_set_that_is_used_but_not_imported_is_told(tmp_path):
    proto = model([helper.make_node("Gelu", ["x"], ["y"], domain="com.microsoft")])
    found = findings(proto, tmp_path)
    assert found == {
        "com.microsoft": "1 node uses operators of this domain, which the model does not "
        "import; export the model again"
    }


def test_versions_nobody_knows_are_told(tmp_path):
    proto = model([add("x", "x")], opsets=[helper.make_opsetid("", 999)])
    proto.ir_version = 99
    found = findings(proto, tmp_path)
    assert found["IR version"].startswith(
        "the file uses version 99; Inspector supports versions up to "
    )
    assert found["opset ai.onnx"].startswith("the file uses version 999; ")


def test_names_given_twice_are_told(tmp_path):
    nodes = [add(result="t", name="a"), add(result="t", name="a"), add("t", "t")]
    proto = model(nodes, [weight("w", ramp(4)), weight("w", ramp(4))])
    assert findings(proto, tmp_path) == {
        "'w'": "several weights have this name; export the model again",
        "'t'": "several layers produce a value of this name; export the model again",
        "'a'": "several layers have this name; to give each its own, use inspector convert "
        "MODEL repair -o FILE",
    }


def test_values_from_nowhere_and_nodes_out_of_order_are_told(tmp_path):
    nodes = [add("t", "gone", "u"), add("x", "x", "t")]
    assert findings(model(nodes), tmp_path) == {
        "gone": "this value is read, but no node produces it; export the model again",
        "y": "no node produces this output; export the model again",
        "t": "this value is read before it is produced: the nodes are not in topological "
        "order; to sort them: inspector convert MODEL repair -o FILE",
    }


def test_a_cycle_is_told_from_a_wrong_order(tmp_path):
    ring = [add("x", "c", "a"), add("a", "a", "b"), add("b", "b", "c"), add("c", "c", "y")]
    cycle = findings(model(ring), tmp_path)["Add 0"]
    late = findings(model([add("b", "b", "y"), add("x", "x", "b")]), tmp_path)["b"]
    assert "a cycle of 3 layers" in cycle
    assert "cycle" not in late


def test_names_that_are_not_utf8_are_told(tmp_path):
    path = tmp_path / "m.onnx"
    named = model([add("x", "x", name="QQ")])
    path.write_bytes(named.SerializeToString().replace(b"QQ", b"\xc3("))
    [finding] = open_model(path).findings
    assert (finding.subject, "UTF-8" in finding.text) == ("\ufffd(", True)


def test_names_with_hidden_characters_are_told(tmp_path):
    found = findings(model([add("x", "x", name="safe\u202egnp.exe")]), tmp_path)
    assert found == {"safe\u202egnp.exe": "this name contains invisible characters"}
