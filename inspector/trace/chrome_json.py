"""The trace as Chrome's trace event JSON, which Perfetto and chrome://tracing open.

Format: "Trace Event Format": complete ("X"), metadata ("M"), counter ("C"), flow ("s", "f")
and instant ("i") events. A lane becomes a process and a track a thread, so that the viewer
shows them with our names in our order.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any

import numpy as np

from inspector import units
from inspector.trace.trace import FLOW_KINDS, Lane, NamedLayer, Span, Trace
from inspector.wording.stored import encode

_LANES = tuple(Lane)
_TITLES = {Lane.ACTIVITY: "Activity", Lane.DATA: "Data", Lane.COMPUTE: "Compute"}
_OWNERS = ("process", "model", "thread")
# Rows of a track in the file, and events encoded at once.
_ROWS = 4096
_AT_ONCE = 4096
_LONGEST = 1000  # letters of the name of a layer; a hostile one has millions


def trace_events(
    trace: Trace, layers: Sequence[NamedLayer], about: dict[str, str], notes: Sequence[str] = ()
) -> bytes:
    """Return all spans, in microseconds with three decimals; `about` goes into the header.

    notes: sentences about the trace, which come back when it is opened. The threads also say
    which lane and unit they are, so that nothing is lost on the way back.
    """
    threads = [_threads(trace, index) for index in range(len(trace.tracks))]
    opening = encode({"displayTimeUnit": "ns", "otherData": about})
    listed = b",".join(
        encode(some)[1:-1]
        for some in _batched(
            chain(
                _noted(notes),
                _titles(trace, threads),
                _events(trace, layers, threads),
                _counts(trace),
                _arrows(trace, threads),
                _moments(trace),
            )
        )
    )
    return opening[:-1] + b',"traceEvents":[' + listed + b"]}\n"


def _batched(events: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Some events at a time: a million of them as objects would take a gigabyte."""
    while some := list(islice(events, _AT_ONCE)):
        yield some


def _noted(notes: Sequence[str]) -> Iterator[dict[str, Any]]:
    for note in notes:
        yield _title(0, 0, "inspector_note", {"name": note})


def _titles(trace: Trace, threads: list[list[int]]) -> Iterator[dict[str, Any]]:
    for lane in dict.fromkeys(track.lane for track in trace.tracks):
        process = 1 + _LANES.index(lane)
        yield _title(process, 0, "process_name", {"name": _TITLES[lane]})
        yield _title(process, 0, "process_sort_index", {"sort_index": process})
    for index, track in enumerate(trace.tracks):
        process = 1 + _LANES.index(track.lane)
        own = {"lane": track.lane.value, "unit": track.unit, "family": track.family}
        own |= {key: units.clip(word) for key in _OWNERS if (word := getattr(track, key))}
        title = units.clip(track.name)
        for thread in threads[index]:
            below = thread % _ROWS
            name = f"{title}, row {below + 1}" if below else title
            arguments = {"name": name, "track": index} | own
            yield _title(process, thread, "thread_name", arguments)
            yield _title(process, thread, "thread_sort_index", {"sort_index": thread})


def _title(process: int, thread: int, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"ph": "M", "pid": process, "tid": thread, "ts": 0, "name": name, "args": arguments}


def _threads(trace: Trace, track: int) -> list[int]:
    """Threads of the viewer for a track: one, or one a depth where spans do not nest.

    A viewer stacks the spans of a thread by their nesting, and drops what only overlaps.
    """
    first = (1 + track) * _ROWS
    selected = trace.track == track
    if _nests(trace, np.flatnonzero(selected)):
        return [first]
    return [first + depth for depth in range(int(trace.depth[selected].max()) + 1)]


def _nests(trace: Trace, rows: np.ndarray[Any, np.dtype[np.intp]]) -> bool:
    start, end = trace.start_ns[rows], trace.start_ns[rows] + trace.duration_ns[rows]
    order = np.lexsort((-end, start))
    open_ends: list[int] = []
    for begin, stop in zip(start[order].tolist(), end[order].tolist(), strict=True):
        while open_ends and open_ends[-1] <= begin:
            open_ends.pop()
        if open_ends and stop > open_ends[-1]:
            return False
        open_ends.append(stop)
    return True


def _events(
    trace: Trace, layers: Sequence[NamedLayer], threads: list[list[int]]
) -> Iterator[dict[str, Any]]:
    names = {layer.index: layer for layer in layers}
    for index in range(len(trace)):
        span = trace.span(index)
        own = threads[trace.track[index]]
        args: dict[str, Any] = dict(_told(span))
        layer = names.get(span.layer) if span.layer is not None else None
        if layer is not None:
            args |= {"layer name": units.clip(layer.name, _LONGEST)}
            args |= {"operator": units.clip(layer.operator)}
        yield {
            "ph": "X",
            **_place(span, own),
            "dur": span.duration_ns / 1000,
            "name": units.clip(span.name),
            "cat": span.kind.value,
            "args": args,
        }


def _counts(trace: Trace) -> Iterator[dict[str, Any]]:
    """Counters, in a process of the viewer for each process that they belong to."""
    owners = list(dict.fromkeys(one.process for one in trace.counters))
    for number, owner in enumerate(owners):
        process = len(_LANES) + 1 + number
        yield _title(process, 0, "process_name", {"name": units.clip(owner) or "Counters"})
        yield _title(process, 0, "process_sort_index", {"sort_index": process})
    for one in trace.counters:
        event = {"ph": "C", "pid": len(_LANES) + 1 + owners.index(one.process), "tid": 0}
        for time, value in zip(one.times_ns.tolist(), one.values.tolist(), strict=True):
            args = {one.unit or "value": value}
            yield event | {"name": units.clip(one.name), "ts": time / 1000, "args": args}


def _arrows(trace: Trace, threads: list[list[int]]) -> Iterator[dict[str, Any]]:
    """Each arrow as its two ends; `args` name the spans, which a time alone may not."""
    flows = trace.flows
    rows = zip(flows.begin.tolist(), flows.end.tolist(), flows.kind.tolist(), strict=True)
    for number, (begin, end, kind) in enumerate(rows):
        word = FLOW_KINDS[kind].value
        args = {"begin span": begin, "end span": end, "flow": word}
        common = {"name": word, "cat": "flow", "id": number, "args": args}
        yield {"ph": "s"} | _place(trace.span(begin), threads[trace.track[begin]]) | common
        into = _place(trace.span(end), threads[trace.track[end]])
        yield {"ph": "f", "bp": "e"} | into | common


def _place(span: Span, own: list[int]) -> dict[str, Any]:
    return {
        "pid": 1 + _LANES.index(span.track.lane),
        "tid": own[span.depth] if len(own) > 1 else own[0],
        "ts": span.start_ns / 1000,
    }


def _moments(trace: Trace) -> Iterator[dict[str, Any]]:
    if trace.moments and len(trace):
        place = _place(trace.span(0), [(1 + int(trace.track[0])) * _ROWS])
        for one in trace.moments:
            event = {"ph": "i", "s": "g", "cat": "moment", "name": units.clip(one.name)}
            yield place | event | {"ts": one.time_ns / 1000}


def _told(span: Span) -> Iterator[tuple[str, Any]]:
    yield "kind", span.kind.value
    if span.layer is not None:
        yield "layer", span.layer
    if span.run is not None:
        yield "run", span.run
    if span.size_bytes:
        yield "bytes", span.size_bytes
