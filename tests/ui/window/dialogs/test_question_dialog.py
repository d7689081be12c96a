"""Questions that a page answers: asked in a dialog, worked out in processes, saved."""

from pathlib import Path

import numpy as np
import onnx
import onnx.utils
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from inspector.engine.client.engine_process import EngineProcess
from inspector.report.library import Library
from inspector.report.run_spec import RunSpec
from inspector.ui.documents.autosave import Autosave
from inspector.ui.documents.document import Document, Topic
from inspector.ui.widgets.theme import Theme
from inspector.ui.window.dialogs.question_dialog import QUESTIONS, QuestionDialog

LEFT = Qt.MouseButton.LeftButton
PATIENCE_MS = 60_000


@pytest.fixture
def document(qtbot: QtBot, samples: Path, tmp_path: Path) -> Document:
    autosave = Autosave(Library(tmp_path / "library"))
    made = Document(samples / "digits_float32.onnx", RunSpec(), EngineProcess, autosave)
    with qtbot.waitSignal(made.changed(Topic.MODEL)):
        made.open()
    return made


def ask(qtbot: QtBot, document: Document, name: str, text: str = "") -> QuestionDialog:
    """Return a dialog that has its answer."""
    dialog = QuestionDialog(Theme("light"), document, QUESTIONS[name], EngineProcess)
    qtbot.addWidget(dialog)
    dialog.show()
    if text:
        dialog.field.setText(text)
    with qtbot.waitSignal(dialog.answered, timeout=PATIENCE_MS):
        qtbot.mouseClick(dialog.start, LEFT)
    return dialog


def test_a_series_of_shapes_is_run_and_saved(qtbot, document, tmp_path, monkeypatch):
    dialog = ask(qtbot, document, "shapes")
    assert dialog.field.text() == "batch=1,2,4,8"
    assert dialog.failure.isHidden()
    target = tmp_path / "series.md"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    qtbot.mouseClick(dialog.save, LEFT)
    qtbot.waitUntil(target.exists)
    assert target.read_text().count("batch=") == 5, "the first length again at the end"


def test_a_part_gets_a_test_case_that_replaces_no_file(qtbot, document, samples, tmp_path):
    part = tmp_path / "part.onnx"
    whole = samples / "digits_float32.onnx"
    onnx.utils.extract_model(str(whole), str(part), ["picture"], ["block1/conv_output"])
    dialog = ask(qtbot, document, "case", str(part))
    assert dialog.verdict.text() == "Test case saved as part.case.npz"
    with np.load(tmp_path / "part.case.npz") as arrays:
        assert {*arrays} == {"picture", "block1/conv_output"}
    again = ask(qtbot, document, "case", str(part))
    assert again.failure.why.text() == "There is such a file already"
    assert not again.save.isEnabled()


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("shapes", "batch=1,x", "'1,x' is not N,N"),
        ("shapes", "batch=1,2; width=3", "Different axes have different numbers of lengths"),
        ("environments", "nowhere, there", "'nowhere' is neither a Python executable nor"),
        ("environments", "", "Fewer than two are given"),
        ("case", "", "No model of a part is given"),
        ("compile", "a/b", "There is no such target"),
        ("layer-times", "SAMPLES/digits_float16.onnx", "Both models name their layers alike"),
    ],
)
def test_what_cannot_be_asked_is_said_where_one_looks(
    qtbot, document, samples, name, text, why
):
    dialog = ask(qtbot, document, name, text.replace("SAMPLES", str(samples)))
    assert dialog.failure.isVisible()
    assert dialog.failure.why.text().startswith(why)
