"""Events in Chrome's trace event format as columns; of any program, whole or damaged.

Format: "Trace Event Format" of the Chromium project. Times are microseconds, as integers,
decimals or texts. Values are taken as they come: nothing of a file is believed.
"""

import collections
import json
import math
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
import numpy as np

from inspector.readers import json_stream
from inspector.readers.arrows import Points
from inspector.readers.beside_events import Arrows, Values
from inspector.readers.event_values import NONE_NS, Column, integers, nanoseconds, numbers
from inspector.readers.json_stream import Piece, Reading
from inspector.readers.source import Source
from inspector.trace import Counter

MOST = 10_000_000
KEY = "traceEvents"
_SHOWN = frozenset("XBEbneSTFpIiR")
_ARROWS = frozenset("stf")
_NOT_SHOWN = {
    "P": "sample{s}", "N": "object event{s}", "O": "object event{s}", "D": "object event{s}",
    "v": "memory dump{s}", "V": "memory dump{s}",
}  # fmt: skip


class _Arguments(msgspec.Struct, gc=False):
    name: Any = None
    lane: Any = None
    unit: Any = None
    family: Any = None
    track: Any = None
    sort_index: Any = None
    op_name: Any = None
    operator: Any = None
    provider: Any = None
    parent_name: Any = None
    node_index: Any = None
    kind: Any = None
    layer: Any = None
    layer_name: Any = msgspec.field(default=None, name="layer name")
    run: Any = None
    process: Any = None
    model: Any = None
    thread: Any = None
    begin_span: Any = msgspec.field(default=None, name="begin span")
    end_span: Any = msgspec.field(default=None, name="end span")
    flow: Any = None
    bytes: Any = None
    output_size: Any = None
    stream: Any = None


_NO_ARGUMENTS = _Arguments()
_Anything = _Arguments | list[Any] | str | int | float | bool | None


class _Event(msgspec.Struct, gc=False):
    ph: Any = ""
    name: Any = ""
    cat: Any = ""
    pid: Any = 0
    tid: Any = 0
    ts: Any = None
    dur: Any = None
    tdur: Any = None
    id: Any = None
    id2: Any = None
    scope: Any = None
    bp: Any = None
    bind_id: Any = None
    flow_in: Any = None
    flow_out: Any = None
    args: _Anything = None


_OWN_WORDS = ("lane", "unit", "family", "track", "process", "model", "thread")
_MOST_NOTES, _LONGEST_NOTE = 8, 300
_DECODE = msgspec.json.Decoder(list[_Event])
_DECODE_ONE = msgspec.json.Decoder(_Event)


@dataclass(frozen=True, slots=True)
class Title:
    """What a file says about a thread or a process: name, order, and for our own files more."""

    name: str = ""
    order: float = 0.0
    told: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Events:
    """N events in the order of the file; columns are integers (N,).

    words: all texts; columns of words point into it, 0 is the empty one.
    columns: `phase` (character), `name`, `category`, `operator`, `provider`, `parent`, `kind`,
    `stream`, `layer_name` (words), `thread` (into threads), `ident` (equal for what belongs
    together, -1 for none), `ts` and `dur` in nanoseconds (dur -1 where none is told), `layer`,
    `run`, `number` (-1 for none), `size` in bytes.
    threads: process and thread of each; counters, points: what is beside the events;
    told_flows: begin, end and kind of arrows, where a file of ours numbers its spans.
    processes, titles: by their number and by (process,
    thread). notes: sentences about what is not shown.
    """

    words: tuple[str, ...]
    columns: dict[str, Column]
    threads: tuple[tuple[str, str], ...]
    processes: dict[str, Title]
    titles: dict[tuple[str, str], Title]
    notes: tuple[str, ...]
    counters: tuple[Counter, ...]
    points: Points
    told_flows: tuple[tuple[int, int, str], ...] = ()

    def __len__(self) -> int:
        return len(self.columns["ts"])


def read(source: Source) -> Events:
    """Read all events that can be read. Raises UnreadableFile: there is no list of events."""
    reading, table = Reading(), _Table()
    for piece in json_stream.pieces(source, KEY, reading):
        table.take(_decoded(piece, table))
        table.values.take(piece)
        if table.rows >= MOST:
            table.note(f"Only the first {MOST:,} events are shown.")
            reading.closed = True
            break
    table.tell(reading)
    return table.events()


def _decoded(piece: Piece, table: "_Table") -> list[_Event]:
    body = piece.body.strip(b", \t\r\n")
    try:
        return _DECODE.decode(b"[" + body + b"]")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        one_by_one = (_one(piece.body[begin:end]) for begin, end in piece.places)
        events = [event for event in one_by_one if event is not None]
        table.damaged += len(piece.places) - len(events)
        return events


def _one(body: bytes) -> _Event | None:
    """One event by itself, if need be with NaN, control characters or bytes of no UTF-8."""
    try:
        return _DECODE_ONE.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        try:
            loose = json.loads(body.decode("utf-8", "replace"), strict=False)
            return msgspec.convert(loose, _Event)
        except (ValueError, RecursionError):
            return None


class _Table:
    """Collects the columns piece by piece."""

    def __init__(self) -> None:
        self.rows = self.damaged = 0
        self._words: dict[Any, int] = {"": 0}
        self._threads: dict[Any, int] = {}
        self._idents: dict[Any, int] = {}
        self._parts: list[dict[str, Column]] = []
        self._left_out: collections.Counter[str] = collections.Counter()
        self._processes: dict[str, Title] = {}
        self._titles: dict[tuple[str, str], Title] = {}
        self._notes: list[str] = []
        self._told_flows: list[tuple[int, int, str]] = []
        self.values, self.arrows = Values(), Arrows()

    def note(self, sentence: str) -> None:
        """Keep a sentence for the user."""
        self._notes.append(sentence)

    def take(self, events: list[_Event]) -> None:
        """Add the events of one piece."""
        shown = [event for event in events if _has_a_place(event)]
        if len(shown) < len(events):
            for event in events:
                if not _has_a_place(event):
                    self._set_aside(event)
        when = nanoseconds([event.ts for event in shown])
        placed = when != NONE_NS
        if not placed.all():
            self._left_out["event{s} without a usable time"] += int((~placed).sum())
            shown = [event for event, kept in zip(shown, placed.tolist(), strict=True) if kept]
            when = when[placed]
        if shown:
            self._through(shown)
            self._parts.append({"ts": when} | self._columns(shown))
            self.rows += len(shown)

    def tell(self, reading: Reading) -> None:
        """Say what the file lacks."""
        if self.damaged:
            self.note(f"{_many(self.damaged, 'damaged event{s}')} left out.")
        if reading.trouble:
            self.note(reading.trouble)
        elif reading.cut:
            self.note("The file ends in the middle of an event; all before it is shown.")
        elif not reading.closed:
            self.note("The list of events is not closed: its program was probably stopped.")
        if self.values.lost:
            self.note(f"{_many(self.values.lost, 'counter value{s}')} left out.")
        if b'"samples"' in reading.after:
            self.note("The samples of a profiler that it also holds are not shown.")

    def events(self) -> Events:
        """All that was collected."""
        counted = (f"{_many(n, noun)} not shown." for noun, n in self._left_out.items())
        words = tuple(word if isinstance(word, str) else str(word) for word in self._words)
        first = self._columns([]) | {"ts": np.zeros(0, np.int64)}
        parts = self._parts or [first]
        columns = {key: np.concatenate([part[key] for part in parts]) for key in first}
        threads, columns["thread"] = _merged(tuple(self._threads), columns["thread"])
        points = self.arrows.points()
        if len(points):
            points = replace(points, thread=_merged(tuple(self._threads), points.thread)[1])
        named = {number: title.name for number, title in self._processes.items()}
        return Events(
            words, columns, threads, self._processes, self._titles, (*self._notes, *counted),
            self.values.counters(named), points, tuple(self._told_flows),
        )  # fmt: skip

    def _through(self, shown: list[_Event]) -> None:
        """Events that are ends of arrows themselves."""
        for row, event in enumerate(shown):
            if event.bind_id is not None:
                self.arrows.through(event, self._thread(event), self.rows + row)

    def _thread(self, event: _Event) -> int:
        return int(numbers(self._threads, [(event.pid, event.tid)])[0])

    def _columns(self, events: list[_Event]) -> dict[str, Column]:
        told = [e.args if isinstance(e.args, _Arguments) else _NO_ARGUMENTS for e in events]
        words = self._words
        return {
            "phase": np.array([ord(event.ph) for event in events], np.int32),
            "name": numbers(words, [event.name or "" for event in events]),
            "category": numbers(words, [event.cat or "" for event in events]),
            "operator": numbers(words, [t.op_name or t.operator or "" for t in told]),
            "provider": numbers(words, [t.provider or "" for t in told]),
            "parent": numbers(words, [t.parent_name or "" for t in told]),
            "kind": numbers(words, [t.kind or "" for t in told]),
            "stream": numbers(words, ["" if t.stream is None else t.stream for t in told]),
            "layer_name": numbers(words, [t.layer_name or "" for t in told]),
            "thread": numbers(self._threads, [(event.pid, event.tid) for event in events]),
            "ident": self._ident(events),
            "dur": _lengths(events),
            "layer": integers([t.layer for t in told], -1, 1 << 30),
            "run": integers([t.run for t in told], -1, 1 << 30),
            "number": integers([t.node_index for t in told], -1, 1 << 30),
            "size": integers([t.bytes or t.output_size for t in told], 0, 1 << 60),
        }

    def _ident(self, events: list[_Event]) -> Column:
        if all(event.id is None and event.id2 is None for event in events):
            return np.full(len(events), -1, np.int32)
        keys = [
            (str(e.cat), str(e.scope), str(e.id2 if e.id is None else e.id)) for e in events
        ]
        found = numbers(self._idents, keys)
        told = [event.id is not None or event.id2 is not None for event in events]
        return np.where(told, found, -1)

    def _set_aside(self, event: _Event) -> None:
        """Keep a title or an arrow; count everything else that has no place in a timeline."""
        if type(event.ph) is str and event.ph in _ARROWS:
            self._arrow(event)
            return
        if event.ph != "M":
            if event.ph == "C":
                return  # of which `values` takes care
            words = event.ph if isinstance(event.ph, str) else ""
            self._left_out[_NOT_SHOWN.get(words, "event{s} of an unknown kind")] += 1
            return
        told = event.args
        if not isinstance(told, _Arguments):
            return
        process, thread = str(event.pid), (str(event.pid), str(event.tid))
        match event.name:
            case "process_name":
                self._processes[process] = _named(self._processes.get(process), told)
            case "process_sort_index":
                self._processes[process] = _sorted(self._processes.get(process), told)
            case "thread_name":
                self._titles[thread] = _named(self._titles.get(thread), told)
            case "thread_sort_index":
                self._titles[thread] = _sorted(self._titles.get(thread), told)
            case "inspector_note" if len(self._notes) < _MOST_NOTES and told.name:
                self.note(str(told.name)[:_LONGEST_NOTE])

    def _arrow(self, event: _Event) -> None:
        told = event.args if isinstance(event.args, _Arguments) else _NO_ARGUMENTS
        ours = (told.begin_span, told.end_span)
        if all(type(one) is int and 0 <= one < MOST for one in ours):
            if event.ph == "s":
                self._told_flows.append((*ours, str(told.flow)))
            return
        self.arrows.take(event, self._thread(event))


def _has_a_place(event: _Event) -> bool:
    return type(event.ph) is str and event.ph in _SHOWN


def _named(before: Title | None, told: _Arguments) -> Title:
    more = {key: getattr(told, key) for key in _OWN_WORDS}
    name = "" if told.name is None else str(told.name)
    return Title(name, before.order if before else 0.0, more)


def _sorted(before: Title | None, told: _Arguments) -> Title:
    order = told.sort_index
    number = float(order) if isinstance(order, int | float) and math.isfinite(order) else 0.0
    return Title(before.name, number, before.told) if before else Title(order=number)


def _merged(
    found: tuple[tuple[Any, Any], ...], column: Column
) -> tuple[tuple[tuple[str, str], ...], Column]:
    """Threads by their texts: some programs write a number now as a number, now as a text."""
    texts: dict[tuple[str, str], int] = {}
    into = [texts.setdefault((str(pid), str(tid)), len(texts)) for pid, tid in found]
    return tuple(texts), np.array(into, np.int32)[column] if into else column


def _lengths(events: list[_Event]) -> Column:
    found = nanoseconds([e.tdur if e.dur is None else e.dur for e in events])
    return np.where(found == NONE_NS, -1, np.maximum(found, 0))


def _many(number: int, noun: str) -> str:
    one = number == 1
    return f"{number:,} {noun.format(s='' if one else 's')} {'is' if one else 'are'}"
