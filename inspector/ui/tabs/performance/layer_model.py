"""The layers of a report as rows of a table, and what the runtime put in between them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from inspector import units
from inspector.analysis.layer_search import ValueInfo, values_by_name
from inspector.analysis.measured.computed_precision import conversion, precision_of
from inspector.analysis.measured.layer_sum import (
    handed_over,
    interval_words,
    selection_words,
    timing_words,
    unranked,
)
from inspector.analysis.measured.roofline_points import Point, points
from inspector.model.model import Layer, Model, TensorInfo
from inspector.report.report import InsertedNode, LayerUse, PerformanceReport, Support
from inspector.report.support_marks import Mark, Status
from inspector.ui.selection import Selected
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.parts import tip
from inspector.ui.widgets.table_model import SearchedLayers, TableModel, ranks

# The columns of the layer table: what each one says of a layer, and how it sorts.


Entry = LayerUse | InsertedNode
_MARKS = tuple(Mark)
_MAX_DEVICES = 8


class ColumnKind(StrEnum):
    """What a column tells."""

    NUMBER = "#"
    LAYER = mark("Layer")
    OPERATOR = mark("Operator")
    OUTPUT = mark("Output")
    DEVICE = mark("Device")
    PRECISION = mark("Precision")
    TIME = mark("Time")
    SHARE = mark("% of time")
    SPREAD = mark("Min to max")
    RATE = mark("GFLOP/s")
    CEILING = mark("% of peak")
    BOUND = mark("Bound by")


ROOFLINE_NUMBERS = (ColumnKind.RATE, ColumnKind.CEILING)
ROOFLINE = (*ROOFLINE_NUMBERS, ColumnKind.BOUND)


@dataclass(frozen=True, slots=True)
class Column:
    """One column.

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
        """Whether it is aligned to the right."""
        return self.kind in (
            ColumnKind.NUMBER,
            ColumnKind.TIME,
            ColumnKind.SHARE,
            ColumnKind.SPREAD,
            *ROOFLINE_NUMBERS,
        )

    @property
    def largest_first(self) -> bool:
        """Whether the first click sorts downwards."""
        return self.kind in (
            ColumnKind.TIME,
            ColumnKind.SHARE,
            ColumnKind.SPREAD,
            *ROOFLINE_NUMBERS,
        )


def columns(report: PerformanceReport) -> tuple[Column, ...]:
    """All columns of a report, from left to right."""
    shown = report.requested_devices[:_MAX_DEVICES]
    ran_on = {layer.ran_on for layer in report.layers}
    devices = (
        Column(ColumnKind.DEVICE, units.clip(units.device(d.id), 24), d.id, d.id in ran_on)
        for d in shown
    )
    plain = {text: Column(text, text.value) for text in ColumnKind}
    converted = any(conversion(layer, report.layers) for layer in report.layers)
    return (
        plain[ColumnKind.NUMBER],
        plain[ColumnKind.LAYER],
        plain[ColumnKind.OPERATOR],
        plain[ColumnKind.OUTPUT],
        *devices,
        Column(ColumnKind.PRECISION, ColumnKind.PRECISION.value, wide=converted),
        Column(ColumnKind.TIME, report.profiling.time_title),
        plain[ColumnKind.SHARE],
        *((plain[ColumnKind.SPREAD],) if report.profiling.runs else ()),
        *(plain[text] for text in ROOFLINE if report.roofline.ceilings),
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
    """How a layer relates to a device; an inserted node only has the one it ran on."""
    return entry.devices.get(device) if isinstance(entry, LayerUse) else None


def time_text(entry: Entry, leader: LayerUse | None, longest_ns: int) -> str:
    """Its time, or why it has none of its own.

    leader: the layer whose time holds it. longest_ns: the longest time of a layer.
    """
    if handed_over(entry):
        return tr("not timed")
    if entry.time_ns is not None:
        return units.lined_up(entry.time_ns, longest_ns)
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


def spread_text(entry: Entry) -> str:
    """The least and the longest time; the unit once where both have the same."""
    if entry.spread is None:
        return ""
    low, high = units.duration(entry.spread.min_ns), units.duration(entry.spread.max_ns)
    number, unit = low.split(" ", 1)
    return (
        tr("{number} to {high}").format(number=number, high=high)
        if high.endswith(f" {unit}")
        else tr("{low} to {high}").format(low=low, high=high)
    )


def is_noisy(entry: Entry) -> bool:
    """Whether its time scatters too much to conclude anything from it."""
    return entry.spread is not None and entry.spread.noisy


def mark_text(support: Support | None) -> str:
    """A marker in words: what it says, how that is known, and why."""
    if support is None:
        return tr("Not checked")
    text = f"{support.label}{support.known_by}"
    return f"{text}: {units.clip(support.reason, 400)}" if support.reason else text


def roofline_text(point: Point | None, kind: ColumnKind) -> str:
    """What a layer reached of what its device can do; empty where that is not known."""
    if point is None:
        return ""
    if kind is ColumnKind.RATE:
        return units.significant(point.operations_per_second / 1e9)
    return f"{100 * point.share:.0f}%" if kind is ColumnKind.CEILING else point.bound


def keys(column: Column, entries: Sequence[Entry]) -> NDArray[np.float64]:
    """What a column with numbers or markers sorts by: float64 (entries,); NaN for none."""
    if column.kind is ColumnKind.SPREAD:
        longest = (np.nan if one.spread is None else one.spread.max_ns for one in entries)
        return np.fromiter(longest, np.float64, len(entries))
    if column.numeric:
        times = (np.nan if entry.time_ns is None else entry.time_ns for entry in entries)
        return np.fromiter(times, np.float64, len(entries))
    if column.kind is ColumnKind.DEVICE:
        marks = (_mark_rank(support(entry, column.device)) for entry in entries)
        return np.fromiter(marks, np.float64, len(entries))
    raise AssertionError("other columns sort by their words")


def positions(
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


def _mark_rank(support: Support | None) -> int:
    return _MARKS.index(support.mark) if support else len(_MARKS)


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
        self.longest_layer_ns = max((layer.time_ns or 0 for layer in report.layers), default=0)
        self.longest_ns = self.longest_layer_ns
        self._entries = _entries(report)
        self._reached = {point.layer.index: point for point in points(report)}
        self._depths = _depths(report.layers)
        self._places = {layer.index: place for place, layer in enumerate(report.layers)}
        self._positions = positions(report.layers, report.inserted)
        self.search_in(None)
        by_time = next(
            n for n, column in enumerate(self.columns) if column.kind is ColumnKind.TIME
        )
        if self._timed.any() and not unranked(report):
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
                for entry in self._entries
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
        """What a row shows."""
        return self._entries[self.place_of(row)]

    def depth(self, row: int) -> int:
        """How many control-flow layers it lies in; only told in the model's order."""
        place, by = self.place_of(row), self.sorted_column
        in_order = by is not None and by.kind is ColumnKind.NUMBER
        return self._depths[place] if in_order and place < len(self._depths) else 0

    def leader(self, entry: Entry) -> LayerUse | None:
        """The layer whose span holds the time of this one."""
        into = entry.into if isinstance(entry, LayerUse) else None
        place = self._places.get(into) if into is not None else None
        return None if place is None else self.report.layers[place]

    def row_of(self, chosen: Selected) -> int | None:
        """Where the selected layer or inserted node is shown; None where it is left out."""
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
        """What a cell says."""
        entry = self.entry(row)
        match column.kind:
            case ColumnKind.NUMBER:
                return str(entry.index) if isinstance(entry, LayerUse) else "+"
            case ColumnKind.LAYER:
                return column_name(entry)
            case ColumnKind.OPERATOR:
                return units.clip(entry.operator, 80)
            case ColumnKind.OUTPUT:
                return output_type(entry)[1]
            case ColumnKind.PRECISION:
                return self._precision(entry)
            case ColumnKind.DEVICE:
                return self._marked(entry, column)
            case ColumnKind.TIME:
                return time_text(entry, self.leader(entry), self.longest_layer_ns)
            case ColumnKind.SHARE:
                timed = entry.time_ns is not None and not handed_over(entry)
                return units.share(entry.time_ns or 0, self.report.kernel_ns) if timed else ""
            case ColumnKind.SPREAD:
                return spread_text(entry)
            case ColumnKind.RATE | ColumnKind.CEILING | ColumnKind.BOUND:
                return roofline_text(self._point(entry), column.kind)

    def _reached_in(self, entry: Entry, kind: ColumnKind) -> float:
        point = self._point(entry)
        if point is None:
            return np.nan
        return point.operations_per_second if kind is ColumnKind.RATE else point.share

    def _bound(self, entry: Entry) -> str:
        return roofline_text(self._point(entry), ColumnKind.BOUND)

    def _point(self, entry: Entry) -> Point | None:
        return self._reached.get(entry.index) if isinstance(entry, LayerUse) else None

    def shown_ns(self) -> int:
        """Own time of all entries that are shown, per prediction."""
        return sum(self._entries[place].time_ns or 0 for place in self.order.tolist())

    def show_inserted(self, shown: bool) -> None:
        """List what the runtime put in as well, or not."""
        listed = self._entries if shown else self.report.layers
        self.longest_ns = max((entry.time_ns or 0 for entry in listed), default=0)
        self.start_over(len(listed))

    def hint(self, row: int, column: Column) -> str:
        """A marker also tells the device; a time that is missing where it went."""
        text = self.text(row, column)
        if column.kind in (ColumnKind.TIME, ColumnKind.SPREAD, ColumnKind.LAYER):
            timed = interval_words(self.entry(row))
            if timed:
                return tip(*((text,) if column.kind is ColumnKind.LAYER else ()), timed)
        if column.kind is ColumnKind.DEVICE:
            return tip(column.title, text)
        submission = handed_over(self.entry(row)) if column.kind is ColumnKind.TIME else ""
        if submission:
            return tip(tr("Not timed: {submission}").format(submission=submission))
        leader = self.leader(self.entry(row)) if column.kind is ColumnKind.TIME else None
        if leader is not None:
            return tip(
                tr("Its time is counted in layer {index}, {column_name}").format(
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

    def meaning(self, column: Column) -> str:
        """What a device is, or how a number was found."""
        device = next((d for d in self.report.requested_devices if d.id == column.device), None)
        if device is not None:
            predicted = tr(" · estimated from a {source}").format(source=device.source)
            more = predicted if device in self.report.predicted else ""
            return f"{device.name} · {device.provider}{more}"
        submission = timing_words(self.report)
        return {
            ColumnKind.TIME: selection_words(self.report)
            + (f". {submission}" if submission else ""),
            ColumnKind.SHARE: tr("Share of the total time of all kernels"),
            ColumnKind.SPREAD: tr(
                "Min and max of the profiled runs behind the median; noisy if "
                "more than "
                "1 run in 20 takes over 3 times the median"
            ),
            ColumnKind.PRECISION: tr(
                "Data type of the computation; stored → computed where the "
                "device has "
                "no kernel for the stored type"
            ),
            ColumnKind.OUTPUT: tr("Shape of the first output"),
            ColumnKind.NUMBER: tr("Position in the model"),
            ColumnKind.RATE: tr(
                "Operations per second of the layer's own time, fused layers included"
            ),
            ColumnKind.CEILING: tr(
                "Achieved share of the device's peak, the lower of arithmetic "
                "and memory; "
                "above 100% where caches feed it"
            ),
            ColumnKind.BOUND: tr(
                "What limits the layer at its arithmetic intensity: arithmetic or memory"
            ),
        }.get(column.kind, "")

    def keys(self, column: Column) -> NDArray[np.float64]:
        """What the entries that are listed are ordered by."""
        entries = self._entries[: self.total]
        if column.kind is ColumnKind.NUMBER:
            return self._positions[: self.total]
        if column.kind in ROOFLINE_NUMBERS:
            return np.array([self._reached_in(entry, column.kind) for entry in entries])
        if column.numeric or column.kind is ColumnKind.DEVICE:
            return keys(column, entries)
        texts = {
            ColumnKind.LAYER: column_name,
            ColumnKind.OPERATOR: lambda entry: entry.operator,
            ColumnKind.OUTPUT: lambda entry: output_type(entry)[1],
            ColumnKind.PRECISION: self._precision,
            ColumnKind.BOUND: self._bound,
        }
        numbered = texts[column.kind]
        return ranks([numbered(entry).casefold() for entry in entries])

    def haystack(self) -> Sequence[str]:
        """Name, operator and device of what is listed."""
        return [_search_text(entry) for entry in self._entries[: self.total]]

    def _precision(self, entry: Entry) -> str:
        if isinstance(entry, LayerUse):
            timed = self._precisions
            if conversion(entry, self.report.layers):
                return units.clip(precision_of(entry, self.report.layers), 40)
            if entry.index < len(timed):
                return timed[entry.index]
        return output_type(entry)[0]

    def _marked(self, entry: Entry, column: Column) -> str:
        if isinstance(entry, LayerUse):
            return mark_text(support(entry, column.device))
        return tr("Added by the runtime, ran here") if entry.device == column.device else ""


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
    """What devices say of a layer and why not, so that "unsupported" finds it."""
    marks = use.devices.values()
    text = {message for s in marks for message in (s.label, s.mark.value, s.rule.value)}
    return "\n".join(sorted(text))


def _depths(layers: tuple[LayerUse, ...]) -> list[int]:
    """How deep each layer lies in subgraphs; a parent stands before its children."""
    depth: dict[int, int] = {}
    for layer in layers:
        depth[layer.index] = depth.get(layer.parent, -1) + 1 if layer.parent is not None else 0
    return [depth[layer.index] for layer in layers]
