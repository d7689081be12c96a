"""Two models side by side, in a window and by clicks."""

from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QFileDialog, QTreeWidgetItem
from pytestqt.qtbot import QtBot

from inspector.analysis.verdicts import accuracy
from inspector.comparison.measured_pair import measured_pair
from inspector.comparison.model_changes import State
from inspector.formats.opening import digest
from inspector.pages.model_diff import model_diff_page
from inspector.preview.runs.folder import Summary
from inspector.report.evaluation import Metric
from inspector.report.improvement import (
    Accuracy,
    Candidate,
    DataSet,
    Improvement,
    Latency,
    accuracy_text,
)
from inspector.report.language.quality import Estimate
from inspector.ui import units
from inspector.ui.tabs.diff.glance import Glance
from inspector.ui.tabs.diff.view import DiffView
from inspector.ui.tabs.preview.tab import PreviewTab
from inspector.ui.window.main_window import MainWindow
from inspector.ui.window.tabs import Tab
from tests.conftest import PatientQtBot
from tests.page_text import document as page_document
from tests.reports import example_report
from tests.ui.made_documents import classes

LEFT = Qt.MouseButton.LeftButton
SAMPLES = Path(__file__).parents[4] / "sample_models"


def compared(qtbot: QtBot, window: MainWindow) -> DiffView:
    """Compare the digits in int8 and float32, and wait until both are drawn."""
    names = ("digits_int8_qdq", "digits_float32")
    window.workspace.open(*[SAMPLES / f"{name}.onnx" for name in names])
    documents = window.workspace.documents
    qtbot.waitUntil(
        lambda: len(documents) == 2 and all(d.model is not None for d in documents),
        timeout=30_000,
    )
    window.run_command("compare/models")
    made = window.diff
    assert isinstance(made, DiffView)
    qtbot.waitUntil(lambda: made.diff is not None, timeout=30_000)
    views = [side.view for side in made.content.graphs.sides]
    qtbot.waitUntil(lambda: all(each.scene is not None for each in views), timeout=30_000)
    return made


@pytest.fixture
def view(qtbot: QtBot, window: MainWindow) -> DiffView:
    return compared(qtbot, window)


@pytest.fixture(scope="module")
def shared(request: pytest.FixtureRequest, shared_window: MainWindow) -> DiffView:
    """One for all tests that leave it as they found it, but for what is selected."""
    return compared(PatientQtBot(request), shared_window)


def group(view: DiffView, number: int) -> QTreeWidgetItem:
    item = view.content.list.topLevelItem(number)
    assert item is not None
    return item


def conv(view: DiffView) -> int:
    """Place of the first pair that changed."""
    return next(n for n, p in enumerate(view.diff.pairs) if p.state is State.CHANGED)


def test_the_summary_and_the_counts_are_shown(shared):
    assert shared.summary.text().startswith("B is A with 3 Conv and 1 Gemm in int8; ")
    assert shared.content.chips[State.NEW].text() == "+ Added 24"
    assert shared.content.chips[State.GONE].text() == "− Removed 6"
    assert shared.content.chips[State.SAME].text() == "= Same 5"
    assert group(shared, 0).text(0) == "3 Conv"


def test_a_row_selects_the_pair_on_both_sides(shared):
    row = group(shared, 0).child(0)
    assert row is not None
    shared.content.list.setCurrentItem(row)
    pair = shared.diff.pairs[shared.diff.groups[0].pairs[0]]
    selected = [side.selection.now.layer for side in shared.content.graphs.sides]
    assert selected == [pair.first, pair.other]
    assert ("Weights", "float32", "int8") in shared.content.detail.texts
    assert shared.content.detail.how.text() == "matched by name"


def test_a_layer_of_one_graph_selects_its_partner_and_its_row(shared):
    pair = shared.diff.pairs[conv(shared)]
    shared.content.graphs.sides[1].selection.choose(pair.other)
    assert shared.content.graphs.sides[0].selection.now.layer == pair.first
    current = shared.content.list.currentItem()
    assert current.text(0) == shared.diff.first.layers[pair.first or 0].name


def test_a_layer_of_one_side_alone_has_no_partner(shared):
    gone = next(p for p in shared.diff.pairs if p.state is State.GONE)
    shared.content.graphs.sides[0].selection.choose(gone.first)
    assert shared.content.graphs.sides[1].selection.now.layer is None
    assert shared.content.detail.how.text() == "− removed"


def test_panning_and_zooming_one_graph_moves_the_other(shared):
    one, two = (side.view.camera for side in shared.content.graphs.sides)
    one.scale(1.3)
    assert two.zoom == pytest.approx(one.zoom)
    shared.content.graphs.choose(conv(shared))
    one.pan(QPointF(0, 40))
    moved = two.corner
    shared.content.together.setChecked(False)
    one.pan(QPointF(0, 40))
    assert two.corner == moved
    shared.content.together.setChecked(True)


def test_a_count_switched_off_hides_its_groups_and_its_color(qtbot, shared):
    side = shared.content.graphs.sides[1]
    assert (side.view.scene.code == 1).any()
    with qtbot.waitSignal(side.drawn, timeout=30_000):
        shared.content.chips[State.NEW].click()
    assert not (side.view.scene.code == 1).any()
    hidden = [
        group(shared, n).text(0)
        for n in range(shared.content.list.topLevelItemCount())
        if group(shared, n).isHidden()
    ]
    assert hidden == ["16 DequantizeLinear", "8 QuantizeLinear"]
    with qtbot.waitSignal(side.drawn, timeout=30_000):
        shared.content.chips[State.NEW].click()
    assert (side.view.scene.code == 1).any()


@pytest.mark.parametrize(("form", "start"), [("html", b"<!doctype"), ("md", b"###")])
def test_the_differences_are_exported(qtbot, shared, tmp_path, monkeypatch, form, start):
    path = tmp_path / "saved"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    action = next(a for a in shared.export.menu().actions() if a.data() == form)
    action.trigger()
    qtbot.waitUntil(path.exists, timeout=10_000)
    assert path.read_bytes().startswith(start)
    assert b"B is 64% smaller than A." in path.read_bytes()


def test_the_original_is_a_and_the_comparison_is_an_entry_of_the_list(shared, shared_window):
    assert [side.name for side in shared.document.sides] == [
        "digits_float32.onnx", "digits_int8_qdq.onnx",
    ]  # fmt: skip
    assert shared.document.name == "digits_float32 and int8_qdq"
    entries = shared_window.sidebar.list.model()
    shown = [entries.index(row, 0).data() for row in range(entries.rowCount())]
    assert shown[-2:] == ["Comparisons", "digits_float32 and int8_qdq"]
    shared_window.show_document(shared_window.workspace.documents[0])
    assert shared_window.diff is None
    shared_window.run_command("compare/models")  # the same pair is not compared twice
    assert shared_window.diff is shared
    assert len(shared_window.workspace.diffs) == 1


def test_a_search_shows_the_layers_that_have_all_words(shared):
    shared.content.search.setText("conv BLOCK2")
    rows = [
        child.text(0)
        for n in range(shared.content.list.topLevelItemCount())
        for child in map(group(shared, n).child, range(group(shared, n).childCount()))
        if child is not None and not child.isHidden() and not group(shared, n).isHidden()
    ]
    assert "block2/conv" in rows
    assert all("block2" in row for row in rows)
    assert shared.content.count.text() == f"{len(rows)} found"
    shared.content.search.setText("nowhere")
    assert shared.content.count.text() == "0 found"
    shared.content.search.clear()
    assert shared.content.count.text() == "7 groups"


def test_counterparts_are_joined_by_a_line(qtbot, shared):
    graphs = shared.content.graphs
    graphs.choose(conv(shared))
    path = graphs.connection.path()
    ends = [path.elementAt(0).x, path.elementAt(path.elementCount() - 1).x]
    assert ends[0] < graphs.sides[1].x() < ends[1]
    places = [side.place_of(side.selection.now.layer) for side in graphs.sides]
    assert places[0].center().y() == pytest.approx(places[1].center().y(), abs=2)  # level
    gone = next(p for p in shared.diff.pairs if p.state is State.GONE)
    graphs.sides[0].selection.choose(gone.first)
    assert graphs.connection.path() is None


def test_changes_are_a_drawer_in_a_narrow_window(qtbot, shared, shared_window):
    shared_window.resize(1440, 900)
    assert shared.content.side.isVisible()
    assert not shared.changes_button.isVisible()
    shared_window.resize(1100, 700)
    assert not shared.content.side.isVisible()
    qtbot.waitUntil(lambda: 700 < shared.content.graphs.width() < 1000)
    before = shared.content.graphs.width()
    shared.changes_button.click()
    assert shared.content.side.isVisible()
    qtbot.wait(50)
    assert shared.content.graphs.width() == before


def test_swapping_and_another_model_compare_again(qtbot, view, window):
    with qtbot.waitSignal(view.compared, timeout=30_000):
        view.swap.click()
    assert view.diff.first.name == "digits_int8_qdq.onnx"
    third = SAMPLES / "digits_float16.onnx"
    window.workspace.open(third)
    qtbot.waitUntil(lambda: window.workspace.documents[-1].model is not None, timeout=30_000)
    window.show_diff(view.document)
    menu = view.content.graphs.sides[0].other.menu()
    menu.aboutToShow.emit()
    (action,) = menu.actions()
    with qtbot.waitSignal(view.compared, timeout=30_000):
        action.trigger()
    assert view.diff.first.name == "digits_float16.onnx"
    assert window.windowTitle().startswith("digits_float16 and float32")


def test_a_comparison_is_closed_and_opened_again(qtbot, view, window):
    window.run_command("close")
    assert window.diff is None
    assert not window.workspace.diffs
    window.session.reopen_closed()
    qtbot.waitUntil(lambda: window.diff is not None, timeout=30_000)


def test_a_file_that_is_no_model_is_told_in_place(qtbot, window, tmp_path):
    bad = tmp_path / "bad.onnx"
    bad.write_bytes(b"no model")
    document = window.workspace.open_diff(SAMPLES / "digits_float32.onnx", bad)
    with qtbot.waitSignal(document.failed, timeout=30_000):
        pass
    assert window.diff.failure.isVisible()
    assert "bad.onnx" in window.diff.failure.what.text()


def glance(view: DiffView) -> Glance:
    assert view.glance is not None
    return view.glance


def test_size_latency_outputs_and_accuracy_stand_in_one_table(qtbot, window, answers, view):
    first = glance(view)
    assert first.verdict.text() == "B is 64% smaller than A."
    assert first.cells["Size"] == ("78.6 KiB", "28.6 KiB", "−63.7%")
    assert first.cells["Latency (median)"] == ("not measured", "not measured", "")
    measuring = first.measuring
    assert first.measure.text() == "Measure both"
    for document in measuring.documents:
        report = example_report()
        same = replace(report.model, sha256=digest(document.source_files[0]))
        document.add_report(replace(report, model=same))
    window.show_diff(view.document)
    assert first.cells["Latency (median)"][2].startswith("no change beyond ")
    assert first.state.text().startswith("Latency: no change beyond ")
    assert "as fast as A (no change beyond " in first.verdict.text()
    answers["predict"] = classes([0.0] * 9 + [1.0])
    told = list[str]()
    measuring.changed.connect(lambda: told.append(window.status.words()[0]))
    qtbot.mouseClick(first.measure, LEFT)
    qtbot.waitUntil(lambda: measuring.complete)
    assert "Comparing the outputs…" in told
    assert window.status.words()[0] == "Ready"
    outputs = next(text for key, text in first.cells.items() if key.startswith("Outputs"))
    assert outputs[2] == "no verdict"  # of one input: the one that stands ready in Preview
    assert first.verdict.text().endswith(
        "No verdict from only 1 typical input (outputs agree within rounding; same top class)."
    )
    assert "Outputs for the input in Preview" in first.cells
    top1 = Metric("top1", "Top-1 accuracy", Estimate(0.97, 0.9, 0.99), 100)
    worse = structs.replace(
        top1, other=Estimate(0.87, 0.8, 0.9), change=Estimate(0.1, 0.03, 0.17)
    )
    result = Summary(100, 100, 100, 97, 99, 100, 98, 1000, metric=worse)
    measuring.documents[0].folders_compared[str(measuring.documents[1].path)] = (
        Path("clothes"),
        result,
    )
    first.refresh()
    title = "Top-1 accuracy, folder clothes"
    assert first.cells[title] == ("97.0%", "87.0%", "10.0 points lower")
    # The sentence of the Files part of Preview, with its interval.
    known = accuracy.sentence(worse, "digits_float32.onnx", "digits_int8_qdq.onnx")
    assert first.verdict.text().endswith(f"{known}.")
    known = first.known()
    assert known.rows == first.cells
    assert known.verdict == first.verdict.text()
    assert known.latency == first.state.text()
    one, two = measuring.reports
    own = units.duration(one.median_ns), units.duration(two.median_ns)
    assert first.cells["Latency (median)"][:2] == own, "as in the sidebar"
    for changes, cell in (
        ({"change": Estimate(0.017, -0.04, 0.07)}, "no difference shown"),
        ({"count": 5}, "too few inputs for a verdict"),
    ):
        metric = structs.replace(worse, **changes)
        measuring.documents[0].folders_compared[str(measuring.documents[1].path)] = (
            Path("clothes"), replace(result, metric=metric)
        )  # fmt: skip
        first.refresh()
        assert first.cells[title][2] == cell, "no number that decides nothing"


def test_a_difference_of_noisy_reports_has_a_direction_and_no_number(view):
    first = glance(view)
    for document, times in zip(first.measuring.documents, (1, 3), strict=True):
        report = example_report()
        same = replace(report.model, sha256=digest(document.source_files[0]))
        slow = tuple(times * ns for ns in report.prediction_ns)
        busy = replace(report.environment, load_average=99.0)
        document.add_report(replace(report, model=same, prediction_ns=slow, environment=busy))
    first.refresh()
    assert first.verdict.text() == "B is 64% smaller than A, slower (noisy)."
    assert first.cells["Latency (median)"][2] == "slower (noisy)"
    assert first.state.text().startswith("Noisy: ")


def test_outputs_are_compared_with_b_even_before_there_is_an_input(
    qtbot, window, answers, view
):
    answers["predict"] = classes([0.0] * 9 + [1.0])
    qtbot.mouseClick(glance(view).accuracy, LEFT)
    document = window.document
    assert document.name == "digits_float32.onnx", "A is in front"
    preview = window.view.tab(Tab.PREVIEW)
    assert isinstance(preview, PreviewTab)
    side = preview.side
    assert side.folder.isVisible()
    assert side.folder.other_run.currentText() == "digits_int8_qdq.onnx"
    assert side.compare.other_run.currentText() == "digits_int8_qdq.onnx"
    qtbot.waitUntil(lambda: side.compare.result.page is not None)


def test_what_improve_measured_is_taken_over_until_both_are_measured_here(qtbot, view):
    top1 = Accuracy("top1", "Top-1 accuracy", 0.944, 0.946, -0.002, -0.009, 0.005, 500)
    latency = Latency(40e3, change=-0.2, low=-0.25, high=-0.15, original=Latency(50e3))
    one = Candidate("Int8 (static)", ("int8",), 300, 4, "", latency, (top1,))
    original = Candidate("digits_float32.onnx", size_bytes=1000)
    now = Improvement(
        "digits_float32.onnx", "", "cpu", original, (one,), "top1", test=DataSet("a/test", 500)
    )
    first = glance(view)
    view.document.proof = measured_pair(now, one)
    first.refresh()
    assert first.cells["Latency (median)"] == ("50.0 µs", "40.0 µs", "faster")
    change = "−0.20 points (95% CI −0.90 to +0.50), 500 inputs"
    assert first.cells["Top-1 accuracy, folder test"] == ("94.60%", "94.40%", "−0.20 points")
    headline = "20.0% faster (95% CI 15.0% to 25.0%), not clearly more or less accurate"
    assert headline in first.verdict.text()
    limited = structs.replace(now, limit=0.01)
    assert measured_pair(limited, one).verdict == accuracy_text(limited, one)
    view.document.proof = measured_pair(limited, one)
    first.refresh()
    assert "accuracy loss within limit" in first.verdict.text()
    view.document.proof = measured_pair(now, one)
    first.refresh()
    assert "measured interleaved by Improve on CPU: 20.0% faster (95% CI" in first.state.text()
    assert "medians" not in first.state.text(), "they say the same"
    busy = structs.replace(latency, p50_ns=42e3, noise=("Other programs used 61% of the CPU.",))
    view.document.proof = measured_pair(now, structs.replace(one, latency=busy))
    first.refresh()
    assert "The medians alone differ by −16.0%. Noisy: Other" in first.state.text()
    view.document.proof = measured_pair(now, one)
    first.refresh()
    assert view.diff is not None
    page = page_document(model_diff_page(view.diff, (), first.known()), "html")
    assert change in page
    assert "measured interleaved by Improve" in page
    view.document.swap()
    qtbot.waitUntil(lambda: view.diff is not None, timeout=30_000)
    assert glance(view).cells["Latency (median)"] == ("40.0 µs", "50.0 µs", "slower")
    measuring = glance(view).measuring
    measuring.begun = True
    glance(view).refresh()
    assert "Top-1 accuracy, folder test" not in glance(view).cells


def test_both_graphs_have_one_scale_however_far_one_is_zoomed_out(shared):
    graphs = shared.content.graphs
    cameras = [side.view.camera for side in graphs.sides]
    for camera in cameras:
        camera.scale(0.01)
        assert cameras[0].zoom == cameras[1].zoom
        camera.scale(2)
        assert cameras[0].zoom == cameras[1].zoom
    graphs.fit()
    assert cameras[0].zoom == cameras[1].zoom == min(camera.farthest for camera in cameras)
