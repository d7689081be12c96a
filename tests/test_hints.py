"""Hints and labels name commands that can be pasted: each is parsed as a command line."""

import ast
import re
import shlex
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import pytest

import inspector
from inspector.cli import command_table, main

PACKAGE = Path(inspector.__file__).parent
# In quotes, or at the end of a text after a colon; a text may be a command as a whole.
COMMAND = re.compile(
    r"`(inspector [a-z][^`]*)`|(?<![\w-])'(inspector [a-z][^']*)'(?!\w)"
    r"|(?:: |\A|  )(inspector [a-z].*?)(?: (?:\(.*)?)?\Z"
)
NAMED = re.compile(r"\binspector [a-z]")  # in the source, wherever

OTHERS = {"inspector lab membership"}  # the first line of a file


def _text(node: ast.AST) -> str:
    """Return a string of the source; values that are put into it stand as VALUE."""
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else "VALUE"
            for part in node.values
        )
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def commands() -> Iterator[tuple[str, str]]:
    """Yield the place and the words of each command that a string of the package names."""
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text("utf-8")
        if not NAMED.search(text):  # every process of the suite walks through all modules
            continue
        tree = ast.parse(text)
        skipped = {
            id(part)
            for node in ast.walk(tree)
            for part in (
                node.values
                if isinstance(node, ast.JoinedStr)
                else [node.value]  # a docstring
                if isinstance(node, ast.Expr)
                else []
            )
        }
        for node in ast.walk(tree):
            if id(node) in skipped or path.name == "command_hints.py" or _text(node) in OTHERS:
                continue
            for match in COMMAND.finditer(re.sub(r"\{\w*\}", "VALUE", _text(node))):
                words = next(filter(None, match.groups()))
                yield f"{path.relative_to(PACKAGE)}:{getattr(node, 'lineno', 0)}", words


@pytest.mark.parametrize(("place", "command"), [*commands()])
def test_a_named_command_is_one_that_can_be_given(place, command):
    _, name, *words = shlex.split(re.split(r" (?:>>|\|) ", command)[0])
    assert name in command_table.commands(), place
    if not words or words[-1] == "--help":
        return  # a name alone, or its help
    parser, problems = main.command_parser(name), list[str]()

    def error(message: str) -> NoReturn:
        problems.append(message)
        raise SystemExit(2)

    parser.error = error
    with suppress(SystemExit):
        parser.parse_args(words)
    assert all("invalid choice: 'VALUE'" in each for each in problems), (place, problems)
