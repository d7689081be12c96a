"""Conditions for CI: --fail-if, --baseline, --against, the files they write, exit status 3."""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from msgspec.structs import replace

from inspector.cli import pages
from inspector.cli.options.gate_options import CONDITION_HOLDS
from inspector.comparison.ci_conditions import Finding, Outcome, judged
from inspector.comparison.comparison import Comparison, compare
from inspector.errors import BadInput
from inspector.pages.blocks import Page
from inspector.pages.comparison import comparison_page
from inspector.pages.conditions import conditions_section
from inspector.platform import files
from inspector.render.documents import document
from inspector.render.tables.junit import junit
from inspector.report.report import PerformanceReport
from inspector.units import clip

if TYPE_CHECKING:
    from inspector.backends.interleaving import Pair

# Options about a single report, with their names in the parsed arguments.
_ALONE = {
    "against": "--against", "baseline": "--baseline", "conditions": "--fail-if",
    "markdown": "--markdown", "junit": "--junit",
}  # fmt: skip


def expect_one(options: argparse.Namespace, what: str, several: str) -> None:
    """Raise BadInput for an option about a single report where there are several.

    what: that there must be one of, such as "model". several: why there are more of them.
    """
    given = [name for key, name in _ALONE.items() if getattr(options, key, None)]
    if given:
        why = f"{given[0]} works only with one {what}, but {several}"
        raise BadInput("Could not measure", why, f"Omit {given[0]}, or name one {what}.")


def check_options(options: argparse.Namespace) -> None:
    """Raise BadInput for options that exclude each other."""
    if options.json and options.markdown == "-":
        why = "--json and --markdown - both write to standard output"
        raise BadInput("Could not use these options", why, "Specify a file with --markdown.")
    _check_sides(options)
    if getattr(options, "baseline", True) or options.against or getattr(options, "engines", ()):
        return
    on_changes = [one for one in options.conditions if not one.stands_alone]
    if options.without_base:
        options.conditions = [one for one in options.conditions if one not in on_changes]
        for one in on_changes:
            print(f"note: skipped without a base: {one.text}", file=sys.stderr)
    elif on_changes:
        why = f"'{on_changes[0].text}' requires a second measurement to compare with"
        hint = "Add --baseline REPORT or --against MODEL, or --without-base to skip it."
        raise BadInput("Could not use these options", why, hint)


def _check_sides(options: argparse.Namespace) -> None:
    against, engines = getattr(options, "against", None), getattr(options, "engines", ())
    if (against or engines) and options.baseline:
        second = "--against" if against else "devices of two runtimes"
        why = f"--baseline and {second} cannot be used together"
        raise BadInput("Could not use these options", why, "Omit one of these options.")
    if against and engines:
        why = "--against and devices of two runtimes cannot be used together"
        hint = (
            "Choose devices from a single runtime, or omit --against and name both models, "
            "for a table."
        )
        raise BadInput("Could not use these options", why, hint)
    if getattr(options, "against_output", None) and not (against or engines):
        why = "--against-output saves the report of the --against model"
        raise BadInput("Could not use these options", why, "Add --against MODEL.")


def decide_alone(options: argparse.Namespace, findings: Sequence[Finding], page: Page) -> None:
    """Print the outcomes of conditions on one report, write its files; leave with 3 where one
    holds.

    page: of the report.
    """
    if not options.json and options.markdown != "-":
        show_conditions(findings)
    if options.markdown:
        sections = (conditions_section(findings), *page.sections)
        pages.write(options.markdown, document(replace(page, sections=sections), "md"))
    if options.junit:
        body = junit(findings, options.on_undecided == "fail")
        files.write_atomic(options.junit, body)
    exit_if_failed(options, findings)


def measure_and_compare(
    options: argparse.Namespace, measure: "Callable[[int], Pair]"
) -> tuple[PerformanceReport, PerformanceReport, Comparison, tuple[Finding, ...]]:
    """Measure in 1, 2, 4, ... times the starts until all conditions are decided."""
    names = [clip(str(path)) for path in _sides(options, short=True)]
    for attempt in range(options.retry + 1):
        pair = measure(2**attempt)
        comparison = compare(pair, names)
        findings = judged(options.conditions, pair, comparison)
        if all(finding.outcome is not Outcome.UNDECIDED for finding in findings):
            break
        if not all(report.complete for report in pair):  # it was stopped: no further try
            break
    return *pair, comparison, findings


def report_outcome(
    options: argparse.Namespace,
    result: Comparison,
    findings: Sequence[Finding],
    verdicts: Sequence[str] = (),
) -> None:
    """Print the comparison after a measurement, write its files, and leave.

    verdicts: sentences on what else was found.
    """
    if not options.json and options.markdown != "-":
        names = [str(path) for path in _sides(options)]
        print()
        pages.show(comparison_page(result, findings, names, verdicts), options.details)
    write_files(options, result, findings)
    exit_if_failed(options, findings)


def _sides(options: argparse.Namespace, short: bool = False) -> list[Path]:
    """Return the compared files; short: by name where the names differ."""
    if options.baseline:
        return [Path(options.baseline.name) if short else options.baseline, Path("this run")]
    if getattr(options, "engines", ()):
        return [Path(" + ".join(devices)) for devices in options.engines]
    sides = [options.against, options.named]
    names = [Path(path.name) for path in sides]
    return names if short and names[0] != names[1] else sides


def write_files(
    options: argparse.Namespace, comparison: Comparison, findings: Sequence[Finding]
) -> None:
    """Write the requested files. Raises NotSaved."""
    if options.markdown:
        pages.write(options.markdown, document(comparison_page(comparison, findings), "md"))
    if options.junit:
        files.write_atomic(
            options.junit, junit(findings, options.on_undecided == "fail", comparison)
        )


def show_conditions(findings: Sequence[Finding], stream: TextIO | None = None) -> None:
    """Print each condition with its outcome and the measured value."""
    pages.show_section(conditions_section(findings), stream)


def exit_if_any_holds(findings: Sequence[Finding]) -> None:
    """End with status 3 where a condition holds; raises SystemExit then."""
    if any(finding.outcome is Outcome.HOLDS for finding in findings):
        sys.stdout.flush()
        raise SystemExit(CONDITION_HOLDS)


def exit_if_failed(options: argparse.Namespace, findings: Sequence[Finding]) -> None:
    """End with status 3 where a condition holds, or is inconclusive and that is to fail."""
    failing = {Outcome.HOLDS}
    if options.on_undecided == "fail":
        failing.add(Outcome.UNDECIDED)
    if any(finding.outcome in failing for finding in findings):
        sys.stdout.flush()
        raise SystemExit(CONDITION_HOLDS)
