"""A fast wrong answer is told wherever a report goes."""

import numpy as np

from inspector.comparison.comparison import compare
from inspector.model.tensors.agreement import CheckedOutput
from inspector.model.tensors.difference import difference
from inspector.pages.blocks import Rank
from inspector.pages.report.page import report_page
from inspector.report.report import PerformanceReport
from tests.page_text import document, text, words
from tests.reports import example_report

WORDS = "PSNR 12.7 dB, max error 0.4"


def answering(factor: float) -> PerformanceReport:
    apart = difference(np.eye(3), np.eye(3) * factor)
    return example_report(outputs=(CheckedOutput("y", apart, 1e-4),))


def test_a_wrong_answer_is_red_in_the_page_and_bold_in_markdown():
    said = f"Outputs are WRONG ({WORDS}), compared with an unoptimized run on the CPU."
    page = report_page(answering(1.4))
    assert said in words(document(page, "html"))
    assert f"**{said}**" in document(page, "md").replace("\\", "")
    assert said in text(page, Rank.TERMINAL)


def test_a_right_answer_is_said_and_one_that_was_not_checked_is_not():
    shown = text(report_page(answering(1.0)))
    assert "WRONG" not in shown
    assert "Outputs are correct (identical)" in shown
    assert "Outputs are" not in text(report_page(example_report()))


def test_a_comparison_warns_of_it():
    found = compare((answering(1.0), answering(1.4)))
    assert f"B has wrong outputs: {WORDS}." in found.warnings
    (row,) = [each for each in found.properties if each.name == "Outputs"]
    assert row.values == ("identical", WORDS)
