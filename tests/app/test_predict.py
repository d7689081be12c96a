"""Predictions as command, API and window ask for them, without any of the three."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from msgspec import structs
from onnx import TensorProto, helper

from inspector.app import evaluate, parity, predict
from inspector.app.layers.walking import walk
from inspector.app.measure import setup
from inspector.app.subjects import Subject, at_hand
from inspector.app.verify import verify
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput
from inspector.formats.opening import open_model
from inspector.model.tensors.prediction import Prediction
from inspector.preview.class_names import Labels
from inspector.preview.inputs.feeds import GivenPicture
from inspector.preview.inputs.image_files import png
from inspector.preview.outputs.scene import NO_DECODER
from inspector.preview.preprocessing import saved
from inspector.preview.runs.model_comparison import ModelComparison
from inspector.preview.runs.other_run import OtherRun
from inspector.report.run_spec import Dimension, RunSpec
from tests import models
from tests.preview.inputs import test_sound as sounds
from tests.preview.inputs.test_guessed_axes import pooling
from tests.preview.preprocessing.test_image_retry import SIDE, detector

pytestmark = pytest.mark.engine
GRAY = np.full((SIDE, SIDE, 3), 140, np.uint8)


@pytest.fixture
def boxes(tmp_path: Path) -> Subject:
    """A detector whose guessed preprocessing gives no box, with a picture from no file."""
    detector(tmp_path / "boxes.onnx")
    given = {"images": GivenPicture(GRAY, "camera")}
    subject = Subject.of(
        tmp_path / "boxes.onnx", open_model(tmp_path / "boxes.onnx"), RunSpec()
    )
    return structs.replace(subject.with_given(given), guessed=frozenset({"images"}))


def test_a_picture_from_no_file_is_tried_with_other_preprocessing_too(boxes):
    with EngineProcess() as engine:
        found = predict.predict(boxes, predict.predicting(engine, boxes))
        chosen = structs.replace(boxes, guessed=frozenset())
        kept = predict.predict(chosen, predict.predicting(engine, chosen))
    assert found.replaced
    assert "0..255" in found.retry.text
    assert found.filled[0].value == "camera"
    assert found.filled[0].picture.preparation.scale == "255"
    assert dict(found.subject.image.saved)["images"].scale == "255"
    assert (kept.retry, kept.filled[0].picture.preparation.scale) == (None, "1")
    read = predict.places(found.subject, found.filled, found.prediction.outputs)
    assert len(read.placed.boxes) == 1
    raw = predict.places(found.subject, found.filled, found.prediction.outputs, NO_DECODER)
    assert (raw.scene, raw.decoders) == (None, read.decoders)


def test_presets_are_tried_one_by_one_and_one_that_fails_says_why(boxes):
    with EngineProcess() as engine:
        once = predict.predicting(engine, boxes)
        tried = predict.tried_presets(boxes, boxes.filled(), once)
        assert tried[0].name == "Suggested"
        assert max(tried, key=lambda each: each.result.share).preprocessing.scale == "255"

    def refused(values: object, steps: object = None) -> Prediction:
        raise BadInput("Could not run", "it is too small")

    failed = predict.tried_presets(boxes, boxes.filled(), refused)
    assert {each.result.text for each in failed} == {"it is too small"}
    with pytest.raises(BadInput, match="no input is set to an image"):
        predict.tried_presets(boxes, (), refused)


def test_lengths_that_run_are_found_for_predictions_walks_and_comparisons(tmp_path):
    path = pooling(tmp_path / "m.onnx", 2)
    subject = Subject.of(path, open_model(path), RunSpec())
    with EngineProcess() as engine, EngineProcess() as beside:
        once = predict.predicting(engine, subject)
        found = predict.predict(subject, once)
        walked = walk(engine, subject, OtherRun(level="none"))
        other = predict.predicting(
            beside, structs.replace(subject, spec=RunSpec(optimization="none"))
        )
        compared = parity.compare(subject, once, other)
    assert found.lengths == {"batch": 1, "seq": 2}
    assert found.subject.dimensions["seq"] == 2
    assert any("seq=2 guessed" in note for note in walked.found.notes)
    assert walked.against.spec.optimization == "none"
    assert any("seq=2 guessed" in note for note in compared.first.notes)
    assert not compared.outputs[0].differs


def test_another_model_that_cannot_be_opened_costs_only_its_side(boxes):
    def gone() -> Subject:
        return Subject.as_saved(boxes.path.with_name("gone.onnx"), RunSpec())

    with EngineProcess() as engine:
        once = predict.predicting(engine, boxes)
        compared = parity.compare(boxes, once, once, gone)
    assert compared.second is None
    assert "gone.onnx" in str(compared.error)
    assert compared.first.outputs


def test_each_file_is_prepared_as_the_other_model_wants_it(boxes, tmp_path):
    place = tmp_path / "images"
    place.mkdir()
    (place / "gray.png").write_bytes(png(GRAY))
    (info,) = boxes.model.inputs
    bright = replace(boxes.image.preparation(info), scale="255")
    detector(tmp_path / "other.onnx")
    kept = saved.SavedPreprocessing({"images": bright}, labels=("a", "b", "c"))
    sidecar = saved.sidecar_path(tmp_path / "other.onnx")
    sidecar.write_bytes(saved.encode(kept, "other.onnx"))
    theirs = Subject.as_saved(tmp_path / "other.onnx", RunSpec())
    assert theirs.labels.names == ("a", "b", "c")
    own = structs.replace(
        boxes.with_given({}), guessed=frozenset(), labels=Labels(("a", "b", "c"))
    )
    test = evaluate.of_folder(own, place, "none")
    with EngineProcess() as engine, EngineProcess() as beside:
        once, other = predict.predicting(engine, own), predict.predicting(beside, theirs)
        against = evaluate.Against(other, theirs, evaluate.judge_of(test))
        (row,) = evaluate.rows(test, once, against)
    assert row.answer == "no boxes"
    assert row.agreement.words != "the same"
    assert isinstance(against.comparison, ModelComparison)
    assert against.comparison.inputs == 1


def test_a_tensor_at_hand_gives_way_where_a_length_of_it_is_set(tmp_path):
    path = pooling(tmp_path / "m.onnx", 2)
    model = open_model(path)
    (info,) = model.inputs
    array = np.ones((1, 1, 5), np.float32)
    subject = Subject.of(path, model, RunSpec(), at_hand({info.name: array}))
    assert subject.filled()[0].array is array
    longer = subject.at(RunSpec(dimensions=(Dimension("seq", 7),)))
    assert longer.filled()[0].array.shape[-1] == 7


def test_a_sound_is_measured_by_its_first_step(tmp_path):
    nodes = [
        helper.make_node("ReduceMean", ["input"], ["output"], axes=[1]),
        helper.make_node("Identity", ["state"], ["stateN"]),
    ]
    state = (2, 1, 128)
    path = models.save(
        tmp_path / "vad.onnx", nodes,
        [models.value("input", ("batch", "n")), models.value("state", state),
         models.value("sr", (), TensorProto.INT64)],
        [models.value("output", ("batch", 1)), models.value("stateN", state)],
    )  # fmt: skip
    sound = sounds.wav(tmp_path / "x.wav", bytes(2 * 8000), 1, 16)  # a second at 8 kHz
    subject = Subject.of(path, open_model(path), RunSpec(), {"input": str(sound)})
    row, *_ = subject.filled()
    assert row.array.shape == (1, 8000), "all of it, where nobody measures"
    row, *_ = setup(subject).feeds
    assert row.array.shape == (1, 576)


def test_a_data_set_that_cannot_be_read_ends_the_others_only_where_it_should(tmp_path):
    path = pooling(tmp_path / "m.onnx", 2)
    subject = Subject.of(path, model := open_model(path), RunSpec())
    (info,), (out,) = model.inputs, model.outputs
    feeds = {info.name: np.ones((1, 1, 4), np.float32)}
    with EngineProcess() as engine:
        once = predict.predicting(engine, subject)
        answer = {out.name: once(feeds).outputs[0].array}
        np.savez(tmp_path / "good.npz", **feeds, **answer)
        (tmp_path / "bad.npz").write_bytes(b"nothing")
        paths = [tmp_path / "bad.npz", tmp_path / "good.npz"]
        found = verify(model, paths, once, go_on=True)
        assert [data.passed for data in found.checked] == [True]
        assert [name for name, _ in found.failed] == ["bad.npz"]
        with pytest.raises(Exception, match="bad"):
            verify(model, paths, once)
