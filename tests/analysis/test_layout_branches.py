"""What branches of control flow give out, and which of them is open at first."""

from pathlib import Path
from typing import Any

from onnx import helper

from inspector.analysis.graph_layout import layout
from inspector.analysis.graph_layout.drawing import Body
from inspector.formats.opening import open_model
from inspector.model.model import Model
from tests.formats.build import model, save, value


def branching(folder: Path, then: list[Any], other: list[Any]) -> Model:
    """If with these branches, each giving out t; its result goes into a Relu."""
    graphs = {
        "then_branch": helper.make_graph(then, "t", [], [value("t")]),
        "else_branch": helper.make_graph(other, "e", [], [value("t")]),
    }
    nodes = [
        helper.make_node("If", ["c"], ["r"], **graphs),
        helper.make_node("Relu", ["r"], ["y"]),
    ]
    proto = model(nodes, inputs=[value("c", [], 9), value("x")])
    return open_model(save(proto, folder / "m.onnx"))


def node(operator: str, takes: str = "x", gives: str = "t") -> Any:
    return helper.make_node(operator, [takes], [gives])


def lines(body: Body) -> set[tuple[str, str]]:
    """(operator that makes a value, operator that takes it)."""
    flow = body.flow
    names = [layer.operator for layer in flow.layers] + [*flow.inputs, *flow.outputs]
    pairs = zip(flow.source, flow.uses, strict=True)
    return {(names[source], names[use]) for source, uses in pairs for use in uses}


def test_what_each_branch_makes_goes_to_whom_the_result_is_for(tmp_path):
    found = lines(layout.body(branching(tmp_path, [node("Abs")], [node("Neg")])))
    assert {("Abs", "Relu"), ("Neg", "Relu")} <= found
    assert ("If", "Relu") not in found


def test_a_branch_that_passes_a_value_on_leaves_the_line_from_the_frame(tmp_path):
    made = branching(tmp_path, [node("Abs", "x", "t")], [node("Neg", "x", "unused")])
    found = lines(layout.body(made))
    assert {("Abs", "Relu"), ("If", "Relu")} <= found


def test_a_result_of_nested_branches_goes_all_the_way(tmp_path):
    inner = helper.make_node(
        "If", ["c"], ["t"],
        then_branch=helper.make_graph([node("Exp", "x", "i")], "a", [], [value("i")]),
        else_branch=helper.make_graph([node("Log", "x", "i")], "b", [], [value("i")]),
    )  # fmt: skip
    found = lines(layout.body(branching(tmp_path, [node("Neg")], [inner])))
    assert {("Exp", "Relu"), ("Log", "Relu"), ("Neg", "Relu")} <= found


def opened(body: Body) -> set[str]:
    return {body.tree.groups[key[0]].title for key in layout.first_opened(body)}


def test_only_the_largest_branch_is_open_at_first(tmp_path):
    long = [node("Abs", "x", "a"), node("Exp", "a", "t")]
    assert "else_branch" in opened(layout.body(branching(tmp_path, [node("Neg")], long)))
    assert "then_branch" not in opened(layout.body(branching(tmp_path, [node("Neg")], long)))
    alike = opened(layout.body(branching(tmp_path, [node("Neg")], [node("Abs")])))
    assert "then_branch" in alike
    assert "else_branch" not in alike
