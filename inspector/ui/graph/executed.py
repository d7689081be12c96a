"""The graph that the runtime executes, beside the model or in its place."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from inspector.analysis.graph_layout import layout
from inspector.analysis.graph_layout.drawing import Body, BoxKind, Drawing, Key
from inspector.analysis.measured.executed_graph import (
    FUSED,
    ExecutedGraph,
    ExecutedNode,
    kind_of,
    node_times,
    summary,
)
from inspector.model.model import Layer, Model
from inspector.pages.charts.palette import LIGHT, Palette
from inspector.report.report import PerformanceReport
from inspector.ui import units
from inspector.ui.background import TaskRunner
from inspector.ui.documents.document import Document, Topic
from inspector.ui.graph.coloring import Coloring
from inspector.ui.graph.graph_loading import staged
from inspector.ui.graph.legend import GraphLegend
from inspector.ui.graph.scene import Scene
from inspector.ui.graph.view import GraphView
from inspector.ui.selection import Selection
from inspector.ui.translate import mark, plural, tr
from inspector.ui.widgets.failure import Failure
from inspector.ui.widgets.parts import PADDING, column_of, follow, label
from inspector.ui.widgets.theme import Theme

_KINDS = (
    ("", mark("One layer")),
    (FUSED, mark("Several layers fused")),
    ("layout", mark("Inserted: layout conversion")),
    ("cast", mark("Inserted: cast")),
    ("copy", mark("Inserted: copy")),
    ("other", mark("Other inserted layers")),
)
_KIND_NOTES = {
    "layout": mark("layout conversion"),
    "cast": mark("cast"),
    "copy": mark("copy"),
    "other": mark("inserted"),
}
_MOST_NAMES = 4


def kind_colors(palette: Palette) -> tuple[str, ...]:
    """Return the color of each kind of node."""
    return (
        palette.cpu,
        palette.activity,
        palette.data,
        palette.caution,
        palette.bad,
        palette.tertiary,
    )


def in_scopes(model: Model, graph: ExecutedGraph) -> Model:
    """Return the executed model with each inserted node named after the value it converts.

    "ReorderOutput of stem/relu" would lie outside the frame of stem, so that lines from there
    and back into it had to be left out; "stem/relu" lies within.
    """
    layers = tuple(
        layer._replace(name=layer.name.partition(" of ")[2] or layer.name)
        if node.inserted
        else layer
        for layer, node in zip(model.layers, graph.nodes, strict=True)
    )
    return replace(model, layers=layers)


class ExecutedView(QWidget):
    """Shows the optimized graph; a node that is selected selects its layer in the document.

    Nothing is worked out before `start`.
    """

    drawn = Signal()

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__()
        self._theme, self._document = theme, document
        self._jobs, self._turn, self._linking = TaskRunner(self), 0, False
        self._body: Body | None = None
        self._opened: frozenset[Key] = frozenset()
        self._next: Callable[[], None] | None = None
        self.working = False
        self.model: Model | None = None
        self.graph: ExecutedGraph | None = None
        self.selection = Selection(self)
        self.view = GraphView(theme, self.selection)
        self.view.setAccessibleName(tr("Graph as executed"))
        self.legend = GraphLegend(theme)
        self.head, self.detail = label("", "heading"), label("", "secondary")
        for text in (self.head, self.detail):
            text.setWordWrap(True)
        self.message = label("", "secondary")
        self.failure = Failure(theme)
        self.failure.again.hide()
        for over in (self.message, self.failure):
            over.setParent(self)
        self._edge = QWidget(self)  # between both graphs
        self._bar = QWidget()
        self._bar.setObjectName("executed")
        self._bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        follow(theme, self._bar, self._dress)
        column_of(
            self.head, self.detail, on=self._bar, spacing=2, margins=(PADDING, 7, PADDING, 7)
        )
        column_of((self.view, 1), self.legend, self._bar, on=self, spacing=0)
        self.view.toggled.connect(lambda key: self._draw(lambda opened: opened ^ {key}, key))
        self.view.layer_requested.connect(self._open_for)
        self.selection.changed.connect(self._tell)
        theme.changed.connect(self.color)
        document.selection.changed.connect(self.follow_layer)
        document.changed(Topic.REPORT).connect(self.color)

    def start(self) -> None:
        """Work the graph out for the present settings, unless that has been done."""
        loader = self._document.executed
        loader.changed.connect(self._show_graph, Qt.ConnectionType.UniqueConnection)
        loader.begin()
        self._show_graph()

    def node_texts(self, node: ExecutedNode) -> str:
        """Return what a node does for the model in one line."""
        model = self._document.model
        layers = model.layers if model is not None else ()
        if node.inserted:
            what = tr(_KIND_NOTES[kind_of(node)])
            title = f"{node.operator} ({what})"
            if what.casefold() in (node.operator.casefold(), "inserted"):
                title = node.operator
            runtime = self.graph.runtime if self.graph is not None else ""
            before, after = (_named(layers, each) for each in (node.after, node.before))
            if before and after:
                text = tr("{title}, inserted by {runtime} between {a} and {b}")
            elif before or after:
                text = tr("{title}, inserted by {runtime} at {a}")
            else:
                text = tr("{title}, inserted by {runtime}")
            return text.format(title=title, runtime=runtime, a=before or after, b=after)
        names = [_named(layers, each) for each in node.layers]
        shown = ", ".join(names[:_MOST_NAMES])
        if len(names) > _MOST_NAMES:
            shown = tr("{shown} and {count} more").format(
                shown=shown, count=len(names) - _MOST_NAMES
            )
        return f"{node.operator}: {shown}"

    def follow_layer(self) -> None:
        """Select the node that stands for the layer that is selected in the document."""
        layer = self._document.selection.now.layer
        if self.graph is None or self._linking:
            return
        self._linking = True
        self.selection.choose(self.graph.node_for(layer) if layer is not None else None)
        self._linking = False
        self._show_detail()

    def color(self) -> None:
        """Draw in the colors of the theme, with times of the report that is shown."""
        if self._body is not None:
            self._draw(lambda opened: opened, ())

    def open_all(self) -> None:
        """Open every frame."""
        body = self._body
        if body is not None:
            self._draw(lambda opened: layout.all_opened(body), None)

    def close_all(self) -> None:
        """Close every frame."""
        self._draw(lambda opened: frozenset(), None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put messages in their places."""
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        self._edge.setGeometry(0, 0, 1, self.height())
        self._edge.raise_()
        self.message.adjustSize()
        middle = (self.width() - self.message.width()) // 2
        self.message.move(max(PADDING, middle), self.height() // 2 - 20)
        note = self.failure.sizeHint()
        wide = min(self.width() - 2 * PADDING, 520)
        self.failure.setGeometry(PADDING, self.height() // 2 - 60, wide, max(80, note.height()))

    def _dress(self) -> None:
        look = self._theme.palette
        self._bar.setStyleSheet(
            f"#executed {{ background: {look.bar}; border-top: 1px solid {look.border}; }}"
        )
        self._edge.setStyleSheet(f"background: {look.border};")

    @Slot()  # a unique connection needs a slot
    def _show_graph(self) -> None:
        loader, model = self._document.executed, self._document.model
        self.failure.setVisible(loader.error is not None)
        if loader.error is not None:
            self.failure.show_error(loader.error)
        same = loader.graph is not None and loader.graph is self.graph
        self.graph, self.model = loader.graph, loader.optimized
        waiting = loader.graph is None and loader.error is None
        self.message.setText(tr("Optimizing the graph…") if waiting else "")
        self.message.setVisible(waiting)
        self._bar.setVisible(loader.graph is not None)
        self.view.setVisible(loader.graph is not None)
        self.legend.hide()
        self._place()
        if self.graph is None or model is None or same:
            if same:
                self.legend.show()
            return
        self._body, self._opened = None, frozenset()
        devices = ", ".join(units.device(each) for each in self.graph.devices)
        self.head.setText(
            tr("{runtime} on {devices}: {summary}").format(
                runtime=self.graph.runtime,
                devices=devices,
                summary=summary(self.graph, len(model.layers)),
            )
        )
        self.follow_layer()
        self._draw(lambda opened: opened, None)

    def _tell(self) -> None:
        """Select the layer of the selected node in the document, or none."""
        self._show_detail()
        if self._linking or self.graph is None:
            return
        node = self.selection.now.layer
        lead = None
        if node is not None and node < len(self.graph.nodes):
            lead = self.graph.nodes[node].lead
        self._linking = True
        self._document.selection.choose(lead)
        self._linking = False

    def _show_detail(self) -> None:
        place = self.selection.now.layer
        graph = self.graph
        if graph is None or place is None or place >= len(graph.nodes):
            self.detail.setText(tr("Select a node to see which layers it executes."))
            return
        self.detail.setText(self.node_texts(graph.nodes[place]))

    def _open_for(self, layer: int) -> None:
        body = self._body
        if body is not None:
            self._draw(lambda opened: opened | layout.opened_for(body, layer), None)

    def _draw(
        self, choose: Callable[[frozenset[Key]], frozenset[Key]], anchor: Key | None
    ) -> None:
        """Lay out in the background; of several requests meanwhile the last counts."""
        graph, model, report = self.graph, self.model, self._document.report
        if graph is None or model is None:
            return
        if self.working:
            self._next = lambda: self._draw(choose, anchor)
            return
        self.working = True
        body, opened, palette = self._body, choose(self._opened), self._theme.palette
        dress = partial(_scene, model=model, graph=graph, report=report, palette=palette)

        def work() -> tuple[Body, frozenset[Key], Scene]:
            if body is None:
                whole = layout.body(in_scopes(model, graph))
                first, drawing = layout.first_drawn(whole)
            else:
                whole, first, drawing = body, opened, layout.draw(body, opened)
            return whole, first, dress(drawing)

        def show(laid: tuple[Body, frozenset[Key], Scene]) -> None:
            self.working = False
            if graph is self.graph:
                self._body, self._opened, scene = laid
                self.view.show_scene(scene, anchor)
                self._show_legend(scene)
                if anchor is None:
                    self.view.reveal_layer()
                self.drawn.emit()
            request, self._next = self._next, None
            if request is not None:
                request()
            elif graph is not self.graph:
                self._draw(lambda opened: opened, None)

        self._jobs.start(work, show, self.failure.show_error)

    def on_paper(self) -> Callable[[], Scene] | None:
        """Return what makes the scene in light colors with every frame open, on any thread.

        None before the graph is drawn.
        """
        body, opened, model, graph = self._body, self._opened, self.model, self.graph
        if body is None or model is None or graph is None:
            return None
        report = self._document.report
        dress = partial(_scene, model=model, graph=graph, report=report, palette=LIGHT)
        return lambda: dress(layout.draw(body, opened | layout.all_opened(body)))

    def _show_legend(self, scene: Scene) -> None:
        chosen = scene.coloring
        entries = [(chosen.colors[code - 1], chosen.names[code - 1]) for code in chosen.used()]
        self.legend.show_entries(tuple(entries))


def _scene(
    drawing: Drawing,
    model: Model,
    graph: ExecutedGraph,
    report: PerformanceReport | None,
    palette: Palette,
) -> Scene:
    """Color the optimized graph by kind; times, or the layers of a node, as notes."""
    times = node_times(graph, report, tr("Time")) if report is not None else None
    clock_ns = report.profiling.clock_ns if report is not None else 0
    places = {kind: place + 1 for place, (kind, _) in enumerate(_KINDS)}
    codes = np.array([places[kind_of(node)] for node in graph.nodes], np.int8)
    names = tuple(tr(text) for _, text in _KINDS)
    scene = staged(drawing, model, None, Coloring(names, kind_colors(palette), codes))
    for place, node in enumerate(graph.nodes):
        time = float(times.values[place]) if times is not None else np.nan
        if not np.isnan(time):
            scene.notes[place] = units.duration(time, clock_ns)
        elif node.inserted:
            scene.notes[place] = tr(_KIND_NOTES[kind_of(node)])
        elif len(node.layers) > 1:
            scene.notes[place] = plural(len(node.layers), "layer")
    if times is not None and times.range[1] > 0:
        main = (drawing.body == 0) & (drawing.kind == BoxKind.LAYER)
        scene.share[main] = np.nan_to_num(times.values[drawing.node[main]] / times.range[1])
    return scene


def _named(layers: tuple[Layer, ...], layer: int | None) -> str:
    if layer is None or not 0 <= layer < len(layers):
        return ""
    return units.clip_name(layers[layer].label, 60)
