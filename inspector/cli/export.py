"""inspector export: turn a report into a page, a table, a text or a trace."""

import argparse
import sys
from pathlib import Path

from inspector import units
from inspector.errors import BadInput

FORMATS = ("html", "csv", "md", "json", "trace", "svg", "netron", "model-explorer")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the parser what this command takes."""
    parser.add_argument("report", type=Path, metavar="REPORT", help="saved by measure -o")
    parser.add_argument(
        "--format",
        choices=FORMATS,
        required=True,
        help="html: one page that opens anywhere; csv: a row a layer; md: for a pull request; "
        "json: the report and what follows from it; trace: for Perfetto; svg: the plots; "
        "netron, model-explorer: times to drop onto the model there",
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
    from inspector.export import export
    from inspector.report import load

    body = export(load(options.report), options.format)
    if options.output == "-":
        sys.stdout.buffer.write(body)
        return
    target = Path(options.output) if options.output else beside(options.report, options.format)
    if target.exists() and target.samefile(options.report):
        raise BadInput(
            f"Could not save {target.name}",
            "that is the report itself, which would be lost",
            "Choose another name with -o.",
        )
    files.write_atomic(target, body)
    print(f"Saved {target} ({units.size(len(body))})")


def beside(report: Path, name: str) -> Path:
    """Where an export goes when nobody says: the report's name with the format's suffix."""
    from inspector.export import SUFFIXES

    stem = report.name.removesuffix(".json").removesuffix(".report") or report.name
    return report.with_name(stem + SUFFIXES[name])
