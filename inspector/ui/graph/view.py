"""The graph: painted by itself, moved by pointer, wheel, pinch and keys."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
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
from PySide6.QtWidgets import QWidget

from inspector.analysis.layout_drawing import Drawing, Key
from inspector.ui.documents.selection import Selection
from inspector.ui.graph import facts
from inspector.ui.graph.camera import Camera
from inspector.ui.graph.first_view import look_first
from inspector.ui.graph.paint import at_point, key_at, paint
from inspector.ui.graph.paint_boxes import Marked
from inspector.ui.graph.scene import Scene
from inspector.ui.graph.steps import along, beside, traced
from inspector.ui.kit.hover import Hover
from inspector.ui.kit.theme import Theme, colour

_STILL, _ZOOM, _PAN = 4.0, 0.8, 0.12


class GraphView(QWidget):
    """Shows a scene; what is clicked is selected.

    current: the box that is outlined, -1 for none; a scope, too, which no other view knows.
    """

    toggled = Signal(object)  # Key of a frame to open or to close
    wanted = Signal(int)  # a layer in a closed frame

    def __init__(self, theme: Theme, selection: Selection) -> None:
        super().__init__()
        self._theme, self._selection = theme, selection
        self.camera = Camera()
        self.scene: Scene | None = None
        self.current = self.hovered = -1
        self.found: frozenset[int] = frozenset()
        self._traced: frozenset[int] = frozenset()
        self._drag: tuple[QPointF, QPointF, bool] | None = None
        self._waits = True
        self._ringed = False
        self.hover = Hover(theme, self)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Graph")
        self.camera.changed.connect(self.update)
        theme.changed.connect(self.update)
        selection.changed.connect(self.follow)

    def sizeHint(self) -> QSize:
        """Takes the room it gets."""
        return QSize(800, 600)

    def show_scene(self, scene: Scene, held: Key | None = None) -> None:
        """Show another scene; the frame `held` stays where it is on the screen."""
        before = self._corner_of(held) if held is not None else None
        first = self.scene is None
        self.scene = scene
        drawing = scene.drawing
        self.camera.whole = QSizeF(drawing.width, drawing.height)
        self.hovered = self.current = -1
        self.hover.hide()
        after = self._corner_of(held) if held is not None else None
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
        if scene is None or layer is None or layer >= len(scene.drawing.shown):
            self.update()
            return
        if self.current >= 0 and scene.index(self.current) != layer and self._hidden(layer):
            self.wanted.emit(layer)
        elif self.current >= 0:
            self._reveal(self.current)
        self.update()

    def reveal_layer(self) -> None:
        """Bring the selected layer into view."""
        if self.current >= 0:
            self._reveal(self.current)

    def choose(self, box: int) -> None:
        """Select a box; its layer is selected everywhere."""
        scene = self.scene
        assert scene is not None, "only what is shown can be chosen"
        index = scene.index(box) if box >= 0 else None
        self._selection.choose(index)
        self._outline(box)

    def step(self, box: int | None) -> None:
        """Select a box and bring it into view."""
        if box is not None:
            self.choose(box)
            self._reveal(box)

    def toggle(self, box: int) -> None:
        """Open the frame that a box stands for."""
        key = self.scene.key(box) if self.scene is not None and box >= 0 else None
        if key is not None:
            self.toggled.emit(key)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the middle; the first time choose what to show."""
        self.camera.view = QSizeF(self.size())
        self._choose_first_view()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw what is in view."""
        painter = QPainter(self)
        palette = self._theme.palette
        painter.fillRect(self.rect(), colour(palette.window))
        if self.scene is not None:
            marked = Marked(self.current, self.hovered, self.found)
            layer = self._selection.now.layer
            paint(painter, self.scene, self.camera, palette, marked, self._traced, layer)
        if self._ringed:
            painter.setPen(QPen(colour(palette.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a click or a drag."""
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self._drag = (event.position(), self.camera.corner, False)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Pan, or tell what is under the pointer."""
        if self._drag is None:
            self._tell(event.position())
            return
        begin, corner, moved = self._drag
        by = event.position() - begin
        if moved or by.manhattanLength() > _STILL:
            self._drag = (begin, corner, True)
            self._tell(None)
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self.camera.look(corner - by / self.camera.zoom, self.camera.zoom)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a drag; where there was none, select or fold what was clicked."""
        drag, self._drag = self._drag, None
        self.unsetCursor()
        if self.scene is None or drag is None or drag[2]:
            return
        point = self.camera.to_drawing(event.position())
        box, title = at_point(self.scene, point)
        sign = key_at(self.scene, point)
        if sign is not None:
            self.toggled.emit(sign)
        elif box >= 0 or title is None:
            self.choose(box)
        elif title.group.layer >= 0 and len(title.key) == 1:
            self._selection.choose(title.group.layer)

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
        self._tell(event.position())
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
        act = None if others or self.scene is None else self._acts().get(Qt.Key(event.key()))
        if act is None:
            super().keyPressEvent(event)
        else:
            act()

    def _acts(self) -> dict[Qt.Key, Callable[[], None]]:
        """What each key does."""
        camera, shift, key = self.camera, _PAN * self.width(), Qt.Key
        return {
            key.Key_W: lambda: camera.scale(1 / _ZOOM),
            key.Key_S: lambda: camera.scale(_ZOOM),
            key.Key_A: lambda: camera.pan(QPointF(-shift, 0)),
            key.Key_D: lambda: camera.pan(QPointF(shift, 0)),
            key.Key_F: camera.fit,
            key.Key_Return: self.toggle_current,
            key.Key_Enter: self.toggle_current,
            key.Key_Escape: lambda: self.choose(-1),
            key.Key_Down: lambda: self._walk(along, True),
            key.Key_Up: lambda: self._walk(along, False),
            key.Key_Right: lambda: self._walk(beside, True),
            key.Key_Left: lambda: self._walk(beside, False),
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
        """Nothing is under the pointer any more."""
        self._tell(None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show that keys come here, to those who came by key."""
        keys = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self._ringed = event.reason() in keys
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Keys go elsewhere."""
        self._ringed = False
        self.update()

    def _walk(self, way: Callable[[Drawing, int, bool], int | None], ahead: bool) -> None:
        assert self.scene is not None, "keys do nothing before there is a graph"
        drawing = self.scene.drawing
        if self.current < 0:
            self.step(0 if len(drawing) else None)
        else:
            self.step(way(drawing, self.current, ahead))

    def _take_selection(self) -> None:
        scene, layer = self.scene, self._selection.now.layer
        if scene is None:
            return
        if layer is None:
            kept = (
                self.current if self.current >= 0 and scene.index(self.current) is None else -1
            )
            self._outline(kept)
        else:
            shown = scene.drawing.shown
            self._outline(int(shown[layer]) if layer < len(shown) else -1)

    def _hidden(self, layer: int) -> bool:
        """Whether a layer lies in a closed frame."""
        scene = self.scene
        return scene is not None and scene.key(int(scene.drawing.shown[layer])) is not None

    def _outline(self, box: int) -> None:
        scene = self.scene
        assert scene is not None, "only what is shown can be outlined"
        self.current = box
        self._traced = traced(scene.drawing, box)
        words = scene.words(box) if box >= 0 else None
        told = f"{words.title} {words.name} {words.right}" if words else "nothing selected"
        self.setAccessibleDescription(f"{len(scene.drawing):,} boxes; {told}")
        self.update()

    def _reveal(self, box: int) -> None:
        x, y, width, height = self.scene.drawing.box[box].tolist() if self.scene else [0] * 4
        self.camera.reveal(QRectF(x, y, width, height), 0.6)

    def _tell(self, point: QPointF | None) -> None:
        """Show the facts of the box under the pointer."""
        scene, box, title = self.scene, -1, None
        if point is not None and scene is not None:
            box, title = at_point(scene, self.camera.to_drawing(point))
        if box >= 0 and scene is not None and point is not None:
            self.hover.show_facts(
                point.toPoint(), facts.title(scene, box), facts.facts(scene, box)
            )
        else:
            self.hover.hide()
        self.setCursor(
            Qt.CursorShape.PointingHandCursor
            if box >= 0 or title is not None
            else Qt.CursorShape.ArrowCursor
        )
        if box != self.hovered and scene is not None:
            self.hovered = box
            self._traced = traced(scene.drawing, box if box >= 0 else self.current)
            self.update()

    def _corner_of(self, key: Key) -> QPointF | None:
        """Where a frame begins, open or closed."""
        return self.scene.corner_of(key) if self.scene is not None else None

    def _choose_first_view(self) -> None:
        if self._waits and self.scene is not None and self.width() > 120:
            self._waits = not self.isVisible()
            look_first(self.camera, self.scene.drawing)
            self._take_selection()
            self.reveal_layer()
        else:
            self.camera.look(self.camera.corner, self.camera.zoom)
