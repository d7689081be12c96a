"""CPU speed during a measurement, from short probes between the predictions.

A CPU that is shared, hot or saving power changes its speed, and predictions follow. Only
predictions at the same speed can be compared.
"""

from collections.abc import Sequence
from enum import Enum
from itertools import compress

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector.platform.data_struct import DataStruct
from inspector.statistics.intervals import MIN_SAMPLES, Quantile
from inspector.statistics.process_starts import split_starts

_SLOWER = 1.01  # times the median of all runs, from which runs are no fast ones
# Times the fast runs, from which others took most of the difference, though no probe saw them
# (a judgment: runs of one model on an idle machine differ by far less).
_FAR_SLOWER = 1.5
_FAST_RUNS = 0.05  # the quantile of all runs that fast ones reach
# Factors over the fastest probe. Two programs on a core halve its speed, a step of its turbo is
# 3%; with several threads the turbo is lower now and then, as they come and go.
_TOLERANCE_SINGLE_THREAD = 1.05
_TOLERANCE_MULTI_THREAD = 1.25
# Between two models: wide vectors and cold caches make the probes of one of them slower.
OTHER_MODEL_TOLERANCE = 1.15
# Full-speed predictions represent a start if they come from 8 stretches between probes and are
# 2% of it, or are 90% of it: a few of many are at full speed by chance.
MIN_STRETCHES = 8
MIN_FULL_SPEED_SHARE = 0.02
ALMOST_ALL = 0.9
# The fastest probe: the 2% quantile, at least the third fastest, to ignore outliers.
_FASTEST_QUANTILE = 0.02
_FASTEST_MIN_COUNT = 3
# CPU time per wall time of a prediction that never waited for its cores: one thread, and as a
# share of the 98% quantile for several; below 1.1 several threads used one core.
_MIN_CORE_SHARE = 0.95
_MIN_CORE_SHARE_MULTI_THREAD = 0.9
# Of CPU time per wall time: nearly its maximum, and what one thread cannot exceed.
_HIGHEST_QUANTILE = 0.98
_ONE_CORE_LIMIT = 1.1
_CPU_CLOCK_NS = 2000  # the CPU-time clock counts in microseconds on some systems


class CoreUse(Enum):
    """Cores that a prediction uses: one, all, or all while other programs use them, too."""

    ONE = "one"
    ALL = "all"
    SHARED = "shared"


class CpuSpeed(DataStruct, frozen=True):
    """Durations of a fixed short workload, run repeatedly between the runs.

    probes_ns: duration of each probe.
    before: for each probe, the index of the timed run that followed. The first
        is 0; after the last run of each process there is one more probe.
    known_ns: duration at full speed in earlier measurements on this machine; 0: unknown.
    """

    probes_ns: tuple[int, ...] = ()
    before: tuple[int, ...] = ()
    known_ns: int = 0

    @property
    def own_ns(self) -> int:
        """The fastest probe of this measurement: a low quantile; 0 without probes."""
        return fastest_ns(self.probes_ns)

    @property
    def reference_ns(self) -> int:
        """Duration of a probe at full CPU speed, as far as known; 0 if not."""
        return min((ns for ns in (self.own_ns, self.known_ns) if ns), default=0)

    @property
    def share(self) -> float | None:
        """The median CPU speed as a share of full speed, 0 to 1; None without probes."""
        if not self.probes_ns:
            return None
        return min(1.0, self.reference_ns / max(1.0, float(np.median(self.probes_ns))))

    @property
    def slowed(self) -> float:
        """Share of the probes that were a fifth or more slower than full speed."""
        limit = _TOLERANCE_MULTI_THREAD * self.reference_ns
        return float(np.mean(np.asarray(self.probes_ns) > limit)) if self.probes_ns else 0.0


class CountedPredictions(Struct, frozen=True, eq=False):
    """The predictions that the statistics of a report are computed from.

    full: which were at full pace, bool (N,); None where the pace was not measured.
    enough: enough of them were, or nobody can tell, since their pace is not known or they are
        very few. `samples_ns` are then those of the starts that had enough of them, else all.
    places: of these among all, int (n,). lengths: of each start that they are from; empty for
    one. starts: that were measured.
    """

    full: NDArray[np.bool_] | None
    enough: bool
    places: NDArray[np.intp]
    samples_ns: tuple[int, ...]
    cpu_ns: tuple[int, ...]
    lengths: tuple[int, ...]
    starts: int

    @property
    def at_full(self) -> int | None:
        """The number of runs at full CPU speed; None where it is unknown."""
        return None if self.full is None else int(self.full.sum())

    @property
    def at_full_speed(self) -> bool:
        """Whether `samples_ns` are runs at full CPU speed; else all runs."""
        return self.full is not None and self.enough


def tolerance(single_threaded: bool) -> float:
    """Return the factor over the fastest probe up to which the CPU counts as at full speed.

    single_threaded: one thread does all the work.
    """
    return _TOLERANCE_SINGLE_THREAD if single_threaded else _TOLERANCE_MULTI_THREAD


def fastest_ns(probes_ns: Sequence[int] | NDArray[np.int64]) -> int:
    """Return the fastest repeatable time of a probe; 0 of none."""
    if not len(probes_ns):
        return 0
    place = min(
        len(probes_ns) - 1, max(_FASTEST_MIN_COUNT - 1, int(_FASTEST_QUANTILE * len(probes_ns)))
    )
    return int(np.partition(np.asarray(probes_ns), place)[place])


def select_full_speed(
    speed: CpuSpeed,
    wall_ns: tuple[int, ...],
    cpu_ns: tuple[int, ...],
    lengths: tuple[int, ...] = (),
    cores: CoreUse = CoreUse.ALL,
    reference_ns: int = 0,
) -> CountedPredictions:
    """Select predictions that had a core and full CPU speed in the probes around them.

    wall_ns, cpu_ns: of each prediction. lengths: of the starts. reference_ns: of a probe
    at full pace; 0 for that of `speed`.
    """
    slowest = tolerance(cores is CoreUse.ONE) * (reference_ns or speed.reference_ns)
    wall, cpu = np.asarray(wall_ns, np.int64), np.asarray(cpu_ns, np.int64)
    full = _full_speed_mask(speed, wall, slowest)
    starts, all_positions = split_starts(wall_ns, lengths), np.arange(len(wall))
    if full is None or min(map(len, starts)) < MIN_SAMPLES:
        return CountedPredictions(
            None, True, all_positions, wall_ns, cpu_ns, lengths, len(starts)
        )
    share = expected_core_share(wall, cpu, cores)
    full = full if share is None else full & had_core_mask(wall, cpu, share)
    stretch = np.searchsorted(np.asarray(speed.before), all_positions, "right")
    ends = np.cumsum([len(start) for start in starts])
    parts = [np.arange(end - len(start), end) for start, end in zip(starts, ends, strict=True)]
    selected_parts = [
        part[full[part]] for part in parts if is_representative(full[part], stretch[part])
    ]
    if not selected_parts:
        return CountedPredictions(
            full, False, all_positions, wall_ns, cpu_ns, lengths, len(starts)
        )
    chosen = np.concatenate(selected_parts)
    if len(chosen) == len(wall_ns):
        return CountedPredictions(
            full, True, all_positions, wall_ns, cpu_ns, lengths, len(starts)
        )
    sizes = tuple(map(len, selected_parts)) if len(selected_parts) > 1 else ()
    mask = np.zeros(len(wall), bool)
    mask[chosen] = True
    if are_slower(wall[mask], wall):  # the probes do not tell of these runs
        return CountedPredictions(
            None, True, all_positions, wall_ns, cpu_ns, lengths, len(starts)
        )
    picks = mask.tobytes()  # the numbers that there are: new ones take five times the room
    samples = tuple(compress(wall_ns, picks))
    cpu_samples = tuple(compress(cpu_ns, picks)) if len(cpu) == len(wall) else cpu_ns
    return CountedPredictions(full, True, chosen, samples, cpu_samples, sizes, len(starts))


def are_slower(chosen: NDArray[np.int64], every: NDArray[np.int64]) -> bool:
    """Return whether what passed for runs at full speed is slower than all runs are, or far
    slower than the fast ones."""
    limit = min(_SLOWER * np.median(every), _FAR_SLOWER * np.quantile(every, _FAST_RUNS))
    return bool(np.median(chosen) > limit)


def join_cpu_speeds(parts: Sequence[tuple[CpuSpeed, int]]) -> CpuSpeed:
    """Return the probes of several starts as one, given each start's prediction count."""
    if not all(speed.probes_ns for speed, _ in parts):
        return CpuSpeed()
    ends = np.cumsum([0, *(count for _, count in parts)]).tolist()
    return CpuSpeed(
        tuple(ns for speed, _ in parts for ns in speed.probes_ns),
        tuple(
            place + begin
            for (speed, _), begin in zip(parts, ends, strict=False)
            for place in speed.before
        ),
        min((speed.known_ns for speed, _ in parts if speed.known_ns), default=0),
    )


def had_core(wall_ns: int, cpu_ns: int) -> bool:
    """Return whether a prediction of one thread had a core all the time."""
    return cpu_ns + _CPU_CLOCK_NS >= _MIN_CORE_SHARE * wall_ns


def _full_speed_mask(
    speed: CpuSpeed, wall: NDArray[np.int64], slowest_ns: float
) -> NDArray[np.bool_] | None:
    """Return which predictions lie between two probes at full speed; None if unknown."""
    before = np.asarray(speed.before, np.int64)
    if not probes_enclose(before, len(speed.probes_ns), len(wall)):
        return None
    fast = np.asarray(speed.probes_ns) <= slowest_ns
    return np.repeat(fast[1:] & fast[:-1], np.diff(before))


def probes_enclose(before: NDArray[np.int64], probes: int, predictions: int) -> bool:
    """Return whether every prediction has a probe before and after it.

    before: for each probe the position of the prediction that followed it.
    """
    if not (len(before) == probes > 1 and predictions):
        return False
    ends = before[0] == 0 and before[-1] == predictions
    return bool(ends and (np.diff(before) >= 0).all())


def expected_core_share(
    wall: NDArray[np.int64], cpu: NDArray[np.int64], cores: CoreUse
) -> float | None:
    """Return the CPU time per wall time of a prediction that had its cores all the time.

    With several threads, as many as ever: of all starts together. None where nobody can tell;
    infinite where none can have had them.
    """
    if len(cpu) != len(wall) or not cpu.all():  # a clock that is too coarse tells nothing
        return None
    if cores is CoreUse.ONE:
        return _MIN_CORE_SHARE
    highest = float(Quantile(_HIGHEST_QUANTILE)(cpu / np.maximum(wall, 1)))
    if highest < _ONE_CORE_LIMIT:
        return _MIN_CORE_SHARE
    return np.inf if cores is CoreUse.SHARED else _MIN_CORE_SHARE_MULTI_THREAD * highest


def had_core_mask(
    wall: NDArray[np.int64], cpu: NDArray[np.int64], share: float
) -> NDArray[np.bool_]:
    """Return which predictions had the CPU time that `expected_core_share` requires."""
    if share == np.inf:
        return np.zeros(len(wall), bool)
    return np.asarray(cpu + _CPU_CLOCK_NS >= share * wall)


def is_representative(full: NDArray[np.bool_], stretch: NDArray[np.int64]) -> bool:
    """Return whether full-speed predictions represent a start: several moments, or nearly all.

    stretch: between which probes each prediction was, growing.
    """
    count = int(full.sum())
    if count < MIN_SAMPLES:
        return False
    several = 1 + np.count_nonzero(np.diff(stretch[full])) >= MIN_STRETCHES
    return (several and count >= MIN_FULL_SPEED_SHARE * len(full)) or count >= ALMOST_ALL * len(
        full
    )
