"""The Graph tab: the model as boxes and lines, with tools, map and legend over it."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QIODevice,
    QPoint,
    QRect,
    QSize,
    QSizeF,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QDialog, QMenu, QWidget

from inspector.analysis.graph_layout.drawing import Key
from inspector.analysis.layer_numbers import (
    difference,
    plugin_numbers,
    sources_of_plugins,
    time_numbers,
)
from inspector.analysis.layer_search import LayerIndex, values_by_name
from inspector.errors import InspectorError
from inspector.formats import node_data
from inspector.model.layer_values import LayerNumbers
from inspector.pages.charts.drawing import Drawing
from inspector.pages.charts.palette import LIGHT
from inspector.platform import files
from inspector.platform.cooperative_yielding import urgent_work
from inspector.report.report import PerformanceReport
from inspector.ui import commands, units
from inspector.ui.background import TaskRunner
from inspector.ui.documents import file_dialogs
from inspector.ui.documents.document import Bookmark, Document, Topic
from inspector.ui.graph.coloring import COSTS, ColorBy
from inspector.ui.graph.coloring import numbers as numbers_of
from inspector.ui.graph.editing.view import EditView
from inspector.ui.graph.executed import ExecutedView
from inspector.ui.graph.graph_loading import AT_ONCE, GraphLayout
from inspector.ui.graph.hits import WIDE_PX
from inspector.ui.graph.legend import GraphLegend, entries_of
from inspector.ui.graph.linked_views import Pairs, bring_level
from inspector.ui.graph.minimap import WIDTH, MiniMap
from inspector.ui.graph.paint import paint
from inspector.ui.graph.paint_boxes import MarkedBoxes
from inspector.ui.graph.scene import Scene
from inspector.ui.graph.search import Search
from inspector.ui.graph.toolbar import BOTH, EXECUTED, MODEL, Toolbar
from inspector.ui.graph.view import GraphView
from inspector.ui.graph.whole import whole_graph
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.failure import Failure
from inspector.ui.widgets.fields import ChoiceField
from inspector.ui.widgets.parts import (
    PADDING,
    button,
    column_of,
    explain_entries,
    label,
    row,
    set_available,
)
from inspector.ui.widgets.theme import Theme

_PLUGIN = "plugin "  # begins the keys of numbers that plugins compute, before their place
_RATIO = 2
_SEARCH = 300  # px, width of the search field
_RINGED = 2000  # matches that get a ring
_LEAST_SEARCH = 200  # px; still fits "conv 3x3" beside "1 of 3"
_BAR_ROW = 36  # px, height of tools and search
_BAR_EDGE = 8  # px, above and below them
_APART = 12  # px, between tools and search
_ZOOM = 0.7


Paint = Callable[[QPainter], None]


def save(path: Path, paint: Paint, size: QSize, title: str) -> None:
    """Write `.svg`, or `.png` at twice the size, whole or not at all. Raises NotSaved."""
    image_bytes = svg(paint, size, title) if path.suffix.lower() == ".svg" else png(paint, size)
    files.write_atomic(path, image_bytes)


def svg(paint: Paint, size: QSize, title: str) -> bytes:
    """Draw into a vector file."""
    body = QByteArray()
    buffer = QBuffer(body)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(size)
    generator.setViewBox(QRect(0, 0, size.width(), size.height()))
    generator.setTitle(title)
    painter = QPainter(generator)
    paint(painter)
    painter.end()
    buffer.close()
    return bytes(body.data())


def png(paint: Paint, size: QSize) -> bytes:
    """Draw into a picture."""
    pixmap = QPixmap(size * _RATIO)
    pixmap.setDevicePixelRatio(_RATIO)
    painter = QPainter(pixmap)
    paint(painter)
    painter.end()
    body = QByteArray()
    buffer = QBuffer(body)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    pixmap.save(buffer, tr("PNG"))
    buffer.close()
    return bytes(body.data())


def _report_title(report: PerformanceReport) -> str:
    """Return what tells a report from others: devices, optimization, time of day."""
    spec = report.spec
    devices = "+".join(units.device(each) for each in spec.devices)
    return f"{devices}, {spec.optimization}, {report.created[11:19]}"


class DifferenceDialog(QDialog):
    """Asks which set of numbers is subtracted from which; `chosen` has their places."""

    def __init__(self, theme: Theme, titles: Sequence[str], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Difference between two sets of layer values"))
        keys = [str(number) for number in range(len(titles))]
        shown = [units.clip(title, 60) for title in titles]
        self.first = ChoiceField(tr("Numbers"), keys, shown)
        self.other = ChoiceField(tr("Minus"), keys, shown)
        self.other.setCurrentIndex(1)
        self.compare = button(theme, tr("Compare"), primary=True, then=self.accept)
        self.compare.setEnabled(len(titles) > 1)
        cancel = button(theme, tr("Cancel"), then=self.reject)
        column = column_of(on=self, spacing=10, margins=(PADDING,) * 4)
        hint = tr(
            "Boxes show the first set minus the second for layers that have a value in both."
        )
        if len(titles) < 2:
            hint = tr("Two sets are required: measure twice, or load layer values from a file.")
        column.addWidget(label(hint, "secondary"))
        for text, field in ((tr("Numbers"), self.first), (tr("Minus"), self.other)):
            caption = label(text, "secondary")
            caption.setFixedWidth(90)
            column.addLayout(row(caption, (field, 1)))
        column.addLayout(row(None, cancel, self.compare, spacing=8))

    @property
    def chosen(self) -> tuple[int, int]:
        """Return the places of both sets."""
        return self.first.currentIndex(), self.other.currentIndex()


class GraphTab(QWidget):
    """Follows a document; which frames are open is all it keeps.

    detail_changed: another pane is to be shown at the right, see `detail_pane`.
    """

    detail_changed = Signal()

    def __init__(self, theme: Theme, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self.document = theme, document
        self._laying, self._jobs = GraphLayout(document, theme, self), TaskRunner(self)
        self._indexed = False
        self._own_numbers: dict[str, LayerNumbers] = {}
        self._going: Bookmark | None = None  # until the frames around it are open
        self.view = GraphView(theme, document.selection)
        self.view.setParent(self)
        self._leveling = False
        self._below_bar = QRect()
        self._edits_soon = False  # edit mode begins with the first drawing
        none = np.empty(0, np.intp)
        self._pairs: Pairs = none, none  # layers, and the nodes that stand for them
        self.executed = ExecutedView(theme, document)
        self.executed.setParent(self)
        self.executed.hide()
        self.edit_view: EditView | None = None  # made when edit mode begins the first time
        self._executed_index = self._model_index = LayerIndex((), {})
        self.map = MiniMap(theme, self.view.camera)
        self.legend = GraphLegend(theme)
        self.toolbar = Toolbar(theme)
        self.search = Search(theme, LayerIndex((), {}))
        self.message = label("", "secondary")
        self.failure = Failure(theme)
        self._over = (
            self.map,
            self.legend,
            self.toolbar,
            self.search,
            self.search.hits,
            self.message,
            self.failure,
        )
        for widget in self._over:
            widget.setParent(self)
        self.failure.again.hide()
        self._wire()
        self._show_model()

    def _wire(self) -> None:
        document, view, tools = self.document, self.view, self.toolbar
        document.changed(Topic.MODEL).connect(self._show_model)
        document.changed(Topic.REPORT).connect(self._show_report)
        self._theme.changed.connect(self._laying.color)
        self._laying.done.connect(self._show)
        self._laying.failed.connect(self._fail)
        view.toggled.connect(self._laying.toggle)
        view.layer_requested.connect(self._laying.open_for)
        tools.colored.connect(self._color_by)
        tools.loading.connect(self._ask_for_numbers)
        tools.comparing.connect(self._ask_for_two)
        tools.bookmarks.aboutToShow.connect(self._list_bookmarks)
        self._list_bookmarks()
        tools.options_changed.connect(self._show_options)
        tools.out.clicked.connect(lambda: self._scale(_ZOOM))
        tools.into.clicked.connect(lambda: self._scale(1 / _ZOOM))
        tools.all.clicked.connect(self._fit)
        tools.close_all.clicked.connect(lambda: self._open_frames(False))
        tools.open_all.clicked.connect(lambda: self._open_frames(True))
        tools.shown.chosen.connect(self._show_graphs)
        tools.editing.connect(self.set_editing)
        # Of the window: people press it right after they have clicked the tab.
        self._edit_key = QShortcut(QKeySequence(Qt.Key.Key_E), self)
        self._edit_key.activated.connect(tools.edit.click)
        document.changed(Topic.EDITS).connect(self._follow_edits)
        document.changed(Topic.SPEC).connect(self._follow_settings)
        self.executed.drawn.connect(self._take_executed)
        self.view.menu_asked.connect(self._open_menu)
        self.executed.drawn.connect(self._level_executed)
        # Cameras outlive the tab: a function that holds it would keep it alive.
        view.camera.changed.connect(self._level_executed)
        self.executed.view.camera.changed.connect(self._level_model)
        tools.saving.connect(self._ask_to_save)
        self.search.chosen.connect(self._choose)
        self.search.found_changed.connect(self._show_matches)
        self.search.field.left.connect(lambda: self._views[0].setFocus())

    @property
    def opened(self) -> frozenset[Key]:
        """Frames that are open."""
        return self._laying.opened

    @property
    def working(self) -> bool:
        """Return whether a layout is under way."""
        edited = self.edit_view is not None and self.edit_view.working
        return self._laying.working or self.executed.working or edited

    @property
    def is_editing(self) -> bool:
        """Return whether the graph is in edit mode."""
        return self.edit_view is not None and not self.edit_view.isHidden()

    @property
    def detail_pane(self) -> QWidget | None:
        """Return what stands in the details pane in edit mode; None for what it has itself."""
        return self.edit_view.pane if self.edit_view is not None and self.is_editing else None

    def set_editing(self, on: bool) -> None:
        """Begin or end edit mode; the file of the model stays as it is."""
        model = self.document.model
        if on == self.is_editing or model is None:
            self._edits_soon = False
            self.toolbar.show_editing(self.is_editing)
            return
        reason = self.document.editing.why_not if on else ""
        self._edits_soon = on and not reason and self.view.scene is None
        if reason or self._edits_soon:
            self.toolbar.show_editing(self._edits_soon)
            return
        self.toolbar.show_editing(on)
        if on:
            if self.shown != MODEL:
                self.toolbar.shown.choose(MODEL)
            view = self.edit_view
            if view is None:
                view = self.edit_view = EditView(self._theme, self.document)
                view.setParent(self)
                view.hide()
                view.lower()
                view.left.connect(lambda: self.set_editing(False))
                view.failed.connect(self._fail)
                view.drawn.connect(self._take_edited)
            view.setGeometry(self._below_bar)
            view.begin(self._laying, self.view.place, self.document.selection.now.layer)
            view.show()
        elif self.edit_view is not None:
            place, layer = self.edit_view.end()
            self.edit_view.hide()
            self.document.selection.choose(layer)
            self.view.show()
            self.view.look_at(place)
        self._show_graphs(anew=False)
        self.detail_changed.emit()
        commands.run(self, "graph/editing")
        self._views[0].setFocus()

    def _take_edited(self) -> None:
        """Let the search find layers of the model as it is edited."""
        assert self.edit_view is not None, "it is what was drawn"
        model = self.edit_view.editing.model
        if self.is_editing and self.search.index.layers is not model.layers:
            self.search.set_index(LayerIndex(model.layers, values_by_name(model)))
        self._place()
        self._show_matches()

    def _follow_edits(self) -> None:
        """Offer edit mode; begin it where edits came back with the session."""
        self.toolbar.offer_editing(self.document.editing.why_not)
        begins = self._edits_soon or (self.edit_view is None and self.document.edit_steps)
        if begins and self.view.scene is not None:
            self.set_editing(True)

    def _show_options(self) -> None:
        tools = self.toolbar
        for laying in (self._laying, *([self.edit_view.laying] if self.edit_view else [])):
            laying.show_options(
                tools.folds, tools.attributes.isChecked(), tools.sideways.isChecked()
            )

    def undo_reason(self) -> str:
        """Return why no edit can be undone now; "" where one can."""
        reason = tr("Edit mode is off") if not self.is_editing else tr("There is no edit yet")
        return "" if self.is_editing and self.document.editing.can_undo else reason

    def redo_reason(self) -> str:
        """Return why no edit can be made again; "" where one can."""
        reason = tr("Edit mode is off") if not self.is_editing else tr("No edit was undone")
        return "" if self.is_editing and self.document.editing.can_redo else reason

    def undo(self) -> None:
        """Undo the last edit."""
        self.document.editing.undo()

    def redo(self) -> None:
        """Make the edit again that was undone last."""
        self.document.editing.redo()

    def save_copy(self, then: Callable[[Path], object]) -> None:
        """Ask where the edited model is saved to. then: gets the copy."""
        if not self.is_editing:
            self.set_editing(True)
        if self.edit_view is not None:
            self.edit_view.save_copy(then)

    @property
    def shown(self) -> int:
        """Return which graph is shown: `MODEL`, `EXECUTED` or `BOTH`."""
        return self.toolbar.shown.current

    def _show_graphs(self, anew: bool = True) -> None:
        """Show the model, the graph that the runtime executes, or both side by side.

        anew: from what each shows first.
        """
        if self.document.model is None:
            return
        if self.shown != MODEL and self.is_editing:
            self.set_editing(False)
            return
        edits = self.is_editing
        if self.shown != MODEL:
            self.executed.start()
        only_executed = self.shown == EXECUTED
        self.toolbar.colors.setVisible(not only_executed)
        self.toolbar.fix_colors(edits)
        self.view.setVisible(not only_executed and not edits)
        self.executed.setVisible(self.shown != MODEL)
        self.map.setVisible(self.shown == MODEL and not edits)
        self.legend.setVisible(not only_executed and not edits and bool(self.legend.entries))
        self.search.set_index(self._executed_index if only_executed else self._model_index)
        self._place()
        for view in self._views if anew else ():
            view.start_over()

    def _follow_settings(self) -> None:
        """Optimize again where settings are others now."""
        if self.document.model is None:
            return
        if self.shown != MODEL:
            self.executed.start()
        if self._laying.color_by is ColorBy.EXECUTED:
            self.document.executed.begin()

    def _take_executed(self) -> None:
        """Let the search find nodes of the graph that has just been drawn, and link them."""
        model, graph = self.executed.model, self.executed.graph
        if graph is not None:
            every = [(layer, graph.node_for(layer)) for layer in range(len(graph.fates))]
            both = [(layer, node) for layer, node in every if node is not None]
            columns = np.array(both, np.intp).reshape(-1, 2).T
            self._pairs = columns[0], columns[1]
        if model is not None and self._executed_index.layers is not model.layers:
            self._executed_index = LayerIndex(model.layers, values_by_name(model))
            if self.shown == EXECUTED:
                self.search.set_index(self._executed_index)
        self._show_matches()

    @property
    def _views(self) -> tuple[GraphView, ...]:
        """Return the graphs that are visible."""
        if self.edit_view is not None and self.is_editing:
            return (self.edit_view.view,)
        return {
            MODEL: (self.view,),
            EXECUTED: (self.executed.view,),
            BOTH: (self.view, self.executed.view),
        }[self.shown]

    def _level_executed(self) -> None:
        self._level(self.view)

    def _level_model(self) -> None:
        self._level(self.executed.view)

    def _level(self, source: GraphView) -> None:
        """Where both graphs are shown, move the other one along with what was moved."""
        if self._leveling or self.shown != BOTH:
            return
        layers, nodes = self._pairs
        self._leveling = True
        if source is self.view:
            chosen = self.document.selection.now.layer
            bring_level(source, self.executed.view, (layers, nodes), chosen)
        else:
            chosen = self.executed.selection.now.layer
            bring_level(source, self.view, (nodes, layers), chosen)
        self._leveling = False

    def _scale(self, factor: float) -> None:
        for view in self._views[:1]:  # where both are shown, the other one follows
            view.camera.scale(factor)

    def _fit(self) -> None:
        for view in self._views:
            view.camera.fit()

    def _open_frames(self, open_: bool) -> None:
        for view in self._views:
            target = self._layouts[view]
            (target.open_all if open_ else target.close_all)()

    @property
    def _layouts(self) -> "dict[GraphView, GraphLayout | ExecutedView]":
        """Return what opens and closes the frames of each graph."""
        layouts: dict[GraphView, GraphLayout | ExecutedView] = {
            self.view: self._laying,
            self.executed.view: self.executed,
        }
        if self.edit_view is not None:
            layouts[self.edit_view.view] = self.edit_view.laying
        return layouts

    def save(self, path: Path) -> None:
        """Write the visible graph to a file; an error is shown over the graph."""
        view = self._views[0]
        scene = view.scene
        if scene is None:
            return

        def draw(painter: QPainter) -> None:
            camera, palette = view.camera, self._theme.palette
            painter.fillRect(view.rect(), QColor(palette.window))
            paint(painter, scene, camera, palette, MarkedBoxes(), edits=view.edits)

        try:
            save(path, draw, view.size(), self.document.name)
        except InspectorError as error:
            self.failure.show_error(error)
            self._place()

    def when_drawn(self, then: Callable[[], None]) -> None:
        """Call a function once the graph of the model is there: now, or when it is laid out."""
        if self._laying.on_paper() is not None:
            then()
            return
        once = Qt.ConnectionType.SingleShotConnection
        self._laying.done.connect(lambda *_: QTimer.singleShot(0, self, then), once)

    def whole(self) -> Callable[[], Drawing] | None:
        """Return what draws the whole graph for a file, on any thread; None without a graph."""
        laying: GraphLayout | ExecutedView = self._laying
        if self.is_editing and self.edit_view is not None:
            laying = self.edit_view.laying
        elif self.shown == EXECUTED:
            laying = self.executed
        staged, title = laying.on_paper(), self.document.name

        def draw() -> Drawing:
            assert staged is not None, "asked for with a graph only"
            scene = staged()
            entries, scale = entries_of(scene, LIGHT)
            note = f"{scale.title}: {scale.low} – {scale.high}" if scale is not None else ""
            return whole_graph(scene, title, entries, note)

        return draw if staged is not None else None

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put everything in its place."""
        self._place()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bar that has the tools."""
        painter, look = QPainter(self), self._theme.palette
        painter.fillRect(0, 0, self.width(), self._below_bar.top(), QColor(look.bar))
        painter.fillRect(0, self._below_bar.top() - 1, self.width(), 1, QColor(look.border))

    def _place(self) -> None:
        body = self._below_bar = self._place_tools()
        width, height = body.width(), body.height()
        edited = self.edit_view if self.is_editing else None
        if edited is not None:
            edited.setGeometry(body)
        if self.shown != MODEL:
            begin = width // 2 if self.shown == BOTH else 0
            self.executed.setGeometry(begin, body.top(), width - begin, height)
            width = begin or width
        if not self.legend.isHidden():
            foot = self.legend.heightForWidth(width)
            height -= foot
            self.legend.setGeometry(0, body.top() + height, width, foot)
        if not self.map.isHidden() and self.map.sideways:
            height -= WIDTH
            self.map.setGeometry(0, body.top() + height, width, WIDTH)
        elif not self.map.isHidden():
            width -= WIDTH
            self.map.setGeometry(width, body.top(), WIDTH, height)
        self.view.setGeometry(0, body.top(), max(0, width), max(0, height))
        self.message.adjustSize()
        self.message.move((width - self.message.width()) // 2, self.height() // 2 - 10)
        note = self.failure.sizeHint().expandedTo(QSize(320, 60))
        wide = min(width - 2 * PADDING, 520)
        bottom = body.top() + height - PADDING
        self.failure.setGeometry(PADDING, bottom - note.height(), wide, note.height())

    def _place_tools(self) -> QRect:
        """Lay out the bar: the search beside the tools or below them; return what is left."""
        edge, width = PADDING, self.width()
        available = width - 2 * edge
        tools = self.toolbar.fitted(available - _LEAST_SEARCH - _APART)
        self.toolbar.setGeometry(edge, _BAR_EDGE, min(available, tools.width()), _BAR_ROW)
        room = available - tools.width() - _APART
        left, top = edge + tools.width() + _APART, _BAR_EDGE
        if room < _LEAST_SEARCH:
            left, top, room = edge, _BAR_EDGE + _BAR_ROW + _BAR_EDGE, available
        wide = min(_SEARCH, room)
        more = bool(self.search.problem) or self.search.nothing
        high = max(_BAR_ROW, self.search.heightForWidth(wide)) if more else _BAR_ROW
        self.search.setGeometry(left, top, wide, high)
        self.search.raise_()
        hits, right = self.search.hits, left + wide
        broad = min(max(wide, WIDE_PX), available)
        hits.setGeometry(max(edge, right - broad), top + high + 4, broad, hits.high)
        hits.raise_()
        below = 0 if self.toolbar.isHidden() else top + _BAR_ROW + _BAR_EDGE
        return QRect(0, below, width, self.height() - below)

    def _show_model(self) -> None:
        model = self.document.model
        self.view.setVisible(model is not None)
        for widget in (self.map, self.toolbar, self.search):
            widget.setVisible(model is not None)
        if model is None:
            self._say(tr("Loading the model…"))
            return
        self._say(
            tr("Laying out {layer_count}…").format(
                layer_count=plural(len(model.layers), "layer")
            )
        )
        self._follow_edits()
        self.toolbar.shown.choose(MODEL)
        self.toolbar.shown.setVisible(self.document.executed.is_offered)
        self._own_numbers.clear()
        self.toolbar.remove_added()
        for place, plugin in enumerate(sources_of_plugins()):
            self.toolbar.add(f"{_PLUGIN}{place}", plugin.value.title)
        self._start_color()
        self._color_difference()
        self.document.stepping.changed.connect(self._show_walk)
        self._indexed = False
        self._laying.read(model)

    def _index(self) -> None:
        """Search by declared types and shapes, and by all as soon as they are inferred."""
        model = self.document.model
        assert model is not None, "only a model is searched"
        estimate = self.document.estimating.estimate

        def work() -> LayerIndex:
            inferred = estimate.shapes.values if estimate is not None else ()
            with urgent_work():
                index = LayerIndex(model.layers, values_by_name(model, inferred))
                index.prepare()
                return index

        if len(model.layers) <= AT_ONCE:
            self._take_index(work())
        else:
            self._jobs.start(work, self._take_index, self._fail)

    def _take_index(self, index: LayerIndex) -> None:
        self._model_index = index
        if self.shown != EXECUTED:
            self.search.set_index(index)
        self._laying.values = index.values
        if self.view.scene is not None:
            self.view.scene.values = index.values
            self.view.update()

    def _fail(self, error: InspectorError) -> None:
        self._say("")
        self.failure.show_error(error)
        self._place()

    def _show(self, scene: Scene, anchor: Key | None) -> None:
        self._say("")
        # The map is drawn to the scale of the whole, which the view would take over too late.
        self.view.camera.whole = QSizeF(scene.drawing.width, scene.drawing.height)
        self.map.show_scene(scene)
        self._place()
        self.view.show_scene(scene, anchor)
        going, self._going = self._going, None
        self._show_legend(scene)
        self._show_matches()
        if going is not None:
            self.view.center_layer(going.layer, going.zoom)
        elif anchor is None:
            self.view.reveal_layer()
        if not self._indexed:  # two at once would keep the graph waiting
            self._indexed = True
            self.document.estimating.changed.connect(self._index)
            self.document.estimating.changed.connect(self._refresh_numbers)
            self.document.estimating.begin()
            self._index()
            self._follow_edits()

    def _open_menu(self, point: QPoint) -> None:
        menu = self.menu()
        if menu is not None:
            menu.popup(point)

    def menu(self) -> QMenu | None:
        """Return what can be done with the selected layer; None where none is selected."""
        document, index = self.document, self.document.selection.now.layer
        model = document.model
        if model is None or index is None or not 0 <= index < len(model.layers):
            return None
        layer, name = model.layers[index], model.layers[index].label
        menu = QMenu(self)
        explain_entries(menu)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        clipboard = QGuiApplication.clipboard()
        menu.addAction(tr("Copy name"), lambda: clipboard.setText(name))
        edit = menu.addAction(tr("Edit this layer (E)"), lambda: self.set_editing(True))
        set_available(edit, document.editing.why_not)
        menu.addSeparator()
        weights = {weight.name for weight in model.weights}
        for text, tab, reason in (
            (tr("Show in Performance"), "performance",
             "" if document.report is not None else tr("The model has not been measured")),
            (tr("Show its outputs"), "activations",
             document.not_run[0] if document.not_run is not None else ""),
            (tr("Show weights"), "weights",
             "" if not weights.isdisjoint(layer.inputs) else tr("It reads no weights")),
        ):  # fmt: skip
            set_available(menu.addAction(text, commands.runner(self, f"tab/{tab}")), reason)
        menu.addSeparator()
        operator = units.clip(layer.operator, 40)
        menu.addAction(
            tr("Find all {operator}").format(operator=operator.replace("&", "&&")),
            lambda: self.search.field.setText(f"op:{operator}"),
        )
        return menu

    def _list_bookmarks(self) -> None:
        """Fill the menu of bookmarks."""
        menu, model = self.toolbar.bookmarks, self.document.model
        menu.clear()
        menu.addAction(tr("Add this view")).triggered.connect(self.add_bookmark)
        copied = menu.addAction(tr("Copy link to this view"))
        copied.triggered.connect(commands.runner(self, "copy-link"))
        count = len(model.layers) if model is not None else 0
        marks = [mark for mark in self.document.bookmarks if mark.layer < count]
        if model is None or not marks:
            return
        menu.addSeparator()
        for each in marks:
            name = units.clip_name(model.layers[each.layer].label, 60).replace("&", "&&")
            action = menu.addAction(f"{name} · {units.number(each.zoom, '.0%')}")
            action.triggered.connect(partial(self.go_to, each))
        menu.addSeparator()
        menu.addAction(tr("Remove all")).triggered.connect(self._remove_bookmarks)

    @property
    def seen(self) -> Bookmark | None:
        """Return what is seen: the selected layer if in view, else the one in the middle."""
        selected = self.document.selection.now.layer
        layer = selected if self.view.is_in_view(selected) else self.view.layer_in_middle()
        return Bookmark(layer, self.view.camera.zoom) if layer is not None else None

    def add_bookmark(self) -> None:
        """Remember what is seen."""
        mark = self.seen
        if mark is not None:
            self.document.bookmarks = (*self.document.bookmarks, mark)
            self.document.tell(Topic.BOOKMARKS)

    def _remove_bookmarks(self) -> None:
        self.document.bookmarks = ()
        self.document.tell(Topic.BOOKMARKS)

    def search_for(self, text: str) -> None:
        """Search for a text, and go on to its matches by Enter."""
        self.search.field.setText(text)
        self.search.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_executed(self) -> None:
        """Show the graph as it is executed beside that of the model."""
        self.toolbar.shown.choose(BOTH)

    def go_to(self, mark: Bookmark) -> None:
        """Show a view again; frames around its layer are opened."""
        self._going = mark
        self._laying.open_for(mark.layer)

    def _start_color(self) -> None:
        self.toolbar.offer(self._laying.sources())
        self._choose_color(ColorBy.UNIT if self.document.report is not None else ColorBy.FAMILY)

    @property
    def _compared(self) -> bool:
        """Return whether layers were held against another side."""
        return self._laying.sources().offers(ColorBy.DIFFERENCE)

    def _choose_color(self, color_by: ColorBy) -> None:
        self.toolbar.choose(color_by.value)
        self._laying.color_by = color_by

    def _color_by(self, key: str) -> None:
        """Let colors stand for something else; sparsity needs the weights to be read."""
        if key.startswith(_PLUGIN) and key not in self._own_numbers:
            model, report = self.document.model, self.document.report
            plugin = sources_of_plugins()[int(key.removeprefix(_PLUGIN))]
            assert model is not None, "the choice is offered for a model"

            def show(numbers: LayerNumbers) -> None:
                if self.document.model is model:
                    self._own_numbers[key] = numbers
                    self._laying.choose_colors(numbers)

            self._jobs.start(lambda: plugin_numbers(plugin, model, report), show, self._fail)
            return
        color_by = self._own_numbers.get(key) or ColorBy(key)
        if color_by is ColorBy.EXECUTED:
            executed = self.document.executed
            executed.changed.connect(self._follow_executed, Qt.ConnectionType.UniqueConnection)
            executed.begin()
        if color_by is ColorBy.SPARSITY:
            weights = self.document.weights
            unique = Qt.ConnectionType.UniqueConnection
            weights.uses_found.connect(self._follow_weights, unique)
            weights.found_changed.connect(self._follow_weights, unique)
            weights.read_all()
        self._laying.choose_colors(color_by)

    def _ask_for_numbers(self) -> None:
        """Let the user choose a file of numbers."""
        names = " ".join(f"*{suffix}" for suffix in node_data.SUFFIXES)
        path = file_dialogs.ask_file(
            self,
            tr("Open numbers to show on layers"),
            tr("CSV or JSON ({names})").format(names=names),
        )
        if path:
            self.load_numbers(path)

    def load_numbers(self, path: Path) -> None:
        """Read numbers of layers from a file, and color by the first set."""
        model = self.document.model
        if model is None:
            return
        try:
            sets = node_data.read(path, model)
        except InspectorError as error:
            self._fail(error)
            return
        self.failure.hide()
        self._add_numbers(sets)

    def _add_numbers(self, sets: Sequence[LayerNumbers]) -> None:
        """Offer sets of numbers, and color by the first of them."""
        keys = []
        for numbers in sets:
            keys.append(f"file {len(self._own_numbers)}")
            self._own_numbers[keys[-1]] = numbers
            self.toolbar.add(keys[-1], numbers.title)
        self.toolbar.choose(keys[0])
        self._laying.choose_colors(sets[0])

    def number_sets(self) -> list[LayerNumbers]:
        """Return what can be compared: own numbers, times of all reports, costs, memory."""
        model, sources = self.document.model, self._laying.sources()
        if model is None:
            return []
        count = len(model.layers)
        own = self._own_numbers.values()
        sets = [each for each in own if not (each.diverging or each.labels)]
        for report in reversed(self.document.reports):
            title = tr("Time, {report}").format(report=_report_title(report))
            sets.append(time_numbers(title, count, report))
        for color_by in (
            ColorBy.ARENA,
            ColorBy.LIVE,
            ColorBy.ESTIMATED_TIME,
            *COSTS,
            ColorBy.ERROR,
        ):
            found = numbers_of(color_by, model, sources) if sources.offers(color_by) else None
            sets += [found] if found is not None else []
        return sets

    def _ask_for_two(self) -> None:
        sets = self.number_sets()
        dialog = DifferenceDialog(self._theme, [each.title for each in sets], self)
        if dialog.exec():
            first, other = dialog.chosen
            self.compare_numbers(sets[first], sets[other])

    def compare_numbers(self, first: LayerNumbers, other: LayerNumbers) -> None:
        """Color by the difference of two sets of numbers."""
        try:
            self._add_numbers([difference(first, other)])
        except InspectorError as error:
            self._fail(error)

    def _refresh_numbers(self) -> None:
        """Offer and show what the estimate has made known."""
        self.toolbar.offer(self._laying.sources())
        if self._laying.color_by in (*COSTS, ColorBy.LIVE, ColorBy.ESTIMATED_TIME):
            self._laying.color()

    @Slot()  # a unique connection needs a slot
    def _follow_executed(self) -> None:
        """Show what became of layers as soon as it is known, or why it cannot be."""
        if self._laying.color_by is ColorBy.EXECUTED:
            error = self.document.executed.error
            if error is not None and self.shown == MODEL:
                self._fail(error)
            self._laying.color()

    @Slot()  # a unique connection needs a slot
    def _follow_weights(self) -> None:
        """Show the sparsity of weights as they are read."""
        if self._laying.color_by is ColorBy.SPARSITY:
            self._laying.color()

    def _show_walk(self) -> None:
        """Show where two sides part, as soon as that is known."""
        self.toolbar.offer(self._laying.sources())
        walked = (ColorBy.DIFFERENCE, ColorBy.ERROR)
        if not self._compared and self._laying.color_by in walked:
            self._start_color()
        self._color_difference()
        self._laying.color()

    def _color_difference(self) -> None:
        """Color by difference if one exceeds the tolerance."""
        stepping = self.document.stepping.found if self._compared else None
        if stepping is not None and stepping.divergence is not None:
            self._choose_color(ColorBy.DIFFERENCE)

    def _show_report(self) -> None:
        self._start_color()
        self._laying.color()

    def _show_legend(self, scene: Scene) -> None:
        entries, scale = entries_of(scene, self._theme.palette)
        self.legend.show_entries(entries, scale)
        if self.shown == EXECUTED or self.is_editing:
            self.legend.hide()
        self._place()

    def _show_matches(self) -> None:
        self._place()
        view = self._views[0]
        if view.scene is not None:
            box_of_layer = view.scene.drawing.box_of_layer
            boxes = {int(box_of_layer[layer]) for layer in self.search.matches[:_RINGED]}
            view.matches = frozenset(boxes - {-1})
            view.update()

    def _choose(self, layer: int) -> None:
        selection = self.document.selection
        if self.edit_view is not None and self.is_editing:
            selection = self.edit_view.selection
        elif self.shown == EXECUTED:
            selection = self.executed.selection
        if selection.now.layer == layer:
            self._views[0].follow()
        else:
            selection.choose(layer)

    def _say(self, text: str) -> None:
        self.message.setText(text)
        self.message.setVisible(bool(text))
        self.message.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._place()

    def _ask_to_save(self, form: str) -> None:
        proposed = f"{self.document.stem}-graph.{form}"
        if path := file_dialogs.ask_place(self, tr("Save visible part as image"), proposed):
            self.save(path if path.suffix else path.with_suffix(f".{form}"))
