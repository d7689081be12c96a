"""A fast wrong answer is told wherever a report goes."""

import numpy as np

from inspector.comparison.comparison import compare
from inspector.export.registry import export
from inspector.model.tensors.agreement import CheckedOutput
from inspector.model.tensors.difference import difference
from inspector.report.report import PerformanceReport
from tests.reports import example_report

WORDS = "PSNR 12.7 dB, max error 0.4"


def answering(factor: float) -> PerformanceReport:
    apart = difference(np.eye(3), np.eye(3) * factor)
    return example_report(outputs=(CheckedOutput("y", apart, 1e-4),))


def test_a_wrong_answer_is_red_in_the_page_and_bold_in_markdown() -> None:
    page = export(answering(1.4), "html").decode()
    assert (
        f"<strong>Wrong outputs.</strong> Compared with an unoptimized run on the CPU: {WORDS}"
    ) in page
    assert 'class="value wrong"' in page
    assert f"| Outputs | **WRONG**, `{WORDS}` |" in export(answering(1.4), "md").decode()


def test_a_right_answer_is_said_and_one_that_was_not_checked_is_not() -> None:
    page = export(answering(1.0), "html").decode()
    assert "Wrong outputs" not in page
    assert "· outputs correct</span>" in page
    assert "| Outputs | `identical` |" in export(answering(1.0), "md").decode()
    assert (
        "| Outputs |" not in export(example_report(), "md").decode().partition("<details>")[0]
    )


def test_a_comparison_warns_of_it() -> None:
    found = compare((answering(1.0), answering(1.4)))
    assert f"B has wrong outputs: {WORDS}." in found.warnings
    (row,) = [each for each in found.properties if each.name == "Outputs"]
    assert row.values == ("identical", WORDS)
