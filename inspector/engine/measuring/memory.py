"""What this process holds in memory now, and held at most."""

import ctypes
import gc
import sys
from pathlib import Path

import psutil

_STATUS = Path("/proc/self/status")


def resident_bytes() -> int:
    """Bytes of this process that are in memory now."""
    return int(psutil.Process().memory_info().rss)


def peak_bytes() -> int:
    """The most that `resident_bytes` has been since the process began."""
    if _STATUS.is_file():
        for line in _STATUS.read_text("ascii", "replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    if sys.platform == "win32":
        return int(psutil.Process().memory_info().peak_wset)
    import resource  # not on Windows

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def give_back() -> bool:
    """Return unused memory to the system; False where the C library has no way to be told."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is None:
        return False
    trim(0)
    return True
