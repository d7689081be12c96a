"""Spans by what they have in common: how many, and how long they took."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from inspector.trace.grouping import factorize, group_sums, look_up
from inspector.trace.trace import KINDS, Kind, Lane, NamedLayer, Trace, Track

# A stretch of time of a trace: what lies in it, by lane and by layer.


@dataclass(frozen=True, slots=True)
class TimeSummary:
    """What a lane or a layer did in a stretch, in nanoseconds.

    count: spans that lie in it at least partly. sum_ns: their self time inside of it.
    mean_ns, p50_ns, p95_ns: of their whole durations. share: of the length of the stretch;
    above 1 where several ran at once.
    """

    name: str
    count: int
    sum_ns: int
    mean_ns: int
    p50_ns: int
    p95_ns: int
    share: float


@dataclass(frozen=True, slots=True)
class IntervalSummary:
    """A stretch from begin to end; layers with most time first."""

    begin_ns: int
    end_ns: int
    lanes: tuple[TimeSummary, ...]
    layers: tuple[TimeSummary, ...]


def summarize_interval(
    trace: Trace, layers: Sequence[NamedLayer], begin_ns: int, end_ns: int
) -> IntervalSummary:
    """Add up what lies in a stretch; what is cut off at its edges counts for what is inside."""
    kept = trace.lies_in(begin_ns, end_ns) & (trace.kind != _PARTITION)
    own = self_overlap_ns(trace, overlap_ns(trace, begin_ns, end_ns))
    lane = np.array([track.lane.value for track in trace.tracks] or [""])
    length = max(1, end_ns - begin_ns)

    def part(name: str, mine: NDArray[np.bool_]) -> TimeSummary:
        took = trace.duration_ns[mine]
        p50, p95 = np.rint(np.quantile(took, (0.5, 0.95))).astype(np.int64).tolist()
        spent = int(own[mine].sum())
        return TimeSummary(name, len(took), spent, int(took.mean()), p50, p95, spent / length)

    named = {layer.index: layer.name or layer.operator for layer in layers}
    lanes = ((one.value, kept & (lane[trace.track] == one.value)) for one in Lane)
    present = np.unique(trace.layer[kept & (trace.layer >= 0)]).tolist()
    by_layer = [part(named.get(n, f"Layer {n}"), kept & (trace.layer == n)) for n in present]
    return IntervalSummary(
        begin_ns,
        end_ns,
        tuple(part(name, mine) for name, mine in lanes if mine.any()),
        tuple(sorted(by_layer, key=lambda one: -one.sum_ns)),
    )


def overlap_ns(trace: Trace, begin_ns: float, end_ns: float) -> NDArray[np.int64]:
    """How much of each span lies in a stretch of time: int64 (N,)."""
    stop = np.minimum(trace.start_ns + trace.duration_ns, end_ns)
    inside = np.maximum(stop - np.maximum(trace.start_ns, begin_ns), 0)
    whole: NDArray[np.int64] = np.rint(inside).astype(np.int64)
    return whole


def self_overlap_ns(trace: Trace, inside_ns: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the same without what runs directly inside of each span: int64 (N,)."""
    own = inside_ns.copy()
    holders = trace.holders()
    inner = np.flatnonzero(holders >= 0)
    np.subtract.at(own, holders[inner], inside_ns[inner])
    at_least: NDArray[np.int64] = np.maximum(own, 0)
    return at_least


_PARTITION = KINDS.index(Kind.PARTITION)
_LANES = tuple(Lane)
Numbers = NDArray[np.int64]


class GroupBy(StrEnum):
    """What makes spans belong together; those of different lanes never do.

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


@dataclass(frozen=True, slots=True, eq=False)
class Aggregation:
    """G groups of spans; times in nanoseconds. All columns are int64 (G,).

    names: of each group. tracks: index into the trace's, of its first span. operators: ''
    where unknown. within: what keeps groups apart, a track or a lane by its number.
    total_ns: a span directly inside one of its own group does not count again.
    self_ns: without what runs inside. Of a stretch of time both are of the parts in it.
    mean_ns, minimum_ns, p50_ns, p95_ns, maximum_ns: of the durations of whole spans.
    longest: index of the longest span. group: of each span, int64 (N,); -1 for spans that
    were left out.
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

    def __len__(self) -> int:
        return len(self.names)

    def shares(self) -> NDArray[np.float64]:
        """Return own time of each group as a share of that of all groups: float64 (G,).

        All together they are 1, so that one column has one base.
        """
        return self.self_ns / max(1, int(self.self_ns.sum()))


def aggregate(
    trace: Trace,
    layers: Sequence[NamedLayer] = (),
    by: GroupBy = GroupBy.EVENT,
    stretch_ns: tuple[float, float] | None = None,
) -> Aggregation:
    """Group the spans of a trace; partitions, which only frame others, are left out.

    stretch_ns: leaves out spans that do not lie in it at least partly; of one that its edges
    cut, sums and shares count the part inside. Quantiles lie between samples, linearly.
    """
    operator_names, operator = _span_operators(trace, layers)
    selected = _selected_spans(trace, stretch_ns)
    within = _partition_key(trace, by)
    group, first = _groups(within[selected], _group_key(trace, operator, by)[selected])
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
            by,
        ),
        group_operators
        if by in (GroupBy.EVENT, GroupBy.OPERATOR, GroupBy.LAYER)
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
    )


def _selected_spans(trace: Trace, stretch_ns: tuple[float, float] | None) -> Numbers:
    kept = trace.kind != _PARTITION
    if stretch_ns is not None:
        kept &= trace.lies_in(*stretch_ns)
    return np.flatnonzero(kept).astype(np.int64)


def _span_operators(
    trace: Trace, layers: Sequence[NamedLayer]
) -> tuple[tuple[str, ...], Numbers]:
    """All operators, '' the first, and the one of each span as an index into them."""
    told = {layer.index: layer.operator for layer in layers}
    words = ("", *dict.fromkeys(operator for operator in told.values() if operator))
    places = {word: place for place, word in enumerate(words)}
    numbers = {index: places[operator] for index, operator in told.items()}
    return words, look_up(trace.layer, numbers, 0)


def _partition_key(trace: Trace, by: GroupBy) -> Numbers:
    """What keeps groups apart: the track of each span, or its lane."""
    if by in (GroupBy.EVENT, GroupBy.OPERATOR, GroupBy.TRACK, GroupBy.LAYER):
        return trace.track.astype(np.int64)
    lanes = [_LANES.index(track.lane) for track in trace.tracks]
    return np.array(lanes, np.int64)[trace.track]


def _group_key(trace: Trace, operator: Numbers, by: GroupBy) -> Numbers:
    """What spans of one group have in common, beside their track or lane."""
    match by:
        case GroupBy.EVENT:
            return trace.name.astype(np.int64)
        case GroupBy.OPERATOR:
            return np.where(operator > 0, -operator, trace.name.astype(np.int64))
        case GroupBy.LAYER:
            return trace.layer.astype(np.int64)
        case GroupBy.ITERATION:
            return trace.run.astype(np.int64)
        case GroupBy.MODEL | GroupBy.THREAD:
            words = [_owner_name(track, by) for track in trace.tracks]
            numbers = {word: number for number, word in enumerate(dict.fromkeys(words))}
            return np.array([numbers[word] for word in words], np.int64)[trace.track]
    return np.zeros(len(trace), np.int64)


def _owner_name(track: Track, by: GroupBy) -> str:
    """The model or the thread of a track in words; a process comes before its thread."""
    if by is GroupBy.MODEL:
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
    """How long each span took, and how long by itself; of a stretch, inside of it."""
    if stretch_ns is None:
        return trace.duration_ns, trace.self_ns()
    inside = overlap_ns(trace, *stretch_ns)
    return inside, self_overlap_ns(trace, inside)


def _without_nested_ns(
    trace: Trace, took_ns: Numbers, member: Numbers, kept: Numbers
) -> Numbers:
    """Time of each kept span; 0 for one whose parent is of the same group."""
    durations: Numbers = took_ns[kept]
    parents = trace.parents()[kept]
    inside = (parents >= 0) & (member[parents] == member[kept])
    durations[inside] = 0
    return durations


def _group_names(
    trace: Trace, at: Numbers, operators: tuple[str, ...], told: dict[int, str], by: GroupBy
) -> tuple[str, ...]:
    tracks = [trace.tracks[track] for track in trace.track[at].tolist()]
    match by:
        case GroupBy.TRACK:
            return tuple(track.name for track in tracks)
        case GroupBy.LANE:
            return tuple(track.lane.value.capitalize() for track in tracks)
        case GroupBy.MODEL | GroupBy.THREAD:
            return tuple(_owner_name(track, by) for track in tracks)
        case GroupBy.ITERATION:
            runs = trace.run[at].tolist()
            return tuple(f"Prediction {run + 1}" if run >= 0 else "Outside" for run in runs)
    names = tuple(trace.names[name] for name in trace.name[at].tolist())
    if by is GroupBy.LAYER:
        layers = trace.layer[at].tolist()
        return tuple(
            told.get(layer, f"Layer {layer}") if layer >= 0 else "No layer" for layer in layers
        )
    if by is GroupBy.EVENT:
        return names
    return tuple(operator or name for operator, name in zip(operators, names, strict=True))
