"""The text that `--fail-if` prints, and the exit status, with and without a baseline."""

import argparse
import contextlib

import pytest

from inspector.cli import gate
from inspector.cli.options import arguments, gate_options
from inspector.comparison.ci_conditions import judged, judged_alone
from inspector.comparison.comparison import compare
from inspector.errors import BadInput
from inspector.pages.report.page import report_page
from tests.reports import example_report


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--json", action="store_true")
    arguments.add_details(parser)
    gate_options.add_baseline(parser)
    return parser.parse_args(words)


@pytest.mark.parametrize(
    ("condition", "outcome", "status"),
    [("prediction.p50>1ns", "✗ FAIL", 3), ("prediction.p50>9s", "✓ pass", 0)],
)
def test_a_verdict_on_one_report_is_printed_and_decides_the_status(
    condition, outcome, status, capsys
):
    options = parsed("--fail-if", condition)
    gate.check_options(options)
    findings = judged_alone(options.conditions, example_report(), "this run")
    if status:
        with pytest.raises(SystemExit) as ended:
            gate.decide_alone(options, findings, report_page(example_report(), (), ()))
        assert ended.value.code == status
    else:
        gate.decide_alone(options, findings, report_page(example_report(), (), ()))
    blank, head, _, verdict = capsys.readouterr().out.splitlines()
    assert (blank, head) == ("", "Pass/fail conditions (--fail-if)")
    assert verdict.split()[:3] == [condition, *outcome.split()]


def test_a_verdict_on_one_report_stays_out_of_json(capsys):
    options = parsed("--json", "--fail-if", "prediction.p50>9s")
    findings = judged_alone(options.conditions, example_report(), "this run")
    gate.decide_alone(options, findings, report_page(example_report(), (), ()))
    assert capsys.readouterr().out == ""


def finished(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    """Return the lines that are printed after a measurement against a baseline."""
    options = parsed("--baseline", "base.json", *words)
    pair = (example_report(), example_report(2_360_000, seed=11))
    found = compare(pair, ("base.json", "this run"))
    findings = judged(options.conditions, pair, found)
    with contextlib.suppress(SystemExit):
        gate.report_outcome(options, found, findings, ["Outputs agree."])
    return capsys.readouterr().out.splitlines()


def test_verdicts_stand_above_the_numbers(capsys):
    lines = finished(capsys, "--fail-if", "prediction.p50>+2%")
    at = lines.index("Pass/fail conditions (--fail-if)")
    assert lines.index("Outputs agree.") < at < lines.index("Numbers")
    assert lines[at + 2].split()[:4] == ["prediction.p50>+2%", "✗", "FAIL", "+27.0%"]


def test_a_verdict_after_a_comparison_decides_the_status():
    pair = (example_report(), example_report(2_360_000, seed=11))
    found = compare(pair, ("base.json", "this run"))
    options = parsed("--baseline", "base.json", "--fail-if", "prediction.p50>+2%")
    with pytest.raises(SystemExit) as ended:
        gate.report_outcome(options, found, judged(options.conditions, pair, found))
    assert ended.value.code == gate_options.CONDITION_HOLDS == 3


@pytest.mark.parametrize("words", [("--json",), ("--markdown", "-")])
def test_other_forms_on_standard_output_have_no_text_among_them(words, capsys):
    lines = finished(capsys, *words, "--fail-if", "prediction.p50>+50%")
    assert "Pass/fail conditions (--fail-if)" not in lines
    assert "Outputs agree." not in lines


NO_BASE = "Add --baseline REPORT or --against MODEL, or --without-base to skip it."


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("--json", "--markdown", "-", "--baseline", "a"), "Specify a file with --markdown."),
        (("--baseline", "a", "--against", "b"), "Omit one of these options."),
        (("--against-output", "a"), "Add --against MODEL."),
        (("--fail-if", "prediction.p50>+2%"), NO_BASE),
        (("--fail-if", "layers.moved>0"), NO_BASE),
    ],
)
def test_options_that_go_not_together_are_refused(words, hint):
    with pytest.raises(BadInput) as refused:
        gate.check_options(parsed(*words))
    assert refused.value.hint == hint


@pytest.mark.parametrize(
    "words",
    ["", "--json", "--fail-if prediction.p50>3ms",
     "--against a.onnx --against-output a.json --fail-if layers.moved>0",
     "--baseline a.json --markdown - --junit a.xml"],
)  # fmt: skip
def test_options_that_go_together_are_taken(words):
    gate.check_options(parsed(*words.split()))
