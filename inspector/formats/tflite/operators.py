"""Operators of TensorFlow Lite by number, and their options as attributes.

The tables come from LiteRT's schema; `tools/make_tflite_tables.py` writes them.
"""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from inspector.formats.flatbuffer import Table
from inspector.model.model import Attribute

CUSTOM = 32
_MOST_ITEMS = 16  # of a vector that are shown
_LONGEST = 400  # characters of a text that are shown
_REAL = "fd"
_SUBGRAPH = "subgraph_index"
_SUBGRAPHS = "subgraph_indices"


@cache
def _tables() -> Any:
    return json.loads(Path(__file__).with_name("operators.json").read_bytes())


@cache
def operator_name(number: int) -> str:
    """Return the name of a built-in operator; one that is newer than the table keeps its
    number."""
    return str(_tables()["operators"].get(str(number), f"operator {number}"))


def attributes(options: Table | None, union: str, kind: int) -> tuple[Attribute, ...]:
    """Return the options of an operator.

    union: "BuiltinOptions" or "BuiltinOptions2"; kind: the number of its member, from 1.
    """
    names = _tables()["unions"][union]
    if options is None or not 0 < kind <= len(names):
        return ()
    rows = _tables()["options"][names[kind - 1]]
    return tuple(_attribute(options, *row) for row in rows)


def subgraphs(options: Table | None, union: str, kind: int) -> Iterator[tuple[str, int]]:
    """Yield (attribute, number of the subgraph) for each subgraph that an operator runs."""
    names = _tables()["unions"][union]
    if options is None or not 0 < kind <= len(names):
        return
    for number, name, code, _, default in _tables()["options"][names[kind - 1]]:
        if name.endswith(_SUBGRAPH):
            yield name.removesuffix("_" + _SUBGRAPH), options.number(number, "<i", default)
        elif name.endswith(_SUBGRAPHS):
            for index in options.numbers(number, "<" + code[1]):
                yield name.removesuffix("_" + _SUBGRAPHS), index


def _attribute(
    options: Table, number: int, name: str, code: str, enum: str, default: int
) -> Attribute:
    if code == "s":
        return Attribute(name, "string", options.text(number)[:_LONGEST])
    if code.startswith("["):
        return _vector(options, number, name, code[1], enum)
    if code in _REAL:
        return Attribute(name, "float", f"{options.real(number, '<' + code, default):.7g}")
    value = options.number(number, "<" + code, default)
    if code == "?":
        return Attribute(name, "bool", "true" if value else "false")
    return Attribute(name, *_shown(value, enum))


def _vector(options: Table, number: int, name: str, code: str, enum: str) -> Attribute:
    if code == "s":
        texts = options.texts(number)
        return Attribute(name, "strings", _listed(texts))
    if code == "B":
        length = options.extent(number, 1)[1]
        return Attribute(name, "bytes", f"{length:,} B")
    if code in _REAL:
        count, least, greatest = options.range(number, "<" + code)
        shown = options.reals(number, "<" + code, _MOST_ITEMS)
        more = f", … ({count:,}, {least:.7g} to {greatest:.7g})" if count > len(shown) else ""
        return Attribute(name, "floats", ", ".join(f"{v:.7g}" for v in shown) + more)
    values = options.numbers(number, "<" + code)
    return Attribute(name, "ints", _listed(tuple(_shown(value, enum)[1] for value in values)))


def _shown(value: int, enum: str) -> tuple[str, str]:
    """Return the kind of a number and its text: the name, where it is one of an enum."""
    name = _tables()["enums"][enum].get(str(value)) if enum else None
    return ("int", str(value)) if name is None else ("string", name)


def _listed(values: tuple[str, ...]) -> str:
    more = f", … ({len(values):,})" if len(values) > _MOST_ITEMS else ""
    return (", ".join(values[:_MOST_ITEMS]) + more)[:_LONGEST]
