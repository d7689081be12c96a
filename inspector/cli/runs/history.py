"""inspector history: list past reports, and say where a model became slower or faster."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from inspector import units
from inspector.analysis.measured.history import History, PastReport, in_series, latency_changes
from inspector.analysis.verdicts.results import BASELINE
from inspector.app.sharing.results import gathered, links_beside, reports_in, save_report_pages
from inspector.app.sharing.site import ResultsSite, Shared
from inspector.cli import pages
from inspector.cli.commands.history import SCHEMA
from inspector.cli.progress import Progress
from inspector.errors import BadInput, Cancelled
from inspector.pages.history import history_page
from inspector.platform.settings import library_folder
from inspector.render.registry import Subject, format_for, save_as
from inspector.render.tables.history_csv import history_csv, history_row


def run(options: argparse.Namespace) -> None:
    """Print the reports. Raises InspectorError: a path or the index is no good."""
    history = History(library_folder())
    if options.add:
        history.add(options.add)
    for text in options.tag:
        report, tag = _pair(text, "--tag")
        history.mark(report, tags=[tag])
    for text in options.untag:
        report, tag = _pair(text, "--untag")
        history.mark(report, untag=[tag])
    if options.note is not None:
        report, note = _pair(options.note, "--note")
        history.mark(report, note=note)
    if options.remove or options.prune is not None:
        _remove(history, options)
    with Progress(sys.stderr) as progress:

        def show(done: int, of: int) -> None:
            progress.about = f"reading new reports: {done:,} of {of:,}"

        reports = _reports(history, options, show)
    if options.tagged:
        reports = tuple(each for each in reports if options.tagged in each.tags)
    if options.json:
        rows, changes = [history_row(each) for each in reports], list(_changes_json(reports))
        print(json.dumps({"schema": SCHEMA, "reports": rows, "changes": changes}, indent=1))
    elif options.csv:
        sys.stdout.write(history_csv(reports))
    elif options.serve:
        shared = lambda: Shared(_reports(history, options), {})  # noqa: E731
        serve(ResultsSite(options.serve, history.folder, shared, options.baseline))
    elif options.output:
        save_results(options.output, reports, options.baseline, options.with_reports)
    else:
        filtered = bool(options.beginning or options.tagged)
        pages.show(history_page(reports, options.all, filtered))


def save_results(
    page: Path,
    reports: Sequence[PastReport],
    tag: str = BASELINE,
    with_reports: bool = False,
    authors: Mapping[Path, str] | None = None,
) -> None:
    """Save the page of a team's results. Raises BadInput, NotSaved."""
    format_for(Subject.RESULTS, page)  # before reports are read
    if not reports:
        hint = "`inspector history` lists all reports."
        raise BadInput(f"Could not save {page.name}", "no report matches", hint)
    links = links_beside(page, reports)
    if with_reports:
        links = save_report_pages(page, reports)
    save_as(Subject.RESULTS, page, gathered(reports, tag, authors, links))
    print(f"Saved {units.visible(page)} ({units.plural(len(reports), 'report')})")


def serve(site: ResultsSite) -> None:
    """Print the link of a site, and serve it until it is stopped."""
    print(f"Serving the results at {site.link}", flush=True)
    try:
        site.run()
    except KeyboardInterrupt as stop:
        raise Cancelled("Stopped") from stop
    finally:
        site.close()


def _reports(
    history: History,
    options: argparse.Namespace,
    show: Callable[[int, int], object] = lambda done, of: None,
) -> tuple[PastReport, ...]:
    if options.places:
        return reports_in(options.places, options.beginning, show)
    return history.reports(options.beginning, show)


def _pair(text: str, option: str) -> tuple[Path, str]:
    """Split REPORT=VALUE. Raises BadInput: it is not of that form, or no such file."""
    name, equals, value = text.partition("=")
    if not equals or not Path(name).is_file():
        why = f"there is no file {name}" if equals else "it has no '='"
        raise BadInput(f"Could not use {option} {text}", why, "Use the form REPORT=TEXT.")
    return Path(name), value


def _remove(history: History, options: argparse.Namespace) -> None:
    """Delete what --remove and --prune name, once the user agrees."""
    files = [path.resolve() for path in options.remove]
    missing = [path for path in files if not path.is_file()]
    if missing:
        raise BadInput(f"Could not remove {missing[0]}", "there is no such file")
    size_bytes = sum(path.stat().st_size for path in files if history.is_own(path))
    if options.prune is not None:
        surplus = history.oldest_over(options.prune)
        files += [report.path for report, _ in surplus if report.path not in files]
        size_bytes += sum(size for _, size in surplus)
    own = [path for path in files if history.is_own(path)]
    if own and not options.yes:
        count = units.plural(len(own), "report")
        if not (sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()):
            what = f"Could not delete {count}"
            why = "deleting requires confirmation, but there is no terminal to ask in"
            raise BadInput(what, why, "Add --yes to delete without asking.")
        sys.stderr.write(f"Delete {count} ({units.size(size_bytes)}) for good? [y/N] ")
        sys.stderr.flush()
        if sys.stdin.readline().strip().lower() not in ("y", "yes"):
            raise Cancelled("Stopped")
    history.remove(files)


def _changes_json(reports: Sequence[PastReport]) -> Iterator[dict[str, object]]:
    for series in in_series(reports):
        for change in latency_changes(series):
            at = series[change.at]
            yield {
                "model": at.model,
                "device": at.device,
                "settings": at.settings,
                "machine": at.machine,
                "from": at.created,
                "to": series[change.end - 1].created if change.end < len(series) else None,
                "path": str(at.path),
                "ratio": change.ratio,
                "low": change.low,
                "high": change.high,
            }
