"""Pages that scroll, the room of their bar, and the wheel over fields."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea, QVBoxLayout, QWidget

from inspector.pages.blocks import Column, Row, Table
from inspector.ui.widgets.fields import ChoiceField, NumberField, Slider
from inspector.ui.widgets.layouts import BESIDE_BAR, scroll_down
from inspector.ui.widgets.parts import PADDING
from inspector.ui.widgets.table import ROW
from inspector.ui.widgets.table_card import FilterField, PageTableCard


def test_a_page_is_as_wide_where_it_scrolls_as_where_it_need_not(qtbot):
    area, page = QScrollArea(), QLabel("words " * 400)
    page.setWordWrap(True)
    area.setWidget(page)
    scroll_down(area)
    qtbot.addWidget(area)
    area.resize(400, 5000)
    area.show()
    bar, wide = area.verticalScrollBar(), page.width()
    assert bar.maximum() == 0
    area.resize(400, 100)
    assert bar.maximum() > 0
    assert page.width() == wide


def test_parts_that_come_never_lie_on_each_other(qtbot):
    area, page = QScrollArea(), QWidget()
    scroll_down(area)
    column = QVBoxLayout(page)
    area.setWidget(page)
    qtbot.addWidget(area)
    area.resize(300, 200)
    area.show()
    QApplication.processEvents()
    parts = [QLabel("words " * 40) for _ in range(8)]
    for part in parts:
        part.setWordWrap(True)
        column.addWidget(part)
        part.show()
    QApplication.sendPostedEvents(page, QEvent.Type.LayoutRequest.value)  # Qt may paint here
    assert all(part.height() >= part.heightForWidth(part.width()) for part in parts)


def test_a_page_leaves_as_much_room_with_its_bar_as_without(qtbot, theme):
    area = QScrollArea()
    scroll_down(area)
    area.setWidget(QLabel())
    qtbot.addWidget(area)
    area.show()
    assert BESIDE_BAR + area.verticalScrollBar().width() == PADDING


def test_a_page_whose_bar_would_come_and_go_for_ever_stands_still(qtbot):
    area, page = QScrollArea(), QLabel("words " * 400)
    page.setWordWrap(True)
    area.setWidget(page)
    scroll_down(area)
    qtbot.addWidget(area)
    area.show()
    for width in range(300, 420):
        with_bar = page.heightForWidth(width - 10)
        area.resize(width, with_bar - 1)
        area.setStyleSheet(f"QLabel {{ color: #0000{width % 100:02}; }}")
    assert area.isVisible()


@pytest.mark.parametrize("kind", ["slider", "number", "choice"])
def test_the_wheel_over_a_field_scrolls_the_page_until_the_field_has_the_focus(qtbot, kind):
    field = {
        "slider": lambda: Slider("Threshold", 100, 65),
        "number": lambda: NumberField("Runs", 100),
        "choice": lambda: ChoiceField("Device", ["a", "b", "c"], ["A", "B", "C"]),
    }[kind]()
    if isinstance(field, ChoiceField):
        value, change = field.currentIndex, field.setCurrentIndex
    else:
        value, change = field.value, field.setValue
    change(1)
    page, area = QWidget(), QScrollArea()
    column = QVBoxLayout(page)
    column.addWidget(field)
    column.addWidget(QLabel("words\n" * 200))
    area.setWidget(page)
    scroll_down(area)
    qtbot.addWidget(area)
    area.resize(400, 300)
    area.show()
    qtbot.waitExposed(area)
    area.activateWindow()
    area.setFocus()
    # Qt gives the focus to a field of this policy before the field gets the wheel.
    assert not field.focusPolicy().value & ~Qt.FocusPolicy.StrongFocus.value
    assert not _turn(field, -120), "the page scrolls by what its field leaves"
    assert value() == 1
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    assert _turn(field, 120 if kind != "choice" else -120)
    assert value() > 1


def _turn(field, turn):
    middle = QPointF(field.rect().center())
    event = QWheelEvent(
        middle,
        field.mapToGlobal(middle),
        QPoint(),
        QPoint(0, turn),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(field, event)
    return event.isAccepted()


def test_the_keyboard_comes_to_the_first_rows_of_a_long_table(qtbot, theme):
    columns = (Column("layer", "Layer"),)
    rows = tuple(Row((f"layer {number}",)) for number in range(200))
    field = FilterField(theme, "Filter", "Filter", wide=200)
    card = PageTableCard(theme, "Layers", "Layers", Table(columns, rows), field, first_rows=200)
    page, area = QWidget(), QScrollArea()
    column, before = QVBoxLayout(page), QLabel("words\n" * 30)
    column.addWidget(before)
    column.addWidget(card)
    area.setWidget(page)
    scroll_down(area)
    qtbot.addWidget(area)
    area.resize(400, 300)
    area.show()
    qtbot.waitExposed(area)
    area.activateWindow()
    qtbot.waitUntil(area.isActiveWindow)
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is card.table

    def top_is_in_view() -> bool:
        return 0 <= card.table.mapTo(area.viewport(), QPoint(0, ROW)).y() < area.height()

    assert top_is_in_view()
    assert not card.table.selectionModel().hasSelection()
    field.setFocus()
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
    qtbot.keyClick(field, Qt.Key.Key_Down)
    assert card.table.hasFocus()
    assert [index.row() for index in card.table.selectionModel().selectedRows()] == [0]
    assert top_is_in_view()
