"""What a timeline knows of its trace before it draws; a second for millions of spans."""

from collections.abc import Callable
from dataclasses import dataclass

from inspector.trace.trace import Trace
from inspector.trace.trace_rows import (
    LevelOfDetail,
    build_level_of_detail,
    extent,
    median_prediction,
)
from inspector.ui.timeline.model.predictions import (
    Iterations,
    Unprofiled,
    iterations,
    unprofiled,
)


@dataclass(frozen=True, slots=True, eq=False)
class TimelineIndex:
    """Rows to draw, begin and end in nanoseconds, what to show first, predictions.

    unprofiled: those that were made after the profiler had ended.
    """

    detail: LevelOfDetail
    extent: tuple[int, int]
    first: tuple[int, int]
    iterations: tuple[Iterations, ...]
    unprofiled: tuple[Unprofiled, ...] = ()

    @classmethod
    def of(
        cls, trace: Trace, tell: Callable[[float], None] = lambda _: None
    ) -> "TimelineIndex":
        """Work it out; `tell` hears the share that is done, in the thread that this runs in."""
        rows = build_level_of_detail(trace, tell)
        known = iterations(trace)
        without = unprofiled(trace, known)
        return cls(rows, extent(trace), median_prediction(trace), known, without)
