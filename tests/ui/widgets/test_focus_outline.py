"""Where the keyboard is can be seen on pages, lists and tables, too."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QListWidget, QVBoxLayout, QWidget

from inspector.ui.widgets import accessible
from inspector.ui.widgets.accessible import FocusOutline


@pytest.fixture
def outlined(qapp: QApplication) -> Iterator[None]:
    accessible.show_focus(qapp)
    yield
    qapp.focusChanged.disconnect(accessible._outline)


def test_a_list_has_an_outline_by_tab_and_none_by_a_click(qtbot, outlined):
    page, field, shown = QWidget(), QLineEdit(), QListWidget()
    column = QVBoxLayout(page)
    column.addWidget(field)
    column.addWidget(shown)
    qtbot.addWidget(page)
    page.show()
    page.activateWindow()
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)

    def outlines() -> list[FocusOutline]:
        return [each for each in page.findChildren(FocusOutline) if each.isVisible()]

    qtbot.keyClick(field, Qt.Key.Key_Tab)
    (outline,) = outlines()
    assert outline.geometry() == shown.rect()
    page.resize(400, 500)
    assert outline.geometry() == shown.rect()
    qtbot.keyClick(shown, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert not outlines()
    qtbot.mouseClick(shown.viewport(), Qt.MouseButton.LeftButton)
    assert shown.hasFocus()
    assert not outlines()
