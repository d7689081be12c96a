"""What went wrong: a sentence for people on standard error, with --json an object for programs.

The object goes to standard output, in place of the answer, unless a part of that is there.
"""

import argparse
import json
from collections.abc import Sequence
from typing import NoReturn

from inspector.errors import BadInput, InspectorError
from inspector.platform.terminal import has_output

SCHEMA = "error/1"
WRONG_USE = 2  # exit status of argparse, too


def print_error(error: InspectorError, arguments: Sequence[str], status: int) -> None:
    """Print an error on standard output if the arguments of the program ask for JSON.

    status: with which the program will end.
    """
    if not asks_for_json(arguments) or has_output():
        return
    body = {
        "schema": SCHEMA,
        "kind": type(error).__name__,
        "what": error.what,
        "why": error.why,
        "hint": error.hint,
        "phase": error.phase,
        "status": status,
    }
    print(json.dumps({name: str(v) if name != "status" else v for name, v in body.items()}))


def asks_for_json(arguments: Sequence[str]) -> bool:
    """Return whether --json is among the arguments, and not one of another program's."""
    own = list(arguments)
    return "--json" in (own[: own.index("--")] if "--" in own else own)


class Parser(argparse.ArgumentParser):
    """A parser of arguments whose failures are objects where JSON is asked for."""

    arguments: Sequence[str] = ()  # of the program

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the arguments, and end with status 2."""
        hint = f"See {self.prog} --help."
        usage = BadInput("Could not read the arguments", message, hint)
        print_error(usage, self.arguments, WRONG_USE)
        super().error(message)
