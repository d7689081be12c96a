"""All models of a folder as a table in the window."""

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from inspector.ui.window.dialogs.folder_dialog import FolderDialog
from inspector.ui.window.main_window import MainWindow
from tests.ui.made_documents import drop

SAMPLES = Path(__file__).parents[4] / "sample_models"
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "models"
    (made / "old").mkdir(parents=True)
    for name in ("digits_float32", "digits_float16", "wine_tabular"):
        shutil.copy(SAMPLES / f"{name}.onnx", made)
    shutil.copy(SAMPLES / "digits_float32.onnx", made / "old" / "copy.onnx")
    (made / "broken.onnx").write_bytes(b"broken")
    return made


@pytest.fixture
def dialog(qtbot: QtBot, window: MainWindow, folder: Path) -> FolderDialog:
    drop(window, folder)
    made = window.findChild(FolderDialog)
    qtbot.waitUntil(lambda: all(m.size_bytes or m.problem for m in made.models))
    return made


def names(dialog: FolderDialog) -> list[str]:
    rows = dialog.rows
    texts = (rows.text(row, rows.column("model")) for row in range(rows.rowCount()))
    return [text.removesuffix(" (duplicate)") for text in texts]


def test_a_dropped_folder_lists_its_models_with_duplicates(dialog):
    assert names(dialog) == [
        "broken.onnx", "digits_float16.onnx", "digits_float32.onnx", "old/copy.onnx",
        "wine_tabular.onnx",
    ]  # fmt: skip
    assert dialog.count.text() == "5 models, 1 duplicate"
    texts = [dialog.rows.text(2, each) for each in dialog.rows.columns]
    assert texts[1] == "78.6 KiB"
    assert texts[-1] == "Image classifier: 10 classes"
    assert dialog.rows.text(0, dialog.rows.columns[-1]) == "Cannot be read"
    assert "Same content as digits_float32.onnx" in dialog.rows.hint(3, dialog.rows.columns[0])
    dialog.rows.turn(dialog.rows.place("size"))
    assert names(dialog)[0].startswith(("digits_float32", "old/"))
    assert names(dialog)[-1] == "broken.onnx"
    dialog.filter.setText("float16")
    assert names(dialog) == ["digits_float16.onnx"]
    assert dialog.count.text().startswith("1 of 5 models")


def test_two_models_are_compared_and_several_opened(qtbot, dialog, window):
    assert not dialog.open_button.isEnabled()
    dialog.select("digits_float32.onnx", "digits_float16.onnx")
    assert dialog.compare_button.isEnabled()
    assert dialog.open_button.text() == "Open 2"
    qtbot.mouseClick(dialog.compare_button, LEFT)
    assert {side.name for side in window.diff.document.sides} == {
        "digits_float32.onnx", "digits_float16.onnx",
    }  # fmt: skip


def test_the_table_is_exported(qtbot, dialog, tmp_path, monkeypatch):
    path = tmp_path / "table.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    qtbot.mouseClick(dialog.export_button, LEFT)
    qtbot.waitUntil(path.exists)
    lines = path.read_text("utf-8").splitlines()
    assert lines[0].startswith("path,size_bytes,")
    assert len(lines) == 6
