import sys
from pathlib import Path

import numpy as np
import pytest

from inspector.backends.onnxruntime.placement.placement import (
    answer_support_query,
    with_table_reasons,
)
from inspector.engine.client.engine_process import EngineProcess
from inspector.engine.client.report_completion import layers_without_marks, with_support_marks
from inspector.errors import BadInput
from inspector.report.report import Device, ModelIdentity, Support
from inspector.report.run_spec import RunSpec
from inspector.wording.support_marks import Mark, Rule, Source
from tests.engine.small_models import linear
from tests.reports import example_report

CRASHING = """
import os, runpy
import inspector.backends.onnxruntime.placement.placement as questions
questions.answer_support_query = lambda *_: os.abort()
runpy.run_module("inspector.engine", run_name="__main__")
"""
SPEC = RunSpec(runs=2, warmup=0, profiled_runs=1)
FEEDS = {"x": np.ones((2, 4), np.float32)}


def identity(path: Path) -> ModelIdentity:
    return ModelIdentity(path.name, "0" * 64, 1, 2, 2)


def test_layers_without_a_mark_are_asked_about_for_each_device(tmp_path):
    report = example_report()
    for device, layers in layers_without_marks(report).items():
        assert all(device not in report.layers[layer].devices for layer in layers)
    whole = with_support_marks(report, {})
    assert layers_without_marks(whole) == {}
    assert with_support_marks(whole, {}).layers == whole.layers


def test_tables_answer_for_devices_that_are_not_here(tmp_path):
    path = linear(tmp_path / "linear.onnx")
    spec = RunSpec(predict=("cuda", "nnapi"))
    answers = answer_support_query(path, spec, {"x": (2, 4)}, {"cpu": (0, 1)})
    assert [support.mark for support in answers["cpu"].values()] == [Mark.SUPPORTED] * 2
    assert {support.source for support in answers["cuda"].values()} == {Source.TABLE}
    assert [support.mark for support in answers["cuda"].values()] == [Mark.SUPPORTED] * 2
    # The model leaves the number of rows open, whatever it was run with.
    assert [s.rule for s in answers["nnapi"].values()] == [Rule.DYNAMIC_SHAPE] * 2


@pytest.mark.engine
def test_a_report_carries_what_tables_predict(tmp_path):
    path = linear(tmp_path / "linear.onnx")
    spec = RunSpec(runs=2, warmup=0, profiled_runs=1, predict=("cuda", "nnapi", "cuda"))
    with EngineProcess() as engine:
        report = engine.measure(path, identity(path), spec, FEEDS)
    assert [device.id for device in report.predicted] == ["cuda", "nnapi"]
    assert [device.id for device in report.devices] == ["cpu"]
    assert report.predicted[0].source.startswith("support table, ONNX Runtime ")
    for layer in report.layers:
        assert set(layer.devices) == {"cpu", "cuda", "nnapi"}
        assert "Estimated from a table: " in layer.devices["cuda"].reason


def test_an_unknown_device_is_refused_before_anything_runs(tmp_path):
    with EngineProcess() as engine, pytest.raises(BadInput, match="Did you mean 'cuda'"):
        engine.measure(
            tmp_path / "none.onnx", identity(tmp_path), RunSpec(predict=("cudo",)), FEEDS
        )


@pytest.mark.engine
def test_a_driver_that_crashes_when_asked_costs_no_report(tmp_path):
    path = linear(tmp_path / "linear.onnx")
    spec = RunSpec(runs=2, warmup=0, profiled_runs=1, predict=("cuda",))
    with EngineProcess(command=(sys.executable, "-c", CRASHING)) as engine:
        report = engine.measure(path, identity(path), spec, FEEDS)
        assert engine.load(path, RunSpec()).devices == ("cpu",)
    assert len(report.prediction_ns) == 2
    assert report.predicted == ()
    (note,) = (
        n for n in report.notes if n.startswith("Device support could not be determined")
    )
    assert "crashed" in note


def test_a_silent_device_leaves_unknown_marks():
    report = example_report()
    extra = Device("npu:0", "NPU", "npu", "SomeExecutionProvider")
    from dataclasses import replace

    asked = replace(report, devices=(*report.devices, extra))
    whole = with_support_marks(asked, {}, "It hung.")
    assert {layer.devices["npu:0"].mark for layer in whole.layers} == {Mark.UNKNOWN}
    assert whole.layers[0].devices["npu:0"].reason == "It hung."


def test_a_refusal_without_a_reason_gets_the_one_of_the_published_list():
    refused = Support(Mark.UNSUPPORTED, Source.PROBED, "It did not take this Conv.")
    told = Support(Mark.UNSUPPORTED, Source.TABLE, "It takes 4 axes.", Rule.RANK)
    taken = Support(Mark.SUPPORTED, Source.TABLE)
    found = with_table_reasons({0: refused, 1: refused}, [told, taken])
    assert (found[0].rule, found[0].source) == (Rule.RANK, Source.PROBED)
    assert found[0].reason.startswith(
        "It did not take this Conv. Possible reason, from the published"
    )
    assert found[0].reason.endswith("It takes 4 axes.")
    assert found[1] == refused
