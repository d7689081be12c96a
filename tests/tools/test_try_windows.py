"""What is tried on Windows exists: modules, commands with their options, files and tests."""

import ast
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from inspector.cli.main import command_parser
from tools.try_windows import COMMANDS, MODEL, TESTS

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_can_be_given(name):
    flag, what, *rest = COMMANDS[name]
    if flag == "-c":
        for node in ast.walk(ast.parse(what)):
            if isinstance(node, ast.ImportFrom) and node.module:
                module = import_module(node.module)
                names = [each.name for each in node.names]
                assert [each for each in names if not hasattr(module, each)] == []
        return
    assert flag == "-m"
    assert find_spec(what) is not None
    if what == "inspector":
        command, *arguments = rest
        command_parser(command).parse_args(arguments)  # exits if it does not know an option
    samples = [each.rpartition("=")[2] for each in rest if "sample_models/" in each]
    assert [each for each in samples if not (ROOT / each).exists()] == []


def test_each_place_of_tests_has_tests():
    assert (ROOT / MODEL).is_file()
    for place in TESTS:
        path = ROOT / place
        assert path.is_file() or list(path.rglob("test_*.py")), place
