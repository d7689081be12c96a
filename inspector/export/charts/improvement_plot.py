"""Candidates of a search as a drawing: accuracy vs. latency, with the file size as area."""

from inspector import units
from inspector.export.charts.drawing import (
    Box,
    Drawing,
    Label,
    Line,
    Rectangle,
    Shape,
    least_harm,
    text_width,
)
from inspector.report.improvement import (
    LOWER_IS_BETTER,
    OVER,
    WITHIN,
    Candidate,
    Improvement,
    value_text,
)

_WIDTH, _HEIGHT, _LEFT, _SIDE, _TOP, _BOTTOM = 860.0, 360.0, 64.0, 24.0, 44.0, 56.0
_SMALLEST_PX, _AREA_PX = 4.0, 10.0  # radius of an empty file, and what the largest adds
_ROOM = 0.15  # above and below the points, as a share of their range
_LEAST_RANGE = 0.01  # of accuracy, so that noise does not fill the plot
_TICKS = (0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0)
_TINTS = {WITHIN: "good", OVER: "bad"}
LATENCY_AXIS = "Latency relative to the original (1 = same); area: file size"
SIZE_AXIS = "File size relative to the original (1 = same)"


def pareto_points(improvement: Improvement) -> list[tuple[Candidate, float, float]]:
    """Return the original and the candidates that have an accuracy, each with x and accuracy.

    x is the latency relative to the original, measured in turns with it, or the file size
    relative to the original's where no candidate has a latency; 1 for the same.
    """
    usable = [
        (candidate, measure.value)
        for candidate in improvement.candidates
        if not candidate.problem and (measure := candidate.measure(improvement.main))
    ]
    original = improvement.original
    measured = original.measure(improvement.main)
    points = [(original, 1.0, measured.value if measured else 1.0)]
    timed = any_latency(improvement)
    for candidate, value in usable:
        if not timed and original.size_bytes:
            points.append((candidate, candidate.size_bytes / original.size_bytes, value))
        elif candidate.latency is not None and candidate.latency.change is not None:
            points.append((candidate, 1 + candidate.latency.change, value))
    return points


def any_latency(improvement: Improvement) -> bool:
    """Return whether any candidate was timed against the original."""
    return any(
        candidate.latency is not None and candidate.latency.change is not None
        for candidate in improvement.candidates
    )


def pareto_plot(improvement: Improvement) -> Drawing | None:
    """Draw the candidates with the 95% intervals of their accuracy; None for none to draw."""
    points = pareto_points(improvement)
    if len(points) < 2:
        return None
    ends = [end for candidate, *_ in points for end in _interval(improvement, candidate)]
    known = [*(y for *_, y in points), *ends]
    low, high = min(known), max(known)
    span = max(high - low, _LEAST_RANGE)
    low, high = low - _ROOM * span, high + _ROOM * span
    right = 1.1 * max(x for _, x, _ in points)
    bottom, end = _HEIGHT - _BOTTOM, _WIDTH - _SIDE
    measured = next(filter(None, (c.measure(improvement.main) for c, *_ in points[1:])))
    over = LATENCY_AXIS if any_latency(improvement) else SIZE_AXIS

    def x_of(value: float) -> float:
        return _LEFT + value / right * (end - _LEFT)

    def y_of(value: float) -> float:
        return bottom - (value - low) / (high - low) * (bottom - _TOP)

    shapes: list[Shape] = [
        Line(((_LEFT, _TOP), (_LEFT, bottom), (end, bottom)), "border"),
        Label(_LEFT, _TOP - 16, measured.name, "secondary"),
        Label(end, bottom + 36, over, "secondary", anchor="end"),
    ]
    shapes += [
        Label(x_of(tick), bottom + 18, f"{tick:g}", anchor="middle")
        for tick in _TICKS
        if tick <= right
    ]
    shapes += [
        Label(_LEFT - 8, y_of(value) + 4, value_text(measured, value), anchor="end")
        for value in (low + _ROOM * span, high - _ROOM * span)
    ]
    largest = max(candidate.size_bytes for candidate, *_ in points) or 1
    circles: list[tuple[str, Rectangle]] = []
    for candidate, across, up in points:
        x, y = x_of(across), y_of(up)
        interval = _interval(improvement, candidate)
        if interval:
            shapes.append(Line(tuple((x, y_of(end)) for end in interval), "secondary"))
        size = _SMALLEST_PX + _AREA_PX * (candidate.size_bytes / largest) ** 0.5
        verdict = improvement.verdict(candidate) if candidate.steps else ""
        fill, edge = (
            (_TINTS.get(verdict, "secondary"), "") if candidate.steps else ("surface", "text")
        )
        box = Box(x - size, y - size, 2 * size, 2 * size, fill, radius=size, edge=edge)
        shapes.append(box)
        text = units.clip(candidate.name, 40) if candidate.steps else "original"
        circles.append((text, (x - size, y - size, x + size, y + size)))
    occupied = [box for _, box in circles]
    for text, (left, top, far, below) in circles:
        wide, off = text_width(text), (far - left) / 2 + 3
        room = (_LEFT, _TOP - 10, _WIDTH, bottom)
        place = least_harm((left + far) / 2, (top + below) / 2, wide, room, occupied, off)
        occupied.append(place)
        shapes.append(Label(place[0], place[1] + 10, text))
    title = "Accuracy vs. latency" if over == LATENCY_AXIS else "Accuracy vs. file size"
    return Drawing(title, _WIDTH, _HEIGHT, tuple(shapes))


def _interval(improvement: Improvement, candidate: Candidate) -> tuple[float, ...]:
    """Return both ends of the 95% interval of a candidate's accuracy; none of the original."""
    measure = candidate.measure(improvement.main) if candidate.steps else None
    if measure is None or measure.low is None or measure.high is None:
        return ()
    base = measure.value - (measure.change or 0.0)
    most = float("inf") if measure.id in LOWER_IS_BETTER else 1.0
    return max(0.0, base + measure.low), min(most, base + measure.high)


def accuracy_name(improvement: Improvement) -> str:
    """Return the name of the measure that the verdict is about: 'Top-1 accuracy'."""
    for candidate in improvement.candidates:
        measure = candidate.measure(improvement.main)
        if measure is not None:
            return measure.name
    return "Accuracy"
