"""Draws everything of the lanes, from the ground up."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from inspector.export.charts import palette as palette_module
from inspector.export.charts.palette import Palette
from inspector.ui.timeline.model.geometry import Band, Bar, Scale
from inspector.ui.timeline.model.idle_gaps import draw_gaps
from inspector.ui.timeline.model.median_overlay import draw_spread
from inspector.ui.timeline.model.predictions import Iterations
from inspector.ui.timeline.model.state import TimelineState
from inspector.ui.timeline.render.counter_charts import draw_chart
from inspector.ui.timeline.render.pixel_blocks import Pixels, is_raster, ratio_of
from inspector.ui.timeline.render.row_raster import opaque
from inspector.ui.timeline.render.rows import (
    Sight,
    draw_bars,
    draw_line,
    draw_mark,
    draw_over_and_over,
    see_bars,
)
from inspector.ui.timeline.render.time_axis import draw_grid, ticks
from inspector.ui.timeline.widget.prediction_ruler import draw_moments, draw_warm_up
from inspector.ui.widgets.theme import colour

_LINE, _APART, _BESIDE = 8, 2, 3


def within(bands: Sequence[Band], seen: QRect) -> tuple[Band, ...]:
    """Those of some bands that lie in a part of the widget."""
    return tuple(b for b in bands if b.bottom >= seen.top() and b.top <= seen.bottom())


def draw_rows(
    painter: QPainter,
    state: TimelineState,
    bands: tuple[Band, ...],
    scale: Scale,
    palette: Palette,
    seen: QRect,
    behind: Pixels | None = None,
) -> None:
    """Draw the rows of some bands that lie in a part of the widget.

    behind: what `draw_ground` says of what lies behind them.
    """
    ratio = ratio_of(painter)
    for band in bands:
        if band.counter is not None:
            draw_chart(painter, band, scale, palette)
        elif band.folded:
            _draw_folded(painter, band, scale, palette, ratio)
    bars, fills, surface = list[Bar](), list[str](), palette.surface
    for band in bands:
        if some := _drawn(band, seen):
            own = palette.lane(band.family)
            bars += some
            fills += [_faded(own, surface, bar.fade) for bar in some]
    sight = _see(state, bars, fills, scale, ratio)
    draw_bars(painter, state.detail, sight, scale, palette, ratio, behind)
    if state.overlaid is None:
        draw_gaps(painter, bands, scale, palette)
    else:  # what lies between medians was never measured
        for bar in bars:
            draw_spread(painter, state.overlaid, bar, scale, palette)


def _drawn(band: Band, seen: QRect) -> Sequence[Bar]:
    """The rows of a band that are drawn, in a part of the widget."""
    top, bottom = seen.top(), seen.bottom()
    if band.folded:
        return ()
    if top <= band.top and band.bottom <= bottom:
        return band.bars
    return [bar for bar in band.bars if bar.top <= bottom and bar.top + bar.height >= top]


def draw_ground(
    painter: QPainter,
    state: TimelineState,
    told: tuple[Iterations, ...],
    bands: tuple[Band, ...],
    scale: Scale,
    height: int,
    palette: Palette,
    seen: QRect,
) -> Pixels | None:
    """Draw what lies behind the rows: their ground with a grid, warm-up, moments.

    Returns the line of pixels that lies behind all of them, over and over: uint32 (W,); None
    where there is more than that.
    """
    more = state.overlaid is None and _has_more(state, told, scale)
    line = None
    if is_raster(painter) and bands:
        covered = () if more else [_drawn(band, seen) for band in bands]
        line = _draw_squared(painter, scale, height, covered, palette)
    else:
        painter.fillRect(
            QRectF(0, 0, scale.left + scale.width, height), colour(palette.surface)
        )
        draw_grid(painter, scale, height, palette)
    if not more:
        return line
    painter.setClipRect(QRectF(scale.left, 0, scale.width, height))
    draw_warm_up(painter, told, bands, state.detail.trace.tracks, scale, palette)
    draw_moments(painter, state.traced.trace.moments, scale, height, palette)
    painter.setClipping(False)
    return None


def _has_more(state: TimelineState, told: tuple[Iterations, ...], scale: Scale) -> bool:
    """Whether a warm-up or a moment is in view, or only just not."""
    begin, end = scale.instant(scale.left - _BESIDE), scale.end_ns + _BESIDE * scale.step_ns
    spans = [some for one in told if (some := one.warm_up_ns) is not None]
    spans += [(one.time_ns, one.time_ns) for one in state.traced.trace.moments]
    return any(low <= end and high >= begin for low, high in spans)


def _draw_squared(
    painter: QPainter,
    scale: Scale,
    height: int,
    covered: Sequence[Sequence[Bar]],
    palette: Palette,
) -> Pixels:
    """Draw the ground with its grid: lines downwards one by one would miss every cache.

    covered: rows of bands, which are drawn with the ground between them, over nothing.
    """
    ratio, left, step = ratio_of(painter), scale.left, scale.step_ns
    begin_ns, wide = scale.begin_ns, round(scale.width * ratio)
    line = np.empty(wide, np.uint32)
    line.fill(opaque(palette.surface))
    tint, thick, last = opaque(palette.grid), max(1, round(ratio)), wide - 1
    for instant, _ in ticks(scale):
        x = round(left + (instant - begin_ns) / step) - left
        at = min(max(round(x * ratio), 0), last)
        line[at : at + thick] = tint
    draw_over_and_over(painter, line, scale.left, _between(covered, height), ratio)
    return line


def _between(covered: Sequence[Sequence[Bar]], height: int) -> list[tuple[int, int]]:
    """The stretches from top to bottom that lie between the rows of some bands."""
    found, top = list[tuple[int, int]](), 0
    for bars in filter(None, covered):
        found.append((top, bars[0].top))
        top = bars[-1].top + bars[-1].height
    return [*found, (top, height)]


def draw_measured(
    painter: QPainter, state: TimelineState, scale: Scale, height: int, palette: Palette
) -> None:
    """Draw the stretch that is marked, and where a measurement began."""
    if state.marked is not None:
        draw_mark(painter, state.marked, scale, height, palette)
    if state.anchor is not None:
        painter.setPen(QPen(colour(palette.accent), 1, Qt.PenStyle.DashLine))
        x = round(scale.x(state.anchor)) + 0.5
        painter.drawLine(QPointF(x, 0), QPointF(x, height))


def _see(
    state: TimelineState, bars: list[Bar], fills: list[str], scale: Scale, ratio: float
) -> Sight:
    """What shows of each row, what was searched for, and what shows of that."""
    hits = state.hits([bar.row for bar in bars])
    return Sight(bars, fills, see_bars(bars, scale, ratio, hits), hits)


@lru_cache(maxsize=64)
def _faded(own: str, surface: str, fade: float) -> str:
    """The colour of a row; asked for each row in each frame."""
    return palette_module.mix(own, surface, fade)


def _draw_folded(
    painter: QPainter, band: Band, scale: Scale, palette: Palette, ratio: float
) -> None:
    """A line for each family of what is folded."""
    height = min(_LINE, (band.height - 6) / max(1, len(band.lines)) - _APART)
    whole = len(band.lines) * (height + _APART) - _APART
    top = band.top + (band.height - whole) / 2
    for place, (family, strip) in enumerate(band.lines):
        box = QRectF(scale.left, top + place * (height + _APART), scale.width, height)
        colours = palette.lane(family), palette.surface
        draw_line(painter, strip, box, scale, colours, ratio)
