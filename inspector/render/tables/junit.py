"""Conditions as a JUnit test report, which CI services show next to the tests.

Format: the `testsuite` element as Jenkins, GitLab and GitHub's actions read it.
"""

from collections.abc import Sequence
from xml.etree import ElementTree

from inspector import units
from inspector.comparison.ci_conditions import Finding, Outcome
from inspector.comparison.comparison import Comparison


def junit(
    findings: Sequence[Finding],
    undecided_fails: bool = False,
    compared: Comparison | None = None,
) -> bytes:
    """One test case a condition and report; UTF-8. An undecided one counts as skipped.

    compared: its numbers become properties of the suite, with both kinds of latency. The file
    has no time of day, so that the same reports give the same bytes.
    """
    failing = {Outcome.HOLDS} | ({Outcome.UNDECIDED} if undecided_fails else set())
    failed = sum(finding.outcome in failing for finding in findings)
    skipped = sum(f.outcome is Outcome.UNDECIDED for f in findings if f.outcome not in failing)
    counts = {"tests": len(findings), "failures": failed, "errors": 0, "skipped": skipped}
    suite = ElementTree.Element("testsuite", {"name": "inspector"})
    suite.attrib |= {name: str(count) for name, count in counts.items()}
    if compared is not None:
        _add_numbers(suite, compared)
    for finding in findings:
        name = units.clip(finding.condition.text)
        case = ElementTree.SubElement(
            suite, "testcase", {"classname": units.clip(finding.name), "name": name}
        )
        attributes = {"message": f"{name}: {finding.text}"}
        if finding.outcome in failing:
            ElementTree.SubElement(
                case, "failure", attributes | {"type": finding.outcome.value}
            )
        elif finding.outcome is Outcome.UNDECIDED:
            ElementTree.SubElement(case, "skipped", attributes)
    ElementTree.indent(suite)
    body: bytes = ElementTree.tostring(suite, "utf-8", xml_declaration=True)
    return body + b"\n"


def _add_numbers(suite: ElementTree.Element, compared: Comparison) -> None:
    """Add every number of every report as a property: 'A: latency, p95 of all predictions'."""
    properties = ElementTree.SubElement(suite, "properties")
    for metric in compared.shown_metrics:
        for name, value in zip(compared.names, metric.values, strict=True):
            if value is not None:
                about = {"name": f"{units.clip(name)}: {metric.title} ({metric.unit})"}
                ElementTree.SubElement(properties, "property", about | {"value": str(value)})
