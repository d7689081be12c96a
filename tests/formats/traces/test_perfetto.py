"""Traces in Perfetto's own format, written here by the documented numbers of its fields."""

import struct
import zlib
from pathlib import Path

import pytest

from inspector.errors import UnreadableFile
from inspector.formats.traces.detection import looks_like_trace, open_trace
from inspector.formats.traces.span_collector import OpenedTrace
from tests.formats.made_traces import told

Fields = dict[int, "int | float | str | bytes | Fields | list[int | Fields]"]
FIXED = {44, 47, 48}


def number(value: int) -> bytes:
    value &= (1 << 64) - 1
    digits = bytearray()
    while value > 127:
        digits.append(value & 127 | 128)
        value >>= 7
    return bytes((*digits, value))


def written(fields: Fields) -> bytes:
    body = b""
    for key, values in fields.items():
        for value in values if isinstance(values, list) else [values]:
            if isinstance(value, float) or (key in FIXED and isinstance(value, int)):
                form = "<d" if isinstance(value, float) else "<Q"
                body += number(key << 3 | 1) + struct.pack(form, value)
            elif isinstance(value, int):
                body += number(key << 3) + number(value)
            else:
                raw = value.encode() if isinstance(value, str) else value
                inner = written(raw) if isinstance(raw, dict) else raw
                body += number(key << 3 | 2) + number(len(inner)) + inner
    return body


def packet(at: int | None, event: Fields | None = None, **more: object) -> bytes:
    fields: Fields = {} if at is None else {8: at}
    fields |= {10: 1} if event is None else {10: 1, 11: event}
    fields |= {int(key[1:]): value for key, value in more.items()}
    return written({1: fields})


def opened(folder: Path, *parts: bytes) -> OpenedTrace:
    path = folder / "any.bin"
    path.write_bytes(b"".join(parts))
    assert looks_like_trace(path)
    return open_trace(path)


HEAD = (
    packet(None, _60={1: 5, 3: {1: 77, 6: "app"}}),
    packet(None, _60={1: 7, 5: 5, 4: {1: 77, 2: 78, 5: "worker"}}),
    packet(None, _60={1: 1 << 63, 2: "Queue", 5: 5}),
    packet(None, _60={1: 9, 2: "Heap", 5: 5, 8: {3: 3, 4: 1024}}),
)


def begin(at: int, name: str, track: int = 7, **more: object) -> bytes:
    told = {int(key[1:]): value for key, value in more.items()}
    return packet(at, {9: 1, 11: track, 23: name, **told})


def end(at: int, track: int = 7) -> bytes:
    return packet(at, {9: 2, 11: track})


def test_slices_nest_on_the_tracks_of_their_threads(tmp_path):
    found = opened(
        tmp_path, *HEAD, begin(1000, "outer"), begin(3000, "inner"), end(5000), end(9000),
        packet(6000, {9: 3, 11: 1 << 63, 23: "tick"}),
    )  # fmt: skip
    assert found.source == "Perfetto trace"
    assert told(found) == [("outer", 0, 8, 0), ("inner", 2, 2, 1), ("tick", 5, 0, 0)]
    told_of = [(track.name, track.process, track.thread) for track in found.trace.tracks]
    assert told_of == [("worker", "app", "worker"), ("Queue", "app", "")]
    assert found.notes == ()
    assert (found.clock.name, found.clock.zero_ns) == ("BOOTTIME", 1000)


def test_names_and_tracks_told_once_are_known_until_the_writer_forgets(tmp_path):
    named = packet(None, _13=1, _12={2: {1: 4, 2: "conv"}}, _59={11: {11: 7}})
    found = opened(
        tmp_path, *HEAD, named, packet(1000, {9: 1, 10: 4}), packet(2000, {9: 2}),
        packet(None, _13=1), packet(5000, {9: 3, 10: 4, 11: 7}),
    )  # fmt: skip
    assert told(found) == [("conv", 0, 1, 0), ("Unnamed", 4, 0, 0)]


def test_counters_have_their_unit_and_flows_lead_from_slice_to_slice(tmp_path):
    flow = (1 << 63) + 5
    found = opened(
        tmp_path, *HEAD, begin(1000, "send", _47=flow), end(2000),
        begin(3000, "step", 1 << 63, _47=flow), end(4000, 1 << 63),
        begin(5000, "receive", _48=flow), end(6000), begin(7000, "again", _47=flow), end(8000),
        packet(2000, {9: 4, 11: 9, 30: 3}), packet(1500, {9: 4, 11: 9, 44: 0.5}),
    )  # fmt: skip
    trace = found.trace
    pairs = zip(trace.flows.begin.tolist(), trace.flows.end.tolist(), strict=True)
    names = {(trace.span(one).name, trace.span(other).name) for one, other in pairs}
    assert names == {("send", "step"), ("step", "receive")}
    (heap,) = trace.counters
    assert (heap.name, heap.unit, heap.process) == ("Heap", "bytes", "app")
    assert heap.times_ns.tolist() == [500, 1000]
    assert heap.values.tolist() == [512, 3072]


def test_a_writers_own_clock_is_brought_onto_the_boot_clock(tmp_path):
    clocks = {1: [{1: 6, 2: 1_000_000}, {1: 64, 2: 50, 3: 1, 4: 1000}]}
    found = opened(
        tmp_path, *HEAD, packet(None, _6=clocks, _59={58: 64}), begin(10, "a"), end(5),
        begin(5, "b"), end(1),
    )  # fmt: skip
    assert told(found) == [("a", 0, 5, 0), ("b", 10, 1, 0)]
    assert found.clock.zero_ns == 1_010_000


def test_old_events_with_phases_and_compressed_packets_are_read(tmp_path):
    old = packet(1000, {11: 7, 6: {1: 4, 2: ord("X"), 3: 9}}, _12={2: {1: 4, 2: "old"}})
    found = opened(tmp_path, *HEAD, written({1: {50: zlib.compress(old)}}))
    assert told(found) == [("old", 0, 9, 0)]


def test_what_is_missing_is_told(tmp_path):
    whole = (*HEAD, begin(1000, "a"), end(900), end(950), begin(2000, "endless"))
    other = packet(3000, _1=b"\x08\x01")  # scheduling
    found = opened(tmp_path, *whole, other, packet(None, {9: 1, 11: 7, 23: "when"}))
    assert found.notes == (
        "1 events have no end: they are drawn up to the end of the trace.",
        "1 end events without a begin event are omitted.",
        "1 events of unknown kind or time are omitted.",
        "1 packets of other data sources, such as scheduling, are not shown.",
    )
    cut = opened(tmp_path, *whole, begin(5000, "long name")[:-3])
    assert cut.notes[0].startswith("It is damaged or truncated (3 B are missing at its end)")
    with pytest.raises(UnreadableFile, match="no program events"):
        opened(tmp_path, *HEAD)


def test_json_that_begins_with_a_line_break_is_no_such_trace(tmp_path):
    path = tmp_path / "a.json"
    for space in ("\n", "\n\n", "\n  ", "\n\t"):
        path.write_text(space + '[{"ph": "X", "ts": 1, "dur": 2, "name": "a"}]', "utf-8")
        assert len(open_trace(path).trace) == 1


def test_a_damaged_packet_is_passed_over_and_the_rest_is_shown(tmp_path):
    broken = written({1: {8: 1, 10: 1, 11: b"\x0b"}})  # a group that never ends
    spans = [begin(1_000, "load"), broken, packet(2_000, {9: 2, 11: 7})]
    found = opened(tmp_path, *HEAD, *spans)
    assert found.trace.names == ("load",)
    assert any(note.startswith("1 packets are damaged") for note in found.notes)
