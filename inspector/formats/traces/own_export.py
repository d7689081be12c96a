"""Traces exported by Inspector itself: every span is restored exactly."""

from dataclasses import replace
from typing import Any

import numpy as np
from msgspec import structs

from inspector.formats.traces.span_collector import Spans
from inspector.formats.traces.trace_events import Events, Title
from inspector.trace.trace import (
    FLOW_KINDS,
    KINDS,
    Counter,
    FlowKind,
    Flows,
    InstantEvent,
    Kind,
    Lane,
    TracedLayer,
    Track,
)

SOURCE = "Trace exported by Inspector"
_KINDS = {kind.value: index for index, kind in enumerate(KINDS)}
_FAMILIES = ("activity", "data", "cpu", "gpu", "npu")
_MOST = 1 << 20  # tracks; a larger number is damage
COUNTERS = "Counters"
MOMENT = "moment"


def is_ours(events: Events) -> bool:
    """Return whether every thread of the file says which track of ours it was."""
    titles = [events.titles.get(thread) for thread in events.threads]
    return bool(titles) and all(_number(title) is not None for title in titles)


def spans(events: Events) -> Spans:
    """Return the spans as they were exported, unused tracks included."""
    events, moments = _apart(events)
    columns = events.columns
    titles = {_number(title): title for title in events.titles.values()}
    order = sorted((number, title) for number, title in titles.items() if number is not None)
    places = {number: place for place, (number, _) in enumerate(order)}
    threads = [places[_number(events.titles[thread]) or 0] for thread in events.threads]
    kinds = np.array([_KINDS.get(word, _KINDS[Kind.EVENT]) for word in events.strings])
    return Spans(
        SOURCE,
        tuple(_track(title) for _, title in order),
        events.strings,
        {
            "start_ns": columns["ts"],
            "duration_ns": np.maximum(columns["dur"], 0),
            "track": np.array(threads, np.int64)[columns["thread"]],
            "kind": kinds[columns["kind"]],
            "name": columns["name"],
            "layer": columns["layer"],
            "run": columns["run"],
            "size_bytes": columns["size"],
        },
        _layers(events),
        zero_ns=0,
        counters=tuple(_counter(one) for one in events.counters),
        flows=_flows(events),
        moments=moments,
    )


def _apart(events: Events) -> tuple[Events, tuple[InstantEvent, ...]]:
    """Return the events without the moments, and those."""
    columns = events.columns
    is_moment = np.array([word == MOMENT for word in events.strings], bool)
    which = is_moment[columns["category"]] & (columns["phase"] == ord("i"))
    if not which.any():
        return events, ()
    moments = tuple(
        InstantEvent(int(columns["ts"][at]), events.strings[columns["name"][at]])
        for at in np.flatnonzero(which).tolist()
    )
    span_columns = {key: column[~which] for key, column in columns.items()}
    return structs.replace(events, columns=span_columns), moments


def _counter(counter: Counter) -> Counter:
    return replace(counter, process="" if counter.process == COUNTERS else counter.process)


def _flows(events: Events) -> Flows:
    """Return the arrows between events, without those that lead nowhere."""
    kinds = {flow.value: index for index, flow in enumerate(FLOW_KINDS)}
    rows = [
        (begin, end, kinds.get(kind, kinds[FlowKind.EVENT.value]))
        for begin, end, kind in events.explicit_flows
        if max(begin, end) < len(events)
    ]
    return Flows(*np.array(rows, np.int64).reshape(-1, 3).T)


def _number(title: Title | None) -> int | None:
    """Return the number of the track that a thread was; None where it does not say."""
    arguments: dict[str, Any] = title.arguments if title is not None else {}
    number = arguments.get("track")
    valid = arguments.get("lane") in tuple(Lane) and arguments.get("family") in _FAMILIES
    return number if valid and type(number) is int and 0 <= number < _MOST else None


def _track(title: Title) -> Track:
    arguments = title.arguments
    return Track(
        Lane(arguments["lane"]),
        title.name.rpartition(", row ")[0] or title.name,
        str(arguments["unit"] or ""),
        str(arguments["family"]),
        *(str(arguments.get(key) or "") for key in ("process", "model", "thread")),
    )


def _layers(events: Events) -> tuple[TracedLayer, ...]:
    columns, texts = events.columns, events.strings
    numbers, first = np.unique(columns["layer"], return_index=True)
    return tuple(
        TracedLayer(index, texts[columns["layer_name"][at]], texts[columns["operator"][at]])
        for index, at in zip(numbers.tolist(), first.tolist(), strict=True)
        if index >= 0
    )
