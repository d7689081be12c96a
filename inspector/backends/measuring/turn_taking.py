"""Runs interleaved with those of another measurement, so that both see the same conditions."""

from collections.abc import Callable
from itertools import pairwise
from time import perf_counter_ns

from inspector.backends.measuring.process_state import SystemLoadMonitor
from inspector.report.report import TurnOrder

# Short enough that the machine seldom changes meanwhile, long enough that few are handed over.
# duration of a turn, and predictions in one
EACH_NS = 30_000_000
LEAST = 3
_WARM_NS = 500_000  # predictions after a wait that do not count: caches are cold


class TurnTaker:
    """Decides when a turn ends, and waits for the next one.

    ask: lets the other measurement compute; returns the number of the next turn here. None
    where nothing takes turns: then no turn is ever over. clock: in nanoseconds.
    """

    def __init__(
        self, ask: Callable[[], int] | None = None, clock: Callable[[], int] = perf_counter_ns
    ) -> None:
        self._ask, self._clock = ask, clock
        self._numbers: list[int] = []
        self._firsts: list[int] = []
        self._end_ns = 0
        self.away_ns = 0

    def over(self, predictions: int, now_ns: int) -> bool:
        """Return whether it is the other's turn, after so many predictions in all."""
        if self._ask is None:
            return False
        return not self._firsts or (
            now_ns >= self._end_ns and predictions - self._firsts[-1] >= LEAST
        )

    def wait(
        self, predictions: int, run: Callable[[], object], watch: SystemLoadMonitor
    ) -> None:
        """Wait for the next turn, and predict until caches are warm; that does not count."""
        assert self._ask is not None
        left = self._clock()
        watch.pause()
        number = self._ask()
        watch.resume()
        began = self._clock()
        run()
        while self._clock() - began < _WARM_NS:
            run()
        back = self._clock()
        self.away_ns += back - left
        self._end_ns = back + EACH_NS
        self._numbers.append(number)
        self._firsts.append(predictions)

    def turns(self, name: str, predictions: int) -> TurnOrder:
        """Return all turns, with so many predictions in all; `name` is what they were taken
        for."""
        lengths = [last - first for first, last in pairwise([*self._firsts, predictions])]
        own_turns = [pair for pair in zip(self._numbers, lengths, strict=True) if pair[1]]
        return (
            TurnOrder(name, *(tuple(each) for each in zip(*own_turns, strict=True)))
            if own_turns
            else TurnOrder()
        )
