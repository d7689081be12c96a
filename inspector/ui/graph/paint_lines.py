"""Draws the lines between boxes, with arrows, crossings between devices and stubs."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from inspector import look, units
from inspector.analysis.layout_drawing import Stub
from inspector.look import Palette
from inspector.ui.graph.camera import Camera
from inspector.ui.graph.scene import Scene
from inspector.ui.kit.theme import colour, font

CURVED, ARROWED, STUBBED = 0.3, 0.3, 0.5
_MOST_CURVES = 500
_CLOSE = 60.0  # between ends of values without a line: no room for a name
Places = NDArray[np.intp]


def in_view(scene: Scene, camera: Camera) -> Places:
    """Lines that may be seen: int (K,)."""
    line, seen = scene.drawing.line, camera.seen
    if not len(line):
        return np.zeros(0, np.intp)
    last = int(np.searchsorted(line[:, 1], seen.bottom(), "right"))
    first = int(np.searchsorted(scene.line_reach, seen.top()))
    part = line[first:last]
    kept = (
        (np.maximum(part[:, 1], part[:, 3]) >= seen.top())
        & (np.minimum(part[:, 0], part[:, 2]) <= seen.right())
        & (np.maximum(part[:, 0], part[:, 2]) >= seen.left())
    )
    return np.flatnonzero(kept) + first


def crossings(scene: Scene, lines: Places) -> NDArray[np.bool_]:
    """Which of these lines lead from one device to another: bool (K,)."""
    drawing = scene.drawing
    maker, taker = drawing.maker[lines], drawing.taker[lines]
    here, there = scene.unit[maker], scene.unit[taker]
    known = (maker >= 0) & (taker >= 0) & (here >= 0) & (there >= 0)
    found: NDArray[np.bool_] = known & (here != there)
    return found


def draw_lines(
    painter: QPainter, scene: Scene, camera: Camera, palette: Palette, traced: frozenset[int]
) -> None:
    """Draw what is in view; lines of the `traced` values stand out."""
    lines = in_view(scene, camera)
    if not len(lines):
        return
    crossing = crossings(scene, lines)
    marked = np.isin(scene.drawing.tensor[lines], list(traced)) if traced else crossing & False
    plain = ~(crossing | marked)
    _strokes(painter, scene, camera, lines[plain], colour(palette.tertiary, 0.75), 1.6)
    data = colour(palette.data)
    _strokes(painter, scene, camera, lines[crossing & ~marked], data, 2.0)
    _strokes(painter, scene, camera, lines[marked], colour(palette.accent), 2.4)
    if camera.zoom >= STUBBED:
        tips = lines[crossing & scene.drawing.tip[lines]]
        for x0, y0, x1, y1 in scene.drawing.line[tips].tolist():
            middle = camera.to_view(QPointF((x0 + x1) / 2, (y0 + y1) / 2))
            badge(painter, middle, "copy", palette.data)


def _strokes(
    painter: QPainter,
    scene: Scene,
    camera: Camera,
    lines: Places,
    tint: QColor,
    width: float,
) -> None:
    if not len(lines):
        return
    corner = np.array([camera.corner.x(), camera.corner.y()] * 2)
    ends = ((scene.drawing.line[lines] - corner) * camera.zoom).tolist()
    width = max(0.7, width * min(1.0, camera.zoom * 1.3))
    painter.setPen(QPen(tint, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if camera.zoom < CURVED or len(lines) > _MOST_CURVES:
        painter.drawLines([QLineF(*end) for end in ends])
    else:
        _curves(painter, ends, camera.zoom)
    if camera.zoom >= ARROWED:
        tips = [end for end, tip in zip(ends, scene.drawing.tip[lines], strict=True) if tip]
        _arrows(painter, tips, tint, camera.zoom)


def _curves(painter: QPainter, ends: list[list[float]], zoom: float) -> None:
    straight, path = [], QPainterPath()
    for x0, y0, x1, y1 in ends:
        if abs(x1 - x0) < 1.0:
            straight.append(QLineF(x0, y0, x1, y1))
            continue
        bend = max(10 * zoom, (y1 - y0) * 0.5)
        path.moveTo(x0, y0)
        path.cubicTo(x0, y0 + bend, x1, y1 - bend, x1, y1)
    painter.drawLines(straight)
    painter.drawPath(path)


def _arrows(painter: QPainter, ends: list[list[float]], tint: QColor, zoom: float) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(tint)
    high, half = 7 * min(1.4, zoom), 3.6 * min(1.4, zoom)
    seen = {(round(x, 1), round(y, 1)) for _, _, x, y in ends}
    for x, y in seen:
        points = (QPointF(x, y), QPointF(x - half, y - high), QPointF(x + half, y - high))
        painter.drawPolygon(QPolygonF(points))


def badge(painter: QPainter, middle: QPointF, words: str, fill: str) -> None:
    """A word on a coloured ground, around a point."""
    face = font(10, 600)
    width = QFontMetricsF(face).horizontalAdvance(words) + 12
    box = QRectF(middle.x() - width / 2, middle.y() - 8, width, 16)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(fill))
    painter.drawRoundedRect(box, 5, 5)
    painter.setFont(face)
    painter.setPen(colour(look.on_top(fill)))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)


def draw_stubs(painter: QPainter, scene: Scene, camera: Camera, palette: Palette) -> None:
    """Draw values whose line is left out: a short one with the value's name."""
    if camera.zoom < STUBBED:
        return
    seen = camera.seen.adjusted(-80, -30, 80, 30)
    painter.setFont(font(10))
    metrics, taken = painter.fontMetrics(), QRectF()
    for run in runs(scene.stubs_between(seen.top(), seen.bottom())):
        if run[-1].x < seen.left() or seen.right() < run[0].x:
            continue
        points = [camera.to_view(QPointF(stub.x, stub.y)) for stub in run]
        for stub, point in zip(run, points, strict=True):
            _draw_stub(painter, point, camera.zoom, stub, palette)
        widest = int((88 if len(run) == 1 else 140) * camera.zoom)
        text = metrics.elidedText(stub_words(run), Qt.TextElideMode.ElideMiddle, widest)
        down = 13 * camera.zoom if run[0].made else -6 * camera.zoom
        place = points[-1] + QPointF(7 * camera.zoom, down)
        room = QRectF(metrics.boundingRect(text)).translated(place)
        if not room.intersects(taken):
            painter.fillRect(room.adjusted(-2, 0, 2, 0), colour(palette.window, 0.8))
            painter.setPen(colour(palette.tertiary))
            painter.drawText(place, text)
            taken = room


def runs(stubs: Sequence[Stub]) -> Iterator[tuple[Stub, ...]]:
    """Part values whose line is left out into those that end close beside each other.

    They have one name between them: where there is room for it is right of the last.
    """
    run: list[Stub] = []
    for stub in sorted(stubs, key=lambda stub: (stub.y, stub.made, stub.x)):
        near = run and (stub.y, stub.made) == (run[-1].y, run[-1].made)
        if run and not (near and stub.x - run[-1].x < _CLOSE):
            yield tuple(run)
            run = []
        run.append(stub)
    if run:
        yield tuple(run)


def stub_words(run: Sequence[Stub]) -> str:
    """The first one's name, how many take it where it is made, and how many more there are."""
    first = run[0]
    name = units.clip(units.scope_and_name(first.name)[1], 60)
    times = f" ×{first.users}" if first.made and first.users > 1 else ""
    more = len(run) - 1 + sum(stub.more for stub in run)
    return f"{name}{times} and {more} more" if more else name + times


def _draw_stub(
    painter: QPainter, point: QPointF, zoom: float, stub: Stub, palette: Palette
) -> None:
    tint = colour(palette.tertiary, 0.75)
    away = point + QPointF(0, 12 * zoom if stub.made else -14 * zoom)
    painter.setPen(QPen(tint, 1.6))
    painter.drawLine(point, away)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(tint)
    painter.drawEllipse(away, 2.6 * zoom, 2.6 * zoom)
    if not stub.made:
        _arrows(painter, [[0, 0, point.x(), point.y()]], tint, zoom)
