"""Pairs of reports drawn by several rules from starts that were measured."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from inspector.engine.restarting import together
from inspector.narrowing import Goal, half_width
from inspector.report import PerformanceReport

REAL_PAIRS, STARTS = 100, 5
Pool = list[PerformanceReport]  # of one start each
Pair = tuple[PerformanceReport, PerformanceReport]


def at_any_time(one: Pool, other: Pool, count: int, slower: float = 1.0) -> Iterator[Pair]:
    """REAL_PAIRS pairs of reports of so many starts, the second so many times as slow.

    No start is on both sides.
    """
    random = np.random.default_rng(count)
    for _ in range(REAL_PAIRS):
        order = random.permutation(min(len(one), len(other))).tolist()
        yield (
            _of_starts([one[place] for place in order[:count]]),
            _of_starts([other[place] for place in order[count : 2 * count]], slower),
        )


def in_turns(pool: Pool, slower: float = 1.0) -> Iterator[Pair]:
    """Pairs of reports of STARTS starts that followed each other, one side then the other."""
    for at in range(len(pool) - 2 * STARTS + 1):
        part = list(enumerate(pool[at : at + 2 * STARTS]))
        yield (
            _of_starts([start for turn, start in part if turn % 4 in (0, 3)]),
            _of_starts([start for turn, start in part if turn % 4 in (1, 2)], slower),
        )


def until_narrow(pool: Pool, slower: float = 1.0) -> Iterator[Pair]:
    """REAL_PAIRS pairs of reports of as many starts as `measure --against` takes.

    The starts are in any order, half of them for each side; where these are fewer than the
    product takes at most, it ends with them.
    """
    random, goal = np.random.default_rng(17), Goal()
    for _ in range(REAL_PAIRS):
        order = [pool[place] for place in random.permutation(len(pool)).tolist()]
        most = min(goal.starts, len(pool) // 2)
        for count in range(STARTS, most + 1):
            pair = _of_starts(order[:count]), _of_starts(order[-count:], slower)
            width = half_width(*pair)
            if width is not None and width <= goal.half_width:
                break
        yield pair


def _of_starts(some: Pool, slower: float = 1.0) -> PerformanceReport:
    """One report of these starts, its predictions so many times as slow."""
    merged = together(some[0], some[1:])
    if slower == 1:
        return merged
    wall, cpu = (
        tuple((slower * np.array(samples)).astype(int).tolist())
        for samples in (merged.prediction_ns, merged.prediction_cpu_ns)
    )
    return replace(merged, prediction_ns=wall, prediction_cpu_ns=cpu)
