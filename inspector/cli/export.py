"""inspector export: turn reports into pages, pictures, tables, texts and traces."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from inspector import units
from inspector.cli.terminal import write_bytes
from inspector.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Sequence

FORMATS = (
    "html", "pdf", "csv", "md", "json", "trace", "svg", "png", "netron", "model-explorer",
)  # fmt: skip
PLOTS = (
    "summary", "series", "histogram", "layers", "timeline", "phases", "memory", "throughput",
    "roofline", "heat", "lines", "choice", "comparison",
)  # fmt: skip
_PICTURES = ("svg", "png")
_OF_SWEEPS = ("heat", "lines", "choice")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the parser what this command takes."""
    parser.add_argument(
        "reports",
        type=Path,
        nargs="+",
        metavar="REPORT",
        help="saved by measure -o, for heat, lines, choice by sweep -o; several are compared",
    )
    parser.add_argument(
        "--format",
        choices=FORMATS,
        required=True,
        metavar="FORMAT",
        help="html: one page that opens anywhere; pdf: for paper; csv: a row a layer; md: for "
        "a pull request; json: the report and what follows from it; trace: for Perfetto; svg, "
        "png: plots; netron, model-explorer: times to drop onto the model there",
    )
    which = f"which picture, for svg and png: {', '.join(PLOTS)}"
    parser.add_argument("--plot", choices=PLOTS, metavar="PLOT", help=which)
    parser.add_argument(
        "--table", choices=("layers", "samples"), help="which table, for csv; default: layers"
    )
    parser.add_argument(
        "-o",
        dest="output",
        metavar="PATH",
        help="where to; '-' is standard output; default: beside the report",
    )


def run(options: argparse.Namespace) -> None:
    """Write one export. Raises InspectorError: no report, or it cannot be saved."""
    from inspector import files

    _check(options)
    body = _content(options)
    if options.output == "-":
        write_bytes(body)
        return
    target = Path(options.output) if options.output else _default(options)
    if files.exists(target) and any(target.samefile(one) for one in options.reports):
        raise BadInput(
            f"Could not save {target.name}",
            "that is the report itself, which would be lost",
            "Choose another name with -o.",
        )
    files.write_atomic(target, body)
    print(f"Saved {units.visible(target)} ({units.size(len(body))})")


def _check(options: argparse.Namespace) -> None:
    """Raises BadInput: settings that do not go together."""
    what, several = "Could not export", len(options.reports) > 1
    if options.plot and options.format not in _PICTURES:
        raise BadInput(what, "--plot is for svg and png", "Use --format svg or png.")
    if options.table and options.format != "csv":
        raise BadInput(what, "--table is for csv", "Use --format csv.")
    if several and (options.table or options.plot not in (None, "comparison")):
        raise BadInput(what, "several reports are compared as a whole", "Name one report.")
    if options.plot == "comparison" and not several:
        raise BadInput(what, "a comparison needs two reports or more")


def _content(options: argparse.Namespace) -> bytes:
    from inspector.export import TABLES, export, picture
    from inspector.report import load

    first = options.reports[0]
    if options.plot in _OF_SWEEPS:
        from inspector import sweep
        from inspector.export import sweep_plot

        return picture(sweep_plot.plot(sweep.load(first), options.plot), options.format)
    if len(options.reports) > 1:
        return _compared(options.reports, options.format)
    report = load(first)
    if options.plot:
        from inspector.export.plots import plot

        return picture(plot(report, options.plot), options.format)
    if options.table:
        return TABLES[options.table](report)
    return export(report, options.format)


def _compared(paths: "Sequence[Path]", form: str) -> bytes:
    from inspector.compare import compare
    from inspector.export import export_comparison
    from inspector.report import load

    reports = [load(path) for path in paths]
    found = compare(reports, [units.clip(path.name) for path in paths])
    return export_comparison(found, reports, form)


def _default(options: argparse.Namespace) -> Path:
    part = options.plot or options.table or ""
    if len(options.reports) > 1:
        part = "comparison"
    return beside(options.reports[0], options.format, part)


def beside(report: Path, name: str, part: str = "") -> Path:
    """Where an export goes when nobody says: the report's name with the format's suffix.

    part: which plot or table of it, so that several lie beside each other.
    """
    from inspector.export import SUFFIXES

    stem = report.name.removesuffix(".json").removesuffix(".report") or report.name
    return report.with_name(stem + (f".{part}" if part else "") + SUFFIXES[name])
