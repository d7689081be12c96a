"""The one place for Python's garbage collector: when it is kept away, and from what."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Keep the collector away while very many values are made, and from them for good.

    It would walk them again and again, stop the window for 0.25 s at 100,000 layers, several
    times, and find nothing: they hold no cycles, and go when nobody holds them. What lives
    when the stretch ends is walked only by `let_go`.
    """
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if on:
            gc.enable()


def let_go() -> None:
    """Look through everything for cycles that nobody holds, once something large was closed.

    What that frees goes back to the system where the C library would keep it (glibc).
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    if sys.platform == "linux":
        import ctypes  # costs start-up time

        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
