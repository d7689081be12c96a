"""What an input holds reaches every way to run the model, tensor or not."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper
from pytestqt.qtbot import QtBot

import inspector
from inspector.app import measurements, subjects
from inspector.engine.client.engine_process import EngineProcess
from inspector.preview.inputs.feeds import feeds_by_name, fill_all
from inspector.preview.inputs.image import ImageOptions
from inspector.report.library import Library
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import InputSource, RunSpec
from inspector.ui.documents.autosave import Autosave
from inspector.ui.documents.document import Document, Topic
from tests import models
from tests.preview.inputs.test_guessed_axes import pooling
from tests.preview.inputs.test_mapping import vectorizer


def joiner(path: Path) -> Path:
    """Adds up the parts of a sequence, and a number more where it is given."""
    kind = helper.make_tensor_type_proto(TensorProto.FLOAT, ["n"])
    parts = helper.make_value_info("parts", helper.make_sequence_type_proto(kind))
    joined = helper.make_node("ConcatFromSequence", ["parts"], ["whole"], axis=0)
    total = helper.make_node("ReduceSum", ["whole"], ["y"], keepdims=0)
    out = models.value("y", [])
    return models.save(path, [joined, total], [parts], [out])


def opened(qtbot: QtBot, path: Path, given: str) -> Document:
    document = Document(path, RunSpec(runs=3, warmup=1), EngineProcess)
    with qtbot.waitSignals([document.changed(Topic.MODEL), document.changed(Topic.DIGEST)]):
        document.open()
    filled = fill_all(document.model.inputs, {document.model.inputs[0].name: given}, {})
    sources = tuple(InputSource(each.name, each.value) for each in filled)
    document.set_feeds(feeds_by_name(filled), sources)
    return document


@pytest.mark.engine
def test_a_ragged_sequence_is_measured_and_stepped_through(qtbot, tmp_path):
    (tmp_path / "s.json").write_text("[[1, 2], [3], [4, 5, 6]]")
    document = opened(qtbot, joiner(tmp_path / "join.onnx"), str(tmp_path / "s.json"))
    with qtbot.waitSignal(document.report_added, timeout=30_000) as told:
        document.measure()
    report = told.args[0]
    assert isinstance(report, PerformanceReport)
    assert report.spec.inputs[0].value == "s.json"
    with qtbot.waitSignal(document.stepping.changed, timeout=30_000):
        document.stepping.run("all", None, None)
    whole, _ = document.stepping.found.steps
    assert whole.outputs[0].shape == (6,)
    document.close()


@pytest.mark.engine
def test_a_map_is_measured_with_its_own_keys(qtbot, tmp_path):
    (tmp_path / "m.json").write_text(json.dumps({"b": 2.5}))
    document = opened(qtbot, vectorizer(tmp_path / "v.onnx"), str(tmp_path / "m.json"))
    with qtbot.waitSignal(document.report_added, timeout=30_000) as told:
        document.measure()
    assert told.args[0].spec.inputs[0].value == "m.json"
    document.close()


@pytest.mark.engine
def test_a_model_that_fails_at_the_usual_lengths_is_measured_at_others(qtbot, tmp_path):
    path = pooling(tmp_path / "m.onnx", 9)
    document = Document(path, RunSpec(runs=3, warmup=1), EngineProcess)
    with qtbot.waitSignals([document.changed(Topic.MODEL)], timeout=30_000):
        document.open()
    with qtbot.waitSignal(document.report_added, timeout=30_000) as told:
        document.measure()
    document.close()
    guess = "batch=1, seq=16 guessed after the default sizes failed"
    assert told.args[0].notes[-1] == f"{guess}."
    report = inspector.measure(path, runs=3, layers=False).report
    assert report.notes[-1].startswith(f"{guess}; set with --dim")


class Listening:
    """An engine that keeps what it is to measure with."""

    def measure(self, path: Path, identity: object, spec: RunSpec, feeds: Any) -> Any:
        self.feeds = feeds


def test_a_sweep_takes_what_a_prediction_takes(tmp_path):
    (tmp_path / "s.json").write_text("[[1, 2], [3]]")
    engine = Listening()
    path = joiner(tmp_path / "join.onnx")
    found = subjects.subjects([path], {"parts": str(tmp_path / "s.json")})
    measurements.measure_function(engine, found)(0, RunSpec())
    assert [part.tolist() for part in engine.feeds["parts"]] == [[1, 2], [3]]
    own = (np.ones(3, np.float32), np.ones(1, np.float32))
    found = subjects.subjects([path], subjects.at_hand({"parts": own}))
    measurements.measure_function(engine, found)(0, RunSpec())
    assert engine.feeds == {"parts": own}


def test_every_way_to_fill_guesses_by_the_outputs_too(tmp_path):
    model = subjects.subjects([joiner(tmp_path / "join.onnx")])[0].model
    options = ImageOptions.of(model, cast=True)
    assert options.outputs == model.outputs
    assert options.cast


def test_what_is_given_no_more_is_gone(tmp_path):
    document = Document(None, RunSpec(), EngineProcess)
    document.set_feeds({"a": np.ones(1), "b": np.ones(2)}, ())
    document.set_feeds({"b": np.zeros(1)}, (InputSource("a", "left out"),))
    assert list(document.feeds) == ["b"]


@pytest.mark.engine
def test_a_measurement_that_fails_leaves_its_report_in_the_library(qtbot, tmp_path):
    node = helper.make_node("Whirl", ["x"], ["y"], domain="made.up")
    ends = [models.value(name, [2]) for name in ("x", "y")]
    path = models.save(tmp_path / "unknown.onnx", [node], ends[:1], ends[1:])
    library = Library(tmp_path / "library")
    document = Document(path, RunSpec(runs=3), EngineProcess, Autosave(library))
    with qtbot.waitSignals([document.changed(Topic.MODEL)], timeout=30_000):
        document.open()
    with qtbot.waitSignal(document.failed, timeout=30_000):
        document.measure()
    (entry,) = library.entries()
    assert library.load(entry).failed
    assert not document.reports
    document.close()
