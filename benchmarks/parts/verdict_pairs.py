"""Pairs of measurements drawn from starts that were measured, by the product's own rules.

Starts that had too few predictions at the processor's full pace are made up for by as many
others, as `measure` does.
"""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from benchmarks.parts.verdict_samples import Pool, Sample, slower
from inspector.analysis.verdicts.interleaved import PrecisionGoal
from inspector.analysis.verdicts.pooled_starts import PooledStarts, compare_pooled, pool_starts
from inspector.statistics.significance import RatioVerdict

STARTS = 5
Some = Sequence[Sample]
Pair = tuple[Some, Some]  # the starts of both measurements


def at_any_time(one: Pool, other: Pool, count: int, pairs: int) -> Iterator[Pair]:
    """So many pairs of so many starts each in any order; no start is on both sides."""
    random, size = np.random.default_rng(count), min(len(one), len(other))
    for _ in range(pairs):
        order = random.permutation(size).tolist()
        yield (
            _started([one[place] for place in order[: size // 2]], count),
            _started([other[place] for place in order[size // 2 :]], count),
        )


def one_after_the_other(pool: Pool, count: int) -> Iterator[Pair]:
    """All pairs of measurements of so many starts that followed each other, at two times."""
    every = [pool[at : at + 2 * count] for at in range(len(pool) - 2 * count + 1)]
    taken = [_started(part, count) for part in every]
    for place, one in enumerate(taken):
        for later in taken[place + len(one) :]:
            yield one, later


def in_turns(pool: Pool) -> Iterator[Pair]:
    """Pairs of STARTS starts each that followed each other: A B, B A, A B, ..."""
    for at in range(len(pool) - 2 * STARTS + 1):
        sides: tuple[Pool, Pool] = ([], [])
        couples = zip(pool[at::2], pool[at + 1 :: 2], strict=False)
        for turn, couple in enumerate(couples, 1):
            for each, start in zip(sides if turn % 2 else sides[::-1], couple, strict=True):
                each.append(start)
            if turn >= STARTS and _ended(sides, STARTS):
                yield sides
                break


def until_narrow(pool: Pool, pairs: int, seconds_each: float) -> Iterator[Pair]:
    """So many pairs of as many starts as `measure --against` takes.

    The starts are in any order, half of them for each side; where these are fewer than the
    product takes at most, it ends with them. seconds_each: what a start takes, for it ends
    when its time is over.
    """
    random, goal = np.random.default_rng(17), PrecisionGoal()
    most = min(len(pool) // 2, STARTS + math.ceil(goal.seconds / (2 * seconds_each)))
    for _ in range(pairs):
        order = [pool[place] for place in random.permutation(len(pool)).tolist()]
        for count in range(STARTS, most + 1):
            pair = order[:count], order[-count:]
            if count < most and not _ended(pair, STARTS):
                continue
            one, other = map(_side, pair)
            width = compare_pooled(one, other).half_width
            narrow = width is not None and width <= goal.half_width
            if narrow or goal.out_of_tries(
                count, min(one.starts_at_full_speed, other.starts_at_full_speed)
            ):
                break
        yield pair


def verdict(pair: Pair, by: float = 1.0) -> RatioVerdict:
    """What is found of two measurements, the predictions of the second so many times as long.

    by: 1 leaves them as they were.
    """
    other = [one.start if by == 1 else slower(one, by) for one in pair[1]]
    return compare_pooled(_side(pair[0]), pool_starts(other))


def _started(some: Pool, count: int) -> Pool:
    """What `--starts` takes of starts in this order, or of all of them."""
    most = min(2 * count, len(some)) if count > 1 else count
    for taken in range(count, most):
        if _side(some[:taken]).starts_at_full_speed >= count:
            return some[:taken]
    return some[:most]


def _ended(sides: Pair, count: int) -> bool:
    """Whether turns for so many starts end here."""
    one, other = map(_side, sides)
    enough = min(one.starts_at_full_speed, other.starts_at_full_speed) >= count
    return len(sides[0]) >= 2 * count or enough


def _side(some: Some) -> PooledStarts:
    return pool_starts([one.start for one in some])
