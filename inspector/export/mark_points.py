"""Marks of layers as points: the shapes of `look.MARKERS` with their curves as short lines."""

from functools import cache
from itertools import pairwise

from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.svgLib.path import parse_path

from inspector.export.drawing import Point
from inspector.look import MARKERS, Stroke
from inspector.marking import Mark

_PIECES = 10  # of a curve; a mark is as small as a letter


@cache
def strokes_of(mark: Mark) -> tuple[tuple[Stroke, tuple[tuple[Point, ...], ...]], ...]:
    """Each stroke of a mark with its lines, in the box of the marks."""
    return tuple((stroke, _lines(stroke.path)) for stroke in MARKERS[mark])


def _lines(path: str) -> tuple[tuple[Point, ...], ...]:
    pen = DecomposingRecordingPen({})
    parse_path(path, pen)
    lines: list[list[Point]] = []
    for what, points in pen.value:
        if what == "moveTo":
            lines.append([points[0]])
        elif what == "closePath":
            lines[-1].append(lines[-1][0])
        elif what == "lineTo":
            lines[-1].append(points[0])
        elif what in ("curveTo", "qCurveTo"):
            lines[-1] += _curve((lines[-1][-1], *points))
    return tuple(tuple(line) for line in lines)


def _curve(points: tuple[Point, ...]) -> list[Point]:
    """Points on a Bézier curve of any degree, by de Casteljau."""
    found = []
    for piece in range(1, _PIECES + 1):
        share, level = piece / _PIECES, list(points)
        while len(level) > 1:
            pairs = pairwise(level)
            level = [(a + (c - a) * share, b + (d - b) * share) for (a, b), (c, d) in pairs]
        found.append(level[0])
    return found
