"""A model as a graph beside something else that is about it."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLayout, QWidget

from inspector.analysis.graph_layout import layout
from inspector.analysis.graph_layout.drawing import Body, Key
from inspector.model.model import Model
from inspector.pages.charts.palette import Palette
from inspector.ui.background import TaskRunner
from inspector.ui.graph.coloring import Coloring
from inspector.ui.graph.graph_loading import staged
from inspector.ui.graph.minimap import MiniMap
from inspector.ui.graph.scene import Scene
from inspector.ui.graph.view import GraphView
from inspector.ui.selection import Selection
from inspector.ui.widgets.parts import column_of, hairline, row
from inspector.ui.widgets.theme import Theme

_STRIP = 44  # width of the strip that shows the whole model, in pixels


class ModelGraph(QWidget):
    """The graph below a line of its own, and a strip that shows all of it.

    coloring: of its layers, in a palette. notes: at the right of the boxes of layers, by their
    indices.
    """

    drawn = Signal()
    failed = Signal(object)  # InspectorError

    def __init__(
        self,
        theme: Theme,
        model: Model,
        coloring: Callable[[Palette], Coloring],
        notes: dict[int, str],
        head: QLayout,
    ) -> None:
        super().__init__()
        self._theme, self._model, self._coloring_in, self._notes = theme, model, coloring, notes
        self._body: Body | None = None
        self._opened: frozenset[Key] = frozenset()
        self._jobs, self._working = TaskRunner(self), False
        self._next: Callable[[], None] | None = None
        self.selection = Selection(self)
        self.view = GraphView(theme, self.selection)
        column = column_of(head, hairline(), on=self, spacing=0)
        self.strip = MiniMap(theme, self.view.camera)
        self.strip.setFixedWidth(_STRIP)
        column.addLayout(row((self.view, 1), self.strip, spacing=0), 1)
        self.view.toggled.connect(lambda key: self._draw(lambda opened: opened ^ {key}, key))
        self.view.layer_requested.connect(self._open_for)
        theme.changed.connect(self.color)
        self._draw(lambda opened: opened, None)

    def color(self) -> None:
        """Draw in the colors of now."""
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
        coloring = self._coloring_in(self._theme.palette)

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
