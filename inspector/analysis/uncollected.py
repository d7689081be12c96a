"""A stretch of work without the garbage collector."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Keep the collector away while very many values are made that all stay alive.

    It would walk them again and again, stop the window for 0.25 s at 100,000 layers, several
    times, and find nothing. To freeze and unfreeze makes all values old, or they would be
    walked at once when it comes back.
    """
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.unfreeze()
        if on:
            gc.enable()
