"""Samples as the geometry of two small charts: a histogram and a series."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from inspector import units
from inspector.statistics.intervals import MIN_P95_SAMPLES

Samples = NDArray[np.float64]
Stroke = tuple[tuple[float, float], ...]

BINS = 15
MOST_DOTS, MOST_COLUMNS = 240, 400


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a histogram: share of the tallest, and whether the median is in it."""

    height: float
    median: bool
    title: str


@dataclass(frozen=True, slots=True)
class Line:
    """A level across a series: place in percent from the top, and its text."""

    at: float
    text: str
    look: str = ""


@dataclass(frozen=True, slots=True)
class Dot:
    """One sample of a series, in percent from the left and the top."""

    x: float
    y: float
    title: str


@dataclass(frozen=True, slots=True)
class Series:
    """Samples in the order they were taken.

    strokes: lines through points in a box of 100 x 100: one through all samples, or, when there
    are many, one from the least to the most of each column. dots: one a sample; none of many.
    """

    strokes: tuple[Stroke, ...]
    dots: tuple[Dot, ...]
    grid: tuple[Line, ...]
    levels: tuple[Line, ...]

    @property
    def path(self) -> str:
        """The strokes as SVG path data."""
        return "".join(
            "M" + " ".join(f"{x:.2f} {y:.2f}" for x, y in stroke) for stroke in self.strokes
        )


def histogram(samples_ns: Sequence[int], median_ns: float | None = None) -> tuple[Bar, ...]:
    """Return a histogram of BINS bars in nanoseconds; the last bar includes all outliers.

    median_ns: whose bar stands out; None for that of these samples.
    """
    if not samples_ns:
        return ()
    values, low, high = np.asarray(samples_ns, np.float64), min(samples_ns), reach(samples_ns)
    if high <= low:
        return (Bar(1.0, True, f"{len(values)} at {units.duration(low)}"),)
    counts, edges = np.histogram(np.minimum(values, high), BINS, (low, high))
    median = float(np.median(values)) if median_ns is None else median_ns
    middle = min(max(0, int((median - low) / (high - low) * BINS)), BINS - 1)
    ends = [*edges[1:-1], float(values.max())]
    return tuple(
        Bar(
            float(count / counts.max()), i == middle,
            f"{units.duration(edges[i])} to {units.duration(ends[i])}: {count}",
        )
        for i, count in enumerate(counts)
    )  # fmt: skip


def reach(samples_ns: Sequence[int]) -> float:
    """Return where the last bar of a histogram ends, were nothing far out: nanoseconds."""
    quarter, three = np.quantile(samples_ns, (0.25, 0.75)).tolist()
    return float(min(max(samples_ns), three + 3 * (three - quarter)))


def series(samples_ns: Sequence[int], median_ns: float | None = None) -> Series | None:
    """Lay out a series of nanoseconds with its p95, if it has enough samples; None of nothing.

    median_ns: the level of the median, where it is not that of all samples.
    """
    if not samples_ns:
        return None
    values = np.asarray(samples_ns, np.float64)
    low, high, ticks = _scale(float(values.min()), float(values.max()))

    def place(value: float) -> float:
        return round(100 * (high - value) / (high - low), 2)

    x = (np.arange(len(values)) + 0.5) / len(values) * 100
    y = (high - values) / (high - low) * 100
    dots = zip(x, y, samples_ns, strict=True) if len(values) <= MOST_DOTS else ()
    median, slow = np.quantile(samples_ns, (0.5, 0.95)).tolist()
    median = median if median_ns is None else median_ns
    return Series(
        _thick(y) if len(values) > MOST_COLUMNS else _thin(x, y),
        tuple(
            Dot(round(a, 2), round(b, 2), f"{i + 1}: {units.duration(ns)}")
            for i, (a, b, ns) in enumerate(dots)
        ),
        tuple(Line(place(tick), axis_text(tick, high)) for tick in ticks),
        (
            *((Line(place(slow), "p95", "p95"),) if len(values) >= MIN_P95_SAMPLES else ()),
            Line(place(median), "median", "median"),
        ),
    )


def round_step(rough: float) -> float:
    """1, 2 or 5 times a power of ten: the first that is not much less than `rough`."""
    power = 10.0 ** np.floor(np.log10(rough))
    return float(next(m * power for m in (1, 2, 5, 10) if m * power >= 0.8 * rough))


def axis_text(ns: float, reach_ns: float) -> str:
    """A place on an axis that reaches so far, all in the unit of its end: '0.5 ms'."""
    unit = units.duration_parts(reach_ns)[1]
    scale = {"ns": 1.0, "µs": 1e3, "ms": 1e6, "s": 1e9}[unit]
    return f"{ns / scale:.6g} {unit}"


def _scale(low: float, high: float) -> tuple[float, float, list[float]]:
    """Round limits around the values, and the round levels between them."""
    span = max(high - low, 0.02 * high, 1.0)
    step = round_step(span / 3)
    bottom = max(0.0, np.floor((low - 0.1 * span) / step) * step)
    top = np.ceil((high + 0.05 * span) / step) * step
    ticks = [float(tick) for tick in np.arange(bottom, top + step / 2, step)]
    return float(bottom), float(top), ticks


def _thin(x: Samples, y: Samples) -> tuple[Stroke, ...]:
    return (tuple(zip(x.tolist(), y.tolist(), strict=True)),)


def _thick(y: Samples) -> tuple[Stroke, ...]:
    columns = enumerate(np.array_split(y, MOST_COLUMNS))
    places = ((100 * (i + 0.5) / MOST_COLUMNS, part) for i, part in columns)
    return tuple(((x, float(part.min())), (x, float(part.max()))) for x, part in places)
