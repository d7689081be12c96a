"""The export room: a report as a page, a document, a picture, a table, a text, or a trace."""

from collections.abc import Sequence

from inspector.compare import Comparison
from inspector.errors import BadInput
from inspector.export.chrome_trace import chrome_trace
from inspector.export.csv import layers_csv
from inspector.export.drawing import Drawing
from inspector.export.drawn_svg import svg
from inspector.export.html import page
from inspector.export.markdown import summary
from inspector.export.model_explorer import model_explorer
from inspector.export.netron import netron
from inspector.export.plots import all_plots
from inspector.export.report_json import report_json
from inspector.export.tables_csv import comparison_csv, samples_csv
from inspector.report import PerformanceReport

SUFFIXES = {
    "html": ".html",
    "pdf": ".pdf",
    "csv": ".csv",
    "md": ".md",
    "json": ".report.json",
    "trace": ".trace.json",
    "svg": ".svg",
    "png": ".png",
    "netron": ".netron.json",
    "model-explorer": ".model-explorer.json",
}
FORMATS = tuple(SUFFIXES)
TABLES = {"layers": layers_csv, "samples": samples_csv}


def export(report: PerformanceReport, format: str) -> bytes:  # noqa: A002 - the agreed name
    """Write a report in one of SUFFIXES; the same report always gives the same bytes.

    Raises BadInput: no such format.
    """
    match format:
        case "pdf":
            from inspector.export.pdf import pdf  # a second to import

            return pdf(report)
        case "svg" | "png":
            return picture(all_plots(report), format)
        case "html":
            return page(report)
        case "csv":
            return layers_csv(report)
        case "md":
            return summary(report)
        case "json":
            return report_json(report)
        case "trace":
            return chrome_trace(report)
        case "netron":
            return netron(report)
        case "model-explorer":
            return model_explorer(report)
    raise _unknown(format)


def export_comparison(
    found: Comparison,
    reports: Sequence[PerformanceReport],
    format: str,  # noqa: A002
) -> bytes:
    """Write several reports side by side as csv, md, svg or png. Raises BadInput."""
    from inspector.export.comparison_markdown import comparison_summary
    from inspector.export.comparison_plot import comparison_plot

    match format:
        case "csv":
            return comparison_csv(found)
        case "md":
            return comparison_summary(found)
        case "svg" | "png":
            return picture(comparison_plot(found, reports), format)
    raise BadInput(
        "Could not export",
        f"several reports have no form '{format}'",
        "Use csv, md, svg or png, or export each report.",
    )


def picture(drawing: Drawing, format: str) -> bytes:  # noqa: A002
    """A drawing as "svg" or "png"."""
    if format == "svg":
        return svg(drawing)
    from inspector.export.drawn_png import png

    return png(drawing)


def _unknown(name: str) -> BadInput:
    known = ", ".join(SUFFIXES)
    return BadInput("Could not export", f"there is no format '{name}'", f"Use {known}.")
