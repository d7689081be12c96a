"""Several sessions in one process, and run_async beside run, from measuring to every page."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from inspector.analysis.measured.extra_tables import extra_tables
from inspector.backends import registry
from inspector.backends.interleaving import TurnHolder, run_interleaved
from inspector.backends.onnxruntime.sessions.session import Sharing
from inspector.comparison.comparison import compare
from inspector.engine.client.engine_process import EngineProcess
from inspector.engine.client.process_repetitions import measure_interleaved
from inspector.errors import BadInput
from inspector.render.registry import export
from inspector.render.tables import report_csv
from inspector.report.report import (
    AsyncCalls,
    ModelIdentity,
    PerformanceReport,
    SharedSessions,
    Throughput,
)
from inspector.report.run_spec import DEFAULT_SPEC, RunSpec
from inspector.statistics.significance import Verdict
from tests.command_line import run
from tests.reports import example_report


@pytest.mark.engine
def test_sessions_and_asynchronous_calls_are_measured_and_shown(samples, tmp_path):
    saved = tmp_path / "r.json"
    model = samples / "digits_float32.onnx"
    extra = ("--sessions", "3", "--run-async", "--threads", "2")
    done = run("measure", model, "--runs", "10", "--no-layers", *extra, "-o", saved)
    assert done.returncode == 0, done.stderr
    assert "each further" in done.stdout
    assert "until the callback begins" in done.stdout
    assert "not from Python" in " ".join(done.stdout.split())
    report = json.loads(saved.read_bytes())
    ways, calls = report["sessions"], report["async_calls"]
    assert [way["sharing"] for way in ways] == [*map(str, Sharing)]
    for way in ways:
        assert len(way["loads_ns"]) == len(way["resident_bytes"]) == 3
        assert way["together"]["concurrency"] == 3
        assert len(way["together"]["prediction_ns"]) >= 10
    assert len(calls["run_ns"]) >= 10
    for returned, called_back, had in zip(
        calls["returned_ns"], calls["called_back_ns"], calls["round_trip_ns"], strict=True
    ):
        assert 0 < returned <= had
        assert 0 < called_back <= had


def test_every_page_and_the_samples_have_both_tables():
    report = with_extras()
    for page in (export(report, "html"), export(report, "md")):
        text = page.decode().replace("\\", "")
        for table in extra_tables(report):
            assert table.title in text
            assert all(cell in text for row in table.rows for cell in row)
    assert export(report, "pdf").startswith(b"%PDF")
    samples = report_csv.samples_csv(report).decode()
    assert samples.count("run_async round trip,") == 40
    assert samples.count('"several sessions, shared: arena"') == 20


def test_round_trips_are_compared_with_run_and_the_caller_is_free_in_between():
    _, calls = extra_tables(with_extras())
    assert [row[3] for row in calls.rows] == ["", "−80.0 µs", "+10.0 µs", "+50.0 µs"]
    assert "free for other work for 130 µs of 150 µs" in calls.sentences[0]


def with_extras() -> PerformanceReport:
    together = Throughput(2, 1_000_000, (50_000,) * 20)
    ways = tuple(
        SharedSessions(str(way), (9_000_000, 7_000_000), (100, 160), (), together)
        for way in Sharing
    )
    calls = AsyncCalls((100_000,) * 40, (20_000,) * 40, (110_000,) * 40, (150_000,) * 40)
    return example_report(sessions=ways, async_calls=calls)


def test_a_further_session_costs_the_mean_growth_after_the_first():
    together = Throughput(3, 1, (1,))
    grown = SharedSessions("nothing", (1, 1, 1), (100, 160, 200), (), together)
    assert grown.more_bytes == 50
    assert SharedSessions("nothing", (1,), (100,), (), together).more_bytes is None


def test_other_runtimes_refuse_it():
    for spec in (RunSpec(sessions=2), RunSpec(run_async=True)):
        with pytest.raises(BadInput):
            registry.info("openvino").check(spec)
        assert registry.info("openvino").fitted(spec) == RunSpec()
    with pytest.raises(BadInput):
        registry.info("onnxruntime").check(RunSpec(run_async=True, threads=1))


MODEL = Path(__file__).parents[4] / "sample_models" / "digits_float32.onnx"


@pytest.mark.slow
@pytest.mark.engine
def test_hardly_a_layer_of_identical_runs_is_told_apart():
    feeds = {"picture": np.zeros((1, 1, 8, 8), np.float32)}
    spec = replace(DEFAULT_SPEC, threads=1, starts=5, steady=0.0)
    identity = ModelIdentity(MODEL.name, "", 0, 0, 0)

    def once(asked: RunSpec, _: str, seat: TurnHolder) -> PerformanceReport:
        with EngineProcess(seat=seat) as engine:
            return engine.measure(MODEL, identity, asked, feeds)

    pair = measure_interleaved(run_interleaved((once, once)), (spec, spec))
    assert [len(report.start_layers_ns) for report in pair] == [5, 5]
    found = compare(pair)
    lists = found.lists[1]
    assert len(lists.slower) + len(lists.faster) <= 1
    assert (lists.new, lists.gone, lists.moved) == ((), (), ())
    assert found.judgements[1].verdict is Verdict.SAME
