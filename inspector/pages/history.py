"""The page of past reports: a row for each, and where a model became slower or faster."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from inspector import units
from inspector.analysis.measured.tuning_results import in_time
from inspector.export.charts.curves import curve_plot, over_reports
from inspector.export.charts.drawing import Drawing
from inspector.pages.blocks import (
    Block,
    Chart,
    Column,
    Limits,
    Page,
    Row,
    Section,
    Side,
    Table,
    Text,
)
from inspector.report.history import PastReport, in_series, latency_changes
from inspector.statistics.change_points import FEWEST, ChangePoint
from inspector.wording.values import (
    Count,
    Duration,
    DurationRange,
    Joined,
    Name,
    Sentence,
    Tone,
    Value,
)

_NEWEST = 30  # reports in a terminal, unless all are wanted
_DATE = 16  # 2026-11-26T14:05
_LEAST_REPORTS = 2 * FEWEST  # with fewer of them no change can be found


def history_page(reports: Sequence[PastReport], everything: bool = False) -> Page:
    """Return the page. reports: the oldest first. everything: whether a terminal lists all."""
    title = Count(len(reports), "report")
    if not reports:
        empty = Text("Measure a model in the window, or add reports with `--add PATH`.")
        return Page("history", title, (Section("reports", "", (empty,)),))
    several = [series for series in in_series(reports) if len(series) > 1]
    trends = (_trend(f"trend-{number}", series) for number, series in enumerate(several))
    return Page("history", title, (_reports(reports, everything), *trends))


def _reports(reports: Sequence[PastReport], everything: bool) -> Section:
    columns: tuple[Column, ...] = (
        Column("created", "Created"),
        Column("median", "Median", Side.RIGHT),
        Column("interval", "95% interval", Side.RIGHT, keep=5),
        Column("model", "Model", stretch=True),
        Column("device", "Device", keep=7),
        Column("settings", "Settings", keep=3),
        Column("tags", "Tags", keep=6),
        Column("note", "Note", keep=4),
    )
    rows = tuple(
        Row(tuple(_report(each)), details=Name(each.problem)) for each in reports[::-1]
    )
    # Most people never tag or note anything: such columns would be empty.
    used = [place for place in range(len(columns)) if any(row.cells[place] for row in rows)]
    columns = tuple(columns[place] for place in used)
    rows = tuple(replace(row, cells=tuple(row.cells[p] for p in used)) for row in rows)
    limits = Limits(100_000 if everything else _NEWEST, 1000, 100_000)
    table = Table(columns, rows, limits, "report", rest="`--all` lists all")
    return Section("reports", "", (table,))


def _report(report: PastReport) -> Iterator[Value]:
    if report.problem:
        yield from ("", "", "", Name(report.path.name), "", "", "", "")
        return
    yield moment(report)
    yield Duration(report.p50_ns)
    yield DurationRange(report.low_ns, report.high_ns) if report.high_ns else ""
    yield Name(report.model)
    yield device_text(report)
    for text in (report.settings_text, " ".join(f"#{tag}" for tag in report.tags), report.note):
        yield Name(text) if text else ""


def _trend(id_: str, series: Sequence[PastReport]) -> Section:
    """Return how the latency of one model, device, settings and machine went."""
    newest = series[-1]
    place = (device_text(newest), Name(newest.settings_text), Name(newest.machine))
    where: dict[str, Value] = {
        "model": Name(newest.model),
        "place": Joined(tuple(part for part in place if part not in ("", Name("")))),
    }
    title = Sentence("{model} on {place}", where)
    count = Count(len(series), "report")
    chart = Chart(
        "trend", partial(_drawn, tuple(series)), "median latency, oldest to newest",
        tuple(each.p50_ns for each in series),
    )  # fmt: skip
    blocks: tuple[Block, ...] = (chart, *changes_text(series, latency_changes(series)))
    return Section(id_, title, blocks, aside=count)


def changes_text(
    series: Sequence[PastReport], changes: Sequence[ChangePoint]
) -> Iterator[Text]:
    """Yield what changed in a series, the oldest change first, or that nothing did."""
    for change in changes:
        at = series[change.at]
        values: dict[str, Value] = {
            "begin": moment(at),
            "end": moment(series[change.end - 1]),
            "change": in_time(units.time_change(change.ratio)),
            "interval": units.time_change_range(change.low, change.high),
        }
        when = "Since {begin}" if change.end >= len(series) else "From {begin} to {end}"
        tone = Tone.CAUTION if change.slower else Tone.GOOD
        yield Text(
            Sentence(f"{when}: {{change}} than before (95% CI: {{interval}})", values), tone
        )
    if changes and changes[-1].end < len(series):
        newest = {"median": Duration(series[-1].p50_ns)}
        yield Text(Sentence("The newest report is back at {median}.", newest))
    if not changes:
        few = len(series) < _LEAST_REPORTS
        yield Text("Too few reports to find changes" if few else "No change found")


def device_text(report: PastReport) -> str:
    """Return the devices that a model ran on: "WebGPU 0 + CPU"."""
    return " + ".join(map(units.device, report.device.split(", ")))


def moment(report: PastReport) -> str:
    """Return when a report was made, to the minute."""
    return report.created[:_DATE].replace("T", " ")


def _drawn(series: Sequence[PastReport], width: float) -> Drawing:
    return curve_plot("Trend", over_reports(series))
