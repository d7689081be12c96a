"""inspector history: list past reports, and say where a model became slower or faster."""

import argparse
import csv
import json
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.errors import BadInput

if TYPE_CHECKING:
    from inspector.report.history import PastReport
    from inspector.statistics.change_points import ChangePoint

SCHEMA = "history/1"
_SHOWN = 30  # reports in the list, unless asked for all
_BARS = "▁▂▃▄▅▆▇█"
_WIDEST_CURVE = 60
_DATE = 16  # 2026-11-26T14:05
_COLUMNS = (
    "created", "model", "device", "settings", "machine", "runtime", "p50_ns", "low_ns",
    "high_ns", "model_bytes", "memory_bytes", "tags", "note", "path", "problem",
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument(
        "beginning",
        nargs="?",
        default="",
        metavar="MODEL",
        help="only reports of this model: the start of its file name or SHA-256",
    )
    parser.add_argument(
        "--add",
        action="append",
        type=Path,
        default=[],
        metavar="PATH",
        help="add a report, or a folder with reports, such as artifacts of CI jobs; the "
        "files stay where they are",
    )
    parser.add_argument(
        "--tag",
        action="append",
        default=[],
        metavar="REPORT=TAG",
        help="tag a report, such as 'old.json=baseline'",
    )
    parser.add_argument(
        "--note",
        metavar="REPORT=TEXT",
        help="set a report's note; an empty text removes it",
    )
    parser.add_argument("--tagged", metavar="TAG", help="only reports with this tag")
    parser.add_argument(
        "--all", action="store_true", help=f"list all reports instead of the newest {_SHOWN}"
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help=f"print JSON (schema {SCHEMA})")
    form.add_argument("--csv", action="store_true", help="print all reports as CSV")


def run(options: argparse.Namespace) -> None:
    """Print the reports. Raises InspectorError: a path or the index is no good."""
    from inspector.cli.progress import Progress
    from inspector.report.history import History
    from inspector.report.library import default_folder

    history = History(default_folder())
    if options.add:
        history.add(options.add)
    for text in options.tag:
        report, tag = _pair(text, "--tag")
        history.mark(report, tags=[tag])
    if options.note is not None:
        report, note = _pair(options.note, "--note")
        history.mark(report, note=note)
    with Progress(sys.stderr) as progress:

        def show(done: int, of: int) -> None:
            progress.about = f"reading new reports: {done:,} of {of:,}"

        reports = history.reports(options.beginning, show)
    if options.tagged:
        reports = tuple(each for each in reports if options.tagged in each.tags)
    if options.json:
        rows, changes = [_row(each) for each in reports], list(_changes_json(reports))
        print(json.dumps({"schema": SCHEMA, "reports": rows, "changes": changes}, indent=1))
    elif options.csv:
        writer = csv.DictWriter(sys.stdout, _COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(_row(each) | {"tags": " ".join(each.tags)} for each in reports)
    else:
        print("\n".join(_lines(reports, everything=options.all)))


def _pair(text: str, option: str) -> tuple[Path, str]:
    """Split REPORT=VALUE. Raises BadInput: it is not of that form, or no such file."""
    name, equals, value = text.partition("=")
    if not equals or not Path(name).is_file():
        why = f"there is no file {name}" if equals else "it has no '='"
        raise BadInput(f"Could not use {option} {text}", why, "Write REPORT=TEXT.")
    return Path(name), value


def _row(report: "PastReport") -> dict[str, object]:
    values = {name: getattr(report, name) for name in _COLUMNS}
    return values | {"path": str(report.path), "tags": list(report.tags)}


def _lines(reports: Sequence["PastReport"], *, everything: bool) -> Iterator[str]:
    from inspector import units

    if not reports:
        yield "No reports. Measure a model in the window, or add reports with --add PATH."
        return
    shown = reports if everything else reports[-_SHOWN:]
    if len(shown) < len(reports):
        count = units.plural(len(reports), "report")
        yield f"The newest {len(shown)} of {count} (--all lists all):"
    for each in shown:
        yield _line(each)
    readable = [each for each in reports if not each.problem]
    for series in _series(readable):
        if len(series) > 1:
            yield ""
            yield from _trend(series)


def _line(report: "PastReport") -> str:
    from inspector import units

    if report.problem:
        return f"{'':{_DATE}}  {report.path.name}: {report.problem}"
    interval = (
        f" ({units.durations(round(report.low_ns), round(report.high_ns))})"
        if report.high_ns
        else ""
    )
    facts = (
        report.created[:_DATE].replace("T", " "),
        f"{units.duration(round(report.p50_ns)):>8}{interval}",
        report.model,
        report.device,
        _settings(report.settings),
        " ".join(f"#{tag}" for tag in report.tags),
        report.note,
    )
    return "  ".join(filter(None, facts))


def _settings(text: str) -> str:
    changed = json.loads(text) if text else {}
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in changed.items())


def _series(reports: Sequence["PastReport"]) -> Iterator[list["PastReport"]]:
    """Yield reports on one model with one device, settings and machine, oldest first."""
    ordered = sorted(reports, key=lambda each: (each.series, each.created))
    for _, group in groupby(ordered, key=lambda each: each.series):
        yield list(group)


def _trend(series: Sequence["PastReport"]) -> Iterator[str]:
    from inspector import units

    newest = series[-1]
    place = ", ".join(filter(None, (newest.device, _settings(newest.settings), newest.machine)))
    yield f"{newest.model} on {place}: {units.plural(len(series), 'report')}"
    yield f"  {_curve([each.p50_ns for each in series])}  median latency, oldest to newest"
    changes = _changes(series)
    for change in changes:
        at = series[change.at]
        word = units.time_change(change.ratio)
        between = units.time_change_range(change.low, change.high)
        since = at.created[:_DATE].replace("T", " ")
        yield f"  since {since}: {word} time (95% CI: {between})"
    if not changes:
        few = len(series) < 6
        yield "  too few reports to find changes" if few else "  no change found"


def _curve(values: Sequence[float]) -> str:
    last = values[-_WIDEST_CURVE:]
    low, high = min(last), max(last)
    scale = (len(_BARS) - 1) / (high - low) if high > low else 0.0
    return "".join(_BARS[round((value - low) * scale)] for value in last)


def _changes(series: Sequence["PastReport"]) -> tuple["ChangePoint", ...]:
    from inspector.statistics.change_points import change_points

    return change_points([each.p50_ns for each in series])


def _changes_json(reports: Sequence["PastReport"]) -> Iterator[dict[str, object]]:
    for series in _series([each for each in reports if not each.problem]):
        for change in _changes(series):
            at = series[change.at]
            yield {
                "model": at.model,
                "device": at.device,
                "settings": at.settings,
                "machine": at.machine,
                "from": at.created,
                "path": str(at.path),
                "ratio": change.ratio,
                "low": change.low,
                "high": change.high,
            }
