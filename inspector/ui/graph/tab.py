"""The Graph tab: the model as boxes and lines, with tools, map and legend over it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PySide6.QtCore import QMarginsF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QResizeEvent
from PySide6.QtWidgets import QFileDialog, QWidget

from inspector import units
from inspector.analysis import layout
from inspector.analysis.layout_drawing import Body, Drawing, Key
from inspector.errors import InspectorError
from inspector.model import Model
from inspector.ui.document import Document
from inspector.ui.graph.colouring import ColourBy, colouring
from inspector.ui.graph.legend import GraphLegend
from inspector.ui.graph.minimap import WIDTH, MiniMap
from inspector.ui.graph.paint import paint
from inspector.ui.graph.paint_boxes import Marked
from inspector.ui.graph.saving import save
from inspector.ui.graph.scene import Scene
from inspector.ui.graph.search import Index, Search
from inspector.ui.graph.staging import staged
from inspector.ui.graph.toolbar import Toolbar
from inspector.ui.graph.view import GraphView
from inspector.ui.jobs import Jobs
from inspector.ui.kit.failure import Failure
from inspector.ui.kit.parts import PADDING, label
from inspector.ui.kit.theme import Theme

AT_ONCE = 1500
_SEARCH, _RINGED = 300, 2000
_ZOOM = 0.7


@dataclass(frozen=True, slots=True, eq=False)
class _Laid:
    """A body, which of its frames are open, and what is drawn of it then."""

    body: Body
    opened: frozenset[Key]
    scene: Scene


class GraphTab(QWidget):
    """Follows a document; which frames are open is all it keeps."""

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__()
        self._theme, self._document = theme, document
        self._laid: _Laid | None = None
        self._next: Callable[[], None] | None = None
        self._working = False
        self._jobs = Jobs(self)
        self.view = GraphView(theme, document.selection)
        self.view.setParent(self)
        self.map = MiniMap(theme, self.view.camera)
        self.legend = GraphLegend(theme)
        self.toolbar = Toolbar(theme)
        self.search = Search(theme, Index(()))
        self.words = label("", "secondary")
        self.failure = Failure(theme)
        self._over = (
            self.map,
            self.legend,
            self.toolbar,
            self.search,
            self.words,
            self.failure,
        )
        for widget in self._over:
            widget.setParent(self)
        self.failure.again.hide()
        self._wire()
        self._show_model()

    def _wire(self) -> None:
        document, view, tools = self._document, self.view, self.toolbar
        document.model_changed.connect(self._show_model)
        document.report_chosen.connect(self._show_report)
        self._theme.changed.connect(self._colour)
        view.toggled.connect(self.toggle)
        view.wanted.connect(self._open_for)
        tools.coloured.connect(self._colour)
        tools.out.clicked.connect(lambda: view.camera.scale(_ZOOM))
        tools.into.clicked.connect(lambda: view.camera.scale(1 / _ZOOM))
        tools.all.clicked.connect(view.camera.fit)
        tools.close_all.clicked.connect(lambda: self._lay(frozenset()))
        tools.open_all.clicked.connect(self._open_all)
        tools.saving.connect(self._ask_to_save)
        self.search.chosen.connect(self._choose)
        self.search.found_changed.connect(self._show_found)
        self.search.field.left.connect(view.setFocus)

    @property
    def opened(self) -> frozenset[Key]:
        """Frames that are open."""
        return self._laid.opened if self._laid is not None else frozenset()

    @property
    def working(self) -> bool:
        """Whether a layout is under way."""
        return self._working

    def toggle(self, key: Key) -> None:
        """Open or close a frame."""
        self._lay(self.opened ^ {key}, key)

    def save(self, path: Path) -> None:
        """Write what is seen to a file; a failure is told over the graph."""
        shown = self.view.scene
        if shown is None:
            return

        def draw(painter: QPainter) -> None:
            camera, palette = self.view.camera, self._theme.palette
            painter.fillRect(self.view.rect(), QColor(palette.window))
            paint(painter, shown, camera, palette, Marked())

        try:
            save(path, draw, self.view.size(), self._document.name)
        except InspectorError as error:
            self.failure.show_error(error)
            self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put everything in its corner."""
        self._place()

    def _place(self) -> None:
        width, height, edge = self.width(), self.height(), PADDING
        self.map.setGeometry(width - WIDTH - edge, edge, WIDTH, max(40, height - 2 * edge))
        room = width - WIDTH - 3 * edge
        tools = self.toolbar.sizeHint()
        self.toolbar.title.setVisible(room >= tools.width() or self.toolbar.title.isVisible())
        self.toolbar.setGeometry(edge, edge, min(room, tools.width()), 36)
        beside = room - tools.width() - 12
        narrow = beside < 220
        left, top = (edge, edge + 44) if narrow else (edge + tools.width() + 12, edge)
        wide = min(_SEARCH, room if narrow else beside)
        self.search.setGeometry(left, top, wide, 36)
        self.view.camera.covered = QMarginsF(0, top + 36, WIDTH + edge, 36)
        self.view.setGeometry(0, 0, width, height)
        size = self.legend.fitted(room)
        self.legend.setGeometry(
            edge, height - edge - size.height(), size.width(), size.height()
        )
        self.words.adjustSize()
        self.words.move((room - self.words.width()) // 2 + edge, height // 2 - 10)
        note = self.failure.sizeHint().expandedTo(QSize(320, 60))
        self.failure.setGeometry(
            edge, height - edge - 40 - note.height(), min(room, 520), note.height()
        )

    def _show_model(self) -> None:
        model = self._document.model
        self.view.setVisible(model is not None)
        for widget in (self.map, self.toolbar, self.search):
            widget.setVisible(model is not None)
        if model is None:
            self._say("The graph is shown as soon as the model is read.")
            return
        count = len(model.layers)
        self._say(f"Laying out {units.plural(count, 'layer')}…")
        self._start_colour()
        dress = self._dress(model)

        def work() -> _Laid:
            found = layout.body(model)
            first = layout.first_opened(found)
            return _Laid(found, first, dress(layout.draw(found, first)))

        self.search.set_index(Index(model.layers))
        self._begin(count, work, None)

    def _lay(self, opened: frozenset[Key], held: Key | None = None) -> None:
        """Draw with other frames open; while that is under way only the last wish is kept."""
        laid, model = self._laid, self._document.model
        if laid is None or model is None:
            return
        if self._working:
            self._next = lambda: self._lay(opened, held)
            return
        dress, body = self._dress(model), laid.body
        more = sum(body.tree.counts[key[0]] for key in opened - laid.opened)

        def work() -> _Laid:
            return _Laid(body, opened, dress(layout.draw(body, opened)))

        self._begin(len(laid.scene.drawing) + more, work, held)

    def _colour(self) -> None:
        """Show the same drawing in other colours, or with another report."""
        laid, model = self._laid, self._document.model
        if laid is None or model is None:
            return
        if self._working:
            self._next = self._colour
            return
        dress = self._dress(model)

        def work() -> _Laid:
            return _Laid(laid.body, laid.opened, dress(laid.scene.drawing))

        self._begin(len(model.layers), work, ())

    def _dress(self, model: Model) -> Callable[[Drawing], Scene]:
        """What makes a scene of a drawing, with the present report and colours."""
        by = ColourBy(self.toolbar.colour_by.value)
        report, palette = self._document.report, self._theme.palette

        def dress(drawing: Drawing) -> Scene:
            chosen = colouring(by, drawing.bodies[0], model, report, palette)
            return staged(drawing, model, report, chosen)

        return dress

    def _begin(self, size: int, work: "Callable[[], _Laid]", held: Key | None) -> None:
        """Work now when it is quick, else off the window's thread; then show the outcome."""
        self._working = True

        def then(made: _Laid) -> None:
            self._working, self._laid = False, made
            self._say("")
            self._show(made.scene, held)
            wish, self._next = self._next, None
            if wish is not None:
                wish()

        if size <= AT_ONCE:
            then(work())
        else:
            self._jobs.start(work, then, self._fail)

    def _fail(self, error: InspectorError) -> None:
        self._working = False
        self._say("")
        self.failure.show_error(error)
        self._place()

    def _show(self, shown: Scene, held: Key | None) -> None:
        self.view.show_scene(shown, held)
        self.map.show_scene(shown)
        self._show_legend(shown)
        self._show_found()
        if held is None:
            self.view.reveal_layer()

    def _start_colour(self) -> None:
        measured = self._document.report is not None
        self.toolbar.offer(measured)
        by = ColourBy.UNIT if measured else ColourBy.FAMILY
        self.toolbar.colour_by.blockSignals(True)
        self.toolbar.colour_by.show_value(by.value)
        self.toolbar.colour_by.blockSignals(False)

    def _show_report(self) -> None:
        self._start_colour()
        self._colour()

    def _show_legend(self, shown: Scene) -> None:
        chosen, palette = shown.colouring, self._theme.palette
        entries = [(chosen.colours[code - 1], chosen.names[code - 1]) for code in chosen.used()]
        if len(np.unique(shown.unit[shown.unit >= 0])) > 1:
            entries.append((palette.data, "Copy between devices"))
        self.legend.show_entries(tuple(entries))
        self._place()

    def _show_found(self) -> None:
        if self._laid is not None:
            shown = self._laid.scene.drawing.shown
            boxes = {int(shown[layer]) for layer in self.search.found[:_RINGED]}
            self.view.found = frozenset(boxes - {-1})
            self.view.update()

    def _choose(self, layer: int) -> None:
        selection = self._document.selection
        if selection.now.layer == layer:
            self.view.follow()
        else:
            selection.choose(layer)

    def _open_for(self, layer: int) -> None:
        if self._laid is not None:
            self._lay(self.opened | layout.opened_for(self._laid.body, layer))

    def _open_all(self) -> None:
        if self._laid is not None:
            self._lay(self.opened | layout.all_opened(self._laid.body))

    def _say(self, words: str) -> None:
        self.words.setText(words)
        self.words.setVisible(bool(words))
        self.words.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._place()

    def _ask_to_save(self, form: str) -> None:
        proposed = f"{Path(self._document.name).stem}-graph.{form}"
        name, _ = QFileDialog.getSaveFileName(self, "Save what is seen", proposed)
        if name:
            path = Path(name)
            self.save(path if path.suffix else path.with_suffix(f".{form}"))
