"""Two graphs side by side that pan, zoom and select together."""

from collections.abc import Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSplitter, QToolButton, QWidget

from inspector.analysis.measured.layer_outputs import Stepping
from inspector.comparison.folding import CLAMPING
from inspector.comparison.model_changes import ModelDiff, State
from inspector.model.model import Model
from inspector.pages.charts.palette import Palette, readable
from inspector.pages.outputs.layer_outputs import shown_output
from inspector.ui.graph.coloring import Coloring
from inspector.ui.graph.linked_views import bring_level
from inspector.ui.graph.model_graph import ModelGraph
from inspector.ui.translate import mark, plural, tr
from inspector.ui.widgets.parts import PADDING, Elided, column_of, follow, label, row, tool
from inspector.ui.widgets.theme import Theme, qt_color

# Sign and word of each state, so that color never stands alone.
SIGNS = {State.NEW: "+", State.GONE: "−", State.CHANGED: "~", State.MOVED: "→", State.SAME: "="}
NAMES = {
    State.NEW: mark("Added"),
    State.GONE: mark("Removed"),
    State.CHANGED: mark("Changed"),
    State.MOVED: mark("Moved"),
    State.SAME: mark("Same"),
}
_OUTPUTS = ("bad", "caution", "good")  # colors of what makes an error, carries one on, has none
_OUTPUT_NAMES = (mark("Makes an error"), mark("Carries an error on"), mark("Within tolerance"))
_OUTPUT_SIGNS = ("✗", "→", "=")
COLORED = (State.NEW, State.GONE, State.CHANGED, State.MOVED)


def state_color(palette: Palette, state: State) -> str:
    """Return the color of a state in text and boxes, which can be read on each surface."""
    color = {
        State.NEW: palette.good,
        State.GONE: palette.bad,
        State.CHANGED: palette.caution,
        State.MOVED: palette.activity,
        State.SAME: palette.secondary,
    }[state]
    return readable(color, palette.raised, palette)


class DiffGraph(ModelGraph):
    """One of two models as a graph, colored by what became of its layers.

    states, notes: of each layer, by its index; a note stands at the right of its box.
    """

    def __init__(
        self,
        theme: Theme,
        letter: str,
        model: Model,
        states: list[State],
        notes: dict[int, str],
    ) -> None:
        self._codes = np.array(
            [COLORED.index(state) + 1 if state in COLORED else 0 for state in states], np.int8
        )
        self._shown = frozenset(State)
        self._errors: NDArray[np.int8] | None = None
        head = row(margins=(PADDING, 6, PADDING, 6))
        head.addWidget(label(letter, "heading"))
        head.addWidget(Elided(model.name, mode=Qt.TextElideMode.ElideMiddle), 1)
        head.addWidget(label(plural(len(model.layers), "layer"), "secondary"))
        self.other = tool(theme, "down", tr("Compare another model as {letter}").format(
            letter=letter))  # fmt: skip
        self.other.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        head.addWidget(self.other)
        super().__init__(theme, model, self._coloring, notes, head)
        self.view.setAccessibleName(tr("Graph of model {letter}").format(letter=letter))

    def place_of(self, layer: int | None) -> QRectF | None:
        """Return where the box of a layer is in this widget; None where it is not in view."""
        scene = self.view.scene
        if scene is None or layer is None:
            return None
        box = int(scene.drawing.box_of_layer[layer])
        if box < 0:
            return None
        x, y, width, height = scene.drawing.box[box].tolist()
        camera = self.view.camera
        corner = camera.to_view(QPointF(x, y)) + QPointF(self.view.mapTo(self, QPoint(0, 0)))
        return QRectF(corner, QSizeF(width, height) * camera.zoom)

    def show_states(self, states: frozenset[State]) -> None:
        """Color layers in these states only."""
        self._shown = states
        self.color()

    def show_errors(self, errors: Mapping[int, int] | None) -> None:
        """Color layers by the errors of their outputs: by index, its place among `_OUTPUTS`;
        None for what became of them."""
        self._errors = None
        if errors is not None:
            self._errors = np.zeros_like(self._codes)
            for layer, place in errors.items():
                self._errors[layer] = place + 1
        self.color()

    def _coloring(self, palette: Palette) -> Coloring:
        if self._errors is not None:
            tints = tuple(
                readable(getattr(palette, each), palette.raised, palette) for each in _OUTPUTS
            )
            names = tuple(map(tr, _OUTPUT_NAMES))
            return Coloring(names, tints, self._errors, signs=_OUTPUT_SIGNS)
        hidden = [COLORED.index(state) + 1 for state in COLORED if state not in self._shown]
        codes = np.where(np.isin(self._codes, hidden), 0, self._codes).astype(np.int8)
        colors = tuple(state_color(palette, state) for state in COLORED)
        names = tuple(tr(NAMES[state]) for state in COLORED)
        signs = tuple(SIGNS[state] for state in COLORED)
        gone = frozenset((COLORED.index(State.GONE) + 1,))
        return Coloring(names, colors, codes, signs=signs, dashed=gone)


class DiffGraphs(QWidget):
    """Both models; what is panned, zoomed or selected on one side is so on the other.

    chosen: the place of the selected pair in `ModelDiff.pairs`; -1 for none.
    """

    chosen = Signal(int)

    def __init__(self, theme: Theme, diff: ModelDiff) -> None:
        super().__init__()
        self._diff, self._busy = diff, False
        self.together = True
        self._counterparts = dict[int, int]()  # layers of B whose outputs are those of A's
        self._places: tuple[dict[int, int], dict[int, int]] = ({}, {})
        for place, pair in enumerate(diff.pairs):
            for side, index in enumerate((pair.first, pair.other)):
                if index is not None:
                    self._places[side][index] = place
        both = [p for p in diff.pairs if p.first is not None and p.other is not None]
        self._both: tuple[NDArray[np.intp], ...] = (
            np.array([pair.first for pair in both], np.intp),
            np.array([pair.other for pair in both], np.intp),
        )
        models = diff.first, diff.other
        self.sides = tuple(
            DiffGraph(theme, "AB"[n], models[n], diff.states(n), _notes(diff, n))
            for n in range(2)
        )
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setHandleWidth(1)
        follow(theme, splitter, lambda: splitter.setStyleSheet(
            f"QSplitter::handle {{ background: {theme.palette.border}; }}"))  # fmt: skip
        for number, graph in enumerate(self.sides):
            splitter.addWidget(graph)
            graph.view.camera.changed.connect(partial(self._follow_camera, number))
            graph.selection.changed.connect(partial(self._follow_selection, number))
        column_of(splitter, on=self)
        self.connection = _Connection(theme, self)
        for graph in self.sides:
            graph.view.camera.changed.connect(self.connection.update)
            graph.selection.changed.connect(self.connection.update)
            graph.drawn.connect(self.connection.update)
        splitter.splitterMoved.connect(self.connection.update)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let the connection of counterparts cover both graphs."""
        super().resizeEvent(event)
        self.connection.setGeometry(self.rect())
        self.connection.raise_()

    def choose(self, place: int) -> None:
        """Select a pair on both sides."""
        pair = self._diff.pairs[place]
        side, index = (0, pair.first) if pair.first is not None else (1, pair.other)
        self.sides[side].selection.choose(index)

    def show_errors(self, stepping: Stepping | None) -> None:
        """Color both by the errors of layer outputs, and select counterparts of values; None
        for what became of the layers."""
        self._counterparts = {}
        own, theirs = dict[int, int](), dict[int, int]()
        for step in stepping.steps if stepping is not None else ():
            if step.worst is None:
                continue
            own[step.index] = 2 if not step.over else 1 if step.made is False else 0
            output = shown_output(step)
            place = self._places[0].get(step.index)
            other = None if place is None else self._diff.pairs[place].other
            if output is not None and output.match is not None:
                other = output.match.layer
            if other is not None:
                self._counterparts[step.index] = other
                theirs[other] = min(own[step.index], theirs.get(other, 2))
        for side, errors in zip(self.sides, (own, theirs), strict=True):
            side.show_errors(errors if stepping is not None else None)

    def fit(self) -> None:
        """Show both graphs as a whole, at one scale where they are zoomed together."""
        cameras = [side.view.camera for side in self.sides]
        for camera in sorted(cameras, key=lambda camera: camera.farthest, reverse=True):
            camera.fit()  # the larger one last: the other one follows it

    def scale(self, factor: float) -> None:
        """Zoom both graphs."""
        self.sides[0].view.camera.scale(factor)
        if not self.together:
            self.sides[1].view.camera.scale(factor)

    def show_states(self, states: frozenset[State]) -> None:
        """Color layers in these states only."""
        for side in self.sides:
            side.show_states(states)

    def _follow_selection(self, number: int) -> None:
        if self._busy:
            return
        layer = self.sides[number].selection.now.layer
        place = self._places[number].get(layer, -1) if layer is not None else -1
        pair = self._diff.pairs[place] if place >= 0 else None
        partner = None if pair is None else (pair.first if number else pair.other)
        if not number and layer is not None:
            partner = self._counterparts.get(layer, partner)
        self._busy = True
        self.sides[1 - number].selection.choose(partner)
        self._busy = False
        self._follow_camera(number)
        self.chosen.emit(place)

    def _follow_camera(self, number: int) -> None:
        """Bring the pair nearest to the center to the same place on the other side."""
        if self._busy or not self.together:
            return
        side = self.sides[number]
        pairs = self._both[number], self._both[1 - number]
        self._busy = True
        bring_level(side.view, self.sides[1 - number].view, pairs, side.selection.now.layer)
        self._busy = False


class _Connection(QWidget):
    """A dotted line between the boxes of the selected pair, over both graphs."""

    def __init__(self, theme: Theme, graphs: DiffGraphs) -> None:
        super().__init__(graphs)
        self._theme, self._graphs = theme, graphs
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(tr("Line between the selected layers"))

    def path(self) -> QPainterPath | None:
        """Return the line, in this widget; None where a side has no such box in view."""
        ends = []
        for side in self._graphs.sides:
            place = side.place_of(side.selection.now.layer)
            offset = QPointF(side.mapTo(self._graphs, QPoint(0, 0)))
            shown = QRectF(side.view.geometry())
            if place is None or not shown.contains(place.center()):
                return None
            ends.append((place.translated(offset), shown.translated(offset)))
        (one, first), (two, other) = ends
        start = QPointF(min(one.right(), first.right()), one.center().y())
        end = QPointF(max(two.left(), other.left()), two.center().y())
        if not start.x() < end.x():
            return None
        middle = max(start.x() + 8, min(self._graphs.sides[1].x() - 4, end.x() - 8))
        path = QPainterPath(start)
        path.cubicTo(QPointF(middle, start.y()), QPointF(middle, end.y()), end)
        return path

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the line."""
        path = self.path()
        if path is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(qt_color(self._theme.palette.text), 1.4)
        pen.setDashPattern([1.5, 2.5])
        painter.setPen(pen)
        painter.drawPath(path)


def _notes(diff: ModelDiff, side: int) -> dict[int, str]:
    """Return what is at the right of a box: 'new', 'folded', 'weights'."""
    notes = {}
    for pair in diff.pairs:
        index = pair.other if side else pair.first
        if index is None or pair.state is State.SAME:
            continue
        text = tr(NAMES[pair.state]).lower()
        if pair.folded:
            text = tr("replaced") if pair.folded == CLAMPING else tr("folded")
        if pair.state is State.CHANGED:
            text = pair.changes[0].name if len(pair.changes[0].name) <= 12 else text
        notes[index] = text
    return notes
