"""Sets of operators: each stands in one place, and names operators that exist."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from onnx import defs

import inspector
from inspector.model import operator_traits
from inspector.model.operator_traits import CONTROL_FLOW, RANDOM, RECURRENT, VIEWS

_ROOT = Path(inspector.__file__).parent
_MOST_NAMED = 4  # of the views, in a set that is about something else
_ALLOWED = (
    "model/operator_traits.py",
    "analysis/graph_layout/data_flow.py",  # of what the arithmetic of shapes consists
)
_GRAPH = defs.OpSchema.AttrType.GRAPH


@pytest.mark.parametrize("name", ["WITHOUT_EFFECT", "VIEWS", "RANDOM", "RECURRENT"])
def test_each_is_an_operator_of_onnx(name):
    known = {schema.name for schema in defs.get_all_schemas_with_history() if not schema.domain}
    assert getattr(operator_traits, name) <= known


def test_control_flow_is_what_has_graphs_as_attributes():
    with_graphs = {
        schema.name
        for schema in defs.get_all_schemas()
        if not schema.domain and any(each.type == _GRAPH for each in schema.attributes.values())
    }
    # SequenceMap is a function of ONNX, which runtimes unfold into a Loop.
    assert with_graphs - {"SequenceMap"} == CONTROL_FLOW


def test_no_module_but_one_has_the_set_of_random_recurrent_or_control_flow_operators():
    sets = (RANDOM, RECURRENT, CONTROL_FLOW)
    again = [
        f"{path.relative_to(_ROOT)}:{line}"
        for path in _ROOT.rglob("*.py")
        for text in [path.read_text("utf-8")]
        if path.name != "operator_traits.py"
        and any(all(f'"{name}"' in text for name in each) for each in sets)
        for line, names in _named(text)
        if names in sets
    ]
    assert again == []


def test_no_module_but_one_lists_the_views():
    files = {path.relative_to(_ROOT).as_posix(): path for path in _ROOT.rglob("*.py")}
    texts = {name: path.read_text("utf-8") for name, path in files.items()}
    lists = [
        f"{name}:{line}"
        for name, text in texts.items()
        if name not in _ALLOWED and sum(f'"{view}"' in text for view in VIEWS) > _MOST_NAMED
        for line in (line for line, named in _named(text) if len(VIEWS & named) > _MOST_NAMED)
    ]
    assert lists == []


def _named(text: str) -> Iterator[tuple[int, set[object]]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            constants = (each for each in node.elts if isinstance(each, ast.Constant))
            yield node.lineno, {each.value for each in constants}
