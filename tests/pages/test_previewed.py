"""A report that a window exports has what it knew of the model besides."""

from dataclasses import replace

import msgspec
import pytest

from inspector.cli.main import run
from inspector.errors import UnreadableFile
from inspector.render.registry import export
from inspector.render.tables.report_json import report_json
from inspector.report.improvement import Accuracy, Candidate, DataSet, Improvement, TargetLayers
from inspector.report.model_results import DeclaredValue, FileAnswer, ModelResults, TargetAnswer
from inspector.report.report import (
    PerformanceReport,
    PreviewedPrediction,
    from_json,
    save,
    to_json,
)
from tests.page_text import words
from tests.pdf_text import pdf_text
from tests.reports import example_report

SEEN = PreviewedPrediction(
    "a|<b>.png", 2, 1, bytes(6), ("Bag", "Boot"), (0.9, 0.1), "Too light."
)


def html(report: PerformanceReport) -> str:
    return export(report, "html").decode()


def test_html_pdf_and_markdown_show_picture_answers_and_caution():
    report = example_report(previewed=SEEN)
    body = html(report)
    assert 'src="data:image/png;base64,' in body
    assert "a|&lt;b&gt;.png" in body
    texts = body, export(report, "md").decode(), pdf_text(report)
    for text in texts:
        assert all(
            each in text for each in ("Prediction in Preview", "Bag", "90.0%", "Too light.")
        )


def test_an_export_has_the_picture_only_if_it_was_chosen(tmp_path):
    saved, page = tmp_path / "a.json", tmp_path / "a.html"
    save(example_report(previewed=SEEN), saved)
    for option, shown in ([], False), (["--include-preview"], True):
        assert run(["export", str(saved), "-o", str(page), *option]) == 0
        assert ("data:image/png" in page.read_text("utf-8")) == shown
        assert "Bag" in page.read_text("utf-8")


def test_a_report_without_one_says_nothing_of_it():
    assert "Prediction in Preview" not in html(example_report())


@pytest.mark.parametrize("size", [(2, 2), (0, 1), (100_000, 1)])
def test_a_saved_report_is_read_and_a_broken_picture_is_left_out(size):
    broken = replace(SEEN, width=size[0], height=size[1])
    report = from_json(to_json(example_report(previewed=broken)), "x")
    assert report.previewed == broken
    body = html(report)
    assert "data:image" not in body
    assert "Bag" in body
    assert export(report, "pdf")


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
    inputs=(DeclaredValue("photo", "float32", "batch×3×8×8"),),
    outputs=(DeclaredValue("scores", "float32", "batch×10"),),
    findings=("fc: 2 B are missing",),
    folder="photos",
    files=(
        FileAnswer("coat/7.png", "Coat", 0.75, ("Coat", "Bag"), "Coat"),
        FileAnswer("broken.png", problem="It is no image."),
    ),
    file_count=2,
)  # fmt: skip


def test_a_report_answers_what_a_newcomer_asks():
    report = example_report(model_results=RESULTS)
    shown = words(html(report))
    printed = " ".join(pdf_text(report).split())
    for text in (shown, export(report, "md").decode().replace("\\", ""), printed):
        for said in (
            "Top-1 accuracy 94.60% on 500 labeled inputs of photos.",
            "On Android, with batch = 1 fixed",
            "NNAPI takes all 16 layers.",
            "Int8: 70% smaller, accuracy loss within limit.",
            "Unsupported layers: iPhone (Core ML): 25 of 37",
            "inspector convert net.onnx int8 -o net.improved.onnx",
            "fix-axes:batch=1",
            "Qualcomm NPU",
            "photo",
            "batch×3×8×8",
            "it has 1 problem, listed below",
            "fc: 2 B are missing",
            "2 files, not part of the timing",
            "7.png",
            "✓",
            "It is no image.",
        ):
            assert said in text, said
    assert "home/me" not in shown.partition("Smaller or faster")[0]
    read = from_json(report_json(report), "x")
    assert read.model_results == RESULTS
    assert b'"subject":"Accuracy"' in report_json(report)


def test_a_report_names_what_is_still_unknown():
    text = words(html(example_report(model_results=ModelResults())))
    assert "--folder FOLDER" in text
    assert "inspector improve" in text
    assert "Next steps" not in html(example_report())
    wrong = replace(RESULTS, improvement=msgspec.structs.replace(RESULTS.improvement, best=7))
    with pytest.raises(UnreadableFile, match="best candidate"):
        from_json(to_json(example_report(model_results=wrong)), "x")
