"""inspector completion: print the completion script of a shell, or the manual page.

All are made from the parsers of the commands. A script has the options in it, so that a shell
completes without starting Python.
"""

import argparse
import json
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date

from msgspec import Struct

from inspector import __version__, units
from inspector.analysis.devices.compile_targets import BY_ID
from inspector.analysis.devices.targets import TARGETS
from inspector.backends import registry
from inspector.backends.onnxruntime.sessions import installable
from inspector.cli.command_table import commands as all_commands
from inspector.cli.main import command_parser
from inspector.comparison import (
    ci_conditions,
    diff_conditions,
    evaluation_conditions,
    improvement_conditions,
    model_conditions,
)
from inspector.conversion.registry import LISTED
from inspector.platform import files

PROGRAMS = ("inspector", "onnx-inspector")  # both names of the script
_REST = re.compile(r"; | \(|, such as |: ")  # what follows the first words of a help


_CONDITIONS: Mapping[str, Sequence[str]] = {
    "measure": ci_conditions.SHOWN_SUBJECTS,
    "compare": ci_conditions.SHOWN_SUBJECTS,
    "diff": diff_conditions.METRICS,
    "evaluate": evaluation_conditions.METRICS,
    "improve": improvement_conditions.METRICS,
    "info": [name for name in model_conditions.METRICS if name.islower()],
}


class _Option(Struct, frozen=True):
    names: tuple[str, ...]
    help: str
    choices: tuple[str, ...]
    takes_value: bool

    @property
    def brief(self) -> str:
        """Return the beginning of the help, as much as a line beside the option holds."""
        return _REST.split(" ".join(self.help.split()), maxsplit=1)[0]


class _Command(Struct, frozen=True):
    name: str
    summary: str
    usage: str
    options: tuple[_Option, ...]
    choices: tuple[str, ...]  # of its first argument; empty for files
    later: tuple[str, ...]  # of the arguments behind it
    arguments: tuple[tuple[str, str], ...]


def run(options: argparse.Namespace) -> None:
    """Print the script or the page."""
    print("\n".join(_WRITERS[options.shell](_commands())))


def _commands() -> list[_Command]:
    commands = []
    for name, command in all_commands().items():
        options = list[_Option]()
        arguments = list[tuple[str, str]]()
        choices: tuple[str, ...] = ()
        later: tuple[str, ...] = ()
        for action in command_parser(name)._actions:
            text = (action.help or "") % {"default": action.default, "prog": "inspector"}
            values = offered_values(name, action)
            if action.help == argparse.SUPPRESS:
                continue
            if action.option_strings:
                takes = action.nargs != 0
                options.append(_Option(tuple(action.option_strings), text, values, takes))
            else:
                first = not arguments
                choices, later = (values, later) if first else (choices, values)
                later = values if first and action.nargs in ("*", "+") else later
                arguments.append((str(action.metavar or action.dest), text))
        own = tuple(options)
        usage = command.usage or " ".join((*(n for n, _ in arguments), "[options]"))
        told = tuple(arguments)
        commands.append(_Command(name, command.summary, usage, own, choices, later, told))
    return commands


def _option_names(command: _Command) -> str:
    return " ".join(name for option in command.options for name in option.names)


def _valued(command: _Command) -> Iterator[tuple[str, str]]:
    """Yield (names as a pattern of a shell, values) of each option with a fixed choice."""
    for option in command.options:
        if option.choices:
            yield "|".join(option.names), " ".join(option.choices)


def _compgen(words: str) -> str:
    """Return the command of bash that offers words."""
    return f"COMPREPLY=($(compgen -W '{words}' -- \"$word\"))"


def _bash(commands: list[_Command]) -> Iterator[str]:
    yield "# bash completion of inspector: save it in"
    yield "# ~/.local/share/bash-completion/completions/inspector"
    yield "_inspector() {"
    yield '  local word="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"'
    yield "  COMPREPLY=()"
    yield '  if [ "$COMP_CWORD" -eq 1 ]; then'
    names = " ".join(command.name for command in commands)
    yield f"    {_compgen(f'{names} --help --version')}"
    yield "    return"
    yield "  fi"
    yield '  case "${COMP_WORDS[1]}" in'
    for command in commands:
        yield f"    {command.name})"
        yield '      case "$previous" in'
        for names, values in _valued(command):
            yield f"        {names})"
            yield f"          {_compgen(values)}; return ;;"
        yield "      esac"
        yield f"      [[ $word == -* ]] && {_compgen(_option_names(command))}"
        if command.choices:
            values = " ".join(command.choices)
            yield "      [[ $COMP_CWORD -eq 2 && $word != -* ]] &&"
            yield f"        {_compgen(values)}"
        if command.later:
            yield "      [[ $COMP_CWORD -gt 2 && $word != -* ]] &&"
            yield f"        {_compgen(' '.join(command.later))}"
        yield "      ;;"
    yield "  esac"
    yield "}"
    yield f"complete -o default -F _inspector {' '.join(PROGRAMS)}"


def _zsh(commands: list[_Command]) -> Iterator[str]:
    yield f"#compdef {' '.join(PROGRAMS)}"
    yield "# zsh completion of inspector: save it as _inspector in a folder of $fpath"
    yield "_inspector() {"
    yield "  local -a items"
    yield "  if (( CURRENT == 2 )); then"
    yield "    items=("
    for command in commands:
        yield f"      {shlex.quote(f'{command.name}:{command.summary}')}"
    yield "    )"
    yield "    _describe command items"
    yield "    _files"
    yield "    return"
    yield "  fi"
    yield '  case "$words[2]" in'
    for command in commands:
        yield f"    {command.name})"
        yield '      case "$words[CURRENT-1]" in'
        for names, values in _valued(command):
            yield f"        {names}) compadd -- {values}; return ;;"
        yield "      esac"
        yield '      if [[ "$words[CURRENT]" == -* ]]; then'
        yield "        items=("
        for option in command.options:
            text = option.brief.replace(":", r"\:")
            for name in option.names:
                yield f"          {shlex.quote(f'{name}:{text}')}"
        yield "        )"
        yield "        _describe option items"
        if command.choices:
            yield "      elif (( CURRENT == 3 )); then"
            yield f"        compadd -- {' '.join(command.choices)}"
        if command.later:
            yield "      elif (( CURRENT > 3 )); then"
            yield f"        compadd -- {' '.join(command.later)}"
            yield "        _files"
        yield "      else"
        yield "        _files"
        yield "      fi"
        yield "      ;;"
    yield "  esac"
    yield "}"
    yield "compdef _inspector " + " ".join(PROGRAMS)


def _fish(commands: list[_Command]) -> Iterator[str]:
    yield "# fish completion of inspector: save it in ~/.config/fish/completions/inspector.fish"
    for program in PROGRAMS:
        yield f"complete -c {program} -n __fish_use_subcommand -l version -d 'Version'"
        for command in commands:
            yield (
                f"complete -c {program} -n __fish_use_subcommand -a {command.name} "
                f"-d {_fish_quoted(command.summary)}"
            )
            inside = f"-n '__fish_seen_subcommand_from {command.name}'"
            if command.choices or command.later:
                values = " ".join(dict.fromkeys((*command.choices, *command.later)))
                yield f"complete -c {program} {inside} -f -a '{values}'"
            for option in command.options:
                names = " ".join(
                    f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"
                    for name in option.names
                )
                value = f" -x -a '{' '.join(option.choices)}'" if option.choices else ""
                value = value or (" -r" if option.takes_value else "")
                text = _fish_quoted(option.brief)
                yield f"complete -c {program} {inside} {names}{value} -d {text}"


def _fish_quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _powershell(commands: list[_Command]) -> Iterator[str]:
    def quoted(text: str) -> str:
        return "'" + text.replace("'", "''") + "'"

    def listed(values: Iterator[str] | tuple[str, ...]) -> str:
        return f"@({', '.join(map(quoted, values))})"

    yield "# PowerShell completion of inspector: inspector completion powershell >> $PROFILE"
    names = ", ".join(PROGRAMS)
    yield f"Register-ArgumentCompleter -Native -CommandName {names} -ScriptBlock {{"
    yield "  param($word, $ast, $position)"
    yield "  $elements = @($ast.CommandElements | ForEach-Object { $_.ToString() })"
    yield "  $count = $elements.Count"
    yield "  if ($word -ne '') { $count-- }"
    yield f"  $words = {listed(tuple(command.name for command in commands))}"
    yield "  if ($count -gt 1) {"
    yield "    $previous = $elements[$count - 1]"
    yield "    $words = @()"
    yield "    switch ($elements[1]) {"
    for command in commands:
        options = tuple(name for option in command.options for name in option.names)
        yield f"      {quoted(command.name)} {{"
        yield f"        $words = {listed((*command.choices, *command.later, *options))}"
        for option in command.options:
            if option.choices:
                yield f"        if ({listed(option.names)} -contains $previous) {{"
                yield f"          $words = {listed(option.choices)} }}"
        yield "      }"
    yield "    }"
    yield "  }"
    yield '  $words | Where-Object { $_ -like "$word*" } | ForEach-Object {'
    yield "    [System.Management.Automation.CompletionResult]::new($_) }"
    yield "}"


def _man(commands: list[_Command]) -> Iterator[str]:
    def escaped(text: str) -> str:
        plain = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
        return f"\\&{plain}" if plain[:1] in (".", "'") else plain

    yield f'.TH INSPECTOR 1 "{date.today().isoformat()}" "Inspector {__version__}"'
    yield ".SH NAME"
    yield "inspector \\- inspect, run and profile machine\\-learning models"
    yield ".SH SYNOPSIS"
    yield ".B inspector"
    yield "[\\fIFILE\\fR ...]"
    yield ".br"
    yield ".B inspector"
    yield "\\fICOMMAND\\fR [\\fIARGUMENT\\fR ...]"
    yield ".SH DESCRIPTION"
    yield "Without a command, opens the given files in the desktop application."
    yield ".SH COMMANDS"
    for command in commands:
        yield f".SS inspector {escaped(command.name)} {escaped(command.usage)}".rstrip()
        yield escaped(f"{units.capitalized(command.summary)}.")
        for name, text in command.arguments:
            yield ".TP"
            yield f".I {escaped(name)}"
            yield escaped(text) or "\\&"
        for option in command.options:
            yield ".TP"
            yield f".B {escaped(', '.join(option.names))}"
            yield escaped(option.help) or "\\&"
    yield ".SH EXIT STATUS"
    for status, meaning in (
        ("0", "Success."),
        ("1", "The command failed; a message on standard error says why."),
        ("2", "Wrong use of the command line."),
        ("3", "A condition of --fail-if holds."),
        ("130", "Stopped by Ctrl+C."),
    ):
        yield ".TP"
        yield f".B {status}"
        yield escaped(meaning)


_WRITERS: dict[str, Callable[[list[_Command]], Iterator[str]]] = {
    "bash": _bash,
    "zsh": _zsh,
    "fish": _fish,
    "powershell": _powershell,
    "man": _man,
}


def devices() -> tuple[str, ...]:
    """Return ids of devices that some machine has."""
    runtimes = (each.device_prefix for each in registry.BACKENDS.values())
    others = (f"{prefix}:cpu" for prefix in runtimes if prefix)
    return tuple(dict.fromkeys(("cpu", *others, *installable.IDS)))


def samples() -> tuple[str, ...]:
    """Return the files of the samples, and what stands for all."""
    listing = json.loads((files.sample_folder() / "index.json").read_text("utf-8"))
    return ("all", *(model["file"] for model in listing["models"]))


# By the name of an option without dashes, or of an argument as the help shows it.
_VALUES: Mapping[str, Callable[[str], Sequence[str]]] = {
    "device": lambda command: devices(),
    "devices": lambda command: devices() if command == "info" else (),
    "estimate": lambda command: devices()[1:],
    "target": lambda command: (
        tuple(BY_ID) if command == "compile" else ("all", *(each.id for each in TARGETS))
    ),
    "fail-if": lambda command: _CONDITIONS.get(command, ()),
    "try": lambda command: tuple(LISTED),
    "ACTION": lambda command: tuple(LISTED),
    "NAME": lambda command: samples() if command == "sample" else (),
}


def offered_values(command: str, action: argparse.Action) -> tuple[str, ...]:
    """Return what can stand behind an option or as an argument; empty where anything can."""
    if action.choices:
        return tuple(map(str, action.choices))
    names = [name.lstrip("-") for name in action.option_strings] or [str(action.metavar)]
    for name in names:
        if name in _VALUES:
            return tuple(_VALUES[name](command))
    return ()
