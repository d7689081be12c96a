"""Which inputs of a model a file speaks of by name: a table's head, an archive, an object."""

import json
from collections.abc import Sequence
from pathlib import Path

from inspector.model import TensorInfo
from inspector.preview import arrays, text


def inputs_in(path: Path, inputs: Sequence[TensorInfo]) -> tuple[str, ...]:
    """Names of the inputs that a .csv, .npz or .json file holds; empty for other files.

    Raises UnreadableFile: damaged.
    """
    suffix = path.suffix.lower()
    held: frozenset[str] = frozenset()
    if suffix == ".npz":
        held = frozenset(arrays.names_of(path))
    elif suffix == ".csv":
        held = frozenset(text.columns(path))
    elif suffix == ".json":
        held = frozenset(_members(path))
    return tuple(info.name for info in inputs if info.name in held)


def _members(path: Path) -> tuple[str, ...]:
    try:
        value = json.loads(text.read_text(path))
    except (ValueError, RecursionError):
        return ()  # whoever reads a value of it says what is wrong
    return tuple(value) if isinstance(value, dict) else ()
