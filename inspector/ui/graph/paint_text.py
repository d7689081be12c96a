"""Writes into boxes: operator, name, time, weights, and what became of a layer."""

from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter

from inspector import units
from inspector.export.charts import palette as palette_module
from inspector.export.charts.palette import Palette
from inspector.report.support_marks import Mark, Status
from inspector.ui.graph.scene import Scene
from inspector.ui.translate import tr
from inspector.ui.widgets.support_legend import draw_mark
from inspector.ui.widgets.theme import colour, font

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
_ENDLESS = 10_000
_GONE = (Status.FOLDED, Status.DEAD, Status.NOT_REACHED, Status.ELIMINATED, Status.MOVED)


def tint(scene: Scene, box: int, palette: Palette) -> str:
    """The colour that a box shows."""
    code = int(scene.code[box])
    return scene.colouring.colours[code - 1] if code else uncoloured(palette)


def uncoloured(palette: Palette) -> str:
    """The colour of a box of which there is nothing to tell."""
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
    text = scene.words(box)
    if small:
        both = QRectF(place.adjusted(12 * zoom, 0, -10 * zoom, 0))
        used = draw_text(painter, both, text.title, 11 * zoom, 500, palette.tertiary, LEFT)
        rest = both.adjusted(used + 6 * zoom, 0, 0, 0)
        draw_text(painter, rest, text.name, 11 * zoom, 500, palette.text, LEFT)
        return
    left, right = place.left() + 16 * zoom, place.right() - 11 * zoom
    first = QRectF(left, place.top() + 5 * zoom, right - left, 18 * zoom)
    second = QRectF(left, place.top() + 22 * zoom, right - left, 17 * zoom)
    dim = scene.absent(box)
    end = draw_text(painter, first, text.right, 11 * zoom, 500, palette.secondary, RIGHT)
    if dim:
        end = _draw_status(painter, scene, box, first, zoom, palette)
    head = first.adjusted(0, 0, -end - 8 * zoom if end else 0, 0)
    shade = palette.secondary if dim else palette.text
    draw_text(painter, head, text.title, 12 * zoom, 600, shade, LEFT)
    note = ""
    if text.note:
        taken = _wide(text.name, 11 * zoom) + 10 * zoom
        full = tr("weight {note}").format(note=text.note)
        note = next(
            (n for n in (full, text.note) if taken + _wide(n, 10 * zoom) <= second.width()), ""
        ) or (text.note if _wide(text.note, 10 * zoom) < second.width() * 0.6 else "")
    end = draw_text(painter, second, note, 10 * zoom, 400, palette.tertiary, RIGHT)
    end = max(end, 14 * zoom if scene.key(box) is not None else 0.0)
    name = second.adjusted(0, 0, -end - 8 * zoom if end else 0, 0)
    draw_text(painter, name, text.name, 11 * zoom, 400, palette.secondary, LEFT)


def _wide(text: str, pixels: float) -> float:
    return _fitted(text, max(1, round(pixels)), 400, _ENDLESS)[1]


def _draw_status(
    painter: QPainter, scene: Scene, box: int, line: QRectF, zoom: float, palette: Palette
) -> float:
    """Mark and word of a layer that did not run by itself; returns the width they take."""
    use = scene.use(box)
    assert use is not None, "a layer without a fate has no mark"
    text = units.clip(use.status.value, 24)
    end = draw_text(painter, line, text, 10 * zoom, 400, palette.tertiary, RIGHT)
    side = 12 * zoom
    place = QRectF(
        line.right() - end - side - 4 * zoom, line.center().y() - side / 2, side, side
    )
    mark = Mark.FOLDED if use.status in _GONE else Mark.FUSED
    mark = Mark.UNKNOWN if use.status is Status.UNKNOWN else mark
    draw_mark(painter, place, mark, tint(scene, box, palette), palette)
    return end + side + 4 * zoom


def _scaled(pixels: float, weight: int) -> QFont:
    return font(max(1, round(pixels)), weight)


def draw_text(
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
    shown, width, down = _fitted(text, max(1, round(pixels)), weight, int(box.width()))
    painter.setFont(_scaled(pixels, weight))
    painter.setPen(colour(shade))
    x = box.right() - width if side & Qt.AlignmentFlag.AlignRight else box.left()
    painter.drawText(QPointF(x, box.center().y() + down), shown)
    return width


@lru_cache(maxsize=16384)
def _fitted(text: str, pixels: int, weight: int, available: int) -> tuple[str, float, float]:
    """What fits of a text, its width, and how far its line lies below its middle."""
    metrics = QFontMetrics(font(pixels, weight))
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, available)
    down = (metrics.ascent() - metrics.descent()) / 2
    return shown, float(metrics.horizontalAdvance(shown)), down
