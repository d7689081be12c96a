"""Two reports whose predictions took turns: how much longer one took, turn beside turn.

What the machine does from second to second is in both turns of a pair, and so is most of what
starts differ by: on two cores of a shared machine medians of starts scattered by 4.8 %, and
what a start took beside the other one by 1.0 % (`python -m benchmarks.verdicts --real 40`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from inspector.equal_pace import at_equal_pace
from inspector.judge import Judgement, judge_paced, judge_ratio
from inspector.pace import Cores, core_share, given_core, tolerance
from inspector.report import PerformanceReport
from inspector.resampling import Samples
from inspector.starts import LEAST_STARTS, PRIOR_STARTS, student, widened

# Standard deviation of the logarithm of the ratio of two starts of the same, beside each other;
# and what few pairs of starts are taken to have, where no others tell.
PAIR_SPREAD, FEW_PAIRS_SPREAD = 0.0125, 0.02
LEAST_TURNS, _LEAST_SAMPLES = 4, 2
# A normal scatter is 1 / 1.349 of its middle half, its median as sure as 1 / 1.253 of it.
_OF_MEDIAN = 1.253 / 1.349
_DRAWS, _Z = 20_000, 1.96


@dataclass(frozen=True, slots=True, eq=False)
class Ratios:
    """How many times as long one side took, for K pairs of starts, as logarithms.

    logs: each the median over pairs of turns, float64 (K,). errors: its standard error.
    """

    logs: Samples
    errors: Samples

    def __len__(self) -> int:
        return len(self.logs)

    @property
    def ratio(self) -> float:
        """The geometric mean over pairs of starts."""
        return float(np.exp(np.mean(self.logs)))


def judge_medians(first: PerformanceReport, other: PerformanceReport) -> Judgement:
    """Tell whether predictions differ: by their turns, else by those at equal pace."""
    found = ratios(first, other)
    return judge_ratios(found) if len(found) else judge_paced(at_equal_pace(first, other))


def judge_ratios(found: Ratios) -> Judgement:
    """The same from what `ratios` found; one pair of starts at least."""
    return judge_ratio(found.ratio, likely(found))


def joined(parts: Sequence[Ratios]) -> Ratios:
    """Those of several parts as one; of none, none."""
    every = [(part.logs, part.errors) for part in parts] or [(np.empty(0),) * 2]
    logs, errors = zip(*every, strict=True)
    return Ratios(np.concatenate(logs), np.concatenate(errors))


def ratios(first: PerformanceReport, other: PerformanceReport) -> Ratios:
    """How many times as long the other took, turn beside turn.

    Pairs are of turns that followed each other at the same pace of the processor, and of their
    predictions those count that had a core all the time. None where the reports were not
    measured together, or in too few such turns.
    """
    if not first.turns.id or first.turns.id != other.turns.id:
        return joined(())
    one, two = _told(first), _told(other)
    found: dict[int, list[float]] = {}
    nearly = np.log(tolerance(first.spec.alone and other.spec.alone))
    for mine, theirs in _neighbours(first.turns.numbers, other.turns.numbers):
        apart = two.logs[theirs] - one.logs[mine]
        paces = two.paces[theirs] - one.paces[mine]
        if np.isfinite(apart) and not abs(paces) > nearly:  # NaN where nobody knows
            found.setdefault(one.starts[mine], []).append(apart)
    enough = [np.array(each) for each in found.values() if len(each) >= LEAST_TURNS]
    return Ratios(
        np.array([np.median(each) for each in enough]), np.array(list(map(_error, enough)))
    )


def half_width(found: Ratios) -> float:
    """Half of the 95 % interval around the mean of the logarithms.

    Student's t over the pairs of starts. Pairs that happen to agree are not believed to: their
    variance is drawn towards that of PAIR_SPREAD, as if that had been seen in PRIOR_STARTS
    more. Of too few to see what they differ by, it is what they are taken to, and what turns
    of each scatter by. Narrow ones are made wider as `starts.widened` says.
    """
    count = len(found)
    if count < LEAST_STARTS:
        own = FEW_PAIRS_SPREAD**2 + float(np.mean(found.errors**2))
        return widened(_Z * (own / count) ** 0.5)
    seen, free = float(np.var(found.logs, ddof=1)), count - 1
    drawn = (free * seen + PRIOR_STARTS * PAIR_SPREAD**2) / (free + PRIOR_STARTS)
    return widened(student(free) * (max(seen, drawn) / count) ** 0.5)


def likely(found: Ratios) -> Samples:
    """What the ratio might have been in other starts: float64 (draws,).

    The middle 95 % of these draws end where the interval does.
    """
    half = np.random.default_rng(23).normal(size=_DRAWS // 2)
    both = np.concatenate((half, -half)) * (half_width(found) / _Z)
    return np.asarray(found.ratio * np.exp(both))


def in_words(reports: Sequence[PerformanceReport]) -> str:
    """A sentence about reports that took turns with the first; empty where one did not."""
    pairs = min(len(ratios(reports[0], other)) for other in reports[1:])
    if not pairs:
        return ""
    return (
        "The predictions took turns, a moment each, so that what the machine did meanwhile is "
        f"in both: the change of p50 is that of turn beside turn, over {pairs} "
        f"{'pairs' if pairs > 1 else 'pair'} of starts."
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Told:
    """Of each turn: logarithms of its median prediction and probe, NaN of few; its start."""

    logs: list[float]
    paces: list[float]
    starts: list[int]


def _told(report: PerformanceReport) -> _Told:
    times = report.prediction_ns, report.prediction_cpu_ns
    wall, cpu = (np.asarray(each, np.int64) for each in times)
    share = core_share(wall, cpu, Cores.ONE if report.spec.alone else Cores.ALL)
    kept = np.ones(len(wall), bool) if share is None else given_core(wall, cpu, share)
    ends = np.cumsum(report.turns.lengths)
    parts = zip(np.split(wall, ends[:-1]), np.split(kept, ends[:-1]), strict=True)
    starts = np.cumsum(report.start_lengths or (len(wall),))
    return _Told(
        [_log_median(part[some], _LEAST_SAMPLES) for part, some in parts],
        _paces(report, ends),
        np.searchsorted(starts, ends).tolist(),
    )


def _paces(report: PerformanceReport, ends: NDArray[np.int64]) -> list[float]:
    """Of each turn the logarithm of the median probe between its predictions."""
    before, probes = (np.asarray(each) for each in (report.pace.before, report.pace.probes_ns))
    if len(before) != len(probes):
        return [np.nan] * len(ends)
    begins = np.concatenate(([0], ends[:-1]))
    low, high = before.searchsorted(begins, "right"), before.searchsorted(ends)
    return [_log_median(probes[a:b], 1) for a, b in zip(low, high, strict=True)]


def _log_median(times: NDArray[np.int64], least: int) -> float:
    return float(np.log(max(1.0, np.median(times)))) if len(times) >= least else np.nan


def _error(logs: Samples) -> float:
    """Standard error of a median, from the middle half: some turns are far off."""
    low, high = np.quantile(logs, (0.25, 0.75))
    return float(_OF_MEDIAN * (high - low) / len(logs) ** 0.5)


def _neighbours(first: tuple[int, ...], other: tuple[int, ...]) -> list[tuple[int, int]]:
    """Places of turns that followed each other, each in one pair at most."""
    every = [(number, 0, place) for place, number in enumerate(first)]
    every += [(number, 1, place) for place, number in enumerate(other)]
    every.sort()
    pairs, at = list[tuple[int, int]](), 0
    while at + 1 < len(every):
        (number, side, place), (after, beside, there) = every[at : at + 2]
        if after == number + 1 and beside != side:
            pairs.append((there, place) if side else (place, there))
            at += 1
        at += 1
    return pairs
