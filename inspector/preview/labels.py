"""Names of classes, from a file or from what a model's metadata says."""

import ast
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from inspector import files
from inspector.errors import UnreadableFile

LIMIT_BYTES = 16 << 20
_MOST_INDEX = 1_000_000
_KEYS = (
    ".labels", ".classes", ".class_labels", ".class_names", ".label_names", ".names",
    ".id2label", ".categories", ".preview.params",
)  # fmt: skip
_NUMBERED = re.compile(r"\s*(\d+)\s*[\s:,;=]\s*(.*\S)\s*")


def read(path: Path) -> tuple[str, ...]:
    """Read labels in the order of their classes; "" for a class without one.

    Text: one a line, their own numbers in front are taken off. JSON: a list, an object of
    index to name or of name to index, or an object that holds one of these.
    Raises UnreadableFile: missing, not text, no labels in it.
    """
    what = f"Could not read labels from {path.name}"
    try:
        text = files.read_capped(path, LIMIT_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableFile(what, "it is not text in UTF-8", "Save it as UTF-8.") from error
    found = _from_text(text) or _from_lines(text.splitlines())
    if not found:
        hint = "Give a text file with one label a line, or a JSON list."
        raise UnreadableFile(what, "there are none in it", hint)
    return found


def from_metadata(metadata: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Labels that a model carries under one of the usual keys; empty when there are none.

    The value may be JSON, a Python literal, or a list separated by lines or commas.
    """
    for key, value in metadata:
        if len(value) <= LIMIT_BYTES and f".{key.lower()}".endswith(_KEYS):
            listed = value.strip()
            separator = "\n" if "\n" in listed else ","
            found = _from_text(listed) or _from_list(listed.split(separator))
            if found:
                return found
    return ()


def _from_text(text: str) -> tuple[str, ...]:
    """Labels of a JSON or Python literal; empty when it is neither."""
    for parse in (json.loads, ast.literal_eval):
        try:
            return _from_value(parse(text.strip()))
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    return ()


def _from_value(value: Any) -> tuple[str, ...]:
    if isinstance(value, list | tuple):
        return tuple(map(_name, value)) if len(value) > 1 else ()
    if not isinstance(value, dict):
        return ()
    by_index = {_index(key): _name(name) for key, name in value.items()}
    if value and None not in by_index:
        return _ordered({index: name for index, name in by_index.items() if index is not None})
    if value and all(isinstance(index, int) for index in value.values()):
        return _ordered({index: str(name) for name, index in value.items()})
    inner = [_from_value(part) for part in value.values() if isinstance(part, list | dict)]
    return max(inner, key=len, default=())


def _index(key: object) -> int | None:
    text = str(key)
    return int(text) if text.isdecimal() and len(text) < 10 else None


def _name(entry: object) -> str:
    """A label may come as text, as [synset, name], or as an object with a name."""
    if isinstance(entry, list | tuple) and entry:
        return str(entry[-1])
    if isinstance(entry, dict):
        return str(entry.get("name", entry.get("label", next(iter(entry.values()), ""))))
    return str(entry)


def _ordered(by_index: dict[int, str]) -> tuple[str, ...]:
    last = max(by_index)
    if min(by_index) < 0 or last > _MOST_INDEX:
        return ()
    return tuple(by_index.get(index, "") for index in range(last + 1))


def _from_lines(lines: Sequence[str]) -> tuple[str, ...]:
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    numbered = [_NUMBERED.fullmatch(line) for line in lines]
    if len(lines) > 1 and all(numbered):
        by_index = {int(found[1][:9]): found[2] for found in numbered if found}
        if len(by_index) == len(lines) and max(by_index) < 2 * len(lines):
            return _ordered(by_index)
    return tuple(line.strip() for line in lines)


def _from_list(parts: Sequence[str]) -> tuple[str, ...]:
    names = tuple(part.strip() for part in parts)
    return names if len(names) > 1 and all(names) else ()
