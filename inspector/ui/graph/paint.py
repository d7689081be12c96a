"""Draws a scene through a camera: window, picture and vector file have it from here."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPixmap

from inspector.analysis.layout_drawing import Frame, Key
from inspector.look import Palette
from inspector.ui.graph.camera import Camera
from inspector.ui.graph.paint_boxes import Marked, draw_boxes
from inspector.ui.graph.paint_frames import draw_frames, draw_titles
from inspector.ui.graph.paint_lines import draw_lines, draw_stubs
from inspector.ui.graph.scene import Scene
from inspector.ui.kit.theme import colour

_DOTTED, _STEP, _TITLE, _LINED, _SIGN = 0.5, 24, 32.0, 0.06, 26.0


def paint(
    painter: QPainter,
    scene: Scene,
    camera: Camera,
    palette: Palette,
    marked: Marked,
    traced: frozenset[int] = frozenset(),
    selected: int | None = None,
) -> None:
    """Draw what the camera sees."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if camera.zoom >= _DOTTED:
        _draw_dots(painter, camera, palette)
    draw_frames(painter, scene, camera, palette, selected)
    if camera.zoom >= _LINED:
        draw_lines(painter, scene, camera, palette, traced)
    draw_titles(painter, scene, camera, palette)
    draw_boxes(painter, scene, camera, palette, marked)
    draw_stubs(painter, scene, camera, palette)


def at_point(scene: Scene, point: QPointF) -> tuple[int, Frame | None]:
    """The box under a point of the drawing, -1 for none, and the frame whose title is there."""
    box = scene.box_at(point.x(), point.y())
    seen = QRectF(point.x(), point.y(), 0, 0)
    frames = [scene.drawing.frames[place] for place in scene.frames_in(seen)]
    inner = max(
        frames,
        key=lambda frame: len(frame.key) * 1e9 - frame.width * frame.height,
        default=None,
    )
    if inner is not None and point.y() - inner.y > _TITLE:
        inner = None
    return box, inner


def key_at(scene: Scene, point: QPointF) -> Key | None:
    """The frame whose sign for opening or closing is under a point of the drawing."""
    box, title = at_point(scene, point)
    if box >= 0:
        x, y, width, height = scene.drawing.box[box].tolist()
        near = x + width - point.x() < _SIGN and y + height - point.y() < _SIGN
        return scene.key(box) if near else None
    if title is not None and title.x + title.width - point.x() < _SIGN + 6:
        return title.key
    return None


def _draw_dots(painter: QPainter, camera: Camera, palette: Palette) -> None:
    """A grid that moves with the drawing, so that panning can be felt."""
    step = max(8, round(_STEP * camera.zoom))
    tile = QPixmap(step, step)
    tile.fill(Qt.GlobalColor.transparent)
    dots = QPainter(tile)
    dots.fillRect(QRectF(0, 0, 1.2, 1.2), colour(palette.tertiary, 0.22))
    dots.end()
    brush = QBrush(tile)
    painter.save()
    painter.setBrushOrigin(-camera.corner * camera.zoom)
    painter.fillRect(QRectF(0, 0, camera.view.width(), camera.view.height()), brush)
    painter.restore()
