"""A watch over questions that may take too long: one thread, and none where nobody asks."""

import threading
from collections.abc import Callable
from time import sleep

from inspector.allowance import Allowance

_LEAST_SECONDS = 0.05  # between two looks at a process that is nearly late


class Watch:
    """Calls the given `end` of a question that takes longer than so many seconds of work.

    Its thread sleeps through many short questions, so that none of them has to wake it or to
    start another; it ends once it finds nothing under way. Questions come one by one.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()  # guards all below
        self._thread: threading.Thread | None = None
        self._allowance, self._pid, self._late = Allowance(seconds), 0, False
        self._end: Callable[[], object] | None = None

    def begin(self, end: Callable[[], object], pid: int) -> None:
        """A question begins; pid: of the process that answers it."""
        with self._lock:
            self._allowance, self._pid = Allowance(self._seconds), pid
            self._allowance.look(pid)
            self._late, self._end = False, end
            if self._thread is None:
                self._thread = threading.Thread(target=self._look, name="watch", daemon=True)
                self._thread.start()

    def ended(self) -> bool:
        """The question has its answer, or has failed; whether it was too late."""
        with self._lock:
            self._end = None
            return self._late

    def _look(self) -> None:
        while (rest := self._rest()) > 0:
            sleep(rest)

    def _rest(self) -> float:
        """Seconds until something could be too late; 0 where there is nothing to watch."""
        with self._lock:
            self._allowance.look(self._pid)
            rest = max(_LEAST_SECONDS, self._allowance.rest)
            if self._end is not None and self._allowance.over:
                self._late = True
                self._end()
                self._end = None
            if self._end is None:
                self._thread = None
                return 0.0
            return rest
