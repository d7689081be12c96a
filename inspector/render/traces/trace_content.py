"""The part of a trace to export, and one function for each file format of traces."""

from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from inspector import units
from inspector.pages.charts.timeline_plot import timeline_plot
from inspector.render import svg as svg_files
from inspector.render.tables.report_csv import aggregation_csv
from inspector.report.report import PerformanceReport
from inspector.trace.aggregation import Aggregation, GroupBy, aggregate
from inspector.trace.chrome_json import trace_events
from inspector.trace.trace import Trace, TracedLayer
from inspector.trace.trace_file import SavedTrace, to_bytes


class TraceContent(Struct, frozen=True):
    """A trace with all that its export formats write.

    source: the program that wrote the trace. about: facts for the header of the file.
    range_ns: begin and end of the part to export; None for the whole trace.
    table: the rows of the CSV; None for totals by event name.
    clock: name of the clock, its zero and its uncertainty in nanoseconds; empty if unknown.
    """

    trace: Trace
    layers: Sequence[TracedLayer] = ()
    notes: Sequence[str] = ()
    source: str = ""
    about: Mapping[str, str] = field(default_factory=dict)
    range_ns: tuple[float, float] | None = None
    table: Aggregation | None = None
    clock: tuple[str, int, int] | tuple[()] = ()

    @property
    def part(self) -> Trace:
        """Return the trace within `range_ns`."""
        return self.trace if self.range_ns is None else self.trace.within(*self.range_ns)


def chrome_json(content: TraceContent) -> bytes | memoryview:
    """Return the trace in the JSON format of Chrome, which Perfetto opens."""
    return trace_events(content.part, content.layers, dict(content.about), content.notes)


def chrome_trace(report: PerformanceReport) -> bytes:
    """All spans of a report, and what was measured."""
    return trace_events(report.trace, report.layers, _about(report))


def csv(content: TraceContent) -> bytes:
    """Return the table of total times, one row for each group of events."""
    table = content.table
    if table is None:
        table = aggregate(content.trace, content.layers, GroupBy.EVENT, content.range_ns)
    return aggregation_csv(content.trace, table)


def svg(content: TraceContent) -> bytes:
    """Return a drawing of the timeline, at most 200 rows."""
    return svg_files.svg(timeline_plot(content.trace, content.range_ns))


def npz(content: TraceContent) -> bytes | memoryview:
    """Return the trace as columns of NumPy, the format that loads fastest."""
    saved = SavedTrace(
        content.part,
        tuple(content.layers),
        tuple(content.notes),
        content.source,
        "",
        *content.clock,
    )
    return to_bytes(saved)


def _about(report: PerformanceReport) -> dict[str, str]:
    return {
        "model": units.clip(report.model.name),
        "sha256": report.model.sha256,
        "devices": ", ".join(report.spec.devices),
        "onnxruntime": report.environment.onnxruntime,
        "runtime": report.environment.runtime_text,
        "inspector": report.environment.inspector,
        "created": report.created,
    }
