"""A new tab is one entry of the registry and a module with its widget."""

import sys
from collections.abc import Iterator
from types import ModuleType

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from inspector.report.report import Device
from inspector.ui.documents.document import Document
from inspector.ui.widgets.theme import Theme
from inspector.ui.window.tabs import TABS, Tab, TabEntry
from tests.ui.made_documents import open_in_window


class ToyTab(QWidget):
    """Shows the name of the document; takes the devices."""

    def __init__(self, theme: Theme, document: Document, parent: QWidget) -> None:
        super().__init__(parent)
        self.name = QLabel(document.name)
        QVBoxLayout(self).addWidget(self.name)
        self.devices: tuple[Device, ...] = ()

    def set_devices(self, devices: tuple[Device, ...]) -> None:
        self.devices = devices


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[TabEntry]:
    module = ModuleType("toy_tab")
    module.ToyTab = ToyTab
    monkeypatch.setitem(sys.modules, "toy_tab", module)
    entry = TabEntry("toy", "Toy", "Ctrl+8", "toy_tab", "ToyTab")
    TABS.append(entry)
    yield entry
    TABS.remove(entry)


def test_a_registered_tab_is_in_bar_menu_and_view(qtbot, toy, window, samples):
    open_in_window(qtbot, window, samples / "digits_float32.onnx")
    qtbot.waitUntil(lambda: window.top_bar.menu_button.menu() is not None)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keyClick(window, Qt.Key.Key_8, Qt.KeyboardModifier.ControlModifier)
    view = window.view
    assert view.current is toy
    assert window.top_bar.tabs.current == TABS.index(toy)
    widget = view.tab(toy)
    assert isinstance(widget, ToyTab)
    assert widget.isVisible()
    assert widget.name.text() == "digits_float32.onnx"
    actions = [action for action in window.actions() if action.text() == "Toy"]
    assert [action.shortcut().toString() for action in actions] == ["Ctrl+8"]
    window.choose_tab(Tab.OVERVIEW)
    assert not widget.isVisible()
    assert widget.devices
    assert widget.devices == window.workspace.devices
