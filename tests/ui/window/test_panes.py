"""What stands beside the page: by width, by tab, and by the buttons."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea

from inspector.ui.window.sidebar import NARROW_PX, RAIL_PX, WIDTH_PX
from inspector.ui.window.tabs import TABS, Tab
from tests.ui.conftest import make_window
from tests.ui.made_documents import open_in_window

LEFT = Qt.MouseButton.LeftButton


def test_details_stay_away_from_pages_with_their_own(qtbot, window, samples):
    window.resize(1440, 900)
    open_in_window(qtbot, window, samples / "digits_float32.onnx")
    shown = []
    for tab in (Tab.OVERVIEW, Tab.GRAPH, Tab.WEIGHTS, Tab.PERFORMANCE):
        window.choose_tab(tab)
        shown.append(window.inspector.isVisible())
    assert shown == [False, True, False, True]


def test_in_a_narrow_window_the_button_opens_details_over_the_page(qtbot, window, samples):
    window.resize(1440, 900)
    open_in_window(qtbot, window, samples / "digits_float32.onnx")
    window.choose_tab(Tab.PERFORMANCE)
    assert window.inspector.isVisible()
    window.resize(1100, 700)
    view, button = window.view, window.top_bar.inspector_button
    assert not window.inspector.isVisible()
    qtbot.waitUntil(lambda: view.width() == 1100 - NARROW_PX)
    width = view.width()
    qtbot.mouseClick(button, LEFT)
    assert window.inspector.isVisible()
    assert view.width() == width, "nothing moves"
    window.choose_tab(Tab.GRAPH)
    assert not window.inspector.isVisible(), "it was opened over the last page"
    window.resize(1440, 900)
    assert window.inspector.isVisible(), "the wish of the wide window holds"


def test_the_list_becomes_a_rail_and_its_button_brings_it_back(qtbot, window, samples):
    window.resize(900, 700)
    open_in_window(qtbot, window, samples / "digits_float32.onnx")
    assert window.sidebar.isVisible()
    assert window.sidebar.width() == RAIL_PX
    qtbot.mouseClick(window.top_bar.sidebar_button, LEFT)
    assert window.sidebar.width() == NARROW_PX
    window.resize(1440, 900)
    assert (window.sidebar.isVisible(), window.sidebar.width()) == (True, WIDTH_PX)


@pytest.mark.parametrize("language", ["en", "de"])
def test_at_every_usual_size_the_window_fits_with_names_buttons_and_status(
    request, qtbot, theme, tmp_path, samples, language
):
    """960 x 480 pixels is what a screen of 1920 x 1080 leaves at 200 %."""
    if language == "de":
        request.getfixturevalue("german")
    window = make_window(theme, tmp_path, {})
    qtbot.addWidget(window)
    window.show()
    open_in_window(qtbot, window, samples / "digits_float32.onnx")
    bar = window.top_bar
    for size in ((1440, 900), (1280, 720), (1100, 700), (960, 480)):
        window.resize(*size)
        qtbot.waitUntil(lambda size=size: window.status.geometry().bottom() < size[1])
        assert (window.width(), window.height()) == size
        assert bar.minimumSizeHint().width() <= size[0], "nothing overlaps"
        assert not window.sidebar.rail
        assert all(b.isVisible() for b in (bar.open_button, bar.record_button))
        for tab in TABS:
            window.choose_tab(tab)
            page = window.view.tab(tab)
            areas = (page, *page.findChildren(QScrollArea))
            for area in (each for each in areas if isinstance(each, QScrollArea)):
                needed = area.widget().minimumSizeHint().width()
                assert needed <= area.viewport().width(), f"{tab.id} is cut at {size}"
