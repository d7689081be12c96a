"""Draws a scene through a camera: window, picture and vector file have it from here."""

from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFontMetrics,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
)

from inspector.analysis.graph_layout.drawing import Frame, Key, Stub
from inspector.model.display_names import fit_line
from inspector.pages.charts import palette as palette_module
from inspector.pages.charts.palette import Palette
from inspector.ui import units
from inspector.ui.graph.edit_marks import EditMarks
from inspector.ui.graph.paint_boxes import (
    BOXES_FROM_ZOOM,
    LEFT,
    NAMES_FROM_ZOOM,
    MarkedBoxes,
    draw_boxes,
    draw_outlines,
    draw_text,
    text_width,
)
from inspector.ui.graph.paint_edits import draw_marks, draw_tip, place_of_pill
from inspector.ui.graph.scene import Scene
from inspector.ui.graph.viewport import Camera
from inspector.ui.translate import tr
from inspector.ui.widgets.theme import fill_round, font, qt_color

_CLEAR = 6.0  # pixels between a line and the words of a title
_HALVINGS = 8
_STUBS_FROM_ZOOM = 0.5  # short lines to tensors that are far away
_MOST_CURVES = 500
_CLOSE = 60.0  # between ends of values without a line: no room for a name
LABELED = 0.9  # zoom from which edges show shapes
TYPED = 1.2  # zoom from which they also show types
_TYPED_SIDEWAYS = 1.5  # the same from left to right, where the room between boxes is the limit
_MOST_LABELS = 300  # lines in view; more would be a carpet of text
_LABEL_PIXELS = 10  # size of the font
_LABEL_HEIGHT = 14.0  # px
_LABEL_GAP = 6.0  # px, from an edge to its label
_NEAR_LINE = 6.0  # pixels from a line that still count as on it
_CURVE_STEPS = np.linspace(0.0, 1.0, 13)
_DOTTED = 0.5  # zoom from which the ground has dots
_STEP = 24  # distance of the dots at zoom 1
_TITLE = 32.0  # height of a group's title at zoom 1
_LINED = 0.06  # zoom from which edges are drawn
_SIGN = 26.0  # side of the corner with the sign that folds a group, at zoom 1


def draw_frames(
    painter: QPainter, scene: Scene, camera: Camera, palette: Palette, selected: int | None
) -> None:
    """Draw open frames with their titles; `selected` is the layer that is selected."""
    zoom = camera.zoom
    for place in scene.frames_in(camera.visible):
        frame = scene.drawing.frames[place]
        top = camera.to_view(QPointF(frame.x, frame.y))
        box = QRectF(top.x(), top.y(), frame.width * zoom, frame.height * zoom)
        if box.width() < 6 or box.height() < 6:
            continue
        is_selected = (
            selected is not None and selected == frame.group.layer and len(frame.key) == 1
        )
        edge = palette.text if is_selected else palette.border
        painter.setPen(QPen(qt_color(edge), 2 if is_selected else 1))
        painter.setBrush(qt_color(palette.surface, 0.35 if palette.dark else 0.6))
        radius = 12 * min(1.0, zoom)
        painter.drawRoundedRect(box, radius, radius)


def draw_titles(painter: QPainter, scene: Scene, camera: Camera, palette: Palette) -> None:
    """Draw the titles of frames, beside the lines that pass them."""
    zoom = camera.zoom
    if zoom < BOXES_FROM_ZOOM:
        return
    for place in scene.frames_in(camera.visible):
        frame = scene.drawing.frames[place]
        top = camera.to_view(QPointF(frame.x, frame.y))
        box = QRectF(top.x(), top.y(), frame.width * zoom, frame.height * zoom)
        _draw_title(painter, scene, camera, place, box, palette)


def _draw_title(
    painter: QPainter, scene: Scene, camera: Camera, place: int, box: QRectF, palette: Palette
) -> None:
    """Draw name and numbers of a frame where no line passes; what has no room is left out."""
    frame, zoom = scene.drawing.frames[place], camera.zoom
    pixels = max(9.0, 11 * zoom)
    line = QRectF(
        box.left() + 14 * zoom, box.top() + 3 * zoom, box.width() - 40 * zoom, 26 * zoom
    )
    line.setLeft(max(line.left(), 10.0))
    title = units.clip(frame.group.title, 80)
    text = scene.frame_words(frame.key, frame.count) if zoom >= NAMES_FROM_ZOOM else ""
    gaps, space = _gaps(scene, camera, line), 8 * zoom
    wide = QFontMetrics(font(round(pixels), 600)).horizontalAdvance(title) + 2
    home = next((gap for gap in gaps if gap.width() >= wide), None)
    if home is None:
        home = max(gaps, key=QRectF.width)
    used = draw_text(painter, home, title, pixels, 600, palette.secondary, LEFT)
    rests = [home.adjusted(used + space, 0, 0, 0)]
    rests += [gap for gap in gaps if gap.left() > home.left()]
    metrics = QFontMetrics(font(round(pixels)))
    for words in (text, text.rpartition(" · ")[2]):  # the last one is the number in question
        length = metrics.horizontalAdvance(words) + 2
        rest = next((rest for rest in rests if rest.width() >= length), None)
        if words and rest is not None:
            draw_text(painter, rest, words, pixels, 400, palette.tertiary, LEFT)
            break
    if zoom >= NAMES_FROM_ZOOM:
        middle = QPointF(box.right() - 18 * zoom, line.center().y())
        painter.setPen(QPen(qt_color(palette.tertiary), 1.4))
        half = 4 * zoom
        painter.drawLine(middle - QPointF(half, 0), middle + QPointF(half, 0))


def _gaps(scene: Scene, camera: Camera, line: QRectF) -> list[QRectF]:
    """Return the parts of a title's line that no edge passes, from left to right."""
    left, end = line.left(), line.right() + _CLEAR
    gaps = []
    for first, last in [*_passing(scene, camera, line), (end, end)]:
        gaps.append(QRectF(left, line.top(), first - _CLEAR - left, line.height()))
        left = max(left, last + _CLEAR)
    return [gap for gap in gaps if gap.width() > 0] or [line]


def _passing(scene: Scene, camera: Camera, line: QRectF) -> list[tuple[float, float]]:
    """Return from where to where edges pass the letters of a title, in pixels of the view."""
    if scene.drawing.sideways:
        return []
    corner = np.array([camera.corner.x(), camera.corner.y()] * 2)
    ends = (scene.drawing.line[in_view(scene, camera)] - corner) * camera.zoom
    top, bottom = line.top() + line.height() / 4, line.bottom() - line.height() / 4
    near = (ends[:, 1] < bottom) & (ends[:, 3] > top)
    near &= (np.minimum(ends[:, 0], ends[:, 2]) <= line.right()) & (
        np.maximum(ends[:, 0], ends[:, 2]) >= line.left()
    )
    x0, y0, x1, y1 = ends[near].T
    bend = np.maximum(10 * camera.zoom, (y1 - y0) * 0.5)  # as `_curves` draws them
    sides = []
    for y in (top, bottom):
        low, high = np.zeros_like(x0), np.ones_like(x0)
        for _ in range(_HALVINGS):
            t = (low + high) / 2
            above = _on_curve(t, y0, y0 + bend, y1 - bend, y1) < y
            low, high = np.where(above, t, low), np.where(above, high, t)
        sides.append(_on_curve((low + high) / 2, x0, x0, x1, x1))
    return sorted(zip(np.minimum(*sides).tolist(), np.maximum(*sides).tolist(), strict=True))


Numbers = NDArray[np.float64]


def _on_curve(t: Numbers, a: Numbers, b: Numbers, c: Numbers, d: Numbers) -> Numbers:
    s = 1 - t
    point: Numbers = s**3 * a + 3 * s**2 * t * b + 3 * s * t**2 * c + t**3 * d
    return point


Places = NDArray[np.intp]


def in_view(scene: Scene, camera: Camera) -> Places:
    """Lines that may be seen: int (K,)."""
    line, visible = scene.drawing.line, camera.visible
    if not len(line):
        return np.zeros(0, np.intp)
    last = int(np.searchsorted(scene.line_top, visible.bottom(), "right"))
    first = int(np.searchsorted(scene.line_reach, visible.top()))
    part = line[first:last]
    is_visible = (
        (np.maximum(part[:, 1], part[:, 3]) >= visible.top())
        & (np.minimum(part[:, 0], part[:, 2]) <= visible.right())
        & (np.maximum(part[:, 0], part[:, 2]) >= visible.left())
    )
    return np.flatnonzero(is_visible) + first


def crossings(scene: Scene, lines: Places) -> NDArray[np.bool_]:
    """Return which of these lines lead from one device to another: bool (K,)."""
    drawing = scene.drawing
    maker, taker = drawing.maker[lines], drawing.taker[lines]
    maker_unit, taker_unit = scene.unit[maker], scene.unit[taker]
    has_ends = (maker >= 0) & (taker >= 0) & (maker_unit >= 0) & (taker_unit >= 0)
    is_crossing: NDArray[np.bool_] = has_ends & (maker_unit != taker_unit)
    return is_crossing


def draw_lines(
    painter: QPainter,
    scene: Scene,
    camera: Camera,
    palette: Palette,
    traced: frozenset[int],
    gone: NDArray[np.bool_] | None = None,
) -> None:
    """Draw what is in view; lines of the `traced` values stand out, those `gone` are dashed."""
    lines = in_view(scene, camera)
    if not len(lines):
        return
    if gone is not None:
        faint = lines[gone[lines]]
        _strokes(painter, scene, camera, faint, qt_color(palette.tertiary, 0.5), 1.3, True)
        lines = lines[~gone[lines]]
    crossing = crossings(scene, lines)
    marked = np.isin(scene.drawing.tensor[lines], list(traced)) if traced else crossing & False
    plain = ~(crossing | marked)
    _strokes(painter, scene, camera, lines[plain], qt_color(palette.tertiary, 0.75), 1.6)
    data = qt_color(palette.data)
    _strokes(painter, scene, camera, lines[crossing & ~marked], data, 2.0)
    _strokes(painter, scene, camera, lines[marked], qt_color(palette.accent), 2.4)
    if camera.zoom >= _STUBS_FROM_ZOOM:
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
    dashed: bool = False,
) -> None:
    if not len(lines):
        return
    corner = np.array([camera.corner.x(), camera.corner.y()] * 2)
    ends = ((scene.drawing.line[lines] - corner) * camera.zoom).tolist()
    width = max(0.7, width * min(1.0, camera.zoom * 1.3))
    style = Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine
    painter.setPen(QPen(tint, width, style, Qt.PenCapStyle.FlatCap))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if camera.zoom < BOXES_FROM_ZOOM or len(lines) > _MOST_CURVES:
        painter.drawLines([QLineF(*end) for end in ends])
    else:
        _curves(painter, ends, camera.zoom, scene.drawing.sideways)
    if camera.zoom >= BOXES_FROM_ZOOM:
        tips = [end for end, tip in zip(ends, scene.drawing.tip[lines], strict=True) if tip]
        _arrows(painter, tips, tint, camera.zoom, scene.drawing.sideways)


def _curves(
    painter: QPainter, ends: list[list[float]], zoom: float, sideways: bool = False
) -> None:
    straight, path = [], QPainterPath()
    for x0, y0, x1, y1 in ends:
        if sideways and abs(y1 - y0) >= 1.0:
            bend = max(10 * zoom, (x1 - x0) * 0.5)
            path.moveTo(x0, y0)
            path.cubicTo(x0 + bend, y0, x1 - bend, y1, x1, y1)
            continue
        if sideways or abs(x1 - x0) < 1.0:
            straight.append(QLineF(x0, y0, x1, y1))
            continue
        bend = max(10 * zoom, (y1 - y0) * 0.5)
        path.moveTo(x0, y0)
        path.cubicTo(x0, y0 + bend, x1, y1 - bend, x1, y1)
    painter.drawLines(straight)
    painter.drawPath(path)


def _arrows(
    painter: QPainter,
    ends: list[list[float]],
    tint: QColor,
    zoom: float,
    sideways: bool = False,
) -> None:
    for x, y in {(round(x, 1), round(y, 1)) for _, _, x, y in ends}:
        draw_tip(painter, QPointF(x, y), tint, zoom, sideways)


def badge(painter: QPainter, middle: QPointF, text: str, fill: str) -> None:
    """A word on a colored ground, around a point."""
    face = font(10, 600)
    width = QFontMetricsF(face).horizontalAdvance(text) + 12
    box = QRectF(middle.x() - width / 2, middle.y() - 8, width, 16)
    fill_round(painter, box, 5, qt_color(fill))
    painter.setFont(face)
    painter.setPen(qt_color(palette_module.on_top(fill)))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


class EdgeLabel(Struct, frozen=True):
    """The label of an edge in pixels of the view. tensor: its number in the drawing."""

    tensor: int
    box: QRectF
    text: str
    marked: bool


def edge_labels(
    scene: Scene, camera: Camera, traced: frozenset[int], most: int = _MOST_LABELS
) -> list[EdgeLabel]:
    """Return the labels in view: of all edges when zoomed in, else of the `traced` ones.

    most: lines in view of which all have one.
    """
    lines = in_view(scene, camera)
    is_traced = np.isin(scene.drawing.tensor[lines], list(traced))
    if camera.zoom < LABELED or len(lines) > most:
        lines = lines[is_traced]
        if camera.zoom < BOXES_FROM_ZOOM or len(lines) > most:
            return []
    drawing = scene.drawing
    typed = camera.zoom >= (_TYPED_SIDEWAYS if drawing.sideways else TYPED)
    axis = 0 if drawing.sideways else 1  # that data flows along
    makers = drawing.box[drawing.maker[lines]]
    leaves = makers[:, axis] + makers[:, axis + 2]
    starts = (drawing.maker[lines] >= 0) & (np.abs(drawing.line[lines, axis] - leaves) < 1)
    # Plain lists: an index into an array for each edge would take a millisecond a frame.
    starting = lines[starts]
    rows = zip(drawing.line[starting].tolist(), drawing.tensor[starting].tolist(), strict=True)
    at_start: dict[tuple[float, float], tuple[list[int], list[float]]] = {}
    for (x, y, x1, _), tensor in rows:
        tensors, shifts = at_start.setdefault((x, y), ([], []))
        tensors.append(tensor)
        shifts.append(0.0 if drawing.sideways else x1 - x)
    labels, labeled = [], set()
    corner = np.array([camera.corner.x(), camera.corner.y(), 0.0, 0.0])
    frames = (scene.frame_box - corner) * camera.zoom
    for (x, y), (tensors, shifts) in at_start.items():
        tensors = list(dict.fromkeys(tensors))
        tensors.sort(key=lambda tensor: tensor not in traced)
        marked = tensors[0] in traced
        text = edge_text(scene, tensors[0], typed or (marked and not drawing.sideways))
        point = camera.to_view(QPointF(x, y))
        before = point.x() if drawing.sideways else point.y()
        if not text or before < 0:  # out of view: the end says it, if it is traced
            continue
        if drawing.sideways:
            point -= QPointF(0, _LABEL_HEIGHT + 4)
        right = max(shifts) > 1
        side = (0 if min(shifts) < -1 else -1) if right else 1
        more = f" +{len(tensors) - 1}" if len(tensors) > 1 else ""
        label = _label_at(point, tensors[0], text + more, side, marked)
        if _crosses(label.box, frames):  # the type is in the details of the tensor, too
            text = edge_text(scene, tensors[0], False) or text
            label = _label_at(point, tensors[0], text + more, side, marked)
        labels.append(label)
        labeled.update(tensors)
    for line in lines[drawing.tip[lines]].tolist():
        tensor = int(drawing.tensor[line])
        if tensor in traced and tensor not in labeled:
            x, y = drawing.line[line, 2:].tolist()
            text = edge_text(scene, tensor, typed or not drawing.sideways)
            end = camera.to_view(QPointF(x, y)) - QPointF(0, _LABEL_HEIGHT + 8 * camera.zoom)
            if text and end.y() > 0:
                side = -1 if drawing.sideways else 1
                labels.append(_label_at(end, tensor, text, side, True))
                labeled.add(tensor)
    return labels


def _crosses(box: QRectF, frames: NDArray[np.float64]) -> bool:
    """Return whether the left or right border of a frame, float64 (F, 4), cuts a box."""
    x, y, width, height = frames.T
    beside = (y < box.bottom()) & (y + height > box.top())
    borders = np.concatenate((x[beside], (x + width)[beside]))
    return bool(((borders > box.left()) & (borders < box.right())).any())


def _label_at(point: QPointF, tensor: int, text: str, side: int, marked: bool) -> EdgeLabel:
    """Place a label right of a line (side 1), left of it (-1), or on the stem of a fork (0)."""
    width = text_width(text, _LABEL_PIXELS) + 8
    left = {1: _LABEL_GAP, -1: -_LABEL_GAP - width, 0: -width / 2}[side]
    above = 3 if side else 0  # on a stem: nothing of it stands out above the label
    box = QRectF(point.x() + left, point.y() + above, width, _LABEL_HEIGHT + 3 - above)
    return EdgeLabel(tensor, box, text, marked)


def edge_text(scene: Scene, tensor: int, with_type: bool) -> str:
    """Return shape and type of a tensor, '' if neither is known."""
    info = scene.values.get(scene.drawing.names[tensor])
    if info is None or (info.shape is None and not with_type):
        return ""
    shape = units.shape(info.shape) if info.shape is not None else ""
    if shape and not with_type:
        return shape
    return f"{shape}  {units.clip(info.dtype, 24)}".strip()


def draw_edge_labels(
    painter: QPainter,
    scene: Scene,
    camera: Camera,
    palette: Palette,
    traced: frozenset[int],
    edits: EditMarks | None = None,
) -> None:
    """Write shapes and types on edges; those of the `traced` tensors stand out."""
    new = [place_of_pill(camera, pill) for pill in edits.pills] if edits is not None else []
    for each in edge_labels(scene, camera, traced):
        if any(each.box.intersects(place) for place in new):
            continue  # it says the same, in the same place
        fill_round(painter, each.box, 3, qt_color(palette.window, 0.9))
        shade = palette.accent if each.marked else palette.secondary
        inner = each.box.adjusted(4, 0, 0, 0)
        draw_text(painter, inner, each.text, _LABEL_PIXELS, 500, shade, LEFT)


def tensor_at(scene: Scene, camera: Camera, point: QPointF, traced: frozenset[int]) -> int:
    """Return the number of the tensor whose edge or label is at a point of the view, or -1."""
    for each in edge_labels(scene, camera, traced):
        if each.box.contains(point):
            return each.tensor
    lines = in_view(scene, camera)
    if not len(lines) or camera.zoom < _LINED:
        return -1
    corner = np.array([camera.corner.x(), camera.corner.y()] * 2)
    x0, y0, x1, y1 = ((scene.drawing.line[lines] - corner) * camera.zoom).T
    px, py = point.x(), point.y()
    if scene.drawing.sideways:  # measured as if it led down
        x0, y0, x1, y1, px, py = y0, x0, y1, x1, py, px
    steps = _CURVE_STEPS[:, None]
    bent = camera.zoom >= BOXES_FROM_ZOOM and len(lines) <= _MOST_CURVES
    bend = np.maximum(10 * camera.zoom, (y1 - y0) * 0.5) if bent else (y1 - y0) / 3
    ease = steps * steps * (3 - 2 * steps) if bent else steps
    xs = x0 + (x1 - x0) * ease
    y_parts = ((1 - steps) ** 3 * y0, 3 * (1 - steps) ** 2 * steps * (y0 + bend),
               3 * (1 - steps) * steps**2 * (y1 - bend), steps**3 * y1)  # fmt: skip
    ys = np.sum(y_parts, axis=0)
    distances = _to_segments(px, py, xs, ys).min(axis=0)
    nearest = int(distances.argmin())
    return int(scene.drawing.tensor[lines[nearest]]) if distances[nearest] <= _NEAR_LINE else -1


def _to_segments(
    x: float, y: float, xs: NDArray[np.float64], ys: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Distance of a point to each piece of each curve: (steps - 1, lines) of (steps, lines)."""
    dx, dy = np.diff(xs, axis=0), np.diff(ys, axis=0)
    length = np.maximum(dx * dx + dy * dy, 1e-9)
    along = np.clip(((x - xs[:-1]) * dx + (y - ys[:-1]) * dy) / length, 0.0, 1.0)
    distance: NDArray[np.float64] = np.hypot(x - xs[:-1] - along * dx, y - ys[:-1] - along * dy)
    return distance


def draw_stubs(painter: QPainter, scene: Scene, camera: Camera, palette: Palette) -> None:
    """Draw values whose line is left out: a short one with the value's name."""
    if camera.zoom < _STUBS_FROM_ZOOM:
        return
    visible = camera.visible.adjusted(-80, -30, 80, 30)
    painter.setFont(font(10))
    metrics, used_rect = painter.fontMetrics(), QRectF()
    for run in runs(scene.stubs_between(visible.top(), visible.bottom())):
        if run[-1].x < visible.left() or visible.right() < run[0].x:
            continue
        points = [camera.to_view(QPointF(stub.x, stub.y)) for stub in run]
        for stub, point in zip(run, points, strict=True):
            sideways = scene.drawing.sideways
            tint = qt_color(palette.tertiary, 0.75)
            shift = QPointF(0, 12 * camera.zoom if stub.is_source else -14 * camera.zoom)
            away = point + (shift.transposed() if sideways else shift)
            painter.setPen(QPen(tint, 1.6))
            painter.drawLine(point, away)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tint)
            painter.drawEllipse(away, 2.6 * camera.zoom, 2.6 * camera.zoom)
            if not stub.is_source:
                _arrows(painter, [[0, 0, point.x(), point.y()]], tint, camera.zoom, sideways)
        widest = int((88 if len(run) == 1 else 140) * camera.zoom)
        text = fit_line(stub_words(run), widest, metrics.horizontalAdvance)
        down = 13 * camera.zoom if run[0].is_source else -6 * camera.zoom
        place = points[-1] + QPointF(7 * camera.zoom, down)
        if scene.drawing.sideways:
            wide = metrics.horizontalAdvance(text) + 16 * camera.zoom
            place = points[-1] + QPointF(16 * camera.zoom if run[0].is_source else -wide, 4)
        label_rect = QRectF(metrics.boundingRect(text)).translated(place)
        if not label_rect.intersects(used_rect):
            painter.fillRect(label_rect.adjusted(-2, 0, 2, 0), qt_color(palette.window, 0.8))
            painter.setPen(qt_color(palette.tertiary))
            painter.drawText(place, text)
            used_rect = label_rect


def runs(stubs: Sequence[Stub]) -> Iterator[tuple[Stub, ...]]:
    """Yield stubs grouped into those that end close to each other.

    They have one name between them: where there is room for it is right of the last.
    """
    run: list[Stub] = []
    for stub in sorted(stubs, key=lambda stub: (stub.y, stub.is_source, stub.x)):
        near = run and (stub.y, stub.is_source) == (run[-1].y, run[-1].is_source)
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
    times = f" ×{first.users}" if first.is_source and first.users > 1 else ""
    more = len(run) - 1 + sum(stub.more for stub in run)
    return (
        tr("{name}{times} and {more} more").format(name=name, times=times, more=more)
        if more
        else name + times
    )


def paint(
    painter: QPainter,
    scene: Scene,
    camera: Camera,
    palette: Palette,
    marked: MarkedBoxes,
    traced: frozenset[int] = frozenset(),
    selected: int | None = None,
    edits: EditMarks | None = None,
) -> None:
    """Draw what the camera sees, and what edits do to it."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if camera.zoom >= _DOTTED:
        # A grid that moves with the drawing, so that panning can be felt.
        step = max(8, round(_STEP * camera.zoom))
        tile = QPixmap(step, step)
        tile.fill(Qt.GlobalColor.transparent)
        dots = QPainter(tile)
        dots.fillRect(QRectF(0, 0, 1.2, 1.2), qt_color(palette.tertiary, 0.22))
        dots.end()
        brush = QBrush(tile)
        painter.save()
        painter.setBrushOrigin(-camera.corner * camera.zoom)
        painter.fillRect(QRectF(0, 0, camera.view.width(), camera.view.height()), brush)
        painter.restore()
    draw_frames(painter, scene, camera, palette, selected)
    if camera.zoom >= _LINED:
        gone = edits.gone if edits is not None else None
        draw_lines(painter, scene, camera, palette, traced, gone)
    draw_titles(painter, scene, camera, palette)
    draw_edge_labels(painter, scene, camera, palette, traced, edits)
    draw_boxes(painter, scene, camera, palette, edits)
    if edits is not None:
        draw_marks(painter, scene, camera, palette, edits)
    draw_outlines(painter, scene, camera, palette, marked)
    draw_stubs(painter, scene, camera, palette)


def at_point(scene: Scene, point: QPointF) -> tuple[int, Frame | None]:
    """The box under a point of the drawing, -1 for none, and the frame whose title is there."""
    box = scene.box_at(point.x(), point.y())
    point_rect = QRectF(point.x(), point.y(), 0, 0)
    frames = [scene.drawing.frames[place] for place in scene.frames_in(point_rect)]
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
