"""The sample models are what their index says, and answer as it says."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from inspector.readers import open_model

FOLDER = Path(__file__).parent.parent / "sample_models"
INDEX: dict[str, Any] = json.loads((FOLDER / "index.json").read_text("utf-8"))
MODELS = INDEX["models"]
by_file = pytest.mark.parametrize("entry", MODELS, ids=[entry["file"] for entry in MODELS])


def test_the_index_names_every_model_and_every_input() -> None:
    named = {entry["file"] for entry in (*MODELS, *INDEX["inputs"])}
    there = {*FOLDER.glob("*.onnx"), *(FOLDER / "inputs").iterdir()}
    assert named == {path.relative_to(FOLDER).as_posix() for path in there}


def test_size_and_hash_in_the_index_are_those_of_the_files() -> None:
    for entry in (*MODELS, *INDEX["inputs"]):
        body = (FOLDER / entry["file"]).read_bytes()
        assert len(body) == entry["size_bytes"], entry["file"]
        assert hashlib.sha256(body).hexdigest() == entry["sha256"], entry["file"]


def test_all_files_together_stay_small() -> None:
    assert sum(entry["size_bytes"] for entry in (*MODELS, *INDEX["inputs"])) < 6_000_000


@by_file
def test_a_sample_opens_on_old_runtimes_and_has_nothing_odd(entry: dict[str, Any]) -> None:
    model = open_model(FOLDER / entry["file"])
    assert not model.findings
    assert model.ir_version <= 10
    assert all(opset.version <= 21 for opset in model.opsets if not opset.domain)


@by_file
def test_a_sample_says_who_made_it_and_what_goes_in(entry: dict[str, Any]) -> None:
    model = open_model(FOLDER / entry["file"])
    told = dict(model.metadata)
    assert told["author"] == "Inspector"
    assert told["license"] == "Apache-2.0"
    assert told["description"]
    assert told["preparation"]
    assert model.doc
    assert json.loads(told.get("labels", "[]")) == entry.get("labels", [])


@by_file
def test_every_layer_of_a_sample_has_a_name_of_its_own(entry: dict[str, Any]) -> None:
    names = [layer.name for layer in open_model(FOLDER / entry["file"]).layers]
    assert all(names)
    assert len(set(names)) == len(names)


@by_file
def test_the_held_out_accuracy_is_good_and_in_the_file_too(entry: dict[str, Any]) -> None:
    stated = dict(open_model(FOLDER / entry["file"]).metadata).get("held_out_accuracy")
    if "labels" not in entry:
        assert stated is None
        return
    assert float(stated or "nan") == entry["held_out_accuracy"] >= 0.97
    assert entry["held_out_examples"] >= 50


@by_file
def test_what_to_try_is_there_and_names_all_inputs(entry: dict[str, Any]) -> None:
    names = {info.name for info in open_model(FOLDER / entry["file"]).inputs}
    for attempt in entry["try"]:
        assert set(attempt["inputs"]) == names
        for source in attempt["inputs"].values():
            assert source == "zeros" or (FOLDER / source).is_file()
