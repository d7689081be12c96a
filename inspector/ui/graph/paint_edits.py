"""Draws what edits do over a graph: faded and hatched, dashed, pills with a plus, cut lines."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen, QPolygonF

from inspector.analysis.graph_layout.drawing import BoxKind
from inspector.pages.charts import palette as palette_module
from inspector.pages.charts.palette import Palette
from inspector.ui.graph.edit_marks import PILL_HEIGHT, PILL_WIDTH, BoxMark, EditMarks, Pill
from inspector.ui.graph.paint_boxes import (
    BOXES_FROM_ZOOM,
    LEFT,
    MOST_SINGLE,
    NAMES_FROM_ZOOM,
    RADIUS,
    RIGHT,
    draw_text,
    in_view,
    text_width,
)
from inspector.ui.graph.scene import Scene
from inspector.ui.graph.viewport import Camera
from inspector.ui.translate import tr
from inspector.ui.widgets.theme import fill_round, qt_color

CHANGED = "changed"  # kinds of signs, as of Compare
NEW = "new"
_FADED = 0.72  # opacity of the ground over what goes
_HATCH = 0.45  # opacity of the hatching over what goes
_FACE = 0.12  # part of the color in the face of a box that changes
_SIGN_PX = 14.0  # side of the square with a sign, at zoom 1
_DASH = (4.0, 3.0)  # in widths of the line
_OUT = 0.8  # part of the width of a box that a line past it is bent out by
_ASIDE = 0.25  # part of the width of a box from its middle to where such a line ends
_LABEL_PX = 12.0
_SCISSORS_PX = 16


def draw_marks(
    painter: QPainter, scene: Scene, camera: Camera, palette: Palette, marks: EditMarks
) -> None:
    """Draw over the boxes what becomes of them, and what is new between them."""
    boxes = in_view(scene, camera)
    if camera.zoom >= BOXES_FROM_ZOOM and len(boxes) <= MOST_SINGLE:
        for box in boxes[marks.removed[boxes]].tolist():
            _fade(painter, scene, camera, box, palette)
    for box, mark in marks.changed.items():
        _draw_changed(painter, scene, camera, box, mark, palette, box in marks.passed)
    if marks.failing >= 0:
        place = place_of(scene, camera, marks.failing)
        painter.setPen(QPen(qt_color(palette.bad), 2.4))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(place.adjusted(-3, -3, 3, 3), RADIUS, RADIUS)
    for before, after in marks.links:
        _draw_link(painter, scene, camera, before, after, qt_color(palette.caution))
    for pill in marks.pills:
        _draw_pill(painter, scene, camera, pill, palette)
    if marks.cut is not None:
        _draw_cut(painter, scene, camera, marks, palette)


def draw_sign(painter: QPainter, square: QRectF, kind: str, palette: Palette) -> None:
    """Draw the sign of something changed (a wave) or new (a plus) into a square."""
    own = palette.good if kind == NEW else palette.caution
    radius = square.width() * 0.2
    fill_round(painter, square, radius, qt_color(own))
    painter.setPen(QPen(qt_color(palette_module.on_top(own)), max(1.0, square.width() / 9)))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    middle, half = square.center(), square.width() * 0.27
    if kind == NEW:
        painter.drawLine(middle - QPointF(half, 0), middle + QPointF(half, 0))
        painter.drawLine(middle - QPointF(0, half), middle + QPointF(0, half))
        return
    path = QPainterPath(middle + QPointF(-half, half * 0.4))
    path.lineTo(middle + QPointF(-half / 3, -half * 0.5))
    path.lineTo(middle + QPointF(half / 3, half * 0.5))
    path.lineTo(middle + QPointF(half, -half * 0.4))
    painter.drawPath(path)


def place_of(scene: Scene, camera: Camera, box: int) -> QRectF:
    """Return where a box is in the view."""
    x, y, width, height = scene.drawing.box[box].tolist()
    corner = camera.to_view(QPointF(x, y))
    return QRectF(corner.x(), corner.y(), width * camera.zoom, height * camera.zoom)


def place_of_pill(camera: Camera, pill: Pill) -> QRectF:
    """Return where something new is in the view."""
    corner = camera.to_view(QPointF(pill.x, pill.y))
    return QRectF(corner.x(), corner.y(), PILL_WIDTH * camera.zoom, PILL_HEIGHT * camera.zoom)


def _radius(scene: Scene, box: int, place: QRectF, zoom: float) -> float:
    small = scene.drawing.kind[box] in (BoxKind.INPUT, BoxKind.OUTPUT)
    return place.height() / 2 if small else RADIUS * min(1.0, zoom)


def _dashed(color: QColor, width: float) -> QPen:
    pen = QPen(color, width)
    pen.setDashPattern(list(_DASH))
    return pen


def _fade(painter: QPainter, scene: Scene, camera: Camera, box: int, palette: Palette) -> None:
    place = place_of(scene, camera, box)
    radius = _radius(scene, box, place, camera.zoom)
    ground = palette.window
    painter.setPen(QPen(qt_color(ground), 2))  # over the solid border
    painter.setBrush(qt_color(ground, _FADED))
    painter.drawRoundedRect(place, radius, radius)
    hatch = QBrush(qt_color(palette.tertiary, _HATCH), Qt.BrushStyle.BDiagPattern)
    painter.setBrush(hatch)
    painter.setPen(_dashed(qt_color(palette.tertiary), 1.1))
    painter.drawRoundedRect(place, radius, radius)


def _draw_changed(
    painter: QPainter,
    scene: Scene,
    camera: Camera,
    box: int,
    mark: BoxMark,
    palette: Palette,
    passed: bool,
) -> None:
    """Draw a box in the color of what changed, with a sign and a word."""
    place, zoom = place_of(scene, camera, box), camera.zoom
    view = QRectF(QPointF(0, 0), camera.view)
    if not place.intersects(view):
        return
    own = palette.good if mark.is_new else palette.caution
    face = palette_module.mix(palette.raised, own, _FACE)
    radius = _radius(scene, box, place, zoom)
    painter.setPen(_dashed(qt_color(own), 1.5) if passed else QPen(qt_color(own), 1.5))
    painter.setBrush(qt_color(palette.raised if passed else face))
    painter.drawRoundedRect(place, radius, radius)
    if zoom < BOXES_FROM_ZOOM:
        return
    size = _SIGN_PX * min(1.0, zoom)
    square = QRectF(place.left() + 10 * zoom, place.center().y() - size / 2, size, size)
    draw_sign(painter, square, NEW if mark.is_new else CHANGED, palette)
    text = scene.text(box)
    left, right = square.right() + 9 * zoom, place.right() - 11 * zoom
    if zoom < NAMES_FROM_ZOOM or place.height() < 2 * _LABEL_PX:
        line = QRectF(left, place.top(), right - left, place.height())
        draw_text(painter, line, text.title, max(9.0, 11 * zoom), 600, palette.text, LEFT)
        return
    first = QRectF(left, place.top() + 5 * zoom, right - left, 18 * zoom)
    second = QRectF(left, place.top() + 22 * zoom, right - left, 17 * zoom)
    aside = palette_module.readable(own, palette.raised if passed else face, palette)
    used = draw_text(painter, first, mark.word, 11 * zoom, 500, aside, RIGHT)
    head = first.adjusted(0, 0, -used - 8 * zoom, 0)
    draw_text(painter, head, text.title, 12 * zoom, 600, palette.text, LEFT)
    draw_text(painter, second, text.name, 11 * zoom, 400, palette.secondary, LEFT)


def _draw_link(
    painter: QPainter, scene: Scene, camera: Camera, before: int, after: int, tint: QColor
) -> None:
    """Draw a new line past what was between two boxes, bent out to the side."""
    maker, taker = place_of(scene, camera, before), place_of(scene, camera, after)
    sideways = scene.drawing.sideways
    start = QPointF(maker.center().x(), maker.bottom())
    end = QPointF(taker.center().x() + taker.width() * _ASIDE, taker.top())
    way = max(14.0, (end.y() - start.y()) * 0.45)
    aside = QPointF(maker.width() * _OUT, 0)
    bends = start + QPointF(0, way) + aside, end - QPointF(0, way) + aside
    if sideways:
        start = QPointF(maker.right(), maker.center().y())
        end = QPointF(taker.left(), taker.center().y() + taker.height() * _ASIDE)
        way = max(14.0, (end.x() - start.x()) * 0.45)
        aside = QPointF(0, maker.height() * 1.1)
        bends = start + QPointF(way, 0) + aside, end - QPointF(way, 0) + aside
    path = QPainterPath(start)
    path.cubicTo(*bends, end)
    painter.setPen(QPen(tint, max(1.2, 2.2 * min(1.0, camera.zoom))))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(path)
    draw_tip(painter, end, tint, camera.zoom, sideways)


def draw_tip(
    painter: QPainter, end: QPointF, tint: QColor, zoom: float, sideways: bool
) -> None:
    """Draw the tip of an arrow that ends at a point."""
    high, half = 7 * min(1.4, zoom), 3.6 * min(1.4, zoom)
    x, y = end.x(), end.y()
    points = [end, QPointF(x - half, y - high), QPointF(x + half, y - high)]
    if sideways:
        points = [end, QPointF(x - high, y - half), QPointF(x - high, y + half)]
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(tint)
    painter.drawPolygon(QPolygonF(points))


def _draw_pill(
    painter: QPainter, scene: Scene, camera: Camera, pill: Pill, palette: Palette
) -> None:
    zoom, own = camera.zoom, palette.caution if pill.passed else palette.good
    place = place_of_pill(camera, pill)
    for box in pill.sources:
        _draw_stem(painter, place_of(scene, camera, box), place, scene, camera, own)
    for box in pill.takers:
        _draw_stem(painter, place, place_of(scene, camera, box), scene, camera, own)
    face = palette_module.mix(palette.raised, own, _FACE)
    face = palette.raised if pill.passed else face
    radius = RADIUS * min(1.0, zoom) if pill.passed else place.height() / 2
    painter.setPen(_dashed(qt_color(own), 1.5) if pill.passed else QPen(qt_color(own), 1.8))
    painter.setBrush(qt_color(face))
    painter.drawRoundedRect(place, radius, radius)
    if zoom < BOXES_FROM_ZOOM:
        return
    size = _SIGN_PX * min(1.0, zoom)
    square = QRectF(place.left() + 14 * zoom, place.center().y() - size / 2, size, size)
    draw_sign(painter, square, CHANGED if pill.passed else NEW, palette)
    left, right = square.right() + 8 * zoom, place.right() - 18 * zoom
    aside = palette_module.readable(own, face, palette)
    if zoom < NAMES_FROM_ZOOM or not pill.below:
        line = QRectF(left, place.top(), right - left, place.height())
        used = draw_text(painter, line, pill.role, 11 * zoom, 500, aside, RIGHT)
        line.adjust(0, 0, -used - 6 * zoom, 0)
        draw_text(painter, line, pill.title, max(9.0, 12 * zoom), 600, palette.text, LEFT)
        return
    first = QRectF(left, place.top() + 3 * zoom, right - left, 17 * zoom)
    second = QRectF(left, place.top() + 19 * zoom, right - left, 16 * zoom)
    used = draw_text(painter, first, pill.role, 11 * zoom, 500, aside, RIGHT)
    first.adjust(0, 0, -used - 6 * zoom, 0)
    draw_text(painter, first, pill.title, 12 * zoom, 600, palette.text, LEFT)
    draw_text(painter, second, pill.below, 11 * zoom, 400, palette.secondary, LEFT)


def _draw_stem(
    painter: QPainter, before: QRectF, after: QRectF, scene: Scene, camera: Camera, own: str
) -> None:
    """Draw the line from a pill to a box, or from a box to a pill."""
    sideways = scene.drawing.sideways
    start = QPointF(before.center().x(), before.bottom())
    end = QPointF(after.center().x(), after.top())
    bend = QPointF(0, max(10.0, abs(end.y() - start.y()) / 2))
    if sideways:
        start = QPointF(before.right(), before.center().y())
        end = QPointF(after.left(), after.center().y())
        bend = QPointF(max(10.0, abs(end.x() - start.x()) / 2), 0)
    path = QPainterPath(start)
    path.cubicTo(start + bend, end - bend, end)
    painter.setPen(QPen(qt_color(own), max(1.2, 2.0 * min(1.0, camera.zoom))))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(path)
    draw_tip(painter, end, qt_color(own), camera.zoom, sideways)


def _draw_cut(
    painter: QPainter, scene: Scene, camera: Camera, marks: EditMarks, palette: Palette
) -> None:
    """Draw the dashed line of a cut with what is kept and what is removed on its sides."""
    cut, sideways = marks.cut, scene.drawing.sideways
    assert cut is not None, "it is drawn where there is one"
    width, height = camera.view.width(), camera.view.height()
    place = QPointF(cut.at, 0) if sideways else QPointF(0, cut.at)
    at = camera.to_view(place).x() if sideways else camera.to_view(place).y()
    painter.setPen(_dashed(qt_color(palette.accent), 1.8))
    if sideways:
        painter.drawLine(QPointF(at, 0), QPointF(at, height))
    else:
        painter.drawLine(QPointF(16, at), QPointF(width - 16, at))
    kept, removed = tr("Kept"), tr("Removed")
    first, second = (kept, removed) if cut.keeps_first else (removed, kept)
    preview = tr("Preview of the cut, not applied")
    if sideways:
        before, after = QRectF(at - 208, 8, 200, 18), QRectF(at + 8, 8, 200, 18)
        sides = (before, RIGHT, first), (after, LEFT, second)
        notes = (before.translated(0, 20), RIGHT), (after.translated(0, 20), LEFT)
    else:
        above, below = QRectF(42, at - 21, 160, 18), QRectF(42, at + 4, 160, 18)
        sides = (above, LEFT, first), (below, LEFT, second)
        wide = min(420.0, width - 260)
        right = width - 16 - wide
        notes = (
            (QRectF(right, at - 21, wide, 18), RIGHT), (QRectF(right, at + 4, wide, 18), RIGHT)
        )  # fmt: skip
        _draw_scissors(painter, QPointF(24, at - 12), palette)
    for line, side, text in sides:
        shade = palette.accent if text == kept else palette.secondary
        _ground(painter, line, palette)
        draw_text(painter, line, text, _LABEL_PX, 600, shade, side)
    texts = ((preview, palette.accent, 600), (cut.text, palette.secondary, 400))
    if not cut.keeps_first:
        texts = (texts[1], texts[0])
    for (line, side), (text, shade, weight) in zip(notes, texts, strict=True):
        wide = text_width(text, _LABEL_PX) + 6
        left = line.right() - wide if side == RIGHT else line.left()
        ground = QRectF(left, line.top(), wide, line.height())
        painter.fillRect(ground, qt_color(palette.window, 0.8))
        draw_text(painter, line, text, _LABEL_PX, weight, shade, side)


def _ground(painter: QPainter, line: QRectF, palette: Palette) -> None:
    """Let words be read over boxes that go."""
    painter.fillRect(line.adjusted(-3, 0, -80, 0), qt_color(palette.window, 0.75))


def _draw_scissors(painter: QPainter, middle: QPointF, palette: Palette) -> None:
    """Draw a pair of scissors that opens to the right."""
    painter.setPen(QPen(qt_color(palette.accent), 1.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    half = _SCISSORS_PX / 2
    for side in (-1.0, 1.0):
        ring = middle + QPointF(-half * 0.55, side * half * 0.5)
        painter.drawEllipse(ring, half * 0.32, half * 0.32)
        painter.drawLine(
            ring + QPointF(half * 0.28, -side * half * 0.18),
            middle + QPointF(half, -side * half * 0.55),
        )
