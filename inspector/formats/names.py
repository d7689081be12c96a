"""How users name what they open, and which kinds of things there are behind a name."""

import os
import re
from enum import StrEnum
from pathlib import Path

STANDARD_INPUT = Path("-")
_ADDRESS = re.compile(r"^(https?|hf):/{1,2}(?=[^/])", re.IGNORECASE)


class Kind(StrEnum):
    """How something is opened."""

    ADDRESS = "address"  # a model to be downloaded
    FOLDER = "folder"  # of models
    ARCHIVE = "archive"  # with models, or the standard input
    RESULT = "result"  # a report or a trace
    MODEL = "model"  # also what is none: opening it says why


def address_of(text: str | Path) -> str | None:
    """Return the address that a text is; None for a path.

    A path that was made of an address has lost a slash: "https:/host/net.onnx".
    """
    given = str(text).strip()
    if os.sep == "\\":
        given = given.replace("\\", "/")
    match = _ADDRESS.match(given)
    return f"{match.group(1).lower()}://{given[match.end() :]}" if match else None


def named(text: str) -> Path | str:
    """Return what a word of a command line names: the standard input, an address as text, or
    a path from the root, which stays right in another folder."""
    if text == str(STANDARD_INPUT):
        return STANDARD_INPUT
    return address_of(text) or Path(text).absolute()
