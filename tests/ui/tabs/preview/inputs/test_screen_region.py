import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPixmap, QScreen
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from inspector.ui.tabs.preview.inputs.capture import (
    SCREEN_NOT_CAPTURED,
    WAYLAND,
    Canvas,
    ScreenRegion,
)

RED = QRect(100, 50, 60, 40)


def canned(screen: QScreen) -> QPixmap:
    """A white screen with a red rectangle, twice as fine as its points."""
    size = screen.geometry().size()
    made = QPixmap(size * 2)
    made.fill(QColor("white"))
    painter = QPainter(made)
    painter.fillRect(
        QRect(RED.x() * 2, RED.y() * 2, RED.width() * 2, RED.height() * 2), QColor("red")
    )
    painter.end()
    return made


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.show()
    return made


def begun(qtbot: QtBot, window: QWidget) -> tuple[ScreenRegion, Canvas]:
    region = ScreenRegion(window, canned)
    region.ask(window)
    assert not window.isVisible()
    qtbot.waitUntil(lambda: region.canvas is not None)
    assert region.canvas is not None
    return region, region.canvas


def test_what_is_drawn_around_becomes_the_picture(qtbot, window):
    region, canvas = begun(qtbot, window)
    left = Qt.MouseButton.LeftButton
    qtbot.mouseClick(canvas, left, pos=QPoint(5, 5))  # a click alone is no rectangle
    assert region.canvas is canvas
    qtbot.mousePress(canvas, left, pos=RED.bottomRight())
    qtbot.mouseMove(canvas, RED.topLeft())
    with qtbot.waitSignal(region.captured) as found:
        qtbot.mouseRelease(canvas, left, pos=RED.topLeft())
    pixels = found.args[0]
    assert pixels.shape == (80, 120, 3)
    assert (np.unique(pixels.reshape(-1, 3), axis=0) == [255, 0, 0]).all()
    assert window.isVisible()
    assert region.canvas is None


def test_escape_cancels_and_enter_takes_all(qtbot, window):
    region, canvas = begun(qtbot, window)
    with qtbot.assertNotEmitted(region.captured):
        qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert window.isVisible()
    region, canvas = begun(qtbot, window)
    with qtbot.waitSignal(region.captured) as found:
        qtbot.keyClick(canvas, Qt.Key.Key_Return)
    size = window.screen().geometry().size()
    assert found.args[0].shape == (2 * size.height(), 2 * size.width(), 3)


def test_a_screen_that_cannot_be_seen_gets_a_sentence(qtbot, window, monkeypatch):
    region = ScreenRegion(window, lambda screen: QPixmap())
    with qtbot.waitSignal(region.refused) as found:
        region.ask(window)
    assert found.args == [SCREEN_NOT_CAPTURED]
    assert window.isVisible()
    monkeypatch.setattr(QGuiApplication, "platformName", staticmethod(lambda: "wayland"))
    with qtbot.waitSignal(region.refused) as found:
        region.ask(window)
    assert found.args == [WAYLAND]
    assert window.isVisible()


def test_closing_the_canvas_cancels_and_the_window_comes_back(qtbot, window):
    region, canvas = begun(qtbot, window)
    canvas.close()
    assert window.isVisible()
    assert region.canvas is None
