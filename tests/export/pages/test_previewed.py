"""A report of a measured model has the prediction that Preview showed."""

from dataclasses import replace

import pytest

from inspector.export.pages.html import page
from inspector.export.pages.markdown import summary
from inspector.export.pages.pdf import pdf
from inspector.report.report import PreviewedPrediction, from_json, to_json
from tests.pdf_text import pdf_text
from tests.reports import example_report

SEEN = PreviewedPrediction(
    "a|<b>.png", 2, 1, bytes(6), ("Bag", "Boot"), (0.9, 0.1), "Too light."
)


def test_html_pdf_and_markdown_show_picture_answers_and_caution() -> None:
    report = replace(example_report(), previewed=SEEN)
    html = page(report).decode()
    assert 'src="data:image/png;base64,' in html
    assert "a|&lt;b&gt;.png" in html
    texts = html, summary(report).decode(), pdf_text(report)
    for text in texts:
        assert all(
            each in text for each in ("Prediction in Preview", "Bag", "90.0%", "Too light.")
        )


def test_a_report_without_one_says_nothing_of_it() -> None:
    assert "Prediction in Preview" not in page(example_report()).decode()


@pytest.mark.parametrize("size", [(2, 2), (0, 1), (100_000, 1)])
def test_a_saved_report_is_read_and_a_broken_picture_is_left_out(size: tuple[int, int]) -> None:
    broken = replace(SEEN, width=size[0], height=size[1])
    report = from_json(to_json(replace(example_report(), previewed=broken)), "x")
    assert report.previewed == broken
    html = page(report).decode()
    assert "data:image" not in html
    assert "Bag" in html
    assert pdf(report)
