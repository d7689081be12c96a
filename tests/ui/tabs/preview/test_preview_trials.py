import shutil
from pathlib import Path

import numpy as np
import pytest
from onnx import numpy_helper
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from inspector.errors import EngineFailed
from inspector.ui import commands
from inspector.ui.tabs.preview.inputs.image_editor import ImageEditor
from inspector.ui.tabs.preview.tab import PreviewTab
from inspector.ui.widgets.theme import Theme
from tests.ui.made_documents import KeepingEngine, classes, opened
from tests.ui.tabs.preview import tabs

LEFT = Qt.MouseButton.LeftButton
ANSWER = [0.0, 0.0, 0.0, 0.9, 0.1, 0.0, 0.0, 0.0, 0.0, 0.0]


@pytest.fixture
def engine() -> KeepingEngine:
    made = KeepingEngine()
    made.answer = classes(ANSWER)
    return made


@pytest.fixture
def digits(
    qtbot: QtBot, theme: Theme, samples: Path, tmp_path: Path, engine: KeepingEngine
) -> PreviewTab:
    """A tab on a model with a data set beside it, and an answer to a picture."""
    model = shutil.copy(samples / "digits_float32.onnx", tmp_path)
    folder = tmp_path / "test_data_set_0"
    folder.mkdir()
    given, wanted = np.zeros((1, 1, 8, 8), np.float32), np.array([ANSWER], np.float32)
    (folder / "input_0.pb").write_bytes(numpy_helper.from_array(given).SerializeToString())
    (folder / "output_0.pb").write_bytes(numpy_helper.from_array(wanted).SerializeToString())
    tab = tabs.shown(qtbot, theme, opened(qtbot, Path(model), engine))
    with qtbot.waitSignal(tab.predicting.answered):
        tab.use_picture(samples / "inputs" / "digit_3.png")
    return tab


def picture(tab: PreviewTab) -> ImageEditor:
    editor = tab.inputs.editors["picture"].picture
    assert editor is not None
    return editor


def test_other_preparations_stand_side_by_side_and_one_click_takes_one(qtbot, digits, engine):
    engine.asked.clear()
    card = digits.outputs.tries
    qtbot.mouseClick(picture(digits).others, LEFT)
    qtbot.waitUntil(card.isVisible)
    tried = len(engine.asked)
    assert tried == len(card.uses) > 1
    use = card.uses[-1]
    assert isinstance(use, QPushButton)
    before = picture(digits).preparation.preparation
    with qtbot.waitSignal(digits.predicting.answered):
        qtbot.mouseClick(use, LEFT)
    assert picture(digits).preparation.preparation != before
    assert len(engine.asked) == tried + 1


def test_data_sets_beside_a_model_are_checked(qtbot, digits, engine):
    card = digits.outputs.expected
    assert card.isVisible()
    qtbot.mouseClick(card.check, LEFT)
    qtbot.waitUntil(card.lines.isVisible)
    assert "Passed · test_data_set_0" in card.lines.text()
    engine.answer = classes([0.0] * 10)
    qtbot.mouseClick(card.check, LEFT)
    qtbot.waitUntil(lambda: "Differs" in card.lines.text())
    assert "2 of 10 elements differ" in card.lines.text()


def test_a_failure_of_the_runtime_is_told_where_the_verdict_would_be(qtbot, digits, engine):
    engine.answer = EngineFailed("Could not run the model", "no room")
    qtbot.mouseClick(digits.outputs.expected.check, LEFT)
    qtbot.waitUntil(digits.outputs.expected.lines.isVisible)
    assert "no room" in digits.outputs.expected.lines.text()


def test_without_data_sets_nothing_is_offered(qtbot, theme, samples, engine):
    tab = tabs.shown(qtbot, theme, opened(qtbot, samples / "digits_float32.onnx", engine))
    assert not tab.outputs.expected.isVisible()


def test_of_several_chosen_images_each_is_run(qtbot, digits, samples, monkeypatch):
    images = [str(samples / "inputs" / name) for name in ("digit_3.png", "boot.png")]
    asked = list[object]()
    monkeypatch.setattr(commands, "run", lambda _, *command: asked.extend(command))
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: (images, ""))
    editor = digits.findChild(ImageEditor)
    assert editor is not None
    qtbot.mouseClick(editor.open, LEFT)
    assert asked == ["try", *map(Path, images)]
