"""Layer changes between reports: new, removed, moved, faster, slower, other type.

Layers are held against each other in blocks: those that share one time on any side, those that
only bring values into another format for them, and those whose work another layer has taken.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct

from inspector.analysis.verdicts.layer_significance import Change as Change
from inspector.analysis.verdicts.layer_significance import LayerTimes, Times, classify_changes
from inspector.comparison.alignment import Row, converts, serves
from inspector.report.report import LayerUse, PerformanceReport
from inspector.statistics.significance import RatioVerdict, Verdict

_LONGEST = 64  # layers followed back through their inputs
# Written instead of a difference that the profiler's clock, 1 µs, does not resolve.
BELOW_RESOLUTION = "within ±1 µs"  # whichever it is, the clock does not show it


class Block(Struct, frozen=True):
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


class Lists(Struct, frozen=True):
    """Places of rows that differ in a report from the first, and of blocks that do.

    new, gone, moved: rows; moved is to another device. faster, slower: blocks, most time first.
    """

    new: tuple[int, ...]
    gone: tuple[int, ...]
    moved: tuple[int, ...]
    faster: tuple[int, ...]
    slower: tuple[int, ...]


class Transitions(Struct, frozen=True):
    """Number of layers by the types that they ran in, in the first report and in another one.

    counts: for each of `first`, how many went to each of `other`.
    """

    first: tuple[str, ...]
    other: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]


def leaders(layers: Sequence[LayerUse]) -> dict[int, LayerUse]:
    """Map each layer's index to the layer that its time is counted in."""
    known = {layer.index: layer for layer in layers}
    return {
        layer.index: known.get(layer.into, layer) if layer.into is not None else layer
        for layer in layers
    }


def blocks(
    rows: Sequence[Row], reports: Sequence[PerformanceReport], wholes: Sequence[RatioVerdict]
) -> tuple[tuple[Block, ...], tuple[int, ...]]:
    """All blocks in the order of their rows, and the block of each row.

    wholes: what the clean predictions of each report say, against the first.
    """
    parts = _parts(rows, [report.layers for report in reports])
    order: dict[int, list[int]] = {}
    for row, part in enumerate(parts):
        order.setdefault(part, []).append(row)
    groups = list(order.values())
    home = [0] * len(rows)
    for number, group in enumerate(groups):
        for row in group:
            home[row] = number
    timed = [_timed(rows, home, len(groups), s, each) for s, each in enumerate(reports)]
    changes = [
        _paced(classify_changes(timed[0], own, whole), whole)
        for own, whole in zip(timed, wholes, strict=True)
    ]
    times = [each.time_ns for each in timed]
    all_blocks = (
        Block(
            _lead(rows, group),
            tuple(group),
            tuple(side[number] for side in times),
            tuple(side[number] for side in changes),
        )
        for number, group in enumerate(groups)
    )
    return tuple(all_blocks), tuple(home)


def _paced(changes: list[Change], whole: RatioVerdict) -> list[Change]:
    """Return changes with faster and slower replaced where CPU speeds do not match."""
    if whole.verdict is not Verdict.PACE:
        return changes
    distinguishable = (Change.SLOWER, Change.FASTER)
    return [Change.PACE if change in distinguishable else change for change in changes]


def lists(
    rows: Sequence[Row],
    blocks: Sequence[Block],
    reports: Sequence[PerformanceReport],
    side: int,
) -> Lists:
    """Return the layers that are new, removed, moved, faster and slower in report `side`."""
    leads = [leaders(reports[0].layers), leaders(reports[side].layers)]
    new, removed, moved = [], [], []
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
            removed.append(number)
    timed = sorted(range(len(blocks)), key=lambda n: -abs(blocks[n].delta_ns(side) or 0))
    faster = tuple(n for n in timed if blocks[n].changes[side] is Change.FASTER)
    slower = tuple(n for n in timed if blocks[n].changes[side] is Change.SLOWER)
    return Lists(tuple(new), tuple(removed), tuple(moved), faster, slower)


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
        for one, other in (*_shared(layers), *_is_absorbed(rows, side)):
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


def _is_absorbed(rows: Sequence[Row], side: int) -> Iterator[tuple[int, int]]:
    """Layers that another side lacks, with the one before them that makes their output there.

    A Conv that makes what a Relu behind it made has taken the Relu's work, and what is between.
    """
    layers_by_index = {layer.index: layer for _, layer in _on(rows, side)}
    for other in range(len(rows[0].layers) if rows else 0):
        makers: dict[str, int] = {}
        for number, earlier in _on(rows, other):
            successor = rows[number].layers[side]
            if earlier.value and successor is not None:
                makers[earlier.value] = successor.index
        for number, layer in _on(rows, side):
            if rows[number].layers[other] is None and layer.value in makers:
                trail = _trail(layers_by_index, layer, makers[layer.value])
                yield from ((index, makers[layer.value]) for index in trail)


def _trail(layers_by_index: dict[int, LayerUse], layer: LayerUse, maker: int) -> list[int]:
    """Layers from one back to the one that has taken its work; empty if it is not there."""
    trail = [layer.index]
    while len(trail) < _LONGEST and layer.reads and layer.reads[0] in layers_by_index:
        layer = layers_by_index[layer.reads[0]]
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
    proper = [row for row in group if not converts(rows[row].first_layer)] or list(group)

    def most(row: int) -> int:
        return max((layer.time_ns or 0 for layer in rows[row].layers if layer), default=0)

    return max(proper, key=lambda row: (most(row), -row))


def _timed(
    rows: Sequence[Row], home: Sequence[int], count: int, side: int, report: PerformanceReport
) -> LayerTimes:
    """Return the self times of all blocks of a report."""
    runs = _samples(rows, home, count, side, report)
    own = tuple(layer.time_ns for layer in report.layers)
    totals = _summed(rows, home, count, side, report.layers, own)
    every = [each for each in report.start_layers_ns if len(each) == len(own)]
    if not every:
        starts = np.median(runs, axis=1, keepdims=True) if runs.shape[1] else runs
        return LayerTimes(totals, starts, runs)
    sums = [_summed(rows, home, count, side, report.layers, each) for each in every]
    starts = np.array([[ns or 0 for ns in each] for each in sums], np.float64).T
    middles = np.exp(np.log(np.maximum(starts, 1)).mean(axis=1)).tolist()
    totals = tuple(
        None if ns is None else round(middle)
        for ns, middle in zip(totals, middles, strict=True)
    )
    return LayerTimes(totals, starts, runs)


def _summed(
    rows: Sequence[Row],
    home: Sequence[int],
    count: int,
    side: int,
    layers: Sequence[LayerUse],
    own: Sequence[int | None],
) -> tuple[int | None, ...]:
    """Own time of each block, from that of each layer of a report in their order."""
    totals: list[int | None] = [None] * count
    places = {layer.index: place for place, layer in enumerate(layers)}
    for number, layer in _on(rows, side):
        time_ns = own[places[layer.index]]
        if time_ns is not None:
            totals[home[number]] = (totals[home[number]] or 0) + time_ns
    return tuple(totals)


def _samples(
    rows: Sequence[Row], home: Sequence[int], count: int, side: int, report: PerformanceReport
) -> Times:
    """Own time of each block in each profiled prediction, from the trace."""
    trace = report.trace
    where = {layer.index: home[number] for number, layer in _on(rows, side)}
    profiled = (trace.run >= 0) & (trace.layer >= 0)
    if not where or not profiled.any():
        return np.zeros((count, 0))
    most = max(max(where), int(trace.layer.max()))
    lookup = np.full(most + 1, -1, np.int64)
    lookup[list(where)] = list(where.values())
    block, run = lookup[trace.layer[profiled]], trace.run[profiled]
    assigned = block >= 0
    runs = int(run.max()) + 1
    flat = np.bincount(
        block[assigned] * runs + run[assigned],
        trace.self_ns()[profiled][assigned],
        minlength=count * runs,
    )
    return np.asarray(flat, np.float64).reshape(count, runs)
