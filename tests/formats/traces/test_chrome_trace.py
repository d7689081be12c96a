import gzip
import json
from typing import Any

import pytest

from inspector.errors import UnreadableFile
from inspector.formats.traces.detection import looks_like_trace, open_trace
from inspector.formats.traces.span_collector import OpenedTrace
from inspector.trace.trace import Kind, Lane
from tests.formats.made_traces import complete, marks, opened, told

TWO = [complete("outer", 10, 20), complete("inner", 12, 5)]
BOTH = [("outer", 0, 20, 0), ("inner", 2, 5, 1)]


@pytest.mark.parametrize(
    "content",
    [
        TWO,
        {"traceEvents": TWO},
        {"otherData": {"a": '{"traceEvents": [1]}'}, "traceEvents": TWO, "x": [1]},
        {"metadata": {"traceEvents": [{"ph": "X"}]}, "traceEvents": TWO},
        b"\xef\xbb\xbf\n " + json.dumps(TWO).encode(),
        gzip.compress(json.dumps({"traceEvents": TWO}).encode()),
        b"\n".join(json.dumps(event).encode() for event in TWO),
    ],
    ids=["list", "object", "text like a key", "deeper key", "mark", "gzip", "lines"],
)
def test_every_shape_of_file_gives_the_same_spans(tmp_path, content):
    found = opened(tmp_path, content)
    assert told(found) == BOTH
    assert found.notes == ()


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("B a 0, B b 1, E b 3, E a 9", [("a", 0, 9, 0), ("b", 1, 2, 1)]),
        ("E a 9, E b 3, B a 0, B b 1", [("a", 0, 9, 0), ("b", 1, 2, 1)]),
        ("B a 0, B b 1, E - 3, E - 9", [("a", 0, 9, 0), ("b", 1, 2, 1)]),
        ("B a 0, B b 1, E b 2, E - 5", [("a", 0, 5, 0), ("b", 1, 1, 1)]),
        ("B a 0, B b 1, E a 3, E b 9", [("a", 0, 3, 0), ("b", 1, 8, 1)]),
        ("B a 0, B a 1, E a 3, E a 9", [("a", 0, 9, 0), ("a", 1, 2, 1)]),
        ("B a 0, B b 1, B c 2, E a 3, E - 4, E - 5",
         [("a", 0, 3, 0), ("b", 1, 4, 1), ("c", 2, 2, 2)]),
    ],
)  # fmt: skip
def test_an_end_ends_the_latest_begin_of_its_name(tmp_path, text, spans):
    found = opened(tmp_path, marks(text))
    assert told(found) == spans
    assert found.notes == ()


def test_what_never_ends_and_what_never_began_is_told(tmp_path):
    found = opened(tmp_path, marks("B a 0, E b 2, B c 3, E c 8"))
    assert told(found) == [("a", 0, 8, 0), ("c", 3, 5, 1)]
    assert found.notes == (
        "1 event has no end: it is drawn up to the end of the trace.",
        "1 end event without a begin event is omitted.",
    )


@pytest.mark.parametrize(
    ("ts", "dur", "start", "length"),
    [
        (1, 2, 1000, 2000),
        (1.25, 0.001, 1250, 1),
        ("7", "8.5", 7000, 8500),
        (-5, 3, -5000, 3000),
        (9_007_199_254.123, 1, 9_007_199_254_123, 1000),
        (1_700_000_000_000_000, 1, 1_700_000_000_000_000_000, 1000),
        (3, None, 3000, 0),
        (3, -4, 3000, 0),
        (3, float("nan"), 3000, 0),
    ],
)
def test_times_are_read_to_the_nanosecond(tmp_path, ts, dur, start, length):
    found = opened(tmp_path, [complete("first", -10, 1), complete("one", ts, dur)]).trace
    span = next(found.span(i) for i in range(2) if found.names[found.name[i]] == "one")
    assert (span.start_ns, span.duration_ns) == (start + 10_000, length)


@pytest.mark.parametrize("ts", [float("nan"), float("inf"), 1e300, 10**40, None, "x", [1], {}])
def test_an_event_without_a_usable_time_is_left_out_and_counted(tmp_path, ts):
    found = opened(tmp_path, [complete("good", 5, 1), complete("bad", ts, 1)])
    assert told(found) == [("good", 0, 1, 0)]
    assert found.notes == ("1 event without a usable time is not shown.",)


def test_threads_get_their_names_and_the_order_that_the_file_asks_for(tmp_path):
    def title(kind: str, tid: int, **args: Any) -> dict[str, Any]:
        return {"ph": "M", "pid": 1, "tid": tid, "name": kind, "args": args}

    events = [
        complete("a", 0, 1),
        complete("b", 0, 1, tid=2),
        complete("c", 0, 1, tid="3"),
        title("thread_name", 1, name="main"),
        title("thread_sort_index", 1, sort_index=9),
        title("thread_name", 2, name="worker"),
    ]
    found = opened(tmp_path, events)
    assert [track.name for track in found.trace.tracks] == ["worker", "Thread 3", "main"]
    assert [name for name, *_ in told(found)] == ["b", "c", "a"]
    assert {track.lane for track in found.trace.tracks} == {Lane.ACTIVITY}
    several = opened(tmp_path, [*events, complete("d", 0, 1, pid=7)])
    names = [track.name for track in several.trace.tracks]
    assert names[2:] == ["main", "Thread 1 · Process 7"]


def test_a_number_of_a_thread_is_the_same_as_a_text(tmp_path):
    found = opened(tmp_path, [complete("a", 0, 1, tid=4), complete("b", 2, 1, tid="4")])
    assert len(found.trace.tracks) == 1


def test_asynchronous_spans_get_a_track_of_their_own(tmp_path):
    def flight(ph: str, ts: int, id: int, tid: int = 1) -> dict[str, Any]:  # noqa: A002
        return {"ph": ph, "cat": "net", "name": "get", "id": id, "ts": ts, "pid": 1, "tid": tid}

    events = [
        complete("main", 0, 100),
        flight("b", 10, 1), flight("b", 20, 2), flight("n", 25, 2),
        flight("e", 40, 1, tid=2), flight("e", 90, 2),
    ]  # fmt: skip
    found = opened(tmp_path, events)
    assert [track.name for track in found.trace.tracks] == ["Thread 1", "net (async)"]
    assert told(found)[1:3] == [("get", 10, 30, 0), ("get", 20, 70, 1)]


def test_what_overlaps_without_end_needs_few_rows(tmp_path):
    starts = [{"ph": "b", "id": i, "name": "get", "ts": i * 10, "pid": 1} for i in range(100)]
    ends = [event | {"ph": "e", "ts": int(str(event["ts"])) + 25} for event in starts]
    assert int(opened(tmp_path, starts + ends).trace.depth.max()) == 2


def test_what_ran_on_a_device_is_compute_and_its_copies_are_copies(tmp_path):
    events = [
        complete("aten::relu", 0, 9, cat="cpu_op"),
        complete("launch", 1, 2, cat="kernel"),
        complete("relu_kernel", 5, 3, cat="kernel", tid=7),
        complete("to device", 9, 3, cat="gpu_memcpy", tid=7),
    ]
    trace = opened(tmp_path, events).trace
    assert [(track.lane, track.family) for track in trace.tracks] == [
        (Lane.ACTIVITY, "activity"),
        (Lane.COMPUTE, "gpu"),
    ]
    assert [trace.span(i).kind for i in (2, 3)] == [Kind.KERNEL, Kind.COPY]


def test_instants_are_spans_without_length(tmp_path):
    found = opened(tmp_path, [complete("a", 0, 9), complete("mark", 3, None, ph="i", s="t")])
    assert told(found) == [("a", 0, 9, 0), ("mark", 3, 0, 1)]
    assert found.trace.span(1).kind is Kind.EVENT


def test_what_has_no_place_in_a_timeline_is_counted(tmp_path):
    others = [complete("x", 0, 0, ph=ph) for ph in ("C", "C", "s", "f", "P", "?", 5, None)]
    found = opened(tmp_path, [complete("a", 0, 9), *others])
    assert len(found.trace) == 1
    assert set(found.notes) == {
        "2 counter values are omitted.",
        "1 sample is not shown.",
        "3 events of an unknown kind are not shown.",
    }


@pytest.mark.parametrize(
    ("phase", "words"),
    [
        ("P", "samples"), ("N", "object events"), ("O", "object events"),
        ("D", "object events"), ("v", "memory dumps"), ("V", "memory dumps"),
        ("Q", "events of an unknown kind"),
    ],
)  # fmt: skip
def test_each_kind_of_event_that_is_not_shown_has_a_name(tmp_path, phase, words):
    found = opened(tmp_path, [complete("a", 0, 9), *[complete("x", 0, 0, ph=phase)] * 2])
    assert found.notes == (f"2 {words} are not shown.",)


@pytest.mark.parametrize(
    "broken",
    [
        {"name": ["a", {"b": 1}]}, {"name": None}, {"name": 7}, {"cat": {}}, {"pid": [1]},
        {"tid": None}, {"args": [1, {"x": [2]}]}, {"args": "text"}, {"args": None},
        {"args": {"layer": "many", "run": [1], "bytes": -5, "op_name": {"a": 1}}},
        {"id": {}, "ph": "b"}, {"args": {"name": 10**30}},
    ],
)  # fmt: skip
def test_values_of_any_type_are_taken_as_they_come(tmp_path, broken):
    found = opened(tmp_path, [complete("a", 0, 9), complete("b", 2, 3) | broken])
    assert len(found.trace) == 2


def test_a_file_may_end_anywhere(tmp_path):
    events = [complete('é"{[', i, 1, args={"x": [{"}": "]"}]}) for i in range(3)]
    whole = json.dumps(events).encode()
    ends = [len(json.dumps(events[: i + 1])) - 1 for i in range(3)]
    for length in range(ends[0], len(whole)):
        found = opened(tmp_path, whole[:length])
        assert len(found.trace) == sum(end <= length for end in ends)
        assert len(found.notes) == 1
    for length in range(1, ends[0]):
        with pytest.raises(UnreadableFile, match="no events"):
            opened(tmp_path, whole[:length])


def test_a_damaged_event_is_left_out_and_the_rest_is_there(tmp_path):
    body = json.dumps([complete("a", 0, 1), complete("b", 2, 1), complete("c", 4, 1)]).encode()
    found = opened(tmp_path, body.replace(b'"ts": 2', b'"ts": 2 2'))
    assert [name for name, *_ in told(found)] == ["a", "c"]
    assert found.notes == ("1 damaged event is omitted.",)


@pytest.mark.parametrize(
    "body",
    [
        b'[{"ph":"X","ts":1,"dur":2,"name":"a\x01\xff"}]',
        b'[{"ph":"X","ts":0,"ts":1,"dur":2,"name":"x","name":"a"}]',
        b'[{"ph":"X","ts":1,"dur":2,"name":"a"} {"ph":"X","ts":1,"dur":2,"name":"a"}]',
        b'[,,null,{"ph":"X","ts":1,"dur":2,"name":"a"},,]',
        b'[{"ph":"X","ts":1,"dur":2,"name":"\\ud800"}]',
        b'[{"ph":"X","ts":1,"dur":2,"name":"a","args":{"v":NaN}}]',
        b'[{"ph":"X","ts":1,"dur":2,"name":"a","\xff":1}]',
        b'[{"ph":"X","ts":1,"dur":2,"name":"a"},{"ph":"C","\x80":1,"ts":1,"name":"c"}]',
    ],
)
def test_what_is_almost_json_is_read(tmp_path, body):
    assert told(opened(tmp_path, body))[0][1:] == (0, 2, 0)


def test_brackets_in_a_name_part_no_events(tmp_path):
    names = ['"', '\\"', "}]", "],[{", "\\", "\\\\"]
    found = opened(tmp_path, [complete(name, i * 10, 5) for i, name in enumerate(names)])
    assert [name for name, *_ in told(found)] == names


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"", "empty"),
        (b"   \n", "empty"),
        (b"[]", "no events"),
        (b'{"a": 1}', "no array"),
        (b"\x0a\x03abc", "not JSON"),
        (b"hello", "not JSON"),
        (b"[1, 2, 3]", "no events"),
        (b"[" * 100_000, "no events"),
        (b'[{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}]", "no events"),
        (b'[{"ph":"E","ts":1,"name":"a"}]', "no event in it has a start time"),
        (gzip.compress(b"nothing", mtime=0), "not JSON"),
    ],
)
def test_what_holds_no_trace_is_refused_in_a_sentence(tmp_path, body, why):
    with pytest.raises(UnreadableFile, match=why):
        opened(tmp_path, body)


def test_a_compressed_file_that_ends_early_gives_what_was_in_it(tmp_path):
    body = json.dumps([complete(f"name {i * i}", i, 1) for i in range(5000)]).encode()
    found = opened(tmp_path, gzip.compress(body, mtime=0)[:-2000])
    assert 100 < len(found.trace) < 5000
    assert found.notes == ("The compressed file ends early.",)


def test_deep_nesting_is_drawn_as_deep_as_a_trace_can_be(tmp_path):
    deep = [{"ph": "B", "pid": 1, "tid": 1, "name": "f", "ts": i} for i in range(6000)]
    found = opened(tmp_path, deep)
    assert int(found.trace.depth.max()) == 4095
    assert any("4,096 levels deep" in note for note in found.notes)


def test_many_begins_that_end_in_order_do_not_take_for_ever(tmp_path):
    starts = [{"ph": "B", "tid": 1, "name": f"n{i}", "ts": i} for i in range(3000)]
    ends = [{"ph": "E", "tid": 1, "name": f"n{i}", "ts": 3000 + i} for i in range(3000)]
    found = opened(tmp_path, starts + ends)
    assert (found.trace.duration_ns == 3_000_000).all()


@pytest.mark.parametrize(
    ("content", "is_one"),
    [
        (b"[", True), (b"", False), (b'{"traceEvents": [', True), (b'{"ph":"X"}', True),
        (b'{"schema":"report/1","model":{}}', False), (b'{"a": 1}', False),
        (b"\x08\x07", False), (b'{"schema": "x", "traceEvents": [', True),
        (b'{"schema": "report/2", "traceEvents": [', False),
        (gzip.compress(b"[]", mtime=0), True), (gzip.compress(b"[]", mtime=0)[:5], True),
    ],
)  # fmt: skip
def test_a_trace_is_told_from_a_report_by_its_first_bytes(tmp_path, content, is_one):
    path = tmp_path / "any.name"
    path.write_bytes(content)
    assert looks_like_trace(path) is is_one


def test_a_missing_file_is_an_error_for_people(tmp_path):
    with pytest.raises(UnreadableFile, match="no such file"):
        open_trace(tmp_path / "none.json")


def test_counters_keep_each_of_their_series_in_order_of_time(tmp_path):
    def counted(ts: int, args: object, **more: object) -> dict[str, object]:
        return complete("heap", ts, None, ph="C", args=args) | more

    events = [
        complete("a", 5, 9), counted(9, {"live": 2.5, "free": "7"}), counted(7, {"live": 1}),
        counted(8, {"live": None}), counted(6, {"bytes": 64}, name="memory"),
        counted(6, 3),
    ]  # fmt: skip
    found = opened(tmp_path, events)
    told = [
        (one.name, one.unit, one.times_ns.tolist(), one.values.tolist())
        for one in found.trace.counters
    ]
    assert told == [
        ("heap, live", "", [2000, 4000], [1, 2.5]),
        ("heap, free", "", [4000], [7]),
        ("memory", "bytes", [1000], [64]),
    ]
    assert found.notes == ("2 counter values are omitted.",)


def arrows(found: OpenedTrace) -> list[tuple[str, str]]:
    trace, flows = found.trace, found.trace.flows
    pairs = zip(flows.begin.tolist(), flows.end.tolist(), strict=True)
    return [(trace.span(begin).name, trace.span(end).name) for begin, end in pairs]


def test_an_arrow_joins_the_innermost_spans_at_its_ends(tmp_path):
    def end(ph: str, ts: int, tid: int = 1, **more: object) -> dict[str, object]:
        return complete("go", ts, None, ph=ph, id=1, tid=tid) | more

    spans = [
        complete("outer", 0, 100), complete("inner", 10, 20), complete("away", 50, 9, tid=2),
        complete("later", 70, 9, tid=2),
    ]  # fmt: skip
    around = [end("s", 15), end("f", 55, 2, bp="e")]
    assert arrows(opened(tmp_path, [*spans, *around])) == [("inner", "away")]
    coming = [end("s", 15), end("t", 52, 2), end("f", 60, 2)]
    assert arrows(opened(tmp_path, [*spans, *coming])) == [("inner", "away"), ("away", "later")]
    twice = [end("s", 5), end("f", 55, 2, bp="e"), end("s", 60), end("f", 75, 2, bp="e")]
    assert arrows(opened(tmp_path, [*spans, *twice])) == [("outer", "away"), ("outer", "later")]
    lost = opened(tmp_path, [*spans, end("s", 15), end("f", 200, 2), end("t", 5, 9)])
    assert arrows(lost) == []
    (note,) = lost.notes
    assert note == "2 flow arrows are omitted: an end has no event."
