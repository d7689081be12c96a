"""Small changes to JSON files whose structure stays: of numbers, types, keys and lists."""

import random
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import msgspec

_NUMBERS = (
    0, 1, -1, 2, 3, 7, 255, 1000, 10**6, 2**31 - 1, 2**31, 2**32, 10**9, 2**53 - 1, 2**53,
    2**61, 2**62, 2**63 - 1, -(2**31), -(2**62), -(2**63), 2**64 - 1,
    0.0, -0.5, 0.5, 1.5, 1e-300, 5e-324, 1e17, 1e18, 1e19, 1e300, -1e300,
)  # fmt: skip
_TEXTS = (
    "", "x", "cpu", "0", "-1", "NaN", "é" * 3, "x" * 5000, "\0", "\ud7ff",
    "2026-01-01T00:00:00",
    "<b>&\"'", "%s{}", "../../x", "\n", "all", "report/1",
)  # fmt: skip
_EMPTY: tuple[Any, ...] = (None, True, False, [], {}, [[]], [0], [None], {"x": 1})
# What no encoder writes: the text stands for it until the file is written.
_RAW = "\u0001raw"
_TOKENS = (
    b"NaN",
    b"Infinity",
    b"-Infinity",
    b"1e999",
    b"-0",
    b"1" + b"0" * 400,
    b"1e-999",
    b"[" * 5000 + b"]" * 5000,
)
_LONGEST = 3000

Undo = Callable[[], None]


def mutated_json(tree: Any, chance: random.Random) -> bytes:
    """Return JSON of a tree after one to three changes; the tree itself is put right again.

    One file in eight is damaged as text as well: cut off, or a byte of it is another.
    """
    undone = [_changed(tree, chance) for _ in range(chance.choice((1, 1, 1, 2, 3)))]
    try:
        body = msgspec.json.encode(tree)
    finally:
        for undo in reversed(undone):
            undo()
    if b"\\u0001raw" in body:
        body = body.replace(b'"\\u0001raw"', chance.choice(_TOKENS))
    return _damaged(body, chance) if chance.random() < 1 / 8 else body


def _damaged(body: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(len(body) + 1)
    change = chance.randrange(3)
    if change == 0:
        return body[:place]
    if change == 1:
        return body[:place] + bytes((chance.randrange(256),)) + body[place + 1 :]
    return body[:place] + chance.choice((b"[", b"{", b"]", b"}", b",", b'"')) + body[place:]


def _changed(tree: Any, chance: random.Random) -> Undo:
    """Change one place of a tree, however deep; returns what changes it back."""
    holder, key = _place(tree, chance)
    if isinstance(holder, dict):
        return _in_object(holder, key, chance)
    if isinstance(holder, list):
        return _in_list(holder, key, chance)
    return _nothing


def _place(tree: Any, chance: random.Random) -> tuple[Any, Any]:
    """Return an object or list in a tree, and one of its keys; every level is as likely."""
    holder, key = None, None
    while isinstance(tree, dict | list) and tree and (holder is None or chance.random() < 0.85):
        holder = tree
        key = (
            chance.choice(list(tree)) if isinstance(tree, dict) else chance.randrange(len(tree))
        )
        tree = holder[key]
    return holder, key


def _in_object(holder: dict[str, Any], key: str, chance: random.Random) -> Undo:
    before = dict(holder)

    def undo() -> None:
        holder.clear()
        holder.update(before)

    change = chance.random()
    if change < 0.1:
        del holder[key]
    elif change < 0.2:
        other = chance.choice(list(holder))
        holder[key], holder[other] = holder[other], holder[key]
    elif change < 0.23:
        holder[chance.choice(_TEXTS)] = holder[key]
    else:
        holder[key] = _other(holder[key], chance)
    return undo


def _in_list(holder: list[Any], place: int, chance: random.Random) -> Undo:
    before = list(holder)

    def undo() -> None:
        holder[:] = before

    change = chance.random()
    if change < 0.1:
        del holder[place]
    elif change < 0.15:
        holder[place:place] = [holder[place]] * chance.choice((1, 3, 1000 // len(holder) + 1))
    elif change < 0.2:
        del holder[place:]
    elif change < 0.25:
        other = chance.randrange(len(holder))
        holder[place], holder[other] = holder[other], holder[place]
    else:
        holder[place] = _other(holder[place], chance)
    return undo


def _other(value: Any, chance: random.Random) -> Any:
    """Return another value: mostly of the same type, now and then of another."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if chance.random() < 0.75:
        if number and chance.random() < 0.4:
            return value + chance.choice((-1, 1, 2, -2, 10))
        if number:
            return chance.choice(_NUMBERS)
        if isinstance(value, str):
            return chance.choice(_TEXTS)
        if isinstance(value, list):
            return chance.choice(([], value * 2, [chance.choice(_NUMBERS)] * _LONGEST))
        if isinstance(value, bool):
            return not value
    kind = chance.randrange(4)
    if kind == 0:
        return chance.choice(_NUMBERS)
    if kind == 1:
        return chance.choice(_TEXTS)
    if kind == 2:
        return _RAW
    return deepcopy(chance.choice(_EMPTY))  # or a list could come to hold itself


def _nothing() -> None:
    """A tree without any place has nothing to put right."""
