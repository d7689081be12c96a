"""Work is cancelled from another thread: what it started ends, and it raises Cancelled."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event, Lock
from typing import ParamSpec, TypeVar

from inspector.errors import Cancelled

P = ParamSpec("P")
R = TypeVar("R")


class Cancellation:
    """A right to end a call that runs on another thread.

    `run` calls a function; `cancel`, from any thread, ends the engine processes that it has
    started, and those that it would start. One object is for one call.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._cancelled = False
        self.ended = Event()  # the call is over, in whichever way
        self._kills: list[Callable[[], None]] = []

    @property
    def cancelled(self) -> bool:
        """Return whether `cancel` was called."""
        return self._cancelled

    def run(self, function: Callable[P, R], /, *args: P.args, **options: P.kwargs) -> R:
        """Call a function on this thread. Raises Cancelled: after `cancel`."""
        before = _CURRENT.set(self)
        try:
            with self.ending(lambda: None):
                return function(*args, **options)
        finally:
            _CURRENT.reset(before)
            self.ended.set()

    def cancel(self) -> None:
        """End the call now, from any thread; its `run` raises Cancelled."""
        with self._lock:
            self._cancelled = True
            kills = tuple(self._kills)
        for kill in kills:
            kill()

    @contextmanager
    def ending(self, kill: Callable[[], None]) -> Iterator[None]:
        """Have `cancel` call a function while a block runs. Raises Cancelled: it was called."""
        with self._lock:
            if self._cancelled:
                raise Cancelled("Stopped")
            self._kills.append(kill)
        try:
            yield
        finally:
            with self._lock:
                self._kills.remove(kill)


_CURRENT: ContextVar[Cancellation | None] = ContextVar("CANCELLATION", default=None)


def current() -> Cancellation:
    """Return what can cancel the work of this thread; one that nobody has where none can."""
    return _CURRENT.get() or Cancellation()
