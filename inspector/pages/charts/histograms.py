"""Samples and values of tensors as the bars of a histogram."""

from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct

from inspector.model.tensors.tensor_statistics import Histogram
from inspector.pages.charts.drawing import MARGIN, Box, Drawing, Label, Line, Shape, text_width
from inspector.pages.charts.plane import Plane
from inspector.wording.values import Count, Duration, DurationRange, Real, Sentence, Value

BINS = 15
_OUTLIER = 3.0  # quartile distances over the upper quartile
_FAINT = 0.4  # opacity of small bars but that of the median
# height of the bars of a tensor's values; width of one
_VALUES_PX = 78.0
_WIDEST_PX = 28.0


class Bar(Struct, frozen=True):
    """A bar of a histogram: share of the tallest, and whether the median is in it."""

    height: float
    median: bool
    title: str


def histogram(samples_ns: Sequence[int], median_ns: float | None = None) -> tuple[Bar, ...]:
    """Return a histogram of BINS bars in nanoseconds; the last bar includes all outliers.

    median_ns: whose bar stands out; None for that of these samples.
    """
    if not samples_ns:
        return ()
    values, low, high = np.asarray(samples_ns, np.float64), min(samples_ns), reach(samples_ns)
    if high <= low:
        return (
            Bar(1.0, True, Sentence("{count} at {time}", Count(len(values)), Duration(low))),
        )
    counts, edges = np.histogram(np.minimum(values, high), BINS, (low, high))
    median = float(np.median(values)) if median_ns is None else median_ns
    middle = min(max(0, int((median - low) / (high - low) * BINS)), BINS - 1)
    ends = [*edges[1:-1], float(values.max())]
    return tuple(
        Bar(
            float(count / counts.max()), i == middle,
            Sentence(
                "{range}: {count}",
                DurationRange(float(edges[i]), float(ends[i])),
                Count(int(count)),
            ),
        )
        for i, count in enumerate(counts)
    )  # fmt: skip


def reach(samples_ns: Sequence[int]) -> float:
    """Return where the last bar of a histogram ends, were nothing far out: nanoseconds."""
    quarter, three = np.quantile(samples_ns, (0.25, 0.75)).tolist()
    return float(min(max(samples_ns), three + _OUTLIER * (three - quarter)))


def columns(plane: Plane, bars: Sequence[Bar], titled: bool = True) -> Iterator[Shape]:
    """Yield the bars side by side on the ground of a plane; that of the median stands out."""
    wide = (plane.right - plane.left) / max(1, len(bars))
    for place, bar in enumerate(bars):
        y = plane.y(bar.height)
        tint = "activity" if bar.median else "selection" if titled else "accent"
        opacity = 1.0 if titled or bar.median else _FAINT
        box = (plane.left + place * wide, y, max(1.0, wide - 1.5), plane.bottom - y)
        yield Box(*box, tint, opacity, bar.title if titled else "", 1)
    yield plane.level(0, "border")


def small_histogram(bars: Sequence[Bar], width: float, height: float) -> Drawing:
    """Draw bars alone, in a corner of a card."""
    plane = Plane(MARGIN, 10, width - MARGIN, 8 + height, 1.0)
    return Drawing("", width, 9 + height, tuple(columns(plane, bars, titled=False)))


def value_histogram(shown: Histogram, width: float) -> Drawing:
    """Draw the values of a tensor; the bars around zero are where they belong on the axis."""
    pitch = min(_WIDEST_PX, (width - 2 * MARGIN) / len(shown.counts))
    right = MARGIN + pitch * len(shown.counts)
    plane = Plane(MARGIN, 8, right, 8 + _VALUES_PX, max(shown.counts), 0, shown.low, shown.high)
    shapes: list[Shape] = []
    for place, number in enumerate(shown.counts):
        begin = shown.low + place * shown.width
        values: dict[str, Value] = {
            "count": Count(number, "value"), "begin": Real(begin, 5),
            "end": Real(begin + shown.width, 5),
        }  # fmt: skip
        title = Sentence("{count} from {begin} to {end}", **values)
        left, tall = plane.x(begin), plane.bottom - plane.y(number)
        shapes.append(Box(left, plane.top, pitch, _VALUES_PX, "surface", 0.0, title))
        if number:
            tall = max(1.5, tall)
            apart = 1.0 if pitch > 3 else 0.0
            shapes.append(Box(left, plane.bottom - tall, pitch - apart, tall, "accent"))
    ground = ((MARGIN, plane.bottom), (width - MARGIN, plane.bottom))
    low, high = Real(shown.low), Real(shown.high)
    end = max(right, MARGIN + text_width(low) + text_width(high) + 12)
    y, zero = plane.bottom + 15, plane.x(0.0)
    shapes += [
        Line(ground, "border"),
        Label(MARGIN, y, low, "tertiary"),
        Label(end, y, high, "tertiary", anchor="end"),
    ]
    if MARGIN + text_width(low) + 8 < zero < end - text_width(high) - 8:
        shapes.append(Label(zero, y, "0", "tertiary", anchor="middle"))
        shapes.append(Line(((zero, plane.bottom), (zero, plane.bottom + 4)), "tertiary"))
    return Drawing("Value distribution", width, y + 5, tuple(shapes))


def value_text(shown: Histogram) -> Value:
    """Return a histogram of values in a sentence, for those who cannot see it."""
    most = max(range(len(shown.counts)), key=shown.counts.__getitem__)
    begin = shown.low + most * shown.width
    numbers = (shown.low, shown.high, begin, begin + shown.width)
    names = ("low", "high", "begin", "end")
    values: dict[str, Value] = {"bars": Count(len(shown.counts), "bar")}
    values |= {name: Real(number) for name, number in zip(names, numbers, strict=True)}
    template = "{bars} from {low} to {high}; the highest from {begin} to {end}"
    return Sentence(template, **values)


def sparkline(samples: Sequence[float], width: float, tint: str, height: float) -> Drawing:
    """Draw samples from left to right over a shade; the axis does not start at zero."""
    low, high = min(samples) * 0.96, max(samples)
    plane = Plane(
        MARGIN, 12, width - MARGIN, 4 + height, max(high, low + 1), low, 0, len(samples) - 1
    )
    points = tuple((plane.x(place), plane.y(value)) for place, value in enumerate(samples))
    corners = ((plane.right, 8 + height), (plane.left, 8 + height))
    shapes = Line((*points, *corners), tint, 0.0, fill=0.12), Line(points, tint, 1.4)
    return Drawing("", width, 8 + height, shapes)
