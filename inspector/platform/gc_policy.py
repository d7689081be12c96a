"""Policy for Python's garbage collector: when it runs, and which objects it skips."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_GUARD = Lock()
_stretches, _was_on = 0, False


@contextmanager
def uncollected() -> Iterator[None]:
    """Keep the collector away while very many values are made, and from them for good.

    It would walk them again and again, stop the window for 0.25 s at 100,000 layers, several
    times, and find nothing: they hold no cycles, and go when nobody holds them. What lives
    when the stretch ends is walked only by `heap.collect_and_trim`.
    """
    global _stretches, _was_on
    with _GUARD:
        _was_on = _was_on if _stretches else gc.isenabled()
        _stretches += 1
        gc.disable()
    try:
        yield
    finally:
        with _GUARD:
            gc.freeze()
            _stretches -= 1
            if _was_on and not _stretches:
                gc.enable()


def collect_rarely() -> None:
    """Have the collector run after 200,000 new objects, not 700: for all programs.

    Most of what they make while they start is code and stays: to load a command makes 50,000,
    and looking through these once takes 17 ms.
    """
    gc.set_threshold(200_000, 10, 10)


def disable_automatic_collection() -> None:
    """Switch it off for good: from now on somebody calls `look` now and then.

    By itself it runs in whatever thread makes values, and frees there what is Qt's: a widget
    with a timer that goes in another thread than the window's takes the program along.
    """
    with _GUARD:
        gc.disable()


def freeze_live_objects() -> None:
    """Keep from the collector what lives now and stays, such as code.

    Walking it takes up to 30 ms, and Python does so at the end of a program as well.
    """
    gc.freeze()


def collect_if_due() -> None:
    """Look for cycles as the collector by itself would now, in the thread that calls."""
    if _stretches:
        return
    numbers = zip(gc.get_count(), gc.get_threshold(), strict=True)
    due = [old for old, (count, most) in enumerate(numbers) if 0 < most < count]
    if due:
        gc.collect(due[-1])
