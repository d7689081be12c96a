"""The runs of a report in their order as a drawing: warm-up, outliers, changes, slow spells."""

from collections.abc import Callable, Iterator
from math import ceil

import numpy as np
from numpy.typing import NDArray

from inspector import units
from inspector.analysis.measured.latency import latency
from inspector.analysis.measured.sample_statistics import Course, course
from inspector.export.charts.drawing import Box, Drawing, Label, Line, Shape, text_width
from inspector.export.charts.sample_charts import axis_text, round_step
from inspector.report.report import PerformanceReport

WIDTH = 720.0
_TITLE = "Runs, in order"
_LEFT, _MARGIN, _TOP, _TALL, _FOOT = 64.0, 16.0, 44.0, 140.0, 28.0
_MOST_DOTS = 1500  # more runs are drawn as one stroke for each pixel
_FEW = 300  # runs whose dots are larger
_STEPS = 3  # of the time axis, at least
_FULL, _SLOW = ("activity", 0.55), ("tertiary", 0.45)  # tint and opacity of a run's dot
_LEGEND = (("full CPU speed", _FULL), ("CPU throttled or busy", _SLOW))


def runs_plot(report: PerformanceReport, width: float = WIDTH) -> Drawing:
    """Draw a dot for each run, with the headline median and p95; outliers are triangles."""
    runs, measured = course(report), latency(report)
    heading = Label(_MARGIN, 24, _TITLE, size=12, bold=True)
    if not runs.samples_ns or measured is None:
        why = "No run was timed."
        return Drawing(why, width, 64, (heading, Label(_MARGIN, 48, why, "secondary")))
    p95 = measured.all_predictions.p95_ns if measured.all_predictions.has_p95 else None
    key = f"line: {measured.headline_label}" + ("; dashed: p95 of all runs" if p95 else "")
    plane = _Plane(runs, width)
    shapes = (
        heading,
        Label(width - _MARGIN, 24, key, "tertiary", 10, anchor="end"),
        *plane.axis(), *plane.levels(p95), *plane.dots(), *plane.warmup(), *plane.beyond(),
        *plane.foot(),
    )  # fmt: skip
    return Drawing(_TITLE, width, _TOP + _TALL + _FOOT, shapes)


class _Plane:
    """Places of runs on the drawing: all but outliers, with a little room around them."""

    def __init__(self, runs: Course, width: float) -> None:
        self._runs, self._right = runs, width - _MARGIN
        self._samples = np.asarray(runs.samples_ns, np.float64)
        self._slow = np.zeros(len(self._samples), bool)
        self._slow[list(runs.slow)] = True
        regular = np.delete(self._samples, runs.outliers)
        regular = regular if len(regular) else self._samples
        low, high = float(regular.min()), float(regular.max())
        room = max(0.08 * (high - low), 0.01 * high)
        self._low = max(0.0, low - room)
        self._high = high + (max(0.25 * (high - low), room) if runs.outliers else room)

    def _x(self, place: float) -> float:
        """Return where a run is drawn; those of the warm-up have negative places."""
        before = len(self._runs.warmup_ns)
        share = (place + before + 0.5) / (before + len(self._samples))
        return _LEFT + share * (self._right - _LEFT)

    def _y(self, ns: float) -> float:
        """Return where a time is drawn; those beyond the axis are at its ends."""
        share = (min(max(ns, self._low), self._high) - self._low) / (self._high - self._low)
        return _TOP + _TALL * (1 - share)

    def axis(self) -> Iterator[Shape]:
        """Yield round times with their lines."""
        step = round_step((self._high - self._low) / _STEPS)
        for number in range(ceil(self._low / step), int(self._high / step) + 1):
            y, text = self._y(number * step), axis_text(number * step, self._high)
            yield Line(((_LEFT, y), (self._right, y)), "grid")
            yield Label(_LEFT - 8, y + 4, text, "tertiary", 10, anchor="end")

    def levels(self, p95_ns: float | None) -> Iterator[Shape]:
        """Yield p95, the median, and both medians where it changed for good."""
        runs, count = self._runs, len(self._samples)
        if p95_ns is not None and p95_ns <= self._high:
            y = self._y(p95_ns)
            yield Line(((_LEFT, y), (self._right, y)), "tertiary", dashed=True)
        parts = [(0, count, runs.middle_ns)]
        if (change := runs.change) is not None:
            parts = [(0, change.at, change.before_ns), (change.at, count, change.after_ns)]
            x = (self._x(change.at - 1) + self._x(change.at)) / 2
            yield Line(((x, _TOP - 6), (x, _TOP + _TALL)), "caution", 1.2, dashed=True)
        for begin, end, middle in parts:
            ends = (
                (self._x(begin - 0.5), self._y(middle)),
                (self._x(end - 0.5), self._y(middle)),
            )
            yield Line(ends, "accent", 1.6)

    def dots(self) -> Iterator[Shape]:
        """Yield the runs within the axis, slow ones below the others."""
        inside = self._samples <= self._high
        draw: Callable[[NDArray[np.bool_], str, float], Iterator[Shape]] = self._each
        if len(self._samples) > _MOST_DOTS:
            draw = self._columns
        yield from draw(inside & self._slow, *_SLOW)
        yield from draw(inside & ~self._slow, *_FULL)

    def _each(self, chosen: NDArray[np.bool_], tint: str, opacity: float) -> Iterator[Shape]:
        radius = 2.2 if len(self._samples) <= _FEW else 1.5
        for place in np.flatnonzero(chosen).tolist():
            x, y = self._x(place), self._y(self._samples[place])
            yield _dot(x, y, radius, tint, opacity, self._said(place))

    def _columns(self, chosen: NDArray[np.bool_], tint: str, opacity: float) -> Iterator[Shape]:
        """Yield a stroke from the least to the most of each pixel."""
        pixels = int(self._right - _LEFT)
        column = np.linspace(0, pixels - 1, len(self._samples)).astype(np.intp)
        low, high = np.full(pixels, np.inf), np.zeros(pixels)
        np.minimum.at(low, column[chosen], self._samples[chosen])
        np.maximum.at(high, column[chosen], self._samples[chosen])
        for pixel in np.flatnonzero(high).tolist():
            x, top, bottom = _LEFT + pixel, self._y(high[pixel]), self._y(low[pixel]) + 1
            yield Line(((x, top), (x, bottom)), tint, opacity=opacity)

    def warmup(self) -> Iterator[Shape]:
        """Yield the runs before the timed ones, hollow, and where they end."""
        times = self._runs.warmup_ns
        for place, ns in enumerate(times):
            name = f"Warm-up run {place}" if place else "First run"
            x, y = self._x(place - len(times)), self._y(ns)
            yield Box(x - 2.2, y - 2.2, 4.4, 4.4, "surface", 1,
                      f"{name}: {units.duration(ns)}", 2.2, "tertiary")  # fmt: skip
        if times:
            x = (self._x(-1) + self._x(0)) / 2
            yield Line(((x, _TOP), (x, _TOP + _TALL)), "border", dashed=True)
            yield Label(_LEFT, _TOP + _TALL + 16, "warm-up", "tertiary", 10)

    def beyond(self) -> Iterator[Shape]:
        """Yield a triangle for each run above the axis."""
        for place in self._runs.outliers[:_MOST_DOTS]:
            tint = "caution" if place in self._runs.waited else "bad"
            x, y = self._x(place), _TOP - 1
            corners = ((x, y - 6), (x - 3.5, y), (x + 3.5, y), (x, y - 6))
            yield Line(corners, tint, 1.6)
            yield _dot(x, y - 3, 3, tint, 0.3, self._said(place))

    def foot(self) -> Iterator[Shape]:
        """Yield the number of runs, and what both tints mean where there are both."""
        y, text = _TOP + _TALL + 16, f"{len(self._samples):,} runs"
        yield Label(self._right, y, text, "tertiary", 10, anchor="end")
        x = self._right - text_width(text, 10) - 20
        for name, (tint, opacity) in reversed(_LEGEND) if self._slow.any() else ():
            x -= text_width(name, 10)
            yield Label(x, y, name, "tertiary", 10)
            yield _dot(x - 8, y - 3, 3, tint, opacity)
            x -= 24

    def _said(self, place: int) -> str:
        runs = self._runs
        parts = [f"Run {place + 1:,}: {units.duration(runs.samples_ns[place])}"]
        if place < len(runs.cpu_ns):
            parts.append(f"CPU time {units.duration(runs.cpu_ns[place])}")
        parts += ["CPU throttled or busy"] * bool(self._slow[place])
        parts += ["waited for a CPU core"] * (place in runs.waited)
        return "; ".join(parts)


def _dot(x: float, y: float, radius: float, tint: str, opacity: float, title: str = "") -> Box:
    return Box(x - radius, y - radius, 2 * radius, 2 * radius, tint, opacity, title, radius)
