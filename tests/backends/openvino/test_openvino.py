"""OpenVINO in a real engine process; needs the extra `openvino`."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from onnx import helper

from inspector.analysis.measured.layer_sum import conversion_times
from inspector.analysis.measured.phases import cache_outcome
from inspector.engine.client.engine_process import ComparisonRun, EngineProcess
from inspector.engine.requests import CheckSupport, GetTensor
from inspector.errors import BadInput, EngineFailed
from inspector.formats.opening import open_model
from inspector.preview.identity import measured_model
from inspector.report import report as reports
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import Dimension, ProviderOption, RunSpec
from inspector.trace.kinds import ALL_PROGRAMS
from inspector.wording.support_marks import Mark, Status
from tests import command_line, models
from tests.formats.tflite import build

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(find_spec("openvino") is None, reason="needs the extra openvino"),
]
ON_OPENVINO = RunSpec(devices=("openvino:cpu",))
IR = Path(__file__).parents[2] / "formats/other/files/net.xml"
X = np.random.default_rng(0).random((2, 3, 8, 8), np.float32)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EngineProcess]:
    with EngineProcess(lock=tmp_path_factory.mktemp("lock") / "lock") as engine:
        yield engine


@pytest.fixture(scope="module")
def digits(engine: EngineProcess, samples: Path) -> PerformanceReport:
    path = samples / "digits_float32.onnx"
    spec = RunSpec(devices=("openvino:cpu",), threads=1, runs=5, concurrency=(2,))
    return engine.measure(path, measured_model(path, open_model(path)), spec, picture())


def picture() -> dict[str, np.ndarray]:
    return {"picture": np.random.default_rng(0).random((1, 1, 8, 8), np.float32)}


def test_outputs_are_those_of_onnx_runtime(engine, samples):
    path = samples / "digits_float32.onnx"
    theirs = engine.predict(path, RunSpec(), picture())
    found = engine.predict(path, ON_OPENVINO, picture(), warm=True)
    assert engine.backend.id == "openvino"
    assert (found.devices, len(found.outputs)) == (("openvino:cpu",), len(theirs.outputs))
    for own, other in zip(found.outputs, theirs.outputs, strict=True):
        assert (own.name, own.dtype) == (other.name, other.dtype)
        np.testing.assert_allclose(own.array, other.array, rtol=1e-4, atol=1e-5)
    assert found.warm_ns


@pytest.mark.parametrize("device", ["cpu", "openvino:cpu"])
def test_its_own_models_run_with_any_number_of_rows(engine, device):
    spec = RunSpec(devices=(device,))
    (y,) = engine.predict(IR, spec, {"x": X}).outputs
    (first,) = engine.predict(IR, spec, {"x": X[:1]}).outputs
    np.testing.assert_allclose(y.array[:1], first.array, rtol=1e-5)
    shapes = engine.shapes(IR, (Dimension("x[0]", 5),))
    assert {value.name: value.shape for value in shapes.values}["conv"] == (5, 4, 3, 3)


def test_a_tflite_model_runs(engine, tmp_path):
    path = tmp_path / "adding.tflite"
    path.write_bytes(build.adding())
    values = np.arange(-3, 3, dtype=np.float32).reshape(2, 3)
    (total,) = engine.predict(path, ON_OPENVINO, {"a": values, "b": values}).outputs
    np.testing.assert_array_equal(total.array, np.maximum(values * 2, 0))


def test_every_layer_has_a_status_and_the_mark_that_openvino_gives(engine, digits, samples):
    assert digits.environment.runtime.startswith("OpenVINO 20")
    (device,) = digits.devices
    assert (device.id, device.kind) == ("openvino:cpu", "cpu")
    assert {layer.status for layer in digits.layers} <= {
        Status.EXECUTED, Status.FUSED, Status.FOLDED, Status.ELIMINATED,
    }  # fmt: skip
    executed = [layer for layer in digits.layers if layer.status is Status.EXECUTED]
    assert {"Conv"} <= {layer.operator for layer in executed}
    fused = [layer for layer in digits.layers if layer.status is Status.FUSED]
    assert all(digits.layers[layer.into].status is Status.EXECUTED for layer in fused)
    relu = next(layer for layer in fused if layer.operator == "Relu")
    assert digits.layers[relu.into].operator == "Conv"
    device, layers = "openvino:cpu", tuple(range(len(digits.layers)))
    path = samples / "digits_float32.onnx"
    asked = engine.call(CheckSupport(path, digits.spec, {}, {device: layers}))[device]
    ran = {Mark.RAN, Mark.FUSED, Mark.FOLDED}
    for layer in digits.layers:
        assert layer.devices["openvino:cpu"].mark in ran
        assert asked[layer.index].mark in (Mark.SUPPORTED, Mark.FOLDED)


def test_a_model_in_the_cache_folder_is_not_compiled_again(engine, samples, tmp_path):
    path, folder = samples / "digits_float32.onnx", tmp_path / "cache"
    options = (ProviderOption.here("CACHE_DIR", str(folder)),)
    spec = replace(ON_OPENVINO, runs=2, profiled_runs=0, provider_options=options)
    caches = [
        engine.measure(path, measured_model(path, open_model(path)), spec, picture()).load_cache
        for _ in range(2)
    ]
    assert [*map(cache_outcome, caches)] == ["miss", "hit"]
    assert caches[1].files == len(list(folder.glob("*.blob")))


def test_times_add_up_and_added_nodes_have_a_lane(digits):
    assert {each.process for each in digits.trace.counters} == {ALL_PROGRAMS}
    times = sum(layer.time_ns or 0 for layer in digits.layers)
    added = sum(node.time_ns for node in digits.inserted)
    assert 0 < times + added == digits.kernel_ns
    assert digits.profiling.means
    assert all({node.after, node.before} != {None} for node in digits.inserted)
    assert sum(conversion_times(digits).values()) == added, "each belongs to a layer"
    assert {node.name for node in digits.inserted} <= set(digits.trace.names)
    names = {track.lane for track in digits.trace.tracks}
    assert len(names) == (2 if digits.inserted else 1)
    assert {int(index) for index in digits.trace.layer} - {-1} == {
        layer.index for layer in digits.layers if layer.status is Status.EXECUTED
    }
    (load,) = digits.throughput
    assert (load.concurrency, len(load.prediction_ns) >= 5) == (2, True)


def test_added_nodes_have_the_names_of_the_layers_beside_them(samples):
    from inspector.backends.openvino.layer_times import readable_name

    model = open_model(samples / "digits_float32.onnx")
    first, second = model.layers[0].name, model.layers[1].name
    assert readable_name("L0_45_abcd_acdb_L1_46", model) == f"{first}_abcd_acdb_{second}"
    assert readable_name("x_abcd_acdb_L1_2", model) == f"x_abcd_acdb_{second}"
    assert readable_name("XL0_2", model) == "XL0_2"


def test_a_compiled_model_is_loaded_again(engine, samples):
    path = samples / "digits_float32.onnx"
    identity = measured_model(path, open_model(path))
    spec = RunSpec(
        devices=("openvino:cpu",), runs=2, warmup=0, profiled_runs=0, load_from="compiled",
        inference_precision="f16", performance_hint="throughput", streams=1,
    )  # fmt: skip
    report = engine.measure(path, identity, spec, picture())
    assert len(report.compilations_ns) == 1
    assert report.prediction_ns


def test_values_of_all_layers_are_returned(engine, samples):
    path = samples / "digits_float32.onnx"
    ours = engine.steps(path, ON_OPENVINO, picture())
    theirs = engine.steps(path, RunSpec(optimization="none"), picture())
    ranges = [[(output.name, output.shape) for output in step.outputs] for step in theirs.steps]
    assert [[(o.name, o.shape) for o in step.outputs] for step in ours.steps] == ranges
    name = ours.steps[0].outputs[0].name
    one = engine.call(GetTensor(path, ON_OPENVINO, picture(), name, ComparisonRun(ON_OPENVINO)))
    np.testing.assert_array_equal(one.outputs[0].array, one.outputs[1].array)


def test_refusals_are_sentences(engine, samples, tmp_path):
    path = samples / "digits_float32.onnx"
    with pytest.raises(BadInput, match="one session runs on devices of one runtime"):
        engine.load(path, RunSpec(devices=("cpu", "openvino:cpu")))
    with pytest.raises(BadInput, match="OpenVINO finds only openvino:cpu"):
        engine.load(path, RunSpec(devices=("openvino:vpu",)))
    with pytest.raises(BadInput, match="OpenVINO does not have this setting"):
        engine.load(path, RunSpec(devices=("openvino:cpu",), optimization="none"))
    with pytest.raises(BadInput, match="the value has shape 1×1×9×9"):
        engine.predict(path, ON_OPENVINO, {"picture": np.zeros((1, 1, 9, 9), np.float32)})
    with pytest.raises(BadInput, match="layers of two runtimes") as two:
        engine.steps(path, RunSpec(), picture(), ComparisonRun(ON_OPENVINO))
    command = two.value.hint.partition(": ")[2].split()
    assert command[:2] == ["inspector", "parity"]
    assert "same top class" in command_line.run(*command[1:]).stdout
    node = helper.make_node("Unheard", ["x"], ["y"], domain="test")
    value = models.value("x", [1])
    custom = models.save(tmp_path / "custom.onnx", [node], [value], [models.value("y", [1])])
    with pytest.raises(EngineFailed, match="OpenVINO has no operator"):
        engine.load(custom, ON_OPENVINO)


def test_a_broken_model_has_a_hint(engine, tmp_path):
    """The weights are cut, and an operator is one that no version knows."""
    xml, weights = tmp_path / "net.xml", tmp_path / "net.bin"
    body, values = IR.read_bytes(), IR.with_suffix(".bin").read_bytes()
    xml.write_bytes(body)
    weights.write_bytes(values[:4])
    with pytest.raises(EngineFailed, match=r"Put the \.bin file with the weights"):
        engine.load(xml, ON_OPENVINO)
    xml.write_bytes(body.replace(b'type="Convolution"', b'type="Addition"'))
    weights.write_bytes(values)
    with pytest.raises(EngineFailed, match="Convert the model again, or update OpenVINO"):
        engine.load(xml, ON_OPENVINO)


def test_devices_are_listed_beside_those_of_onnx_runtime(engine):
    found = {device.id: device for device in engine.devices()}
    assert found["cpu"].provider == "CPUExecutionProvider"
    assert found["openvino:cpu"].problem == ""
    assert found["openvino:cpu"].source.startswith("openvino 20")


@pytest.mark.parametrize(
    "name", ["digits_float32.onnx", pytest.param("net.xml", marks=pytest.mark.slow)]
)
def test_the_program_that_is_written_runs(samples, tmp_path, name):
    path = IR if name == IR.name else samples / name
    written = command_line.run("code", path, "--device", "openvino:cpu", "--threads", "1")
    for file in path.parent.glob(f"{path.stem}.*"):
        shutil.copy(file, tmp_path)
    (tmp_path / "program.py").write_text(written.stdout, "utf-8")
    command = [sys.executable, "program.py", str(samples / "inputs/digit_3.png")]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout
    refused = command_line.run("code", path, "--device", "openvino:cpu", "--language", "cpp")
    assert "code for OpenVINO is available in Python only" in refused.stderr


def test_two_engines_are_measured_in_turns_and_their_outputs_compared(samples, tmp_path):
    path = samples / "digits_float32.onnx"
    pair = ("--device", "cpu", "--device", "openvino:cpu", "--threads", "1")
    saved = tmp_path / "ov.json", tmp_path / "ort.json"
    run = command_line.run(
        "measure", path, *pair, "--runs", "20", "--processes", "1", "--no-layers",
        "--fail-if", "output.psnr<40", "-o", saved[0], "--against-output", saved[1],
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert "Their outputs agree: PSNR" in run.stdout
    assert "A  cpu " in run.stdout
    assert "B  openvino:cpu " in run.stdout
    ours, theirs = map(reports.load, saved)
    assert (ours.spec.devices, theirs.spec.devices) == (("openvino:cpu",), ("cpu",))
    assert ours.turns.id == theirs.turns.id != ""
    refused = command_line.run("measure", path, *pair, "--against", path)
    assert "devices of two runtimes cannot be used together" in refused.stderr


def test_a_scalar_stays_one(engine, tmp_path):
    nodes = [helper.make_node("Add", ["x", "x"], ["y"])]
    scalar = [models.value(name, []) for name in "xy"]
    path = models.save(tmp_path / "scalar.onnx", nodes, scalar[:1], scalar[1:])
    (y,) = engine.predict(path, ON_OPENVINO, {"x": np.float32(3)}).outputs
    assert (y.array.shape, float(y.array)) == ((), 6.0)


def test_operations_without_names_of_tensors_belong_to_the_layers_of_their_kind():
    import openvino
    from openvino import opset13 as opset

    from inspector.backends.openvino.layer_times import origin

    kinds = ("DEPTHWISE_CONV_2D", "CONV_2D", "CONV_2D", "SOFTMAX")
    layers = tuple(
        SimpleNamespace(index=n, operator=kind, parent=None, outputs=(f"t{n + 1}",))
        for n, kind in enumerate(kinds)
    )
    model = SimpleNamespace(layers=layers, format="tflite")
    # As OpenVINO reads some quantized files: only the last tensor has its name.
    x = opset.parameter([1, 4, 8, 8], np.float32)
    depth = opset.group_convolution(
        x, np.ones((4, 1, 1, 3, 3), np.float32), [1, 1], [1, 1], [1, 1], [1, 1]
    )
    first, second = (np.ones((4, 4, 1, 1), np.float32) for _ in range(2))
    conv = opset.convolution(opset.relu(depth), first, [1, 1], [0, 0], [0, 0], [1, 1])
    last = opset.softmax(opset.convolution(conv, second, [1, 1], [0, 0], [0, 0], [1, 1]), 1)
    last.output(0).set_names({"t4"})
    found = origin(openvino.Model([last], [x]), model)
    assert found.operators[0] >= {"GroupConvolution"}
    assert "Convolution" in found.operators[1]
    assert "Convolution" in found.operators[2]
    assert "Softmax" in found.operators[3]
