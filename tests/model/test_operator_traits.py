"""Operators that compute nothing are listed in one place."""

import ast
from collections.abc import Iterator
from pathlib import Path

import inspector
from inspector.model.operator_traits import VIEWS

_ROOT = Path(inspector.__file__).parent
_MOST_NAMED = 4  # of the views, in a set that is about something else
_ALLOWED = (
    "model/operator_traits.py",
    "analysis/graph_layout/data_flow.py",  # of what the arithmetic of shapes consists
)


def test_no_module_but_one_lists_the_views() -> None:
    files = {path.relative_to(_ROOT).as_posix(): path for path in _ROOT.rglob("*.py")}
    texts = {name: path.read_text("utf-8") for name, path in files.items()}
    lists = [
        f"{name}:{line}"
        for name, text in texts.items()
        if name not in _ALLOWED and sum(f'"{view}"' in text for view in VIEWS) > _MOST_NAMED
        for line in _lists(text)
    ]
    assert lists == []


def _lists(text: str) -> Iterator[int]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            named = {each.value for each in node.elts if isinstance(each, ast.Constant)}
            if len(VIEWS & named) > _MOST_NAMED:
                yield node.lineno
