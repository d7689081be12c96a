"""The layers of a report in a card, one by one or by operator type, and what they add up to."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from inspector.analysis.layer_search import ValueInfo, values_by_name
from inspector.analysis.measured.layer_sum import cautions, cautions_in_short, sum_sentence
from inspector.model.model import Layer, Model, TensorInfo
from inspector.pages.report.layer_table import TOGETHER, Entry, entries, entry_name, layer_table
from inspector.pages.report.layers import operator_table
from inspector.report.report import InsertedNode, LayerUse, PerformanceReport
from inspector.ui import commands, units
from inspector.ui.selection import Selection
from inspector.ui.translate import mark, plural, tr, written
from inspector.ui.widgets.fields import CheckField
from inspector.ui.widgets.page_table import PageTable, SearchedLayers
from inspector.ui.widgets.parts import (
    PADDING,
    Elided,
    Segmented,
    add_to,
    button,
    column_of,
    label,
    row,
    show_in_place,
    tip,
)
from inspector.ui.widgets.table_card import FilterField, PageTableCard, RowMenu
from inspector.ui.widgets.theme import Theme
from inspector.wording.values import Name

_FILTER_HINT = mark("Filter by name, operator, device or reason")
_MOST_REASONS = 4  # of one layer, in its menu
_REASON = 160  # letters
_VIEWS = (mark("Layers"), mark("Operator types"))


class Cautions(QWidget):
    """The limitations of the layer times in one line; "Details" shows each as a sentence."""

    def __init__(self, theme: Theme, report: PerformanceReport) -> None:
        super().__init__()
        short = written(cautions_in_short(report))
        self.line = Elided(short, "caution", Qt.TextElideMode.ElideRight)
        self.more = button(theme, tr("Details"), role="link")
        self.more.setCheckable(True)
        self.details = label(" ".join(map(written, cautions(report))), "secondary", wraps=True)
        self.details.hide()
        self.more.toggled.connect(self._open)
        column = column_of(on=self, spacing=4, margins=(PADDING - 1, 0, PADDING - 1, 2))
        add_to(column, row(self.line, self.more, stretch=0), self.details)
        show_in_place(self, bool(short))

    def _open(self, opened: bool) -> None:
        self.details.setVisible(opened)
        self.more.setText(tr("Hide details") if opened else tr("Details"))


class LayerTable(PageTableCard):
    """Shows what became of each layer; what is chosen here is chosen everywhere.

    Layers without an own time are left out until they are wanted, or something is searched for.
    """

    timeline_asked = Signal()

    def __init__(
        self,
        theme: Theme,
        report: PerformanceReport,
        selection: Selection,
        precisions: tuple[str, ...] = (),
    ) -> None:
        self._report, self._selection, self._precisions = report, selection, precisions
        self._searched: Model | None = None
        self.entries = entries(report, added=False)
        untimed = [layer for layer in report.layers if layer.time_ns is None]
        self._has_untimed = 0 < len(untimed) < len(report.layers)
        self.has_model = self._searching = False
        field = FilterField(
            theme, tr("Filter layers"), tr(_FILTER_HINT), wide=262, small=92, roomy=960
        )
        field.explain_search()
        added_ns = sum(node.time_ns for node in report.inserted)
        self.inserted = CheckField(
            tr("{count:,} added by runtime").format(count=len(report.inserted))
        )
        self.inserted.setToolTip(
            tip(
                tr("List copies, casts and layout conversions that the runtime added"),
                units.duration(added_ns) if added_ns else tr("not timed"),
            )
        )
        self.untimed = CheckField(tr("{count:,} fused or removed").format(count=len(untimed)))
        self.untimed.setToolTip(
            tip(tr("List layers that were fused into another one, folded away or never run"))
        )
        self.views = Segmented(theme, _VIEWS, 0, name=tr("Rows of the table"))
        self.views.set_spacing(16)
        self.types = PageTable(theme, tr("Operator types"), operator_table(report))
        name, table = tr("Layers"), layer_table(report, precisions)
        super().__init__(theme, self.views, name, table, field, self.untimed, self.inserted)
        self._lay_out(theme)
        self.inserted.toggled.connect(self._show_inserted)
        self.untimed.toggled.connect(self._list)
        self.views.chosen.connect(self._show_view)
        self.types.row_activated.connect(self._show_type)
        self.table.row_activated.connect(self._show_in_graph)
        field.textChanged.connect(self._search)
        selection.changed.connect(self.follow_selection)
        self.row_menu = RowMenu(self.table, field, self._named, self._shows)
        self.search_in(None)
        self._list()
        self._show_view(0)

    def _lay_out(self, theme: Theme) -> None:
        self.count.setToolTip(
            tip(
                tr(
                    "Total own time of the listed layers per run, measured with the profiler "
                    "on; latency is measured without it"
                )
            )
        )
        self.notice = Cautions(theme, self._report)
        self.body.insertWidget(1, self.notice)
        self.body.addWidget(self.types)
        line = written(sum_sentence(self._report))
        self.sum = label(line, "secondary", selectable=True)
        self.sum.setWordWrap(True)  # cut off, it would lose the total
        self.sum.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        show_in_place(self.sum, bool(line))
        summed = row(self.sum, margins=(PADDING - 1, 6 if line else 0, PADDING - 1, 0))
        self.body.addLayout(summed)

    def show_operator(self, operator: str) -> None:
        """List the layers of one operator type."""
        self.views.choose(0)
        self.filter.setText(units.clip(operator))

    def look_like(self, previous: "LayerTable") -> None:
        """Show the rows that the table of another report showed."""
        for box, before in (
            (self.inserted, previous.inserted),
            (self.untimed, previous.untimed),
            (self.notice.more, previous.notice.more),
        ):
            box.setChecked(before.isChecked())
        self.filter.setText(previous.filter.text())
        self.views.choose(previous.views.current)

    def search_in(self, model: Model | None) -> None:
        """Let the filter know the model; without, it searches what the report says."""
        self._searched = model
        self.model.search_layers(self._source)

    def entry(self, row: int) -> Entry:
        """Return what a row shows."""
        return self.entries[self.model.place_of(row)]

    def shown_ns(self) -> int:
        """Return the self time of all shown entries, per run."""
        return sum(self.entries[place].time_ns or 0 for place in self.model.order.tolist())

    def counted(self) -> str:
        """Return how many entries are shown, and their own time."""
        if self.views.current:
            return plural(self.types.rows.total, "operator type")
        shown = [self.entries[place] for place in self.model.order.tolist()]
        count = sum(isinstance(entry, LayerUse) for entry in shown)
        less = self.model.rowCount() < self.model.listed
        text = plural(count, "layer")
        if less:
            listed = self.model.listed - (len(self.entries) - len(self._report.layers))
            text = tr("{count:,} of {listed:,}").format(count=count, listed=listed)
        time = units.duration(ns) if (ns := self.shown_ns()) else tr("not timed")
        return f"{text} · {time}"

    def selected_row(self) -> int | None:
        """Return the row of the selected layer or added node."""
        chosen = self._selection.now
        if chosen.layer is not None:
            found = (isinstance(e, LayerUse) and e.index == chosen.layer for e in self.entries)
        elif chosen.span is not None:
            trace = self._report.trace
            name = trace.names[trace.name[chosen.span]] if chosen.span < len(trace) else ""
            found = (isinstance(e, InsertedNode) and e.name == name for e in self.entries)
        else:
            return None
        place = next((place for place, is_it in enumerate(found) if is_it), None)
        return None if place is None else self.model.row_at(place)

    def choose_row(self, row: int) -> None:
        """Select a layer, or a span of an added node."""
        entry = self.entry(row)
        if isinstance(entry, InsertedNode):
            self._selection.choose(span=self._span_of(entry))
        else:
            self._selection.choose(layer=entry.index)

    def _span_of(self, node: InsertedNode) -> int | None:
        """Return a span of an added node, in a prediction."""
        trace = self._report.trace
        if node.name not in trace.names:
            return None
        named = trace.name == trace.names.index(node.name)
        spans = np.flatnonzero(named & (trace.run >= 0))
        return int(spans[len(spans) // 2]) if len(spans) else None

    def _show_inserted(self, shown: bool) -> None:
        self.entries = entries(self._report, shown)
        self.show_table(layer_table(self._report, self._precisions, shown))
        self._list()

    def _search(self, text: str) -> None:
        if bool(text.strip()) != self._searching:
            self._searching = not self._searching
            self._list()

    def _list(self) -> None:
        """List what has a time of its own, or everything."""
        if self._searching or self.untimed.isChecked() or not self._has_untimed:
            self.model.show_only(None)
        else:
            timed = (entry.time_ns is not None for entry in self.entries)
            self.model.show_only([place for place, is_timed in enumerate(timed) if is_timed])

    def _show_type(self, place: int) -> None:
        operator = self.types.rows.table.rows[place].cells[0]
        assert isinstance(operator, Name)
        self.show_operator(operator.text)

    def _show_in_graph(self, place: int) -> None:
        entry = self.entries[place]
        if self.has_model and isinstance(entry, LayerUse):
            commands.run(self, "graph/layer", entry.index)
        elif isinstance(entry, InsertedNode) and entry.kind == TOGETHER:
            self.inserted.setChecked(True)

    def _show_view(self, view: int) -> None:
        """Show the layers, or the operator types."""
        for widget in (self.table, self.filter):
            widget.setVisible(not view)
        self.inserted.setVisible(not view and bool(self._report.inserted))
        self.untimed.setVisible(not view and self._has_untimed)
        self.types.setVisible(bool(view))
        self.refresh()
        self.more_rows.refresh()

    def _named(self, row: int) -> tuple[str, tuple[str, ...]]:
        entry = self.entry(row)
        scope = units.scope_and_name(entry_name(entry))[0]
        filters = units.clip(entry.operator), scope.replace(" / ", "/"), *_reasons(entry)
        return entry_name(entry), filters

    def _shows(self, row: int) -> Sequence[tuple[str, Callable[[], object]]]:
        shows: list[tuple[str, Callable[[], object]]]
        shows = [(tr("Show in timeline"), self.timeline_asked.emit)]
        if self.has_model and isinstance(self.entry(row), LayerUse):
            shows.append((tr("Show in graph"), commands.runner(self, "tab/graph")))
            shows.append((tr("Show weights"), commands.runner(self, "tab/weights")))
            outputs = commands.runner(self, "tab/activations")
            shows.append((tr("Show layer outputs"), outputs))
        return shows

    def _source(self) -> SearchedLayers:
        by_index = {use.index: use for use in self._report.layers}
        model = self._searched
        layers = model.layers if model is not None else ()
        searched = [
            layers[entry.index]
            if isinstance(entry, LayerUse) and entry.index < len(layers)
            else _as_layer(entry, by_index)
            for entry in self.entries
        ]
        values: dict[str, ValueInfo] = dict(map(_as_value, self._report.layers))
        return searched, values | (values_by_name(model) if model is not None else {})


def _reasons(entry: Entry) -> Iterator[str]:
    """Yield why devices do not run a layer, each as a phrase to filter by."""
    answers = entry.devices.values() if isinstance(entry, LayerUse) else ()
    reasons = dict.fromkeys(answer.reason for answer in answers if answer.reason)
    for reason in list(reasons)[:_MOST_REASONS]:
        yield f'"{reason.partition(chr(34))[0][:_REASON].strip()}"'


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
