"""Memory budget of all engines together, and a watch that ends one that exceeds it.

The budget is three quarters of what is free when the first engine starts, or of what the
process's control group still allows, or this process's own limit, if that is less. Engines that
run at the same time share it. On Linux the kernel holds each of them to it (RLIMIT_DATA); the
watch adds them up, and is the only limit on macOS and Windows.
"""

import sys
import threading
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from inspector.platform.process_states import free_bytes, memory_of

if sys.platform != "win32":
    import resource

_SHARE = 3 / 4  # of available memory; the rest is left to the window and other programs
_WATCH_SECONDS = 0.25  # memory fills at some GB a second at most


class Watched(Struct, frozen=True):
    """An engine process. limit_bytes: of its own; 0: the shared budget.

    end: ends it; is given how much it took and how much it might take, in bytes.
    """

    process: int
    limit_bytes: int
    end: Callable[[int, int], None]


class MemoryWatch:
    """Adds up the memory of the engines of this process while there are any."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._watched: list[Watched] = []
        self._budget_bytes = 0
        self._thread: threading.Thread | None = None
        self._wake = threading.Event()

    def budget(self) -> int:
        """Return what the engines may take together, in bytes; the same while one lives."""
        with self._lock:
            if not self._budget_bytes:
                free = int(_SHARE * available_bytes())
                limit = _set_limit_bytes()  # `ulimit -d` binds the engines as well
                self._budget_bytes = free if limit is None else min(free, limit)
            return self._budget_bytes

    def add(self, watched: Watched) -> None:
        """Watch an engine until `remove`."""
        with self._lock:
            self._watched.append(watched)
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="memory watch")
                self._thread.daemon = True
                self._thread.start()

    def remove(self, watched: Watched) -> None:
        """Watch it no more; the last one ends the watch."""
        with self._lock:
            if watched in self._watched:
                self._watched.remove(watched)
            if not self._watched:
                self._budget_bytes = 0
                self._wake.set()

    def _watch(self) -> None:
        while True:
            self._wake.wait(_WATCH_SECONDS)
            self._wake.clear()
            with self._lock:
                watched, budget = list(self._watched), self._budget_bytes
                if not watched:
                    self._thread = None
                    return
            used_bytes = {one.process: memory_of(one.process) for one in watched}
            for one in watched:
                if one.limit_bytes and used_bytes[one.process] > one.limit_bytes:
                    one.end(used_bytes[one.process], one.limit_bytes)
            if budget and sum(used_bytes.values()) > budget:
                largest = max(watched, key=lambda one: used_bytes[one.process])
                largest.end(used_bytes[largest.process], budget)


WATCH = MemoryWatch()


def available_bytes() -> int:
    """Return how much memory this process and its children may still take."""
    return max(0, min([free_bytes(), *_control_group_room()]))


def own_limit_bytes() -> int:
    """Return what this process may take: its own limit on Linux, else what is free."""
    limit = _set_limit_bytes()
    return available_bytes() if limit is None else limit


def has_room(size_bytes: int) -> bool:
    """Return whether this process may allocate that much more; the pages are not touched."""
    try:
        bytearray(size_bytes)
    except MemoryError:
        return False
    return True


def _set_limit_bytes() -> int | None:
    if sys.platform == "win32":
        return None
    limit, _ = resource.getrlimit(resource.RLIMIT_DATA)
    return None if limit == resource.RLIM_INFINITY else limit


def kills_for_memory() -> int | None:
    """Return how many processes Linux has ended for lack of memory; None where unknown."""
    try:
        counts = Path("/proc/vmstat").read_text("ascii")
    except OSError:
        return None
    for line in counts.splitlines():
        name, _, value = line.partition(" ")
        if name == "oom_kill":
            return int(value)
    return None


def _control_group_room() -> list[int]:
    """Return what each control group above this process still allows, in bytes (cgroup v2, v1).

    Files that the kernel keeps in memory only in case they are read again do not count.
    """
    try:
        lines = Path("/proc/self/cgroup").read_text("ascii", "replace").splitlines()
    except OSError:
        return []
    room: list[int] = []
    for line in lines:
        _, controllers, path = ([*line.split(":", 2), "", ""])[:3]
        if not controllers:
            root, names = Path("/sys/fs/cgroup"), ("memory.max", "memory.current")
        elif "memory" in controllers.split(","):
            root = Path("/sys/fs/cgroup/memory")
            names = ("memory.limit_in_bytes", "memory.usage_in_bytes")
        else:
            continue
        folder = root / path.strip("/")
        for group in (folder, *folder.parents):
            limit, used = (_number(group / name) for name in names)
            if limit is not None and used is not None:
                room.append(limit - used + _cached_files(group))
            if group == root:
                break
    return room


def _cached_files(group: Path) -> int:
    try:
        lines = (group / "memory.stat").read_text("ascii").splitlines()
    except OSError:
        return 0
    values = dict(line.split(" ", 1) for line in lines if " " in line)
    return int(values.get("total_inactive_file", values.get("inactive_file", "0")))


def _number(path: Path) -> int | None:
    """Return the number in a file; None where there is none ("max": no limit)."""
    try:
        text = path.read_text("ascii").strip()
    except OSError:
        return None
    return int(text) if text.isdecimal() else None
