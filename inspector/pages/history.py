"""The page of past reports: a row for each, and where a model became slower or faster."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from inspector import units
from inspector.analysis.measured.history import PastReport, in_series, latency_changes
from inspector.analysis.measured.tuning_results import in_time
from inspector.pages.blocks import Chart, Limits, Page, Section, Text
from inspector.pages.charts.drawing import Drawing
from inspector.pages.charts.trend_plot import QUANTITIES, Quantity, trend_plot
from inspector.pages.lists.past_reports import report_table
from inspector.statistics.change_points import FEWEST, ChangePoint
from inspector.wording.values import Count, Duration, Joined, Name, Sentence, Tone, Value

_NEWEST = 30  # reports in a terminal, unless all are wanted
_LEAST_REPORTS = 2 * FEWEST  # with fewer of them no change can be found


def history_page(
    reports: Sequence[PastReport], everything: bool = False, filtered: bool = False
) -> Page:
    """Return the page. reports: the oldest first. everything: whether a terminal lists all.
    filtered: whether only some of the saved reports were asked for."""
    title = Count(len(reports), "report")
    if not reports:
        hint = (
            "Measure a model in the window, or add reports with `inspector history --add PATH`."
        )
        if filtered:
            hint = "No saved report matches. `inspector history` lists all."
        return Page("history", title, (Section("reports", "", (Text(hint),)),))
    several = [series for series in in_series(reports) if len(series) > 1]
    trends = (_trend(f"trend-{number}", series) for number, series in enumerate(several))
    table = report_table(reports[::-1])
    problems = (report.problem for report in reports[::-1])
    rows = zip(table.rows, problems, strict=True)
    limits = Limits(100_000 if everything else _NEWEST, 1000, 100_000)
    table = replace(
        table, limits=limits, rest="`--all` lists all",
        rows=tuple(replace(row, details=Name(problem)) for row, problem in rows),
    )  # fmt: skip
    return Page("history", title, (Section("reports", "", (table,)), *trends))


def _trend(id_: str, series: Sequence[PastReport]) -> Section:
    """Return how the latency of one model, device, settings and machine went."""
    title, count = series_title(series), Count(len(series), "report")
    changes = latency_changes(series)
    chart = trend_chart(series, changes)
    return Section(id_, title, (chart, *changes_text(series, changes)), aside=count)


def series_title(series: Sequence[PastReport]) -> Sentence:
    """Return what the reports of a series have in common: "net.onnx on CPU, threads 1"."""
    newest = series[-1]
    place = (devices_text(newest.device), Name(newest.settings_text), Name(newest.machine))
    where: dict[str, Value] = {
        "model": Name(newest.model),
        "place": Joined(tuple(part for part in place if part not in ("", Name("")))),
    }
    return Sentence("{model} on {place}", **where)


def devices_text(devices: str) -> str:
    """Return the devices of a past report, such as "CUDA + CPU" of "cuda, cpu"."""
    return " + ".join(map(units.device, devices.split(", ")))


def trend_chart(
    series: Sequence[PastReport],
    changes: Sequence[ChangePoint],
    quantity: Quantity = QUANTITIES[0],
) -> Chart:
    """Return how a quantity of a series went; the key of a report is its place in it."""

    def draw(width: float) -> Drawing:
        return trend_plot(series, changes, width, quantity)

    line = tuple(getattr(each, quantity.field) for each in series)
    return Chart(
        "trend", draw, Sentence("{quantity}, oldest to newest", quantity.title), line=line
    )


def changes_text(
    series: Sequence[PastReport], changes: Sequence[ChangePoint]
) -> Iterator[Text]:
    """Yield what changed in a series, the oldest change first, or that nothing did."""
    for change in changes:
        at = series[change.at]
        values: dict[str, Value] = {
            "begin": at.moment,
            "end": series[change.end - 1].moment,
            "change": in_time(units.time_change(change.ratio)),
            "interval": units.time_change_range(change.low, change.high),
        }
        when = "Since {begin}" if change.end >= len(series) else "From {begin} to {end}"
        tone = Tone.CAUTION if change.slower else Tone.GOOD
        yield Text(
            Sentence(f"{when}: {{change}} than before (95% CI: {{interval}})", **values), tone
        )
    if changes and changes[-1].end < len(series):
        newest = {"median": Duration(series[-1].p50_ns)}
        yield Text(Sentence("The newest report is back at {median}.", **newest))
    if not changes:
        few = len(series) < _LEAST_REPORTS
        yield Text("Too few reports to find changes" if few else "No change found")
