"""Row grouping: rearrange the spans of a trace into one row for each kind of event."""

from dataclasses import replace

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector.trace.grouping import factorize, group_sums, look_up
from inspector.trace.trace import COLUMNS, Trace, TraceSource, Track, from_columns
from inspector.trace.trace_builder import span_depths
from inspector.trace.trace_rows import LevelOfDetail, build_level_of_detail


class Regrouped(Struct, frozen=True, eq=False):
    """A trace with its spans in other rows.

    order: the span of the first trace at each place: int64 (N,); places: the other way round.
    """

    detail: LevelOfDetail
    order: NDArray[np.int64]
    places: NDArray[np.int64]


def by_event(traced: TraceSource) -> Regrouped:
    """A track for each name, or operator where it is known, within each family of tracks.

    Those that took longest come first.
    """
    trace = traced.trace
    events, label = _labels(traced)
    families = list(dict.fromkeys(track.family for track in trace.tracks))
    family = np.array([families.index(track.family) for track in trace.tracks], np.int64)
    key = family[trace.track] * (len(events) + 1) + label if len(trace) else label
    kinds, first, group = factorize(key)
    spent = group_sums(trace.duration_ns, group, len(kinds))
    rank = np.empty(len(kinds), np.int64)
    rank[np.argsort(-spent, kind="stable")] = np.arange(len(kinds))
    tracks = [
        replace(trace.tracks[trace.track[span]], name=events[label[span]])
        for span in first[np.argsort(rank)].tolist()
    ]
    return _regrouped(trace, tracks, rank.take(group))


def _kinds(trace: Trace) -> list[str]:
    """Return the label of each name; numbered runs share one."""
    first, last = np.full((2, len(trace.names)), -1, np.int64)
    last[trace.name], first[trace.name[::-1]] = trace.run, trace.run[::-1]
    if not len(trace) or trace.run.max() < 1:
        return list(trace.names)
    runs = np.where(first == last, last + 1, 0).tolist()
    names = zip(trace.names, runs, strict=True)
    return [name.removesuffix(f" {run}") or name if run else name for name, run in names]


def _labels(traced: TraceSource) -> tuple[list[str], NDArray[np.int64]]:
    """Return the labels of kinds of events, and the one of each span."""
    trace, numbers_of_label = traced.trace, dict[str, int]()
    named = [numbers_of_label.setdefault(name, len(numbers_of_label)) for name in _kinds(trace)]
    labels = np.array([*named, 0], np.int64).take(trace.name)
    operators = {layer.index: layer.operator for layer in traced.layers if layer.operator}
    if operators:
        numbers = {
            index: numbers_of_label.setdefault(operator, len(numbers_of_label))
            for index, operator in operators.items()
        }
        layer_rows = look_up(trace.layer, numbers, -1)
        labels = np.where(layer_rows >= 0, layer_rows, labels)
    return list(numbers_of_label), labels


def _regrouped(trace: Trace, tracks: list[Track], track: NDArray[np.int64]) -> Regrouped:
    """Return a trace with other tracks: its spans stacked, sorted and with levels of detail.

    track: the index of each span's new track.
    """
    start, duration = trace.start_ns, trace.duration_ns
    depth = span_depths(start, duration, track)
    order = np.lexsort((start, depth, track)).astype(np.int64)
    columns = {key: getattr(trace, key).take(order).astype(np.int64) for key in COLUMNS}
    columns |= {"track": track[order], "depth": depth[order]}
    regrouped = from_columns(tracks, trace.names, columns)
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    complete = replace(regrouped, counters=trace.counters, moments=trace.moments)
    return Regrouped(build_level_of_detail(complete), order, places)
