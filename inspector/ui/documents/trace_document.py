"""A trace that was opened: what its views observe. Nothing about it changes."""

from pathlib import Path
from typing import TYPE_CHECKING

from inspector.ui import units
from inspector.ui.selection import Selection
from inspector.ui.translate import plural

if TYPE_CHECKING:
    from inspector.analysis.advice.program_time import TimeParts
    from inspector.analysis.advice.trace_rules import Finding
    from inspector.formats.traces.span_collector import OpenedTrace
    from inspector.platform.files import FileState
    from inspector.ui.timeline.model.trace_indexing import TraceIndex


class TraceDocument:
    """A trace out of a file, what was found in it, and what of it is selected.

    index: what its views need, made beside the window, where there is very much of it.
    parts: what the time of a recorded program went to.
    state: of the file when it was read. models: files of its models by their names, as far as
    they are known.
    """

    def __init__(
        self,
        path: Path,
        opened: "OpenedTrace",
        findings: "tuple[Finding, ...]" = (),
        index: "TraceIndex | None" = None,
        parts: "TimeParts | None" = None,
        state: "FileState | None" = None,
    ) -> None:
        self.path, self.opened, self.findings, self.index = path, opened, findings, index
        self.parts, self.state = parts, state
        self.selection = Selection()
        self.models: dict[str, Path] = {}

    @property
    def name(self) -> str:
        """Return the name shown in the window."""
        return self.path.name

    @property
    def length_ns(self) -> int:
        """Return the time from the start of the first event to the end of the last."""
        trace = self.opened.trace
        if self.index is not None:
            begin, end = self.index.known.extent
            return end - begin
        return trace.end_ns - int(trace.start_ns.min())

    @property
    def about(self) -> str:
        """Return what kind of file it is, and how much is in it."""
        trace = self.opened.trace
        parts = (
            self.opened.source,
            plural(len(trace), "event"),
            units.duration(self.length_ns),
        )
        return " · ".join(parts)
