"""Options of commands that make a page of many reports for a team."""

from pathlib import Path

from inspector.cli.options.option_types import Options, address


def add_results_page(group: Options) -> None:
    """Add -o, --baseline, --with-reports and --serve."""
    group.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="PAGE",
        help="save a page (.html, .pdf or .md): models and machines, the newest results with "
        "their verdicts, trends, and links to the reports below the folder of the page",
    )
    group.add_argument(
        "--baseline",
        default="baseline",
        metavar="TAG_OR_REPORT",
        help="compare the newest report of each series with the newest other one that has this "
        "tag, or with this file, else with its oldest (default: baseline)",
    )
    group.add_argument(
        "--with-reports",
        action="store_true",
        help="also write each report as a web page into a folder next to PAGE, and link to it",
    )
    group.add_argument(
        "--serve",
        type=address,
        metavar="[HOST:]PORT",
        help="serve the page with its reports over HTTP until stopped; it shows new reports "
        "when it is loaded again (default of HOST: 127.0.0.1)",
    )
