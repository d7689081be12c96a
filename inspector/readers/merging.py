"""Several traces as one, on one clock where they tell of one."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from inspector.readers.clocks import Clock
from inspector.readers.spans import OpenedTrace
from inspector.trace import COLUMNS, Flows, TracedLayer, Track, from_columns


def merged(traces: Sequence[OpenedTrace], names: Sequence[str]) -> OpenedTrace:
    """Lay traces beside each other; each is a process of its own, called as it is named.

    A note says which clock it was, or why each of them begins at 0. Layers and predictions
    are numbered on, those of the first trace first.
    """
    names = _distinct(names)
    shifts, clock, note = _shifts(traces, names)
    tracks: list[Track] = []
    words: dict[str, int] = {}
    layers: list[TracedLayer] = []
    parts, flows, counters, moments, notes = [], [], [], [], [note]
    spans = predictions = 0
    for opened, name, shift in zip(traces, names, shifts, strict=True):
        trace, known = opened.trace, len(layers)
        first_layer = max((layer.index for layer in layers), default=-1) + 1
        into = [words.setdefault(word, len(words)) for word in trace.names] or [0]
        columns = {key: getattr(trace, key).astype(np.int64) for key in COLUMNS}
        columns["start_ns"] += shift
        columns["track"] += len(tracks)
        columns["name"] = np.array(into, np.int64)[columns["name"]]
        columns["layer"][columns["layer"] >= 0] += first_layer
        columns["run"][columns["run"] >= 0] += predictions
        parts.append(columns)
        tracks += [_track(track, name) for track in trace.tracks]
        layers += [_layer(layer, first_layer) for layer in opened.layers]
        own = int(trace.layer.max(initial=-1)) + 1
        if len(layers) - known < own:  # numbers without a name must stay free as well
            told = {layer.index for layer in layers}
            more = (n for n in range(first_layer, first_layer + own) if n not in told)
            layers += [TracedLayer(n, "", "") for n in more]
        flows.append((trace.flows.begin + spans, trace.flows.end + spans, trace.flows.kind))
        counters += [
            replace(one, times_ns=one.times_ns + shift, process=_owner(name, one.process))
            for one in trace.counters
        ]
        moments += [
            replace(one, time_ns=one.time_ns + shift, name=f"{one.name} · {name}")
            for one in trace.moments
        ]
        notes += [f"{name}: {note}" for note in opened.notes]
        predictions += int(trace.run.max(initial=-1)) + 1
        spans += len(trace)
    found = from_columns(
        tracks,
        tuple(words),
        {key: np.concatenate([part[key] for part in parts]) for key in COLUMNS},
        counters,
        Flows(*(np.concatenate(column) for column in zip(*flows, strict=True))),
        moments,
    )
    source = f"{len(traces)} traces"
    return OpenedTrace(found, tuple(layers), tuple(notes), source, clock)


def _distinct(names: Sequence[str]) -> list[str]:
    """Names of files; equal ones are numbered."""
    return [
        f"{name} ({place + 1})" if names.count(name) > 1 else name
        for place, name in enumerate(names)
    ]


def _shifts(
    traces: Sequence[OpenedTrace], names: Sequence[str]
) -> tuple[list[int], Clock | None, str]:
    """What to add to the times of each trace, the clock of the whole, and what to say."""
    clocks = [opened.clock for opened in traces]
    silent = [name for name, clock in zip(names, clocks, strict=True) if clock is None]
    known = [clock for clock in clocks if clock is not None]
    different = list(dict.fromkeys(clock.name for clock in known))
    if silent or len(different) > 1:
        why = (
            f"{' and '.join(silent)} {'tells' if len(silent) == 1 else 'tell'} of no clock"
            if silent
            else f"they are on different clocks ({', '.join(different)})"
        )
        return [0] * len(traces), None, f"Not on one clock: {why}. Each begins at 0."
    zero = min(clock.zero_ns for clock in known)
    within = max(clock.within_ns for clock in known)
    sure = f", as far as file names tell: to {within / 1e9:g} s" if within else ""
    note = f"On one clock: {different[0]}{sure}."
    shared = Clock(different[0], zero, within)
    return [clock.zero_ns - zero for clock in known], shared, note


def _track(track: Track, name: str) -> Track:
    return replace(track, name=f"{track.name} · {name}", process=_owner(name, track.process))


def _layer(layer: TracedLayer, first: int) -> TracedLayer:
    into = None if layer.into is None else layer.into + first
    return replace(layer, index=layer.index + first, into=into)


def _owner(name: str, process: str) -> str:
    return " · ".join(filter(None, (name, process)))
