"""Threads that work long let the window's thread go first, but not for ever."""

from collections.abc import Callable, Iterator
from threading import Event, Thread

import pytest

from inspector.platform import cooperative_yielding
from inspector.platform.cooperative_yielding import first, polite, urgent_work

PATIENCE_S = 60.0


def beside(work: Callable[[], None]) -> Thread:
    thread = Thread(target=work, daemon=True)
    thread.start()
    return thread


def told(event: Event, items: Iterator[int]) -> None:
    for _ in items:
        event.set()


@pytest.mark.parametrize("number", [0, 1, 249, 250, 251, 1000])
def test_polite_gives_every_item_once_and_in_order_in_any_thread(number):
    found: list[list[int]] = [[*polite(range(number))]]
    thread = beside(lambda: found.append([*polite(range(number), later=True)]))
    thread.join(PATIENCE_S)
    assert found == [[*range(number)]] * 2


def test_a_thread_stands_aside_while_the_window_is_at_work(monkeypatch):
    monkeypatch.setattr(cooperative_yielding, "_LONGEST_S", PATIENCE_S)
    begun, seen = Event(), list[int]()

    def work() -> None:
        for item in polite(range(3), at_once=1):
            seen.append(item)
            begun.set()

    with first():
        thread = beside(work)
        assert not begun.wait(0.1)
    thread.join(PATIENCE_S)
    assert seen == [0, 1, 2]


def test_a_window_that_never_rests_does_not_stop_a_thread():
    seen: list[int] = []
    with first():
        beside(lambda: seen.extend(polite(range(1000)))).join(PATIENCE_S)
        assert len(seen) == 1000


def test_inside_of_what_goes_first_nothing_ends_it_early(monkeypatch):
    monkeypatch.setattr(cooperative_yielding, "_LONGEST_S", PATIENCE_S)
    begun = Event()
    with first():
        with first():
            """A repaint that a delivery asks for at once."""
        beside(lambda: told(begun, polite([0])))
        assert not begun.wait(0.1)
    assert begun.wait(PATIENCE_S)


def test_what_prepares_for_later_waits_for_what_is_wanted_now():
    later, now = Event(), Event()
    with urgent_work():
        beside(lambda: told(later, polite([0], later=True)))
        beside(lambda: told(now, polite([0])))
        assert now.wait(PATIENCE_S)
        assert not later.wait(0.1)
    assert later.wait(PATIENCE_S)


def test_the_windows_own_thread_never_waits(monkeypatch):
    waited: list[object] = []
    with first(), urgent_work():
        monkeypatch.setattr(
            cooperative_yielding._urgent_ended, "wait_for", lambda *_: waited.append(1)
        )
        monkeypatch.setattr(cooperative_yielding._free, "wait", lambda *_: waited.append(2))
        assert [*polite(range(600), later=True)] == [*range(600)]
    assert not waited
