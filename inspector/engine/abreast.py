"""One turn of two measurements: one after the other, or both at once, who predict in turns."""

import threading
from collections.abc import Callable, Iterable

import psutil

from inspector.engine.floor import Floor, Seat
from inspector.errors import Cancelled
from inspector.report import PerformanceReport, RunSpec

Specs = tuple[RunSpec, RunSpec]
Pair = tuple[PerformanceReport, PerformanceReport]
Turn = Callable[[Specs, str, int], Pair]
"""Measures both sides once: their specs, words for all steps, and which side begins."""
Measure = Callable[[RunSpec, str], PerformanceReport]
_TIMES = 3  # its size is what a model takes in memory
Seated = Callable[[RunSpec, str, Seat], PerformanceReport]


def has_room(sizes_bytes: Iterable[int]) -> bool:
    """Return whether memory has room to run models of these sizes at once."""
    available: int = psutil.virtual_memory().available
    return _TIMES * sum(sizes_bytes) < available


def one_by_one(measures: tuple[Measure, Measure]) -> Turn:
    """A turn in which one side is measured, and then the other."""

    def turn(specs: Specs, step: str, first: int) -> Pair:
        found = {side: measures[side](specs[side], step) for side in (first, 1 - first)}
        return found[0], found[1]

    return turn


def abreast(measures: tuple[Seated, Seated]) -> Turn:
    """A turn in which both sides have their process, and pass the floor to each other.

    measures: each in a process of its own that has the seat it is given. What one of them
    raises ends the other one, too, and is raised.
    """
    floor = Floor()

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
        seats: tuple[Seat, Seat],
    ) -> None:
        self._measures, self._specs, self._step, self._seats = measures, specs, step, seats
        self._found: dict[int, PerformanceReport] = {}
        self._errors: list[BaseException] = []

    def measured(self) -> Pair:
        """Measure both. Raises what came first, Cancelled only where nothing else did."""
        beside = threading.Thread(target=self._measure, args=(1,), name="beside", daemon=True)
        beside.start()
        self._measure(0)
        try:
            while beside.is_alive():
                beside.join(0.5)
        except KeyboardInterrupt as error:
            self._fail(error)
            beside.join()
        reasons = [error for error in self._errors if not isinstance(error, Cancelled)]
        for reason in (*reasons, *self._errors):
            raise reason
        return self._found[0], self._found[1]

    def _measure(self, side: int) -> None:
        seat = self._seats[side]
        try:
            with seat.taken():
                self._found[side] = self._measures[side](self._specs[side], self._step, seat)
        except BaseException as error:  # noqa: BLE001 - raised by `measured`, in its thread
            self._fail(error)

    def _fail(self, error: BaseException) -> None:
        self._errors.append(error)
        self._seats[0].floor.close()
        for seat in self._seats:
            seat.kill()
