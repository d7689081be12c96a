"""Settings that suggestions offer to try, and what came of one that was tried."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from msgspec import Struct

from inspector.analysis.advice.advice_helpers import Advice
from inspector.analysis.advice.report_rules import ADDED_LAYOUT
from inspector.analysis.verdicts.speed import compare_medians
from inspector.report.report import PerformanceReport
from inspector.statistics.significance import RatioVerdict
from inspector.ui.documents.document import Document
from inspector.ui.translate import mark, tr, written
from inspector.wording.values import Sentence


class Remedy(Struct, frozen=True):
    """The action of the button of a suggestion. changes: settings for the next measurement.

    tried: says of a report that it was measured with them.
    """

    text: str
    tried: str
    changes: dict[str, Any]


REMEDIES = {
    "optimization-level": Remedy(
        mark("Measure with all optimizations"),
        mark("With all optimizations"),
        {"optimization": "all"},
    ),
    "threads": Remedy(
        mark("Measure with default thread counts"),
        mark("With default thread counts"),
        {"threads": 0},
    ),
    ADDED_LAYOUT: Remedy(
        mark("Try without conversions"),
        mark("Without conversions"),
        {"optimization": "extended"},
    ),
    "outputs-not-bound": Remedy(
        mark("Try with I/O binding"), mark("With I/O binding"), {"binding": "outputs"}
    ),
}


class Trial(Struct, frozen=True):
    """A remedy that a report was measured with, and the report that it was measured after."""

    remedy: Remedy
    before: PerformanceReport
    report: PerformanceReport

    @property
    def verdict(self) -> RatioVerdict:
        """Return whether the remedy made it faster."""
        return compare_medians(self.before, self.report)

    @property
    def advice(self) -> Advice:
        """Return the verdict in the words of the comparison."""
        verdict = self.verdict
        text = verdict.text(" than the report before")
        if not verdict.decided:
            text = Sentence("against the report before, {verdict}", text)
        return Advice("tried", f"{tr(self.remedy.tried)}: {written(text)}", "", "")

    def undo(self, document: Document) -> None:
        """Measure the next time without the remedy."""
        document.set_spec(
            **{name: getattr(self.before.spec, name) for name in self.remedy.changes}
        )

    def open(self, advised: Sequence[Advice]) -> tuple[Advice, ...]:
        """Return the advice that does not undo the remedy: its verdict tells whether to."""
        changed = set(self.remedy.changes)
        return tuple(each for each in advised if not changed & set(each.settings))


def trial_of(report: PerformanceReport, reports: Sequence[PerformanceReport]) -> Trial | None:
    """Return what was tried with a report; None if nothing.

    reports: those of the model, in the order in which they were measured.
    """
    return next(_trials(report, reports), None)


def _trials(report: PerformanceReport, reports: Sequence[PerformanceReport]) -> Iterator[Trial]:
    place = next((n for n, each in enumerate(reports) if each is report), 0)
    for before in reversed(reports[:place]):
        plain = replace(before.spec, roofline=report.spec.roofline)
        alike = before.model.sha256 == report.model.sha256
        for remedy in REMEDIES.values():
            if alike and plain != report.spec == replace(plain, **remedy.changes):
                yield Trial(remedy, before, report)
