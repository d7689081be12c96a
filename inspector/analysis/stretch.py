"""A stretch of time of a trace: what lies in it, by lane and by layer."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from inspector.trace import KINDS, Kind, Lane, NamedLayer, Trace

_PARTITION = KINDS.index(Kind.PARTITION)


@dataclass(frozen=True, slots=True)
class Part:
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
class Stretch:
    """A stretch from begin to end; layers with most time first."""

    begin_ns: int
    end_ns: int
    lanes: tuple[Part, ...]
    layers: tuple[Part, ...]


def stretch(trace: Trace, layers: Sequence[NamedLayer], begin_ns: int, end_ns: int) -> Stretch:
    """Add up what lies in a stretch; what is cut off at its edges counts for what is inside."""
    kept = trace.lies_in(begin_ns, end_ns) & (trace.kind != _PARTITION)
    own = own_inside(trace, inside_of(trace, begin_ns, end_ns))
    lane = np.array([track.lane.value for track in trace.tracks] or [""])
    length = max(1, end_ns - begin_ns)

    def part(name: str, mine: NDArray[np.bool_]) -> Part:
        took = trace.duration_ns[mine]
        p50, p95 = np.rint(np.quantile(took, (0.5, 0.95))).astype(np.int64).tolist()
        spent = int(own[mine].sum())
        return Part(name, len(took), spent, int(took.mean()), p50, p95, spent / length)

    named = {layer.index: layer.name or layer.operator for layer in layers}
    lanes = ((one.value, kept & (lane[trace.track] == one.value)) for one in Lane)
    present = np.unique(trace.layer[kept & (trace.layer >= 0)]).tolist()
    by_layer = [part(named.get(n, f"Layer {n}"), kept & (trace.layer == n)) for n in present]
    return Stretch(
        begin_ns,
        end_ns,
        tuple(part(name, mine) for name, mine in lanes if mine.any()),
        tuple(sorted(by_layer, key=lambda one: -one.sum_ns)),
    )


def inside_of(trace: Trace, begin_ns: float, end_ns: float) -> NDArray[np.int64]:
    """How much of each span lies in a stretch of time: int64 (N,)."""
    stop = np.minimum(trace.start_ns + trace.duration_ns, end_ns)
    inside = np.maximum(stop - np.maximum(trace.start_ns, begin_ns), 0)
    whole: NDArray[np.int64] = np.rint(inside).astype(np.int64)
    return whole


def own_inside(trace: Trace, inside_ns: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the same without what runs directly inside of each span: int64 (N,)."""
    own = inside_ns.copy()
    holders = trace.holders()
    inner = np.flatnonzero(holders >= 0)
    np.subtract.at(own, holders[inner], inside_ns[inner])
    at_least: NDArray[np.int64] = np.maximum(own, 0)
    return at_least
