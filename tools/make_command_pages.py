"""Write the option tables of docs/commands, from the parsers of the commands.

`python -m tools.make_command_pages` replaces what is between the two marks of each page. The
text and the examples around them are written by hand; a test runs the first example of a page.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

from inspector.cli.main import COMMANDS, command_parser

PAGES = Path(__file__).parents[1] / "docs" / "commands"
BEGIN = "<!-- Options: run python -m tools.make_command_pages -->\n"
END = "<!-- End of options -->\n"
MOST_CELL = (
    180  # characters; tests/tools/test_documents.py allows 200 with the marks around them
)


def options(name: str) -> str:
    """Return the tables of a command's options, one for each group of its help text."""
    return "\n".join(_lines(command_parser(name)))


def updated(page: str, name: str) -> str:
    """Return a page with the tables of today's options between its marks."""
    before, _, rest = page.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}\n{options(name)}\n{END}{after}"


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
            names = formatter._format_action_invocation(action)
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


def _shortened(text: str) -> str:
    """Return a help text that fits a cell: without its list of values where it is too long."""
    if len(text) <= MOST_CELL:
        return text
    for sign in (": ", "; ", ", "):
        if sign in text[:MOST_CELL]:
            return f"{text.partition(sign)[0]} (values below)"
    return f"{text[: MOST_CELL - 3]}..."


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def main() -> None:
    """Rewrite the tables of all pages."""
    for name in COMMANDS:
        page = PAGES / f"{name}.md"
        page.write_text(updated(page.read_text("utf-8"), name), "utf-8")


if __name__ == "__main__":
    main()
