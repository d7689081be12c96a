"""Events in Chrome's trace event format as columns; of any program, whole or damaged.

Format: "Trace Event Format" of the Chromium project. Times are microseconds, as integers,
decimals or texts. Values are taken as they come: nothing of a file is believed.
"""

import collections
import json
import math
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from numpy.typing import NDArray

from inspector.formats import json_stream
from inspector.formats.json_stream import Piece, Reading
from inspector.formats.source import Source
from inspector.formats.traces.span_collector import Points, points
from inspector.trace.trace import Counter

NONE_NS = -(1 << 62)
# What lies between two instants has to stay below 2**61 ns; dates reach to the year 2041.
_EARLIEST_US = -(1 << 55) // 1000
_LATEST_US = ((1 << 61) - (1 << 55)) // 1000

Column = NDArray[np.signedinteger[Any]]
# Counters of a file, and series of one counter, that are shown.
_MOST_COUNTERS = 1000
_MOST_SERIES = 64
_PLAIN = ("value", "", "Value")
_UNITS = {"bytes": "bytes", "percent": "percent", "watts": "watts"}
MOST = 10_000_000
KEY = "traceEvents"
_SHOWN = frozenset("XBEbneSTFpIiR")
_ARROWS = frozenset("stf")
_NOT_SHOWN = {
    "P": "sample{s}", "N": "object event{s}", "O": "object event{s}", "D": "object event{s}",
    "v": "memory dump{s}", "V": "memory dump{s}",
}  # fmt: skip
_OWN_WORDS = ("lane", "unit", "family", "track", "process", "model", "thread")
# Limits: notes of a file, and characters of a note.
_MOST_NOTES = 8
_LONGEST_NOTE = 300


def numbers(table: dict[Any, int], values: list[Any]) -> Column:
    """Return the number of each value in a table that grows by those that are new: int32
    (N,)."""
    try:
        return np.array([table.setdefault(value, len(table)) for value in values], np.int32)
    except TypeError:  # lists and objects where a text or a number should be
        plain = [tuple(map(str, v)) if isinstance(v, tuple) else str(v) for v in values]
        return np.array([table.setdefault(value, len(table)) for value in plain], np.int32)


def integers(values: list[Any], other: int, end: int) -> Column:
    """Integers from 0 to `end`, also those written as texts; `other` for what is none."""
    kind = np.int32 if end < 1 << 31 else np.int64
    if values.count(None) == len(values):
        return np.full(len(values), other, kind)
    return np.array([_integer(value, other, end) for value in values], kind)


def _integer(value: Any, other: int, end: int) -> int:
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 19:
        value = int(value)
    return value if type(value) is int and 0 <= value < end else other


def nanoseconds(values: Iterable[Any]) -> NDArray[np.int64]:
    """Microseconds in any spelling as nanoseconds: int64; a far negative number for none."""
    listed = list(values)
    kinds = set(map(type, listed))
    if kinds <= {int}:
        whole = np.array(listed, np.float64 if not listed else None)
        if (
            whole.dtype == np.int64
            and (whole > _EARLIEST_US).all()
            and (whole < _LATEST_US).all()
        ):
            return whole * 1000
    elif kinds <= {int, float}:
        parts = np.array([_float(value) for value in listed])
        usable = (parts > _EARLIEST_US) & (parts < _LATEST_US)  # NaN is neither
        scaled = np.rint(np.where(usable, parts, 0.0) * 1000).astype(np.int64)
        return np.where(usable, scaled, NONE_NS)
    return np.array([_nanoseconds(value) for value in listed], np.int64)


def _float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _nanoseconds(value: Any) -> int:
    number: int | float | None = value if type(value) in (int, float) else None
    if isinstance(value, str) and len(value) < 64:
        number = _parsed(int, value)
        number = _parsed(float, value) if number is None else number
    if number is None or not _EARLIEST_US < number < _LATEST_US:
        return NONE_NS
    return round(number * 1000)


def _parsed(kind: Callable[[str], float], text: str) -> float | None:
    try:
        return kind(text)
    except ValueError:
        return None


class Counted(msgspec.Struct, gc=False):
    """An event with all that it says, as counters need it."""

    ph: Any = ""
    name: Any = ""
    pid: Any = 0
    ts: Any = None
    id: Any = None
    args: Any = None


_BESIDE_EVENTS_DECODE = msgspec.json.Decoder(list[Counted])
_BESIDE_EVENTS_DECODE_ONE = msgspec.json.Decoder(Counted)


class Values:
    """Collects the values of counters piece by piece."""

    def __init__(self) -> None:
        self.lost = 0
        self._samples: dict[tuple[str, str, str, str], tuple[list[Any], list[float]]] = {}

    def take(self, piece: Piece) -> None:
        """Add the values in a piece of the list; most have none."""
        if b'"C"' not in piece.body:
            return
        for event in _sidecar_events_decoded(piece):
            if event.ph == "C" and isinstance(event.args, dict):
                ident = "" if event.id is None else str(event.id)
                for series, value in list(event.args.items())[:_MOST_SERIES]:
                    key = str(event.pid), str(event.name or ""), ident, series
                    number = _number(value)
                    if number is None or (
                        key not in self._samples and len(self._samples) >= _MOST_COUNTERS
                    ):
                        self.lost += 1
                        continue
                    when, values = self._samples.setdefault(key, ([], []))
                    when.append(event.ts)
                    values.append(number)
            else:
                self.lost += event.ph == "C"

    def counters(self, processes: dict[str, str]) -> tuple[Counter, ...]:
        """Return all counters, values in order of time; processes: names by their numbers."""
        several = {key[:3] for key in self._samples}
        each = {three: sum(key[:3] == three for key in self._samples) for three in several}
        counters = []
        for (process, name, ident, series), (when, values) in self._samples.items():
            times = nanoseconds(when)
            usable = times != NONE_NS
            order = np.argsort(times[usable], kind="stable")
            alone = each[process, name, ident] == 1
            unit = _UNITS.get(series, "") if alone else ""
            plain = alone and (series in _PLAIN or bool(unit))
            label = (f"{name} {ident}".strip(), "" if plain else series)
            counters.append(
                Counter(
                    ", ".join(word for word in label if word) or "Counter",
                    unit,
                    times[usable][order],
                    np.array(values, np.float64)[usable][order],
                    processes.get(process, ""),
                )
            )
        return tuple(one for one in counters if len(one.times_ns))


def _sidecar_events_decoded(piece: Piece) -> Iterable[Counted]:
    body = piece.body.strip(b", \t\r\n")
    try:
        return _BESIDE_EVENTS_DECODE.decode(b"[" + body + b"]")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return [
            one for begin, end in piece.places if (one := _sidecar_event(piece.body[begin:end]))
        ]


def _sidecar_event(body: bytes) -> Counted | None:
    try:
        return _BESIDE_EVENTS_DECODE_ONE.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _number(value: Any) -> float | None:
    if isinstance(value, str) and len(value) < 40:
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


class Arrows:
    """Collects the points that arrows go through."""

    def __init__(self) -> None:
        self._chains: dict[tuple[str, str, str], int] = {}
        self._rows: list[tuple[Any, ...]] = []

    def __len__(self) -> int:
        return len(self._rows)

    def take(self, event: Any, thread: int) -> None:
        """Add one of an event of phase s, t or f; thread: its number."""
        chain = self._chain((str(event.cat or ""), str(event.name or ""), _ident(event)))
        opens, closes = event.ph == "s", event.ph == "f"
        coming = closes and event.bp != "e"
        self._rows.append((chain, thread, event.ts, -1, opens, closes, coming))

    def through(self, event: Any, thread: int, row: int) -> None:
        """Add an event that names the arrows that begin or end at it."""
        out, into = event.flow_out is True, event.flow_in is True
        if out or into:
            chain = self._chain(("", "", str(event.bind_id)))
            self._rows.append((chain, thread, event.ts, row, not into, not out, False))

    def points(self) -> Points:
        """Return all that have a usable time."""
        times = nanoseconds([row[2] for row in self._rows]).tolist()
        both = zip(self._rows, times, strict=True)
        return points([(*row[:2], at, *row[3:]) for row, at in both if at != NONE_NS])

    def _chain(self, key: tuple[str, str, str]) -> int:
        return self._chains.setdefault(key, len(self._chains))


def _ident(event: Any) -> str:
    return str(event.id2 if event.id is None else event.id)


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


_DECODE = msgspec.json.Decoder(list[_Event])
_DECODE_ONE = msgspec.json.Decoder(_Event)


class Title(Struct, frozen=True):
    """Metadata of a thread or a process: name, order, and more in our own files."""

    name: str = ""
    order: float = 0.0
    arguments: dict[str, Any] = field(default_factory=dict)


class Events(Struct, frozen=True, eq=False):
    """N events in the order of the file; columns are integers (N,).

    strings: all texts; columns of texts point into it, 0 is the empty one.
    columns: `phase` (character), `name`, `category`, `operator`, `provider`, `parent`, `kind`,
    `stream`, `layer_name` (texts), `thread` (into threads), `ident` (equal for what belongs
    together, -1 for none), `ts` and `dur` in nanoseconds (dur -1 where there is none), `layer`,
    `run`, `number` (-1 for none), `size` in bytes.
    threads: process and thread of each; counters, points: what the file has besides events;
    explicit_flows: begin, end and kind of arrows, where a file of ours numbers its spans.
    processes, titles: by their number and by (process,
    thread). notes: sentences about what is not shown.
    """

    strings: tuple[str, ...]
    columns: dict[str, Column]
    threads: tuple[tuple[str, str], ...]
    processes: dict[str, Title]
    titles: dict[tuple[str, str], Title]
    notes: tuple[str, ...]
    counters: tuple[Counter, ...]
    points: Points
    explicit_flows: tuple[tuple[int, int, str], ...] = ()

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
    """Return one event by itself, if need be with NaN, control characters or bytes of no
    UTF-8."""
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
        self._strings: dict[Any, int] = {"": 0}
        self._threads: dict[Any, int] = {}
        self._idents: dict[Any, int] = {}
        self._parts: list[dict[str, Column]] = []
        self._left_out: collections.Counter[str] = collections.Counter()
        self._processes: dict[str, Title] = {}
        self._titles: dict[tuple[str, str], Title] = {}
        self._notes: list[str] = []
        self._explicit_flows: list[tuple[int, int, str]] = []
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
                    self._add_other(event)
        when = nanoseconds([event.ts for event in shown])
        placed = when != NONE_NS
        if not placed.all():
            self._left_out["event{s} without a usable time"] += int((~placed).sum())
            shown = [
                event
                for event, is_placed in zip(shown, placed.tolist(), strict=True)
                if is_placed
            ]
            when = when[placed]
        if shown:
            for row, event in enumerate(shown):
                if event.bind_id is not None:
                    self.arrows.through(event, self._thread(event), self.rows + row)
            self._parts.append({"ts": when} | self._columns(shown))
            self.rows += len(shown)

    def tell(self, reading: Reading) -> None:
        """Note what is missing in the file."""
        if self.damaged:
            self.note(f"{_many(self.damaged, 'damaged event{s}')} omitted.")
        if reading.trouble:
            self.note(reading.trouble)
        elif reading.truncated:
            self.note("The file is truncated; all complete events are shown.")
        elif not reading.closed:
            self.note("The event array is not closed; the program was probably stopped.")
        if self.values.lost:
            self.note(f"{_many(self.values.lost, 'counter value{s}')} omitted.")
        if b'"samples"' in reading.after:
            self.note("Its profiler samples are not shown.")

    def events(self) -> Events:
        """Return all that was collected."""
        counted = (f"{_many(n, noun)} not shown." for noun, n in self._left_out.items())
        texts = tuple(word if isinstance(word, str) else str(word) for word in self._strings)
        first = self._columns([]) | {"ts": np.zeros(0, np.int64)}
        parts = self._parts or [first]
        columns = {key: np.concatenate([part[key] for part in parts]) for key in first}
        threads, columns["thread"] = _merged(tuple(self._threads), columns["thread"])
        points = self.arrows.points()
        if len(points):
            points = replace(points, thread=_merged(tuple(self._threads), points.thread)[1])
        named = {number: title.name for number, title in self._processes.items()}
        return Events(
            texts, columns, threads, self._processes, self._titles, (*self._notes, *counted),
            self.values.counters(named), points, tuple(self._explicit_flows),
        )  # fmt: skip

    def _thread(self, event: _Event) -> int:
        return int(numbers(self._threads, [(event.pid, event.tid)])[0])

    def _columns(self, events: list[_Event]) -> dict[str, Column]:
        arguments = [
            e.args if isinstance(e.args, _Arguments) else _NO_ARGUMENTS for e in events
        ]
        texts = self._strings
        durations = nanoseconds([e.tdur if e.dur is None else e.dur for e in events])
        return {
            "phase": np.array([ord(event.ph) for event in events], np.int32),
            "name": numbers(texts, [event.name or "" for event in events]),
            "category": numbers(texts, [event.cat or "" for event in events]),
            "operator": numbers(texts, [t.op_name or t.operator or "" for t in arguments]),
            "provider": numbers(texts, [t.provider or "" for t in arguments]),
            "parent": numbers(texts, [t.parent_name or "" for t in arguments]),
            "kind": numbers(texts, [t.kind or "" for t in arguments]),
            "stream": numbers(texts, ["" if t.stream is None else t.stream for t in arguments]),
            "layer_name": numbers(texts, [t.layer_name or "" for t in arguments]),
            "thread": numbers(self._threads, [(event.pid, event.tid) for event in events]),
            "ident": self._ident(events),
            "dur": np.where(durations == NONE_NS, -1, np.maximum(durations, 0)),
            "layer": integers([t.layer for t in arguments], -1, 1 << 30),
            "run": integers([t.run for t in arguments], -1, 1 << 30),
            "number": integers([t.node_index for t in arguments], -1, 1 << 30),
            "size": integers([t.bytes or t.output_size for t in arguments], 0, 1 << 60),
        }

    def _ident(self, events: list[_Event]) -> Column:
        if all(event.id is None and event.id2 is None for event in events):
            return np.full(len(events), -1, np.int32)
        keys = [
            (str(e.cat), str(e.scope), str(e.id2 if e.id is None else e.id)) for e in events
        ]
        idents = numbers(self._idents, keys)
        has_ident = [event.id is not None or event.id2 is not None for event in events]
        return np.where(has_ident, idents, -1)

    def _add_other(self, event: _Event) -> None:
        """Keep a title or an arrow; count everything else that has no place in a timeline."""
        if type(event.ph) is str and event.ph in _ARROWS:
            self._arrow(event)
            return
        if event.ph != "M":
            if event.ph == "C":
                return  # of which `values` takes care
            phase = event.ph if isinstance(event.ph, str) else ""
            self._left_out[_NOT_SHOWN.get(phase, "event{s} of an unknown kind")] += 1
            return
        arguments = event.args
        if not isinstance(arguments, _Arguments):
            return
        process, thread = str(event.pid), (str(event.pid), str(event.tid))
        match event.name:
            case "process_name":
                self._processes[process] = _named(self._processes.get(process), arguments)
            case "process_sort_index":
                self._processes[process] = _sorted(self._processes.get(process), arguments)
            case "thread_name":
                self._titles[thread] = _named(self._titles.get(thread), arguments)
            case "thread_sort_index":
                self._titles[thread] = _sorted(self._titles.get(thread), arguments)
            case "inspector_note" if len(self._notes) < _MOST_NOTES and arguments.name:
                self.note(str(arguments.name)[:_LONGEST_NOTE])

    def _arrow(self, event: _Event) -> None:
        arguments = event.args if isinstance(event.args, _Arguments) else _NO_ARGUMENTS
        ours = (arguments.begin_span, arguments.end_span)
        if all(type(one) is int and 0 <= one < MOST for one in ours):
            if event.ph == "s":
                self._explicit_flows.append((*ours, str(arguments.flow)))
            return
        self.arrows.take(event, self._thread(event))


def _has_a_place(event: _Event) -> bool:
    return type(event.ph) is str and event.ph in _SHOWN


def _named(before: Title | None, arguments: _Arguments) -> Title:
    more = {key: getattr(arguments, key) for key in _OWN_WORDS}
    name = "" if arguments.name is None else str(arguments.name)
    return Title(name, before.order if before else 0.0, more)


def _sorted(before: Title | None, arguments: _Arguments) -> Title:
    order = arguments.sort_index
    number = float(order) if isinstance(order, int | float) and math.isfinite(order) else 0.0
    return Title(before.name, number, before.arguments) if before else Title(order=number)


def _merged(
    pairs: tuple[tuple[Any, Any], ...], column: Column
) -> tuple[tuple[tuple[str, str], ...], Column]:
    """Threads by their texts: some programs write a number now as a number, now as a text."""
    texts: dict[tuple[str, str], int] = {}
    into = [texts.setdefault((str(pid), str(tid)), len(texts)) for pid, tid in pairs]
    return tuple(texts), np.array(into, np.int32)[column] if into else column


def _many(number: int, noun: str) -> str:
    one = number == 1
    return f"{number:,} {noun.format(s='' if one else 's')} {'is' if one else 'are'}"
