"""The columns of the layer table: what each one says of a layer, and how it sorts."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from inspector import units
from inspector.analysis.ran_precision import conversion
from inspector.analysis.roofline import Point
from inspector.analysis.submission import handed_over
from inspector.marking import Mark, Status
from inspector.report import InsertedNode, LayerUse, PerformanceReport, Support

Entry = LayerUse | InsertedNode
_MARKS = tuple(Mark)
_MOST_DEVICES = 8


class What(StrEnum):
    """What a column tells."""

    NUMBER = "#"
    LAYER = "Layer"
    OPERATOR = "Operator"
    OUTPUT = "Output"
    DEVICE = "Device"
    PRECISION = "Precision"
    TIME = "Time"
    SHARE = "Share"
    SPREAD = "Min to max"
    RATE = "GFLOP/s"
    CEILING = "Of ceiling"
    BOUND = "Bound by"


REACHED = (What.RATE, What.CEILING)
ROOFLINE = (*REACHED, What.BOUND)


@dataclass(frozen=True, slots=True)
class Column:
    """One column.

    device: id of the device whose markers it shows. wide: it holds two types, "a → b".
    """

    what: What
    title: str
    device: str = ""
    wide: bool = False

    def __str__(self) -> str:
        return self.title

    @property
    def numeric(self) -> bool:
        """Whether it is aligned to the right."""
        return self.what in (What.NUMBER, What.TIME, What.SHARE, What.SPREAD, *REACHED)

    @property
    def largest_first(self) -> bool:
        """Whether the first click sorts downwards."""
        return self.what in (What.TIME, What.SHARE, What.SPREAD, *REACHED)


def columns(report: PerformanceReport) -> tuple[Column, ...]:
    """All columns of a report, from left to right."""
    shown = report.asked[:_MOST_DEVICES]
    devices = (Column(What.DEVICE, units.clip(units.device(d.id), 24), d.id) for d in shown)
    plain = {what: Column(what, what.value) for what in What}
    converted = any(conversion(layer, report.layers) for layer in report.layers)
    return (
        plain[What.NUMBER],
        plain[What.LAYER],
        plain[What.OPERATOR],
        plain[What.OUTPUT],
        *devices,
        Column(What.PRECISION, What.PRECISION.value, wide=converted),
        Column(What.TIME, report.profiling.time_title),
        plain[What.SHARE],
        *((plain[What.SPREAD],) if report.profiling.runs else ()),
        *(plain[what] for what in ROOFLINE if report.roofline.ceilings),
    )


def name(entry: Entry) -> str:
    """The name as the file or the runtime has it; what it is where there is none."""
    if isinstance(entry, LayerUse):
        return units.clip(entry.name or f"{entry.operator} {entry.index}")
    return units.clip(entry.name or entry.operator)


def output_type(entry: Entry) -> tuple[str, str]:
    """Type and shape of the first output; what an inserted node is, and what it moves."""
    if not isinstance(entry, LayerUse):
        return units.clip(entry.kind, 40), units.size(
            entry.size_bytes
        ) if entry.size_bytes else ""
    dtype, _, shape = units.clip(entry.output, 120).partition(" ")
    return dtype, shape


def support(entry: Entry, device: str) -> Support | None:
    """How a layer relates to a device; an inserted node only has the one it ran on."""
    return entry.devices.get(device) if isinstance(entry, LayerUse) else None


def time_words(entry: Entry, leader: LayerUse | None, longest_ns: int) -> str:
    """Its time, or why it has none of its own.

    leader: the layer whose time holds it. longest_ns: the longest time of a layer.
    """
    if handed_over(entry):
        return "not timed"
    if entry.time_ns is not None:
        return units.lined_up(entry.time_ns, longest_ns)
    assert isinstance(entry, LayerUse), "inserted nodes have a time"
    if leader is not None:
        leaf = units.scope_and_name(name(leader))[1]
        told = leaf.endswith(f" {leader.index}")  # as in "Conv 18", where the file has no name
        return f"in {leaf}" if told else f"in #{leader.index} {leaf}"
    return "not timed" if entry.status is Status.EXECUTED else entry.status.value


def spread_words(entry: Entry) -> str:
    """The least and the longest time; the unit once where both have the same."""
    if entry.spread is None:
        return ""
    low, high = units.duration(entry.spread.min_ns), units.duration(entry.spread.max_ns)
    number, unit = low.split(" ", 1)
    return f"{number} to {high}" if high.endswith(f" {unit}") else f"{low} to {high}"


def is_noisy(entry: Entry) -> bool:
    """Whether its time scatters too much to conclude anything from it."""
    return entry.spread is not None and entry.spread.noisy


def mark_words(support: Support | None) -> str:
    """A marker in words: what it says, how that is known, and why."""
    if support is None:
        return "Not asked"
    said = f"{support.words}{support.known_by}"
    return f"{said}: {units.clip(support.reason, 400)}" if support.reason else said


def reached(point: Point | None, what: What) -> str:
    """What a layer reached of what its device can do; empty where that is not known."""
    if point is None:
        return ""
    if what is What.RATE:
        return units.significant(point.operations_per_second / 1e9)
    return f"{100 * point.share:.0f} %" if what is What.CEILING else point.bound


def keys(column: Column, entries: Sequence[Entry]) -> NDArray[np.float64]:
    """What a column with numbers or markers sorts by: float64 (entries,); NaN for none."""
    if column.what is What.SPREAD:
        longest = (np.nan if one.spread is None else one.spread.max_ns for one in entries)
        return np.fromiter(longest, np.float64, len(entries))
    if column.numeric:
        times = (np.nan if entry.time_ns is None else entry.time_ns for entry in entries)
        return np.fromiter(times, np.float64, len(entries))
    if column.what is What.DEVICE:
        marks = (_place(support(entry, column.device)) for entry in entries)
        return np.fromiter(marks, np.float64, len(entries))
    raise AssertionError("other columns sort by their words")


def positions(
    layers: Sequence[LayerUse], inserted: Sequence[InsertedNode]
) -> NDArray[np.float64]:
    """Order of the model, inserted nodes beside their neighbours: float64."""
    places = {layer.index: place for place, layer in enumerate(layers)}
    found = [float(place) for place in range(len(layers))]
    for node in inserted:
        if node.before in places:
            found.append(places[node.before] - 0.5)
        elif node.after in places:
            found.append(places[node.after] + 0.5)
        else:
            found.append(float(len(layers)))
    return np.array(found, np.float64)


def _place(support: Support | None) -> int:
    return _MARKS.index(support.mark) if support else len(_MARKS)
