"""The pane at the right: everything about the selected layer."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Protocol, runtime_checkable

import shiboken6
from PySide6.QtCore import QRectF, Qt, QTimer, SignalInstance
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from inspector.analysis.cost.estimate import Estimate
from inspector.analysis.devices.support_summary import reason_and_source
from inspector.analysis.facts.declarations import function_text, graph_text
from inspector.analysis.facts.source_location import source_location
from inspector.analysis.facts.symbolic_sizes import number
from inspector.analysis.layer_search import ValueInfo, values_by_name
from inspector.analysis.measured.computed_precision import conversion, precision_of
from inspector.analysis.measured.executed_graph import what_became_of
from inspector.analysis.measured.layer_sum import (
    conversion_times,
    interval_label,
    selection_text,
)
from inspector.analysis.measured.roofline_points import limit_text, operations_per_second
from inspector.backends.base import Capability
from inspector.errors import InspectorError
from inspector.formats.onnx.operator_docs import OperatorDocs, operator_docs, paragraphs
from inspector.model.model import UNNAMED_DOMAINS, Layer, Model, WeightInfo, packed_bytes
from inspector.report.report import LayerUse, PerformanceReport, Support
from inspector.ui import commands, units
from inspector.ui.background import TaskRunner
from inspector.ui.documents.document import Document, Topic
from inspector.ui.documents.trace_document import TraceDocument
from inspector.ui.selection import Scope
from inspector.ui.tabs.trace import span_pane
from inspector.ui.translate import mark, plural, short_plural, tr, written
from inspector.ui.widgets.chart import sparkline_view
from inspector.ui.widgets.layouts import Flow, scroll_down
from inspector.ui.widgets.page_view import TextLine
from inspector.ui.widgets.parts import (
    Elided,
    Link,
    add_to,
    button,
    column_of,
    label,
    row,
    tip,
    tool,
    unit,
)
from inspector.ui.widgets.support_legend import draw_mark
from inspector.ui.widgets.theme import Theme, qt_color
from inspector.wording.support_marks import Status
from inspector.wording.values import Sentence

WIDTH = 296
MANY = 24
_NARROWEST_BADGE = 40  # px
_AS_STORED = mark(
    "The data type that the layer was computed in, which is the same as in the model."
)
_CONVERTED = mark(
    "Stored → computed: the device has no kernel for the stored type, so ONNX Runtime converts."
)
_SLOW_SHARE = 0.05  # of kernel time, from which on a reason is worth a measurement
_LONG_LINE = 36  # letters of a name, a shape and a type that find room in a line


def cost_lines(
    model: Model, estimate: Estimate, report: PerformanceReport | None, index: int
) -> tuple[tuple[str, str], ...]:
    """Return names and values; nothing where the estimate is of another model."""
    if not 0 <= index < len(estimate.cost.layers):
        return ()
    cost, lengths = estimate.cost.layers[index], estimate.lengths
    macs = tr("unknown") if cost.macs is None else units.count(number(cost.macs, lengths))
    if cost.macs is not None and cost.unknown:
        macs = tr("at least {macs}").format(macs=macs)
    moved = cost.moved_bytes
    traffic = tr("unknown") if moved is None else units.size(number(moved, lengths))
    lines = [(tr("MACs"), macs), (tr("Memory traffic"), traffic)]
    if parameters := model.parameters_of(model.layers[index]):
        lines.append((tr("Parameters"), units.count(parameters)))
    if cost.weights_bytes:
        lines.append((tr("Weights"), units.size(cost.weights_bytes)))
    intensity = cost.intensity(lengths)
    if intensity is not None:
        title = tr("Arithmetic intensity")
        if report is not None and any(use.into == index for use in report.layers):
            title = tr("Arithmetic intensity, layer alone")  # the rate includes fused layers
        text = tr("{intensity} FLOP/byte").format(intensity=units.significant(intensity))
        lines.append((title, text))
    speed = (
        operations_per_second(model, estimate, report, index) if report is not None else None
    )
    if speed is not None:
        uses = report.layers if report is not None else ()
        integer = any(use.index == index and "int" in use.computed_in for use in uses)
        rate = f"{units.count(speed)}{'' if speed >= 1e4 else ' '}"
        text = f"{rate}{'OP/s' if integer else 'FLOP/s'}"
        lines.append((tr("Achieved throughput"), text))
    if not cost.counted:
        lines.append((tr("Included in total cost"), tr("no; another branch is included")))
    return tuple(lines)


def layer_texts(
    model: Model, layer: Layer
) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """Return (heading, texts with their names) of what there is."""
    calls = tuple(
        (tr("Function"), function_text(function))
        for function in model.functions
        if (function.domain, function.name, function.overload)
        == (layer.domain, layer.operator, layer.overload)
    )
    inside = tuple(
        (graph.branch, graph_text(graph))
        for graph in model.graphs
        if graph.layer == layer.index
    )
    attributes = tuple((each.name, each.doc) for each in layer.attributes if each.doc)
    comments = (
        ((tr("Description"), layer.doc),) if layer.doc else (),
        attributes,
        ((tr("Overload"), layer.overload),) if layer.overload else (),
        calls,
    )
    sections = (
        (tr("Notes from the model file"), tuple(text for texts in comments for text in texts)),
        (tr("Subgraphs"), inside),
        (tr("Requested devices"), layer.placement),
        (tr("Metadata"), layer.metadata),
    )
    return tuple((heading, texts) for heading, texts in sections if texts)


def add_layer_texts(column: QVBoxLayout, theme: Theme, model: Model, layer: Layer) -> None:
    """Add a heading and a line for each text; a long one opens below its line."""
    for heading, texts in layer_texts(model, layer):
        lines = QVBoxLayout()
        lines.setSpacing(0)
        for name, text in texts[:MANY]:
            lines.addWidget(TextLine(theme, name, text))
        add_to(column, 8, label(heading, "section"), lines)
        _add_rest(column, texts)


@runtime_checkable
class DetailTab(Protocol):
    """A tab that has details of its own to show in the pane.

    detail_changed: they are others now.
    """

    detail_changed: SignalInstance

    def fill_detail(self, column: QVBoxLayout) -> None: ...  # noqa: D102


@runtime_checkable
class PaneTab(Protocol):
    """A tab that has a pane of its own at times.

    detail_changed: the pane is another one now, or none. detail_pane: None for what the
    details pane shows by itself.
    """

    detail_changed: SignalInstance

    @property
    def detail_pane(self) -> QWidget | None: ...  # noqa: D102


class InspectorPane(QWidget):
    """Follows the selection of the document it is shown."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._document: Document | None = None
        self._trace: TraceDocument | None = None
        self._tab: DetailTab | PaneTab | None = None
        self._jobs = TaskRunner(self)
        self._shows_docs = False
        self._docs: dict[tuple[str, str, int], OperatorDocs | None] = {}
        self.setFixedWidth(WIDTH)
        self._scroll = QScrollArea()
        scroll_down(self._scroll)
        self._scroll.setAccessibleName(tr("Details"))
        self._stack = QStackedWidget()
        self._stack.addWidget(self._scroll)
        column_of(self._stack, on=self, margins=(1, 0, 0, 0))
        theme.changed.connect(self._refresh)

    def show_document(self, document: Document | None) -> None:
        """Follow another document's selection."""
        if self._document is not None:
            self._document.selection.disconnect(self)
            self._document.leave(self)
            if self._document.model is not None:
                self._document.estimating.disconnect(self)
                self._document.executed.disconnect(self)
        self._follow_trace(None)
        self._document = document
        if document is not None:
            document.selection.changed.connect(self._refresh)
            document.changed(Topic.MODEL).connect(self._watch)
            document.changed(Topic.REPORT).connect(self._refresh)
        self._watch()

    def show_trace(self, trace: TraceDocument) -> None:
        """Follow the selection in a trace."""
        self.show_document(None)
        self._follow_trace(trace)
        self._refresh()

    def follow_tab(self, tab: QWidget | None) -> None:
        """Show the details that the tab in front has, or those of the selected layer."""
        detailed = tab if isinstance(tab, DetailTab | PaneTab) else None
        if detailed is self._tab:
            return
        if isinstance(self._tab, QWidget) and shiboken6.isValid(self._tab):
            self._tab.detail_changed.disconnect(self._refresh)
        self._tab = detailed
        if tab is not None and detailed is not None:
            detailed.detail_changed.connect(self._refresh)
            tab.destroyed.connect(partial(self._forget_tab, id(tab)))
        self._refresh()

    def _forget_tab(self, number: int) -> None:
        """Let go of a tab whose model was closed: held here, it would stay in memory.

        number: its `id`, for it is no widget any more when Qt tells this.
        """
        if id(self._tab) == number:
            self._tab = None

    def _follow_trace(self, trace: TraceDocument | None) -> None:
        if self._trace is not None:
            self._trace.selection.disconnect(self)
        self._trace = trace
        if trace is not None:
            trace.selection.changed.connect(self._refresh)

    def _watch(self) -> None:
        """Follow what is worked out of the model, as soon as there is one."""
        if self._document is not None and self._document.model is not None:
            self._document.estimating.disconnect(self)
            self._document.estimating.changed.connect(self._refresh)
            self._document.executed.disconnect(self)
            self._document.executed.changed.connect(self._refresh)
        self._refresh()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the surface and the line at the left."""
        look = self._theme.palette
        painter = QPainter(self)
        painter.fillRect(self.rect(), qt_color(look.bar))
        painter.fillRect(QRectF(0, 0, 1, self.height()), qt_color(look.border))

    @property
    def has_own_page(self) -> bool:
        """Return whether the tab in front has a pane of its own, and its button to press."""
        return self._pane_of_tab() is not None

    def _pane_of_tab(self) -> QWidget | None:
        """Return the pane of the tab in front; None where it has none, or has gone."""
        tab = self._tab
        if isinstance(tab, QWidget) and not shiboken6.isValid(tab):
            self._tab = tab = None
        return tab.detail_pane if isinstance(tab, PaneTab) else None

    def _refresh(self) -> None:
        pane = self._pane_of_tab()
        if pane is not None and self._stack.indexOf(pane) < 0:
            self._stack.addWidget(pane)
        shown = pane or self._scroll
        if self._stack.currentWidget() is not shown:
            self._stack.setCurrentWidget(shown)
        if pane is not None:
            return
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(20, 20, 20, 20)
        column.setSpacing(8)
        document = self._document
        index = document.selection.now.layer if document is not None else None
        tensor = document.selection.now.tensor if document is not None else ""
        if self._trace is not None:
            span_pane.fill(column, self._theme, self._trace)
        elif document is None or (document.model is None and document.report is None):
            waiting = document is not None and document.work is not None
            hint = tr("Open a model to see its details.")
            _say(column, tr("Loading the model…") if waiting else hint)
        elif isinstance(self._tab, DetailTab):
            self._tab.fill_detail(column)
        elif tensor and document.model is not None:
            self._tensor(column, document, document.model, tensor)
        elif document.selection.now.scope is not None and document.model is not None:
            self._scope(column, document, document.model, document.selection.now.scope)
        elif index is None:
            self._nothing(column, document)
        else:
            self._layer(column, document, index)
        column.addStretch(1)
        self._scroll.setWidget(page)

    def _nothing(self, column: QVBoxLayout, document: Document) -> None:
        column.addWidget(Elided(document.name, "title"))
        if document.model is not None:
            model = document.model
            layers = plural(len(model.layers), "layer")
            text = f"{layers} · {short_plural(*model.numbers)}"
            column.addWidget(label(text, "secondary"))
            for heading, ends in ((tr("Inputs"), model.inputs), (tr("Outputs"), model.outputs)):
                values: dict[str, ValueInfo] = {value.name: value for value in ends}
                self._tensors(column, heading, tuple(values), values)
        _line(column, self._theme)
        _say(column, tr("Select a layer or an event to see its details."))

    def _layer(self, column: QVBoxLayout, document: Document, index: int) -> None:
        model, report = document.model, document.report
        layer = _at(model.layers, index) if model is not None else None
        use = next((u for u in report.layers if u.index == index), None) if report else None
        if layer is None and use is None:
            return
        name = layer.label if layer is not None else use.name if use is not None else ""
        operator = layer.operator if layer is not None else use.operator if use else ""
        _add_title(column, units.clip_name(name))
        badges = [operator, *([written(Sentence(use.status.value))] if use else [])]
        if layer is not None and layer.domain not in UNNAMED_DOMAINS:
            badges.append(layer.domain)
        line = QWidget()
        flow = Flow(6, 4, line)
        for text in badges:
            badge = _badge(text, self._theme)
            badge.setMinimumWidth(_NARROWEST_BADGE)  # a long one is cut, the pane is not
            flow.addWidget(badge)
        column.addWidget(line)
        if use is not None and report is not None:
            self._time(column, report, use)
            self._support(column, report, use)
        if layer is not None and model is not None:
            self._executed(column, document, model, index)
            estimate, values = _estimated(document, model)
            self._tensors(column, tr("Inputs"), layer.inputs, values)
            self._tensors(column, tr("Outputs"), layer.outputs, values)
            if estimate is not None:
                lines = cost_lines(model, estimate, report, index)
                _cost(column, lines, self._theme)
            _attributes(column, layer, self._theme)
            _source(column, layer, self._theme)
            self._operator(column, model, layer)
            add_layer_texts(column, self._theme, model, layer)

    def _scope(
        self, column: QVBoxLayout, document: Document, model: Model, scope: Scope
    ) -> None:
        """Show a part of the model: time, cost, what goes in and out, and its layers."""
        _add_title(column, scope.name)
        layers = [model.layers[index] for index in scope.layers]
        badge = _badge(plural(len(layers), "layer"), self._theme)
        column.addLayout(row(badge, None, spacing=6))
        report, inside = document.report, set(scope.layers)
        times = [use.time_ns for use in report.layers if use.index in inside] if report else []
        spent = sum(time for time in times if time is not None)
        if report is not None and spent:
            _line(column, self._theme)
            time, text = units.duration_parts(max(spent, report.profiling.clock_ns))
            share = units.share(spent, report.kernel_ns)
            of_all = unit(tr("{share} of kernel time").format(share=share))
            column.addLayout(row(label(time, "metric"), unit(text), None, of_all, spacing=4))
        estimate, values = _estimated(document, model)
        weights = {weight.name for weight in model.weights}
        others = [layer for layer in model.layers if layer.index not in inside]
        wanted = {name for layer in others for name in layer.inputs}
        wanted |= {each.name for each in model.outputs}
        given = dict.fromkeys(name for layer in layers for name in layer.outputs)
        taken = dict.fromkeys(name for layer in layers for name in layer.inputs)
        inputs = tuple(name for name in taken if name not in given and name not in weights)
        self._tensors(column, tr("Inputs"), inputs, values)
        self._tensors(column, tr("Outputs"), tuple(n for n in given if n in wanted), values)
        if estimate is not None:
            costs = [estimate.cost.layers[index] for index in scope.layers]
            macs = sum(number(each.macs, estimate.lengths) for each in costs if each.macs)
            stored = sum(each.weights_bytes or 0 for each in costs)
            used = {name for layer in layers for name in layer.inputs}
            learned = sum(model.learned.get(name, 0) for name in used)
            lines = (
                (tr("MACs"), units.count(macs)), (tr("Parameters"), units.count(learned)),
                (tr("Weights"), units.size(stored)),
            )  # fmt: skip
            _cost(column, lines, self._theme)
        self._layer_links(column, tr("Layers"), layers)

    def _executed(
        self, column: QVBoxLayout, document: Document, model: Model, index: int
    ) -> None:
        """Add what became of a layer in the optimized graph, or a link that finds out."""
        loader = document.executed
        if not loader.is_offered:
            return
        _section(column, self._theme, tr("As executed"))
        if loader.graph is not None:
            _say(column, what_became_of(loader.graph, model.layers, index))
        elif loader.error is not None:
            _say(column, tr("Unknown: {why}").format(why=loader.error.why))
        elif loader.working:
            _say(column, tr("Optimizing the graph…"))
        text = tr("Show this layer in the graph as executed")
        if loader.graph is None:
            text = tr("Show the graph as executed")
        link = Link(self._theme, text, tr("Show the model and the optimized graph"))
        link.clicked.connect(partial(self._show_executed, document))
        if not loader.working and loader.error is None:
            column.addWidget(link)

    def _show_executed(self, document: Document) -> None:
        """Turn to both graphs, after the click: what was clicked is drawn anew."""

        def show() -> None:
            commands.run(self, "graph/executed")

        QTimer.singleShot(0, document, show)

    def _tensors(
        self,
        column: QVBoxLayout,
        heading: str,
        names: tuple[str, ...],
        values: Mapping[str, ValueInfo],
    ) -> None:
        """Add the tensors of a layer or of the model, each a link to what is known of it."""
        _section(column, self._theme, heading)
        for name in [name for name in names if name][:MANY]:
            info = values.get(name)
            link = Link(self._theme, name, tr("Show this tensor"))
            link.clicked.connect(partial(self._choose, tensor=name))
            if info is None:
                column.addLayout(_link_row(link, ""))
            else:
                _add_value(column, link, name, units.shape(info.shape), info.dtype)
        _add_rest(column, names)

    def _choose(self, layer: int | None = None, tensor: str = "") -> None:
        """Select something after the click has ended, which the page does not survive."""
        document = self._document
        if document is not None:
            QTimer.singleShot(0, self, lambda: document.selection.choose(layer, tensor=tensor))

    def _tensor(
        self, column: QVBoxLayout, document: Document, model: Model, tensor: str
    ) -> None:
        """Show a tensor: type, size, the layer that makes it, those that use it, its weight."""
        value = _estimated(document, model)[1].get(tensor)
        is_weight = isinstance(value, WeightInfo)
        _add_title(column, tensor)
        kinds = (
            (tr("Weight"), is_weight),
            (tr("Input"), tensor in {each.name for each in model.inputs}),
            (tr("Output"), tensor in {each.name for each in model.outputs}),
        )
        badges = [text for text, is_kind in kinds if is_kind] or [tr("Tensor")]
        column.addLayout(row(*(_badge(b, self._theme) for b in badges), None, spacing=6))
        _line(column, self._theme)
        for name, text in _tensor_facts(value):
            column.addLayout(row(label(name, "secondary"), None, label(text, "value")))
        makers = [layer for layer in model.layers if tensor in layer.outputs]
        users = [layer for layer in model.layers if tensor in layer.inputs]
        for heading, layers in ((tr("Produced by"), makers), (tr("Used by"), users)):
            if layers:
                self._layer_links(column, heading, layers)
        if is_weight:
            column.addSpacing(8)
            values = button(self._theme, tr("Show in Weights"))
            values.clicked.connect(commands.runner(self, "tab/weights"))
            column.addWidget(values)
        elif makers:
            column.addSpacing(8)
            outputs = button(self._theme, tr("Show layer outputs"))
            outputs.clicked.connect(partial(self._show_outputs, makers[0].index))
            column.addWidget(outputs)

    def _show_outputs(self, layer: int) -> None:
        """Show what a layer gave in a run."""
        commands.run(self, "tab/activations")
        self._choose(layer)

    def _layer_links(self, column: QVBoxLayout, heading: str, layers: Sequence[Layer]) -> None:
        _section(column, self._theme, heading)
        for layer in layers[:MANY]:
            link = Link(self._theme, layer.label, tr("Show this layer"))
            link.clicked.connect(partial(self._choose, layer.index))
            column.addLayout(_link_row(link, units.clip(layer.operator, 24)))
        _add_rest(column, layers)

    def _operator(self, column: QVBoxLayout, model: Model, layer: Layer) -> None:
        """Add the documentation of the operator, folded until somebody wants it."""
        versions = {each.domain or "ai.onnx": each.version for each in reversed(model.opsets)}
        opset = versions.get(layer.domain or "ai.onnx", 0)
        key = (layer.operator, layer.domain, opset)
        _line(column, self._theme)
        turn = tool(
            self._theme,
            "up" if self._shows_docs else "down",
            tr("Hide the documentation") if self._shows_docs else tr("Show the documentation"),
        )
        turn.clicked.connect(self._turn_docs)
        title = tr("Operator {operator}").format(operator=units.clip(layer.operator, 40))
        column.addLayout(row(Elided(title, "section"), turn, stretch=0))
        if not self._shows_docs:
            return
        if key not in self._docs:
            column.addWidget(label(tr("Loading…"), "caption"))
            self._jobs.start(
                lambda: operator_docs(*key), partial(self._take_docs, key), self._refuse_docs
            )
            return
        docs = self._docs[key]
        if docs is None:
            _say(column, tr("The ONNX standard does not describe this operator."))
        else:
            _add_docs(column, docs, opset)

    def _turn_docs(self) -> None:
        self._shows_docs = not self._shows_docs
        QTimer.singleShot(
            0, self, self._refresh
        )  # after the click, which the page outlives not

    def _take_docs(self, key: tuple[str, str, int], docs: OperatorDocs | None) -> None:
        self._docs[key] = docs
        self._refresh()

    def _refuse_docs(self, error: InspectorError) -> None:
        self._shows_docs = False

    def _time(self, column: QVBoxLayout, report: PerformanceReport, use: LayerUse) -> None:
        _line(column, self._theme)
        precision = precision_of(use, report.layers)
        if precision:
            value = label(units.clip(precision, 40), "value")
            value.setToolTip(
                tr(_CONVERTED) if conversion(use, report.layers) else tr(_AS_STORED)
            )
            column.addLayout(row(label(tr("Data type"), "secondary"), None, value))
        if use.inside is not None:
            text = units.clip(use.inside.summary, 200)
            _say(column, tr("Inside the compiled partition: {text}.").format(text=text))
        if use.time_ns is None:
            _say(column, _without_time(report, use))
            return
        clock_ns = report.profiling.clock_ns
        number, text = units.duration_parts(max(use.time_ns, clock_ns))
        if use.time_ns < clock_ns:
            number = f"< {number.replace('.00', '')}"
        share = units.share(use.time_ns, report.kernel_ns)
        of_all = unit(tr("{share} of kernel time").format(share=share))
        badge = [label(tr("Noisy"), "caution")] if use.noisy else []
        phases = _phase_times(report, use.index)
        if phases:  # each with its share: one number would be of the decode steps alone
            column.addLayout(row(*phases, None, *badge, spacing=24))
        else:
            parts = label(number, "metric"), unit(text), *badge, None, of_all
            column.addLayout(row(*parts, spacing=4))
        if converting := conversion_times(report).get(use.index):
            text = tr(
                "Conversions that the runtime added for this layer take another {duration}."
            )
            _say(column, text.format(duration=units.duration(converting, clock_ns)))
        if use.spread is not None:
            _say(column, written(selection_text(report)))
        if use.spread is not None and use.spread.low_ns is not None:
            _say(column, written(interval_label(use, clock_ns)))
        self._limit(column, report, use)
        samples = report.layer_samples_ns(use.index)
        if use.submitted_ns is not None:  # then the spans are those of handing over
            return
        single_runs = not report.profiling.means  # else the trace has means, or a few runs
        if single_runs and len(samples) > 1 and samples.max() > 0:
            tint = _unit_color(self._theme, report, use.ran_on)
            column.addWidget(sparkline_view(self._theme, samples.tolist(), tint))
            least, most = int(samples.min()), int(samples.max())
            if use.spread is not None:
                least, most = use.spread.min_ns, use.spread.max_ns
            ends = tr("min {duration} · max {duration_2}").format(
                duration=units.duration(least, clock_ns),
                duration_2=units.duration(most, clock_ns),
            )
            runs = plural(len(samples), "run")
            column.addLayout(row(label(runs, "caption"), None, label(ends, "caption")))

    def _limit(self, column: QVBoxLayout, report: PerformanceReport, use: LayerUse) -> None:
        """Say why a layer takes its time, or offer to find out where it takes much of it."""
        if text := limit_text(report, use):
            _say(column, f"{text}.")
            return
        document = self._document
        slow = (use.time_ns or 0) >= _SLOW_SHARE * report.kernel_ns
        able = (
            document is not None
            and document.model is not None
            and Capability.CEILINGS in document.runtime.capabilities
        )
        if not report.roofline.ceilings and slow and able:
            hint = tr(
                "Measures the peak rates of the device, not the model again, "
                "and shows the limit of each layer"
            )
            find = Link(self._theme, tr("Measure device peak"), hint)
            find.clicked.connect(self._measure_roofline)
            column.addWidget(find)

    def _measure_roofline(self) -> None:
        document = self._document
        if document is not None and document.work is None:
            document.measure_peak()

    def _support(self, column: QVBoxLayout, report: PerformanceReport, use: LayerUse) -> None:
        if not use.devices:
            return
        _section(column, self._theme, tr("Device support"))
        for device, support in use.devices.items():
            tint = _unit_color(self._theme, report, device)
            mark = _MarkLabel(self._theme, support, tint)
            line = row(mark, label(units.device(device)), None, spacing=10)
            line.insertWidget(2, label(support.label, "secondary"))
            column.addLayout(line)
            if support.reason:
                reason, source = reason_and_source(support.reason)
                text = _wrapped(f"{written(reason)}{written(support.known_by)}")
                if source:
                    text.setToolTip(tip(tr("Source: {source}").format(source=source)))
                column.addWidget(text)


class _MarkLabel(QWidget):
    def __init__(self, theme: Theme, support: Support, tint: str) -> None:
        super().__init__()
        self._theme, self._support, self._tint = theme, support, tint
        self.setFixedSize(16, 18)
        self.setAccessibleName(support.label)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        box = QRectF(1, 2, 14, 14)
        draw_mark(painter, box, self._support.mark, self._tint, self._theme.palette)


def _estimated(
    document: Document, model: Model
) -> tuple[Estimate | None, Mapping[str, ValueInfo]]:
    """Return the estimate, None until it is there, and what is known of tensors by name."""
    document.estimating.begin()
    estimate = document.estimating.estimate
    return estimate, values_by_name(model, estimate.shapes.values if estimate else ())


def _without_time(report: PerformanceReport, use: LayerUse) -> str:
    """Return why a layer has no time of its own."""
    if use.into is not None:
        leader = next((u for u in report.layers if u.index == use.into), None)
        name = leader.name if leader is not None else tr("layer {into}").format(into=use.into)
        if use.status is Status.COMPILED:
            count = 1 + sum(u.into == use.into for u in report.layers)
            return tr(
                "One of {count} layers compiled into one; their time is listed at {name}."
            ).format(count=count, name=units.clip(name))
        return tr("{capitalize} into {name}; their time is measured together.").format(
            capitalize=written(Sentence(use.status.value)).capitalize(),
            name=units.clip(name, 80),
        )
    if use.submitted_ns is not None:
        return tr(
            "Not timed: submitting it took {duration}, and the device ran it asynchronously. "
            "Use Synchronize layers to time it."
        ).format(duration=units.duration(use.submitted_ns))
    return tr("Not timed separately: {value}.").format(
        value=written(Sentence(use.status.value))
    )


def _unit_color(theme: Theme, report: PerformanceReport, device: str | None) -> str:
    kind = next((d.kind for d in report.requested_devices if d.id == device), "cpu")
    return theme.palette.lane(kind)


def _at(layers: tuple[Layer, ...], index: int) -> Layer | None:
    return layers[index] if 0 <= index < len(layers) else None


def _badge(text: str, theme: Theme) -> QLabel:
    made = label(units.clip(text, 40))
    look = theme.palette
    made.setStyleSheet(
        f"background: {look.track}; color: {look.secondary}; border-radius: 5px;"
        "padding: 2px 8px; font-size: 11px; font-weight: 500;"
    )
    return made


def _say(column: QVBoxLayout, text: str) -> None:
    column.addWidget(_wrapped(text))


def _section(column: QVBoxLayout, theme: Theme, heading: str) -> None:
    _line(column, theme)
    column.addWidget(label(heading, "section"))


def _add_title(column: QVBoxLayout, name: str) -> None:
    """Add a name, with what it lies in below it."""
    scope, leaf = units.scope_and_name(name)
    column.addWidget(Elided(leaf or name, "title"))
    if scope:
        column.addWidget(Elided(scope.replace("/", " / "), "secondary"))


def _add_rest(column: QVBoxLayout, listed: Sequence[object]) -> None:
    """Say how many more there are than the MANY that are shown."""
    if len(listed) > MANY:
        more = tr("and {count} more").format(count=len(listed) - MANY)
        column.addWidget(label(more, "caption"))


def _line(column: QVBoxLayout, theme: Theme) -> None:
    line = QFrame()
    line.setFixedHeight(1)
    line.setStyleSheet(f"background: {theme.palette.hairline};")
    add_to(column, 6, line, 6)


def _phase_times(report: PerformanceReport, layer: int) -> list[QWidget]:
    """Return the time of a layer in prefill and in decode side by side; nothing of a report
    without these."""
    speed = report.generation
    if speed is None:
        return []
    columns = list[QWidget]()
    for phase, title, template in (
        (speed.prefill_layers, tr("Prefill"), tr("{share} of prefill")),
        (speed.decode_layers, tr("Decode"), tr("{share} of a step")),
    ):
        if phase is None or layer >= len(phase.layers_ns):
            continue
        time = phase.layers_ns[layer]
        if time is None:
            continue
        number, after = units.duration_parts(max(time, phase.profiling.clock_ns))
        part = QWidget()
        column = QVBoxLayout(part)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(label(title, "secondary"))
        column.addLayout(row(label(number, "metric"), unit(after), None, spacing=4))
        share = units.share(time, phase.kernel_ns)
        column.addWidget(label(template.format(share=share), "caption"))
        columns.append(part)
    return columns


def _wrapped(text: str) -> QLabel:
    made = label(text, "secondary")
    made.setWordWrap(True)
    made.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    return made


def _pair(name: str, value: str, tooltip: str = "") -> QHBoxLayout:
    left, right = Elided(name), label(value, "mono")
    right.setToolTip(tooltip)
    left.setStyleSheet("font-size: 12px; font-weight: 500;")
    line = row(left, right)
    line.setStretch(0, 1)
    return line


def _link_row(link: Link, value: str) -> QHBoxLayout:
    line = row(link, label(value, "mono"))
    line.setStretch(0, 1)
    return line


def _add_value(column: QVBoxLayout, link: Link, name: str, shape: str, dtype: str) -> None:
    """Add name, shape and type, in two lines where they do not fit into one."""
    kind = units.clip(dtype, 24)
    text = f"{shape}  {kind}"
    if len(name) + len(text) <= _LONG_LINE:
        column.addLayout(_link_row(link, text))
    else:
        long = len(text) > _LONG_LINE  # the shape has a line of its own: it may be cut
        column.addLayout(_link_row(link, kind if long else ""))
        below = Elided(shape if long else text, "mono")
        below.setAlignment(Qt.AlignmentFlag.AlignRight)
        column.addWidget(below)


def _tensor_facts(value: ValueInfo | None) -> tuple[tuple[str, str], ...]:
    """Return type, shape and size of a tensor, as far as they are known."""
    if value is None:
        return ((tr("Type"), tr("unknown")),)
    facts = [(tr("Type"), units.clip(value.dtype, 40)), (tr("Shape"), units.shape(value.shape))]
    elements = value.elements
    if elements is not None:
        facts.append((tr("Elements"), units.number(elements)))
        size_bytes = packed_bytes(value.dtype, elements)
        if size_bytes is not None:
            facts.append((tr("Size"), units.size(size_bytes)))
    return tuple(facts)


def _cost(column: QVBoxLayout, lines: tuple[tuple[str, str], ...], theme: Theme) -> None:
    if not lines:
        return
    _section(column, theme, tr("Cost"))
    for name, value in lines:
        title = label(name, "secondary")
        title.setWordWrap(True)  # a wide row would widen the whole pane, which is cut then
        line = row(title, label(value, "value"))
        line.setStretch(0, 1)
        column.addLayout(line)


def _attributes(column: QVBoxLayout, layer: Layer, theme: Theme) -> None:
    if not layer.attributes:
        return
    _section(column, theme, tr("Attributes"))
    for attribute in layer.attributes[:MANY]:
        line = _pair(attribute.name, units.clip(attribute.text, 26), tip(attribute.text))
        column.addLayout(line)


def _source(column: QVBoxLayout, layer: Layer, theme: Theme) -> None:
    """Add the module, file and line that a layer comes from, if the exporter left them."""
    source = source_location(layer)
    if source is None:
        return
    _section(column, theme, tr("Source"))
    place = f"{source.file}:{source.line}" if source.line else source.file
    function = tr("in {function}").format(function=source.function) if source.function else ""
    for name, text in (
        (tr("Module"), source.module),
        (tr("Class"), source.module_class),
        (tr("File"), place),
        ("", function),
    ):
        if text:
            value = Elided(text, "value", Qt.TextElideMode.ElideLeft)
            value.setAlignment(Qt.AlignmentFlag.AlignRight)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            line = row(label(name, "secondary"), value)
            line.setStretch(1, 1)
            column.addLayout(line)


def _add_docs(column: QVBoxLayout, docs: OperatorDocs, opset: int) -> None:
    """Add versions, description, inputs, outputs and attributes of an operator."""
    versions = ", ".join(map(str, docs.versions))
    text = tr("Operator version from opset {since}; this model uses opset {opset}.")
    _say(column, text.format(since=docs.since, opset=opset))
    column.addWidget(
        label(tr("Changed in opsets {versions}").format(versions=versions), "caption")
    )
    if docs.deprecated:
        column.addWidget(label(tr("Deprecated"), "caution"))
    for change in docs.changes:
        _say(column, tr("Compared with the previous version: {c}.").format(c=change))
    for paragraph in paragraphs(docs.text):
        _say(column, paragraph)
    for heading, parameters in (
        (tr("Inputs"), docs.inputs),
        (tr("Outputs"), docs.outputs),
        (tr("Attributes"), docs.attributes),
    ):
        if parameters:
            add_to(column, 6, label(heading, "section"))
        for each in parameters:
            column.addLayout(_pair(each.name, units.clip(each.note, 30)))
            types = label(each.types, "caption")
            types.setWordWrap(True)
            column.addWidget(types)
            for paragraph in paragraphs(each.text):
                _say(column, paragraph)
