"""Layers of a language model by their role: those with one name in all of its blocks."""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from inspector.report.report import LayerUse, PerformanceReport

# A number that is a whole part of a name: "layers.3", "/block/12/", "h_0_".
_NUMBER = re.compile(r"(?<![A-Za-z0-9])\d+(?![A-Za-z0-9])")
_ANY = "*"


class Role(Struct, frozen=True):
    """Layers that have one role, and their times in both phases; None where none is known.

    name: theirs, with "*" in place of the number of the block.
    """

    name: str
    operator: str
    layers: tuple[int, ...]
    prefill_ns: int | None
    decode_ns: int | None


def roles(report: PerformanceReport) -> tuple[Role, ...]:
    """Return the roles of the layers of a report, those that take longest in decode first."""
    groups: dict[tuple[str, str], list[LayerUse]] = {}
    for layer in report.layers:
        key = _NUMBER.sub(_ANY, layer.name) or layer.operator, layer.operator
        groups.setdefault(key, []).append(layer)
    return tuple(sorted(_roles(report, groups), key=lambda role: -(role.decode_ns or 0)))


def _roles(
    report: PerformanceReport, groups: dict[tuple[str, str], list[LayerUse]]
) -> Iterator[Role]:
    speed = report.generation
    prefill = speed.prefill_layers.layers_ns if speed and speed.prefill_layers else ()
    decode = [layer.time_ns for layer in report.layers]
    for (name, operator), layers in groups.items():
        indices = tuple(layer.index for layer in layers)
        # One layer alone keeps its name: a number in it tells nothing apart.
        shown = name if len(layers) > 1 else layers[0].name or operator
        times = _sum(prefill, indices), _sum(decode, indices)
        if any(time is not None for time in times):
            yield Role(shown, operator, indices, *times)


def _sum(times: Sequence[int | None], indices: Sequence[int]) -> int | None:
    known = [times[index] for index in indices if index < len(times)]
    timed = [time for time in known if time is not None]
    return sum(timed) if timed else None
