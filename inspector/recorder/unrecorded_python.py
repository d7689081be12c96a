"""How a recorded program starts Python so that it is not recorded, told from what it asks for.

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
"""Of each the places of the words and of the environment, which is the program's for None."""
BOOTSTRAP = Path(__file__).parent / "bootstrap"
_ALONE = "IES"  # options by which Python looks at no variables, or runs nothing first
_WITH_VALUE = "WX"
_PYTHON = re.compile(r"python[\d.]*w?(\.exe)?", re.IGNORECASE)
_SHELL = re.compile(r"(ba|da|k|z)?sh", re.IGNORECASE)
_WORD = re.compile(r""""[^"]*"|'[^']*'|[^\s"']+""")
_COMMAND = re.compile(r"[;&|\n]+")
_BEFORE = {"exec", "nohup", "time", "command"}


def needed(folder: Path) -> dict[str, str]:
    """What variables of a process must hold, to be recorded into a folder."""
    return {"INSPECTOR_RECORD": str(folder), "PYTHONPATH": str(BOOTSTRAP)}


def note(folder: Path, event: str, told: Sequence[Any], needed: Mapping[str, str]) -> None:
    """Note why a process is not recorded that an audit event of Python tells of."""
    words, environment = EVENTS[event]
    given = None if environment is None else told[environment]
    for reason in reasons(told[words], os.environ if given is None else given, needed):
        live_progress.record_isolated(folder, reason)


def sentence(folder: Path) -> str:
    """Why some of what was started is not recorded; '' where nothing was noted."""
    found = [f"with -{one}" for one in _ALONE if live_progress.is_isolated(folder, f"-{one}")]
    if live_progress.is_isolated(folder, SURROUNDINGS):
        found.append("without the variables of the recording")
    if not found:
        return ""
    return f"Python was started {' or '.join(found)}, so what it did there is missing."


def reasons(words: Any, environment: Any, needed: Mapping[str, str]) -> set[str]:
    """Why a process is a Python that is not recorded: '-I', '-E', '-S' or SURROUNDINGS.

    words: of its command, or one text for a shell. environment: of the process. needed: what
    some of its variables must hold.
    """
    found: set[str] = set()
    for command in _commands(words):
        if _PYTHON.fullmatch(re.split(r"[\\/]", command[0])[-1]):
            found |= {f"-{letter}" for letter in _options(command[1:]) & set(_ALONE)}
            given = {os.fsdecode(key): os.fsdecode(environment[key]) for key in environment}
            if not all(part in given.get(name, "") for name, part in needed.items()):
                found.add(SURROUNDINGS)
    return found


def script_of(words: Sequence[str]) -> str:
    """Return the file that a command of Python runs; "" for -c, -m, or another program."""
    if not words or not _PYTHON.fullmatch(re.split(r"[\\/]", words[0])[-1]):
        return ""
    rest = iter(words[1:])
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


def _commands(words: Any) -> Iterator[list[str]]:
    """The words of each command; of a shell those of what it runs."""
    if isinstance(words, (str, bytes, os.PathLike)):
        told = [one.strip("\"'") for one in _WORD.findall(os.fsdecode(words))]
        yield from [told] * bool(told)
        if os.name == "posix":
            yield from _of_shell(os.fsdecode(words))
        return
    told = [os.fsdecode(word) for word in words]
    if len(told) > 2 and told[1] == "-c" and _SHELL.fullmatch(os.path.basename(told[0])):
        yield from _of_shell(told[2])
    elif told:
        yield told


def _of_shell(text: str) -> Iterator[list[str]]:
    for part in _COMMAND.split(text):
        words = [one.strip("\"'") for one in _WORD.findall(part)]
        while words and (words[0] in _BEFORE or "=" in words[0]):
            del words[0]
        if words:
            yield words


def _options(words: Sequence[str]) -> set[str]:
    """The letters of Python's own options, which end where it is told what to run."""
    found: set[str] = set()
    rest = iter(words)
    for word in rest:
        if not word.startswith("-") or word in ("-", "--"):
            break
        if word.startswith("--"):
            continue
        for place, letter in enumerate(word[1:], 2):
            if letter in "cm":
                return found
            if letter in _WITH_VALUE:
                if place == len(word):
                    next(rest, None)
                break
            found.add(letter)
    return found
