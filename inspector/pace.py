"""The processor's pace beside the predictions: a processor that is shared, hot or saving power
has several, and a prediction follows them. Only what ran at the same pace can be compared."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from inspector.resampling import LEAST_SAMPLES
from inspector.starts import split

# Two programs on a core halve its pace; a step of its turbo is 3 %. With several threads the
# turbo is lower now and then, as they come and go.
_TOLERANCE, _TOLERANCE_SEVERAL = 1.05, 1.25
NEAR = 1.15  # wide vectors and cold caches make the pace of one model's kernels another's
# Of few among many at full pace, some are so by chance: their pace changed twice meanwhile.
LEAST_STRETCHES, LEAST_SHARE, ALMOST_ALL = 8, 0.02, 0.9
_LOW, _LEAST = 0.02, 3
_HELD_UP, _HELD_UP_SEVERAL, _MOST, _ABOUT_ONE = 0.95, 0.9, 0.98, 1.1
_CLOCK_NS = 2000  # the clock of processor time counts in microseconds on some systems


class Cores(Enum):
    """What a prediction computes on: one core, all, or all while other programs use them."""

    ONE = "one"
    ALL = "all"
    SHARED = "shared"


@dataclass(frozen=True, slots=True)
class Pace:
    """How long the same small piece of work took, again and again between predictions.

    probes_ns: each time. before: the place in `prediction_ns` of the prediction that followed;
        the first is 0, and after the last prediction of each start there is one more.
    known_ns: what it took at this machine's full pace in earlier measurements; 0: not known.
    """

    probes_ns: tuple[int, ...] = ()
    before: tuple[int, ...] = ()
    known_ns: int = 0

    @property
    def own_ns(self) -> int:
        """The fastest pace of this measurement: a low quantile; 0 of no probes."""
        return fastest_ns(self.probes_ns)

    @property
    def reference_ns(self) -> int:
        """Full pace, as far as this measurement knows."""
        return min((ns for ns in (self.own_ns, self.known_ns) if ns), default=0)

    @property
    def share(self) -> float | None:
        """Half of the time the processor had at most this share of its full pace, 0 to 1."""
        if not self.probes_ns:
            return None
        return min(1.0, self.reference_ns / max(1.0, float(np.median(self.probes_ns))))

    @property
    def slowed(self) -> float:
        """Share of the time that the processor was a fifth or more below its full pace."""
        limit = _TOLERANCE_SEVERAL * self.reference_ns
        return float(np.mean(np.asarray(self.probes_ns) > limit)) if self.probes_ns else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Paced:
    """The predictions that a number about a report is taken from.

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
        """How many were at full pace; None where that is not known."""
        return None if self.full is None else int(self.full.sum())


def tolerance(alone: bool) -> float:
    """How many times as long as at full pace a probe takes at most that is called so.

    alone: one thread does all the work.
    """
    return _TOLERANCE if alone else _TOLERANCE_SEVERAL


def fastest_ns(probes_ns: Sequence[int] | NDArray[np.int64]) -> int:
    """The least time of a probe that it took more than once; 0 of none."""
    if not len(probes_ns):
        return 0
    place = min(len(probes_ns) - 1, max(_LEAST - 1, int(_LOW * len(probes_ns))))
    return int(np.partition(np.asarray(probes_ns), place)[place])


def paced(
    pace: Pace,
    wall_ns: tuple[int, ...],
    cpu_ns: tuple[int, ...],
    lengths: tuple[int, ...] = (),
    cores: Cores = Cores.ALL,
    reference_ns: int = 0,
) -> Paced:
    """Choose the predictions at full pace: the probes before and after were, and it had a core.

    wall_ns, cpu_ns: of each prediction. lengths: of the starts. reference_ns: of a probe
    at full pace; 0 for that of `pace`.
    """
    slowest = tolerance(cores is Cores.ONE) * (reference_ns or pace.reference_ns)
    wall, cpu = np.asarray(wall_ns, np.int64), np.asarray(cpu_ns, np.int64)
    full = _at_full(pace, wall, slowest)
    starts, every = split(wall_ns, lengths), np.arange(len(wall))
    if full is None or min(map(len, starts)) < LEAST_SAMPLES:
        return Paced(None, True, every, wall_ns, cpu_ns, lengths, len(starts))
    share = core_share(wall, cpu, cores)
    full = full if share is None else full & given_core(wall, cpu, share)
    stretch = np.searchsorted(np.asarray(pace.before), every, "right")
    ends = np.cumsum([len(start) for start in starts])
    parts = [np.arange(end - len(start), end) for start, end in zip(starts, ends, strict=True)]
    kept = [part[full[part]] for part in parts if stands(full[part], stretch[part])]
    if not kept:
        return Paced(full, False, every, wall_ns, cpu_ns, lengths, len(starts))
    chosen = np.concatenate(kept)
    if len(chosen) == len(wall_ns):
        return Paced(full, True, every, wall_ns, cpu_ns, lengths, len(starts))
    sizes = tuple(map(len, kept)) if len(kept) > 1 else ()
    mask = np.zeros(len(wall), bool)
    mask[chosen] = True
    picks = mask.tobytes()  # the numbers that there are: new ones take five times the room
    samples = tuple(compress(wall_ns, picks))
    both = tuple(compress(cpu_ns, picks)) if len(cpu) == len(wall) else cpu_ns
    return Paced(full, True, chosen, samples, both, sizes, len(starts))


def joined(parts: Sequence[tuple[Pace, int]]) -> Pace:
    """The paces of several starts, each with the number of its predictions, as one."""
    if not all(pace.probes_ns for pace, _ in parts):
        return Pace()
    ends = np.cumsum([0, *(count for _, count in parts)]).tolist()
    return Pace(
        tuple(ns for pace, _ in parts for ns in pace.probes_ns),
        tuple(
            place + begin
            for (pace, _), begin in zip(parts, ends, strict=False)
            for place in pace.before
        ),
        min((pace.known_ns for pace, _ in parts if pace.known_ns), default=0),
    )


def had_core(wall_ns: int, cpu_ns: int) -> bool:
    """Whether a prediction of one thread had a core all the time."""
    return cpu_ns + _CLOCK_NS >= _HELD_UP * wall_ns


def _at_full(
    pace: Pace, wall: NDArray[np.int64], slowest_ns: float
) -> NDArray[np.bool_] | None:
    """Whether both probes beside a prediction were at full pace; None where there are none."""
    before = np.asarray(pace.before, np.int64)
    fit = len(before) == len(pace.probes_ns) > 1 and len(wall)
    if not fit or before[0] != 0 or before[-1] != len(wall) or (np.diff(before) < 0).any():
        return None
    fast = np.asarray(pace.probes_ns) <= slowest_ns
    return np.repeat(fast[1:] & fast[:-1], np.diff(before))


def core_share(wall: NDArray[np.int64], cpu: NDArray[np.int64], cores: Cores) -> float | None:
    """Which share of its time in processor time a prediction has that had a core all the time.

    With several threads, as many as ever: of all starts together. None where nobody can tell;
    infinite where none can have had them.
    """
    if len(cpu) != len(wall) or not cpu.all():  # a clock that is too coarse tells nothing
        return None
    if cores is Cores.ONE:
        return _HELD_UP
    most = float(np.quantile(cpu / np.maximum(wall, 1), _MOST))
    if most < _ABOUT_ONE:
        return _HELD_UP
    return np.inf if cores is Cores.SHARED else _HELD_UP_SEVERAL * most


def given_core(
    wall: NDArray[np.int64], cpu: NDArray[np.int64], share: float
) -> NDArray[np.bool_]:
    """Whether a prediction had so much processor time as `core_share` says."""
    if share == np.inf:
        return np.zeros(len(wall), bool)
    return np.asarray(cpu + _CLOCK_NS >= share * wall)


def stands(full: NDArray[np.bool_], stretch: NDArray[np.int64]) -> bool:
    """Whether those at full pace stand for a start: from several moments, or almost all.

    stretch: between which probes each prediction was, growing.
    """
    count = int(full.sum())
    if count < LEAST_SAMPLES:
        return False
    several = len(np.unique(stretch[full])) >= LEAST_STRETCHES
    return (several and count >= LEAST_SHARE * len(full)) or count >= ALMOST_ALL * len(full)
