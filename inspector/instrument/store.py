"""Where a recorded program puts its spans: files that outlive it, in bounded memory.

A part is one process: `part-PID-N.facts` holds what is told once, a JSON value a line;
`part-PID-N.spans-K` hold chunks of spans, of which only the newest are kept; an empty
`part-PID-N.stopped` says that the disk took no more.
"""

import _thread
import json
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

from inspector.instrument import pulse

_CHUNK, _EVERY_S, _SAMPLE_NS = 4096, 0.2, 150_000_000
_MOST_WORDS = 10_000
_AT_ONCE = 3  # first spans, which a program that ends soon has to leave as well
INTERRUPTED_NS = 1_000_000  # what takes as long was waiting for a processor
Row = tuple[int, int, int, int, str, int, int, int]


class Store:
    """Takes spans from any thread and writes them every 0.2 s, oldest first.

    A row is (start, duration, thread, session, kind, word, bytes, prediction); times are
    perf_counter's nanoseconds, session and prediction -1 for none.
    calls: how many there were; own_ns: what recording took of `timed` of them.
    keep: how many spans stay on disk at the least; older ones are dropped by halves of it.
    """

    def __init__(self, folder: Path, keep: int) -> None:
        self._folder, self._half = folder, max(_CHUNK, keep // 2)
        self._writing = threading.Lock()
        self.calls = self.timed = self.own_ns = 0
        self._begin()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._fork)

    def _begin(self) -> None:
        number = sum(1 for _ in self._folder.glob(f"part-{os.getpid()}-*.facts"))
        self._stem = f"part-{os.getpid()}-{number}"
        self._rows: deque[Row] = deque()
        self._words: dict[Any, int] = {}
        self._numbers, self.threads = count(), count(1)  # 0: the runtime's own
        self._segments: list[int] = []  # spans in each file
        self._facts: deque[dict[str, Any]] = deque()
        self.here = _Here(self)
        self._sampled_ns = 0
        self._fresh = _AT_ONCE
        self._closed = threading.Event()
        self.tell(begin=_clocks(), pid=os.getpid(), program=sys.argv[:1], cores=os.cpu_count())
        self.flush()
        threading.Thread(target=self._flush_often, name="inspector", daemon=True).start()

    def _fork(self) -> None:
        """A forked process goes on in files of its own; the parent writes what it had."""
        told = (*self._kept_facts(), *self._facts)
        known = [fact for fact in told if "session" in fact]
        self._writing = threading.Lock()
        if not self._closed.is_set():
            self._begin()
            self._facts.extend(known)

    def _kept_facts(self) -> list[dict[str, Any]]:
        path = self._folder / f"{self._stem}.facts"
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        return [json.loads(line) for line in lines if line.endswith("}")]

    def tell(self, **fact: Any) -> None:
        """Put down what is said once: a session, a thread, a clock."""
        self._facts.append(fact)

    def add(self, row: Row) -> None:
        """Put down one span."""
        self._rows.append(row)
        if self._fresh or len(self._rows) > 4 * _CHUNK:  # or the writer does not keep up
            self._fresh = max(0, self._fresh - 1)
            self.flush(wait=False)  # what interrupts the writer must not wait for it

    def mark(self, session: int, text: str) -> None:
        """Put down that something happened to a session, now."""
        word = self.word(text, lambda: text)
        self.add((time.perf_counter_ns(), 0, self.here.number, session, "call", word, 0, -1))

    def word(self, key: Any, text: Callable[[], str]) -> int:
        """Number of a text that is made only when `key` is new; -1 when full."""
        found = self._words.get(key)
        if found is None:
            if len(self._words) >= _MOST_WORDS:
                return -1
            found = self._words.setdefault(key, next(self._numbers))
            self.tell(word=found, text=text())
        return found

    def flush(self, wait: bool = True) -> None:
        """Write what has come so far. A full disk ends the recording, not the program."""
        if not self._writing.acquire(blocking=wait):
            return
        try:
            self._write()
        except OSError as error:
            self._rows.clear()
            self._facts.clear()
            sys.stderr.write(f"inspector: the recording stops: {error}\n")
            self._leave_word()
            self._closed.set()
        finally:
            self._writing.release()

    def close(self) -> None:
        """Write the last spans; what comes later is not kept."""
        if not self._closed.is_set():
            self._tell_end()
            self.flush()
            self._closed.set()

    def leave(self) -> None:
        """Write the last spans of a program that ends without tidying up, if nobody does."""
        if not self._closed.is_set():
            self._tell_end()
            self.flush(wait=False)

    def _tell_end(self) -> None:
        self.tell(calls=self.calls, timed=self.timed, own_ns=self.own_ns)
        self.tell(end=_clocks())

    def _flush_often(self) -> None:
        closed = self._closed
        stopped = False
        while not closed.wait(_EVERY_S):
            self.flush()
            if not stopped and pulse.asked(self._folder) == pulse.INTERRUPT:
                stopped = True
                _thread.interrupt_main()  # as Ctrl-C does: it may tidy up, and ends us too

    def _write(self) -> None:
        if self._closed.is_set():
            self._rows.clear()
            return
        # Rows first: the words that they point to are then among the facts.
        rows = [self._rows.popleft() for _ in range(len(self._rows))]
        now = time.perf_counter_ns()
        if rows and now - self._sampled_ns > _SAMPLE_NS:
            self._sampled_ns = now
            self.tell(sample=now, memory=_resident_bytes(), cpu_ns=time.process_time_ns())
            self.tell(calls=self.calls, timed=self.timed, own_ns=self.own_ns)
        self._write_facts()
        for begin in range(0, len(rows), _CHUNK):
            self._write_chunk(rows[begin : begin + _CHUNK])
        self._write_facts()

    def _leave_word(self) -> None:
        """An empty file, which even a full disk takes: why no more came."""
        with suppress(OSError):
            (self._folder / f"{self._stem}.stopped").touch()

    def _write_facts(self) -> None:
        facts = [self._facts.popleft() for _ in range(len(self._facts))]
        if facts:
            lines = "".join(json.dumps(fact) + "\n" for fact in facts)
            with open(self._folder / f"{self._stem}.facts", "a", encoding="utf-8") as file:
                file.write(lines)

    def _write_chunk(self, rows: list[Row]) -> None:
        if not self._segments or self._segments[-1] >= self._half:
            self._segments.append(0)
            old = (
                len(self._segments) - 4
            )  # three whole ones, so that two halves are always there
            if old >= 0:
                (self._folder / f"{self._stem}.spans-{old}").unlink()
                self.tell(dropped=self._segments[old])
        self._segments[-1] += len(rows)
        path = self._folder / f"{self._stem}.spans-{len(self._segments) - 1}"
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps(rows, separators=(",", ":")) + "\n")


class _Here(threading.local):
    """The thread that asks. number: counted from 1, in the order in which they came."""

    def __init__(self, store: Store) -> None:
        self.number = next(store.threads)
        name = threading.current_thread().name
        store.tell(thread=self.number, name=name, native=threading.get_native_id())


def _clocks() -> list[int]:
    """One moment on three clocks: perf_counter, the system's, the monotonic one."""
    tries = []
    for _ in range(20):
        before = time.perf_counter_ns()
        wall, steady = time.time_ns(), time.monotonic_ns()
        after = time.perf_counter_ns()
        tries.append((after - before, [(before + after) // 2, wall, steady]))
    return min(tries)[1]


def _resident_bytes() -> int:
    """Memory of this process that is in RAM; 0 where the system does not tell cheaply."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
