"""A watch over questions that may take too long: one thread, and none where nobody asks."""

import threading
from collections.abc import Callable
from time import monotonic, sleep


class Watch:
    """Calls the given `end` of a question that takes longer than so many seconds.

    Its thread sleeps through many short questions, so that none of them has to wake it or to
    start another; it ends once it finds nothing under way. Questions come one by one.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()  # guards all below
        self._thread: threading.Thread | None = None
        self._due, self._late = 0.0, False
        self._end: Callable[[], object] | None = None

    def begin(self, end: Callable[[], object]) -> None:
        """A question begins."""
        with self._lock:
            self._due, self._late, self._end = monotonic() + self._seconds, False, end
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
            rest = self._due - monotonic()
            if self._end is not None and rest <= 0:
                self._late = True
                self._end()
                self._end = None
            if self._end is None:
                self._thread = None
                return 0.0
            return rest
