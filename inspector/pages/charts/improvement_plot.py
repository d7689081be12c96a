"""Candidates of a search as a drawing: accuracy vs. latency or size, the file size as area.

The key of a point is the place of its candidate; the window takes it by a click.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from statistics import median

from msgspec import Struct

from inspector import units
from inspector.pages.charts.drawing import (
    BOLD_LETTER,
    LEGEND_ROW,
    Box,
    Drawing,
    Label,
    Line,
    Rectangle,
    Shape,
    dot,
    names_at,
    text_width,
)
from inspector.pages.charts.plane import Plane, numbers
from inspector.report.improvement import (
    LATENCY,
    LOWER_IS_BETTER,
    MIN_INPUTS,
    OVER,
    SIZE,
    WITHIN,
    Accuracy,
    Candidate,
    Improvement,
    value_text,
)

WIDTH = 860.0
_HEIGHT = 380.0
_LEFT = 80.0
_SIDE = 24.0
_BESIDE = 6.0  # right of the plot, where the last number of an axis may reach
_TOP = 44.0
_BOTTOM = 72.0
# radius of a file of no size, and of the largest
_SMALLEST_PX = 4.0
_LARGEST_PX = 13.0
_LABEL_PX = 13.0  # height
_ROOM = 0.12  # around the points, as a share of their range
_LEAST_RANGE = 0.02  # of accuracy and of the other axis, so that noise does not fill the plot
_FAR = 3.0  # times the larger of original and median candidate: named at the edge instead
_TICKS = 5
_MOST_ACCURACY = 1.0001  # all measures of a verdict are shares
_COLUMN_PX = 330.0  # of names below the plot, the least
_NUMBER_PX = 22.0  # before a name
_TINTS = {WITHIN: "good", OVER: "bad"}
ORIGINAL = "original"


class PlotPoint(Struct, frozen=True):
    """A candidate in the plot.

    x: latency or size, 1 is the original's; y: the accuracy, low and high: its 95% interval,
    None for one input. candidate: None for the original. over: not within the limit.
    """

    name: str
    x: float
    y: float
    size_bytes: int
    candidate: Candidate | None = None
    low: float | None = None
    high: float | None = None
    over: bool = False


class Plot(Struct, frozen=True):
    """The points of an improvement, and the ranges of both axes.

    far: points that are too far to the right, named at the edge. goal: LATENCY or SIZE, what
    the x axis shows. limit: the lowest accuracy that is within the limit, or the highest value
    of a measure that is better when lower. measure: of the y axis.
    """

    points: tuple[PlotPoint, ...] = ()
    far: tuple[PlotPoint, ...] = ()
    goal: str = LATENCY
    limit: float | None = None
    measure: Accuracy | None = None
    x_range: tuple[float, float] = (0.5, 1.0)
    y_range: tuple[float, float] = (0.0, 1.0)

    @property
    def sign(self) -> int:
        """Return 1 where more of the measure is better, else -1."""
        lower = self.measure is not None and self.measure.id in LOWER_IS_BETTER
        return -1 if lower else 1

    @property
    def front(self) -> tuple[PlotPoint, ...]:
        """Return the points that no other one beats in both, by latency or size."""
        best: list[PlotPoint] = []
        for point in sorted(self.points, key=lambda each: (each.x, -self.sign * each.y)):
            if not best or self.sign * point.y > self.sign * best[-1].y:
                best.append(point)
        return tuple(best)

    def text(self, y: float) -> str:
        """Return an accuracy as people read it."""
        return value_text(self.measure, y) if self.measure is not None else f"{y:.3g}"


def plot(improvement: Improvement, goal: str = "") -> Plot:
    """Return the original and all candidates that have an accuracy, as points.

    goal: LATENCY or SIZE, by default that of the search. Without any latency, it is SIZE.
    """
    usable = [
        (each, measure)
        for each in improvement.candidates
        if not each.problem and (measure := each.measure(improvement.main)) is not None
    ]
    if not usable:
        return Plot(goal=goal or improvement.goal)
    goal = goal or improvement.goal
    if all(_change(each) is None for each, _ in usable):
        goal = SIZE
    original = improvement.original
    own = original.measure(improvement.main)
    before = next((m.original for _, m in usable if m.original is not None), None)
    base = own.value if own is not None else 1.0 if before is None else before
    every = [PlotPoint(ORIGINAL, 1.0, base, original.size_bytes)]
    for candidate, measure in usable:
        change = _change(candidate)
        x = candidate.size_bytes / max(1, original.size_bytes)
        if goal != SIZE:
            if change is None:
                continue
            x = 1 + change
        low, high = _interval(measure)
        over = improvement.verdict(candidate) == OVER
        every.append(
            PlotPoint(
                candidate.name, x, measure.value, candidate.size_bytes,
                candidate, low, high, over,
            )
        )  # fmt: skip
    farthest = _FAR * max(1.0, median(point.x for point in every))
    points = tuple(point for point in every if point.x <= farthest)
    limit = None
    if improvement.limit is not None and all(m.count >= MIN_INPUTS for _, m in usable):
        limit = base - improvement.limit
        if usable[0][1].id in LOWER_IS_BETTER:  # which may rise by a share
            limit = base * (1 + improvement.limit)
    heights = [each for p in points for each in (p.y, p.low, p.high) if each is not None]
    return Plot(
        points,
        tuple(point for point in every if point.x > farthest),
        goal,
        limit,
        usable[0][1],
        _range([point.x for point in points]),
        _range([*heights, *([limit] if limit is not None else [])]),
    )


def _change(candidate: Candidate) -> float | None:
    return None if candidate.latency is None else candidate.latency.known_change


def _interval(measure: Accuracy) -> tuple[float | None, float | None]:
    """Return both ends of the 95% interval of an accuracy; None for those of one input."""
    if measure.low is None or measure.high is None or measure.count == 1:
        return None, None
    base = measure.value - (measure.change or 0.0)
    most = float("inf") if measure.id in LOWER_IS_BETTER else 1.0
    return max(0.0, base + measure.low), min(most, base + measure.high)


def _range(values: Sequence[float]) -> tuple[float, float]:
    """Return a range that holds all values, with room around them."""
    low, high = min(values), max(values)
    spread = max(high - low, _LEAST_RANGE)
    middle, half = (low + high) / 2, (0.5 + _ROOM) * spread
    return middle - half, middle + half


def title(goal: str) -> str:
    """Return what the plot shows: the accuracy against what the search is for."""
    return "Accuracy vs. size" if goal == SIZE else "Accuracy vs. latency"


def axis(goal: str) -> str:
    """Return the title of the x axis."""
    return "File size, % of original" if goal == SIZE else "Latency, p50, % of original"


def _radius(size_bytes: int, shown: Plot) -> float:
    """Return the radius of a point in pixels: its area is that of the file."""
    largest = max(point.size_bytes for point in (*shown.points, *shown.far)) or 1
    return max(_SMALLEST_PX, _LARGEST_PX * sqrt(size_bytes / largest))


def pareto_plot(
    improvement: Improvement, width: float = WIDTH, goal: str = ""
) -> Drawing | None:
    """Draw the candidates with the 95% intervals of their accuracy; None for none to draw.

    goal: what the x axis shows, as for `plot`.
    """
    shown = plot(improvement, goal)
    if len(shown.points) < 2:
        return None
    bottom, end = _HEIGHT - _BOTTOM, width - _SIDE
    (left, right), (low, high) = shown.x_range, shown.y_range
    plane = Plane(_LEFT, _TOP, end, bottom, high, low, left, right)
    x_of, y_of = plane.x, plane.y
    name = shown.measure.name if shown.measure is not None else ""
    shapes: list[Shape] = []
    occupied, thin = list[Rectangle](), list[Rectangle]()
    if shown.limit is not None and low < shown.limit < high:
        y = y_of(shown.limit)
        over = (y, bottom) if shown.sign > 0 else (float(_TOP), y)
        box = Box(_LEFT, over[0], end - _LEFT, over[1] - over[0], "bad", opacity=0.07)
        shapes.append(box)
        shapes.append(plane.level(shown.limit, "bad", dashed=True))
        wide = text_width("limit")
        occupied.append((_LEFT + 4, y + 2, _LEFT + 4 + wide, y + 2 + _LABEL_PX))
        thin.append((_LEFT, y, end, y))
        shapes.append(Label(_LEFT + 4, y + 13, "limit", "bad"))
    top = min(high, _MOST_ACCURACY) if high < 2 else high
    for tick, _ in numbers(low, top, _TICKS):
        shapes.append(plane.level(tick, "hairline"))
        shapes.append(Label(_LEFT - 8, y_of(tick) + 4, shown.text(tick), anchor="end"))
    shapes += [
        Line(((_LEFT, bottom), (end, bottom)), "border"),
        Label(_LEFT, _TOP - 16, name, "secondary"),
        Label(end, bottom + 36, axis(shown.goal), "secondary", anchor="end"),
    ]
    shapes += [
        Label(
            min(x_of(tick), end + _BESIDE - text_width(text) / 2),
            bottom + 18,
            text,
            anchor="middle",
        )
        for tick, _ in numbers(left, right, _TICKS)
        for text in (f"{100 * tick:.0f}%",)
    ]
    for one, two in pairwise(shown.front):
        corner = (x_of(two.x), y_of(one.y))
        stairs = ((x_of(one.x), y_of(one.y)), corner, (x_of(two.x), y_of(two.y)))
        above, below = sorted((corner[1], stairs[2][1]))
        thin.append((x_of(one.x), corner[1], *corner))
        thin.append((corner[0], above, corner[0], below))
        shapes.append(Line(stairs, "accent", opacity=0.6))
    by_x = sorted(
        (point for point in shown.points if point.candidate is not None),
        key=lambda each: (each.x, -shown.sign * each.y),
    )
    numbered = {id(point): str(place + 1) for place, point in enumerate(by_x)}
    discs = list[Rectangle]()
    for point in shown.points:
        if point.low is not None and point.high is not None:
            x, top, below = x_of(point.x), y_of(point.high), y_of(point.low)
            thin.append((x, top, x, below))
            shapes.append(Line(((x, top), (x, below)), "secondary", opacity=0.4))
    for point in shown.points:
        x, y, size = x_of(point.x), y_of(point.y), _radius(point.size_bytes, shown)
        verdict = improvement.verdict(point.candidate) if point.candidate is not None else ""
        fill, edge = _TINTS.get(verdict, "secondary"), "surface"
        if point.candidate is None:
            fill, edge = "surface", "text"
        key = key_of(improvement, point.candidate)
        about = _about(shown, point)
        shapes.append(dot(x, y, size, fill, 1, about, edge, key))
        discs.append((x - size, y - size, x + size, y + size))
    room = (_LEFT + 2, _TOP - 10, end, bottom - 2)
    signs = [ORIGINAL if p.candidate is None else numbered[id(p)] for p in shown.points]
    shapes += names_at(discs, signs, room, occupied, thin)
    shapes.append(Label(_LEFT, bottom + 36, "area: file size", "tertiary"))
    if shown.far:
        shapes.append(Label(end, _HEIGHT - 12, far_text(shown), "secondary", anchor="end"))
    names, height = _names(improvement, by_x, width)
    return Drawing(title(shown.goal), width, height, (*shapes, *names))


def _names(
    improvement: Improvement, points: Sequence[PlotPoint], width: float
) -> tuple[list[Shape], float]:
    """Return the names of numbered points in columns below the plot, and where they end.

    Names beside points that lie close together would lie on each other.
    """
    best = improvement.candidates[improvement.best] if improvement.best >= 0 else None
    columns = max(1, int((width - _LEFT) // _COLUMN_PX))
    rows, wide = -(-len(points) // columns), (width - _LEFT) / columns
    shapes: list[Shape] = []
    for place, point in enumerate(points):
        x, y = _LEFT + place // rows * wide, _HEIGHT + (0.5 + place % rows) * LEGEND_ROW
        chosen = point.candidate is best
        name = f"{point.name} (recommended)" if chosen else point.name
        text = units.clip(name, max(8, int((wide - _NUMBER_PX) / (11 * BOLD_LETTER))))
        shapes.append(Label(x, y, str(place + 1), "text", bold=True))
        shapes.append(Label(x + _NUMBER_PX, y, text, "text", bold=chosen))
    return shapes, _HEIGHT + rows * LEGEND_ROW


def key_of(improvement: Improvement, candidate: Candidate | None) -> str:
    """Return the key of the point of a candidate: its place among them; "" for the original."""
    places = (n for n, each in enumerate(improvement.candidates) if each is candidate)
    return str(next(places, ""))


def _about(shown: Plot, point: PlotPoint) -> str:
    """Return a point in a line: "int8: Top-1 accuracy 90.5%; 50% of the latency; 3.2 MiB"."""
    measure = shown.measure.name if shown.measure is not None else "Accuracy"
    of = "size" if shown.goal == SIZE else "latency"
    return (
        f"{point.name}: {measure} {shown.text(point.y)}; {100 * point.x:.0f}% of the "
        f"original's {of}; {units.size(point.size_bytes)}"
    )


def far_text(shown: Plot) -> str:
    """Return the names of the points beyond the right edge: 'Int8 (dynamic): 348% →'."""
    return "   ".join(f"{point.name}: {100 * point.x:.0f}% →" for point in shown.far)


def accuracy_name(improvement: Improvement) -> str:
    """Return the name of the measure that the verdict is about: 'Top-1 accuracy'."""
    for candidate in improvement.candidates:
        measure = candidate.measure(improvement.main)
        if measure is not None:
            return measure.name
    return "Accuracy"
