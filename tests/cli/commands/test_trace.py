from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest

from inspector.formats.traces.detection import open_trace
from inspector.report.report import save
from inspector.trace.chrome_json import trace_events
from inspector.trace.trace import FlowKind, Kind, Lane, Track
from inspector.trace.trace_builder import TraceBuilder
from tests.command_line import errors_of, json_of, output_of
from tests.formats.traces.test_own_export import assert_equal
from tests.reports import example_report

CPU = Track(Lane.COMPUTE, "CPU", "cpu", "cpu")
CALLS = Track(Lane.ACTIVITY, "net.onnx", "", "activity", "", "net.onnx", "main")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    build = TraceBuilder()
    for run_number in range(4):
        begin = run_number * 1_000_000
        build.add(CALLS, "create session, 2 of 4 threads", begin, 100_000)
        build.add(CALLS, "release session", begin + 800_000, 0)
        call = build.add(CALLS, "run(x float32 1)", begin + 200_000, 500_000, run=run_number)
        conv = build.add(CPU, "conv", begin + 210_000, 300_000, Kind.KERNEL, 0, run_number)
        build.flow(call, conv, FlowKind.EVENT)
        build.count("Memory", begin, 1e6 * run_number, "bytes")
    path = tmp_path / "a.trace.json"
    path.write_bytes(trace_events(build.trace(), (), {}, ("One note.",)))
    return path


def told(*words: str | Path) -> dict[str, Any]:
    return json_of("trace", *words)


def test_a_table_findings_and_notes_are_printed(file):
    lines = output_of("trace", file).splitlines()
    assert lines[0] == "Trace exported by Inspector: 16 events, 3.80 ms"
    assert lines[2].startswith("Inefficient: A session for each run costs up to 300 µs of")
    head = next(at for at, line in enumerate(lines) if line.split()[:2] == ["Event", "Track"])
    assert lines[head].split() == [
        "Event", "Track", "Count", "Total", "Self", "Mean", "Min", "P50", "P95", "Max",
        "Share", "of", "self", "time",
    ]  # fmt: skip
    assert lines[head + 1].strip().startswith("run(x float32 1)")
    assert "Memory  0 B to 2.86 MiB" in lines
    assert "! net.onnx is loaded before each run" in "\n".join(lines)
    assert lines[-1] == "  - One note."


def test_json_adds_up_by_any_of_the_ways(file):
    found = told(file, "--by", "iteration")
    assert (found["schema"], found["spans"], found["arrows"]) == ("timeline/1", 16, 4)
    names = {group["name"]: group["count"] for group in found["groups"]}
    assert names["Outside runs"] == 8
    assert names["Run 3"] == 1
    assert [one["rule"] for one in found["findings"]] == ["load-per-prediction"]
    by_model = told(file, "--by", "model")["groups"]
    assert ("net.onnx", 12) in {(one["name"], one["count"]) for one in by_model}


def test_two_traces_are_compared(file, tmp_path):
    build = TraceBuilder()
    build.add(CALLS, "create session, 2 of 4 threads", 0, 100_000)
    for run_number in range(4):
        begin = 200_000 + 600_000 * run_number
        build.add(CALLS, "run(x float32 1)", begin, 400_000, run=run_number)
    other = tmp_path / "b.trace.json"
    other.write_bytes(trace_events(build.trace(), (), {}, ()))
    found = told(file, "--against", other)
    events = {each["name"]: each for each in found["events"]}
    runs, kernels = events["run(x float32 1)"], events["conv"]
    assert (runs["first"]["total_ns"], runs["other"]["total_ns"]) == (2_000_000, 1_600_000)
    assert (kernels["first"]["count"], kernels["other"]["count"]) == (4, 0)
    assert [each["rule"] for each in found["gone"]] == ["load-per-prediction"]
    parts = {each["key"]: (each["first_ns"], each["other_ns"]) for each in found["parts"]}
    assert parts["creating"] == (400_000, 100_000)
    assert not told(file, "--against", file)["gone"]
    assert "2.00 ms → 1.60 ms (−20.0%)" in output_of("trace", file, "--against", other)
    assert "takes no --export" in errors_of("trace", file, "--against", other, "--find", "x")


def test_a_search_and_a_stretch_leave_out_the_rest(file):
    found = told(file, "--find", "CONV", "--from", "1ms", "--to", "2.1ms")
    assert [(one["name"], one["count"]) for one in found["groups"]] == [("conv", 1)]
    assert [one["start_ns"] for one in found["found"]] == [1_210_000]
    assert found["stretch_ns"] == [1e6, 2.1e6]


def test_a_search_takes_durations_and_regular_expressions(file):
    found = told(file, "--find", "dur>400us /^run/", "--by", "track")
    assert [(one["name"], one["count"]) for one in found["groups"]] == [("net.onnx", 4)]
    assert {one["name"] for one in found["found"]} == {"run(x float32 1)"}
    assert "'soon' after 'dur' is not a time" in errors_of("trace", file, "--find", "dur>soon")


def test_all_or_a_part_is_exported(file):
    for form in ("json", "npz"):
        target = file.with_name(f"part.{form}")
        output_of("trace", file, "--export", form, "-o", target, "--from", "1ms", "--to", "2ms")
        part = open_trace(target)
        assert_equal(part.trace, open_trace(file).trace.within(1e6, 2e6))
        assert len(part.trace.flows) == 1
    output_of("trace", file, "--export", "csv", "-o", file.with_name("sums.csv"))
    rows = file.with_name("sums.csv").read_text("utf-8").splitlines()
    assert len(rows) == 1 + 4
    picture = output_of("trace", file, "--export", "svg", "-o", file.with_name("a.svg"))
    assert picture.startswith("Saved")
    drawn = ElementTree.parse(file.with_name("a.svg")).getroot()
    words = [one.text for one in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert {"net.onnx", "CPU", "conv"} <= set(words)


def test_several_files_are_one_timeline_and_a_report_is_a_trace_too(file):
    report = file.with_name("b.report.json")
    save(example_report(), report)
    found = told(file, report, "--by", "track")
    assert found["notes"][0].startswith(
        "The clocks of the files cannot be aligned: a.trace.json and b.report.json"
    )
    assert {track["process"] for track in found["tracks"]} == {"a.trace.json", "b.report.json"}
    assert found["spans"] == 16 + len(example_report().trace)


@pytest.mark.parametrize(
    "words", [("--from", "5ms", "--to", "1ms"), ("--export", "json", "-o", "{file}")]
)
def test_what_cannot_be_done_is_told(file, words):
    assert "Could not" in errors_of("trace", file, *(word.format(file=file) for word in words))


def test_a_time_that_is_none_is_wrong_use(file):
    said = errors_of("trace", file, "--from", "soon", status=2)
    assert "'soon' is not a time such as 1.5ms" in said


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (bytes(range(256)) * 20, "it is neither a trace nor a report"),
        (b"hello world\n", "it is a text file"),
        (b"\x89PNG\r\n\x1a\n" + bytes(40), "it is an image"),
        (b"", "empty"),
    ],
)
def test_what_is_no_trace_is_told_what_it_is(content, what, tmp_path):
    (tmp_path / "thing.bin").write_bytes(content)
    told = errors_of("trace", tmp_path / "thing.bin")
    assert what in told
    assert "whole report" not in told


@pytest.mark.parametrize("index", [10**9, 2**62, -9])
def test_a_report_with_an_impossible_layer_number_is_refused_in_a_sentence(index, tmp_path):
    path = tmp_path / "a.report.json"
    save(example_report(), path)
    body = msgspec.json.decode(path.read_bytes())
    body["layers"][0]["index"] = index
    path.write_bytes(msgspec.json.encode(body))
    message, hint = errors_of("trace", path, "--by", "operator").splitlines()
    assert message.startswith("Could not open a.report.json: it is not a complete report: ")
    assert hint == "Save the report again."
