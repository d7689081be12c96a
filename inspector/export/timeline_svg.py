"""The timeline of a trace as one SVG picture: a row for each track and depth."""

from inspector.export.drawn_svg import svg
from inspector.export.timeline_plot import timeline_plot
from inspector.trace import Trace


def timeline_svg(trace: Trace, stretch_ns: tuple[float, float] | None = None) -> bytes:
    """Draw a stretch of a trace, by default all of it; at most 200 rows."""
    return svg(timeline_plot(trace, stretch_ns))
