import gc
import threading
import weakref
from queue import SimpleQueue

import pytest

from inspector.ui.documents.hands import Hands


def thread_of(hands: Hands) -> int:
    told: SimpleQueue[int] = SimpleQueue()
    hands.give(lambda: told.put(threading.get_ident()))
    return told.get(timeout=5)


def rested(hands: Hands, thread: int) -> bool:
    """Whether a thread takes another job; it rests a moment after it told of the last one."""
    return any(thread_of(hands) == thread for _ in range(100))


def test_a_thread_that_rests_takes_the_next_job() -> None:
    hands = Hands()
    assert rested(hands, thread_of(hands))


def test_no_job_waits_for_another() -> None:
    hands, gate = Hands(), threading.Event()
    first = thread_of(hands)
    hands.give(lambda: gate.wait(5))
    hands.give(lambda: gate.wait(5))
    assert thread_of(hands)
    gate.set()
    assert first


def test_a_thread_that_rests_holds_nothing_of_its_job() -> None:
    class Large:
        """Something that a job works on."""

    hands, done = Hands(), threading.Event()
    large = Large()
    gone = weakref.ref(large)
    hands.give(lambda held=large: done.set())
    del large
    assert done.wait(5)
    thread_of(hands)
    for _ in range(100):
        if gone() is None:
            break
        thread_of(hands)
        gc.collect()
    assert gone() is None


def test_a_job_that_fails_ends_its_thread_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    hands, failed = Hands(), threading.Event()
    monkeypatch.setattr(threading, "excepthook", lambda _: failed.set())

    def fail() -> None:
        raise ValueError

    hands.give(fail)
    assert failed.wait(5)
    assert thread_of(hands)
