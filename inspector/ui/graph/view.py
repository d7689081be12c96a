"""The graph: painted by itself, moved by pointer, wheel, pinch and keys."""

from collections.abc import Callable

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)

from inspector.analysis.graph_layout.drawing import BoxKind, Drawing, Key
from inspector.analysis.measured.layer_sum import handed_over
from inspector.model.model import TensorInfo, WeightInfo
from inspector.ui import units
from inspector.ui.graph.edit_marks import EditMarks
from inspector.ui.graph.paint import LABELED, at_point, key_at, paint, tensor_at
from inspector.ui.graph.paint_boxes import MarkedBoxes
from inspector.ui.graph.scene import Scene
from inspector.ui.graph.viewport import MARGIN, Camera
from inspector.ui.selection import Scope, Selection
from inspector.ui.translate import plural, tr, written
from inspector.ui.widgets.accessible import forget_items, tell_current
from inspector.ui.widgets.hover import Hover
from inspector.ui.widgets.theme import Painted, Theme, qt_color
from inspector.wording.values import Sentence

_MOST = 3
_READABLE = 0.6  # zoom: a graph that fits at it is shown whole
_ACROSS = 0.48  # zoom: a graph whose width fits at it is shown in its whole width
_LEAST = 0.4  # the least zoom of the beginning of a graph that does not fit
_PART = 0.7  # the largest zoom of such a beginning
_ABOVE = 20  # px, free above the first layer
_STILL = 4.0  # px, until a press becomes a drag
_ZOOM = 0.8  # factor of one step
_PAN = 0.12  # share of the width, one step


def along(drawing: Drawing, box: int, down: bool) -> int | None:
    """The box that takes what this one makes, or the other way round; the nearest of them."""
    own, other = (drawing.maker, drawing.taker) if down else (drawing.taker, drawing.maker)
    neighbors = np.unique(other[own == box])
    neighbors = neighbors[(neighbors >= 0) & (neighbors != box)]
    if not len(neighbors):
        return None
    flow, across = (0, 1) if drawing.sideways else (1, 0)
    away = np.abs(drawing.box[neighbors, flow] - drawing.box[box, flow])
    aside = np.abs(drawing.box[neighbors, across] - drawing.box[box, across])
    return int(neighbors[np.lexsort((aside, away))[0]])


def neighbor_on_level(drawing: Drawing, box: int, right: bool) -> int | None:
    """The nearest box at the right or left that is level with this one.

    Where data flows from left to right, the nearest one below or above it.
    """
    flow, across = (0, 1) if drawing.sideways else (1, 0)
    begin, end = drawing.box[:, flow], drawing.box[:, flow] + drawing.box[:, flow + 2]
    level = (begin < end[box]) & (end > begin[box])
    away = (drawing.box[:, across] - drawing.box[box, across]) * (1 if right else -1)
    candidates = np.flatnonzero(level & (away > 1))
    return int(candidates[away[candidates].argmin()]) if len(candidates) else None


def traced(drawing: Drawing, box: int) -> frozenset[int]:
    """Values that a box makes or takes, as far as they have lines."""
    if box < 0:
        return frozenset()
    is_connected = (drawing.maker == box) | (drawing.taker == box)
    return frozenset(drawing.tensor[is_connected].tolist())


def numbers_of(drawing: Drawing, tensor: str) -> frozenset[int]:
    """Numbers of a tensor in a drawing; several where functions have one of that name, too."""
    return frozenset(i for i, name in enumerate(drawing.names) if name == tensor)


def box_title(scene: Scene, box: int) -> str:
    """The operator, or what the box is."""
    return scene.text(box).title


def facts(scene: Scene, box: int) -> tuple[tuple[str, str], ...]:
    """Full name, values in and out with their shapes, time and fate."""
    drawing, layer = scene.drawing, scene.layer(box)
    body = drawing.bodies[drawing.body[box]]
    if drawing.kind[box] in (BoxKind.INPUT, BoxKind.OUTPUT):
        name = scene.text(box).name
        return ((tr("Name"), name), *_value(scene, tr("Type"), name))
    if layer is None:
        count = plural(body.tree.counts[int(drawing.node[box])], "layer")
        return ((tr("Layers"), count), (tr("Expand"), tr("double-click or press Return")))
    lines = [(tr("Name"), units.clip_name(layer.label, 120))]
    for text, names in ((tr("Input"), layer.inputs), (tr("Output"), layer.outputs)):
        value_names = [name for name in names if name]
        for name in value_names[:_MOST]:
            lines.extend(_value(scene, text, name))
        if len(value_names) > _MOST:
            lines.append((text, tr("{count} more").format(count=len(value_names) - _MOST)))
    return (*lines, *_fate(scene, box))


def edge_facts(scene: Scene, tensor: int) -> tuple[tuple[str, str], ...]:
    """Name, type and shape of a tensor, which layer makes it and which use it."""
    drawing = scene.drawing
    name = drawing.names[tensor]
    info = scene.values.get(name)
    lines = [(tr("Name"), units.clip(name, 120))]
    if info is not None:
        lines.append((tr("Type"), described(info)))
    own = drawing.tensor == tensor
    for text, ends in (
        (tr("Produced by"), drawing.maker[own]),
        (tr("Used by"), drawing.taker[own]),
    ):
        boxes = [int(box) for box in np.unique(ends) if box >= 0]
        for box in boxes[:_MOST]:
            label = scene.text(box)
            lines.append((text, f"{label.title} {label.name}"))
        if len(boxes) > _MOST:
            lines.append((text, tr("{count} more").format(count=len(boxes) - _MOST)))
    return tuple(lines)


def _value(scene: Scene, text: str, name: str) -> tuple[tuple[str, str], ...]:
    value_info = scene.values.get(name)
    display_name = units.clip(units.scope_and_name(name)[1], 30)
    if value_info is None:
        return ((text, display_name),)
    return ((text, f"{display_name} {described(value_info)}"),)


def described(value: TensorInfo | WeightInfo) -> str:
    """Shape and type in one line: '1×64×56×56 float32'."""
    return f"{units.shape(value.shape)} {units.clip(value.dtype, 40)}"


def _fate(scene: Scene, box: int) -> tuple[tuple[str, str], ...]:
    use = scene.use(box)
    if use is None:
        return ()
    if use.time_ns is not None:
        where = tr(" on {device}").format(device=units.device(use.ran_on)) if use.ran_on else ""
        return ((tr("Time"), f"{units.duration(use.time_ns, scene.clock_ns)}{where}"),)
    if use.submitted_ns is not None:
        return (
            (
                tr("Time"),
                tr("not timed, {handed_over}").format(handed_over=written(handed_over(use))),
            ),
        )
    into = tr(" into layer {into}").format(into=use.into) if use.into is not None else ""
    return (
        (
            tr("Time"),
            tr("not timed separately: {value}{into}").format(
                value=written(Sentence(use.status.value)), into=into
            ),
        ),
    )


def look_first(camera: Camera, drawing: Drawing) -> None:
    """Show all where it can be read, else the beginning.

    What is too wide even so is shown around its first layer, and frames that begin there and
    can be read in one piece are not cut.
    """
    if camera.farthest >= _READABLE or not len(drawing):
        camera.fit()
        return
    if drawing.sideways:
        zoom = max(camera.farthest, min(1.0, camera.view.height() / camera.whole.height()))
        zoom = max(zoom, _LEAST)
        y, height = drawing.box[drawing.box[:, 0].argmin(), [1, 3]].tolist()
        middle = camera.middle.y() / zoom
        camera.look(QPointF(-MARGIN / zoom, y + height / 2 - middle), zoom)
        return
    available, whole = camera.view.width() - 2 * MARGIN, camera.whole.width()
    if whole * _ACROSS <= available:
        zoom, middle = min(1.0, available / whole), whole / 2
    else:
        left, right = _beginning(camera, drawing, available / _LEAST)
        zoom = max(camera.farthest, min(_PART, available / (right - left)))
        half = available / zoom / 2
        x, width = _first_layer(drawing)
        middle = max(right - half, min(x + width / 2, left + half))
    camera.look(QPointF(middle - camera.middle.x() / zoom, -_ABOVE / zoom), zoom)


def _first_layer(drawing: Drawing) -> tuple[float, float]:
    """Return the left end and the width of the box of the first layer that has one."""
    boxes = drawing.box_of_layer[drawing.box_of_layer >= 0]
    x, width = drawing.box[boxes[0] if len(boxes) else 0, [0, 2]].tolist()
    return x, width


def _beginning(camera: Camera, drawing: Drawing, widest: float) -> tuple[float, float]:
    """From where to where the first layer reaches and all frames there that find room."""
    x, width = _first_layer(drawing)
    left, right = x, x + width
    for frame in sorted(drawing.frames, key=lambda frame: frame.y):
        first, last = min(left, frame.x), max(right, frame.x + frame.width)
        if frame.y < camera.view.height() / _PART and last - first <= widest:
            left, right = first, last
    return left, right


class Place(Struct, frozen=True):
    """What a view shows: as the camera has it, and where a layer is on the screen."""

    corner: QPointF
    zoom: float
    layer: int | None = None
    point: QPointF | None = None


class GraphView(Painted):
    """Shows a scene; what is clicked is selected.

    current: the box that is outlined, -1 for none; a scope, too, which no other view knows.
    hovered_tensor: number of the tensor whose edge is under the pointer, -1 for none.
    edits: what was changed and what a previewed edit would do; None where nothing is edited.
    """

    toggled = Signal(object)  # Key of a frame to open or to close
    layer_requested = Signal(int)  # a layer in a closed frame
    menu_asked = Signal(object)  # QPoint of the screen; the box there is selected
    ITEM_ROLES = (QAccessible.Role.List, QAccessible.Role.ListItem)  # boxes

    def __init__(self, theme: Theme, selection: Selection) -> None:
        super().__init__(theme)
        self._selection = selection
        self.camera = Camera()
        self.scene: Scene | None = None
        self.current = self.hovered = -1
        self.matches: frozenset[int] = frozenset()
        self.edits: EditMarks | None = None
        self.hovered_tensor = -1
        self._traced: frozenset[int] = frozenset()
        self._drag: tuple[QPointF, QPointF, bool] | None = None
        self._waits = True
        self._still = False  # while what is in view is being selected
        self._ringed = False
        self.hover = Hover(theme, self)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Graph"))
        self.camera.changed.connect(self._after_move)
        selection.changed.connect(self.follow)

    def sizeHint(self) -> QSize:
        """Return a size that takes the room it gets."""
        return QSize(800, 600)

    def show_scene(self, scene: Scene, anchor: Key | None = None) -> None:
        """Show another scene; the frame `anchor` stays where it is on the screen."""
        before = self._corner_of(anchor) if anchor is not None else None
        turned = self.scene is not None and (
            self.scene.drawing.sideways != scene.drawing.sideways
        )
        first = self.scene is None or turned
        forget_items(self)
        self.scene = scene
        drawing = scene.drawing
        self.camera.whole = QSizeF(drawing.width, drawing.height)
        self.hovered = self.current = self.hovered_tensor = -1
        self.hover.hide()
        after = self._corner_of(anchor) if anchor is not None else None
        if before is not None and after is not None:
            place = self.camera.to_view(before)
            self.camera.look(after - place / self.camera.zoom, self.camera.zoom)
        self._waits = first
        self._choose_first_view()
        self._take_selection()
        self.update()

    def follow(self) -> None:
        """Outline the selected layer, and bring it into view."""
        self._take_selection()
        scene, layer = self.scene, self._selection.now.layer
        if self._still:
            self.update()
            return
        if scene is not None and self._selection.now.tensor:
            self._reveal_tensor(scene, self._selection.now.tensor)
        if scene is None or layer is None or layer >= len(scene.drawing.box_of_layer):
            self.update()
            return
        if self.current >= 0 and scene.index(self.current) != layer and self._hidden(layer):
            self.layer_requested.emit(layer)
        elif self.current >= 0:
            self._reveal(scene, self.current)
        self.update()

    def start_over(self) -> None:
        """Show what is shown first, and the selected layer: the view has another size now."""
        self._waits = True
        self._choose_first_view()

    def layer_in_middle(self) -> int | None:
        """Return the layer whose box is nearest to the middle of the view; None without one.

        Of a closed frame it is the first layer inside.
        """
        scene = self.scene
        if scene is None or not len(scene.drawing):
            return None
        drawing, camera = scene.drawing, self.camera
        middle = camera.to_drawing(camera.middle)
        centers = drawing.box[:, :2] + drawing.box[:, 2:] / 2
        away = np.hypot(centers[:, 0] - middle.x(), centers[:, 1] - middle.y())
        standing = np.unique(drawing.box_of_layer[drawing.box_of_layer >= 0])
        if not len(standing):
            return None
        box = int(standing[away[standing].argmin()])
        return int(np.flatnonzero(drawing.box_of_layer == box)[0])

    def is_in_view(self, layer: int | None) -> bool:
        """Return whether the box that stands for a layer is seen, at least partly."""
        scene = self.scene
        boxes = scene.drawing.box_of_layer if scene is not None else ()
        if scene is None or layer is None or not 0 <= layer < len(boxes) or boxes[layer] < 0:
            return False
        box = QRectF(*scene.drawing.box[boxes[layer]].tolist())
        return self.camera.visible.intersects(box)

    def center_layer(self, layer: int, zoom: float) -> None:
        """Bring the box that stands for a layer to the middle, at a zoom."""
        scene = self.scene
        box = int(scene.drawing.box_of_layer[layer]) if scene is not None else -1
        if scene is not None and box >= 0:
            self.camera.centre(QRectF(*scene.drawing.box[box].tolist()), zoom)

    def reveal_layer(self) -> None:
        """Bring the selected layer into view."""
        if self.scene is not None and self.current >= 0:
            self._reveal(self.scene, self.current)

    def choose(self, box: int) -> None:
        """Select a box; its layer is selected everywhere, and nothing moves here."""
        scene = self.scene
        assert scene is not None, "only what is shown can be chosen"
        self._select_still(scene.index(box) if box >= 0 else None, scope=scene.scope(box))
        self._outline(box)

    def _select_still(
        self, layer: int | None = None, tensor: str = "", scope: Scope | None = None
    ) -> None:
        """Select what is seen; the view stays where it is."""
        self._still = True
        self._selection.choose(layer, tensor=tensor, scope=scope)
        self._still = False

    @property
    def place(self) -> Place:
        """Return what is shown.

        It is held by the layer under the pointer, else selected, else in the middle.
        """
        scene, layer = self.scene, None
        if scene is not None and 0 <= self.hovered < len(scene.drawing):
            layer = scene.index(self.hovered)
        selected = self._selection.now.layer
        if layer is None:
            layer = selected if self.is_in_view(selected) else self.layer_in_middle()
        corner = self._corner_of_layer(layer)
        point = self.camera.to_view(corner) if corner is not None else None
        return Place(QPointF(self.camera.corner), self.camera.zoom, layer, point)

    def look_at(self, place: Place) -> None:
        """Show the layer of a place where it was on the screen, in a view that was hidden."""
        self._waits = False
        self.camera.view = QSizeF(self.size())
        corner, held = place.corner, self._corner_of_layer(place.layer)
        if held is not None and place.point is not None:
            corner = held - place.point / place.zoom
        self.camera.look(corner, place.zoom)

    def place_of_layer(self, layer: int) -> QPointF | None:
        """Return where the box of a layer is on the screen; None for one without."""
        corner = self._corner_of_layer(layer)
        return self.camera.to_view(corner) if corner is not None else None

    def _corner_of_layer(self, layer: int | None) -> QPointF | None:
        boxes = self.scene.drawing.box_of_layer if self.scene is not None else ()
        if layer is None or not 0 <= layer < len(boxes):
            return None
        return self._corner_of_box(int(boxes[layer]))

    def _corner_of_box(self, box: int) -> QPointF | None:
        if self.scene is None or not 0 <= box < len(self.scene.drawing):
            return None
        return QPointF(*self.scene.drawing.box[box, :2].tolist())

    def step(self, box: int | None) -> None:
        """Select a box and bring it into view."""
        if box is not None and self.scene is not None:
            self.choose(box)
            self._reveal(self.scene, box)

    def toggle(self, box: int) -> None:
        """Open the frame that a box stands for."""
        key = self.scene.key(box) if self.scene is not None and box >= 0 else None
        if key is not None:
            self.toggled.emit(key)

    def item_count(self) -> int:
        """Return the number of boxes, for screen readers."""
        return len(self.scene.drawing) if self.scene is not None else 0

    def item_name(self, number: int) -> str:
        """Return what a box says."""
        if self.scene is None:
            return ""
        text = self.scene.text(number)
        facts = (text.title, text.name, text.right, text.note, text.attributes)
        return ", ".join(filter(None, facts))

    def item_box(self, number: int) -> QRect:
        """Return where a box is drawn."""
        if self.scene is None:
            return QRect()
        x, y, width, height = self.scene.drawing.box[number].tolist()
        corner = self.camera.to_view(QPointF(x, y))
        zoom = self.camera.zoom
        return QRectF(corner, QSizeF(width * zoom, height * zoom)).toAlignedRect()

    def current_item(self) -> int:
        """Return the box that is outlined."""
        return self.current

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the middle; the first time choose what to show."""
        self.camera.view = QSizeF(self.size())
        self._choose_first_view()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw what is in view."""
        painter = QPainter(self)
        palette = self._theme.palette
        painter.fillRect(self.rect(), qt_color(palette.window))
        if self.scene is not None:
            layer, marked, traced_now = self._selection.now.layer, self._marked(), self._traced
            edits = self.edits
            paint(painter, self.scene, self.camera, palette, marked, traced_now, layer, edits)
        if self._ringed:
            painter.setPen(QPen(qt_color(palette.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))

    def _marked(self) -> MarkedBoxes:
        """Return the boxes that stand out."""
        return MarkedBoxes(self.current, self.hovered, self.matches)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a click or a drag."""
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self._drag = (event.position(), self.camera.corner, False)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Pan, or tell what is under the pointer."""
        if self._drag is None:
            self._update_hover(event.position())
            return
        begin, corner, moved = self._drag
        shift = event.position() - begin
        if moved or shift.manhattanLength() > _STILL:
            self._drag = (begin, corner, True)
            self._update_hover(None)
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self.camera.look(corner - shift / self.camera.zoom, self.camera.zoom)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a drag; where there was none, select or fold what was clicked."""
        drag, self._drag = self._drag, None
        self.unsetCursor()
        if self.scene is None or drag is None or drag[2]:
            return
        point = self.camera.to_drawing(event.position())
        box, title = at_point(self.scene, point)
        sign = key_at(self.scene, point)
        tensor = self._tensor_at(event.position()) if box < 0 and sign is None else -1
        if sign is not None:
            self.toggled.emit(sign)
        elif tensor >= 0:
            self._select_still(tensor=self.scene.drawing.names[tensor])
        elif box >= 0 or title is None:
            self.choose(box)
        elif title.group.layer >= 0 and len(title.key) == 1:
            self._selection.choose(title.group.layer)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Select the box below the pointer, and ask for a menu of what can be done with it.

        The menu key asks for that of the selected box.
        """
        if self.scene is None:
            return
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self.ask_menu_of_current()
            return
        box, _ = at_point(self.scene, self.camera.to_drawing(QPointF(event.pos())))
        if box >= 0:
            self.choose(box)
            self.menu_asked.emit(event.globalPos())

    def ask_menu_of_current(self) -> None:
        """Ask for the menu of the selected box, beside it."""
        if self.current >= 0:
            place = self.item_box(self.current)
            self.menu_asked.emit(self.mapToGlobal(place.topRight()))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open a closed frame, or close an open one by its title."""
        if self.scene is None:
            return
        box, title = at_point(self.scene, self.camera.to_drawing(event.position()))
        if box >= 0:
            self.toggle(box)
        elif title is not None:
            self.toggled.emit(title.key)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom to the pointer; a touch pad or a sideways wheel pans."""
        turn, pixels = event.angleDelta(), event.pixelDelta()
        keys = event.modifiers()
        if not pixels.isNull() and not keys & Qt.KeyboardModifier.ControlModifier:
            self.camera.pan(QPointF(-pixels))
        elif abs(turn.x()) > abs(turn.y()):
            self.camera.pan(QPointF(-turn.x(), 0))
        else:
            self.camera.scale(1.0015 ** turn.y(), event.position())
        self._update_hover(event.position())
        event.accept()

    def event(self, event: QEvent) -> bool:
        """Pinch on a touch pad zooms."""
        zooms = Qt.NativeGestureType.ZoomNativeGesture
        if isinstance(event, QNativeGestureEvent) and event.gestureType() == zooms:
            self.camera.scale(1 + event.value(), event.position())
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """W S zoom, A D pan, F all, arrows along the flow, Return opens, Escape lets go."""
        others = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        shift_only = others == Qt.KeyboardModifier.ShiftModifier
        if event.key() == Qt.Key.Key_F10 and shift_only and self.scene is not None:
            self.ask_menu_of_current()
            return
        act = None if others or self.scene is None else self._acts().get(Qt.Key(event.key()))
        if act is None:
            super().keyPressEvent(event)
        else:
            act()

    def _acts(self) -> dict[Qt.Key, Callable[[], None]]:
        """The action of each key."""
        camera, shift, key = self.camera, _PAN * self.width(), Qt.Key
        arrows = (key.Key_Down, key.Key_Up, key.Key_Right, key.Key_Left)
        if self.scene is not None and self.scene.drawing.sideways:
            arrows = (key.Key_Right, key.Key_Left, key.Key_Down, key.Key_Up)
        ahead, back, right, left = arrows
        return {
            key.Key_W: lambda: camera.scale(1 / _ZOOM),
            key.Key_S: lambda: camera.scale(_ZOOM),
            key.Key_A: lambda: camera.pan(QPointF(-shift, 0)),
            key.Key_D: lambda: camera.pan(QPointF(shift, 0)),
            key.Key_F: camera.fit,
            key.Key_Return: self.toggle_current,
            key.Key_Enter: self.toggle_current,
            key.Key_Escape: lambda: self.choose(-1),
            ahead: lambda: self._walk(along, True),
            back: lambda: self._walk(along, False),
            right: lambda: self._walk(neighbor_on_level, True),
            left: lambda: self._walk(neighbor_on_level, False),
        }

    def toggle_current(self) -> None:
        """Open what is outlined, or close the innermost frame around it."""
        scene, box = self.scene, self.current
        if scene is None or box < 0:
            return
        key = scene.key(box) or scene.around(box)
        if key is not None:
            self.toggled.emit(key)

    def leaveEvent(self, event: QEvent) -> None:
        """Clear the hover state."""
        self._update_hover(None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show that keys come here, to those who came by key."""
        keys = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self._ringed = event.reason() in keys
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Keys go elsewhere."""
        self._ringed = False
        self.update()

    def _walk(self, neighbor: Callable[[Drawing, int, bool], int | None], ahead: bool) -> None:
        assert self.scene is not None, "keys do nothing before there is a graph"
        drawing = self.scene.drawing
        if self.current < 0:
            self.step(self._seen(first=ahead))
        else:
            self.step(neighbor(drawing, self.current, ahead))

    def _seen(self, first: bool) -> int | None:
        """Return the first or the last box along the flow that is in view."""
        scene, visible = self.scene, self.camera.visible
        assert scene is not None, "keys do nothing before there is a graph"
        x, y, width, height = scene.drawing.box.T
        seen = (x < visible.right()) & (x + width > visible.left())
        seen &= (y < visible.bottom()) & (y + height > visible.top())
        boxes = np.flatnonzero(seen)
        if not len(boxes):
            layer = self.layer_in_middle()
            return None if layer is None else int(scene.drawing.box_of_layer[layer])
        along_flow = (x if scene.drawing.sideways else y)[boxes]
        return int(boxes[along_flow.argmin() if first else along_flow.argmax()])

    def _take_selection(self) -> None:
        scene, layer = self.scene, self._selection.now.layer
        if scene is None:
            return
        scope = self._selection.now.scope
        if scope is not None:
            box = int(scene.drawing.box_of_layer[scope.layers[0]])
            self._outline(box if scene.scope(box) == scope else -1)
        elif layer is None:
            current = (
                self.current if self.current >= 0 and scene.index(self.current) is None else -1
            )
            self._outline(current)
        else:
            box_of_layer = scene.drawing.box_of_layer
            self._outline(int(box_of_layer[layer]) if layer < len(box_of_layer) else -1)

    def _hidden(self, layer: int) -> bool:
        """Return whether a layer lies in a closed frame."""
        scene = self.scene
        return (
            scene is not None and scene.key(int(scene.drawing.box_of_layer[layer])) is not None
        )

    def _tensor_at(self, point: QPointF) -> int:
        """Return the tensor of the main graph whose edge is under a point, or -1."""
        scene = self.scene
        if scene is None:
            return -1
        tensor = tensor_at(scene, self.camera, point, self._traced)
        return tensor if tensor < len(scene.drawing.bodies[0].flow.tensors) else -1

    def _reveal_tensor(self, scene: Scene, tensor: str) -> None:
        """Bring an edge of a tensor into view; open the frame around it if there is none."""
        drawing = scene.drawing
        lines = np.flatnonzero(np.isin(drawing.tensor, list(numbers_of(drawing, tensor))))
        if len(lines):
            x0, y0, x1, y1 = drawing.line[lines].T
            visible = self.camera.visible
            inside = visible.contains(QPointF(float(x0[0]), float(y0[0])))
            if not inside:
                corner = QPointF(float(x0[0]), float(y0[0]))
                box = QRectF(corner, QPointF(float(x1[0]), float(y1[0]))).normalized()
                self.camera.reveal(box.adjusted(-40, -60, 40, 60), LABELED)
            return
        layers = scene.model.layers
        users = (x for x in layers if tensor in x.outputs or tensor in x.inputs)
        layer = next(users, None)
        if layer is not None and self._hidden(layer.index):
            self.layer_requested.emit(layer.index)

    def _trace(self) -> None:
        """Highlight the edges of what is under the pointer, else of what is selected."""
        scene = self.scene
        if scene is None:
            return
        if self.hovered < 0 and self.hovered_tensor >= 0:
            self._traced = frozenset({self.hovered_tensor})
        elif self.hovered < 0 and self._selection.now.tensor:
            self._traced = numbers_of(scene.drawing, self._selection.now.tensor)
        else:
            box = self.hovered if self.hovered >= 0 else self.current
            self._traced = traced(scene.drawing, box)

    def _outline(self, box: int) -> None:
        scene = self.scene
        assert scene is not None, "only what is shown can be outlined"
        self.current = box
        self._trace()
        text = scene.text(box) if box >= 0 else None
        tensor = self._selection.now.tensor
        description = tr("nothing selected")
        if text is not None:
            description = f"{text.title} {text.name} {text.right}"
        elif tensor:
            description = tr("tensor {tensor}").format(tensor=units.clip(tensor, 120))
        self.setAccessibleDescription(f"{plural(len(scene.drawing), 'box')}; {description}")
        tell_current(self)
        self.update()

    def _reveal(self, scene: Scene, box: int) -> None:
        self.camera.reveal(QRectF(*scene.drawing.box[box].tolist()), 0.6)

    def _update_hover(self, point: QPointF | None) -> None:
        """Show the facts of the box under the pointer."""
        scene, box, title = self.scene, -1, None
        if point is not None and scene is not None:
            box, title = at_point(scene, self.camera.to_drawing(point))
        on_edge = point is not None and box < 0 and title is None
        tensor = self._tensor_at(point) if on_edge and point is not None else -1
        if box >= 0 and scene is not None and point is not None:
            self.hover.show_facts(point.toPoint(), box_title(scene, box), facts(scene, box))
        elif tensor >= 0 and scene is not None and point is not None:
            self.hover.show_facts(point.toPoint(), tr("Tensor"), edge_facts(scene, tensor))
        else:
            self.hover.hide()
        self.setCursor(
            Qt.CursorShape.PointingHandCursor
            if box >= 0 or title is not None or tensor >= 0
            else Qt.CursorShape.ArrowCursor
        )
        if (box, tensor) != (self.hovered, self.hovered_tensor) and scene is not None:
            self.hovered, self.hovered_tensor = box, tensor
            self._trace()
            self.update()

    def _after_move(self) -> None:
        """Let go of what was under the pointer: something else is there now."""
        self.hover.hide()
        if (self.hovered, self.hovered_tensor) != (-1, -1):
            self.hovered = self.hovered_tensor = -1
            self._trace()
        self.update()

    def _corner_of(self, key: Key) -> QPointF | None:
        """Return where a frame begins, open or closed."""
        return self.scene.corner_of(key) if self.scene is not None else None

    def _choose_first_view(self) -> None:
        if self._waits and self.scene is not None and self.width() > 120:
            self._waits = not self.isVisible()
            look_first(self.camera, self.scene.drawing)
            self._take_selection()
            self.reveal_layer()
        else:
            self.camera.look(self.camera.corner, self.camera.zoom)
