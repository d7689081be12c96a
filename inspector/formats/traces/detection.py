"""Open a trace of any program: detect its format by content, and merge several files.

Files that say which clock they use are brought onto one timeline; others start together.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from inspector.formats import json_stream, model_formats
from inspector.formats.model_formats import HEAD_BYTES
from inspector.formats.source import open_source
from inspector.formats.traces import (
    chrome_trace,
    nsight,
    ort_profile,
    own_export,
    perfetto,
    span_collector,
    trace_events,
)
from inspector.formats.traces import perfetto as perfetto_module
from inspector.formats.traces.span_collector import Clock, OpenedTrace, trace
from inspector.trace import trace_file
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

_HEAD = 1 << 16
_REPORT = re.compile(rb'"schema"\s*:\s*"report/')
_TRACES = (
    "Choose an ONNX Runtime profile, a Chrome, Perfetto or Nsight Systems trace, a recording "
    "or a report."
)
RECORDED = "Inspector recording"


def merged(traces: Sequence[OpenedTrace], names: Sequence[str]) -> OpenedTrace:
    """Merge traces; each becomes a process of its own with the given name.

    A note says which clock it was, or why each of them begins at 0. Layers and predictions
    are numbered on, those of the first trace first.
    """
    names = [
        f"{name} ({place + 1})" if names.count(name) > 1 else name
        for place, name in enumerate(names)
    ]
    shifts, clock, note = _shifts(traces, names)
    whole = _Whole(note)
    for part, name, shift in zip(traces, names, shifts, strict=True):
        whole.add(part, name, shift)
    return OpenedTrace(
        whole.trace(), tuple(whole.layers), tuple(whole.notes), f"{len(traces)} traces", clock
    )


class _Whole:
    """Collects traces; tracks, names, layers and predictions are renumbered."""

    def __init__(self, note: str) -> None:
        self.layers: list[TracedLayer] = []
        self.notes = [note]
        self._tracks: list[Track] = []
        self._strings: dict[str, int] = {}
        self._parts: list[dict[str, NDArray[np.int64]]] = []
        self._flows: list[tuple[NDArray[np.int64], ...]] = []
        self._counters: list[Counter] = []
        self._moments: list[InstantEvent] = []
        self._spans = self._runs = self._first_layer = 0

    def add(self, opened: OpenedTrace, name: str, shift: int) -> None:
        """Add a trace, its times later by `shift`."""
        trace = opened.trace
        into = [self._strings.setdefault(word, len(self._strings)) for word in trace.names] or [
            0
        ]
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
        for one in opened.trace.counters:
            times, owner = one.times_ns + shift, _owner(name, one.process)
            self._counters.append(replace(one, times_ns=times, process=owner))
        for moment in opened.trace.moments:
            title = f"{moment.name} · {name}"
            self._moments.append(InstantEvent(moment.time_ns + shift, title))
        self.notes += [f"{name}: {note}" for note in opened.notes]
        self.layers += [_layer(layer, self._first_layer) for layer in opened.layers]
        highest = max((layer.index for layer in opened.layers), default=-1)
        self._first_layer += max(highest, int(trace.layer.max(initial=-1))) + 1
        self._runs += int(trace.run.max(initial=-1)) + 1
        self._spans += len(trace)

    def trace(self) -> Trace:
        """Return all of them."""
        return from_columns(
            self._tracks,
            tuple(self._strings),
            {key: np.concatenate([part[key] for part in self._parts]) for key in COLUMNS},
            self._counters,
            Flows(*(np.concatenate(column) for column in zip(*self._flows, strict=True))),
            self._moments,
        )


def _shifts(
    traces: Sequence[OpenedTrace], names: Sequence[str]
) -> tuple[list[int], Clock | None, str]:
    """Return what to add to the times of each trace, the clock of the whole, and what to
    say."""
    clocks = [opened.clock for opened in traces]
    silent = [name for name, clock in zip(names, clocks, strict=True) if clock is None]
    known_clocks = [clock for clock in clocks if clock is not None]
    different = list(dict.fromkeys(clock.name for clock in known_clocks))
    if silent or len(different) > 1:
        why = (
            f"{' and '.join(silent)} {'has' if len(silent) == 1 else 'have'} no clock"
            if silent
            else f"they use different clocks ({', '.join(different)})"
        )
        return (
            [0] * len(traces),
            None,
            f"The clocks of the files cannot be aligned: {why}. Each file starts at 0.",
        )
    zero = min(clock.zero_ns for clock in known_clocks)
    within = max(clock.within_ns for clock in known_clocks)
    sure = f", from the file names, to within {within / 1e9:g} s" if within else ""
    note = f"Aligned by clock: {different[0]}{sure}."
    shared = Clock(different[0], zero, within)
    return [clock.zero_ns - zero for clock in known_clocks], shared, note


def _track(track: Track, name: str) -> Track:
    return replace(track, name=f"{track.name} · {name}", process=_owner(name, track.process))


def _layer(layer: TracedLayer, first: int) -> TracedLayer:
    into = None if layer.into is None else layer.into + first
    return structs.replace(layer, index=layer.index + first, into=into)


def _owner(name: str, process: str) -> str:
    return " · ".join(filter(None, (name, process)))


def looks_like_trace(path: Path) -> bool:
    """Return whether a file begins as a list of events does. Raises UnreadableFile."""
    with open_source(path) as source:
        first = source.head(_HEAD)
        if trace_file.is_trace_file(first) or perfetto_module.looks_like_one(first):
            return True
        if first.startswith(nsight.HEAD):
            return True
        head = json_stream.head(source, _HEAD)
        nothing = not head and not source.size
    if head.startswith(b"{"):
        return not _REPORT.search(head) and (b'"traceEvents"' in head or b'"ph"' in head)
    if nothing:  # ONNX Runtime begins a profile as an empty file
        return path.suffix.lower() == ".json"
    return head.startswith(b"[") or not head


def expect_events(path: Path) -> None:
    """Raise UnreadableFile that says what a file is, where it is no trace and no report."""
    with open_source(path) as source:
        if not json_stream.head(source, _HEAD).lstrip().startswith(b"{"):
            kind = model_formats.describe_by_first_bytes(source.head(HEAD_BYTES))
            why = (
                f"it is neither a trace nor a report: {kind[0]}"
                if kind
                else ("it is neither a trace nor a report")
            )
            raise source.failure(why, _TRACES)


def open_trace(path: Path) -> OpenedTrace:
    """Read a profile of ONNX Runtime, a trace in Chrome's format, compressed or not, or ours.

    What of a damaged file can be read is there, and a note says what is not.
    Raises UnreadableFile: no such file, no trace, or nothing in it that takes time.
    """
    with open_source(path) as source:
        if trace_file.is_trace_file(source.head(_HEAD)):
            saved = trace_file.load(path)
            saved_clock = span_collector.Clock(saved.clock, saved.zero_ns, saved.within_ns)
            clock = saved_clock if saved.clock else None
            return OpenedTrace(saved.trace, saved.layers, saved.notes, saved.source, clock)
        if source.head(_HEAD).startswith(nsight.HEAD):
            spans, clock = nsight.spans(source, path)
            if not len(spans.columns["start_ns"]):
                raise source.failure("it contains no events that can be shown")
            return structs.replace(trace(spans), clock=clock)
        if perfetto_module.looks_like_one(source.head(_HEAD)):
            opened_trace = trace(perfetto.spans(source))
            return structs.replace(
                opened_trace, clock=span_collector.Clock(perfetto.CLOCK, opened_trace.first_ns)
            )
        events = trace_events.read(source)
        if not len(events):
            why = " ".join(("it contains no events that can be shown.", *events.notes))
            raise source.failure(why.removesuffix("."))
        reader = next(
            build
            for fits, build in (
                (own_export.is_ours, own_export.spans),
                (ort_profile.is_profile, ort_profile.spans),
                (lambda _: True, chrome_trace.spans),
            )
            if fits(events)
        )
        spans = reader(events)
        opened_trace = trace(structs.replace(spans, notes=(*events.notes, *spans.notes)))
        if not len(opened_trace.trace):
            why = " ".join(("no event in it has a start time.", *opened_trace.notes))
            raise source.failure(why.removesuffix("."))
        is_profile = opened_trace.source == ort_profile.SOURCE
        if opened_trace.source == own_export.SOURCE and span_collector.is_recording(source):
            opened_trace = structs.replace(opened_trace, source=RECORDED)
        return structs.replace(
            opened_trace, clock=span_collector.clock(source, opened_trace.first_ns, is_profile)
        )
