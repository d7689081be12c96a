"""What devices that are not here would take, predicted from lists of their operators.

`tools/make_support_tables.py` makes the tables. A kernel that exists need not be chosen: the
answers are predictions, and say so.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

SCHEMA = "support-table/1"


@dataclass(frozen=True, slots=True)
class Kernel:
    """Versions of an operator and the types that a kernel takes, by place; None for any.

    until: 0 means to the operator's next change.
    """

    since: int
    until: int
    inputs: tuple[frozenset[str] | None, ...]
    outputs: tuple[frozenset[str] | None, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SupportTable:
    """What one provider takes.

    source: program, version and date or commit that the table is of. fixed_shapes: whether it
    refuses inputs with a free axis. most_axes: of a tensor; 0 for no limit.
    kernels: by operator, its domain before it unless it is ai.onnx; without a kernel, any
    version and type will do. rules: see the tool. functions: operators made of others.
    """

    device: str
    provider: str
    source: str
    fixed_shapes: bool
    most_axes: int
    kernels: Mapping[str, Sequence[Kernel]]
    rules: Mapping[str, Sequence[str]]
    functions: Mapping[str, Sequence[str]]


def read(body: bytes) -> SupportTable:
    """Read a table of schema support-table/1."""
    plain: dict[str, Any] = json.loads(body)
    assert plain["schema"] == SCHEMA, "the tables come with the program"
    types = [frozenset(words.split()) for words in plain["types"]]

    def side(places: list[int]) -> tuple[frozenset[str] | None, ...]:
        return tuple(types[place] if place >= 0 else None for place in places)

    when = plain["date"] or f"commit {plain['commit'][:10]}"
    return SupportTable(
        plain["device"],
        plain["provider"],
        f"{plain['source']} of {when}",
        plain["fixed_shapes"],
        plain["most_axes"],
        {
            name: tuple(Kernel(row[0], row[1], side(row[2]), side(row[3])) for row in rows)
            for name, rows in plain["operators"].items()
        },
        plain["rules"],
        plain["functions"],
    )


def takes(kinds: Sequence[frozenset[str] | None], given: Sequence[str]) -> bool:
    """Whether types fit; the last place stands for all that follow, "" for an unknown type."""
    if not kinds:
        return True
    allowed = (kinds[min(place, len(kinds) - 1)] for place in range(len(given)))
    return all(
        not kind or some is None or kind in some
        for some, kind in zip(allowed, given, strict=True)
    )
