"""Minimap: the whole graph in a strip, with the visible part; drag or click to move."""

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QTimer
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QWidget

from inspector.platform.cooperative_yielding import first
from inspector.ui import units
from inspector.ui.graph.edit_marks import EditMarks
from inspector.ui.graph.paint_boxes import filled, image, tints
from inspector.ui.graph.paint_edits import CHANGED, NEW, draw_sign
from inspector.ui.graph.scene import Scene
from inspector.ui.graph.viewport import Camera
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.parts import tip
from inspector.ui.widgets.theme import Theme, qt_color

WIDTH = 88  # px
_INSET = 12.0  # px, around the drawing
_LEAST = 8.0  # px, least side of the frame of what is visible: one can still hit it
_LARGEST_SCALE = 0.35  # along the flow; a small graph is not blown up
_LARGE = 20_000  # boxes, from which on the map is drawn in a turn of its own
_CROWDED = 2  # boxes on a line of pixels, from which on the map is paler
_SIGN_PX = 9.0  # side of the sign of an edit
_NAME = 80  # letters of a name
_FAINT = 0.45  # opacity of a crowded map


class MiniMap(QWidget):
    """Stretches the graph over its area; across and down have a scale of their own."""

    def __init__(self, theme: Theme, camera: Camera) -> None:
        super().__init__()
        self._theme, self._camera = theme, camera
        self._scene: Scene | None = None
        self._edits: EditMarks | None = None
        self._picture: QPixmap | None = None
        self._strength = 1.0
        self.sideways = False
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._redraw_first)
        self.setAccessibleName(tr("Graph overview"))
        self.setMouseTracking(True)
        camera.changed.connect(self.update)
        theme.changed.connect(self._redraw)

    def show_scene(self, scene: Scene, edits: EditMarks | None = None) -> None:
        """Show another scene, with what edits do to it."""
        self._scene, self.sideways = scene, scene.drawing.sideways
        self._edits = edits
        if len(scene.drawing.box) > _LARGE:
            self._soon.start()
        else:
            self._redraw()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draw it anew."""
        self._redraw()

    def frame(self) -> QRectF:
        """Return the visible part on the map, never too small to notice."""
        visible = self._camera.visible
        sx, sy = self._scales()
        area = self._area()
        wide, high = visible.width() * sx, max(_LEAST, visible.height() * sy)
        if self.sideways:
            wide, high = max(_LEAST, wide), visible.height() * sy
        middle = visible.center()
        box = QRectF(
            area.x() + middle.x() * sx - wide / 2,
            area.y() + middle.y() * sy - high / 2,
            wide,
            high,
        )
        rim = QRectF(self.rect()).adjusted(5, 5, -5, -5)
        return box.intersected(rim)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Center the view on the clicked point."""
        self._move(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the pointer; without a button, say what is below it."""
        if event.buttons():
            self._move(event.position())
        else:
            name = self._name_at(event.position())
            self.setToolTip(tip(name, tr("Drag to move the view")))

    def _name_at(self, point: QPointF) -> str:
        """Return what is drawn nearest to a point: a layer, or a scope that is collapsed."""
        scene = self._scene
        if scene is None or not len(scene.drawing):
            return ""
        place, scales = point - self._area().topLeft(), np.array(self._scales())
        middles = (scene.drawing.box[:, :2] + scene.drawing.box[:, 2:] / 2) * scales
        box = int(np.hypot(*(middles - place.toTuple()).T).argmin())
        scope, layer = scene.scope(box), scene.layer(box)
        if scope is not None:
            layers = plural(len(scope.layers), "layer")
            name = units.clip(scope.name, _NAME)
            return tr("{scope}: {layers}, collapsed").format(scope=name, layers=layers)
        return units.clip_name(
            layer.label if layer is not None else scene.text(box).name, _NAME
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the strip, the graph and the view."""
        palette = self._theme.palette
        painter = QPainter(self)
        painter.fillRect(self.rect(), qt_color(palette.surface))
        edge = (self.width(), 1) if self.sideways else (1, self.height())
        painter.fillRect(QRectF(0, 0, *edge), qt_color(palette.border))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._picture is None:  # it is still being laid out
            return
        painter.setOpacity(self._strength)
        painter.drawPixmap(self._area().topLeft(), self._picture)
        painter.setOpacity(1)
        self._draw_edits(painter)
        painter.setPen(QPen(qt_color(palette.accent), 1.4))
        painter.setBrush(qt_color(palette.accent, 0.08))
        painter.drawRoundedRect(self.frame(), 4, 4)

    def _draw_edits(self, painter: QPainter) -> None:
        """Mark what was changed at the side, and where a cut would be."""
        scene, edits, palette = self._scene, self._edits, self._theme.palette
        if scene is None or edits is None:
            return
        area, (sx, sy) = self._area(), self._scales()
        half = _SIGN_PX / 2
        for box, mark in edits.changed.items():
            x, y, width, height = scene.drawing.box[box].tolist()
            along = area.y() + (y + height / 2) * sy
            square = QRectF(4, along - half, _SIGN_PX, _SIGN_PX)
            if self.sideways:
                along = area.x() + (x + width / 2) * sx
                square = QRectF(along - half, 4, _SIGN_PX, _SIGN_PX)
            draw_sign(painter, square, NEW if mark.is_new else CHANGED, palette)
        if edits.cut is not None:
            pen = QPen(qt_color(palette.accent), 1.4)
            pen.setDashPattern([3.0, 2.0])
            painter.setPen(pen)
            if self.sideways:
                x = area.x() + edits.cut.at * sx
                painter.drawLine(QPointF(x, 5), QPointF(x, self.height() - 5))
            else:
                y = area.y() + edits.cut.at * sy
                painter.drawLine(QPointF(5, y), QPointF(self.width() - 5, y))

    def _area(self) -> QRectF:
        return QRectF(self.rect()).adjusted(_INSET, _INSET, -_INSET, -_INSET)

    def _scales(self) -> tuple[float, float]:
        """Pixels of the map per pixel of the drawing; a small graph is not blown up."""
        area, whole = self._area(), self._camera.whole
        across = area.width() / max(1.0, whole.width())
        down = area.height() / max(1.0, whole.height())
        if self.sideways:
            return min(across, _LARGEST_SCALE), down
        return across, min(down, _LARGEST_SCALE)

    def _move(self, point: QPointF) -> None:
        sx, sy = self._scales()
        area, visible = self._area(), self._camera.visible
        middle = QPointF((point.x() - area.x()) / sx, (point.y() - area.y()) / sy)
        corner = middle - QPointF(visible.width() / 2, visible.height() / 2)
        if self._camera.whole.width() < visible.width():
            corner.setX(self._camera.corner.x())
        if self.sideways and self._camera.whole.height() < visible.height():
            corner.setY(self._camera.corner.y())
        self._camera.look(corner, self._camera.zoom)

    def _redraw_first(self) -> None:
        with first():
            self._redraw()

    def _redraw(self) -> None:
        area, scene = self._area(), self._scene
        if scene is None or area.width() < 4 or area.height() < 4:
            return
        ratio = self.devicePixelRatioF()
        sx, sy = (scale * ratio for scale in self._scales())
        box = scene.drawing.box * np.array([sx, sy, sx, sy])
        along = 2 if self.sideways else 3  # the size of a box along the flow
        gap = (box[:, along] > 3 * ratio) * ratio
        box[:, along] = np.minimum(box[:, along] - gap, 5 * ratio)
        width, height = round(area.width() * ratio), round(area.height() * ratio)
        length = width if self.sideways else height
        self._strength = _FAINT if len(box) > _CROWDED * length else 1.0
        pixels = filled(box, tints(scene, self._theme.palette, self._edits), width, height)
        self._picture = QPixmap.fromImage(image(pixels))
        self._picture.setDevicePixelRatio(ratio)
        self.update()
