"""The graph of a model beside the trace of a program that ran it."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt, Signal

from inspector.analysis.measured.traced_layers import TracedLayers
from inspector.model.model import Model
from inspector.pages.charts.palette import Palette
from inspector.trace.trace import Trace
from inspector.ui import units
from inspector.ui.documents.trace_document import TraceDocument
from inspector.ui.graph.coloring import Coloring, by_times
from inspector.ui.graph.model_graph import ModelGraph
from inspector.ui.translate import tr
from inspector.ui.widgets.parts import PADDING, Elided, column_of, label, row, tool
from inspector.ui.widgets.theme import Theme

_NARROWEST = 280  # px


def profiled_model(document: TraceDocument) -> str:
    """Return the name of the model whose layers took most of the time; "" for none."""
    trace = document.opened.trace
    names = [track.model for track in trace.tracks]
    is_kernel = trace.layer >= 0
    total = np.bincount(trace.track[is_kernel], trace.duration_ns[is_kernel], len(names))
    times: dict[str, float] = {}
    for name, time in zip(names, total.tolist(), strict=True):
        times[name] = times.get(name, 0.0) + time
    name = max(times, key=lambda each: times[each], default="")
    return name if times.get(name) else ""


class TracedGraph(ModelGraph):
    """Layers colored by their time in the trace; a selected one is selected there, too.

    Notes beside the layers are means of a run.
    """

    closed = Signal()

    def __init__(self, theme: Theme, document: TraceDocument, model: Model, name: str) -> None:
        self._document, self._linking = document, False
        trace = document.opened.trace
        layers = TracedLayers(model)
        places = {one.index: layers.place_of(one.name) for one in document.opened.layers}
        self._places = {layer: place for layer, place in places.items() if place >= 0}
        self._spans = _spans_of(trace, name)
        runs = max(1, len(np.unique(trace.run[self._spans])))
        self._times = np.zeros(len(model.layers))
        for layer, place in self._places.items():
            spans = self._spans[trace.layer[self._spans] == layer]
            self._times[place] += float(trace.duration_ns[spans].sum()) / runs
        notes = {
            int(place): units.duration(float(self._times[place]))
            for place in np.flatnonzero(self._times)
        }
        self.close_button = tool(theme, "close", tr("Close the graph"))
        title = Elided(name, "heading", Qt.TextElideMode.ElideMiddle)
        text = tr("Layers without a time were not executed on their own: fused or removed.")
        self.untimed = label(text, "caption", wraps=True)
        top = row(title, self.close_button, stretch=0)
        head = column_of(top, self.untimed, margins=(PADDING, 6, PADDING, 6))
        super().__init__(theme, model, self._coloring, notes, head)
        self.untimed.setVisible(0 < len(notes) < len(model.layers))
        self.close_button.clicked.connect(self.closed)
        self.setMinimumWidth(_NARROWEST)
        self.view.setAccessibleName(tr("Graph of {name}").format(name=name))
        self.selection.changed.connect(self._choose_span)
        document.selection.changed.connect(self._follow)
        self._follow()

    def _coloring(self, palette: Palette) -> Coloring:
        return by_times(self._times, palette)

    def _follow(self) -> None:
        """Select the layer of the selected event."""
        layer = self._document.selection.now.layer
        if self._linking or layer is None or layer not in self._places:
            return
        self._linking = True
        self.selection.choose(self._places[layer])
        self._linking = False

    def _choose_span(self) -> None:
        """Select the first event of the selected layer."""
        place = self.selection.now.layer
        if self._linking or place is None:
            return
        trace = self._document.opened.trace
        layers = [layer for layer, own in self._places.items() if own == place]
        spans = self._spans[np.isin(trace.layer[self._spans], layers)]
        if len(spans):
            self._linking = True
            first = int(spans[np.argmin(trace.start_ns[spans])])
            self._document.selection.choose(int(trace.layer[first]), first)
            self._linking = False


def _spans_of(trace: Trace, model: str) -> NDArray[np.intp]:
    """Return the spans of layers on the tracks of a model."""
    tracks = [place for place, track in enumerate(trace.tracks) if track.model == model]
    return np.flatnonzero((trace.layer >= 0) & np.isin(trace.track, tracks))
