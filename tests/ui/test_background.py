"""Background work of the window: the thread pool, latest wins, debounce, throttle, chunks."""

import gc
import os
import sys
import threading
import weakref
from collections.abc import Iterator
from queue import SimpleQueue
from time import sleep
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QLabel, QStackedWidget, QWidget

from inspector.engine.client.engine_process import Progress
from inspector.errors import BadInput, InspectorError
from inspector.platform.files import sample
from inspector.report.run_spec import RunSpec
from inspector.ui.background import (
    SYNCHRONOUS_ITEMS,
    ChunkedWork,
    DaemonThreadPool,
    Debounce,
    LatestTask,
    SafeEmitter,
    TaskRunner,
    Throttle,
    WhileShown,
    lower_thread_priority,
)
from inspector.ui.documents.document import Document, Topic
from tests.ui.made_documents import KeepingEngine, document


def thread_of(hands: DaemonThreadPool) -> int:
    told: SimpleQueue[int] = SimpleQueue()
    hands.submit(lambda: told.put(threading.get_ident()))
    return told.get(timeout=60)


def rested(hands: DaemonThreadPool, thread: int) -> bool:
    """Whether a thread takes another job; it rests a moment after it told of the last one."""
    return any(thread_of(hands) == thread for _ in range(100))


def test_a_thread_that_rests_takes_the_next_job():
    hands = DaemonThreadPool()
    assert rested(hands, thread_of(hands))


def test_no_job_waits_for_another():
    hands, gate = DaemonThreadPool(), threading.Event()
    first = thread_of(hands)
    hands.submit(lambda: gate.wait(60))
    hands.submit(lambda: gate.wait(60))
    assert thread_of(hands)
    gate.set()
    assert first


def test_a_thread_that_rests_holds_nothing_of_its_job():
    class Large:
        """Something that a job works on."""

    hands, done = DaemonThreadPool(), threading.Event()
    large = Large()
    gone = weakref.ref(large)
    hands.submit(lambda held=large: done.set())
    del large
    assert done.wait(60)
    thread_of(hands)
    for _ in range(100):
        if gone() is None:
            break
        thread_of(hands)
        gc.collect()
    assert gone() is None


def test_a_job_that_fails_ends_its_thread_alone(monkeypatch):
    hands, failed = DaemonThreadPool(), threading.Event()
    monkeypatch.setattr(threading, "excepthook", lambda _: failed.set())

    def fail() -> None:
        raise ValueError

    hands.submit(fail)
    assert failed.wait(60)
    assert thread_of(hands)


def niceness() -> int:
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


def aside(first: int) -> int:
    """Niceness of a thread that had `first` and stood aside."""
    found = []

    def work() -> None:
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), first)
        lower_thread_priority()
        found.append(niceness())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return found[0]


@pytest.mark.skipif(sys.platform != "linux", reason="no such thing elsewhere")
def test_only_the_thread_that_asks_stands_aside():
    before = niceness()
    assert aside(before) == max(before, 10)
    assert niceness() == before


@pytest.mark.skipif(sys.platform != "linux", reason="no such thing elsewhere")
def test_one_that_stood_further_aside_stays_there():
    assert aside(19) == 19, "coming back is refused to whoever is not root"


class Told:
    """What came back, and the thread that worked for it."""

    def __init__(self) -> None:
        self.values: list[object] = []
        self.errors: list[InspectorError] = []
        self.thread = threading.Thread()
        self.gate = threading.Event()

    def work(self) -> str:
        self.thread = threading.current_thread()
        assert self.gate.wait(60)
        return "done"

    def refuse(self) -> str:
        self.work()
        raise BadInput("Could not work")


@pytest.mark.parametrize("fails", [False, True])
def test_the_outcome_comes_back_on_the_windows_thread(qtbot, fails):
    told, jobs = Told(), TaskRunner()
    told.gate.set()
    jobs.start(told.refuse if fails else told.work, told.values.append, told.errors.append)
    qtbot.waitUntil(lambda: bool(told.values or told.errors))
    assert bool(told.errors) is fails
    assert told.thread is not threading.current_thread()


@pytest.mark.parametrize("fails", [False, True])
def test_who_has_been_silenced_tells_neither_value_nor_error(qtbot, fails):
    told, jobs = Told(), TaskRunner()
    jobs.start(told.refuse if fails else told.work, told.values.append, told.errors.append)
    qtbot.waitUntil(lambda: told.thread.is_alive())
    jobs.discard_results()
    told.gate.set()
    qtbot.waitUntil(lambda: not jobs.running)
    assert not told.values
    assert not told.errors


def test_a_document_that_is_closed_before_its_digest_is_known_says_nothing(qtbot):
    told, path, before = Told(), sample("digits_float32.onnx"), set(threading.enumerate())
    assert path is not None
    closing = document(path, KeepingEngine())
    closing.changed(Topic.DIGEST).connect(lambda: told.values.append("digest"))
    closing.failed.connect(told.errors.append)
    closing.changed(Topic.MODEL).connect(closing.close)
    closing.open()
    qtbot.waitUntil(lambda: closing.model is not None)
    for reading in set(threading.enumerate()) - before:
        if reading.name == "low priority":
            reading.join(60)
    QApplication.processEvents()
    assert not told.values
    assert not told.errors
    assert not closing.digest


def test_a_task_that_holds_an_emitter_last_leaves_qt_alone(qtbot):
    """PySide would disconnect on the thread of the task, and wait there for the interpreter
    with a lock that the thread of the window may need."""
    owner = QObject()
    emitter = SafeEmitter(owner)
    gone = weakref.ref(emitter)
    del emitter
    assert gone() is not None
    shiboken6.delete(owner)
    assert gone() is None


def test_an_engine_that_tells_a_document_that_is_gone_hears_no_error(qtbot):
    path, told, tells = sample("digits_float32.onnx"), list[Progress](), list[Any]()
    assert path is not None
    gone = Document(path, RunSpec(), lambda tell: tells.append(tell) or KeepingEngine())
    gone.progressed.connect(told.append)
    now = Progress("load", 0.5)
    tells[0](now)
    shiboken6.delete(gone)
    tells[0](now)
    assert told == [now]


def test_the_first_and_the_last_word_are_told_and_few_between(qtbot):
    parent, told, now = QObject(), [], [0]
    seldom = Throttle(lambda: told.append(now[0]), parent, milliseconds=50)
    for number in range(1, 100):
        now[0] = number
        seldom.call()
    assert told == [1]
    qtbot.waitUntil(lambda: told == [1, 99])
    qtbot.wait(120)
    assert told == [1, 99]
    seldom.call()
    assert told == [1, 99, 99], "after a rest it is told at once"


def counting(seen: list[int], last: int) -> Iterator[None]:
    for number in range(last):
        seen.append(number)
        yield


def test_other_events_come_between_two_steps(qtbot):
    home, seen, other = QObject(), list[int](), QTimer()
    other.timeout.connect(lambda: seen.append(-1))
    other.start(0)
    turns = ChunkedWork(home)
    turns.start(counting(seen, 3))
    assert not seen
    qtbot.waitUntil(lambda: not turns.pending)
    steps = [seen.index(number) for number in range(3)]
    assert steps == sorted(steps)
    assert -1 in seen[steps[0] : steps[1]]
    assert -1 in seen[steps[1] : steps[2]]


def test_a_timer_that_is_due_comes_before_the_next_step(qtbot):
    home, seen = QObject(), list[str]()
    clock = QTimer(home, interval=2, timerType=Qt.TimerType.PreciseTimer)
    clock.timeout.connect(lambda: seen.append("tick"))

    def steps() -> Iterator[None]:
        for _ in range(4):
            sleep(0.01)
            seen.append("step")
            yield

    clock.start()
    turns = ChunkedWork(home)
    turns.start(steps())
    qtbot.waitUntil(lambda: not turns.pending)
    assert "step step" not in " ".join(seen)


def test_what_is_left_can_be_done_at_once_or_given_up(qtbot):
    home, old, new = QObject(), list[int](), list[int]()
    turns = ChunkedWork(home)
    turns.start(counting(old, 3))
    turns.start(counting(new, 3))
    turns.finish()
    assert (old, new) == ([], [0, 1, 2])
    assert not turns.pending


def test_steps_may_hold_the_last_reference_to_where_they_happen(qtbot):
    gone = []

    class Home(QObject):
        def __init__(self) -> None:
            super().__init__()
            self.turns = ChunkedWork(self)
            self.turns.start(self.steps())

        def steps(self) -> Iterator[None]:
            yield
            self.destroyed.connect(lambda: gone.append(True))

    Home()
    qtbot.waitUntil(lambda: bool(gone))


def test_debounce_calls_once_after_a_pause(qtbot):
    parent, calls = QObject(), []
    debounce = Debounce(lambda: calls.append(True), parent, milliseconds=30)
    for _ in range(5):
        debounce.call()
    assert debounce.pending
    assert not calls
    qtbot.waitUntil(lambda: calls == [True])
    qtbot.wait(60)
    assert calls == [True]
    assert not debounce.pending


def test_debounce_flush_calls_at_once_and_only_what_is_pending():
    parent, calls = QObject(), []
    debounce = Debounce(lambda: calls.append(True), parent, milliseconds=60_000)
    debounce.flush()
    assert not calls
    debounce.call()
    debounce.flush()
    assert calls == [True]
    debounce.call()
    debounce.cancel()
    debounce.flush()
    assert calls == [True]


def test_latest_task_delivers_only_the_last_result(qtbot):
    latest, gate, results = LatestTask(SYNCHRONOUS_ITEMS + 1), threading.Event(), list[str]()
    texts = list[str]()
    latest.changed.connect(lambda: texts.append(latest.busy))

    def slow() -> str:
        assert gate.wait(60)
        return "first"

    latest.run("First", slow, results.append)
    latest.run("Second", lambda: "second", results.append)
    qtbot.waitUntil(lambda: results == ["second"])
    gate.set()
    qtbot.waitUntil(lambda: not latest.findChildren(TaskRunner)[0].running)
    assert results == ["second"]
    assert texts[:2] == ["First", "Second"]
    assert latest.busy == ""


def test_latest_task_works_at_once_on_few_items():
    results = list[str]()
    LatestTask(SYNCHRONOUS_ITEMS).run("Counting", lambda: "now", results.append)
    assert results == ["now"]


def test_what_is_in_something_hidden_is_done_once_when_it_is_shown(qtbot):
    page, other, heard = QWidget(), QWidget(), list[str]()
    part = QLabel("part", page)
    follow = WhileShown(part, lambda: heard.append("followed")).call
    stack = QStackedWidget()
    qtbot.addWidget(stack)
    stack.addWidget(page)
    stack.addWidget(other)
    follow()
    assert heard == [], "the window is not shown yet"
    stack.show()
    assert len(heard) == 1
    follow()
    assert len(heard) == 2
    stack.setCurrentWidget(other)
    follow()
    follow()
    assert len(heard) == 2
    stack.setCurrentWidget(page)
    assert len(heard) == 3
    stack.setCurrentWidget(other)
    stack.setCurrentWidget(page)
    assert len(heard) == 3, "nothing happened meanwhile"


def test_what_is_hidden_itself_follows_since_it_may_show_itself(qtbot):
    page = QWidget()
    qtbot.addWidget(page)
    part = QLabel("part", page)
    part.hide()
    page.show()
    WhileShown(part, part.show).call()
    assert part.isVisible()
