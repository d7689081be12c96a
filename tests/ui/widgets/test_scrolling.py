"""Pages that scroll, and the room of their bar."""

from PySide6.QtWidgets import QLabel, QScrollArea

from inspector.ui.widgets.layouts import BESIDE_BAR, scroll_down
from inspector.ui.widgets.parts import PADDING


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
