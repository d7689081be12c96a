"""The runs of a report in their order as a drawing: warm-up, outliers, changes, slow spells."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from inspector import units
from inspector.analysis.measured.latency import latency
from inspector.analysis.measured.sample_statistics import Course, course
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
from inspector.pages.charts.plane import SMALL, Plane
from inspector.report.report import PerformanceReport
from inspector.wording.values import Count, Duration, Joined, Sentence, Value

WIDTH = 720.0
_TITLE = "Runs, in order"
_LEFT = 64.0
_TOP = 44.0
_TALL = 140.0
_FOOT = 28.0
_MOST_DOTS = 1500  # more runs are drawn as one stroke for each pixel
_FEW = 300  # runs whose dots are larger
_STEPS = 4  # of the time axis, at least
# tint and opacity of a run's dot
_FULL = ("activity", 0.55)
_SLOW = ("tertiary", 0.45)
_LEGEND = (("full CPU speed", _FULL), ("CPU throttled or busy", _SLOW))


def runs_plot(report: PerformanceReport, width: float = WIDTH) -> Drawing:
    """Draw a dot for each run, with the headline median and p95; outliers are triangles."""
    runs, measured = course(report), latency(report)
    if not runs.samples_ns or measured is None:
        return empty(_TITLE, "No run was timed.", width)
    p95 = measured.all_predictions.p95_ns if measured.all_predictions.has_p95 else None
    template = "line: {median}; dashed: p95 of all runs" if p95 else "line: {median}"
    chart = _Runs(runs, width)
    shapes = (
        *head(_TITLE, width, Sentence(template, median=measured.headline_label)),
        *chart.plane.grid(units.axis(chart.plane.low, chart.plane.high, _STEPS)),
        *chart.levels(p95), *chart.dots(), *chart.warmup(), *chart.beyond(), *chart.foot(),
    )  # fmt: skip
    return Drawing(_TITLE, width, chart.plane.bottom + _FOOT, shapes)


class _Runs:
    """Runs on a plane: all but outliers, with a little room around them."""

    def __init__(self, runs: Course, width: float) -> None:
        self._runs = runs
        self._samples = np.asarray(runs.samples_ns, np.float64)
        self._slow = np.zeros(len(self._samples), bool)
        self._slow[list(runs.slow)] = True
        regular = np.delete(self._samples, runs.outliers)
        regular = regular if len(regular) else self._samples
        low, high = float(regular.min()), float(regular.max())
        room = max(0.08 * (high - low), 0.01 * high)
        above = max(0.25 * (high - low), room) if runs.outliers else room
        first = -len(runs.warmup_ns) - 0.5  # runs of the warm-up have negative places
        self.plane = Plane(
            _LEFT, _TOP, width - MARGIN, _TOP + _TALL, high + above, max(0.0, low - room),
            first, len(self._samples) - 0.5,
        )  # fmt: skip

    def levels(self, p95_ns: float | None) -> Iterator[Shape]:
        """Yield p95, the median, and both medians where it changed for good."""
        runs, count = self._runs, len(self._samples)
        if p95_ns is not None and p95_ns <= self.plane.high:
            yield self.plane.level(p95_ns, "tertiary", dashed=True)
        parts = [(0, count, runs.middle_ns)]
        if (change := runs.change) is not None:
            parts = [(0, change.at, change.before_ns), (change.at, count, change.after_ns)]
            x = (self.plane.x(change.at - 1) + self.plane.x(change.at)) / 2
            yield Line(((x, _TOP - 6), (x, _TOP + _TALL)), "caution", 1.2, dashed=True)
        for begin, end, middle in parts:
            ends = (
                (self.plane.x(begin - 0.5), self.plane.y(middle)),
                (self.plane.x(end - 0.5), self.plane.y(middle)),
            )
            yield Line(ends, "accent", 1.6)

    def dots(self) -> Iterator[Shape]:
        """Yield the runs within the axis, slow ones below the others."""
        inside = np.ones(len(self._samples), bool)
        inside[list(self._runs.outliers)] = False
        draw: Callable[[NDArray[np.bool_], str, float], Iterator[Shape]] = self._each
        if len(self._samples) > _MOST_DOTS:
            draw = self._columns
        yield from draw(inside & self._slow, *_SLOW)
        yield from draw(inside & ~self._slow, *_FULL)

    def _each(self, chosen: NDArray[np.bool_], tint: str, opacity: float) -> Iterator[Shape]:
        radius = 2.2 if len(self._samples) <= _FEW else 1.5
        for place in np.flatnonzero(chosen).tolist():
            x, y = self.plane.x(place), self.plane.y(self._samples[place])
            yield dot(x, y, radius, tint, opacity, self._said(place))

    def _columns(self, chosen: NDArray[np.bool_], tint: str, opacity: float) -> Iterator[Shape]:
        """Yield a stroke from the least to the most of each pixel."""
        pixels = int(self.plane.right - _LEFT)
        column = np.linspace(0, pixels - 1, len(self._samples)).astype(np.intp)
        low, high = np.full(pixels, np.inf), np.zeros(pixels)
        np.minimum.at(low, column[chosen], self._samples[chosen])
        np.maximum.at(high, column[chosen], self._samples[chosen])
        for pixel in np.flatnonzero(high).tolist():
            x, top, bottom = (
                _LEFT + pixel,
                self.plane.y(high[pixel]),
                self.plane.y(low[pixel]) + 1,
            )
            yield Line(((x, top), (x, bottom)), tint, opacity=opacity)

    def warmup(self) -> Iterator[Shape]:
        """Yield the runs before the timed ones, hollow, and where they end."""
        times = self._runs.warmup_ns
        for place, ns in enumerate(times):
            name = Sentence("Warm-up run {number}", Count(place)) if place else "First run"
            x, y = self.plane.x(place - len(times)), self.plane.y(ns)
            title = Sentence("{run}: {time}", name, Duration(ns))
            yield dot(x, y, 2.2, "surface", title=title, edge="tertiary")
        if times:
            yield self.plane.upright(-0.5, "border", dashed=True)
            yield Label(_LEFT, _TOP + _TALL + 16, Sentence("warm-up"), "tertiary", SMALL)

    def beyond(self) -> Iterator[Shape]:
        """Yield a triangle for each run above the axis."""
        for place in self._runs.outliers[:_MOST_DOTS]:
            tint = "caution" if place in self._runs.waited else "bad"
            x, y = self.plane.x(place), _TOP - 1
            corners = ((x, y - 6), (x - 3.5, y), (x + 3.5, y), (x, y - 6))
            yield Line(corners, tint, 1.6)
            yield dot(x, y - 3, 3, tint, 0.3, self._said(place))

    def foot(self) -> Iterator[Shape]:
        """Yield the number of runs, and what both tints mean where there are both."""
        y, text = _TOP + _TALL + 16, Count(len(self._samples), "run")
        yield Label(self.plane.right, y, text, "tertiary", 10, anchor="end")
        x = self.plane.right - text_width(text, 10) - 20
        for name, (tint, opacity) in reversed(_LEGEND) if self._slow.any() else ():
            x -= text_width(name, 10)
            yield Label(x, y, name, "tertiary", 10)
            yield dot(x - 8, y - 3, 3, tint, opacity)
            x -= 24

    def _said(self, place: int) -> Value:
        runs = self._runs
        parts: list[Value] = [
            Sentence("Run {number}: {time}", Count(place + 1), Duration(runs.samples_ns[place]))
        ]
        if place < len(runs.cpu_ns):
            parts.append(Sentence("CPU time {time}", Duration(runs.cpu_ns[place])))
        parts += ["CPU throttled or busy"] * bool(self._slow[place])
        parts += ["waited for a CPU core"] * (place in runs.waited)
        return Joined(tuple(parts), "; ")
