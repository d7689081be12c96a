"""What another process has used and does: from Linux's files, elsewhere from psutil.

Loading psutil takes 19 ms of processor time, a tenth of `inspector info`, and every command
that starts an engine watches it.
"""

import os
from pathlib import Path

from inspector.platform.late_modules import psutil

# States by psutil's names, and by their letters in /proc; all others count as asleep.
_RUNNING = "running"
_DISK_SLEEP = "disk-sleep"
STOPPED = "stopped"
_SLEEPING = "sleeping"
_STATES = {"R": _RUNNING, "D": _DISK_SLEEP, "T": STOPPED}
_WANTS_TO_WORK = (_RUNNING, _DISK_SLEEP)
_HAS_FILES = os.path.exists("/proc/self/stat")  # where not, psutil asks the system
_STATE = 0  # places in /proc/PID/stat behind the name, see proc(5)
_USER_TICKS = 11
_SYSTEM_TICKS = 12


def work_of(process: int) -> tuple[float, str] | None:
    """Return the seconds of processor time and the state; None of a process that has ended."""
    if _HAS_FILES:
        text = _read(process, "stat")
        if not text:
            return None
        fields = _fields(text)
        ticks = int(fields[_USER_TICKS]) + int(fields[_SYSTEM_TICKS])
        state = _STATES.get(fields[_STATE], _SLEEPING)
        return ticks / os.sysconf("SC_CLK_TCK"), state
    try:
        found = psutil.Process(process)
        times = found.cpu_times()
        return times.user + times.system, str(found.status())
    except psutil.Error:
        return None


def wants_to_work(process: int) -> bool:
    """Return whether a thread of a process works, or waits for a core or a disk.

    The first thread of a process sleeps while it waits for others. Where the system has no
    files about processes, only that one is asked.
    """
    if not _HAS_FILES:
        found = work_of(process)
        return found is not None and found[1] in _WANTS_TO_WORK
    texts = [_read(process, f"task/{each}/stat") for each in _threads(process)]
    return any(_STATES.get(_fields(text)[_STATE]) in _WANTS_TO_WORK for text in texts if text)


def memory_of(process: int) -> int:
    """Return the memory of a process in bytes; 0 if it has ended.

    On Linux without what it maps from files, which the kernel can drop at any time.
    """
    if _HAS_FILES:
        return _bytes_of("RssAnon", _read(process, "status")) or 0
    try:
        resident: int = psutil.Process(process).memory_info().rss
    except psutil.Error:
        return 0
    return resident


def free_bytes() -> int:
    """Return how much memory programs may still take without swapping."""
    if _HAS_FILES:
        available = _bytes_of("MemAvailable", Path("/proc/meminfo").read_text("ascii"))
        if available is not None:
            return available
    return int(psutil.virtual_memory().available)


def _threads(process: int) -> list[str]:
    try:
        return os.listdir(f"/proc/{process}/task")
    except OSError:
        return []


def _fields(stat: str) -> list[str]:
    return stat[stat.rindex(")") + 2 :].split()  # a name may hold anything


def _bytes_of(name: str, text: str) -> int | None:
    """Return a number of KiB in a text of lines like "MemAvailable: 5 kB", as bytes."""
    for line in text.splitlines():
        key, _, value = line.partition(":")
        if key == name:
            return int(value.split()[0]) << 10
    return None


def _read(process: int, name: str) -> str:
    """Return the text of a file of a process, "" if there is none."""
    try:
        return Path(f"/proc/{process}/{name}").read_text("ascii", "replace")
    except OSError:
        return ""
