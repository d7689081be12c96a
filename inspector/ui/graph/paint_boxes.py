"""Draws boxes, in as much detail as their size on the screen allows."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen

from inspector.analysis.graph_layout.drawing import BoxKind
from inspector.export.charts import palette as palette_module
from inspector.export.charts.palette import Palette
from inspector.ui.graph.camera import Camera
from inspector.ui.graph.paint_text import LEFT, draw_text, draw_words, tint, uncoloured
from inspector.ui.graph.scene import Scene
from inspector.ui.widgets.theme import colour

# Thousands of boxes as one picture: numpy fills the pixels, Qt lays them down.


Pixels = NDArray[np.uint32]
_TALLEST = 24


def argb(colour: str) -> int:
    """An opaque colour as Qt's 32 bits."""
    return 0xFF000000 | int(colour[1:], 16)


def filled(
    boxes: NDArray[np.float64], colours: Pixels, width: int, height: int
) -> NDArray[np.uint32]:
    """Pixels of boxes, float64 (N, 4) in pixels, in their colours: uint32 (H, W), 0 is clear.

    No box is thinner than a pixel; what lies outside is cut off.
    """
    pixels = np.zeros(width * height, np.uint32)
    left = np.clip(boxes[:, 0], 0, width).astype(np.int64)
    top = np.clip(boxes[:, 1], 0, height).astype(np.int64)
    right = np.clip(np.ceil(boxes[:, 0] + boxes[:, 2]), 0, width).astype(np.int64)
    bottom = np.clip(np.rint(boxes[:, 1] + boxes[:, 3]), 0, height).astype(np.int64)
    bottom = np.minimum(np.maximum(bottom, top + 1), height)
    right = np.minimum(np.maximum(right, left + 1), width)
    start, wide, high = top * width + left, right - left, bottom - top
    for dx in range(int(wide.max(initial=0))):
        across = wide > dx
        begin, rows, tint = start[across] + dx, high[across], colours[across]
        for dy in range(min(_TALLEST, int(rows.max(initial=0)))):
            down = rows > dy
            pixels[begin[down] + dy * width] = tint[down]
    return pixels.reshape(height, width)


def image(pixels: NDArray[np.uint32]) -> QImage:
    """A picture over pixels; they must outlive it."""
    height, width = pixels.shape
    form = QImage.Format.Format_ARGB32_Premultiplied
    return QImage(pixels.data, width, height, 4 * width, form)


NEAR, MIDDLE, MOST_SINGLE = 0.55, 0.3, 700
STRIPE, BAR, RADIUS = 5.0, 4.0, 8.0
Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class MarkedBoxes:
    """Boxes that stand out: the selected, the one under the pointer, and what was found."""

    selected: int = -1
    hovered: int = -1
    found: frozenset[int] = frozenset()


def in_view(scene: Scene, camera: Camera) -> Places:
    """Boxes that may be seen: int (K,)."""
    box, visible = scene.drawing.box, camera.seen
    if not len(box):
        return np.zeros(0, np.intp)
    last = int(np.searchsorted(box[:, 1], visible.bottom(), "right"))
    first = int(np.searchsorted(box[:, 1], visible.top() - scene.tallest))
    part = box[first:last]
    is_visible = (part[:, 0] <= visible.right()) & (part[:, 0] + part[:, 2] >= visible.left())
    return np.flatnonzero(is_visible) + first


def draw_boxes(
    painter: QPainter, scene: Scene, camera: Camera, palette: Palette, marked: MarkedBoxes
) -> None:
    """Draw what is in view."""
    boxes = in_view(scene, camera)
    corner = np.array([camera.corner.x(), camera.corner.y(), 0.0, 0.0])
    places = (scene.drawing.box[boxes] - corner) * camera.zoom
    if camera.zoom < MIDDLE or len(boxes) > MOST_SINGLE:
        _draw_many(painter, scene, camera, boxes, places, palette)
    else:
        near = camera.zoom >= NEAR and len(boxes) <= MOST_SINGLE // 2
        for box, place in zip(boxes.tolist(), places.tolist(), strict=True):
            _draw_one(painter, scene, box, QRectF(*place), camera.zoom, palette, near)
    _outline(painter, scene, camera, palette, marked)


def _draw_many(
    painter: QPainter,
    scene: Scene,
    camera: Camera,
    boxes: Places,
    places: NDArray[np.float64],
    palette: Palette,
) -> None:
    """All boxes as plain rectangles in one picture."""
    width, height = int(camera.view.width()), int(camera.view.height())
    painter.drawImage(0, 0, image(filled(places, tints(scene, palette)[boxes], width, height)))


def tints(scene: Scene, palette: Palette) -> NDArray[np.uint32]:
    """The colour of each box as 32 bits: uint32 (N,)."""
    colours = np.array(
        [argb(c) for c in (uncoloured(palette), *scene.colouring.colours)], np.uint32
    )
    return colours[scene.code]


def _draw_one(
    painter: QPainter,
    scene: Scene,
    box: int,
    place: QRectF,
    zoom: float,
    palette: Palette,
    near: bool,
) -> None:
    kind = int(scene.drawing.kind[box])
    small = kind in (BoxKind.INPUT, BoxKind.OUTPUT)
    radius = (place.height() / 2) if small else RADIUS * min(1.0, zoom)
    edge, face = QPen(colour(palette.border), 1), colour(palette.raised)
    if kind == BoxKind.GROUP:
        painter.setPen(edge)
        painter.setBrush(colour(palette.surface))
        painter.drawRoundedRect(place.translated(4 * zoom, 4 * zoom), radius, radius)
    painter.setPen(edge)
    painter.setBrush(face)
    painter.drawRoundedRect(place, radius, radius)
    if not small:
        _draw_stripe(painter, scene, box, place, zoom, palette)
    if near:
        draw_words(painter, scene, box, place, zoom, palette, small)
        if kind == BoxKind.GROUP:
            _draw_chevron(painter, place, zoom, palette)
    else:
        _draw_least(painter, scene, box, place, zoom, palette, small)


def _draw_least(
    painter: QPainter,
    scene: Scene,
    box: int,
    place: QRectF,
    zoom: float,
    palette: Palette,
    small: bool,
) -> None:
    """The one word there is room for: an operator, or the name of an input or output."""
    text = scene.words(box)
    if small:
        inner = place.adjusted(place.height() * 0.4, 0, -place.height() * 0.4, 0)
        pixels = min(10.0, place.height() * 0.75)
        draw_text(painter, inner, text.name or text.title, pixels, 500, palette.text, LEFT)
    else:
        inner = place.adjusted(3 + STRIPE * zoom, 0, -3, 0)
        draw_text(painter, inner, text.title, 10, 500, palette.text, LEFT)


def _draw_chevron(painter: QPainter, place: QRectF, zoom: float, palette: Palette) -> None:
    """The sign that a box can be opened."""
    middle = QPointF(place.right() - 16 * zoom, place.bottom() - 13 * zoom)
    half = 3.5 * zoom
    painter.setPen(QPen(colour(palette.tertiary), 1.4))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(
        [
            middle + QPointF(-half, -half / 2),
            middle + QPointF(0, half / 2),
            middle + QPointF(half, -half / 2),
        ]
    )


def _draw_stripe(
    painter: QPainter, scene: Scene, box: int, place: QRectF, zoom: float, palette: Palette
) -> None:
    """The colour at the left side, and the share of time along the lower side."""
    own = tint(scene, box, palette)
    wide, radius = STRIPE * zoom, RADIUS * min(1.0, zoom)
    path = QPainterPath()
    path.moveTo(place.left() + wide, place.top())
    path.lineTo(place.left() + wide, place.bottom())
    path.lineTo(place.left() + radius, place.bottom())
    path.quadTo(place.left(), place.bottom(), place.left(), place.bottom() - radius)
    path.lineTo(place.left(), place.top() + radius)
    path.quadTo(place.left(), place.top(), place.left() + radius, place.top())
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(own))
    painter.drawPath(path)
    share = float(scene.share[box])
    if share > 0:
        high = BAR * zoom
        available = place.width() - wide - radius
        bar = QRectF(place.left() + wide, place.bottom() - high, available * share, high - 0.5)
        painter.fillRect(bar, colour(palette_module.mix(own, palette.raised, 0.35)))


def _outline(
    painter: QPainter, scene: Scene, camera: Camera, palette: Palette, marked: MarkedBoxes
) -> None:
    for box in marked.found:
        _ring(painter, scene, camera, box, colour(palette.caution), 1.6)
    if marked.hovered >= 0:
        _ring(painter, scene, camera, marked.hovered, colour(palette.tertiary), 1.2)
    if marked.selected >= 0:
        _ring(painter, scene, camera, marked.selected, colour(palette.text), 2.0)


def _ring(
    painter: QPainter, scene: Scene, camera: Camera, box: int, shade: QColor, width: float
) -> None:
    x, y, wide, high = scene.drawing.box[box].tolist()
    top = camera.to_view(QPointF(x, y))
    place = QRectF(top.x(), top.y(), wide * camera.zoom, high * camera.zoom)
    if not place.intersects(QRectF(-4, -4, camera.view.width() + 8, camera.view.height() + 8)):
        return
    small = scene.drawing.kind[box] in (BoxKind.INPUT, BoxKind.OUTPUT)
    radius = place.height() / 2 if small else RADIUS * min(1.0, camera.zoom)
    spare = max(0.0, 6 - place.height()) / 2
    painter.setPen(QPen(shade, width))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(place.adjusted(-spare, -spare, spare, spare), radius, radius)
