"""Samples as the bars of a histogram, and round numbers for axes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from inspector import units

BINS = 15


@dataclass(frozen=True, slots=True)
class Bar:
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


def round_step(rough: float) -> float:
    """1, 2 or 5 times a power of ten: the first that is not much less than `rough`."""
    power = 10.0 ** np.floor(np.log10(rough))
    return float(next(m * power for m in (1, 2, 5, 10) if m * power >= 0.8 * rough))


def axis_text(ns: float, reach_ns: float) -> str:
    """A place on an axis that reaches so far, all in the unit of its end: '0.5 ms'."""
    unit = units.duration_parts(reach_ns)[1]
    scale = {"ns": 1.0, "µs": 1e3, "ms": 1e6, "s": 1e9}[unit]
    return f"{ns / scale:.6g} {unit}"
