"""The timeline of a trace as one SVG picture: a row for each track and depth.

Spans of a pixel or more are boxes; where there are narrower ones, the row is as dense as they
cover it. Every text and colour is in the file.
"""

from collections.abc import Iterator
from itertools import pairwise
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

import numpy as np
from numpy.typing import NDArray

from inspector import look, units
from inspector.detail import Detail, Row, detail, edges, extent
from inspector.trace import KINDS, Kind, Trace

WIDTH, _LEFT, _ROW, _GAP, _TOP, _MOST_ROWS = 1200, 180, 18, 10, 28, 200
_COLUMNS = WIDTH - _LEFT - 12
_PALETTE = look.LIGHT
_LETTER_PX, _LEAST_LABEL = 6.2, 4
_HATCHED = {KINDS.index(kind) for kind in (Kind.COPY, Kind.LAYOUT)}


def timeline_svg(trace: Trace, stretch_ns: tuple[float, float] | None = None) -> bytes:
    """Draw a stretch of a trace, by default all of it; at most 200 rows."""
    begin, end = stretch_ns or extent(trace)
    looked_at = detail(trace)
    rows = looked_at.rows[:_MOST_ROWS]
    turns = sum(one.track != following.track for one, following in pairwise(rows))
    tall = _TOP + len(rows) * _ROW + turns * _GAP + 16
    root = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {WIDTH} {tall}",
            "width": str(WIDTH),
            "height": str(tall),
            "font-family": "Inter, Helvetica, Arial, sans-serif",
            "font-size": "11",
        },
    )
    SubElement(root, "title").text = "Timeline"
    _rect(root, 0, 0, WIDTH, tall, _PALETTE.surface)
    _axis(root, begin, end, tall)
    top = float(_TOP)
    for before, row in zip((None, *rows), rows, strict=False):
        if before is None or before.track != row.track:
            top += _GAP if before is not None else 0
            name = units.clip(trace.tracks[row.track].name, 26)
            _text(root, 12, top + 13, name, _PALETTE.text)
        _row(root, looked_at, row, top, begin, end)
        top += _ROW
    body: bytes = ElementTree.tostring(root, "utf-8", xml_declaration=True)
    return body + b"\n"


def _axis(root: Element, begin: float, end: float, tall: float) -> None:
    for place, words in units.axis(begin, end, 8):
        x = _x(place, begin, end)
        _rect(root, x, _TOP - 8, 1, tall - _TOP, _PALETTE.grid)
        if x + 3 + len(words) * _LETTER_PX < WIDTH:
            _text(root, x + 3, 14, words, _PALETTE.tertiary)


def _row(
    root: Element, looked_at: Detail, row: Row, top: float, begin: float, end: float
) -> None:
    trace = looked_at.trace
    fill = _PALETTE.lane(trace.tracks[row.track].family)
    wide = row.wide(begin, end, (end - begin) / _COLUMNS)
    for left, width, share in _crowds(row, wide, begin, end):
        _rect(root, left, top, width, _ROW - 3, fill, f"{max(0.15, share):.2f}")
    for place in wide.tolist():
        span = trace.span(place)
        left = max(_LEFT, _x(span.start_ns, begin, end))
        right = min(WIDTH - 12, _x(span.start_ns + span.duration_ns, begin, end))
        shown = "0.55" if int(trace.kind[place]) in _HATCHED else "1"
        box = _rect(root, left, top, max(1.0, right - left - 0.5), _ROW - 3, fill, shown)
        took = units.duration(span.duration_ns)
        SubElement(box, "title").text = f"{units.clip(span.name, 120)}, {took}"
        letters = int((right - left - 8) / _LETTER_PX)
        if letters >= _LEAST_LABEL:
            words = units.clip(units.scope_and_name(span.name)[1] or span.name, letters)
            _text(root, left + 4, top + 11.5, words, look.on_top(fill))


def _crowds(
    row: Row, wide: NDArray[np.int64], begin: float, end: float
) -> Iterator[tuple[float, float, float]]:
    """Left, width and density of the stretches where there are only narrow spans."""
    columns = edges(begin, end, _COLUMNS)
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
    for first, last in pairwise((*turns.tolist(), _COLUMNS)):
        if levels[first] > 0:
            yield _LEFT + first, last - first, float(levels[first])


def _x(place: float, begin: float, end: float) -> float:
    return _LEFT + (place - begin) / (end - begin) * _COLUMNS


def _rect(
    root: Element, x: float, y: float, width: float, height: float, fill: str, shown: str = "1"
) -> Element:
    told = {"x": f"{x:.2f}", "y": f"{y:g}", "width": f"{width:.2f}", "height": f"{height:g}"}
    more = {} if shown == "1" else {"fill-opacity": shown}
    return SubElement(root, "rect", told | {"fill": fill} | more)


def _text(root: Element, x: float, y: float, words: str, fill: str) -> None:
    SubElement(root, "text", {"x": f"{x:.2f}", "y": f"{y:g}", "fill": fill}).text = words
