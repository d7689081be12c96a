"""Names of models in several files: `NAME-00001-of-00003.gguf`, safetensors with an index."""

import re
from pathlib import Path

from inspector.platform import files

INDEX = ".safetensors.index.json"
_PART = re.compile(
    r"(?P<stem>.+)-(?P<number>\d{5})-of-(?P<count>\d{5})(?P<suffix>\.gguf|\.safetensors)",
    re.IGNORECASE,
)


def part_of(name: str) -> tuple[int, int] | None:
    """Return which of how many files of a model a name says it is, from 1; None for others."""
    match = _PART.fullmatch(name)
    return (int(match["number"]), int(match["count"])) if match else None


def part_name(name: str, number: int) -> str:
    """Return the name of another part of the model; empty where a name is not that of one."""
    match = _PART.fullmatch(name)
    if match is None:
        return ""
    return f"{match['stem']}-{number:05}-of-{match['count']}{match['suffix']}"


def whole(path: Path) -> Path:
    """Return the file that stands for the whole model of which a file is a part.

    That is the index, or of GGUF the first part, where it is beside the file; else the file.
    """
    match = _PART.fullmatch(path.name)
    if match is None:
        return path
    is_gguf = match["suffix"].lower() == ".gguf"
    first = path.with_name(part_name(path.name, 1) if is_gguf else f"{match['stem']}{INDEX}")
    return first if files.is_file(first) else path
