from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from inspector.ui.kit.seldom import Seldom


def test_the_first_and_the_last_word_are_told_and_few_between(qtbot: QtBot) -> None:
    parent, told, now = QObject(), [], [0]
    seldom = Seldom(lambda: told.append(now[0]), parent, milliseconds=50)
    for number in range(1, 100):
        now[0] = number
        seldom.ask()
    assert told == [1]
    qtbot.waitUntil(lambda: told == [1, 99])
    qtbot.wait(120)
    assert told == [1, 99]
    seldom.ask()
    assert told == [1, 99, 99], "after a rest it is told at once"
