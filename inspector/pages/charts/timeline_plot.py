"""The timeline of a trace as a drawing: a row for each track and depth.

Spans of a pixel or more are boxes; where there are narrower ones, the row is as dense as they
cover it.
"""

from collections.abc import Iterator
from itertools import islice, pairwise

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector import units
from inspector.model.display_names import endings
from inspector.pages.charts import palette
from inspector.pages.charts.drawing import Box, Drawing, Label, Line, Shape, color
from inspector.pages.charts.palette import role
from inspector.trace.intervals import edges
from inspector.trace.trace import KINDS, Kind, Trace
from inspector.trace.trace_rows import LevelOfDetail, Row, build_level_of_detail, extent
from inspector.wording.values import Name, Sentence

WIDTH = 1200
_LEFT = 180
_MARGIN = 12
_ROW = 18
_GAP = 10
_TOP = 28
_MOST_ROWS = 200
# Width of a letter in pixels, and the letters that a label needs at least.
_LETTER_PX = 6.2
_LEAST_LABEL = 4
_HATCHED = {KINDS.index(kind) for kind in (Kind.COPY, Kind.LAYOUT)}
_OURS = "Activity", "Data"  # tracks that every report has; others are named by devices
_PARTITION = KINDS.index(Kind.PARTITION)


class _Window(Struct, frozen=True):
    """A time range, drawn in columns of a pixel each."""

    begin: float
    end: float
    columns: int

    def x(self, instant: float) -> float:
        return _LEFT + (instant - self.begin) / (self.end - self.begin) * self.columns

    @property
    def right(self) -> int:
        return _LEFT + self.columns


def timeline_plot(
    trace: Trace,
    stretch_ns: tuple[float, float] | None = None,
    title: str = "Timeline",
    zero_ns: float = 0,
    width: int = WIDTH,
) -> Drawing:
    """Draw a stretch of a trace, by default all of it; at most 200 rows.

    zero_ns: where the time axis counts from.
    """
    begin, end = stretch_ns or extent(trace)
    window = _Window(begin, end, width - _LEFT - _MARGIN)
    looked_at = build_level_of_detail(trace)
    shown = (row for row in looked_at.rows if not row.depth or row.strip.count(begin, end))
    rows = tuple(islice(shown, _MOST_ROWS))
    track_changes = sum(one.track != following.track for one, following in pairwise(rows))
    tall = _TOP + len(rows) * _ROW + track_changes * _GAP + 16
    shapes: list[Shape] = [*_axis(window, zero_ns, tall)]
    top = float(_TOP)
    for before, row in zip((None, *rows), rows, strict=False):
        if before is None or before.track != row.track:
            top += _GAP if before is not None else 0
            name = trace.tracks[row.track].name
            text = Sentence(name) if name in _OURS else Name(units.clip(name, 26))
            shapes.append(Label(12, top + 13, text))
        shapes += _row(looked_at, row, top, window)
        top += _ROW
    return Drawing(title, width, tall, tuple(shapes))


def _axis(window: _Window, zero_ns: float, tall: float) -> Iterator[Shape]:
    tick_count = max(3, window.columns // 125)
    for place, label in units.axis(window.begin - zero_ns, window.end - zero_ns, tick_count):
        x = window.x(place + zero_ns)
        yield Line(((x, _TOP - 8), (x, tall - 8)), "grid")
        if x + 3 + len(label) * _LETTER_PX < window.right + _MARGIN:
            yield Label(x + 3, 14, label, "tertiary")


def _row(looked_at: LevelOfDetail, row: Row, top: float, window: _Window) -> Iterator[Shape]:
    trace, least = looked_at.trace, (window.end - window.begin) / window.columns
    family = trace.tracks[row.track].family
    fill = role(family)
    wide = row.wide(window.begin, window.end, least)
    for left, width, share in _crowds(row, wide, window):
        yield Box(left, top, width, _ROW - 3, fill, max(0.4, share))
    for place in wide.tolist():
        yield from _span(trace, place, fill, top, window)


def _span(trace: Trace, place: int, fill: str, top: float, window: _Window) -> Iterator[Shape]:
    span, kind = trace.span(place), int(trace.kind[place])
    left = max(_LEFT, window.x(span.start_ns))
    right = min(window.right, window.x(span.start_ns + span.duration_ns))
    shown = 0.55 if kind in _HATCHED else 0.38 if kind == _PARTITION else 1.0
    width = max(1.0, right - left - 0.5)
    took = f"{units.clip(span.name, 120)}, {units.duration(span.duration_ns)}"
    yield Box(left, top, width, _ROW - 3, fill, shown, took)
    if kind in _HATCHED:
        tall = _ROW - 3
        for start in np.arange(left - tall + 4, left + width, 6).tolist():
            # From bottom left to top right, cut at the sides of the box.
            low, high = max(start, left), min(start + tall, left + width)
            if high > low:
                ends = ((low, top + tall - (low - start)), (high, top + tall - (high - start)))
                yield Line(ends, "surface", 1.2, opacity=0.8)
    letters = int((right - left - 8) / _LETTER_PX)
    if letters >= _LEAST_LABEL:
        name = units.scope_and_name(units.clip(span.name, 120))[1] or span.name
        label = next((each for each in endings(name) if len(each) <= letters), "")
        ground = palette.mix(palette.LIGHT.surface, color(fill), shown)
        if label:
            yield Label(left + 4, top + 11.5, label, palette.on_top(ground))


def _crowds(
    row: Row, wide: NDArray[np.int64], window: _Window
) -> Iterator[tuple[float, float, float]]:
    """Left, width and density of the stretches where there are only narrow spans."""
    columns = edges(window.begin, window.end, window.columns)
    shares = row.strip.coverage(columns)
    start = row.strip.start_ns[wide - row.first]
    stop = start + row.strip.duration_ns[wide - row.first]
    # A column that a wide span reaches into shows that one.
    for first, last in zip(
        np.searchsorted(columns, start, "right") - 1,
        np.searchsorted(columns, stop),
        strict=True,
    ):
        shares[max(0, first) : last] = 0
    levels = np.ceil(shares * 8) / 8
    turns = np.flatnonzero(np.diff(levels, prepend=-1.0))
    for first, last in pairwise((*turns.tolist(), window.columns)):
        if levels[first] > 0:
            yield _LEFT + first, last - first, float(levels[first])
