"""A report that a window exports has what it knew of the model besides."""

from dataclasses import replace

import msgspec
import pytest
from inspector.export.pages.html import page
from inspector.export.pages.markdown import summary
from inspector.export.pages.pdf import pdf

from inspector.errors import UnreadableFile
from inspector.export.tables.report_json import report_json
from inspector.report.improvement import (
    Accuracy,
    Candidate,
    DataSet,
    Improvement,
    TargetLayers,
)
from inspector.report.model_results import ModelResults, TargetAnswer
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


TOP1 = Accuracy("top1", "Top-1 accuracy", 0.946, count=500)
SMALLER = Candidate(
    "Int8", ("int8",), 300, 4,
    accuracy=(Accuracy("top1", "Top-1 accuracy", 0.944, 0.946, -0.002, -0.008, 0.004, 500),),
    targets=(TargetLayers("iPhone (Core ML)", "16 of 16", "12 of 37", "part"),),
)  # fmt: skip
RESULTS = ModelResults(
    (TOP1,),
    DataSet("/home/me/photos", 500, labeled=500),
    {"On Android": "Yes. NNAPI takes all 16 layers.", "On iPhone": "Yes. Core ML takes them."},
    (TargetAnswer("Qualcomm NPU", "QNN", "Not known", None, 16, "Only a run tells."),),
    {"batch": 1},
    Improvement(
        "net.onnx", "0" * 64, "cpu", Candidate("net.onnx", size_bytes=1000), (SMALLER,),
        "top1", 0.01, 0, goal="size",
    ),
)  # fmt: skip


def test_a_report_answers_what_a_newcomer_asks() -> None:
    report = replace(example_report(), model_results=RESULTS)
    shown = page(report).decode().replace("&#39;", "'")
    printed = " ".join(pdf_text(report).split())
    for text in (shown, summary(report).decode().replace("\\", ""), printed):
        for said in (
            "Top-1 accuracy 94.60% on 500 labeled inputs of photos.",
            "On Android, with batch = 1 fixed",
            "NNAPI takes all 16 layers.",
            "Int8: 70% smaller, accuracy loss within limit.",
            "iPhone (Core ML): 16 of 16 to 12 of 37",
            "inspector convert net.onnx int8 -o net.improved.onnx",
            "fix-axes:batch=1",
            "Qualcomm NPU",
        ):
            assert said in text, said
    assert "home/me" not in shown.partition("Smaller or faster")[0]
    read = from_json(report_json(report), "x")
    assert read.model_results == RESULTS
    assert b'"subject":"Accuracy"' in report_json(report)


def test_a_report_names_what_is_still_unknown() -> None:
    text = page(replace(example_report(), model_results=ModelResults())).decode()
    assert "--folder FOLDER" in text
    assert "inspector improve" in text
    assert "Next steps" not in page(example_report()).decode()
    wrong = replace(RESULTS, improvement=msgspec.structs.replace(RESULTS.improvement, best=7))
    with pytest.raises(UnreadableFile, match="best candidate"):
        from_json(to_json(replace(example_report(), model_results=wrong)), "x")


def test_page_pdf_and_markdown_have_the_order_of_the_window() -> None:
    report = replace(example_report(), previewed=SEEN, model_results=RESULTS)
    titles = ("Summary", "Suggestions", "Timeline", "Prediction in Preview", "Device support",
              "Smaller or faster", "Operator types", "Layers")  # fmt: skip
    drawn = page(report).decode().partition("<body")[2]
    places = [drawn.index(f"<h2>{title}") for title in titles]
    assert places == sorted(places)
    printed = pdf_text(report).splitlines()
    places = [printed.index(title) for title in titles[:-1]]  # "Layers" is a column as well
    assert places == sorted(places)
    assert "Layers" in printed[places[-1] :]
    text = summary(report).decode()
    marks = ("**Bottleneck", "**Suggestions", "**Prediction in Preview", "Device support, est",
             "<summary>Load", "<summary>Operator types", "| Layer |")  # fmt: skip
    places = [text.index(mark) for mark in marks]
    assert places == sorted(places)
