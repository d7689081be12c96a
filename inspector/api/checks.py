"""Conditions on measurements, as `--fail-if` of the command line takes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inspector.api.tables import OneLine
from inspector.comparison import ci_conditions
from inspector.comparison.ci_conditions import Finding, Outcome
from inspector.comparison.comparison import compare
from inspector.errors import BadInput
from inspector.report.report import PerformanceReport


@dataclass(frozen=True, slots=True, repr=False)
class Check(OneLine):
    """Whether a condition holds; true only if the measurement is certain of it.

    condition: as it was given. inconclusive: noise, or too few runs, leave it open. text: the
    measured number with its 95% interval.
    """

    condition: str
    holds: bool
    inconclusive: bool
    text: str

    def __bool__(self) -> bool:
        return self.holds

    def about(self) -> str:
        """Return the content in a few words."""
        verdict = "holds" if self.holds else "does not hold"
        verdict = "is inconclusive" if self.inconclusive else verdict
        return f"{self.condition} {verdict}: {self.text}"


def checked(text: str, reports: Sequence[PerformanceReport]) -> Check:
    """Hold the last report against a condition, and against the first one if there are two.

    Raises BadInput: not understood, or it is about a change and there is one report.
    """
    condition = ci_conditions.parse(text)
    name = reports[-1].model.name
    if len(reports) > 1:
        compared = compare(reports, [each.model.name for each in reports])
        findings: Sequence[Finding] = ci_conditions.judged([condition], reports, compared)
    elif condition.stands_alone:
        findings = ci_conditions.judged_alone([condition], reports[0], name)
    else:
        what, why = f"Could not check '{text}'", "it is about a change between two measurements"
        raise BadInput(what, why, "Pass the other measurement with against=.")
    outcome, told = findings[-1].outcome, str(findings[-1].text)
    return Check(text, outcome is Outcome.HOLDS, outcome is Outcome.UNDECIDED, told)
