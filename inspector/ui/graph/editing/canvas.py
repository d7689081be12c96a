"""The graph in edit mode: what is selected can be several layers, a tensor or an end."""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QMouseEvent

from inspector.analysis.graph_layout.drawing import BoxKind, Key
from inspector.ui.graph.edit_marks import EditMarks, end_box, end_name
from inspector.ui.graph.paint import at_point
from inspector.ui.graph.paint_boxes import MarkedBoxes
from inspector.ui.graph.scene import Scene
from inspector.ui.graph.view import GraphView, Place
from inspector.ui.selection import Selection
from inspector.ui.translate import tr
from inspector.ui.widgets.theme import Theme

# What a key asks for.
APPLY = "apply"
LEAVE = "leave"
RENAME = "rename"
DELETE = "delete"
BYPASS = "bypass"
INSERT = "insert"
ATTRIBUTES = "attributes"


class Target(Struct, frozen=True):
    """What an edit is about: layers by index, or a tensor; end: "input" or "output" of one
    that is an end of the model. Nothing of it where nothing is selected."""

    layers: tuple[int, ...] = ()
    tensor: str = ""
    end: str = ""


class EditGraphView(GraphView):
    """Shows the edited graph and previews of edits; asks for edits by key.

    also: layers that are selected besides the current one.
    """

    target_changed = Signal()
    asked = Signal(str)  # one of the constants above

    def __init__(self, theme: Theme, selection: Selection) -> None:
        super().__init__(theme, selection)
        self.setAccessibleName(tr("Graph, edit mode"))
        self.also: tuple[int, ...] = ()
        self.has_preview = False
        selection.changed.connect(self.target_changed)

    @property
    def target(self) -> Target:
        """Return what is selected."""
        now, scene = self._selection.now, self.scene
        if now.scope is not None:
            return Target(now.scope.layers)
        if now.layer is not None:
            return Target(tuple(dict.fromkeys((now.layer, *self.also))))
        if scene is None or not now.tensor:
            return Target(self.also)
        end = ""
        drawing, box = scene.drawing, self.current
        if 0 <= box < len(drawing) and end_name(drawing, box) == now.tensor:
            kind = int(drawing.kind[box])
            end = {int(BoxKind.INPUT): "input", int(BoxKind.OUTPUT): "output"}.get(kind, "")
        return Target((), now.tensor, end)

    def show_marks(self, scene: Scene, marks: EditMarks, preview: bool) -> None:
        """Show the same graph with other marks, and room for what is new.

        What is selected stays where it is on the screen.
        """
        box, camera = self.current, self.camera
        before = self._corner_of_box(box)
        self.scene, self.edits, self.has_preview = scene, marks, preview
        camera.whole = QSizeF(scene.drawing.width, scene.drawing.height)
        after = self._corner_of_box(box)
        if before is not None and after is not None and before != after:
            camera.look(camera.corner + after - before, camera.zoom)
        self._trace()
        self.update()

    def show_scene(self, scene: Scene, anchor: Key | None = None) -> None:
        """Show another scene; an input or output that is selected stays so."""
        target = self.target
        super().show_scene(scene, anchor)
        if target.end:
            self._outline(self._box_of(target))

    def begin_at(self, scene: Scene, place: Place) -> None:
        """Show the first graph as another view showed it."""
        self.show_scene(scene, ())
        self.look_at(place)

    def keep_place(self, scene: Scene, target: Target, held: tuple[int, int] | None) -> None:
        """Show another graph, with what is selected there where this selection was.

        held: a layer of both graphs that stays where it is instead, if it is in view.
        """
        camera, before = self.camera, self._corner_of_box(self.current)
        fixed = self._corner_of_layer(held[0]) if held is not None else None
        if fixed is not None and camera.visible.contains(fixed):
            before = fixed
        else:
            held = None
        corner, zoom = QPointF(camera.corner), camera.zoom
        self.also = ()
        self.show_scene(scene)
        box = self._box_of(target)
        scope, layer = scene.scope(box), next(iter(target.layers), None)
        self._outline(box)
        self._select_still(None if scope else layer, target.tensor, scope)
        after = self._corner_of_box(self.current)
        if held is not None:
            after = self._corner_of_layer(held[1])
        if before is not None and after is not None:
            corner += after - before
        camera.look(corner, zoom)

    def choose_target(self, target: Target) -> None:
        """Select an input or output, and bring it into view."""
        box, scene = self._box_of(target), self.scene
        if scene is None or box < 0:
            return
        self.choose(box)
        if not self.camera.visible.contains(QRectF(*scene.drawing.box[box].tolist())):
            self._reveal(scene, box)

    def _box_of(self, target: Target) -> int:
        """Return the box of a layer, input or output; -1 for none."""
        assert self.scene is not None, "only what is shown has boxes"
        drawing = self.scene.drawing
        if target.layers:
            return int(drawing.box_of_layer[target.layers[0]])
        return end_box(drawing, target.tensor, target.end == "output") if target.end else -1

    def choose(self, box: int) -> None:
        """Select a box; that of an input or output selects its tensor."""
        self.also = ()
        name = end_name(self.scene.drawing, box) if self.scene is not None and box >= 0 else ""
        if name:
            self._select_still(tensor=name)
            self._outline(box)
            self.target_changed.emit()
        else:
            super().choose(box)

    def add_to_selection(self, box: int) -> None:
        """Select a further layer, or no longer one that is selected already."""
        scene = self.scene
        layer = scene.index(box) if scene is not None and box >= 0 else None
        now = self._selection.now.layer
        if layer is None:
            return
        if now is None:
            self._selection.choose(layer)
            return
        if layer in self.also:
            self.also = tuple(each for each in self.also if each != layer)
        elif layer != now:
            self.also = (*self.also, layer)
        self.update()
        self.target_changed.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Select; with Shift, add to what is selected."""
        dragged = self._drag is not None and self._drag[2]
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if shift and not dragged and self.scene is not None:
            self._drag = None
            box, _ = at_point(self.scene, self.camera.to_drawing(event.position()))
            self.add_to_selection(box)
            return
        super().mouseReleaseEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of what is under the pointer: boxes, tensors, or the model."""
        if self.scene is None:
            return
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self.ask_menu_of_current()
            return
        point = QPointF(event.pos())
        box, _ = at_point(self.scene, self.camera.to_drawing(point))
        tensor = self._tensor_at(point) if box < 0 else -1
        self.hover.hide()
        if tensor >= 0:
            self._select_still(tensor=self.scene.drawing.names[tensor])
        elif box < 0 or self.scene.index(box) not in self.also:
            self.choose(box)
        self.menu_asked.emit(event.globalPos())

    def ask_menu_of_current(self) -> None:
        """Ask for the menu of what is selected, beside it; of the model where nothing is."""
        if self.current >= 0:
            super().ask_menu_of_current()
        else:
            self.menu_asked.emit(self.mapToGlobal(QPoint(24, 120)))

    def _marked(self) -> MarkedBoxes:
        """Return the boxes that stand out."""
        marked, scene = super()._marked(), self.scene
        if scene is None or not self.also:
            return marked
        boxes = frozenset(int(scene.drawing.box_of_layer[layer]) for layer in self.also)
        return replace(marked, also=boxes - {-1})

    def _acts(self) -> dict[Qt.Key, Callable[[], None]]:
        """The action of each key: those of the graph, and those of edit mode."""
        keys = {
            Qt.Key.Key_F2: RENAME, Qt.Key.Key_Delete: DELETE, Qt.Key.Key_Backspace: DELETE,
            Qt.Key.Key_B: BYPASS, Qt.Key.Key_I: INSERT,
        }  # fmt: skip
        acts = {key: self._asker(what) for key, what in keys.items()}
        enter = self._asker(APPLY if self.has_preview else ATTRIBUTES)
        if not self.has_preview and self._is_group(self.current):
            enter = self.toggle_current
        both = {Qt.Key.Key_Return: enter, Qt.Key.Key_Enter: enter}
        return super()._acts() | acts | both | {Qt.Key.Key_Escape: self._asker(LEAVE)}

    def _asker(self, what: str) -> Callable[[], None]:
        return lambda: self.asked.emit(what)

    def _is_group(self, box: int) -> bool:
        scene = self.scene
        return scene is not None and box >= 0 and scene.key(box) is not None
