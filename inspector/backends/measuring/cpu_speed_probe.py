"""The processor's pace between predictions: a small piece of work, timed every 1.5 ms."""

from collections.abc import Callable
from math import fsum
from time import perf_counter_ns

import numpy as np

from inspector.statistics.cpu_speed import CpuSpeed, tolerance

# Numbers that the processor adds up one after the other: they wait for nothing but it, fit
# into its first cache, and a neighbor on the same core slows them down as it does kernels.
_WORK = range(400)
_TIMES = 3
_EACH_NS = 1_500_000
_LOOK_NS = 50_000_000
MOST_SETTLING = 0.3
_AIM = 30  # stretches between two probes at full pace


def probe_ns() -> int:
    """Time the work: the least of three, since whatever comes in between only adds to it."""
    least = 0
    for _ in range(_TIMES):
        began = perf_counter_ns()
        fsum(_WORK)
        took = perf_counter_ns() - began
        least = min(least or took, took)
    return least


def wait_for_full_speed(reference_ns: int, alone: bool, seconds: float = MOST_SETTLING) -> bool:
    """Wait until the processor is at full pace, so many seconds at most; whether it came.

    alone: one thread does all the work.
    """
    end = perf_counter_ns() + int(seconds * 1e9)
    while probe_ns() > tolerance(alone) * reference_ns:
        if perf_counter_ns() > end:
            return False
    return True


class CpuSpeedProbe:
    """Probes the CPU speed between predictions, in the thread that runs them.

    known_ns: what a probe takes at full pace, if that is known. alone: one thread does all the
    work. probe: times the work. Where it is not `active`, as devices other than the processor
    do the work, there are no probes.
    """

    def __init__(
        self,
        known_ns: int = 0,
        active: bool = True,
        alone: bool = True,
        probe: Callable[[], int] = probe_ns,
    ) -> None:
        self._known_ns, self._active, self._probe = known_ns, active, probe
        self._tolerance = tolerance(alone)
        self._probes: list[int] = []
        self._before: list[int] = []
        self._ran: list[bool] = []
        self._due, self._looked, self._full = 0, 0, 0

    def due(self, now_ns: int) -> bool:
        """Return whether it is time for the next probe."""
        return self._active and now_ns >= self._due

    def take(self, place: int, ran: bool = True) -> None:
        """Probe before the prediction at `place`, or after the last one.

        ran: some prediction since the last probe had a core all the time.
        """
        if self._active:
            self._probes.append(self._probe())
            self._before.append(place)
            self._ran.append(ran)
            self._due = perf_counter_ns() + _EACH_NS

    def enough(self, now_ns: int) -> bool:
        """Return whether enough stretches were at full pace; looks seldom, for that takes
        time."""
        if self._active and now_ns - self._looked > _LOOK_NS and self._full < _AIM:
            self._looked = now_ns
            pace = self.pace()
            fast = np.asarray(pace.probes_ns) <= self._tolerance * pace.reference_ns
            self._full = int((fast[1:] & fast[:-1] & np.array(self._ran[1:], bool)).sum())
        return not self._active or self._full >= _AIM

    def pace(self) -> CpuSpeed:
        """All probes so far."""
        return CpuSpeed(tuple(self._probes), tuple(self._before), self._known_ns)
