"""inspector export: export a report as a web page, table, plot or trace."""

import argparse
from pathlib import Path

from inspector.render import registry
from inspector.render.registry import Subject

PLOTS = (
    "summary", "series", "histogram", "layers", "timeline", "phases", "memory", "throughput",
    "roofline", "heat", "lines", "choice", "machines", "comparison",
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument(
        "reports",
        type=Path,
        nargs="+",
        metavar="REPORT",
        help="report saved by 'measure -o', or a sweep saved by 'sweep -o' (html, pdf, md, "
        "csv, and the plots heat, lines, choice and machines); several reports are exported "
        "as one comparison",
    )
    parser.add_argument(
        "--format",
        choices=tuple(each.id for each in registry.formats_of(Subject.REPORT)),
        metavar="FORMAT",
        help=f"file format (default: from the suffix of -o): {_format_list()}",
    )
    parser.set_defaults(usage_error=parser.error)
    plots = f"plot to draw, with --format svg or png: {', '.join(PLOTS)}"
    parser.add_argument("--plot", choices=PLOTS, metavar="PLOT", help=plots)
    parser.add_argument(
        "--table",
        choices=tuple(registry.TABLES),
        help="table to write with --format csv (default: layers)",
    )
    parser.add_argument(
        "--include-preview",
        action="store_true",
        help="include the input image, if the report has one from Preview",
    )
    parser.add_argument(
        "-o",
        dest="output",
        metavar="PATH",
        help="output file; '-' is standard output (default: next to the report)",
    )


def _format_list() -> str:
    """Return every format of a report with its use: 'html (one page ...), pdf (...)'."""
    formats = registry.formats_of(Subject.REPORT)
    return ", ".join(f"{each.id} ({each.summary})" for each in formats)
