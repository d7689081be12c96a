"""Predictions that fail in the middle: the layer to blame, by the model's name for it."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import pytest

from inspector.backends.onnxruntime.placement import failing_layer
from inspector.backends.onnxruntime.predictions import naming_failed_layers
from inspector.backends.onnxruntime.sessions import devices, predict, refusals
from inspector.backends.onnxruntime.sessions.session import create_session
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import DeviceFailed, EngineFailed, InspectorError
from inspector.formats.opening import digest
from inspector.report.report import ModelIdentity
from inspector.report.run_spec import RunSpec
from inspector.wording.support_marks import Mark

pytestmark = pytest.mark.engine
X = np.zeros((3, 4), np.float32)
RESHAPED = """<ir_version: 8, opset_import: ["" : 17]>
    g (float[n,4] x, int64[2] s) => (float[a,b] y) {
      [first] h = Relu(x) [shape] r = Reshape(h, s) [last] y = Neg(r) }"""
INSIDE = """<ir_version: 8, opset_import: ["" : 17]>
    g (bool c, float[n,4] x, int64[2] s) => (float[a,b] y) {
      [choice] y = If(c) <
        then_branch = t () => (float[a,b] r) { [inner] r = Reshape(x, s) },
        else_branch = e () => (float[a,b] i) { [other] i = Identity(x) }> }"""
FUSED = """<ir_version: 8, opset_import: ["" : 17]>
    g (float[n,4] x, float[k,m] w, float[m] v) => (float[a,b] y) {
      [times] h = MatMul(x, w) [plus] g = Add(h, v) [cut] y = Relu(g) }"""


def failure(
    folder: Path, text: str, feeds: dict[str, np.ndarray], spec: RunSpec, named: bool = True
) -> EngineFailed:
    model = onnx.parser.parse_model(text)
    for node in () if named else model.graph.node:
        node.name = ""
    path = folder / "net.onnx"
    onnx.save(model, path)
    session = create_session(path, spec, devices.resolve(spec.devices))
    with pytest.raises(EngineFailed) as told, naming_failed_layers(path, spec, feeds):
        predict.predict(session, feeds)
    return told.value


def test_a_layer_that_fails_is_named_as_in_the_model(tmp_path):
    feeds = {"x": X, "s": np.array([5, 5])}
    why = failure(tmp_path, RESHAPED, feeds, RunSpec()).why
    assert why.endswith("to 5×5 (in layer 'shape' (Reshape))")


def test_a_layer_without_a_name_is_told_by_its_place(tmp_path):
    feeds = {"x": X, "s": np.array([5, 5])}
    why = failure(tmp_path, RESHAPED, feeds, RunSpec(), named=False).why
    assert why.endswith("(in layer 1 (Reshape))")


def test_a_layer_inside_a_branch_is_named_rather_than_the_branch(tmp_path):
    feeds = {"c": np.array(True), "x": X, "s": np.array([5, 5])}
    why = failure(tmp_path, INSIDE, feeds, RunSpec()).why
    assert why.endswith("to 5×5 (in layer 'inner' (Reshape))")


def test_where_memory_ran_out_the_model_is_not_loaded_once_more(tmp_path, monkeypatch):
    """It would run out again, and there the runtime once ended the process (SIGSEGV)."""
    path = tmp_path / "net.onnx"
    model = onnx.parser.parse_model(RESHAPED)
    for node in model.graph.node:
        node.name = ""
    onnx.save(model, path)
    monkeypatch.setattr(failing_layer, "create_session", lambda *_, **__: pytest.fail("again"))
    message = (
        "Non-zero status code returned while running Neg node. Name:'' Status Message: "
        "bfc_arena.cc:360 Failed to allocate memory for requested buffer of size 1048576"
    )
    failed = refusals.runtime_failure(RuntimeError(message), "Could not run", "prediction")
    failed.__cause__ = RuntimeError(message)
    named = failing_layer.name_failed_layer(failed, path, RunSpec(), {})
    assert named.why == "there was not enough memory (in Neg)"


@pytest.mark.parametrize("around", [False, True])
def test_around_failures_names_the_inner_layer_of_silero_as_the_plain_run_does(
    around, shared, tmp_path
):
    try:
        devices.resolve(["webgpu:0"])
    except InspectorError as error:
        pytest.skip(f"no second device here: {error.why}")
    model = shared / "real" / "silero_vad_op18_ifless.onnx"
    spec = RunSpec(devices=("webgpu:0",), runs=2, profiled_runs=1, around_failures=around)
    spec = replace(spec, warmup=0, steady=0)
    feeds = {
        "input": np.zeros((1, 512), np.float32),
        "state": np.zeros((2, 1, 128), np.float32),
        "sr": np.array(16_000),
    }
    identity = ModelIdentity(model.name, digest(model), model.stat().st_size, 90, 0)
    with EngineProcess(lock=tmp_path / "turn") as engine:
        if around:
            report = engine.measure(model, identity, spec, feeds)
            marks = {use.name: use.devices["webgpu:0"].mark for use in report.layers}
            assert [n for n, mark in marks.items() if mark is Mark.FAILED] == ["node_select"]
        else:
            with pytest.raises(DeviceFailed, match="took layer 'node_select' \\(Gather\\)"):
                engine.measure(model, identity, spec, feeds)


def test_layers_that_ran_as_one_are_all_named(tmp_path):
    feeds = {"x": X, "w": np.zeros((5, 2), np.float32), "v": np.zeros(2, np.float32)}
    why = failure(tmp_path, FUSED, feeds, RunSpec()).why
    assert "in layer 'times' (MatMul" in why


def test_a_device_that_took_a_layer_and_failed_is_named_with_a_way_out(tmp_path):
    try:
        devices.resolve(["webgpu:0"])
    except InspectorError as error:
        pytest.skip(f"no second device here: {error.why}")
    feeds = {"x": X, "w": np.zeros((5, 2), np.float32), "v": np.zeros(2, np.float32)}
    told = failure(tmp_path, FUSED, feeds, RunSpec(devices=("webgpu:0",)))
    assert told.why.startswith("WebGPU accepted layer 'times' (MatMul), then failed: ")
    assert told.hint.startswith("Force it to the CPU with --on-cpu 'times'; ")
    assert isinstance(told, DeviceFailed)
    assert (told.device, told.layers) == ("webgpu:0", (0,))
    assert told.reason
    assert "times" not in told.reason
