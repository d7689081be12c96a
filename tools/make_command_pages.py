"""Write the option tables of docs/commands, and the list of commands of docs/command_line.md.

    python -m tools.make_command_pages               # the option tables, the list
    python -m tools.make_command_pages --examples    # also run the examples, a few minutes

The first replaces what is between the two marks of each page: what the parsers of the commands
say, and the records of what one can ask. The second runs every example on
the sample models and replaces the output below it. All else is written by hand. A test runs the
first example of each page.
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from inspector.app.operations import OPERATIONS
from inspector.cli.command_table import commands
from inspector.cli.main import command_parser

PAGES = Path(__file__).parents[1] / "docs" / "commands"
BEGIN = "<!-- Options: run python -m tools.make_command_pages -->\n"
END = "<!-- End of options -->\n"
LIST = PAGES.parent / "command_line.md"
LIST_BEGIN = "<!-- Commands: run python -m tools.make_command_pages -->\n"
LIST_END = "<!-- End of commands -->\n"
MOST_CELL = (
    180  # characters; tests/tools/test_documents.py allows 200 with the marks around them
)


SAMPLES = Path(__file__).parents[1] / "sample_models"
EXAMPLE = re.compile(r"^```console\n\$ inspector (.*)\n((?:.*\n)*?)```$", re.MULTILINE)
MOST_LINES, MOST_WIDTH = 26, 170  # of an output on a page
# Files that the examples name.
_EXPECTED = """
import numpy, onnxruntime
x = numpy.random.default_rng(0).random((1, 1, 8, 8), numpy.float32)
session = onnxruntime.InferenceSession("digits_float32.onnx")
numpy.savez("expected.npz", picture=x, probabilities=session.run(None, {"picture": x})[0])
"""


def options(name: str) -> str:
    """Return the tables of a command's options, one for each group of its help text."""
    return "\n".join(_lines(command_parser(name)))


def updated(page: str, name: str) -> str:
    """Return a page with the tables of today's options between its marks."""
    before, _, rest = page.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}\n{options(name)}\n{END}{after}"


def updated_list(page: str) -> str:
    """Return a page with today's list of commands between its marks."""
    before, _, rest = page.partition(LIST_BEGIN)
    after = rest.partition(LIST_END)[2]
    return f"{before}{LIST_BEGIN}\n{command_list()}\n{LIST_END}{after}"


def command_list() -> str:
    """Return the table of commands, with where else one can ask the same."""
    operations = {each.name: each for each in OPERATIONS}
    lines = ["| command | purpose | in Python | in the window |", "|---|---|---|---|"]
    for name, command in commands().items():
        asked = operations.get(name)
        functions = ", ".join(f"`{each}`" for each in asked.functions) if asked else ""
        tab = _tab_link(asked.tab) if asked and asked.tab else ""
        link = f"[`{name}`](commands/{name}.md)"
        lines.append(f"| {link} | {_cell(command.summary)} | {functions} | {tab} |")
    *names, last = [f"`{each.name}`" for each in OPERATIONS if each.elsewhere]
    there = f"{', '.join(names)} and {last} run on [another machine](other_machines.md)"
    return "\n".join((*lines, "", f"With `--on`, {there}.", ""))


def _tab_link(tab: str) -> str:
    heading = (PAGES.parent / "tabs" / f"{tab}.md").read_text("utf-8").partition("\n")[0]
    return f"[{heading.removeprefix('# ')}](tabs/{tab}.md)"


def with_examples(page: str, folder: Path) -> str:
    """Return a page with the output of its examples, run in a folder with the sample models."""

    def block(match: re.Match[str]) -> str:
        output = _output(shlex.split(match[1]), folder).rstrip("\n").split("\n")
        shown = [line[: MOST_WIDTH - 3] + "..." * (len(line) >= MOST_WIDTH) for line in output]
        if len(shown) > MOST_LINES:
            shown = [*shown[: MOST_LINES - 1], "..."]
        return "\n".join(["```console", f"$ inspector {match[1]}", *shown, "```"])

    return EXAMPLE.sub(block, page)


def make_files(folder: Path) -> None:
    """Write the files that the examples name: sample models, two reports, expected outputs."""
    shutil.copytree(SAMPLES, folder, ignore=shutil.ignore_patterns("making", "__pycache__"))
    subprocess.run([sys.executable, "-c", _EXPECTED], cwd=folder, check=True)
    for name in ("report.json", "other.json"):
        _output(["measure", "digits_float32.onnx", "-o", name], folder)


def _output(arguments: list[str], folder: Path) -> str:
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    }
    command = [sys.executable, "-m", "inspector", *arguments]
    run = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8"
    )
    return run.stdout + run.stderr


def _lines(parser: argparse.ArgumentParser) -> Iterator[str]:
    formatter = argparse.HelpFormatter(parser.prog)
    hidden = {
        action.dest: action.option_strings
        for action in parser._actions
        if action.help == argparse.SUPPRESS
    }
    for group in parser._action_groups:
        actions = [a for a in group._group_actions if a.help not in (None, argparse.SUPPRESS)]
        actions = [action for action in actions if action.dest != "help"]
        if not actions:
            continue
        yield f"**{(group.title or 'options').capitalize()}**\n"
        yield "| option | meaning |"
        yield "|---|---|"
        longer = []
        for action in actions:
            names = _names(action, formatter)
            text = formatter._expand_help(action)
            meaning = _shortened(text)
            if meaning != text:
                longer.append(f"- `{names}`: {text}.")
            aliases = ", ".join(f"`{alias}`" for alias in hidden.get(action.dest, ()))
            shown = f"`{names}`" + (f", alias {aliases}" if aliases else "")
            yield f"| {_cell(shown)} | {_cell(meaning)} |"
        yield ""
        if longer:
            yield from (*longer, "")


def _names(action: argparse.Action, formatter: argparse.HelpFormatter) -> str:
    """Return the names of an option, then its value; Python before 3.13 writes that twice."""
    if not action.option_strings or action.nargs == 0:
        return formatter._format_action_invocation(action)
    default = formatter._get_default_metavar_for_optional(action)
    value = formatter._format_args(action, default)
    return f"{', '.join(action.option_strings)} {value}"


def _shortened(text: str) -> str:
    """Return a help text that fits a cell: its first part, outside of parentheses."""
    if len(text) <= MOST_CELL:
        return text
    for sign in (": ", "; ", " (", ", "):
        first = text.partition(sign)[0]
        if len(first) <= MOST_CELL and first.count("(") == first.count(")"):
            return f"{first}; details below"
    return f"{text[: MOST_CELL - 3]}..."


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def main() -> None:
    """Rewrite the tables of all pages, and with --examples the outputs as well."""
    parser = argparse.ArgumentParser(description="Write the option tables of docs/commands.")
    parser.add_argument("--examples", action="store_true", help="run the examples as well")
    run_examples = parser.parse_args().examples
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "models"
        if run_examples:
            make_files(folder)
        LIST.write_text(updated_list(LIST.read_text("utf-8")), "utf-8")
        for name in commands():
            page = PAGES / f"{name}.md"
            text = updated(page.read_text("utf-8"), name)
            page.write_text(with_examples(text, folder) if run_examples else text, "utf-8")


if __name__ == "__main__":
    main()
