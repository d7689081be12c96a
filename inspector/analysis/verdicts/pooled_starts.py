"""Process starts compared one by one as they are measured, with cached intermediate results.

The verdict is that of one report of all starts (tests hold it so). A search compares after each
start; merging reports each time would take seconds. A start is filtered again only if another
one changed what counts as full CPU speed. All formulas are those of `statistics`.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector.analysis.verdicts.matched_cpu_speed import (
    machine_identity,
    matched_speed_ns,
    run_identity,
    typical_speed_ns,
)
from inspector.report.report import PerformanceReport, core_use
from inspector.statistics.cpu_speed import (
    CoreUse,
    are_slower,
    expected_core_share,
    fastest_ns,
    had_core_mask,
    is_representative,
    probes_enclose,
    tolerance,
)
from inspector.statistics.intervals import MIN_SAMPLES
from inspector.statistics.process_starts import MIN_STARTS, positive_statistic
from inspector.statistics.significance import (
    RatioVerdict,
    compare_samples,
    compare_start_logs,
    undecided,
)

Column = NDArray[np.int64]
Selection = tuple[int, float | None]  # stretches at full pace, and the processor time it takes


class SelectedPredictions(Struct, frozen=True):
    """Predictions of a start that are counted: how many, and the logarithm of their median.

    at: what chose them; None for all.
    """

    start: "StartSamples"
    at: Selection | None
    count: int
    log: float

    @property
    def samples(self) -> Column:
        """Wall time of each in nanoseconds, int64 (count,)."""
        wall = self.start.wall
        return wall if self.at is None else wall[self.start.mask(self.at)]


class StartSamples:
    """The samples of one process start as columns, with cached selections.

    wall, cpu: of each prediction in nanoseconds, int64 (N,), those of the report where they are
    not given. The report is of one start; its own runs are not stored. fits: whether there
    are probes next to all of them. share: see `expected_core_share`, of one thread.
    """

    def __init__(
        self, report: PerformanceReport, wall: Column | None = None, cpu: Column | None = None
    ) -> None:
        speed, surroundings = report.pace, report.surroundings
        self.wall = np.asarray(report.prediction_ns, np.int64) if wall is None else wall
        self.cpu = np.asarray(report.prediction_cpu_ns, np.int64) if cpu is None else cpu
        self.probes_ns, self.known_ns = np.asarray(speed.probes_ns, np.int64), speed.known_ns
        self.before = np.asarray(speed.before, np.int64)
        self.spec, self.others = report.spec, surroundings.others
        self.run, self.machine = run_identity(report), machine_identity(report)
        self.fits = probes_enclose(self.before, len(self.probes_ns), len(self.wall))
        self.share = expected_core_share(self.wall, self.cpu, CoreUse.ONE)
        self._slower = np.maximum(self.probes_ns[1:], self.probes_ns[:-1])
        self._sorted = np.sort(self._slower)
        self._selections: dict[Selection | None, SelectedPredictions | None] = {}

    def select(self, slowest_ns: float, share: float | None) -> SelectedPredictions | None:
        """Predictions between probes that took at most so long; None where they are too few.

        share: of their time, in processor time, as `expected_core_share` says.
        """
        at = int(np.searchsorted(self._sorted, slowest_ns, "right")), share
        if at not in self._selections:
            mask = self.mask(at)
            stretch = np.repeat(np.arange(len(self._slower)), np.diff(self.before))
            self._selections[at] = (
                self._of(at, mask) if is_representative(mask, stretch) else None
            )
        return self._selections[at]

    @property
    def all(self) -> SelectedPredictions:
        """All predictions."""
        selection = self._selections.get(None) or self._of(None, np.ones(len(self.wall), bool))
        self._selections[None] = selection
        return selection

    def mask(self, at: Selection) -> NDArray[np.bool_]:
        """Return the mask of runs in the `count` fastest stretches that had a core."""
        count, share = at
        fast = self._slower <= (self._sorted[count - 1] if count else -1)
        full = np.repeat(fast, np.diff(self.before))
        return full if share is None else full & had_core_mask(self.wall, self.cpu, share)

    def _of(self, at: Selection | None, mask: NDArray[np.bool_]) -> SelectedPredictions:
        samples = self.wall[mask]
        log = float(np.log(positive_statistic(samples))) if len(samples) else 0.0
        return SelectedPredictions(self, at, len(samples), log)


class PooledStarts(Struct, frozen=True):
    """The starts of one measurement, and the CPU speed that they share.

    reference_ns: duration of a probe at full CPU speed, if known. typical_ns: of a typical
    probe; 0 without probes. has_probes: whether runs at full CPU speed can be selected.
    share: of its time that a prediction with a core has, see `expected_core_share`.
    """

    starts: tuple[StartSamples, ...]
    reference_ns: int
    typical_ns: int
    has_probes: bool
    share: float | None

    def chosen(self, reference_ns: int = 0) -> tuple[SelectedPredictions, ...] | None:
        """Return each start's runs at full CPU speed, if enough; all runs without probes, or
        where those are slower. None where no start has. reference_ns: of a probe at full pace;
        0: as they know."""
        if not self.has_probes:
            return self.every
        slowest = tolerance(self.starts[0].spec.alone) * (reference_ns or self.reference_ns)
        selections = (start.select(slowest, self.share) for start in self.starts)
        picked = tuple(one for one in selections if one is not None)
        if not picked:
            return None
        samples = np.concatenate([one.samples for one in picked])
        every = np.concatenate([start.wall for start in self.starts])
        return self.every if are_slower(samples, every) else picked

    @property
    def every(self) -> tuple[SelectedPredictions, ...]:
        """All predictions of each start."""
        return tuple(start.all for start in self.starts)

    @property
    def starts_at_full_speed(self) -> int:
        """The number of starts with enough runs at full CPU speed."""
        return len(self.chosen() or ())


def pool_starts(starts: Sequence[StartSamples]) -> PooledStarts:
    """Return the starts of one measurement with their common full CPU speed."""
    first, probed = starts[0], all(len(start.probes_ns) for start in starts)
    probes = np.concatenate([start.probes_ns for start in starts])[: None if probed else 0]
    own = fastest_ns(probes)
    references = (own, *(start.known_ns for start in starts if probed))
    reference = min(filter(None, references), default=0)
    has_probes = probed and all(start.fits for start in starts)
    has_probes = has_probes and min(len(start.wall) for start in starts) >= MIN_SAMPLES
    return PooledStarts(
        tuple(starts),
        reference,
        typical_speed_ns(probes, own, reference, first.spec.alone),
        has_probes,
        _share(starts) if has_probes else None,
    )


def compare_pooled(one: PooledStarts, other: PooledStarts) -> RatioVerdict:
    """Return the verdict on the medians, as for two reports of all starts of each side."""
    first, second = one.starts[0], other.starts[0]
    own = matched_speed_ns(
        (one.typical_ns, other.typical_ns),
        first.machine == second.machine,
        first.run == second.run,
    )
    first_selected, other_selected = one.chosen(own[0]), other.chosen(own[1])
    if first_selected is None or other_selected is None:
        first_all, other_all = first_selected or one.every, other_selected or other.every
        ratio = _middle(other_all) / _middle(first_all)
        return undecided(ratio, min(_count(first_all), _count(other_all)))
    logs = _logs(first_selected), _logs(other_selected)
    if all(map(len, logs)):
        return compare_start_logs(*logs)
    both = _samples(first_selected), _samples(other_selected)
    return compare_samples(both[0][0], both[1][0], lengths=(both[0][1], both[1][1]))


def _share(starts: Sequence[StartSamples]) -> float | None:
    if starts[0].spec.alone:
        each = {start.share for start in starts}
        return None if None in each else each.pop()
    wall = np.concatenate([start.wall for start in starts])
    cpu = np.concatenate([start.cpu for start in starts])
    others = [start.others for start in starts if start.others is not None]
    mean_others = sum(others) / len(others) if others else None
    return expected_core_share(wall, cpu, core_use(starts[0].spec, mean_others))


def _logs(selections: Sequence[SelectedPredictions]) -> NDArray[np.float64]:
    """Logarithms of the medians; empty where starts are too few or too short."""
    if len(selections) < MIN_STARTS or min(one.count for one in selections) < MIN_SAMPLES:
        return np.empty(0)
    return np.array([one.log for one in selections])


def _count(selections: Sequence[SelectedPredictions]) -> int:
    return sum(one.count for one in selections)


def _samples(selections: Sequence[SelectedPredictions]) -> tuple[Column, tuple[int, ...]]:
    """All samples, and the lengths of the starts; none of one."""
    lengths = tuple(one.count for one in selections) if len(selections) > 1 else ()
    return np.concatenate([one.samples for one in selections]), lengths


def _middle(selections: Sequence[SelectedPredictions]) -> float:
    """Return the geometric mean of the starts' medians, or of few starts the pooled median."""
    logs = _logs(selections)
    if len(logs):
        return float(np.exp(np.mean(logs)))
    samples, _ = _samples(selections)
    return positive_statistic(samples) if len(samples) else 1.0
