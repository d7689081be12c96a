"""The commands: what one can ask of models, what is about the program, and those of plugins.

Loads no command: `inspector --help` and the hints for mistyped ones need names and summaries.
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from inspector.app.operations import OPERATIONS, Operation
from inspector.platform import plugins

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

_WORD = re.compile(r"[A-Za-z][\w-]*")  # what a command can be called


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the command line.

    summary: in the list of commands and above its options. usage: its arguments, where argparse
    would list dozens of options; "" for those of argparse. synonyms: the names that other
    programs have for it, which a mistyped command is compared with.

    module: with `add_arguments`, which takes the parser, and `run`, which takes the options.
    `run` may stand in another module, `runs`, where it needs numpy or a model, which the help
    does not. By default inspector.cli.commands.NAME and, if that has no `run`,
    inspector.cli.runs.NAME. after: the command that a plugin's command follows in the list;
    by default the last one.
    """

    name: str
    summary: str
    usage: str = ""
    synonyms: tuple[str, ...] = ()
    module: str = ""
    runs: str = ""
    after: str = ""

    def add_arguments(self, parser: "ArgumentParser") -> None:
        """Add the options of the command to its parser."""
        self._module.add_arguments(parser)

    def run(self, options: "Namespace") -> None:
        """Do what the command does. Raises InspectorError."""
        own = getattr(self._module, "run", None)
        runs = self.runs or f"inspector.cli.runs.{self.name}"
        (own or plugins.load(runs).run)(options)

    @property
    def _module(self) -> Any:
        return plugins.load(self.module or f"inspector.cli.commands.{self.name}")


def _of(operation: Operation) -> Command:
    """Return the command for something that one can ask."""
    return Command(operation.name, operation.summary, operation.usage, operation.synonyms)


def _program(
    name: str, summary: str, usage: str = "", synonyms: tuple[str, ...] = (), runs: str = ""
) -> Command:
    """Return a command about the program itself, of cli.program."""
    return Command(name, summary, usage, synonyms, f"inspector.cli.program.{name}", runs)


# `inspector --help`, the hints for mistyped commands and the pages in docs/commands follow
# from this list: what one can ask of models, and what is about the program.
COMMANDS = (
    _of(OPERATIONS[0]),
    _program(
        "sample",
        "list the sample models that come with Inspector, or copy them into a folder",
        "[NAME ...] [-o FOLDER]",
        ("samples", "example", "examples", "demo"),
    ),
    _program(
        "engines",
        "list the runtimes, and install one into an environment of its own",
        "[--install ID | --remove ID] [options]",
        ("engine", "runtime", "runtimes", "backends", "install"),
        "inspector.cli.program.engine_environments",
    ),
    _program(
        "plugins",
        "list the plugins of other packages, and whether they work",
        synonyms=("plugin", "extensions", "addons"),
    ),
    _program(
        "config",
        "show the settings of commands, and where their values come from",
        "[options]",
        ("settings", "configuration", "preferences"),
    ),
    _program(
        "completion",
        "print the completion script of a shell, or the manual page",
        "SHELL",
        ("completions", "man"),
        runs="inspector.cli.completion.scripts",
    ),
    _program(
        "desktop",
        "add Inspector to the menu of applications on Linux",
        "[--install | --uninstall]",
    ),
    *map(_of, OPERATIONS[1:]),
)


def find(word: str) -> Command | None:
    """Return the command of a name; None: there is none.

    Plugins of others are asked only about a word that is no command of ours and no path.
    """
    if word in _OWN:
        return _OWN[word]
    if not _WORD.fullmatch(word):
        return None
    ours = (each for each in plugins.built_in(plugins.COMMANDS) if each.name == word)
    return next(ours, None) or commands().get(word)


@cache
def commands() -> dict[str, Command]:
    """Return all commands by name, those of plugins among them."""
    listed = plugins.added_to(COMMANDS, plugins.COMMANDS)
    return {command.name: command for command in listed}


_OWN = {command.name: command for command in COMMANDS}
