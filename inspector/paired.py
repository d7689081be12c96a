"""Two reports whose predictions took turns: how much longer one took, turn beside turn.

What the machine does from second to second is in both turns of a pair, and so is most of what
starts differ by: on two cores of a shared machine medians of starts scattered by 4.8 %, and
what a start took beside the other one by 1.0 % (`python -m benchmarks.verdicts --real 40`).
"""

from collections.abc import Sequence

import numpy as np

from inspector.equal_pace import at_equal_pace
from inspector.judge import Judgement, judge_paced, judge_ratio
from inspector.pace import Cores, core_share, given_core
from inspector.report import PerformanceReport
from inspector.resampling import Samples
from inspector.starts import LEAST_STARTS, PRIOR_STARTS, student, widened

# Standard deviation of the logarithm of the ratio of two starts of the same, beside each other;
# and what few pairs of starts are taken to have, where no others tell.
PAIR_SPREAD, FEW_PAIRS_SPREAD = 0.0125, 0.02
LEAST_TURNS, _LEAST_SAMPLES = 4, 2
_DRAWS, _Z = 20_000, 1.96


def judge_medians(first: PerformanceReport, other: PerformanceReport) -> Judgement:
    """Tell whether predictions differ: by their turns, else by those at equal pace."""
    logs = log_ratios(first, other)
    return judge_ratios(logs) if len(logs) else judge_paced(at_equal_pace(first, other))


def judge_ratios(logs: Samples) -> Judgement:
    """The same from what `log_ratios` found."""
    return judge_ratio(float(np.exp(np.mean(logs))), likely(logs))


def log_ratios(first: PerformanceReport, other: PerformanceReport) -> Samples:
    """How many times as long the other took: a logarithm for each pair of starts, float64 (K,).

    Each is the median over pairs of turns that followed each other, of the medians of those
    predictions that had a core all the time. Empty where the reports were not measured
    together, or in too few turns.
    """
    if not first.turns.id or first.turns.id != other.turns.id:
        return np.empty(0)
    medians, starts = _told(first)
    others, _ = _told(other)
    found: dict[int, list[float]] = {}
    for mine, theirs in _neighbours(first.turns.numbers, other.turns.numbers):
        if np.isfinite(apart := others[theirs] - medians[mine]):
            found.setdefault(starts[mine], []).append(apart)
    enough = (one for one in found.values() if len(one) >= LEAST_TURNS)
    return np.array([float(np.median(one)) for one in enough])


def half_width(logs: Samples) -> float:
    """Half of the 95 % interval around the mean of some of these, as a logarithm.

    Student's t over the pairs of starts. Pairs that happen to agree are not believed to: their
    variance is drawn towards that of PAIR_SPREAD, as if that had been seen in PRIOR_STARTS
    more. Narrow ones are made wider as `starts.widened` says.
    """
    count = len(logs)
    if count < LEAST_STARTS:
        return widened(_Z * FEW_PAIRS_SPREAD / count**0.5)
    seen, free = float(np.var(logs, ddof=1)), count - 1
    drawn = (free * seen + PRIOR_STARTS * PAIR_SPREAD**2) / (free + PRIOR_STARTS)
    return widened(student(free) * (max(seen, drawn) / count) ** 0.5)


def likely(logs: Samples) -> Samples:
    """What the ratio might have been in other starts: float64 (draws,).

    The middle 95 % of these draws end where the interval does.
    """
    half = np.random.default_rng(23).normal(size=_DRAWS // 2)
    both = np.concatenate((half, -half)) * (half_width(logs) / _Z)
    return np.asarray(np.exp(np.mean(logs) + both))


def in_words(reports: Sequence[PerformanceReport]) -> str:
    """A sentence about reports that took turns with the first; empty where one did not."""
    pairs = min(len(log_ratios(reports[0], other)) for other in reports[1:])
    if not pairs:
        return ""
    return (
        "The predictions took turns, a moment each, so that what the machine did meanwhile is "
        f"in both: the change of p50 is that of turn beside turn, over {pairs} "
        f"{'pairs' if pairs > 1 else 'pair'} of starts."
    )


def _told(report: PerformanceReport) -> tuple[list[float], list[int]]:
    """Of each turn the logarithm of its median, NaN of too few, and which start it was in."""
    times = report.prediction_ns, report.prediction_cpu_ns
    wall, cpu = (np.asarray(each, np.int64) for each in times)
    share = core_share(wall, cpu, Cores.ONE if report.spec.alone else Cores.ALL)
    kept = np.ones(len(wall), bool) if share is None else given_core(wall, cpu, share)
    ends = np.cumsum(report.turns.lengths)
    parts = (
        part[some]
        for part, some in zip(np.split(wall, ends[:-1]), np.split(kept, ends[:-1]), strict=True)
    )
    logs = [
        float(np.log(max(1.0, np.median(part)))) if len(part) >= _LEAST_SAMPLES else np.nan
        for part in parts
    ]
    starts = np.cumsum(report.start_lengths or (len(wall),))
    return logs, np.searchsorted(starts, ends).tolist()


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
