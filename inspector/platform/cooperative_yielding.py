"""Cooperative yielding: background threads pause while the window needs Python's lock.

Python runs one thread at a time and shares its time out evenly: a window that has 30 ms of
drawing to do beside two threads that work takes 90. Who works long beside it goes through its
items politely, and stands aside while the window has something to do.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from itertools import islice
from threading import Condition, Event, current_thread, main_thread
from time import perf_counter
from typing import TypeVar

Item = TypeVar("Item")

_CHUNK = 250  # items between two checks: some tenths of a millisecond of common work
# Longest pause, work until the next one (so at most 3/4 paused), and wait for urgent work.
_LONGEST_S = 0.03
_OWN_S = 0.01
_PATIENCE_S = 10.0

_free = Event()
_free.set()
_urgent_ended = Condition()
_urgent_count = 0


@contextmanager
def first() -> Iterator[None]:
    """Around what the window's thread does at length: all who are polite let it go first."""
    held = _free.is_set()
    _free.clear()
    try:
        yield
    finally:
        if held:
            _free.set()


@contextmanager
def urgent_work() -> Iterator[None]:
    """Mark the block as urgent: preparatory work pauses until it ends."""
    global _urgent_count
    with _urgent_ended:
        _urgent_count += 1
    try:
        yield
    finally:
        with _urgent_ended:
            _urgent_count -= 1
            _urgent_ended.notify_all()


def polite(
    items: Collection[Item], later: bool = False, at_once: int = _CHUNK
) -> Iterator[Item]:
    """Go through items, and stand aside between them while `first` holds.

    At most three quarters of the time: a window that never rests must not stop all else. In the
    main thread, and where there is no window, these are the items and nothing more.

    later: nobody waits for it yet, so that it pauses for `urgent_work`, too.
    at_once: items between two looks; by default some tenths of a millisecond of common work.
    """
    if current_thread() is main_thread():
        return iter(items)
    return _in_chunks(items, later, at_once)


def _in_chunks(items: Collection[Item], later: bool, at_once: int) -> Iterator[Item]:
    remaining, hurried = iter(items), 0.0
    for _ in range(0, len(items), at_once):
        if later and _urgent_count:
            with _urgent_ended:
                _urgent_ended.wait_for(lambda: not _urgent_count, _PATIENCE_S)
        if not _free.is_set() and perf_counter() > hurried and not _free.wait(_LONGEST_S):
            hurried = perf_counter() + _OWN_S
        yield from islice(remaining, at_once)
