"""Questions on the terminal, before something is installed, added or uploaded."""

import sys

from inspector.errors import BadInput


def confirmed(question: str, what: str) -> bool:
    """Ask on the terminal. Raises BadInput: there is none."""
    if not (sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()):
        why = "this requires confirmation, but there is no terminal to ask in"
        raise BadInput(what, why, "Add --yes to agree without being asked.")
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")
