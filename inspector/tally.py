"""What starts of a process tell together, start by start: as one report of them all would.

Nothing is put together: each start is looked at as it comes, and asked again only where another
one has changed what full pace is.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from inspector.equal_pace import equal_ns, kept_ns, machine, what
from inspector.judge import Judgement, Verdict, judge, judge_logs, judge_ratio
from inspector.machine import MUCH_USED
from inspector.pace import Cores, core_share, fastest_ns, given_core, stands, tolerance
from inspector.report import PerformanceReport
from inspector.resampling import LEAST_SAMPLES, Samples
from inspector.starts import LEAST_STARTS, at_least_one, likely

Column = NDArray[np.int64]
At = tuple[int, float | None]  # stretches at full pace, and the processor time it takes


@dataclass(frozen=True, slots=True)
class Kept:
    """Predictions of a start that are counted: how many, and the logarithm of their median.

    at: what chose them; None for all.
    """

    start: "Start"
    at: At | None
    count: int
    log: float

    @property
    def samples(self) -> Column:
        """Wall time of each in nanoseconds, int64 (count,)."""
        wall = self.start.wall
        return wall if self.at is None else wall[self.start.mask(self.at)]

    def draws(self, seed: int) -> Samples:
        """What their median might have been in other starts, as `starts.likely` tells it."""
        known = self.start.drawn
        if (self.at, seed) not in known:
            known[self.at, seed] = likely(self.samples, seed=seed)
        return known[self.at, seed]


class Start:
    """One start of a process as columns, which remembers what it was asked.

    wall, cpu: of each prediction in nanoseconds, int64 (N,), those of the report where they are
    not given. The report is of one start; its own predictions are not kept. fits: whether there
    are probes beside all of them. share: see `core_share`, of one thread.
    """

    def __init__(
        self, report: PerformanceReport, wall: Column | None = None, cpu: Column | None = None
    ) -> None:
        pace, surroundings = report.pace, report.surroundings
        self.wall = np.asarray(report.prediction_ns, np.int64) if wall is None else wall
        self.cpu = np.asarray(report.prediction_cpu_ns, np.int64) if cpu is None else cpu
        self.probes_ns, self.known_ns = np.asarray(pace.probes_ns, np.int64), pace.known_ns
        self.before = np.asarray(pace.before, np.int64)
        self.alone, self.others = report.spec.alone, surroundings.others
        self.what, self.machine = what(report), machine(report)
        self.fits = _fit(self.before, self.probes_ns, self.wall)
        self.share = core_share(self.wall, self.cpu, Cores.ONE)
        self._slower = np.maximum(self.probes_ns[1:], self.probes_ns[:-1])
        self._sorted = np.sort(self._slower)
        self._known: dict[At | None, Kept | None] = {}
        self.drawn: dict[tuple[At | None, int], Samples] = {}

    def kept(self, slowest_ns: float, share: float | None) -> Kept | None:
        """Predictions between probes that took at most so long; None where they are too few.

        share: of their time, in processor time, as `core_share` says.
        """
        at = int(np.searchsorted(self._sorted, slowest_ns, "right")), share
        if at not in self._known:
            mask = self.mask(at)
            stretch = np.repeat(np.arange(len(self._slower)), np.diff(self.before))
            self._known[at] = self._of(at, mask) if stands(mask, stretch) else None
        return self._known[at]

    @property
    def all(self) -> Kept:
        """All predictions."""
        found = self._known.get(None) or self._of(None, np.ones(len(self.wall), bool))
        self._known[None] = found
        return found

    def mask(self, at: At) -> NDArray[np.bool_]:
        """Which predictions were in so many of the fastest stretches, and had a core."""
        count, share = at
        fast = self._slower <= (self._sorted[count - 1] if count else -1)
        full = np.repeat(fast, np.diff(self.before))
        return full if share is None else full & given_core(self.wall, self.cpu, share)

    def _of(self, at: At | None, mask: NDArray[np.bool_]) -> Kept:
        samples = self.wall[mask]
        log = float(np.log(at_least_one(samples))) if len(samples) else 0.0
        return Kept(self, at, len(samples), log)


@dataclass(frozen=True, slots=True)
class Side:
    """Starts of one measurement, and what all of them together say about its pace.

    reference_ns: of a probe at full pace, as far as they know. kept_ns: at the pace that they
    kept to; 0 without probes. known: whether anybody can tell which were at full pace.
    share: of its time that a prediction with a core has, see `core_share`.
    """

    starts: tuple[Start, ...]
    reference_ns: int
    kept_ns: int
    known: bool
    share: float | None

    def chosen(self, reference_ns: int = 0) -> tuple[Kept, ...] | None:
        """Predictions at full pace of each start that has enough; all where nobody can tell.

        None where no start has. reference_ns: of a probe at full pace; 0: as they know.
        """
        if not self.known:
            return self.every
        slowest = tolerance(self.starts[0].alone) * (reference_ns or self.reference_ns)
        kept = (start.kept(slowest, self.share) for start in self.starts)
        return tuple(one for one in kept if one is not None) or None

    @property
    def every(self) -> tuple[Kept, ...]:
        """All predictions of each start."""
        return tuple(start.all for start in self.starts)

    @property
    def at_full_pace(self) -> int:
        """How many starts had enough predictions at full pace."""
        return len(self.chosen() or ())


def side(starts: Sequence[Start]) -> Side:
    """Look at the paces of starts of one measurement, one or more, as `pace.joined` does."""
    first, probed = starts[0], all(len(start.probes_ns) for start in starts)
    probes = np.concatenate([start.probes_ns for start in starts])[: None if probed else 0]
    own = fastest_ns(probes)
    told = (own, *(start.known_ns for start in starts if probed))
    reference = min(filter(None, told), default=0)
    known = probed and all(start.fits for start in starts)
    known = known and min(len(start.wall) for start in starts) >= LEAST_SAMPLES
    return Side(
        tuple(starts),
        reference,
        kept_ns(probes, own, reference, first.alone),
        known,
        _share(starts) if known else None,
    )


def judged(one: Side, other: Side) -> Judgement:
    """What `judge_paced(at_equal_pace(one, other))` finds of their medians."""
    first, second = one.starts[0], other.starts[0]
    own = equal_ns(
        (one.kept_ns, other.kept_ns),
        first.machine == second.machine,
        first.what == second.what,
    )
    mine, theirs = one.chosen(own[0]), other.chosen(own[1])
    if mine is None or theirs is None:
        return _undecided(mine or one.every, theirs or other.every)
    logs = _logs(mine), _logs(theirs)
    if all(map(len, logs)):
        return judge_logs(*logs)
    if len(mine) == len(theirs) == 1 and min(mine[0].count, theirs[0].count) >= LEAST_SAMPLES:
        return judge_ratio(
            _middle(theirs) / _middle(mine), theirs[0].draws(1) / mine[0].draws(0)
        )
    both = _samples(mine), _samples(theirs)
    return judge(both[0][0], both[1][0], lengths=(both[0][1], both[1][1]))


def _undecided(mine: Sequence[Kept], theirs: Sequence[Kept]) -> Judgement:
    few = min(_count(mine), _count(theirs)) < LEAST_SAMPLES
    ratio = _middle(theirs) / _middle(mine)
    return Judgement(Verdict.UNDECIDED if few else Verdict.PACE, ratio, None, None)


def _fit(before: Column, probes_ns: Column, wall: Column) -> bool:
    """Whether there is a probe before the first prediction, and so on to one after the last."""
    fit = len(before) == len(probes_ns) > 1 and len(wall) > 0
    ends = fit and before[0] == 0 and before[-1] == len(wall)
    return bool(ends and (np.diff(before) >= 0).all())


def _share(starts: Sequence[Start]) -> float | None:
    cores = [start.others for start in starts if start.others is not None]
    shared = bool(cores) and sum(cores) / len(cores) > MUCH_USED
    if starts[0].alone:
        each = {start.share for start in starts}
        return None if None in each else each.pop()
    wall = np.concatenate([start.wall for start in starts])
    cpu = np.concatenate([start.cpu for start in starts])
    return core_share(wall, cpu, Cores.SHARED if shared else Cores.ALL)


def _logs(kept: Sequence[Kept]) -> NDArray[np.float64]:
    """Logarithms of the medians; empty where starts are too few or too short."""
    if len(kept) < LEAST_STARTS or min(one.count for one in kept) < LEAST_SAMPLES:
        return np.empty(0)
    return np.array([one.log for one in kept])


def _count(kept: Sequence[Kept]) -> int:
    return sum(one.count for one in kept)


def _samples(kept: Sequence[Kept]) -> tuple[Column, tuple[int, ...]]:
    """All samples, and the lengths of the starts; none of one."""
    lengths = tuple(one.count for one in kept) if len(kept) > 1 else ()
    return np.concatenate([one.samples for one in kept]), lengths


def _middle(kept: Sequence[Kept]) -> float:
    """What `starts.middle` tells of them."""
    logs = _logs(kept)
    if len(logs):
        return float(np.exp(np.mean(logs)))
    samples, _ = _samples(kept)
    return at_least_one(samples) if len(samples) else 1.0
