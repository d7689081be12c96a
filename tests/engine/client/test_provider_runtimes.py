"""What a provider's own runtime tells, brought into a report."""

from dataclasses import replace
from importlib import metadata, util

import pytest

from inspector.engine.client.report_completion import (
    CounterQuery,
    counter_query,
    with_provider_counters,
)
from inspector.errors import EngineDied
from inspector.report.report import Device, LayerUse, PerformanceReport, ProviderProfile
from inspector.report.run_spec import ProviderOption
from inspector.wording.support_marks import Status
from tests.reports import example_report

OPENVINO = Device("openvino:0", "CPU", "cpu", "OpenVINOExecutionProvider")
CPU = Device("cpu", "CPU", "cpu", "CPUExecutionProvider")
LAYERS = (
    LayerUse(0, "conv", "Conv", Status.EXECUTED, "openvino:0", 900),
    LayerUse(1, "relu", "Relu", Status.COMPILED, None, None, into=0),
    LayerUse(2, "round", "Round", Status.EXECUTED, "cpu", 100),
)
TOLD = ProviderProfile(400, 500, "ns", "the openvino 1 runtime")


@pytest.fixture
def report(monkeypatch: pytest.MonkeyPatch) -> PerformanceReport:
    monkeypatch.setattr(util, "find_spec", lambda name: name)
    monkeypatch.setattr(metadata, "version", lambda _: "1")
    plain = example_report(devices=(OPENVINO, CPU), layers=LAYERS, notes=())
    return replace(plain, spec=replace(plain.spec, provider_options=()))


def test_only_layers_that_openvino_compiled_are_told_of(report):
    def ask(asked: CounterQuery) -> dict[int, ProviderProfile]:
        assert asked == CounterQuery("CPU", (0, 1))
        return {0: TOLD, 2: TOLD}

    done = with_provider_counters(report, ask)
    assert [layer.inside for layer in done.layers] == [TOLD, None, None]
    (note,) = done.notes
    assert "openvino 1, run in a separate process" in note


def test_the_device_is_the_one_that_the_provider_was_given(report):
    spec = replace(report.spec, provider_options=(ProviderOption("device_type", "GPU"),))
    assert counter_query(replace(report, spec=spec)) == CounterQuery("GPU", (0, 1))


def test_other_devices_ask_nobody(report):
    plain = replace(report, devices=(CPU,), layers=LAYERS[2:])
    assert (
        with_provider_counters(plain, lambda _: pytest.fail("nobody is to be asked")) is plain
    )


def test_a_failure_costs_the_times_and_not_the_report(report):
    def ask(_: CounterQuery) -> dict[int, ProviderProfile]:
        raise EngineDied("", "the runtime crashed")

    done = with_provider_counters(report, ask)
    assert done.layers == report.layers
    assert (
        "could not time the layers inside the compiled partition: the runtime crashed"
        in done.notes[0]
    )


def test_without_the_package_its_extra_is_named(report, monkeypatch):
    monkeypatch.setattr(util, "find_spec", lambda _: None)
    done = with_provider_counters(report, lambda _: pytest.fail("nobody is to be asked"))
    assert "onnx-inspector[openvino]" in done.notes[0]
