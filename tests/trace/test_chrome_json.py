from typing import Any

import msgspec

from inspector.render.registry import export
from inspector.report.report import PerformanceReport
from inspector.trace.chrome_json import trace_events
from inspector.trace.trace import Kind, Lane, TracedLayer, Track
from inspector.trace.trace_builder import TraceBuilder
from tests.reports import example_report


def events(report: PerformanceReport, phase: str) -> list[dict[str, Any]]:
    body = msgspec.json.decode(export(report, "trace"))
    return [event for event in body["traceEvents"] if event["ph"] == phase]


def titles(report: PerformanceReport, name: str) -> dict[tuple[int, int], str]:
    found = (event for event in events(report, "M") if event["name"] == name)
    return {(event["pid"], event["tid"]): event["args"]["name"] for event in found}


def test_lanes_are_processes_and_tracks_are_threads_in_our_order():
    report = example_report()
    assert list(titles(report, "process_name").values()) == ["Activity", "Data", "Compute"]
    assert list(titles(report, "thread_name").values()) == ["Activity", "Data", "CPU", "GPU"]
    orders = [e["args"]["sort_index"] for e in events(report, "M") if "sort_index" in e["name"]]
    assert len(orders) == 7
    threads = [key for key, _ in titles(report, "thread_name").items()]
    assert threads == sorted(threads)


def test_times_are_microseconds_that_keep_the_nanoseconds():
    build = TraceBuilder()
    build.add(Track(Lane.COMPUTE, "CPU", "cpu"), "conv", 0, 1)
    build.add(Track(Lane.COMPUTE, "CPU", "cpu"), "relu", 9_007_199_254_123, 1_234_567)
    first, second = events(example_report(trace=build.trace()), "X")
    assert (first["ts"], first["dur"]) == (0, 0.001)
    assert (second["ts"], second["dur"]) == (9_007_199_254.123, 1234.567)


def test_an_event_tells_layer_operator_run_and_bytes():
    found = events(example_report(), "X")
    conv = next(event for event in found if event["name"] == "blocks.0/project/conv")
    assert conv["args"] == {
        "kind": "kernel", "layer": 6, "run": 0,
        "layer name": "blocks.0/project/conv", "operator": "Conv",
    }  # fmt: skip
    copy = next(event for event in found if event["name"] == "scores_to_host")
    assert (copy["cat"], copy["args"]["bytes"]) == ("copy", 4000)
    assert "layer" not in copy["args"]


def test_spans_of_a_thread_nest_and_overlapping_ones_get_rows_of_their_own():
    track, build = Track(Lane.COMPUTE, "CPU", "cpu"), TraceBuilder()
    build.add(track, "one", 0, 100, Kind.KERNEL)
    build.add(track, "two", 50, 100, Kind.KERNEL)
    report = example_report(trace=build.trace())
    first, second = events(report, "X")
    assert first["tid"] != second["tid"]
    assert list(titles(report, "thread_name").values()) == ["CPU", "CPU, row 2"]


def test_nested_spans_share_a_thread():
    track, build = Track(Lane.COMPUTE, "CPU", "cpu"), TraceBuilder()
    build.add(track, "loop", 0, 100, Kind.KERNEL)
    build.add(track, "body", 0, 50, Kind.KERNEL)
    build.add(track, "body", 50, 50, Kind.KERNEL)
    assert (
        len({event["tid"] for event in events(example_report(trace=build.trace()), "X")}) == 1
    )


def test_the_trace_says_what_was_measured():
    about = msgspec.json.decode(export(example_report(), "trace"))["otherData"]
    assert about["model"] == "mobile_small.onnx"
    assert about["devices"] == "webgpu:0, cpu"


def test_endless_names_are_cut():
    long = "n" * 1_000_000
    build = TraceBuilder()
    build.add(Track(Lane.ACTIVITY, long, model=long, thread=long), long, 0, 10, layer=0)
    layers = (TracedLayer(0, long, long),)
    body = trace_events(build.trace(), layers, {})
    assert len(body) < 10_000
