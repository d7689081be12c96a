"""The page of a team's results: models and machines, verdicts, trends, links to reports."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from msgspec.structs import replace

from inspector.analysis.measured.history import PastReport, latency_changes
from inspector.analysis.verdicts.results import Results, Series
from inspector.pages.blocks import (
    Block,
    Column,
    Limits,
    Page,
    Rank,
    Row,
    Section,
    Side,
    Table,
    Text,
)
from inspector.pages.history import changes_text, series_title, trend_chart
from inspector.pages.lists.past_reports import devices_of, median_of, seconds_of
from inspector.statistics.significance import Verdict
from inspector.wording.values import (
    Change,
    Count,
    Curve,
    Joined,
    Link,
    Name,
    Noted,
    Sentence,
    Tone,
    Toned,
    Value,
)

_TONES = {Verdict.FASTER: Tone.GOOD, Verdict.SLOWER: Tone.BAD}
_ALL = Limits(40, 100, 100_000, 500)
_MODEL = Column("model", "Model", stretch=True, files=True, filtered=True)
_CELL = "Median latency of the newest report, and its change where the verdict has one"
_AUTHOR = "Member of the lab that asked for the measurement"
_CHANGED = "Settings that differ from the defaults"
_SETTINGS = Column("settings", "Settings", keep=2, help=_CHANGED)
_REPORT = (
    Column("created", "Date", falling=True),
    _MODEL,
    Column("device", "Device", keep=7),
    _SETTINGS,
    Column("machine", "Machine", keep=6, filtered=True),
    Column("median", "Median", Side.RIGHT, help="Median latency of a run"),
)
# Sections with trends, by what the reports of a series share.
_Ids = Mapping[tuple[str, str, str, str], str]


def results_page(results: Results) -> Page:
    """Return the page."""
    series, reports = results.series, results.reports
    if not reports:
        return Page("results", "Results", (Section("newest", "", (Text("No reports."),)),))
    ids = {
        each.newest.series: f"trend-{place}"
        for place, each in enumerate(series)
        if len(each.reports) > 1
    }
    machines = dict.fromkeys(each.newest.machine for each in series)
    columns = (
        *_REPORT,
        Column("verdict", "Against the baseline", Side.LEFT, keep=8,
               help="By 95% confidence intervals"),
        Column("baseline", "Baseline", keep=1, help="Report that this one is compared with"),
        Column("trend", "Trend", Side.LEFT, keep=4, help="Medians, oldest to newest"),
        *_author_column(results),
    )  # fmt: skip
    rows = tuple(_newest_row(results, each, ids) for each in results.series)
    table = Table(columns, rows, _ALL, "result", sorted_by="created")
    tagged = Name(f"#{results.tag}")
    note = Sentence(
        "The newest report of each model, device, settings and machine. Its baseline is the "
        "newest other one with the tag {tag}, else the oldest.", tagged,
    )  # fmt: skip
    sections = (
        _matrix(series, tuple(machines), ids),
        Section("newest", "Newest results", (table, Text(note, Tone.SECONDARY))),
        Section("trends", "Trends", tuple(_trends(series, ids))),
        _every_report(results, reports),
    )  # fmt: skip
    title = Sentence(
        "Results of {models} on {machines}",
        Count(len({each.newest.model for each in series}), "model"),
        Count(len(machines), "machine"),
    )
    days = Joined(dict.fromkeys((reports[-1].day, reports[0].day)), " to ")
    subtitle = Sentence("{reports}, {days}", Count(len(reports), "report"), days)
    return Page("results", title, sections, _verdict(series), subtitle)


def _verdict(series: Sequence[Series]) -> Text | None:
    """Return how many of the newest reports differ from their baseline."""
    verdicts = [each.verdict for each in series if each.verdict is not None]
    if not verdicts:
        return None
    kinds = Counter(each.verdict for each in verdicts if each.decided)
    slower, faster = kinds[Verdict.SLOWER], kinds[Verdict.FASTER]
    text = Sentence(
        "Against the baseline: {slower} slower, {faster} faster, {same} unchanged, "
        "{open} inconclusive.",
        *map(Count, (slower, faster, kinds[Verdict.SAME], len(verdicts) - kinds.total())),
    )
    return Text(text, Tone.BAD if slower else Tone.GOOD if faster else Tone.PLAIN)


def _matrix(series: Sequence[Series], machines: Sequence[str], ids: _Ids) -> Section:
    """Return the newest result of each model on each machine; nothing of a single machine."""
    if len(machines) < 2:
        return Section("matrix", "", ())
    columns = (
        _MODEL,
        Column("device", "Device"),
        _SETTINGS,
        *(Column(f"machine-{place}", Name(machine), Side.RIGHT, help=_CELL)
          for place, machine in enumerate(machines)),
    )  # fmt: skip

    def kind(each: Series) -> tuple[str, ...]:
        return each.newest.series[:3]

    rows = []
    for _, group in groupby(sorted(series, key=kind), key=kind):
        there = {each.newest.machine: each for each in group}
        newest = next(iter(there.values())).newest
        cells = (_cell(there[name], ids) if name in there else "" for name in machines)
        rows.append(Row((
            Name(newest.model), devices_of(newest), Name(newest.settings_text), *cells,
        )))  # fmt: skip
    table = Table(columns, tuple(rows), _ALL, "row", sorted_by="model")
    return Section("matrix", "Models and machines", (table,))


def _cell(series: Series, ids: _Ids) -> Value:
    newest, verdict = series.newest, series.verdict
    parts = [median_of(newest)]
    if verdict is not None and verdict.verdict in _TONES:
        parts.append(Toned(Change(verdict.ratio), _TONES[verdict.verdict]))
    parts.append(_curve(series))
    value = Joined((part for part in parts if part), " ")
    target = ids.get(newest.series, "")
    return Link(value, f"#{target}") if target else value


def _curve(series: Series) -> Value:
    known = tuple(each.p50_ns for each in series.reports if each.p50_ns)
    return Curve(known) if len(known) > 1 else ""


def _newest_row(results: Results, series: Series, ids: _Ids) -> Row:
    newest, baseline, verdict = series.newest, series.baseline, series.verdict
    against: Value = ""
    if verdict is not None:
        against = verdict.text()
        if verdict.verdict in _TONES:
            against = Toned(against, _TONES[verdict.verdict])
    elif baseline is not None:
        against = "A report cannot be read"
    count: Value = Count(len(series.reports), "report")
    trend = Joined((part for part in (_curve(series), count) if part), " ")
    target = ids.get(newest.series, "")
    return Row((
        *_report_cells(results, newest),
        against,
        _date(results, baseline) if baseline is not None else "",
        Link(trend, f"#{target}") if target else trend,
        *_author(results, newest),
    ))  # fmt: skip


def _trends(series: Sequence[Series], ids: _Ids) -> Iterator[Block]:
    for each in series:
        if id_ := ids.get(each.newest.series):
            yield Text(series_title(each.reports), strong=True)
            changes = latency_changes(each.reports)
            yield replace(trend_chart(each.reports, changes), id=id_)
            yield from changes_text(each.reports, changes)


def _every_report(results: Results, reports: Sequence[PastReport]) -> Section:
    columns = (*_REPORT, Column("tags", "Tags and note", keep=5), *_author_column(results))
    rows = tuple(
        Row((*_report_cells(results, each), Name(each.marks), *_author(results, each)))
        for each in reports
    )
    table = Table(columns, rows, _ALL, "report", sorted_by="created")
    count = Count(len(rows), "report")
    return Section("reports", "All reports", (table,), Rank.FOLDED, aside=count)


def _report_cells(results: Results, report: PastReport) -> tuple[Value, ...]:
    """Return the cells of the columns `_REPORT`."""
    name, settings, machine = map(Name, (report.model, report.settings_text, report.machine))
    date, median = _date(results, report), median_of(report)
    return date, name, devices_of(report), settings, machine, median


def _date(results: Results, report: PastReport) -> Value:
    date = Noted(report.moment, order=seconds_of(report))
    target = results.links.get(report.path, "")
    return Link(date, target) if target else date


def _author_column(results: Results) -> Iterator[Column]:
    if results.authors:
        yield Column("author", "Measured by", keep=6, filtered=True, help=_AUTHOR)


def _author(results: Results, report: PastReport) -> Iterator[Value]:
    if results.authors:
        yield Name(results.authors.get(report.path, ""))
