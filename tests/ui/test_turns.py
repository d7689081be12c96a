from collections.abc import Iterator

from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from inspector.ui.kit.turns import Turns


def counting(seen: list[int], last: int) -> Iterator[None]:
    for number in range(last):
        seen.append(number)
        yield


def test_each_step_has_a_turn_of_its_own(qtbot: QtBot) -> None:
    home, seen = QObject(), list[int]()
    turns = Turns(home)
    turns.start(counting(seen, 3))
    assert not seen
    qtbot.waitUntil(lambda: len(seen) == 1)
    qtbot.waitUntil(lambda: not turns.waiting)
    assert seen == [0, 1, 2]


def test_what_is_left_can_be_done_at_once_or_given_up(qtbot: QtBot) -> None:
    home, old, new = QObject(), list[int](), list[int]()
    turns = Turns(home)
    turns.start(counting(old, 3))
    turns.start(counting(new, 3))
    turns.finish()
    assert (old, new) == ([], [0, 1, 2])
    assert not turns.waiting
