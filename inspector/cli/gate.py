"""Conditions for CI: --fail-if, --baseline, --against, the files they write, exit status 3."""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from inspector.cli import pages
from inspector.cli.option_types import add_renamed
from inspector.errors import BadInput

if TYPE_CHECKING:
    from inspector.backends.interleaving import Pair
    from inspector.comparison.ci_conditions import Condition, Finding
    from inspector.comparison.comparison import Comparison
    from inspector.report.report import PerformanceReport


CONDITION_HOLDS = 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options for conditions and for the files with their outcome."""
    group = add_conditions(parser, _condition, "'latency.p50>+10%%' or 'layers.moved>0'")
    group.add_argument(
        "--markdown", metavar="FILE", help="save the comparison as Markdown; '-' prints it"
    )
    group.add_argument(
        "--junit",
        type=Path,
        metavar="FILE",
        help="save the results of the conditions as JUnit test cases",
    )


def add_conditions(
    parser: argparse.ArgumentParser, read: "Callable[[str], Condition]", examples: str
) -> Any:
    """Add the options for conditions, read by a function, and return their group."""
    group = parser.add_argument_group("pass/fail conditions (continuous integration)")
    group.add_argument(
        "--fail-if",
        action="append",
        default=[],
        type=read,
        metavar="CONDITION",
        dest="conditions",
        help=f"fail with exit status 3 if CONDITION is true, such as {examples}; repeatable",
    )
    add_renamed(
        group,
        "--on-inconclusive",
        "--on-undecided",
        choices=("pass", "fail"),
        default="pass",
        dest="on_undecided",
        help="whether a condition that is inconclusive because of noise passes or fails "
        "(default: pass)",
    )
    return group


def add_baseline(parser: argparse.ArgumentParser) -> None:
    """Add the options that compare a measurement with another one."""
    group = parser.add_argument_group("comparison")
    group.add_argument(
        "--baseline", type=Path, metavar="REPORT", help="compare with a saved report"
    )
    group.add_argument(
        "--against",
        type=Path,
        metavar="MODEL",
        help="also measure this model, switching between the two every 30 ms so that changes "
        "in CPU speed affect both alike, and compare; if it has another format, such as "
        ".tflite, both get the same inputs and their outputs are compared",
    )
    group.add_argument(
        "--against-output",
        type=Path,
        metavar="REPORT",
        help="save the report of the second model",
    )
    group.add_argument(
        "--retry",
        type=int,
        choices=range(6),
        default=0,
        metavar="N",
        help="while a condition is inconclusive, measure again with twice as many processes, "
        "up to N times (0 to 5; default: 0)",
    )
    add_arguments(parser)


def check_options(options: argparse.Namespace) -> None:
    """Raise BadInput for options that exclude each other."""
    if options.json and options.markdown == "-":
        why = "--json and --markdown - both write to standard output"
        raise BadInput("Could not use these options", why, "Specify a file with --markdown.")
    _check_sides(options)
    if getattr(options, "baseline", True) or options.against or getattr(options, "engines", ()):
        return
    if options.markdown or options.junit or not all(map(_stands_alone, options.conditions)):
        given = {"--markdown": options.markdown, "--junit": options.junit}
        named = [name for name, value in given.items() if value]
        named += [] if all(map(_stands_alone, options.conditions)) else ["this --fail-if"]
        verb = "requires" if len(named) == 1 else "require"
        why = f"{' and '.join(named)} {verb} a second measurement to compare with"
        raise BadInput(
            "Could not use these options", why, "Add --baseline REPORT or --against MODEL."
        )


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


def _stands_alone(condition: "Condition") -> bool:
    """Return whether one report decides it, as 'prediction.p95>3ms' and 'output.psnr<40'."""
    from inspector.comparison.ci_conditions import Form

    return condition.form is Form.VALUE and not condition.subject.startswith("layers.")


def decide_alone(options: argparse.Namespace, measured: "PerformanceReport", name: str) -> None:
    """Hold one report against conditions that need no other; leave with 3 where one holds."""
    from inspector.comparison.ci_conditions import judged
    from inspector.comparison.comparison import compare

    pair = (measured, measured)
    findings = judged(options.conditions, pair, compare(pair, (name, name)))
    if not options.json:
        show_conditions(findings)
    exit_if_failed(options, findings)


def _condition(text: str) -> "Condition":
    from inspector.comparison.ci_conditions import parse

    try:
        return parse(text)
    except BadInput as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def measure_and_compare(
    options: argparse.Namespace, measure: "Callable[[int], Pair]"
) -> "tuple[PerformanceReport, PerformanceReport, Comparison, tuple[Finding, ...]]":
    """Measure in 1, 2, 4, ... times the starts until all conditions are decided."""
    from inspector.comparison.ci_conditions import Outcome, judged
    from inspector.comparison.comparison import compare
    from inspector.units import clip

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
    result: "Comparison",
    findings: "Sequence[Finding]",
    verdicts: "Sequence[str]" = (),
) -> None:
    """Print the comparison after a measurement, write its files, and leave.

    verdicts: sentences on what else was found.
    """
    if not options.json and options.markdown != "-":
        from inspector.pages.comparison import comparison_page

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
    options: argparse.Namespace, comparison: "Comparison", findings: "Sequence[Finding]"
) -> None:
    """Write the requested files. Raises NotSaved."""
    from inspector.export.tables.junit import junit
    from inspector.pages.comparison import comparison_page
    from inspector.platform import files
    from inspector.render.documents import document

    if options.markdown:
        body = document(comparison_page(comparison, findings), "md")
        if options.markdown == "-":
            sys.stdout.write(body.decode())
        else:
            files.write_atomic(Path(options.markdown), body)
    if options.junit:
        files.write_atomic(
            options.junit, junit(findings, options.on_undecided == "fail", comparison)
        )


def show_conditions(findings: "Sequence[Finding]", stream: "TextIO | None" = None) -> None:
    """Print each condition with its outcome and the measured value."""
    from inspector.pages.conditions import conditions_section

    pages.show_section(conditions_section(findings), stream)


def exit_if_any_holds(findings: "Sequence[Finding]") -> None:
    """End with status 3 where a condition holds; raises SystemExit then."""
    from inspector.comparison.ci_conditions import Outcome

    if any(finding.outcome is Outcome.HOLDS for finding in findings):
        sys.stdout.flush()
        raise SystemExit(CONDITION_HOLDS)


def exit_if_failed(options: argparse.Namespace, findings: "Sequence[Finding]") -> None:
    """End with status 3 where a condition holds, or is inconclusive and that is to fail."""
    from inspector.comparison.ci_conditions import Outcome

    failing = {Outcome.HOLDS}
    if options.on_undecided == "fail":
        failing.add(Outcome.UNDECIDED)
    if any(finding.outcome in failing for finding in findings):
        sys.stdout.flush()
        raise SystemExit(CONDITION_HOLDS)
