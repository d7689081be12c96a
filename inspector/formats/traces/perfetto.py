"""Events of Perfetto's own trace format: slices, instants, counters and flows of programs.

Format: TracePacket, TrackEvent, TrackDescriptor and InternedData of the Perfetto project.
What the system's own probes write, such as scheduling, is counted and not shown.
"""

import struct
import zlib
from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from msgspec import Struct, field

from inspector.formats.protobuf_wire import (
    LENGTH,
    PADDING,
    VARINT,
    Malformed,
    Window,
    records,
    varint,
)
from inspector.formats.source import Source
from inspector.formats.traces.span_collector import Spans, blank, points
from inspector.trace.trace import KINDS, Counter, Kind, Lane, Track

# Field numbers of Trace.packet and TracePacket.compressed_packets.
_PACKET = 1
_COMPRESSED = 50
_FIRST = frozenset({2, 3, 6, 8, 10, 11, 12, 13, 33, 35, 36, 41, 42, 45, 50, 58, 59, 60})
_MOST_UNPACKED = 256 << 20  # bytes of one compressed packet

Value = int | bytes
SOURCE = "Perfetto trace"
CLOCK = "BOOTTIME"
MOST = 10_000_000
_FAR = 1 << 61  # ns; farther times are damage, and sums of nearer ones fit into int64
_BEGIN = 1
_END = 2
_INSTANT = 3
_COUNTER = 4
_LEGACY = {ord("B"): _BEGIN, ord("E"): _END, ord("I"): _INSTANT, ord("i"): _INSTANT}
_WHOLE = ord("X")
_BYTES = 3
_BOOTTIME = 6
_OWN_CLOCKS = 64
_EVENT = KINDS.index(Kind.EVENT)


class Message(Struct):
    """The fields of a message, each with its values in order: numbers, or bytes."""

    fields: dict[int, list[Value]] = field(default_factory=dict)

    def number(self, which: int, other: int = 0) -> int:
        """Return the last number of a field."""
        values = self.fields.get(which)
        return values[-1] if values and isinstance(values[-1], int) else other

    def numbers(self, which: int) -> tuple[int, ...]:
        """Return all numbers of a field, packed or not."""
        values: list[int] = []
        for value in self.fields.get(which, ()):
            if isinstance(value, int):
                values.append(value)
                continue
            at, padded = 0, value + PADDING
            while at < len(value):
                number, at = varint(padded, at)
                values.append(number)
        return tuple(values)

    def text(self, which: int) -> str:
        """Return the last text of a field."""
        values = self.fields.get(which)
        last = values[-1] if values else b""
        return last.decode("utf-8", "replace") if isinstance(last, bytes) else ""

    def messages(self, which: int) -> Iterator["Message"]:
        """Yield all messages of a field."""
        for value in self.fields.get(which, ()):
            if isinstance(value, bytes):
                yield message(value)

    def has(self, which: int) -> bool:
        """Return whether a field is there."""
        return which in self.fields

    def double(self, which: int) -> float:
        """Return a fixed number of 8 bytes as what it stands for."""
        return float(struct.unpack("<d", struct.pack("<Q", self.number(which)))[0])


def message(body: bytes) -> Message:
    """Return the fields of a message. Raises Malformed."""
    padded, decoded = body + PADDING, Message()
    for number, wire, _, start, stop in records(padded, 0, len(body)):
        value: Value
        if wire == VARINT:
            value = varint(padded, start)[0]
        elif wire == LENGTH:
            value = padded[start:stop]
        else:
            value = int.from_bytes(padded[start:stop], "little")
        decoded.fields.setdefault(number, []).append(value)
    return decoded


def packets(source: Source, damage: list[str]) -> Iterator[Message]:
    """Yield the packets of a trace until the first damaged one; the damage becomes a note."""
    data, unpacked = Window(source), 0
    try:
        for number, wire, _, start, stop in records(data, 0, source.size):
            if number != _PACKET or wire != LENGTH:
                continue
            packet = message(data[start:stop])
            if not packet.has(_COMPRESSED):
                yield packet
                continue
            unpack = zlib.decompressobj()
            value = packet.fields[_COMPRESSED][-1]
            body = unpack.decompress(
                (value if isinstance(value, bytes) else b""), _MOST_UNPACKED - unpacked
            )
            unpacked += len(body)
            yield from message(body).messages(_PACKET)
            if unpack.unconsumed_tail:
                damage.append("It contains more compressed data than Inspector unpacks.")
                return
    except (Malformed, zlib.error) as error:
        damage.append(f"It is damaged or truncated ({error}); events before that are shown.")


def looks_like_one(head: bytes) -> bool:
    """Return whether a file begins with a packet that says something that packets say first."""
    if head[:1] != b"\n":
        return False
    try:
        length, start = varint(head[:16] + PADDING, 1)
        tag, _ = varint(head[start : start + 8] + PADDING, 0)
    except Malformed:
        return False
    return bool(length) and tag >> 3 in _FIRST and tag & 7 in (VARINT, LENGTH)


class _Sequence(Struct):
    """State of a writer: earlier packets that its later ones refer to by number.

    clocks: of each its zero on the boot clock, the unit, and whether times add up; now: the
    last time of those that do.
    """

    names: dict[int, str] = field(default_factory=dict)
    track: int = 0
    clock: int = _BOOTTIME
    clocks: dict[int, tuple[int, int, bool]] = field(default_factory=dict)
    now: dict[int, int] = field(default_factory=dict)


class _Described(Struct):
    """A track's descriptor: own name, those of its parents, and the unit of a counter."""

    name: str = ""
    process: str = ""
    thread: str = ""
    parent: int = 0
    unit: str = ""
    factor: int = 1
    adds_up: bool = False


class _Table:
    """Collects spans, values and arrows, packet by packet."""

    def __init__(self) -> None:
        self.rows: list[list[int]] = []  # start, duration, track, name
        self.points: list[tuple[int, int, int, int, bool, bool, bool]] = []
        self.values: dict[int, list[tuple[int, float]]] = defaultdict(list)
        self.described: dict[int, _Described] = {}
        self.names: dict[str, int] = {}
        self.others = self.lost = self.alone = self.damaged = 0
        self.tracks: dict[int, int] = {}  # number of each uuid, which may have 64 bits
        self._open: dict[int, list[int]] = defaultdict(list)
        self._sequences: dict[int, _Sequence] = defaultdict(_Sequence)

    @property
    def endless(self) -> list[int]:
        """Rows that never ended."""
        return [row for rows in self._open.values() for row in rows]

    def take(self, packet: Message) -> None:
        """Add the content of one packet."""
        number = packet.number(10)
        if packet.number(41) or packet.number(13) & 1:
            before = self._sequences[number]
            self._sequences[number] = _Sequence(clocks=before.clocks, now=before.now)
        own = self._sequences[number]
        for defaults in packet.messages(59):
            own.clock = defaults.number(58, own.clock)
            for event in defaults.messages(11):
                own.track = event.number(11, own.track)
        for interned in packet.messages(12):
            own.names |= {one.number(1): one.text(2) for one in interned.messages(2)}
        for snapshot in packet.messages(6):
            _set_clocks(own, snapshot)
        for descriptor in packet.messages(60):
            track = self.described.setdefault(descriptor.number(1), _Described())
            track.name = descriptor.text(2) or descriptor.text(10) or track.name
            track.parent = descriptor.number(5, track.parent)
            for process in descriptor.messages(3):
                track.process = process.text(6) or f"Process {process.number(1)}"
            for thread in descriptor.messages(4):
                track.thread = thread.text(5) or f"Thread {thread.number(2)}"
            for counter in descriptor.messages(8):
                track.unit = "bytes" if counter.number(3) == _BYTES else ""
                track.factor = counter.number(4, 1) or 1
                track.adds_up = bool(counter.number(5))
        for event in packet.messages(11):
            self._event(event, packet, own)
        self.others += not any(map(packet.has, (6, 11, 12, 33, 35, 36, 41, 45, 59, 60)))

    def _event(self, event: Message, packet: Message, own: _Sequence) -> None:
        at = _time(event, packet, own)
        track, legacy = event.number(11, own.track), next(event.messages(6), Message())
        phase = legacy.number(2)
        kind = event.number(9) or _LEGACY.get(phase, 0)
        if at is None or (not kind and phase != _WHOLE):
            self.lost += 1
        elif kind == _END:
            if self._open[track]:
                row = self.rows[self._open[track].pop()]
                row[1] = max(0, at - row[0])
            else:
                self.alone += 1
        elif kind == _COUNTER:
            value = event.double(44) if event.has(44) else float(_signed(event.number(30)))
            self.values[track].append((at, value))
        else:
            name = event.text(23) or own.names.get(
                event.number(10) or legacy.number(1), "Unnamed"
            )
            length = min(_signed(legacy.number(3)) * 1000, _FAR - 1)
            self._span(event, track, name, at, max(0, length) if phase == _WHOLE else 0)
            if kind == _BEGIN:
                self._open[track].append(len(self.rows) - 1)

    def _span(self, event: Message, track: int, name: str, at: int, length: int) -> None:
        row = len(self.rows)
        place = self.tracks.setdefault(track, len(self.tracks))
        self.rows.append([at, length, place, self.names.setdefault(name, len(self.names))])
        ends = {*event.numbers(48), *event.numbers(42)}
        for flow in {*event.numbers(47), *event.numbers(36), *ends}:
            self.points.append((flow, 0, at, row, False, flow in ends, False))


def _set_clocks(own: _Sequence, snapshot: Message) -> None:
    """Clocks of a writer as they stand to the boot clock at this moment."""
    clocks = {one.number(1): one for one in snapshot.messages(1)}
    boot = clocks[_BOOTTIME].number(2) if _BOOTTIME in clocks else 0
    for number, one in clocks.items():
        unit, now = one.number(4, 1) or 1, one.number(2)
        own.clocks[number] = (boot - now * unit, unit, bool(one.number(3)))
        own.now[number] = now


def _time(event: Message, packet: Message, own: _Sequence) -> int | None:
    """Return when an event was, in nanoseconds of the boot clock; None where that is not
    known."""
    if event.has(16):
        return _near(_signed(event.number(16)) * 1000)
    if not packet.has(8):
        return None
    timestamp, clock = packet.number(8), packet.number(58, own.clock)
    zero, unit, adds_up = own.clocks.get(clock, (0, 1, False))
    if clock >= _OWN_CLOCKS and clock not in own.clocks:
        return None
    if adds_up:
        timestamp = own.now[clock] = own.now[clock] + timestamp
    return _near(zero + timestamp * unit)


def _near(at: int) -> int | None:
    return at if -_FAR // 4 < at < _FAR // 4 else None


def _signed(number: int) -> int:
    return number - (1 << 64) if number >> 63 else number


def spans(source: Source) -> Spans:
    """Return all events of a trace. Raises UnreadableFile: it holds none."""
    table, damage = _Table(), list[str]()
    for packet in packets(source, damage):
        try:
            table.take(packet)
        except Malformed:
            table.damaged += 1
        if len(table.rows) >= MOST:
            damage.append(f"Only the first {MOST:,} events are shown.")
            break
    if not table.rows:
        why = " ".join(("it contains no program events.", *_notes(table, damage)))
        raise source.failure(why.removesuffix("."))
    rows = np.array(table.rows, np.int64)
    last = int((rows[:, 0] + rows[:, 1]).max())
    for row in table.endless:
        rows[row, 1] = max(0, last - rows[row, 0])
    columns = blank(
        len(rows),
        start_ns=rows[:, 0],
        duration_ns=rows[:, 1],
        track=rows[:, 2],
        kind=np.full(len(rows), _EVENT),
        name=rows[:, 3],
    )
    tracks = tuple(_track(table.described, uuid) for uuid in table.tracks)
    # Ids in the file have 64 bits.
    chains: dict[int, int] = {}
    return Spans(
        SOURCE,
        tracks,
        tuple(table.names),
        columns,
        notes=_notes(table, damage),
        counters=tuple(_counter(table, uuid) for uuid in table.values),
        points=points(
            [(chains.setdefault(one[0], len(chains)), *one[1:]) for one in table.points]
        ),
    )


def _above(described: dict[int, _Described], uuid: int) -> list[_Described]:
    """Return a track and those that it is part of, the innermost first."""
    ancestors: list[_Described] = []
    while uuid in described and described[uuid] not in ancestors and len(ancestors) < 20:
        ancestors.append(described[uuid])
        uuid = described[uuid].parent
    return ancestors


def _track(described: dict[int, _Described], uuid: int) -> Track:
    above = _above(described, uuid)
    process = next((one.process for one in above if one.process), "")
    thread = next((one.thread for one in above if one.thread), "")
    name = next((one.name for one in above[:1] if one.name), "") or thread or process
    several = len({one.process for one in described.values() if one.process}) > 1
    shown = " · ".join(dict.fromkeys(filter(None, (name, process if several else ""))))
    return Track(Lane.ACTIVITY, shown or "Events", "", "activity", process, "", thread)


def _counter(table: _Table, uuid: int) -> Counter:
    above = _above(table.described, uuid)
    own = above[0] if above else _Described()
    samples = sorted(table.values[uuid], key=lambda one: one[0])
    values = np.array([value for _, value in samples]) * own.factor
    return Counter(
        own.name or "Counter",
        own.unit,
        np.array([at for at, _ in samples], np.int64),
        np.cumsum(values) if own.adds_up else values,
        next((one.process for one in above if one.process), ""),
    )


def _notes(table: _Table, damage: list[str]) -> tuple[str, ...]:
    counted = (
        (table.damaged, "packets are damaged: some events may be missing."),
        (len(table.endless), "events have no end: they are drawn up to the end of the trace."),
        (table.alone, "end events without a begin event are omitted."),
        (table.lost, "events of unknown kind or time are omitted."),
        (table.others, "packets of other data sources, such as scheduling, are not shown."),
    )
    return (*damage, *(f"{number:,} {text}" for number, text in counted if number))
