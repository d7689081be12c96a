import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox
from pytestqt.qtbot import QtBot

from inspector.engine.client.engine_process import EngineProcess
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.preview.outputs import results
from inspector.report.run_spec import RunSpec
from inspector.ui.documents.document import Document, Topic
from inspector.ui.tabs.preview import read_outputs
from inspector.ui.tabs.preview.outputs.class_bars import ClassBars
from inspector.ui.tabs.preview.outputs.embedding_output import EmbeddingBody
from inspector.ui.tabs.preview.outputs.image_output import SLIDER, ImageBody
from inspector.ui.tabs.preview.outputs.output_view import OutputView
from inspector.ui.tabs.preview.outputs.tensor_output import MAP, SPREAD, TABLE, TensorBody
from inspector.ui.tabs.preview.outputs.text_output import GeneratedTextBody
from inspector.ui.widgets.theme import Theme
from tests.preview import writer
from tests.ui.made_documents import opened
from tests.ui.tabs.preview import tabs

Array = NDArray[np.float32]


def shown(qtbot: QtBot, theme: Theme, output: OutputValue, subject: str = "") -> OutputView:
    prediction = Prediction((output,), ("cpu",), 1, 0)
    (read,) = read_outputs.read_all(prediction, (), subject=subject)
    view = OutputView(theme, read)
    qtbot.addWidget(view)
    view.show_reading(read, np.zeros((16, 16, 3), np.uint8), "")
    view.show()
    return view


def tensor(name: str, array: Array) -> OutputValue:
    return OutputValue(name, "tensor", array.dtype.name, array)


def test_kept_answers_have_a_cosine(qtbot, theme):
    first = np.zeros((1, 16), np.float32)
    first[0, 0] = 1
    view = shown(qtbot, theme, tensor("embedding", first), "one.png")
    body = view.findChild(EmbeddingBody)
    assert body.caption.startswith("Save this embedding")
    qtbot.mouseClick(body.keep, Qt.MouseButton.LeftButton)
    second = first.copy()
    second[0, 1] = 1
    (read,) = read_outputs.read_all(
        Prediction((tensor("embedding", second),), (), 1, 0), (), subject="two.png"
    )
    view.show_reading(read, None, "")
    qtbot.mouseClick(body.keep, Qt.MouseButton.LeftButton)
    assert body.bars.accessibleDescription() == "two.png: 1.0000; one.png: 0.7071"
    qtbot.mouseClick(body.forget, Qt.MouseButton.LeftButton)
    assert not body.saved


def test_classes_without_names_are_shown_as_the_shares_that_files_and_reports_give(
    qtbot, theme
):
    scores = np.array([[0.5, 0, 6000, 0, 12.5, 0]], np.float32)
    view = shown(qtbot, theme, tensor("logits", scores))
    bars = view.findChild(ClassBars)
    assert bars.accessibleDescription().startswith("Class 2: 100.00%")
    view.findChild(QCheckBox).click()
    assert bars.accessibleDescription().startswith("Class 2: 6,000")


def test_any_plane_of_a_tensor_is_a_map_or_a_table(qtbot, theme):
    values = np.arange(2 * 3 * 40, dtype=np.float32).reshape(2, 3, 40)
    view = shown(qtbot, theme, tensor("y", values))
    body = view.findChild(TensorBody)
    body.view_switch.choose(MAP)
    assert body.picker.map.accessibleDescription().startswith("3 rows, 40 columns")
    body.view_switch.choose(TABLE)
    assert not body.picker.map.isVisible()
    body.picker.at[0].setValue(1)
    table = body.table
    assert (table.plane.rowCount(), table.plane.text(2, 39)) == (3, "239")
    table.setCurrentIndex(table.plane.index(0, 0))
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "120"
    body.view_switch.choose(SPREAD)
    assert not table.isVisible()


def test_each_tensor_of_a_sequence_is_looked_at(qtbot, theme):
    parts = (np.ones((2, 2), np.float32), np.full((3, 1), 7, np.float32))
    view = shown(qtbot, theme, OutputValue("s", "sequence", "sequence", None, parts=parts))
    body = view.findChild(TensorBody)
    body.view_switch.choose(TABLE)
    body.part.setValue(1)
    assert body.table.plane.text(2, 0) == "7"


def test_before_and_after_have_a_line_to_move(qtbot, theme):
    view = shown(qtbot, theme, tensor("styled", np.full((1, 3, 16, 16), 0.5, np.float32)))
    assert view.forms[0] == results.IMAGE
    body = view.findChild(ImageBody)
    body.view_switch.choose(SLIDER)
    assert body.wipe.isVisible()
    qtbot.mousePress(body.wipe, Qt.MouseButton.LeftButton, pos=QPoint(0, 20))
    assert body.slider.value() == 0


@pytest.mark.engine
def test_a_text_is_written_on_in_the_window(qtbot, theme, tmp_path):
    document = Document(writer.made(tmp_path), RunSpec(), EngineProcess)
    with qtbot.waitSignals([document.changed(Topic.MODEL), document.changed(Topic.DIGEST)]):
        document.open()
    tab = tabs.answered(qtbot, theme, document)
    numbers = tab.inputs.editors["input_ids"].numbers
    numbers.source_switch.choose(5)
    with qtbot.waitSignal(tab.predicting.answered, timeout=30_000):
        numbers.text.setText("the cat")
        numbers.text.textEdited.emit("the cat")
    qtbot.waitUntil(lambda: not tab.predicting.busy)
    body = tab.findChild(GeneratedTextBody)
    qtbot.mouseClick(body.write, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: body.pace.isVisible(), timeout=30_000)
    assert body.written.text() == "sat mat on"
    assert "end of text" in body.pace.text()
    document.close()


def test_a_storm_of_changes_is_answered_once(qtbot, theme, samples, engine):
    tab = tabs.answered(qtbot, theme, opened(qtbot, samples / "wine_tabular.onnx", engine))
    asked = len(engine.asked)
    with qtbot.waitSignal(tab.predicting.answered):
        for _ in range(20):
            tab.predicting.soon()
    qtbot.waitUntil(lambda: not tab.predicting.busy)
    assert len(engine.asked) == asked + 1
