"""A stretch of time that the user marks, and what lies in it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from inspector import units
from inspector.trace.grouping import factorize, group_sums
from inspector.trace.trace import KINDS, IntArray, Kind, Lane, TraceSource
from inspector.trace.trace_rows import LevelOfDetail
from inspector.ui.translate import plural, tr

_PARTITION = KINDS.index(Kind.PARTITION)
_NOUNS = {Lane.ACTIVITY: "call", Lane.DATA: "move", Lane.COMPUTE: "kernel"}
_MOST = 5


@dataclass(frozen=True, slots=True)
class Share:
    """What something took of a stretch: its name, family of colour, and busy time."""

    name: str
    family: str
    count: int
    busy_ns: float


@dataclass(frozen=True, slots=True)
class RangeStatistics:
    """What lies in a stretch of time; partitions, which only frame others, do not count.

    sum_ns: of the parts of spans that lie in it; tracks and layers are told by the time they
    take inside, too. mean_ns, p50_ns, p95_ns: of whole spans that lie in it at least partly.
    """

    begin_ns: float
    end_ns: float
    count: int
    sum_ns: int
    mean_ns: float
    p50_ns: float
    p95_ns: float
    tracks: tuple[Share, ...]
    layers: tuple[Share, ...]

    @property
    def length_ns(self) -> float:
        """How long the stretch is."""
        return self.end_ns - self.begin_ns


def statistics(
    traced: TraceSource, detail: LevelOfDetail, begin_ns: float, end_ns: float
) -> RangeStatistics:
    """Everything there is to say of a stretch of time."""
    trace = traced.trace
    mine = np.concatenate([np.zeros(0, np.int64), *_reaching(detail, begin_ns, end_ns)])
    mine = mine[trace.kind[mine] != _PARTITION]
    durations = trace.duration_ns[mine]
    start = np.maximum(trace.start_ns[mine], begin_ns)
    inside = np.minimum((trace.start_ns[mine] + durations), end_ns) - start
    quantiles = np.quantile(durations, (0.5, 0.95)) if len(mine) else (0.0, 0.0)
    return RangeStatistics(
        begin_ns,
        end_ns,
        len(mine),
        round(inside.sum()),
        float(durations.mean()) if len(mine) else 0.0,
        float(quantiles[0]),
        float(quantiles[1]),
        _tracks(detail, trace.track[mine], begin_ns, end_ns),
        _layers(traced, trace.layer[mine], trace.track[mine], inside),
    )


def summary(detail: LevelOfDetail, begin_ns: float, end_ns: float) -> str:
    """Length, and for data and each unit how many spans and for how long they were busy.

    Where there are nothing but calls, the same for each track.
    """
    parts = [tr("{duration} selected").format(duration=units.duration(end_ns - begin_ns))]
    only_calls = all(track.lane is Lane.ACTIVITY for track in detail.trace.tracks)
    for number, track in enumerate(detail.trace.tracks):
        if track.lane is Lane.ACTIVITY and not only_calls:
            continue
        strips = [
            strip
            for row in detail.rows
            if row.track == number
            for kind, strip in row.kinds
            if kind != _PARTITION
        ]
        count = sum(strip.count(begin_ns, end_ns) for strip in strips)
        if count:
            busy = units.duration(detail.work[number].busy_ns(begin_ns, end_ns))
            name = units.clip(track.name, 24)
            parts.append(f"{name} {plural(count, _NOUNS[track.lane])} {busy}")
    return " · ".join(parts)


def _reaching(detail: LevelOfDetail, begin_ns: float, end_ns: float) -> list[NDArray[np.int64]]:
    """For each row the spans that lie in a stretch at least partly."""
    found: list[NDArray[np.int64]] = []
    for row in detail.rows:
        starts = row.strip.start_ns
        first = max(0, int(row.strip.last_started(np.array([begin_ns]))[0]))
        last = int(np.searchsorted(starts, int(np.ceil(end_ns))))
        if first < last and starts[first] + row.strip.duration_ns[first] <= begin_ns:
            first += bool(starts[first] < begin_ns)
        found.append(np.arange(row.first + first, row.first + last))
    return found


def _tracks(
    detail: LevelOfDetail, track: IntArray, begin_ns: float, end_ns: float
) -> tuple[Share, ...]:
    tracks = detail.trace.tracks
    counts = np.bincount(track, minlength=len(tracks)).tolist()
    found = [
        Share(
            tracks[at].name, tracks[at].family, count,
            detail.work[at].busy_ns(begin_ns, end_ns),
        )
        for at, count in enumerate(counts)
        if count
    ]  # fmt: skip
    return tuple(sorted(found, key=lambda share: -share.busy_ns)[:_MOST])


def _layers(
    traced: TraceSource,
    layer: IntArray,
    track: IntArray,
    inside_ns: NDArray[np.float64],
) -> tuple[Share, ...]:
    """The layers that took most of a stretch."""
    kinds, first, place = factorize(layer)
    spent = group_sums(np.rint(inside_ns).astype(np.int64), place, len(kinds))
    counts = group_sums(np.ones(len(place), np.int64), place, len(kinds))
    told = {one.index: one for one in traced.layers}
    found: list[Share] = []
    for at in np.argsort(-spent, kind="stable").tolist():
        known = told.get(int(kinds[at])) if kinds[at] >= 0 else None
        if known is not None and len(found) < _MOST:
            family = traced.trace.tracks[track[first[at]]].family
            name = known.name or known.operator
            found.append(Share(name, family, int(counts[at]), float(spent[at])))
    return tuple(found)
