import os
import sys
from pathlib import Path

import pytest

from inspector.formats.opening import open_model
from inspector.model.model import Place, WeightInfo, unreadable
from tests.formats.build import add, external, model, save

ROOM = 64  # bytes of a float32 tensor of 16 elements


def opened(folder: Path, **entries: str) -> WeightInfo:
    path = save(model([add()], [external("w", [16], **entries)]), folder / "m.onnx")
    found = open_model(path)
    assert [f.text for f in found.findings] == [
        unreadable(w.problem) for w in found.weights if w.problem
    ]
    return found.weights[0]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "SECRET").write_bytes(b"S" * 200)
    inner = tmp_path / "model"
    (inner / "sub dir").mkdir(parents=True)
    (inner / "weights.bin").write_bytes(bytes(200))
    (inner / "sub dir" / "重み.bin").write_bytes(bytes(200))
    return inner


@pytest.mark.parametrize("name", ["weights.bin", "sub dir/重み.bin", "./weights.bin"])
def test_values_in_a_file_beside_the_model_have_a_place(folder, name):
    weight = opened(folder, location=name, offset="8", length="64")
    assert weight.place == Place(name, 8, 64)
    assert (weight.problem, weight.size_bytes) == ("", ROOM)


def test_without_a_length_the_shape_tells_it(folder):
    assert opened(folder, location="weights.bin").place == Place("weights.bin", 0, ROOM)


def test_the_models_own_file_may_hold_its_external_values(folder):
    weight = opened(folder, location="m.onnx", offset="0", length="64")
    assert weight.place == Place("m.onnx", 0, 64)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("../SECRET", "leads out of the model's folder"),
        ("sub dir/../../SECRET", "leads out of the model's folder"),
        ("/etc/passwd", "absolute path"),
        ("C:\\secret", "backslash"),
        ("C:secret", "absolute path"),
        ("\\\\server\\share\\x", "backslash"),
        ("*/_ORT_MEM_ADDR_/*", "memory of a running program"),
        ("weights.bin\0x", "NUL character"),
        ("", "no file name is given"),
        ("nowhere.bin", "not next to the model"),
        ("sub dir", "not a regular file"),
        ("x" * 5000, "not next to the model"),
    ],
)
def test_a_name_of_anything_else_is_told_and_not_followed(folder, name, problem):
    weight = opened(folder, location=name, offset="0", length="64")
    assert weight.place is None
    assert problem in weight.problem
    assert len(weight.problem) < 400


@pytest.mark.parametrize(
    ("offset", "length", "problem"),
    [
        ("0", "201", "would end at byte 201"),
        ("150", "64", "would end at byte 214"),
        ("201", "", "would end at byte"),
        ("-4", "64", "its offset in 'weights.bin' is not a number"),
        ("0x10", "64", "its offset"),
        ("٣", "64", "its offset"),
        ("0", "-1", "its length"),
        ("0", "1" * 5000, "its length"),
        ("0", "1" + "0" * 15, "would end at byte 1,000,000,000,000,000"),
    ],
)
def test_a_place_outside_of_the_file_is_told(folder, offset, length, problem):
    weight = opened(folder, location="weights.bin", offset=offset, length=length)
    assert weight.place is None
    assert problem in weight.problem


def test_fewer_bytes_than_the_shape_takes_are_told(folder):
    weight = opened(folder, location="weights.bin", offset="0", length="60")
    assert weight.problem == "it has 60 B of values, but its shape needs 64 B"


def test_a_hard_link_is_not_read_for_it_may_be_any_file(folder):
    os.link(folder.parent / "SECRET", folder / "linked.bin")
    assert "hard link" in opened(folder, location="linked.bin").problem


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_a_link_out_of_the_folder_is_not_followed(folder):
    (folder / "linked.bin").symlink_to(folder.parent / "SECRET")
    (folder / "linked").symlink_to(folder.parent)
    assert "a link to a file outside" in opened(folder, location="linked.bin").problem
    assert "a link to a file outside" in opened(folder, location="linked/SECRET").problem


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_a_device_or_pipe_is_not_opened(folder):
    os.mkfifo(folder / "pipe")
    assert "not a regular file" in opened(folder, location="pipe").problem
    (folder / "zero").symlink_to("/dev/zero")
    assert "a link to a file outside" in opened(folder, location="zero").problem


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_a_download_kept_as_links_into_one_store_is_whole(folder, tmp_path):
    store, snapshot = tmp_path / "blobs", tmp_path / "snapshot"
    store.mkdir()
    snapshot.mkdir()
    (store / "aa11").write_bytes(bytes(100))
    tensor = external("w", [16], location="model.onnx_data")
    save(model([add()], [tensor]), store / "bb22")
    (snapshot / "model.onnx").symlink_to(store / "bb22")
    (snapshot / "model.onnx_data").symlink_to(store / "aa11")
    weight = open_model(snapshot / "model.onnx").weights[0]
    assert weight.place == Place("model.onnx_data", 0, ROOM)


def test_of_many_weights_with_one_problem_one_finding_tells(folder):
    weights = [external(f"w{n}", [16], location="nowhere.bin") for n in range(9)]
    found = open_model(save(model([add()], weights), folder / "m.onnx"))
    (finding,) = found.findings[:1]
    assert finding.subject == "w0, w1, w2 and 6 more"
