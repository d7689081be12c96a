"""A folder in shards: numbered files there and back, none lost, none twice."""

import zipfile
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import onnx
import pytest
from onnx import helper
from PIL import Image

from inspector.errors import BadInput, EngineFailed
from inspector.preview.runs.folder import Row
from inspector.remote import messages, shards
from inspector.remote.messages import End, Job, ModelFile, ResultFile
from tests import models

BASE = Job("", "folder", model=(ModelFile("net.onnx", "0" * 64, 1),))


class Device:
    """Answers each file with its bytes, or fails at the shard that has a certain one."""

    def __init__(self, fails_at: bytes = b"none") -> None:
        self.shards: list[int] = []
        self.name = self.place = "device"
        self.hello: dict[str, Any] = {}
        self._fails_at = fails_at

    def run(
        self, job: Job, own_files: Mapping[str, Path], target: Path, on_event: Any = None
    ) -> End:
        assert messages.read_job(msgspec.to_builtins(job)) == job
        there = target / "there"
        there.mkdir()
        shards.unpack(own_files[job.folder.sha256], there)
        rows = [Row(path.name, path.read_text()) for path in there.iterdir()]
        self.shards.append(len(rows))
        if any(row.answer.encode() == self._fails_at for row in rows):
            problem = messages.Problem("EngineFailed", "Could not predict", "no such layer")
            return End(job.id, messages.FAILED, problem=problem)
        (target / shards.ROWS).write_bytes(shards.columns_of(rows))
        return End(job.id, messages.DONE, (ResultFile(shards.ROWS, "0" * 64, 1),))

    def connect(self) -> dict[str, Any]:
        return {}

    def cancel(self) -> None: ...

    def close(self) -> None: ...


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    made = [tmp_path / f"{number}.png" for number in range(25)]
    for path in made:
        path.write_text(path.stem)
    return made


def test_every_file_has_its_row_in_order(files):
    devices = [Device(), Device()]
    names = {path: f"in/{path.name}" for path in files}
    rows = list(shards.predict(devices, BASE, {}, files, names, size=4))
    assert [(row.file, row.answer) for row in rows] == [
        (f"in/{number}.png", str(number)) for number in range(25)
    ]
    assert sorted(devices[0].shards + devices[1].shards) == [1, 1, 1, 2, 4, 4, 4, 4, 4]


def test_a_shard_that_fails_ends_the_folder_with_its_reason(files):
    names = {path: path.name for path in files}
    found: list[Row] = []
    rows = shards.predict([Device(b"9")], BASE, {}, files, names, size=4)
    with pytest.raises(EngineFailed, match="no such layer"):
        deque(map(found.append, rows))
    assert len(found) == 8  # what came before is there


@pytest.mark.parametrize("name", ["../000000.png", "/etc/x", "000000.png/x", "a.png", "0.png"])
def test_an_archive_with_other_names_is_refused(name, tmp_path):
    with zipfile.ZipFile(tmp_path / "bad.zip", "w") as packed:
        packed.writestr(name, b"x")
    (tmp_path / "there").mkdir()
    with pytest.raises(BadInput):
        shards.unpack(tmp_path / "bad.zip", tmp_path / "there")
    assert list((tmp_path / "there").iterdir()) == []


def test_the_columns_of_a_shard_keep_what_a_row_says():
    rows = [
        Row("000001.png", "", None, (), problem="no image: 'é'"),
        Row("000000.png", "Katze 🐈", 0.25, ("Katze 🐈", ""), prediction_ns=1 << 40),
    ]
    first, second = shards.rows_of(shards.columns_of(rows), 2)
    assert (first.answer, first.score, first.top) == ("Katze 🐈", 0.25, ("Katze 🐈", ""))
    assert (first.prediction_ns, first.problem) == (1 << 40, "")
    assert (second.score, second.top, second.problem) == (None, (), "no image: 'é'")
    with pytest.raises(ValueError, match="3 files"):
        shards.rows_of(shards.columns_of(rows), 3)


def test_only_the_absence_of_labels_is_an_option_of_a_job():
    folder = ModelFile("files.zip", "0" * 64, 1)
    for value, allowed in (("none", True), ("labels.txt", False), ("coco", False)):
        job = msgspec.structs.replace(BASE, folder=folder, options={"labels": value})
        job = msgspec.structs.replace(job, id=messages.job_id(job, "device"))
        if allowed:
            assert messages.read_job(msgspec.to_builtins(job)).options == {"labels": value}
        else:
            with pytest.raises(BadInput, match="labels"):
                messages.read_job(msgspec.to_builtins(job))


@pytest.mark.engine
def test_a_shard_shows_numbers_where_no_labels_are_wanted(tmp_path):
    nodes = [
        helper.make_node("GlobalAveragePool", ["image"], ["means"]),
        helper.make_node("Softmax", ["means"], ["scores"], axis=1),
    ]
    ends = [models.value("image", [1, 3, 8, 8])], [models.value("scores", [1, 3, 1, 1])]
    proto = models.model(nodes, *ends)
    proto.metadata_props.add(key="labels", value="red\ngreen\nblue")
    onnx.save(proto, tmp_path / "net.onnx")
    Image.new("RGB", (8, 8), (0, 0, 255)).save(tmp_path / "blue.png")
    with zipfile.ZipFile(tmp_path / "files.zip", "w") as packed:
        packed.write(tmp_path / "blue.png", "000000.png")

    def answer(name: str, **options: str) -> str:
        (tmp_path / name).mkdir()
        body = shards.answer(
            tmp_path / "net.onnx", tmp_path / "files.zip", {"device": "cpu", **options},
            tmp_path / name, lambda process: None,
        )  # fmt: skip
        return shards.rows_of(body, 1)[0].answer

    assert answer("named") == "blue"
    assert "blue" not in answer("numbers", labels="none")
