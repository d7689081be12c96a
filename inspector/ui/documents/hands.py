"""Threads that stay for the next job: new ones wait for their turn while others compute."""

from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread

Job = Callable[[], object]


class Hands:
    """Starts each job at once, in a thread that rests if there is one, else in a new one.

    What a job raises goes to the thread's excepthook, and the thread ends with it.
    """

    def __init__(self) -> None:
        self._resting: deque[_Hand] = deque()

    def give(self, job: Job) -> None:
        """Let a job begin, and wait until it has; from any thread."""
        try:
            hand = self._resting.pop()
        except IndexError:
            hand = _Hand(self._resting.append)
        hand.take(job)


class _Hand:
    """One of the threads. rest: told when it has nothing to do."""

    def __init__(self, rest: "Callable[[_Hand], object]") -> None:
        self._given: SimpleQueue[Job] = SimpleQueue()
        self._begun: SimpleQueue[None] = SimpleQueue()
        self._rest = rest
        Thread(target=self._work, name="hand", daemon=True).start()

    def take(self, job: Job) -> None:
        """Begin a job; like the start of a thread, this waits until it has begun."""
        self._given.put(job)
        self._begun.get()

    def _work(self) -> None:
        while True:
            self._carry_out()
            self._rest(self)

    def _carry_out(self) -> None:
        """Apart, so that a thread that rests holds nothing of its last job."""
        job = self._given.get()
        self._begun.put(None)
        job()
