"""Traces that this program exported itself: every span comes back as it was."""

from typing import Any

import numpy as np

from inspector.readers.spans import Spans
from inspector.readers.trace_events import Events, Title
from inspector.trace import KINDS, Kind, Lane, TracedLayer, Track

SOURCE = "Trace exported by Inspector"
_KINDS = {kind.value: index for index, kind in enumerate(KINDS)}
_FAMILIES = ("activity", "data", "cpu", "gpu", "npu")
_MOST = 1 << 20


def is_ours(events: Events) -> bool:
    """Whether every thread of the file says which track of ours it was."""
    titles = [events.titles.get(thread) for thread in events.threads]
    return bool(titles) and all(_number(title) is not None for title in titles)


def spans(events: Events) -> Spans:
    """The spans as they were exported, unused tracks included."""
    columns = events.columns
    titles = {_number(title): title for title in events.titles.values()}
    order = sorted((number, title) for number, title in titles.items() if number is not None)
    places = {number: place for place, (number, _) in enumerate(order)}
    threads = [places[_number(events.titles[thread]) or 0] for thread in events.threads]
    kinds = np.array([_KINDS.get(word, _KINDS[Kind.EVENT]) for word in events.words])
    return Spans(
        SOURCE,
        tuple(_track(title) for _, title in order),
        events.words,
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
    )


def _number(title: Title | None) -> int | None:
    """The number of the track that a thread was; None where it does not say."""
    told: dict[str, Any] = title.told if title is not None else {}
    number = told.get("track")
    known = told.get("lane") in tuple(Lane) and told.get("family") in _FAMILIES
    return number if known and type(number) is int and 0 <= number < _MOST else None


def _track(title: Title) -> Track:
    told = title.told
    return Track(
        Lane(told["lane"]),
        title.name.rpartition(", row ")[0] or title.name,
        str(told["unit"] or ""),
        str(told["family"]),
    )


def _layers(events: Events) -> tuple[TracedLayer, ...]:
    columns, words = events.columns, events.words
    found, first = np.unique(columns["layer"], return_index=True)
    return tuple(
        TracedLayer(index, words[columns["layer_name"][at]], words[columns["operator"][at]])
        for index, at in zip(found.tolist(), first.tolist(), strict=True)
        if index >= 0
    )
