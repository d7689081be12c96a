"""Measurements that go around what a device fails at, with a measurement made of a table."""

from dataclasses import replace
from pathlib import Path

import pytest

from inspector.engine.client.report_completion import MAX_RETRIES, measure_with_retries
from inspector.errors import DeviceFailed, EngineFailed
from inspector.report.report import PerformanceReport, Support
from inspector.report.run_spec import RunSpec
from inspector.wording.support_marks import Mark, Source
from tests.engine.small_models import linear
from tests.reports import example_report

ASKED = RunSpec(devices=("webgpu:0",), around_failures=True)


class Device:
    """Fails at layers that are not kept on the CPU, the first of them first."""

    def __init__(self, *broken: str, phase: str = "prediction") -> None:
        self.broken, self.phase, self.asked = broken, phase, list[RunSpec]()

    def measure(self, spec: RunSpec) -> PerformanceReport:
        self.asked.append(spec)
        for index, name in enumerate(self.broken):
            if name not in spec.on_cpu:
                said = f"webgpu:0 accepted layer '{name}', then failed: no {name} today"
                claimed = "webgpu:0", (index,), f"no {name} today"
                raise DeviceFailed("Could not run the model", said, "", self.phase, *claimed)
        report = example_report()
        ran = {"cpu": Support(Mark.RAN, Source.MEASURED)}
        layers = tuple(replace(use, devices=ran) for use in report.layers)
        return replace(report, spec=spec, layers=layers)


def names(path: Path) -> tuple[str, ...]:
    from inspector.formats.opening import open_model

    return tuple(layer.label for layer in open_model(path).layers)


def test_layers_that_fail_are_kept_on_the_cpu_one_after_the_other(tmp_path):
    path = linear(tmp_path / "linear.onnx")
    device = Device(*names(path))
    report = measure_with_retries(device.measure, ASKED, path)
    assert [spec.on_cpu for spec in device.asked] == [(), names(path)[:1], names(path)]
    assert report.spec.on_cpu == names(path)


def test_the_mark_says_that_it_was_claimed_and_why_it_failed(tmp_path):
    path = linear(tmp_path / "linear.onnx")
    first = names(path)[0]
    report = measure_with_retries(Device(first).measure, ASKED, path)
    mark = report.layers[0].devices["webgpu:0"]
    assert (mark.mark, mark.source) == (Mark.FAILED, Source.MEASURED)
    assert mark.reason == f"The layer failed while running: no {first} today."
    assert report.notes[-1] == (
        f"webgpu:0 accepted layer '{first}', then failed: no {first} today. In this report, "
        "that layer is forced to the CPU."
    )


def test_a_session_that_cannot_be_made_is_told_apart(tmp_path):
    path = linear(tmp_path / "linear.onnx")
    report = measure_with_retries(Device(names(path)[0], phase="load").measure, ASKED, path)
    reason = report.layers[0].devices["webgpu:0"].reason
    assert reason.startswith("The layer failed while loading: ")


def test_a_layer_that_ran_there_after_all_keeps_its_mark(tmp_path):
    path = linear(tmp_path / "linear.onnx")
    device = Device(names(path)[0])
    ran = Support(Mark.RAN, Source.MEASURED)

    def measure(spec: RunSpec) -> PerformanceReport:
        report = device.measure(spec)
        first, *rest = report.layers
        first = replace(first, devices=first.devices | {"webgpu:0": ran})
        return replace(report, layers=(first, *rest))

    assert measure_with_retries(measure, ASKED, path).layers[0].devices["webgpu:0"] == ran


def test_nobody_who_did_not_ask_gets_a_detour(tmp_path):
    path = linear(tmp_path / "linear.onnx")
    device = Device(*names(path))
    with pytest.raises(DeviceFailed):
        measure_with_retries(device.measure, replace(ASKED, around_failures=False), path)
    assert len(device.asked) == 1


def test_a_layer_that_fails_on_the_cpu_too_ends_it(tmp_path):
    path = linear(tmp_path / "linear.onnx")
    asked = []

    def measure(spec: RunSpec) -> PerformanceReport:
        asked.append(spec)
        raise DeviceFailed("Could not run the model", "no", device="webgpu:0", layers=(0,))

    with pytest.raises(DeviceFailed) as told:
        measure_with_retries(measure, ASKED, path)
    assert len(asked) == 2 < MAX_RETRIES
    assert [failure.layers for failure in told.value.before] == [(0,)]


def test_other_failures_are_not_gone_around(tmp_path):
    def measure(spec: RunSpec) -> PerformanceReport:
        raise EngineFailed("Could not run the model", "no memory")

    with pytest.raises(EngineFailed, match="no memory"):
        measure_with_retries(measure, ASKED, tmp_path / "none.onnx")
