"""The time of single tokens as drawings: over the context, and one after the other."""

from collections.abc import Iterator, Sequence

import numpy as np

from inspector import units
from inspector.analysis.language.slow_token import Cause, SlowToken
from inspector.pages.charts.drawing import (
    MARGIN,
    Box,
    Drawing,
    Label,
    Line,
    Shape,
    dot,
    empty,
    head,
    text_width,
)
from inspector.pages.charts.plane import SMALL, Plane, numbers
from inspector.report.language.speed import CurvePoint, GenerationSpeed, SpeedRow
from inspector.wording.values import Count, Duration, DurationRange, Sentence, Share, Value

WIDTH = 720.0  # pixels
_CURVE_TITLE = "Time per token"
_STRIP_TITLE = "Single tokens"
_NO_STEPS = "No token was generated."
# pixels
_LEFT = 64.0
_TOP = 44.0
_CURVE_TALL = 130.0
_STRIP_TALL = 54.0
_FOOT = 34.0
_BAR_GAP = 1.0
_DIAMOND = 4.0  # half of a mark at a jump
_RING = 6.0  # room for the ring and the dot at the last context
_CLEAR = 18.0  # from the band to the foot of the number below it
_EDGE = 16.0  # from the end of the axis: a number in the middle of its tick would be cut
_TICKS = 4  # of the axis of times, at least
_CONTEXT_TICKS = 6
_BAND = 0.25  # opacity of the band from the tenth to the ninetieth percentile
_ABOVE = 1.15  # how far the axis goes above the highest band
_MOST_BARS = 256  # more steps are drawn as the slowest of several
# Medians: the axis of single tokens ends there, and longer bars are cut in another color, so
# that one token that waited does not make all others invisible.
_TALLEST = 4.0
_CAUSES = {
    Cause.CORE: "token {number}: {time}, waited for a CPU core",
    Cause.SPEED: "token {number}: {time}, the CPU ran at {speed} of its speed",
    Cause.UNKNOWN: "token {number}: {time}, cause unknown",
}


def curve_points(speed: GenerationSpeed) -> tuple[CurvePoint, ...]:
    """Return the points of the curve; without one, those of the rows of one sequence."""
    if speed.curve:
        return speed.curve
    rows = [row for row in speed.contexts() if row.batch == 1]
    return tuple(_point(row) for row in sorted(rows, key=lambda row: row.context))


def _point(row: SpeedRow) -> CurvePoint:
    low, middle, high = np.quantile(row.steps, (0.1, 0.5, 0.9)).astype(int).tolist()
    return CurvePoint(row.context, middle, low, high, len(row.steps))


def curve_plot(speed: GenerationSpeed, width: float = WIDTH) -> Drawing:
    """Draw the median time of a step over the context, within p10 to p90, and the headline's
    point as a ring."""
    points = curve_points(speed)
    if not points:
        return empty(_CURVE_TITLE, _NO_STEPS, width)
    high = max(point.high_ns for point in points) * _ABOVE
    least = min(point.low_ns for point in points)
    # The line may begin above zero, where all of it is far from there.
    low = 0.0 if least < high / 2 else float(least) * 0.9
    last = max(1, points[-1].context, points[0].context + 1)
    right = width - MARGIN - _RING
    plane = Plane(_LEFT, _TOP, right, _TOP + _CURVE_TALL, high, low, 0, last)
    upper = [(plane.x(each.context), plane.y(each.high_ns)) for each in points]
    lower = [(plane.x(each.context), plane.y(each.low_ns)) for each in points]
    middle = tuple((plane.x(each.context), plane.y(each.median_ns)) for each in points)
    band = (*upper, *reversed(lower), upper[0])
    shapes = (
        *head(_CURVE_TITLE, width, "by context; line: median, band: p10 to p90"),
        *plane.grid(units.axis(low, high, _TICKS)),
        Line(band, "cpu", 0.5, opacity=_BAND, fill=_BAND),
        Line(middle, "cpu", 1.8),
        *(dot(*place, 3.0, "cpu", title=_said(each))
          for place, each in zip(middle, points, strict=True)),
        *_jumps(speed, plane),
        *_ring(speed, plane, (*upper, *lower)),
        *_contexts(plane, last),
    )  # fmt: skip
    return Drawing(_CURVE_TITLE, width, plane.bottom + _FOOT, shapes)


def _said(point: CurvePoint) -> Value:
    return Sentence(
        "Context {context}: median {time}, p10 to p90 {range}, {steps}",
        context=Count(point.context),
        time=Duration(point.median_ns),
        range=DurationRange(point.low_ns, point.high_ns),
        steps=Count(point.steps, "token"),
    )


def _ring(
    speed: GenerationSpeed, plane: Plane, band: Sequence[tuple[float, float]]
) -> Iterator[Shape]:
    """Yield the headline's point and its number, below the band or above it.

    band: points of both of its edges.
    """
    row = speed.decode
    if row is None:
        return
    median_ns = row.median_step_ns or 0.0
    x, y = plane.x(row.context), plane.y(median_ns)
    yield dot(x, y, 4.5, "surface", edge="accent")
    text = Sentence("{time} at {context}", Duration(median_ns), Count(row.context))
    anchor = "end" if x > (plane.left + plane.right) / 2 else "start"
    wide = text_width(text, SMALL, bold=True)
    left = x - wide if anchor == "end" else x
    near = [at for place, at in band if left - _RING <= place <= left + wide + _RING]
    below = max(near, default=y) + _CLEAR
    free = below < plane.bottom - _RING
    place = below if free else min(near, default=y) - _RING
    yield Label(x, place, text, "accent", SMALL, bold=True, anchor=anchor)


def _jumps(speed: GenerationSpeed, plane: Plane) -> Iterator[Shape]:
    """Yield a dashed line at each jump, and a diamond on it before and after it."""
    for jump in speed.jumps:
        x = plane.x(jump.context)
        change = Duration(abs(jump.after_ns - jump.before_ns))
        template = (
            "+{change} at {context}"
            if jump.after_ns > jump.before_ns
            else ("\N{MINUS SIGN}{change} at {context}")
        )
        text = Sentence(template, change=change, context=Count(jump.context))
        yield Line(((x, plane.top), (x, plane.bottom)), "caution", 1.2, dashed=True)
        for time in (jump.before_ns, jump.after_ns):
            y = plane.y(time)
            points = (
                (x - _DIAMOND, y),
                (x, y - _DIAMOND),
                (x + _DIAMOND, y),
                (x, y + _DIAMOND),
            )
            yield Line((*points, points[0]), "caution", 1.0, fill=1.0)
        left = x > (plane.left + plane.right) / 2
        at = x - 6 if left else x + 6
        yield Label(
            at, plane.top - 5, text, "caution", SMALL, anchor="end" if left else "start"
        )


def _contexts(plane: Plane, last: int) -> Iterator[Shape]:
    for value, text in numbers(0, last, _CONTEXT_TICKS):
        x = plane.x(value)
        anchor = "end" if x > plane.right - _EDGE else "middle"
        yield Label(x, plane.bottom + 16, text, "tertiary", SMALL, anchor=anchor)


def strip_plot(row: SpeedRow, width: float = WIDTH, slow: SlowToken | None = None) -> Drawing:
    """Draw a bar for each token of the last repetition, the first step hollow before them. Bars
    of tokens that took much longer than most are cut. slow: the slowest one, where it stands
    out."""
    if not row.step_ns or not row.step_ns[-1]:
        return empty(_STRIP_TITLE, _NO_STEPS, width)
    steps, place = _bars(row.step_ns[-1])
    first = row.first_step_ns[-1] if row.first_step_ns else 0
    high = min(float(max((*steps, first))), _TALLEST * float(np.median(steps))) * 1.02
    plane = Plane(_LEFT, _TOP, width - MARGIN, _TOP + _STRIP_TALL, high)
    count = len(steps) + bool(first)
    each = (plane.right - plane.left) / count
    note = Sentence(
        "{steps} after {context}; last of {runs}",
        steps=Count(len(row.step_ns[-1]), "token"),
        context=Count(row.context),
        runs=Count(len(row.step_ns), "run"),
    )
    shapes: list[Shape] = [*head(_STRIP_TITLE, width, note)]
    if first:
        shapes += _bar(plane, 0, each, first, "surface", "cpu")
        text = Sentence("first step {time}", Duration(first))
        shapes.append(Label(plane.left, plane.top - 5, text, "secondary", SMALL))
    for number, ns in enumerate(steps):
        shapes += _bar(plane, number + bool(first), each, ns, "cpu", "", number * place + 1)
    if slow is not None:
        shapes.append(_slowest(plane, slow, each, slow.place // place + bool(first)))
    shapes.append(plane.level(0, "border"))
    return Drawing(_STRIP_TITLE, width, plane.bottom + 14, tuple(shapes))


def _bars(steps: Sequence[int]) -> tuple[tuple[int, ...], int]:
    """Return the slowest step of each stretch, and how many steps a stretch has."""
    stretch = -(-len(steps) // _MOST_BARS)
    return tuple(max(steps[i : i + stretch]) for i in range(0, len(steps), stretch)), stretch


def _bar(
    plane: Plane, place: int, each: float, ns: int, fill: str, edge: str, number: int = 0
) -> Iterator[Shape]:
    cut = ns > plane.high
    x, y = plane.left + place * each, plane.y(min(ns, plane.high))
    wide = max(0.5, each - _BAR_GAP)
    name: Value = "First step" if not number else Sentence("Token {number}", Count(number))
    title = Sentence("{name}: {time}", name, Duration(ns))
    tall = plane.bottom - y
    tone = "caution" if cut and not edge else fill
    yield Box(x, y, wide, tall, tone, 1.0, title, edge=edge, edge_width=1.0, key=str(number))


def _slowest(plane: Plane, slow: SlowToken, each: float, place: int) -> Label:
    """Return the time of the slowest token, and its cause. place: of its bar."""
    values: dict[str, Value] = {
        "number": Count(slow.place + 1), "time": Duration(slow.time_ns),
        "speed": Share(slow.speed),
    }  # fmt: skip
    x = plane.left + (place + 0.5) * each
    anchor = "end" if x > (plane.left + plane.right) / 2 else "start"
    text = Sentence(_CAUSES[slow.cause], **values)
    return Label(x, plane.top - 5, text, "caution", SMALL, anchor=anchor)
