"""Labels out of a text: JSON or a Python literal, as files and the metadata of models have."""

import ast
import json
from typing import Any

_MOST_INDEX = 1_000_000  # of a class: a label for each below it is made


def parsed(text: str) -> tuple[str, ...]:
    """Return the labels of a JSON or Python literal; empty when it is neither."""
    for parse in (json.loads, ast.literal_eval):
        try:
            value = parse(text.strip())
            if isinstance(value, list | tuple) and [*map(type, value)] == [str]:
                return (value[0],)  # of the one class that there is
            return _from_value(value)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    return ()


def ordered(by_index: dict[int, str]) -> tuple[str, ...]:
    """Return labels in the order of their classes; "" for a class without one."""
    last = max(by_index)
    if min(by_index) < 0 or last > _MOST_INDEX:
        return ()
    return tuple(by_index.get(index, "") for index in range(last + 1))


def _from_value(value: Any) -> tuple[str, ...]:
    if isinstance(value, list | tuple):
        return tuple(map(_name, value)) if len(value) > 1 else ()
    if not isinstance(value, dict):
        return ()
    by_index = {_index(key): _name(name) for key, name in value.items()}
    if value and None not in by_index:
        return ordered({index: name for index, name in by_index.items() if index is not None})
    if value and all(isinstance(index, int) for index in value.values()):
        return ordered({index: str(name) for name, index in value.items()})
    inner = [_from_value(part) for part in value.values() if isinstance(part, list | dict)]
    return max(inner, key=len, default=())


def _index(key: object) -> int | None:
    text = str(key)
    return int(text) if text.isdecimal() and len(text) < 10 else None


def _name(entry: object) -> str:
    """Return the text of a label given as text, as [synset, name], or as an object."""
    if isinstance(entry, list | tuple) and entry:
        return str(entry[-1])
    if isinstance(entry, dict):
        return str(entry.get("name", entry.get("label", next(iter(entry.values()), ""))))
    return str(entry)
