"""What the outputs of a measured model are worth."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import pytest

from inspector.engine.client.engine_process import EngineProcess
from inspector.engine.client.report_completion import check_outputs, coarsest
from inspector.errors import EngineFailed
from inspector.formats.opening import open_model
from inspector.model.tensors.agreement import summary_text
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.report.report import ModelIdentity, from_json, to_json
from inspector.report.run_spec import RunSpec
from tests.reports import example_report

SAMPLES = Path(__file__).parents[3] / "sample_models"
MODEL = open_model(SAMPLES / "digits_float32.onnx")


@pytest.mark.engine
def test_a_measurement_carries_what_its_answer_is_worth():
    path = SAMPLES / "digits_float32.onnx"
    spec = RunSpec(runs=3, profiled_runs=0, check=True)
    feeds = {"picture": np.random.default_rng(0).random((1, 1, 8, 8)).astype("f4") * 255}
    named = ModelIdentity(path.name, "0" * 64, 1, 1, 15)
    with EngineProcess() as engine:
        report = engine.measure(path, named, spec, feeds)
    (output,) = report.outputs
    assert not output.over
    assert output.difference.psnr_db > 100
    assert from_json(to_json(report), "again").outputs == report.outputs


def answer(factor: float) -> Prediction:
    value = OutputValue(
        "y", "tensor", "float32", np.array([1, 2, 3], np.float32) * np.float32(factor)
    )
    return Prediction((value,), ("cpu",), 1, 1)


def test_a_device_that_answers_otherwise_is_wrong():
    asked: list[RunSpec] = []

    def predict(spec: RunSpec) -> Prediction:
        asked.append(spec)
        return answer(1.0 if spec.optimization == "none" else 1.5)

    report = check_outputs(example_report(), MODEL, predict)
    assert report.outputs[0].over
    plain = RunSpec(optimization="none", xnnpack=False)
    assert asked == [report.spec, plain, plain]  # twice: does it repeat?


def test_dead_rows_are_wrong_though_others_are_large():
    random = np.random.default_rng(0)
    boxes, scores = random.uniform(0, 640, (1, 4, 50)), random.uniform(0, 1, (1, 3, 50))

    def predict(spec: RunSpec) -> Prediction:
        share = 1.0 if spec.optimization == "none" else 0.0
        array = np.concatenate([boxes, share * scores], 1).astype(np.float32)
        return Prediction((OutputValue("y", "tensor", "float32", array),), ("cpu",), 1, 1)

    (output,) = check_outputs(example_report(), MODEL, predict).outputs
    assert output.over
    assert output.broken == "rows 4 to 6 of y are always 0"
    assert summary_text([output]) == output.broken


def test_a_model_that_does_not_repeat_is_not_wrong():
    random = np.random.default_rng(0)

    def predict(spec: RunSpec) -> Prediction:
        array = random.normal(size=(1, 100)).astype(np.float32)
        return Prediction((OutputValue("y", "tensor", "float32", array),), ("cpu",), 1, 1)

    report = check_outputs(example_report(), MODEL, predict)
    assert not report.outputs
    assert (
        "the model does not repeat its outputs: two runs on one input differ by"
        in report.notes[-1]
    )


def test_a_check_that_fails_leaves_the_report_and_a_note():
    def predict(spec: RunSpec) -> Prediction:
        raise EngineFailed("No", "the device is gone")

    before = example_report()
    report = check_outputs(before, MODEL, predict)
    assert not report.outputs
    assert report.notes[-1] == "The outputs could not be verified: the device is gone."
    assert replace(report, notes=before.notes).prediction_ns == before.prediction_ns


@pytest.mark.parametrize(
    ("name", "most"), [("float32", 1e-3), ("float16", 2e-2), ("int8_qdq", 0.05)]
)
def test_types_inside_the_model_decide_how_exact_it_can_be(name, most):
    assert coarsest(open_model(SAMPLES / f"digits_{name}.onnx")) == most


@pytest.mark.engine
@pytest.mark.parametrize(("hop", "is_named"), [(160.0, True), (16.0, False)])
def test_what_a_gpu_makes_of_a_float16_model_is_a_note(hop, is_named, tmp_path):
    """Frames times 160 are beyond float16 from the 410th on; a CPU does not notice."""
    text = f"""<ir_version: 8, opset_import: ["" : 17]>
    net (float16[1, 600] x) => (float16[1, 600] y) <float f = {{{hop}}}> {{
        hop = Cast <to = 10> (f) a = Mul (x, hop) y = Div (a, hop) }}"""
    path = tmp_path / "frames.onnx"
    onnx.save(onnx.parser.parse_model(text), path)
    feeds = {"x": np.arange(600, dtype=np.float16)[None]}
    spec = RunSpec(runs=3, profiled_runs=0, check=True)
    with EngineProcess() as engine:
        report = engine.measure(path, ModelIdentity(path.name, "0" * 64, 1, 1, 2), spec, feeds)
    assert not report.outputs[0].over  # of this machine
    notes = [note for note in report.notes if "emulated float16 arithmetic" in note]
    assert bool(notes) == is_named
    if is_named:
        assert "190 values of y are NaN or infinite" in notes[0]
        assert "'a' (Mul, up to 9.58e+04)" in notes[0]
