"""What a document allows for a model."""

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from inspector.report.run_spec import Dimension
from inspector.ui.documents import workspace
from inspector.ui.documents.document import Bookmark, Document, Topic
from tests.analysis.build import model
from tests.ui.made_documents import KeepingEngine, document


def of(model_format: str) -> Document:
    made = document(Path("made"), KeepingEngine())
    made.model = model(format=model_format)
    return made


@pytest.mark.parametrize("model_format", ["openvino", "coreml", "gguf"])
def test_models_without_actions_cannot_be_changed(model_format):
    reason = of(model_format).not_changed
    assert reason[0] == "Only ONNX and TensorFlow Lite models can be changed"
    assert "Convert the original model to one of these formats" in reason[1]


@pytest.mark.parametrize("model_format", ["onnx", "tflite"])
def test_models_with_actions_and_what_is_not_open_yet_may_be_changed(model_format):
    assert of(model_format).not_changed is None
    assert document(Path("made"), KeepingEngine()).not_changed is None


ROWS = (Dimension("rows", 4),)


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)


def opened(qtbot: QtBot, settings: QSettings, path: Path) -> Document:
    made = document(path, KeepingEngine())
    workspace.remember(made, settings, path)
    with qtbot.waitSignals([made.changed(Topic.MODEL), made.changed(Topic.DIGEST)]):
        made.open()
    return made


def test_lengths_come_back_when_the_model_is_opened_again(qtbot, settings, samples):
    path = samples / "wine_tabular.onnx"
    opened(qtbot, settings, path).set_spec(dimensions=ROWS)
    again = opened(qtbot, settings, path)
    assert again.spec.dimensions == ROWS
    again.set_spec(dimensions=())
    assert opened(qtbot, settings, path).spec.dimensions == ()


def test_another_model_and_an_axis_that_is_gone_get_nothing(qtbot, settings, samples):
    path = samples / "wine_tabular.onnx"
    opened(qtbot, settings, path).set_spec(dimensions=(*ROWS, Dimension("gone", 2)))
    assert opened(qtbot, settings, path).spec.dimensions == ROWS
    assert not opened(qtbot, settings, samples / "digits_float32.onnx").spec.dimensions


def test_bookmarks_come_back_when_the_model_is_opened_again(qtbot, settings, samples):
    path = samples / "wine_tabular.onnx"
    first = opened(qtbot, settings, path)
    assert first.bookmarks == ()
    first.bookmarks = (Bookmark(1, 0.75), Bookmark(0, 2.0))
    first.tell(Topic.BOOKMARKS)
    assert opened(qtbot, settings, path).bookmarks == (Bookmark(1, 0.75), Bookmark(0, 2.0))
    first.bookmarks = (Bookmark(100_000, 1.0),)
    first.tell(Topic.BOOKMARKS)
    assert opened(qtbot, settings, path).bookmarks == (), "the file has fewer layers by now"
    first.bookmarks = ()
    first.tell(Topic.BOOKMARKS)
    assert not [key for key in settings.allKeys() if key.startswith("bookmarks")]


def test_libraries_of_custom_operators_come_back_with_their_model(qtbot, settings, samples):
    path = samples / "wine_tabular.onnx"
    opened(qtbot, settings, path).set_spec(custom_ops=("/a/ops.so", "/b/more.so"))
    again = opened(qtbot, settings, path)
    assert again.spec.custom_ops == ("/a/ops.so", "/b/more.so")
    again.set_spec(custom_ops=())
    assert opened(qtbot, settings, path).spec.custom_ops == ()
