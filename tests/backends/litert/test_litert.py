"""LiteRT in a real engine process; needs the extra `litert`."""

from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from onnx import helper, numpy_helper

import inspector
from inspector.engine.client.engine_process import EngineProcess
from inspector.engine.requests import GetTensor
from inspector.errors import BadInput, EngineFailed
from inspector.formats.opening import open_model
from inspector.model.model import Signature
from inspector.preview.identity import measured_model
from inspector.report.run_spec import Dimension, RunSpec
from tests import command_line, models
from tests.formats.tflite import build
from tests.formats.tflite.build import code, ints, operator, subgraph, tensor

MUL = 18

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(find_spec("ai_edge_litert") is None, reason="needs the extra litert"),
]


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EngineProcess]:
    with EngineProcess(lock=tmp_path_factory.mktemp("lock") / "lock") as engine:
        yield engine


@pytest.fixture
def chain(tmp_path: Path) -> Path:
    tensors = [
        tensor("x", (1, 4), signature=ints(-1, 4)),
        tensor("w", (4,), 0, 1),
        tensor("twice", (1, 4), signature=ints(-1, 4)),
        tensor("y", (1, 4), signature=ints(-1, 4)),
    ]
    layers = [operator(0, (0, 0), (2,)), operator(0, (2, 1), (3,))]
    weights = np.arange(4, dtype=np.float32).tobytes()
    body = build.model([code(0)], [subgraph(tensors, (0,), (3,), layers)], (weights,))
    path = tmp_path / "chain.tflite"
    path.write_bytes(body)
    return path


def feeds(rows: int) -> dict[str, np.ndarray]:
    return {"x": np.random.default_rng(0).random((rows, 4), np.float32)}


@pytest.mark.parametrize("xnnpack", [True, False])
def test_outputs_are_those_of_the_runtime_itself(engine, chain, xnnpack):
    given = feeds(3)
    found = engine.predict(chain, RunSpec(threads=1, xnnpack=xnnpack), given)
    np.testing.assert_array_equal(
        found.outputs[0].array, given["x"] * 2 + np.arange(4, dtype=np.float32)
    )
    assert engine.backend.id == "litert"


def test_a_wrong_input_and_another_device_are_told(engine, chain):
    with pytest.raises(BadInput, match="the value has shape 3×5"):
        engine.predict(chain, RunSpec(), {"x": np.zeros((3, 5), np.float32)})
    with pytest.raises(BadInput, match="There is no device 'webgpu:0'"):
        engine.predict(chain, RunSpec(devices=("webgpu:0",)), feeds(1))
    with pytest.raises(BadInput, match="LiteRT does not have this setting"):
        engine.predict(chain, RunSpec(optimization="none"), feeds(1))


def test_shapes_are_those_of_the_lengths_that_are_asked_for(engine, chain):
    found = engine.shapes(chain, (Dimension("x[0]", 5),))
    assert {value.name: value.shape for value in found.values}["twice"] == (5, 4)


def test_values_of_inner_tensors_are_returned(engine, chain):
    given = feeds(2)
    steps = engine.steps(chain, RunSpec(), given).steps
    assert [step.operator for step in steps] == ["ADD", "ADD"]
    assert steps[1].inputs == (0,)
    twice = engine.call(GetTensor(chain, RunSpec(), given, "twice", None)).outputs[0]
    np.testing.assert_array_equal(twice.array, given["x"] * 2)


@pytest.mark.parametrize("xnnpack", [True, False])
def test_layers_are_timed(engine, chain, xnnpack):
    spec = RunSpec(threads=1, runs=5, xnnpack=xnnpack)
    identity = measured_model(chain, open_model(chain))
    report = engine.measure(chain, identity, spec, feeds(1))
    assert len(report.prediction_ns) == 5
    assert report.environment.runtime.startswith("LiteRT 2.")
    assert [use.status.value for use in report.layers] == ["executed", "executed"]
    reason = "XNNPACK delegate." if xnnpack else "LiteRT's own kernel."
    assert {use.devices["cpu"].reason for use in report.layers} == {reason}
    assert report.profiling.means
    assert report.profiling.time_title == "Mean"
    parts = {part.name: part.time_ns for part in report.profiling.parts}
    assert sum(parts.values()) == pytest.approx(report.profiling.prediction_ns, abs=10)
    assert parts["profiler: reading the memory in use"] > 0
    assert ("profiler: reporting XNNPACK kernel times" in parts) == xnnpack


def test_other_lengths_than_the_converters_are_measured_without_layers(engine, chain):
    identity = measured_model(chain, open_model(chain))
    report = engine.measure(chain, identity, RunSpec(runs=3), feeds(2))
    assert report.layers == ()
    assert report.prediction_ns
    assert any("1×4 for x" in note for note in report.notes)


def test_a_custom_operator_is_named_and_the_process_goes_on(engine, tmp_path, chain):
    path = tmp_path / "custom.tflite"
    graph = subgraph(
        [tensor("x", (1,)), tensor("y", (1,))], (0,), (1,), [operator(0, (0,), (1,))]
    )
    path.write_bytes(build.model([code(32, custom="MyOperator")], [graph]))
    with pytest.raises(EngineFailed, match="LiteRT has no custom operator MyOperator"):
        engine.load(path, RunSpec())
    assert engine.predict(chain, RunSpec(), feeds(1)).outputs


def test_feeds_of_the_profiler_have_the_names_of_its_signature(chain):
    from inspector.backends.litert.measure import _as_signature
    from inspector.backends.litert.profiler import Unavailable

    model, given = open_model(chain), feeds(1)
    assert _as_signature(model, given) == (0, given)
    other = Signature("other", (), (), function="inner")
    own = Signature("serving", (("image", "x"),), ())
    index, named = _as_signature(replace(model, signatures=(other, own)), given)
    assert (index, list(named)) == (1, ["image"])
    with pytest.raises(Unavailable, match="none of its signatures"):
        _as_signature(replace(model, signatures=(other,)), given)


@pytest.mark.slow
def test_one_network_in_two_formats_and_layouts_is_measured_in_turns(tmp_path):
    """Channels first in ONNX and last in TensorFlow Lite, times a number for each channel."""
    scale = np.array([1, 10, 100], np.float32)
    onnx_file, tflite_file = tmp_path / "net.onnx", tmp_path / "net.tflite"
    models.save(
        onnx_file,
        [helper.make_node("Mul", ["x", "w"], ["y"], "scaled")],
        [models.value("x", (1, 3, 4, 5))],
        [models.value("y", (1, 3, 4, 5))],
        [numpy_helper.from_array(scale.reshape(3, 1, 1), "w")],
    )
    tensors = [tensor("in", (1, 4, 5, 3)), tensor("w", (3,), 0, 1), tensor("out", (1, 4, 5, 3))]
    graph = subgraph(tensors, (0,), (2,), [operator(0, (0, 1), (2,))])
    tflite_file.write_bytes(build.model([code(MUL)], [graph], (scale.tobytes(),)))
    usual = {"processes": 1, "runs": 5, "layers": False}
    found = inspector.measure_against(onnx_file, tflite_file, **usual)
    assert found.reports[1].environment.runtime_name == "ONNX Runtime"
    assert "agree within rounding" in found.verdict
    assert "transposed for it: 'in' (1×3×4×5 as 1×4×5×3)." in found.verdict
    assert "Channels of output 'out' were moved to fit." in found.verdict
    more = ("--processes", 1, "--runs", 5, "--no-layers", "--input", "x=random:3")
    said = command_line.run("measure", onnx_file, "--against", tflite_file, *more)
    assert said.returncode == 0, said.stderr
    assert "within rounding" in said.stdout


def test_sentences_of_the_runtime_are_apart():
    from inspector.backends.litert.interpreter import failure

    text = "Division by 0Node number 0 (FLOOR_MOD) failed to invoke."
    why = failure(RuntimeError(text), "Could not run m.tflite", "prediction").why
    assert why == ("LiteRT reports: Division by 0. Node number 0 (FLOOR_MOD) failed to invoke.")
