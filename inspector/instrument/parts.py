"""Reads what a recorded program wrote, whole or cut off in the middle."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any


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
    ordered = sorted(spans, key=lambda one: int(one.name.rpartition("-")[2]))
    chunks = (chunk for one in ordered for chunk in _lines(one))
    return Part(tuple(_lines(path)), tuple(tuple(row) for chunk in chunks for row in chunk))


def _lines(path: Path) -> Iterator[Any]:
    """Each whole line; a program that was killed may leave half of the last one."""
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.endswith("\n"):
                yield json.loads(line)
