"""Detect child Pythons that escape recording, from audit events.

Knows the standard library only: it works inside the recorded program.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from inspector.recorder import live_progress

SURROUNDINGS = "env"
EVENTS: dict[str, tuple[int, int | None]] = {
    "subprocess.Popen": (1, 3),
    "os.exec": (1, 2),
    "os.posix_spawn": (1, 2),
    "os.spawn": (2, 3),
    "os.system": (0, None),
}
"""Of each function, the positions of the arguments and of the environment; None: the
program's."""
BOOTSTRAP = Path(__file__).parent / "bootstrap"
_ALONE = "IES"  # options by which Python looks at no variables, or runs nothing first
_WITH_VALUE = "WX"
_PYTHON = re.compile(r"python[\d.]*w?(\.exe)?", re.IGNORECASE)
_SHELL = re.compile(r"(ba|da|k|z)?sh", re.IGNORECASE)
_WORD = re.compile(r""""[^"]*"|'[^']*'|[^\s"']+""")
_COMMAND = re.compile(r"[;&|\n]+")
_BEFORE = {"exec", "nohup", "time", "command"}


def needed(folder: Path) -> dict[str, str]:
    """Return the environment variables that a process needs to be recorded into a folder."""
    return {"INSPECTOR_RECORD": str(folder), "PYTHONPATH": str(BOOTSTRAP)}


def note(folder: Path, event: str, arguments: Sequence[Any], needed: Mapping[str, str]) -> None:
    """Note a child process that is not recorded, from an audit event of Python."""
    command_index, environment = EVENTS[event]
    child_environment = None if environment is None else arguments[environment]
    for reason in reasons(
        arguments[command_index],
        os.environ if child_environment is None else child_environment,
        needed,
    ):
        live_progress.record_isolated(folder, reason)


def sentence(folder: Path) -> str:
    """Return a sentence on children that were not recorded; '' if there are none."""
    options = [f"with -{one}" for one in _ALONE if live_progress.is_isolated(folder, f"-{one}")]
    if live_progress.is_isolated(folder, SURROUNDINGS):
        options.append("without the environment variables of the recording")
    if not options:
        return ""
    return f"Python was started {' or '.join(options)}, so its calls are not recorded."


def reasons(arguments: Any, environment: Any, needed: Mapping[str, str]) -> set[str]:
    """Return why a command is a Python that is not recorded: '-I', '-E', '-S' or SURROUNDINGS.

    arguments: of the command, or one text for a shell. environment: of the process.
    needed: values that some of its variables must contain.
    """
    reasons: set[str] = set()
    for command in _commands(arguments):
        if _PYTHON.fullmatch(re.split(r"[\\/]", command[0])[-1]):
            reasons |= {f"-{letter}" for letter in _options(command[1:]) & set(_ALONE)}
            variables = {os.fsdecode(key): os.fsdecode(environment[key]) for key in environment}
            if not all(part in variables.get(name, "") for name, part in needed.items()):
                reasons.add(SURROUNDINGS)
    return reasons


def script_of(arguments: Sequence[str]) -> str:
    """Return the file that a command of Python runs; "" for -c, -m, or another program."""
    if not arguments or not _PYTHON.fullmatch(re.split(r"[\\/]", arguments[0])[-1]):
        return ""
    rest = iter(arguments[1:])
    for word in rest:
        if word in ("-", "--"):
            return next(rest, "") if word == "--" else ""
        if not word.startswith("-"):
            return word
        letters = word[1:] if not word.startswith("--") else ""
        place = next((at for at, one in enumerate(letters) if one in "cm" + _WITH_VALUE), None)
        if place is not None and letters[place] in "cm":
            return ""
        if place == len(letters) - 1 and place is not None:
            next(rest, None)
    return ""


def _commands(command: Any) -> Iterator[list[str]]:
    """Return the arguments of each command; of a shell those of the commands it runs."""
    if isinstance(command, (str, bytes, os.PathLike)):
        parts = [one.strip("\"'") for one in _WORD.findall(os.fsdecode(command))]
        yield from [parts] * bool(parts)
        if os.name == "posix":
            yield from _of_shell(os.fsdecode(command))
        return
    parts = [os.fsdecode(word) for word in command]
    if len(parts) > 2 and parts[1] == "-c" and _SHELL.fullmatch(os.path.basename(parts[0])):
        yield from _of_shell(parts[2])
    elif parts:
        yield parts


def _of_shell(text: str) -> Iterator[list[str]]:
    for part in _COMMAND.split(text):
        parts = [one.strip("\"'") for one in _WORD.findall(part)]
        while parts and (parts[0] in _BEFORE or "=" in parts[0]):
            del parts[0]
        if parts:
            yield parts


def _options(arguments: Sequence[str]) -> set[str]:
    """Return the letters of Python's own options, up to the script."""
    options: set[str] = set()
    rest = iter(arguments)
    for word in rest:
        if not word.startswith("-") or word in ("-", "--"):
            break
        if word.startswith("--"):
            continue
        for place, letter in enumerate(word[1:], 2):
            if letter in "cm":
                return options
            if letter in _WITH_VALUE:
                if place == len(word):
                    next(rest, None)
                break
            options.add(letter)
    return options
