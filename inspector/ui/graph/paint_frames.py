"""Draws open frames and their titles."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen

from inspector import units
from inspector.look import Palette
from inspector.ui.graph.camera import Camera
from inspector.ui.graph.paint_words import LEFT, draw_text
from inspector.ui.graph.scene import Scene
from inspector.ui.kit.theme import colour, font

TITLED, NEAR = 0.3, 0.55


def draw_frames(
    painter: QPainter, scene: Scene, camera: Camera, palette: Palette, selected: int | None
) -> None:
    """Draw open frames with their titles; `selected` is the layer that is selected."""
    zoom = camera.zoom
    for place in scene.frames_in(camera.seen):
        frame = scene.drawing.frames[place]
        top = camera.to_view(QPointF(frame.x, frame.y))
        box = QRectF(top.x(), top.y(), frame.width * zoom, frame.height * zoom)
        if box.width() < 6 or box.height() < 6:
            continue
        mine = selected is not None and selected == frame.group.layer and len(frame.key) == 1
        edge = palette.text if mine else palette.border
        painter.setPen(QPen(colour(edge), 2 if mine else 1))
        painter.setBrush(colour(palette.surface, 0.35 if palette.dark else 0.6))
        radius = 12 * min(1.0, zoom)
        painter.drawRoundedRect(box, radius, radius)


def draw_titles(painter: QPainter, scene: Scene, camera: Camera, palette: Palette) -> None:
    """Draw the titles of frames, over the lines that pass them."""
    zoom = camera.zoom
    if zoom < TITLED:
        return
    for place in scene.frames_in(camera.seen):
        frame = scene.drawing.frames[place]
        top = camera.to_view(QPointF(frame.x, frame.y))
        box = QRectF(top.x(), top.y(), frame.width * zoom, frame.height * zoom)
        _draw_title(painter, scene, place, box, zoom, palette)


def _draw_title(
    painter: QPainter, scene: Scene, place: int, box: QRectF, zoom: float, palette: Palette
) -> None:
    frame = scene.drawing.frames[place]
    pixels = max(9.0, 11 * zoom)
    line = QRectF(
        box.left() + 14 * zoom, box.top() + 3 * zoom, box.width() - 40 * zoom, 26 * zoom
    )
    shown = QRectF(line)
    shown.setLeft(max(line.left(), 10.0))
    title = units.clip(frame.group.title, 80)
    words = scene.frame_words(frame.key, frame.count) if zoom >= NEAR else ""
    _back(painter, shown, (title, words), pixels, palette)
    used = draw_text(painter, shown, title, pixels, 600, palette.secondary, LEFT)
    rest = shown.adjusted(used + 8 * zoom, 0, 0, 0)
    draw_text(painter, rest, words, pixels, 400, palette.tertiary, LEFT)
    if zoom >= NEAR:
        middle = QPointF(box.right() - 18 * zoom, line.center().y())
        painter.setPen(QPen(colour(palette.tertiary), 1.4))
        half = 4 * zoom
        painter.drawLine(middle - QPointF(half, 0), middle + QPointF(half, 0))


def _back(
    painter: QPainter, line: QRectF, words: tuple[str, str], pixels: float, palette: Palette
) -> None:
    """Keep lines that pass behind a title from crossing its letters."""
    metrics = QFontMetrics(font(round(pixels), 600))
    wide = min(sum(map(metrics.horizontalAdvance, words)) + 16, line.width())
    middle = line.center().y()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(palette.surface, 0.85))
    painter.drawRoundedRect(QRectF(line.left() - 4, middle - 8, wide + 4, 16), 4, 4)
