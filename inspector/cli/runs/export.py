"""inspector export: export a report as a web page, table, plot or trace."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from inspector import units
from inspector.comparison.comparison import compare
from inspector.errors import BadInput
from inspector.pages.charts import sweep_plot
from inspector.pages.charts.report_plots import plot
from inspector.platform import files
from inspector.platform.terminal import write_bytes
from inspector.render import registry
from inspector.render.registry import Subject
from inspector.report import sweep
from inspector.report.report import load

_PICTURES = ("svg", "png")
_SWEEP_PLOTS = ("heat", "lines", "choice", "machines")


def run(options: argparse.Namespace) -> None:
    """Write one export. Raises InspectorError: no report, or it cannot be saved."""
    named = None if options.output in (None, "", "-") else Path(options.output)
    if named and files.exists(named) and any(map(named.samefile, options.reports)):
        why = "this would overwrite the report itself"
        what = f"Could not save {named.name}"
        raise BadInput(what, why, "Choose another name with -o.")
    subject = _subject(options)
    options.format = _format_of(options, named, subject)
    _check(options)
    body = _content(options, subject)
    if options.output == "-":
        write_bytes(body)
        return
    target = named or _default(options, subject)
    files.write_atomic(target, body)
    print(f"Saved {units.visible(target)} ({units.size(len(body))})")


def _subject(options: argparse.Namespace) -> Subject:
    alone = len(options.reports) == 1 and not options.plot and not options.table
    return Subject.SWEEP if alone and _is_sweep(options.reports[0]) else Subject.REPORT


def _format_of(options: argparse.Namespace, named: Path | None, subject: Subject) -> str:
    """Return the format that is asked for, or that the output's name stands for; where there
    is neither, or they differ, it is a usage error."""
    form: str = options.format or ""
    if named is None:
        if not form:
            options.usage_error("give a --format, or -o FILE such as report.html")
        return form
    try:
        return registry.format_for(subject, named, form).id
    except BadInput as error:
        options.usage_error(f"{error}")
        raise


def _check(options: argparse.Namespace) -> None:
    """Raise BadInput for options that exclude each other."""
    what, several = "Could not export", len(options.reports) > 1
    if options.plot and options.format not in _PICTURES:
        raise BadInput(
            what, "--plot requires the format svg or png", "Use --format svg or --format png."
        )
    if options.table and options.format != "csv":
        raise BadInput(what, "--table requires the format csv", "Use --format csv.")
    if several and (options.table or options.plot not in (None, "comparison")):
        raise BadInput(
            what, "several reports can be exported only as a comparison", "Specify one report."
        )
    if options.plot == "comparison" and not several:
        raise BadInput(what, "a comparison needs at least two reports")


def _content(options: argparse.Namespace, subject: Subject) -> bytes:
    first = options.reports[0]
    if options.plot in _SWEEP_PLOTS:
        return registry.picture(
            sweep_plot.plot(sweep.load(first), options.plot), options.format
        )
    if len(options.reports) > 1:
        return _comparison(options.reports, options.format)
    if subject is Subject.SWEEP:
        form = registry.format_of(subject, options.format)
        return bytes(form.writer(sweep.load(first)))
    report = load(first)
    if not options.include_preview:
        report = report.without_picture
    if options.plot:
        return registry.picture(plot(report, options.plot), options.format)
    if options.table:
        return bytes(registry.TABLES[options.table](report))
    return registry.export(report, options.format)


def _is_sweep(path: Path) -> bool:
    """Return whether a file begins as a saved sweep does; one that cannot be read does not."""
    try:
        with path.open("rb") as file:
            return sweep.SCHEMA.encode() in file.read(100)
    except OSError:
        return False


def _comparison(paths: Sequence[Path], form: str) -> bytes:
    reports = [load(path) for path in paths]
    comparison = compare(reports, [units.clip(path.name) for path in paths])
    return registry.export_comparison(comparison, reports, form)


def _default(options: argparse.Namespace, subject: Subject) -> Path:
    part = options.plot or options.table or ""
    if len(options.reports) > 1:
        part = "comparison"
    return default_path(options.reports[0], options.format, part, subject)


def default_path(
    report: Path, format_id: str, part: str = "", subject: Subject = Subject.REPORT
) -> Path:
    """Return the name of a report's export: that of the report with the format's suffix.

    part: the plot or table, so that several exports of one report have different names; what
    would have the name of the saved file itself is named by its subject.
    """
    stem = report.name.removesuffix(".json").removesuffix(".report") or report.name
    suffix = registry.format_of(subject, format_id).suffix
    path = report.with_name(stem + (f".{part}" if part else "") + suffix)
    return (
        report.with_name(f"{stem}.{subject.name.lower()}{suffix}") if path == report else path
    )
