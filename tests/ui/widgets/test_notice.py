"""A message over the page covers nothing that people click, wherever there is room."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QWidget

from inspector.ui.widgets.notice import Action, Message, Notice

SIZE = (1000, 700)
SAVED = Message("Saved a.json", "/home/user", done=True)


@pytest.fixture
def page(qtbot):
    host = QWidget()
    qtbot.addWidget(host)
    host.resize(*SIZE)
    host.show()
    return host


def put(page: QWidget, part: QWidget, x: int, y: int) -> QWidget:
    part.setParent(page)
    part.setGeometry(QRect(x, y, 90, 30))
    part.show()
    return part


def test_it_lies_in_the_middle_of_the_lower_edge_of_a_page_without_links(page, theme):
    notice = Notice(theme, page)
    put(page, QLabel("no link"), 480, 650)
    notice.say(SAVED)
    assert abs(notice.geometry().center().x() - 500) <= 1
    assert notice.geometry().bottom() > 650


def test_it_goes_where_it_covers_no_link_button_or_field_and_stays(page, theme):
    notice = Notice(theme, page)
    link = put(page, QLabel('<a href="x">more</a>'), 880, 650)
    button = put(page, QPushButton("Check"), 480, 650)
    field = put(page, QLineEdit(), 20, 650)
    notice.say(SAVED)
    covered = [notice.geometry().intersects(part.geometry()) for part in (link, button, field)]
    assert covered == [False] * 3
    place = notice.pos()
    put(page, QPushButton("Later"), place.x(), place.y())
    page.resize(SIZE[0], SIZE[1] + 1)
    assert notice.pos() == place, "it does not run away from the pointer"


def test_what_was_said_in_passing_goes_with_what_was_shown_then(qtbot, page, theme):
    notice, document = Notice(theme, page), object()
    notice.say(Message("Close", "Nothing is open", fades=True))
    notice.follow(document)
    assert notice.message() is None
    closed = Message("Closed a.onnx", action=Action("Reopen", lambda: None), fades=True)
    notice.say(closed)
    qtbot.wait(5)
    left = notice._wait.remainingTime()
    notice.follow(object())
    assert notice.message() is closed
    assert notice._wait.remainingTime() <= left, "another model in front gives it no more time"
    failed = Message("Could not open b.onnx", bad=True)
    notice.say(failed)
    notice.follow(notice._subject)
    assert notice.message() is failed
    notice.move_on()
    assert notice.message() is None, "a failure that offers nothing goes when people move on"
