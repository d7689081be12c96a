"""The layers of a report as rows of a table, and what the runtime put in between them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from inspector import units
from inspector.analysis.layer_sum import interval_words, selection_words
from inspector.analysis.ran_precision import conversion, precision_of
from inspector.analysis.roofline import Point, points
from inspector.analysis.submission import handed_over, timing_words
from inspector.report import InsertedNode, LayerUse, PerformanceReport
from inspector.ui.documents.selection import Selected
from inspector.ui.kit.parts import tip
from inspector.ui.kit.table_model import TableModel, ranks
from inspector.ui.performance import layer_columns as cells
from inspector.ui.performance.layer_columns import Column, Entry, What


class LayerTableModel(TableModel[Column]):
    """All layers in the model's order, or some of them in another; inserted nodes on demand.

    precisions: the dtype each layer works in, by its index; without, that of its output.
    """

    def __init__(self, report: PerformanceReport, precisions: tuple[str, ...] = ()) -> None:
        super().__init__(cells.columns(report), len(report.layers), sorted_by=0)
        self.report, self._precisions = report, precisions
        self.longest_layer_ns = max((layer.time_ns or 0 for layer in report.layers), default=0)
        self.longest_ns = self.longest_layer_ns
        self._entries = _entries(report)
        self._reached = {point.layer.index: point for point in points(report)}
        self._depths = _depths(report.layers)
        self._places = {layer.index: place for place, layer in enumerate(report.layers)}
        self._positions = cells.positions(report.layers, report.inserted)

    def entry(self, row: int) -> Entry:
        """What a row shows."""
        return self._entries[self.place_of(row)]

    def depth(self, row: int) -> int:
        """How many control-flow layers it lies in; only told in the model's order."""
        place, by = self.place_of(row), self.sorted_column
        in_order = by is not None and by.what is What.NUMBER
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
        found = np.flatnonzero(named & (trace.run >= 0))
        return int(found[len(found) // 2]) if len(found) else None

    def text(self, row: int, column: Column) -> str:
        """What a cell says."""
        entry = self.entry(row)
        match column.what:
            case What.NUMBER:
                return str(entry.index) if isinstance(entry, LayerUse) else "+"
            case What.LAYER:
                return cells.name(entry)
            case What.OPERATOR:
                return units.clip(entry.operator, 80)
            case What.OUTPUT:
                return cells.output_type(entry)[1]
            case What.PRECISION:
                return self._precision(entry)
            case What.DEVICE:
                return self._marked(entry, column)
            case What.TIME:
                return cells.time_words(entry, self.leader(entry), self.longest_layer_ns)
            case What.SHARE:
                known = entry.time_ns is not None and not handed_over(entry)
                return units.share(entry.time_ns or 0, self.report.kernel_ns) if known else ""
            case What.SPREAD:
                return cells.spread_words(entry)
            case What.RATE | What.CEILING | What.BOUND:
                return cells.reached(self._point(entry), column.what)

    def _reached_in(self, entry: Entry, what: What) -> float:
        point = self._point(entry)
        if point is None:
            return np.nan
        return point.operations_per_second if what is What.RATE else point.share

    def _bound(self, entry: Entry) -> str:
        return cells.reached(self._point(entry), What.BOUND)

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
        if column.what in (What.TIME, What.SPREAD, What.LAYER):
            known = interval_words(self.entry(row))
            if known:
                return tip(*((text,) if column.what is What.LAYER else ()), known)
        if column.what is What.DEVICE:
            return tip(column.title, text)
        handed = handed_over(self.entry(row)) if column.what is What.TIME else ""
        if handed:
            return tip(f"Not timed: {handed}")
        leader = self.leader(self.entry(row)) if column.what is What.TIME else None
        if leader is not None:
            return tip(f"Its time is part of layer {leader.index}, {cells.name(leader)}")
        return tip(text)

    def _inserted_place(self, span: int) -> int | None:
        trace, report = self.report.trace, self.report
        name = trace.names[trace.name[span]] if span < len(trace) else ""
        places = (i for i, node in enumerate(report.inserted) if node.name == name)
        place = next(places, None)
        return None if place is None else place + len(report.layers)

    def meaning(self, column: Column) -> str:
        """What a device is, or how a number was found."""
        device = next((d for d in self.report.asked if d.id == column.device), None)
        if device is not None:
            predicted = f" · predicted from a {device.source}"
            more = predicted if device in self.report.predicted else ""
            return f"{device.name} · {device.provider}{more}"
        handed = timing_words(self.report)
        return {
            What.TIME: selection_words(self.report) + (f". {handed}" if handed else ""),
            What.SHARE: "Share of the time of all kernels",
            What.SPREAD: "Shortest and longest of the predictions that the median is from; "
            "noisy where 1 in 20 takes over 3 medians",
            What.PRECISION: "Type it computed in; stored → computed where the device lacks "
            "kernels for the stored type",
            What.OUTPUT: "Shape of the first output",
            What.NUMBER: "Place in the model",
            What.RATE: "Arithmetic in its own time, with the layers fused into it",
            What.CEILING: "Reached, of what it would meet first: arithmetic or memory; caches "
            "can feed more than memory",
            What.BOUND: "What it would meet first, by its operations a byte",
        }.get(column.what, "")

    def keys(self, column: Column) -> NDArray[np.float64]:
        """What the entries that are listed are ordered by."""
        entries = self._entries[: self.total]
        if column.what is What.NUMBER:
            return self._positions[: self.total]
        if column.what in cells.REACHED:
            return np.array([self._reached_in(entry, column.what) for entry in entries])
        if column.numeric or column.what is What.DEVICE:
            return cells.keys(column, entries)
        texts = {
            What.LAYER: cells.name,
            What.OPERATOR: lambda entry: entry.operator,
            What.OUTPUT: lambda entry: cells.output_type(entry)[1],
            What.PRECISION: self._precision,
            What.BOUND: self._bound,
        }
        told = texts[column.what]
        return ranks([told(entry).casefold() for entry in entries])

    def haystack(self) -> Sequence[str]:
        """Name, operator and device of what is listed."""
        return [_words(entry) for entry in self._entries[: self.total]]

    def _precision(self, entry: Entry) -> str:
        if isinstance(entry, LayerUse):
            known = self._precisions
            if conversion(entry, self.report.layers):
                return units.clip(precision_of(entry, self.report.layers), 40)
            if entry.index < len(known):
                return known[entry.index]
        return cells.output_type(entry)[0]

    def _marked(self, entry: Entry, column: Column) -> str:
        if isinstance(entry, LayerUse):
            return cells.mark_words(cells.support(entry, column.device))
        return "Inserted, ran here" if entry.device == column.device else ""


def _entries(report: PerformanceReport) -> tuple[Entry, ...]:
    return (*report.layers, *report.inserted)


def _words(entry: Entry) -> str:
    device = entry.ran_on if isinstance(entry, LayerUse) else entry.device
    ran = f"{device} {units.device(device)}" if device else ""
    marks = _mark_words(entry) if isinstance(entry, LayerUse) else ""
    return f"{cells.name(entry)}\n{entry.operator}\n{ran}\n{marks}".casefold()


def _mark_words(use: LayerUse) -> str:
    """What devices say of a layer and why not, so that "unsupported" finds it."""
    marks = use.devices.values()
    said = {words for s in marks for words in (s.words, s.mark.value, s.rule.value)}
    return "\n".join(sorted(said))


def _depths(layers: tuple[LayerUse, ...]) -> list[int]:
    """How deep each layer lies in subgraphs; a parent stands before its children."""
    found: dict[int, int] = {}
    for layer in layers:
        found[layer.index] = found.get(layer.parent, -1) + 1 if layer.parent is not None else 0
    return [found[layer.index] for layer in layers]
