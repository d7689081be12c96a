"""Draws boxes and frames, in as much detail as their size on the screen allows."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPainterPath, QPen

from inspector import look, units
from inspector.analysis.layout_drawing import BoxKind
from inspector.look import Palette
from inspector.marking import Mark, Status
from inspector.ui.graph.camera import Camera
from inspector.ui.graph.raster import argb, filled, image
from inspector.ui.graph.scene import Scene
from inspector.ui.kit.marks import draw_mark
from inspector.ui.kit.theme import colour, font

NEAR, MIDDLE, MOST_SINGLE = 0.55, 0.3, 700
STRIPE, BAR, RADIUS = 5.0, 4.0, 8.0
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
_MARKS = {Status.FOLDED: Mark.FOLDED, Status.UNKNOWN: Mark.UNKNOWN}
Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Marked:
    """Boxes that stand out: the selected, the one under the pointer, and what was found."""

    selected: int = -1
    hovered: int = -1
    found: frozenset[int] = frozenset()


def in_view(scene: Scene, camera: Camera) -> Places:
    """Boxes that may be seen: int (K,)."""
    box, seen = scene.drawing.box, camera.seen
    if not len(box):
        return np.zeros(0, np.intp)
    last = int(np.searchsorted(box[:, 1], seen.bottom(), "right"))
    first = int(np.searchsorted(box[:, 1], seen.top() - scene.tallest))
    part = box[first:last]
    kept = (part[:, 0] <= seen.right()) & (part[:, 0] + part[:, 2] >= seen.left())
    return np.flatnonzero(kept) + first


def draw_boxes(
    painter: QPainter, scene: Scene, camera: Camera, palette: Palette, marked: Marked
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


def tint(scene: Scene, box: int, palette: Palette) -> str:
    """The colour that a box shows."""
    code = int(scene.code[box])
    return scene.colouring.colours[code - 1] if code else palette.tertiary


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
    none = look.mix(palette.tertiary, palette.window, 0.35)
    colours = np.array([argb(c) for c in (none, *scene.colouring.colours)], np.uint32)
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
        _draw_words(painter, scene, box, place, zoom, palette, small)
    else:
        inner = place.adjusted(3 if small else 3 + STRIPE * zoom, 0, -3, 0)
        _text(painter, inner, scene.words(box).title, 10, 500, palette.text, _LEFT)


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
        room = place.width() - wide - radius
        bar = QRectF(place.left() + wide, place.bottom() - high, room * share, high - 0.5)
        painter.fillRect(bar, colour(look.mix(own, palette.raised, 0.35)))


def _draw_words(
    painter: QPainter,
    scene: Scene,
    box: int,
    place: QRectF,
    zoom: float,
    palette: Palette,
    small: bool,
) -> None:
    words = scene.words(box)
    if small:
        both = QRectF(place.adjusted(12 * zoom, 0, -10 * zoom, 0))
        used = _text(painter, both, words.title, 11 * zoom, 500, palette.tertiary, _LEFT)
        rest = both.adjusted(used + 6 * zoom, 0, 0, 0)
        _text(painter, rest, words.name, 11 * zoom, 500, palette.text, _LEFT)
        return
    left, right = place.left() + 16 * zoom, place.right() - 11 * zoom
    first = QRectF(left, place.top() + 5 * zoom, right - left, 18 * zoom)
    second = QRectF(left, place.top() + 22 * zoom, right - left, 17 * zoom)
    dim = scene.absent(box)
    end = _text(painter, first, words.right, 11 * zoom, 500, palette.secondary, _RIGHT)
    if dim:
        end = _draw_status(painter, scene, box, first, zoom, palette)
    head = first.adjusted(0, 0, -end - 8 * zoom if end else 0, 0)
    shade = palette.secondary if dim else palette.text
    _text(painter, head, words.title, 12 * zoom, 600, shade, _LEFT)
    note = ""
    if words.note:
        metrics = QFontMetrics(_scaled(11 * zoom, 400))
        taken = metrics.horizontalAdvance(words.name) + 10 * zoom
        full = f"weight {words.note}"
        note = next(
            (n for n in (full, words.note) if taken + _small(n, zoom) <= second.width()), ""
        ) or (words.note if _small(words.note, zoom) < second.width() * 0.6 else "")
    end = _text(painter, second, note, 10 * zoom, 400, palette.tertiary, _RIGHT)
    name = second.adjusted(0, 0, -end - 8 * zoom if end else 0, 0)
    _text(painter, name, words.name, 11 * zoom, 400, palette.secondary, _LEFT)


def _small(text: str, zoom: float) -> float:
    return QFontMetrics(_scaled(10 * zoom, 400)).horizontalAdvance(text)


def _draw_status(
    painter: QPainter, scene: Scene, box: int, line: QRectF, zoom: float, palette: Palette
) -> float:
    """Mark and word of a layer that did not run by itself; returns the width they take."""
    use = scene.use(box)
    assert use is not None, "a layer without a fate has no mark"
    words = units.clip(use.status.value, 24)
    end = _text(painter, line, words, 10 * zoom, 400, palette.tertiary, _RIGHT)
    side = 12 * zoom
    place = QRectF(
        line.right() - end - side - 4 * zoom, line.center().y() - side / 2, side, side
    )
    mark = _MARKS.get(use.status, Mark.FUSED)
    if use.status in (Status.DEAD, Status.NOT_REACHED, Status.ELIMINATED, Status.MOVED):
        mark = Mark.FOLDED
    draw_mark(painter, place, mark, tint(scene, box, palette), palette)
    return end + side + 4 * zoom


def _scaled(pixels: float, weight: int) -> "QFont":  # noqa: F821
    return font(max(1, round(pixels)), weight)


def _text(
    painter: QPainter,
    box: QRectF,
    text: str,
    pixels: float,
    weight: int,
    shade: str,
    side: Qt.AlignmentFlag,
) -> float:
    """Draw one line, cut to the box; returns its width."""
    if not text or box.width() < 8:
        return 0.0
    face = _scaled(pixels, weight)
    metrics = QFontMetrics(face)
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, int(box.width()))
    width = metrics.horizontalAdvance(shown)
    painter.setFont(face)
    painter.setPen(colour(shade))
    x = box.right() - width if side & Qt.AlignmentFlag.AlignRight else box.left()
    y = box.center().y() + (metrics.ascent() - metrics.descent()) / 2
    painter.drawText(QPointF(x, y), shown)
    return float(width)


def _outline(
    painter: QPainter, scene: Scene, camera: Camera, palette: Palette, marked: Marked
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
        if zoom >= MIDDLE:
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
    used = _text(painter, shown, title, pixels, 600, palette.secondary, _LEFT)
    words = scene.frame_words(frame.key, frame.count)
    rest = shown.adjusted(used + 8 * zoom, 0, 0, 0)
    if zoom >= NEAR:
        _text(painter, rest, words, pixels, 400, palette.tertiary, _LEFT)
        middle = QPointF(box.right() - 18 * zoom, line.center().y())
        painter.setPen(QPen(colour(palette.tertiary), 1.4))
        half = 4 * zoom
        painter.drawLine(middle - QPointF(half, 0), middle + QPointF(half, 0))
