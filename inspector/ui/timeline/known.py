"""What a timeline knows of its trace before it draws; a second for millions of spans."""

from collections.abc import Callable
from dataclasses import dataclass

from inspector.detail import Detail, detail, extent, representative
from inspector.trace import Trace
from inspector.ui.timeline.iterations import Iterations, iterations


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """Rows to draw, begin and end in nanoseconds, what to show first, predictions."""

    detail: Detail
    extent: tuple[int, int]
    first: tuple[int, int]
    iterations: tuple[Iterations, ...]

    @classmethod
    def of(cls, trace: Trace, tell: Callable[[float], None] = lambda _: None) -> "Known":
        """Work it out; `tell` hears the share that is done, in the thread that this runs in."""
        rows = detail(trace, tell)
        return cls(rows, extent(trace), representative(trace), iterations(trace))
