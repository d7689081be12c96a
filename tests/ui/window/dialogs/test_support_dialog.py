"""The dialog that says which targets would run the open model."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QMenu
from pytestqt.qtbot import QtBot

from inspector.analysis.devices.targets import LITERT_TARGETS, TARGETS
from inspector.analysis.facts.shapes import declared
from inspector.backends import registry
from inspector.backends.onnxruntime.graphs.shape_inference import infer
from inspector.formats.opening import open_model
from inspector.report.run_spec import Dimension
from inspector.ui.window.dialogs.support_dialog import SupportDialog
from inspector.ui.window.main_window import MainWindow
from tests.formats.tflite import build
from tests.ui.made_documents import open_in_window


def opened(qtbot: QtBot, window: MainWindow, path: Path) -> SupportDialog:
    """The dialog as the menu of devices opens it, after its first answers."""
    open_in_window(qtbot, window, path)
    menu: QMenu = window.top_bar.device_button.menu()
    menu.aboutToShow.emit()
    menu.actions()[-1].trigger()
    dialog = next(each for each in window.findChildren(QDialog) if each.isVisible())
    assert isinstance(dialog, SupportDialog)
    qtbot.waitUntil(lambda: len(dialog.found) == len(TARGETS))
    return dialog


def test_the_device_menu_opens_targets_with_verdicts(qtbot, window, samples, answers):
    path = samples / "digits_float32.onnx"
    answers["shapes"] = declared(open_model(path))
    dialog = opened(qtbot, window, path)
    assert "targets run every layer" in dialog.state.text()
    assert dialog.verdict.text().startswith("iPhone, iPad and Mac: ")
    assert dialog.layers.rows.rowCount() == 15
    head, android, _, browser = dialog.phones.text().split("\n")
    assert head == "The file has dynamic axes. After you set batch = 1 in it:"
    assert android.startswith("On Android: ")
    qtbot.waitUntil(lambda: "browser: Yes" in dialog.phones.text(), timeout=5000)
    assert browser.startswith("In a browser: Yes")
    assert "WebAssembly" in browser
    assert dialog.fix.isVisible()
    texts = [str(row.cells[-1]) for row in dialog.layers.rows.table.rows]
    assert all(text.endswith(".") and "Estimated from" not in text for text in texts)


def test_a_selected_target_shows_its_layers_and_only_the_doubtful_ones_on_request(
    qtbot, window, samples, answers
):
    path = samples / "digits_float32.onnx"
    answers["shapes"] = infer(path, ())
    dialog = opened(qtbot, window, path)
    dialog.table.setFocus()
    dialog.table.selectRow(1)
    qtbot.keyClick(dialog.table, Qt.Key.Key_Down)
    assert dialog.verdict.text().startswith("Phone CPU: ")
    assert dialog.about.text().endswith("never on a GPU or NPU.")
    every = dialog.layers.rows.rowCount()
    qtbot.mouseClick(dialog.only_not_sure, Qt.MouseButton.LeftButton)
    assert 0 < dialog.layers.rows.rowCount() < every
    marks = {answer.mark.value for _, answer in dialog.answers}
    assert marks <= {"unsupported", "unknown", "failed"}


def test_the_table_is_copied_as_markdown(qtbot, window, samples, answers):
    path = samples / "digits_float32.onnx"
    answers["shapes"] = declared(open_model(path))
    dialog = opened(qtbot, window, path)
    qtbot.mouseClick(dialog.copy, Qt.MouseButton.LeftButton)
    text = QGuiApplication.clipboard().text()
    assert "\nOn Android: " in text
    row = next(
        line for line in text.splitlines() if line.startswith("| iPhone, iPad and Mac |")
    )
    assert "| Neural Engine, GPU or CPU | Core ML |" in row


def test_fixed_sizes_are_assumed_for_dynamic_axes_until_unchecked(
    qtbot, window, samples, answers
):
    path = samples / "digits_float32.onnx"
    answers["shapes"] = infer(path, (Dimension("batch", 1),))
    dialog = opened(qtbot, window, path)
    assert dialog.fixed.isVisible()
    assert dialog.fixed.text() == "Assume batch = 1"
    before = {each.target.id: each.count for each in dialog.found}
    answers["shapes"] = declared(open_model(path))
    qtbot.mouseClick(dialog.fixed, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.found[1].count != before["android"])
    after = {each.target.id: each.count for each in dialog.found}
    assert (before["android"], after["android"]) == ("15 of 15", "")


def test_targets_of_a_model_whose_runtime_is_missing_are_answered_from_tables(
    qtbot, window, tmp_path, monkeypatch
):
    missing = replace(registry.BACKENDS["litert"], module="no_such_module")
    monkeypatch.setitem(registry.BACKENDS, "litert", missing)
    path = tmp_path / "adding.tflite"
    path.write_bytes(build.adding())
    document = open_in_window(qtbot, window, path)
    assert document.not_run is not None
    window.dialogs.check_support()
    (dialog,) = window.findChildren(SupportDialog)
    qtbot.waitUntil(lambda: len(dialog.found) == len(LITERT_TARGETS))


def test_asked_twice_it_is_one_dialog_which_goes_with_its_model(
    qtbot, window, samples, answers
):
    path = samples / "digits_float32.onnx"
    answers["shapes"] = infer(path, ())
    first = opened(qtbot, window, path)
    window.dialogs.check_support()
    assert [each for each in window.findChildren(SupportDialog) if each.isVisible()] == [first]
    with qtbot.waitSignal(first.destroyed):
        window.workspace.close(window.document)
