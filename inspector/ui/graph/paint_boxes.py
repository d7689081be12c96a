"""Draw boxes and their text, with as much detail as their size on screen allows."""

from functools import lru_cache

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QPainter, QPainterPath, QPen

from inspector.analysis.graph_layout.drawing import BOX_HEIGHT, BoxKind
from inspector.model.display_names import elided, fit_line, fit_start
from inspector.pages.charts import palette as palette_module
from inspector.pages.charts.palette import Palette
from inspector.ui import units
from inspector.ui.graph.coloring import Coloring
from inspector.ui.graph.edit_marks import EditMarks
from inspector.ui.graph.scene import Scene
from inspector.ui.graph.viewport import Camera
from inspector.ui.translate import tr, written
from inspector.ui.widgets.support_legend import draw_mark
from inspector.ui.widgets.theme import fill_round, font, qt_color
from inspector.wording.support_marks import Mark, Status
from inspector.wording.values import Sentence

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
_TELLING = 6  # letters, below which what is left of a name tells too little
_PARTS = frozenset("/._;:")  # between the parts of a name
_ENDLESS = 10_000
_SIGN = 14  # size at zoom 1
_SIGN_TINT = 0.12  # part of the color in the face of a box with a sign
_FAINT = 0.65  # part of the ground in the color of a box that edits remove, far out
_NUMBER_TINT = 0.25  # part of a number's color in the face of its box; text stays readable
_GONE = (Status.FOLDED, Status.DEAD, Status.NOT_REACHED, Status.ELIMINATED, Status.MOVED)
_TALLEST = 24
# Zoom (view pixels per drawing unit) from which text is readable: chosen by eye.
BOXES_FROM_ZOOM = 0.3  # boxes one by one with titles, curved edges with arrows
NAMES_FROM_ZOOM = 0.55  # all the text of a box
MOST_SINGLE = 700
STRIPE = 5.0  # width of the colored edge at zoom 1
BAR = 4.0  # height of a bar at the foot at zoom 1
RADIUS = 8.0  # of corners at zoom 1


def tint(scene: Scene, box: int, palette: Palette) -> str:
    """The color that a box shows."""
    code = int(scene.code[box])
    return scene.coloring.colors[code - 1] if code else uncolored(palette)


def uncolored(palette: Palette) -> str:
    """The color of a box of which there is nothing to tell."""
    return palette_module.mix(palette.tertiary, palette.surface, 0.5)


def draw_words(
    painter: QPainter,
    scene: Scene,
    box: int,
    place: QRectF,
    zoom: float,
    palette: Palette,
    small: bool,
) -> None:
    """Write both lines of a box, or the one of an input or output."""
    text = scene.text(box)
    if small:
        both = QRectF(place.adjusted(12 * zoom, 0, -10 * zoom, 0))
        used = draw_text(painter, both, text.title, 11 * zoom, 500, palette.tertiary, LEFT)
        rest = both.adjusted(used + 6 * zoom, 0, 0, 0)
        draw_text(painter, rest, text.name, 11 * zoom, 500, palette.text, LEFT)
        return
    signs = scene.coloring.signs
    left, right = place.left() + (34 if signs else 16) * zoom, place.right() - 11 * zoom
    first = QRectF(left, place.top() + 5 * zoom, right - left, 18 * zoom)
    second = QRectF(left, place.top() + 22 * zoom, right - left, 17 * zoom)
    dim = scene.absent(box)
    aside = palette.secondary
    if signs and scene.code[box]:
        own = tint(scene, box, palette)
        face = palette_module.mix(palette.raised, own, _SIGN_TINT)
        aside = palette_module.readable(own, face, palette)
    title = _fitted(text.title, max(1, round(12 * zoom)), 600, _ENDLESS)[1]
    beside = text.right
    if signs and title + 8 * zoom + text_width(beside, 11 * zoom) > first.width():
        beside = ""  # the sign says it, too
    end = draw_text(painter, first, beside, 11 * zoom, 500, aside, RIGHT)
    if dim and not text.right:
        end = _draw_status(painter, scene, box, first, zoom, palette, title + 8 * zoom)
    head = first.adjusted(0, 0, -end - 8 * zoom if end else 0, 0)
    shade = palette.secondary if dim else palette.text
    draw_text(painter, head, text.title, 12 * zoom, 600, shade, LEFT)
    note = ""
    if text.note:
        name_width = text_width(text.name, 11 * zoom) + 10 * zoom
        full = tr("weight {note}").format(note=text.note)
        note = next(
            (
                n
                for n in (full, text.note)
                if name_width + text_width(n, 10 * zoom) <= second.width()
            ),
            "",  # the name tells more
        )
    end = draw_text(painter, second, note, 10 * zoom, 400, palette.tertiary, RIGHT)
    end = max(end, 14 * zoom if scene.key(box) is not None else 0.0)
    name = second.adjusted(0, 0, -end - 8 * zoom if end else 0, 0)
    has_room = text.full_name and text_width(text.full_name, 11 * zoom) <= name.width()
    shown = text.full_name if has_room else text.name
    cut = text.number if text_width(shown, 11 * zoom) > name.width() else ""
    tail = text_width(cut, 11 * zoom)
    kept = name.adjusted(0, 0, -tail, 0)
    used = draw_text(painter, kept, shown, 11 * zoom, 400, palette.secondary, LEFT)
    rest = name.adjusted(used, 0, 0, 0)
    draw_text(painter, rest, cut, 11 * zoom, 400, palette.secondary, LEFT)
    if text.attributes and place.height() > (BOX_HEIGHT + 4) * zoom:
        third = QRectF(left, place.top() + 38 * zoom, right - left, 16 * zoom)
        draw_text(painter, third, text.attributes, 10 * zoom, 400, palette.tertiary, LEFT)


def text_width(text: str, pixels: float) -> float:
    """Return the width of a line of text in pixels."""
    return _fitted(text, max(1, round(pixels)), 400, _ENDLESS)[1]


def _draw_status(
    painter: QPainter,
    scene: Scene,
    box: int,
    line: QRectF,
    zoom: float,
    palette: Palette,
    title_width: float,
) -> float:
    """Mark and word of a layer that did not run by itself; returns the width they take.

    The mark alone stands there where the title would be cut for the word.
    """
    use = scene.use(box)
    assert use is not None, "a layer without a fate has no mark"
    text = units.clip(written(Sentence(use.status.value)), 24)
    both = text_width(text, 10 * zoom) + 16 * zoom
    if both > line.width() - title_width >= 16 * zoom:
        text = ""
    end = draw_text(painter, line, text, 10 * zoom, 400, palette.tertiary, RIGHT)
    size = 12 * zoom
    place = QRectF(
        line.right() - end - size - 4 * zoom, line.center().y() - size / 2, size, size
    )
    mark = Mark.FOLDED if use.status in _GONE else Mark.FUSED
    mark = Mark.UNKNOWN if use.status is Status.UNKNOWN else mark
    draw_mark(painter, place, mark, tint(scene, box, palette), palette)
    return end + size + 4 * zoom


def _scaled(pixels: float, weight: int) -> QFont:
    return font(max(1, round(pixels)), weight)


def draw_text(
    painter: QPainter,
    box: QRectF,
    text: str,
    pixels: float,
    weight: int,
    shade: str,
    alignment: Qt.AlignmentFlag,
) -> float:
    """Draw one line, cut to the box; returns its width."""
    if not text or box.width() < 8:
        return 0.0
    elided, width, down = _fitted(text, max(1, round(pixels)), weight, int(box.width()))
    painter.setFont(_scaled(pixels, weight))
    painter.setPen(qt_color(shade))
    x = box.right() - width if alignment & Qt.AlignmentFlag.AlignRight else box.left()
    painter.drawText(QPointF(x, box.center().y() + down), elided)
    return width


@lru_cache(maxsize=16384)
def _fitted(text: str, pixels: int, weight: int, available: int) -> tuple[str, float, float]:
    """Return the text as it fits, its width, and the offset of its baseline from the middle.

    A name keeps its last parts, which tell it from others; that of several joined layers, as
    "conv1d_2;model_1/cq" of TensorFlow, its first.
    """
    metrics = QFontMetrics(font(pixels, weight))
    if " " not in text and not _PARTS.isdisjoint(text):
        fit, wide = fit_start if ";" in text else fit_line, metrics.horizontalAdvance
        shown = fit(text, available, wide)
        if len(shown) < _TELLING < len(text):  # "…:2" alone
            shown = elided(text, available, wide)
    else:
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, available)
    down = (metrics.ascent() - metrics.descent()) / 2
    return shown, float(metrics.horizontalAdvance(shown)), down


Pixels = NDArray[np.uint32]


def argb(color: str) -> int:
    """An opaque color as Qt's 32 bits."""
    return 0xFF000000 | int(color[1:], 16)


def filled(
    boxes: NDArray[np.float64], colors: Pixels, width: int, height: int
) -> NDArray[np.uint32]:
    """Pixels of boxes, float64 (N, 4) in pixels, in their colors: uint32 (H, W), 0 is clear.

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
        begin, rows, tint = start[across] + dx, high[across], colors[across]
        for dy in range(min(_TALLEST, int(rows.max(initial=0)))):
            down = rows > dy
            pixels[begin[down] + dy * width] = tint[down]
    return pixels.reshape(height, width)


def image(pixels: NDArray[np.uint32]) -> QImage:
    """A picture over pixels; they must outlive it."""
    height, width = pixels.shape
    form = QImage.Format.Format_ARGB32_Premultiplied
    return QImage(pixels.data, width, height, 4 * width, form)


Places = NDArray[np.intp]


class MarkedBoxes(Struct, frozen=True):
    """Boxes that stand out: the selected, the one under the pointer, and what was found.

    also: further boxes that are selected.
    """

    selected: int = -1
    hovered: int = -1
    matches: frozenset[int] = frozenset()
    also: frozenset[int] = frozenset()


def in_view(scene: Scene, camera: Camera) -> Places:
    """Boxes that may be seen: int (K,)."""
    box, visible = scene.drawing.box, camera.visible
    if not len(box):
        return np.zeros(0, np.intp)
    last = int(np.searchsorted(box[:, 1], visible.bottom(), "right"))
    first = int(np.searchsorted(box[:, 1], visible.top() - scene.tallest))
    part = box[first:last]
    is_visible = (part[:, 0] <= visible.right()) & (part[:, 0] + part[:, 2] >= visible.left())
    return np.flatnonzero(is_visible) + first


def draw_boxes(
    painter: QPainter,
    scene: Scene,
    camera: Camera,
    palette: Palette,
    edits: EditMarks | None = None,
) -> None:
    """Draw what is in view, far out with what edits remove faded."""
    boxes = in_view(scene, camera)
    corner = np.array([camera.corner.x(), camera.corner.y(), 0.0, 0.0])
    places = (scene.drawing.box[boxes] - corner) * camera.zoom
    if camera.zoom < BOXES_FROM_ZOOM or len(boxes) > MOST_SINGLE:
        width, height = int(camera.view.width()), int(camera.view.height())
        colors = tints(scene, palette, edits)[boxes]
        painter.drawImage(0, 0, image(filled(places, colors, width, height)))
    else:
        with_names = camera.zoom >= NAMES_FROM_ZOOM and len(boxes) <= MOST_SINGLE // 2
        for box, place in zip(boxes.tolist(), places.tolist(), strict=True):
            _draw_one(painter, scene, box, QRectF(*place), camera.zoom, palette, with_names)


def tints(scene: Scene, palette: Palette, edits: EditMarks | None = None) -> Pixels:
    """The color of each box as 32 bits, faint where edits remove it: uint32 (N,)."""
    colors = np.array(
        [argb(c) for c in (uncolored(palette), *scene.coloring.colors)], np.uint32
    )
    shown: Pixels = colors[scene.code]
    if edits is not None:
        faint = palette_module.mix(palette.tertiary, palette.window, _FAINT)
        shown[edits.removed] = argb(faint)
    return shown


def _draw_one(
    painter: QPainter,
    scene: Scene,
    box: int,
    place: QRectF,
    zoom: float,
    palette: Palette,
    with_names: bool,
) -> None:
    kind = int(scene.drawing.kind[box])
    small = kind in (BoxKind.INPUT, BoxKind.OUTPUT)
    radius = (place.height() / 2) if small else RADIUS * min(1.0, zoom)
    edge, face = QPen(qt_color(palette.border), 1), qt_color(palette.raised)
    if scene.coloring.scale is not None and scene.code[box]:
        own = tint(scene, box, palette)
        face = qt_color(palette_module.mix(palette.raised, own, _NUMBER_TINT))
    signs = scene.coloring.signs
    if signs and scene.code[box]:
        own = tint(scene, box, palette)
        face = qt_color(palette_module.mix(palette.raised, own, _SIGN_TINT))
        edge = QPen(qt_color(own), 1.3)
        if int(scene.code[box]) in scene.coloring.dashed:
            edge.setDashPattern([3, 2.2])
    if kind == BoxKind.GROUP:
        painter.setPen(edge)
        painter.setBrush(qt_color(palette.surface))
        painter.drawRoundedRect(place.translated(4 * zoom, 4 * zoom), radius, radius)
    painter.setPen(edge)
    painter.setBrush(face)
    painter.drawRoundedRect(place, radius, radius)
    if not small and signs:
        _draw_sign(painter, scene, box, place, zoom, palette)
    elif not small:
        _draw_stripe(painter, scene, box, place, zoom, palette)
    if with_names:
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
    text = scene.text(box)
    if small:
        inner = place.adjusted(place.height() * 0.4, 0, -place.height() * 0.4, 0)
        pixels = min(10.0, place.height() * 0.75)
        draw_text(painter, inner, text.name or text.title, pixels, 500, palette.text, LEFT)
    else:
        before = 31 if scene.coloring.signs else STRIPE
        inner = place.adjusted(3 + before * zoom, 0, -3, 0)
        draw_text(painter, inner, text.title, 10, 500, palette.text, LEFT)


def _draw_chevron(painter: QPainter, place: QRectF, zoom: float, palette: Palette) -> None:
    """The sign that a box can be opened."""
    middle = QPointF(place.right() - 16 * zoom, place.bottom() - 13 * zoom)
    half = 3.5 * zoom
    painter.setPen(QPen(qt_color(palette.tertiary), 1.4))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(
        [
            middle + QPointF(-half, -half / 2),
            middle + QPointF(0, half / 2),
            middle + QPointF(half, -half / 2),
        ]
    )


def _draw_sign(
    painter: QPainter, scene: Scene, box: int, place: QRectF, zoom: float, palette: Palette
) -> None:
    """The sign of a color on a square of it; an empty square where there is none."""
    size = _SIGN * zoom
    square = QRectF(place.left() + 11 * zoom, place.center().y() - size / 2, size, size)
    draw_sign(painter, square, scene.coloring, int(scene.code[box]), palette)


def draw_sign(
    painter: QPainter, square: QRectF, coloring: Coloring, code: int, palette: Palette
) -> None:
    """Draw the sign of a code of a coloring into a square; an empty square for code 0."""
    radius = square.width() * 0.2
    if not code:
        painter.setPen(QPen(qt_color(palette.tertiary), 1.2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(square.adjusted(0.6, 0.6, -0.6, -0.6), radius, radius)
        return
    own = coloring.colors[code - 1]
    fill_round(painter, square, radius, qt_color(own))
    painter.setFont(_scaled(square.height(), 700))
    painter.setPen(qt_color(palette_module.on_top(own)))
    painter.drawText(square, Qt.AlignmentFlag.AlignCenter, coloring.signs[code - 1])


def _draw_stripe(
    painter: QPainter, scene: Scene, box: int, place: QRectF, zoom: float, palette: Palette
) -> None:
    """The color at the left side, and the share of time along the lower side."""
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
    painter.setBrush(qt_color(own))
    painter.drawPath(path)
    share = float(scene.share[box])
    if share > 0:
        high = BAR * zoom
        available = place.width() - wide - radius
        bar = QRectF(place.left() + wide, place.bottom() - high, available * share, high - 0.5)
        painter.fillRect(bar, qt_color(palette_module.mix(own, palette.raised, 0.35)))


def draw_outlines(
    painter: QPainter, scene: Scene, camera: Camera, palette: Palette, marked: MarkedBoxes
) -> None:
    """Draw rings around boxes that stand out."""
    for box in marked.matches:
        _ring(painter, scene, camera, box, qt_color(palette.caution), 1.6)
    if marked.hovered >= 0:
        _ring(painter, scene, camera, marked.hovered, qt_color(palette.tertiary), 1.2)
    for box in (marked.also | {marked.selected}) - {-1}:
        _ring(painter, scene, camera, box, qt_color(palette.text), 2.0)


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
