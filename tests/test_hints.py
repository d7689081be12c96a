"""Hints and labels name commands that can be pasted: each is parsed as a command line."""

import ast
import re
import shlex
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

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
        source = path.read_text("utf-8")
        if not NAMED.search(source) or path.name == "command_hints.py":
            continue
        nodes = [*ast.walk(ast.parse(source))]
        skipped = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}  # docstrings
        for node in nodes:
            if isinstance(node, ast.JoinedStr):
                skipped.update(map(id, node.values))
        for node in nodes:
            text = _text(node)
            if not NAMED.search(text) or id(node) in skipped or text in OTHERS:
                continue
            for match in COMMAND.finditer(re.sub(r"\{\w*\}", "VALUE", text)):
                words = next(filter(None, match.groups()))
                yield f"{path.relative_to(PACKAGE)}:{getattr(node, 'lineno', 0)}", words


def test_each_named_command_is_one_that_can_be_given():
    """All in one test: each process of the suite would make a list at the head."""
    refused = {place: told for place, words in commands() if (told := refusal(words))}
    assert refused == {}


def refusal(command: str) -> str:
    """Return why a command cannot be given; empty where it can."""
    _, name, *words = shlex.split(re.split(r" (?:>>|\|) ", command)[0])
    if name not in command_table.commands():
        return f"no command {name}"
    if not words or words[-1] == "--help":
        return ""  # a name alone, or its help
    parser, problems = main.command_parser(name), list[str]()

    def error(message: str) -> NoReturn:
        problems.append(message)
        raise SystemExit(2)

    parser.error = error
    with suppress(SystemExit):
        parser.parse_args(words)
    return "; ".join(each for each in problems if "invalid choice: 'VALUE'" not in each)
