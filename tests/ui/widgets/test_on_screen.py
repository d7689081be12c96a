"""Windows and their pages fit on the screen, whatever they wish for."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.ui.widgets.layouts import FittedScroll, resize_on_screen
from inspector.ui.window.dialogs.help_dialogs import ShortcutsDialog


def test_a_window_gets_its_size_or_what_the_screen_has_room_for(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    room = window.screen().availableSize()
    resize_on_screen(window, 300, 200)
    assert window.size() == QSize(300, 200)
    resize_on_screen(window, room.width() + 500, room.height() + 500)
    assert window.width() < room.width()
    assert window.height() < room.height()


def test_a_page_scrolls_where_the_screen_is_too_low(qtbot):
    page, part = QWidget(), QWidget()
    QVBoxLayout(page).addWidget(part)
    scroll = FittedScroll(page, around=90)
    qtbot.addWidget(scroll)
    scroll.show()
    room = scroll.screen().availableSize().height()
    for tall, scrolls in ((200, False), (2 * room, True)):
        part.setFixedSize(300, tall)
        page.layout().activate()
        scroll.resize(scroll.sizeHint())
        assert scroll.height() <= room - 90
        bar = scroll.verticalScrollBar()
        qtbot.waitUntil(lambda bar=bar, on=scrolls: (bar.maximum() > 0) == on, timeout=2000)


def test_the_shortcuts_are_below_each_other_where_the_screen_is_narrow(qtbot, theme):
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = ShortcutsDialog(theme, parent)
    dialog.show()
    assert dialog.width() <= dialog.screen().availableSize().width()
    dialog.close()
