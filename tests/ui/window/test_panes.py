"""What stands beside the page: by width, by tab, and by the buttons."""

from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from inspector.ui.window.main_window import MainWindow
from inspector.ui.window.sidebar import RAIL_PX, WIDTH_PX
from inspector.ui.window.tabs import Tab

LEFT = Qt.MouseButton.LeftButton


def open_model(qtbot: QtBot, window: MainWindow, samples: Path) -> None:
    window.workspace.open(samples / "digits_float32.onnx")
    qtbot.waitUntil(lambda: window.document is not None and window.document.model is not None)


def test_details_stay_away_from_pages_with_their_own(qtbot, window, samples):
    window.resize(1440, 900)
    open_model(qtbot, window, samples)
    shown = []
    for tab in (Tab.OVERVIEW, Tab.GRAPH, Tab.WEIGHTS, Tab.PERFORMANCE):
        window.choose_tab(tab)
        shown.append(window.inspector.isVisible())
    assert shown == [False, True, False, True]


def test_in_a_narrow_window_the_button_opens_details_over_the_page(qtbot, window, samples):
    window.resize(1440, 900)
    open_model(qtbot, window, samples)
    window.choose_tab(Tab.PERFORMANCE)
    assert window.inspector.isVisible()
    window.resize(1100, 700)
    view, button = window.view, window.top_bar.inspector_button
    assert not window.inspector.isVisible()
    qtbot.waitUntil(lambda: view.width() == 1100 - RAIL_PX)
    width = view.width()
    qtbot.mouseClick(button, LEFT)
    assert window.inspector.isVisible()
    assert view.width() == width, "nothing moves"
    window.choose_tab(Tab.GRAPH)
    assert not window.inspector.isVisible(), "it was opened over the last page"
    window.resize(1440, 900)
    assert window.inspector.isVisible(), "the wish of the wide window holds"


def test_the_list_becomes_a_rail_and_its_button_brings_it_back(qtbot, window, samples):
    window.resize(1100, 700)
    open_model(qtbot, window, samples)
    assert window.sidebar.isVisible()
    assert window.sidebar.width() == RAIL_PX
    qtbot.mouseClick(window.top_bar.sidebar_button, LEFT)
    assert window.sidebar.width() == WIDTH_PX
    window.resize(1440, 900)
    assert (window.sidebar.isVisible(), window.sidebar.width()) == (True, WIDTH_PX)
