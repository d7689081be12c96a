"""Conditions of --fail-if with their outcomes: one section for every subject that has them."""

from collections.abc import Sequence

from inspector.comparison.ci_conditions import Finding, Outcome
from inspector.pages.blocks import Column, Limits, Row, Section, Table
from inspector.wording.values import Code, Joined, Name, Tone, Toned

_TONES = {Outcome.HOLDS: Tone.BAD, Outcome.FAILS: Tone.GOOD, Outcome.UNDECIDED: Tone.CAUTION}
_SIGNS = {Outcome.HOLDS: "✗", Outcome.FAILS: "✓", Outcome.UNDECIDED: "?"}
_ALL = Limits(1000, 1000, 1000)  # a person wrote them


def conditions_section(findings: Sequence[Finding], subject: str = "") -> Section:
    """Return each condition with its outcome and the measured value; empty without any.

    subject: what a finding names; by default reports, where there are several.
    """
    if not findings:
        return Section("conditions", "", ())
    several = bool(subject) or len({finding.name for finding in findings}) > 1
    columns = (
        Column("condition", "Fail if"),
        Column("outcome", "Outcome"),
        Column("measured", "Measured", stretch=True),
        *((Column("report", subject or "Report"),) * several),
    )
    rows = tuple(
        Row((
            Code(finding.condition.text),
            _outcome(finding.outcome),
            finding.text,
            *((Name(finding.name),) * several),
        ))
        for finding in findings
    )  # fmt: skip
    title = "Pass/fail conditions (`--fail-if`)"
    return Section("conditions", title, (Table(columns, rows, _ALL, "condition"),))


def _outcome(outcome: Outcome) -> Toned:
    return Toned(Joined((_SIGNS[outcome], outcome.label), " "), _TONES[outcome])
