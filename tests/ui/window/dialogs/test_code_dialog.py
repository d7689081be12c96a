"""The dialog that shows code which calls the open model."""

from pathlib import Path

from onnx import TensorProto, helper
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QFileDialog
from pytestqt.qtbot import QtBot

from inspector.render.code_languages import with_programs
from inspector.ui.window.dialogs.code_dialog import CodeDialog
from inspector.ui.window.main_window import MainWindow
from tests import models
from tests.ui.made_documents import open_in_window


def opened(qtbot: QtBot, window: MainWindow, path: Path) -> CodeDialog:
    open_in_window(qtbot, window, path)
    menus = window.top_bar.menu_button.menu().actions()
    (action,) = (
        action for menu in menus if menu.menu() for action in menu.menu().actions()
        if action.text() == "Generate code…"
    )  # fmt: skip
    action.trigger()
    dialog = next(each for each in window.findChildren(QDialog) if each.isVisible())
    assert isinstance(dialog, CodeDialog)
    return dialog


def test_code_of_each_language_is_shown_and_copied(qtbot, window, samples):
    dialog = opened(qtbot, window, samples / "digits_float32.onnx")
    seen, count = set(), len(with_programs())
    for place in range(count):
        x = int((place + 0.5) * dialog.languages.width() / count)
        center = QPoint(x, dialog.languages.height() // 2)
        qtbot.mouseClick(dialog.languages, Qt.MouseButton.LeftButton, pos=center)
        qtbot.mouseClick(dialog.copy, Qt.MouseButton.LeftButton)
        text = QGuiApplication.clipboard().text()
        assert text.rstrip("\n") == dialog.code.toPlainText()
        seen.add(text)
    assert len(seen) == count


def test_code_is_colored_and_no_line_is_cut(qtbot, window, samples):
    dialog = opened(qtbot, window, samples / "clothes_float32.onnx")
    first = dialog.code.document().firstBlock()
    while first.text() != "import sys":
        assert first.text().startswith("# ")
        first = first.next()
    (colored,) = first.layout().formats()
    assert (colored.start, colored.length) == (0, len("import"))
    assert dialog.code.horizontalScrollBar().maximum() == 0


def test_code_is_saved_where_the_user_says(qtbot, window, samples, tmp_path, monkeypatch):
    dialog = opened(qtbot, window, samples / "digits_float32.onnx")
    target = tmp_path / "call.py"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    qtbot.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
    assert target.read_text("utf-8").startswith("# Usage: python PROGRAM IMAGE\n")


def test_a_folder_that_is_missing_is_said_in_the_dialog(qtbot, window, samples, tmp_path):
    dialog = opened(qtbot, window, samples / "digits_float32.onnx")
    dialog.write_to(tmp_path / "none" / "call.py")
    assert dialog.failure.isVisible()
    assert "call.py" in dialog.failure.what.text()


def test_what_a_language_cannot_pass_is_said_until_another_is_chosen(qtbot, window, tmp_path):
    models.save(
        tmp_path / "packed.onnx",
        [helper.make_node("Cast", ["x"], ["y"], to=TensorProto.FLOAT)],
        [models.value("x", [2], TensorProto.INT4)],
        [models.value("y", [2])],
        opset=21,
    )
    dialog = opened(qtbot, window, tmp_path / "packed.onnx")
    names = [*with_programs()]
    for language in ("Java", "C++"):
        x = int((names.index(language) + 0.5) * dialog.languages.width() / len(names))
        center = QPoint(x, dialog.languages.height() // 2)
        qtbot.mouseClick(dialog.languages, Qt.MouseButton.LeftButton, pos=center)
        refused = language == "Java"
        assert dialog.failure.isVisible() == refused
        assert dialog.copy.isEnabled() != refused
