"""Times of the calls of one session: its first, and warm ones. For engine processes."""

from collections import deque
from collections.abc import Callable, Hashable
from time import perf_counter_ns

from inspector.model.tensors.prediction import COLD_CALLS

MAX_WARM_CALLS = 10
# What an answer is held up for by further calls: less than anyone notices (0.1 s). A call that
# alone takes longer is made once at most, and only where the first took no longer than this.
BUDGET_NS = 60_000_000
LONGEST_FIRST_NS = 250_000_000
# What a later answer is held up for by as many fresh calls, so that its latency is its own: not
# noticed even where a folder is run file by file.
REFRESH_NS = 5_000_000


class CallTimes:
    """Times of repeated calls of a session with inputs of the same shapes.

    load_ns: how long the session took to create. first_ns: its first call, 0 before. warm_ns:
    the latest MOST_WARM calls from the third on, or the second where there is no third.
    """

    def __init__(self, load_ns: int) -> None:
        self.load_ns, self.first_ns = load_ns, 0
        self._shapes: Hashable = None
        self._count, self._second_ns = 0, 0
        self._warm: deque[int] = deque(maxlen=MAX_WARM_CALLS)

    @property
    def warm_ns(self) -> tuple[int, ...]:
        """Times of warm calls in their order; empty where there was but the first call."""
        few = (self._second_ns,) if self._count == COLD_CALLS else ()
        return tuple(self._warm) or few

    def add(self, took_ns: int, shapes: Hashable) -> None:
        """Count a call; one with inputs of other shapes is a first call again."""
        if shapes != self._shapes:
            self._shapes, self._count = shapes, 0
            self._warm.clear()
        self._count += 1
        if self._count == 1:
            self.first_ns = took_ns
        elif self._count == COLD_CALLS:
            self._second_ns = took_ns
        else:
            self._warm.append(took_ns)

    def go_on(
        self, run: Callable[[], object], shapes: Hashable, refusals: tuple[type[Exception], ...]
    ) -> None:
        """Make further calls after a first one, as far as the budget goes.

        After a later call of a quick model, make as many anew: the warm latency is then that of
        the present inputs and of the present load of the machine.
        refusals: exceptions with which the runtime refuses a call.
        """
        if self._count > COLD_CALLS and MAX_WARM_CALLS * self._warm[-1] <= REFRESH_NS:
            latest = self._warm[-1]
            self._warm.clear()
            self._warm.append(latest)
        elif self._count != 1 or self.first_ns > LONGEST_FIRST_NS:
            return
        began, took = perf_counter_ns(), 0
        while len(self._warm) < MAX_WARM_CALLS:
            now = perf_counter_ns()
            if took and now - began + took > BUDGET_NS:
                return
            try:
                run()
            except refusals:  # the answer is there; a later call will tell what is wrong
                return
            took = perf_counter_ns() - now
            self.add(took, shapes)
