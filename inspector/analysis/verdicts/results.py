"""What many reports say together: the newest of each series, held against a baseline."""

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from inspector.analysis.measured.history import PastReport
from inspector.statistics.significance import RatioVerdict

BASELINE = "baseline"  # tag of the report that others of its series are held against


class Series(Struct, frozen=True):
    """The reports on one model, device, settings and machine, the oldest first.

    baseline: what the newest is held against: the newest other report with the tag, else the
    oldest; None where there is no other. verdict: on the newest; None without a baseline, or
    where a file cannot be read.
    """

    reports: tuple[PastReport, ...]
    baseline: PastReport | None = None
    verdict: RatioVerdict | None = None

    @property
    def newest(self) -> PastReport:
        """Return the report that the series stands for."""
        return self.reports[-1]


class Results(Struct, frozen=True):
    """Series of reports, that with the newest report first.

    authors: who measured, by the path of a report. links: where a page finds a report. tag: of
    baselines.
    """

    series: tuple[Series, ...]
    authors: Mapping[Path, str]
    links: Mapping[Path, str]
    tag: str = BASELINE

    @property
    def reports(self) -> tuple[PastReport, ...]:
        """Return all reports, the newest first."""
        every = (report for each in self.series for report in each.reports)
        return tuple(sorted(every, key=lambda each: each.created, reverse=True))
