"""A drop does the same on every tab, and the window says during the drag what it will do."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent, QImage
from PySide6.QtWidgets import QApplication

from inspector.ui.tabs.preview.inputs.input_editor import InputEditor
from inspector.ui.window.tabs import TABS, Tab
from tests.ui.made_documents import open_in_window

ACTION, LEFT = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
NO_KEY = Qt.KeyboardModifier.NoModifier


def of(*paths: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def middle(window) -> QPoint:
    page = window.pages()
    return page.mapTo(window, page.rect().center())


def drag(window, data: QMimeData, place: QPoint) -> str:
    """What is said while something is dragged; "" where nothing is."""
    QApplication.sendEvent(window, QDragEnterEvent(place, ACTION, data, LEFT, NO_KEY))
    event = QDragMoveEvent(place, ACTION, data, LEFT, NO_KEY)
    QApplication.sendEvent(window, event)
    hint = window.messages.drops.hint
    said = hint.text if hint.isVisible() else ""
    return said if event.isAccepted() else f"refused: {said}"


def drop(window, data: QMimeData, place: QPoint) -> None:
    drag(window, data, place)  # Qt drops where a drag has entered
    QApplication.sendEvent(window, QDropEvent(place.toPointF(), ACTION, data, LEFT, NO_KEY))
    assert not window.messages.drops.hint.isVisible()


@pytest.fixture
def opened(qtbot, window, samples):
    open_in_window(qtbot, window, samples / "digits_float32.onnx")
    return window


def test_the_same_is_said_on_every_tab_and_done(qtbot, opened, samples, tmp_path):
    image, model = samples / "inputs" / "digit_3.png", samples / "wine_tabular.onnx"
    report = tmp_path / "report.json"
    report.write_text("{}")
    expected = {
        image: "Run digits_float32.onnx on digit_3.png",
        model: "Open wine_tabular.onnx",
        report: "Open report.json",
        samples / "inputs": "Run digits_float32.onnx on the files of inputs",
        samples: f"List the models of {samples.name}",
    }
    for tab in TABS:
        opened.choose_tab(tab)
        corner = opened.pages().mapTo(opened, QPoint(3, 3))
        said = {path: drag(opened, of(path), corner) for path in expected}
        assert said == expected, tab.id
    QApplication.sendEvent(opened, QDragLeaveEvent())
    assert not opened.messages.drops.hint.isVisible()
    opened.choose_tab(Tab.WEIGHTS)
    drop(opened, of(image), middle(opened))
    assert opened.view.current is Tab.PREVIEW
    qtbot.waitUntil(lambda: opened.document.inputs[0].value == str(image))
    drop(opened, of(model), middle(opened))
    qtbot.waitUntil(lambda: opened.document.name == model.name)


def test_an_input_takes_what_is_dropped_on_it_but_no_model(qtbot, opened, samples):
    opened.choose_tab(Tab.PREVIEW)
    editor = next(e for e in opened.findChildren(InputEditor) if e.isVisible())
    qtbot.waitUntil(lambda: not editor.visibleRegion().isEmpty())
    over = editor.mapTo(opened, editor.visibleRegion().boundingRect().center())
    image = samples / "inputs" / "digit_8.png"
    assert drag(opened, of(image), over) == "Use digit_8.png as the input picture"
    assert drag(opened, of(samples / "wine_tabular.onnx"), over) == "Open wine_tabular.onnx"
    pixels = QMimeData()
    pixels.setImageData(QImage(8, 8, QImage.Format.Format_RGB32))
    assert drag(opened, pixels, over) == "Use the image as the input picture"
    assert drag(opened, pixels, QPoint(5, 5)) == "refused: "
    drop(opened, of(image), over)
    qtbot.waitUntil(lambda: opened.document.inputs[0].value == str(image))


def test_an_input_without_a_model_is_refused_with_what_to_do(window, samples, tmp_path):
    said = drag(window, of(samples / "inputs" / "digit_3.png"), middle(window))
    assert said == ("refused: digit_3.png is an input. Open a model first, then drop it again.")
    drop(window, of(samples / "inputs" / "digit_3.png"), middle(window))
    assert window.front() is None
    assert window.messages.notice.message() is None
