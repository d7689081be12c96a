"""inspector history: list past reports, and say where a model became slower or faster."""

import argparse
from pathlib import Path

from inspector.cli.options.option_types import size_in_bytes
from inspector.cli.options.results_page import add_results_page

SCHEMA = "history/1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument(
        "beginning",
        nargs="?",
        default="",
        metavar="MODEL",
        help="list only reports on models whose file name or SHA-256 starts with this text",
    )
    parser.add_argument(
        "--add",
        action="append",
        type=Path,
        default=[],
        metavar="PATH",
        help="add a report or a folder of reports, such as CI job artifacts; the files stay "
        "where they are",
    )
    parser.add_argument(
        "--tag",
        action="append",
        default=[],
        metavar="REPORT=TAG",
        help="tag a report, such as 'old.json=baseline'",
    )
    parser.add_argument(
        "--note", metavar="REPORT=TEXT", help="set a report's note; an empty string removes it"
    )
    parser.add_argument(
        "--untag",
        action="append",
        default=[],
        metavar="REPORT=TAG",
        help="remove a tag from a report",
    )
    parser.add_argument(
        "--remove",
        action="append",
        type=Path,
        default=[],
        metavar="REPORT",
        help="delete a report from the library, after confirmation; a report stored elsewhere "
        "is no longer listed, but its file is kept",
    )
    parser.add_argument(
        "--prune",
        type=size_in_bytes,
        metavar="SIZE",
        help="delete the oldest library reports that have no tag or note, after confirmation, "
        "until the library takes up at most SIZE, such as 200MB",
    )
    parser.add_argument(
        "--yes",
        action="store_true",
        help="delete without asking; required if no terminal is available",
    )
    parser.add_argument("--tagged", metavar="TAG", help="only reports with this tag")
    parser.add_argument(
        "--all", action="store_true", help="list all reports instead of the newest 30"
    )
    page = parser.add_argument_group("page for a team")
    add_results_page(page)
    page.add_argument(
        "--from",
        dest="places",
        action="append",
        type=Path,
        default=[],
        metavar="PATH",
        help="read reports from a file or folder instead of the library; repeatable",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help=f"print JSON (schema {SCHEMA})")
    form.add_argument("--csv", action="store_true", help="print all reports as CSV")
