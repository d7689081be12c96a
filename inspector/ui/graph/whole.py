"""The whole graph as a drawing for files: every box, line and shape, whatever is in view."""

from collections.abc import Iterator, Sequence

import numpy as np
from PySide6.QtCore import QPointF, QSizeF

from inspector.analysis.graph_layout.drawing import BoxKind
from inspector.pages.charts.drawing import (
    LEGEND_ROW,
    MARGIN,
    Box,
    Drawing,
    Label,
    Line,
    Shape,
    fitting,
    fitting_name,
    legend,
    moved,
    text_width,
)
from inspector.pages.charts.palette import LIGHT
from inspector.platform.cooperative_yielding import polite
from inspector.ui import units
from inspector.ui.graph.paint import crossings, edge_labels
from inspector.ui.graph.paint_boxes import RADIUS, STRIPE, tint
from inspector.ui.graph.scene import Scene
from inspector.ui.graph.viewport import Camera

_LEAST_WIDTH = 320.0  # pixels, with room for a legend
_CURVE = np.linspace(0.0, 1.0, 17)  # of a line that bends; so many pieces look round
_TIP = 7.0  # pixels, of the head of an arrow
_TALL = 40.0  # pixels; a lower box has one line of text
_LETTER_DOWN = 4.0  # pixels from the middle of a line of text to its base


def whole_graph(
    scene: Scene, title: str, entries: Sequence[tuple[str, str]], note: str = ""
) -> Drawing:
    """Return a graph with all that is open in the scene, and with a legend.

    entries: color and word of each. note: what the colors of numbers stand for.
    """
    drawing = scene.drawing
    width = max(drawing.width, _LEAST_WIDTH)
    shapes = [*_frames(scene), *_lines(scene), *_labels(scene)]
    for box in polite(range(len(drawing))):
        shapes += _box(scene, box)
    y = drawing.height + LEGEND_ROW
    if note:
        shapes.append(Label(MARGIN, y, note, "secondary"))
        y += LEGEND_ROW
    swatches = tuple(legend([(text, color) for color, text in entries], width, y))
    lowest = max((each.y for each in swatches if isinstance(each, Label)), default=y)
    around = (moved(shape, MARGIN, MARGIN) for shape in (*shapes, *swatches))
    height = lowest + LEGEND_ROW + MARGIN
    return Drawing(title, width + 2 * MARGIN, height, tuple(around))


def _frames(scene: Scene) -> Iterator[Shape]:
    for frame in scene.drawing.frames:
        yield Box(frame.x, frame.y, frame.width, frame.height, "window",
                  radius=12, edge="border", edge_width=1)  # fmt: skip
        name = units.clip(frame.group.title, 80)
        yield Label(frame.x + 14, frame.y + 20, name, "secondary", bold=True)
        x = frame.x + 22 + text_width(name, bold=True)
        words = scene.frame_words(frame.key, frame.count)
        if x + text_width(words) < frame.x + frame.width:
            yield Label(x, frame.y + 20, words, "tertiary")


def _lines(scene: Scene) -> Iterator[Shape]:
    """Yield the ways between boxes, those between devices in their own color, with heads."""
    drawing = scene.drawing
    between = crossings(scene, np.arange(len(drawing.line), dtype=np.intp)).tolist()
    rows = zip(drawing.line.tolist(), drawing.tip.tolist(), between, strict=True)
    for ends, tip, crosses in polite(list(rows)):
        color, width = ("data", 2.0) if crosses else ("tertiary", 1.4)
        yield Line(_way(ends, drawing.sideways), color, width)
        if tip:
            x, y, half = ends[2], ends[3], _TIP / 2
            head = ((x, y), (x - half, y - _TIP), (x + half, y - _TIP), (x, y))
            if drawing.sideways:
                head = ((x, y), (x - _TIP, y - half), (x - _TIP, y + half), (x, y))
            yield Line(head, color, 0.8, fill=1.0)


def _way(ends: list[float], sideways: bool) -> tuple[tuple[float, float], ...]:
    """Return the points of a line, curved as in the window."""
    x0, y0, x1, y1 = ends
    if sideways:
        return tuple((x, y) for y, x in _way([y0, x0, y1, x1], False))
    if abs(x1 - x0) < 1.0:
        return (x0, y0), (x1, y1)
    bend = max(10.0, (y1 - y0) * 0.5)
    t, rest = _CURVE, 1 - _CURVE
    across = (rest**3 + 3 * rest**2 * t) * x0 + (3 * rest * t**2 + t**3) * x1
    down = rest**3 * y0 + 3 * rest**2 * t * (y0 + bend) + 3 * rest * t**2 * (y1 - bend)
    return tuple(zip(across.tolist(), (down + t**3 * y1).tolist(), strict=True))


def _labels(scene: Scene) -> Iterator[Shape]:
    """Yield the shapes of tensors beside their lines."""
    camera = Camera()
    camera.view = camera.whole = QSizeF(scene.drawing.width, scene.drawing.height)
    camera.corner, camera.zoom = QPointF(0, 0), 1.0
    for each in edge_labels(scene, camera, frozenset(), most=len(scene.drawing.line)):
        box, wide = each.box, text_width(each.text, 10) + 6
        ground = "window" if scene.frames_in(box) else "surface"
        yield Box(box.x() + 1, box.y(), wide, box.height(), ground, 0.9, radius=3)
        yield Label(box.x() + 4, box.center().y() + _LETTER_DOWN, each.text, "secondary", 10)


def _box(scene: Scene, place: int) -> Iterator[Shape]:
    """Yield the box of a layer, an input, an output or a closed scope, with its texts."""
    x, y, width, height = scene.drawing.box[place].tolist()
    text, layer = scene.text(place), scene.layer(place)
    label = layer.label if layer is not None else f"{text.title}: {text.name}"
    yield Box(x, y, width, height, "raised", title=label, radius=RADIUS,
              edge="border", edge_width=1)  # fmt: skip
    if height < _TALL:
        line = f"{text.title} {text.name}".strip()
        base = y + height / 2 + _LETTER_DOWN
        yield Label(x + 12, base, fitting_name(line, width - 22), "text")
        return
    if scene.drawing.kind[place] in (BoxKind.LAYER, BoxKind.GROUP):
        yield Box(x, y + 4, STRIPE, height - 8, tint(scene, place, LIGHT), radius=2)
    left, right = x + 16, x + width - 11
    end = text_width(text.right) + 8 if text.right else 0.0
    if text.right:
        yield Label(right, y + 18, text.right, "secondary", anchor="end")
    title = fitting(text.title, right - left - end, 12)
    yield Label(left, y + 18, title, "text", 12, bold=True)
    room = right - left
    full = bool(text.full_name) and text_width(text.full_name) <= room
    name = text.full_name if full else text.name
    note = text.note if text_width(name) + text_width(text.note, 10) + 10 <= room else ""
    if note:
        yield Label(right, y + 36, note, "tertiary", 10, anchor="end")
    cut = text.number if text_width(name) > room else ""
    yield Label(left, y + 36, fitting_name(name, room - text_width(cut)) + cut, "secondary")
    if text.attributes and height > 50:
        yield Label(left, y + 51, fitting(text.attributes, room, 10), "tertiary", 10)
