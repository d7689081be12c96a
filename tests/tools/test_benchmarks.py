"""`make bench` runs every file of benchmarks/; what these only share lies below it."""

import ast
from pathlib import Path

import pytest

HOME = Path(__file__).parents[2] / "benchmarks"


def is_program(path: Path) -> bool:
    """Whether a file does something when it is run."""
    body = ast.parse(path.read_text("utf-8")).body
    return any(
        isinstance(node, ast.If) and "__main__" in ast.unparse(node.test) for node in body
    )


@pytest.mark.parametrize("path", sorted(HOME.glob("[a-z]*.py")), ids=lambda path: path.stem)
def test_what_lies_beside_benchmarks_is_one(path):
    assert is_program(path), "move it to benchmarks/parts"


def test_parts_of_benchmarks_are_no_programs():
    assert [path.name for path in (HOME / "parts").glob("*.py") if is_program(path)] == []
