"""Partitions: which part of a model ran on which device, and the cost of crossing over."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby, takewhile
from math import prod

from msgspec import Struct

from inspector.report.report import InsertedNode, LayerUse, PerformanceReport
from inspector.wording.support_marks import Status
from inspector.wording.values import Duration, Sentence, Size

COPIES = ("copy", "wait")  # trace.Kind.COPY and WAIT, as reports write them
_CPU = "cpu"
_BIT_LENGTHS = {"bool": 8, "string": 0}


class Crossing(Struct, frozen=True):
    """A copy from one device to another.

    after, before: the layers on both sides; None for an input or output of the model.
    source, target: ids of devices. time_ns: None where the provider that compiled one side
    hands the tensor over itself, within the time of its part. waits: it is for a device that
    works on its own, so that a copy's own time is not known.
    """

    after: int | None
    before: int | None
    source: str
    target: str
    size_bytes: int
    time_ns: int | None
    waits: bool = False


class Island(Struct, frozen=True):
    """Layers that follow one another in the file on one device, by their indices.

    time_ns: of their kernels. copies: crossings into it and out of it.
    """

    device: str
    layers: tuple[int, ...]
    time_ns: int
    copies: tuple[Crossing, ...]

    @property
    def copied_bytes(self) -> int:
        """Bytes copied in and out of the island in one run."""
        return sum(crossing.size_bytes for crossing in self.copies)

    @property
    def copied_ns(self) -> int:
        """Duration of those copies in nanoseconds, where the runtime reports it."""
        return sum(crossing.time_ns or 0 for crossing in self.copies)


class Partition(Struct, frozen=True):
    """The islands of a report in the file's order, and all crossings."""

    islands: tuple[Island, ...]
    crossings: tuple[Crossing, ...]

    @property
    def divided(self) -> bool:
        """Whether more than one device had a part."""
        return len({island.device for island in self.islands}) > 1

    @property
    def copied(self) -> str:
        """Text on the data copied in one run, with its duration where that is known."""
        moved = Size(sum(crossing.size_bytes for crossing in self.crossings))
        times = [each.time_ns for each in self.crossings if each.time_ns is not None]
        if any(crossing.waits for crossing in self.crossings):
            return Sentence("{size} copied per run (duration unknown)", moved)
        if self.crossings and not times:
            return Sentence("{size} per run, passed on inside compiled partitions", moved)
        return Sentence("{size} copied per run in {time}", moved, Duration(sum(times)))

    @property
    def dear(self) -> tuple[Island, ...]:
        """Islands that cost copies both ways: most bytes for fewest layers first."""
        islands = [island for island in self.islands if _both_ways(island)]
        return tuple(sorted(islands, key=lambda one: (len(one.layers), -one.copied_bytes)))


def partition(report: PerformanceReport) -> Partition:
    """Divide the layers of a report by the device that ran them, alone or as part of a group.

    Layers that did not run (folded, dead, not reached) belong to no island.
    """
    by_index = {layer.index: layer for layer in report.layers}
    homes = dict(_homes(by_index))
    copied = tuple(_crossing(node, homes) for node in report.inserted if node.kind in COPIES)
    crossings = (*copied, *_handed_over(by_index, homes, copied))
    islands = []
    for device, group in groupby(homes.items(), key=lambda item: item[1]):
        layers = tuple(index for index, _ in group)
        inside = set(layers)
        time = sum(by_index[index].time_ns or 0 for index in layers)
        copies = tuple(c for c in crossings if (c.after in inside) != (c.before in inside))
        islands.append(Island(device, layers, time, copies))
    return Partition(tuple(islands), crossings)


def layers_on(report: PerformanceReport, device: str) -> int:
    """Count the layers that ran on a device by themselves or in a part that it compiled."""
    own = {layer.index for layer in report.layers if layer.ran_on == device}
    compiled = (layer for layer in report.layers if layer.status is Status.COMPILED)
    return len(own | {layer.index for layer in compiled if layer.into in own})


def layers_not_run(report: PerformanceReport) -> int:
    """Count the layers that no device ran, since they were fused into others or removed."""
    return len(report.layers) - sum(layers_on(report, each.id) for each in report.devices)


def _homes(layers: Mapping[int, LayerUse]) -> Iterator[tuple[int, str]]:
    for layer in layers.values():
        lead = layer if layer.into is None else layers.get(layer.into)
        if lead is not None and lead.ran_on is not None:
            yield layer.index, lead.ran_on


def _handed_over(
    layers: Mapping[int, LayerUse], homes: Mapping[int, str], copied: Iterable[Crossing]
) -> Iterator[Crossing]:
    """Find what goes in and out of compiled parts where no node of the runtime copies it."""
    crossed = {(crossing.source, crossing.target) for crossing in copied}
    counted = set()
    for layer in layers.values():
        for maker in (layers[index] for index in layer.reads if index in layers):
            source, target = homes.get(maker.index), homes.get(layer.index)
            if source is None or target is None or source == target:
                continue
            compiled = Status.COMPILED in (maker.status, layer.status)
            if (
                compiled
                and (source, target) not in crossed
                and (maker.index, target) not in counted
            ):
                counted.add((maker.index, target))
                number = described_bytes(maker.output)
                yield Crossing(maker.index, layer.index, source, target, number, None)


def described_bytes(text: str) -> int:
    """Count the bytes of "float32 1×64×56×56"; 0 where a length or the type is not known."""
    dtype, _, axes = text.partition(" ")
    digits = "".join(takewhile(str.isdigit, dtype.lstrip("abcdefghijklmnopqrstuvwxyz")))
    bits = _BIT_LENGTHS.get(dtype, int(digits or 0))
    lengths = [] if axes in ("", "scalar") else axes.split("×")
    fixed = all(length.isdigit() for length in lengths)
    return (bits * prod(map(int, lengths)) + 7) // 8 if fixed else 0


def _crossing(node: InsertedNode, homes: Mapping[int, str]) -> Crossing:
    """Return source and target device of a copy; inputs and outputs are on the CPU."""
    source = homes.get(node.after, "") if node.after is not None else ""
    target = homes.get(node.before, "") if node.before is not None else ""
    if not source:
        source = _CPU if target != _CPU else node.device
    if not target:
        target = _CPU if source != _CPU else node.device
    waits = node.kind == "wait" or node.submitted_ns is not None
    time = None if waits else node.time_ns
    return Crossing(node.after, node.before, source, target, node.size_bytes, time, waits)


def _both_ways(island: Island) -> bool:
    inside = set(island.layers)
    comes = any(crossing.before in inside for crossing in island.copies)
    goes = any(crossing.after in inside for crossing in island.copies)
    timed = any(crossing.time_ns is not None for crossing in island.copies)
    return comes and goes and timed
