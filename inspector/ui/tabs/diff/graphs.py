"""Two graphs side by side that pan, zoom and select together."""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QToolButton, QVBoxLayout, QWidget

from inspector.analysis.graph_layout import layout
from inspector.analysis.graph_layout.drawing import Body, Key
from inspector.comparison.folding import CLAMPING
from inspector.comparison.model_changes import ModelDiff, State
from inspector.export.charts.palette import Palette, readable
from inspector.model.model import Model
from inspector.ui.background import TaskRunner
from inspector.ui.graph.coloring import Coloring
from inspector.ui.graph.graph_loading import staged
from inspector.ui.graph.linked_views import bring_level
from inspector.ui.graph.minimap import MiniMap
from inspector.ui.graph.scene import Scene
from inspector.ui.graph.view import GraphView
from inspector.ui.selection import Selection
from inspector.ui.translate import mark, plural, tr
from inspector.ui.widgets.parts import PADDING, Elided, follow, hairline, label, tool
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
COLORED = (State.NEW, State.GONE, State.CHANGED, State.MOVED)
_STRIP = 44  # width of the strip that shows the whole model, in pixels


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


class DiffGraph(QWidget):
    """One of two models as a graph, colored by what became of its layers.

    states, notes: of each layer, by its index; a note stands at the right of its box.
    """

    drawn = Signal()
    failed = Signal(object)  # InspectorError

    def __init__(
        self,
        theme: Theme,
        letter: str,
        model: Model,
        states: list[State],
        notes: dict[int, str],
    ) -> None:
        super().__init__()
        self._theme, self._model, self._notes = theme, model, notes
        self._codes = np.array(
            [COLORED.index(state) + 1 if state in COLORED else 0 for state in states], np.int8
        )
        self._shown = frozenset(State)
        self._body: Body | None = None
        self._opened: frozenset[Key] = frozenset()
        self._jobs, self._working = TaskRunner(self), False
        self._next: Callable[[], None] | None = None
        self.selection = Selection(self)
        self.view = GraphView(theme, self.selection)
        self.view.setAccessibleName(tr("Graph of model {letter}").format(letter=letter))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        head = QHBoxLayout()
        head.setContentsMargins(PADDING, 6, PADDING, 6)
        head.setSpacing(8)
        head.addWidget(label(letter, "heading"))
        head.addWidget(Elided(model.name, mode=Qt.TextElideMode.ElideMiddle), 1)
        head.addWidget(label(plural(len(model.layers), "layer"), "secondary"))
        self.other = tool(theme, "down", tr("Compare another model as {letter}").format(
            letter=letter))  # fmt: skip
        self.other.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        head.addWidget(self.other)
        column.addLayout(head)
        column.addWidget(hairline())
        self.strip = MiniMap(theme, self.view.camera)
        self.strip.setFixedWidth(_STRIP)
        across = QHBoxLayout()
        across.setSpacing(0)
        across.addWidget(self.view, 1)
        across.addWidget(self.strip)
        column.addLayout(across, 1)
        self.view.toggled.connect(lambda key: self._draw(lambda opened: opened ^ {key}, key))
        self.view.layer_requested.connect(self._open_for)
        theme.changed.connect(self._color)
        self._draw(lambda opened: opened, None)

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
        self._color()

    def _color(self) -> None:
        self._draw(lambda opened: opened, ())

    def _open_for(self, layer: int) -> None:
        body = self._body
        if body is not None:
            self._draw(lambda opened: opened | layout.opened_for(body, layer), None)

    def _draw(
        self, choose: Callable[[frozenset[Key]], frozenset[Key]], anchor: Key | None
    ) -> None:
        """Lay out in the background; of several requests meanwhile the last counts."""
        if self._working:
            self._next = lambda: self._draw(choose, anchor)
            return
        self._working = True
        body, opened, model = self._body, choose(self._opened), self._model
        hidden = [COLORED.index(state) + 1 for state in COLORED if state not in self._shown]
        codes = np.where(np.isin(self._codes, hidden), 0, self._codes).astype(np.int8)
        palette = self._theme.palette
        colors = tuple(state_color(palette, state) for state in COLORED)
        names = tuple(tr(NAMES[state]) for state in COLORED)
        signs = tuple(SIGNS[state] for state in COLORED)
        gone = frozenset((COLORED.index(State.GONE) + 1,))
        coloring = Coloring(names, colors, codes, signs=signs, dashed=gone)

        def work() -> tuple[Body, frozenset[Key], Scene]:
            if body is None:
                whole = layout.body(model)
                first, drawing = layout.first_drawn(whole)
            else:
                whole, first, drawing = body, opened, layout.draw(body, opened)
            return whole, first, staged(drawing, model, None, coloring)

        def show(laid: tuple[Body, frozenset[Key], Scene]) -> None:
            self._working = False
            self._body, self._opened, scene = laid
            scene.notes.update(self._notes)
            self.view.show_scene(scene, anchor)
            self.strip.show_scene(scene)
            if anchor is None:
                self.view.reveal_layer()
            self.drawn.emit()
            request, self._next = self._next, None
            if request is not None:
                request()

        self._jobs.start(work, show, self.failed.emit)


class DiffGraphs(QWidget):
    """Both models; what is panned, zoomed or selected on one side is so on the other.

    chosen: the place of the selected pair in `ModelDiff.pairs`; -1 for none.
    """

    chosen = Signal(int)

    def __init__(self, theme: Theme, diff: ModelDiff) -> None:
        super().__init__()
        self._diff, self._busy = diff, False
        self.together = True
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
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(splitter)
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
