"""Draws a row of a timeline: wide spans one by one, all others as density.

Density is one line of pixels that numpy computes; there is never an object for each span.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QImage,
    QPainter,
    QPen,
    QPixmap,
    QStaticText,
)

from inspector import look, units
from inspector.detail import Detail
from inspector.look import Palette
from inspector.strip import Columns, Seen, Shares, Strip, columns_of
from inspector.trace import KINDS, Kind
from inspector.ui.kit.theme import colour, font
from inspector.ui.timeline.layout import FRAME, Bar, Scale
from inspector.ui.timeline.seen import Least, SeenRow, cover, see

WIDE, LABELLED, _ROUND, _FEW = 5.0, 26.0, 10.0, 24
_LEVELS, _FAINTEST = 64, 0.25
_COPY, _PARTITION = KINDS.index(Kind.COPY), KINDS.index(Kind.PARTITION)
_HATCH, _PALE, _DOTS = 6, 0.8, "…"
Pixels = NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Brushes:
    """What a bar is drawn with: its own colour, the surface it lies on, pixels per pixel.

    rounded: corners of single spans, which cost five times as much as plain ones.
    """

    fill: str
    palette: Palette
    ratio: float
    rounded: bool = True

    def pale(self) -> "Brushes":
        """The same for what was not searched for."""
        return replace(self, fill=look.mix(self.fill, self.palette.surface, _PALE))


@dataclass(frozen=True, slots=True)
class Hits:
    """What was searched for in a row: its spans as a strip, and whether a span is one."""

    strip: Strip
    holds: Callable[[int], bool]


def see_bars(bars: Sequence[Bar], scale: Scale, ratio: float) -> list[SeenRow]:
    """What shows of some rows, at so many pixels per pixel."""
    columns, step = _columns(scale, ratio), scale.step_ns
    apart = int(columns.edges_ns[1] - columns.edges_ns[0]) * round(ratio)
    least = Least(int(WIDE * ratio), _ROUND * step, LABELLED * step, _FEW, apart)
    return see([bar.row for bar in bars], columns, least)


def see_hits(
    bars: Sequence[Bar],
    hits: Sequence[Hits],
    seen: Sequence[SeenRow],
    scale: Scale,
    ratio: float,
) -> list[Shares | None]:
    """How much of each column is covered by what was found and is not drawn one by one."""
    without = []
    for bar, found, row in zip(bars, hits, seen, strict=True):
        first = bar.row.first
        drawn = [place for place in row.places.tolist() if found.holds(first + place)]
        starts = bar.row.strip.start_ns[drawn]
        without.append(np.searchsorted(found.strip.start_ns, starts, "right") - 1)
    return cover([found.strip for found in hits], without, _columns(scale, ratio))


def draw_bar(
    painter: QPainter,
    detail: Detail,
    bar: Bar,
    scale: Scale,
    brushes: Brushes,
    seen: SeenRow,
    hits: Hits | None = None,
    found: Shares | None = None,
) -> None:
    """Draw one row of spans; where something was searched for, all others pale.

    found: share of each column that was found.
    """
    ground = brushes if hits is None else brushes.pale()
    box = QRectF(scale.left, bar.top, scale.width, bar.height)
    if seen.shares is not None:
        height = max(1, round(bar.height * brushes.ratio))
        painter.drawImage(box, picture(_hatched(seen.shares, seen, height, ground)))
    if found is not None:
        line = shade(found, brushes.fill, brushes.palette.surface)
        painter.drawImage(box, picture(line[None, :]))
    if len(seen.places):
        wide = seen.places + bar.row.first
        _draw_wide(painter, detail, wide, bar, scale, (brushes, ground), hits)


def draw_line(
    painter: QPainter, strip: Strip, box: QRectF, scale: Scale, brushes: Brushes
) -> None:
    """Draw a folded row: when anything ran, as density."""
    seen = Seen(strip, _columns(scale, brushes.ratio))
    pixels = shade(seen.coverage(), brushes.fill, brushes.palette.surface)
    painter.drawImage(box, picture(pixels[None, :]))


def span_boxes(
    detail: Detail, spans: NDArray[np.int64] | list[int], bar: Bar, scale: Scale
) -> list[tuple[int, QRectF]]:
    """Where spans of a bar lie, cut off a little outside of what is shown."""
    left, width = _sides(detail, np.asarray(spans, np.int64), scale)
    top, height = float(bar.top), float(bar.height)
    sides = zip(list(spans), left.tolist(), width.tolist(), strict=True)
    return [(span, QRectF(x, top, wide, height)) for span, x, wide in sides]


def _sides(detail: Detail, spans: NDArray[np.int64], scale: Scale) -> tuple[Shares, Shares]:
    """Left sides and widths of spans, in pixels, cut off a little outside of what is shown."""
    start, duration = detail.trace.start_ns[spans], detail.trace.duration_ns[spans]
    left, right = scale.left - 8, scale.left + scale.width + 8
    begin = np.maximum(left, scale.left + (start - scale.begin_ns) / scale.step_ns)
    end = scale.left + (start + duration - scale.begin_ns) / scale.step_ns
    return begin, np.maximum(1.2, np.minimum(right, end) - begin - 1)


def _columns(scale: Scale, ratio: float) -> Columns:
    return columns_of(scale.begin_ns, scale.end_ns, max(1, round(scale.width * ratio)))


def shade(shares: Shares, fill: str, surface: str) -> Pixels:
    """Colours of columns by their coverage of 0 to 1: uint32 (W,)."""
    levels = shares - 1e-6
    np.minimum(levels, 1, out=levels)
    np.maximum(levels, 0, out=levels)
    levels *= _LEVELS - 1
    return ramp(fill, surface).take(np.ceil(levels, out=levels).astype(np.intp))


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


def _hatched(shares: Shares, seen: SeenRow, height: int, brushes: Brushes) -> Pixels:
    """Columns by their coverage as a picture of so many rows; those of copies are hatched."""
    line = shade(shares, brushes.fill, brushes.palette.surface)
    copies = None if seen.copies is None else seen.copies & (line != 0)
    if copies is None or not copies.any():
        return line[None, :]
    light = ramp(brushes.fill, brushes.palette.surface)[_LEVELS // 3]
    stripes = _stripes(len(line), height, round(_HATCH * brushes.ratio))
    return np.where(stripes & copies, light, line)


@lru_cache(maxsize=8)
def _stripes(width: int, height: int, period: int) -> NDArray[np.bool_]:
    """Where diagonal stripes lie in a picture: bool (H, W)."""
    return (np.arange(width) + np.arange(height)[:, None]) % period < period / 3


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
    kinds, fills = detail.trace.kind[wide].tolist(), _fills(detail, wide, bar, brushes, hits)
    left, width = _sides(detail, wide, scale)
    top, height, now = float(bar.top), float(bar.height), ""
    radius, rounded = 3.5 if bar.height > 9 else 2.0, brushes[0].rounded
    painter.setPen(Qt.PenStyle.NoPen)
    for kind, fill, x, size in zip(kinds, fills, left.tolist(), width.tolist(), strict=True):
        if fill != now:
            painter.setBrush(_ink(fill))
            now = fill
        box = QRectF(x, top, size, height)
        if rounded:
            painter.drawRoundedRect(box, radius, radius)
        else:
            painter.drawRect(box)
        if kind == _COPY:
            painter.setBrush(_hatch(brushes[0].palette.surface))
            painter.setBrushOrigin(box.topLeft())
            painter.drawRoundedRect(box, radius, radius)
            now = ""
    if bar.height > 9:
        clip = painter.clipBoundingRect()
        begin = np.maximum(left, clip.left())
        room = np.minimum(left + width, clip.right()) - begin - 9
        painter.setFont(_label_font())
        hatched = [kind == _COPY for kind in kinds]
        for n in np.flatnonzero(room >= LABELLED - 9).tolist():
            text = fitting(_name(detail, int(wide[n])), int(room[n]))
            if text is not None:
                box = QRectF(float(begin[n]), top, float(room[n]) + 9, height)
                _draw_label(painter, text, box, fills[n], hatched[n])


def _fills(
    detail: Detail,
    wide: NDArray[np.int64],
    bar: Bar,
    brushes: tuple[Brushes, Brushes],
    hits: Hits | None,
) -> list[str]:
    """The colour of each span."""
    if hits is None:
        fills = [brushes[0].fill] * len(wide)
    else:
        fills = [brushes[not hits.holds(span)].fill for span in wide.tolist()]
    if bar.fade != FRAME:
        surface = brushes[0].palette.surface
        for n in np.flatnonzero(detail.trace.kind[wide] == _PARTITION).tolist():
            fills[n] = look.mix(fills[n], surface, FRAME)
    return fills


@lru_cache(maxsize=64)
def _ink(value: str) -> QColor:
    """A colour that nobody changes; asked for each span in each frame."""
    return colour(value)


@lru_cache(maxsize=8)
def _hatch(surface: str) -> QBrush:
    return QBrush(hatching(surface))


@lru_cache(maxsize=1)
def _label_font() -> QFont:
    return font(11, 500)


def _name(detail: Detail, span: int) -> str:
    name = detail.trace.names[detail.trace.name[span]]
    return _short(name, bool(detail.trace.layer[span] >= 0))


@lru_cache(maxsize=8192)
def _short(name: str, scoped: bool) -> str:
    """What fits best of a name; only layers lie in scopes."""
    clipped = units.clip(name, 120)
    return units.scope_and_name(clipped)[1] if scoped else clipped


@dataclass(frozen=True, slots=True)
class Laid:
    """A text laid out, with its size in pixels."""

    text: QStaticText
    width: float
    height: float


def _draw_label(painter: QPainter, text: Laid, box: QRectF, fill: str, hatched: bool) -> None:
    left = box.x() + 6
    if hatched:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(_ink(fill))
        ground = QRectF(left - 3, box.y() + 3, text.width + 6, box.height() - 6)
        painter.drawRoundedRect(ground, 2, 2)
    painter.setPen(_ink(_on_top(fill)))
    if hatched:  # after a brush with a picture Qt does not show text that is laid out
        words = text.text.text()
        painter.drawText(box.adjusted(6, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, words)
    else:
        top = box.y() + (box.height() - text.height) / 2
        painter.drawStaticText(QPointF(left, top), text.text)


@lru_cache(maxsize=64)
def _on_top(fill: str) -> str:
    return look.on_top(fill)


@lru_cache(maxsize=8192)
def fitting(name: str, width: int) -> Laid | None:
    """A name cut to a width in pixels, laid out; None when too little is left of it."""
    reach = _reach(name)
    if not reach or reach[-1] <= width:
        text = name
    else:
        kept = bisect_left(reach, width - _reach(_DOTS)[-1])
        text = name[:kept] + _DOTS if kept > 2 else ""
    return _laid(text) if text else None


@lru_cache(maxsize=4096)
def _reach(name: str) -> tuple[float, ...]:
    """How wide the beginnings of a name are, by one letter each; asked anew at each zoom."""
    metrics = QFontMetricsF(_label_font())
    return tuple(metrics.horizontalAdvance(name[: n + 1]) for n in range(len(name)))


@lru_cache(maxsize=8192)
def _laid(text: str) -> Laid:
    made = QStaticText(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
    made.prepare(font=_label_font())
    return Laid(made, made.size().width(), made.size().height())


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
