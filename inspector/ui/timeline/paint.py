"""Draws a row of a timeline: wide spans one by one, all others as density.

Density is one line of pixels that numpy computes; there is never an object for each span.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QFontMetrics, QImage, QPainter, QPen, QPixmap, QStaticText

from inspector import look, units
from inspector.detail import Detail, Row
from inspector.look import Palette
from inspector.strip import Columns, Seen, Strip, columns_of
from inspector.trace import KINDS, Kind
from inspector.ui.kit.theme import colour, font
from inspector.ui.timeline.layout import FRAME, Bar, Scale

WIDE, LABELLED, _ROUND, _FEW = 5.0, 26.0, 10.0, 24
_LEVELS, _FAINTEST = 64, 0.25
_COPY, _PARTITION = KINDS.index(Kind.COPY), KINDS.index(Kind.PARTITION)
_HATCH, _PALE = 6, 0.8
Pixels = NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Brushes:
    """What a bar is drawn with: its own colour, the surface it lies on, pixels per pixel."""

    fill: str
    palette: Palette
    ratio: float

    def pale(self) -> "Brushes":
        """The same for what was not searched for."""
        return replace(self, fill=look.mix(self.fill, self.palette.surface, _PALE))


@dataclass(frozen=True, slots=True)
class Hits:
    """What was searched for in a row: its spans as a strip, and whether a span is one."""

    strip: Strip
    holds: Callable[[int], bool]


def draw_bar(
    painter: QPainter,
    detail: Detail,
    bar: Bar,
    scale: Scale,
    brushes: Brushes,
    hits: Hits | None = None,
) -> None:
    """Draw one row of spans; where something was searched for, all others pale."""
    row, ground = bar.row, brushes if hits is None else brushes.pale()
    seen = Seen(row.strip, _columns(scale, brushes.ratio))
    single = seen.wide(int(WIDE * brushes.ratio))
    least = LABELLED if len(single) > _FEW else _ROUND  # round corners cost too much for many
    lasts = row.strip.duration_ns[single] >= least * scale.step_ns
    places = single[lasts]
    wide = places + row.first
    box = QRectF(scale.left, bar.top, scale.width, bar.height)
    shares = _shares(seen, row, places, single[~lasts], brushes.ratio)
    if shares is not None:
        height = max(1, round(bar.height * brushes.ratio))
        painter.drawImage(box, picture(_hatched(shares, seen, row, height, ground)))
    if hits is not None:
        found = places[[hits.holds(span) for span in wide.tolist()]] if len(wide) else places
        starts = hits.strip.start_ns
        own = np.searchsorted(starts, row.strip.start_ns[found], "right") - 1
        shares = _shares(Seen(hits.strip, seen.columns), None, own)
        if shares is not None:
            line = shade(shares, brushes.fill, brushes.palette.surface)
            painter.drawImage(box, picture(line[None, :]))
    _draw_wide(painter, detail, wide, bar, scale, (brushes, ground), hits)


def draw_line(
    painter: QPainter, strip: Strip, box: QRectF, scale: Scale, brushes: Brushes
) -> None:
    """Draw a folded row: when anything ran, as density."""
    seen = Seen(strip, _columns(scale, brushes.ratio))
    pixels = shade(seen.coverage(), brushes.fill, brushes.palette.surface)
    painter.drawImage(box, picture(pixels[None, :]))


def span_boxes(
    detail: Detail, spans: list[int], bar: Bar, scale: Scale
) -> Iterator[tuple[int, QRectF]]:
    """Where spans of a bar lie, cut off a little outside of what is shown."""
    start, duration = detail.trace.start_ns[spans], detail.trace.duration_ns[spans]
    left, right = scale.left - 8, scale.left + scale.width + 8
    begin = np.maximum(left, scale.left + (start - scale.begin_ns) / scale.step_ns)
    end = scale.left + (start + duration - scale.begin_ns) / scale.step_ns
    width = np.maximum(1.2, np.minimum(right, end) - begin - 1)
    top, height = float(bar.top), float(bar.height)
    for span, x, wide in zip(spans, begin.tolist(), width.tolist(), strict=True):
        yield span, QRectF(x, top, wide, height)


def density(row: Row, wide: NDArray[np.int64], scale: Scale, brushes: Brushes) -> Pixels | None:
    """Colours of all columns without the wide spans: uint32 (W,); None when all are empty."""
    shares = _shares(Seen(row.strip, _columns(scale, brushes.ratio)), row, wide - row.first)
    return None if shares is None else shade(shares, brushes.fill, brushes.palette.surface)


def _columns(scale: Scale, ratio: float) -> Columns:
    return columns_of(scale.begin_ns, scale.end_ns, max(1, round(scale.width * ratio)))


def _shares(
    seen: Seen,
    row: Row | None,
    wide: NDArray[np.int64],
    single: NDArray[np.int64] | None = None,
    apart: float = 0,
) -> NDArray[np.float64] | None:
    """How much of each column spans cover without some wide ones; None for nothing.

    row: the one whose marks without length are seen too. single: spans that can be told from
    each other, so that `apart` columns at the end of each stay empty.
    """
    if seen.count <= len(wide):
        return None
    if single is None or not len(single):
        shares = seen.coverage(wide)
    else:
        shares = seen.coverage(np.sort(np.concatenate((wide, single))))
        start, step = seen.strip.start_ns[single], np.diff(seen.columns.edges_ns[:2])[0]
        duration = seen.strip.duration_ns[single] - int(apart * step)
        before = np.cumsum(duration) - duration
        shares = shares + Seen(Strip(start, duration, before), seen.columns).coverage()
    if row is not None and len(row.marks_ns):
        shares = np.maximum(shares, row.marked(seen.columns.edges_ns))
    return shares if shares.max() > 1e-6 else None


def shade(shares: NDArray[np.float64], fill: str, surface: str) -> Pixels:
    """Colours of columns by their coverage of 0 to 1: uint32 (W,)."""
    levels = np.ceil(np.clip(shares - 1e-6, 0, 1) * (_LEVELS - 1)).astype(np.intp)
    return ramp(fill, surface)[levels]


@lru_cache(maxsize=64)
def ramp(fill: str, surface: str) -> Pixels:
    """Colours from no coverage, where all shines through, to full coverage: uint32 (64,).

    The least coverage is seen as well.
    """
    mixed = (look.mix(surface, fill, part) for part in np.linspace(_FAINTEST, 1, _LEVELS - 1))
    return np.array([0, *(0xFF000000 | int(value[1:], 16) for value in mixed)], np.uint32)


def picture(pixels: Pixels) -> QImage:
    """A picture over rows of pixels, uint32 (H, W) without gaps; they must outlive it."""
    height, width = pixels.shape
    form = QImage.Format.Format_ARGB32_Premultiplied
    return QImage(pixels.data, width, height, 4 * width, form)


def _hatched(
    shares: NDArray[np.float64], seen: Seen, row: Row, height: int, brushes: Brushes
) -> Pixels:
    """Columns by their coverage as a picture of so many rows; those of copies are hatched."""
    line = shade(shares, brushes.fill, brushes.palette.surface)
    copies = next((strip for kind, strip in row.kinds if kind == _COPY), None)
    if copies is None:
        return line[None, :]
    pixels = np.repeat(line[None, :], height, axis=0)
    x = np.flatnonzero((seen.coverage(of=copies) > shares / 2) & (line != 0))
    if len(x):
        y = np.arange(height)[:, None]
        period = round(_HATCH * brushes.ratio)
        stripes = (x[None, :] + y) % period < period / 3
        light = ramp(brushes.fill, brushes.palette.surface)[_LEVELS // 3]
        pixels[:, x] = np.where(stripes, light, pixels[:, x])
    return pixels


def _draw_wide(
    painter: QPainter,
    detail: Detail,
    wide: NDArray[np.int64],
    bar: Bar,
    scale: Scale,
    brushes: tuple[Brushes, Brushes],
    hits: Hits | None,
) -> None:
    """Draw wide spans one by one, then their names.

    brushes: for what was searched for, and for the rest.
    """
    labels: list[tuple[int, QRectF, str]] = []
    painter.setPen(Qt.PenStyle.NoPen)
    radius = 3.5 if bar.height > 9 else 2.0
    for span, box in span_boxes(detail, wide.tolist(), bar, scale):
        brush = brushes[hits is not None and not hits.holds(span)]
        kind, fill = int(detail.trace.kind[span]), brush.fill
        if kind == _PARTITION and bar.fade != FRAME:
            fill = look.mix(fill, brush.palette.surface, FRAME)
        painter.setBrush(colour(fill))
        painter.drawRoundedRect(box, radius, radius)
        if kind == _COPY:
            painter.setBrush(QBrush(hatching(brush.palette.surface)))
            painter.setBrushOrigin(box.topLeft())
            painter.drawRoundedRect(box, radius, radius)
        labels.append((span, box, fill))
    if labels and bar.height > 9:
        clip = painter.clipBoundingRect()
        painter.setFont(font(11, 500))
        for span, box, fill in labels:
            hatched = int(detail.trace.kind[span]) == _COPY
            _draw_label(painter, _name(detail, span), box.intersected(clip), fill, hatched)


def _name(detail: Detail, span: int) -> str:
    name = detail.trace.names[detail.trace.name[span]]
    return _short(name, bool(detail.trace.layer[span] >= 0))


@lru_cache(maxsize=8192)
def _short(name: str, scoped: bool) -> str:
    """What fits best of a name; only layers lie in scopes."""
    clipped = units.clip(name, 120)
    return units.scope_and_name(clipped)[1] if scoped else clipped


def _draw_label(painter: QPainter, name: str, box: QRectF, fill: str, hatched: bool) -> None:
    left, width = box.x() + 6, box.width() - 9
    if width < LABELLED - 9:
        return
    text = fitting(name, int(width))
    size = text.size()
    if size.isEmpty():
        return
    top = box.y() + (box.height() - size.height()) / 2
    if hatched:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(fill))
        ground = QRectF(left - 3, box.y() + 3, size.width() + 6, box.height() - 6)
        painter.drawRoundedRect(ground, 2, 2)
    painter.setPen(colour(_on_top(fill)))
    if hatched:  # after a brush with a picture Qt does not show text that is laid out
        painter.drawText(box.adjusted(6, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text.text())
    else:
        painter.drawStaticText(QPointF(left, top), text)


@lru_cache(maxsize=64)
def _on_top(fill: str) -> str:
    return look.on_top(fill)


@lru_cache(maxsize=8192)
def fitting(name: str, width: int) -> QStaticText:
    """A name cut to a width in pixels, laid out; empty when too little is left of it."""
    wanted = font(11, 500)
    text = QFontMetrics(wanted).elidedText(name, Qt.TextElideMode.ElideRight, width)
    made = QStaticText(text if text == name or len(text) > 3 else "")
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
    made.prepare(font=wanted)
    return made


@lru_cache(maxsize=8)
def hatching(surface: str) -> QPixmap:
    """A tile of 45 degree lines in the colour of the surface, for copies."""
    ratio = 2
    tile = QPixmap(_HATCH * ratio, _HATCH * ratio)
    tile.fill(Qt.GlobalColor.transparent)
    painter = QPainter(tile)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour(surface, 0.6), 1.4 * ratio))
    side = _HATCH * ratio
    for shift in (-side, 0, side):
        painter.drawLine(QPointF(shift - 1, side + 1), QPointF(shift + side + 1, -1))
    painter.end()
    tile.setDevicePixelRatio(ratio)
    return tile


def draw_outline(painter: QPainter, box: QRectF, width: float, palette: Palette) -> None:
    """Draw a line around a span, apart from it by the colour of the surface."""
    if box.isEmpty():
        return
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(colour(palette.surface), 1.5))
    painter.drawRoundedRect(box.adjusted(-0.5, -0.5, 0.5, 0.5), 3.5, 3.5)
    painter.setPen(QPen(colour(palette.text), width))
    out = 1 + width / 2
    painter.drawRoundedRect(box.adjusted(-out, -out, out, out), 4.5, 4.5)


def draw_mark(
    painter: QPainter, marked: tuple[float, float], scale: Scale, height: int, palette: Palette
) -> None:
    """Draw the stretch of time that is marked."""
    left, right = scale.x(marked[0]), scale.x(marked[1])
    painter.fillRect(QRectF(left, 0, right - left, height), colour(palette.accent, 0.12))
    for x in (left, right - 1):
        painter.fillRect(QRectF(x, 0, 1, height), colour(palette.accent))
