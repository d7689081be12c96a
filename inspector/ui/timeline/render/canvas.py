"""Draw the lanes of a timeline: grid, rows, idle gaps, counters and flow arrows."""

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPolygonF

from inspector.pages.charts import palette as palette_module
from inspector.pages.charts.palette import Palette
from inspector.trace.intervals import Intervals, Times
from inspector.trace.trace import Counter, Trace
from inspector.ui import units
from inspector.ui.timeline.model.geometry import Band, Bar, Scale
from inspector.ui.timeline.model.median_overlay import draw_spread
from inspector.ui.timeline.model.predictions import Iterations
from inspector.ui.timeline.model.state import TimelineState
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
from inspector.ui.timeline.render.text_cache import Placed, laid, write
from inspector.ui.timeline.render.time_axis import draw_grid, ticks
from inspector.ui.timeline.widget.gutter import counted
from inspector.ui.timeline.widget.prediction_ruler import draw_moments, draw_warm_up
from inspector.ui.translate import tr
from inspector.ui.widgets.theme import font, qt_color

_LEAST = 120  # px, least width of a gap that is told
_HEIGHT = 14  # px, of what is told in a gap
_ARROW = 4  # px, half the height of the lines at its ends
_INSET = 6
_LINE = 8  # px, most height of a line of a folded track
_APART = 2  # px, between lines
_BESIDE = 3  # px, drawn beyond the edges so that a border is whole
_MOST = 60  # arrows of a span
_HEAD = 4.0  # px, length of an arrow's head


def gaps(
    strip: Intervals, begin_ns: float, end_ns: float, least_ns: float
) -> list[tuple[int, int]]:
    """Begin and end of each gap of a window that lasts at least so long, in nanoseconds.

    What lies before the first span or after the last is no gap.
    """
    return gaps_of([strip], begin_ns, end_ns, least_ns)[0]


def gaps_of(
    strips: Sequence[Intervals], begin_ns: float, end_ns: float, least_ns: float
) -> list[list[tuple[int, int]]]:
    """Return the idle gaps of several rows; such a gap holds one of evenly spaced instants."""
    instants = np.arange(begin_ns, end_ns + 2 * least_ns, least_ns)
    whole = np.floor(instants).astype(np.int64)  # a float would copy the whole column
    return [_gaps_at(strip, whole, begin_ns, end_ns, least_ns) for strip in strips]


def _gaps_at(
    strip: Intervals, instants: Times, begin_ns: float, end_ns: float, least_ns: float
) -> list[tuple[int, int]]:
    """Return the gaps that contain some sorted instants: int64 (I,)."""
    idle, previous_end = list[tuple[int, int]](), 0
    start, last = strip.start_ns.item, len(strip.start_ns) - 1
    # A dozen instants: to look at each costs less than arrays of all of them.
    for after in strip.start_ns.searchsorted(instants, "right").tolist():
        if previous_end < after <= last:
            previous_end, before, closes = after, start(after - 1), start(after)
            if closes - before >= least_ns:  # which is seldom so
                opens = before + strip.duration_ns.item(after - 1)
                if closes - opens >= least_ns and opens < end_ns and closes > begin_ns:
                    idle.append((opens, closes))
    return idle


def gap_at(strip: Intervals, instant_ns: float) -> tuple[int, int] | None:
    """The gap around an instant; None where something happens or nothing follows."""
    if not len(strip.start_ns):
        return None
    place = int(strip.last_started(np.array([instant_ns]))[0])
    if not 0 <= place < len(strip.start_ns) - 1:
        return None
    opens = int(strip.start_ns[place] + strip.duration_ns[place])
    closes = int(strip.start_ns[place + 1])
    return (opens, closes) if opens < instant_ns < closes else None


def gap_in_run(
    gap: tuple[int, int], run_lists: Sequence[Iterations], scale: Scale
) -> tuple[int, int]:
    """Return the part of a gap in the run that is shown, where the gap ends outside the window.

    Kernels are recorded of some runs only: of the gaps around these, most is no part of them.
    """
    begin, end = scale.begin_ns, scale.end_ns
    if begin <= gap[0] and gap[1] <= end:
        return gap
    most, part = 0.0, gap
    for runs in run_lists:
        shown = np.minimum(runs.end_ns, end) - np.maximum(runs.begin_ns, begin)
        place = int(shown.argmax())
        inside = (max(gap[0], int(runs.begin_ns[place])), min(gap[1], int(runs.end_ns[place])))
        if shown[place] > most and inside[0] < inside[1]:
            most, part = float(shown[place]), inside
    return part


def draw_gaps(
    painter: QPainter,
    bands: Sequence[Band],
    scale: Scale,
    palette: Palette,
    run_lists: Sequence[Iterations],
) -> None:
    """Write into wide gaps how long nothing happened, between two thin lines."""
    rows = [(b, b.work) for b in bands if b.work is not None and not (b.folded or b.head)]
    least, labels = _LEAST * scale.step_ns, list[Placed]()
    idle = gaps_of([work for _, work in rows], scale.begin_ns, scale.end_ns, least)
    for (band, _), its in zip(rows, idle, strict=True):
        for gap in its:
            opens, closes = gap_in_run(gap, run_lists, scale)
            top = band.bars[-1].top + (band.bars[-1].height - _HEIGHT) / 2 if band.bars else 0
            labels += _draw_gap(painter, opens, closes, top, scale, palette)
    write(painter, labels)


def _draw_gap(
    painter: QPainter, opens: int, closes: int, top: float, scale: Scale, palette: Palette
) -> tuple[Placed, ...]:
    """Draw the lines of a gap, and its label where it fits."""
    begins, ends = scale.left, scale.left + scale.width
    left, right = max(begins, scale.x(opens)) + 6, min(ends, scale.x(closes)) - 6
    shown = [left] * (scale.x(opens) >= begins) + [right - 1] * (scale.x(closes) <= ends)
    duration = units.duration(closes - opens)
    # A number longer than the window would look wrong without a word.
    text = duration if len(shown) == 2 else tr("idle for {duration}").format(duration=duration)
    label = laid(text, 11)
    wide = label.width
    if right - left < wide + 40:
        return ()
    middle, y = (left + right) / 2, round(top + _HEIGHT / 2)
    line = qt_color(palette.border)
    # The lines of the grid do not run through the words.
    painter.fillRect(
        QRectF(middle - wide / 2 - 3, top, wide + 6, _HEIGHT), qt_color(palette.surface)
    )
    for begin, end in ((left, middle - wide / 2 - 6), (middle + wide / 2 + 6, right)):
        painter.fillRect(QRectF(begin, y, end - begin, 1), line)
    for x in shown:
        painter.fillRect(QRectF(x, y - _ARROW, 1, 2 * _ARROW + 1), line)
    return ((label, middle - wide / 2, top + _HEIGHT / 2, palette.tertiary),)


def draw_chart(painter: QPainter, band: Band, scale: Scale, palette: Palette) -> None:
    """Draw a counter: of each column its highest value, from nought to its highest of all."""
    counter = band.counter
    if counter is None or not len(counter.values):
        return
    inset = 3 if band.folded else _INSET
    top, bottom = band.top + inset, band.bottom - inset
    highest = max(float(counter.values.max()), 1e-12)
    heights = peaks(counter, scale, max(1, int(scale.width)))
    y = bottom - np.nan_to_num(np.maximum(heights, 0)) / highest * (bottom - top)
    valid = np.flatnonzero(~np.isnan(heights))
    if not len(valid):
        return
    points: list[QPointF] = []
    before = -1.0
    for column in range(int(valid[0]), len(y)):
        if y[column] != before:
            if points:
                points.append(QPointF(scale.left + column, before))
            points.append(QPointF(scale.left + column, float(y[column])))
            before = float(y[column])
    points.append(QPointF(scale.left + len(y), before))
    first, last = points[0], points[-1]
    area = QPolygonF([QPointF(first.x(), bottom), *points, QPointF(last.x(), bottom)])
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(qt_color(palette.tertiary, 0.16))
    painter.drawPolygon(area)
    painter.setPen(QPen(qt_color(palette.tertiary), 1.2))
    painter.drawPolyline(points)
    if not band.folded:
        text = counted(highest, counter.unit)
        painter.setFont(font(11))
        wide = painter.fontMetrics().horizontalAdvance(text)
        # Below the line at its highest, and as far as that goes: none of it looks like a
        # letter.
        box = QRectF(scale.left + scale.width - wide - 6, band.top + _INSET + 2, wide + 6, 14)
        painter.fillRect(box, qt_color(palette.surface, 0.8))
        painter.setPen(qt_color(palette.tertiary))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def peaks(
    counter: Counter, scale: Scale, columns: int
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The highest value that holds in each column; NaN before the first: float64 (W,)."""
    steps = np.linspace(scale.begin_ns, scale.end_ns, columns + 1)
    places = np.searchsorted(counter.times_ns, steps.astype(np.int64), "right") - 1
    highest = np.full(columns, np.nan)
    begin = np.maximum(places[:-1], 0)
    valid = places[1:] >= 0
    stop = np.maximum(places[1:] + 1, begin + 1)
    spans = np.stack((begin, np.minimum(stop, len(counter.values))), axis=1).ravel()
    values = np.append(counter.values, counter.values[-1])
    highest[valid] = np.maximum.reduceat(values, spans)[::2][valid]
    return highest


def within(bands: Sequence[Band], visible: QRect) -> tuple[Band, ...]:
    """Return the bands in a part of the widget."""
    return tuple(b for b in bands if b.bottom >= visible.top() and b.top <= visible.bottom())


def draw_rows(
    painter: QPainter,
    state: TimelineState,
    bands: tuple[Band, ...],
    scale: Scale,
    palette: Palette,
    visible: QRect,
    run_lists: Sequence[Iterations],
    behind: Pixels | None = None,
) -> None:
    """Draw the rows of the bands in a part of the widget.

    behind: what `draw_ground` says of what lies behind them.
    """
    ratio = ratio_of(painter)
    for band in bands:
        if band.counter is not None:
            draw_chart(painter, band, scale, palette)
        elif band.folded:
            # A line for each family of what is folded.
            height = min(_LINE, (band.height - 6) / max(1, len(band.lines)) - _APART)
            whole = len(band.lines) * (height + _APART) - _APART
            top = band.top + (band.height - whole) / 2
            for place, (family, strip) in enumerate(band.lines):
                box = QRectF(scale.left, top + place * (height + _APART), scale.width, height)
                colors = palette.lane(family), palette.surface
                draw_line(painter, strip, box, scale, colors, ratio)
    bars, fills, surface = list[Bar](), list[str](), palette.surface
    for band in bands:
        if some := _drawn(band, visible):
            own = palette.lane(band.family)
            bars += some
            fills += [_faded(own, surface, bar.fade) for bar in some]
    sight = _see(state, bars, fills, scale, ratio)
    draw_bars(painter, state.detail, sight, scale, palette, ratio, behind)
    if state.overlaid is None:
        draw_gaps(painter, bands, scale, palette, run_lists)
    else:  # what lies between medians was never measured
        for bar in bars:
            draw_spread(painter, state.overlaid, bar, scale, palette)


def _drawn(band: Band, visible: QRect) -> Sequence[Bar]:
    """The rows of a band that are drawn, in a part of the widget."""
    top, bottom = visible.top(), visible.bottom()
    if band.folded:
        return ()
    if top <= band.top and band.bottom <= bottom:
        return band.bars
    return [bar for bar in band.bars if bar.top <= bottom and bar.top + bar.height >= top]


def draw_ground(
    painter: QPainter,
    state: TimelineState,
    run_lists: tuple[Iterations, ...],
    bands: tuple[Band, ...],
    scale: Scale,
    height: int,
    palette: Palette,
    visible: QRect,
) -> Pixels | None:
    """Draw the background of the rows: grid, warm-up, moments.

    Returns the line of pixels that lies behind all of them, over and over: uint32 (W,); None
    where there is more than that.
    """
    more = state.overlaid is None and _has_more(state, run_lists, scale)
    line = None
    if is_raster(painter) and bands:
        covered = () if more else [_drawn(band, visible) for band in bands]
        line = _draw_squared(painter, scale, height, covered, palette)
    else:
        painter.fillRect(
            QRectF(0, 0, scale.left + scale.width, height), qt_color(palette.surface)
        )
        draw_grid(painter, scale, height, palette)
    if not more:
        return line
    painter.setClipRect(QRectF(scale.left, 0, scale.width, height))
    draw_warm_up(painter, run_lists, bands, state.detail.trace.tracks, scale, palette)
    draw_moments(painter, state.traced.trace.moments, scale, height, palette)
    painter.setClipping(False)
    return None


def _has_more(state: TimelineState, run_lists: tuple[Iterations, ...], scale: Scale) -> bool:
    """Return whether a warm-up or a moment is in view, or only just not."""
    begin, end = scale.instant(scale.left - _BESIDE), scale.end_ns + _BESIDE * scale.step_ns
    spans = [some for one in run_lists if (some := one.warm_up_ns) is not None]
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
    """Return the vertical gaps between the rows of some bands."""
    stretches, top = list[tuple[int, int]](), 0
    for bars in filter(None, covered):
        stretches.append((top, bars[0].top))
        top = bars[-1].top + bars[-1].height
    return [*stretches, (top, height)]


def draw_measured(
    painter: QPainter, state: TimelineState, scale: Scale, height: int, palette: Palette
) -> None:
    """Draw the stretch that is marked, and where a measurement began."""
    if state.marked is not None:
        draw_mark(painter, state.marked, scale, height, palette)
    if state.anchor is not None:
        painter.setPen(QPen(qt_color(palette.accent), 1, Qt.PenStyle.DashLine))
        x = round(scale.x(state.anchor)) + 0.5
        painter.drawLine(QPointF(x, 0), QPointF(x, height))


def _see(
    state: TimelineState, bars: list[Bar], fills: list[str], scale: Scale, ratio: float
) -> Sight:
    """Return the spans to draw, and among them the matches."""
    hits = state.hits([bar.row for bar in bars])
    return Sight(bars, fills, see_bars(bars, scale, ratio, hits), hits)


@lru_cache(maxsize=64)
def _faded(own: str, surface: str, fade: float) -> str:
    """Return the color of a row, cached since each frame needs it."""
    return palette_module.mix(own, surface, fade)


def draw_arrows(
    painter: QPainter,
    trace: Trace,
    span: int,
    box_of: Callable[[int], QRectF],
    palette: Palette,
) -> None:
    """Draw the arrows that begin or end at a span; of very many the first."""
    flows = trace.flows.of(span) if len(trace.flows) else None
    if flows is None or not len(flows):
        return
    painter.setBrush(Qt.BrushStyle.NoBrush)
    pairs = zip(flows.begin[:_MOST].tolist(), flows.end[:_MOST].tolist(), strict=True)
    for begin, end in pairs:
        source, target = box_of(begin), box_of(end)
        if source.isEmpty() or target.isEmpty():
            continue
        path = curve(source, target)
        for width, tint in ((3.5, palette.surface), (1.4, palette.text)):
            painter.setPen(QPen(qt_color(tint, 0.9), width, c=Qt.PenCapStyle.RoundCap))
            painter.drawPath(path)
        _draw_head(painter, path, palette)


def curve(source: QRectF, target: QRectF) -> QPainterPath:
    """From the edge of a span that faces the other to the begin of the other."""
    down = target.center().y() >= source.center().y()
    is_level = abs(target.center().y() - source.center().y()) < 1
    x = min(max(target.left() + 1, source.left()), source.right())
    begin = QPointF(source.right() if is_level else x, source.center().y())
    if not is_level:
        begin.setY(source.bottom() if down else source.top())
    end = QPointF(target.left() + 2, target.center().y())
    if not is_level:
        end.setY(target.top() if down else target.bottom())
    bend = -14.0 if is_level else (end.y() - begin.y()) * 0.6
    path = QPainterPath(begin)
    if is_level:
        path.cubicTo(begin + QPointF(6, bend), end + QPointF(-6, bend), end)
    else:
        path.cubicTo(begin + QPointF(0, bend), end - QPointF(0, bend), end)
    return path


def _draw_head(painter: QPainter, path: QPainterPath, palette: Palette) -> None:
    """Two short lines at the end of a curve."""
    end, before = path.pointAtPercent(1), path.pointAtPercent(0.94)
    direction = end - before
    length = max((direction.x() ** 2 + direction.y() ** 2) ** 0.5, 1e-6)
    ahead = QPointF(direction.x() / length, direction.y() / length) * _HEAD
    across = QPointF(-ahead.y(), ahead.x()) * 0.7
    painter.setPen(QPen(qt_color(palette.text), 1.4, c=Qt.PenCapStyle.RoundCap))
    for wing in (across, -across):
        painter.drawLine(end, end - ahead + wing)
