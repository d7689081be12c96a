"""Draw the rows of a timeline: a raster of all spans, then boxes and names of the wide ones."""

import math
import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QImage, QPainter, QPen

from inspector.model.display_names import endings, fit_line
from inspector.pages.charts import palette
from inspector.pages.charts import palette as palette_module
from inspector.pages.charts.palette import Palette
from inspector.trace.intervals import ColumnView, Intervals, PixelColumns, Shares, pixel_columns
from inspector.trace.trace import KINDS, Kind, Trace
from inspector.trace.trace_rows import LevelOfDetail
from inspector.ui import units
from inspector.ui.timeline.model.column_coverage import Places
from inspector.ui.timeline.model.geometry import FRAME, Bar, Scale
from inspector.ui.timeline.model.visible_spans import DetailThresholds, VisibleRow, visible_rows
from inspector.ui.timeline.model.visible_spans import Hits as Hits
from inspector.ui.timeline.render import row_raster
from inspector.ui.timeline.render.pixel_blocks import Drawn, Pixels, in_pixels, is_raster
from inspector.ui.timeline.render.row_raster import LOW, Flags, Ground, Rows, Singles, opaque
from inspector.ui.timeline.render.row_raster import ramp as ramp
from inspector.ui.timeline.render.row_raster import shade as shade
from inspector.ui.timeline.render.text_cache import Laid, Placed, advance, laid, write
from inspector.ui.widgets.theme import qt_color

LABELLED = 26.0
_CROWD = 140  # names that are read at a glance, and cost 2 ms of a frame
_WIDER = 1.25  # factor by which the least width of a named span grows until so few are left
_AROUND = 9  # px, beside a name
_DOTS = "…"  # for what is left out of a name
_FONT = (11, 500)  # size and weight of names
_LEAST_LETTERS = 3  # with the dots; less of a name tells nothing
_SCOPES = re.compile(r"[./]")
WIDE = 5.0  # px, from which on spans are boxes of their own
_ROUND = 10.0  # px, from which on boxes have round corners
_FEW = 24  # spans of a row that are boxes of their own however narrow
_COPY = KINDS.index(Kind.COPY)
_PARTITION = KINDS.index(Kind.PARTITION)
_PALE = 0.8  # how far what is not chosen fades into the surface
_NONE = np.zeros(0)  # places of no box
_LITTLE = 16  # pixels between the rows of two tracks, and a little more
# Up to how many spans in view corners are so round, in pixels: of many they cost a millisecond.
_ROUNDED = ((250, 3.5), (600, 2.0))


class Boxes(Struct, frozen=True, eq=False):
    """M spans in pixels of the widget; middle: of their height.

    tints: '#RRGGBB'. tint: which of these each has: int (M,).
    """

    spans: Places
    left: Shares
    width: Shares
    middle: Shares
    tints: Sequence[str]
    tint: Places
    copies: Flags


def draw_labels(painter: QPainter, trace: Trace, boxes: Boxes) -> None:
    """Write the name of each span that has room for it, where it is seen.

    Where more than a crowd have room, narrow ones that would keep three letters go without.
    """
    clip = painter.clipBoundingRect()
    begin = np.maximum(boxes.left, clip.left())
    room = np.minimum(boxes.left + boxes.width, clip.right()) - begin - _AROUND
    some = np.flatnonzero(room >= _least_room(room))
    spans = boxes.spans[some]
    names, scoped = trace.name[spans].tolist(), (trace.layer[spans] >= 0).tolist()
    rooms, lefts = room[some].astype(np.intp).tolist(), (begin[some] + 6).tolist()
    middles, copies = boxes.middle[some].tolist(), boxes.copies[some].tolist()
    tints = _inks(tuple(boxes.tints))
    plain = list[Placed]()
    labels_of_fill = {"": plain}
    chosen = boxes.tint[some].tolist()
    rows = zip(names, scoped, rooms, lefts, middles, chosen, copies, strict=True)
    for name, layer, wide, left, middle, tint, copy in rows:
        text: Laid | None = _whole(trace.names[name], layer)
        if text is not None and text.width > wide:
            text = _cut(text.text, wide)
        if text is not None:
            fill, ink = tints[tint]
            labels = labels_of_fill.setdefault(fill, []) if copy else plain
            labels.append((text, left, middle, ink))
    for (
        ground,
        labels,
    ) in labels_of_fill.items():  # which takes the hatching away from behind a name
        write(painter, labels, ground)


def _least_room(room: Shares) -> float:
    """Return the room a name needs, in coarse steps, so that few change as the view moves."""
    least = LABELLED - _AROUND
    while np.count_nonzero(room >= least) > _CROWD:
        least *= _WIDER
    return least


@lru_cache(maxsize=16)
def _inks(fills: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Some colors, each with that of a name on it."""
    return tuple((fill, palette.on_top(fill)) for fill in fills)


@lru_cache(maxsize=8192)
def _whole(name: str, scoped: bool) -> Laid | None:
    """Return the text of a name if it fits; only layers have scopes."""
    clipped = units.clip_name(name, 120)
    scope, leaf = units.scope_and_name(clipped) if scoped else ("", clipped)
    inner = _SCOPES.split(scope)[-1]
    short_name = f"{inner}/{leaf}" if inner else leaf
    return laid(short_name, *_FONT) if short_name else None


@lru_cache(maxsize=8192)
def _cut(name: str, width: int) -> Laid | None:
    """Return a name cut to a width in pixels, laid out; None when too little is left of it.

    A narrow span says the block that it is of: five times the same leaf would tell nothing.
    """
    scope, between, leaf = name.partition("/")
    if between and leaf:
        fitted = fit_line(name, width, _advance)
        if _DOTS not in fitted and _advance(fitted) <= width:
            return laid(fitted, *_FONT)
        if not any(map(str.isdigit, scope)):  # "i…ut" of an input would be a riddle
            whole = next((each for each in (scope, leaf) if _advance(each) <= width), None)
            return laid(whole, *_FONT) if whole is not None else None
        name = scope
    whole_words = next((each for each in endings(name) if _advance(each) <= width), "")
    return laid(whole_words, *_FONT) if len(whole_words) > _LEAST_LETTERS else None


def _advance(text: str) -> float:
    return advance(text, *_FONT)


class Sight(Struct, frozen=True, eq=False):
    """Some bars with their colors, what shows of each, and what was searched for in it."""

    bars: Sequence[Bar]
    fills: Sequence[str]
    visible_rows: Sequence[VisibleRow]
    hits: Hits | None = None


def see_bars(
    bars: Sequence[Bar], scale: Scale, ratio: float, hits: Hits | None = None
) -> list[VisibleRow]:
    """Return the visible spans and matches of some rows, at a device pixel ratio."""
    columns, step = _columns(scale, ratio), scale.step_ns
    apart = int(columns.edges_ns[1] - columns.edges_ns[0]) * round(ratio)
    least = DetailThresholds(int(WIDE * ratio), _ROUND * step, LABELLED * step, _FEW, apart)
    return visible_rows([bar.row for bar in bars], columns, least, hits)


def draw_bars(
    painter: QPainter,
    detail: LevelOfDetail,
    sight: Sight,
    scale: Scale,
    palette: Palette,
    ratio: float,
    behind: Pixels | None = None,
) -> None:
    """Draw rows of spans; where something was searched for, all others pale.

    behind: the line of pixels that lies behind them, over and over, where it is known: where
    pixels are drawn.
    """
    bars, left = sight.bars, scale.left
    if not bars:
        return
    rows = _rows(sight, palette, ratio)
    boxes, owner = _boxes(detail, sight, rows.pales, scale, palette)
    begin = (boxes.left - left) * ratio
    end, fills = begin + boxes.width * ratio, _opaque(tuple(boxes.tints))
    singles = Singles(owner, begin, end, fills[boxes.tint], boxes.copies)
    width = len(_columns(scale, ratio).edges_ns) - 1
    radius = next((corner for most, corner in _ROUNDED if len(owner) <= most), 0.0)
    shift = round(scale.begin_ns / scale.step_ns * ratio)
    ground = Ground(width, ratio, palette.surface, shift, radius, behind)
    corner = QPointF(left, bars[0].top)
    if behind is not None or is_raster(painter):
        drawn = row_raster.lines(rows, singles, ground)
        draw_lines(painter, drawn, corner, ratio, behind is not None)
    else:
        whole = picture(row_raster.draw(rows, singles, ground))
        whole.setDevicePixelRatio(ratio)
        painter.drawImage(corner, whole)
    if len(owner):
        high = np.array([bar.height > LOW for bar in bars])
        draw_labels(painter, detail.trace, boxes if high.all() else _some(boxes, high[owner]))


def draw_lines(
    painter: QPainter, drawn: Drawn, corner: QPointF, ratio: float, whole: bool = False
) -> None:
    """Draw rows from a corner of the widget, gaps between close rows included.

    whole: nothing shines through, so they are copied, in half the time, and not mixed.
    """
    left, top = round(corner.x() * ratio), round(corner.y() * ratio)
    pictures = dict[int, QImage]()  # by height: all of them lie at one place in memory
    with in_pixels(painter, ratio):
        for at, pixels in drawn.parts():
            high = len(pixels)
            if high not in pictures:
                pictures[high] = picture(pixels, whole)
            painter.drawImage(left, top + at, pictures[high])


def draw_over_and_over(
    painter: QPainter,
    line: Pixels,
    left: float,
    stretches: Sequence[tuple[int, int]],
    ratio: float,
) -> None:
    """Draw a line of opaque pixels, uint32 (W,), downwards, from tops to bottoms."""
    few = np.empty((math.ceil(_LITTLE * ratio) + 1, len(line)), np.uint32)
    few[:] = line
    stacked, begin = picture(few, True), round(left * ratio)
    with in_pixels(painter, ratio):
        for top, bottom in stretches:  # a pixel more where a scale is not whole
            at = math.floor(top * ratio)
            high = math.ceil(bottom * ratio) - at + (ratio % 1 != 0)
            if high <= len(few):  # a brush costs five times as much
                painter.drawImage(begin, at, stacked, 0, 0, len(line), high)
            else:
                origin = painter.brushOrigin()
                painter.setBrushOrigin(begin, at)
                painter.fillRect(begin, at, len(line), high, QBrush(picture(line[None], True)))
                painter.setBrushOrigin(origin)


def draw_line(
    painter: QPainter,
    strip: Intervals,
    box: QRectF,
    scale: Scale,
    colors: tuple[str, str],
    ratio: float,
) -> None:
    """Draw a folded row: when anything ran, as density. colors: its own, the surface's."""
    view = ColumnView(strip, _columns(scale, ratio))
    painter.drawImage(box, picture(shade(view.coverage(), *colors)[None, :]))


def span_boxes(
    detail: LevelOfDetail, spans: NDArray[np.int64] | list[int], bar: Bar, scale: Scale
) -> list[tuple[int, QRectF]]:
    """Return where spans of a bar lie, cut off a little outside of what is shown."""
    left, width = _sides(detail, np.asarray(spans, np.int64), scale)
    top, height = float(bar.top), float(bar.height)
    sides = zip(list(spans), left.tolist(), width.tolist(), strict=True)
    return [(span, QRectF(x, top, wide, height)) for span, x, wide in sides]


def picture(pixels: Pixels, whole: bool = False) -> QImage:
    """A picture over rows of pixels, uint32 (H, W) without gaps; they must outlive it."""
    height, width = pixels.shape
    form = QImage.Format.Format_RGB32 if whole else QImage.Format.Format_ARGB32_Premultiplied
    return QImage(pixels.data, width, height, 4 * width, form)


def draw_outline(painter: QPainter, box: QRectF, width: float, palette: Palette) -> None:
    """Draw a line around a span, apart from it by the color of the surface."""
    if box.isEmpty():
        return
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(qt_color(palette.surface), 1.5))
    painter.drawRoundedRect(box.adjusted(-0.5, -0.5, 0.5, 0.5), 3.5, 3.5)
    painter.setPen(QPen(qt_color(palette.text), width))
    out = 1 + width / 2
    painter.drawRoundedRect(box.adjusted(-out, -out, out, out), 4.5, 4.5)


def draw_mark(
    painter: QPainter, marked: tuple[float, float], scale: Scale, height: int, palette: Palette
) -> None:
    """Draw the stretch of time that is marked."""
    left, right = scale.x(marked[0]), scale.x(marked[1])
    painter.fillRect(QRectF(left, 0, right - left, height), qt_color(palette.accent, 0.12))
    for x in (left, right - 1):
        painter.fillRect(QRectF(x, 0, 1, height), qt_color(palette.accent))


def _rows(sight: Sight, palette: Palette, ratio: float) -> Rows:
    """The rows from the top of the first one on, pale where something was searched for."""
    bars, visible_rows, fills = sight.bars, sight.visible_rows, sight.fills
    sides = _sides_of(tuple([(bar.top, bar.height) for bar in bars]), ratio)
    pales = fills if sight.hits is None else _pales(tuple(fills), palette.surface)
    return Rows(
        *sides, [row.shares for row in visible_rows], [row.matches for row in visible_rows],
        [row.copies for row in visible_rows], pales, fills,
    )  # fmt: skip


@lru_cache(maxsize=16)
def _sides_of(
    bars: tuple[tuple[int, int], ...], ratio: float
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Tops and heights in pixels, from the top of the first bar on."""
    tops = tuple(round((top - bars[0][0]) * ratio) for top, _ in bars)
    return tops, tuple(max(1, round(height * ratio)) for _, height in bars)


@lru_cache(maxsize=16)
def _pales(fills: tuple[str, ...], surface: str) -> tuple[str, ...]:
    return tuple(_mixed(fill, surface, _PALE) for fill in fills)


@lru_cache(maxsize=16)
def _opaque(tints: tuple[str, ...]) -> Pixels:
    return np.array(list(map(opaque, tints)), np.uint32)


def _boxes(
    detail: LevelOfDetail, sight: Sight, pales: Sequence[str], scale: Scale, palette: Palette
) -> tuple[Boxes, NDArray[np.intp]]:
    """The spans that are drawn one by one, and the bar of each."""
    trace, bars = detail.trace, sight.bars
    spans = np.concatenate([row.places for row in sight.visible_rows])
    if not len(spans):
        return Boxes(spans, _NONE, _NONE, _NONE, (), spans, np.zeros(0, np.bool_)), spans
    owner = np.arange(len(bars)).repeat([len(row.places) for row in sight.visible_rows])
    spans += np.array([bar.row.first for bar in bars])[owner]
    left, width = _sides(detail, spans, scale)
    kinds, tints = trace.kind[spans], [*sight.fills, *pales]
    tint = owner if sight.hits is None else owner + len(bars) * ~sight.hits.mask[spans]
    partitions = np.flatnonzero(kinds == _PARTITION)
    if len(partitions):
        plain = [bar.fade != FRAME for bar in bars]
        tints += [_mixed(fill, palette.surface, FRAME) for fill in tints]
        some = partitions[np.array(plain)[owner[partitions]]]
        tint = tint.copy()
        tint[some] += 2 * len(bars)
    middles = np.array([bar.top + bar.height / 2 for bar in bars])[owner]
    return Boxes(spans, left, width, middles, tints, tint, kinds == _COPY), owner


def _some(boxes: Boxes, mask: Flags) -> Boxes:
    if mask.all():
        return boxes
    return Boxes(
        boxes.spans[mask], boxes.left[mask], boxes.width[mask], boxes.middle[mask],
        boxes.tints, boxes.tint[mask], boxes.copies[mask],
    )  # fmt: skip


@lru_cache(maxsize=256)
def _mixed(fill: str, surface: str, part: float) -> str:
    """Return the color of a row, cached since each frame needs it."""
    return palette_module.mix(fill, surface, part)


def _sides(
    detail: LevelOfDetail, spans: NDArray[np.int64], scale: Scale
) -> tuple[Shares, Shares]:
    """Left sides and widths of spans, in pixels, cut off a little outside of what is shown."""
    start, duration = detail.trace.start_ns[spans], detail.trace.duration_ns[spans]
    left, right = scale.left - 8, scale.left + scale.width + 8
    begin = np.maximum(left, scale.left + (start - scale.begin_ns) / scale.step_ns)
    end = scale.left + (start + duration - scale.begin_ns) / scale.step_ns
    return begin, np.maximum(1.2, np.minimum(right, end) - begin - 1)


def _columns(scale: Scale, ratio: float) -> PixelColumns:
    return pixel_columns(scale.begin_ns, scale.end_ns, max(1, round(scale.width * ratio)))
