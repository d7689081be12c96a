"""The layers of a report as a table to sort and search, and what the runtime added in between.

Its cells are those of the table of the slowest layers in documents.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import nan
from typing import Any

from msgspec import Struct

from inspector import units
from inspector.analysis.measured.computed_precision import conversion, precision_of
from inspector.analysis.measured.layer_sum import (
    handed_over,
    interval_label,
    selection_text,
    timing_text,
)
from inspector.analysis.measured.roofline_points import MEMORY, Point, points, rate
from inspector.pages.blocks import KEPT, Column, Row, Side, Table
from inspector.pages.rows import Filled, filled_table
from inspector.report.report import Device, InsertedNode, LayerUse, PerformanceReport
from inspector.wording.support_marks import Mark, Status
from inspector.wording.values import (
    Count,
    Duration,
    DurationRange,
    Joined,
    MarkValue,
    Name,
    Noted,
    Number,
    Sentence,
    Share,
    Size,
    Spread,
    Tone,
    Toned,
    Value,
    joined,
)

Entry = LayerUse | InsertedNode
_MOST_DEVICES = 8
_FAMILIES = ("cpu", "gpu")
_MARKS = {mark: place for place, mark in enumerate(Mark)}
_ARROW = " → "  # between the stored type and the computed one
# letters
_OPERATOR = 80
_KIND = 40
TOGETHER = "together"  # kind of an entry that stands for all added nodes
_OUTPUT = 120


class Devices(Struct, frozen=True):
    """The devices of the session, then the predicted ones."""

    all: tuple[Device, ...]

    def family(self, id_: str) -> str:
        """Return "cpu", "gpu" or "npu", which decides on the color of a mark."""
        kinds = {device.id: device.kind for device in self.all}
        kind = kinds.get(id_, "cpu")
        return kind if kind in _FAMILIES else "npu"

    def mark(self, layer: LayerUse, id_: str) -> MarkValue:
        """Return the mark of a layer on a device, with the reason."""
        support, name = layer.devices.get(id_), units.device(id_)
        if support is None:
            text = Joined((name, Mark.UNKNOWN.label), ": ")
            return MarkValue(Mark.UNKNOWN, self.family(id_), text)
        because = Name(units.clip(support.reason, 400)) if support.reason else ""
        text = Joined(filter(None, (name, support.label, because)), ": ")
        return MarkValue(support.mark, self.family(id_), Joined((text, support.known_by), ""))


def entries(report: PerformanceReport, added: bool) -> tuple[Entry, ...]:
    """Return the layers, then what the runtime added: each node, or all as one entry.

    So the times and shares of the entries add up to those of all kernels either way.
    """
    nodes = report.inserted
    if not added and any(node.time_ns for node in nodes):
        time_ns, size = sum(n.time_ns for n in nodes), sum(n.size_bytes for n in nodes)
        devices = {node.device for node in nodes}
        device = devices.pop() if len(devices) == 1 else ""
        return *report.layers, InsertedNode("", "", TOGETHER, device, time_ns, size)
    return (*report.layers, *nodes) if added else report.layers


def layer_table(
    report: PerformanceReport, precisions: Sequence[str] = (), added: bool = False
) -> Table:
    """Return a row for each layer, and for what the runtime added if wanted.

    precisions: the type each layer computes in, by its index; without, that of its output.
    """
    return _Layers(report, precisions, entries(report, added)).table()


def name_cell(entry: Entry) -> Value:
    """Return the name as the file or the runtime has it, and whether its time is noisy."""
    name = Name(entry_name(entry))
    return Joined((name, Toned("(noisy)", Tone.CAUTION)), " ") if entry.noisy else name


def entry_name(entry: Entry) -> str:
    """Return the name of an entry; what it is where it has none."""
    if isinstance(entry, InsertedNode):
        return units.clip_name(entry.name or entry.operator)
    return units.clip_name(entry.name or f"{entry.operator} {entry.index}")


def time_cell(entry: Entry, report: PerformanceReport) -> Value:
    """Return the time of an entry, or the reason why it has none of its own."""
    submitted = handed_over(entry)
    if submitted is not None:
        return submitted
    if entry.time_ns is not None:
        return Duration(entry.time_ns, report.profiling.clock_ns)
    assert isinstance(entry, LayerUse), "inserted nodes have a time"
    status = "not timed" if entry.status is Status.EXECUTED else entry.status.value
    if entry.into is None:
        return status
    return Sentence("{status} into {layer}", status, Count(entry.into))


def share_cell(entry: Entry, report: PerformanceReport) -> Value:
    """Return the share of an entry in the time of all kernels; "" without a time."""
    if entry.time_ns is None or handed_over(entry) is not None:
        return ""
    return kernel_share(entry.time_ns, report)


def kernel_share(time_ns: int, report: PerformanceReport) -> Value:
    """Return the share of a time in that of all kernels; a bound where it is too short."""
    clock_ns = report.profiling.clock_ns
    if time_ns >= clock_ns:
        return Share(time_ns, report.kernel_ns)
    most = Share(min(clock_ns, report.kernel_ns), report.kernel_ns)
    return Noted(Sentence("< {share}", most), order=time_ns / max(1, report.kernel_ns))


def spread_cell(entry: Entry, report: PerformanceReport) -> Value:
    """Return the 95% interval of the time of an entry; "" where it is not known."""
    spread = entry.spread
    if spread is None or spread.low_ns is None or spread.high_ns is None:
        return ""
    return DurationRange(spread.low_ns, spread.high_ns, report.profiling.clock_ns)


class _Layers:
    """What the rows of a table have in common, worked out once."""

    def __init__(
        self, report: PerformanceReport, precisions: Sequence[str], shown: tuple[Entry, ...]
    ) -> None:
        self.report, self.precisions, self.entries = report, precisions, shown
        self.shown_devices = report.requested_devices[:_MOST_DEVICES]
        self.devices = Devices(report.requested_devices)
        self.points = {point.layer.index: point for point in points(report)}
        self.longest_ns = max((entry.time_ns or 0 for entry in shown), default=0) or 1
        self.by_index = {layer.index: layer for layer in report.layers}
        self.depths = _depths(report.layers)

    def table(self) -> Table:
        """Return the table, the slowest first where anything was timed."""
        timed = any(layer.time_ns is not None for layer in self.report.layers)
        by = "time" if timed else "index"
        return filled_table(
            len(self.entries), tuple(self._columns()), self._texts, self._row,
            noun="row" if len(self.entries) > len(self.report.layers) else "layer",
            sorted_by=by,
        )  # fmt: skip

    def _columns(self) -> Iterator[Filled]:
        """Yield each column with its cells and what it is sorted by."""
        report, right, each, reached = self.report, Side.RIGHT, self._each, self._reached
        ran_on = {layer.ran_on for layer in report.layers}
        about = joined(selection_text(report), timing_text(report), separator=" ")
        time_ns = each(lambda entry: entry.time_ns)
        yield Filled(
            Column("index", "#", right, falling=False, help="Position in the model"),
            self._cell(lambda e: Count(e.index) if isinstance(e, LayerUse) else "+"),
            self._positions,
        )
        yield Filled(
            Column("name", "Layer", stretch=True),
            self._cell(lambda entry: Noted(self._name(entry), self._interval(entry))),
            each(lambda entry: entry_name(entry).casefold()),
        )
        yield Filled(
            Column("operator", "Operator", keep=5),
            self._cell(lambda entry: Name(units.clip(entry.operator, _OPERATOR))),
            each(lambda entry: entry.operator.casefold()),
        )
        yield Filled(
            Column("output", "Output", keep=0, digits=True, help="Shape of the first output"),
            self._cell(lambda entry: self._output(entry)[1]),
            each(lambda e: e.output.partition(" ")[2] if isinstance(e, LayerUse) else ""),
        )
        for device in self.shown_devices:
            title = units.clip(units.device(device.id), 24)
            keep = KEPT if device.id in ran_on else 3
            yield Filled(
                Column(f"mark {device.id}", title, Side.CENTER, keep, marks=True,
                       help=self._about(device)),
                self._cell(partial(self._mark, device=device)),
                each(partial(_mark_rank, device=device.id)),
            )  # fmt: skip
        yield Filled(
            Column("precision", "Data type", keep=6,
                   help="Data type of the computation; stored → computed where the device has "
                        "no kernel for the stored type"),
            self._cell(self._precision),
            each(lambda entry: str(self._precision(entry))),
        )  # fmt: skip
        bar = Column("bar", "", keep=8, bar=True, falling=True)
        yield Filled(bar, self._cell(self._bar), time_ns)
        yield Filled(
            Column("time", report.profiling.time_title, right, help=about),
            self._cell(self._time), time_ns,
        )  # fmt: skip
        yield Filled(
            Column("share", "% of time", right, keep=7,
                   help="Share of the total time of all kernels"),
            self._cell(lambda entry: share_cell(entry, report)), time_ns,
        )  # fmt: skip
        if report.profiling.runs:
            yield Filled(
                Column("spread", "95% CI", right, keep=4),
                self._cell(lambda e: Noted(spread_cell(e, report), self._interval(e))),
                each(lambda entry: None if entry.spread is None else entry.spread.high_ns),
            )  # fmt: skip
        if any(layer.arena_bytes is not None for layer in report.layers):
            yield Filled(
                Column("memory", "Arena in use", right, keep=3,
                       help="Measured: bytes in use in the runtime's memory arena when the "
                            "kernel ended, in the first run"),
                self._cell(lambda e: "" if (size := _arena_bytes(e)) is None else Size(size)),
                each(_arena_bytes),
            )  # fmt: skip
        if report.roofline.ceilings:
            yield Filled(
                Column("rate", "GFLOP/s", right, keep=2,
                       help="Operations per second of the layer's own time, fused layers "
                            "included"),
                reached(lambda point: Number(point.operations_per_second / 1e9)),
                each(self._of_point(lambda point: point.operations_per_second, None)),
            )  # fmt: skip
            yield Filled(
                Column("peak", "% of peak", right, keep=8,
                       help="Percentage of the device's peak that the layer achieves: peak "
                            "memory bandwidth if the layer is memory-bound, otherwise peak "
                            "compute"),
                reached(_share_of_peak),
                each(self._of_point(
                    lambda point: point.share if _compared(point) else None, None)),
            )  # fmt: skip
            yield Filled(
                Column("bound", "Limited by", keep=1,
                       help="What limits the layer at its arithmetic intensity: compute, "
                            "memory bandwidth, or caches (the data comes from caches, faster "
                            "than memory could deliver it)"),
                reached(lambda point: point.limit),
                each(self._of_point(lambda point: point.limit, "")),
            )  # fmt: skip

    def _cell(self, cell: Callable[[Entry], Value]) -> Callable[[int], Value]:
        """Return what gives the cell of a place."""
        return lambda place: cell(self.entries[place])

    def _each(self, key: Callable[[Entry], float | str | None]) -> Callable[[], list[Any]]:
        """Return what gives a key for each entry to sort by; those without one stand last."""
        return lambda: [nan if (known := key(entry)) is None else known
                        for entry in self.entries]  # fmt: skip

    def _of_point(
        self, value: Callable[[Point], float | str | None], without: str | None
    ) -> Callable[[Entry], float | str | None]:
        """Return what gives a number of an entry's point in the roofline."""
        return lambda e: without if (point := self._point(e)) is None else value(point)

    def _reached(self, value: Callable[[Point], Value]) -> Callable[[int], Value]:
        """Return what gives a cell of the roofline; "" for what has no point there."""
        return self._cell(lambda e: "" if (point := self._point(e)) is None else value(point))

    def _row(self, place: int, cells: tuple[Value, ...]) -> Row:
        entry = self.entries[place]
        device = entry.ran_on if isinstance(entry, LayerUse) else entry.device
        depth = self.depths[place] if place < len(self.depths) else 0
        return Row(cells, depth=depth, family=self.devices.family(device or "cpu"))

    def _interval(self, entry: Entry) -> Value:
        return interval_label(entry, self.report.profiling.clock_ns)

    def _about(self, device: Device) -> Value:
        parts: list[Value] = [Name(device.name), device.provider]
        if device in self.report.predicted:
            parts.append(Sentence("estimated from a {source}", device.source))
        return Joined(tuple(parts), " · ")

    def _name(self, entry: Entry) -> Value:
        if isinstance(entry, InsertedNode) and entry.kind == TOGETHER:
            return Sentence("{count} added by the runtime", Count(len(self.report.inserted)))
        return name_cell(entry)

    def _output(self, entry: Entry) -> tuple[str, Value]:
        """Return type and shape of the first output; of what was added its kind and size."""
        if isinstance(entry, InsertedNode):
            size = Size(entry.size_bytes) if entry.size_bytes else ""
            return "" if entry.kind == TOGETHER else units.clip(entry.kind, _KIND), size
        dtype, _, shape = units.clip(entry.output, _OUTPUT).partition(" ")
        return dtype, Name(shape) if shape else ""

    def _mark(self, entry: Entry, device: Device) -> Value:
        """Return how a layer relates to a device; of what was added, whether it ran there."""
        if isinstance(entry, LayerUse):
            return self.devices.mark(entry, device.id)
        if entry.device != device.id:
            return ""
        text = "Added by the runtime, ran here"
        return MarkValue(Mark.RAN, self.devices.family(device.id), text)

    def _precision(self, entry: Entry) -> Value:
        """Return the type in which an entry computes; stored → computed where they differ."""
        if isinstance(entry, LayerUse):
            if conversion(entry, self.report.layers):
                text = units.clip(precision_of(entry, self.report.layers), _KIND)
                stored, _, computed = text.partition(_ARROW)
                return Joined((stored, Toned(computed, Tone.PLAIN, strong=True)), _ARROW)
            if entry.index < len(self.precisions):
                return self.precisions[entry.index]
        return self._output(entry)[0]

    def _bar(self, entry: Entry) -> Value:
        if entry.time_ns is None:
            return ""
        part, spread = entry.time_ns / self.longest_ns, entry.spread
        if spread is None or spread.low_ns is None or spread.high_ns is None:
            return Number(part)
        low, high = spread.low_ns / self.longest_ns, spread.high_ns / self.longest_ns
        return Spread(part, low=low, high=high)

    def _time(self, entry: Entry) -> Value:
        time = time_cell(entry, self.report)
        if isinstance(time, Duration):
            return Noted(time, self._interval(entry))
        into = self.by_index.get(entry.into) if isinstance(entry, LayerUse) and (
            entry.into is not None) else None  # fmt: skip
        note: Value = ""
        if handed_over(entry) is not None:
            note = Sentence("Not timed: {submission}", time)
        elif into is not None:
            values: dict[str, Value] = {
                "index": Count(into.index), "column_name": Name(entry_name(into)),
            }  # fmt: skip
            note = Sentence("Its time is included in layer {index}, {column_name}", **values)
        return Noted(Toned(time, Tone.SECONDARY), note)

    def _point(self, entry: Entry) -> Point | None:
        return self.points.get(entry.index) if isinstance(entry, LayerUse) else None

    def _positions(self) -> list[float]:
        """Return the order of the model, with what was added beside its neighbors."""
        places: dict[int | None, int] = {
            layer.index: place for place, layer in enumerate(self.report.layers)
        }
        order = list[float]()
        for place, entry in enumerate(self.entries):
            if isinstance(entry, LayerUse):
                order.append(float(place))
            elif entry.before in places:
                order.append(places[entry.before] - 0.5)
            else:
                order.append(places.get(entry.after, len(places)) + 0.5)
        return order

    def _texts(self) -> list[str]:
        """Return name, operator, device, and what devices say of each entry, with reasons."""
        return list(map(_searched, self.entries))


def _arena_bytes(entry: Entry) -> int | None:
    return entry.arena_bytes if isinstance(entry, LayerUse) else None


def _share_of_peak(point: Point) -> Value:
    """Return the share of the peak that a layer reaches; "" where there is none."""
    return Noted(f"{100 * point.share:.0f}%", _peak(point)) if _compared(point) else ""


def _compared(point: Point) -> bool:
    """Return whether there is a peak for a layer: not for one that only moves cached data."""
    return bool(point.operations) or point.bound == MEMORY


def _peak(point: Point) -> Sentence:
    """Return what a layer reaches, and the peak that this is compared with."""
    ceiling, unit = point.ceiling, point.ceiling.unit
    if point.bound == MEMORY:
        return Sentence(
            "{reached} of the memory bandwidth, {peak}",
            rate(point.bytes_per_second, "B/s"),
            rate(ceiling.bytes_per_second, "B/s"),
        )
    return Sentence(
        "{reached} of the compute peak, {peak}",
        rate(point.operations_per_second, unit),
        rate(ceiling.operations_per_second, unit),
    )


def _mark_rank(entry: Entry, device: str) -> float:
    """Return the place of an entry's mark among all kinds of marks; the last for none."""
    support = entry.devices.get(device) if isinstance(entry, LayerUse) else None
    return _MARKS[support.mark] if support is not None else len(_MARKS)


def _searched(entry: Entry) -> str:
    device = entry.ran_on if isinstance(entry, LayerUse) else entry.device
    ran = f"{device} {units.device(device)}" if device else ""
    answers = entry.devices.values() if isinstance(entry, LayerUse) else ()
    said = {text for s in answers for text in (s.label, s.mark.value, s.rule.value, s.reason)}
    return "\n".join((entry_name(entry), entry.operator, ran, *sorted(said))).casefold()


def _depths(layers: Sequence[LayerUse]) -> list[int]:
    """Return how deep each layer lies in subgraphs; a parent stands before its children."""
    depth: dict[int, int] = {}
    for layer in layers:
        depth[layer.index] = depth.get(layer.parent, -1) + 1 if layer.parent is not None else 0
    return [depth[layer.index] for layer in layers]
