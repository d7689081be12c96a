"""The slowest token of a run, and why it took longer, as far as the measurement knows."""

from enum import Enum

import numpy as np
from msgspec import Struct

from inspector.report.report import PerformanceReport

_SLOW = 1.5  # medians: from here on a token stands out
_EXPLAINED = 0.5  # of what it took longer: a cause with less is not named


class Cause(Enum):
    """Why a token took longer."""

    CORE = "core"  # the process waited: other programs had the CPU
    SPEED = "speed"  # the CPU itself was slower
    UNKNOWN = "unknown"


class SlowToken(Struct, frozen=True):
    """A token that stands out. place: among those of the last run, from 0. speed: of the CPU
    then, as a share of its full speed; 1 where that is not the cause."""

    place: int
    time_ns: int
    cause: Cause
    speed: float = 1.0


def slowest_token(report: PerformanceReport) -> SlowToken | None:
    """Return the slowest token of the last run at the headline's context, if it stands out."""
    row = report.generation.decode if report.generation is not None else None
    if row is None or not row.step_ns or not row.step_ns[-1]:
        return None
    steps = row.step_ns[-1]
    place, middle = int(np.argmax(steps)), float(np.median(steps))
    time_ns = steps[place]
    longer = time_ns - middle
    if time_ns < _SLOW * middle:
        return None
    number = len(row.steps) - len(steps) + place
    wall = np.asarray(report.prediction_ns, np.float64)
    cpu = np.asarray(report.prediction_cpu_ns, np.float64)
    if len(wall) == len(cpu) == len(row.steps) and cpu.all():
        usual = float(np.median(cpu / np.maximum(1.0, wall)))  # cores that compute
        if time_ns - cpu[number] / usual >= _EXPLAINED * longer:
            return SlowToken(place, time_ns, Cause.CORE)
    slowdown = _slowdown(report, number)
    if slowdown > 1 and middle * (slowdown - 1) >= _EXPLAINED * longer:
        return SlowToken(place, time_ns, Cause.SPEED, 1 / slowdown)
    return SlowToken(place, time_ns, Cause.UNKNOWN)


def _slowdown(report: PerformanceReport, number: int) -> float:
    """Return how many times longer than at full speed the probes beside a run took."""
    pace = report.pace
    if not pace.probes_ns or not pace.reference_ns or len(pace.before) != len(pace.probes_ns):
        return 1.0
    after = int(np.searchsorted(pace.before, number, side="right"))
    beside = pace.probes_ns[max(0, after - 1) : after + 1]
    return max(beside, default=0) / pace.reference_ns
