"""The sample models are what their index says, and answer as it says."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from inspector.engine.client.engine_process import EngineProcess
from inspector.formats.opening import open_model
from inspector.preview.inputs.feeds import fill_all
from inspector.preview.inputs.image import ImageOptions
from inspector.preview.inputs.input_choice import input_for
from inspector.preview.outputs import labels
from inspector.preview.runs import data_set
from inspector.report.improvement import MIN_INPUTS
from inspector.report.run_spec import RunSpec

FOLDER = Path(__file__).parent.parent / "sample_models"
INDEX: dict[str, Any] = json.loads((FOLDER / "index.json").read_text("utf-8"))
MODELS = [entry for entry in INDEX["models"] if "files" not in entry]
FOLDERS = [entry for entry in INDEX["models"] if "files" in entry]  # each is one model
FILES = [file for entry in FOLDERS for file in entry["files"]]
# Of the others at least 0.97. The language sample is held against whole sentences of people.
LEAST_ACCURACY = {"clothes_float32.onnx": 0.9, "language_bert.onnx": 0.94}
by_file = pytest.mark.parametrize("entry", MODELS, ids=[entry["file"] for entry in MODELS])


def test_the_index_names_every_model_and_every_input():
    named = {entry["file"] for entry in (*MODELS, *INDEX["inputs"])}
    named |= {file["file"] for file in FILES}
    there = {*FOLDER.glob("*.onnx"), *(FOLDER / "inputs").iterdir()}
    there |= {path for entry in FOLDERS for path in (FOLDER / entry["file"]).iterdir()}
    assert named == {path.relative_to(FOLDER).as_posix() for path in there}


def test_size_and_hash_in_the_index_are_those_of_the_files():
    for entry in (*MODELS, *FILES, *INDEX["inputs"]):
        body = (FOLDER / entry["file"]).read_bytes()
        assert len(body) == entry["size_bytes"], entry["file"]
        assert hashlib.sha256(body).hexdigest() == entry["sha256"], entry["file"]


def test_all_files_together_stay_small():
    entries = (*MODELS, *FILES, *INDEX["inputs"], *INDEX["folders"])
    assert sum(entry["size_bytes"] for entry in entries) < 6_000_000


def test_folders_have_what_the_index_says_and_no_photo_is_in_two():
    hashes: list[str] = []
    for entry in INDEX["folders"]:
        bodies = [path.read_bytes() for path in (FOLDER / entry["folder"]).rglob("*.png")]
        own = sorted(hashlib.sha256(body).hexdigest() for body in bodies)
        assert (len(own), sum(map(len, bodies))) == (entry["files"], entry["size_bytes"])
        assert hashlib.sha256("".join(own).encode()).hexdigest() == entry["sha256"]
        hashes += own
    assert len(set(hashes)) == len(hashes)


def test_the_test_folder_is_large_enough_for_a_verdict_and_labeled_as_the_model_is():
    model, place = open_model(FOLDER / "clothes_float32.onnx"), FOLDER / "clothes" / "test"
    names = labels.of_model(model)
    data = data_set.read(place, input_for(model.inputs, ()), "", names)
    assert data.labeled == 500 > MIN_INPUTS
    assert set(data.classes.values()) == set(names)


@by_file
def test_a_sample_opens_on_old_runtimes_and_has_nothing_odd(entry):
    model = open_model(FOLDER / entry["file"])
    assert not model.findings
    assert model.ir_version <= 10
    assert all(opset.version <= 21 for opset in model.opsets if not opset.domain)


@by_file
def test_a_sample_says_who_made_it_and_what_goes_in(entry):
    model = open_model(FOLDER / entry["file"])
    told = dict(model.metadata)
    assert told["author"] == "Inspector"
    assert told["license"] == "Apache-2.0"
    assert told["description"]
    assert told["preparation"]
    assert model.doc
    assert json.loads(told.get("labels", "[]")) == entry.get("labels", [])


@by_file
def test_every_layer_of_a_sample_has_a_name_of_its_own(entry):
    names = [layer.name for layer in open_model(FOLDER / entry["file"]).layers]
    assert all(names)
    assert len(set(names)) == len(names)


@by_file
def test_the_held_out_accuracy_is_good_and_in_the_file_too(entry):
    stated = dict(open_model(FOLDER / entry["file"]).metadata).get("held_out_accuracy")
    if "labels" not in entry:
        assert stated is None
        return
    assert float(stated or "nan") == entry["held_out_accuracy"]
    assert entry["held_out_accuracy"] >= LEAST_ACCURACY.get(entry["file"], 0.97)
    assert entry["held_out_examples"] >= 50


@by_file
def test_what_to_try_is_there_and_names_all_inputs(entry):
    names = {info.name for info in open_model(FOLDER / entry["file"]).inputs}
    for attempt in entry["try"]:
        assert set(attempt["inputs"]) == names
        for source in attempt["inputs"].values():
            assert source == "zeros" or (FOLDER / source).is_file()


def answers(engine: EngineProcess, file: str, sources: Mapping[str, str]) -> dict[str, Any]:
    """Arrays of the inputs and outputs of one prediction, by name."""
    model = open_model(FOLDER / file)
    values = {n: s if s == "zeros" else str(FOLDER / s) for n, s in sources.items()}
    filled = fill_all(model.inputs, values, {}, ImageOptions(model.metadata, model.producer))
    feeds: dict[str, NDArray[Any]] = {value.name: value.array for value in filled}
    prediction = engine.predict(FOLDER / file, RunSpec(), feeds)
    return feeds | {output.name: output.array for output in prediction.outputs}


def entry_of(file: str) -> dict[str, Any]:
    (entry,) = [entry for entry in MODELS if entry["file"] == file]
    return entry


CLASSIFIERS = [
    (entry["file"], attempt)
    for entry in MODELS
    for attempt in entry["try"]
    if entry["task"].split()[0] in ("image", "sound", "text")
    and entry["task"].endswith("classification")
]


@pytest.mark.engine
@pytest.mark.parametrize(
    ("file", "attempt"), CLASSIFIERS, ids=[f"{f}-{a['answer']}" for f, a in CLASSIFIERS]
)
def test_a_classifier_is_sure_of_the_stated_answer(engine, file, attempt):
    labels = json.loads(dict(open_model(FOLDER / file).metadata)["labels"])
    (row,) = answers(engine, file, attempt["inputs"])["probabilities"]
    assert labels[int(row.argmax())] == attempt["answer"]
    assert row.max() > 0.9


@pytest.mark.engine
def test_the_wines_are_told_by_name_a_missing_measurement_included(engine):
    (attempt,) = entry_of("wine_tabular.onnx")["try"]
    found = answers(engine, "wine_tabular.onnx", attempt["inputs"])
    assert ", ".join(found["vine"]) == attempt["answer"]
    assert np.isnan(found["measurements"]).sum() == 1


@pytest.mark.engine
def test_the_spikes_of_the_signal_are_found_and_no_others(engine):
    (attempt,) = entry_of("sequence_loop.onnx")["try"]
    found = answers(engine, "sequence_loop.onnx", attempt["inputs"])
    places = ", ".join(map(str, np.flatnonzero(found["alarm"])))
    assert attempt["answer"] == f"alarm is true at samples {places}"


@pytest.mark.engine
def test_the_state_of_the_spike_finder_goes_on_where_it_stopped(engine, tmp_path):
    file, signal = "sequence_loop.onnx", np.load(FOLDER / "inputs" / "sequence.npy")
    whole = answers(engine, file, {"signal": "inputs/sequence.npy", "state": "zeros"})
    np.save(tmp_path / "first.npy", signal[:250])
    np.save(tmp_path / "second.npy", signal[250:])
    first = answers(engine, file, {"signal": f"{tmp_path}/first.npy", "state": "zeros"})
    np.save(tmp_path / "state.npy", first["state_out"])
    sources = {"signal": f"{tmp_path}/second.npy", "state": f"{tmp_path}/state.npy"}
    second = answers(engine, file, sources)
    np.testing.assert_allclose(np.append(first["score"], second["score"]), whole["score"])


@pytest.mark.engine
def test_the_sharpened_picture_has_more_detail_and_the_same_light(engine):
    found = answers(engine, "sharpen_float16.onnx", {"picture": "inputs/soft.png"})
    before, after = found["picture"].astype("f4"), found["sharpened"].astype("f4")
    assert found["sharpened"].dtype == np.float16
    assert np.abs(np.diff(after)).mean() > 1.3 * np.abs(np.diff(before)).mean()
    assert after.mean() == pytest.approx(before.mean(), rel=0.01)


@pytest.mark.engine
def test_the_misty_picture_becomes_clear(engine):
    found = answers(engine, "unsupported_elsewhere.onnx", {"picture": "inputs/misty.png"})
    assert found["equalized"].std() > 4 * found["picture"].std()
