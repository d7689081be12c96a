"""Aggregation: group spans by name, operator, layer or track, with counts and times."""

from collections.abc import Sequence
from enum import StrEnum

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector.trace.grouping import factorize, group_sums, look_up
from inspector.trace.trace import KINDS, Kind, Lane, NamedLayer, Trace, Track

_PARTITION = KINDS.index(Kind.PARTITION)
_KERNEL = KINDS.index(Kind.KERNEL)
_CALL = KINDS.index(Kind.CALL)
_LANES = tuple(Lane)
_NOT_PROFILED = ", not profiled"  # after the name of a run


def overlap_ns(trace: Trace, begin_ns: float, end_ns: float) -> NDArray[np.int64]:
    """Return the part of each span inside a time range, in nanoseconds: int64 (N,)."""
    stop = np.minimum(trace.start_ns + trace.duration_ns, end_ns)
    inside = np.maximum(stop - np.maximum(trace.start_ns, begin_ns), 0)
    whole: NDArray[np.int64] = np.rint(inside).astype(np.int64)
    return whole


def self_overlap_ns(trace: Trace, inside_ns: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the part of each span in a time range without its children: int64 (N,)."""
    own = inside_ns.copy()
    holders = trace.holders()
    inner = np.flatnonzero(holders >= 0)
    np.subtract.at(own, holders[inner], inside_ns[inner])
    at_least: NDArray[np.int64] = np.maximum(own, 0)
    return at_least


Numbers = NDArray[np.int64]


class GroupBy(StrEnum):
    """The property by which spans are grouped; lanes are always separate.

    The first four keep tracks apart as well.
    """

    EVENT = "event"  # the same name
    OPERATOR = "operator"  # the same operator of the model
    TRACK = "track"
    LAYER = "layer"
    LANE = "lane"
    MODEL = "model"
    THREAD = "thread"
    ITERATION = "iteration"


class Aggregation(Struct, frozen=True, eq=False):
    """G groups of spans; times in nanoseconds. All columns are int64 (G,).

    names: of each group. tracks: index into the trace's, of its first span. operators: ''
    where unknown. within: what keeps groups apart, a track or a lane by its number.
    total_ns: a span directly inside one of its own group does not count again.
    self_ns: without what runs inside. Of a stretch of time both are of the parts in it.
    mean_ns, minimum_ns, p50_ns, p95_ns, maximum_ns: of the durations of whole spans.
    longest: index of the longest span. group: of each span, int64 (N,); -1 for spans that
    were left out. every_ns: own time of all spans, those that a search left out included.
    """

    names: tuple[str, ...]
    operators: tuple[str, ...]
    tracks: Numbers
    within: Numbers
    count: Numbers
    total_ns: Numbers
    self_ns: Numbers
    mean_ns: Numbers
    minimum_ns: Numbers
    p50_ns: Numbers
    p95_ns: Numbers
    maximum_ns: Numbers
    longest: Numbers
    group: Numbers
    every_ns: int

    def __len__(self) -> int:
        return len(self.names)

    def shares(self) -> NDArray[np.float64]:
        """Return own time of each group as a share of that of all spans: float64 (G,).

        Of all groups together they are 1, so that one column has one base.
        """
        return self.self_ns / max(1, self.every_ns)


def aggregate(
    trace: Trace,
    layers: Sequence[NamedLayer] = (),
    group_by: GroupBy = GroupBy.EVENT,
    stretch_ns: tuple[float, float] | None = None,
    found: NDArray[np.bool_] | None = None,
) -> Aggregation:
    """Group the spans of a trace; partitions, which only frame others, are left out.

    stretch_ns: leaves out spans that do not lie in it at least partly; of one that its edges
    cut, sums and shares count the part inside. Quantiles lie between samples, linearly.
    found: bool (N,), which spans a search found; all others are left out, and still take their
    time from what they lie in.
    """
    operator_names, operator = _span_operators(trace, layers)
    every = _selected_spans(trace, stretch_ns)
    selected = every if found is None else every[found[every]]
    within = _partition_key(trace, group_by)
    # The time of nested events is not known of these: their own would look too long.
    bare = unprofiled_calls(trace) if group_by in (GroupBy.EVENT, GroupBy.OPERATOR) else None
    key = _group_key(trace, operator, group_by)
    key = key if bare is None else key + bare * (int(key.max(initial=0)) + 1)
    group, first = _groups(within[selected], key[selected])
    size, at = len(first), selected[first]
    member = np.full(len(trace), -1, np.int64)
    member[selected] = group
    order = np.lexsort((trace.duration_ns[selected], group))
    durations = trace.duration_ns[selected][order]
    count = np.bincount(group, minlength=size).astype(np.int64)
    ends = np.cumsum(count)
    group_operators = tuple(operator_names[place] for place in operator[at].tolist())
    total_ns, self_ns = _total_and_self_ns(trace, stretch_ns)
    return Aggregation(
        _group_names(
            trace,
            at,
            group_operators,
            {one.index: one.name or one.operator for one in layers},
            group_by,
            bare,
        ),
        group_operators
        if group_by in (GroupBy.EVENT, GroupBy.OPERATOR, GroupBy.LAYER)
        else ("",) * size,
        tracks=trace.track[at].astype(np.int64),
        within=within[at],
        count=count,
        total_ns=group_sums(_without_nested_ns(trace, total_ns, member, selected), group, size),
        self_ns=group_sums(self_ns[selected], group, size),
        mean_ns=group_sums(durations, group[order], size) // np.maximum(count, 1),
        minimum_ns=durations[ends - count],
        p50_ns=_quantile(durations, ends - count, count, 0.5),
        p95_ns=_quantile(durations, ends - count, count, 0.95),
        maximum_ns=durations[ends - 1],
        longest=selected[order][ends - 1],
        group=member,
        every_ns=int(self_ns[every].sum()),
    )


def unprofiled_calls(trace: Trace) -> NDArray[np.bool_]:
    """Return which calls are runs without kernels, of a model whose other runs have some."""
    of_run = np.flatnonzero(trace.run >= 0)
    kernels = of_run[trace.kind[of_run] == _KERNEL]
    bare = np.zeros(len(trace), bool)
    if not len(kernels):
        return bare
    owners = [(track.process, track.model) for track in trace.tracks]
    numbers = {owner: number for number, owner in enumerate(dict.fromkeys(owners))}
    owner = np.array([numbers[each] for each in owners], np.int64)[trace.track]
    calls = of_run[trace.kind[of_run] == _CALL]
    calls = calls[np.isin(owner[calls], owner[kernels])]
    run = owner * (int(trace.run.max()) + 1) + trace.run
    bare[calls] = ~np.isin(run[calls], run[kernels])
    return bare


def _selected_spans(trace: Trace, stretch_ns: tuple[float, float] | None) -> Numbers:
    selected = trace.kind != _PARTITION
    if stretch_ns is not None:
        selected &= trace.lies_in(*stretch_ns)
    return np.flatnonzero(selected).astype(np.int64)


def _span_operators(
    trace: Trace, layers: Sequence[NamedLayer]
) -> tuple[tuple[str, ...], Numbers]:
    """All operators, '' the first, and the one of each span as an index into them."""
    operator_of_layer = {layer.index: layer.operator for layer in layers}
    operator_names = (
        "",
        *dict.fromkeys(operator for operator in operator_of_layer.values() if operator),
    )
    places = {word: place for place, word in enumerate(operator_names)}
    numbers = {index: places[operator] for index, operator in operator_of_layer.items()}
    return operator_names, look_up(trace.layer, numbers, 0)


def _partition_key(trace: Trace, group_by: GroupBy) -> Numbers:
    """Return the key that separates groups: the track or the lane of each span."""
    if group_by in (GroupBy.EVENT, GroupBy.OPERATOR, GroupBy.TRACK, GroupBy.LAYER):
        return trace.track.astype(np.int64)
    lanes = [_LANES.index(track.lane) for track in trace.tracks]
    return np.array(lanes, np.int64)[trace.track]


def _group_key(trace: Trace, operator: Numbers, group_by: GroupBy) -> Numbers:
    """Return the key that spans of one group share within a track or lane."""
    match group_by:
        case GroupBy.EVENT:
            return trace.name.astype(np.int64)
        case GroupBy.OPERATOR:
            return np.where(operator > 0, -operator, trace.name.astype(np.int64))
        case GroupBy.LAYER:
            return trace.layer.astype(np.int64)
        case GroupBy.ITERATION:
            return trace.run.astype(np.int64)
        case GroupBy.MODEL | GroupBy.THREAD:
            owner_names = [_owner_name(track, group_by) for track in trace.tracks]
            numbers = {word: number for number, word in enumerate(dict.fromkeys(owner_names))}
            return np.array([numbers[word] for word in owner_names], np.int64)[trace.track]
    return np.zeros(len(trace), np.int64)


def _owner_name(track: Track, group_by: GroupBy) -> str:
    """Return the label of a track's model or thread, after that of its process."""
    if group_by is GroupBy.MODEL:
        return track.model or "Unknown model"
    return " · ".join(filter(None, (track.process, track.thread))) or track.name


def _groups(within: Numbers, key: Numbers) -> tuple[Numbers, Numbers]:
    """Group of each span, and the first span of each group; groups in order of appearance."""
    low = int(key.min(initial=0))
    span = int(key.max(initial=0)) - low + 1
    combined = within * span + (key - low)
    _, first, group = factorize(combined)
    return group, first


def _quantile(durations: Numbers, begins: Numbers, count: Numbers, q: float) -> Numbers:
    """Quantile of each stretch of sorted durations."""
    place = (count - 1) * q
    low = np.floor(place).astype(np.int64)
    high = np.minimum(low + 1, count - 1)
    before, after = durations[begins + low], durations[begins + high]
    step: Numbers = np.rint((after - before) * (place - low)).astype(np.int64)
    quantiles: Numbers = before + step
    return quantiles


def _total_and_self_ns(
    trace: Trace, stretch_ns: tuple[float, float] | None
) -> tuple[Numbers, Numbers]:
    """Return total and self time of each span inside a time range."""
    if stretch_ns is None:
        return trace.duration_ns, trace.self_ns()
    inside = overlap_ns(trace, *stretch_ns)
    return inside, self_overlap_ns(trace, inside)


def _without_nested_ns(
    trace: Trace, took_ns: Numbers, member: Numbers, selected: Numbers
) -> Numbers:
    """Return the time of each selected span; 0 if its parent is in the same group."""
    durations: Numbers = took_ns[selected]
    parents = trace.parents()[selected]
    inside = (parents >= 0) & (member[parents] == member[selected])
    durations[inside] = 0
    return durations


def _group_names(
    trace: Trace,
    at: Numbers,
    operators: tuple[str, ...],
    operator_of_layer: dict[int, str],
    group_by: GroupBy,
    bare: NDArray[np.bool_] | None,
) -> tuple[str, ...]:
    tracks = [trace.tracks[track] for track in trace.track[at].tolist()]
    match group_by:
        case GroupBy.TRACK:
            return tuple(track.name for track in tracks)
        case GroupBy.LANE:
            return tuple(track.lane.value.capitalize() for track in tracks)
        case GroupBy.MODEL | GroupBy.THREAD:
            return tuple(_owner_name(track, group_by) for track in tracks)
        case GroupBy.ITERATION:
            runs = trace.run[at].tolist()
            return tuple(f"Run {run + 1}" if run >= 0 else "Outside runs" for run in runs)
    names = tuple(trace.names[name] for name in trace.name[at].tolist())
    if bare is not None:
        flags = bare[at].tolist()
        names = tuple(
            name + _NOT_PROFILED * flag for name, flag in zip(names, flags, strict=True)
        )
    if group_by is GroupBy.LAYER:
        layers = trace.layer[at].tolist()
        return tuple(
            operator_of_layer.get(layer, f"Layer {layer}") if layer >= 0 else "No layer"
            for layer in layers
        )
    if group_by is GroupBy.EVENT:
        return names
    return tuple(operator or name for operator, name in zip(operators, names, strict=True))
