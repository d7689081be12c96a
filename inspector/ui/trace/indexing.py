"""What the views of a trace need, made beside the window before the trace is shown."""

from collections.abc import Callable
from dataclasses import dataclass

from inspector.analysis.aggregation import Aggregation, By, aggregate
from inspector.analysis.habits import Finding, habits
from inspector.readers import OpenedTrace
from inspector.ui.timeline.known import Known


@dataclass(frozen=True, slots=True, eq=False)
class TraceIndex:
    """What a timeline draws, and events added up by name."""

    known: Known
    events: Aggregation

    @classmethod
    def of(cls, opened: OpenedTrace) -> "TraceIndex":
        """Work it out; a second for millions of events."""
        trace = opened.trace
        return cls(Known.of(trace), aggregate(trace, opened.layers, By.EVENT, None))


def prepared(
    name: str, opened: OpenedTrace, tell: Callable[[str], None]
) -> tuple[tuple[Finding, ...], TraceIndex]:
    """What is found in a trace and what its views need; `tell` hears what is being done."""
    many = f"{name}: {len(opened.trace):,} events"
    tell(f"{many}, indexing")
    index = TraceIndex.of(opened)
    tell(f"{many}, looking for habits")
    return habits(opened.trace, opened.layers), index
