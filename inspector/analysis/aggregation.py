"""Spans by what they have in common: how many, and how long they took."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from inspector.analysis.stretch import inside_of, own_inside
from inspector.numbering import looked_up, numbered, sums
from inspector.trace import KINDS, Kind, Lane, NamedLayer, Trace, Track

_PARTITION = KINDS.index(Kind.PARTITION)
_LANES = tuple(Lane)
Numbers = NDArray[np.int64]


class By(StrEnum):
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
    by: By = By.EVENT,
    stretch_ns: tuple[float, float] | None = None,
) -> Aggregation:
    """Group the spans of a trace; partitions, which only frame others, are left out.

    stretch_ns: leaves out spans that do not lie in it at least partly; of one that its edges
    cut, sums and shares count the part inside. Quantiles lie between samples, linearly.
    """
    known, operator = _operators(trace, layers)
    kept = _kept(trace, stretch_ns)
    within = _within(trace, by)
    group, first = _groups(within[kept], _key(trace, operator, by)[kept])
    size, at = len(first), kept[first]
    member = np.full(len(trace), -1, np.int64)
    member[kept] = group
    order = np.lexsort((trace.duration_ns[kept], group))
    durations = trace.duration_ns[kept][order]
    count = np.bincount(group, minlength=size).astype(np.int64)
    ends = np.cumsum(count)
    told = tuple(known[place] for place in operator[at].tolist())
    took, own = _spent(trace, stretch_ns)
    return Aggregation(
        _names(trace, at, told, {one.index: one.name or one.operator for one in layers}, by),
        told if by in (By.EVENT, By.OPERATOR, By.LAYER) else ("",) * size,
        tracks=trace.track[at].astype(np.int64),
        within=within[at],
        count=count,
        total_ns=sums(_outermost(trace, took, member, kept), group, size),
        self_ns=sums(own[kept], group, size),
        mean_ns=sums(durations, group[order], size) // np.maximum(count, 1),
        minimum_ns=durations[ends - count],
        p50_ns=_quantile(durations, ends - count, count, 0.5),
        p95_ns=_quantile(durations, ends - count, count, 0.95),
        maximum_ns=durations[ends - 1],
        longest=kept[order][ends - 1],
        group=member,
    )


def _kept(trace: Trace, stretch_ns: tuple[float, float] | None) -> Numbers:
    kept = trace.kind != _PARTITION
    if stretch_ns is not None:
        kept &= trace.lies_in(*stretch_ns)
    return np.flatnonzero(kept).astype(np.int64)


def _operators(trace: Trace, layers: Sequence[NamedLayer]) -> tuple[tuple[str, ...], Numbers]:
    """All operators, '' the first, and the one of each span as an index into them."""
    told = {layer.index: layer.operator for layer in layers}
    words = ("", *dict.fromkeys(operator for operator in told.values() if operator))
    places = {word: place for place, word in enumerate(words)}
    numbers = {index: places[operator] for index, operator in told.items()}
    return words, looked_up(trace.layer, numbers, 0)


def _within(trace: Trace, by: By) -> Numbers:
    """What keeps groups apart: the track of each span, or its lane."""
    if by in (By.EVENT, By.OPERATOR, By.TRACK, By.LAYER):
        return trace.track.astype(np.int64)
    lanes = [_LANES.index(track.lane) for track in trace.tracks]
    return np.array(lanes, np.int64)[trace.track]


def _key(trace: Trace, operator: Numbers, by: By) -> Numbers:
    """What spans of one group have in common, beside their track or lane."""
    match by:
        case By.EVENT:
            return trace.name.astype(np.int64)
        case By.OPERATOR:
            return np.where(operator > 0, -operator, trace.name.astype(np.int64))
        case By.LAYER:
            return trace.layer.astype(np.int64)
        case By.ITERATION:
            return trace.run.astype(np.int64)
        case By.MODEL | By.THREAD:
            words = [_owner(track, by) for track in trace.tracks]
            numbers = {word: number for number, word in enumerate(dict.fromkeys(words))}
            return np.array([numbers[word] for word in words], np.int64)[trace.track]
    return np.zeros(len(trace), np.int64)


def _owner(track: Track, by: By) -> str:
    """The model or the thread of a track in words; a process comes before its thread."""
    if by is By.MODEL:
        return track.model or "No model told"
    return " · ".join(filter(None, (track.process, track.thread))) or track.name


def _groups(within: Numbers, key: Numbers) -> tuple[Numbers, Numbers]:
    """Group of each span, and the first span of each group; groups in order of appearance."""
    low = int(key.min(initial=0))
    span = int(key.max(initial=0)) - low + 1
    combined = within * span + (key - low)
    _, first, group = numbered(combined)
    return group, first


def _quantile(durations: Numbers, begins: Numbers, count: Numbers, q: float) -> Numbers:
    """Quantile of each stretch of sorted durations."""
    place = (count - 1) * q
    low = np.floor(place).astype(np.int64)
    high = np.minimum(low + 1, count - 1)
    before, after = durations[begins + low], durations[begins + high]
    further: Numbers = np.rint((after - before) * (place - low)).astype(np.int64)
    found: Numbers = before + further
    return found


def _spent(trace: Trace, stretch_ns: tuple[float, float] | None) -> tuple[Numbers, Numbers]:
    """How long each span took, and how long by itself; of a stretch, inside of it."""
    if stretch_ns is None:
        return trace.duration_ns, trace.self_ns()
    inside = inside_of(trace, *stretch_ns)
    return inside, own_inside(trace, inside)


def _outermost(trace: Trace, took_ns: Numbers, member: Numbers, kept: Numbers) -> Numbers:
    """Time of each kept span; 0 for one whose parent is of the same group."""
    durations: Numbers = took_ns[kept]
    parents = trace.parents()[kept]
    inside = (parents >= 0) & (member[parents] == member[kept])
    durations[inside] = 0
    return durations


def _names(
    trace: Trace, at: Numbers, operators: tuple[str, ...], told: dict[int, str], by: By
) -> tuple[str, ...]:
    tracks = [trace.tracks[track] for track in trace.track[at].tolist()]
    match by:
        case By.TRACK:
            return tuple(track.name for track in tracks)
        case By.LANE:
            return tuple(track.lane.value.capitalize() for track in tracks)
        case By.MODEL | By.THREAD:
            return tuple(_owner(track, by) for track in tracks)
        case By.ITERATION:
            runs = trace.run[at].tolist()
            return tuple(f"Prediction {run + 1}" if run >= 0 else "Outside" for run in runs)
    names = tuple(trace.names[name] for name in trace.name[at].tolist())
    if by is By.LAYER:
        layers = trace.layer[at].tolist()
        return tuple(
            told.get(layer, f"Layer {layer}") if layer >= 0 else "No layer" for layer in layers
        )
    if by is By.EVENT:
        return names
    return tuple(operator or name for operator, name in zip(operators, names, strict=True))
