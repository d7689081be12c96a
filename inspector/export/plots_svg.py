"""The main plots of a report as one SVG picture for papers and slides."""

from inspector.export.drawn_svg import svg
from inspector.export.plots import all_plots
from inspector.report import PerformanceReport


def plots_svg(report: PerformanceReport) -> bytes:
    """Predictions in order, how they spread, and the longest layers, one below the other."""
    return svg(all_plots(report))
