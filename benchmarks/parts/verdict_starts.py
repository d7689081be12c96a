"""Verdicts on starts whose truth is known: of a fixed number, and in turns until narrow."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.parts.verdict_pairs import STARTS
from benchmarks.parts.verdict_power import ideal
from inspector.analysis.verdicts.interleaved import PrecisionGoal
from inspector.statistics.significance import RatioVerdict, Verdict, compare_samples

LEAST, PAIRS, TURNS, MEDIAN_NS = 9, 2000, 500, 2e6
NOISE, SLOW = 0.01, (0.03, 0.09)
Logs = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Shape:
    """How starts differ, as standard deviations of logarithms, of both sides.

    tail: share of starts that are slow besides, by 3 to 9%.
    """

    one: float
    other: float
    tail: float = 0.0

    @property
    def words(self) -> str:
        """What the line about it begins with."""
        spreads = dict.fromkeys((self.one, self.other))
        both = " and ".join(f"{100 * spread:.1f}%" for spread in spreads)
        return both + (f", {100 * self.tail:.0f}% slow" if self.tail else "")


# With the least that is to be found of 5%; 0 where a perfect test would not do so either.
FIXED = (
    (Shape(0.002, 0.002), 90),
    (Shape(0.01, 0.01), 90),
    (Shape(0.018, 0.018), 90),
    (Shape(0.024, 0.024), 0),
    (Shape(0.03, 0.03), 0),
    (Shape(0.01, 0.03), 0),
    (Shape(0.15, 0.15), 0),
    (Shape(0.01, 0.01, 0.1), 0),
)
NARROW = (
    Shape(0.005, 0.005),
    Shape(0.01, 0.01),
    Shape(0.018, 0.018),
    Shape(0.024, 0.024),
    Shape(0.03, 0.03),
    Shape(0.035, 0.035),
    Shape(0.018, 0.018, 0.1),
    Shape(0.03, 0.03, 0.1),
)


def tell() -> None:
    """Lines about starts that differ; how much, and how many are slow besides."""
    print(f"\n{STARTS} starts a side that differ by")
    for shape, promised in FIXED:
        same, found = of_fixed(shape)
        equal = shape.one == shape.other and not shape.tail
        best = f"; the best test: {ideal(STARTS, shape.one):.0f}%" if equal else ""
        _tell_line(shape, same, found, promised, best)
    goal = PrecisionGoal()
    print(f"\nIn turns until ±{100 * goal.half_width:g}%, of starts that differ by")
    for shape in NARROW:
        same, found, starts = until_narrow(shape, goal)
        _tell_line(shape, same, found, 90, f"; {starts:.1f} starts a side")


def of_fixed(shape: Shape) -> tuple[float, float]:
    """Percent of equal pairs of STARTS starts that are the same, and of 5% found."""
    random = np.random.default_rng(1)
    same = found = 0
    for _ in range(PAIRS):
        sides = _drawn(shape, STARTS, random)
        same += _judged(sides, STARTS).verdict is Verdict.SAME
        found += _judged(sides, STARTS, 1.05).verdict is Verdict.SLOWER
    return 100 * same / PAIRS, 100 * found / PAIRS


def until_narrow(shape: Shape, goal: PrecisionGoal) -> tuple[float, float, float]:
    """The same of as many starts as `measure --against` takes, and how many these are."""
    random = np.random.default_rng(2)
    same = found = starts = 0
    for _ in range(TURNS):
        sides = _drawn(shape, goal.starts, random)
        for count in range(STARTS, goal.starts + 1):
            equal = _judged(sides, count)
            if equal.half_width is not None and equal.half_width <= goal.half_width:
                break
        starts += count
        same += equal.verdict is Verdict.SAME
        found += _judged(sides, count, 1.05).verdict is Verdict.SLOWER
    return 100 * same / TURNS, 100 * found / TURNS, starts / TURNS


def _drawn(shape: Shape, starts: int, random: np.random.Generator) -> tuple[Logs, Logs]:
    """Logarithms of predictions of both sides: float64 (starts, LEAST)."""
    one, other = (
        spread * random.normal(size=(starts, 1))
        + (random.random((starts, 1)) < shape.tail) * random.uniform(*SLOW, (starts, 1))
        + NOISE * random.normal(size=(starts, LEAST))
        for spread in (shape.one, shape.other)
    )
    return one, other


def _judged(sides: tuple[Logs, Logs], count: int, slower: float = 1.0) -> RatioVerdict:
    """The verdict on the first so many starts, the second side so many times as slow."""
    first, other = (
        (MEDIAN_NS * by * np.exp(logs[:count])).astype(int).ravel().tolist()
        for logs, by in zip(sides, (1.0, slower), strict=True)
    )
    return compare_samples(first, other, lengths=([LEAST] * count,) * 2)


def _tell_line(shape: Shape, same: float, found: float, promised: int, more: str) -> None:
    limit = f" (>= {promised}%: {kept(found >= promised)})" if promised else ""
    print(
        f"  {shape.words:<20} same is same {same:.1f}% (>= 95%: {kept(same >= 95)}), "
        f"5% found {found:.1f}%{limit}{more}",
        flush=True,
    )


def kept(kept: bool) -> str:
    """What a line says about its limit."""
    return "OK" if kept else "MISSED"
