"""Traces of any program in Chrome's trace event format.

A thread of the file becomes a track; what runs asynchronously gets tracks of its own.
"""

from collections import Counter, defaultdict

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from inspector.formats.traces.span_collector import Integers, Spans, blank, joined
from inspector.formats.traces.trace_events import Events
from inspector.trace.trace import KINDS, Kind, Lane, Track

SOURCE = "Chrome trace"
_EVENT = KINDS.index(Kind.EVENT)
# Categories that profilers of training programs give to what ran on a graphics processor.
_ON_DEVICE = {"kernel": Kind.KERNEL, "gpu_memcpy": Kind.COPY, "gpu_memset": Kind.KERNEL}
_WHOLE = "XiIR"
_APART = "nTp"
_OPENS = "B"
_CLOSES = "E"
_STARTS = "bS"
_FINISHES = "eF"

Places = NDArray[np.int64]


class _Pairs(Struct, frozen=True, eq=False):
    """Events that begin something, where it ends in nanoseconds, and ends without a begin."""

    begins: Places
    stops_ns: Places
    endless: int
    alone: int


def spans(events: Events) -> Spans:
    """Return what the events make up, a track for each thread."""
    columns = events.columns
    last = int((columns["ts"] + np.maximum(columns["dur"], 0)).max()) if len(events) else 0
    whole, apart = _places(events, _WHOLE), _places(events, _APART)
    calls = _paired(events, _OPENS, _CLOSES, columns["thread"].astype(np.int64), last)
    flights = _paired(events, _STARTS, _FINISHES, _idents(events), last)
    away = np.concatenate([flights.begins, apart])
    tracks, homes = _tracks(events, away)
    parts = [
        _columns(events, whole, columns["ts"][whole] + np.maximum(columns["dur"][whole], 0)),
        _columns(events, calls.begins, calls.stops_ns),
        _columns(events, flights.begins, flights.stops_ns),
        _columns(events, apart, columns["ts"][apart]),
    ]
    table = joined(parts)
    table["track"] = np.concatenate(
        [columns["thread"][whole], columns["thread"][calls.begins], homes]
    )
    notes = _notes(calls, flights)
    names = ("Unnamed", *events.strings[1:])
    rows = np.full(len(events), -1, np.int64)
    begins = np.concatenate([whole, calls.begins, flights.begins, apart])
    rows[begins] = np.arange(len(begins))
    points = events.points.moved(rows, np.arange(len(events.threads)))
    all_spans = Spans(
        SOURCE, tracks, names, table, notes=notes, counters=events.counters, points=points
    )
    return _ordered(all_spans, events, away)


def _places(events: Events, phases: str) -> Places:
    in_phase = np.isin(events.columns["phase"], [ord(phase) for phase in phases])
    return np.flatnonzero(in_phase).astype(np.int64)


def _columns(events: Events, begins: Places, stops_ns: Places) -> dict[str, Integers]:
    start = events.columns["ts"][begins]
    return blank(
        len(begins),
        start_ns=start,
        duration_ns=np.maximum(stops_ns - start, 0),
        track=np.zeros(len(begins), np.int64),
        kind=_kinds(events)[begins],
        name=events.columns["name"][begins],
    )


def _idents(events: Events) -> Places:
    """Return what belongs together asynchronously; without a number, what is of one thread."""
    idents = events.columns["ident"].astype(np.int64)
    return np.where(idents < 0, -2 - events.columns["thread"].astype(np.int64), idents)


def _paired(events: Events, opens: str, closes: str, group: Places, last_ns: int) -> _Pairs:
    """Match each end with the latest begin of its name that is open in its group.

    An end without a name ends the latest begin of all. Some programs write later events
    first; events of the same time stay in the order of the file.
    """
    some = _places(events, opens + closes)
    columns = events.columns
    order = some[np.lexsort((columns["ts"][some], group[some]))]
    rows = zip(
        order.tolist(),
        group[order].tolist(),
        np.isin(columns["phase"][order], [ord(phase) for phase in opens]).tolist(),
        columns["name"][order].tolist(),
        strict=True,
    )
    ended: dict[int, int] = {}
    alone, waiting, now = 0, _Waiting(), None
    for place, one, begins, name in rows:
        if one != now:
            waiting, now = _Waiting(), one
        if begins:
            waiting.add(place, name)
            ended[place] = -1
            continue
        begin = waiting.take(name)
        alone += begin is None
        if begin is not None:
            ended[begin] = place
    ends = np.array(list(ended.values()), np.int64)
    stops = np.where(ends >= 0, columns["ts"][ends] if len(ends) else 0, last_ns)
    return _Pairs(np.array(list(ended), np.int64), stops, int((ends < 0).sum()), alone)


class _Waiting:
    """Begins that wait for their end."""

    def __init__(self) -> None:
        self._latest: list[tuple[int, int]] = []
        self._named: defaultdict[int, list[int]] = defaultdict(list)
        self._closed: set[int] = set()

    def add(self, begin: int, name: int) -> None:
        """One more."""
        self._latest.append((begin, name))
        self._named[name].append(begin)

    def take(self, name: int) -> int | None:
        """Return the latest of a name, or for 0 of any name; None for none."""
        if name:
            begin_event = self._named[name].pop() if self._named[name] else None
            if begin_event is not None:
                self._closed.add(begin_event)
            return begin_event
        while self._latest:
            begin, arguments = self._latest.pop()
            if begin not in self._closed:
                self._named[arguments].pop()
                return begin
        return None


def _tracks(events: Events, apart: Places) -> tuple[tuple[Track, ...], Places]:
    """Return a track for each thread, then one for each process and category of what is apart.

    The process is named only where the name alone is ambiguous: there is little room.
    The second value is the track of each span that is apart.
    """
    homes, places = _homes(events, apart)
    threads = [_thread(events, thread) for thread in events.threads]
    others = [
        (f"{events.strings[category] or 'Events'} (async)", process)
        for process, category in homes
    ]
    named = [*threads, *others]
    thread = events.columns["thread"]
    elsewhere = np.unique(thread[_kinds(events) == _EVENT])
    devices = set(np.setdiff1d(thread, elsewhere).tolist())
    often = Counter(name for name, _ in named)
    several = len({process for process, _ in events.threads}) > 1
    tracks = tuple(
        _track(
            f"{name} · {_process(events, process)}" if several and unclear else name,
            place in devices,
            _process(events, process) if several else "",
            name if place < len(threads) else "",
        )
        for place, (name, process) in enumerate(named)
        for unclear in [often[name] > 1 or name.startswith("Thread ")]
    )
    return tracks, places + len(events.threads)


def _homes(events: Events, apart: Places) -> tuple[list[tuple[str, int]], Places]:
    """Process and category of what is apart, each once, and which of them each span has."""
    homes: dict[tuple[str, int], int] = {}
    pairs = zip(
        events.columns["thread"][apart].tolist(),
        events.columns["category"][apart].tolist(),
        strict=True,
    )
    places = [
        homes.setdefault((events.threads[thread][0], category), len(homes))
        for thread, category in pairs
    ]
    return list(homes), np.array(places, np.int64)


def _thread(events: Events, thread: tuple[str, str]) -> tuple[str, str]:
    """Name of a thread, and its process."""
    title = events.titles.get(thread)
    return title.name if title and title.name else f"Thread {thread[1]}", thread[0]


def _process(events: Events, process: str) -> str:
    title = events.processes.get(process)
    return title.name if title is not None and title.name else f"Process {process}"


def _track(name: str, on_device: bool, process: str, thread: str) -> Track:
    lane, family = (Lane.COMPUTE, "gpu") if on_device else (Lane.ACTIVITY, "activity")
    return Track(lane, name, "", family, process, "", thread)


def _kinds(events: Events) -> Places:
    """Kind of each event, as an index into KINDS."""
    kinds = [KINDS.index(_ON_DEVICE.get(word, Kind.EVENT)) for word in events.strings]
    return np.array(kinds, np.int64)[events.columns["category"]]


def _ordered(spans: Spans, events: Events, apart: Places) -> Spans:
    """Return the tracks that are used: by process, in the order that the file asks for."""
    owners = [process for process, _ in (*events.threads, *_homes(events, apart)[0])]
    first = {process: place for place, process in reversed(list(enumerate(owners)))}

    def sort_key(track: int) -> tuple[float, int, bool, float, int]:
        process = events.processes.get(owners[track])
        is_thread = track < len(events.threads)
        title = events.titles.get(events.threads[track]) if is_thread else None
        order = title.order if title else 0.0
        whole = process.order if process else 0.0
        return whole, first[owners[track]], not is_thread, order, track

    order = sorted(np.unique(spans.columns["track"]).tolist(), key=sort_key)
    table = np.zeros(len(spans.tracks), np.int64)
    table[order] = np.arange(len(order))
    columns = spans.columns | {"track": table[spans.columns["track"]]}
    points = spans.points
    if points is not None:  # threads without any span have no track
        table[np.setdiff1d(np.arange(len(table)), order)] = -1
        points = replace(points, thread=table[points.thread])
    tracks = tuple(spans.tracks[track] for track in order)
    return replace(spans, tracks=tracks, columns=columns, points=points)


def _notes(*pairs: _Pairs) -> tuple[str, ...]:
    endless, alone = sum(one.endless for one in pairs), sum(one.alone for one in pairs)
    notes = []
    if endless:
        texts = (
            "1 event has no end: it is"
            if endless == 1
            else f"{endless:,} events have no end: they are"
        )
        notes.append(f"{texts} drawn up to the end of the trace.")
    if alone:
        texts = (
            "1 end event without a begin event is"
            if alone == 1
            else f"{alone:,} end events without a begin event are"
        )
        notes.append(f"{texts} omitted.")
    return tuple(notes)
