"""The index of a trace that a timeline needs to draw; a second for millions of spans."""

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
        cls, trace: Trace, report_progress: Callable[[float], None] = lambda _: None
    ) -> "TimelineIndex":
        """Build the index in this thread; `report_progress` gets the finished share, 0 to 1."""
        rows = build_level_of_detail(trace, report_progress)
        run_lists = iterations(trace)
        without = unprofiled(trace, run_lists)
        return cls(rows, extent(trace), median_prediction(trace), run_lists, without)
