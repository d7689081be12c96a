"""Several traces as one, on one clock where they tell of one."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from inspector.formats.traces.clocks import Clock
from inspector.formats.traces.span_collector import OpenedTrace
from inspector.trace.trace import (
    COLUMNS,
    Counter,
    Flows,
    InstantEvent,
    Trace,
    TracedLayer,
    Track,
    from_columns,
)


def merged(traces: Sequence[OpenedTrace], names: Sequence[str]) -> OpenedTrace:
    """Lay traces beside each other; each is a process of its own, called as it is named.

    A note says which clock it was, or why each of them begins at 0. Layers and predictions
    are numbered on, those of the first trace first.
    """
    names = _distinct(names)
    shifts, clock, note = _shifts(traces, names)
    whole = _Whole(note)
    for opened, name, shift in zip(traces, names, shifts, strict=True):
        whole.add(opened, name, shift)
    return OpenedTrace(
        whole.trace(), tuple(whole.layers), tuple(whole.notes), f"{len(traces)} traces", clock
    )


class _Whole:
    """Collects traces, whose tracks, names, layers and predictions are numbered on."""

    def __init__(self, note: str) -> None:
        self.layers: list[TracedLayer] = []
        self.notes = [note]
        self._tracks: list[Track] = []
        self._words: dict[str, int] = {}
        self._parts: list[dict[str, NDArray[np.int64]]] = []
        self._flows: list[tuple[NDArray[np.int64], ...]] = []
        self._counters: list[Counter] = []
        self._moments: list[InstantEvent] = []
        self._spans = self._runs = self._first_layer = 0

    def add(self, opened: OpenedTrace, name: str, shift: int) -> None:
        """Add a trace, its times later by `shift`."""
        trace = opened.trace
        into = [self._words.setdefault(word, len(self._words)) for word in trace.names] or [0]
        columns = {key: getattr(trace, key).astype(np.int64) for key in COLUMNS}
        columns["start_ns"] += shift
        columns["track"] += len(self._tracks)
        columns["name"] = np.array(into, np.int64)[columns["name"]]
        columns["layer"][columns["layer"] >= 0] += self._first_layer
        columns["run"][columns["run"] >= 0] += self._runs
        self._parts.append(columns)
        self._tracks += [_track(track, name) for track in trace.tracks]
        flows = trace.flows
        self._flows.append((flows.begin + self._spans, flows.end + self._spans, flows.kind))
        self._add_beside(opened, name, shift)
        self.layers += [_layer(layer, self._first_layer) for layer in opened.layers]
        highest = max((layer.index for layer in opened.layers), default=-1)
        self._first_layer += max(highest, int(trace.layer.max(initial=-1))) + 1
        self._runs += int(trace.run.max(initial=-1)) + 1
        self._spans += len(trace)

    def _add_beside(self, opened: OpenedTrace, name: str, shift: int) -> None:
        for one in opened.trace.counters:
            times, owner = one.times_ns + shift, _owner(name, one.process)
            self._counters.append(replace(one, times_ns=times, process=owner))
        for moment in opened.trace.moments:
            title = f"{moment.name} · {name}"
            self._moments.append(InstantEvent(moment.time_ns + shift, title))
        self.notes += [f"{name}: {note}" for note in opened.notes]

    def trace(self) -> Trace:
        """All of them."""
        return from_columns(
            self._tracks,
            tuple(self._words),
            {key: np.concatenate([part[key] for part in self._parts]) for key in COLUMNS},
            self._counters,
            Flows(*(np.concatenate(column) for column in zip(*self._flows, strict=True))),
            self._moments,
        )


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
    known_clocks = [clock for clock in clocks if clock is not None]
    different = list(dict.fromkeys(clock.name for clock in known_clocks))
    if silent or len(different) > 1:
        why = (
            f"{' and '.join(silent)} {'tells' if len(silent) == 1 else 'tell'} of no clock"
            if silent
            else f"they are on different clocks ({', '.join(different)})"
        )
        return [0] * len(traces), None, f"Not on one clock: {why}. Each begins at 0."
    zero = min(clock.zero_ns for clock in known_clocks)
    within = max(clock.within_ns for clock in known_clocks)
    sure = f", as far as file names tell: to {within / 1e9:g} s" if within else ""
    note = f"On one clock: {different[0]}{sure}."
    shared = Clock(different[0], zero, within)
    return [clock.zero_ns - zero for clock in known_clocks], shared, note


def _track(track: Track, name: str) -> Track:
    return replace(track, name=f"{track.name} · {name}", process=_owner(name, track.process))


def _layer(layer: TracedLayer, first: int) -> TracedLayer:
    into = None if layer.into is None else layer.into + first
    return replace(layer, index=layer.index + first, into=into)


def _owner(name: str, process: str) -> str:
    return " · ".join(filter(None, (name, process)))
