"""A fast wrong answer is told wherever a report goes."""

import numpy as np

from inspector.compare.comparison import compare
from inspector.export.registry import export
from inspector.report.report import PerformanceReport
from inspector.tensors.agreement import CheckedOutput
from inspector.tensors.difference import difference
from tests.reports import example_report

WORDS = "PSNR 12.7 dB, largest error 0.4"


def answering(factor: float) -> PerformanceReport:
    apart = difference(np.eye(3), np.eye(3) * factor)
    return example_report(outputs=(CheckedOutput("y", apart, 1e-4),))


def test_a_wrong_answer_is_red_in_the_page_and_bold_in_markdown() -> None:
    page = export(answering(1.4), "html").decode()
    assert (
        f"<strong>Wrong answer.</strong> Against the CPU without optimization: {WORDS}" in page
    )
    assert 'class="value wrong"' in page
    assert f"| Answer | **WRONG**, `{WORDS}` |" in export(answering(1.4), "md").decode()


def test_a_right_answer_is_said_and_one_that_was_not_checked_is_not() -> None:
    page = export(answering(1.0), "html").decode()
    assert "Wrong answer" not in page
    assert "· right</span>" in page
    assert "| Answer | `identical` |" in export(answering(1.0), "md").decode()
    assert "| Answer |" not in export(example_report(), "md").decode().partition("<details>")[0]


def test_a_comparison_warns_of_it() -> None:
    found = compare((answering(1.0), answering(1.4)))
    assert f"B gives a wrong answer: {WORDS}." in found.warnings
    (row,) = [each for each in found.properties if each.name == "Answer"]
    assert row.values == ("identical", WORDS)
