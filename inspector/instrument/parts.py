"""Reads what a recorded program wrote: whole, cut off in the middle, or overwritten by it."""

import json
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspector.trace import Kind

_FAR, _UPTIME = 1 << 61, 1 << 56
_LAST_CLOCK = _FAR - 2 * _UPTIME  # what is added to it still fits into a trace
_KINDS = frozenset(kind.value for kind in Kind)
_ROW = (int, int, int, int, str, int, int, int)
_KIND_AT = 4
_FIELDS: dict[str, dict[str, type]] = {
    "begin": {"begin": list, "pid": int},
    "session": {"session": int, "model": str, "same": str},
    "profile": {"profile": str, "zero": int, "begun": list},
    "thread": {"thread": int, "name": str},
    "word": {"word": int, "text": str},
    "sample": {"sample": int, "memory": int, "cpu_ns": int},
    "own_ns": {"own_ns": int, "timed": int},
    "dropped": {"dropped": int},
}
"""What a fact that holds the key must hold; the program may have written into our files."""


@dataclass(frozen=True, slots=True)
class Part:
    """One process of a recording.

    facts: what was told once, in order. rows: (start, duration, thread, session, kind, word,
    bytes, prediction) of each span, nanoseconds of perf_counter.
    """

    facts: tuple[dict[str, Any], ...]
    rows: tuple[tuple[int, int, int, int, str, int, int, int], ...]

    def told(self, key: str) -> Iterator[dict[str, Any]]:
        """The facts that hold a key."""
        return (fact for fact in self.facts if key in fact)

    @property
    def ended(self) -> bool:
        """Whether the process came to its end by itself."""
        return any(True for _ in self.told("end"))


def read(folder: Path) -> tuple[Part, ...]:
    """All processes that wrote into a folder, in the order in which they began."""
    parts = [_part(path) for path in folder.glob("part-*.facts")]
    kept = [part for part in parts if any(part.told("begin"))]
    return tuple(sorted(kept, key=lambda part: next(part.told("begin"))["begin"][1]))


def _part(path: Path) -> Part:
    spans = path.parent.glob(f"{path.stem}.spans-*")
    numbered = [one for one in spans if one.name.rpartition("-")[2].isdecimal()]
    ordered = sorted(numbered, key=lambda one: int(one.name.rpartition("-")[2]))
    chunks = [chunk for one in ordered for chunk in _lines(one) if isinstance(chunk, list)]
    rows = tuple(tuple(row) for chunk in chunks for row in chunk if _is_row(row))
    return Part(tuple(fact for fact in _lines(path) if _is_fact(fact)), rows)


def _is_fact(told: Any) -> bool:
    if not isinstance(told, dict):
        return False
    wanted = [fields for key, fields in _FIELDS.items() if key in told]
    return all(_is(told.get(name), kind) for fields in wanted for name, kind in fields.items())


def _is_row(row: Any) -> bool:
    if not isinstance(row, list) or len(row) != len(_ROW):
        return False
    fits = all(_is(value, kind) for value, kind in zip(row, _ROW, strict=True))
    return fits and row[_KIND_AT] in _KINDS and all(abs(ns) < _UPTIME for ns in row[:2])


def _is(value: Any, kind: type) -> bool:
    """Whether a value is of a kind; a list is one moment on three clocks."""
    if kind is list:
        moment = isinstance(value, list) and len(value) == 3
        return moment and all(_is(ns, int) and 0 <= ns < _LAST_CLOCK for ns in value)
    if kind is int:
        return isinstance(value, int) and -_FAR < value < _FAR
    return isinstance(value, kind)


def _lines(path: Path) -> Iterator[Any]:
    """Each whole line; a program that was killed may leave half of the last one."""
    if not stat.S_ISREG(path.lstat().st_mode):
        return  # a pipe would keep us waiting
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.endswith("\n"):
                with suppress(ValueError, RecursionError):
                    yield json.loads(line)
