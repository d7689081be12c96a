"""What became of layers between reports: new, gone, moved, faster, slower, in which type.

Layers are held against each other in blocks: those that share one time on any side, those that
only bring values into another format for them, and those whose work another layer has taken.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from inspector.alignment import Row, converts, serves
from inspector.equal_pace import at_equal_pace
from inspector.report import LayerUse, PerformanceReport

Times = NDArray[np.float64]  # (blocks, profiled predictions)
FALSE_SHARE = 0.05
LEAST_EFFECT, LEAST_NS, LEAST_RUNS = 0.05, 1_000, 5
_LONGEST = 64


class Change(StrEnum):
    """What a block's time did, against that of the first report."""

    FASTER = "faster"
    SLOWER = "slower"
    SAME = "no difference"
    UNDECIDED = "too few predictions to tell"
    PACE = "undecided: the processor ran slower"
    NONE = ""


@dataclass(frozen=True, slots=True)
class Block:
    """Rows that have one time. lead: the row that stands for it.

    time_ns: per prediction for each report, None where nothing of it was timed. changes: for
    each report, against the first.
    """

    lead: int
    rows: tuple[int, ...]
    time_ns: tuple[int | None, ...]
    changes: tuple[Change, ...]

    def delta_ns(self, side: int) -> int | None:
        """Time in report `side` minus that in the first; None where one has none."""
        first, other = self.time_ns[0], self.time_ns[side]
        return None if first is None or other is None else other - first

    def ratio(self, side: int) -> float | None:
        """Time in report `side` over that in the first."""
        first, other = self.time_ns[0], self.time_ns[side]
        return None if not first or other is None else other / first


@dataclass(frozen=True, slots=True)
class Lists:
    """Places of rows that differ in a report from the first, and of blocks that do.

    new, gone, moved: rows; moved is to another device. faster, slower: blocks, most time first.
    """

    new: tuple[int, ...]
    gone: tuple[int, ...]
    moved: tuple[int, ...]
    faster: tuple[int, ...]
    slower: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Transitions:
    """How many layers computed in one type in the first report and in another in this one.

    counts: for each of `first`, how many went to each of `other`.
    """

    first: tuple[str, ...]
    other: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]


def leaders(layers: Sequence[LayerUse]) -> dict[int, LayerUse]:
    """Index of each layer -> the layer whose time holds its own: itself, or what it is in."""
    known = {layer.index: layer for layer in layers}
    return {
        layer.index: known.get(layer.into, layer) if layer.into is not None else layer
        for layer in layers
    }


def blocks(
    rows: Sequence[Row], reports: Sequence[PerformanceReport]
) -> tuple[tuple[Block, ...], tuple[int, ...]]:
    """All blocks in the order of their rows, and the block of each row."""
    parts = _parts(rows, [report.layers for report in reports])
    order: dict[int, list[int]] = {}
    for row, part in enumerate(parts):
        order.setdefault(part, []).append(row)
    groups = list(order.values())
    home = [0] * len(rows)
    for number, group in enumerate(groups):
        for row in group:
            home[row] = number
    times = [_times(rows, home, len(groups), side) for side in range(len(reports))]
    samples = [_samples(rows, home, len(groups), s, r) for s, r in enumerate(reports)]
    changes = [
        _paced(judged(times[0], other, samples[0], own), reports[0], report)
        for other, own, report in zip(times, samples, reports, strict=True)
    ]
    made = (
        Block(
            _lead(rows, group),
            tuple(group),
            tuple(side[number] for side in times),
            tuple(side[number] for side in changes),
        )
        for number, group in enumerate(groups)
    )
    return tuple(made), tuple(home)


def _paced(
    found: list[Change], first: PerformanceReport, other: PerformanceReport
) -> list[Change]:
    """Tell nothing apart where the processor was not at the same pace in both reports."""
    if all(side.enough for side in at_equal_pace(first, other)):
        return found
    told_apart = (Change.SLOWER, Change.FASTER)
    return [Change.PACE if change in told_apart else change for change in found]


def lists(
    rows: Sequence[Row], made: Sequence[Block], reports: Sequence[PerformanceReport], side: int
) -> Lists:
    """What is new, gone, moved, faster and slower in report `side`."""
    leads = [leaders(reports[0].layers), leaders(reports[side].layers)]
    new, gone, moved = [], [], []
    for number, row in enumerate(rows):
        one, other = row.layers[0], row.layers[side]
        if one is not None and other is not None:
            own = one.into is None or other.into is None
            ran = [leads[0][one.index].ran_on, leads[1][other.index].ran_on]
            if own and all(ran) and ran[0] != ran[1]:
                moved.append(number)
        elif other is not None:
            new.append(number)
        elif one is not None:
            gone.append(number)
    timed = sorted(range(len(made)), key=lambda n: -abs(made[n].delta_ns(side) or 0))
    faster = tuple(n for n in timed if made[n].changes[side] is Change.FASTER)
    slower = tuple(n for n in timed if made[n].changes[side] is Change.SLOWER)
    return Lists(tuple(new), tuple(gone), tuple(moved), faster, slower)


def transitions(
    rows: Sequence[Row], reports: Sequence[PerformanceReport], side: int
) -> Transitions:
    """Count layers by the types they computed in, in the first report and in this one.

    A layer that is part of another's kernel computed in the type of that one.
    """
    leads = [leaders(reports[0].layers), leaders(reports[side].layers)]
    counts: Counter[tuple[str, str]] = Counter()
    for row in rows:
        one, other = row.layers[0], row.layers[side]
        if one is None or other is None or converts(one):
            continue
        kinds = leads[0][one.index].computed_in, leads[1][other.index].computed_in
        if all(kinds):
            counts[kinds] += 1
    first, others = _by_total(counts, 0), _by_total(counts, 1)
    table = tuple(tuple(counts[one, other] for other in others) for one in first)
    return Transitions(first, others, table)


def _by_total(counts: Counter[tuple[str, str]], side: int) -> tuple[str, ...]:
    totals: Counter[str] = Counter()
    for pair, count in counts.items():
        totals[pair[side]] += count
    return tuple(name for name, _ in totals.most_common())


def _parts(rows: Sequence[Row], sides: Sequence[Sequence[LayerUse]]) -> list[int]:
    """For each row a number that all rows of its block share."""
    root = list(range(len(rows)))

    def find(row: int) -> int:
        while root[row] != row:
            root[row] = root[root[row]]
            row = root[row]
        return row

    for side, layers in enumerate(sides):
        place = {layer.index: number for number, layer in _on(rows, side)}
        for one, other in (*_shared(layers), *_taken_over(rows, side)):
            if one in place and other in place:
                low, high = sorted((find(place[one]), find(place[other])))
                root[high] = low
    return [find(row) for row in range(len(rows))]


def _shared(layers: Sequence[LayerUse]) -> Iterator[tuple[int, int]]:
    """Pairs of layers with one time: fused ones, and those that convert for another."""
    for layer in layers:
        if layer.into is not None:
            yield layer.index, layer.into
    alone = {layer.index for layer in layers if layer.into is None}
    led = {layer.into for layer in layers if layer.into is not None}
    for index, target in serves(tuple(layers)).items():
        if index in alone and index not in led:
            yield index, target


def _taken_over(rows: Sequence[Row], side: int) -> Iterator[tuple[int, int]]:
    """Layers that another side lacks, with the one before them that makes their output there.

    A Conv that makes what a Relu behind it made has taken the Relu's work, and what is between.
    """
    here = {layer.index: layer for _, layer in _on(rows, side)}
    for other in range(len(rows[0].layers) if rows else 0):
        makers: dict[str, int] = {}
        for number, there in _on(rows, other):
            mine = rows[number].layers[side]
            if there.value and mine is not None:
                makers[there.value] = mine.index
        for number, layer in _on(rows, side):
            if rows[number].layers[other] is None and layer.value in makers:
                trail = _trail(here, layer, makers[layer.value])
                yield from ((index, makers[layer.value]) for index in trail)


def _trail(here: dict[int, LayerUse], layer: LayerUse, maker: int) -> list[int]:
    """Layers from one back to the one that has taken its work; empty if it is not there."""
    trail = [layer.index]
    while len(trail) < _LONGEST and layer.reads and layer.reads[0] in here:
        layer = here[layer.reads[0]]
        if layer.index == maker:
            return trail
        trail.append(layer.index)
    return []


def _on(rows: Sequence[Row], side: int) -> Iterator[tuple[int, LayerUse]]:
    """Numbers of the rows that have a layer on a side, with it."""
    for number, row in enumerate(rows):
        layer = row.layers[side]
        if layer is not None:
            yield number, layer


def _lead(rows: Sequence[Row], group: Sequence[int]) -> int:
    """The row with the most time on any side, of those that do not only convert."""
    proper = [row for row in group if not converts(rows[row].known)] or list(group)

    def most(row: int) -> int:
        return max((layer.time_ns or 0 for layer in rows[row].layers if layer), default=0)

    return max(proper, key=lambda row: (most(row), -row))


def _times(rows: Sequence[Row], home: Sequence[int], count: int, side: int) -> list[int | None]:
    found: list[int | None] = [None] * count
    for number, layer in _on(rows, side):
        if layer.time_ns is not None:
            found[home[number]] = (found[home[number]] or 0) + layer.time_ns
    return found


def _samples(
    rows: Sequence[Row], home: Sequence[int], count: int, side: int, report: PerformanceReport
) -> Times:
    """Own time of each block in each profiled prediction, from the trace."""
    trace = report.trace
    where = {layer.index: home[number] for number, layer in _on(rows, side)}
    mine = (trace.run >= 0) & (trace.layer >= 0)
    if not where or not mine.any():
        return np.zeros((count, 0))
    most = max(max(where), int(trace.layer.max()))
    lookup = np.full(most + 1, -1, np.int64)
    lookup[list(where)] = list(where.values())
    block, run = lookup[trace.layer[mine]], trace.run[mine]
    kept = block >= 0
    runs = int(run.max()) + 1
    flat = np.bincount(
        block[kept] * runs + run[kept], trace.self_ns()[mine][kept], minlength=count * runs
    )
    return np.asarray(flat, np.float64).reshape(count, runs)


def judged(
    first_ns: Sequence[int | None], other_ns: Sequence[int | None], first: Times, other: Times
) -> list[Change]:
    """Judge every block by a rank test, so that few of those told apart are so by chance.

    Mann and Whitney's U with its normal approximation; at most 5 % of all that are told apart
    are expected to be equal (Benjamini and Hochberg). Less than 5 % or 1 µs is no difference.
    """
    pairs = list(zip(first_ns, other_ns, strict=True))
    if min(first.shape[1], other.shape[1]) < LEAST_RUNS:
        few = Change.UNDECIDED
        return [Change.NONE if None in pair else few for pair in pairs]
    found = [Change.NONE if None in pair else Change.SAME for pair in pairs]
    tested = [n for n, change in enumerate(found) if change is Change.SAME]
    chances = sorted(zip(_chances(first[tested], other[tested]), tested, strict=True))
    last = max(
        (k for k, (p, _) in enumerate(chances, 1) if p <= FALSE_SHARE * k / len(chances)),
        default=0,
    )
    for _, number in chances[:last]:
        one, two = pairs[number]
        assert one is not None, "only what is timed on both sides is tested"
        assert two is not None, "only what is timed on both sides is tested"
        if abs(two - one) >= max(LEAST_NS, LEAST_EFFECT * one):
            found[number] = Change.SLOWER if two > one else Change.FASTER
    return found


def _chances(first: Times, other: Times) -> list[float]:
    """How likely ranks so far apart are where nothing differs, for each row."""
    n, m = first.shape[1], other.shape[1]
    both = np.concatenate((first, other), axis=1)
    # Ties share their mean rank: the mean of the ranks counted from both ends.
    up = both.argsort(axis=1, kind="stable").argsort(axis=1)
    back = both[:, ::-1].argsort(axis=1, kind="stable").argsort(axis=1)[:, ::-1]
    ranks = (up + back) / 2
    apart = ranks[:, :n].sum(axis=1) - n * (n + m - 1) / 2
    spread = math.sqrt(n * m * (n + m + 1) / 12)
    return [math.erfc(max(0.0, abs(a) - 0.5) / spread / math.sqrt(2)) for a in apart]
