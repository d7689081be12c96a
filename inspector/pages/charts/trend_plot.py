"""The reports of a series from the oldest to the newest, with what changed for good."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from statistics import geometric_mean

from msgspec import Struct

from inspector import units
from inspector.analysis.measured.history import PastReport
from inspector.analysis.measured.tuning_results import in_time
from inspector.pages.charts.drawing import (
    MARGIN,
    Drawing,
    Label,
    Line,
    Shape,
    dot,
    empty,
    head,
    text_width,
)
from inspector.pages.charts.plane import Plane, Ticks, sizes
from inspector.statistics.change_points import ChangePoint
from inspector.wording.values import (
    Duration,
    DurationRange,
    Joined,
    Name,
    Sentence,
    Size,
    Value,
)

_LEFT = 72.0
_TOP = 56.0
_TALL = 150.0
_FOOT = 28.0
_MOST_DOTS = 200  # of more reports, dots are small and have no intervals
_TICKS = 4


class Quantity(Struct, frozen=True):
    """What a trend is of. field: of PastReport, 0 where unknown. change: text of a ratio."""

    field: str
    title: str
    text: Callable[[float], str]
    change: Callable[[float], str]
    ticks: Callable[[float, float, int], Ticks] = sizes


def _time_change(ratio: float) -> str:
    return in_time(units.time_change(ratio))


QUANTITIES = (
    Quantity("p50_ns", "Latency p50", units.duration, _time_change, units.axis),
    Quantity("memory_bytes", "Peak process memory", units.size, units.change),
    Quantity("model_bytes", "File size", units.size, units.change),
)


def trend_plot(
    series: Sequence[PastReport],
    changes: Sequence[ChangePoint],
    width: float,
    quantity: Quantity = QUANTITIES[0],
) -> Drawing:
    """Draw a point for each report, with its interval, and lines where the level changed.

    The key of a report is its place in the series.
    """
    values = [float(getattr(each, quantity.field)) for each in series]
    known = [value for value in values if value > 0]
    if not known:
        return empty(quantity.title, Sentence("Unknown"), width)
    timed = quantity.field == "p50_ns" and len(series) <= _MOST_DOTS
    ends = [(each.low_ns, each.high_ns) if timed else (0, 0) for each in series]
    low = min(*known, *(low for low, _ in ends if low), known[0])
    high = max(*known, *(high for _, high in ends), known[0])
    room = max(0.12 * (high - low), 0.02 * high)
    plane = Plane(
        _LEFT, _TOP, width - MARGIN, _TOP + _TALL, high + room, max(0.0, low - room),
        -0.5, len(series) - 0.5,
    )  # fmt: skip
    changed = {change.at: quantity.change(change.ratio) for change in changes}
    titles = [_said(each, changed.get(place, "")) for place, each in enumerate(series)]
    shapes: list[Shape] = [
        *head(quantity.title, width),
        *plane.columns(titles, list(map(str, range(len(series))))),
        *plane.grid(quantity.ticks(plane.low, plane.high, _TICKS)),
        *_levels(plane, values, changes, quantity),
    ]
    radius = 3.2 if len(series) <= _MOST_DOTS else 1.4
    for place, (one, (low, high)) in enumerate(zip(series, ends, strict=True)):
        x = plane.x(place)
        if high:
            line = ((x, plane.y(low)), (x, plane.y(high)))
            shapes.append(Line(line, "activity", 1.4, opacity=0.45))
        if values[place]:
            tint = "caution" if one.tags else "activity"
            shapes.append(dot(x, plane.y(values[place]), radius, tint))
    first, last = series[0].day, series[-1].day
    if first == last:  # then the time of day tells more
        first, last = series[0].moment, series[-1].moment
    shapes += plane.foot(first, last if len(series) > 1 else "")
    return Drawing(quantity.title, width, plane.bottom + _FOOT, tuple(shapes))


def _levels(
    plane: Plane, values: Sequence[float], changes: Sequence[ChangePoint], quantity: Quantity
) -> Iterator[Shape]:
    """Yield each level, and what changed above the line between two.

    A level is a geometric mean: the changes are ratios of those.
    """
    ends = [0, *(change.at for change in changes), changes[-1].end] if changes else []
    for begin, end in pairwise(ends):
        if level := [value for value in values[begin:end] if value > 0]:
            y = plane.y(geometric_mean(level))
            yield Line(((plane.x(begin - 0.5), y), (plane.x(end - 0.5), y)), "accent", 1.6)
    free = plane.left
    for change in changes:
        tint, x = "bad" if change.slower else "good", plane.x(change.at - 0.5)
        yield Line(((x, plane.top - 4), (x, plane.bottom)), tint, 1.2, dashed=True)
        text = quantity.change(change.ratio)
        wide = text_width(text, bold=True)
        left = min(max(x - wide / 2, plane.left), plane.right - wide)
        if left >= free:
            yield Label(left, plane.top - 8, text, tint, bold=True)
            free = left + wide + 10


def _said(report: PastReport, change: str) -> Value:
    """Return what is known of a report, each fact in a line.

    change: of the level that begins with it, such as "12% more time".
    """
    latency: Value = Duration(report.p50_ns)
    if report.high_ns:
        interval = DurationRange(round(report.low_ns), round(report.high_ns))
        latency = Sentence("{median} ({interval})", latency, interval)
    memory = Sentence("Peak process memory: {size}", Size(report.memory_bytes))
    tags = units.clip(" ".join((*(f"#{tag}" for tag in report.tags), report.note)), 60)
    facts: tuple[Value, ...] = (
        Joined((Name(report.moment), latency)),
        Sentence("{change} than before", change) if change else "",
        memory if report.memory_bytes else "",
        Sentence("File size: {size}", Size(report.model_bytes)),
        Name(tags) if tags else "",
        Name(units.clip(report.path.name, 60)),
    )
    return Joined(tuple(filter(None, facts)), "\n")
