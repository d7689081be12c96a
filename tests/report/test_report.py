from dataclasses import replace

import msgspec
import numpy as np
import pytest

from inspector.errors import NotSaved, UnreadableFile
from inspector.report.environment import MemoryUse
from inspector.report.layer_timing import Profiling
from inspector.report.report import PerformanceReport, from_json, load, save, to_json
from inspector.report.run_spec import RunSpec
from inspector.trace.trace import COLUMNS, Kind, Lane, Track
from inspector.trace.trace_builder import TraceBuilder
from inspector.wording.support_marks import Mark
from tests.reports import example_report


def same(one: PerformanceReport, other: PerformanceReport) -> bool:
    names = [name for name in one.__dataclass_fields__ if name != "trace"]
    plain = all(getattr(one, name) == getattr(other, name) for name in names)
    columns = all(
        np.array_equal(getattr(one.trace, key), getattr(other.trace, key)) for key in COLUMNS
    )
    return plain and columns and one.trace.tracks == other.trace.tracks


def test_a_report_reads_back_as_it_was_written():
    report = example_report()
    assert same(report, from_json(to_json(report), "r.json"))


def test_a_report_is_one_object_with_a_schema():
    body = msgspec.json.decode(to_json(example_report()))
    assert body["schema"] == "report/1"
    result = set(body)
    assert {"spec", "environment", "load_ns", "first_prediction_ns", "prediction_ns"} <= result
    layer = body["layers"][9]
    assert layer["devices"]["webgpu:0"] == {
        "mark": "unsupported",
        "source": "probed",
        "reason": "no kernel for HardSigmoid",
        "rule": "",
    }


def test_fields_of_a_later_version_are_ignored():
    body = msgspec.json.decode(to_json(example_report()))
    body["energy_joule"] = 3
    body["layers"][0]["color"] = "red"
    assert from_json(msgspec.json.encode(body), "r.json").model == example_report().model


def test_fields_of_an_earlier_version_have_defaults():
    body = msgspec.json.decode(to_json(example_report()))
    del body["layers"][0]["parent"], body["notes"], body["spec"]["threads"]
    report = from_json(msgspec.json.encode(body), "r.json")
    assert (report.layers[0].parent, report.notes, report.spec.threads) == (None, (), 0)


def damaged(**changes: object) -> bytes:
    return msgspec.json.encode(msgspec.json.decode(to_json(example_report())) | changes)


def trace_with(key: str, value: object) -> bytes:
    trace = msgspec.json.decode(to_json(example_report()))["trace"]
    return damaged(trace=trace | {key: value})


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"", "not a complete report"),
        (b"\x08\x07onnx", "not an Inspector report"),
        (b"[" * 200_000, "not an Inspector report"),
        (b"[]", "not an Inspector report"),
        (b"{}", "not an Inspector report"),
        (b'{"schema": "report/2"}', "report/2"),
        (b'{"schema": "model/1"}', "model/1"),
        (b'{"schema": "report/1"}', "not a complete report"),
        (b'{"schema": "report/1", "load_ns": ' + b"9" * 5000 + b"}", "not a complete report"),
        (to_json(example_report())[:-500], "not a complete report"),
        (damaged(load_ns="fast"), "not a complete report"),
        (damaged(load_ns=-1), "its load_ns is -1 ns, which is out of range"),
        (
            damaged(prediction_ns=[5, -7, 5], prediction_cpu_ns=[]),
            "its prediction_ns is -7 ns, which is out of range",
        ),
        (
            damaged(warmup_ns=[1 << 53]),
            "its warmup_ns is 9007199254740992 ns, which is out of range",
        ),
        (damaged(layers=[{"index": 0}]), "not a complete report"),
        (damaged(trace={}), "not a complete report"),
        (trace_with("run", [1, 2]), "differ in length"),
        (trace_with("start_ns", ["a"]), "not a complete report"),
        (trace_with("start_ns", [10**30]), "not a complete report"),
        (trace_with("start_ns", 3), "not a complete report"),
        (trace_with("tracks", []), "track"),
    ],
)
def test_what_is_no_report_is_refused_with_its_reason(body, why):
    with pytest.raises(UnreadableFile, match=why) as failure:
        from_json(body, "r.json")
    assert failure.value.what == "Could not open r.json"
    assert len(str(failure.value)) < 400


def test_a_newer_schema_says_what_to_do():
    with pytest.raises(UnreadableFile) as failure:
        from_json(b'{"schema": "report/2"}', "r.json")
    assert "Update" in failure.value.hint


def test_a_sweep_is_no_report_but_can_be_drawn():
    with pytest.raises(UnreadableFile) as failure:
        from_json(b'{"schema": "sweep/1"}', "sweep.json")
    assert "inspector export FILE --format svg --plot heat" in failure.value.hint


def test_a_saved_report_opens_again(tmp_path):
    path = tmp_path / "r.json"
    save(example_report(), path)
    assert same(load(path), example_report())


def test_a_failed_save_keeps_the_earlier_report(tmp_path):
    with pytest.raises(NotSaved):
        save(example_report(), tmp_path / "missing" / "r.json")


def test_statistics_come_from_the_samples():
    report = example_report(prediction_ns=(30, 10, 20, 1000))
    assert report.median_ns == 25
    assert report.quantile_ns(0) == 10
    assert report.quantile_ns(1) == 1000
    assert example_report(prediction_ns=()).median_ns == 0


def test_memory_of_the_model_is_what_it_added_to_the_empty_engine():
    assert MemoryUse(60, 80, 90, 90, 100, 10).model_bytes == 40
    assert MemoryUse(60, 60, 60, 60, 50, 10).model_bytes == 0


def test_the_samples_of_a_layer_average_to_its_time():
    report = example_report()
    for layer in report.layers:
        samples = report.layer_samples_ns(layer.index)
        assert len(samples) == report.spec.profiled_runs
        assert int(samples.sum()) // len(samples) == (layer.time_ns or 0)


def test_the_layers_and_inserted_nodes_add_up_to_the_kernel_time():
    report = example_report()
    total = sum(layer.time_ns or 0 for layer in report.layers)
    assert total + sum(node.time_ns for node in report.inserted) == report.kernel_ns


def test_a_loop_does_not_count_the_time_of_its_body_again():
    cpu = Track(Lane.COMPUTE, "CPU", "cpu")
    build = TraceBuilder()
    build.add(cpu, "loop", 0, 100, Kind.KERNEL, layer=0, run=0)
    for start in (10, 40):
        build.add(cpu, "add", start, 20, Kind.KERNEL, layer=1, run=0)
    report = example_report(spec=RunSpec(profiled_runs=1), trace=build.trace())
    assert report.layer_samples_ns(0).tolist() == [60]
    assert report.layer_samples_ns(1).tolist() == [40]


def test_every_mark_has_words():
    assert len({mark.label for mark in Mark}) == len(Mark)


def test_a_report_of_an_earlier_version_is_read_with_what_it_has():
    body = msgspec.json.decode(to_json(example_report()))
    for name in ("surroundings", "loads_ns", "load_phases", "warmup_ns"):
        del body[name]
    for name in ("binding", "cast", "loads", "load_from", "phases"):
        del body["spec"][name]
    for name in ("closed_bytes", "trimmed_bytes", "arena_used_bytes", "arena_held_bytes"):
        del body["memory"][name]
    for layer in body["layers"]:
        del layer["computed_in"]
    found = from_json(msgspec.json.encode(body), "old.json")
    assert found.spec == example_report().spec
    assert found.memory == example_report().memory
    assert found.loads_ns == ()


@pytest.mark.parametrize(
    "note",
    [
        "The measurement ended early: it was canceled. The report contains the results.",
        "Process 2 of 5 failed: the engine process was killed.",
        "Process pair 3 of 5 failed: it crashed.",
    ],
)
def test_an_incomplete_report_of_an_earlier_version_says_why(note):
    notes = ("Process 1 of 5 failed: this was earlier.", note, "The clock is coarse.")
    fields = msgspec.json.decode(to_json(example_report(complete=False, notes=notes)))
    del fields["early_end_reason"]
    read = from_json(msgspec.json.encode(fields), "old.json")
    assert read.early_end == f"Incomplete. {note}"
    assert read.notes == notes
    fields["complete"] = True
    assert from_json(msgspec.json.encode(fields), "old.json").early_end == ""


def test_a_reason_that_is_stored_is_not_looked_for_in_notes():
    notes = ("The measurement ended early: by mistake.",)
    report = example_report(complete=False, early_end_reason="It rained.", notes=notes)
    assert from_json(to_json(report), "new.json").early_end == "Incomplete. It rained."


@pytest.mark.parametrize("runs", [-1, 2**62])
def test_a_report_with_an_impossible_count_of_profiled_predictions_is_refused(runs):
    damaged = example_report(profiling=Profiling(runs=runs))
    with pytest.raises(UnreadableFile, match="profil"):
        from_json(to_json(damaged), "damaged.json")


def test_cpu_times_of_a_few_ticks_are_not_known():
    """Windows counts in ticks of 15.6 ms; 30 us cannot have used one."""
    one_tick = example_report(prediction_cpu_ns=(0, 15_625_000, 0))
    assert one_tick.counted_cpu_ns == one_tick.prediction_cpu_ns
    windows = replace(one_tick.environment, system="Windows AMD64")
    assert replace(one_tick, environment=windows).counted_cpu_ns == ()
    many = replace(one_tick, environment=windows, prediction_cpu_ns=(15_625_000,) * 20)
    assert many.counted_cpu_ns == many.prediction_cpu_ns
