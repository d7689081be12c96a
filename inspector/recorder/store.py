"""Storage of a recorded program's spans: files that survive it, with bounded memory.

A part is one process: `part-PID-N.facts` holds facts that are written once, one JSON value per
line; `part-PID-N.spans` the newest spans, see `span_ring`; an empty `part-PID-N.stopped` says
that the disk took no more.
"""

import _thread
import errno
import json
import os
import signal
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

from inspector.recorder import live_progress
from inspector.recorder.span_ring import Ring, Row, inode, open_own, put_in_place

_EVERY_S = 0.2  # between two writes
_NO_ROOM = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))
_MOST_WORDS = 10_000  # different texts of a process; later ones get no number
_MOST_TEXT_BYTES = 16 << 20  # of facts that are held for a program that deletes their file
_AT_ONCE = 64  # facts in that time that the disk has before anything else happens
# Between two samples of what new sessions use: beside threads that wait for work, asking the
# system for it takes up to milliseconds.
_LEAST_APART_NS = 10_000_000
INTERRUPTED_NS = 1_000_000  # what takes as long was waiting for a processor


class Store:
    """Takes spans and facts from any thread; both survive a killed program.

    A row is (start, duration, thread, session, kind, word, bytes, prediction); times are
    perf_counter's nanoseconds, session and prediction -1 for none. It is kept as it is put
    down. Facts are, too, but for more than 64 in 0.2 s and what is sampled at that pace.
    calls: how many there were; own_ns: what recording took of `timed` of them.
    on_capture: is told now and then which request to save inputs was the last.
    keep: how many spans stay on disk at the least; older ones are dropped. watcher: the process
    that reads the folder in the end; while it runs, the folder is made again if it is gone.
    """

    def __init__(self, folder: Path, keep: int, watcher: int = 0) -> None:
        self._folder, self._keep, self._watcher = folder, keep, watcher
        self.on_capture: Callable[[int], None] = lambda number: None
        self._begin(None)
        if hasattr(os, "register_at_fork"):
            forked = weakref.WeakMethod(self._fork)  # or a store would stay for good
            os.register_at_fork(after_in_child=lambda: (forked() or _nothing)())

    def _begin(self, before: Ring | None) -> None:
        number = sum(1 for _ in self._folder.glob(f"part-{os.getpid()}-*.facts"))
        self._stem = f"part-{os.getpid()}-{number}"
        self._ring = Ring(self._folder / f"{self._stem}.spans", self._keep, before)
        self.calls = self.timed = self.own_ns = 0
        self._words: dict[Any, int] = {}
        self._numbers, self.threads = count(), count(1)  # 0: the runtime's own
        self._facts: deque[dict[str, Any]] = deque()
        self._text = bytearray()  # all facts, as lines
        self._written = self._inode = (
            0  # how much of them is in the file, and which file that is
        )
        self._writing, self._closed = threading.Lock(), threading.Event()
        self._sampled_calls, self._at_once, self._used = 0, _AT_ONCE, -_LEAST_APART_NS
        self.here = _Here(self)
        self.tell(begin=_clocks(), pid=os.getpid(), group=_group(), cores=os.cpu_count())
        try:
            self._ring.begin()
        except OSError as error:
            self._stop(error)
        _start(self._flush_often)

    def _fork(self) -> None:
        """A forked process goes on in files of its own; the parent writes what it had."""
        all_facts = (*[json.loads(line) for line in self._text.splitlines()], *self._facts)
        known = [fact for fact in all_facts if "session" in fact]
        if not self._closed.is_set():
            self._begin(self._ring)
            self._facts.extend(known)
            self.flush()

    def tell(self, **fact: Any) -> None:
        """Write a fact: a session, the program's resource use at that time, or a clock."""
        self._facts.append(fact)
        now = time.perf_counter_ns()
        if "session" in fact and now - self._used >= _LEAST_APART_NS:
            self._used = now
            self._facts.append(_use())
        if self._at_once:
            self._at_once = max(0, self._at_once - 1)
            self.flush(wait_s=0)  # what interrupts the writer must not wait for it

    def add(self, row: Row) -> None:
        """Put down one span."""
        try:
            self._ring.put(row)
        except OSError as error:
            self._stop(error)

    def mark(self, session: int, text: str, begin: int = 0) -> None:
        """Put down that something happened to a session, until now. begin: 0 for now."""
        now = time.perf_counter_ns()
        word, start = self.word(text, lambda: text), begin or now
        self.add((start, now - start, self.here.number, session, "call", word, 0, -1))

    def word(self, key: Any, text: Callable[[], str]) -> int:
        """Number of a text that is made only when `key` is new; -1 when full."""
        number = self._words.get(key)
        if number is None:
            if len(self._words) >= _MOST_WORDS:
                return -1
            number = self._words.setdefault(key, next(self._numbers))
            self.tell(word=number, text=text())
        return number

    def flush(self, wait_s: float = -1) -> None:
        """Write the pending facts; -1 waits for another writer to finish.

        A full disk ends the recording, not the program.
        """
        # Facts that arrived meanwhile are written, too: their threads did not wait.
        while self._facts and self._writing.acquire(timeout=wait_s):
            try:
                facts = [self._facts.popleft() for _ in range(len(self._facts))]
                lines = "".join(json.dumps(fact) + "\n" for fact in facts).encode()
                is_held = len(self._text) < _MOST_TEXT_BYTES
                if is_held:
                    self._text += lines
                if not self._closed.is_set():
                    path = self._folder / f"{self._stem}.facts"
                    with open(path, "ab", opener=open_own) as file:
                        file.write(lines)
                        self._inode = self._inode or os.fstat(file.fileno()).st_ino
                    if is_held:
                        self._written += len(lines)
            except OSError as error:
                self._stop(error)
            finally:
                self._writing.release()

    def close(self) -> None:
        """Write the last facts; later ones are dropped."""
        if not self._closed.is_set():
            self._write_end()
            self.flush()
            self._end()
        self._restore()

    def leave(self) -> None:
        """Write the last facts of a program that ends without tidying up, if nobody does."""
        if not self._closed.is_set():
            self._at_once = 0
            self._write_end()
            self.flush(wait_s=_EVERY_S)
        self._restore(wait_s=_EVERY_S)

    def _restore(self, wait_s: float = -1) -> None:
        """Write our files again if the program deleted or changed them, and say so in them."""
        full = self._folder / f"{self._stem}.stopped"
        if full.exists() or not (self._folder.is_dir() or _is_process(self._watcher)):
            return
        if self._writing.acquire(timeout=wait_s):
            try:
                os.makedirs(self._folder, 0o700, exist_ok=True)
                if self._ring.restore() or not self._has_text():
                    path = self._folder / f"{self._stem}.facts"
                    self._text += b'{"restored": true}\n'
                    new = path.with_name(f".{path.name}.new")
                    with open(new, "wb", opener=open_own) as file:
                        file.write(self._text)
                    put_in_place(new, path)
                    self._written, self._inode = len(self._text), inode(path)
            except OSError:  # then it is as the program left it
                return
            finally:
                self._writing.release()

    def _has_text(self) -> bool:
        """Return whether the file of facts still holds the text that was written."""
        path = self._folder / f"{self._stem}.facts"
        if inode(path) != self._inode:
            return False
        with open(path, "rb", opener=open_own) as file:
            return file.read(self._written) == self._text[: self._written]

    def _end(self) -> None:
        self._closed.set()
        self._ring.close()

    def _stop(self, error: OSError) -> None:
        if not self._closed.is_set():
            self._end()
            if not self._folder.is_dir():  # the program that was recorded is done
                return
            sys.stderr.write(f"inspector: recording stopped: {error}\n")
            if error.errno in _NO_ROOM:
                # An empty file, which even a full disk takes: why no more came.
                with suppress(OSError):
                    (self._folder / f"{self._stem}.stopped").touch()

    def _write_end(self) -> None:
        self._sample()
        self.tell(end=_clocks())

    def _flush_often(self) -> None:
        closed = self._closed
        stopped = False
        while not closed.wait(_EVERY_S):
            self._at_once = 0
            self._sample()
            self.flush()
            self._at_once = _AT_ONCE
            self.on_capture(live_progress.capture_requested(self._folder))
            if (
                not stopped
                and live_progress.progress_requested(self._folder) == live_progress.INTERRUPT
            ):
                stopped = True
                _thread.interrupt_main()  # as Ctrl-C does: it may tidy up, and ends us too

    def _sample(self) -> None:
        """Put down what the program uses and what it called, unless it called nothing since."""
        if self.calls != self._sampled_calls:
            self._sampled_calls = self.calls
            self.tell(**_use())
            self.tell(calls=self.calls, timed=self.timed, own_ns=self.own_ns)


class _Here(threading.local):
    """The thread that asks. number: counted from 1, in the order in which they came."""

    def __init__(self, store: Store) -> None:
        self.number = next(store.threads)
        name = threading.current_thread().name
        store.tell(thread=self.number, name=name, native=threading.get_native_id())


def _start(writer: Callable[[], None]) -> None:
    """Start a thread that the program's own thread lists, joins and signals do not meet."""
    block = getattr(signal, "pthread_sigmask", None)
    before = block and block(signal.SIG_BLOCK, signal.valid_signals())
    try:
        _thread.start_new_thread(writer, ())
    finally:
        if block:
            block(signal.SIG_SETMASK, before)


def _is_process(number: int) -> bool:
    """Return whether a process runs; False where the system has no harmless way to check."""
    if number <= 0 or os.name != "posix":
        return False
    try:
        os.kill(number, 0)
    except OSError as error:
        return error.errno == errno.EPERM
    return True


def _nothing() -> None:
    """Do nothing, in place of a deleted store."""


def _group() -> int:
    """The group of processes that this one is in; 0 where there are none."""
    return os.getpgrp() if hasattr(os, "getpgrp") else 0


def _clocks() -> list[int]:
    """One moment on three clocks: perf_counter, the system's, the monotonic one."""
    tries = []
    for _ in range(20):
        before = time.perf_counter_ns()
        wall, steady = time.time_ns(), time.monotonic_ns()
        after = time.perf_counter_ns()
        tries.append((after - before, [(before + after) // 2, wall, steady]))
    return min(tries)[1]


def _use() -> dict[str, int]:
    """Return current memory and CPU time of the program."""
    now, cpu_ns = time.perf_counter_ns(), time.process_time_ns()
    return {"sample": now, "memory": _resident_bytes(), "cpu_ns": cpu_ns}


def _resident_bytes() -> int:
    """Return the resident memory of this process; 0 where the system has no cheap way."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
