"""What screen readers find: names of all that can be reached, items of what is painted."""

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QScrollBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from inspector.ui.graph.view import GraphView
from inspector.ui.timeline.widget.lanes import Lanes
from inspector.ui.widgets import accessible
from inspector.ui.window.main_window import MainWindow
from inspector.ui.window.tabs import TABS, Tab
from tests.reports import example_report
from tests.ui.every_page import every_page
from tests.ui.made_documents import open_in_window

NAME, ROLE = QAccessible.Text.Name, QAccessible.Role
CONTROLS = (QAbstractButton, QAbstractItemView, QAbstractSpinBox, QComboBox, QLineEdit)


@pytest.fixture(autouse=True)
def _reader() -> None:
    accessible.install()


def painted(widget: QWidget) -> bool:
    """Whether a widget of ours paints all that it shows."""
    own = (cls for cls in type(widget).__mro__ if cls.__module__.startswith("inspector"))
    return any("paintEvent" in vars(cls) for cls in own) and not widget.children()


def unnamed(page: QWidget) -> list[str]:
    """Describe the visible widgets that a screen reader reaches and has no name for."""
    found = []
    for widget in (page, *page.findChildren(QWidget)):
        reached = widget.focusPolicy() != Qt.FocusPolicy.NoFocus or painted(widget)
        empty = isinstance(widget, QLabel) and not widget.text()
        if not widget.isVisible() or isinstance(widget, QScrollBar) or empty:
            continue
        if reached or isinstance(widget, CONTROLS):
            interface = QAccessible.queryAccessibleInterface(widget)
            if not interface.text(NAME):
                parent = widget.parentWidget()
                found.append(f"{type(widget).__name__} in {type(parent).__name__}")
    return found


class ShownAlone(QObject):
    """Collects widgets that were shown as windows of their own, before they had a parent."""

    def __init__(self) -> None:
        super().__init__()
        self.found = set[str]()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        shown = event.type() == QEvent.Type.Show and isinstance(watched, QWidget)
        if shown and watched.windowType() == Qt.WindowType.Window:
            self.found.add(type(watched).__name__)
        return False


@pytest.mark.slow
def test_no_widget_of_any_page_or_dialog_is_without_a_name_or_a_window_of_its_own(
    qtbot, window, samples, tmp_path, qapp
):
    alone, pages = ShownAlone(), {}
    qapp.installEventFilter(alone)
    for name, page in every_page(qtbot, window, samples, tmp_path):
        pages[name] = unnamed(page)
    qapp.removeEventFilter(alone)
    assert {name: found for name, found in pages.items() if found} == {}
    assert len(pages) > 30
    assert alone.found <= {"MainWindow"}


def opened(qtbot: QtBot, window: MainWindow, samples: Path) -> None:
    open_in_window(qtbot, window, samples / "digits_float32.onnx")


def test_tabs_are_announced_as_tabs(qtbot, window, samples):
    opened(qtbot, window, samples)
    tabs = QAccessible.queryAccessibleInterface(window.top_bar.tabs)
    assert tabs.role() == ROLE.PageTabList
    items = [tabs.child(number) for number in range(tabs.childCount())]
    assert [each.text(NAME) for each in items] == [tab.title for tab in TABS]
    assert {each.role() for each in items} == {ROLE.PageTab}
    window.choose_tab(Tab.GRAPH)
    assert [bool(each.state().selected) for each in items].index(True) == 1
    assert tabs.childAt(*items[2].rect().center().toTuple()) == items[2]


def test_layers_of_the_graph_are_items_that_keys_reach(qtbot, window, samples):
    opened(qtbot, window, samples)
    window.choose_tab(Tab.GRAPH)
    view = window.findChild(GraphView)
    qtbot.waitUntil(lambda: view.scene is not None)
    graph = QAccessible.queryAccessibleInterface(view)
    names = [graph.child(number).text(NAME) for number in range(graph.childCount())]
    assert any(name.startswith("Conv") for name in names)
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Down)
    qtbot.keyClick(view, Qt.Key.Key_Down)
    current = graph.focusChild()
    assert current.text(NAME) == names[view.current]
    assert current.state().selected
    assert QRect(view.mapToGlobal(view.rect().topLeft()), view.size()).intersects(
        current.rect()
    )


def test_events_of_the_timeline_are_items_that_keys_reach(qtbot, window, samples):
    opened(qtbot, window, samples)
    window.document.add_report(example_report())
    window.choose_tab(Tab.PERFORMANCE)
    lanes = max(window.findChildren(Lanes), key=lambda each: each.item_count())
    timeline = QAccessible.queryAccessibleInterface(lanes)
    assert timeline.role() == ROLE.List
    count = timeline.childCount()
    assert count > 20
    lanes.setFocus()
    qtbot.keyClick(lanes, "]")
    qtbot.keyClick(lanes, "]")
    current = timeline.focusChild()
    assert current.role() == ROLE.ListItem
    assert current.text(NAME) == lanes.accessibleDescription()
    for _ in range(6):
        qtbot.keyClick(lanes, "w")
    assert timeline.childCount() < count
