"""Pairs of reports drawn from starts that were measured, by the product's own rules.

Starts that had too few predictions at the processor's full pace are made up for by as many
others, as `measure` does.
"""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from inspector.engine.restarting import at_full_pace, together
from inspector.narrowing import Goal, half_width
from inspector.report import PerformanceReport

STARTS = 5
Pool = list[PerformanceReport]  # of one start each
Pair = tuple[PerformanceReport, PerformanceReport]


def at_any_time(one: Pool, other: Pool, count: int, pairs: int) -> Iterator[Pair]:
    """So many pairs of reports of so many starts in any order; no start is on both sides."""
    random, size = np.random.default_rng(count), min(len(one), len(other))
    for _ in range(pairs):
        order = random.permutation(size).tolist()
        yield (
            _started([one[place] for place in order[: size // 2]], count),
            _started([other[place] for place in order[size // 2 :]], count),
        )


def one_after_the_other(pool: Pool, count: int) -> Iterator[Pair]:
    """All pairs of reports of so many starts that followed each other, at two times."""
    every = [pool[at : at + 2 * count] for at in range(len(pool) - 2 * count + 1)]
    reports = [_started(part, count) for part in every]
    for place, report in enumerate(reports):
        for later in reports[place + max(1, len(report.start_lengths)) :]:
            yield report, later


def in_turns(pool: Pool) -> Iterator[Pair]:
    """Pairs of reports of STARTS starts that followed each other: A B, B A, A B, ..."""
    for at in range(len(pool) - 2 * STARTS + 1):
        sides: tuple[Pool, Pool] = ([], [])
        couples = zip(pool[at::2], pool[at + 1 :: 2], strict=False)
        for turn, couple in enumerate(couples, 1):
            for side, start in zip(sides if turn % 2 else sides[::-1], couple, strict=True):
                side.append(start)
            if turn >= STARTS and (pair := _at_last(sides, STARTS)):
                yield pair
                break


def until_narrow(pool: Pool, pairs: int, seconds_each: float) -> Iterator[Pair]:
    """So many pairs of reports of as many starts as `measure --against` takes.

    The starts are in any order, half of them for each side; where these are fewer than the
    product takes at most, it ends with them. seconds_each: what a start takes, for it ends
    when its time is over.
    """
    random, goal = np.random.default_rng(17), Goal()
    most = min(len(pool) // 2, STARTS + math.ceil(goal.seconds / (2 * seconds_each)))
    for _ in range(pairs):
        order = [pool[place] for place in random.permutation(len(pool)).tolist()]
        for count in range(STARTS, most + 1):
            sides = order[:count], order[-count:]
            if count < most and _at_last(sides, STARTS) is None:
                continue
            pair = _of_starts(sides[0]), _of_starts(sides[1])
            width = half_width(*pair)
            narrow = width is not None and width <= goal.half_width
            if narrow or goal.given_up(count, min(map(at_full_pace, pair))):
                break
        yield pair


def slowed(pair: Pair, by: float) -> Pair:
    """The same with the predictions of the second so many times as long."""
    wall, cpu = (
        tuple((by * np.array(samples)).astype(int).tolist())
        for samples in (pair[1].prediction_ns, pair[1].prediction_cpu_ns)
    )
    return pair[0], replace(pair[1], prediction_ns=wall, prediction_cpu_ns=cpu)


def _started(some: Pool, count: int) -> PerformanceReport:
    """What `--starts` makes of starts in this order, or of all of them."""
    report = _of_starts(some[:count])
    for taken in range(count + 1, min(2 * count, len(some)) + 1 if count > 1 else 0):
        if at_full_pace(report) >= count:
            break
        report = _of_starts(some[:taken])
    return report


def _at_last(sides: tuple[Pool, Pool], count: int) -> Pair | None:
    """The reports of both sides, if turns for so many starts end here."""
    one, other = map(_of_starts, sides)
    if len(sides[0]) < 2 * count and min(at_full_pace(one), at_full_pace(other)) < count:
        return None
    return one, other


def _of_starts(some: Pool) -> PerformanceReport:
    return together(some[0], some[1:])
