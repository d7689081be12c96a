"""The export room: a report as a page, a table, a text, or a trace for other viewers."""

from inspector.errors import BadInput
from inspector.export.chrome_trace import chrome_trace
from inspector.export.csv import layers_csv
from inspector.export.html import page
from inspector.export.markdown import summary
from inspector.export.model_explorer import model_explorer
from inspector.export.netron import netron
from inspector.export.plots_svg import plots_svg
from inspector.export.report_json import report_json
from inspector.report import PerformanceReport

FORMATS = {
    "html": page,
    "csv": layers_csv,
    "md": summary,
    "json": report_json,
    "trace": chrome_trace,
    "svg": plots_svg,
    "netron": netron,
    "model-explorer": model_explorer,
}
SUFFIXES = {
    "html": ".html",
    "csv": ".csv",
    "md": ".md",
    "json": ".report.json",
    "trace": ".trace.json",
    "svg": ".svg",
    "netron": ".netron.json",
    "model-explorer": ".model-explorer.json",
}


def export(report: PerformanceReport, format: str) -> bytes:  # noqa: A002 - the agreed name
    """Write a report in one of FORMATS.

    Raises BadInput: no such format.
    """
    if format not in FORMATS:
        known = ", ".join(FORMATS)
        raise BadInput("Could not export", f"there is no format '{format}'", f"Use {known}.")
    return FORMATS[format](report)
