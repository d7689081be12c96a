import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QMimeData, Qt, QUrl
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from inspector.errors import EngineFailed
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.preview.outputs import results
from inspector.preview.runs.other_run import OtherRun
from inspector.report.report import Device
from inspector.ui.documents.exported_report import add_model_results
from inspector.ui.tabs.overview.next_steps import Proof
from inspector.ui.tabs.preview.result_pane import AWAITED, COMPARE, FOLDER, ResultPane
from inspector.ui.tabs.preview.tab import PreviewTab
from inspector.ui.widgets.chart import ChartView
from inspector.ui.widgets.theme import Theme
from tests import page_text
from tests.reports import example_report
from tests.ui.made_documents import KeepingEngine, classes, opened
from tests.ui.tabs.preview import tabs

LEFT = Qt.MouseButton.LeftButton
ANSWER = [0.0, 0.0, 0.0, 0.9, 0.1, 0.0, 0.0, 0.0, 0.0, 0.0]


@pytest.fixture
def engine() -> KeepingEngine:
    made = KeepingEngine()
    made.answer = classes(ANSWER)
    return made


def tab_on(
    qtbot: QtBot, theme: Theme, model: Path, engine: KeepingEngine, samples: Path
) -> PreviewTab:
    tab = tabs.shown(qtbot, theme, opened(qtbot, model, engine))
    with qtbot.waitSignal(tab.predicting.answered):
        tab.use_picture(samples / "inputs" / "digit_3.png")
    return tab


@pytest.fixture
def digits(
    qtbot: QtBot, theme: Theme, samples: Path, tmp_path: Path, engine: KeepingEngine
) -> PreviewTab:
    model = Path(shutil.copy(samples / "digits_float32.onnx", tmp_path))
    return tab_on(qtbot, theme, model, engine, samples)


def side_of(tab: PreviewTab) -> ResultPane:
    assert tab.side is not None
    return tab.side


def test_a_second_level_stands_beside_the_first(qtbot, digits, engine):
    side = side_of(digits)
    side.switch.choose(COMPARE)
    engine.asked.clear()
    qtbot.mouseClick(side.compare.compare, LEFT)
    qtbot.waitUntil(lambda: side.compare.result.page is not None)
    # The first one twice: what does not repeat is not judged.
    assert [spec.optimization for spec, _ in engine.asked] == ["all", "all", "none"]
    assert side.compare.result.page is not None
    assert "probabilities  identical" in page_text.text(side.compare.result.page)
    texts = [each.text() for each in side.compare.findChildren(QLabel)]
    assert any(text.startswith("No verdict from only 1") for text in texts), texts


def test_devices_and_models_can_be_chosen(qtbot, digits, engine, samples, ran):
    side = side_of(digits)
    digits.set_devices(
        (
            Device("cpu", "CPU", "cpu", "CPUExecutionProvider"),
            Device("cuda", "GPU", "gpu", "CUDAExecutionProvider", problem="no driver"),
        )
    )
    assert side.compare.other_run.findData("device=cpu") >= 0
    assert side.compare.other_run.findData("device=cuda") < 0
    side.compare.use_model(samples / "digits_int8_qdq.onnx")
    qtbot.waitUntil(lambda: side.compare.result.page is not None)
    assert side.compare.other_run.currentText() == "digits_int8_qdq.onnx"
    qtbot.mouseClick(side.compare.to_layer, LEFT)
    other = OtherRun(model=str(samples / "digits_int8_qdq.onnx"))
    assert ran[-1] == ("compare/first-layer", other)


def test_a_way_that_fails_says_why_in_its_place(qtbot, digits, engine, tmp_path):
    side = side_of(digits)
    (tmp_path / "torn.onnx").write_bytes(b"no model")
    side.compare.use_model(tmp_path / "torn.onnx")
    qtbot.waitUntil(lambda: not side.compare.problem.isHidden())
    assert "torn.onnx" in side.compare.problem.what.text()
    engine.answer = EngineFailed("Could not run the model", "no reason")
    qtbot.waitUntil(side.compare.compare.isEnabled)
    side.switch.choose(COMPARE)
    side.compare.requested.emit(OtherRun(level="none"))
    qtbot.waitUntil(lambda: side.compare.problem.why.text() == "No reason")


@pytest.fixture
def scans(samples: Path, tmp_path: Path) -> Path:
    for label in ("3", "4"):
        (tmp_path / "scans" / label).mkdir(parents=True)
        shutil.copy(samples / "inputs/digit_3.png", tmp_path / "scans" / label / "a.png")
    (tmp_path / "scans/4/torn.png").write_text("no picture")
    return tmp_path / "scans"


def agrees(side: ResultPane) -> bool:
    page = side.folder.summary.page
    return page is not None and "Agreement" in page_text.text(page)


def test_each_file_of_a_folder_is_held_against_a_second_way(qtbot, digits, scans, engine):
    side = side_of(digits)
    side.use_folder(scans)
    qtbot.waitUntil(lambda: len(side.folder.rows) == 3)
    qtbot.waitUntil(side.folder.other_run.isEnabled)
    assert not agrees(side)
    engine.asked.clear()
    side.folder.other_run.show_value("level=none")
    side.folder.other_run.activated.emit(side.folder.other_run.currentIndex())
    qtbot.waitUntil(lambda: agrees(side))
    qtbot.waitUntil(side.folder.other_run.isEnabled)
    levels = [spec.optimization for spec, _ in engine.asked]
    assert levels == ["all", "none", "all"] * 2
    verdict = "No verdict from only 2 test inputs (outputs agree within rounding"
    qtbot.waitUntil(
        lambda: any(
            each.text().startswith(verdict) for each in side.folder.findChildren(QLabel)
        )
    )
    model = side.folder.table.model
    qtbot.waitUntil(
        lambda: model.total == 3 and "✓ same" in model.text(0, model.column("other"))
    )
    told = [model.text(row, model.column("other")) for row in range(3)]
    assert told == ["✓ same", "✓ same", ""]
    assert side.folder.rows[2].problem.startswith("Could not open torn.png: ")
    assert (
        model.text(2, model.column("answer"))
        == "It is damaged, or not in a supported image format"
    )
    qtbot.waitUntil(side.folder.other_run.isEnabled)
    side.folder.other_run.show_value("")
    side.folder.other_run.activated.emit(0)
    qtbot.waitUntil(lambda: not agrees(side) and len(side.folder.rows) == 3)


def test_each_row_of_a_table_is_run(qtbot, theme, samples, tmp_path, engine):
    tab = tabs.shown(qtbot, theme, opened(qtbot, samples / "wine_tabular.onnx", engine))
    view = side_of(tab).folder
    path = tmp_path / "wines.csv"
    lines = (",".join(str(row + place) for place in range(13)) for row in range(2))
    path.write_text("".join(f"{line},{row}\n" for row, line in enumerate(lines)))
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    drop = view.drop_of(data)
    assert drop is not None
    engine.answer = classes([0.1, 0.9])
    engine.asked.clear()
    assert drop.act is not None
    drop.act()
    qtbot.waitUntil(lambda: len(view.rows) == 2 and view.progress.isHidden())
    assert [row.file for row in view.rows] == ["row 1", "row 2"]
    assert {1, 2} <= {float(feeds["measurements"][0, 1]) for _, feeds in engine.asked}
    assert "2 of 2 rows" in view._words()
    qtbot.waitUntil(lambda: view.table.model.total == 2)


def test_what_is_awaited_goes_once_it_is_there(qtbot, theme, samples, engine):
    tab = tabs.shown(qtbot, theme, opened(qtbot, samples / "digits_float32.onnx", engine))
    words = side_of(tab).compare.findChildren(QLabel)
    assert any(each.text() == AWAITED for each in words)
    with qtbot.waitSignal(tab.predicting.answered):
        tab.use_picture(samples / "inputs" / "digit_3.png")
    assert not any(each.text() == AWAITED for each in words)


def test_a_folder_that_changed_since_it_was_run_says_so_and_is_run_again(qtbot, digits, scans):
    view = side_of(digits).folder
    side_of(digits).use_folder(scans)
    qtbot.waitUntil(lambda: len(view.rows) == 3 and view.progress.isHidden())
    words = next(e for e in view.findChildren(QLabel) if "scans · 3 of 3" in e.text())
    assert not view.again.isVisible()
    shutil.copy(scans / "3" / "a.png", scans / "3" / "b.png")
    qtbot.waitUntil(view.again.isVisible)
    assert "Files were added, changed or removed since" in words.text()
    qtbot.mouseClick(view.again, LEFT)
    qtbot.waitUntil(lambda: len(view.rows) == 4 and view.progress.isHidden())
    qtbot.waitUntil(lambda: not view.again.isVisible())
    (scans / "3" / "b.png").write_bytes((scans / "4" / "a.png").read_bytes())
    QApplication.sendEvent(view, QEvent(QEvent.Type.WindowActivate))
    qtbot.waitUntil(view.again.isVisible)


def test_a_run_of_an_earlier_session_is_counted_again(qtbot, theme, digits, scans, engine):
    document = digits.document
    side_of(digits).use_folder(scans)
    qtbot.waitUntil(lambda: document.folder_tested is not None)
    later = opened(qtbot, document.path, engine)
    later.files_run = document.files_run
    proof = Proof(theme, later, image=True)
    qtbot.addWidget(proof)
    proof.show()
    assert proof.answer.text() == "Previous result"
    tabs.shown(qtbot, theme, later)
    assert later.folder_tested == document.folder_tested
    results = add_model_results(later)(example_report()).model_results
    assert results.file_count == len(results.files) == 3
    assert [bool(each.problem) for each in results.files].count(True) == 1  # torn.png
    assert proof.accuracy.accessibleName()


def test_a_dropped_folder_fills_the_table_and_a_row_shows_its_picture(
    qtbot, digits, scans, tmp_path
):
    side, data = side_of(digits), QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(scans))])
    view = side.folder
    found = view.drop_of(data)
    assert found.text == f"Run digits_float32.onnx on the files of {scans.name}"
    side.switch.choose(FOLDER)
    found.act()
    qtbot.waitUntil(lambda: view.table.model.total == 3)
    qtbot.waitUntil(lambda: digits.predicting.busy is False and view.progress.isHidden())
    assert side.switch.current == FOLDER
    table = view.table.model
    cells = [[table.text(row, column) for column in table.columns] for row in range(3)]
    assert [row[0] for row in cells] == ["3/a.png", "4/a.png", "4/torn.png"]
    assert [row[3] for row in cells] == ["✓ 3", "✗ 4", "4"]
    assert "not in a supported image format" in cells[2][1]
    matrix = view.classes.findChildren(ChartView)[-1]  # those of before are deleted later
    assert "2 labels, 1 of 2 wrong" in matrix.accessibleName()
    view.table.filter.setText("failed")
    assert view.table.count.text() == "1 of 3 files"
    view.table.filter.setText("")
    side.export(tmp_path / "out.csv")
    qtbot.waitUntil((tmp_path / "out.csv").exists)
    assert (tmp_path / "out.csv").read_text().count("\n") == 4
    with qtbot.waitSignal(digits.predicting.answered):
        view.table.table.selectRow(1)
    editor = digits.inputs.editors["picture"].picture
    assert editor.choice.path == scans / "4/a.png"


def test_a_stopped_folder_keeps_what_is_done(qtbot, digits, scans, engine, ran):
    view = side_of(digits).folder
    side_of(digits).switch.choose(FOLDER)
    engine.gate.clear()
    view.use_folder(scans)
    qtbot.waitUntil(view.stop.isVisible)
    qtbot.mouseClick(view.stop, LEFT)
    assert ran == [("cancel",)]
    digits.document.cancel()
    qtbot.waitUntil(lambda: not view.stop.isVisible())
    assert view.open.isEnabled()
    assert view.problem.isHidden()


def test_an_empty_folder_says_so(qtbot, digits, tmp_path):
    (tmp_path / "empty").mkdir()
    view = side_of(digits).folder
    side_of(digits).use_folder(tmp_path / "empty")
    qtbot.waitUntil(view.problem.isVisible)
    assert "no images" in view.problem.why.text()


def test_a_preparation_is_kept_and_found_again(qtbot, theme, digits, engine, samples, tmp_path):
    editor = digits.inputs.editors["picture"]
    field = editor.picture.preparation
    field.show_preparation(replace(field.preparation, scale="-1..1"))
    side_car = tmp_path / "digits_float32.onnx.inspector.json"
    digits.keeping.keep(digits.inputs)
    qtbot.waitUntil(lambda: editor.keep.text() == "Saved")
    assert json.loads(side_car.read_text())["pictures"]["picture"]["scale"] == "-1..1"
    again = tab_on(qtbot, theme, tmp_path / "digits_float32.onnx", engine, samples)
    found = again.inputs.editors["picture"].picture
    assert found.preparation.preparation.scale == "-1..1"
    side_car.write_text("{")
    torn = PreviewTab(theme, opened(qtbot, tmp_path / "digits_float32.onnx", engine))
    qtbot.addWidget(torn)
    assert "preprocessing" in torn.outputs.problem.what.text()


def test_the_chosen_view_of_an_output_is_kept_as_its_meaning(
    qtbot, theme, digits, engine, samples, tmp_path
):
    (view,) = digits.outputs.views
    assert view.forms[0] == results.CLASSES
    view.switch.choose(view.forms.index(results.NUMBERS))
    editor = digits.inputs.editors["picture"]
    digits.keeping.keep(digits.inputs)
    qtbot.waitUntil(lambda: editor.keep.text() == "Saved")
    kept = json.loads((tmp_path / "digits_float32.onnx.inspector.json").read_text())
    assert kept["outputs"] == {"probabilities": "numbers"}
    again = tab_on(qtbot, theme, tmp_path / "digits_float32.onnx", engine, samples)
    (view,) = again.outputs.views
    assert view.forms[0] == results.NUMBERS


def test_float32_values_for_a_float16_input_are_cast_in_one_click(
    qtbot, theme, samples, tmp_path, engine
):
    array = np.zeros((1, 3, 8, 8))
    engine.answer = Prediction(
        (OutputValue("sharpened", "tensor", "float16", array.astype(np.float16)),), (), 1, 0
    )
    np.save(tmp_path / "x.npy", array.astype(np.float32))
    tab = tabs.shown(qtbot, theme, opened(qtbot, samples / "sharpen_float16.onnx", engine))
    with qtbot.waitSignal(tab.predicting.failed):
        tab.use_file("picture", tmp_path / "x.npy")
    problem = tab.outputs.problem
    assert "Convert the values with" in problem.hint.text()
    assert problem.way_out.text() == "Cast to float16"
    with qtbot.waitSignal(tab.predicting.answered):
        qtbot.mouseClick(problem.way_out, LEFT)
    assert engine.asked[-1][1]["picture"].dtype == np.float16
    assert problem.isHidden()


def test_the_answer_stands_beside_the_input_in_a_window_of_960(qtbot, digits):
    inputs, side = digits.inputs, side_of(digits)
    assert inputs is not None
    digits.resize(600, 460)
    qtbot.waitUntil(lambda: side.y() >= inputs.geometry().bottom())
    digits.resize(772, 460)  # less the model list
    qtbot.waitUntil(lambda: side.x() >= inputs.geometry().right())
    assert side.y() < digits.viewport().height() / 2
