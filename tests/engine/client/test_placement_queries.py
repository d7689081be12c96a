"""Layers that a second device claims and fails at, with a real one where there is one."""

from pathlib import Path
from typing import NoReturn

import numpy as np
import onnx
import pytest

from inspector.engine.client.engine_process import EngineProcess
from inspector.engine.client.placement_queries import query_placement
from inspector.errors import Cancelled, DeviceFailed
from inspector.report.report import ModelIdentity, PerformanceReport
from inspector.report.run_spec import RunSpec
from inspector.wording.support_marks import Mark, Source
from tests.engine.small_models import linear

pytestmark = pytest.mark.engine
# WebGPU's kernel of Resize is registered for antialias, and refuses it when it runs.
SHRINKING = """<ir_version: 9, opset_import: ["" : 18]>
    g (float[1,2,8,8] x) => (float[1,2,4,4] y)
      <float[4] s = {1, 1, 0.5, 0.5}, float[0] roi = {}> {
      [wide] a = Relu(x)
      [shrink] b = Resize<mode = "linear", antialias = 1>(a, roi, s)
      [sharp] y = Sigmoid(b) }"""
X = {"x": np.ones((1, 2, 8, 8), np.float32)}


def identity(path: Path) -> ModelIdentity:
    return ModelIdentity(path.name, "0" * 64, 1, 2, 2)


@pytest.fixture
def shrinking(tmp_path: Path) -> Path:
    with EngineProcess() as engine:
        if not any(d.id == "webgpu:0" and not d.problem for d in engine.devices()):
            pytest.skip("no second device here")
    path = tmp_path / "shrinking.onnx"
    onnx.save(onnx.parser.parse_model(SHRINKING), path)
    return path


def test_a_report_around_a_failure_marks_the_layer(shrinking):
    spec = RunSpec(devices=("webgpu:0",), runs=1, profiled_runs=1, around_failures=True)
    with EngineProcess() as engine:
        report = engine.measure(shrinking, identity(shrinking), spec, X)
    assert report.spec.on_cpu == ("shrink",)
    assert [layer.ran_on for layer in report.layers] == ["webgpu:0", "cpu", "webgpu:0"]
    mark = report.layers[1].devices["webgpu:0"]
    assert (mark.mark, mark.source) == (Mark.FAILED, Source.MEASURED)
    assert mark.reason.endswith(
        "The antialias attribute of Resize operator is NOT implemented."
    )


def test_without_being_asked_the_failure_is_the_answer(shrinking):
    spec = RunSpec(devices=("webgpu:0",), runs=1, profiled_runs=1)
    with EngineProcess() as engine, pytest.raises(DeviceFailed) as told:
        engine.measure(shrinking, identity(shrinking), spec, X)
    assert (told.value.device, told.value.layers) == ("webgpu:0", (1,))


class Hopeless(EngineProcess):
    def measure(self, *_: object, **__: object) -> PerformanceReport:
        said = "cpu accepted layer 0, then failed: it is tired"
        raise DeviceFailed(
            "Could not run the model", said, "", "prediction", "cpu", (0,), "it is tired"
        )


def test_where_no_prediction_works_the_device_is_asked_alone(tmp_path):
    path = linear(tmp_path / "linear.onnx")
    with Hopeless() as engine:
        found = query_placement(
            engine, path, identity(path), RunSpec(), {"x": np.ones((2, 4), np.float32)}
        )
    assert not found.ran
    first, second = (said["cpu"] for said in found.marks)
    assert (first.mark, first.source) == (Mark.FAILED, Source.MEASURED)
    assert (second.mark, second.source) == (Mark.SUPPORTED, Source.PROBED)
    assert second.reason.startswith("The provider supports the layer when tested alone")
    assert [layer.index for layer in found.failed("cpu")] == [0]


@pytest.mark.parametrize(("device", "retries"), [("cpu", True), ("openvino:cpu", False)])
def test_layers_are_forced_to_the_cpu_only_where_the_runtime_can(tmp_path, device, retries):
    class Recording(EngineProcess):
        def measure(self, _: Path, __: object, spec: RunSpec, *___: object) -> NoReturn:
            assert spec.around_failures == retries
            raise Cancelled("stopped")

    path = linear(tmp_path / "linear.onnx")
    with Recording() as engine, pytest.raises(Cancelled):
        query_placement(engine, path, identity(path), RunSpec(devices=(device,)), {})


def test_a_model_that_runs_has_the_marks_of_a_report(tmp_path):
    path = linear(tmp_path / "linear.onnx")
    with EngineProcess() as engine:
        found = query_placement(
            engine, path, identity(path), RunSpec(), {"x": np.ones((2, 4), np.float32)}
        )
    assert found.ran
    assert not found.why
    assert {said["cpu"].source for said in found.marks} == {Source.MEASURED}
