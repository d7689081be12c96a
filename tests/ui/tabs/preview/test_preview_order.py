from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector.errors import EngineFailed
from inspector.preview.inputs import image_files
from inspector.ui.tabs.preview.outputs.image_view import DrawnImage
from inspector.ui.tabs.preview.tab import PreviewTab
from inspector.ui.widgets.theme import Theme
from tests.ui.made_documents import KeepingEngine, classes, opened
from tests.ui.tabs.preview import tabs


class Heard:
    """What the Preview said, in order."""

    def __init__(self, tab: PreviewTab) -> None:
        self.said: list[str] = []
        told = tab.predicting
        told.filled.connect(lambda _: self.said.append("filled"))
        told.answered.connect(lambda _: self.said.append("answered"))
        told.failed.connect(lambda _: self.said.append("failed"))


class Laid(QObject):
    """Counts how often the page of a tab is laid out."""

    def __init__(self, tab: PreviewTab) -> None:
        super().__init__(tab)
        self.times = 0
        page = tab.widget()
        page.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.times += event.type() == QEvent.Type.LayoutRequest
        return False


@pytest.fixture
def digits(qtbot: QtBot, theme: Theme, samples: Path, engine: KeepingEngine) -> PreviewTab:
    engine.answer = classes([0.0] * 3 + [0.9, 0.1] + [0.0] * 5)
    return tabs.shown(qtbot, theme, opened(qtbot, samples / "digits_float32.onnx", engine))


def give(digits: PreviewTab, samples: Path, number: int) -> None:
    digits.use_picture(samples / "inputs" / f"digit_{number}.png")


def test_the_input_is_told_of_once_and_before_its_answer(qtbot, digits, samples):
    heard = Heard(digits)
    give(digits, samples, 3)
    qtbot.waitUntil(lambda: "answered" in heard.said)
    assert heard.said == ["filled", "answered"]


def test_the_input_is_shown_while_the_model_predicts(qtbot, digits, samples, engine):
    heard = Heard(digits)
    engine.gate.clear()
    give(digits, samples, 3)
    qtbot.waitUntil(lambda: heard.said == ["filled"])
    engine.gate.set()
    qtbot.waitUntil(lambda: heard.said == ["filled", "answered"])


def test_the_input_is_shown_though_the_prediction_fails(qtbot, digits, samples, engine):
    heard = Heard(digits)
    engine.answer = EngineFailed("Could not run the model", "it is tired")
    give(digits, samples, 3)
    qtbot.waitUntil(lambda: heard.said == ["filled", "failed"])


def test_labels_that_come_while_it_predicts_are_in_its_answer(qtbot, digits, samples, engine):
    engine.gate.clear()
    give(digits, samples, 3)
    qtbot.waitUntil(lambda: len(engine.asked) == 1)
    digits.predicting.labels = tuple(f"name {number}" for number in range(10))
    with qtbot.waitSignal(digits.predicting.answered) as answer:
        engine.gate.set()
    assert answer.args[0].readings[0].classes[0].top[0].label == "name 3"


def test_the_next_picture_moves_nothing_on_the_page(qtbot, digits, samples):
    for number in (3, 7):
        with qtbot.waitSignal(digits.predicting.answered):
            give(digits, samples, number)
    laid = Laid(digits)
    qtbot.wait(200)
    while laid.times:  # what was shown first is still being laid out
        laid.times = 0
        qtbot.wait(200)
    with qtbot.waitSignal(digits.predicting.answered):
        give(digits, samples, 3)
    for _ in range(5):
        QApplication.processEvents()
    assert laid.times == 0


def drawing(drawn: DrawnImage, side: int) -> QImage:
    image = QImage(side, side, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    drawn.draw(painter, QRectF(image.rect()), smooth=True)
    painter.end()
    return image


def test_a_picture_is_drawn_as_sharp_at_a_second_size_as_at_the_first(samples):
    pixels = image_files.read(samples / "inputs" / "digit_3.png")
    drawn = DrawnImage(pixels)
    for side in (24, 192, 24):
        assert drawing(drawn, side) == drawing(DrawnImage(pixels), side)
    image = drawing(drawn, 192)
    for x, y in ((0, 0), (96, 12), (120, 90)):
        assert image.pixelColor(x, y).getRgb() == (*[int(pixels[y, x, 0])] * 3, 255)
