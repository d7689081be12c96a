"""The Graph tab: the model as boxes and lines, with tools, map and legend over it."""

from pathlib import Path

import numpy as np
from PySide6.QtCore import QMarginsF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QResizeEvent
from PySide6.QtWidgets import QFileDialog, QWidget

from inspector import units
from inspector.analysis.layout_drawing import Key
from inspector.courtesy import wanted
from inspector.errors import InspectorError
from inspector.ui.documents.document import Document
from inspector.ui.documents.jobs import Jobs
from inspector.ui.graph.colouring import ColourBy
from inspector.ui.graph.laying import AT_ONCE, Laying
from inspector.ui.graph.legend import GraphLegend
from inspector.ui.graph.minimap import WIDTH, MiniMap
from inspector.ui.graph.paint import paint
from inspector.ui.graph.paint_boxes import Marked
from inspector.ui.graph.saving import save
from inspector.ui.graph.scene import Scene
from inspector.ui.graph.search import Search
from inspector.ui.graph.search_index import Index, types_of
from inspector.ui.graph.toolbar import Toolbar
from inspector.ui.graph.view import GraphView
from inspector.ui.kit.failure import Failure
from inspector.ui.kit.parts import PADDING, label
from inspector.ui.kit.theme import Theme

_SEARCH, _RINGED, _WHOLE_BAR = 300, 2000, 420
_ZOOM = 0.7


class GraphTab(QWidget):
    """Follows a document; which frames are open is all it keeps."""

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__()
        self._theme, self._document = theme, document
        self._laying, self._jobs = Laying(document, theme, self), Jobs(self)
        self._indexed = False
        self.view = GraphView(theme, document.selection)
        self.view.setParent(self)
        self.map = MiniMap(theme, self.view.camera)
        self.legend = GraphLegend(theme)
        self.toolbar = Toolbar(theme)
        self.search = Search(theme, Index((), {}))
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
        self._theme.changed.connect(self._laying.colour)
        self._laying.done.connect(self._show)
        self._laying.failed.connect(self._fail)
        view.toggled.connect(self._laying.toggle)
        view.wanted.connect(self._laying.open_for)
        tools.coloured.connect(self._laying.colour_by)
        tools.out.clicked.connect(lambda: view.camera.scale(_ZOOM))
        tools.into.clicked.connect(lambda: view.camera.scale(1 / _ZOOM))
        tools.all.clicked.connect(view.camera.fit)
        tools.close_all.clicked.connect(self._laying.close_all)
        tools.open_all.clicked.connect(self._laying.open_all)
        tools.saving.connect(self._ask_to_save)
        self.search.chosen.connect(self._choose)
        self.search.found_changed.connect(self._show_found)
        self.search.field.left.connect(view.setFocus)

    @property
    def opened(self) -> frozenset[Key]:
        """Frames that are open."""
        return self._laying.opened

    @property
    def working(self) -> bool:
        """Whether a layout is under way."""
        return self._laying.working

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
        self.map.setGeometry(width - WIDTH, 0, WIDTH, height)
        room = width - WIDTH - 2 * edge
        self.toolbar.title.setVisible(room >= _WHOLE_BAR)
        tools = self.toolbar.sizeHint()
        self.toolbar.setGeometry(edge, edge, min(room, tools.width()), 36)
        beside = room - tools.width() - 12
        narrow = beside < 220
        left, top = (edge, edge + 44) if narrow else (edge + tools.width() + 12, edge)
        wide = min(_SEARCH, room if narrow else beside)
        self.search.setGeometry(left, top, wide, 36)
        size = self.legend.fitted(room)
        self.view.camera.covered = QMarginsF(0, top + 36, 0, size.height() + edge)
        self.view.setGeometry(0, 0, max(0, width - WIDTH), height)
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
        self._say(f"Laying out {units.plural(len(model.layers), 'layer')}…")
        self._start_colour()
        self._colour_difference()
        self._document.stepping.changed.connect(self._show_walk)
        self._indexed = False
        self._laying.read(model)

    def _index(self) -> None:
        """Search by types, too: the declared ones, and all as soon as they are inferred."""
        model = self._document.model
        assert model is not None, "only a model is searched"
        found = self._document.estimating.estimate

        def work() -> Index:
            with wanted():
                index = Index(model.layers, types_of(model, found))
                index.prepare()
                return index

        if len(model.layers) <= AT_ONCE:
            self.search.set_index(work())
        else:
            self._jobs.start(work, self.search.set_index, self._fail)

    def _fail(self, error: InspectorError) -> None:
        self._say("")
        self.failure.show_error(error)
        self._place()

    def _show(self, shown: Scene, held: Key | None) -> None:
        self._say("")
        self.view.show_scene(shown, held)
        self.map.show_scene(shown)
        self._show_legend(shown)
        self._show_found()
        if held is None:
            self.view.reveal_layer()
        if not self._indexed:  # two at once would keep the graph waiting
            self._indexed = True
            self._document.estimating.changed.connect(self._index)
            self._index()

    def _start_colour(self) -> None:
        measured = self._document.report is not None
        self.toolbar.offer(measured, self._compared)
        by = ColourBy.UNIT if measured else ColourBy.FAMILY
        self._choose_colour(by)

    @property
    def _compared(self) -> bool:
        """Whether layers were held against another side."""
        found = self._document.stepping.found if self._document.model is not None else None
        return found is not None and bool(found.against)

    def _choose_colour(self, by: ColourBy) -> None:
        self.toolbar.colour_by.blockSignals(True)
        self.toolbar.colour_by.show_value(by.value)
        self.toolbar.colour_by.blockSignals(False)
        self._laying.by = by

    def _show_walk(self) -> None:
        """Show where two sides part, as soon as that is known."""
        self.toolbar.offer(self._document.report is not None, self._compared)
        if not self._compared and self._laying.by is ColourBy.DIFFERENCE:
            self._start_colour()
        self._colour_difference()
        self._laying.colour()

    def _colour_difference(self) -> None:
        """Turn to the differences where there is one that matters."""
        found = self._document.stepping.found if self._compared else None
        if found is not None and found.divergence is not None:
            self._choose_colour(ColourBy.DIFFERENCE)

    def _show_report(self) -> None:
        self._start_colour()
        self._laying.colour()

    def _show_legend(self, shown: Scene) -> None:
        chosen, palette = shown.colouring, self._theme.palette
        entries = [(chosen.colours[code - 1], chosen.names[code - 1]) for code in chosen.used()]
        if len(np.unique(shown.unit[shown.unit >= 0])) > 1:
            entries.append((palette.data, "Copy between devices"))
        self.legend.show_entries(tuple(entries))
        self._place()

    def _show_found(self) -> None:
        if self.view.scene is not None:
            shown = self.view.scene.drawing.shown
            boxes = {int(shown[layer]) for layer in self.search.found[:_RINGED]}
            self.view.found = frozenset(boxes - {-1})
            self.view.update()

    def _choose(self, layer: int) -> None:
        selection = self._document.selection
        if selection.now.layer == layer:
            self.view.follow()
        else:
            selection.choose(layer)

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
