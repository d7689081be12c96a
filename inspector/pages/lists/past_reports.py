"""The reports of the library as a table, the newest first."""

from collections.abc import Sequence
from datetime import datetime
from math import nan

from inspector import units
from inspector.analysis.measured.history import PastReport
from inspector.pages.blocks import Column, Limits, Row, Side, Table
from inspector.wording.values import (
    Duration,
    DurationRange,
    Joined,
    Name,
    Noted,
    Sentence,
    Size,
    Tone,
    Toned,
    Value,
)


def report_table(reports: Sequence[PastReport]) -> Table:
    """Return a row for each report, with tags and note."""
    columns = (
        Column("created", "Date", falling=True),
        Column("model", "Model", stretch=True, files=True),
        Column("device", "Device", keep=7),
        Column("settings", "Settings", keep=2, help="Settings that differ from the defaults"),
        Column("machine", "Machine", keep=1,
               help="Processor of the machine that ran the measurement"),
        Column("median", "Median", Side.RIGHT, help="Median latency of a run"),
        Column("memory", "Peak process memory", Side.RIGHT, keep=3),
        Column("size", "File size", Side.RIGHT, keep=4),
        Column("tags", "Tags and note", keep=5),
    )  # fmt: skip
    rows = tuple(map(_row, reports))
    return Table(columns, rows, Limits(20, 40), "report", sorted_by="created")


def _row(report: PastReport) -> Row:
    devices = devices_of(report)
    if report.problem:
        devices = Noted(Toned("Cannot be read", Tone.BAD), Name(report.problem))
    file = {"path": Name(str(report.path)), "digest": Name(report.sha256)}
    where = Sentence("{path}, SHA-256 {digest}" if report.sha256 else "{path}", **file)
    return Row((
        Noted("" if report.problem else report.moment, order=seconds_of(report)),
        Noted(Name(report.model or report.path.name), where),
        devices,
        Name(report.settings_text),
        Name(report.machine),
        median_of(report),
        Size(report.memory_bytes) if report.memory_bytes else "",
        Size(report.model_bytes) if report.model_bytes else "",
        Name(report.marks),
    ), Tone.SECONDARY if report.problem else Tone.PLAIN)  # fmt: skip


def devices_of(report: PastReport) -> Value:
    """Return the devices of a report as people call them."""
    return ", ".join(map(units.device, filter(None, report.device.split(", "))))


def median_of(report: PastReport) -> Value:
    """Return the median latency with its interval, or as a noisy one, or that it failed."""
    if not report.p50_ns:
        return "" if report.problem else Toned("Failed", Tone.BAD)
    median = Duration(report.p50_ns)
    if report.noisy:  # as the report itself says; then the interval says nothing
        noisy = Joined((Toned("Noisy", Tone.CAUTION), median), " ")
        return Noted(noisy, "Open the report for the reasons", order=report.p50_ns)
    interval = DurationRange(round(report.low_ns), round(report.high_ns))
    about = Sentence("95% CI: {interval}", interval) if report.high_ns else ""
    return Noted(median, about)


def seconds_of(report: PastReport) -> float:
    """Return when a report was made, for sorting; nan where it does not say."""
    try:
        return datetime.fromisoformat(report.created).timestamp()
    except ValueError:
        return nan
