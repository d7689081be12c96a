"""Indexes for the views of a trace, built on another thread before the trace is shown."""

from collections.abc import Callable

from msgspec import Struct

from inspector.analysis.advice.program_time import TimeParts
from inspector.analysis.advice.trace_rules import Finding, program_findings, time_parts
from inspector.formats.traces.span_collector import OpenedTrace
from inspector.trace.aggregation import Aggregation, GroupBy, aggregate
from inspector.ui.timeline.model.predictions import TimelineIndex
from inspector.ui.translate import tr


class TraceIndex(Struct, frozen=True, eq=False):
    """The rows of a timeline, and events aggregated by name."""

    known: TimelineIndex
    events: Aggregation

    @classmethod
    def of(cls, opened: OpenedTrace) -> "TraceIndex":
        """Work it out; a second for millions of events."""
        trace = opened.trace
        return cls(
            TimelineIndex.of(trace), aggregate(trace, opened.layers, GroupBy.EVENT, None)
        )


def prepared(
    name: str, opened: OpenedTrace, tell: Callable[[str], None]
) -> tuple[tuple[Finding, ...], TraceIndex, TimeParts | None]:
    """Return what is found in a trace, what its views need, and what its time went to.

    tell: hears what is being done.
    """
    many = tr("{name}: {count:,} events").format(name=name, count=len(opened.trace))
    tell(tr("{many}, indexing").format(many=many))
    index = TraceIndex.of(opened)
    tell(tr("{many}; analyzing").format(many=many))
    trace = opened.trace
    return program_findings(trace, opened.layers), index, time_parts(trace)
