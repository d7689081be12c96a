"""Memory that nobody uses goes back to the system where the C library would keep it (glibc)."""

import ctypes
import gc
import sys


def collect_and_trim() -> None:
    """Look through everything for cycles that nobody holds, once something large was closed."""
    gc.unfreeze()
    trim_heap()
    gc.freeze()


def trim_heap() -> bool:
    """Return unused memory to the system; False where the C library cannot do this."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is None:
        return False
    trim(0)
    return True
