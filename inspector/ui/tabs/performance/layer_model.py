"""The layers of a report as rows of a table, and what the runtime put in between them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

import numpy as np
from numpy.typing import NDArray

from inspector import units
from inspector.analysis.layer_search import ValueInfo, values_by_name
from inspector.analysis.measured.computed_precision import conversion, precision_of
from inspector.analysis.measured.layer_sum import (
    handed_over,
    interval_label,
    selection_text,
    timing_text,
)
from inspector.analysis.measured.roofline_points import MEMORY, Point, points, rate
from inspector.model.model import Layer, Model, TensorInfo
from inspector.report.report import InsertedNode, LayerUse, PerformanceReport, Support
from inspector.report.support_marks import Mark, Status
from inspector.ui.selection import Selected
from inspector.ui.translate import mark, tr, written
from inspector.ui.widgets.parts import tip
from inspector.ui.widgets.table_model import SearchedLayers, TableModel, ranks

# The columns of the layer table: what each one says of a layer, and how it sorts.


Entry = LayerUse | InsertedNode
_MARKS = tuple(Mark)
_MAX_DEVICES = 8


class ColumnKind(Enum):
    """A column of the layer table; `COLUMNS` says all about it."""

    NUMBER = auto()
    LAYER = auto()
    OPERATOR = auto()
    OUTPUT = auto()
    DEVICE = auto()
    PRECISION = auto()
    TIME = auto()
    SHARE = auto()
    SPREAD = auto()
    MEMORY = auto()
    RATE = auto()
    CEILING = auto()
    BOUND = auto()


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a report's table.

    device: id of the device whose markers it shows. used: layers ran on that device.
    wide: it holds two types, "a → b".
    """

    kind: ColumnKind
    title: str
    device: str = ""
    used: bool = False
    wide: bool = False

    def __str__(self) -> str:
        return self.title

    @property
    def numeric(self) -> bool:
        """Return whether it is aligned to the right."""
        return COLUMNS[self.kind].numeric

    @property
    def largest_first(self) -> bool:
        """Return whether the first click sorts downwards."""
        return self.numeric and self.kind is not ColumnKind.NUMBER


@dataclass(frozen=True, slots=True)
class ColumnSpec:
    """Everything about one kind of column except how its cells are painted.

    width_px, narrow_px: in a wide table, and in one under `layer_table.NARROW_PX`; 0: as wide
    as the title. hides: rank among the columns that give way when there is no room, 1 first; 0:
    always shown. text: of a cell, from the model, the entry and the column. key: the number to
    sort by, NaN for none, from the model, the place of the entry and the column; None: sorted
    by its text. numeric: aligned to the right.
    """

    title: str
    width_px: int
    narrow_px: int
    hides: int
    text: "Callable[[LayerTableModel, Entry, Column], str]"
    key: "Callable[[LayerTableModel, int, Column], float] | None" = None
    meaning: str = ""
    numeric: bool = False


COLUMNS: Mapping[ColumnKind, ColumnSpec] = {
    ColumnKind.NUMBER: ColumnSpec(
        "#", 46, 46, 0,
        lambda _, entry, __: str(entry.index) if isinstance(entry, LayerUse) else "+",
        lambda model, place, _: model.positions[place],
        mark("Position in the model"),
        numeric=True,
    ),
    ColumnKind.LAYER: ColumnSpec(
        mark("Layer"), 170, 140, 0,
        lambda _, entry, __: column_name(entry),
    ),
    ColumnKind.OPERATOR: ColumnSpec(
        mark("Operator"), 132, 104, 6,
        lambda _, entry, __: units.clip(entry.operator, 80),
    ),
    ColumnKind.OUTPUT: ColumnSpec(
        mark("Output"), 122, 122, 1,
        lambda _, entry, __: output_type(entry)[1],
        meaning=mark("Shape of the first output"),
    ),
    ColumnKind.DEVICE: ColumnSpec(
        mark("Device"), 0, 0, 4,
        lambda _, entry, column: support_text(entry, column.device),
        lambda model, place, column: support_rank(model.entries[place], column.device),
    ),
    ColumnKind.PRECISION: ColumnSpec(
        mark("Precision"), 66, 66, 7,
        lambda model, entry, _: model.precision(entry),
        meaning=mark(
            "Data type of the computation; stored → computed where the device has no kernel "
            "for the stored type"
        ),
    ),
    ColumnKind.TIME: ColumnSpec(  # its meaning depends on the report: LayerTableModel.meaning
        mark("Time"), 152, 132, 0,
        lambda model, entry, _: time_text(
            entry, model.leader(entry), model.clock_ns
        ),
        lambda model, place, _: time_key(model.entries[place]),
        numeric=True,
    ),
    ColumnKind.SHARE: ColumnSpec(
        mark("% of time"), 66, 66, 8,
        lambda model, entry, _: model.share(entry),
        lambda model, place, _: time_key(model.entries[place]),
        mark("Share of the total time of all kernels"),
        numeric=True,
    ),
    ColumnKind.SPREAD: ColumnSpec(
        mark("Min to max"), 146, 146, 5,
        lambda model, entry, _: spread_text(entry, model.clock_ns),
        lambda model, place, _: spread_key(model.entries[place]),
        mark(
            "Shortest and longest of the profiled runs; noisy if more than 1 run "
            "in 20 takes over 3 times the median"
        ),
        numeric=True,
    ),
    ColumnKind.MEMORY: ColumnSpec(
        mark("Arena in use"), 104, 96, 4,
        lambda _, entry, __: memory_text(entry),
        lambda model, place, _: memory_key(model.entries[place]),
        mark(
            "Measured: bytes in use in the runtime's memory arena when the kernel ended, in "
            "the first run"
        ),
        numeric=True,
    ),
    ColumnKind.RATE: ColumnSpec(
        mark("GFLOP/s"), 70, 70, 3,
        lambda model, entry, _: rate_text(model.point(entry)),
        lambda model, place, _: rate_key(model.point(model.entries[place])),
        mark("Operations per second of the layer's own time, fused layers included"),
        numeric=True,
    ),
    ColumnKind.CEILING: ColumnSpec(
        mark("% of peak"), 78, 78, 9,
        lambda model, entry, _: peak_text(model.point(entry)),
        lambda model, place, _: peak_key(model.point(model.entries[place])),
        mark(
            "Percentage of the device's peak that the layer achieves: peak memory bandwidth if "
            "the layer is memory-bound, otherwise peak compute"
        ),
        numeric=True,
    ),
    ColumnKind.BOUND: ColumnSpec(
        mark("Limited by"), 78, 78, 2,
        lambda model, entry, _: bound_text(model.point(entry)),
        meaning=mark(
            "What limits the layer at its arithmetic intensity: compute, memory bandwidth, or "
            "caches (the data comes from caches, faster than memory could deliver it)"
        ),
    ),
}  # fmt: skip
_ROOFLINE = (ColumnKind.RATE, ColumnKind.CEILING, ColumnKind.BOUND)


def columns(report: PerformanceReport) -> tuple[Column, ...]:
    """All columns of a report, from left to right."""
    shown = report.requested_devices[:_MAX_DEVICES]
    ran_on = {layer.ran_on for layer in report.layers}
    devices = (
        Column(ColumnKind.DEVICE, units.clip(units.device(d.id), 24), d.id, d.id in ran_on)
        for d in shown
    )
    plain = {kind: Column(kind, spec.title) for kind, spec in COLUMNS.items()}
    converted = any(conversion(layer, report.layers) for layer in report.layers)
    return (
        plain[ColumnKind.NUMBER],
        plain[ColumnKind.LAYER],
        plain[ColumnKind.OPERATOR],
        plain[ColumnKind.OUTPUT],
        *devices,
        replace(plain[ColumnKind.PRECISION], wide=converted),
        Column(ColumnKind.TIME, report.profiling.time_title),
        plain[ColumnKind.SHARE],
        *((plain[ColumnKind.SPREAD],) if report.profiling.runs else ()),
        *(
            (plain[ColumnKind.MEMORY],)
            if any(layer.arena_bytes is not None for layer in report.layers)
            else ()
        ),
        *(plain[kind] for kind in _ROOFLINE if report.roofline.ceilings),
    )


def column_name(entry: Entry) -> str:
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
    """Return how a layer relates to a device; an inserted node only has the one it ran on."""
    return entry.devices.get(device) if isinstance(entry, LayerUse) else None


def time_text(entry: Entry, leader: LayerUse | None, clock_ns: int = 0) -> str:
    """Return the time as text, or the reason why there is none.

    leader: the layer whose time holds it. clock_ns: see `Profiling.clock_ns`.
    """
    if handed_over(entry):
        return tr("not timed")
    if entry.time_ns is not None:
        return units.duration(entry.time_ns, clock_ns)
    assert isinstance(entry, LayerUse), "inserted nodes have a time"
    if leader is not None:
        leaf = units.scope_and_name(column_name(leader))[1]
        numbered = leaf.endswith(
            f" {leader.index}"
        )  # as in "Conv 18", where the file has no name
        return (
            tr("counted in {leaf}").format(leaf=leaf)
            if numbered
            else tr("counted in #{index} {leaf}").format(index=leader.index, leaf=leaf)
        )
    return tr("not timed") if entry.status is Status.EXECUTED else entry.status.value


def spread_text(entry: Entry, clock_ns: int = 0) -> str:
    """The least and the longest time; the unit once where both have the same."""
    if entry.spread is None:
        return ""
    if entry.spread.min_ns < clock_ns:  # the clock of the profiler cannot tell it from nothing
        return tr("up to {high}").format(
            high=units.duration(max(clock_ns, entry.spread.max_ns))
        )
    low, high = units.duration(entry.spread.min_ns), units.duration(entry.spread.max_ns)
    number, unit = low.split(" ", 1)
    return (
        tr("{number} to {high}").format(number=number, high=high)
        if high.endswith(f" {unit}")
        else tr("{low} to {high}").format(low=low, high=high)
    )


def memory_text(entry: Entry) -> str:
    """Return the arena's bytes in use after a layer; "" where they are not known."""
    taken = entry.arena_bytes if isinstance(entry, LayerUse) else None
    return "" if taken is None else units.size(taken)


def memory_key(entry: Entry) -> float:
    """Return the arena's bytes in use after a layer; NaN where they are not known."""
    taken = entry.arena_bytes if isinstance(entry, LayerUse) else None
    return np.nan if taken is None else taken


def is_noisy(entry: Entry) -> bool:
    """Return whether its time scatters too much to conclude anything from it."""
    return entry.spread is not None and entry.spread.noisy


def mark_text(support: Support | None) -> str:
    """A marker as text: what it says, how that is known, and why."""
    if support is None:
        return tr("Not checked")
    text = f"{tr(support.label)}{support.known_by}"
    return f"{text}: {units.clip(support.reason, 400)}" if support.reason else text


def support_text(entry: Entry, device: str) -> str:
    """Return how a layer relates to a device; of an inserted node, whether it ran there."""
    if isinstance(entry, LayerUse):
        return mark_text(support(entry, device))
    return tr("Added by the runtime, ran here") if entry.device == device else ""


def support_rank(entry: Entry, device: str) -> int:
    """Return the place of an entry's marker among all kinds of markers; the last for none."""
    answer = support(entry, device)
    return _MARKS.index(answer.mark) if answer else len(_MARKS)


def time_key(entry: Entry) -> float:
    """Return the time of an entry in nanoseconds; NaN for none."""
    return np.nan if entry.time_ns is None else entry.time_ns


def spread_key(entry: Entry) -> float:
    """Return the longest time of an entry in nanoseconds; NaN for none."""
    return np.nan if entry.spread is None else entry.spread.max_ns


def rate_text(point: Point | None) -> str:
    """Return the operations per second of a layer in billions; "" where they are not known."""
    return "" if point is None else units.significant(point.operations_per_second / 1e9)


def rate_key(point: Point | None) -> float:
    """Return the operations per second of a layer; NaN where they are not known."""
    return np.nan if point is None else point.operations_per_second


def peak_text(point: Point | None) -> str:
    """Return the achieved share of the device's peak; "" where it is not known."""
    if point is None or not _compared(point):
        return ""
    return f"{100 * point.share:.0f}%"


def reached_text(point: Point | None) -> str:
    """Return what a layer reaches, and the peak that this is compared with."""
    if point is None:
        return ""
    unit = point.ceiling.unit
    if point.bound == MEMORY:
        return tr("{reached} of the memory bandwidth, {peak}").format(
            reached=rate(point.bytes_per_second, "B/s"),
            peak=rate(point.ceiling.bytes_per_second, "B/s"),
        )
    return tr("{reached} of the compute peak, {peak}").format(
        reached=rate(point.operations_per_second, unit),
        peak=rate(point.ceiling.operations_per_second, unit),
    )


def _compared(point: Point) -> bool:
    """Return whether there is a peak for a layer: not for one that only moves cached data."""
    return bool(point.operations) or point.bound == MEMORY


def peak_key(point: Point | None) -> float:
    """Return the achieved share of the device's peak; NaN where it is not known."""
    return np.nan if point is None or not _compared(point) else point.share


def bound_text(point: Point | None) -> str:
    """Return what limits a layer; "" where it is not known."""
    return "" if point is None else point.limit


def model_order(
    layers: Sequence[LayerUse], inserted: Sequence[InsertedNode]
) -> NDArray[np.float64]:
    """Order of the model, inserted nodes beside their neighbours: float64."""
    places = {layer.index: place for place, layer in enumerate(layers)}
    order = [float(place) for place in range(len(layers))]
    for node in inserted:
        if node.before in places:
            order.append(places[node.before] - 0.5)
        elif node.after in places:
            order.append(places[node.after] + 0.5)
        else:
            order.append(float(len(layers)))
    return np.array(order, np.float64)


class LayerTableModel(TableModel[Column]):
    """Layers with an own time, the slowest first; others and inserted nodes on demand.

    Where layers cannot be ranked, they begin in the model's order.
    precisions: the dtype each layer works in, by its index; without, that of its output.
    """

    def __init__(self, report: PerformanceReport, precisions: tuple[str, ...] = ()) -> None:
        super().__init__(columns(report), len(report.layers), sorted_by=0)
        timed = (layer.time_ns is not None for layer in report.layers)
        self._timed = np.fromiter(timed, np.bool_, len(report.layers))
        self.shows_untimed = not self._timed.any()
        self.report, self._precisions = report, precisions
        self.longest_ns: int = max((layer.time_ns or 0 for layer in report.layers), default=0)
        self.entries: tuple[Entry, ...] = _entries(report)
        self._reached = {point.layer.index: point for point in points(report)}
        self._depths = _depths(report.layers)
        self._places = {layer.index: place for place, layer in enumerate(report.layers)}
        self.positions: NDArray[np.float64] = model_order(report.layers, report.inserted)
        self.search_in(None)
        by_time = next(
            n for n, column in enumerate(self.columns) if column.kind is ColumnKind.TIME
        )
        if self._timed.any():
            self.sorted_by, self.downwards = by_time, True
        self.arrange()

    def search_in(self, model: Model | None) -> None:
        """Let the filter know the model; without, it searches what the report says."""

        def source() -> SearchedLayers:
            by_index = {use.index: use for use in self.report.layers}
            layers = model.layers if model is not None else ()
            searched = [
                layers[entry.index]
                if isinstance(entry, LayerUse) and entry.index < len(layers)
                else _as_layer(entry, by_index)
                for entry in self.entries
            ]
            values: dict[str, ValueInfo] = dict(map(_as_value, self.report.layers))
            return searched, values | (values_by_name(model) if model is not None else {})

        self.search_layers(source)

    @property
    def untimed(self) -> int:
        """Number of layers without an own time, where others have one."""
        return int((~self._timed).sum()) if self._timed.any() else 0

    def show_untimed(self, shown: bool) -> None:
        """List the layers without an own time as well, or not."""
        self.shows_untimed = shown
        self.arrange()

    def listed(self) -> NDArray[np.intp]:
        """Return what is listed: what has a time; all where something is searched for."""
        places = np.arange(self.total)
        if self.shows_untimed or self._wanted.strip():
            return places
        added = np.ones(max(0, self.total - len(self._timed)), bool)
        return np.flatnonzero(np.concatenate([self._timed, added]))

    def entry(self, row: int) -> Entry:
        """Return what a row shows."""
        return self.entries[self.place_of(row)]

    def depth(self, row: int) -> int:
        """Return how many control-flow layers it lies in; only told in the model's order."""
        place, by = self.place_of(row), self.sorted_column
        in_order = by is not None and by.kind is ColumnKind.NUMBER
        return self._depths[place] if in_order and place < len(self._depths) else 0

    def leader(self, entry: Entry) -> LayerUse | None:
        """The layer whose span holds the time of this one."""
        into = entry.into if isinstance(entry, LayerUse) else None
        place = self._places.get(into) if into is not None else None
        return None if place is None else self.report.layers[place]

    def row_of(self, chosen: Selected) -> int | None:
        """Return where the selected layer or inserted node is shown; None where it is left
        out."""
        place = self._places.get(chosen.layer) if chosen.layer is not None else None
        if place is None and chosen.layer is None and chosen.span is not None:
            place = self._inserted_place(chosen.span)
        return None if place is None else self.row_at(place)

    def span_of(self, node: InsertedNode) -> int | None:
        """A span of an inserted node, in a prediction."""
        trace = self.report.trace
        if node.name not in trace.names:
            return None
        named = trace.name == trace.names.index(node.name)
        result = np.flatnonzero(named & (trace.run >= 0))
        return int(result[len(result) // 2]) if len(result) else None

    def text(self, row: int, column: Column) -> str:
        """Return the text of a cell."""
        return COLUMNS[column.kind].text(self, self.entry(row), column)

    def share(self, entry: Entry) -> str:
        """Return the share of an entry in the time of all kernels; "" without a time."""
        timed = entry.time_ns is not None and not handed_over(entry)
        return units.share(entry.time_ns or 0, self.report.kernel_ns) if timed else ""

    def point(self, entry: Entry) -> Point | None:
        """Return where a layer is in the roofline plot, if it is there."""
        return self._reached.get(entry.index) if isinstance(entry, LayerUse) else None

    def shown_ns(self) -> int:
        """Return the self time of all shown entries, per run."""
        return sum(self.entries[place].time_ns or 0 for place in self.order.tolist())

    def show_inserted(self, shown: bool) -> None:
        """List what the runtime put in as well, or not."""
        listed = self.entries if shown else self.report.layers
        self.longest_ns = max((entry.time_ns or 0 for entry in listed), default=0)
        self.start_over(len(listed))

    def hint(self, row: int, column: Column) -> str:
        """A marker also tells the device; a time that is missing where it went."""
        text = self.text(row, column)
        if column.kind in (ColumnKind.TIME, ColumnKind.SPREAD, ColumnKind.LAYER):
            timed = written(interval_label(self.entry(row), self.report.profiling.clock_ns))
            if timed:
                return tip(*((text,) if column.kind is ColumnKind.LAYER else ()), timed)
        if column.kind is ColumnKind.DEVICE:
            return tip(tr(column.title), text)
        if column.kind is ColumnKind.CEILING and text:
            return tip(reached_text(self.point(self.entry(row))))
        submission = written(
            handed_over(self.entry(row)) if column.kind is ColumnKind.TIME else ""
        )
        if submission:
            return tip(tr("Not timed: {submission}").format(submission=submission))
        leader = self.leader(self.entry(row)) if column.kind is ColumnKind.TIME else None
        if leader is not None:
            return tip(
                tr("Its time is included in layer {index}, {column_name}").format(
                    index=leader.index, column_name=column_name(leader)
                )
            )
        return tip(text)

    def _inserted_place(self, span: int) -> int | None:
        trace, report = self.report.trace, self.report
        name = trace.names[trace.name[span]] if span < len(trace) else ""
        places = (i for i, node in enumerate(report.inserted) if node.name == name)
        place = next(places, None)
        return None if place is None else place + len(report.layers)

    @property
    def clock_ns(self) -> int:
        """Return the step of the profiler's clock, below which times are no numbers."""
        return self.report.profiling.clock_ns

    def meaning(self, column: Column) -> str:
        """Return what a device is, or how a number was found."""
        device = next((d for d in self.report.requested_devices if d.id == column.device), None)
        if device is not None:
            predicted = tr(" · estimated from a {source}").format(source=device.source)
            more = predicted if device in self.report.predicted else ""
            return f"{device.name} · {device.provider}{more}"
        if column.kind is ColumnKind.TIME:
            values = (selection_text(self.report), timing_text(self.report))
            return " ".join(filter(None, map(written, values)))
        return tr(COLUMNS[column.kind].meaning)

    def keys(self, column: Column) -> NDArray[np.float64]:
        """Return what the entries that are listed are ordered by."""
        spec = COLUMNS[column.kind]
        if spec.key is None:
            entries = self.entries[: self.total]
            return ranks([spec.text(self, entry, column).casefold() for entry in entries])
        numbers = (spec.key(self, place, column) for place in range(self.total))
        return np.fromiter(numbers, np.float64, self.total)

    def haystack(self) -> Sequence[str]:
        """Name, operator and device of what is listed."""
        return [_search_text(entry) for entry in self.entries[: self.total]]

    def precision(self, entry: Entry) -> str:
        """Return the type in which an entry works; stored → computed if they differ."""
        if isinstance(entry, LayerUse):
            timed = self._precisions
            if conversion(entry, self.report.layers):
                return units.clip(precision_of(entry, self.report.layers), 40)
            if entry.index < len(timed):
                return timed[entry.index]
        return output_type(entry)[0]


def _entries(report: PerformanceReport) -> tuple[Entry, ...]:
    return (*report.layers, *report.inserted)


def _as_layer(entry: Entry, uses: Mapping[int, LayerUse]) -> Layer:
    """Return what a report says of a layer as one of a model: names of its tensors."""
    if isinstance(entry, InsertedNode):
        return Layer(-1, entry.name, entry.operator, "", (), ())
    reads = tuple(_as_value(uses[index])[0] for index in entry.reads if index in uses)
    made = (_as_value(entry)[0],)
    return Layer(entry.index, entry.name, entry.operator, "", reads, made, parent=entry.parent)


def _as_value(use: LayerUse) -> tuple[str, TensorInfo]:
    """Return name, type and shape of the first output of a layer."""
    name = use.value or f"output of layer {use.index}"
    dtype, _, text = use.output.partition(" ")
    axes = tuple(int(axis) if axis.isdecimal() else axis for axis in text.split("×") if axis)
    return name, TensorInfo(name, "tensor", dtype, axes if dtype else None)


def _search_text(entry: Entry) -> str:
    device = entry.ran_on if isinstance(entry, LayerUse) else entry.device
    ran = f"{device} {units.device(device)}" if device else ""
    marks = _mark_texts(entry) if isinstance(entry, LayerUse) else ""
    return f"{column_name(entry)}\n{entry.operator}\n{ran}\n{marks}".casefold()


def _mark_texts(use: LayerUse) -> str:
    """Return what devices say of a layer and why not, so that "unsupported" finds it."""
    marks = use.devices.values()
    text = {message for s in marks for message in (s.label, s.mark.value, s.rule.value)}
    return "\n".join(sorted(text))


def _depths(layers: tuple[LayerUse, ...]) -> list[int]:
    """Return how deep each layer lies in subgraphs; a parent stands before its children."""
    depth: dict[int, int] = {}
    for layer in layers:
        depth[layer.index] = depth.get(layer.parent, -1) + 1 if layer.parent is not None else 0
    return [depth[layer.index] for layer in layers]
