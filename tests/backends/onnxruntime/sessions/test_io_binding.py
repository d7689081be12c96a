from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import parser

from inspector.backends.onnxruntime.sessions import devices, io_binding, predict
from inspector.backends.onnxruntime.sessions.session import create_session
from inspector.errors import BadInput, InspectorError
from inspector.report.run_spec import RunSpec
from inspector.trace.trace import Kind
from tests.backends.onnxruntime.measuring.test_measure import measured_with

TWO = """
<ir_version: 9, opset_import: ["" : 17]>
g (float[n,4] x, int64[k] axes) => (float[n,4] y, float[u,v] z) {
  y = Add(x, x)
  z = ReduceSum(x, axes)
}"""
ADDED = """
<ir_version: 9, opset_import: ["" : 17]>
g (float[n,4] x) => (float[n,4] y) { y = Add(x, x) }"""
TEXTS = """
<ir_version: 9, opset_import: ["" : 17]>
g (string[n] x) => (string[n] y) { y = Identity(x) }"""
HALF = """
<ir_version: 9, opset_import: ["" : 17]>
g (float16[2,3] x) => (float16[2,3] y) { y = Relu(x) }"""
X = np.arange(8, dtype=np.float32).reshape(2, 4)
FEEDS: dict[str, Any] = {"x": X, "axes": np.array([1], np.int64)}


def saved(text: str, folder: Path) -> Path:
    path = folder / "model.onnx"
    onnx.save(parser.parse_model(text), path)
    return path


def session_of(text: str, folder: Path) -> Any:
    return create_session(saved(text, folder), RunSpec(), devices.resolve(["cpu"]))


def values(given: Iterable[Any]) -> list[Any]:
    return [(each if isinstance(each, np.ndarray) else each.numpy()).tolist() for each in given]


@pytest.mark.parametrize("way", [io_binding.PLAIN, io_binding.INPUTS, io_binding.OUTPUTS])
def test_each_way_gives_the_same_answers_each_time(tmp_path, way):
    run = predict.prepare_run(session_of(TWO, tmp_path), FEEDS, way)
    expected = [(X + X).tolist(), X.sum(1, keepdims=True).tolist()]
    for _ in range(3):
        assert values(run()) == expected


def test_bound_outputs_are_written_into_the_same_memory(tmp_path):
    run = predict.prepare_run(session_of(TWO, tmp_path), FEEDS, "outputs")
    run()
    first = run()
    kept = [np.asarray(each) for each in first]
    for each in kept:
        each[...] = 0
    run()
    assert kept[0].tolist() == (X + X).tolist()


def test_an_empty_output_can_be_bound(tmp_path):
    feeds = FEEDS | {"x": X[:0]}
    run = predict.prepare_run(session_of(TWO, tmp_path), feeds, "outputs")
    assert [np.asarray(each).shape for each in (run(), run())[1]] == [(0, 4), (0, 1)]


@pytest.mark.parametrize(
    ("way", "message"),
    [("inputs", "Input 'x' cannot be bound"), ("tape", "plain, inputs, outputs")],
)
def test_what_has_no_address_is_refused_in_a_sentence(tmp_path, way, message):
    feeds = {"x": np.array(["a"], object)}
    with pytest.raises(BadInput, match=message):
        predict.prepare_run(session_of(TEXTS, tmp_path), feeds, way)


def test_a_report_of_bound_memory_is_whole(tmp_path):
    spec = RunSpec(runs=2, profiled_runs=1, binding="outputs")
    report = measured_with(saved(TWO, tmp_path), tmp_path, FEEDS, spec)
    assert report.spec.binding == "outputs"
    assert len(report.prediction_ns) == 2


def test_copies_of_inputs_are_events_with_their_bytes(tmp_path):
    feeds = FEEDS | {"x": np.asfortranarray(X)}
    report = measured_with(saved(TWO, tmp_path), tmp_path, feeds, RunSpec(runs=1))
    spans = [report.trace.span(i) for i in range(len(report.trace))]
    (copy,) = [span for span in spans if span.kind is Kind.COPY]
    assert (copy.name, copy.size_bytes) == ("copy x", X.nbytes)
    assert any("Copying or casting the inputs took" in note for note in report.notes)


def test_other_real_numbers_are_cast_only_when_asked(tmp_path):
    path = saved(HALF, tmp_path)
    feeds: dict[str, Any] = {"x": np.ones((2, 3), np.float32)}
    with pytest.raises(
        BadInput, match=r"values are float32.*\n.*astype\('float16'\), or use --cast"
    ):
        measured_with(path, tmp_path, feeds, RunSpec(runs=1))
    report = measured_with(path, tmp_path, feeds, RunSpec(runs=1, cast=True))
    spans = [report.trace.span(i) for i in range(len(report.trace))]
    (cast,) = [span for span in spans if span.name == "cast x to float16"]
    assert (cast.kind, cast.size_bytes) == (Kind.CAST, 12)
    whole: dict[str, Any] = {"x": np.ones((2, 3), np.int32)}
    with pytest.raises(BadInput):
        measured_with(path, tmp_path, whole, RunSpec(runs=1, cast=True))


def test_a_processor_has_no_memory_of_a_device(tmp_path):
    with pytest.raises(BadInput, match="device memory") as refused:
        predict.prepare_run(session_of(TWO, tmp_path), FEEDS, io_binding.DEVICE)
    assert "GPU" in refused.value.hint


def test_a_device_keeps_inputs_and_outputs_and_copies_inputs_once(tmp_path):
    try:
        units = devices.resolve(["webgpu:0"])
    except InspectorError as error:
        pytest.skip(f"no second device here: {error.why}")
    session = create_session(saved(ADDED, tmp_path), RunSpec(devices=("webgpu:0",)), units)
    steps: list[tuple[str, Kind, int]] = []

    def noted(*step: Any) -> Any:
        steps.append(step)
        return nullcontext()

    run = predict.prepare_run(session, {"x": X}, io_binding.DEVICE, noted=noted)
    copies = [step for step in steps if step[1] is Kind.COPY]
    assert copies == [("copy x to the device", Kind.COPY, X.nbytes)]
    steps.clear()
    for _ in range(2):
        assert values(run()) == [(X + X).tolist()]
    parts = [io_binding.SUBMIT, io_binding.WAIT, io_binding.FETCH]
    assert [name for name, _, _ in steps] == parts * 2
