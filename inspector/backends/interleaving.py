"""One turn of two measurements: one after the other, or both at once, who predict in turns."""

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Condition

import psutil
from msgspec import Struct, field

from inspector.errors import Cancelled
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import RunSpec

_SIDES = 2
_LOOK_SECONDS = 0.5  # Windows tells a thread that waits for ever of no Ctrl+C
# Memory of a running model as a multiple of its file: weights, prepacked copies, buffers.
_MEMORY_FACTOR = 3


class TurnScheduler:
    """Lets one of two measurements compute at a time.

    The turn passes from side to side, and stays with the one that is left when one leaves.

    id: names what is measured together. Methods may be called from any thread.
    """

    def __init__(self) -> None:
        self.id = os.urandom(8).hex()
        self._changed = Condition()
        self._owner = self._number = 0
        self._here = [False] * _SIDES
        self._closed = False

    def seats(self, first: int) -> "tuple[TurnHolder, TurnHolder]":
        """Begin anew with both sides here; side `first`, 0 or 1, has the floor."""
        with self._changed:
            self._owner, self._here, self._closed = first, [True] * _SIDES, False
        return TurnHolder(self, 0), TurnHolder(self, 1)

    def close(self) -> None:
        """Close the scheduler: whoever waits for a turn gets none."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def acquire(self, holder: int) -> int:
        """Wait for the floor: the number of this turn. Raises Cancelled: it was closed."""
        with self._changed:
            while not (self._closed or self._owner == holder):
                self._changed.wait(_LOOK_SECONDS)
            if self._closed:
                raise Cancelled(
                    "Stopped", "the measurement of the other model ended", phase="waiting"
                )
            self._number += 1
            return self._number

    def release(self, holder: int, stays: bool = True) -> None:
        """Give the turn to the other side if it is still here. stays: wants another turn."""
        with self._changed:
            other = (holder + 1) % _SIDES
            self._here[holder] = stays
            if self._owner == holder and self._here[other]:
                self._owner = other
            self._changed.notify_all()


class TurnHolder(Struct):
    """One side's place at the floor. kill: ends what it computes, once that is known."""

    floor: TurnScheduler
    index: int
    kill: Callable[[], None] = field(default=lambda: None)

    @property
    def id(self) -> str:
        """Return the name of what is measured together."""
        return self.floor.id

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Wait for a turn when the block begins; leave for good when it ends."""
        try:
            self.floor.acquire(self.index)
            yield
        finally:
            self.floor.release(self.index, stays=False)

    def pass_on(self) -> int:
        """Let the other side compute, and wait: the number of the next turn of this one."""
        self.floor.release(self.index)
        return self.floor.acquire(self.index)


Specs = tuple[RunSpec, RunSpec]
Pair = tuple[PerformanceReport, PerformanceReport]
Turn = Callable[[Specs, str, int], Pair]
"""Measures both sides once: their specs, words for all steps, and which side begins."""
Measure = Callable[[RunSpec, str], PerformanceReport]
Seated = Callable[[RunSpec, str, TurnHolder], PerformanceReport]


def fits_in_memory(sizes_bytes: Iterable[int]) -> bool:
    """Return whether memory has room to run models of these sizes at once."""
    available: int = psutil.virtual_memory().available
    return _MEMORY_FACTOR * sum(sizes_bytes) < available


def run_sequentially(measures: tuple[Measure, Measure]) -> Turn:
    """Return a turn in which one side is measured, and then the other."""

    def turn(specs: Specs, step: str, first: int) -> Pair:
        reports = {index: measures[index](specs[index], step) for index in (first, 1 - first)}
        return reports[0], reports[1]

    return turn


def run_interleaved(measures: tuple[Seated, Seated]) -> Turn:
    """Return a turn in which both sides have their process, and pass the floor to each other.

    measures: each in a process of its own that has the seat it is given. What one of them
    raises ends the other one, too, and is raised.
    """
    floor = TurnScheduler()

    def turn(specs: Specs, step: str, first: int) -> Pair:
        both = _Both(measures, specs, step, floor.seats(first))
        return both.measured()

    return turn


class _Both:
    """Two measurements, one of them on a thread of its own."""

    def __init__(
        self,
        measures: tuple[Seated, Seated],
        specs: Specs,
        step: str,
        seats: tuple[TurnHolder, TurnHolder],
    ) -> None:
        self._measures, self._specs, self._step, self._seats = measures, specs, step, seats
        self._found: dict[int, PerformanceReport] = {}
        self._errors: list[BaseException] = []

    def measured(self) -> Pair:
        """Measure both. Raises what came first, Cancelled only where nothing else did."""
        other_thread = threading.Thread(
            target=self._measure, args=(1,), name="beside", daemon=True
        )
        other_thread.start()
        self._measure(0)
        try:
            while other_thread.is_alive():
                other_thread.join(0.5)
        except KeyboardInterrupt as error:
            self._fail(error)
            other_thread.join()
        reasons = [error for error in self._errors if not isinstance(error, Cancelled)]
        for reason in (*reasons, *self._errors):
            raise reason
        return self._found[0], self._found[1]

    def _measure(self, index: int) -> None:
        seat = self._seats[index]
        try:
            with seat.hold():
                self._found[index] = self._measures[index](self._specs[index], self._step, seat)
        except BaseException as error:  # noqa: BLE001 - raised by `measured`, in its thread
            self._fail(error)

    def _fail(self, error: BaseException) -> None:
        self._errors.append(error)
        self._seats[0].floor.close()
        for seat in self._seats:
            seat.kill()
