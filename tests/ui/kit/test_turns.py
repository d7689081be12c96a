from collections.abc import Iterator
from time import sleep

from PySide6.QtCore import QObject, Qt, QTimer
from pytestqt.qtbot import QtBot

from inspector.ui.kit.turns import Turns


def counting(seen: list[int], last: int) -> Iterator[None]:
    for number in range(last):
        seen.append(number)
        yield


def test_other_events_come_between_two_steps(qtbot: QtBot) -> None:
    home, seen, other = QObject(), list[int](), QTimer()
    other.timeout.connect(lambda: seen.append(-1))
    other.start(0)
    turns = Turns(home)
    turns.start(counting(seen, 3))
    assert not seen
    qtbot.waitUntil(lambda: not turns.waiting)
    steps = [seen.index(number) for number in range(3)]
    assert steps == sorted(steps)
    assert -1 in seen[steps[0] : steps[1]]
    assert -1 in seen[steps[1] : steps[2]]


def test_a_timer_that_is_due_comes_before_the_next_step(qtbot: QtBot) -> None:
    home, seen = QObject(), list[str]()
    clock = QTimer(home, interval=2, timerType=Qt.TimerType.PreciseTimer)
    clock.timeout.connect(lambda: seen.append("tick"))

    def steps() -> Iterator[None]:
        for _ in range(4):
            sleep(0.01)
            seen.append("step")
            yield

    clock.start()
    turns = Turns(home)
    turns.start(steps())
    qtbot.waitUntil(lambda: not turns.waiting)
    assert "step step" not in " ".join(seen)


def test_what_is_left_can_be_done_at_once_or_given_up(qtbot: QtBot) -> None:
    home, old, new = QObject(), list[int](), list[int]()
    turns = Turns(home)
    turns.start(counting(old, 3))
    turns.start(counting(new, 3))
    turns.finish()
    assert (old, new) == ([], [0, 1, 2])
    assert not turns.waiting


def test_steps_may_hold_the_last_reference_to_where_they_happen(qtbot: QtBot) -> None:
    gone = []

    class Home(QObject):
        def __init__(self) -> None:
            super().__init__()
            self.turns = Turns(self)
            self.turns.start(self.steps())

        def steps(self) -> Iterator[None]:
            yield
            self.destroyed.connect(lambda: gone.append(True))

    Home()
    qtbot.waitUntil(lambda: bool(gone))
